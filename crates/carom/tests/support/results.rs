//! The results of the library's queries on two shapes.

use carom::prelude::*;

#[derive(Clone, Debug)]
pub struct QueryResults {
    pub intersects: bool,
    pub overlaps: bool,
    pub distance: f32,
    pub closest: ClosestPoints,
    pub contact: Option<Contact>,
}

impl QueryResults {
    pub fn of(a: &impl AsShape, b: &impl AsShape) -> Self {
        let a = a.as_shape();
        Self {
            intersects: a.intersects(b),
            overlaps: a.overlaps(b),
            distance: a.distance(b),
            closest: a.closest_points(b),
            contact: a.contact(b),
        }
    }

    /// Returns the bits of all results.
    pub fn bits(&self) -> Vec<u32> {
        let ClosestPoints { distance, on_a, on_b, .. } = self.closest;
        let mut bits = vec![u32::from(self.intersects), u32::from(self.overlaps)];
        put(&mut bits, &[self.distance, distance], &[on_a, on_b]);
        if let Some(Contact { normal, depth, push, points, .. }) = self.contact {
            put(&mut bits, &[depth], &[normal, push]);
            put(&mut bits, &[], &points);
        }
        bits
    }
}

/// Returns the bits of a sweep hit.
pub fn bits_of_hit(hit: Option<SweepHit>) -> Vec<u32> {
    let mut bits = Vec::new();
    if let Some(SweepHit { time, normal, point, depth, .. }) = hit {
        put(&mut bits, &[time, depth], &[normal, point]);
    }
    bits
}

fn put(bits: &mut Vec<u32>, numbers: &[f32], vectors: &[Vec2]) {
    bits.extend(numbers.iter().map(|n| n.to_bits()));
    bits.extend(vectors.iter().flat_map(|v| [v.x.to_bits(), v.y.to_bits()]));
}
