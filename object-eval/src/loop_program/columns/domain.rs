//! [`Domain`]: the iterations of a run by columns; [`Part`]: some of them; [`Lanes`]: numbers that are linear in them; and
//! [`Resolved`]: accesses in them; and [`Planned`]: a nest with these. The registers of the run are slices here.

use super::{ColumnLoop, Linear, MAX_LOOPS, Step};
use crate::loop_program::memory::Memory;
use crate::value::Strided;

/// The iterations of nested loops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Domain {
    /// The number of loops.
    pub(super) rank: usize,
    /// The first value of each variable.
    pub(super) begin: [i64; MAX_LOOPS],
    /// The iterations of each loop, at least 1.
    pub(super) count: [i64; MAX_LOOPS],
    pub(super) is_repeated: [bool; MAX_LOOPS],
    /// The number of lanes: the iterations of all loops that are not repeated.
    pub(super) lanes: usize,
    /// The iterations of all repeated loops.
    pub(super) repeats: usize,
}

impl Domain {
    /// The `count` iterations of a loop from `begin` on.
    pub(super) fn of_loop(begin: i64, count: usize) -> Option<Self> {
        let mut domain = Self::empty();
        domain.push(begin, i64::try_from(count).ok()?, false)?;
        Some(domain)
    }

    /// All iterations of a nest. `None` if there are none, or too many to count.
    pub(super) fn of_nest(ints: &[i64], nest: &ColumnLoop) -> Option<Self> {
        let mut domain = Self::empty();
        for counter in &nest.loops {
            let begin = ints[counter.begin as usize];
            let count = ints[counter.end as usize].checked_sub(begin).filter(|count| *count > 0)?;
            domain.push(begin, count, counter.is_repeated)?;
        }
        domain.lanes.checked_mul(domain.repeats)?;
        Some(domain)
    }

    fn empty() -> Self {
        let (begin, count) = ([0; MAX_LOOPS], [1; MAX_LOOPS]);
        Domain { rank: 0, begin, count, is_repeated: [false; MAX_LOOPS], lanes: 1, repeats: 1 }
    }

    fn push(&mut self, begin: i64, count: i64, is_repeated: bool) -> Option<()> {
        let size = usize::try_from(count).ok()?;
        let total = if is_repeated { &mut self.repeats } else { &mut self.lanes };
        *total = total.checked_mul(size)?;
        (self.begin[self.rank], self.count[self.rank], self.is_repeated[self.rank]) = (begin, count, is_repeated);
        self.rank += 1;
        Some(())
    }

    /// The iterations of all loops but the innermost one: each counts as a step.
    pub(super) fn outer_steps(&self) -> u64 {
        let sizes = self.count[..self.rank - 1].iter().scan(1, |size: &mut u64, count| {
            *size = size.saturating_mul(*count as u64);
            Some(*size)
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// The next iteration of the repeated loops. Whether there is one.
    pub(super) fn next_repeated(&self, repeated: &mut [i64; MAX_LOOPS]) -> bool {
        for number in (0..self.rank).rev().filter(|number| self.is_repeated[*number]) {
            repeated[number] += 1;
            if repeated[number] < self.count[number] {
                return true;
            }
            repeated[number] = 0;
        }
        false
    }

    /// The values of the variables in a lane of a column.
    pub(super) fn values(&self, part: &Part<'_>, lane: usize) -> [i64; MAX_LOOPS] {
        let (mut values, mut rest) = (self.begin, (part.from + lane) as i64);
        for number in (0..self.rank).rev() {
            if self.is_repeated[number] {
                values[number] = values[number].wrapping_add(part.repeated[number]);
            } else {
                values[number] = values[number].wrapping_add(rest % self.count[number]);
                rest /= self.count[number];
            }
        }
        values
    }

    /// The value in the first iteration of a number, and its distance from one iteration of each loop to the next.
    pub(super) fn evaluate(&self, ints: &[i64], value: &Linear) -> (i64, [i64; MAX_LOOPS]) {
        let (mut first, mut steps) = (ints[value.base as usize], [0; MAX_LOOPS]);
        for (number, step) in steps.iter_mut().enumerate().take(self.rank) {
            *step = ints[value.coefficients[number] as usize];
            first = first.wrapping_add(step.wrapping_mul(self.begin[number]));
        }
        (first, steps)
    }
}

/// A part of the iterations of a run: lanes that fit into a column, in one iteration of the repeated loops.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) domain: &'a Domain,
    /// The number of the first lane.
    pub(super) from: usize,
    pub(super) count: usize,
    /// How many iterations of each repeated loop came before; 0 for other loops.
    pub(super) repeated: [i64; MAX_LOOPS],
}

impl Part<'_> {
    /// Calls `use_row` for each row of the lanes with equal distances of a number: with the places of the lanes in the
    /// column, the number of the first one, and the distance of two.
    pub(super) fn rows(&self, ints: &[i64], value: &Linear, mut use_row: impl FnMut(std::ops::Range<usize>, i64, i64)) {
        let (first, steps) = self.domain.evaluate(ints, value);
        let before = self.repeated.iter().zip(&steps).map(|(count, step)| count.wrapping_mul(*step));
        let first = before.fold(first, i64::wrapping_add);
        let lanes = Lanes::new(self.domain, [&steps]);
        lanes.rows([first], (self.from, self.count), |row, [first], [step]| use_row(row, first, step));
    }
}

/// Numbers that are linear in the lanes of a domain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes<const N: usize = 1> {
    rank: usize,
    /// The iterations of each loop, and the distances from one to the next. Loops whose lanes have common distances are one
    /// loop here.
    loops: [(usize, [i64; N]); MAX_LOOPS],
}

impl<const N: usize> Lanes<N> {
    pub(super) fn new(domain: &Domain, steps: [&[i64; MAX_LOOPS]; N]) -> Self {
        let mut lanes = Lanes { rank: 0, loops: [(0, [0; N]); MAX_LOOPS] };
        for number in 0..domain.rank {
            let count = domain.count[number];
            if domain.is_repeated[number] || count == 1 {
                continue;
            }
            let step = steps.map(|steps| steps[number]);
            let last = lanes.rank.checked_sub(1).map(|last| &mut lanes.loops[last]);
            match last.filter(|last| last.1 == step.map(|step| step.wrapping_mul(count))) {
                Some(last) => *last = (last.0 * count as usize, step),
                None => {
                    lanes.loops[lanes.rank] = (count as usize, step);
                    lanes.rank += 1;
                }
            }
        }
        lanes
    }

    /// Calls `use_row` for each row of the lanes `from..from + count`: with the places of its lanes in the column, the numbers
    /// of its first lane, and the distances of two lanes. `first` has the numbers of lane 0.
    #[inline]
    pub(super) fn rows(
        &self,
        first: [i64; N],
        (from, count): (usize, usize),
        mut use_row: impl FnMut(std::ops::Range<usize>, [i64; N], [i64; N]),
    ) {
        let Some(inner) = self.rank.checked_sub(1) else { return use_row(0..count, first, [0; N]) };
        let (length, step) = self.loops[inner];
        if inner == 0 {
            return use_row(0..count, moved(first, step, from as i64), step);
        }
        let (mut digits, mut rest, mut value) = ([0; MAX_LOOPS], from, first);
        for number in (0..self.rank).rev() {
            let (length, step) = self.loops[number];
            digits[number] = if number == 0 { rest } else { rest % length };
            rest /= length;
            value = moved(value, step, digits[number] as i64);
        }
        let mut done = 0;
        while done < count {
            let lanes = (length - digits[inner]).min(count - done);
            use_row(done..done + lanes, value, step);
            done += lanes;
            // To the first lane of the next row.
            value = moved(value, step, -(digits[inner] as i64));
            digits[inner] = 0;
            for number in (0..inner).rev() {
                let (length, step) = self.loops[number];
                digits[number] += 1;
                value = moved(value, step, 1);
                if digits[number] < length {
                    break;
                }
                value = moved(value, step, -(length as i64));
                digits[number] = 0;
            }
        }
    }
}

/// Numbers after so many steps.
#[inline(always)]
fn moved<const N: usize>(mut numbers: [i64; N], steps: [i64; N], count: i64) -> [i64; N] {
    for (number, step) in numbers.iter_mut().zip(steps) {
        *number = number.wrapping_add(step.wrapping_mul(count));
    }
    numbers
}

impl Lanes {
    /// Whether each lane has the number after the one of the lane before.
    pub(super) fn are_consecutive(&self) -> bool {
        matches!(self.loops[..self.rank], [] | [(_, [1])])
    }

    /// The numbers as places of elements, where lane 0 has the number `first`.
    pub(super) fn places(&self, first: i64) -> Strided {
        let (dims, strides): (Vec<_>, Vec<_>) =
            self.loops[..self.rank].iter().map(|(count, [step])| (*count, *step as isize)).unzip();
        Strided::with_strides(dims, strides, first as isize)
    }

    /// Whether no two lanes have one number. May be `false` also without such lanes.
    pub(super) fn are_distinct(&self) -> bool {
        let mut loops = self.loops;
        let loops = &mut loops[..self.rank];
        loops.sort_unstable_by_key(|(_, [step])| step.unsigned_abs());
        let mut reach = 0_u64;
        loops.iter().all(|(count, [step])| {
            let is_distinct = step.unsigned_abs() > reach;
            reach = reach.saturating_add(step.unsigned_abs().saturating_mul(*count as u64 - 1));
            is_distinct
        })
    }
}

/// An access in a run. If the indices are linear, an iteration uses the element `first`, plus a distance for each iteration
/// before, of each loop.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) first: i64,
    /// The distances, 0 for loops of one iteration.
    pub(super) steps: [i64; MAX_LOOPS],
    /// The same for the lanes.
    pub(super) lanes: Lanes,
    /// Whether each iteration computes its indices and checks them.
    pub(super) is_checked: bool,
    /// The elements of all lanes, if a plan lists them.
    pub(super) list: Option<Vec<u32>>,
    /// The number of the bytes, and the range in them.
    pub(super) bytes: (usize, std::ops::Range<usize>),
}

/// A nest with its plan.
pub(super) struct Planned<'p, 'm> {
    pub(super) nest: &'p ColumnLoop,
    /// The steps for each column.
    pub(super) steps: &'p [Step],
    pub(super) resolved: &'p [Resolved],
    pub(super) may_fail: bool,
    pub(super) domain: &'p Domain,
    pub(super) memory: &'p Memory<'m>,
}
