//! [`walk`]: the expressions, bindings, annotations and scalars of a program in the order of evaluation, for analyses.
//! Analyses of the order of evaluation go through this walk; [`CallGraph`](super::CallGraph), which needs no order,
//! uses the walk of `object-core`. An analysis is an [`Observer`]: callbacks for variables, shape variables,
//! expressions, and for regions that begin and end. The walk visits a shared object once for each number that
//! [`Observer::context`] returns, such as the address of the binding at hand. This number must not depend on the order
//! of the walk, or shared nests of functions would take exponential time.

use object_core::object::FieldRole;
use object_core::stack_budget::with_stack;
use object_core::{AnyView, ObjectHandle, ObjectRef, ObjectView};
use object_ir::ir::{
    Binding, BindingBlock, Function, PrimExpr, PrimExprNode, RelaxExpr, SeqExpr, StructInfo, TensorStructInfo, Var,
};
use object_ir::kind::{BindingKind, RelaxExprKind, StructInfoKind};
use object_ir::tir;
use rustc_hash::FxHashSet;

/// Whether structural information binds shape variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// The parameters of a function, and the annotation of a `MatchCast`: a variable that is a whole dimension is bound.
    Define,
    /// All other places, and the same places once more for the variables that they use.
    Mention,
}

/// A part of a program that begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// A function.
    Function,
    /// A sequence: the scope of the variables in it.
    Sequence,
    /// A block.
    Block,
    /// A binding with its value. The variable of the binding is bound in it.
    Binding,
}

/// The callbacks of a walk.
pub(crate) trait Observer<'a> {
    /// A number for the surroundings. The walk visits a shared object once for each number.
    fn context(&self) -> usize {
        0
    }

    /// An expression before its parts, apart from variables. `false` skips the parts.
    fn expr(&mut self, _expr: ObjectView<'a>) -> bool {
        true
    }

    /// The use of a variable.
    fn use_var(&mut self, _var: ObjectView<'a>) {}

    /// The use of a variable as the shape of a tensor in structural information.
    fn use_as_shape(&mut self, var: ObjectView<'a>) {
        self.use_var(var);
    }

    /// A variable becomes a parameter or the variable of a binding.
    fn bind_var(&mut self, _var: ObjectView<'a>) {}

    /// A region begins.
    fn begin(&mut self, _region: Region, _object: ObjectView<'a>) {}

    /// A region ends.
    fn end(&mut self, _region: Region, _object: ObjectView<'a>) {}

    /// The occurrence of a shape variable: a binding of it, or a use.
    fn shape_var(&mut self, _var: ObjectView<'a>, _role: Role) {}

    /// Whether the walk goes to structural information at all.
    const INFOS: bool = true;
}

/// A handle as a view.
pub(crate) fn view<H: ObjectHandle>(handle: &H) -> ObjectView<'_> {
    handle.as_object().view()
}

struct Walk<'o, O> {
    observer: &'o mut O,
    visited: FxHashSet<(usize, usize, Role)>,
    /// The variables that scalar expressions bind.
    hidden: FxHashSet<usize>,
}

/// Walks an expression, a block, a binding, structural information or a scalar.
pub(crate) fn walk<'a, O: Observer<'a>>(root: &'a impl ObjectHandle, observer: &mut O) {
    Walk::new(observer).root(root.as_object());
}

/// Walks structural information alone, in one role.
pub(crate) fn walk_info<'a, O: Observer<'a>>(info: &'a StructInfo, role: Role, observer: &mut O) {
    Walk::new(observer).info(info, role);
}

impl<'o, 'a, O: Observer<'a>> Walk<'o, O> {
    fn new(observer: &'o mut O) -> Self {
        Walk { observer, visited: FxHashSet::default(), hidden: FxHashSet::default() }
    }

    fn root(&mut self, root: &'a ObjectRef) {
        if let Some(expr) = root.downcast_ref::<RelaxExpr>() {
            self.expr(expr);
        } else if let Some(block) = root.downcast_ref::<BindingBlock>() {
            self.block(block);
        } else if let Some(binding) = root.downcast_ref::<Binding>() {
            self.binding(binding);
        } else if let Some(scalar) = root.downcast_ref::<PrimExpr>() {
            self.scalar(view(scalar), Role::Mention);
        } else if let Some(info) = root.downcast_ref::<StructInfo>() {
            self.info(info, Role::Mention);
        }
    }

    /// Whether the walk visits an object that may be shared.
    fn enters(&mut self, object: ObjectView<'_>, role: Role) -> bool {
        object.use_count() <= 1 || self.visited.insert((object.address(), self.observer.context(), role))
    }

    fn exprs(&mut self, exprs: &'a [RelaxExpr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn scalars(&mut self, scalars: &'a [PrimExpr], role: Role) {
        scalars.iter().for_each(|scalar| self.scalar(view(scalar), role));
    }

    fn infos(&mut self, infos: &'a [StructInfo], role: Role) {
        infos.iter().for_each(|info| self.info(info, role));
    }

    fn info_of(&mut self, info: &'a Option<StructInfo>, role: Role) {
        if let (true, Some(info)) = (O::INFOS, info) {
            self.info(info, role);
        }
    }

    fn expr(&mut self, expr: &'a RelaxExpr) {
        let kind = RelaxExprKind::of(expr);
        if let RelaxExprKind::Var(var) = kind {
            self.observer.use_var(view(var));
            self.info_of(&var.struct_info, Role::Mention);
        } else if self.enters(view(expr), Role::Mention) && self.observer.expr(view(expr)) {
            with_stack(|| self.parts(expr, kind));
        }
    }

    fn parts(&mut self, expr: &'a RelaxExpr, kind: RelaxExprKind<'a>) {
        match kind {
            RelaxExprKind::Call(call) => {
                self.expr(&call.op);
                if O::INFOS {
                    self.infos(call.sinfo_args.as_slice(), Role::Mention);
                }
                self.exprs(call.args.as_slice());
            }
            RelaxExprKind::Tuple(tuple) => self.exprs(tuple.fields.as_slice()),
            RelaxExprKind::TupleGetItem(item) => self.expr(&item.tuple_value),
            RelaxExprKind::If(branches) => {
                self.expr(&branches.cond);
                self.expr(branches.true_branch.as_ref());
                self.expr(branches.false_branch.as_ref());
            }
            RelaxExprKind::SeqExpr(sequence) => return self.sequence(sequence),
            RelaxExprKind::Function(function) => return self.function(function),
            RelaxExprKind::ShapeExpr(shape) => self.scalars(shape.values.as_slice(), Role::Mention),
            RelaxExprKind::PrimValue(value) => self.scalar(view(&value.value), Role::Mention),
            // The signature of a global function mentions no variables of other functions.
            RelaxExprKind::GlobalVar(_) | RelaxExprKind::ExternFunc(_) => return,
            RelaxExprKind::Var(_)
            | RelaxExprKind::Constant(_)
            | RelaxExprKind::Op(_)
            | RelaxExprKind::StringImm(_)
            | RelaxExprKind::DataTypeImm(_)
            | RelaxExprKind::PrimFunc(_)
            | RelaxExprKind::Other(_) => {}
        }
        self.info_of(&expr.struct_info, Role::Mention);
    }

    fn sequence(&mut self, sequence: &'a SeqExpr) {
        self.observer.begin(Region::Sequence, view(sequence));
        sequence.blocks.as_slice().iter().for_each(|block| self.block(block));
        self.expr(&sequence.body);
        self.info_of(&sequence.struct_info, Role::Mention);
        self.observer.end(Region::Sequence, view(sequence));
    }

    fn function(&mut self, function: &'a Function) {
        self.observer.begin(Region::Function, view(function));
        for param in function.params.as_slice() {
            self.info_of(&param.struct_info, Role::Define);
        }
        function.params.as_slice().iter().for_each(|param| self.bind(param));
        self.expr(function.body.as_ref());
        if O::INFOS {
            self.info(&function.ret_struct_info, Role::Mention);
        }
        self.observer.end(Region::Function, view(function));
    }

    fn block(&mut self, block: &'a BindingBlock) {
        if self.enters(view(block), Role::Mention) {
            self.observer.begin(Region::Block, view(block));
            block.bindings.as_slice().iter().for_each(|binding| self.binding(binding));
            self.observer.end(Region::Block, view(block));
        }
    }

    fn binding(&mut self, binding: &'a Binding) {
        if !self.enters(view(binding), Role::Mention) {
            return;
        }
        self.observer.begin(Region::Binding, view(binding));
        match BindingKind::of(binding) {
            BindingKind::VarBinding(binding) => self.expr(&binding.value),
            BindingKind::MatchCast(binding) => {
                self.expr(&binding.value);
                if O::INFOS {
                    self.info(&binding.struct_info, Role::Define);
                    self.info(&binding.struct_info, Role::Mention);
                }
            }
            BindingKind::Other(_) => {}
        }
        self.bind(&binding.var);
        self.observer.end(Region::Binding, view(binding));
    }

    fn bind(&mut self, var: &'a Var) {
        self.observer.bind_var(view(var));
        self.info_of(&var.struct_info, Role::Mention);
    }

    fn info(&mut self, info: &'a StructInfo, role: Role) {
        if self.enters(view(info), role) {
            with_stack(|| self.info_parts(info, role));
        }
    }

    fn info_parts(&mut self, info: &'a StructInfo, role: Role) {
        match StructInfoKind::of(info) {
            StructInfoKind::TensorStructInfo(info) => self.tensor(info, role),
            StructInfoKind::ShapeStructInfo(info) => {
                self.scalars(info.values.as_ref().map_or(&[], |values| values.as_slice()), role);
            }
            StructInfoKind::PrimStructInfo(info) => info.value.iter().for_each(|it| self.scalar(view(it), role)),
            StructInfoKind::TupleStructInfo(info) => self.infos(info.fields.as_slice(), role),
            StructInfoKind::DTensorStructInfo(info) => self.info(info.tensor_sinfo.as_ref(), role),
            StructInfoKind::FuncStructInfo(info) if role == Role::Mention => {
                let params = info.params.as_ref().map_or(&[][..], |params| params.as_slice());
                self.infos(params, Role::Define);
                self.infos(params, Role::Mention);
                self.info(&info.ret, Role::Mention);
            }
            StructInfoKind::FuncStructInfo(_) | StructInfoKind::ObjectStructInfo(_) | StructInfoKind::Other(_) => {}
        }
    }

    fn tensor(&mut self, info: &'a TensorStructInfo, role: Role) {
        let Some(shape) = &info.shape else { return };
        match RelaxExprKind::of(shape) {
            RelaxExprKind::ShapeExpr(shape) => return self.scalars(shape.values.as_slice(), role),
            RelaxExprKind::Var(var) if role == Role::Mention => self.observer.use_as_shape(view(var)),
            _ if role == Role::Mention => return self.expr(shape),
            _ => {}
        }
        self.info_of(&shape.struct_info, role);
    }

    fn scalar(&mut self, scalar: ObjectView<'a>, role: Role) {
        if scalar.node::<tir::VarNode>().is_some() {
            if !self.hidden.contains(&scalar.address()) {
                self.observer.shape_var(scalar, role);
            }
            return;
        }
        // Only a variable that is a whole dimension is bound.
        if role == Role::Mention && self.enters(scalar, role) {
            let parts = self.scalar_parts(scalar);
            with_stack(|| parts.iter().for_each(|part| self.scalar(*part, role)));
        }
    }

    /// The parts of a scalar. The variables that it binds become hidden.
    fn scalar_parts(&mut self, scalar: ObjectView<'a>) -> Vec<ObjectView<'a>> {
        let mut parts = Vec::new();
        for (field, value) in scalar.fields() {
            let Some(object) = value.as_object() else { continue };
            let objects = object.as_array().map(|array| array.iter().filter_map(AnyView::as_object));
            let single = objects.is_none().then_some(object);
            let scalars = objects.into_iter().flatten().chain(single).filter(|it| it.node::<PrimExprNode>().is_some());
            if field.meta().role == FieldRole::Def {
                self.hidden.extend(scalars.map(ObjectView::address));
            } else {
                parts.extend(scalars);
            }
        }
        parts
    }
}
