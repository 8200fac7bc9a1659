//! The results of a row: the times of all contenders, and the results that differ.

pub const CAROM: &str = "carom";
pub const CAROM_ENUM: &str = "carom_enum";
pub const CAROM_PARALLEL: &str = "carom_parallel";
pub const BOX2D: &str = "box2d";
pub const PARRY: &str = "parry2d";
pub const RAPIER: &str = "rapier2d";

/// The extent to which the time of a contender is comparable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparability {
    /// Starts from the inputs of the row and computes the full result.
    Full,
    /// Computes the full result, but from a relative pose that is prepared before the measurement.
    Prepared,
    /// Computes less than the row asks for: shown, but excluded from the ratios.
    Partial,
}

/// A contender and its times.
pub struct Times {
    pub library: &'static str,
    /// The name of the variant; empty if the library has only one.
    pub variant: &'static str,
    pub comparability: Comparability,
    /// The time of each round, in the unit of the row.
    pub times: Vec<f64>,
}

impl Times {
    pub fn new(library: &'static str, variant: &'static str) -> Self {
        Self { library, variant, comparability: Comparability::Full, times: Vec::new() }
    }

    pub fn best(&self) -> f64 {
        self.times.iter().fold(f64::INFINITY, |best, &time| best.min(time))
    }

    pub fn median(&self) -> f64 {
        median(self.times.clone())
    }

    /// The median over all rounds of this time divided by that of another contender.
    fn usual_ratio_to(&self, other: &Self) -> f64 {
        median(self.times.iter().zip(&other.times).map(|(own, other)| own / other).collect())
    }

    pub fn rounds(&self) -> usize {
        self.times.len()
    }

    pub fn name(&self) -> String {
        format!("{} {}", self.library, self.variant).trim_end().to_owned()
    }

    fn is_peer(&self) -> bool {
        !self.library.starts_with(CAROM)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The incorrect results of one contender.
pub struct Differences {
    pub name: String,
    pub differs: usize,
    pub borderline: usize,
    pub example: String,
}

/// A row that has been run.
pub struct Results {
    /// `ns` per query, or `ms` per frame.
    pub unit: &'static str,
    /// The number of inputs, or the maximum number of frames.
    pub inputs: usize,
    /// The number of objects in a frame, for rows of frames.
    pub objects: Option<usize>,
    pub all: Vec<Times>,
    pub differences: Vec<Differences>,
}

impl Results {
    pub fn new(unit: &'static str, inputs: usize, all: Vec<Times>) -> Self {
        Self { unit, inputs, objects: None, all, differences: Vec::new() }
    }

    /// The fastest full variant of a library, prepared or not.
    pub fn fastest(&self, library: &str) -> Option<&Times> {
        self.fastest_of(|it| it.library == library && it.comparability != Comparability::Partial)
    }

    /// The fastest full variant of the other libraries.
    pub fn fastest_peer(&self) -> Option<&Times> {
        self.fastest_of(|it| it.is_peer() && it.comparability != Comparability::Partial)
    }

    fn fastest_of(&self, which: impl Fn(&Times) -> bool) -> Option<&Times> {
        let these = self.all.iter().filter(|it| which(it));
        these.min_by(|a, b| a.best().total_cmp(&b.best()))
    }

    /// Every library but carom itself, in order of appearance.
    pub fn peers(&self) -> Vec<&'static str> {
        let mut peers: Vec<_> = Vec::new();
        for it in self.all.iter().filter(|it| it.is_peer()) {
            if !peers.contains(&it.library) {
                peers.push(it.library);
            }
        }
        peers
    }

    /// The time of the fastest full variant of the other libraries, divided by carom's.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.fastest_peer()?.best() / self.fastest(CAROM)?.best())
    }

    /// The median of the ratios of single rounds. Some frames have more work than others, and the best
    /// time of a library may come from an easy frame.
    pub fn ratio_by_round(&self) -> Option<f64> {
        let carom = self.fastest(CAROM)?;
        let peers =
            self.all.iter().filter(|it| it.is_peer() && it.comparability != Comparability::Partial);
        peers.map(|it| it.usual_ratio_to(carom)).min_by(f64::total_cmp)
    }

    /// Like `ratio`, without the prepared variants.
    pub fn unprepared_ratio(&self) -> Option<f64> {
        let peer = self.fastest_of(|it| it.is_peer() && it.comparability == Comparability::Full)?;
        Some(peer.best() / self.fastest(CAROM)?.best())
    }
}
