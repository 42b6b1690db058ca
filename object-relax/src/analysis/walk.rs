//! [`walk`]: the expressions, bindings, annotations and scalars of a program in the order of evaluation, for analyses.
//! The walk keeps its tasks in a `Vec`, so deep programs need no machine stack.
//!
//! Analyses of the order of evaluation go through this walk; [`CallGraph`](super::CallGraph), which needs no order,
//! uses the walk of `object-core`. An analysis is an [`Observer`]: callbacks for variables, shape variables,
//! expressions, and for regions that begin and end. The walk visits a shared object once for each number that
//! [`Observer::context`] returns, such as the address of the binding at hand. This number must not depend on the order
//! of the walk, or shared nests of functions would take exponential time.

use object_core::object::FieldRole;
use object_core::{AnyView, ObjectHandle, ObjectView};
use object_ir::distributed::DTensorStructInfoNode;
use object_ir::ir::{
    BindingBlockNode, BindingNode, CallNode, ExternFuncNode, FuncStructInfoNode, FunctionNode, GlobalVarNode, IfNode,
    MatchCastNode, PrimExprNode, PrimStructInfoNode, PrimValueNode, RelaxExprNode, SeqExprNode, ShapeExprNode,
    ShapeStructInfoNode, StructInfo, TensorStructInfoNode, TupleGetItemNode, TupleNode, TupleStructInfoNode,
    VarBindingNode, VarNode,
};
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

/// The rest of a walk.
enum Task<'a> {
    Expr(ObjectView<'a>),
    Block(ObjectView<'a>),
    Binding(ObjectView<'a>),
    Bind(ObjectView<'a>),
    Info(ObjectView<'a>, Role),
    Scalar(ObjectView<'a>, Role),
    Begin(Region, ObjectView<'a>),
    End(Region, ObjectView<'a>),
}

/// A handle as a view.
pub(crate) fn view<H: ObjectHandle>(handle: &H) -> ObjectView<'_> {
    handle.as_object().view()
}

struct Walk<'o, 'a, O> {
    observer: &'o mut O,
    /// The next task is the last one.
    tasks: Vec<Task<'a>>,
    /// The tasks of the current object, the next one first.
    next: Vec<Task<'a>>,
    visited: FxHashSet<(usize, usize, Role)>,
    /// The variables that scalar expressions bind.
    hidden: FxHashSet<usize>,
}

/// Walks an expression, a block, a binding, structural information or a scalar.
pub(crate) fn walk<'a, O: Observer<'a>>(root: ObjectView<'a>, observer: &mut O) {
    let mut walk = Walk {
        observer,
        tasks: Vec::new(),
        next: Vec::new(),
        visited: FxHashSet::default(),
        hidden: FxHashSet::default(),
    };
    walk.tasks.push(task_of(root));
    walk.run();
}

/// Walks structural information alone, in one role.
pub(crate) fn walk_info<'a, O: Observer<'a>>(info: &'a StructInfo, role: Role, observer: &mut O) {
    let (visited, hidden) = (FxHashSet::default(), FxHashSet::default());
    let mut walk = Walk { observer, tasks: vec![Task::Info(view(info), role)], next: Vec::new(), visited, hidden };
    walk.run();
}

fn task_of(root: ObjectView<'_>) -> Task<'_> {
    if root.node::<RelaxExprNode>().is_some() {
        Task::Expr(root)
    } else if root.node::<BindingBlockNode>().is_some() {
        Task::Block(root)
    } else if root.node::<BindingNode>().is_some() {
        Task::Binding(root)
    } else if root.node::<PrimExprNode>().is_some() {
        Task::Scalar(root, Role::Mention)
    } else {
        Task::Info(root, Role::Mention)
    }
}

impl<'a, O: Observer<'a>> Walk<'_, 'a, O> {
    fn run(&mut self) {
        loop {
            while let Some(task) = self.next.pop() {
                self.tasks.push(task);
            }
            let Some(task) = self.tasks.pop() else { return };
            match task {
                Task::Expr(expr) => self.expr(expr),
                Task::Block(block) => self.block(block),
                Task::Binding(binding) => self.binding(binding),
                Task::Bind(var) => self.bind(var),
                Task::Info(info, role) => self.info(info, role),
                Task::Scalar(scalar, role) => self.scalar(scalar, role),
                Task::Begin(region, object) => self.observer.begin(region, object),
                Task::End(region, object) => self.observer.end(region, object),
            }
        }
    }

    /// Whether the walk visits an object that may be shared.
    fn enters(&mut self, object: ObjectView<'_>, role: Role) -> bool {
        object.use_count() <= 1 || self.visited.insert((object.address(), self.observer.context(), role))
    }

    fn exprs<H: ObjectHandle>(&mut self, exprs: &'a [H]) {
        self.next.extend(exprs.iter().map(|it| Task::Expr(view(it))));
    }

    fn scalars<H: ObjectHandle>(&mut self, scalars: &'a [H], role: Role) {
        self.next.extend(scalars.iter().map(|it| Task::Scalar(view(it), role)));
    }

    fn infos(&mut self, infos: &'a [StructInfo], role: Role) {
        self.next.extend(infos.iter().map(|it| Task::Info(view(it), role)));
    }

    fn info_of(&mut self, info: &'a Option<StructInfo>, role: Role) {
        if O::INFOS {
            self.next.extend(info.iter().map(|info| Task::Info(view(info), role)));
        }
    }

    fn expr(&mut self, expr: ObjectView<'a>) {
        if let Some(var) = expr.node::<VarNode>() {
            self.observer.use_var(expr);
            return self.info_of(&var.struct_info, Role::Mention);
        }
        if !self.enters(expr, Role::Mention) {
            return;
        }
        let Some(base) = expr.node::<RelaxExprNode>() else { return };
        if !self.observer.expr(expr) {
            return;
        }
        if let Some(call) = expr.node::<CallNode>() {
            self.next.push(Task::Expr(view(&call.op)));
            if O::INFOS {
                self.infos(call.sinfo_args.as_slice(), Role::Mention);
            }
            self.exprs(call.args.as_slice());
        } else if let Some(tuple) = expr.node::<TupleNode>() {
            self.exprs(tuple.fields.as_slice());
        } else if let Some(item) = expr.node::<TupleGetItemNode>() {
            self.next.push(Task::Expr(view(&item.tuple_value)));
        } else if let Some(branches) = expr.node::<IfNode>() {
            self.next.push(Task::Expr(view(&branches.cond)));
            self.next.push(Task::Expr(view(&branches.true_branch)));
            self.next.push(Task::Expr(view(&branches.false_branch)));
        } else if let Some(sequence) = expr.node::<SeqExprNode>() {
            self.next.push(Task::Begin(Region::Sequence, expr));
            self.next.extend(sequence.blocks.as_slice().iter().map(|it| Task::Block(view(it))));
            self.next.push(Task::Expr(view(&sequence.body)));
            self.info_of(&base.struct_info, Role::Mention);
            return self.next.push(Task::End(Region::Sequence, expr));
        } else if let Some(shape) = expr.node::<ShapeExprNode>() {
            self.scalars(shape.values.as_slice(), Role::Mention);
        } else if let Some(value) = expr.node::<PrimValueNode>() {
            self.next.push(Task::Scalar(view(&value.value), Role::Mention));
        } else if let Some(function) = expr.node::<FunctionNode>() {
            return self.function(function, expr);
        } else if expr.node::<GlobalVarNode>().is_some() || expr.node::<ExternFuncNode>().is_some() {
            // The signature of a global function mentions no variables of other functions.
            return;
        }
        self.info_of(&base.struct_info, Role::Mention);
    }

    fn function(&mut self, function: &'a FunctionNode, object: ObjectView<'a>) {
        self.next.push(Task::Begin(Region::Function, object));
        for param in function.params.as_slice() {
            self.info_of(&param.struct_info, Role::Define);
        }
        self.next.extend(function.params.as_slice().iter().map(|it| Task::Bind(view(it))));
        self.next.push(Task::Expr(view(&function.body)));
        if O::INFOS {
            self.next.push(Task::Info(view(&function.ret_struct_info), Role::Mention));
        }
        self.next.push(Task::End(Region::Function, object));
    }

    fn block(&mut self, object: ObjectView<'a>) {
        let Some(block) = object.node::<BindingBlockNode>() else { return };
        if self.enters(object, Role::Mention) {
            self.next.push(Task::Begin(Region::Block, object));
            self.next.extend(block.bindings.as_slice().iter().map(|it| Task::Binding(view(it))));
            self.next.push(Task::End(Region::Block, object));
        }
    }

    fn binding(&mut self, object: ObjectView<'a>) {
        let Some(binding) = object.node::<BindingNode>() else { return };
        if !self.enters(object, Role::Mention) {
            return;
        }
        self.next.push(Task::Begin(Region::Binding, object));
        if let Some(binding) = object.node::<VarBindingNode>() {
            self.next.push(Task::Expr(view(&binding.value)));
        } else if let Some(binding) = object.node::<MatchCastNode>() {
            self.next.push(Task::Expr(view(&binding.value)));
            if O::INFOS {
                let info = view(&binding.struct_info);
                self.next.extend([Task::Info(info, Role::Define), Task::Info(info, Role::Mention)]);
            }
        }
        self.next.push(Task::Bind(view(&binding.var)));
        self.next.push(Task::End(Region::Binding, object));
    }

    fn bind(&mut self, var: ObjectView<'a>) {
        self.observer.bind_var(var);
        if let Some(var) = var.node::<VarNode>() {
            self.info_of(&var.struct_info, Role::Mention);
        }
    }

    fn info(&mut self, object: ObjectView<'a>, role: Role) {
        if !self.enters(object, role) {
            return;
        }
        if let Some(info) = object.node::<TensorStructInfoNode>() {
            let Some(shape) = &info.shape else { return };
            if let Some(shape) = view(shape).node::<ShapeExprNode>() {
                self.scalars(shape.values.as_slice(), role);
            } else if role == Role::Mention && view(shape).node::<VarNode>().is_none() {
                self.next.push(Task::Expr(view(shape)));
            } else {
                if role == Role::Mention {
                    self.observer.use_as_shape(view(shape));
                }
                self.info_of(&shape.struct_info, role);
            }
        } else if let Some(info) = object.node::<ShapeStructInfoNode>() {
            self.scalars(info.values.as_ref().map_or(&[], |values| values.as_slice()), role);
        } else if let Some(info) = object.node::<PrimStructInfoNode>() {
            self.next.extend(info.value.iter().map(|it| Task::Scalar(view(it), role)));
        } else if let Some(info) = object.node::<TupleStructInfoNode>() {
            self.infos(info.fields.as_slice(), role);
        } else if let Some(info) = object.node::<DTensorStructInfoNode>() {
            self.next.push(Task::Info(view(&info.tensor_sinfo), role));
        } else if let (Some(info), Role::Mention) = (object.node::<FuncStructInfoNode>(), role) {
            let params = info.params.as_ref().map_or(&[][..], |params| params.as_slice());
            self.infos(params, Role::Define);
            self.infos(params, Role::Mention);
            self.next.push(Task::Info(view(&info.ret), Role::Mention));
        }
    }

    fn scalar(&mut self, scalar: ObjectView<'a>, role: Role) {
        if scalar.node::<tir::VarNode>().is_some() {
            if !self.hidden.contains(&scalar.address()) {
                self.observer.shape_var(scalar, role);
            }
            return;
        }
        // Only a variable that is a whole dimension is bound.
        if role == Role::Define || scalar.node::<PrimExprNode>().is_none() || !self.enters(scalar, role) {
            return;
        }
        for (field, value) in scalar.fields() {
            let Some(object) = value.as_object() else { continue };
            let parts: Vec<ObjectView<'a>> = match object.as_array() {
                Some(array) => array.iter().filter_map(AnyView::as_object).collect(),
                None => vec![object],
            };
            for part in parts.into_iter().filter(|it| it.node::<PrimExprNode>().is_some()) {
                if field.meta().role == FieldRole::Def {
                    self.hidden.insert(part.address());
                } else {
                    self.next.push(Task::Scalar(part, role));
                }
            }
        }
    }
}
