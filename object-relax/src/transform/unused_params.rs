//! [`remove_unused_params`]: private functions without parameters that they do not use.

use object_core::ObjectView;
use object_core::object::FieldInfo;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{UseDef, free_vars_of, walk};
use object_ir::ir::{
    BaseFunc, Call, CallNode, Function, FunctionNode, IRModule, PrimExpr, PrimStructInfo, PrimValue, RelaxExpr,
    StructInfo, Var,
};
use object_ir::tir;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::view;
use crate::analysis::{IdentityMap, definable_shape_vars, free_shape_vars, shape_vars};
use crate::struct_info::get_shape_var_mapping;
use crate::transform::dead_functions::is_visible;
use crate::transform::module_functions::with_functions;

/// A private function of which every use is a call.
struct Callee {
    function: Function,
    /// The addresses of the shape variables in the body and in the structural information of the result.
    mentioned: FxHashSet<usize>,
    /// The calls, each with the address of the global variable of a function that contains it.
    calls: Vec<(usize, Call)>,
    /// Whether each parameter goes.
    is_removed: Vec<bool>,
    /// The numbers of parameters that stay and bind each shape variable, by its address.
    binders: FxHashMap<usize, usize>,
    /// The shape variables that no parameter binds any more and the function needs.
    needed: IdentityMap<tir::Var, ()>,
}

impl Callee {
    /// The private functions of Relax, by the addresses of their global variables.
    fn all(module: &IRModule) -> FxHashMap<usize, Callee> {
        let functions: Array<BaseFunc> = module.functions.iter().map(|(_, function)| function).collect();
        let uses = UseDef::of(&functions);
        let mut callees: FxHashMap<usize, Callee> = FxHashMap::default();
        for (var, function) in &module.functions {
            let Some(relax) = function.downcast_ref::<Function>().filter(|_| !is_visible(function)) else { continue };
            let is_call = |parent: ObjectView<'_>, field: Option<&str>| {
                field == Some("op")
                    && parent.node::<CallNode>().is_some_and(|call| call.args.len() == relax.params.len())
            };
            if uses.uses(var).all(|it| is_call(it.parent(), it.field().map(FieldInfo::name))) {
                callees.insert(view(var).address(), Callee::of(relax));
            }
        }
        for (caller, function) in &module.functions {
            walk(function, |call: &Call, _| {
                if let Some(callee) = callees.get_mut(&view(&call.op).address()) {
                    callee.calls.push((view(caller).address(), call.clone()));
                }
            });
        }
        remove(&mut callees, &uses);
        callees.retain(|_, callee| callee.is_removed.contains(&true));
        callees
    }

    fn of(function: &Function) -> Callee {
        let mut mentioned = free_shape_vars(&(&function.body).into());
        mentioned.extend(shape_vars(&function.ret_struct_info));
        let mut binders: FxHashMap<usize, usize> = FxHashMap::default();
        for info in function.params.as_slice().iter().filter_map(|param| param.struct_info.as_ref()) {
            let bound: FxHashSet<usize> = definable_shape_vars(info).iter().map(|dim| view(dim).address()).collect();
            bound.iter().for_each(|dim| *binders.entry(*dim).or_default() += 1);
            mentioned.extend(shape_vars(info).into_iter().filter(|dim| !bound.contains(&view(dim).address())));
        }
        Callee {
            function: function.clone(),
            mentioned: mentioned.iter().map(|dim| view(dim).address()).collect(),
            calls: Vec::new(),
            is_removed: vec![false; function.params.len()],
            binders,
            needed: IdentityMap::default(),
        }
    }

    /// The infos of the parameters of which `is_removed` is the given value.
    fn infos(&self, is_removed: bool) -> impl Iterator<Item = (usize, &StructInfo)> {
        let params = self.function.params.as_slice().iter().enumerate();
        let found = params.filter(move |(at, _)| self.is_removed[*at] == is_removed);
        found.filter_map(|(at, param)| Some((at, param.struct_info.as_ref()?)))
    }

    /// Removes a parameter.
    fn remove(&mut self, at: usize) {
        self.is_removed[at] = true;
        let info = self.function.params.as_slice().get(at).and_then(|param| param.struct_info.as_ref());
        for dim in info.map_or_else(Vec::new, definable_shape_vars) {
            self.binders.entry(view(&dim).address()).and_modify(|count| *count -= 1);
        }
    }

    /// Whether scalars can take the place of a parameter: all calls say which values the shape variables have that the function
    /// needs of it, and it is not such a scalar itself.
    fn is_replaceable(&self, at: usize) -> bool {
        let Some(info) = self.function.params.as_slice().get(at).and_then(|param| param.struct_info.as_ref()) else {
            return true;
        };
        let dims = definable_shape_vars(info).into_iter().map(|dim| view(&dim).address());
        let needed: Vec<usize> = dims.filter(|dim| self.mentioned.contains(dim)).collect();
        let is_bound_elsewhere = |dim: usize| self.binders.get(&dim).is_some_and(|count| *count > 1);
        match needed[..] {
            [] => true,
            [dim] if info.is::<PrimStructInfo>() && !is_bound_elsewhere(dim) => false,
            _ => self.tell(info, at, &needed),
        }
    }

    /// Whether all calls say which values some shape variables of a parameter have.
    fn tell(&self, info: &StructInfo, at: usize, dims: &[usize]) -> bool {
        self.calls.iter().all(|(_, call)| {
            let told: FxHashSet<usize> = values_of(info, call, at).iter().map(|(dim, _)| view(dim).address()).collect();
            dims.iter().all(|dim| told.contains(dim))
        })
    }

    /// The values that a call gives to the shape variables of the removed parameters.
    fn values(&self, call: &Call) -> FxHashMap<usize, PrimExpr> {
        let mut values = FxHashMap::default();
        for (dim, value) in self.infos(true).flat_map(|(at, info)| values_of(info, call, at)) {
            values.entry(view(&dim).address()).or_insert(value);
        }
        values
    }
}

/// The values of the shape variables of a parameter in a call.
fn values_of(info: &StructInfo, call: &Call, at: usize) -> Vec<(tir::Var, PrimExpr)> {
    let given = call.args.as_slice().get(at).and_then(|arg| arg.struct_info.as_ref());
    given.map_or_else(Vec::new, |given| get_shape_var_mapping(info, given))
}

/// Marks the parameters whose only uses are arguments in place of removed parameters.
fn remove(callees: &mut FxHashMap<usize, Callee>, uses: &UseDef<'_>) {
    let mut counts: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    // The parameters that stand as arguments in place of a parameter, once for each use.
    let mut arguments: FxHashMap<(usize, usize), Vec<(usize, usize)>> = FxHashMap::default();
    for (&callee, Callee { function, .. }) in &*callees {
        for (at, param) in function.params.as_slice().iter().enumerate() {
            let count = counts.entry((callee, at)).or_default();
            for place in uses.uses(param) {
                let Some(index) = place.index() else {
                    *count += 1;
                    continue;
                };
                let calls = calls_with(place.parent(), uses);
                *count += calls.len();
                for call in calls.iter().flatten().filter(|call| callees.contains_key(call)) {
                    arguments.entry((*call, index)).or_default().push((callee, at));
                }
            }
        }
    }
    let mut open: Vec<(usize, usize)> =
        counts.iter().filter(|(_, count)| **count == 0).map(|(param, _)| *param).collect();
    while let Some((callee, at)) = open.pop() {
        let Some(found) = callees.get_mut(&callee).filter(|found| found.is_replaceable(at)) else { continue };
        found.remove(at);
        for param in arguments.get(&(callee, at)).into_iter().flatten() {
            let count = counts.entry(*param).or_default();
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.push(*param);
            }
        }
    }
}

/// The uses of an array that is not the parameters of a function: the address of the callee of each call that has the array as
/// its arguments, and `None` for each other use.
fn calls_with(array: ObjectView<'_>, uses: &UseDef<'_>) -> Vec<Option<usize>> {
    let Some(array) = array.to_handle::<Array<RelaxExpr>>() else { return Vec::new() };
    let callee = |parent: ObjectView<'_>, field: Option<&str>| {
        parent.node::<CallNode>().filter(|_| field == Some("args")).map(|call| view(&call.op).address())
    };
    let parents = uses.uses(&array).map(|it| (it.parent(), it.field().map(FieldInfo::name)));
    let parents = parents.filter(|(parent, _)| parent.node::<FunctionNode>().is_none());
    parents.map(|(parent, field)| callee(parent, field)).collect()
}

/// The change of the module.
struct Change(FxHashMap<usize, Callee>);

impl Change {
    /// The functions of Relax with changed calls and parameters, by the addresses of their global variables.
    fn functions(&self, module: &IRModule) -> Result<FxHashMap<usize, Function>, Error> {
        let mut changed = FxHashMap::default();
        for (var, function) in &module.functions {
            let Some(old) = function.downcast_ref::<Function>() else { continue };
            let mut new = Mutate::new().enter(|call: &Call, _| self.call(call)).run(old.clone())?;
            if let Some(callee) = self.0.get(&view(var).address()) {
                let params = self.params(callee);
                new = new.with_changes(|node| node.params = Array::new(params));
            }
            if !new.ptr_eq(old) {
                changed.insert(view(var).address(), new);
            }
        }
        Ok(changed)
    }

    fn call(&self, call: &Call) -> Mutation {
        let Some(callee) = self.0.get(&view(&call.op).address()) else { return Mutation::Keep };
        let kept = call.args.as_slice().iter().enumerate().filter(|(at, _)| !callee.is_removed[*at]);
        let mut args: Vec<RelaxExpr> = kept.map(|(_, arg)| arg.clone()).collect();
        let values = callee.values(call);
        let dims = callee.needed.keys().filter_map(|dim| values.get(&view(dim).address()));
        args.extend(dims.map(|value| RelaxExpr::from(PrimValue::of(value.clone()))));
        Mutation::ReplaceInto(call.clone().with_changes(|node| node.args = Array::new(args)).into())
    }

    fn params(&self, callee: &Callee) -> Vec<Var> {
        let kept = callee.function.params.as_slice().iter().enumerate().filter(|(at, _)| !callee.is_removed[*at]);
        let new = callee.needed.keys().map(|dim| Var::of(format!("param_{}", dim.name), PrimStructInfo::of_value(dim)));
        kept.map(|(_, param)| param.clone()).chain(new).collect()
    }

    /// Finds the shape variables that the functions need without the removed parameters.
    fn find_needed(&mut self, module: &IRModule) -> Result<(), Error> {
        let mut open: Vec<(usize, tir::Var)> = Vec::new();
        for (address, function) in self.functions(module)? {
            if self.0.contains_key(&address) {
                open.extend(free_shape_vars(&function.into()).into_iter().map(|dim| (address, dim)));
            }
        }
        // The values in each call.
        let mut values: FxHashMap<usize, FxHashMap<usize, PrimExpr>> = FxHashMap::default();
        while let Some((address, dim)) = open.pop() {
            let Some(callee) = self.0.get_mut(&address) else { continue };
            if callee.needed.contains(&dim) || callee.binders.get(&view(&dim).address()) != Some(&0) {
                continue;
            }
            callee.needed.insert(&dim);
            let callee = &self.0[&address];
            for (caller, call) in &callee.calls {
                let told = values.entry(view(call).address()).or_insert_with(|| callee.values(call));
                let value = told.get(&view(&dim).address());
                let dims = value.into_iter().flat_map(free_vars_of::<tir::Var>);
                open.extend(dims.map(|dim| (*caller, dim)));
            }
        }
        Ok(())
    }
}

/// The module whose private functions have no parameters that they do not use, and whose calls pass none to them. A parameter is
/// also unused if its only uses are arguments in place of such parameters. A function that needs a shape variable of removed
/// parameters gets a scalar in their place, after its other parameters.
///
/// Private are functions of Relax without a `global_symbol`. Functions that are values, and not only called, keep their
/// parameters, as do parameters with shape variables whose values a call does not say. (TVM 0.25
/// `relax.transform.RemoveUnusedParameters`, which changes one level of calls in a run, and breaks functions that are values)
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::remove_unused_params;
/// use object_script::{parse::parse, print::print};
///
/// let script = r#"
/// @I.ir_module
/// class Module:
///     @R.function(private=True)
///     def zeros(x: R.Tensor(("n",), "int8")) -> R.Tensor(("n",), "int8"):
///         n = T.int64()
///         return R.zeros(R.shape([n]), "int8")
///
///     @R.function
///     def main(x: R.Tensor((4,), "int8")) -> R.Tensor((4,), "int8"):
///         return Module.zeros(x)
/// "#;
/// let module: IRModule = parse(script)?.cast()?;
/// let changed = print(&remove_unused_params(&module)?).to_string();
/// assert!(changed.contains("cls.zeros(R.prim_value(4))"), "{changed}");
/// # Ok::<(), Error>(())
/// ```
pub fn remove_unused_params(module: &IRModule) -> Result<IRModule, Error> {
    let mut change = Change(Callee::all(module));
    if change.0.is_empty() {
        return Ok(module.clone());
    }
    change.find_needed(module)?;
    with_functions(module, &change.functions(module)?)
}
