//! Paths from point to point.

use carom::prelude::*;
use carom_files::scene::PathEnd;

/// A place on a path, after some way.
pub fn place_on(points: &[Vec2], way: f32, end: PathEnd) -> Vec2 {
    let mut points = points.to_vec();
    match end {
        PathEnd::Stop => {}
        PathEnd::Back => points.extend(points.clone().into_iter().rev().skip(1)),
        PathEnd::Around => points.extend(points.first().copied()),
    }
    let length: f32 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    let mut left = if end == PathEnd::Stop { way } else { way % length };
    for ends in points.windows(2) {
        let far = ends[0].distance(ends[1]);
        if left < far {
            return ends[0] + (ends[1] - ends[0]) * (left / far);
        }
        left -= far;
    }
    points[points.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_as_they_say() {
        let points = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 3.0)];
        assert_eq!(place_on(&points, 5.0, PathEnd::Stop), Vec2::new(4.0, 1.0));
        assert_eq!(place_on(&points, 99.0, PathEnd::Stop), Vec2::new(4.0, 3.0));
        assert_eq!(place_on(&points, 9.0, PathEnd::Back), Vec2::new(4.0, 1.0));
        assert_eq!(place_on(&points, 12.0, PathEnd::Around), Vec2::ZERO);
    }
}
