//! Measuring how well a shape fits a bitmap.

use glam::Vec2;

use crate::query::Ray;
use crate::shape::{AsShape, Bitmap};

/// The areas in which a shape and a bitmap agree and differ, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FitQuality {
    /// The area of the shape on set pixels.
    pub inside: f64,
    /// The area of the shape outside the set pixels, which causes false hits.
    pub outside: f64,
    /// The area of the set pixels outside the shape, which causes missed hits.
    pub missed: f64,
}

impl FitQuality {
    /// Returns the intersection over union (IoU, Jaccard index): 0 if the shape covers no set pixel, 1 if it
    /// is equal to the set pixels.
    #[doc(alias = "jaccard")]
    pub fn iou(&self) -> f64 {
        self.inside / (self.inside + self.outside + self.missed)
    }
}

/// The number of scan lines in each row of pixels.
const LINES_PER_ROW: u32 = 16;

/// Measures how well a shape fits a bitmap, on 16 scan lines per row of pixels. The areas are exact for boxes of
/// whole pixels. For other shapes they are exact along x and sampled along y.
pub fn quality(bitmap: &Bitmap, shape: &impl AsShape) -> FitQuality {
    let bounds = shape.as_shape().bounds();
    let (first, last) = (libm::floorf(bounds.min().y), libm::ceilf(bounds.max().y));
    let (from, long) = (bounds.min().x - 1.0, bounds.size().x + 2.0);
    let (mut inside, mut all) = (0.0, 0.0);
    let line = 1.0 / f64::from(LINES_PER_ROW);
    let count = (f64::from(last - first) * f64::from(LINES_PER_ROW)) as u64;
    for i in 0..count {
        let y = f64::from(first) + (i as f64 + 0.5) * line;
        let ray = Ray::new(Vec2::new(from, y as f32), Vec2::X, long);
        for hit in shape.as_shape().raycast_all(&ray) {
            let at = |distance: f32| f64::from(from) + f64::from(distance);
            let (enter, leave) = (at(hit.distance), at(hit.exit));
            all += (leave - enter) * line;
            inside += length_on_set_pixels(bitmap, libm::floor(y), enter, leave) * line;
        }
    }
    FitQuality { inside, outside: all - inside, missed: bitmap.count() as f64 - inside }
}

/// Returns the length of an interval of a row that lies on set pixels.
fn length_on_set_pixels(bitmap: &Bitmap, row: f64, enter: f64, leave: f64) -> f64 {
    if row < 0.0 || row >= f64::from(bitmap.height()) {
        return 0.0;
    }
    // Casts saturate at zero.
    let columns = libm::floor(enter) as u32..(libm::ceil(leave) as u32).min(bitmap.width());
    let runs = bitmap.runs_in(row as u32, &columns);
    runs.map(|run| (leave.min(run.end.into()) - enter.max(run.start.into())).max(0.0)).sum()
}
