//! The numbers and elements of a nest that the extents of its loops and buffers determine: they are the same in each call
//! with the same extents.

use super::compile::Columns;
use super::{ColumnAccess, ColumnId, ColumnKind, ColumnLoop, Fixed, Fold, Linear, Step};
use crate::loop_program::kind::Kind;
use crate::loop_program::registers::Register;

impl Columns<'_> {
    /// Finds what the inputs of the nest determine.
    pub(super) fn find_fixed(&mut self) {
        let inputs = self.inputs();
        let code = &mut self.code;
        let is_fixed = fixed_columns(code);
        let is_known = |column: &Option<ColumnId>| column.is_none_or(|column| is_fixed[column as usize]);
        let is_listed = |access: &ColumnAccess| {
            let has_columns = access.mask.is_some() || access.dims.iter().any(|dim| dim.column.is_some());
            has_columns && is_known(&access.mask) && access.dims.iter().all(|dim| is_known(&dim.column))
        };
        let accesses = code.accesses.iter().enumerate().filter(|(_, access)| is_listed(access));
        let accesses: Vec<u32> = accesses.map(|(number, _)| number as u32).collect();
        let has_fixed_result = |step: &Step| step.int_result().is_some_and(|to| is_fixed[to as usize]);
        let steps = code.steps.iter().copied().filter(has_fixed_result).collect();
        // From the last step to the first one: a step with a fixed result is necessary if another one uses the result.
        let mut is_used = vec![false; code.columns[ColumnKind::Int as usize]];
        let mut others = Vec::new();
        for step in code.steps.iter().rev() {
            if step.int_result().is_some_and(|to| is_fixed[to as usize] && !is_used[to as usize]) {
                continue;
            }
            others.push(*step);
            step.int_operands().into_iter().flatten().for_each(|column| is_used[column as usize] = true);
            if let Some(number) = step.access().filter(|number| !accesses.contains(number)) {
                let access = &code.accesses[number as usize];
                let columns = access.dims.iter().filter_map(|dim| dim.column).chain(access.mask);
                columns.for_each(|column| is_used[column as usize] = true);
            }
        }
        others.reverse();
        code.fixed = Fixed { inputs, steps, accesses, others };
    }

    /// The registers that determine the run, without constants.
    fn inputs(&self) -> Vec<Register> {
        let code = &self.code;
        let mut inputs = Vec::new();
        let linear = |inputs: &mut Vec<Register>, value: &Linear| {
            inputs.push(value.base);
            inputs.extend(value.coefficients);
        };
        for counter in &code.loops {
            inputs.extend([counter.begin, counter.end]);
        }
        for access in &code.accesses {
            inputs.push(access.offset);
            for dim in &access.dims {
                linear(&mut inputs, &dim.index);
                inputs.extend([dim.extent, dim.stride]);
            }
        }
        for guard in code.inits.iter().flatten() {
            linear(&mut inputs, &guard.value);
            inputs.push(guard.first);
        }
        for step in code.entry.iter().chain(&code.steps) {
            match step {
                Step::Fill { kind: ColumnKind::Int, from, .. } => inputs.push(*from),
                Step::Iota { value, .. } => linear(&mut inputs, value),
                _ => {}
            }
        }
        inputs.extend(&code.divisors);
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|register| self.compiler.constant(*register).is_none());
        inputs
    }
}

/// For each column of integers whether the inputs determine it.
fn fixed_columns(code: &ColumnLoop) -> Vec<bool> {
    let mut is_fixed = vec![false; code.columns[ColumnKind::Int as usize]];
    for step in code.entry.iter().chain(&code.steps) {
        let is_known = step.int_operands().into_iter().flatten().all(|column| is_fixed[column as usize]);
        match step {
            Step::Fill { kind: ColumnKind::Int, to, .. }
            | Step::Iota { to, .. }
            | Step::Int { to, .. }
            | Step::IntFunction { to, .. }
            | Step::Wrap { to, .. }
            | Step::Choose { kind: ColumnKind::Int, to, .. } => is_fixed[*to as usize] = is_known,
            _ => {}
        }
    }
    is_fixed
}

impl Step {
    /// The column that the step writes.
    pub(super) fn result(&self) -> Option<(ColumnKind, ColumnId)> {
        match *self {
            Step::Fill { kind, to, .. }
            | Step::Float { kind, to, .. }
            | Step::Choose { kind, to, .. }
            | Step::Load { kind, to, .. } => Some((kind, to)),
            Step::Iota { to, .. }
            | Step::Int { to, .. }
            | Step::IntFunction { to, .. }
            | Step::Wrap { to, .. }
            | Step::Compare { to, .. }
            | Step::Test { to, .. }
            | Step::ToInt { to, .. } => Some((ColumnKind::Int, to)),
            Step::Widen { to, .. } | Step::Function { to, .. } | Step::Round { to, .. } | Step::ToFloat { to, .. } => {
                Some((ColumnKind::Float, to))
            }
            Step::Narrow { to, .. } => Some((ColumnKind::Single, to)),
            Step::Store { .. } | Step::Fold { .. } => None,
        }
    }

    /// The column of integers that the step writes.
    fn int_result(&self) -> Option<ColumnId> {
        self.result().filter(|(kind, _)| *kind == ColumnKind::Int).map(|(_, to)| to)
    }

    /// The columns of integers that the step reads, but for those of its access.
    fn int_operands(&self) -> [Option<ColumnId>; 3] {
        match *self {
            Step::Int { a, b, mask, .. } => [Some(a), Some(b), mask],
            Step::Wrap { to: column, .. }
            | Step::IntFunction { from: column, .. }
            | Step::ToFloat { from: column, .. }
            | Step::Store { kind: ColumnKind::Int, from: column, .. }
            | Step::Fold { fold: Fold { kind: Kind::Int(_), .. }, from: column, .. } => [Some(column), None, None],
            Step::Choose { kind: ColumnKind::Int, condition, a, b, .. } => [Some(condition), Some(a), Some(b)],
            Step::Choose { condition, .. } => [Some(condition), None, None],
            _ => [None; 3],
        }
    }

    /// The access of a load or store.
    fn access(&self) -> Option<u32> {
        match *self {
            Step::Load { access, .. } | Step::Store { access, .. } | Step::Fold { access, .. } => Some(access),
            _ => None,
        }
    }
}
