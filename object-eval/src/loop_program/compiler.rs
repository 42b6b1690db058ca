//! [`Compiler`]: the state of a compilation: registers, constants, variables, labels.

use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_ir::ir::IRModule;
use object_ir::tir;
use rustc_hash::FxHashMap;

use super::arithmetic::{self, Binary};
use super::code::{Instruction, LoopCode};
use super::kind::{IntKind, Kind};
use super::registers::{Place, Register};

/// The most levels of nested statements and expressions.
const MAX_NESTING: usize = 20_000;

/// A buffer in registers.
#[derive(Clone, Debug)]
pub(super) struct BufferPlace {
    pub(super) name: u32,
    pub(super) memory: u32,
    pub(super) extents: Vec<Register>,
    pub(super) strides: Vec<Register>,
    pub(super) offset: Register,
}

/// An entry of a scope, to undo at its end.
enum Undo {
    Var(usize, Option<Vec<Place>>),
    Buffer(usize, Option<BufferPlace>),
}

/// The labels of a loop.
#[derive(Clone, Copy)]
pub(super) struct LoopLabels {
    pub(super) next: u32,
    pub(super) end: u32,
}

/// A compilation under way.
#[derive(Default)]
pub(super) struct Compiler {
    pub(super) code: LoopCode,
    vars: FxHashMap<usize, Vec<Place>>,
    buffers: FxHashMap<usize, BufferPlace>,
    log: Vec<Undo>,
    /// The first registers of the facts about tensors, by memory.
    pub(super) fields: FxHashMap<u32, Register>,
    int_constants: FxHashMap<i64, Register>,
    float_constants: FxHashMap<u64, Register>,
    float_values: Vec<(Register, f64)>,
    /// The instructions of labels; jumps hold labels until the end of the compilation.
    labels: Vec<usize>,
    pub(super) loops: Vec<LoopLabels>,
    /// Whether the statement belongs to a nest of loops that also runs by columns.
    pub(super) is_in_nest: bool,
    /// The levels under way.
    depth: usize,
    /// The module, whose loop programs the program can call.
    pub(super) module: Option<IRModule>,
    /// The callees under way, the number of calls so far, and the label of the end of the innermost callee.
    pub(super) calls: Vec<usize>,
    pub(super) call_count: usize,
    pub(super) end_of_call: Option<u32>,
}

/// The identity of an object.
pub(super) fn key(handle: &impl ObjectHandle) -> usize {
    handle.as_object().view().address()
}

impl Compiler {
    /// Runs a step on one level deeper, with enough stack.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) below too many levels.
    pub(super) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.go_down()?;
        let result = with_stack(|| step(self));
        self.go_up();
        result
    }

    /// Begins a level.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) below too many levels.
    pub(super) fn go_down(&mut self) -> Result<(), Error> {
        if self.depth >= MAX_NESTING {
            let message =
                format!("the loop program nests statements or expressions more than {MAX_NESTING} levels deep");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        self.depth += 1;
        Ok(())
    }

    /// Ends a level.
    pub(super) fn go_up(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    pub(super) fn new_int(&mut self) -> Register {
        self.code.ints += 1;
        Register::try_from(self.code.ints - 1).unwrap_or(Register::MAX)
    }

    pub(super) fn new_float(&mut self) -> Register {
        self.code.floats += 1;
        Register::try_from(self.code.floats - 1).unwrap_or(Register::MAX)
    }

    pub(super) fn int(&mut self, value: i64) -> Register {
        if let Some(register) = self.int_constants.get(&value) {
            return *register;
        }
        let register = self.new_int();
        self.int_constants.insert(value, register);
        self.code.int_constants.push((register, value));
        register
    }

    pub(super) fn float(&mut self, value: f64) -> Register {
        if let Some(register) = self.float_constants.get(&value.to_bits()) {
            return *register;
        }
        let register = self.new_float();
        self.float_constants.insert(value.to_bits(), register);
        self.float_values.push((register, value));
        register
    }

    /// The value of a register that has a constant.
    pub(super) fn constant(&self, register: Register) -> Option<i64> {
        let found = self.code.int_constants.binary_search_by_key(&register, |(known, _)| *known).ok()?;
        Some(self.code.int_constants[found].1)
    }

    /// The register of `a operation b` of 64-bit integers; constants are folded.
    pub(super) fn index(&mut self, operation: Binary, a: Register, b: Register) -> Register {
        let folded = match (operation, self.constant(a), self.constant(b)) {
            (_, Some(a), Some(b)) => arithmetic::of_ints(operation, a, b),
            (Binary::Add, Some(0), _) | (Binary::Mul, Some(1), _) => return b,
            (Binary::Add | Binary::Sub, _, Some(0)) | (Binary::Mul, _, Some(1)) => return a,
            (Binary::Mul, Some(0), _) | (Binary::Mul, _, Some(0)) => Some(0),
            _ => None,
        };
        if let Some(value) = folded {
            return self.int(value);
        }
        let to = self.new_int();
        self.emit(match operation {
            Binary::Add => Instruction::Add { to, a, b },
            Binary::Sub => Instruction::Sub { to, a, b },
            Binary::Mul => Instruction::Mul { to, a, b },
            _ => Instruction::Int { operation, to, a, b },
        });
        to
    }

    pub(super) fn new_label(&mut self) -> u32 {
        self.labels.push(0);
        u32::try_from(self.labels.len() - 1).unwrap_or(u32::MAX)
    }

    /// Lets a label stand for the next instruction.
    pub(super) fn place(&mut self, label: u32) {
        self.labels[label as usize] = self.code.instructions.len();
    }

    pub(super) fn name(&mut self, name: &Str) -> u32 {
        self.code.names.push(name.clone());
        u32::try_from(self.code.names.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn error(&mut self, error: Error) -> u32 {
        self.code.errors.push(error);
        u32::try_from(self.code.errors.len() - 1).unwrap_or(u32::MAX)
    }

    /// A memory that is a part of another one, or a whole.
    pub(super) fn new_memory(&mut self, origin: Option<u32>) -> u32 {
        let memory = u32::try_from(self.code.origins.len()).unwrap_or(u32::MAX);
        self.code.origins.push(origin.map_or(memory, |origin| self.code.origins[origin as usize]));
        self.code.is_written.push(false);
        memory
    }

    /// A place for a value of a type.
    pub(super) fn new_place(&mut self, kind: Kind) -> Place {
        match kind {
            Kind::Int(_) => Place::Int(self.new_int()),
            Kind::Float(_) => Place::Float(self.new_float()),
            Kind::Pointer => Place::Pointer(self.new_memory(None)),
        }
    }

    pub(super) fn copy(&mut self, to: Place, from: Place) {
        match (to, from) {
            (Place::Int(to), Place::Int(from)) => self.emit(Instruction::CopyInt { to, from }),
            (Place::Float(to), Place::Float(from)) => self.emit(Instruction::CopyFloat { to, from }),
            _ => {}
        }
    }

    pub(super) fn wrap(&mut self, to: Register, kind: IntKind) {
        if kind.bits < 64 {
            self.emit(Instruction::Wrap { to, kind });
        }
    }

    /// The lanes of a variable.
    pub(super) fn var(&self, var: &tir::Var) -> Option<&[Place]> {
        self.vars.get(&key(var)).map(Vec::as_slice)
    }

    pub(super) fn define(&mut self, var: &tir::Var, lanes: Vec<Place>) {
        let before = self.vars.insert(key(var), lanes);
        self.log.push(Undo::Var(key(var), before));
    }

    pub(super) fn buffer(&self, buffer: &tir::Buffer) -> Option<&BufferPlace> {
        self.buffers.get(&key(buffer))
    }

    pub(super) fn define_buffer(&mut self, buffer: &tir::Buffer, place: BufferPlace) {
        let before = self.buffers.insert(key(buffer), place);
        self.log.push(Undo::Buffer(key(buffer), before));
    }

    /// Runs a step whose definitions end with it.
    pub(super) fn scope<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let mark = self.log.len();
        let result = step(self);
        while self.log.len() > mark {
            match self.log.pop() {
                Some(Undo::Var(key, before)) => restore(&mut self.vars, key, before),
                Some(Undo::Buffer(key, before)) => restore(&mut self.buffers, key, before),
                None => {}
            }
        }
        result
    }

    /// Ends the compilation: jumps get the numbers of instructions.
    pub(super) fn finish(mut self) -> LoopCode {
        use Instruction as I;
        for instruction in &mut self.code.instructions {
            if let I::Jump { to }
            | I::JumpIf { to, .. }
            | I::JumpUnless { to, .. }
            | I::LoopBegin { to, .. }
            | I::LoopNext { to, .. }
            | I::Columns { to, .. }
            | I::Nest { to, .. } = instruction
            {
                *to = u32::try_from(self.labels[*to as usize]).unwrap_or(u32::MAX);
            }
        }
        for memory in 0..self.code.origins.len() {
            if self.code.is_written[memory] {
                self.code.is_written[self.code.origins[memory] as usize] = true;
            }
        }
        (self.code.first_ints, self.code.first_floats) = (vec![0; self.code.ints], vec![0.0; self.code.floats]);
        for (register, value) in &self.code.int_constants {
            self.code.first_ints[*register as usize] = *value;
        }
        for (register, value) in self.float_values {
            self.code.first_floats[register as usize] = value;
        }
        self.code
    }
}

fn restore<T>(table: &mut FxHashMap<usize, T>, key: usize, before: Option<T>) {
    match before {
        Some(before) => table.insert(key, before),
        None => table.remove(&key),
    };
}
