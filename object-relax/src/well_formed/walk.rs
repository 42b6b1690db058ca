//! [`Walk`]: visits a program in the order of its evaluation, with its scopes, and calls the rules.

use object_core::stack_budget::with_stack;
use object_core::{Array, ObjectHandle, ObjectView};
use object_ir::ir::{
    BaseFuncNode, Binding, BindingBlock, Call, DataflowBlock, DataflowVar, Function, FunctionNode, GlobalVarNode,
    IRModuleNode, If, MatchCast, Op, PrimValue, RelaxExpr, SeqExpr, ShapeExpr, StructInfo, Var, VarBinding,
};
use object_ir::kind::{BindingKind, RelaxExprKind};
use object_ir::tir::PrimFuncNode;

use crate::analysis::walk::view;
use crate::well_formed::context::{Context, FunctionCall, FunctionInfo};
use crate::well_formed::loop_walk;
use crate::well_formed::memo::{Begin, Visit};
use crate::well_formed::place::{Field, Place, Places, Step};
use crate::well_formed::rules::normal_form::Slot;
use crate::well_formed::rules::shape_variables::Role;
use crate::well_formed::rules::{
    dataflow, expressions, functions, loop_programs, normal_form, purity, shape_variables, struct_info, types,
    variables,
};
use crate::well_formed::scopes::{Bound, ScopeKind};

/// A walk over a program.
pub(super) struct Walk<'a> {
    pub(super) cx: Context<'a>,
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
        Walk { cx, checks_captures, checks_types, depends_on_surroundings }
    }

    /// Visits all functions of a module.
    pub(super) fn module(mut self, module: &'a IRModuleNode, object: ObjectView<'a>) -> Context<'a> {
        functions::check_entry_point(&mut self.cx, module, object);
        let functions = self.cx.places.field(Places::ROOT, Field::Functions);
        let repeated = functions::check_names(&mut self.cx, module, functions);
        let mut bodies = Vec::new();
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
                bodies.push((function, place, var));
            } else if let Some(program) = function.node::<PrimFuncNode>() {
                loop_walk::check(&mut self.cx, program, place);
            }
        }
        for (function, place, var) in bodies {
            self.function(function, place, Some(var));
        }
        self.cx
    }

    /// Visits an expression.
    pub(super) fn expression(mut self, root: &'a RelaxExpr) -> Context<'a> {
        self.expr(root, Places::ROOT, Slot::Value);
        self.cx
    }

    /// Begins the visit of an object that may be shared. Returns the visit for [`end`](Self::end), or nothing if the object
    /// is known.
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

    /// Ends the visit of an object.
    pub(super) fn end(&mut self, visit: Option<Visit>) {
        if let Some(visit) = visit {
            self.cx.memo.end(&visit, &self.cx.scopes);
        }
    }

    /// Goes to the structural information of the expression at `place`.
    fn info_of(&mut self, info: &'a Option<StructInfo>, place: Place, role: Role) {
        if let Some(info) = info {
            let place = self.cx.places.field(place, Field::StructInfo);
            self.info(view(info), place, role);
        }
    }

    fn expr(&mut self, expr: &'a RelaxExpr, place: Place, slot: Slot) {
        self.cx.steps += 1;
        let (object, kind) = (view(expr), RelaxExprKind::of(expr));
        // A variable may stand in every slot.
        if let RelaxExprKind::Var(var) = kind {
            return self.variable(var, place);
        }
        normal_form::check_slot(&mut self.cx, object, place, slot);
        match kind {
            RelaxExprKind::Op(_) if slot == Slot::Callee => return,
            RelaxExprKind::Op(_) => return expressions::check_op(&mut self.cx, object, place),
            RelaxExprKind::PrimFunc(program) => {
                expressions::check_prim_func(&mut self.cx, object, place);
                return loop_walk::check(&mut self.cx, program, place);
            }
            RelaxExprKind::SeqExpr(_) if expr.struct_info.is_none() => {
                expressions::check_missing_inner(&mut self.cx, object, place);
            }
            _ if expr.struct_info.is_none() => expressions::check_missing(&mut self.cx, object, place),
            _ => {}
        }
        match kind {
            RelaxExprKind::GlobalVar(var) => {
                functions::check_global_var(&mut self.cx, var, object, place);
                // A loop program states its buffers: no dimension of them binds or needs a variable of Relax.
                let role = if self.cx.is_loop_program(object) { Role::Use } else { Role::Global };
                self.info_of(&var.struct_info, place, role);
            }
            RelaxExprKind::Function(_) => self.function(object, place, None),
            _ => {
                let surroundings = self.cx.scopes.surroundings();
                if let Some(visit) = self.begin(object, place, surroundings) {
                    with_stack(|| self.parts(expr, kind, place));
                    self.end(visit);
                }
            }
        }
    }

    fn variable(&mut self, var: &'a Var, place: Place) {
        if var.struct_info.is_none() {
            expressions::check_missing(&mut self.cx, view(var), place);
        }
        if var.is::<DataflowVar>() {
            dataflow::resolve(&mut self.cx, view(var), place);
        } else {
            variables::resolve(&mut self.cx, view(var), place);
        }
        if self.checks_captures {
            self.info_of(&var.struct_info, place, Role::Use);
        }
    }

    /// Goes to the parts of an expression.
    fn parts(&mut self, expr: &'a RelaxExpr, kind: RelaxExprKind<'a>, place: Place) {
        match kind {
            RelaxExprKind::Call(call) => self.call(call, place),
            RelaxExprKind::Tuple(tuple) => self.parts_of(&tuple.fields, place, Field::Fields, Slot::Field),
            RelaxExprKind::TupleGetItem(item) => self.part(&item.tuple_value, place, Field::TupleValue, Slot::Tuple),
            RelaxExprKind::If(branches) => self.branches(branches, place),
            RelaxExprKind::SeqExpr(sequence) => {
                self.sequence(sequence, place);
                return self.compare_parts(expr, place);
            }
            RelaxExprKind::ShapeExpr(shape) => self.shape(shape, place),
            RelaxExprKind::PrimValue(value) => self.prim_value(value, place),
            RelaxExprKind::Var(_)
            | RelaxExprKind::GlobalVar(_)
            | RelaxExprKind::Op(_)
            | RelaxExprKind::Function(_)
            | RelaxExprKind::PrimFunc(_)
            | RelaxExprKind::Constant(_)
            | RelaxExprKind::ExternFunc(_)
            | RelaxExprKind::StringImm(_)
            | RelaxExprKind::DataTypeImm(_)
            | RelaxExprKind::Other(_) => {}
        }
        // The information of a scalar restates its value.
        let role = if matches!(kind, RelaxExprKind::PrimValue(_)) { Role::Scalar } else { Role::Annotation };
        self.info_of(&expr.struct_info, place, role);
        self.compare_parts(expr, place);
    }

    fn branches(&mut self, branches: &'a If, place: Place) {
        dataflow::check_if(&mut self.cx, view(branches), place);
        types::check_condition(&mut self.cx, branches, place);
        self.part(&branches.cond, place, Field::Cond, Slot::Condition);
        self.part(branches.true_branch.as_ref(), place, Field::TrueBranch, Slot::Body);
        self.part(branches.false_branch.as_ref(), place, Field::FalseBranch, Slot::Body);
    }

    fn shape(&mut self, shape: &'a ShapeExpr, place: Place) {
        let at = self.cx.places.field(place, Field::Values);
        shape_variables::check_dims(&mut self.cx, shape.values.as_slice(), at);
        self.dims(shape.values.as_slice(), at, Role::Expression);
    }

    fn prim_value(&mut self, value: &'a PrimValue, place: Place) {
        let (scalar, place) = (view(&value.value), self.cx.places.field(place, Field::Value));
        struct_info::check_prim_value(&mut self.cx, scalar, place);
        // The data type in the structural information is the data type of the value.
        if value.struct_info.is_none() {
            struct_info::check_prim(&mut self.cx, value.value.dtype, scalar, place);
        }
        self.scalar(scalar, place, Role::Scalar);
    }

    /// Compares the structural information of an expression with the one of its parts after them, or infers it.
    fn compare_parts(&mut self, expr: &'a RelaxExpr, place: Place) {
        match &expr.struct_info {
            _ if !self.checks_types => {}
            Some(stated) => types::check_parts(&mut self.cx, stated, expr, place),
            None => self.cx.inferred.infer(expr, &self.cx.analyzer),
        }
    }

    /// Goes to the part of an expression in a field.
    fn part(&mut self, part: &'a RelaxExpr, place: Place, field: Field, slot: Slot) {
        let place = self.cx.places.field(place, field);
        self.expr(part, place, slot);
    }

    /// Goes to the parts of an expression in a field with an array.
    fn parts_of(&mut self, parts: &'a Array<RelaxExpr>, place: Place, field: Field, slot: Slot) {
        let array = self.cx.places.field(place, field);
        for (index, part) in parts.as_slice().iter().enumerate() {
            let place = self.cx.places.item(array, index);
            self.expr(part, place, slot);
        }
    }

    fn call(&mut self, call: &'a Call, place: Place) {
        self.check_call(call, place);
        // An operator as the callee keeps all rules.
        if !call.op.is::<Op>() {
            self.part(&call.op, place, Field::Op, Slot::Callee);
        }
        self.parts_of(&call.args, place, Field::Args, Slot::Argument);
        if !call.sinfo_args.as_slice().is_empty() {
            let place = self.cx.places.field(place, Field::SinfoArgs);
            self.infos(call.sinfo_args.as_slice(), place, Role::Expression);
        }
    }

    /// Calls the rules about a call without its parts.
    #[inline(never)]
    fn check_call(&mut self, call: &'a Call, place: Place) {
        let (object, callee) = (view(call), view(&call.op));
        let is_named = matches!(RelaxExprKind::of(&call.op), RelaxExprKind::GlobalVar(_) | RelaxExprKind::Var(_));
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
    }

    fn sequence(&mut self, sequence: &'a SeqExpr, place: Place) {
        let blocks = self.cx.places.field(place, Field::Blocks);
        normal_form::check_blocks(&mut self.cx, sequence, blocks);
        self.cx.scopes.push(ScopeKind::Sequence);
        for (index, block) in sequence.blocks.as_slice().iter().enumerate() {
            let place = self.cx.places.item(blocks, index);
            self.block(block, place);
        }
        self.part(&sequence.body, place, Field::Body, Slot::Result);
        self.info_of(&sequence.struct_info, place, Role::Annotation);
        self.cx.scopes.pop();
    }

    fn block(&mut self, block: &'a BindingBlock, place: Place) {
        self.cx.steps += 1;
        let surroundings = self.cx.scopes.surroundings();
        let Some(visit) = self.begin(view(block), place, surroundings) else { return };
        let is_dataflow = block.is::<DataflowBlock>();
        if is_dataflow {
            self.cx.scopes.push(ScopeKind::Dataflow);
        }
        let bindings = block.bindings.as_slice();
        self.cx.scopes.reserve(bindings.len());
        self.cx.memo.reserve(bindings.len());
        let array = self.cx.places.field(place, Field::Bindings);
        for (index, binding) in bindings.iter().enumerate() {
            let place = self.cx.places.item(array, index);
            self.binding(binding, place);
        }
        if is_dataflow {
            self.cx.scopes.pop();
        }
        self.end(visit);
    }

    fn binding(&mut self, binding: &'a Binding, place: Place) {
        self.cx.steps += 1;
        let surroundings = self.cx.scopes.surroundings();
        let at = self.cx.places.field(place, Field::Var);
        let visit = match self.cx.memo.begin(view(binding), surroundings, &self.cx.scopes) {
            Begin::Unshared => None,
            Begin::Visit(visit) => Some(visit),
            // The same binding again: its variable says it all.
            Begin::Known | Begin::BindsAgain(_) => return self.bind(&binding.var, at, false),
        };
        match BindingKind::of(binding) {
            BindingKind::VarBinding(binding) => self.var_binding(binding, place, at),
            BindingKind::MatchCast(binding) => self.match_cast(binding, place, at),
            BindingKind::Other(binding) => self.bind(&binding.var, at, false),
        }
        self.end(visit);
    }

    /// The binding at `place` of a variable at `var`.
    fn var_binding(&mut self, binding: &'a VarBinding, place: Place, var: Place) {
        let value = &binding.value;
        let at = self.cx.places.field(place, Field::Value);
        if value.is::<Function>() {
            if value.struct_info.is_none() {
                expressions::check_missing(&mut self.cx, view(value), at);
            }
            // A local function may call itself.
            self.bind(&binding.var, var, false);
            self.function(view(value), at, Some(view(&binding.var)));
        } else {
            self.expr(value, at, Slot::Value);
            self.bind(&binding.var, var, false);
        }
        if self.checks_types {
            types::check_binding(&mut self.cx, binding, view(binding), place);
        }
    }

    /// The cast at `place` to a variable at `var`.
    fn match_cast(&mut self, binding: &'a MatchCast, place: Place, var: Place) {
        if self.checks_types {
            types::check_cast(&mut self.cx, binding, view(binding), place);
        }
        self.part(&binding.value, place, Field::Value, Slot::Value);
        let at = self.cx.places.field(place, Field::CastStructInfo);
        self.match_info(view(&binding.struct_info), at);
        self.bind(&binding.var, var, false);
    }

    fn bind(&mut self, var: &'a Var, place: Place, is_parameter: bool) {
        self.cx.steps += 1;
        let variable = view(var);
        let is_dataflow = var.is::<DataflowVar>();
        if is_dataflow {
            dataflow::check_binding(&mut self.cx, variable, place);
        }
        if variables::check_binding(&mut self.cx, variable, place, is_parameter) {
            let scope = if is_dataflow { self.cx.scopes.innermost() } else { self.cx.scopes.ordinary() };
            let bound = Bound { scope, place, is_parameter, is_annotation: false };
            self.cx.scopes.bind(variable, bound);
            self.cx.memo.binds(bound);
        }
        if var.struct_info.is_none() {
            expressions::check_missing_inner(&mut self.cx, variable, place);
        }
        self.info_of(&var.struct_info, place, Role::Annotation);
    }

    fn function(&mut self, object: ObjectView<'a>, place: Place, name: Option<ObjectView<'a>>) {
        self.cx.steps += 1;
        let Some(function) = object.node::<FunctionNode>() else { return };
        let surroundings = self.cx.scopes.surroundings();
        let Some(visit) = self.begin(object, place, surroundings) else { return };
        functions::check_attributes(&mut self.cx, function, object, place);
        let (index, outer) = (self.cx.functions.len(), self.cx.open_functions.last().copied());
        let (order, end, has_known_signature) = (self.cx.findings.now(), index + 1, false);
        self.cx.functions.push(FunctionInfo { function, object, place, order, name, outer, end, has_known_signature });
        self.cx.open_functions.push(index);
        self.cx.scopes.push(ScopeKind::Function);
        self.signature(function, index, place);
        self.part(function.body.as_ref(), place, Field::Body, Slot::Body);
        if self.checks_types {
            types::check_result(&mut self.cx, index);
        }
        self.cx.scopes.pop();
        self.cx.open_functions.pop();
        self.cx.functions[index].end = self.cx.functions.len();
        self.end(visit);
    }

    /// Goes to the parameters and the annotation of the result of the function with an index.
    #[inline(never)]
    fn signature(&mut self, function: &'a FunctionNode, index: usize, place: Place) {
        let unresolved = self.cx.unresolved.len();
        // A parameter may use the shape variables of later ones.
        let array = self.cx.places.field(place, Field::Params);
        let first = self.cx.places.items(array, function.params.view().len());
        for (param, place) in function.params.as_slice().iter().zip(first.clone()) {
            if let Some(info) = &param.struct_info {
                self.bind_shape_variables(view(info), place, true);
            }
        }
        for (param, place) in function.params.as_slice().iter().zip(first) {
            if let Some(info) = &param.struct_info {
                self.bind_shapes(view(info), place);
            }
            self.bind(param, place, true);
        }
        let at = self.cx.places.field(place, Field::RetStructInfo);
        self.info(view(&function.ret_struct_info), at, Role::Result);
        self.cx.functions[index].has_known_signature = self.cx.unresolved.len() == unresolved;
    }
}
