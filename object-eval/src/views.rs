//! Which operators may return a view of the memory of an operand instead of a copy.

use object_relax::op::Purity;
use rustc_hash::FxHashSet;

use super::code::{Callee, Code, Instruction, OutputDims, Slot};

/// The operators that return views.
const MAKERS: &[&str] = &["relax.permute_dims"];

/// The operators that take views as each of their arguments that is a tensor.
const READERS: &[&str] = &["relax.permute_dims", "relax.reshape", "relax.matmul"];

/// Marks the operators of a function that may return views.
pub(super) fn mark(code: &mut Code) {
    let readers = readers(code);
    let labels: FxHashSet<usize> = code.labels.iter().copied().collect();
    // For each slot the instruction that wrote it, and the first instruction after the last one that could write into a
    // tensor or in which a jump ends.
    let (mut makers, mut first) = (vec![None; code.slots], 0);
    for at in 0..code.instructions.len() {
        if labels.contains(&at) {
            first = at;
        }
        let instruction = &code.instructions[at];
        let slots = arguments_of(instruction, READERS).unwrap_or_default();
        let maker = |slot: &Slot| makers[*slot as usize].filter(|at| *at >= first && readers[*slot as usize] == 1);
        let found: Vec<usize> = slots.iter().filter_map(maker).collect();
        if let Some(to) = instruction.to() {
            makers[to as usize] = Some(at);
        }
        if !keeps_tensors(instruction) {
            first = at + 1;
        }
        for maker in found {
            let instruction = &mut code.instructions[maker];
            if arguments_of(instruction, MAKERS).is_some()
                && let Instruction::Operator { returns_view, .. } = instruction
            {
                *returns_view = true;
            }
        }
    }
}

/// The arguments of a call of one of the operators `names`.
fn arguments_of<'a>(instruction: &'a Instruction, names: &[&str]) -> Option<&'a [Slot]> {
    match instruction {
        Instruction::Operator { operator, args, .. } if names.contains(&operator.signature.name) => Some(args),
        _ => None,
    }
}

/// Whether an instruction leaves all tensors as they are, and goes on with the next one.
fn keeps_tensors(instruction: &Instruction) -> bool {
    use Instruction as I;
    match instruction {
        I::Copy { .. }
        | I::Constant { .. }
        | I::Literal { .. }
        | I::Scalar { .. }
        | I::Shape { .. }
        | I::Tuple { .. }
        | I::Member { .. }
        | I::Match { .. } => true,
        I::Operator { operator, .. } => operator.signature.purity == Purity::Pure,
        _ => false,
    }
}

/// For each slot the number of places that read it.
fn readers(code: &Code) -> Vec<usize> {
    use Instruction as I;
    let mut readers = vec![0; code.slots];
    let mut read = |slots: &[Slot]| slots.iter().for_each(|slot| readers[*slot as usize] += 1);
    for instruction in &code.instructions {
        match instruction {
            I::Copy { from, .. } | I::Return { from } => read(&[*from]),
            I::Tuple { members: slots, .. }
            | I::Closure { captured: slots, .. }
            | I::Operator { args: slots, .. }
            | I::CallGlobal { args: slots, .. } => read(slots),
            I::Member { tuple, .. } => read(&[*tuple]),
            I::Call { callee, args, .. } => {
                read(&[*callee]);
                read(args);
            }
            I::Destination(call) => {
                read(&[call.args]);
                if let Callee::Slot(callee) = &call.callee {
                    read(&[*callee]);
                }
                read(call.ints.as_slice());
                call.outputs.iter().for_each(|output| match output.dims {
                    OutputDims::Variable(slot) => read(&[slot]),
                    OutputDims::Written(_) => {}
                });
            }
            I::Match { value, pattern } => {
                read(&[*value]);
                pattern.slots().for_each(|slot| read(&[slot]));
            }
            I::JumpUnless { condition, .. } => read(&[*condition]),
            I::Constant { .. }
            | I::Literal { .. }
            | I::Scalar { .. }
            | I::Shape { .. }
            | I::Global { .. }
            | I::Extern { .. }
            | I::Jump { .. }
            | I::Forget { .. }
            | I::Fail { .. } => {}
        }
    }
    code.entry.slots().chain(code.exit.slots()).for_each(|slot| readers[slot as usize] += 1);
    readers
}
