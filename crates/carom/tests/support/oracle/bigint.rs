//! Integers that never overflow: `i128` if the value fits, big integers otherwise.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};

/// An exact fraction of big integers, always in lowest terms.
pub type Q = Ratio<BigInt>;

/// An exact integer. `Big` holds only what `Small` cannot, so that equality is plain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Int {
    Small(i128),
    Big(BigInt),
}

use Int::{Big, Small};

impl Int {
    pub const ZERO: Self = Small(0);

    /// Returns the exact value of `mantissa * 2^exponent`; the exponent must not be negative.
    pub fn shifted(mantissa: i64, exponent: u32) -> Self {
        if exponent < 63 {
            return Small(i128::from(mantissa) << exponent);
        }
        Self::from(BigInt::from(mantissa) << exponent)
    }

    pub fn shl(&self, by: u32) -> Self {
        match self {
            Small(n) if by < 60 && n.unsigned_abs() < 1 << 64 => Small(n << by),
            _ => Self::from(self.big() << by),
        }
    }

    pub fn big(&self) -> BigInt {
        match self {
            Small(n) => BigInt::from(*n),
            Big(n) => n.clone(),
        }
    }

    pub fn sign(&self) -> i32 {
        match self {
            Small(n) => n.signum() as i32,
            Big(n) if n.is_negative() => -1,
            Big(_) => 1,
        }
    }

    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub fn square(&self) -> Self {
        self * self
    }

    /// Returns the greatest common divisor with a number above zero.
    fn gcd(&self, other: &Self) -> Self {
        let (Small(a), Small(b)) = (self, other) else {
            let other = other.big();
            return Self::from(&other / Q::new(self.big(), other.clone()).denom());
        };
        let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
        while b != 0 {
            // Divisions of short numbers are much faster.
            let rest = match (u64::try_from(a), u64::try_from(b)) {
                (Ok(a), Ok(b)) => u128::from(a % b),
                _ => a % b,
            };
            (a, b) = (b, rest);
        }
        Small(a as i128) // no larger than `other`
    }

    /// Returns the least common multiple of two numbers above zero.
    pub fn lcm(&self, other: &Self) -> Self {
        if *other == Small(1) { self.clone() } else { self * &other.over(&self.gcd(other)) }
    }

    /// Returns the quotient, rounded towards zero.
    pub fn over(&self, other: &Self) -> Self {
        match (self, other) {
            (_, Small(1)) => self.clone(),
            (Small(a), Small(b)) if *b > 0 => Small(a / b),
            _ => Self::from(self.big() / other.big()),
        }
    }

    /// Rounds to `f64`, with a relative error of at most 2⁻⁵².
    pub fn to_f64(&self) -> f64 {
        match self {
            Small(n) => *n as f64,
            Big(n) => n.to_f64().expect("a big integer is never NaN"),
        }
    }

    pub fn to_q(&self) -> Q {
        Q::from_integer(self.big())
    }
}

impl From<BigInt> for Int {
    fn from(n: BigInt) -> Self {
        n.to_i128().map_or(Big(n), Small)
    }
}

impl From<i64> for Int {
    fn from(n: i64) -> Self {
        Small(n.into())
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident, $op:tt) => {
        impl $trait for &Int {
            type Output = Int;
            fn $method(self, other: Self) -> Int {
                if let (Small(a), Small(b)) = (self, other)
                    && let Some(n) = a.$checked(*b)
                {
                    return Small(n);
                }
                Int::from(self.big() $op other.big())
            }
        }
        impl $trait for Int {
            type Output = Int;
            fn $method(self, other: Self) -> Int {
                &self $op &other
            }
        }
    };
}
operator!(Add, add, checked_add, +);
operator!(Sub, sub, checked_sub, -);
operator!(Mul, mul, checked_mul, *);

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        &Int::ZERO - self
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A fraction that is mostly compared, and reduced on request only.
#[derive(Clone, Debug)]
pub struct Fraction {
    pub num: Int,
    /// The denominator, which is greater than zero.
    pub den: Int,
}

impl Fraction {
    pub fn whole(num: Int) -> Self {
        Self { num, den: Small(1) }
    }

    pub fn reduced(&self) -> Self {
        let shared = self.num.gcd(&self.den);
        Self { num: self.num.over(&shared), den: self.den.over(&shared) }
    }

    pub fn cmp(&self, other: &Self) -> Ordering {
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }

    /// Rounds to `f64`, even if numerator and denominator exceed its range.
    pub fn to_f64(&self) -> f64 {
        let (num, den) = (self.num.to_f64(), self.den.to_f64());
        if num.is_finite() && den.is_finite() {
            return num / den;
        }
        Q::new(self.num.big(), self.den.big()).to_f64_lossy()
    }
}

/// Rounding of fractions with parts that may exceed the range of `f64`.
pub trait Lossy {
    fn to_f64_lossy(&self) -> f64;
}

impl Lossy for Q {
    fn to_f64_lossy(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let shift = 64 + self.denom().bits() as i64 - self.numer().bits() as i64;
        let (num, den) = if shift >= 0 {
            (self.numer() << shift, self.denom().clone())
        } else {
            (self.numer().clone(), self.denom() << -shift)
        };
        let quotient = (num / den).to_f64().expect("64 bits or so");
        // Two steps, since the power of two alone may leave the range.
        let half = shift / 2;
        quotient * 2f64.powi(-half as i32) * 2f64.powi(-(shift - half) as i32)
    }
}

/// Returns the mantissa and exponent of a finite number: `value == mantissa * 2^exponent`, mantissa odd.
pub fn decode(value: f64) -> (i64, i32) {
    assert!(value.is_finite(), "{value} is not finite");
    if value == 0.0 {
        return (0, 0);
    }
    let bits = value.to_bits();
    let raw = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if raw == 0 { (fraction, -1074) } else { (fraction | 1 << 52, raw - 1075) };
    let zeros = mantissa.trailing_zeros();
    let signed = if value < 0.0 { -mantissa } else { mantissa };
    (signed >> zeros, exponent + zeros as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow_and_shrink_across_the_limit() {
        let huge = Small(i128::MAX);
        let grown = &huge + &Small(1);
        assert!(matches!(grown, Big(_)));
        assert_eq!(&grown - &Small(1), huge);
        assert!(grown > huge && -&grown < huge);
        assert_eq!(grown.sign(), 1);
    }

    #[test]
    fn floats_decode_exactly() {
        for value in [1.0, -0.75, 1e30f32 as f64, f32::from_bits(1) as f64, 5e-324, f64::MAX] {
            let (mantissa, exponent) = decode(value);
            let half = exponent / 2;
            assert_eq!(mantissa as f64 * 2f64.powi(half) * 2f64.powi(exponent - half), value);
        }
    }

    #[test]
    fn fractions_round_far_outside_the_range_of_their_parts() {
        let one = Small(1);
        let third = Fraction { num: one.shl(2000), den: &one.shl(2000) * &Small(3) };
        assert!((third.to_f64() - 1.0 / 3.0).abs() < 1e-15);
    }
}
