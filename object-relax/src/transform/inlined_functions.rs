//! [`inline_private_functions`]: modules whose private functions are part of their callers.

use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{UseDef, walk};
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, Call, CallNode, Constant, DataflowVar, Function, GlobalVar, IRModule, MatchCast,
    RelaxExpr, SeqExpr, StructInfo, Var, VarBinding,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::CallGraph;
use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::normal_form::Normalizer;
use crate::struct_info::mapping::shape_var_values;
use crate::struct_info::{BaseCheck, base_check};
use crate::transform::canonicalize::canonicalize_bindings;
use crate::transform::copied_vars::with_copied_vars;
use crate::transform::dead_functions::is_visible;
use crate::transform::known_dims::Known;
use crate::transform::module_functions::{with_functions, without_functions};
use crate::transform::remove_unused::remove_all_unused;

/// The largest number of bindings of a function after inlining. Functions that call another one twice in turn have exponentially
/// many.
const MAX_BINDINGS: u64 = 1 << 20;

/// The private functions, as they become a part of their callers.
#[derive(Default)]
struct Inliner {
    /// The functions with calls of others in place, by the addresses of their global variables.
    private: FxHashMap<usize, Function>,
    /// The numbers of bindings.
    sizes: FxHashMap<usize, u64>,
}

impl Inliner {
    /// The function with the private functions in place of its calls.
    fn inline(&mut self, var: &GlobalVar, function: &Function) -> Result<Function, Error> {
        let (mut size, mut has_calls) = (1_u64, false);
        walk(function, |_: &Binding, _| size += 1);
        walk(function, |call: &Call, _| {
            let inlined = self.sizes.get(&view(&call.op).address());
            size = size.saturating_add(inlined.copied().unwrap_or(0));
            has_calls |= inlined.is_some();
        });
        self.sizes.insert(view(var).address(), size);
        if !has_calls {
            return Ok(function.clone());
        }
        if size > MAX_BINDINGS {
            let message = format!(
                "the function has more than {MAX_BINDINGS} bindings with its private functions in place of calls"
            );
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        let inlined = Mutate::new()
            .leave(|call: &Call, _| -> Result<Mutation, Error> {
                let callee = self.private.get(&view(&call.op).address());
                let Some(callee) = callee.filter(|callee| callee.params.len() == call.args.len()) else {
                    return Ok(Mutation::Keep);
                };
                Ok(Mutation::Replace(body_in_call(callee, call)?.into()))
            })
            // A body may split the dataflow block around its call. The canonical form has dataflow variables again.
            .enter(|var: &DataflowVar, _| {
                let info = var.struct_info.clone();
                Mutation::ReplaceInto(Var::new(var.vid.clone()).with_changes(|node| node.struct_info = info).into())
            })
            .run(function.clone())?;
        remove_all_unused(&canonicalize_bindings(&Normalizer::new().function(&inlined)?)?)
    }
}

/// The body of a function with the arguments of a call in place of the parameters.
fn body_in_call(callee: &Function, call: &Call) -> Result<SeqExpr, Error> {
    let callee = with_copied_vars(callee.clone())?;
    let analyzer = Analyzer::for_shapes();
    let (mut dims, mut args) = (Known::default(), FxHashMap::default());
    let pairs: Vec<(&Var, &RelaxExpr)> = callee.params.as_slice().iter().zip(call.args.as_slice()).collect();
    let infos = pairs.iter().filter_map(|(param, arg)| Some((param.struct_info.as_ref()?, arg.struct_info.as_ref()?)));
    for (dim, value) in shape_var_values(infos.collect::<Vec<_>>(), true) {
        dims.values.insert(view(dim).address(), value.clone());
    }
    let mut first: Vec<Binding> = Vec::new();
    for (param, arg) in pairs {
        match cast_of(param, arg, &dims, &analyzer)? {
            Some(info) => first.push(MatchCast::new(param, arg.clone(), info).into()),
            None if arg.is::<Var>() || arg.is::<Constant>() => _ = args.insert(view(param).address(), arg.clone()),
            None => first.push(VarBinding::new(param, arg.clone()).into()),
        }
    }
    let mut body = callee.body.clone();
    if !first.is_empty() {
        let blocks: Vec<BindingBlock> = std::iter::once(BindingBlock::new(first)).chain(body.blocks.iter()).collect();
        body.make_mut().blocks = Array::new(blocks);
    }
    let body = Mutate::new()
        .enter(|var: &Var, _| {
            args.get(&view(var).address()).map_or(Mutation::Keep, |arg| Mutation::Replace(arg.clone().into()))
        })
        .run(body)?;
    dims.apply(body)
}

/// The information of a parameter that its argument has to be compared with at run time.
fn cast_of(param: &Var, arg: &RelaxExpr, dims: &Known, analyzer: &Analyzer) -> Result<Option<StructInfo>, Error> {
    let (Some(stated), Some(given)) = (&param.struct_info, &arg.struct_info) else { return Ok(None) };
    let expected = dims.apply(stated.clone())?;
    Ok(Some(expected).filter(|expected| base_check(given, expected, analyzer) != BaseCheck::Pass))
}

/// The private functions of Relax that do not call themselves, and the ones of them that are values too, not only called.
fn private_functions(module: &IRModule, graph: &CallGraph) -> (FxHashSet<usize>, FxHashSet<usize>) {
    let recursive: FxHashSet<usize> =
        graph.recursive_groups().iter().flatten().map(|var| view(var).address()).collect();
    let functions: Array<BaseFunc> = module.functions.iter().map(|(_, function)| function).collect();
    let uses = UseDef::of(&functions);
    let (mut private, mut values) = (FxHashSet::default(), FxHashSet::default());
    for (var, function) in &module.functions {
        let Some(relax) = function.downcast_ref::<Function>().filter(|_| !is_visible(function)) else { continue };
        let address = view(var).address();
        let is_forced = function.attrs.dict.get("relax.force_pure").is_some_and(|value| value.cast().unwrap_or(true));
        // A caller without the attribute may not have the side effects that it hides.
        if recursive.contains(&address) || is_forced {
            continue;
        }
        let is_call = |call: &CallNode| call.args.len() == relax.params.len();
        let all_calls = uses.uses(var).all(|it| {
            it.field().is_some_and(|field| field.name() == "op") && it.parent().node::<CallNode>().is_some_and(is_call)
        });
        private.insert(address);
        if !all_calls {
            values.insert(address);
        }
    }
    (private, values)
}

/// The module with the bodies of private functions of Relax in place of their calls, without these functions, and without second
/// names and unused bindings in the callers. An argument that may be no value of its parameter gets a `MatchCast`. Functions
/// that call themselves, directly or through others, and
/// functions with `relax.force_pure` stay, and a function that is a value stays too. (TVM 0.25
/// `relax.transform.InlinePrivateFunctions`, which loses the shape variables of parameters, and removes functions that are values)
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) for a function that would have more than a million bindings, and the errors of
/// [`Normalizer::module`].
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::inline_private_functions;
/// use object_script::parse::parse;
///
/// let script = r#"
/// @I.ir_module
/// class Module:
///     @R.function(private=True)
///     def twice(x: R.Tensor((4,), "int8")) -> R.Tensor((4,), "int8"):
///         return R.add(x, x)
///
///     @R.function
///     def main(x: R.Tensor((4,), "int8")) -> R.Tensor((4,), "int8"):
///         return Module.twice(x)
/// "#;
/// let module: IRModule = parse(script)?.cast()?;
/// assert_eq!(inline_private_functions(&module)?.functions.len(), 1);
/// # Ok::<(), Error>(())
/// ```
pub fn inline_private_functions(module: &IRModule) -> Result<IRModule, Error> {
    if private_functions(module, &CallGraph::of(module)).0.is_empty() {
        return Ok(module.clone());
    }
    // The structural information of arguments says the values of shape variables.
    let module = &Normalizer::new().module(module)?;
    let graph = CallGraph::of(module);
    let (private, values) = private_functions(module, &graph);
    let (mut inliner, mut changed) = (Inliner::default(), FxHashMap::default());
    for var in graph.groups().into_iter().flatten() {
        let Some(function) = module.functions.get(&var).and_then(|function| function.downcast::<Function>().ok())
        else {
            continue;
        };
        let new =
            inliner.inline(&var, &function).map_err(|error| error.context(format!("function `{}`", var.name_hint)))?;
        if private.contains(&view(&var).address()) {
            inliner.private.insert(view(&var).address(), new.clone());
        } else {
            inliner.sizes.remove(&view(&var).address());
        }
        if !new.ptr_eq(&function) {
            changed.insert(view(&var).address(), new);
        }
    }
    let is_inlined = |var: &GlobalVar| private.contains(&view(var).address()) && !values.contains(&view(var).address());
    with_functions(&without_functions(module, is_inlined), &changed)
}
