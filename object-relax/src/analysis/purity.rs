//! The side effects of calls.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{
    Call, CallNode, ExternFuncNode, FuncStructInfoNode, FunctionNode, Op, OpNode, RelaxExpr, ShapeExpr, StructInfo,
    TensorStructInfo,
};

use crate::analysis::walk::{Observer, view, walk};
use crate::arith::Analyzer;
use crate::derivation::declared_purity;
use crate::op::{InferContext, Purity, declaration, infer};

/// The effect of a call, as far as its callee says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// The call returns a result, and does nothing else.
    None,
    /// The callee may have side effects.
    Impure,
    /// The callee is `call_dps_packed`, which has side effects by the specification, and has none in TVM 0.25.
    DpsPacked,
}

/// The effect of a call: of an operator as it declares, of an external function as its registration
/// [declares](object_core::Function::with_purity), of another function as its structural information says. An external function
/// without declaration and structural information may have side effects; any other callee without it has none, because the
/// checker reports it.
///
/// ```
/// use object_relax::analysis::{Effect, call_effect};
/// use object_ir::ir::Var;
/// use object_relax::op;
///
/// let x = Var::named("x");
/// assert_eq!(call_effect(&op::nn::relu(&x)), Effect::None);
/// assert_eq!(call_effect(&op::print([&x])), Effect::Impure);
/// ```
#[must_use]
pub fn call_effect(call: &CallNode) -> Effect {
    let callee = view(&call.op);
    if let Some(op) = callee.node::<OpNode>() {
        let declared = call.op.downcast_ref::<Op>().and_then(declaration);
        let is_impure = declared.is_some_and(|operator| operator.signature.purity == Purity::Impure);
        return match op.name.as_str() {
            "relax.call_dps_packed" => Effect::DpsPacked,
            _ if is_impure => Effect::Impure,
            _ => Effect::None,
        };
    }
    let info = call.op.struct_info.as_ref().and_then(|info| view(info).node::<FuncStructInfoNode>());
    let is_pure = match (declared_purity(&call.op), info) {
        (Some(is_pure), _) => is_pure,
        (None, Some(info)) => info.purity,
        (None, None) => callee.node::<ExternFuncNode>().is_none(),
    };
    if is_pure { Effect::None } else { Effect::Impure }
}

/// The search for the first call with side effects.
struct ImpureCalls<'a> {
    own_name: Option<ObjectView<'a>>,
    found: Option<Call>,
    root: ObjectView<'a>,
}

impl<'a> Observer<'a> for ImpureCalls<'a> {
    const INFOS: bool = false;

    fn expr(&mut self, expr: ObjectView<'a>) -> bool {
        if self.found.is_some() || (expr.node::<FunctionNode>().is_some() && !expr.ptr_eq(self.root)) {
            return false;
        }
        let Some(call) = expr.node::<CallNode>() else { return true };
        let is_own = self.own_name.is_some_and(|name| name.ptr_eq(view(&call.op)));
        if !is_own && call_effect(call) != Effect::None {
            self.found = expr.to_handle();
        }
        true
    }
}

/// The first call with side effects in an expression, in the order of evaluation, or in the body of a function. Calls in
/// functions inside of it do not count, because they happen when the inner function is called. Calls of `own_name`, a
/// variable or global variable, do not count either: they have the effects of the other calls. (TVM 0.25
/// `src/relax/analysis/analysis.cc`)
#[must_use]
pub fn find_impure_call(expr: &RelaxExpr, own_name: Option<&RelaxExpr>) -> Option<Call> {
    let mut calls = ImpureCalls { own_name: own_name.map(view), found: None, root: view(expr) };
    walk(expr, &mut calls);
    calls.found
}

/// Whether an expression, or the body of a function, contains a call with side effects. [`find_impure_call`] states which
/// calls count. (TVM 0.25 `relax.analysis.contains_impure_call`)
#[must_use]
pub fn contains_impure_call(expr: &RelaxExpr, own_name: Option<&RelaxExpr>) -> bool {
    find_impure_call(expr, own_name).is_some()
}

/// Operators that compute each element from the elements at the same place, for all values.
const ELEMENTWISE: &[&str] = &[
    "relax.abs",
    "relax.acos",
    "relax.acosh",
    "relax.add",
    "relax.asin",
    "relax.asinh",
    "relax.atan",
    "relax.atan2",
    "relax.atanh",
    "relax.bitwise_and",
    "relax.bitwise_not",
    "relax.bitwise_or",
    "relax.bitwise_xor",
    "relax.ceil",
    "relax.cos",
    "relax.cosh",
    "relax.equal",
    "relax.erf",
    "relax.exp",
    "relax.floor",
    "relax.greater",
    "relax.greater_equal",
    "relax.isfinite",
    "relax.isinf",
    "relax.isnan",
    "relax.less",
    "relax.less_equal",
    "relax.log",
    "relax.logical_and",
    "relax.logical_not",
    "relax.logical_or",
    "relax.logical_xor",
    "relax.maximum",
    "relax.minimum",
    "relax.multiply",
    "relax.negative",
    "relax.nn.gelu",
    "relax.nn.gelu_tanh",
    "relax.nn.leakyrelu",
    "relax.nn.relu",
    "relax.nn.selu",
    "relax.nn.silu",
    "relax.nn.softplus",
    "relax.not_equal",
    "relax.power",
    "relax.round",
    "relax.rsqrt",
    "relax.sigmoid",
    "relax.sign",
    "relax.sin",
    "relax.sinh",
    "relax.sqrt",
    "relax.square",
    "relax.subtract",
    "relax.tan",
    "relax.tanh",
    "relax.trunc",
    "relax.where",
];

/// Whether a call may stop the program with an error, or not end. Only calls of elementwise operators over tensors of
/// known shapes certainly return: the shapes decide whether they fit, and each element has a result. All other callees
/// may check their arguments at run time.
#[must_use]
pub fn may_fail(call: &Call) -> bool {
    let is_elementwise = call.op.downcast_ref::<Op>().is_some_and(|op| ELEMENTWISE.contains(&op.name.as_str()));
    let has_shape = |info: &Option<StructInfo>| {
        info.as_ref().and_then(|info| info.downcast_ref::<TensorStructInfo>()).is_some_and(|info| {
            !info.dtype.is_void()
                && info.shape.as_ref().is_some_and(|shape| shape.downcast_ref::<ShapeExpr>().is_some())
        })
    };
    if !is_elementwise || !call.args.iter().all(|arg| has_shape(&arg.struct_info)) {
        return true;
    }
    let analyzer = Analyzer::for_shapes();
    let result = infer(call, &InferContext::new(&analyzer));
    !result.is_ok_and(|info| has_shape(&Some(info)))
}
