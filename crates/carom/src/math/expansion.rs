//! Floating-point expansions: exact sums of several `f64`s, on the stack (Shewchuk 1997).

use core::cmp::Ordering;

/// Returns the rounded sum and its rounding error, which add up to exactly `a + b` (Knuth).
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_virtual = sum - a;
    let a_virtual = sum - b_virtual;
    (sum, (a - a_virtual) + (b - b_virtual))
}

/// Returns the rounded product and its rounding error, which add up to exactly `a * b` (Dekker,
/// Veltkamp).
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let c = 134_217_729.0 * x; // 2²⁷ + 1
        let high = c - (c - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    (product, a0 * b0 - (((product - a1 * b1) - a0 * b1) - a1 * b0))
}

/// The exact sum of at most `N` nonzero `f64`s whose bits do not overlap, from small to large.
#[derive(Clone, Debug)]
pub(super) struct Expansion<const N: usize> {
    terms: [f64; N],
    len: usize,
}

impl<const N: usize> Expansion<N> {
    const ZERO: Self = Self { terms: [0.0; N], len: 0 };

    /// Creates an expansion of one number.
    pub fn of(value: f64) -> Self {
        let mut result = Self::ZERO;
        result.add(value);
        result
    }

    /// Returns `to - from`.
    pub fn diff(from: f32, to: f32) -> Self {
        let mut result = Self::ZERO;
        result.add(-f64::from(from));
        result.add(f64::from(to));
        result
    }

    /// Returns `a * b - c * d`, where each factor is the difference of the ends of a range.
    pub fn det(
        a: &core::ops::Range<f32>,
        b: &core::ops::Range<f32>,
        c: &core::ops::Range<f32>,
        d: &core::ops::Range<f32>,
    ) -> Self {
        let diff = |r: &core::ops::Range<f32>| Expansion::<2>::diff(r.start, r.end);
        let left: Expansion<8> = diff(a).times(&diff(b));
        let right: Expansion<8> = diff(c).times(&diff(d));
        left.plus(&right.negated())
    }

    /// Adds one number, exactly (Shewchuk's grow-expansion, dropping zeros).
    fn add(&mut self, value: f64) {
        let (mut carry, mut kept) = (value, 0);
        for i in 0..self.len {
            let (sum, rest) = two_sum(carry, self.terms[i]);
            carry = sum;
            if rest != 0.0 {
                self.terms[kept] = rest;
                kept += 1;
            }
        }
        if carry != 0.0 {
            self.terms[kept] = carry;
            kept += 1;
        }
        self.len = kept;
    }

    pub fn plus<const M: usize, const R: usize>(&self, other: &Expansion<M>) -> Expansion<R> {
        const { assert!(R >= N + M) };
        let mut result = Expansion::<R>::ZERO;
        result.terms[..self.len].copy_from_slice(&self.terms[..self.len]);
        result.len = self.len;
        other.terms[..other.len].iter().for_each(|&term| result.add(term));
        result
    }

    pub fn times<const M: usize, const R: usize>(&self, other: &Expansion<M>) -> Expansion<R> {
        const { assert!(R >= 2 * N * M) };
        let mut result = Expansion::<R>::ZERO;
        for &a in &self.terms[..self.len] {
            for &b in &other.terms[..other.len] {
                let (product, rest) = two_product(a, b);
                result.add(rest);
                result.add(product);
            }
        }
        result
    }

    pub fn negated(mut self) -> Self {
        self.terms[..self.len].iter_mut().for_each(|term| *term = -*term);
        self
    }

    /// Returns the sign of the sum, which is the sign of its largest term.
    pub fn sign(&self) -> Ordering {
        self.terms[..self.len].last().map_or(Ordering::Equal, |largest| largest.total_cmp(&0.0))
    }

    /// Returns the sum, rounded; the error is less than two units in the last place.
    pub fn rounded(&self) -> f64 {
        self.terms[..self.len].iter().sum()
    }
}
