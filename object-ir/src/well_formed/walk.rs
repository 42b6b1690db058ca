//! [`Walk`]: visits a program in the order of its evaluation, with its scopes, and calls the rules. Its stack is a
//! `Vec`, so deep programs do not overflow the machine stack.

use object_core::{ObjectHandle, ObjectView};

use crate::analysis::walk::view;
use crate::ir::{
    BaseFuncNode, BindingBlockNode, BindingNode, CallNode, DataflowBlockNode, DataflowVarNode, FunctionNode,
    GlobalVarNode, IRModuleNode, IfNode, MatchCastNode, OpNode, PrimExprNode, PrimValueNode, RelaxExprNode,
    SeqExprNode, ShapeExprNode, StructInfo, TupleGetItemNode, TupleNode, VarBindingNode, VarNode,
};
use crate::tir::PrimFuncNode;
use crate::well_formed::annotations;
use crate::well_formed::context::{Context, FunctionCall, FunctionInfo};
use crate::well_formed::memo::{Begin, Binder, Visit};
use crate::well_formed::place::{Place, Step};
use crate::well_formed::rules::normal_form::Slot;
use crate::well_formed::rules::shape_variables::Role;
use crate::well_formed::rules::{
    dataflow, expressions, functions, loop_programs, normal_form, purity, shape_variables, struct_info, types,
    variables,
};
use crate::well_formed::scopes::{Bound, Found, ScopeKind};

/// The rest of a walk, the next step last.
enum Task<'a> {
    Expr(ObjectView<'a>, Place, Slot),
    /// A function, and the variable that names it.
    Function(ObjectView<'a>, Place, Option<ObjectView<'a>>),
    Block(ObjectView<'a>, Place),
    Binding(ObjectView<'a>, Place),
    /// A variable whose scope begins.
    Bind(ObjectView<'a>, Place, bool),
    /// The annotation of a `MatchCast`, which binds shape variables.
    Match(ObjectView<'a>, Place),
    Info(ObjectView<'a>, Place, Role),
    Scalar(ObjectView<'a>, Place, Role),
    /// A visited `VarBinding`, whose annotation is compared with its value.
    Compare(ObjectView<'a>, Place),
    /// A function whose signature is visited. If no variables are missing in it, as the number of unresolved variables
    /// before it tells, its result is compared with its body.
    Result(ObjectView<'a>, Place, usize),
    Open(ScopeKind),
    Close,
    EndFunction(usize),
    EndVisit(Visit),
}

/// A walk over a program.
pub(super) struct Walk<'a> {
    cx: Context<'a>,
    tasks: Vec<Task<'a>>,
    /// The tasks of the current object, the next one first.
    next: Vec<Task<'a>>,
    checks_captures: bool,
    checks_types: bool,
    depends_on_function: bool,
}

impl<'a> Walk<'a> {
    /// A walk with a fresh state.
    pub(super) fn new(cx: Context<'a>) -> Self {
        let checks_captures = shape_variables::checks_captures(&cx);
        let depends_on_function = shape_variables::depends_on_function(&cx);
        let checks_types = types::is_on(&cx);
        Walk { cx, tasks: Vec::new(), next: Vec::new(), checks_captures, checks_types, depends_on_function }
    }

    /// Visits all functions of a module.
    pub(super) fn module(mut self, module: &'a IRModuleNode, object: ObjectView<'a>) -> Context<'a> {
        functions::check_entry_point(&mut self.cx, module, object);
        let functions = self.cx.places.field(super::place::Places::ROOT, "functions");
        for (var, function) in module.functions.data().iter() {
            let (Some(var), Some(function)) = (var.as_object(), function.as_object()) else { continue };
            let (Some(name), Some(base)) = (var.node::<GlobalVarNode>(), function.node::<BaseFuncNode>()) else {
                continue;
            };
            let place = self.cx.places.child(functions, Step::Function(&name.name_hint));
            functions::check_name(&mut self.cx, name, base, function, place);
            if let Some(relax) = function.node::<FunctionNode>() {
                if relax.struct_info.is_none() {
                    expressions::check_missing(&mut self.cx, function, place);
                }
                self.next.push(Task::Function(function, place, Some(var)));
            }
        }
        self.run()
    }

    /// Visits an expression.
    pub(super) fn expression(mut self, object: ObjectView<'a>) -> Context<'a> {
        self.next.push(Task::Expr(object, super::place::Places::ROOT, Slot::Value));
        self.run()
    }

    fn run(mut self) -> Context<'a> {
        loop {
            while let Some(task) = self.next.pop() {
                self.tasks.push(task);
            }
            let Some(task) = self.tasks.pop() else { return self.cx };
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
                Task::Compare(object, place) => {
                    if let Some(binding) = object.node::<VarBindingNode>() {
                        types::check_binding(&mut self.cx, binding, object, place);
                    }
                }
                Task::Result(object, place, unresolved) => {
                    if let Some(function) = object.node::<FunctionNode>()
                        && self.cx.unresolved.len() == unresolved
                    {
                        types::check_result(&mut self.cx, function, place);
                    }
                }
                Task::Open(kind) => self.cx.scopes.push(kind),
                Task::Close => self.cx.scopes.pop(),
                Task::EndFunction(index) => {
                    self.cx.open_functions.pop();
                    self.cx.functions[index].end = self.cx.functions.len();
                }
                Task::EndVisit(visit) => self.cx.memo.end(&visit, &self.cx.scopes),
            }
        }
    }

    /// Begins the visit of an object that may be shared. Returns the task that ends it, or nothing if it is known.
    fn begin(&mut self, object: ObjectView<'a>, place: Place, surroundings: usize) -> Option<Option<Visit>> {
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

    fn end(&mut self, visit: Option<Visit>) {
        self.next.extend(visit.map(Task::EndVisit));
    }

    /// Goes to the structural information of the expression at `place`.
    fn info_of(&mut self, info: &'a Option<StructInfo>, place: Place, role: Role) {
        if let Some(info) = info {
            let place = self.cx.places.field(place, "struct_info_");
            self.next.push(Task::Info(view(info), place, role));
        }
    }

    fn expr(&mut self, object: ObjectView<'a>, place: Place, slot: Slot) {
        normal_form::check_slot(&mut self.cx, object, place, slot);
        if object.node::<OpNode>().is_some() {
            if slot != Slot::Callee {
                expressions::check_op(&mut self.cx, object, place);
            }
            return;
        }
        if object.node::<PrimFuncNode>().is_some() {
            return expressions::check_prim_func(&mut self.cx, object, place);
        }
        let Some(base) = object.node::<RelaxExprNode>() else { return };
        if base.struct_info.is_none() {
            if object.node::<SeqExprNode>().is_some() {
                expressions::check_missing_inner(&mut self.cx, object, place);
            } else {
                expressions::check_missing(&mut self.cx, object, place);
            }
        }
        if let Some(var) = object.node::<VarNode>() {
            if object.node::<DataflowVarNode>().is_some() {
                dataflow::resolve(&mut self.cx, object, place);
            } else {
                variables::resolve(&mut self.cx, object, place);
            }
            if self.checks_captures {
                self.info_of(&var.struct_info, place, Role::Use);
            }
        } else if let Some(var) = object.node::<GlobalVarNode>() {
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

    /// Goes to the parts of an expression.
    fn parts(&mut self, object: ObjectView<'a>, base: &'a RelaxExprNode, place: Place) {
        if let Some(call) = object.node::<CallNode>() {
            self.call(call, object, place);
        } else if let Some(tuple) = object.node::<TupleNode>() {
            let places = self.cx.places.items(place, "fields", tuple.fields.view().len());
            let fields = tuple.fields.as_slice().iter().zip(places);
            self.next.extend(fields.map(|(it, place)| Task::Expr(view(it), place, Slot::Part("a field of a tuple"))));
        } else if let Some(item) = object.node::<TupleGetItemNode>() {
            let slot = Slot::Part("the tuple of a `TupleGetItem`");
            self.part(&item.tuple_value, place, "tuple_value", slot);
        } else if let Some(branches) = object.node::<IfNode>() {
            dataflow::check_if(&mut self.cx, object, place);
            types::check_condition(&mut self.cx, branches, place);
            self.part(&branches.cond, place, "cond", Slot::Part("the condition of an `If`"));
            self.part(&branches.true_branch, place, "true_branch", Slot::Body);
            self.part(&branches.false_branch, place, "false_branch", Slot::Body);
        } else if let Some(sequence) = object.node::<SeqExprNode>() {
            return self.sequence(sequence, place);
        } else if let Some(shape) = object.node::<ShapeExprNode>() {
            let places = self.cx.places.items(place, "values", shape.values.view().len());
            for (dim, place) in shape.values.as_slice().iter().zip(places) {
                shape_variables::check_dim(&mut self.cx, view(dim), place);
                if !annotations::is_constant(view(dim)) {
                    self.next.push(Task::Scalar(view(dim), place, Role::Expression));
                }
            }
        } else if let Some(value) = object.node::<PrimValueNode>() {
            let place = self.cx.places.field(place, "value");
            struct_info::check_prim_value(&mut self.cx, view(&value.value), place);
            self.next.push(Task::Scalar(view(&value.value), place, Role::Scalar));
        }
        self.info_of(&base.struct_info, place, Role::Annotation);
    }

    /// Goes to the part of an expression in a field.
    fn part<H: ObjectHandle>(&mut self, part: &'a H, place: Place, field: &'static str, slot: Slot) {
        let place = self.cx.places.field(place, field);
        self.next.push(Task::Expr(view(part), place, slot));
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
        loop_programs::check_call(&mut self.cx, call, object, place);
        purity::check_call(&mut self.cx, call, object, place);
        if self.checks_types {
            types::check_call(&mut self.cx, call, object, place);
        }
        // An operator as the callee keeps all rules.
        if callee.node::<OpNode>().is_none() {
            self.part(&call.op, place, "op", Slot::Callee);
        }
        let places = self.cx.places.items(place, "args", call.args.view().len());
        let args = call.args.as_slice().iter().zip(places);
        self.next.extend(args.map(|(it, place)| Task::Expr(view(it), place, Slot::Part("an argument of a call"))));
        let places = self.cx.places.items(place, "sinfo_args", call.sinfo_args.view().len());
        let infos = call.sinfo_args.as_slice().iter().zip(places);
        self.next.extend(infos.map(|(it, place)| Task::Info(view(it), place, Role::Expression)));
    }

    fn sequence(&mut self, sequence: &'a SeqExprNode, place: Place) {
        let places = self.cx.places.items(place, "blocks", sequence.blocks.view().len());
        normal_form::check_blocks(&mut self.cx, sequence, places.clone());
        self.next.push(Task::Open(ScopeKind::Sequence));
        let blocks = sequence.blocks.as_slice().iter().zip(places);
        self.next.extend(blocks.map(|(block, place)| Task::Block(view(block), place)));
        self.part(&sequence.body, place, "body", Slot::Part("the result of a `SeqExpr`"));
        self.info_of(&sequence.struct_info, place, Role::Annotation);
        self.next.push(Task::Close);
    }

    fn block(&mut self, object: ObjectView<'a>, place: Place) {
        let Some(block) = object.node::<BindingBlockNode>() else { return };
        let surroundings = self.cx.scopes.surroundings();
        let Some(visit) = self.begin(object, place, surroundings) else { return };
        let is_dataflow = object.node::<DataflowBlockNode>().is_some();
        if is_dataflow {
            self.next.push(Task::Open(ScopeKind::Dataflow));
        }
        let places = self.cx.places.items(place, "bindings", block.bindings.view().len());
        let bindings = block.bindings.as_slice().iter().zip(places);
        self.next.extend(bindings.map(|(binding, place)| Task::Binding(view(binding), place)));
        if is_dataflow {
            self.next.push(Task::Close);
        }
        self.end(visit);
    }

    fn binding(&mut self, object: ObjectView<'a>, place: Place) {
        let Some(binding) = object.node::<BindingNode>() else { return };
        let surroundings = self.cx.scopes.surroundings();
        let at = self.cx.places.field(place, "var");
        let var = Task::Bind(view(&binding.var), at, false);
        let visit = match self.cx.memo.begin(object, surroundings, &self.cx.scopes) {
            Begin::Unshared => None,
            Begin::Visit(visit) => Some(visit),
            // The same binding again: its variable says it all.
            Begin::Known | Begin::BindsAgain(_) => return self.next.push(var),
        };
        if let Some(binding) = object.node::<VarBindingNode>() {
            let value = view(&binding.value);
            let at = self.cx.places.field(place, "value");
            if value.node::<FunctionNode>().is_some() {
                // A local function may call itself.
                self.next.push(var);
                if binding.value.struct_info.is_none() {
                    expressions::check_missing(&mut self.cx, value, at);
                }
                self.next.push(Task::Function(value, at, Some(view(&binding.var))));
            } else {
                self.next.push(Task::Expr(value, at, Slot::Value));
                self.next.push(var);
            }
            if self.checks_types {
                self.next.push(Task::Compare(object, place));
            }
        } else if let Some(binding) = object.node::<MatchCastNode>() {
            if self.checks_types {
                types::check_cast(&mut self.cx, binding, object, place);
            }
            self.part(&binding.value, place, "value", Slot::Value);
            let at = self.cx.places.field(place, "struct_info");
            self.next.push(Task::Match(view(&binding.struct_info), at));
            self.next.push(var);
        } else {
            self.next.push(var);
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
        self.cx.functions.push(FunctionInfo { function, object, place, order, name, outer, end: index + 1 });
        self.cx.open_functions.push(index);
        self.cx.scopes.push(ScopeKind::Function);
        let places = self.cx.places.items(place, "params", function.params.view().len());
        for (param, place) in function.params.as_slice().iter().zip(places) {
            if let Some(info) = &param.struct_info {
                self.bind_shape_variables(view(info), place, true);
            }
            self.next.push(Task::Bind(view(param), place, true));
        }
        let at = self.cx.places.field(place, "ret_struct_info");
        self.next.push(Task::Info(view(&function.ret_struct_info), at, Role::Result));
        if self.checks_types {
            self.next.push(Task::Result(object, place, unresolved));
        }
        self.part(&function.body, place, "body", Slot::Body);
        self.next.extend([Task::Close, Task::EndFunction(index)]);
        self.end(visit);
    }

    fn match_info(&mut self, info: ObjectView<'a>, place: Place) {
        self.bind_shape_variables(info, place, false);
        self.next.push(Task::Info(info, place, Role::Expression));
    }

    /// Binds the shape variables that are a whole dimension in `info`. A signature binds them anew; a match checks
    /// variables that are in scope already.
    fn bind_shape_variables(&mut self, info: ObjectView<'a>, place: Place, is_signature: bool) {
        let scope = self.cx.scopes.ordinary();
        let limit = if is_signature {
            scope.depth
        } else if self.checks_captures {
            self.cx.scopes.function().depth
        } else {
            0
        };
        for variable in annotations::whole_dimensions(info) {
            let is_bound = matches!(self.cx.scopes.find(variable), Found::Open(it) if it.scope.depth >= limit);
            if !is_bound {
                self.cx.scopes.bind(variable, Bound { scope, place, is_parameter: false });
            }
        }
    }

    fn info(&mut self, info: ObjectView<'a>, place: Place, role: Role) {
        let function = if self.depends_on_function { self.cx.scopes.function().number() } else { 0 };
        let Some(visit) = self.begin(info, place, function * Role::COUNT + role as usize) else { return };
        let parts = annotations::check(&mut self.cx, info, place);
        if parts.is_signature {
            self.cx.scopes.push(ScopeKind::Signature);
            for (part, place) in &parts.infos {
                self.bind_shape_variables(*part, *place, true);
            }
        }
        let role = if parts.result.is_some() && role != Role::Use { Role::Signature } else { role };
        self.next.extend(parts.scalars.into_iter().map(|(it, place)| Task::Scalar(it, place, role)));
        self.next.extend(parts.infos.into_iter().chain(parts.result).map(|(it, place)| Task::Info(it, place, role)));
        if parts.is_signature {
            self.next.push(Task::Close);
        }
        self.end(visit);
    }

    fn scalar(&mut self, scalar: ObjectView<'a>, place: Place, role: Role) {
        if annotations::is_shape_variable(scalar) {
            return shape_variables::resolve(&mut self.cx, scalar, place, role);
        }
        if scalar.node::<PrimExprNode>().is_none() || annotations::is_constant(scalar) {
            return;
        }
        let function = if self.depends_on_function { self.cx.scopes.function().number() } else { 0 };
        let Some(visit) = self.begin(scalar, place, function * Role::COUNT + role as usize) else { return };
        let parts = annotations::scalar_parts(&mut self.cx, scalar, place);
        if !parts.bound.is_empty() {
            self.cx.scopes.push(ScopeKind::Signature);
            let scope = self.cx.scopes.innermost();
            for (variable, place) in &parts.bound {
                self.cx.scopes.bind(*variable, Bound { scope, place: *place, is_parameter: false });
            }
        }
        self.next.extend(parts.scalars.into_iter().map(|(it, place)| Task::Scalar(it, place, role)));
        if !parts.bound.is_empty() {
            self.next.push(Task::Close);
        }
        self.end(visit);
    }
}
