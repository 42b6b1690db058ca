//! Intervals of integers, with exact arithmetic: a bound that leaves the range of `i128` becomes open.

use object_core::DataType;
use object_core::scalar::TypeCode;

/// The integers from `lo` to `hi`; `None` is an open end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arith) struct Interval {
    pub(in crate::arith) lo: Option<i128>,
    pub(in crate::arith) hi: Option<i128>,
}

/// One end of an interval during a multiplication: a finite number or an infinity with a sign.
#[derive(Clone, Copy)]
enum End {
    Finite(i128),
    Infinite { positive: bool },
}

impl Interval {
    /// All integers.
    pub(in crate::arith) const ALL: Interval = Interval { lo: None, hi: None };
    /// The truth values as numbers.
    pub(in crate::arith) const BOOL: Interval = Interval::new(0, 1);

    pub(in crate::arith) const fn new(lo: i128, hi: i128) -> Self {
        Interval { lo: Some(lo), hi: Some(hi) }
    }

    pub(in crate::arith) const fn at_least(lo: i128) -> Self {
        Interval { lo: Some(lo), hi: None }
    }

    pub(in crate::arith) const fn point(value: i128) -> Self {
        Interval::new(value, value)
    }

    /// The values of a scalar integer type; `None` for other types.
    pub(in crate::arith) fn of_dtype(dtype: DataType) -> Option<Self> {
        if dtype.lanes() != 1 || dtype.bits == 0 || dtype.bits > 64 {
            return None;
        }
        let bits = u32::from(dtype.bits);
        match dtype.code {
            TypeCode::BOOL => Some(Interval::BOOL),
            TypeCode::INT => Some(Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            TypeCode::UINT => Some(Interval::new(0, (1 << bits) - 1)),
            _ => None,
        }
    }

    /// The only member, if there is one.
    pub(in crate::arith) fn single(self) -> Option<i128> {
        if self.lo == self.hi { self.lo } else { None }
    }

    pub(in crate::arith) fn is_non_negative(self) -> bool {
        self.lo.is_some_and(|lo| lo >= 0)
    }

    pub(in crate::arith) fn is_positive(self) -> bool {
        self.lo.is_some_and(|lo| lo > 0)
    }

    pub(in crate::arith) fn is_negative(self) -> bool {
        self.hi.is_some_and(|hi| hi < 0)
    }

    /// Whether all members are members of `other`.
    pub(in crate::arith) fn is_within(self, other: Interval) -> bool {
        let above = other.lo.is_none_or(|bound| self.lo.is_some_and(|lo| lo >= bound));
        above && other.hi.is_none_or(|bound| self.hi.is_some_and(|hi| hi <= bound))
    }

    /// Whether no integer is a member of both.
    pub(in crate::arith) fn is_disjoint(self, other: Interval) -> bool {
        let below = |a: Interval, b: Interval| a.hi.zip(b.lo).is_some_and(|(hi, lo)| hi < lo);
        below(self, other) || below(other, self)
    }

    /// The members of both. Contradicting bounds give an empty interval.
    pub(in crate::arith) fn intersect(self, other: Interval) -> Self {
        Interval { lo: max_some(self.lo, other.lo), hi: max_some(self.hi.map(neg), other.hi.map(neg)).map(neg) }
    }

    pub(in crate::arith) fn add(self, other: Interval) -> Self {
        let sum = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Interval { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }

    pub(in crate::arith) fn negate(self) -> Self {
        let negated = |end: Option<i128>| end.and_then(i128::checked_neg);
        Interval { lo: negated(self.hi), hi: negated(self.lo) }
    }

    pub(in crate::arith) fn mul(self, other: Interval) -> Self {
        let mut product: Option<Interval> = None;
        for a in self.ends() {
            for b in other.ends() {
                let corner = times(a, b);
                product = Some(product.map_or(corner, |hull| hull.hull(corner)));
            }
        }
        product.unwrap_or(Interval::ALL)
    }

    /// The smallest interval that contains both.
    pub(in crate::arith) fn hull(self, other: Interval) -> Self {
        let least = |a: Option<i128>, b: Option<i128>| a.zip(b).map(|(a, b)| a.min(b));
        let greatest = |a: Option<i128>, b: Option<i128>| a.zip(b).map(|(a, b)| a.max(b));
        Interval { lo: least(self.lo, other.lo), hi: greatest(self.hi, other.hi) }
    }

    /// The maximum of two members.
    pub(in crate::arith) fn max(self, other: Interval) -> Self {
        Interval { lo: max_some(self.lo, other.lo), hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)) }
    }

    /// The power `self^exponent`; unlike a repeated product, an even power is not negative.
    pub(in crate::arith) fn power(self, exponent: usize) -> Self {
        let product = (1..exponent).fold(self, |product, _| product.mul(self));
        if exponent.is_multiple_of(2) { product.max(Interval::point(0)) } else { product }
    }

    /// The quotients rounded down, for divisors that are at least 1. An interval without such a divisor counts as 1: nothing
    /// is wrong about a quotient that no divisor has.
    pub(in crate::arith) fn floor_div_positive(self, divisor: Interval) -> Self {
        let small = divisor.lo.map_or(1, |lo| lo.max(1));
        let large = divisor.hi.map(|hi| hi.max(small));
        let quotient = |end: i128, divisor: Option<i128>| match divisor {
            Some(divisor) => end.div_euclid(divisor),
            None if end < 0 => -1,
            None => 0,
        };
        Interval {
            lo: self.lo.map(|lo| quotient(lo, if lo < 0 { Some(small) } else { large })),
            hi: self.hi.map(|hi| quotient(hi, if hi < 0 { large } else { Some(small) })),
        }
    }

    fn ends(self) -> [End; 2] {
        let end = |bound: Option<i128>, positive| bound.map_or(End::Infinite { positive }, End::Finite);
        [end(self.lo, false), end(self.hi, true)]
    }
}

/// The greater one; `None` is a missing bound.
fn max_some(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (bound, None) | (None, bound) => bound,
    }
}

/// The negative; bounds come from checked arithmetic, so saturation only widens the extreme one.
fn neg(value: i128) -> i128 {
    value.saturating_neg()
}

/// The product of two ends as an interval: open towards the sign of an infinite product.
fn times(a: End, b: End) -> Interval {
    let towards = |positive: bool| {
        if positive { Interval { lo: Some(i128::MAX), hi: None } } else { Interval { lo: None, hi: Some(i128::MIN) } }
    };
    match (a, b) {
        (End::Finite(0), _) | (_, End::Finite(0)) => Interval::point(0),
        (End::Finite(a), End::Finite(b)) => a.checked_mul(b).map_or(towards((a > 0) == (b > 0)), Interval::point),
        (End::Finite(finite), End::Infinite { positive }) | (End::Infinite { positive }, End::Finite(finite)) => {
            towards((finite > 0) == positive)
        }
        (End::Infinite { positive: a }, End::Infinite { positive: b }) => towards(a == b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_cover_all_pairs_of_members() {
        for (a, b) in (-4..=4).flat_map(|a| (-4..=4).map(move |b| (a, b))) {
            for (c, d) in (-3..=3).flat_map(|c| (c..=3).map(move |d| (c, d))) {
                if a > b {
                    continue;
                }
                let (left, right) = (Interval::new(a, b), Interval::new(c, d));
                let all = || (a..=b).flat_map(|x| (c..=d).map(move |y| (x, y)));
                let products = || all().map(|(x, y)| x * y);
                assert_eq!(left.mul(right), Interval::new(products().min().unwrap(), products().max().unwrap()));
                let maxima = || all().map(|(x, y)| x.max(y));
                assert_eq!(left.max(right), Interval::new(maxima().min().unwrap(), maxima().max().unwrap()));
                if c > 0 {
                    let quotients = || all().map(|(x, y)| x.div_euclid(y));
                    let exact = Interval::new(quotients().min().unwrap(), quotients().max().unwrap());
                    assert_eq!(left.floor_div_positive(right), exact);
                }
            }
        }
    }

    #[test]
    fn open_and_overflowing_ends_stay_open() {
        let (all, some) = (Interval::ALL, Interval::at_least(2));
        assert_eq!(some.mul(some), Interval { lo: Some(4), hi: None });
        assert_eq!(some.mul(Interval::point(-1)), Interval { lo: None, hi: Some(-2) });
        assert_eq!(all.power(2), Interval::at_least(0));
        assert_eq!(all.power(3), all);
        assert_eq!(Interval::new(0, i128::MAX).mul(some), Interval::at_least(0));
        assert_eq!(Interval::point(i128::MAX).add(Interval::point(1)), all);
        assert_eq!(some.floor_div_positive(Interval::at_least(1)), Interval::at_least(0));
        assert_eq!(some.floor_div_positive(Interval::point(0)), some);
    }
}
