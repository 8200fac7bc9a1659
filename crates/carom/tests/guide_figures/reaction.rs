//! The figures about reaction and motion.

use carom::draw::{self, Canvas, Color, Drawing, LabelPlacement, Style};
use carom::prelude::*;

use crate::{check, picture, write};

const OBSTACLE: Color = Color::GREY;
const BEFORE: Color = Color::BLUE;
const AFTER: Color = Color::VERMILION;
const END: Color = Color::GREEN;

/// A mover before its motion, where the motion leads, and where it ends up.
fn three(picture: &mut Drawing, mover: &Aabb, motion: Vec2, end: Vec2) {
    draw::shape(picture, mover, &Style::translucent(BEFORE));
    draw::shape(picture, &mover.translated(motion), &Style::stroke(AFTER).dashed());
    draw::shape(picture, &mover.translated(end), &Style::translucent(END));
    let middle = mover.center();
    picture.arrow(middle, middle + motion, &Style::stroke(AFTER));
}

fn explain(picture: &mut Drawing) {
    for (color, meaning) in [
        (OBSTACLE, "obstacle"),
        (BEFORE, "before"),
        (AFTER, "where the motion leads"),
        (END, "where it ends up"),
    ] {
        picture.add_legend(color, meaning);
    }
}

#[test]
fn push_out_at_its_best_and_worst() {
    let mut picture = picture([-7.0, -2.0], [17.0, 6.0]);
    let ground = Shape::from(Aabb::new([-6.0, -1.0], [5.0, 0.25]));
    let ramp = Shape::from(Triangle::new([0.5, 0.25], [4.0, 0.25], [4.0, 3.0]));
    let stone = Circle::new([0.3, 0.7], 1.0);
    let push = push_out(&stone, [&ground, &ramp]);
    for thing in [&ground, &ramp] {
        draw::shape(&mut picture, thing, &Style::translucent(OBSTACLE));
    }
    draw::shape(&mut picture, &stone, &Style::stroke(AFTER).dashed());
    draw::shape(&mut picture, &stone.translated(push), &Style::translucent(END));
    picture.arrow(stone.center(), stone.center() + push, &Style::stroke(AFTER));
    write(&mut picture, [-0.5, -1.6], "one push out of both");

    let wall = Aabb::new([11.0, -1.0], [13.0, 5.0]);
    let shot = Aabb::new([7.5, 1.5], [8.5, 2.5]);
    let motion = Vec2::new(4.2, 0.0);
    let push = push_out(&shot.translated(motion), [&wall]);
    assert!(push.x > 0.0, "the weakness: it comes out at the back");
    draw::shape(&mut picture, &wall, &Style::translucent(OBSTACLE));
    three(&mut picture, &shot, motion, motion + push);
    write(&mut picture, [12.0, -1.6], "its weakness: out at the back");
    explain(&mut picture);
    check("push-out", &picture);
}

#[test]
fn direction_and_velocity_at_its_best_and_worst() {
    let mut picture = picture([-2.0, -2.0], [19.0, 5.0]);
    let hero = Aabb::new([0.0, 0.75], [1.0, 2.75]);
    let room = [Aabb::new([-2.0, -1.0], [4.0, 0.0]), Aabb::new([2.0, 0.0], [4.0, 4.5])];
    let motion = Vec2::new(1.6, -1.2);
    let step = direction_velocity(&hero, motion, &room);
    room.iter().for_each(|thing| draw::shape(&mut picture, thing, &Style::translucent(OBSTACLE)));
    three(&mut picture, &hero, motion, step.motion);
    write(&mut picture, [1.0, -1.6], "first x, then y");

    let lift = Aabb::new([9.0, -1.0], [17.5, 0.3]); // it has risen by 0.3
    let hero = Aabb::new([14.0, 0.0], [15.0, 2.0]);
    let motion = Vec2::new(0.6, 0.0);
    let step = direction_velocity(&hero, motion, [&lift]);
    assert!(step.motion.x < -4.0, "the weakness: thrown to the end of the lift");
    draw::shape(&mut picture, &lift, &Style::translucent(OBSTACLE));
    three(&mut picture, &hero, motion, step.motion);
    write(&mut picture, [13.0, -1.6], "its weakness: a lift has risen");
    explain(&mut picture);
    check("direction-velocity", &picture);
}

#[test]
fn shallow_axis_at_its_best_and_worst() {
    let mut picture = picture([-3.0, -2.0], [13.0, 4.5]);
    for (x, fall, what) in
        [(0.0, 0.2, "a slow fall is held"), (8.0, 1.0, "its weakness: a fast one slips off")]
    {
        let ledge = Aabb::new([x, -1.2], [x + 4.0, 0.0]);
        let hero = Aabb::new([x - 0.7, 0.1], [x + 0.3, 2.1]);
        let motion = Vec2::new(0.0, -fall);
        let step = shallow_axis(&hero, motion, [&ledge]);
        assert_eq!(step.pushed.y > 0.0, x == 0.0);
        draw::shape(&mut picture, &ledge, &Style::translucent(OBSTACLE));
        three(&mut picture, &hero, motion, step.motion);
        write(&mut picture, [x + 1.5, -1.7], what);
    }
    explain(&mut picture);
    check("shallow-axis", &picture);
}

#[test]
fn before_and_after_from_both_sides() {
    let mut picture = picture([-1.0, -1.2], [18.0, 8.0]);
    for (x, from, motion, what) in
        [(0.0, 0.0, 2.2, "from below it passes"), (6.5, 5.0, -3.0, "from above it is held")]
    {
        let place = Aabb::new([x, 3.0], [x + 4.5, 3.5]);
        let platform = BoxObstacle::still(place).one_way([0.0, 1.0]);
        let hero = Aabb::new([x + 1.7, from], [x + 2.7, from + 2.0]);
        let motion = Vec2::new(0.0, motion);
        draw::shape(&mut picture, &place, &Style::translucent(OBSTACLE));
        three(&mut picture, &hero, motion, before_after(&hero, motion, [&platform]).motion);
        write(&mut picture, [x + 2.2, -0.8], what);
    }
    let block = Aabb::new([14.5, 2.5], [15.5, 3.5]);
    let hero = Aabb::new([12.9, 0.5], [13.9, 1.5]);
    let motion = Vec2::new(3.4, 3.8);
    let end = before_after(&hero, motion, [&BoxObstacle::still(block)]).motion;
    assert_eq!(end, motion, "the weakness: past the block");
    draw::shape(&mut picture, &block, &Style::translucent(OBSTACLE));
    three(&mut picture, &hero, motion, end);
    write(&mut picture, [15.0, -0.8], "its weakness: past a block");
    explain(&mut picture);
    check("before-after", &picture);
}

#[test]
fn a_turn_in_a_maze() {
    let rows = ["######", "#....#", "##.###", "##...#", "######"];
    let maze = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    let mut picture = picture([0.0, 0.0], [6.0, 5.0]);
    draw::shape(&mut picture, &maze, &Style::translucent(OBSTACLE));
    let mut hero = MazeMover::new([1, 1]);
    hero.wanted = Some(Heading::PosX);
    let mut last = hero.position(&maze);
    for step in 0..18 {
        let color = if step < 2 { BEFORE } else { END };
        picture.circle(last, 0.14, &Style::translucent(color));
        if step == 2 {
            hero.wanted = Some(Heading::PosY);
            picture.label(last, "up?", LabelPlacement::Below, &Style::default());
        }
        if step == 9 {
            hero.wanted = Some(Heading::PosX);
        }
        hero.advance(0.3, open_in(&maze));
        let now = hero.position(&maze);
        picture.polyline(&[last, now], &Style::stroke(color));
        last = now;
    }
    assert_eq!(hero.cell(), Cell::new(4, 3));
    picture.add_legend(BEFORE, "to the right");
    picture.add_legend(END, "a turn up is wanted: it is made at the crossing");
    check("maze", &picture);
}

#[test]
fn four_responses() -> Result<(), WorldError> {
    let mut picture = picture([-1.0, -1.3], [25.0, 5.5]);
    let responses = [
        (Response::Touch, "touch"),
        (Response::Slide, "slide"),
        (Response::Bounce(1.0), "bounce"),
        (Response::Cross, "cross"),
    ];
    for (i, (response, name)) in responses.into_iter().enumerate() {
        let mut world = World::new();
        let x = i as f32 * 6.5;
        let floor = world.add_body(Body::fixed([x, 0.0]))?;
        world.add_collider(floor, Collider::new(Aabb::new([-1.0, -0.6], [5.0, 0.6])))?;
        let ball = world.add_body(Body::moving([x, 4.0]))?;
        world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 0.5)))?;
        draw::world(&mut picture, &world, &draw::WorldStyle::default());
        let travel = world.travel(ball, [4.0, -4.6], |_| response)?;
        let mut way = vec![travel.start];
        way.extend(travel.hits().iter().map(|hit| hit.position));
        way.push(travel.end);
        for hit in travel.hits() {
            picture.arrow(hit.point, hit.point + hit.normal * 0.8, &Style::stroke(AFTER));
        }
        picture.polyline(&way, &Style::stroke(Color::PURPLE).dashed());
        draw::shape(&mut picture, &Circle::new(travel.end, 0.5), &Style::translucent(END));
        write(&mut picture, [x + 2.0, -1.0], name);
    }
    picture.add_legend(BEFORE, "before");
    picture.add_legend(Color::PURPLE, "the way");
    picture.add_legend(AFTER, "hit: the normal");
    picture.add_legend(END, "the end");
    check("travel", &picture);
    Ok(())
}

#[test]
fn tiles_with_slopes() {
    let mut picture = picture([0.0, 0.0], [16.0, 6.0]);
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
    let map = TileMap::from_rows([0.0, 0.5], [1.0, 1.0], &rows, &legend);
    draw::shape(&mut picture, &map, &Style::translucent(OBSTACLE));
    for ball in [[3.2, 3.4], [4.6, 4.2], [10.5, 5.4]] {
        let ball = Circle::new(ball, 0.45);
        let hit = ball.sweep([0.0, -5.0], &map).unwrap();
        draw::shape(&mut picture, &ball, &Style::stroke(BEFORE).dashed());
        let end = ball.translated([0.0, -5.0 * hit.time]);
        draw::shape(&mut picture, &end, &Style::translucent(END));
    }
    picture.add_legend(OBSTACLE, "tiles: solid, slopes, and a one-way platform (the line)");
    picture.add_legend(END, "balls that fell on them");
    check("tiles", &picture);
}

#[test]
fn a_jump_through_a_platform() -> Result<(), WorldError> {
    let mut picture = picture([-4.0, -0.8], [8.0, 7.0]);
    let mut world = World::new();
    let ground = world.add_body(Body::fixed([0.0, 0.0]))?;
    world.add_collider(ground, Collider::new(Aabb::new([-4.0, -0.8], [8.0, 0.0])))?;
    let top = Aabb::new([-1.0, 2.6], [6.0, 3.0]);
    world.add_collider(ground, Collider::new(top).one_way([0.0, 1.0]))?;
    draw::world(&mut picture, &world, &draw::WorldStyle::default());
    let hero = world.add_body(Body::moving([-2.0, 0.0]))?;
    world.add_collider(hero, Collider::new(Aabb::new([-0.35, 0.0], [0.35, 1.1])))?;
    let mut velocity = Vec2::new(3.2, 11.0);
    for frame in 0..75 {
        velocity.y -= 14.0 / 60.0;
        let travel = world.travel(hero, velocity / 60.0, |_| Response::Slide)?;
        for hit in travel.hits() {
            velocity = hit.slid(velocity);
        }
        if frame % 8 == 0 {
            let place = Aabb::new([-0.35, 0.0], [0.35, 1.1]).translated(travel.end);
            let color = if velocity.y > 0.0 { BEFORE } else { END };
            draw::shape(&mut picture, &place, &Style::translucent(color));
        }
    }
    assert_eq!(world.body(hero).unwrap().pose.position.y, 3.0);
    picture.add_legend(BEFORE, "on its way up: the platform lets it pass");
    picture.add_legend(END, "on its way down: it lands");
    check("one-way", &picture);
    Ok(())
}
