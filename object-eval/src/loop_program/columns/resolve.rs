//! Finds the elements that the accesses of a run use.

use super::domain::{Domain, Lanes, Resolved};
use super::independence::{Independence, independence};
use super::{ColumnAccess, MAX_LOOPS};
use crate::loop_program::run::Run;

impl Run<'_> {
    /// Finds the elements of an access. `None` if an iteration is out of bounds.
    fn resolve(&self, access: &ColumnAccess, domain: &Domain) -> Option<Resolved> {
        let (number, range) = self.memory.range(access.memory);
        let elements = range.len() / access.size;
        let (mut first, mut steps) = (self.int(access.offset), [0_i64; MAX_LOOPS]);
        let (mut is_linear, mut is_inside) = (true, true);
        for dim in &access.dims {
            let (stride, extent) = (self.int(dim.stride), self.int(dim.extent));
            is_linear &= dim.column.is_none();
            let (mut at, mut least, mut most) = (self.int(dim.index.base), 0_i64, 0_i64);
            for (number, step) in steps.iter_mut().enumerate().take(domain.rank) {
                let coefficient = self.int(dim.index.coefficients[number]);
                if coefficient == 0 {
                    continue;
                }
                at = at.checked_add(coefficient.checked_mul(domain.begin[number])?)?;
                let last = domain.count[number] - 1;
                if last == 0 {
                    continue;
                }
                let distance = coefficient.checked_mul(last)?;
                (least, most) = (least.checked_add(distance.min(0))?, most.checked_add(distance.max(0))?);
                *step = step.checked_add(coefficient.checked_mul(stride)?)?;
            }
            is_inside &= at.checked_add(least)? >= 0 && at.checked_add(most)? < extent;
            first = first.checked_add(at.checked_mul(stride)?)?;
        }
        let (mut low, mut high) = (first, first);
        for (step, count) in steps.iter().zip(&domain.count[..domain.rank]) {
            let distance = step.checked_mul(count - 1)?;
            (low, high) = (low.checked_add(distance.min(0))?, high.checked_add(distance.max(0))?);
        }
        let lanes = Lanes::new(domain, [&steps]);
        if is_linear && is_inside && low >= 0 && usize::try_from(high).is_ok_and(|high| high < elements) {
            let (low, high) = (low as usize, high as usize);
            let range = range.start + low * access.size..range.start + (high + 1) * access.size;
            return Some(Resolved { first, steps, lanes, is_checked: false, list: None, bytes: (number, range) });
        }
        if is_linear && access.mask.is_none() {
            return None;
        }
        Some(Resolved { first, steps, lanes, is_checked: true, list: None, bytes: (number, range) })
    }

    /// Finds the elements of all accesses, and how iterations depend on each other.
    pub(super) fn resolve_all(
        &self,
        accesses: &[ColumnAccess],
        domain: &Domain,
        resolved: &mut Vec<Resolved>,
    ) -> Independence {
        resolved.clear();
        for access in accesses {
            match self.resolve(access, domain) {
                Some(it) => resolved.push(it),
                None => break,
            }
        }
        let is_complete = resolved.len() == accesses.len();
        if is_complete { independence(accesses, resolved) } else { Independence::No }
    }
}
