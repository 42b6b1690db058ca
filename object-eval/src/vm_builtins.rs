//! The functions of TVM's virtual machine that lowered programs call (TVM 0.25 `src/runtime/vm/builtin.cc`).
//!
//! A lowered program keeps dimensions in a heap, a tensor of integers: `match_shape` checks dimensions and writes them there, and
//! `make_shape` reads them. Pairs of a code and a number say what to do with each dimension.

use object_core::prelude::*;

use super::controls::Controls;
use super::packed_arguments::{Body, argument, int, shape, tensor, wrong};
use super::truth::truth;
use super::value::{Storage, Tensor, Value};

/// The functions by name.
pub(super) const FUNCTIONS: &[(&str, Body)] = &[
    ("vm.builtin.alloc_shape_heap", alloc_heap),
    ("vm.builtin.match_shape", match_shape),
    ("vm.builtin.match_prim_value", match_scalar),
    ("vm.builtin.make_shape", make_shape),
    ("vm.builtin.make_prim_value", make_scalar),
    ("vm.builtin.check_tensor_info", check_tensor),
    ("vm.builtin.check_shape_info", check_shape),
    ("vm.builtin.check_prim_value_info", check_scalar),
    ("vm.builtin.check_tuple_info", check_tuple),
    ("vm.builtin.check_func_info", check_function),
    ("vm.builtin.alloc_storage", alloc_storage),
    ("vm.builtin.alloc_tensor", alloc_tensor),
    ("vm.builtin.read_if_cond", |args, _| Ok(truth(argument(args, 0)?)?.into())),
];

/// What `match_shape` does with a dimension (`MatchShapeCode`), with the number beside it.
#[derive(Clone, Copy)]
enum Match {
    /// It is the number.
    Is,
    /// It is written into the heap at the number.
    Store,
    /// Nothing.
    Skip,
    /// It is the dimension in the heap at the number.
    IsStored,
}

impl Match {
    fn of(args: &[Any], index: usize) -> Result<Self, Error> {
        let codes = [Match::Is, Match::Store, Match::Skip, Match::IsStored];
        let code = usize::try_from(int(args, index)?).ok().and_then(|code| codes.get(code).copied());
        code.ok_or_else(|| wrong(args, index, "a code of 0 to 3"))
    }

    /// Does it for the dimension `given`.
    fn run(self, heap: &Any, number: i64, given: i64) -> Result<(), Error> {
        let expected = match self {
            Match::Skip => return Ok(()),
            Match::Store => return store(heap, number, given),
            Match::Is => number,
            Match::IsStored => load(heap, number)?,
        };
        if expected == given {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Call, format!("expected the dimension {expected}, got {given}")))
    }
}

/// The position `index` of the heap.
fn place(heap: &Any, index: i64) -> Result<(&Tensor, usize), Error> {
    let Value::Tensor(heap) = Value::of(heap) else {
        let message = format!("expected a heap of dimensions, got {}", Value::of(heap));
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    };
    let place = usize::try_from(index).ok().filter(|place| *place < heap.len());
    place.map(|place| (heap, place)).ok_or_else(|| {
        Error::new(ErrorKind::OutOfRange, format!("the heap has {} dimensions, and no position {index}", heap.len()))
    })
}

fn store(heap: &Any, index: i64, dimension: i64) -> Result<(), Error> {
    let (heap, place) = place(heap, index)?;
    heap.write::<i64>()?[place] = dimension;
    Ok(())
}

fn load(heap: &Any, index: i64) -> Result<i64, Error> {
    let (heap, place) = place(heap, index)?;
    Ok(heap.read::<i64>()?[place])
}

/// The arguments: the state of the machine, and the number of dimensions.
fn alloc_heap(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    Ok(Tensor::zeros(DataType::int(64), &[int(args, 1)?], controls.meter())?.into())
}

/// The arguments: a tensor or a shape, the heap, the number of dimensions, and a pair for each.
fn match_shape(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let dims: &[i64] = match Value::of(argument(args, 0)?) {
        Value::Tensor(tensor) => tensor.shape(),
        Value::Shape(shape) => shape,
        _ => return Err(wrong(args, 0, "a tensor or a shape")),
    };
    let (heap, rank) = (argument(args, 1)?, int(args, 2)?);
    if rank != dims.len() as i64 {
        return Err(wrong(args, 0, &format!("{rank} dimensions")));
    }
    for (index, dim) in dims.iter().enumerate() {
        let at = 3 + 2 * index;
        let done = Match::of(args, at)?.run(heap, int(args, at + 1)?, *dim);
        done.map_err(|error| error.context(format!("dimension {index}")))?;
    }
    Ok(Any::None)
}

/// The arguments: a scalar, the heap, and a pair.
fn match_scalar(args: &[Any], _: &Controls) -> Result<Any, Error> {
    Match::of(args, 2)?.run(argument(args, 1)?, int(args, 3)?, int(args, 0)?)?;
    Ok(Any::None)
}

/// The dimension that the pair at `index` says (`MakeShapeCode`): the number, or the dimension in the heap at the number.
fn dimension(args: &[Any], heap: &Any, index: usize) -> Result<i64, Error> {
    let number = int(args, index + 1)?;
    match int(args, index)? {
        0 => Ok(number),
        1 => load(heap, number),
        _ => Err(wrong(args, index, "a code of 0 or 1")),
    }
}

/// The arguments: the heap, the number of dimensions, and a pair for each.
fn make_shape(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let (heap, rank) = (argument(args, 0)?, int(args, 1)?);
    // The arguments hold the pairs, so they bound the rank.
    let rank = usize::try_from(rank).ok().filter(|rank| *rank <= args.len().saturating_sub(2) / 2);
    let rank = rank.ok_or_else(|| wrong(args, 1, "the number of the pairs that follow"))?;
    let dims = (0..rank).map(|index| dimension(args, heap, 2 + 2 * index));
    Ok(dims.collect::<Result<Vec<i64>, Error>>()?.into_iter().collect::<Shape>().into())
}

/// The arguments: the heap, and a pair.
fn make_scalar(args: &[Any], _: &Controls) -> Result<Any, Error> {
    Ok(dimension(args, argument(args, 0)?, 1)?.into())
}

/// Checks the rank of a value, unless the rank at `index` is -1.
fn check_rank(args: &[Any], index: usize, rank: usize) -> Result<(), Error> {
    let expected = int(args, index)?;
    if expected == -1 || expected == rank as i64 {
        return Ok(());
    }
    Err(wrong(args, 0, &format!("{expected} dimensions")))
}

/// Checks the data type at `index`, unless it is missing or void.
fn check_dtype(args: &[Any], index: usize, given: DataType) -> Result<(), Error> {
    match args.get(index).map(Value::of) {
        Some(Value::DataType(expected)) if !expected.is_void() && expected != given => {
            Err(wrong(args, 0, &format!("the data type {expected}")))
        }
        _ => Ok(()),
    }
}

/// The arguments: a value, its rank or -1, its data type if it is known, and a text for messages.
fn check_tensor(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let given = tensor(args, 0)?;
    check_rank(args, 1, given.rank())?;
    check_dtype(args, 2, given.dtype())?;
    Ok(Any::None)
}

/// The arguments: a value, its rank or -1, and a text for messages.
fn check_shape(args: &[Any], _: &Controls) -> Result<Any, Error> {
    check_rank(args, 1, shape(args, 0)?.len())?;
    Ok(Any::None)
}

/// The arguments: a value, its data type, and a text for messages.
fn check_scalar(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let fits = match (Value::of(argument(args, 0)?), Value::of(argument(args, 1)?)) {
        (Value::Bool(_), Value::DataType(dtype)) => dtype == DataType::boolean(),
        (Value::Int(_), Value::DataType(dtype)) => ["int", "uint"].iter().any(|it| dtype.to_string().starts_with(it)),
        (Value::Float(_), Value::DataType(dtype)) => dtype.to_string().contains("float"),
        _ => false,
    };
    if fits { Ok(Any::None) } else { Err(wrong(args, 0, "a scalar of the data type of argument #1")) }
}

/// The arguments: a value, its number of members, and a text for messages.
fn check_tuple(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let expected = int(args, 1)?;
    match Value::of(argument(args, 0)?) {
        Value::Tuple(members) if members.len() as i64 == expected => Ok(Any::None),
        _ => Err(wrong(args, 0, &format!("a tuple of {expected} values"))),
    }
}

/// The arguments: a value, and a text for messages.
fn check_function(args: &[Any], _: &Controls) -> Result<Any, Error> {
    match Value::of(argument(args, 0)?) {
        Value::Function(_) => Ok(Any::None),
        _ => Err(wrong(args, 0, "a function")),
    }
}

/// The arguments: the state of the machine, the number of bytes as a shape of one dimension, and facts about the device.
fn alloc_storage(args: &[Any], controls: &Controls) -> Result<Any, Error> {
    let bytes = Shape::new(shape(args, 1)?).elements();
    let bytes = bytes.ok_or_else(|| wrong(args, 1, "a number of bytes"))?;
    Ok(Storage::zeros(bytes, controls.meter())?.into())
}

/// The arguments: memory, the offset in bytes, the shape, and the data type.
fn alloc_tensor(args: &[Any], _: &Controls) -> Result<Any, Error> {
    let (Value::Storage(storage), Value::DataType(dtype)) =
        (Value::of(argument(args, 0)?), Value::of(argument(args, 3)?))
    else {
        return Err(wrong(args, 0, "memory, and a data type as argument #3"));
    };
    let offset = usize::try_from(int(args, 1)?).map_err(|_| wrong(args, 1, "an offset that is not negative"))?;
    Ok(Tensor::in_storage(storage, offset, dtype, shape(args, 2)?)?.into())
}
