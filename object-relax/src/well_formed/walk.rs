//! [`Walk`]: visits a program in the order of its evaluation, with its scopes, and calls the rules. Its stack is a
//! `Vec`, so deep programs do not overflow the machine stack.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{
    BaseFuncNode, BindingBlockNode, BindingNode, CallNode, DataflowBlockNode, DataflowVarNode, FunctionNode,
    GlobalVarNode, IRModuleNode, IfNode, MatchCastNode, OpNode, PrimValueNode, RelaxExprNode, SeqExprNode,
    ShapeExprNode, StructInfo, TupleGetItemNode, TupleNode, VarBindingNode, VarNode,
};
use object_ir::tir::PrimFuncNode;

use crate::analysis::walk::view;
use crate::well_formed::context::{Context, FunctionCall, FunctionInfo};
use crate::well_formed::inferred::Inferred;
use crate::well_formed::loop_walk;
use crate::well_formed::memo::{Begin, Binder, Visit};
use crate::well_formed::place::{Field, Place, Places, Step};
use crate::well_formed::rules::normal_form::Slot;
use crate::well_formed::rules::shape_variables::Role;
use crate::well_formed::rules::{
    dataflow, expressions, functions, loop_programs, normal_form, purity, shape_variables, struct_info, types,
    variables,
};
use crate::well_formed::scopes::{Bound, ScopeKind};
use crate::well_formed::task::Task;

/// The most tasks that a task does at once, one inside of the other. The parts of a binding in normal form take fewer.
const MOST_NESTED: u32 = 10;

/// A walk over a program.
pub(super) struct Walk<'a> {
    pub(super) cx: Context<'a>,
    tasks: Vec<Task<'a>>,
    /// The tasks of the current object that wait for each other, the next one first.
    next: Vec<Task<'a>>,
    /// The number of tasks under way, one inside of the other.
    nested: u32,
    pub(super) checks_captures: bool,
    checks_types: bool,
    pub(super) depends_on_surroundings: bool,
}

impl<'a> Walk<'a> {
    /// A walk with a fresh state.
    pub(super) fn new(cx: Context<'a>) -> Self {
        let checks_captures = shape_variables::checks_captures(&cx);
        let depends_on_surroundings = shape_variables::depends_on_surroundings(&cx);
        let checks_types = types::is_on(&cx);
        let (tasks, next) = (Vec::with_capacity(16), Vec::with_capacity(16));
        Walk { cx, tasks, next, nested: 0, checks_captures, checks_types, depends_on_surroundings }
    }

    /// Visits all functions of a module.
    pub(super) fn module(mut self, module: &'a IRModuleNode, object: ObjectView<'a>) -> Context<'a> {
        functions::check_entry_point(&mut self.cx, module, object);
        let functions = self.cx.places.field(Places::ROOT, Field::Functions);
        let repeated = functions::check_names(&mut self.cx, module, functions);
        for (var, function) in module.functions.data().iter() {
            let (Some(var), Some(function)) = (var.as_object(), function.as_object()) else { continue };
            let (Some(name), Some(base)) = (var.node::<GlobalVarNode>(), function.node::<BaseFuncNode>()) else {
                continue;
            };
            if repeated.contains(name.name_hint.as_str()) {
                continue;
            }
            let place = self.cx.places.child(functions, Step::Entry(var));
            functions::check_name(&mut self.cx, name, base, function, place);
            if let Some(relax) = function.node::<FunctionNode>() {
                if relax.struct_info.is_none() {
                    expressions::check_missing(&mut self.cx, function, place);
                }
                self.next.push(Task::Function(function, place, Some(var)));
            } else if let Some(program) = function.node::<PrimFuncNode>() {
                loop_walk::check(&mut self.cx, program, place);
            }
        }
        self.run()
    }

    /// Visits an expression.
    pub(super) fn expression(mut self, object: ObjectView<'a>) -> Context<'a> {
        self.next.push(Task::Expr(object, Places::ROOT, Slot::Value));
        self.run()
    }

    fn run(mut self) -> Context<'a> {
        loop {
            while let Some(task) = self.next.pop() {
                self.tasks.push(task);
            }
            let Some(task) = self.tasks.pop() else { return self.cx };
            self.step(task);
        }
    }

    /// Does a task after all tasks before it: at once if they are done, so that most tasks get into no list.
    pub(super) fn then(&mut self, task: Task<'a>) {
        if self.next.is_empty() && self.nested < MOST_NESTED {
            self.nested += 1;
            self.step(task);
            self.nested -= 1;
        } else {
            self.next.push(task);
        }
    }

    fn step(&mut self, task: Task<'a>) {
        self.cx.steps += 1;
        match task {
            Task::Expr(object, place, slot) => self.expr(object, place, slot),
            Task::Function(object, place, name) => self.function(object, place, name),
            Task::Block(object, place) => self.block(object, place),
            Task::Binding(object, place) => self.binding(object, place),
            Task::Bind(variable, place, is_parameter) => self.bind(variable, place, is_parameter),
            Task::Match(info, place) => self.match_info(info, place),
            Task::Info(info, place, role) => self.info(info, place, role),
            Task::Scalar(scalar, place, role) => self.scalar(scalar, place, role),
            Task::Parts(object, place) => match object.node::<RelaxExprNode>().map(|base| &base.struct_info) {
                Some(Some(stated)) => types::check_parts(&mut self.cx, stated, object, place),
                _ => self.cx.inferred.infer(object, &self.cx.analyzer),
            },
            Task::Compare(object, place) => {
                if let Some(binding) = object.node::<VarBindingNode>() {
                    types::check_binding(&mut self.cx, binding, object, place);
                }
            }
            Task::Signature(index, unresolved) => {
                self.cx.functions[index].has_known_signature = self.cx.unresolved.len() == unresolved;
            }
            Task::Result(index) => types::check_result(&mut self.cx, index),
            Task::Open(kind) => self.cx.scopes.push(kind),
            Task::Close => self.cx.scopes.pop(),
            Task::EndFunction(index) => {
                self.cx.open_functions.pop();
                self.cx.functions[index].end = self.cx.functions.len();
            }
            Task::EndVisit(visit) => self.cx.memo.end(&visit, &self.cx.scopes),
        }
    }

    /// Begins the visit of an object that may be shared. Returns the task that ends it, or nothing if it is known.
    pub(super) fn begin(&mut self, object: ObjectView<'a>, place: Place, surroundings: usize) -> Option<Option<Visit>> {
        match self.cx.memo.begin(object, surroundings, &self.cx.scopes) {
            Begin::Unshared => Some(None),
            Begin::Visit(visit) => Some(Some(visit)),
            Begin::Known => None,
            Begin::BindsAgain(binder) => {
                variables::check_shared(&mut self.cx, object, place, binder);
                None
            }
        }
    }

    /// Ends the visit of an object after the tasks of its parts.
    pub(super) fn end(&mut self, visit: Option<Visit>) {
        if let Some(visit) = visit {
            if self.next.is_empty() {
                self.cx.memo.end(&visit, &self.cx.scopes);
            } else {
                self.next.push(Task::EndVisit(visit));
            }
        }
    }

    /// Goes to the structural information of the expression at `place`.
    fn info_of(&mut self, info: &'a Option<StructInfo>, place: Place, role: Role) {
        if let Some(info) = info {
            let place = self.cx.places.field(place, Field::StructInfo);
            self.then(Task::Info(view(info), place, role));
        }
    }

    fn expr(&mut self, object: ObjectView<'a>, place: Place, slot: Slot) {
        // A variable may stand in every slot.
        if let Some(var) = object.node::<VarNode>() {
            return self.variable(var, object, place);
        }
        normal_form::check_slot(&mut self.cx, object, place, slot);
        if object.node::<OpNode>().is_some() {
            if slot != Slot::Callee {
                expressions::check_op(&mut self.cx, object, place);
            }
            return;
        }
        if let Some(program) = object.node::<PrimFuncNode>() {
            expressions::check_prim_func(&mut self.cx, object, place);
            return loop_walk::check(&mut self.cx, program, place);
        }
        let Some(base) = object.node::<RelaxExprNode>() else { return };
        if base.struct_info.is_none() {
            if object.node::<SeqExprNode>().is_some() {
                expressions::check_missing_inner(&mut self.cx, object, place);
            } else {
                expressions::check_missing(&mut self.cx, object, place);
            }
        }
        if let Some(var) = object.node::<GlobalVarNode>() {
            functions::check_global_var(&mut self.cx, var, object, place);
            self.info_of(&var.struct_info, place, Role::Global);
        } else if object.node::<FunctionNode>().is_some() {
            self.function(object, place, None);
        } else {
            let surroundings = self.cx.scopes.surroundings();
            if let Some(visit) = self.begin(object, place, surroundings) {
                self.parts(object, base, place);
                self.end(visit);
            }
        }
    }

    fn variable(&mut self, var: &'a VarNode, object: ObjectView<'a>, place: Place) {
        if var.struct_info.is_none() {
            expressions::check_missing(&mut self.cx, object, place);
        }
        if object.node::<DataflowVarNode>().is_some() {
            dataflow::resolve(&mut self.cx, object, place);
        } else {
            variables::resolve(&mut self.cx, object, place);
        }
        if self.checks_captures {
            self.info_of(&var.struct_info, place, Role::Use);
        }
    }

    /// Goes to the parts of an expression.
    fn parts(&mut self, object: ObjectView<'a>, base: &'a RelaxExprNode, place: Place) {
        if let Some(call) = object.node::<CallNode>() {
            self.call(call, object, place);
        } else if let Some(tuple) = object.node::<TupleNode>() {
            self.parts_of(tuple.fields.as_slice(), place, Field::Fields, Slot::Field);
        } else if let Some(item) = object.node::<TupleGetItemNode>() {
            self.part(&item.tuple_value, place, Field::TupleValue, Slot::Tuple);
        } else if let Some(branches) = object.node::<IfNode>() {
            dataflow::check_if(&mut self.cx, object, place);
            types::check_condition(&mut self.cx, branches, place);
            self.part(&branches.cond, place, Field::Cond, Slot::Condition);
            self.part(&branches.true_branch, place, Field::TrueBranch, Slot::Body);
            self.part(&branches.false_branch, place, Field::FalseBranch, Slot::Body);
        } else if let Some(sequence) = object.node::<SeqExprNode>() {
            self.sequence(sequence, place);
            return self.compare_parts(object, place);
        } else if let Some(shape) = object.node::<ShapeExprNode>() {
            let at = self.cx.places.field(place, Field::Values);
            shape_variables::check_dims(&mut self.cx, shape.values.as_slice(), at);
            self.dims(shape.values.as_slice(), at, Role::Expression);
        } else if let Some(value) = object.node::<PrimValueNode>() {
            let place = self.cx.places.field(place, Field::Value);
            struct_info::check_prim_value(&mut self.cx, view(&value.value), place);
            // The data type in the structural information is the data type of the value.
            if base.struct_info.is_none() {
                struct_info::check_prim(&mut self.cx, value.value.dtype, view(&value.value), place);
            }
            self.then(Task::Scalar(view(&value.value), place, Role::Scalar));
        }
        self.info_of(&base.struct_info, place, Role::Annotation);
        self.compare_parts(object, place);
    }

    /// Compares the structural information of an expression with the one of its parts after them, or infers it.
    fn compare_parts(&mut self, object: ObjectView<'a>, place: Place) {
        if self.checks_types && Inferred::follows_from_parts(object) {
            self.then(Task::Parts(object, place));
        }
    }

    /// Goes to the part of an expression in a field.
    fn part<H: ObjectHandle>(&mut self, part: &'a H, place: Place, field: Field, slot: Slot) {
        let place = self.cx.places.field(place, field);
        self.then(Task::Expr(view(part), place, slot));
    }

    /// Goes to the parts of an expression in a field with an array.
    fn parts_of<H: ObjectHandle>(&mut self, parts: &'a [H], place: Place, field: Field, slot: Slot) {
        let array = self.cx.places.field(place, field);
        for (index, part) in parts.iter().enumerate() {
            let place = self.cx.places.item(array, index);
            self.then(Task::Expr(view(part), place, slot));
        }
    }

    fn call(&mut self, call: &'a CallNode, object: ObjectView<'a>, place: Place) {
        let callee = view(&call.op);
        let is_named = callee.node::<GlobalVarNode>().is_some() || callee.node::<VarNode>().is_some();
        if let (true, Some(&caller)) = (is_named, self.cx.open_functions.last()) {
            let order = self.cx.findings.now();
            let is_in_dataflow = self.cx.scopes.dataflow().is_some();
            let callee = callee.address();
            self.cx.calls.push(FunctionCall { order, call: object, place, caller, callee, is_in_dataflow });
        }
        let inference = loop_programs::check_call(&mut self.cx, call, object, place);
        self.cx.look_up(&call.op);
        purity::check_call(&mut self.cx, call, object, place);
        if self.checks_types {
            types::check_call(&mut self.cx, call, object, place, inference);
        }
        // An operator as the callee keeps all rules.
        if callee.node::<OpNode>().is_none() {
            self.part(&call.op, place, Field::Op, Slot::Callee);
        }
        self.parts_of(call.args.as_slice(), place, Field::Args, Slot::Argument);
        if !call.sinfo_args.as_slice().is_empty() {
            let place = self.cx.places.field(place, Field::SinfoArgs);
            self.infos(call.sinfo_args.as_slice(), place, Role::Expression);
        }
    }

    fn sequence(&mut self, sequence: &'a SeqExprNode, place: Place) {
        let blocks = self.cx.places.field(place, Field::Blocks);
        normal_form::check_blocks(&mut self.cx, sequence, blocks);
        self.then(Task::Open(ScopeKind::Sequence));
        for (index, block) in sequence.blocks.as_slice().iter().enumerate() {
            let place = self.cx.places.item(blocks, index);
            self.then(Task::Block(view(block), place));
        }
        self.part(&sequence.body, place, Field::Body, Slot::Result);
        self.info_of(&sequence.struct_info, place, Role::Annotation);
        self.then(Task::Close);
    }

    fn block(&mut self, object: ObjectView<'a>, place: Place) {
        let Some(block) = object.node::<BindingBlockNode>() else { return };
        let surroundings = self.cx.scopes.surroundings();
        let Some(visit) = self.begin(object, place, surroundings) else { return };
        let is_dataflow = object.node::<DataflowBlockNode>().is_some();
        if is_dataflow {
            self.then(Task::Open(ScopeKind::Dataflow));
        }
        let bindings = block.bindings.as_slice();
        self.cx.scopes.reserve(bindings.len());
        self.cx.memo.reserve(bindings.len());
        let array = self.cx.places.field(place, Field::Bindings);
        for (index, binding) in bindings.iter().enumerate() {
            let place = self.cx.places.item(array, index);
            self.then(Task::Binding(view(binding), place));
        }
        if is_dataflow {
            self.then(Task::Close);
        }
        self.end(visit);
    }

    fn binding(&mut self, object: ObjectView<'a>, place: Place) {
        let Some(binding) = object.node::<BindingNode>() else { return };
        let surroundings = self.cx.scopes.surroundings();
        let at = self.cx.places.field(place, Field::Var);
        let var = Task::Bind(view(&binding.var), at, false);
        let visit = match self.cx.memo.begin(object, surroundings, &self.cx.scopes) {
            Begin::Unshared => None,
            Begin::Visit(visit) => Some(visit),
            // The same binding again: its variable says it all.
            Begin::Known | Begin::BindsAgain(_) => return self.then(var),
        };
        if let Some(binding) = object.node::<VarBindingNode>() {
            let value = view(&binding.value);
            let at = self.cx.places.field(place, Field::Value);
            if value.node::<FunctionNode>().is_some() {
                if binding.value.struct_info.is_none() {
                    expressions::check_missing(&mut self.cx, value, at);
                }
                // A local function may call itself.
                self.then(var);
                self.then(Task::Function(value, at, Some(view(&binding.var))));
            } else {
                self.then(Task::Expr(value, at, Slot::Value));
                self.then(var);
            }
            if self.checks_types {
                self.then(Task::Compare(object, place));
            }
        } else if let Some(binding) = object.node::<MatchCastNode>() {
            if self.checks_types {
                types::check_cast(&mut self.cx, binding, object, place);
            }
            self.part(&binding.value, place, Field::Value, Slot::Value);
            let at = self.cx.places.field(place, Field::CastStructInfo);
            self.then(Task::Match(view(&binding.struct_info), at));
            self.then(var);
        } else {
            self.then(var);
        }
        self.end(visit);
    }

    fn bind(&mut self, variable: ObjectView<'a>, place: Place, is_parameter: bool) {
        let Some(var) = variable.node::<VarNode>() else { return };
        let is_dataflow = variable.node::<DataflowVarNode>().is_some();
        if is_dataflow {
            dataflow::check_binding(&mut self.cx, variable, place);
        }
        if variables::check_binding(&mut self.cx, variable, place, is_parameter) {
            let scope = if is_dataflow { self.cx.scopes.innermost() } else { self.cx.scopes.ordinary() };
            self.cx.scopes.bind(variable, Bound { scope, place, is_parameter });
            self.cx.memo.binds(Binder { place, scope, is_parameter });
        }
        if var.struct_info.is_none() {
            expressions::check_missing_inner(&mut self.cx, variable, place);
        }
        self.info_of(&var.struct_info, place, Role::Annotation);
    }

    fn function(&mut self, object: ObjectView<'a>, place: Place, name: Option<ObjectView<'a>>) {
        let Some(function) = object.node::<FunctionNode>() else { return };
        let surroundings = self.cx.scopes.surroundings();
        let Some(visit) = self.begin(object, place, surroundings) else { return };
        functions::check_attributes(&mut self.cx, function, object, place);
        let unresolved = self.cx.unresolved.len();
        let (order, outer) = (self.cx.findings.now(), self.cx.open_functions.last().copied());
        let index = self.cx.functions.len();
        let (end, has_known_signature) = (index + 1, false);
        self.cx.functions.push(FunctionInfo { function, object, place, order, name, outer, end, has_known_signature });
        self.cx.open_functions.push(index);
        self.cx.scopes.push(ScopeKind::Function);
        // A parameter may use the shape variables of later ones.
        let array = self.cx.places.field(place, Field::Params);
        let first = self.cx.places.items(array, function.params.view().len());
        for (param, place) in function.params.as_slice().iter().zip(first.clone()) {
            if let Some(info) = &param.struct_info {
                self.bind_shape_variables(view(info), place, true);
            }
        }
        for (param, place) in function.params.as_slice().iter().zip(first) {
            self.then(Task::Bind(view(param), place, true));
        }
        let at = self.cx.places.field(place, Field::RetStructInfo);
        self.then(Task::Info(view(&function.ret_struct_info), at, Role::Result));
        self.then(Task::Signature(index, unresolved));
        self.part(&function.body, place, Field::Body, Slot::Body);
        if self.checks_types {
            self.then(Task::Result(index));
        }
        self.then(Task::Close);
        self.then(Task::EndFunction(index));
        self.end(visit);
    }
}
