//! [`cut`]: functions without some of their bindings.

use object_core::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::Position;
use object_ir::ir::{
    Binding, BindingBlock, DataflowVar, Function, RelaxExpr, SeqExpr, StructInfo, Tuple, TupleStructInfo, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::{Observer, Region, view, walk};
use crate::analysis::{definable_shape_vars, free_vars, used_vars};
use crate::arith::Analyzer;
use crate::struct_info::{VarMap, erase_to_well_defined};
use crate::transform::{remove_bindings, tidy_sequence, value_of};

/// A binding with its value.
pub(super) struct Bound {
    pub(super) var: Var,
    pub(super) value: RelaxExpr,
}

#[derive(Default)]
struct Collected(Vec<Bound>);

impl<'a> Observer<'a> for Collected {
    const INFOS: bool = false;

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        if region == Region::Binding {
            let binding = object.to_handle::<Binding>();
            self.0.extend(binding.map(|it| Bound { var: it.var.clone(), value: value_of(&it) }));
        }
    }
}

/// The bindings of a function, also in branches and local functions, in the order of evaluation.
pub(super) fn bindings_of(function: &Function) -> Vec<Bound> {
    let mut collected = Collected::default();
    walk(function, &mut collected);
    collected.0
}

/// The function without the bindings of the variables at these addresses. A variable that another binding uses becomes a
/// parameter with the same structural information. If the result uses one, the result becomes the rest of it with the
/// variables that nothing uses. `None` if a variable has no structural information.
pub(super) fn cut(function: &Function, removed: &FxHashSet<usize>) -> Option<Function> {
    let is_removed = |binding: &Binding| removed.contains(&view(&binding.var).address());
    let rest = Mutate::new()
        .enter(|block: &BindingBlock, _| remove_bindings(block, is_removed))
        .leave(|sequence: &SeqExpr, _| tidy_sequence(sequence))
        .run(function.clone())
        .ok()?;
    let is_cut = |expr: &RelaxExpr| used_vars(expr).iter().any(|var| removed.contains(&view(var).address()));
    let rest = if is_cut(&rest.body.body) { with_result(&rest, remaining(&rest, &is_cut))? } else { rest };
    let free = free_vars(&rest.clone().into()).into_iter().filter(|var| removed.contains(&view(var).address()));
    with_params(&rest, &free.collect::<Vec<Var>>())
}

/// The members of the result that are not cut, and the variables of the bindings that nothing uses.
fn remaining(function: &Function, is_cut: &impl Fn(&RelaxExpr) -> bool) -> Vec<RelaxExpr> {
    let mut results = members(&function.body.body);
    results.retain(|result| !is_cut(result));
    let is_empty = RelaxExpr::from(Tuple::new(Array::<RelaxExpr>::new([])));
    let body = function.body.clone().with_changes(|node| node.body = is_empty);
    let shown = results.iter().flat_map(used_vars).chain(used_vars(&body.into()));
    let used: FxHashSet<usize> = shown.map(|var| view(&var).address()).collect();
    let bindings = function.body.blocks.iter().flat_map(|block| block.bindings.iter().collect::<Vec<_>>());
    let unused = bindings.map(|binding| binding.var.clone()).filter(|var| !used.contains(&view(var).address()));
    results.extend(unused.map(RelaxExpr::from));
    results
}

/// The members of a tuple that is written out, or the expression itself.
pub(super) fn members(result: &RelaxExpr) -> Vec<RelaxExpr> {
    result.downcast_ref::<Tuple>().map_or_else(|| vec![result.clone()], |tuple| tuple.fields.iter().collect())
}

/// The function with these results: one, or a tuple of them. `None` if one has no structural information.
pub(super) fn with_result(function: &Function, results: Vec<RelaxExpr>) -> Option<Function> {
    let (function, results) = with_outputs(function, results)?;
    let bound = function.params.iter().filter_map(|param| param.struct_info.clone());
    let visible = bound.flat_map(|info| definable_shape_vars(&info)).fold(VarMap::new(), |map, var| map.see(&var));
    let analyzer = Analyzer::for_shapes();
    let infos: Option<Vec<StructInfo>> = results.iter().map(|result| result.struct_info.clone()).collect();
    let (result, info): (RelaxExpr, StructInfo) = match (&results[..], &infos?[..]) {
        ([result], [info]) => (result.clone(), info.clone()),
        (_, infos) => {
            let info: StructInfo = TupleStructInfo::new(infos.to_vec()).into();
            let mut tuple = Tuple::new(results);
            tuple.make_mut().base.struct_info = Some(info.clone());
            (tuple.into(), info)
        }
    };
    let body = function.body.clone().with_changes(|node| {
        node.body = result;
        node.base.struct_info = Some(info.clone());
    });
    Some(function.with_changes(|node| {
        node.body = body;
        node.ret_struct_info = erase_to_well_defined(&info, &visible, &analyzer);
    }))
}

/// The function and the results with ordinary variables in place of the dataflow variables among the results, because those
/// end with their block.
fn with_outputs(function: &Function, mut results: Vec<RelaxExpr>) -> Option<(Function, Vec<RelaxExpr>)> {
    let mut outputs: FxHashMap<usize, Var> = FxHashMap::default();
    for result in &mut results {
        if let Some(var) = result.downcast_ref::<Var>().filter(|_| result.is::<DataflowVar>()) {
            let output = ordinary(var)?;
            outputs.insert(view(result).address(), output.clone());
            *result = output.into();
        }
    }
    Some((replaced(function, &outputs)?, results))
}

/// The function with these variables as parameters after its own. Each becomes an ordinary variable.
fn with_params(function: &Function, vars: &[Var]) -> Option<Function> {
    let new: Option<Vec<Var>> = vars.iter().map(ordinary).collect();
    let new = new?;
    let addresses = vars.iter().map(|var| view(var).address());
    let function = replaced(function, &addresses.zip(new.iter().cloned()).collect())?;
    Some(function.with_changes(|node| node.params = node.params.iter().chain(new).collect::<Vec<_>>().into()))
}

/// An ordinary variable with the name and the structural information of a variable.
fn ordinary(var: &Var) -> Option<Var> {
    Some(Var::of(var.vid.name_hint.clone(), var.struct_info.clone()?))
}

/// The function with other variables in place of the ones at these addresses.
fn replaced(function: &Function, vars: &FxHashMap<usize, Var>) -> Option<Function> {
    if vars.is_empty() {
        return Some(function.clone());
    }
    let replace = |var: &Var, _: &Position<'_>| match vars.get(&view(var).address()) {
        Some(new) => Mutation::Replace(new.into()),
        None => Mutation::Skip,
    };
    Mutate::new().enter(replace).run(function.clone()).ok()
}
