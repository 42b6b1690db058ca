//! [`implies`]: proofs over chains of differences, such as `a < c` from `a < b` and `b < c`. Facts `x - y >= c` are edges of
//! a graph, and a goal of this form follows if a path is long enough.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::normal::arena::Arena;
use super::super::normal::polynomial::{Monomial, Polynomial};
use super::facts::Facts;

/// The most times that a search goes through all edges. Each time beyond the first finds the paths with one more edge against
/// the order of the products.
const MAX_ROUNDS: usize = 6;

/// The fact that `above - below` is at least `least`. A product of no factors stands for 0.
struct Difference<'p> {
    above: &'p Monomial,
    below: &'p Monomial,
    least: i128,
}

impl<'p> Difference<'p> {
    /// The difference that is not negative if `polynomial` is not negative, and the other way round: `k * x - k * y + c`,
    /// where one of the products may be missing.
    fn of(polynomial: &'p Polynomial, zero: &'p Monomial) -> Option<Self> {
        let mut products = polynomial.products();
        let (first, coefficient) = products.next()?;
        let second = products.next();
        let factor = coefficient.checked_abs()?;
        let other = match second {
            Some((other, opposite)) if opposite == coefficient.checked_neg()? => other,
            None => zero,
            Some(_) => return None,
        };
        if products.next().is_some() {
            return None;
        }
        let (above, below) = if coefficient > 0 { (first, other) } else { (other, first) };
        Some(Difference { above, below, least: polynomial.constant_term().div_euclid(factor).checked_neg()? })
    }
}

/// The products as nodes. An edge from `below` to `above` has the length `least`.
type Edges<'p> = FxHashMap<&'p Monomial, Vec<(&'p Monomial, i128)>>;

/// Whether the facts that are differences of two products, and the bounds of products, imply that `goal`, a difference too,
/// is not negative. Also true if these facts contradict each other on the way. The work is linear in the number of facts.
///
/// The longest paths come from Bellman's and Ford's algorithm, with the edges in a topological order as far as there is one
/// (Yen, "An algorithm for finding shortest routes from all source nodes to a given destination in general networks", 1970).
pub(in crate::arith) fn implies(arena: &mut Arena<'_>, facts: &Facts, goal: &Polynomial) -> Option<bool> {
    let zero = Monomial::default();
    let Some(goal) = Difference::of(goal, &zero) else { return Some(false) };
    let mut edges = Edges::default();
    for fact in facts.0.iter().filter_map(|fact| Difference::of(fact, &zero)) {
        edges.entry(fact.below).or_default().push((fact.above, fact.least));
        edges.entry(fact.above).or_default();
    }
    if !edges.contains_key(goal.above) && !edges.contains_key(goal.below) {
        return Some(false);
    }
    add_bounds(arena, &mut edges, &zero, [goal.above, goal.below]);
    let order = topological_order(&edges, goal.below);
    let count: usize = edges.values().map(Vec::len).sum();
    let mut longest = FxHashMap::from_iter([(goal.below, 0_i128)]);
    for _ in 0..MAX_ROUNDS {
        arena.steps.spend(count)?;
        let mut is_done = true;
        for below in &order {
            let Some(&start) = longest.get(below) else { continue };
            for &(above, least) in &edges[below] {
                let length = start.checked_add(least)?;
                if longest.get(above).is_none_or(|known| *known < length) {
                    longest.insert(above, length);
                    is_done = false;
                }
            }
        }
        let is_contradiction = longest[goal.below] > 0;
        if is_contradiction || longest.get(goal.above).is_some_and(|length| *length >= goal.least) {
            return Some(true);
        }
        if is_done {
            break;
        }
    }
    Some(false)
}

/// Adds the bounds of all products as differences to 0.
fn add_bounds<'p>(arena: &Arena<'_>, edges: &mut Edges<'p>, zero: &'p Monomial, of_goal: [&'p Monomial; 2]) {
    let mut products: Vec<&Monomial> =
        edges.keys().copied().chain(of_goal).filter(|product| !product.is_one()).collect();
    products.sort_unstable();
    products.dedup();
    for product in products {
        let bounds = arena.interval(&Polynomial::term(product.clone(), 1));
        let greatest = edges.entry(product).or_default();
        greatest.extend(bounds.hi.and_then(i128::checked_neg).map(|least| (zero, least)));
        edges.entry(zero).or_default().extend(bounds.lo.map(|least| (product, least)));
    }
    edges.entry(zero).or_default();
}

/// The products that paths from `start` reach, so that the ends of edges come after their beginnings, apart from edges that
/// close a circle.
fn topological_order<'p>(edges: &Edges<'p>, start: &'p Monomial) -> Vec<&'p Monomial> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::from_iter([start]);
    let mut open = vec![(start, edges[start].iter())];
    while let Some((product, rest)) = open.last_mut() {
        match rest.next() {
            Some((next, _)) if seen.insert(next) => open.push((next, edges[next].iter())),
            Some(_) => {}
            None => {
                order.push(*product);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}
