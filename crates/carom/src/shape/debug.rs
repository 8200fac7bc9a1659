//! `Debug` for the shapes that cache derived values: prints the constructor arguments only.

use alloc::vec::Vec;
use core::fmt;

use super::{
    Capsule, Chain, Compound, ConvexPolygon, Ellipse, Mask, Obb, Polygon, Segment, TileMap,
    Triangle,
};

/// Implements `Debug` as a struct with the given fields, each computed from the shape.
macro_rules! debug_as {
    ($($shape:ident { $($field:ident: $value:expr),* $(,)? })*) => {$(
        impl fmt::Debug for $shape {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($shape))
                    $(.field(stringify!($field), &$value(self)))*
                    .finish()
            }
        }
    )*};
}

debug_as! {
    Segment { a: Segment::a, b: Segment::b }
    Capsule { a: Capsule::a, b: Capsule::b, radius: Capsule::radius }
    Ellipse { center: Ellipse::center, radii: Ellipse::radii, angle: Ellipse::angle }
    Obb { center: Obb::center, half_size: Obb::half_size, angle: Obb::angle }
    Triangle { points: Triangle::points }
    ConvexPolygon { points: ConvexPolygon::points, radius: ConvexPolygon::radius }
    Polygon { outer: Polygon::outer, holes: |s: &Polygon| s.holes().map(<[_]>::to_vec).collect::<Vec<_>>() }
    Chain { points: Chain::points, closed: Chain::is_closed, one_sided: Chain::is_one_sided }
    Compound { parts: Compound::parts }
    Mask { origin: Mask::origin, pixel: Mask::pixel, flip: Mask::flip, pose: Mask::pose, bitmap: Mask::bitmap }
    TileMap {
        origin: TileMap::origin,
        tile: TileMap::tile,
        columns: TileMap::columns,
        rows: TileMap::rows,
        flip: TileMap::flip,
        pose: TileMap::pose,
        kinds: TileMap::kinds,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use crate::prelude::*;

    #[test]
    fn debug_output_shows_the_arguments_of_the_constructor() {
        let shapes: [(Shape, &str); 7] = [
            (Point::new([1.0, 2.0]).into(), "Point { position: Vec2(1.0, 2.0) }"),
            (
                Segment::new([0.0, 0.0], [1.0, 2.0]).into(),
                "Segment { a: Vec2(0.0, 0.0), b: Vec2(1.0, 2.0) }",
            ),
            (Circle::new([1.0, 2.0], 3.0).into(), "Circle { center: Vec2(1.0, 2.0), radius: 3.0 }"),
            (
                Ellipse::new([1.0, 2.0], [3.0, 4.0], 0.5).into(),
                "Ellipse { center: Vec2(1.0, 2.0), radii: Vec2(3.0, 4.0), angle: 0.5 }",
            ),
            (
                Obb::new([1.0, 2.0], [3.0, 4.0], 0.5).into(),
                "Obb { center: Vec2(1.0, 2.0), half_size: Vec2(3.0, 4.0), angle: 0.5 }",
            ),
            (
                Chain::new(&[[0.0, 0.0], [1.0, 0.0]]).into(),
                "Chain { points: [Vec2(0.0, 0.0), Vec2(1.0, 0.0)], closed: false, one_sided: false }",
            ),
            (
                Compound::new([Circle::new([1.0, 2.0], 3.0)]).into(),
                "Compound { parts: [Circle { center: Vec2(1.0, 2.0), radius: 3.0 }] }",
            ),
        ];
        for (shape, expected) in shapes {
            assert_eq!(format!("{shape:?}"), expected);
            assert_eq!(format!("{:?}", shape.as_shape()), expected);
        }
    }

    /// Reveals a shape that grows by accident. A comment at `Obb` explains the size of that shape.
    #[test]
    fn shapes_keep_their_size() {
        let sizes = [
            (size_of::<Point>(), 8),
            (size_of::<Circle>(), 12),
            (size_of::<Aabb>(), 16),
            (size_of::<Segment>(), 136),
            (size_of::<Capsule>(), 144),
            (size_of::<Triangle>(), 152),
            (size_of::<Obb>(), 232),
            (size_of::<Ellipse>(), 120),
            (size_of::<Shape>(), 240),
        ];
        for (i, (size, limit)) in sizes.into_iter().enumerate() {
            assert!(size <= limit, "type {i}: {size} bytes, expected at most {limit}: {sizes:?}");
        }
    }
}
