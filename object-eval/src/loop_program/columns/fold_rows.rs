//! Nests that fold elements, or products of two elements, without columns of the operands: sums, and products of matrices.

use object_core::prelude::*;
use pulp::{Arch, NullaryFnOnce};

use super::domain::{Lanes, Part, Planned};
use super::scratch::Scratch;
use super::{ColumnKind, ColumnLoop, Fold, MAX_LOOPS, RowFold, Step};
use crate::loop_program::arithmetic::{Binary, with_single_function};
use crate::loop_program::kind::Kind;
use crate::loop_program::run::Run;
use crate::value::ElementType;

/// The most repeated iterations between two checks of the controls.
const BLOCK: i64 = 1024;

impl RowFold {
    /// The fold that the steps of a nest are.
    pub(super) fn of(nest: &ColumnLoop) -> Option<RowFold> {
        use ColumnKind::Single;
        use Step as S;
        const F32: Kind = Kind::Float(ElementType::F32);
        let fold = |operation, operands, is_product, access: u32| {
            let totals = nest.accesses[access as usize].total?;
            Some(RowFold { operation, operands, is_product, totals })
        };
        match nest.steps[..] {
            [
                S::Load { kind: Single, to, access: a },
                S::Fold { fold: Fold { operation, kind: F32, is_swapped: false }, from, access },
            ] if from == to => fold(operation, [a, a], false, access),
            [
                S::Load { kind: Single, to: x, access: a },
                S::Load { kind: Single, to: y, access: b },
                S::Float { kind: Single, operation: Binary::Mul, to: product, a: left, b: right },
                S::Fold { fold: Fold { operation: Binary::Add, kind: F32, is_swapped: false }, from, access },
            ] if from == product && [left, right] == [x, y] => fold(Binary::Add, [a, b], true, access),
            _ => None,
        }
    }

    /// Whether no iteration fails, and the elements of the operands are linear in the iterations, and in memory as numbers of the type.
    pub(super) fn is_possible(&self, planned: &Planned<'_, '_>) -> bool {
        !planned.may_fail
            && self.operands.iter().all(|number| {
                let bytes = planned.memory.read(planned.nest.accesses[*number as usize].memory);
                !planned.resolved[*number as usize].is_checked && bytemuck::try_cast_slice::<u8, f32>(bytes).is_ok()
            })
    }
}

impl Run<'_> {
    /// Folds all repeated iterations into the totals of the lanes of a part.
    ///
    /// # Errors
    /// The errors of the controls.
    pub(super) fn fold_rows(
        &mut self,
        nest: &ColumnLoop,
        fold: &RowFold,
        scratch: &mut Scratch,
        part: &Part<'_>,
    ) -> Result<(), Error> {
        let domain = part.domain;
        let inner = (0..domain.rank).rev().find(|number| domain.is_repeated[*number]);
        let mut outer = *domain;
        inner.into_iter().for_each(|inner| outer.is_repeated[inner] = false);
        let count = inner.map_or(1, |inner| domain.count[inner]);
        let operands = fold.operands.map(|number| &scratch.resolved[number as usize]);
        let steps = operands.map(|operand| inner.map_or(0, |inner| operand.steps[inner]));
        let lanes = Lanes::new(domain, operands.map(|operand| &operand.steps));
        let totals = &mut scratch.singles[fold.totals as usize];
        let mut repeated = [0; MAX_LOOPS];
        loop {
            let first = operands.map(|operand| {
                let before = repeated[..domain.rank].iter().zip(operand.steps).map(|(count, step)| count * step);
                operand.first + before.sum::<i64>()
            });
            for begin in (0..count).step_by(BLOCK as usize) {
                let block = (count - begin).min(BLOCK) as usize;
                let all = fold.operands.map(|number| {
                    let bytes = self.memory.read(nest.accesses[number as usize].memory);
                    bytemuck::try_cast_slice::<u8, f32>(bytes).unwrap_or_default()
                });
                let first = [0, 1].map(|number| first[number] + begin * steps[number]);
                lanes.rows(first, (part.from, part.count), |row, first, lane_steps| {
                    let operands = [0, 1].map(|number| Operand {
                        all: all[number],
                        first: first[number] as usize,
                        lane: lane_steps[number] as usize,
                        step: steps[number] as usize,
                    });
                    let row = Row { totals: &mut totals[row], operands, count: block };
                    row.fold(fold);
                });
                self.count((part.count * block) as u64)?;
            }
            if !outer.next_repeated(&mut repeated) {
                return Ok(());
            }
        }
    }
}

/// The elements of an operand: of the first lane in the first iteration, and the distances of two lanes and of two
/// iterations, which wrap.
#[derive(Clone, Copy)]
struct Operand<'a> {
    all: &'a [f32],
    first: usize,
    lane: usize,
    step: usize,
}

/// The distance of the elements of two lanes, known to the compiler.
const SAME: u8 = 0;
const NEXT: u8 = 1;
const ANY: u8 = 2;

impl Operand<'_> {
    /// The elements of `WIDTH` lanes.
    #[inline(always)]
    fn load<const LANE: u8, const WIDTH: usize>(&self, at: usize) -> [f32; WIDTH] {
        match LANE {
            SAME => [self.all[at]; WIDTH],
            NEXT => {
                let mut elements = [0.0; WIDTH];
                elements.copy_from_slice(&self.all[at..][..WIDTH]);
                elements
            }
            _ => std::array::from_fn(|lane| self.all[at.wrapping_add(self.lane.wrapping_mul(lane))]),
        }
    }
}

/// A row of lanes.
struct Row<'a> {
    totals: &'a mut [f32],
    operands: [Operand<'a>; 2],
    count: usize,
}

impl Row<'_> {
    fn fold(self, fold: &RowFold) {
        let lanes = self.operands.map(|operand| operand.lane);
        if fold.is_product {
            let f = |total: f32, a: f32, b: f32| total + a * b;
            return match lanes {
                [0, 1] => self.run::<SAME, NEXT>(f),
                [1, 0] => self.run::<NEXT, SAME>(f),
                [1, 1] => self.run::<NEXT, NEXT>(f),
                _ => self.run::<ANY, ANY>(f),
            };
        }
        with_single_function!(fold.operation, f => {
            let f = |total: f32, a: f32, _: f32| f(total, a);
            match lanes[0] {
                1 => self.run::<NEXT, NEXT>(f),
                _ => self.run::<ANY, ANY>(f),
            }
        });
    }

    fn run<const A: u8, const B: u8>(self, f: impl Fn(f32, f32, f32) -> f32) {
        Arch::new().dispatch(Tiles::<A, B, _> { row: self, f });
    }
}

/// A fold of a row, some lanes at a time, whose totals are registers of the machine.
struct Tiles<'a, const A: u8, const B: u8, F> {
    row: Row<'a>,
    f: F,
}

impl<const A: u8, const B: u8, F: Fn(f32, f32, f32) -> f32> NullaryFnOnce for Tiles<'_, A, B, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Tiles { row: Row { totals, operands, count }, f } = self;
        let mut lane = 0;
        if A != ANY {
            lane = tiles::<A, B, 32>(totals, lane, &operands, count, &f);
            lane = tiles::<A, B, 16>(totals, lane, &operands, count, &f);
        }
        lane = tiles::<A, B, 8>(totals, lane, &operands, count, &f);
        lane = tiles::<A, B, 4>(totals, lane, &operands, count, &f);
        tiles::<A, B, 1>(totals, lane, &operands, count, &f);
    }
}

/// Folds the lanes from `lane` on, `WIDTH` at a time, and returns the first one that is left.
#[inline(always)]
fn tiles<const A: u8, const B: u8, const WIDTH: usize>(
    totals: &mut [f32],
    lane: usize,
    operands: &[Operand<'_>; 2],
    count: usize,
    f: &impl Fn(f32, f32, f32) -> f32,
) -> usize {
    let [a, b] = operands;
    let (chunks, _) = totals[lane..].as_chunks_mut::<WIDTH>();
    let (mut lane, last) = (lane, lane + chunks.len() * WIDTH);
    for chunk in chunks {
        let mut sums = *chunk;
        let mut at = [a, b].map(|it| it.first.wrapping_add(it.lane.wrapping_mul(lane)));
        for _ in 0..count {
            let (x, y) = (a.load::<A, WIDTH>(at[0]), b.load::<B, WIDTH>(at[1]));
            for number in 0..WIDTH {
                sums[number] = f(sums[number], x[number], y[number]);
            }
            at = [at[0].wrapping_add(a.step), at[1].wrapping_add(b.step)];
        }
        *chunk = sums;
        lane += WIDTH;
    }
    last
}
