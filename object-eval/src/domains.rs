//! [`domains`]: the numbers for which the operators of a function have results, and the dimensions of its parameters.
//!
//! A parameter gets the domain of each operator that takes it as it is, or after operators that only move elements, also in
//! functions of the module that it is passed to. Other values, such as the sum under a logarithm, are left to a search.

use object_core::prelude::*;
use object_core::table::{Set, Table};
use object_core::visit::walk;
use object_ir::attrs::{GatherElementsAttrs, GatherNDAttrs, ScatterElementsAttrs, TakeAttrs};
use object_ir::ir::{
    Binding, Call, Function, GlobalVar, IRModule, MatchCast, Op, PrimExpr, RelaxExpr, ShapeExpr, StructInfo,
    TensorStructInfo, Var, VarBinding,
};
use object_ir::tir;
use rustc_hash::FxHashMap;

/// The numbers that an operator takes, from the widest set to the narrowest one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Numbers {
    #[default]
    All,
    NonZero,
    Positive,
    AtLeastOne,
}

/// The values that a parameter may have.
#[derive(Clone, Debug, Default)]
pub(super) struct Domain {
    /// The set of its elements.
    pub(super) numbers: Numbers,
    /// The sizes of the dimensions in which its elements are indices.
    pub(super) below: Vec<PrimExpr>,
}

impl Domain {
    /// Adds the demands of another domain.
    pub(super) fn merge(&mut self, other: Domain) {
        self.numbers = self.numbers.max(other.numbers);
        self.below.extend(other.below);
    }
}

/// The operators whose result has the elements of their first argument.
const MOVERS: &[&str] = &[
    "relax.astype",
    "relax.broadcast_to",
    "relax.builtin.stop_lift_params",
    "relax.expand_dims",
    "relax.flatten",
    "relax.flip",
    "relax.hint_on_device",
    "relax.permute_dims",
    "relax.repeat",
    "relax.reshape",
    "relax.squeeze",
    "relax.strided_slice",
    "relax.tile",
    "relax.to_vdevice",
];

/// The numbers that an operator takes as its argument with this index.
fn numbers(operator: &str, index: usize) -> Numbers {
    match (operator, index) {
        ("relax.log" | "relax.sqrt" | "relax.rsqrt" | "relax.power", 0)
        | ("relax.nn.batch_norm", 4)
        | ("relax.quantize" | "relax.dequantize", 1) => Numbers::Positive,
        ("relax.divide" | "relax.floor_divide" | "relax.mod" | "relax.floor_mod", 1) => Numbers::NonZero,
        ("relax.acosh", 0) => Numbers::AtLeastOne,
        _ => Numbers::All,
    }
}

/// The dimensions of a tensor whose shape is known.
fn dims(data: &RelaxExpr) -> Option<Vec<PrimExpr>> {
    let info = data.struct_info.as_ref()?.downcast_ref::<TensorStructInfo>()?;
    Some(info.shape.as_ref()?.downcast_ref::<ShapeExpr>()?.values.iter().collect())
}

/// The dimension with this number, which counts from the end if it is negative.
fn axis(mut dims: Vec<PrimExpr>, axis: i64) -> Option<PrimExpr> {
    let index = if axis < 0 { axis + dims.len() as i64 } else { axis };
    let index = usize::try_from(index).ok().filter(|index| *index < dims.len())?;
    Some(dims.swap_remove(index))
}

/// The sizes below which the elements of an argument lie because they are indices.
fn below(operator: &str, call: &Call, index: usize) -> Option<Vec<PrimExpr>> {
    let attrs = call.attrs.as_ref();
    let data = dims(call.args.get(0)?.as_ref())?;
    let one = |number: Option<i64>| axis(data.clone(), number?).map(|dim| vec![dim]);
    match (operator, index) {
        ("relax.take", 1) => one(attrs?.downcast_ref::<TakeAttrs>()?.axis.or(Some(0))),
        ("relax.gather_elements", 1) => one(Some(attrs?.downcast_ref::<GatherElementsAttrs>()?.axis)),
        ("relax.scatter_elements", 1) => one(Some(attrs?.downcast_ref::<ScatterElementsAttrs>()?.axis)),
        ("relax.nn.nll_loss", 1) => one(Some(i64::from(data.len() > 1))),
        ("relax.gather_nd", 1) => {
            let batch = usize::try_from(attrs?.downcast_ref::<GatherNDAttrs>()?.batch_dims).ok()?;
            Some(data.into_iter().skip(batch).collect())
        }
        ("relax.scatter_nd", 1) => Some(data),
        _ => None,
    }
}

/// The demands of a call on its arguments, as far as they are parameters.
fn demands(call: &Call, parameters: &FxHashMap<usize, usize>, found: &mut [Domain]) {
    let Some(operator) = call.op.downcast_ref::<Op>() else { return };
    for (index, arg) in call.args.iter().enumerate() {
        if let Some(parameter) = parameters.get(&address(&arg)) {
            let below = below(&operator.name, call, index).unwrap_or_default();
            found[*parameter].merge(Domain { numbers: numbers(&operator.name, index), below });
        }
    }
}

fn address(object: &impl ObjectHandle) -> usize {
    object.as_object().view().address()
}

/// The value whose elements another value has: itself, or the first argument of an operator that only moves elements.
fn origin(value: &RelaxExpr) -> Option<RelaxExpr> {
    if value.downcast_ref::<Var>().is_some() {
        return Some(value.clone());
    }
    let call = value.downcast_ref::<Call>()?;
    let operator = call.op.downcast_ref::<Op>()?;
    if MOVERS.contains(&&*operator.name) { call.args.iter().next() } else { None }
}

/// The names of the shape variables in structural information, in order.
pub(super) fn dimensions<'a>(infos: impl Iterator<Item = &'a StructInfo>) -> Vec<String> {
    let (mut names, mut known) = (Vec::new(), Set::default());
    for info in infos {
        walk(info, |dim: &tir::Var, _| {
            if known.insert(dim.name.clone()) {
                names.push(dim.name.to_string());
            }
        });
    }
    names
}

/// The domain of each parameter of the function `name`.
pub(super) fn domains(module: &IRModule, name: &str) -> Vec<Domain> {
    let mut functions: Table<Str, Function> = module
        .functions
        .iter()
        .filter_map(|(var, function)| Some((var.name_hint.clone(), function.downcast_ref::<Function>()?.clone())))
        .collect();
    let Some(entry) = functions.remove(name) else { return Vec::new() };
    let mut found = vec![Domain::default(); entry.params.len()];
    // For each variable the index of the parameter that it stands for.
    let mut parameters: FxHashMap<usize, usize> =
        entry.params.iter().enumerate().map(|(index, param)| (address(&param), index)).collect();
    let mut pending = vec![entry];
    while let Some(current) = pending.pop() {
        walk(&current, |binding: &Binding, _| {
            let value = binding.downcast_ref::<VarBinding>().map(|it| &it.value);
            let value = value.or_else(|| binding.downcast_ref::<MatchCast>().map(|it| &it.value));
            let known = value.and_then(origin).and_then(|origin| parameters.get(&address(&origin)).copied());
            if let Some(parameter) = known {
                parameters.insert(address(&binding.var), parameter);
            }
            let Some(call) = value.and_then(|value| value.downcast_ref::<Call>()) else { return };
            let callee = call.op.downcast_ref::<GlobalVar>();
            let Some(callee) = callee.and_then(|callee| functions.remove(&callee.name_hint)) else { return };
            for (param, arg) in callee.params.iter().zip(call.args.iter()) {
                if let Some(parameter) = parameters.get(&address(&arg)).copied() {
                    parameters.insert(address(&param), parameter);
                }
            }
            pending.push(callee);
        });
        walk(&current, |call: &Call, _| demands(call, &parameters, &mut found));
    }
    found
}
