//! The figures about response and movement.

use carom::draw::{self, Canvas, Color, Drawing, Style};
use carom::motion::{
    BoxObstacle, Heading, MazeMover, before_after, direction_velocity, open_in, push_out,
    shallow_axis,
};
use carom::prelude::*;

use crate::{check, drawing, write};

const OBSTACLE: Color = Color::GREY;
const BEFORE: Color = Color::BLUE;
const AFTER: Color = Color::VERMILION;
const END: Color = Color::GREEN;

/// Draws a mover before its motion, where the motion leads, and where the method puts it.
fn three(drawing: &mut Drawing, mover: &Aabb, motion: Vec2, end: Vec2) {
    draw::shape(drawing, mover, &Style::translucent(BEFORE));
    draw::shape(drawing, &mover.translated(motion), &Style::stroke(AFTER).dashed());
    draw::shape(drawing, &mover.translated(end), &Style::translucent(END));
    let middle = mover.center();
    drawing.arrow(middle, middle + motion, &Style::stroke(AFTER));
}

fn explain(drawing: &mut Drawing) {
    for (color, meaning) in [
        (OBSTACLE, "obstacle"),
        (BEFORE, "before"),
        (AFTER, "where the motion leads"),
        (END, "where the method puts it"),
    ] {
        drawing.add_legend(color, meaning);
    }
}

#[test]
fn push_out_at_its_best_and_worst() {
    let mut drawing = drawing([-7.0, -2.0], [17.0, 6.0]);
    let ground = Shape::from(Aabb::new([-6.0, -1.0], [5.0, 0.25]));
    let ramp = Shape::from(Triangle::new([0.5, 0.25], [4.0, 0.25], [4.0, 3.0]));
    let stone = Circle::new([0.25, 0.75], 1.0);
    let push = push_out(&stone, [&ground, &ramp]);
    for thing in [&ground, &ramp] {
        draw::shape(&mut drawing, thing, &Style::translucent(OBSTACLE));
    }
    draw::shape(&mut drawing, &stone, &Style::stroke(AFTER).dashed());
    draw::shape(&mut drawing, &stone.translated(push), &Style::translucent(END));
    drawing.arrow(stone.center(), stone.center() + push, &Style::stroke(AFTER));
    write(&mut drawing, [-0.5, -1.6], "one push out of both");

    let wall = Aabb::new([11.0, -1.0], [13.0, 5.0]);
    let shot = Aabb::new([7.5, 1.5], [8.5, 2.5]);
    let motion = Vec2::new(4.25, 0.0);
    let push = push_out(&shot.translated(motion), [&wall]);
    assert!(push.x > 0.0, "the weakness: it leaves the wall at the back");
    draw::shape(&mut drawing, &wall, &Style::translucent(OBSTACLE));
    three(&mut drawing, &shot, motion, motion + push);
    write(&mut drawing, [12.0, -1.6], "weakness: out at the back");
    explain(&mut drawing);
    check("push-out", &drawing);
}

#[test]
fn direction_and_velocity_at_its_best_and_worst() {
    let mut drawing = drawing([-2.0, -2.0], [19.0, 5.0]);
    let hero = Aabb::new([0.0, 0.75], [1.0, 2.75]);
    let room = [Aabb::new([-2.0, -1.0], [4.0, 0.0]), Aabb::new([2.0, 0.0], [4.0, 4.5])];
    let motion = Vec2::new(1.5, -1.25);
    let step = direction_velocity(&hero, motion, &room);
    room.iter().for_each(|thing| draw::shape(&mut drawing, thing, &Style::translucent(OBSTACLE)));
    three(&mut drawing, &hero, motion, step.motion);
    let corners = [Vec2::ZERO, Vec2::new(step.motion.x, 0.0), step.motion];
    for ends in corners.map(|corner| hero.center() + corner).windows(2) {
        drawing.arrow(ends[0], ends[1], &Style::stroke(END).width(2.5));
    }
    write(&mut drawing, [1.0, -1.6], "first x, then y");

    let lift = Aabb::new([9.0, -1.0], [17.5, 0.25]); // it has risen by 0.25
    let hero = Aabb::new([14.0, 0.0], [15.0, 2.0]);
    let motion = Vec2::new(0.5, 0.0);
    let step = direction_velocity(&hero, motion, [&lift]);
    assert!(step.motion.x < -4.0, "the weakness: thrown to the end of the lift");
    draw::shape(&mut drawing, &lift, &Style::translucent(OBSTACLE));
    three(&mut drawing, &hero, motion, step.motion);
    write(&mut drawing, [13.0, -1.6], "weakness: a lift that has risen");
    explain(&mut drawing);
    check("direction-velocity", &drawing);
}

#[test]
fn shallow_axis_at_its_best_and_worst() {
    let mut drawing = drawing([-3.0, -2.2], [13.0, 3.5]);
    for (x, fall, name) in
        [(0.0, 0.625, "a slow fall is stopped"), (8.0, 1.5, "weakness: a fast fall is pushed off")]
    {
        let ledge = Aabb::new([x, -1.25], [x + 4.0, 0.0]);
        let hero = Aabb::new([x - 0.75, 0.5], [x + 0.25, 2.5]);
        let motion = Vec2::new(0.0, -fall);
        let step = shallow_axis(&hero, motion, [&ledge]);
        assert_eq!(step.pushed.y > 0.0, x == 0.0);
        draw::shape(&mut drawing, &ledge, &Style::translucent(OBSTACLE));
        three(&mut drawing, &hero, motion, step.motion);
        let overlap = Aabb::new([x, 0.5 - fall], [x + 0.25, 0.0]);
        draw::shape(&mut drawing, &overlap, &Style::fill(Color::PURPLE));
        write(&mut drawing, [x + 1.5, -1.8], name);
    }
    explain(&mut drawing);
    drawing.add_legend(Color::PURPLE, "the overlap: 0.25 wide, and 0.125 or 1 high");
    check("shallow-axis", &drawing);
}

#[test]
fn before_and_after_from_both_sides() {
    let mut drawing = drawing([-1.0, -1.2], [18.0, 8.0]);
    for (x, from, motion, name) in
        [(0.0, 0.0, 2.25, "from below it passes"), (6.5, 5.0, -3.0, "from above it is stopped")]
    {
        let bounds = Aabb::new([x, 3.0], [x + 4.5, 3.5]);
        let platform = BoxObstacle::still(bounds).one_way([0.0, 1.0]);
        let hero = Aabb::new([x + 1.75, from], [x + 2.75, from + 2.0]);
        let motion = Vec2::new(0.0, motion);
        draw::shape(&mut drawing, &bounds, &Style::translucent(OBSTACLE));
        three(&mut drawing, &hero, motion, before_after(&hero, motion, [&platform]).motion);
        write(&mut drawing, [x + 2.2, -0.8], name);
    }
    let block = Aabb::new([14.5, 2.5], [15.5, 3.5]);
    let hero = Aabb::new([12.9, 0.5], [13.9, 1.5]);
    let motion = Vec2::new(3.4, 3.8);
    let end = before_after(&hero, motion, [&BoxObstacle::still(block)]).motion;
    assert_eq!(end, motion, "the weakness: it misses the block");
    draw::shape(&mut drawing, &block, &Style::translucent(OBSTACLE));
    three(&mut drawing, &hero, motion, end);
    write(&mut drawing, [15.0, -0.8], "weakness: it misses a block");
    explain(&mut drawing);
    check("before-after", &drawing);
}

#[test]
fn a_turn_in_a_maze() {
    let rows = ["######", "#....#", "##.###", "##...#", "######"];
    let maze = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    let mut drawing = drawing([0.0, 0.0], [6.0, 5.0]);
    draw::shape(&mut drawing, &maze, &Style::translucent(OBSTACLE));
    for x in 0..=6 {
        let line = [Vec2::new(x as f32, 0.0), Vec2::new(x as f32, 5.0)];
        drawing.polyline(&line, &Style::stroke(OBSTACLE.with_opacity(0.4)).width(0.5));
    }
    for y in 0..=5 {
        let line = [Vec2::new(0.0, y as f32), Vec2::new(6.0, y as f32)];
        drawing.polyline(&line, &Style::stroke(OBSTACLE.with_opacity(0.4)).width(0.5));
    }
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.chars().enumerate().filter(|&(_, tile)| tile == '.') {
            drawing
                .dot(maze.cell_center(Cell::new(x as u32, y as u32)), &Style::stroke(Color::BLACK));
        }
    }
    // Half a tile to the right, then "up" is requested; at the second crossing, "right" again.
    let mut hero = MazeMover::new([1, 1]);
    let mut path = vec![hero.position(&maze)];
    for (request, color, distance) in
        [(Heading::PosX, BEFORE, 16), (Heading::PosY, END, 48), (Heading::PosX, END, 96)]
    {
        hero.wanted = Some(request);
        for _ in 0..distance {
            hero.advance(1.0 / 32.0, open_in(&maze)); // small steps, so that the path has its corners
            path.push(hero.position(&maze));
        }
        drawing.polyline(&path, &Style::stroke(color).width(3.0));
        drawing.circle(path[path.len() - 1], 0.14, &Style::translucent(color));
        path.drain(..path.len() - 1);
    }
    assert_eq!(hero.cell(), Cell::new(4, 3));
    drawing.circle(Vec2::new(1.5, 1.5), 0.14, &Style::translucent(BEFORE));
    write(&mut drawing, [2.0, 0.6], "up is requested here");
    write(&mut drawing, [4.4, 0.6], "and done here: in the next center");
    write(&mut drawing, [4.4, 0.35], "whose upper neighbor is open");
    drawing.arrow(Vec2::new(2.0, 0.8), Vec2::new(2.0, 1.3), &Style::default());
    drawing.arrow(Vec2::new(3.3, 0.8), Vec2::new(2.58, 1.42), &Style::default());
    drawing.add_legend(Color::BLACK, "tile centers: turns happen only there");
    drawing.add_legend(BEFORE, "right is requested");
    drawing.add_legend(END, "up is requested, then right again");
    check("maze", &drawing);
}

#[test]
fn four_responses() -> Result<(), WorldError> {
    let mut drawing = drawing([-1.0, -2.8], [33.4, 3.6]);
    let responses = [
        (Response::Touch, "touch"),
        (Response::Slide, "slide"),
        (Response::Bounce(1.0), "bounce"),
        (Response::Cross, "cross"),
    ];
    for (i, (response, name)) in responses.into_iter().enumerate() {
        let mut world = World::new();
        let x = i as f32 * 8.6;
        let floor = world.add_body(Body::fixed([x, 0.0]))?;
        world.add_collider(floor, Collider::new(Aabb::new([-1.0, -1.0], [6.6, 0.0])))?;
        let ball = world.add_body(Body::moving([x, 2.5]))?;
        world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 0.5)))?;
        draw::world(&mut drawing, &world, &draw::WorldStyle::default());
        let travel = world.travel(ball, [6.0, -4.0], |_| response)?;
        let mut path = vec![travel.start];
        path.extend(travel.hits().iter().map(|hit| hit.position));
        path.push(travel.end);
        for hit in travel.hits() {
            drawing.arrow(hit.point, hit.point + hit.normal * 0.8, &Style::stroke(AFTER));
        }
        drawing.polyline(&path, &Style::stroke(Color::PURPLE).dashed());
        draw::shape(&mut drawing, &Circle::new(travel.end, 0.5), &Style::translucent(END));
        write(&mut drawing, [x + 2.8, -2.5], name);
    }
    drawing.add_legend(BEFORE, "before");
    drawing.add_legend(Color::PURPLE, "path");
    drawing.add_legend(AFTER, "normal at the hit");
    drawing.add_legend(END, "after");
    check("travel", &drawing);
    Ok(())
}

#[test]
fn tiles_with_slopes() {
    let mut drawing = drawing([0.0, 0.0], [16.0, 6.3]);
    let up = [0.0, 1.0];
    let legend = [
        ('#', TileKind::SOLID),
        ('/', TileKind::slope(0.0, 1.0, up)),
        ('\\', TileKind::slope(1.0, 0.0, up)),
        ('-', TileKind::one_way(up)),
    ];
    let rows = [
        "################",
        "#.../##\\.......#",
        "#.............##",
        "#........---..##",
        "#.............##",
    ];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &legend);
    draw::shape(&mut drawing, &map, &Style::translucent(OBSTACLE));
    for cell in map.tiles() {
        if let Some(tile) = map.tile_shape(cell) {
            draw::shape(&mut drawing, &tile, &Style::stroke(OBSTACLE).width(0.5));
        }
    }
    for center in [[2.5, 3.5], [4.5, 3.5], [10.5, 5.5]] {
        let ball = Circle::new(center, 0.5);
        let hit = ball.sweep([0.0, -4.0], &map).unwrap();
        draw::shape(&mut drawing, &ball, &Style::stroke(BEFORE).dashed());
        let end = ball.translated([0.0, -4.0 * hit.time]);
        draw::shape(&mut drawing, &end, &Style::translucent(END));
        let style = Style::stroke(Color::PURPLE).dashed();
        drawing.arrow(ball.center(), end.center(), &style);
    }
    drawing.add_legend(OBSTACLE, "tiles: solid, slopes, and a one-way platform (the line)");
    drawing.add_legend(BEFORE, "balls before the fall");
    drawing.add_legend(END, "balls after the fall");
    check("tiles", &drawing);
}

#[test]
fn a_jump_through_a_platform() -> Result<(), WorldError> {
    let mut drawing = drawing([-3.0, -1.0], [21.0, 7.0]);
    for (x, from, motion, end, name) in [
        (0.0, 0.0, 2.0, 2.0, "up into it: passes"),
        (6.0, 2.0, -1.0, 1.0, "down out of it: passes"),
        (12.0, 1.0, 3.0, 4.0, "up through it: passes"),
        (18.0, 4.0, -3.0, 3.0, "down from above: lands"),
    ] {
        let mut world = World::new();
        let top = Aabb::new([-2.0, -0.5], [2.0, 0.0]);
        let top = Collider::new(top).one_way([0.0, 1.0]);
        world.spawn(Body::fixed([x, 3.0]), [top])?;
        draw::world(&mut drawing, &world, &draw::WorldStyle::default());
        let hero = Aabb::new([-0.5, 0.0], [0.5, 1.5]);
        let body = world.spawn(Body::moving([x, from]), [Collider::new(hero)])?;
        let travel = world.travel(body, [0.0, motion], |_| Response::Slide)?;
        assert_eq!(travel.end, Vec2::new(x, end));
        let placed = hero.translated(travel.start);
        three(&mut drawing, &placed, Vec2::new(0.0, motion), travel.end - travel.start);
        write(&mut drawing, [x, -0.7], name);
    }
    for (color, meaning) in
        [(BEFORE, "before"), (AFTER, "where the motion leads"), (END, "where the move ends")]
    {
        drawing.add_legend(color, meaning);
    }
    check("one-way", &drawing);
    Ok(())
}
