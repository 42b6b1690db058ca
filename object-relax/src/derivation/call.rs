//! [`derive_call`]: the results of calls of functions, by the structural information of the function.

use std::cell::OnceCell;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::prelude::*;
use object_ir::ir::{Call, EnvFunc, ExternFunc, FuncStructInfo, GlobalVar, Op, PrimExpr, RelaxExpr, StructInfo, Var};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::addresses::ById;
use crate::addresses::{NumberedAddresses, address};
use crate::op::describe::describe;
use crate::op::{InferContext, infer};
use crate::struct_info::mapping::{GivenValue, for_each_binder, for_each_value};
use crate::struct_info::var_map::shape_vars;
use crate::struct_info::{
    Compatibility, DEFAULT_DERIVE, Meaning, check_compatibility, default_result, derive_by_name, erase_to_well_defined,
};

/// The derivation function of views, which is the inference of an operator.
const VIEW_DERIVE: (&str, &str) = ("tvm.relax.struct_info.infer_view_sinfo", "relax.memory.view");

/// The result of a call of a function with the structural information `function`, whose arguments have structural
/// information. `visible` are the variables at the place of the call.
///
/// The arguments give values to the variables that the parameters bind. A variable without a value, and a variable of
/// another scope, does not appear in the result.
///
/// TVM 0.25 `DeriveCallRetStructInfo`; spec: Derivation Rules, 11.
///
/// ```
/// use object_core::structural_equal;
/// use object_relax::arith::Analyzer;
/// use object_relax::derivation::derive_call;
/// use object_ir::ir::{Call, FuncStructInfo, TensorStructInfo, Var};
/// use object_relax::op::InferContext;
/// use object_relax::struct_info::VarMap;
/// use object_ir::tir;
///
/// let (n, p) = (tir::Var::dim("n"), tir::Var::dim("p"));
/// let twice = FuncStructInfo::of(
///     [TensorStructInfo::of([&n], "float32")?.into()],
///     TensorStructInfo::of([&n * 2], "float32")?,
/// );
/// let x = Var::of("x", TensorStructInfo::of([&p + 1], "float32")?);
/// let call = Call::new(Var::of("f", twice.clone()), [x.into()], None, []);
/// let analyzer = Analyzer::for_shapes();
/// let result = derive_call(&twice, &call, &VarMap::new().see(&p), &InferContext::new(&analyzer))?;
/// assert!(structural_equal(&result, &TensorStructInfo::of([&p * 2 + 2], "float32")?));
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// [`Call`](ErrorKind::Call) for a wrong number of arguments, [`TypeMismatch`](ErrorKind::TypeMismatch) for an argument
/// that the function does not accept, [`MissingField`](ErrorKind::MissingField) for an argument without structural
/// information, and the error of a derivation function.
pub fn derive_call(
    function: &FuncStructInfo,
    call: &Call,
    visible: &impl Meaning,
    context: &InferContext<'_>,
) -> Result<StructInfo, Error> {
    derive_with_notes(function, Arguments::of(call), visible, context).map(|(info, _)| info)
}

/// A call of a function, with a callee and arguments that may be others than the call has.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a> {
    pub(crate) call: &'a Call,
    pub(crate) callee: &'a RelaxExpr,
    pub(crate) args: &'a [RelaxExpr],
}

impl<'a> Arguments<'a> {
    /// The callee and the arguments that the call has.
    pub(crate) fn of(call: &'a Call) -> Self {
        Arguments { call, callee: &call.op, args: call.args.as_slice() }
    }
}

/// An argument that a function only possibly accepts.
#[derive(Clone, Debug)]
pub(crate) struct PossibleArgument {
    index: usize,
    expected: StructInfo,
    given: StructInfo,
}

impl PossibleArgument {
    /// The path from the call.
    pub(crate) fn path(&self) -> AccessPath {
        argument(self.index)
    }

    /// The function, the argument, and the expected and the given structural information.
    pub(crate) fn message(&self, callee: &RelaxExpr) -> String {
        let (expected, given) = (describe(&self.expected), describe(&self.given));
        format!("argument {} of {}: expected {expected}, got {given}", self.index, text(callee))
    }
}

/// The result of a call, and the arguments that the function only possibly accepts.
pub(crate) type WithNotes = (StructInfo, Vec<PossibleArgument>);

/// [`derive_call`], with notes about arguments.
pub(crate) fn derive_with_notes(
    function: &FuncStructInfo,
    arguments: Arguments<'_>,
    visible: &impl Meaning,
    context: &InferContext<'_>,
) -> Result<WithNotes, Error> {
    let Arguments { callee, args: given, .. } = arguments;
    let Some(params) = &function.params else {
        let info = match &function.derive_func {
            Some(derive) => derive_opaque(derive, arguments, context)?,
            None => function.ret.clone(),
        };
        return Ok((info, Vec::new()));
    };
    if params.len() != given.len() {
        let message =
            format!("number of arguments of {}: expected {}, got {}", text(callee), params.len(), given.len());
        return Err(Error::new(ErrorKind::Call, message).at(path([AccessStep::Attr("args".into())])));
    }
    let mut args: SmallVec<[&StructInfo; 8]> = SmallVec::with_capacity(params.len());
    for (i, arg) in given.iter().enumerate() {
        args.push(arg.struct_info.as_ref().ok_or_else(|| {
            let message = format!("argument {i} of {} has no structural information", text(callee));
            Error::new(ErrorKind::MissingField, message).at(argument(i))
        })?);
    }
    let mut notes = Vec::new();
    let values = ArgumentValues::new(params.as_slice(), &args, visible);
    let in_params = InParams(&values);
    for (i, (param, arg)) in params.as_slice().iter().zip(args.iter().copied()).enumerate() {
        let expected = erase_to_well_defined(param, &in_params, context.analyzer());
        let verdict = check_compatibility(arg, &expected, context.analyzer());
        if verdict == Compatibility::Compatible {
            continue;
        }
        let note = PossibleArgument { index: i, expected, given: arg.clone() };
        if verdict == Compatibility::Incompatible {
            let message = format!("{}; use a match_cast if the value fits", note.message(callee));
            return Err(Error::new(ErrorKind::TypeMismatch, message).at(note.path()));
        }
        notes.push(note);
    }
    Ok((erase_to_well_defined(&function.ret, &values, context.analyzer()), notes))
}

fn derive_opaque(derive: &EnvFunc, arguments: Arguments<'_>, context: &InferContext<'_>) -> Result<StructInfo, Error> {
    let Arguments { call, callee, args } = arguments;
    if derive.name == DEFAULT_DERIVE {
        return Ok(default_result(call.sinfo_args.as_slice()));
    }
    let with_callee =
        |callee| call.clone().with_changes(|node| (node.op, node.args) = (callee, Array::of_handles(args)));
    if derive.name == VIEW_DERIVE.0 {
        return infer(&with_callee(Op::get(VIEW_DERIVE.1)?.into()), context);
    }
    derive_by_name(derive, &with_callee(callee.clone()))
}

fn path(steps: impl IntoIterator<Item = AccessStep>) -> AccessPath {
    AccessPath::from_steps(steps)
}

fn argument(index: usize) -> AccessPath {
    path([AccessStep::Attr("args".into()), AccessStep::ArrayItem(index)])
}

/// The callee in words.
fn text(callee: &RelaxExpr) -> String {
    format!("the function {}", name(callee))
}

fn name(callee: &RelaxExpr) -> String {
    if let Some(var) = callee.downcast_ref::<Var>() {
        format!("`{}`", var.vid.name_hint)
    } else if let Some(var) = callee.downcast_ref::<GlobalVar>() {
        format!("`@{}`", var.name_hint)
    } else if let Some(function) = callee.downcast_ref::<ExternFunc>() {
        format!("{:?}", &*function.global_symbol)
    } else {
        format!("of type `{}`", callee.as_object().view().type_key())
    }
}

/// The values of the variables in the structural information of a function, at a call.
struct ArgumentValues<'a, M> {
    /// The addresses of the shape variables that the parameters bind.
    numbers: NumberedAddresses,
    /// The same variables, and their values; `None` if no argument gives one.
    bound: SmallVec<[(&'a ShapeVar, Option<&'a PrimExpr>); 8]>,
    /// The addresses of the identities of variables of Relax that are shapes of parameters.
    var_numbers: NumberedAddresses,
    /// The values of these variables.
    vars: Vec<&'a RelaxExpr>,
    /// The shape variables in the values.
    in_values: OnceCell<FxHashSet<ById<ShapeVar>>>,
    visible: &'a M,
}

impl<'a, M> ArgumentValues<'a, M> {
    fn new(params: &'a [StructInfo], args: &[&'a StructInfo], visible: &'a M) -> Self {
        let mut values = ArgumentValues {
            numbers: NumberedAddresses::default(),
            bound: SmallVec::new(),
            var_numbers: NumberedAddresses::default(),
            vars: Vec::new(),
            in_values: OnceCell::new(),
            visible,
        };
        for_each_binder(params, |var| {
            if values.numbers.insert(address(var)) {
                values.bound.push((var, None));
            }
        });
        // These variables are binders too.
        for_each_value(params.iter().zip(args.iter().copied()), false, |given| match given {
            GivenValue::OfShapeVar(var, value) => {
                let known = values.numbers.get(address(var)).and_then(|number| values.bound.get_mut(number));
                if let Some((_, known)) = known {
                    known.get_or_insert(value);
                }
            }
            GivenValue::OfVar(var, value) => {
                if values.var_numbers.insert(address(&var.vid)) {
                    values.vars.push(value);
                }
            }
        });
        values
    }

    /// The value of a bound variable. `None` for a variable that no parameter binds.
    fn bound(&self, var: &ShapeVar) -> Option<Option<&'a PrimExpr>> {
        self.numbers.get(address(var)).map(|number| self.bound[number].1)
    }

    /// The value of a variable of Relax that is the shape of a parameter.
    fn shape(&self, var: &Var) -> Option<RelaxExpr> {
        self.var_numbers.get(address(&var.vid)).map(|number| self.vars[number].clone())
    }

    /// Whether the value of a bound variable contains `var`.
    fn has_in_values(&self, var: &ShapeVar) -> bool {
        let values = self.bound.iter().filter_map(|(_, value)| *value);
        let in_values = || values.flat_map(shape_vars).map(ById).collect();
        self.in_values.get_or_init(in_values).contains(var.as_object())
    }
}

/// In the result, a variable without a value is unknown, and others are the ones at the place of the call.
impl<M: Meaning> Meaning for ArgumentValues<'_, M> {
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr> {
        match self.bound(var) {
            Some(value) => value.cloned(),
            None => self.visible.shape_var(var),
        }
    }

    fn var(&self, var: &Var) -> Option<RelaxExpr> {
        self.visible.var(var).or_else(|| self.shape(var))
    }

    fn is_in_values(&self, var: &ShapeVar) -> bool {
        self.has_in_values(var)
    }
}

/// The same values in parameters, where variables without a value stay.
struct InParams<'v, 'a, M>(&'v ArgumentValues<'a, M>);

impl<M> Meaning for InParams<'_, '_, M> {
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr> {
        let value = self.0.bound(var).flatten();
        Some(value.map_or_else(|| var.into(), Clone::clone))
    }

    fn keeps(&self, var: &ShapeVar) -> bool {
        self.0.bound(var).flatten().is_none_or(|value| value.ptr_eq(var))
    }

    fn var(&self, var: &Var) -> Option<RelaxExpr> {
        Some(self.0.shape(var).unwrap_or_else(|| var.into()))
    }

    fn is_in_values(&self, var: &ShapeVar) -> bool {
        self.0.has_in_values(var)
    }
}
