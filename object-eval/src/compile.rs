//! [`Compiler`]: functions of Relax to instructions.
//!
//! A variable is a slot. A local function that uses a variable of an outer function gets a slot of its own for it, which is
//! filled when the closure is made.

use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_core::table::Table;
use object_ir::ir::{
    Binding, BindingBlock, DataflowBlock, DataflowVar, Function, ObjectStructInfo, PrimExpr, RelaxExpr, SeqExpr,
    StructInfo, Var,
};
use object_ir::kind::BindingKind;
use object_ir::tir;
use rustc_hash::FxHashMap;

use super::code::{Code, Instruction, Site, Slot};
use super::loop_program::LoopProgram;
use super::pattern::{Pattern, Variables};
use super::scalar::ScalarCode;
use super::views;

/// A variable that a function sees.
#[derive(Clone, Copy)]
struct Visible {
    slot: Slot,
    is_dataflow: bool,
}

/// An entry of a scope that ends with the scope.
enum Undo {
    Value(usize, Option<Visible>),
    Scalar(usize, Option<Slot>),
}

/// A function under way.
struct State {
    code: Code,
    values: FxHashMap<usize, Visible>,
    scalars: FxHashMap<usize, Slot>,
    log: Vec<Undo>,
    /// The slots of the outer function that a closure copies.
    captured: Vec<Slot>,
    captured_scalars: Vec<Slot>,
}

/// Compiles the functions of a module.
pub(super) struct Compiler<'a> {
    /// The numbers of the codes of global functions.
    globals: &'a Table<Str, usize>,
    programs: &'a Table<Str, LoopProgram>,
    /// The codes of local functions, from the number `first` on.
    pub(super) locals: Vec<Code>,
    first: usize,
    states: Vec<State>,
}

fn key(var: &Var) -> usize {
    var.vid.as_object().view().address()
}

fn scalar_key(var: &tir::Var) -> usize {
    var.as_object().view().address()
}

fn info_of(var: &Var) -> StructInfo {
    var.struct_info.clone().unwrap_or_else(|| ObjectStructInfo::new().into())
}

impl<'a> Compiler<'a> {
    /// A compiler that numbers local functions from `first` on.
    pub(super) fn new(globals: &'a Table<Str, usize>, programs: &'a Table<Str, LoopProgram>, first: usize) -> Self {
        Compiler { globals, programs, locals: Vec::new(), first, states: Vec::new() }
    }

    /// Compiles a global function.
    ///
    /// # Errors
    /// For a function whose annotations use variables that nothing binds.
    pub(super) fn global(&mut self, name: &str, function: &Function) -> Result<Code, Error> {
        self.states.clear();
        let result = self.enter_function(name.to_owned(), function, None)?;
        self.sequence(&function.body, result, None);
        Ok(self.finish(result).code)
    }

    /// Begins a function, and returns the slot of its result.
    fn enter_function(&mut self, name: String, function: &Function, own: Option<&Var>) -> Result<Slot, Error> {
        let code = Code::new(name, function);
        self.states.push(State {
            code,
            values: FxHashMap::default(),
            scalars: FxHashMap::default(),
            log: Vec::new(),
            captured: Vec::new(),
            captured_scalars: Vec::new(),
        });
        for param in &*function.params {
            let slot = self.new_slot();
            self.define(param, slot);
        }
        if let Some(own) = own {
            let slot = self.new_slot();
            self.define(own, slot);
            self.state().code.own = Some(slot);
        }
        let infos: Vec<StructInfo> = function.params.iter().map(|param| info_of(&param)).collect();
        let entry = Pattern::compile(&infos, self)?;
        let exit = Pattern::compile([&function.ret_struct_info], self)?;
        let state = self.state();
        (state.code.entry, state.code.exit) = (entry, exit);
        Ok(self.new_slot())
    }

    fn state(&mut self) -> &mut State {
        self.states.last_mut().unwrap_or_else(|| unreachable!("a function is under way"))
    }

    pub(super) fn new_slot(&mut self) -> Slot {
        let code = &mut self.state().code;
        code.slots += 1;
        Slot::try_from(code.slots - 1).unwrap_or(Slot::MAX)
    }

    pub(super) fn new_label(&mut self) -> usize {
        let labels = &mut self.state().code.labels;
        labels.push(0);
        labels.len() - 1
    }

    /// The number of the code of a global function.
    pub(super) fn global_code(&self, name: &Str) -> Option<usize> {
        self.globals.get(name).copied()
    }

    /// A loop program of the module.
    pub(super) fn program(&self, name: &Str) -> Option<&LoopProgram> {
        self.programs.get(name)
    }

    pub(super) fn emit(&mut self, instruction: Instruction, site: Option<&Site>) {
        let code = &mut self.state().code;
        code.instructions.push(instruction);
        code.sites.push(site.cloned());
    }

    /// The program fails here, if it ever gets here.
    #[cold]
    fn fail(&mut self, error: Error, site: Option<&Site>) {
        self.emit(Instruction::Fail { error }, site);
    }

    /// A label stands for the next instruction.
    pub(super) fn place(&mut self, label: usize) {
        let code = &mut self.state().code;
        code.labels[label] = code.instructions.len();
    }

    fn define(&mut self, var: &Var, slot: Slot) {
        let state = self.state();
        let visible = Visible { slot, is_dataflow: var.is::<DataflowVar>() };
        let before = state.values.insert(key(var), visible);
        state.log.push(Undo::Value(key(var), before));
    }

    /// The slot of a variable in the innermost function, which captures it if it belongs to an outer function.
    pub(super) fn lookup(&mut self, var: &Var) -> Result<Slot, Error> {
        let key = key(var);
        let innermost = self.states.len() - 1;
        let found = self.states.iter().rposition(|state| state.values.contains_key(&key));
        let Some(owner) = found else {
            let message = format!("the variable `{}` has no value here", var.vid.name_hint);
            return Err(Error::new(ErrorKind::BadReference, message));
        };
        let Visible { mut slot, is_dataflow } = self.states[owner].values[&key];
        if is_dataflow && owner != innermost {
            let message = format!(
                "the local function uses the dataflow variable `{}` of an outer function; only variables that are no \
                 `DataflowVar` can be captured",
                var.vid.name_hint
            );
            return Err(Error::new(ErrorKind::BadReference, message));
        }
        for state in &mut self.states[owner + 1..] {
            let inner = Slot::try_from(state.code.slots).unwrap_or(Slot::MAX);
            state.code.slots += 1;
            state.captured.push(slot);
            state.code.captured.push(inner);
            // A captured variable is visible in the whole function, so its entry is not in the log.
            state.values.insert(key, Visible { slot: inner, is_dataflow: false });
            slot = inner;
        }
        Ok(slot)
    }

    /// The code of a scalar expression over visible shape variables.
    pub(super) fn scalar_code(&mut self, expr: &PrimExpr) -> Result<ScalarCode, Error> {
        ScalarCode::compile(expr, &mut |var| {
            self.scalar(var).ok_or_else(|| {
                Error::new(ErrorKind::BadReference, format!("the shape variable `{}` has no value here", var.name))
            })
        })
    }

    /// Computes an expression into a slot.
    pub(super) fn compute(&mut self, expr: &RelaxExpr, to: Slot, site: Option<&Site>) {
        if let Err(error) = with_stack(|| self.expression(expr, to, site)) {
            self.fail(error, site);
        }
    }

    /// Computes the result of a sequence into a slot.
    pub(super) fn sequence(&mut self, seq: &SeqExpr, to: Slot, site: Option<&Site>) {
        let mark = self.state().log.len();
        for block in seq.blocks.as_slice() {
            block.bindings.as_slice().iter().for_each(|binding| self.bind(binding));
            self.end_block(block);
        }
        self.compute(&seq.body, to, site);
        self.end_scope(mark);
    }

    /// Forgets the variables since a mark.
    fn end_scope(&mut self, mark: usize) {
        let state = self.state();
        for undo in state.log.drain(mark..).rev() {
            match undo {
                Undo::Value(key, Some(before)) => drop(state.values.insert(key, before)),
                Undo::Value(key, None) => drop(state.values.remove(&key)),
                Undo::Scalar(key, Some(before)) => drop(state.scalars.insert(key, before)),
                Undo::Scalar(key, None) => drop(state.scalars.remove(&key)),
            }
        }
    }

    fn bind(&mut self, binding: &Binding) {
        let slot = self.new_slot();
        let site = Site { binding: binding.clone(), slot };
        match BindingKind::of(binding) {
            BindingKind::VarBinding(it) => match it.value.downcast_ref::<Function>() {
                Some(function) => self.local_function(function, Some(&it.var), slot, Some(&site)),
                None => self.compute(&it.value, slot, Some(&site)),
            },
            BindingKind::MatchCast(it) => {
                self.compute(&it.value, slot, Some(&site));
                match Pattern::compile([&it.struct_info], self) {
                    Ok(pattern) => self.emit(Instruction::Match { value: slot, pattern: pattern.into() }, Some(&site)),
                    Err(error) => self.fail(error, Some(&site)),
                }
            }
            BindingKind::Other(_) => {
                let given = binding.as_object().view().type_key();
                let message = format!("expected a `VarBinding` or a `MatchCast`, got `{given}`");
                return self.fail(Error::new(ErrorKind::TypeMismatch, message), Some(&site));
            }
        }
        self.define(&binding.var, slot);
    }

    /// Compiles a local function, whose closure goes to the slot `to`.
    pub(super) fn local_function(&mut self, function: &Function, own: Option<&Var>, to: Slot, site: Option<&Site>) {
        let outer = self.states.last().map(|state| state.code.name.clone()).unwrap_or_default();
        let name = own.map_or_else(|| format!("{outer}.<function>"), |own| format!("{outer}.{}", own.vid.name_hint));
        match self.enter_function(name, function, own) {
            Ok(result) => {
                self.sequence(&function.body, result, None);
                self.end_function(result, to, site);
            }
            Err(error) => {
                self.states.pop();
                self.fail(error, site);
            }
        }
    }

    /// Ends the code of the function under way.
    fn finish(&mut self, result: Slot) -> State {
        self.emit(Instruction::Return { from: result }, None);
        let mut state = self.states.pop().unwrap_or_else(|| unreachable!("the function is under way"));
        views::mark(&mut state.code);
        state
    }

    fn end_function(&mut self, result: Slot, to: Slot, site: Option<&Site>) {
        let state = self.finish(result);
        let code = self.first + self.locals.len();
        let instruction = Instruction::Closure { to, code, captured: state.captured, scalars: state.captured_scalars };
        self.locals.push(state.code);
        self.emit(instruction, site);
    }

    /// Ends the life of dataflow variables with their block.
    fn end_block(&mut self, block: &BindingBlock) {
        if !block.is::<DataflowBlock>() {
            return;
        }
        let state = self.state();
        let vars = block.bindings.iter().map(|binding| binding.var.clone()).filter(|var| var.is::<DataflowVar>());
        let slots: Vec<Slot> = vars.filter_map(|var| Some(state.values.remove(&key(&var))?.slot)).collect();
        if !slots.is_empty() {
            self.emit(Instruction::Forget { slots }, None);
        }
    }
}

impl Variables for Compiler<'_> {
    fn scalar(&mut self, var: &tir::Var) -> Option<u32> {
        let key = scalar_key(var);
        let owner = self.states.iter().rposition(|state| state.scalars.contains_key(&key))?;
        let mut slot = self.states[owner].scalars[&key];
        for state in &mut self.states[owner + 1..] {
            let inner = Slot::try_from(state.code.scalar_slots).unwrap_or(Slot::MAX);
            state.code.scalar_slots += 1;
            state.captured_scalars.push(slot);
            state.code.scalars.push(inner);
            state.scalars.insert(key, inner);
            slot = inner;
        }
        Some(slot)
    }

    fn bind_scalar(&mut self, var: &tir::Var) -> u32 {
        let key = scalar_key(var);
        let state = self.state();
        let slot = Slot::try_from(state.code.scalar_slots).unwrap_or(Slot::MAX);
        state.code.scalar_slots += 1;
        let before = state.scalars.insert(key, slot);
        state.log.push(Undo::Scalar(key, before));
        slot
    }

    fn slot(&mut self, var: &Var) -> Result<u32, Error> {
        self.lookup(var)
    }
}
