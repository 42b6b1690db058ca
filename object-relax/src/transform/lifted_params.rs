//! [`lift_transform_params`]: the work on the weights of a model as a function of its own.

use object_core::StructuralOptions;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::structural::StructuralMap;
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, DataflowBlock, DictAttrs, Function, GlobalVar, IRModule, MatchCast,
    ObjectStructInfo, RelaxExpr, SeqExpr, StructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::view;
use crate::analysis::{definable_shape_vars, free_shape_vars, free_vars, inputs, shape_vars};
use crate::arith::Analyzer;
use crate::normal_form::Normalizer;
use crate::op::describe::describe;
use crate::struct_info::{BaseCheck, VarMap, base_check, erase_to_well_defined, get_shape_var_mapping};
use crate::transform::blocks::{self, value_of};
use crate::transform::canonicalize::canonicalize_bindings;
use crate::transform::common_subexpressions::key;
use crate::transform::copied_vars::with_copied_vars;
use crate::transform::known_dims::Known;
use crate::transform::module_functions::{function_named, refuse_callers, with_functions, with_new_functions};
use crate::transform::remove_unused::remove_all_unused;

/// The functions that [`lift_transform_params`] makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SharedTransform<'a> {
    /// One for each function with the attribute `num_input`.
    #[default]
    No,
    /// One for all functions with the attribute.
    All,
    /// One for the functions with these names.
    Of(&'a [&'a str]),
}

/// A function whose last parameters are weights.
struct Target {
    var: GlobalVar,
    function: Function,
    /// The number of parameters that are given at run time.
    inputs: usize,
    /// The bindings of dataflow blocks that use only weights and constants, in order.
    bindings: Vec<Binding>,
    /// The addresses of the variables of these bindings that use a weight: they leave the function.
    lifted: FxHashSet<usize>,
}

impl Target {
    fn of(var: &GlobalVar, function: &Function) -> Result<Target, Error> {
        let inputs = inputs(function);
        if inputs > function.params.len() {
            let message =
                format!("expected at most {} as `num_input`, the number of parameters", function.params.len());
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        let (bindings, lifted) = (Vec::new(), FxHashSet::default());
        let mut target = Target { var: var.clone(), function: function.clone(), inputs, bindings, lifted };
        target.find();
        Ok(target)
    }

    fn weights(&self) -> &[Var] {
        &self.function.params.as_slice()[self.inputs..]
    }

    /// Finds the bindings that use only weights and constants.
    fn find(&mut self) {
        let mut known: FxHashSet<usize> = self.weights().iter().map(|weight| view(weight).address()).collect();
        let mut derived = known.clone();
        let infos = self.weights().iter().filter_map(|weight| weight.struct_info.as_ref());
        let mut dims: FxHashSet<usize> = infos.flat_map(definable_shape_vars).map(|dim| view(&dim).address()).collect();
        let blocks = self.function.body.blocks.clone();
        for binding in
            blocks.iter().filter(|block| block.is::<DataflowBlock>()).flat_map(|block| block.bindings.to_vec())
        {
            let value = value_of(&binding);
            let mut used_dims = free_shape_vars(&value);
            let cast = binding.downcast_ref::<MatchCast>().map(|cast| &cast.struct_info);
            let bound = cast.map_or_else(Vec::new, definable_shape_vars);
            let is_bound = |dim: &object_ir::tir::Var| bound.iter().any(|bound| bound.ptr_eq(dim));
            used_dims.extend(cast.map_or_else(Vec::new, shape_vars).into_iter().filter(|dim| !is_bound(dim)));
            let used = free_vars(&value);
            let is_known = used.iter().all(|var| known.contains(&view(var).address()))
                && used_dims.iter().all(|dim| dims.contains(&view(dim).address()));
            if !is_known {
                continue;
            }
            let address = view(&binding.var).address();
            known.insert(address);
            dims.extend(bound.iter().map(|dim| view(dim).address()));
            if used.iter().any(|var| derived.contains(&view(var).address())) {
                derived.insert(address);
                self.lifted.insert(address);
            }
            self.bindings.push(binding);
        }
    }

    /// The body without the lifted bindings.
    fn rest(&self) -> Result<Function, Error> {
        let is_lifted = |binding: &Binding| self.lifted.contains(&view(&binding.var).address());
        Mutate::new()
            .enter(|block: &BindingBlock, _| blocks::remove(block, is_lifted))
            .leave(|sequence: &SeqExpr, _| blocks::tidy(sequence))
            .run(self.function.clone())
    }
}

/// The change of the functions that share the work on their weights.
struct Lift<'t> {
    targets: &'t [Target],
    /// The functions without the lifted bindings.
    rests: Vec<Function>,
    /// The weights that the functions still need, by their place.
    kept: Vec<bool>,
    /// The variables of the lifted bindings of the first function that the functions need.
    results: Vec<Var>,
    /// The variable of the first function that has the value of each lifted variable of the others.
    counterparts: FxHashMap<usize, Var>,
}

impl<'t> Lift<'t> {
    fn of(targets: &'t [Target], counterparts: FxHashMap<usize, Var>) -> Result<Lift<'t>, Error> {
        let rests = targets.iter().map(Target::rest).collect::<Result<_, _>>()?;
        let mut lift = Lift { targets, rests, kept: Vec::new(), results: Vec::new(), counterparts };
        let mut used: FxHashSet<usize> = FxHashSet::default();
        for rest in &lift.rests {
            let free = free_vars(&(&rest.body).into());
            used.extend(free.iter().map(|var| view(&lift.counterpart(var)).address()));
        }
        let is_kept = targets[0].weights().iter().map(|weight| used.contains(&view(weight).address()));
        lift.kept = is_kept.collect();
        let first = &targets[0];
        let vars = first
            .bindings
            .iter()
            .map(|binding| &binding.var)
            .filter(|var| first.lifted.contains(&view(*var).address()));
        lift.results = vars.filter(|var| used.contains(&view(*var).address())).cloned().collect();
        lift.keep_dims()?;
        Ok(lift)
    }

    fn counterpart(&self, var: &Var) -> Var {
        self.counterparts.get(&view(var).address()).unwrap_or(var).clone()
    }

    /// Keeps the weights whose shape variables a function needs and nothing else binds.
    fn keep_dims(&mut self) -> Result<(), Error> {
        for (target, rest) in self.targets.iter().zip(&self.rests) {
            let free: FxHashSet<usize> =
                free_shape_vars(&self.function(target, rest)?.into()).iter().map(|dim| view(dim).address()).collect();
            let mut bound: FxHashSet<usize> = FxHashSet::default();
            for (kept, weight) in self.kept.iter_mut().zip(target.weights()) {
                let dims = weight.struct_info.as_ref().map_or_else(Vec::new, definable_shape_vars);
                let is_needed = |dim: usize| free.contains(&dim) && !bound.contains(&dim);
                *kept |= dims.iter().any(|dim| is_needed(view(dim).address()));
                bound.extend(dims.iter().filter(|_| *kept).map(|dim| view(dim).address()));
            }
        }
        Ok(())
    }

    /// A function with the results of the lifted bindings as parameters.
    fn function(&self, target: &Target, rest: &Function) -> Result<Function, Error> {
        let mut new: FxHashMap<usize, Var> = FxHashMap::default();
        let own: FxHashMap<usize, &Var> =
            target.bindings.iter().rev().map(|it| (view(&self.counterpart(&it.var)).address(), &it.var)).collect();
        let mut params: Vec<Var> = target.function.params.as_slice()[..target.inputs].to_vec();
        params.extend(
            target.weights().iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(weight, _)| weight.clone()),
        );
        for result in &self.results {
            let var = own.get(&view(result).address()).copied().unwrap_or(result);
            let param =
                Var::named(var.vid.name_hint.clone()).with_changes(|node| node.struct_info = var.struct_info.clone());
            new.insert(view(result).address(), param.clone());
            params.push(param);
        }
        let body = Mutate::new()
            .enter(|var: &Var, _| match new.get(&view(&self.counterpart(var)).address()) {
                Some(param) => Mutation::Replace(param.clone().into()),
                None => Mutation::Keep,
            })
            .run(rest.body.clone())?;
        Ok(target.function.clone().with_changes(|node| {
            node.params = Array::new(params);
            node.body = body;
        }))
    }

    /// The function from all weights to the ones that the functions take, which are the result of `earlier` if there is such a
    /// function.
    fn transform(&self, name: &str, earlier: Option<&Function>) -> Result<Function, Error> {
        let first = &self.targets[0];
        let infos = weight_infos(first.weights())?;
        let weights = Var::of("model_params", TupleStructInfo::new(infos));
        let places: FxHashMap<usize, i64> =
            (0..).zip(first.weights()).map(|(at, weight)| (view(weight).address(), at)).collect();
        // Each use is a member by itself, so that the normal form binds it where it is used.
        let member = |var: &Var| places.get(&view(var).address()).map(|at| TupleGetItem::new(&weights, *at));
        let in_members = |value: RelaxExpr| -> Result<RelaxExpr, Error> {
            let replaced =
                |expr: RelaxExpr| expr.downcast_ref::<Var>().and_then(member).map_or(expr.clone(), Into::into);
            Mutate::new()
                .enter(|_: &StructInfo, _| Mutation::Skip)
                .enter(|exprs: &Array<RelaxExpr>, _| {
                    Mutation::ReplaceInto(exprs.iter().map(replaced).collect::<Array<RelaxExpr>>().into())
                })
                .enter(|var: &Var, _| member(var).map_or(Mutation::Keep, |member| Mutation::Replace(member.into())))
                .run(value)
        };
        let kept = first.weights().iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(weight, _)| weight);
        let fields: Vec<RelaxExpr> = kept.chain(&self.results).map(RelaxExpr::from).collect();
        let output = Var::named("output_tuple");
        let mut bindings: Vec<Binding> = Vec::with_capacity(first.bindings.len() + 1);
        for binding in &first.bindings {
            bindings.push(blocks::with_value(binding, in_members(value_of(binding))?));
        }
        bindings.push(VarBinding::new(&output, in_members(Tuple::new(fields).into())?).into());
        let mut blocks: Vec<BindingBlock> = vec![DataflowBlock::new(bindings).into()];
        let (attrs, params) = match earlier {
            Some(earlier) => {
                let block = BindingBlock::new([after(earlier, &weights)?]);
                blocks = earlier.body.blocks.iter().chain([block]).chain(blocks).collect();
                (earlier.attrs.clone(), earlier.params.clone())
            }
            None => {
                let entries = [("num_input".into(), Any::Int(0)), ("global_symbol".into(), Str::from(name).into())];
                (DictAttrs::new(Map::<Str, Any>::new(entries)), Array::new([weights.clone()]))
            }
        };
        // The normal form replaces the annotation by the information of the result.
        let function = Function::new(attrs, params, SeqExpr::new(blocks, &output), ObjectStructInfo::any(), true);
        let normal = Normalizer::new().function(&with_copied_vars(function)?)?;
        // Names that go last leave bindings that nothing uses, and dimensions that a `MatchCast` told.
        let clean = remove_all_unused(&canonicalize_bindings(&remove_all_unused(&normal)?)?)?;
        let body = clean.body.clone().with_changes(|node| node.struct_info = None);
        Normalizer::new().function(&clean.with_changes(|node| {
            node.body = body;
            node.ret_struct_info = ObjectStructInfo::any().into();
        }))
    }
}

/// The information of the weights in a function of their own, where the shape variables of other parameters are unknown.
fn weight_infos(weights: &[Var]) -> Result<Vec<StructInfo>, Error> {
    let infos: Option<Vec<&StructInfo>> = weights.iter().map(|weight| weight.struct_info.as_ref()).collect();
    let infos = infos.ok_or_else(|| Error::new(ErrorKind::MissingField, "a weight has no structural information"))?;
    let dims = infos.iter().flat_map(|info| definable_shape_vars(info));
    let visible = dims.fold(VarMap::new(), |visible, dim| visible.see(&dim));
    let analyzer = Analyzer::for_shapes();
    Ok(infos.into_iter().map(|info| erase_to_well_defined(info, &visible, &analyzer)).collect())
}

/// The binding of `weights` to the result of an earlier function.
fn after(earlier: &Function, weights: &Var) -> Result<Binding, Error> {
    let result = &earlier.body.body;
    let Some(expected) = &weights.struct_info else { return Ok(VarBinding::new(weights, result.clone()).into()) };
    match base_check(&earlier.ret_struct_info, expected, &Analyzer::for_shapes()) {
        BaseCheck::Pass => Ok(VarBinding::new(weights, result.clone()).into()),
        BaseCheck::FailL2 | BaseCheck::FailL1 => Ok(MatchCast::new(weights, result.clone(), expected.clone()).into()),
        BaseCheck::FailL0 => {
            let (expected, given) = (describe(expected), describe(&earlier.ret_struct_info));
            let message =
                format!("the function that transforms parameters has the result {given}, expected {expected}");
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
    }
}

/// Leaves the bindings that all targets have, and returns the variable of the first target that has the value of each variable of
/// the others.
fn unite(targets: &mut [Target]) -> Result<FxHashMap<usize, Var>, Error> {
    let mut counterparts: FxHashMap<usize, Var> = FxHashMap::default();
    let Some((first, others)) = targets.split_first_mut() else { return Ok(counterparts) };
    let mut values: StructuralMap<Var> = StructuralMap::new();
    for binding in &first.bindings {
        values.insert(key(&value_of(binding), stated(binding)), binding.var.clone())?;
    }
    let mut common: FxHashSet<usize> = first.bindings.iter().map(|binding| view(&binding.var).address()).collect();
    for target in &*others {
        let mut dims = Known::default();
        for (own, weight) in pairs(target, first)? {
            let infos = own.struct_info.iter().zip(&weight.struct_info);
            let known = infos.flat_map(|(own, weight)| get_shape_var_mapping(own, weight));
            dims.values.extend(known.map(|(dim, value)| (view(&dim).address(), value)));
            counterparts.insert(view(own).address(), weight.clone());
        }
        let mut found: FxHashSet<usize> = FxHashSet::default();
        for binding in &target.bindings {
            let value = Mutate::new()
                .enter(|var: &Var, _| match counterparts.get(&view(var).address()) {
                    Some(var) => Mutation::Replace(var.clone().into()),
                    None => Mutation::Keep,
                })
                .run(value_of(binding))?;
            let stated = stated(binding).map(|info| dims.apply(info)).transpose()?;
            if let Some(var) = values.get(&key(&dims.apply(value)?, stated)) {
                found.insert(view(var).address());
                counterparts.insert(view(&binding.var).address(), var.clone());
            }
        }
        common.retain(|var| found.contains(var));
    }
    for target in targets {
        let is_common = |var: usize| common.contains(&counterparts.get(&var).map_or(var, |var| view(var).address()));
        target.bindings.retain(|binding| is_common(view(&binding.var).address()));
        target.lifted.retain(|var| is_common(*var));
    }
    Ok(counterparts)
}

fn stated(binding: &Binding) -> Option<StructInfo> {
    binding.downcast_ref::<MatchCast>().map(|cast| cast.struct_info.clone())
}

/// The weights of a target with the ones of the first target.
fn pairs<'a>(target: &'a Target, first: &'a Target) -> Result<Vec<(&'a Var, &'a Var)>, Error> {
    let pairs: Vec<(&Var, &Var)> = target.weights().iter().zip(first.weights()).collect();
    let options = StructuralOptions::new().map_free_vars(true);
    let is_same = |(own, weight): &(&Var, &Var)| options.equal(&own.struct_info, &weight.struct_info).unwrap_or(false);
    if target.weights().len() == first.weights().len() && pairs.iter().all(is_same) {
        return Ok(pairs);
    }
    let (name, other) = (&target.var.name_hint, &first.var.name_hint);
    let message = format!("expected functions with the same weights, got `{name}` and `{other}`, whose weights differ");
    Err(Error::new(ErrorKind::TypeMismatch, message))
}

/// The end of the names of functions that transform parameters.
const TRANSFORM: &str = "transform_params";

/// The functions whose weights are transformed.
fn targets(module: &IRModule, shared: SharedTransform<'_>) -> Result<Vec<Target>, Error> {
    let mut found: Vec<(GlobalVar, BaseFunc)> = Vec::new();
    match shared {
        SharedTransform::Of(names) if !names.is_empty() => {
            for name in names {
                found.push(function_named(module, name)?);
            }
        }
        _ => found.extend(module.functions.iter().filter(|(var, _)| !var.name_hint.ends_with(TRANSFORM))),
    }
    let mut targets = Vec::new();
    for (var, function) in found {
        let Some(function) = function.downcast_ref::<Function>().filter(|it| inputs(it) != usize::MAX) else {
            continue;
        };
        let target = refuse_callers(module, &var).and_then(|()| Target::of(&var, function));
        targets.push(target.map_err(|error| error.context(format!("function `{}`", var.name_hint)))?);
    }
    Ok(targets)
}

/// The module in which functions with the attribute `num_input` take their weights, which are the parameters after this number,
/// as they need them: the bindings of dataflow blocks that use only weights and constants move to a new function from a tuple of
/// all weights to a tuple of the weights that the function takes now. These are first the weights that the rest of the function
/// uses, and then the results of bindings.
///
/// The new function has the name of the function with `_transform_params`, or `transform_params` if functions share it, which must
/// have the same weights; then the bindings move that all of them have. If the module has a function of this name, the new
/// work comes after its own. (TVM 0.25 `relax.transform.LiftTransformParams`, which also removes weights whose shape variables the
/// function needs)
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) for a name that no function has, [`BadReference`](ErrorKind::BadReference) if
/// functions of the module use such a function, [`TypeMismatch`](ErrorKind::TypeMismatch) for functions with different weights,
/// [`Malformed`](ErrorKind::Malformed) for an attribute above the number of parameters, and the errors of [`Normalizer::function`].
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::{SharedTransform, lift_transform_params};
/// use object_script::{parse::parse, print::print};
///
/// let script = r#"
/// @I.ir_module
/// class Module:
///     @R.function
///     def main(x: R.Tensor((4,), "int8"), w: R.Tensor((4,), "int8")) -> R.Tensor((4,), "int8"):
///         R.func_attr({"num_input": 1})
///         with R.dataflow():
///             twice = R.add(w, w)
///             y = R.add(x, twice)
///             R.output(y)
///         return y
/// "#;
/// let module: IRModule = parse(script)?.cast()?;
/// let lifted = print(&lift_transform_params(&module, SharedTransform::No)?).to_string();
/// assert!(lifted.contains(r#"def main(x: R.Tensor((4,), dtype="int8"), twice: R.Tensor((4,), dtype="int8"))"#), "{lifted}");
/// # Ok::<(), Error>(())
/// ```
pub fn lift_transform_params(module: &IRModule, shared: SharedTransform<'_>) -> Result<IRModule, Error> {
    let mut targets = targets(module, shared)?;
    if targets.is_empty() {
        return Ok(module.clone());
    }
    let (mut changed, mut new) = (FxHashMap::default(), Vec::new());
    let lifts = match shared {
        SharedTransform::No => {
            let named = |target: &Target| format!("{}_{TRANSFORM}", target.var.name_hint);
            let lift = |target| Ok((named(target), Lift::of(std::slice::from_ref(target), FxHashMap::default())?));
            targets.iter().map(lift).collect::<Result<Vec<_>, Error>>()?
        }
        SharedTransform::All | SharedTransform::Of(_) => {
            let counterparts = unite(&mut targets)?;
            vec![(TRANSFORM.to_owned(), Lift::of(&targets, counterparts)?)]
        }
    };
    for (name, lift) in lifts {
        let mut change = |var: &GlobalVar, old: &BaseFunc, new: Function| {
            if !structural_equal(old, &BaseFunc::from(&new)) {
                changed.insert(view(var).address(), new);
            }
        };
        for (target, rest) in lift.targets.iter().zip(&lift.rests) {
            change(&target.var, &(&target.function).into(), canonicalize_bindings(&lift.function(target, rest)?)?);
        }
        match function_named(module, &name) {
            Ok((var, old)) => change(&var, &old, lift.transform(&name, old.downcast_ref::<Function>())?),
            Err(_) => new.push((GlobalVar::new(name.clone()), lift.transform(&name, None)?)),
        }
    }
    with_new_functions(&with_functions(module, &changed)?, new)
}
