//! Stories: a level, a lift and one actor, moved frame by frame. A story can be played in an image of its
//! world (mirrored, turned, scaled, shifted), and prints itself as Rust.

use std::fmt::Write as _;

use carom::motion::Walk;
use carom::prelude::*;
use carom::world::Support;
use glam::DVec2;

use crate::laws::touch;
use crate::rust_source::source;

/// A map of the plane: a mirror or quarter turn, a scale and a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    /// The images of the x and the y axis: unit vectors along axes.
    pub axes: [Vec2; 2],
    pub scale: f32,
    pub shift: Vec2,
}

impl Map {
    pub const IDENTITY: Self = Self { axes: [Vec2::X, Vec2::Y], scale: 1.0, shift: Vec2::ZERO };

    /// The three mirrors and quarter turns after the identity, then the same with x and y swapped.
    pub fn images() -> impl Iterator<Item = Self> {
        (1..8).map(|i| {
            let sign = |bit: usize| if i & bit == 0 { 1.0 } else { -1.0 };
            let (a, b) = if i & 4 == 0 { (Vec2::X, Vec2::Y) } else { (Vec2::Y, Vec2::X) };
            Self { axes: [a * sign(1), b * sign(2)], ..Self::IDENTITY }
        })
    }

    /// Maps a direction, whose length stays the same.
    pub fn direction(&self, v: Vec2) -> Vec2 {
        self.axes[0] * v.x + self.axes[1] * v.y
    }

    pub fn vector(&self, v: Vec2) -> Vec2 {
        self.direction(v) * self.scale
    }

    pub fn point(&self, p: Vec2) -> Vec2 {
        self.vector(p) + self.shift
    }

    fn back_direction(&self, v: Vec2) -> DVec2 {
        Vec2::new(v.dot(self.axes[0]), v.dot(self.axes[1])).as_dvec2()
    }

    fn back_vector(&self, v: Vec2) -> DVec2 {
        self.back_direction(v) / f64::from(self.scale)
    }

    fn back_point(&self, p: Vec2) -> DVec2 {
        let v = (p.as_dvec2() - self.shift.as_dvec2()) / f64::from(self.scale);
        let axes = self.axes.map(|axis| axis.as_dvec2());
        DVec2::new(v.dot(axes[0]), v.dot(axes[1]))
    }

    fn is_mirror(&self) -> bool {
        self.axes[0].perp_dot(self.axes[1]) < 0.0
    }

    fn points(&self, points: &[Vec2]) -> Vec<Vec2> {
        let mut points: Vec<Vec2> = points.iter().map(|&p| self.point(p)).collect();
        if self.is_mirror() {
            points.reverse();
        }
        points
    }

    fn aabb(&self, min: Vec2, max: Vec2) -> Aabb {
        let [a, b] = [self.point(min), self.point(max)];
        Aabb::new(a.min(b), a.max(b))
    }

    /// Maps a shape. The images of grids are grids again, with their cells in other places.
    pub fn shape(&self, shape: &Shape) -> Shape {
        let p = |point: Vec2| self.point(point);
        match shape {
            Shape::Circle(s) => Circle::new(p(s.center()), s.radius() * self.scale).into(),
            Shape::Capsule(s) => Capsule::new(p(s.a()), p(s.b()), s.radius() * self.scale).into(),
            Shape::Segment(s) => Segment::new(p(s.a()), p(s.b())).into(),
            Shape::Point(s) => Point::new(p(s.position())).into(),
            Shape::Aabb(s) => self.aabb(s.min(), s.max()).into(),
            Shape::Triangle(s) => {
                let points = self.points(s.points());
                Triangle::new(points[0], points[1], points[2]).into()
            }
            Shape::ConvexPolygon(s) if s.radius() > 0.0 => {
                ConvexPolygon::rounded(&self.points(s.points()), s.radius() * self.scale).into()
            }
            Shape::ConvexPolygon(s) => ConvexPolygon::new(&self.points(s.points())).into(),
            Shape::Polygon(s) => {
                let holes: Vec<Vec<Vec2>> = s.holes().map(|hole| self.points(hole)).collect();
                Polygon::with_holes(&self.points(s.outer()), &holes).into()
            }
            Shape::Chain(s) => {
                let points = self.points(s.points());
                let chain =
                    if s.is_closed() { Chain::closed(&points) } else { Chain::new(&points) };
                if s.is_one_sided() { chain.one_sided().into() } else { chain.into() }
            }
            Shape::Compound(s) => Compound::new(s.parts().iter().map(|s| self.shape(s))).into(),
            Shape::TileMap(s) => self.tiles(s).into(),
            Shape::Mask(s) => {
                let (width, height) = (s.bitmap().width(), s.bitmap().height());
                let (origin, rows) = self.grid(s.origin(), Vec2::splat(s.pixel()), width, height);
                let rows: Vec<String> = rows
                    .iter()
                    .map(|row| {
                        let letter =
                            |&[x, y]: &[u32; 2]| if s.bitmap().get([x, y]) { '#' } else { '.' };
                        row.iter().map(letter).collect()
                    })
                    .collect();
                Mask::from_rows(origin, s.pixel() * self.scale, &rows).into()
            }
            _ => panic!("{} has no exact images", shape.kind()),
        }
    }

    /// The origin of a grid's image, and for each of its cells, row by row, the cell that it shows.
    fn grid(
        &self,
        origin: Vec2,
        cell: Vec2,
        columns: u32,
        rows: u32,
    ) -> (Vec2, Vec<Vec<[u32; 2]>>) {
        let size = Vec2::new(cell.x * columns as f32, cell.y * rows as f32);
        let bounds = self.aabb(origin, origin + size);
        let is_swapped = self.axes[0].x == 0.0;
        let (across, along) = if is_swapped { (rows, columns) } else { (columns, rows) };
        let from = |x: u32, y: u32| {
            let (x, y) =
                (x as f32 - (across - 1) as f32 / 2.0, y as f32 - (along - 1) as f32 / 2.0);
            let at = Map { scale: 1.0, shift: Vec2::ZERO, ..*self }.back_vector(Vec2::new(x, y));
            [at.x + f64::from(columns - 1) / 2.0, at.y + f64::from(rows - 1) / 2.0]
                .map(|i| i as u32)
        };
        let row = |y| (0..across).map(|x| from(x, y)).collect();
        (bounds.min(), (0..along).map(row).collect())
    }

    fn tiles(&self, map: &TileMap) -> TileMap {
        let (origin, rows) = self.grid(map.origin(), map.tile(), map.columns(), map.rows());
        let letters = |row: &Vec<[u32; 2]>| -> String {
            row.iter().map(|&cell| (b'A' + map.get(cell) as u8) as char).collect()
        };
        let rows: Vec<String> = rows.iter().map(letters).collect();
        let inside = |point: Vec2| self.direction(point - 0.5) + 0.5;
        let kinds = map.kinds().iter().enumerate().skip(1).map(|(number, kind)| {
            let mut points: Vec<Vec2> = kind.points().iter().map(|&p| inside(p)).collect();
            if self.is_mirror() {
                points.reverse();
            }
            let kind = if kind.is_solid() {
                TileKind::SOLID
            } else if kind.is_one_way() {
                TileKind::one_way_line(points[0], points[1])
            } else {
                TileKind::convex(&points)
            };
            ((b'A' + number as u8) as char, kind)
        });
        let mut legend: Vec<(char, TileKind)> = kinds.collect();
        legend.push(('A', TileKind::EMPTY));
        let tile = (self.vector(map.tile())).abs();
        TileMap::from_rows(origin, tile, &rows, &legend)
    }
}

/// A collider of the level or of the lift.
#[derive(Clone, Debug)]
pub struct Piece {
    pub shape: Shape,
    /// The direction that a one-way collider faces.
    pub one_way: Option<Vec2>,
    /// A traveller goes through it.
    pub is_crossed: bool,
}

impl Piece {
    pub fn solid(shape: impl Into<Shape>) -> Self {
        Self { shape: shape.into(), one_way: None, is_crossed: false }
    }

    pub fn one_way(shape: impl Into<Shape>, up: impl Into<Vec2>) -> Self {
        Self { one_way: Some(up.into()), ..Self::solid(shape) }
    }

    pub fn crossed(shape: impl Into<Shape>) -> Self {
        Self { is_crossed: true, ..Self::solid(shape) }
    }

    fn collider(&self, map: &Map) -> Collider {
        let collider = Collider::new(map.shape(&self.shape));
        match self.one_way {
            Some(up) => collider.one_way(map.direction(up)),
            None => collider,
        }
    }

    fn source(&self) -> String {
        let shape = source(&self.shape);
        match self.one_way {
            Some(up) => format!("Piece::one_way({shape}, {})", vec(up)),
            None if self.is_crossed => format!("Piece::crossed({shape})"),
            None => format!("Piece::solid({shape})"),
        }
    }
}

/// The kind of motion of the actor.
#[derive(Clone, Debug)]
pub enum Actor {
    Walker(Walker),
    Traveller,
}

/// The inputs of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The motion of a traveller; for a walker, its speed along the level in x.
    pub motion: Vec2,
    pub jump: bool,
    pub drop: bool,
    /// The response of a traveller to everything it does not cross.
    pub response: Response,
    pub lift: Vec2,
}

impl Frame {
    pub fn new(motion: impl Into<Vec2>) -> Self {
        let motion = motion.into();
        Self { motion, jump: false, drop: false, response: Response::Slide, lift: Vec2::ZERO }
    }
}

/// A level, a lift, an actor and what happens.
#[derive(Clone, Debug)]
pub struct Story {
    pub level: Vec<Piece>,
    pub lift: Vec<Piece>,
    pub hero: Vec<Shape>,
    pub start: Vec2,
    pub actor: Actor,
    pub frames: Vec<Frame>,
}

const RATE: f32 = 64.0;
const GRAVITY: f32 = 20.0;
const JUMP: f32 = 8.0;

/// The result of a frame, in the coordinates of the story.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub position: DVec2,
    pub velocity: DVec2,
    pub lift: DVec2,
    /// The normal of the floor, and whether it is the lift's.
    pub floor: Option<(DVec2, bool)>,
    pub wall: Option<DVec2>,
    pub ceiling: Option<DVec2>,
    pub landed: bool,
    pub left_floor: bool,
    pub stepped: bool,
    pub is_stuck: bool,
    pub is_squashed: bool,
    /// The normals of all hits in order of their values, without repetition.
    pub normals: Vec<DVec2>,
}

/// The state from which the next frame starts.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub position: DVec2,
    pub lift: DVec2,
    pub velocity: DVec2,
    pub state: WalkerState,
}

/// A story being played in an image of its world.
pub struct Play<'s> {
    story: &'s Story,
    map: Map,
    world: World,
    level: BodyKey,
    lift: BodyKey,
    hero: BodyKey,
    crossed: Vec<ColliderKey>,
    pub state: WalkerState,
    velocity: Vec2,
}

impl<'s> Play<'s> {
    /// Builds the world; with `is_reversed`, everything is added in the opposite order.
    pub fn new(story: &'s Story, map: Map, is_reversed: bool) -> Self {
        let mut world = World::new();
        let mut bodies = [
            (0, Body::fixed(Vec2::ZERO)),
            (1, Body::moving(map.shift)),
            (2, Body::moving(map.point(story.start))),
        ];
        if is_reversed {
            bodies.reverse();
        }
        let mut keys = bodies.map(|(i, body)| (i, world.add_body(body).unwrap()));
        keys.sort_by_key(|(i, _)| *i);
        let [(_, level), (_, lift), (_, hero)] = keys;
        let mut crossed = Vec::new();
        let local = Map { shift: Vec2::ZERO, ..map };
        let mut add = |body: BodyKey, pieces: &[Piece], map: &Map| {
            let mut pieces: Vec<&Piece> = pieces.iter().collect();
            if is_reversed {
                pieces.reverse();
            }
            for piece in pieces {
                let key = world.add_collider(body, piece.collider(map)).unwrap();
                if piece.is_crossed {
                    crossed.push(key);
                }
            }
        };
        let own: Vec<Piece> = story.hero.iter().cloned().map(Piece::solid).collect();
        if is_reversed {
            add(hero, &own, &local);
        }
        add(level, &story.level, &map);
        add(lift, &story.lift, &local);
        if !is_reversed {
            add(hero, &own, &local);
        }
        let state = WalkerState::new();
        Self { story, map, world, level, lift, hero, crossed, state, velocity: Vec2::ZERO }
    }

    fn at(&self, body: BodyKey) -> Vec2 {
        self.world.body(body).unwrap().pose.position
    }

    pub fn start(&self) -> Start {
        Start {
            position: self.map.back_point(self.at(self.hero)),
            lift: self.map.back_point(self.at(self.lift)),
            velocity: self.map.back_vector(self.velocity),
            state: self.state,
        }
    }

    /// Continues from the start of another play's frame, rounded to what this image can represent.
    pub fn set_start(&mut self, start: &Start, other: &Play<'_>) {
        let point = |p: DVec2| {
            let p = p * f64::from(self.map.scale);
            let axes = self.map.axes.map(|axis| axis.as_dvec2());
            (axes[0] * p.x + axes[1] * p.y + self.map.shift.as_dvec2()).as_vec2()
        };
        self.world.set_position(self.hero, point(start.position)).unwrap();
        self.world.set_position(self.lift, point(start.lift)).unwrap();
        self.velocity = self.map.vector(start.velocity.as_vec2());
        self.state = start.state;
        let map = &self.map;
        self.state.remainder = map.vector(other.map.back_vector(start.state.remainder).as_vec2());
        if let Some(floor) = &mut self.state.floor {
            floor.normal = map.direction(other.map.back_direction(floor.normal).as_vec2());
            let body = if floor.body == other.lift { self.lift } else { self.level };
            floor.body = body;
            if let Some(collider) = self.world.colliders_of(body).next() {
                floor.collider = collider;
            }
        }
        let support =
            self.state.floor.map(|floor| Support { body: floor.body, normal: floor.normal });
        self.world.set_support(self.hero, support).unwrap();
    }

    pub fn frame(&mut self, i: usize) -> Seen {
        let frame = self.story.frames[i];
        let mut is_squashed = false;
        if !self.story.lift.is_empty() {
            let motion = self.map.vector(frame.lift);
            let carry = self.world.carry(self.lift, motion).unwrap();
            is_squashed = !carry.squashed().is_empty();
        }
        let mut seen = match &self.story.actor {
            Actor::Walker(walker) => self.walk(walker, &frame),
            Actor::Traveller => self.travel(&frame),
        };
        seen.is_squashed = is_squashed;
        seen.normals.iter_mut().for_each(|normal| *normal += 0.0); // no negative zeros
        seen.normals.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        seen.normals.dedup_by(|a, b| (*a - *b).length() < 1e-6);
        seen
    }

    fn walk(&mut self, walker: &Walker, frame: &Frame) -> Seen {
        let Map { scale, .. } = self.map;
        let walker = Walker {
            up: self.map.direction(walker.up),
            snap_distance: walker.snap_distance * scale,
            max_step_height: walker.max_step_height * scale,
            corner_correction: walker.corner_correction * scale,
            pixel_size: walker.pixel_size * scale,
            ..*walker
        };
        let up = walker.up;
        let ahead = if self.map.is_mirror() { up.perp() } else { -up.perp() };
        if frame.drop {
            self.state.drop_through();
        }
        let mut rise = self.velocity.dot(up) - GRAVITY / RATE * scale;
        if frame.jump && self.state.on_floor() {
            rise = JUMP * scale;
        }
        self.velocity = ahead * (frame.motion.x * scale) + up * rise;
        let motion = self.velocity / RATE;
        let walk = self.world.walk(self.hero, &walker, &mut self.state, motion).unwrap();
        self.velocity = walk.velocity(self.velocity);
        self.seen_walk(&walk)
    }

    fn seen_walk(&self, walk: &Walk) -> Seen {
        let back = |v: Vec2| self.map.back_direction(v);
        Seen {
            floor: walk.floor.map(|floor| (back(floor.normal), floor.body == self.lift)),
            wall: walk.wall.map(|wall| back(wall.normal)),
            ceiling: walk.ceiling.map(|ceiling| back(ceiling.normal)),
            landed: walk.landed,
            left_floor: walk.left_floor,
            stepped: walk.stepped,
            is_stuck: walk.is_stuck,
            normals: walk.hits().iter().map(|hit| back(hit.normal)).collect(),
            ..self.seen()
        }
    }

    fn travel(&mut self, frame: &Frame) -> Seen {
        let motion = self.map.vector(frame.motion);
        let response = match frame.response {
            Response::Redirect(motion) => Response::Redirect(self.map.vector(motion)),
            other => other,
        };
        let crossed = &self.crossed;
        let respond = |hit: carom::motion::PendingHit<'_>| {
            if crossed.contains(&hit.other) { Response::Cross } else { response }
        };
        let travel = self.world.travel(self.hero, motion, respond).unwrap();
        self.velocity = travel.remaining;
        Seen {
            is_stuck: travel.is_stuck,
            normals: travel.hits().iter().map(|hit| self.map.back_direction(hit.normal)).collect(),
            ..self.seen()
        }
    }

    fn seen(&self) -> Seen {
        let Start { position, lift, velocity, .. } = self.start();
        Seen {
            position,
            velocity,
            lift,
            floor: None,
            wall: None,
            ceiling: None,
            landed: false,
            left_floor: false,
            stepped: false,
            is_stuck: false,
            is_squashed: false,
            normals: Vec::new(),
        }
    }

    /// Returns whether the world reports the touch with the floor that the hero stands on, if any.
    pub fn is_floor_touched(&mut self) -> bool {
        let hero = self.hero;
        self.state.floor.is_none_or(|floor| touch(&mut self.world, hero, floor.body))
    }

    /// The distance between neighboring floats at the largest coordinate of the hero's bounds here.
    pub fn ulp(&self) -> f64 {
        let bounds = self.world.colliders_of(self.hero).map(|key| {
            let bounds = self.world.collider(key).unwrap().bounds();
            bounds.min().abs().max(bounds.max().abs()).max_element()
        });
        f64::from(bounds.fold(0.0, f32::max) * f32::EPSILON)
    }
}

impl Story {
    /// The story as Rust, to paste into a test.
    pub fn source(&self) -> String {
        let mut text = String::from("let story = Story {\n");
        let pieces = |pieces: &[Piece]| {
            pieces.iter().map(|piece| format!("\n        {},", piece.source())).collect::<String>()
        };
        let _ = writeln!(text, "    level: vec![{}],", pieces(&self.level));
        let _ = writeln!(text, "    lift: vec![{}],", pieces(&self.lift));
        let own: Vec<String> = self.hero.iter().map(|s| format!("{}.into()", source(s))).collect();
        let _ = writeln!(text, "    hero: vec![{}],", own.join(", "));
        let _ = writeln!(text, "    start: Vec2::new({:?}, {:?}),", self.start.x, self.start.y);
        let _ = match &self.actor {
            Actor::Traveller => writeln!(text, "    actor: Actor::Traveller,"),
            Actor::Walker(w) => writeln!(
                text,
                "    actor: Actor::Walker(Walker {{ up: Vec2::new({:?}, {:?}), max_slope_angle: {:?}, \
                 snap_distance: {:?}, max_step_height: {:?}, corner_correction: {:?}, \
                 constant_speed: {}, pixel_size: {:?}, ..Walker::new() }}),",
                w.up.x,
                w.up.y,
                w.max_slope_angle,
                w.snap_distance,
                w.max_step_height,
                w.corner_correction,
                w.constant_speed,
                w.pixel_size
            ),
        };
        let _ = writeln!(text, "    frames: [");
        let mut i = 0;
        while i < self.frames.len() {
            let frame = &self.frames[i];
            let count = self.frames[i..].iter().take_while(|other| *other == frame).count();
            let _ = writeln!(text, "        {}", frame.source(count));
            i += count;
        }
        text + "    ].concat(),\n};\n"
    }
}

impl Frame {
    fn source(&self, count: usize) -> String {
        let plain = Self::new(self.motion);
        let mut fields = String::new();
        for (differs, text) in [
            (self.jump, "jump: true, ".to_string()),
            (self.drop, "drop: true, ".to_string()),
            (self.response != plain.response, format!("response: {}, ", response(self.response))),
            (
                self.lift != Vec2::ZERO,
                format!("lift: Vec2::new({:?}, {:?}), ", self.lift.x, self.lift.y),
            ),
        ] {
            if differs {
                fields += &text;
            }
        }
        let new = format!("Frame::new({})", vec(self.motion));
        let frame = if fields.is_empty() { new } else { format!("Frame {{ {fields}..{new} }}") };
        format!("vec![{frame}; {count}],")
    }
}

fn response(response: Response) -> String {
    match response {
        Response::Redirect(v) => format!("Response::Redirect(Vec2::new({:?}, {:?}))", v.x, v.y),
        other => format!("Response::{other:?}"),
    }
}

fn vec(v: Vec2) -> String {
    format!("[{:?}, {:?}]", v.x, v.y)
}
