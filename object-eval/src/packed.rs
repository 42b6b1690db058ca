//! Functions of TVM's run time that programs call by name, as far as they have a meaning here.

use crate::operator::evaluation::Evaluation;
use crate::operator::runtime;
use crate::operator::table::evaluation_of;
use object_core::Function;
use object_core::prelude::*;
use object_ir::ir::{Call, Op, RelaxExpr, StructInfo};
use object_relax::op;

use super::controls::Controls;
use super::packed_arguments::{Body, argument, int, tensor, wrong};
use super::truth::truth;
use super::value::{Tensor, Value, from_constants};
use super::vm_builtins;

/// The functions by name.
const FUNCTIONS: &[(&str, Body)] = &[
    ("testing.echo", identity),
    ("vm.builtin.copy", |args, _| tensor(args, 0).cloned().map(Any::from)),
    ("vm.builtin.shape_of", shape_of),
    ("vm.builtin.tensor_to_shape", tensor_to_shape),
    ("vm.builtin.reshape", reshape),
    ("vm.builtin.null_value", |_, _| Ok(Any::None)),
    ("vm.builtin.tuple_getitem", tuple_member),
    ("vm.builtin.make_tuple", |args, _| Ok(Array::<Any>::from_anys(args.to_vec()).into())),
    ("vm.builtin.call_tir_dyn", call_with_shape),
    ("vm.builtin.invoke_closure", |args, controls| invoke(args.get(1..).unwrap_or_default(), controls)),
    ("vm.builtin.to_device", |args, _| Ok(args.first().cloned().unwrap_or_default())),
    ("runtime.TVMTensorCopyFromTo", copy_from_to),
    ("runtime.TVMTensorCreateView", create_view),
    ("relax.run.shape_to_tensor", shape_to_tensor),
    ("relax.run.assert_op", assert_op),
    ("relax.run.print", print),
    ("relax.run.nonzero", |args, controls| run_operator("relax.nonzero", args, controls)),
    ("relax.run.unique", unique),
];

/// The function with this name.
pub(super) fn find(name: &str, controls: &Controls) -> Option<Function> {
    let (name, body) = *FUNCTIONS.iter().chain(vm_builtins::FUNCTIONS).find(|(known, _)| *known == name)?;
    let controls = controls.clone();
    let function = Function::from_packed(move |args| {
        let args: Vec<Any> = args.iter().map(|arg| arg.to_any()).collect();
        body(&args, &controls)
    });
    Some(function.with_name(name))
}

/// Calls a function outside of the program. It gets constants as arguments of the type [`object_core::Tensor`], and a constant
/// in its result becomes a tensor.
///
/// # Errors
/// The error of the function, and [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
pub(super) fn call(function: &Function, args: &[Any], controls: &Controls) -> Result<Any, Error> {
    let takes_constant = |index: usize| match function.signature() {
        Some(signature) => signature.args.get(index).is_some_and(|arg| arg.schema.name == "ffi.Tensor"),
        None => false,
    };
    let convert = |(index, arg): (usize, &Any)| match Value::of(arg) {
        Value::Tensor(tensor) if takes_constant(index) => Ok(tensor.to_constant()?.into()),
        _ => Ok(arg.clone()),
    };
    let args: Vec<Any> = args.iter().enumerate().map(convert).collect::<Result<_, Error>>()?;
    from_constants(function.call(&args.iter().map(Any::view).collect::<Vec<_>>())?, controls.meter())
}

/// Checks that the callee of `call_pure_packed` is not declared to have side effects.
///
/// # Errors
/// [`Call`](ErrorKind::Call) if it is.
pub(super) fn check_purity(callee: &Any) -> Result<(), Error> {
    match Value::of(callee) {
        Value::Function(function) if function.purity() == Some(false) => {
            let message = format!(
                "`call_pure_packed` calls `{}`, which is declared to have side effects; call the function itself in an impure \
                 function, or declare it as `pure`",
                function.name()
            );
            Err(Error::new(ErrorKind::Call, message))
        }
        _ => Ok(()),
    }
}

fn identity(args: &[Any], _: &Controls) -> Result<Any, Error> {
    argument(args, 0).cloned()
}

fn shape_of(args: &[Any], _: &Controls) -> Result<Any, Error> {
    Ok(tensor(args, 0)?.shape().clone().into())
}

fn tensor_to_shape(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    Ok(tensor(args, 0)?.indices(controls.meter())?.iter().copied().collect::<Shape>().into())
}

fn shape_to_tensor(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    let shape = argument(args, 0)?.clone().cast::<Shape>()?;
    let sizes = shape.iter().copied();
    Ok(Tensor::from_elements::<i64>(&[shape.len() as i64], sizes, controls.meter())?.into())
}

fn reshape(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let data = tensor(args, 0)?;
    match Value::of(argument(args, 1)?) {
        Value::Shape(shape) => Ok(Tensor::in_storage(data.storage(), data.byte_offset(), data.dtype(), shape)?.into()),
        other => Err(Error::new(ErrorKind::TypeMismatch, format!("argument #1: expected a shape, got {other}"))),
    }
}

/// Calls the function that is the first argument with the other ones.
fn invoke(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    match Value::of(argument(args, 0)?) {
        Value::Function(function) => call(function, &args[1..], controls),
        _ => Err(wrong(args, 0, "a function")),
    }
}

/// As [`invoke`], where the dimensions of the last argument, a shape, are arguments of their own.
fn call_with_shape(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    let (last, rest) = args.split_last().ok_or_else(|| wrong(args, 0, "a function"))?;
    let Value::Shape(dims) = Value::of(last) else { return Err(wrong(args, rest.len(), "a shape")) };
    let all: Vec<Any> = rest.iter().cloned().chain(dims.iter().map(|dim| Any::from(*dim))).collect();
    invoke(&all, controls)
}

fn tuple_member(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let (tuple, index) = (argument(args, 0)?, argument(args, 1)?.clone().cast::<i64>()?);
    let member = match Value::of(tuple) {
        Value::Tuple(tuple) => {
            usize::try_from(index).ok().and_then(|index| tuple.get(index)).map(|member| member.to_any())
        }
        _ => None,
    };
    member.ok_or_else(|| {
        let message = format!("expected a tuple with a member {index}, got {}", Value::of(tuple));
        Error::new(ErrorKind::TypeMismatch, message)
    })
}

/// A tensor in the memory of another one: the tensor, the shape, the element type, the offset in bytes.
fn create_view(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let data = tensor(args, 0)?;
    let shape = argument(args, 1)?.clone().cast::<Shape>()?;
    let (dtype, offset) = (argument(args, 2)?.clone().cast::<DataType>()?, argument(args, 3)?.clone().cast::<i64>()?);
    Ok(data.view(&shape, dtype, offset)?.into())
}

fn assert_op(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    runtime::check_assertion(truth(argument(args, 0)?)?, args.get(1..).unwrap_or_default(), controls.meter())
}

fn print(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    runtime::print_values(args, controls.meter())
}

/// The result of an operator for these arguments.
fn run_operator(name: &str, args: &[Any], controls: &Controls) -> Result<Any, Error> {
    let operator =
        op::operator(name).ok_or_else(|| Error::new(ErrorKind::Call, format!("no operator is called `{name}`")))?;
    let call =
        Call::new(RelaxExpr::from(Op::get(name)?), Array::<RelaxExpr>::default(), None, Array::<StructInfo>::default());
    let slots: Vec<u32> = (0..).take(args.len()).collect();
    Evaluation::new(operator, &call, args, &slots, controls).run(evaluation_of(name))
}

/// The distinct elements. Without an axis, the positions that rebuild the argument have its shape, as in numpy
/// (TVM 0.25 python/tvm/relax/op/set.py).
fn unique(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    let (data, with_firsts, with_inverse) = (tensor(args, 0)?, int(args, 2)?, int(args, 3)?);
    let result = run_operator("relax.unique", args, controls)?;
    if with_inverse == 0 || !matches!(args.get(5), None | Some(Any::None)) {
        return Ok(result);
    }
    let mut members: Vec<Any> = result.cast::<Array<Any>>()?.iter().collect();
    let inverse = if with_firsts == 0 { 1 } else { 2 };
    members[inverse] = reshape(&[members[inverse].clone(), data.shape().clone().into()], controls)?;
    Ok(Array::<Any>::from_anys(members).into())
}

fn copy_from_to(args: &[Any], _: &Controls) -> Result<Any, Error> {
    tensor(args, 1)?.fill_from(tensor(args, 0)?)?;
    Ok(Any::None)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use object_ir::table::rows;

    use super::*;
    use crate::value::Meter;

    fn controls() -> Controls {
        Controls::new(1000, Meter::unlimited(), Arc::default())
    }

    fn call_named(name: &str, args: &[Any]) -> Result<Any, Error> {
        let function = find(name, &controls()).expect("a function");
        function.call(&args.iter().map(Any::view).collect::<Vec<_>>())
    }

    /// The row of the table for a function: its own, or the longest beginning of its name.
    fn row_of<'a>(table: &[[&'a str; 2]], name: &str) -> Option<[&'a str; 2]> {
        let covers =
            |row: &&[&str; 2]| row[0].strip_suffix('*').map_or(row[0] == name, |start| name.starts_with(start));
        table.iter().filter(covers).max_by_key(|row| (row[0] == name, row[0].len())).copied()
    }

    #[test]
    fn each_function_of_the_registries_runs_or_has_a_reason() {
        let table: Vec<[&str; 2]> = rows(include_str!("../data/packed_functions.txt")).collect();
        let (mut used, mut wrong) = (HashSet::new(), Vec::new());
        let names = rows(include_str!("../../object-ir/data/global_functions.txt")).map(|[name]: [&str; 1]| name);
        for name in names {
            match row_of(&table, name) {
                Some([row, state]) => {
                    used.insert(row);
                    if (state == "runs") != find(name, &controls()).is_some() || state.is_empty() {
                        wrong.push(format!("{name}: {state}"));
                    }
                }
                None => wrong.push(format!("{name}: it has no row")),
            }
        }
        wrong.extend(table.iter().filter(|[row, _]| !used.contains(row)).map(|[row, _]| format!("{row}: no function")));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn sets_are_as_in_numpy() {
        let numbers = |dims: &[i64], of: &[f64]| {
            let of = of.iter().copied();
            Any::from(Tensor::from_elements::<f64>(dims, of, &Meter::unlimited()).expect("a tensor"))
        };
        let text = |name: &str, args: &[Any]| {
            let result = call_named(name, args).expect("a result");
            runtime::value_text(&result, &Meter::unlimited()).expect("a text")
        };
        let nonzero = |dims: &[i64], of: &[f64]| text("relax.run.nonzero", &[numbers(dims, of)]);
        assert_eq!(nonzero(&[2, 2], &[1.0, 0.0, f64::NAN, -0.0]), "[[0, 1], [0, 0]]");
        assert_eq!(nonzero(&[], &[3.0]), "[[0]]");
        let unique = |x: Any, flags: [i64; 4], axis: &[i64]| {
            let args: Vec<Any> = [x].into_iter().chain(flags.iter().chain(axis).map(|it| Any::from(*it))).collect();
            text("relax.run.unique", &args)
        };
        let x = || numbers(&[3, 2], &[3.0, 1.0, 3.0, 1.0, 2.0, 1.0]);
        assert_eq!(unique(x(), [1, 0, 0, 0], &[]), "[1.0, 2.0, 3.0]");
        assert_eq!(unique(x(), [0, 0, 0, 0], &[]), "[3.0, 1.0, 2.0]");
        let all = "([3.0, 1.0, 2.0], [0, 1, 4], [[0, 1], [0, 1], [2, 1]], [2, 3, 1])";
        assert_eq!(unique(x(), [0, 1, 1, 1], &[]), all);
        assert_eq!(unique(x(), [1, 0, 1, 0], &[0]), "([[2.0, 1.0], [3.0, 1.0]], [1, 1, 0])");
        // Numbers that are not a number are equal elements, and make slices differ.
        let nan = f64::NAN;
        assert_eq!(
            unique(numbers(&[4], &[nan, 1.0, nan, 0.0]), [0, 0, 1, 1], &[]),
            "([NaN, 1.0, 0.0], [0, 1, 0, 2], [2, 1, 1])"
        );
        assert_eq!(unique(numbers(&[2, 1], &[nan, nan]), [1, 0, 0, 0], &[0]), "[[NaN], [NaN]]");
        assert!(call_named("relax.run.unique", &[x(), 1.into()]).is_err());
    }

    #[test]
    fn dimensions_go_through_the_heap() {
        let heap = call_named("vm.builtin.alloc_shape_heap", &[Any::None, 2.into()]).expect("a heap");
        let given = Any::from(Shape::new(&[5, 3]));
        // Store the dimension 0 at 1, and demand 3 of the dimension 1.
        let pairs = |demanded: i64| [1, 1, 0, demanded].map(Any::from);
        let matched = |demanded| {
            let args: Vec<Any> = [given.clone(), heap.clone(), 2.into()].into_iter().chain(pairs(demanded)).collect();
            call_named("vm.builtin.match_shape", &args)
        };
        matched(3).expect("the dimensions fit");
        assert!(matched(4).unwrap_err().message().contains("expected the dimension 4, got 3"));
        let args: Vec<Any> = [heap.clone(), 2.into()].into_iter().chain([1, 1, 0, 7].map(Any::from)).collect();
        let made = call_named("vm.builtin.make_shape", &args).expect("a shape");
        assert!(matches!(Value::of(&made), Value::Shape([5, 7])));
        let scalar = call_named("vm.builtin.make_prim_value", &[heap.clone(), 1.into(), 1.into()]).expect("a number");
        assert!(matches!(Value::of(&scalar), Value::Int(5)));
        let outside = call_named("vm.builtin.make_prim_value", &[heap, 1.into(), 2.into()]);
        assert_eq!(outside.unwrap_err().kind(), ErrorKind::OutOfRange);
        assert!(call_named("vm.builtin.make_shape", &[Any::None, i64::MAX.into()]).is_err());
    }

    #[test]
    fn values_are_checked() {
        let shape = Any::from(Shape::new(&[5, 3]));
        let check = |name: &str, args: &[Any]| call_named(&format!("vm.builtin.check_{name}_info"), args).is_ok();
        assert!(check("shape", &[shape.clone(), 2.into()]) && !check("shape", &[shape.clone(), 1.into()]));
        assert!(check("shape", &[shape.clone(), (-1).into()]) && !check("tensor", &[shape.clone(), 2.into()]));
        let tuple = Any::from(Array::<Any>::from_anys(vec![shape.clone()]));
        assert!(check("tuple", &[tuple.clone(), 1.into()]) && !check("tuple", &[tuple, 2.into()]));
        assert!(!check("func", &[shape]));
        assert!(check("prim_value", &[1.into(), DataType::int(64).into()]));
        assert!(!check("prim_value", &[1.5.into(), DataType::int(64).into()]));
    }
}
