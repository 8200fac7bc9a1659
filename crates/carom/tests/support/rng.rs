//! A small random number generator that gives the same numbers on every machine.

/// SplitMix64 (Steele, Lea and Flood 2014), or a list of bytes that a fuzzer has chosen.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// The bytes that determine the next numbers, two for each, the last pair first.
    bytes: Vec<[u8; 2]>,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        let mut rng = Self { state: seed, bytes: Vec::new() };
        rng.next();
        rng
    }

    /// Creates a generator with numbers that bytes determine, two bytes each. After the bytes, it generates
    /// numbers from a seed, so that a caller that waits for a certain number does not wait forever.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let pairs = bytes.as_chunks().0.iter().rev().copied().collect();
        Self { state: bytes.len() as u64, bytes: pairs }
    }

    pub fn next(&mut self) -> u64 {
        let chosen = self.bytes.pop().map(|pair| u64::from(u16::from_le_bytes(pair)));
        self.state = chosen.unwrap_or(self.state).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Returns a number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// Returns `true` once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns a number in `-1.0..1.0`.
    pub fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}
