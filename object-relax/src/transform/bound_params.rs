//! [`bind_params`]: functions with constants in place of parameters.

use object_core::Tensor;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_ir::ir::{
    BindingBlock, Constant, Function, IRModule, MatchCast, SeqExpr, StructInfo, TensorStructInfo, Var,
};
use rustc_hash::FxHashMap;

use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::op::describe::describe;
use crate::struct_info::{BaseCheck, base_check, get_shape_var_mapping};
use crate::transform::known_dims::Known;
use crate::transform::module_functions::{function_named, refuse_callers, with_functions};

/// The module whose function `function` has constants in place of the parameters with the names in `params`. The dimensions of
/// the constants take the place of the shape variables that the parameters bind. If a dimension of a parameter is an expression
/// that its constant does not determine, a `MatchCast` compares both at run time. (TVM 0.25 `relax.transform.BindParams`, which
/// compares nothing)
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if the module has no function of Relax with this name,
/// [`BadReference`](ErrorKind::BadReference) if the function has no parameter, or several, of a given name, or if functions of
/// the module use the function, whose calls would have too many arguments, [`DuplicateKey`](ErrorKind::DuplicateKey) for a
/// parameter with two constants, and [`TypeMismatch`](ErrorKind::TypeMismatch) for a constant of another type than its parameter.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::{DataType, Tensor};
/// use object_ir::ir::IRModule;
/// use object_relax::transform::bind_params;
/// use object_script::{parse::parse, print::print};
///
/// let script = r#"
/// @I.ir_module
/// class Module:
///     @R.function
///     def main(x: R.Tensor(("n",), "int8"), w: R.Tensor(("n",), "int8")):
///         return R.add(x, w)
/// "#;
/// let module: IRModule = parse(script)?.cast()?;
/// let weight = Tensor::new(DataType::int(8), [2], vec![3, 4])?;
/// let bound = bind_params(&module, "main", &[("w", weight)])?;
/// assert!(print(&bound).to_string().contains(r#"def main(x: R.Tensor((2,), dtype="int8"))"#));
/// # Ok::<(), Error>(())
/// ```
pub fn bind_params(module: &IRModule, function: &str, params: &[(&str, Tensor)]) -> Result<IRModule, Error> {
    let (var, found) = function_named(module, function)?;
    let Some(relax) = found.downcast_ref::<Function>() else {
        let message =
            format!("expected a function of Relax, got `{function}`, which is a `{}`", view(&found).type_key());
        return Err(Error::new(ErrorKind::UnknownFunction, message));
    };
    if params.is_empty() {
        return Ok(module.clone());
    }
    refuse_callers(module, &var)?;
    let bound = Bound::of(relax, params).and_then(|bound| bound.apply(relax));
    let bound = bound.map_err(|error| error.context(format!("function `{function}`")))?;
    with_functions(module, &FxHashMap::from_iter([(view(&var).address(), bound)]))
}

/// The constants of parameters.
struct Bound {
    constants: FxHashMap<usize, Constant>,
    dims: Known,
    /// The parameters whose constants may not fit, with their information over known dimensions.
    checked: Vec<(Var, StructInfo)>,
}

impl Bound {
    fn of(function: &Function, params: &[(&str, Tensor)]) -> Result<Bound, Error> {
        let mut bound = Bound { constants: FxHashMap::default(), dims: Known::default(), checked: Vec::new() };
        let analyzer = Analyzer::for_shapes();
        let mut infos: Vec<(Var, StructInfo)> = Vec::with_capacity(params.len());
        for (name, tensor) in params {
            let param = param_named(function, name)?;
            let mut constant = Constant::new(tensor.clone());
            let given: StructInfo = TensorStructInfo::of(tensor.shape.as_slice().to_vec(), tensor.dtype)?.into();
            constant.make_mut().struct_info = Some(given.clone());
            if bound.constants.insert(view(&param).address(), constant).is_some() {
                return Err(Error::new(ErrorKind::DuplicateKey, format!("the parameter `{name}` has two constants")));
            }
            for (dim, value) in param.struct_info.iter().flat_map(|stated| get_shape_var_mapping(stated, &given)) {
                bound.dims.values.entry(view(&dim).address()).or_insert(value);
            }
            infos.push((param, given));
        }
        for (param, given) in infos {
            bound.compare(&param, &given, &analyzer)?;
        }
        Ok(bound)
    }

    /// Compares a parameter with its constant.
    fn compare(&mut self, param: &Var, given: &StructInfo, analyzer: &Analyzer) -> Result<(), Error> {
        let Some(stated) = &param.struct_info else { return Ok(()) };
        let expected = self.dims.apply(stated.clone())?;
        match base_check(given, &expected, analyzer) {
            BaseCheck::Pass => Ok(()),
            BaseCheck::FailL2 => {
                self.checked.push((param.clone(), expected));
                Ok(())
            }
            BaseCheck::FailL1 | BaseCheck::FailL0 => {
                let (name, expected, given) = (&param.vid.name_hint, describe(&expected), describe(given));
                let message = format!("the parameter `{name}` expects {expected}, got a constant with {given}");
                Err(Error::new(ErrorKind::TypeMismatch, message))
            }
        }
    }

    fn apply(&self, function: &Function) -> Result<Function, Error> {
        let constant = |var: &Var| self.constants.get(&view(var).address());
        let is_checked = |var: &Var| self.checked.iter().any(|(checked, _)| checked.ptr_eq(var));
        let params: Vec<Var> = function.params.iter().filter(|param| constant(param).is_none()).collect();
        let mut body = function.body.clone();
        if !self.checked.is_empty() {
            let casts = self
                .checked
                .iter()
                .filter_map(|(param, info)| Some(MatchCast::new(param, constant(param)?.clone(), info.clone()).into()));
            let first = BindingBlock::new(casts.collect::<Vec<_>>());
            body.make_mut().blocks = Array::new(std::iter::once(first).chain(body.blocks.iter()).collect::<Vec<_>>());
        }
        let body: SeqExpr = Mutate::new()
            .enter(|var: &Var, _| match constant(var).filter(|_| !is_checked(var)) {
                Some(constant) => Mutation::Replace(constant.clone().into()),
                None => Mutation::Keep,
            })
            .run(body)?;
        let bound = function.clone().with_changes(|node| {
            node.params = Array::new(params);
            node.body = body;
        });
        self.dims.apply(bound)
    }
}

/// The parameter with a name.
fn param_named(function: &Function, name: &str) -> Result<Var, Error> {
    let mut found = function.params.iter().filter(|param| param.vid.name_hint.as_str() == name);
    if let (Some(param), None) = (found.next(), found.next()) {
        return Ok(param);
    }
    let names: Vec<String> = function.params.iter().map(|param| param.vid.name_hint.to_string()).collect();
    let message = format!("expected the name of one parameter, got `{name}`; the parameters are {}", names.join(", "));
    Err(Error::new(ErrorKind::BadReference, message))
}
