//! [`Polynomial`]: a sum of products of atoms with integer coefficients, the normal form of `+`, `-` and `*`.
//!
//! Coefficients are `i128` with checked arithmetic, not integers of any size. Constants of expressions have 64 bits, so
//! products of two of them fit, and every operation that does not fit returns `None`; its caller then makes the operation
//! an atom, which loses strength but no truth. Longer numbers would give a hostile expression longer running times.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::hash::{Hash, Hasher};

use super::interval::Interval;

/// The number of an atom; the atoms in an atom have smaller numbers.
pub(in crate::arith) type AtomId = u32;

/// The most factors of a product, so that repeated squaring cannot make large ones.
const MAX_DEGREE: usize = 64;

/// Coefficients have at most this absolute value, so their negatives and neighbours fit in `i128`.
const MAX_COEFFICIENT: i128 = 1 << 120;

/// A coefficient, unless it is too large.
fn limited(coefficient: Option<i128>) -> Option<i128> {
    coefficient.filter(|it| (-MAX_COEFFICIENT..=MAX_COEFFICIENT).contains(it))
}

/// A product of atoms: their numbers in ascending order, repeated for powers. The empty product is 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::arith) struct Monomial(Box<[AtomId]>);

impl Monomial {
    /// The product of one atom.
    pub(in crate::arith) fn atom(id: AtomId) -> Self {
        Monomial(Box::new([id]))
    }

    pub(in crate::arith) fn factors(&self) -> &[AtomId] {
        &self.0
    }

    pub(in crate::arith) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// The product of two monomials, unless it has too many factors.
    pub(in crate::arith) fn mul(&self, other: &Monomial) -> Option<Monomial> {
        if self.0.len() + other.0.len() > MAX_DEGREE {
            return None;
        }
        let mut factors = [&*self.0, &*other.0].concat();
        factors.sort_unstable();
        Some(Monomial(factors.into()))
    }

    /// The monomial `q` with `q * other == self`, if there is one.
    pub(in crate::arith) fn divide(&self, other: &Monomial) -> Option<Monomial> {
        let mut rest = Vec::with_capacity(self.0.len());
        let mut wanted = other.0.iter().peekable();
        for factor in &self.0 {
            if wanted.next_if_eq(&factor).is_none() {
                rest.push(*factor);
            }
        }
        wanted.peek().is_none().then(|| Monomial(rest.into()))
    }

    /// The factors as atoms with exponents.
    pub(in crate::arith) fn powers(&self) -> impl Iterator<Item = (AtomId, usize)> {
        self.0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }
}

/// A coefficient and the place of its product among the other terms.
#[derive(Clone, Copy, Debug)]
struct Term {
    coefficient: i128,
    /// Orders the terms by their first occurrence in the expression, for printing only.
    rank: i64,
}

/// A sum of products. Two polynomials are equal if they have the same terms in any order.
#[derive(Clone, Debug, Default)]
pub(in crate::arith) struct Polynomial {
    terms: BTreeMap<Monomial, Term>,
    /// All ranks are in `first..=last`.
    first: i64,
    last: i64,
}

impl Polynomial {
    pub(in crate::arith) fn constant(value: i128) -> Self {
        Self::term(Monomial::default(), value)
    }

    pub(in crate::arith) fn atom(id: AtomId) -> Self {
        Self::term(Monomial::atom(id), 1)
    }

    pub(in crate::arith) fn term(monomial: Monomial, coefficient: i128) -> Self {
        let terms = BTreeMap::from([(monomial, Term { coefficient, rank: 0 })]);
        Polynomial { terms: if coefficient == 0 { BTreeMap::new() } else { terms }, first: 0, last: 0 }
    }

    /// The number of terms.
    pub(in crate::arith) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(in crate::arith) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms in the order of their products; the constant is first.
    pub(in crate::arith) fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> + Clone {
        self.terms.iter().map(|(monomial, term)| (monomial, term.coefficient))
    }

    /// The terms in the order of their first occurrence, greater coefficients first.
    pub(in crate::arith) fn printed_terms(&self) -> Vec<(&Monomial, i128)> {
        let mut terms = self.ordered_terms();
        terms.sort_by_key(|&(_, coefficient)| std::cmp::Reverse(coefficient));
        terms
    }

    /// The terms in the order of their first occurrence.
    pub(in crate::arith) fn ordered_terms(&self) -> Vec<(&Monomial, i128)> {
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(_, term)| term.rank);
        terms.into_iter().map(|(monomial, term)| (monomial, term.coefficient)).collect()
    }

    /// The terms without the constant.
    pub(in crate::arith) fn products(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i128)> + Clone {
        self.terms().filter(|(monomial, _)| !monomial.is_one())
    }

    pub(in crate::arith) fn coefficient(&self, monomial: &Monomial) -> i128 {
        self.terms.get(monomial).map_or(0, |term| term.coefficient)
    }

    pub(in crate::arith) fn constant_term(&self) -> i128 {
        self.coefficient(&Monomial::default())
    }

    /// The value, if the polynomial is a constant.
    pub(in crate::arith) fn as_constant(&self) -> Option<i128> {
        match self.len() {
            0 => Some(0),
            1 => self.terms().next().filter(|(monomial, _)| monomial.is_one()).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The only term, if there is one.
    pub(in crate::arith) fn as_term(&self) -> Option<(&Monomial, i128)> {
        let mut terms = self.terms();
        terms.next().filter(|_| terms.next().is_none())
    }

    /// The atom, if the polynomial is one atom.
    pub(in crate::arith) fn as_atom(&self) -> Option<AtomId> {
        self.as_term().filter(|(monomial, coefficient)| *coefficient == 1 && monomial.0.len() == 1).map(|it| it.0.0[0])
    }

    /// The atoms of all products, with repetition.
    pub(in crate::arith) fn atoms(&self) -> impl Iterator<Item = AtomId> {
        self.terms.keys().flat_map(|monomial| monomial.0.iter().copied())
    }

    /// The sum of both, in time of the shorter one. The terms of `self` print first.
    pub(in crate::arith) fn add(mut self, mut other: Polynomial) -> Option<Polynomial> {
        self.limit_ranks();
        other.limit_ranks();
        let other_is_base = other.len() > self.len();
        let (mut base, added) = if other_is_base { (other, self) } else { (self, other) };
        let shift = if other_is_base { base.first - added.last - 1 } else { base.last + 1 - added.first };
        for (monomial, term) in added.terms {
            let rank = term.rank + shift;
            match base.terms.entry(monomial) {
                Entry::Vacant(free) => {
                    free.insert(Term { coefficient: limited(Some(term.coefficient))?, rank });
                }
                Entry::Occupied(mut found) => {
                    let coefficient = limited(found.get().coefficient.checked_add(term.coefficient))?;
                    if coefficient == 0 {
                        found.remove();
                    } else {
                        let rank = found.get().rank.min(rank);
                        found.insert(Term { coefficient, rank });
                    }
                }
            }
        }
        base.first = base.first.min(added.first + shift);
        base.last = base.last.max(added.last + shift);
        Some(base)
    }

    /// Numbers the terms anew if their ranks are large, so that sums of ranks fit.
    fn limit_ranks(&mut self) {
        const LARGE: i64 = 1 << 40;
        if self.first > -LARGE && self.last < LARGE {
            return;
        }
        let mut terms: Vec<&mut Term> = self.terms.values_mut().collect();
        terms.sort_by_key(|term| term.rank);
        (self.first, self.last) = (0, 0);
        for (rank, term) in (0..).zip(terms) {
            term.rank = rank;
            self.last = rank;
        }
    }

    pub(in crate::arith) fn scale(mut self, factor: i128) -> Option<Polynomial> {
        if factor == 0 {
            return Some(Polynomial::default());
        }
        if factor != 1 {
            for term in self.terms.values_mut() {
                term.coefficient = limited(term.coefficient.checked_mul(factor))?;
            }
        }
        Some(self)
    }

    pub(in crate::arith) fn sub(self, other: Polynomial) -> Option<Polynomial> {
        self.add(other.scale(-1)?)
    }

    /// The polynomial plus a constant.
    pub(in crate::arith) fn add_constant(self, value: i128) -> Option<Polynomial> {
        self.add(Polynomial::constant(value))
    }

    /// The product, multiplied out.
    pub(in crate::arith) fn mul(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                product = product.add(Polynomial::term(left.mul(right)?, limited(a.checked_mul(b))?))?;
            }
        }
        Some(product)
    }

    /// Divides each coefficient by `divisor`, which divides all of them.
    pub(in crate::arith) fn divide_exactly(mut self, divisor: i128) -> Polynomial {
        for term in self.terms.values_mut() {
            term.coefficient /= divisor;
        }
        self
    }

    /// Divides each coefficient of a product by `divisor`, which divides all of them, and rounds the constant down: the
    /// quotient rounded down.
    pub(in crate::arith) fn divide_down(self, divisor: i128) -> Option<Polynomial> {
        let constant = self.constant_term();
        let products = self.add_constant(-constant)?.divide_exactly(divisor);
        products.add_constant(constant.div_euclid(divisor))
    }

    /// The terms whose products and coefficients satisfy a condition, and the others.
    pub(in crate::arith) fn partition(
        self,
        mut condition: impl FnMut(&Monomial, i128) -> bool,
    ) -> (Polynomial, Polynomial) {
        let (first, last) = (self.first, self.last);
        let (yes, no) = self.terms.into_iter().partition(|(monomial, term)| condition(monomial, term.coefficient));
        (Polynomial { terms: yes, first, last }, Polynomial { terms: no, first, last })
    }

    /// The polynomial with `value` in place of an atom.
    pub(in crate::arith) fn substitute(&self, atom: AtomId, value: &Polynomial) -> Option<Polynomial> {
        let single = Monomial::atom(atom);
        let mut result = Polynomial::default();
        for (monomial, coefficient) in self.terms() {
            let (mut rest, mut part) = (monomial.clone(), Polynomial::constant(coefficient));
            while let Some(quotient) = rest.divide(&single) {
                rest = quotient;
                part = part.mul(value)?;
            }
            result = result.add(part.mul(&Polynomial::term(rest, 1))?)?;
        }
        Some(result)
    }

    /// The greatest common divisor of the coefficients of all products; 0 if there are none.
    pub(in crate::arith) fn content(&self) -> i128 {
        self.products().fold(0, |divisor, (_, coefficient)| gcd(divisor, coefficient))
    }

    /// The values of the polynomial, from the values of its atoms.
    pub(in crate::arith) fn interval(&self, of_atom: impl Fn(AtomId) -> Interval) -> Interval {
        self.terms().fold(Interval::point(0), |sum, (monomial, coefficient)| {
            let product = monomial.powers().map(|(atom, exponent)| of_atom(atom).power(exponent));
            sum.add(product.fold(Interval::point(coefficient), Interval::mul))
        })
    }
}

impl PartialEq for Polynomial {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.terms().eq(other.terms())
    }
}

impl Eq for Polynomial {}

impl Hash for Polynomial {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.terms().for_each(|term| term.hash(state));
    }
}

impl PartialOrd for Polynomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Polynomial {
    fn cmp(&self, other: &Self) -> Ordering {
        self.terms().cmp(other.terms())
    }
}

/// The greatest common divisor, not negative.
pub(in crate::arith) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        // Divisions of 64 bits take a fraction of the time of longer ones.
        if let (Ok(mut x), Ok(mut y)) = (u64::try_from(a), u64::try_from(b)) {
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return x.into();
        }
        (a, b) = (b, a % b);
    }
    // Only `i128::MIN` has an absolute value that does not fit; 1 is a common divisor of everything.
    i128::try_from(a).unwrap_or(1)
}
