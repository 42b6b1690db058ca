//! [`check_compatibility`]: whether a value is accepted where another structural information is expected.

use object_core::prelude::*;
use object_core::visit::ScopeTypes;
use object_ir::distributed::DTensorStructInfo;
use object_ir::ir::{
    FuncStructInfo, ObjectStructInfo, PrimExpr, PrimStructInfo, RelaxExpr, ShapeExpr, ShapeStructInfo, StructInfo,
    TensorStructInfo, TupleStructInfo, VDevice, Var,
};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::{FxHashMap, FxHashSet};

use super::mapping::{binders, dims, for_each_dim, shape_var_values};
use super::var_map::{VarMap, shape_vars};
use super::well_defined::erase_to_well_defined;
use super::written::is_same_dim;
use crate::addresses::{ById, address};
use crate::arith::form::at_least_zero;
use crate::arith::{Analyzer, Proof};
use crate::recursion::Recursion;

/// The most pairs that one check compares.
const MAX_STEPS: usize = 1 << 20;

/// Whether a value is accepted (spec: Checking Compatibility).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compatibility {
    /// Every value is accepted.
    Compatible,
    /// Whether the value is accepted depends on shapes that are unknown before run time.
    Possible,
    /// The value is not accepted.
    Incompatible,
}

/// How far structural information is from the expected one, with the names of TVM 0.25 `BaseCheckResult`. A level is
/// greater if it is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BaseCheck {
    /// No value fits.
    FailL0,
    /// The given information says too little: a value fits if a [`MatchCast`](object_ir::ir::MatchCast) succeeds.
    FailL1,
    /// Types fit, and shapes are unknown.
    FailL2,
    /// All values fit.
    Pass,
}

impl From<BaseCheck> for Compatibility {
    fn from(level: BaseCheck) -> Self {
        match level {
            BaseCheck::Pass => Compatibility::Compatible,
            BaseCheck::FailL2 => Compatibility::Possible,
            BaseCheck::FailL1 | BaseCheck::FailL0 => Compatibility::Incompatible,
        }
    }
}

impl From<Proof> for BaseCheck {
    fn from(equal: Proof) -> Self {
        match equal {
            Proof::True => BaseCheck::Pass,
            Proof::False => BaseCheck::FailL0,
            Proof::Unknown => BaseCheck::FailL2,
        }
    }
}

/// Whether a value with the structural information `given` is accepted where `expected` is expected.
///
/// ```
/// use object_relax::arith::Analyzer;
/// use object_ir::ir::TensorStructInfo;
/// use object_relax::struct_info::{Compatibility, check_compatibility};
/// use object_ir::tir::Var;
///
/// let (n, m) = (Var::dim("n"), Var::dim("m"));
/// let check = |a, b| -> object_core::Result<_> {
///     let infos = (TensorStructInfo::of([a], "int8")?.into(), TensorStructInfo::of([b], "int8")?.into());
///     Ok(check_compatibility(&infos.0, &infos.1, &Analyzer::for_shapes()))
/// };
/// assert_eq!(check(&n * 2, &n + &n)?, Compatibility::Compatible);
/// assert_eq!(check(&n + 0, &m + 0)?, Compatibility::Possible);
/// assert_eq!(check(&n + 0, &n + 1)?, Compatibility::Incompatible);
/// # Ok::<(), object_core::Error>(())
/// ```
#[must_use]
pub fn check_compatibility(given: &StructInfo, expected: &StructInfo, analyzer: &Analyzer) -> Compatibility {
    base_check(given, expected, analyzer).into()
}

/// Whether `a` says at least as much as `b`: `a <<: b` (spec: Unification). Dimensions must be equal for certain.
#[must_use]
pub fn is_at_least_as_specific(a: &StructInfo, b: &StructInfo, analyzer: &Analyzer) -> bool {
    base_check(a, b, analyzer) == BaseCheck::Pass
}

/// How far `given` is from `expected`. [`check_compatibility`] unites the levels.
///
/// TVM 0.25 `StructInfoBaseCheck(expected, given)`. Here parameters of functions are contravariant, and dimensions that
/// are never equal do not fit.
#[must_use]
pub fn base_check(given: &StructInfo, expected: &StructInfo, analyzer: &Analyzer) -> BaseCheck {
    if given.ptr_eq(expected) {
        return BaseCheck::Pass;
    }
    let checker = Checker { analyzer, wildcards: FxHashSet::default() };
    if let (Some(given), Some(expected)) = (given.downcast_ref(), expected.downcast_ref()) {
        return checker.tensors(given, expected);
    }
    if let (Some(given), Some(expected)) =
        (given.downcast_ref::<TupleStructInfo>(), expected.downcast_ref::<TupleStructInfo>())
        && given.fields.len() == expected.fields.len()
        && let Some(level) = checker.tensor_members(&given.fields, &expected.fields)
    {
        return level;
    }
    let root = (ById(given.clone()), ById(expected.clone()));
    // Without an answer, whether values fit is unknown.
    Recursion::run(MAX_STEPS, checker, &root, Checker::rule).unwrap_or(BaseCheck::FailL2)
}

/// The given and the expected information.
type Key = (ById<StructInfo>, ById<StructInfo>);

struct Checker<'a> {
    analyzer: &'a Analyzer,
    /// Shape variables that fit each value: they occur once in the parameters of a function, as a whole dimension.
    wildcards: FxHashSet<ById<ShapeVar>>,
}

impl Checker<'_> {
    fn rule(known: &mut Recursion<Self, Key, BaseCheck>, (ById(given), ById(expected)): &Key) -> Option<BaseCheck> {
        let checker = &known.state;
        if given.ptr_eq(expected) || expected.is::<ObjectStructInfo>() {
            return Some(BaseCheck::Pass);
        }
        if let (Some(given), Some(expected)) = (given.downcast_ref(), expected.downcast_ref()) {
            return Some(checker.tensors(given, expected));
        }
        if let (Some(given), Some(expected)) =
            (given.downcast_ref::<ShapeStructInfo>(), expected.downcast_ref::<ShapeStructInfo>())
        {
            return Some(rank(given.ndim, expected.ndim).min(match (&given.values, &expected.values) {
                (_, None) => BaseCheck::Pass,
                (None, Some(expected)) => checker.any_dims(expected),
                (Some(given), Some(expected)) => dims_equal(given, expected, checker.analyzer).into(),
            }));
        }
        if let (Some(given), Some(expected)) =
            (given.downcast_ref::<PrimStructInfo>(), expected.downcast_ref::<PrimStructInfo>())
        {
            return Some(match (&given.value, &expected.value) {
                _ if given.dtype != expected.dtype => BaseCheck::FailL0,
                (_, None) => BaseCheck::Pass,
                (None, Some(expected)) => checker.any_dims(std::slice::from_ref(expected)),
                (Some(given), Some(expected)) => checker.analyzer.prove_equal(given, expected).into(),
            });
        }
        if let (Some(given), Some(expected)) =
            (given.downcast_ref::<TupleStructInfo>(), expected.downcast_ref::<TupleStructInfo>())
        {
            if given.fields.len() != expected.fields.len() {
                return Some(BaseCheck::FailL0);
            }
            let fields = given.fields.iter().zip(expected.fields.iter());
            return all(known, fields.map(|(given, expected)| (ById(given), ById(expected))));
        }
        if let (Some(given), Some(expected)) =
            (given.downcast_ref::<FuncStructInfo>(), expected.downcast_ref::<FuncStructInfo>())
        {
            return Self::function_rule(known, given, expected);
        }
        if let (Some(given), Some(expected)) =
            (given.downcast_ref::<DTensorStructInfo>(), expected.downcast_ref::<DTensorStructInfo>())
        {
            let is_same_place = structural_equal(&given.device_mesh, &expected.device_mesh)
                && structural_equal(&given.placement, &expected.placement);
            let place = if is_same_place { BaseCheck::Pass } else { BaseCheck::FailL1 };
            return Some(checker.tensors(&given.tensor_sinfo, &expected.tensor_sinfo).min(place));
        }
        Some(if given.is::<ObjectStructInfo>() { BaseCheck::FailL1 } else { BaseCheck::FailL0 })
    }

    fn tensors(&self, given: &TensorStructInfo, expected: &TensorStructInfo) -> BaseCheck {
        let dtype = if expected.dtype.is_void() || given.dtype == expected.dtype {
            BaseCheck::Pass
        } else if given.dtype.is_void() {
            BaseCheck::FailL1
        } else {
            BaseCheck::FailL0
        };
        let facts = dtype.min(rank(given.ndim, expected.ndim)).min(vdevice(&given.vdevice, &expected.vdevice));
        if facts < BaseCheck::FailL2 {
            return facts;
        }
        facts.min(match (&given.shape, &expected.shape) {
            (_, None) => BaseCheck::Pass,
            (None, Some(_)) => dims(expected).map_or(BaseCheck::FailL2, |dims| self.any_dims(dims)),
            (Some(given), Some(expected)) => shapes_equal(given, expected, self.analyzer, dims_equal).into(),
        })
    }

    /// The lowest level of pairs of tensors and of equal objects; `None` if there are other pairs.
    fn tensor_members(&self, given: &[StructInfo], expected: &[StructInfo]) -> Option<BaseCheck> {
        let mut lowest = BaseCheck::Pass;
        for (given, expected) in given.iter().zip(expected).filter(|(given, expected)| !given.ptr_eq(*expected)) {
            lowest = lowest.min(self.tensors(given.downcast_ref()?, expected.downcast_ref()?));
        }
        Some(lowest)
    }

    /// Whether dimensions fit all values.
    fn any_dims(&self, expected: &[PrimExpr]) -> BaseCheck {
        let mut vars = expected.iter().map(|dim| dim.downcast_ref::<ShapeVar>());
        let is_wildcard = |var: &ShapeVar| self.wildcards.contains(var.as_object());
        if vars.all(|var| var.is_some_and(is_wildcard)) { BaseCheck::Pass } else { BaseCheck::FailL2 }
    }

    fn function_rule(
        known: &mut Recursion<Self, Key, BaseCheck>,
        given: &FuncStructInfo,
        expected: &FuncStructInfo,
    ) -> Option<BaseCheck> {
        let purity = if expected.purity && !given.purity { BaseCheck::FailL1 } else { BaseCheck::Pass };
        match (&given.params, &expected.params) {
            (None, None) => {
                let expected_derive = expected.derive_func.as_ref().map(|it| &it.name);
                if expected_derive.is_some() {
                    let is_same = expected_derive == given.derive_func.as_ref().map(|it| &it.name);
                    return Some(purity.min(if is_same { BaseCheck::Pass } else { BaseCheck::FailL2 }));
                }
                // Every function says at least as much as a function of which only the result is known.
                Some(purity.min(known.get((ById(given.ret.clone()), ById(expected.ret.clone())))?))
            }
            (Some(params), Some(others)) if params.len() == others.len() => {
                let pairs = known.state.parts(given, params.as_slice(), expected, others.as_slice());
                Some(purity.min(all(known, pairs.into_iter())?))
            }
            _ => Some(BaseCheck::FailL0),
        }
    }

    /// The pairs that decide whether the function `given` fits: its parameters accept the expected arguments, and its
    /// result is accepted. The variables that `given` binds have the values that the parameters of `expected` give
    /// them, because `expected` decides about the arguments of each call.
    fn parts(
        &mut self,
        given: &FuncStructInfo,
        params: &[StructInfo],
        expected: &FuncStructInfo,
        others: &[StructInfo],
    ) -> Vec<Key> {
        let mapping = shape_var_values(params.iter().zip(others), false);
        let mut in_params = VarMap::keeping_others();
        for var in hidden_vars(given, others) {
            // The free variable is another one than the variable that `expected` binds.
            in_params = in_params.bind(var, var.fresh());
        }
        for (var, value) in &mapping {
            in_params = in_params.bind(var, (*value).clone());
        }
        let mut in_ret = in_params.clone();
        let counts = occurrences(params);
        let mapped: FxHashSet<_> = mapping.into_iter().map(|(var, _)| address(var)).collect();
        for var in binders(params).into_iter().filter(|var| !mapped.contains(&address(*var))) {
            let fresh = var.fresh();
            if counts.get(var.as_object()) == Some(&1) {
                self.wildcards.insert(ById(fresh.clone()));
            }
            in_params = in_params.bind(var, fresh);
            in_ret = in_ret.hide(var);
        }
        let params = others.iter().zip(params).map(|(expected, param)| {
            (ById(expected.clone()), ById(erase_to_well_defined(param, &in_params, self.analyzer)))
        });
        let ret = erase_to_well_defined(&given.ret, &in_ret, self.analyzer);
        params.chain([(ById(ret), ById(expected.ret.clone()))]).collect()
    }
}

/// The lowest level of some pairs.
fn all(known: &mut Recursion<Checker<'_>, Key, BaseCheck>, pairs: impl Iterator<Item = Key>) -> Option<BaseCheck> {
    Some(known.all(pairs)?.into_iter().min().unwrap_or(BaseCheck::Pass))
}

fn rank(given: i64, expected: i64) -> BaseCheck {
    if expected == -1 || given == expected {
        BaseCheck::Pass
    } else if given == -1 {
        BaseCheck::FailL1
    } else {
        BaseCheck::FailL0
    }
}

/// A device without a target is any device. The target decides whether the number and the memory count, as in TVM.
fn vdevice(given: &Option<VDevice>, expected: &Option<VDevice>) -> BaseCheck {
    let Some(expected) = expected else { return BaseCheck::Pass };
    let Some(given) = given else { return BaseCheck::FailL1 };
    match (&given.target, &expected.target) {
        (_, None) => BaseCheck::Pass,
        (None, Some(_)) => BaseCheck::FailL1,
        (Some(_), Some(_)) if structural_equal(given, expected) => BaseCheck::Pass,
        (Some(_), Some(_)) => BaseCheck::FailL0,
    }
}

/// Whether the dimensions of a value are the expected ones. They are not negative, so each is its maximum with 0.
fn dims_equal(given: &[PrimExpr], expected: &[PrimExpr], analyzer: &Analyzer) -> Proof {
    let is_maximum =
        |(given, expected): (&PrimExpr, &PrimExpr)| at_least_zero(expected).is_some_and(|it| is_same_dim(given, it));
    if given.len() != expected.len() || !given.iter().zip(expected).any(is_maximum) {
        return analyzer.prove_shape_equal(given, expected);
    }
    let others = given.iter().zip(expected).filter(|pair| !is_maximum(*pair));
    let (given, expected): (Vec<_>, Vec<_>) = others.map(|(given, expected)| (given.clone(), expected.clone())).unzip();
    analyzer.prove_shape_equal(&given, &expected)
}

/// Whether two shapes of tensors are equal. A variable is as known as its structural information. `are_equal` compares
/// dimensions.
pub(super) fn shapes_equal(
    a: &RelaxExpr,
    b: &RelaxExpr,
    analyzer: &Analyzer,
    are_equal: impl FnOnce(&[PrimExpr], &[PrimExpr], &Analyzer) -> Proof,
) -> Proof {
    if let (Some(a), Some(b)) = (a.downcast_ref::<Var>(), b.downcast_ref::<Var>())
        && a.vid.ptr_eq(&b.vid)
    {
        return Proof::True;
    }
    match (values(a), values(b)) {
        (Some(a), Some(b)) => are_equal(a, b, analyzer),
        _ => Proof::Unknown,
    }
}

/// The dimensions that an expression of a shape has.
fn values(shape: &RelaxExpr) -> Option<&Array<PrimExpr>> {
    if let Some(shape) = shape.downcast_ref::<ShapeExpr>() {
        return Some(&shape.values);
    }
    shape.struct_info.as_ref()?.downcast_ref::<ShapeStructInfo>()?.values.as_ref()
}

/// How often shape variables occur in parameters, outside of functions.
fn occurrences(params: &[StructInfo]) -> FxHashMap<ById<ShapeVar>, usize> {
    let mut counts = FxHashMap::default();
    for_each_dim(params, |dim| {
        for var in shape_vars(dim) {
            *counts.entry(ById(var)).or_default() += 1;
        }
    });
    counts
}

/// The variables that parameters bind and that are free in a function of another scope.
pub(super) fn hidden_vars<'i>(function: &FuncStructInfo, params: &'i [StructInfo]) -> Vec<&'i ShapeVar> {
    let bound = binders(params);
    if bound.is_empty() {
        return bound;
    }
    let free = ScopeTypes::new().closing::<FuncStructInfo>().free_vars(function);
    bound.into_iter().filter(|var| free.iter().any(|free| free.ptr_eq(var.as_object()))).collect()
}

#[cfg(test)]
mod tests {
    use object_ir::tir::{less, max, select};

    use super::*;

    #[test]
    fn a_dimension_is_its_maximum_with_zero() {
        let (n, m) = (ShapeVar::dim("n"), ShapeVar::dim("m"));
        let rows = &n - max(select(&less(&n, &m).unwrap(), &n * 2, &n).unwrap(), 0).unwrap();
        let at_least_zero = max(&rows, 0).unwrap();
        let check = |given: &PrimExpr, expected: &PrimExpr| {
            let tensor = |dim: &PrimExpr| TensorStructInfo::of([dim, &(&m + 1)], "int8").unwrap().into();
            base_check(&tensor(given), &tensor(expected), &Analyzer::for_shapes())
        };
        assert_eq!(check(&rows, &at_least_zero), BaseCheck::Pass);
        assert_eq!(check(&at_least_zero, &rows), BaseCheck::FailL2, "an expected number of rows may be negative");
        assert_eq!(check(&(&rows + 1), &at_least_zero), BaseCheck::FailL2);
        let other = |given: &PrimExpr| TensorStructInfo::of([&rows, given], "int8").unwrap().into();
        let expected = TensorStructInfo::of([&at_least_zero, &(&m + 1)], "int8").unwrap().into();
        assert_eq!(base_check(&other(&(&m + 2)), &expected, &Analyzer::for_shapes()), BaseCheck::FailL0);
    }
}
