//! What a row comes to, whatever it asks: everybody's times, and where answers differ.

pub const CAROM: &str = "carom";
pub const CAROM_ENUM: &str = "carom_enum";
pub const CAROM_PARALLEL: &str = "carom_parallel";
pub const BOX2D: &str = "box2d";
pub const PARRY: &str = "parry2d";
pub const RAPIER: &str = "rapier2d";

/// What a contender's time can be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Starts from what the row starts from, and answers in full.
    Full,
    /// Answers in full, but is handed the pair's relative pose, computed off the clock.
    Prepared,
    /// Gives less than the row asks for: shown, but in no ratio.
    Partial,
}

/// One contender and its times.
pub struct Times {
    pub library: &'static str,
    /// Which of the library's functions; empty for its only one.
    pub way: &'static str,
    pub standing: Standing,
    /// From the first round on, one each, in the row's unit.
    pub times: Vec<f64>,
}

impl Times {
    pub fn new(library: &'static str, way: &'static str) -> Self {
        Self { library, way, standing: Standing::Full, times: Vec::new() }
    }

    pub fn best(&self) -> f64 {
        self.times.iter().fold(f64::INFINITY, |best, &time| best.min(time))
    }

    pub fn median(&self) -> f64 {
        median(self.times.clone())
    }

    /// How many times as long this one usually takes as another in the same round.
    fn usual_ratio_to(&self, other: &Self) -> f64 {
        median(self.times.iter().zip(&other.times).map(|(own, other)| own / other).collect())
    }

    pub fn rounds(&self) -> usize {
        self.times.len()
    }

    pub fn name(&self) -> String {
        format!("{} {}", self.library, self.way).trim_end().to_owned()
    }

    fn is_peer(&self) -> bool {
        !self.library.starts_with(CAROM)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Where one contender's answers are not the true ones.
pub struct Differences {
    pub name: String,
    pub differs: usize,
    pub borderline: usize,
    pub example: String,
}

/// A row that has been run.
pub struct Results {
    /// `ns` for one question, or `ms` for one frame.
    pub unit: &'static str,
    /// How many questions were asked, or how many frames run at most.
    pub inputs: usize,
    /// How many objects there are in a frame, for rows about frames.
    pub objects: Option<usize>,
    pub all: Vec<Times>,
    pub differences: Vec<Differences>,
}

impl Results {
    pub fn new(unit: &'static str, inputs: usize, all: Vec<Times>) -> Self {
        Self { unit, inputs, objects: None, all, differences: Vec::new() }
    }

    /// The library's fastest full answer, prepared or not.
    pub fn fastest(&self, library: &str) -> Option<&Times> {
        self.fastest_of(|it| it.library == library && it.standing != Standing::Partial)
    }

    /// The fastest full answer that is not carom's.
    pub fn fastest_peer(&self) -> Option<&Times> {
        self.fastest_of(|it| it.is_peer() && it.standing != Standing::Partial)
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

    /// How many times as fast carom is as the fastest peer's full answer.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.fastest_peer()?.best() / self.fastest(CAROM)?.best())
    }

    /// The same round by round: how it is in half of the rounds at least. Some frames have more to do than
    /// others, and the peer with the best one may have been lucky in it.
    pub fn ratio_by_round(&self) -> Option<f64> {
        let carom = self.fastest(CAROM)?;
        let peers = self.all.iter().filter(|it| it.is_peer() && it.standing != Standing::Partial);
        peers.map(|it| it.usual_ratio_to(carom)).min_by(f64::total_cmp)
    }

    /// The same as `ratio`, with none of a peer's work done off the clock.
    pub fn unprepared_ratio(&self) -> Option<f64> {
        let peer = self.fastest_of(|it| it.is_peer() && it.standing == Standing::Full)?;
        Some(peer.best() / self.fastest(CAROM)?.best())
    }
}
