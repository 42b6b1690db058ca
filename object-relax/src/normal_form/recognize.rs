//! [`is_normal`]: whether a program is in normal form already.

use object_core::prelude::*;
use object_ir::ir::{
    Binding, BindingBlock, DataflowBlock, DataflowVar, GlobalVar, MatchCast, Op, RelaxExpr, SeqExpr, Tuple, Var,
    VarBinding,
};
use object_ir::kind::RelaxExprKind;
use rustc_hash::FxHashSet;

use super::leaf::{is_leaf, is_void_var, lacks_result};
use super::operator_form::has_operator_form;

/// Whether [`Normalizer`](super::Normalizer) returns the same object: the expression is in normal form, and each part has
/// structural information.
///
/// The answer takes one visit of each part, and allocates memory for the open branches and functions only.
///
/// ```
/// use object_ir::ir::{RelaxExpr, TensorStructInfo, Var};
/// use object_relax::normal_form::is_normal;
/// use object_relax::op;
///
/// let x = Var::of("x", TensorStructInfo::of([2], "float32")?);
/// assert!(is_normal(&(&x).into()));
/// assert!(!is_normal(&op::exp(op::exp(x)).into()));
/// # Ok::<(), object_core::Error>(())
/// ```
#[must_use]
pub fn is_normal(expr: &RelaxExpr) -> bool {
    let mut check = Check { pending: Vec::new(), seen: FxHashSet::default() };
    if let Some(seq) = expr.downcast_ref::<SeqExpr>() {
        check.pending.push(Part::Sequence(seq));
    } else if !check.value(expr) {
        return false;
    }
    while let Some(part) = check.pending.pop() {
        let is_normal = match part {
            Part::Fields(tuple) => check.tuple(tuple),
            Part::Sequence(seq) => check.sequence(seq),
        };
        if !is_normal {
            return false;
        }
    }
    true
}

enum Part<'a> {
    Fields(&'a Tuple),
    Sequence(&'a SeqExpr),
}

struct Check<'a> {
    pending: Vec<Part<'a>>,
    /// The addresses of the visited tuples and sequences that have several references.
    seen: FxHashSet<usize>,
}

impl<'a> Check<'a> {
    /// Whether an object is visited for the first time, as far as it may be visited again.
    fn is_new(&mut self, object: &ObjectRef) -> bool {
        object.use_count() < 2 || self.seen.insert(object.view().address())
    }

    fn push_sequence(&mut self, seq: &'a SeqExpr) {
        if self.is_new(seq.as_object()) {
            self.pending.push(Part::Sequence(seq));
        }
    }

    fn sequence(&mut self, seq: &'a SeqExpr) -> bool {
        let mut previous = None;
        let has_normal_blocks = seq.blocks.as_slice().iter().all(|block| {
            let is_dataflow = block.is::<DataflowBlock>();
            previous.replace(is_dataflow) != Some(is_dataflow) && self.block(block, is_dataflow)
        });
        has_normal_blocks && seq.struct_info.is_some() && self.operand(&seq.body)
    }

    fn block(&mut self, block: &'a BindingBlock, is_dataflow: bool) -> bool {
        let bindings = block.bindings.as_slice();
        !bindings.is_empty() && bindings.iter().all(|binding| self.binding(binding, is_dataflow))
    }

    fn binding(&mut self, binding: &'a Binding, is_dataflow: bool) -> bool {
        let is_bound = binding.var.struct_info.is_some() && (is_dataflow || !binding.var.is::<DataflowVar>());
        is_bound
            && if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                self.value(&binding.value)
            } else {
                binding.downcast_ref::<MatchCast>().is_some_and(|binding| self.value(&binding.value))
            }
    }

    /// Whether `expr` is a value of a binding in normal form, apart from the parts that remain pending.
    fn value(&mut self, expr: &'a RelaxExpr) -> bool {
        if is_leaf(expr.as_object().view()) {
            return self.operand(expr);
        }
        if expr.struct_info.is_none() {
            return false;
        }
        match RelaxExprKind::of(expr) {
            RelaxExprKind::Call(call) => {
                self.operand(&call.op)
                    && call.args.as_slice().iter().all(|arg| self.operand(arg))
                    && has_operator_form(call)
            }
            RelaxExprKind::TupleGetItem(member) => self.operand(&member.tuple_value),
            RelaxExprKind::If(it) => {
                self.push_sequence(&it.true_branch);
                self.push_sequence(&it.false_branch);
                self.operand(&it.cond)
            }
            RelaxExprKind::Function(function) => {
                if function.body.struct_info.as_ref().is_some_and(|info| lacks_result(function, info)) {
                    return false;
                }
                self.push_sequence(&function.body);
                function.params.as_slice().iter().all(|param| param.struct_info.is_some())
            }
            RelaxExprKind::SeqExpr(_) => false,
            RelaxExprKind::Tuple(_)
            | RelaxExprKind::Var(_)
            | RelaxExprKind::Constant(_)
            | RelaxExprKind::ShapeExpr(_)
            | RelaxExprKind::PrimValue(_)
            | RelaxExprKind::GlobalVar(_)
            | RelaxExprKind::Op(_)
            | RelaxExprKind::ExternFunc(_)
            | RelaxExprKind::StringImm(_)
            | RelaxExprKind::DataTypeImm(_)
            | RelaxExprKind::PrimFunc(_)
            | RelaxExprKind::Other(_) => true,
        }
    }

    fn operand(&mut self, expr: &'a RelaxExpr) -> bool {
        if expr.is::<Var>() {
            return expr.struct_info.is_some() && !is_void_var(expr);
        }
        if let Some(tuple) = expr.downcast_ref::<Tuple>() {
            if !tuple.fields.is_empty() && self.is_new(tuple.as_object()) {
                self.pending.push(Part::Fields(tuple));
            }
            return expr.struct_info.is_some();
        }
        expr.is::<Op>() || expr.is::<GlobalVar>() || expr.struct_info.is_some() && is_leaf(expr.as_object().view())
    }

    fn tuple(&mut self, tuple: &'a Tuple) -> bool {
        tuple.fields.as_slice().iter().all(|field| self.operand(field))
    }
}
