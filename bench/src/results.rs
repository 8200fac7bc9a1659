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
    /// A round each, in the row's unit; sorted once all are taken.
    pub times: Vec<f64>,
}

impl Times {
    pub fn new(library: &'static str, way: &'static str) -> Self {
        Self { library, way, standing: Standing::Full, times: Vec::new() }
    }

    pub fn best(&self) -> f64 {
        self.times[0]
    }

    pub fn median(&self) -> f64 {
        self.times[self.rounds() / 2]
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
    /// Sorts the times.
    pub fn new(unit: &'static str, inputs: usize, mut all: Vec<Times>) -> Self {
        for it in &mut all {
            it.times.sort_by(f64::total_cmp);
        }
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

    /// The same by medians, for frames: some have more to do than others.
    pub fn median_ratio(&self) -> Option<f64> {
        let peers = self.all.iter().filter(|it| it.is_peer() && it.standing != Standing::Partial);
        let peer = peers.map(Times::median).min_by(f64::total_cmp)?;
        let carom = self.all.iter().filter(|it| it.library == CAROM).map(Times::median);
        Some(peer / carom.min_by(f64::total_cmp)?)
    }

    /// The same as `ratio`, with none of a peer's work done off the clock.
    pub fn unprepared_ratio(&self) -> Option<f64> {
        let peer = self.fastest_of(|it| it.is_peer() && it.standing == Standing::Full)?;
        Some(peer.best() / self.fastest(CAROM)?.best())
    }
}
