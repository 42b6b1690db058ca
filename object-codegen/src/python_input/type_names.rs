//! The names of types that are not classes of declarations, in C++ words for `@declare` and in Python words for
//! `py_class`.

use object_core::dynamic::NumberWidth;

use crate::python_input::class_draft::Form;

/// The meaning of a name without a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A type of a schema without arguments, and the width of a number.
    Leaf(&'static str, Option<NumberWidth>),
    /// A container of a schema with this number of arguments.
    Container(&'static str, usize),
    /// `None` or a value of the argument.
    Optional,
    /// A value of one of the arguments.
    Variant,
    /// A tuple of Python, which tvm-ffi stores in an array.
    Tuple,
    /// A function, whose arguments a schema does not describe.
    Function,
    /// A name that has no fixed meaning, with the advice about it.
    Refused(&'static str),
}

use Meaning::{Container, Function, Leaf, Optional, Refused, Tuple, Variant};

/// The names in C++ words, after `ty.`.
const CPP: &[(&str, Meaning)] = &[
    ("bool", Leaf("bool", None)),
    ("int8_t", Leaf("int", Some(NumberWidth::Int8))),
    ("int16_t", Leaf("int", Some(NumberWidth::Int16))),
    ("int32_t", Leaf("int", Some(NumberWidth::Int32))),
    ("int64_t", Leaf("int", None)),
    ("uint8_t", Leaf("int", Some(NumberWidth::UInt8))),
    ("uint16_t", Leaf("int", Some(NumberWidth::UInt16))),
    ("uint32_t", Leaf("int", Some(NumberWidth::UInt32))),
    ("uint64_t", Leaf("int", Some(NumberWidth::UInt64))),
    ("float", Leaf("float", Some(NumberWidth::Float32))),
    ("double", Leaf("float", None)),
    ("String", Leaf("ffi.String", None)),
    ("Bytes", Leaf("ffi.Bytes", None)),
    ("DataType", Leaf("DataType", None)),
    ("DLDataType", Leaf("DataType", None)),
    ("Device", Leaf("Device", None)),
    ("DLDevice", Leaf("Device", None)),
    ("Shape", Leaf("ffi.Shape", None)),
    ("Tensor", Leaf("ffi.Tensor", None)),
    ("NDArray", Leaf("ffi.Tensor", None)),
    ("Any", Leaf("Any", None)),
    ("Object", Leaf("ffi.Object", None)),
    ("ObjectRef", Leaf("ffi.Object", None)),
    ("Function", Function),
    ("PackedFunc", Function),
    ("Array", Container("ffi.Array", 1)),
    ("List", Container("ffi.List", 1)),
    ("Map", Container("ffi.Map", 2)),
    ("Dict", Container("ffi.Dict", 2)),
    ("Optional", Optional),
    ("Variant", Variant),
    ("int", Refused("`int` has no fixed width; write `ty.int64_t` or `ty.int32_t`")),
    ("str", Refused("a text is `ty.String`")),
];

/// The names in Python words.
const PYTHON: &[(&str, Meaning)] = &[
    ("bool", Leaf("bool", None)),
    ("int", Leaf("int", None)),
    ("float", Leaf("float", None)),
    ("str", Leaf("ffi.String", None)),
    ("String", Leaf("ffi.String", None)),
    ("bytes", Leaf("ffi.Bytes", None)),
    ("Bytes", Leaf("ffi.Bytes", None)),
    ("dtype", Leaf("DataType", None)),
    ("DataType", Leaf("DataType", None)),
    ("Device", Leaf("Device", None)),
    ("Shape", Leaf("ffi.Shape", None)),
    ("Tensor", Leaf("ffi.Tensor", None)),
    ("Any", Leaf("Any", None)),
    ("Object", Leaf("ffi.Object", None)),
    ("Function", Function),
    ("Callable", Function),
    ("Array", Container("ffi.Array", 1)),
    ("Sequence", Container("ffi.Array", 1)),
    ("List", Container("ffi.List", 1)),
    ("list", Container("ffi.List", 1)),
    ("Map", Container("ffi.Map", 2)),
    ("Mapping", Container("ffi.Map", 2)),
    ("Dict", Container("ffi.Dict", 2)),
    ("dict", Container("ffi.Dict", 2)),
    ("Optional", Optional),
    ("Union", Variant),
    ("tuple", Tuple),
    ("Tuple", Tuple),
    ("int64_t", Refused("integers of `py_class` have 64 bits and the name `int`")),
];

fn table(form: Form) -> &'static [(&'static str, Meaning)] {
    match form {
        Form::Declare => CPP,
        Form::PyClass | Form::CClass => PYTHON,
    }
}

/// The meaning of a name without a class.
pub(super) fn meaning(form: Form, name: &str) -> Option<Meaning> {
    table(form).iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

/// All names, for messages.
pub(super) fn names(form: Form) -> impl Iterator<Item = &'static str> {
    table(form).iter().filter(|(_, meaning)| !matches!(meaning, Refused(_))).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for table in [CPP, PYTHON] {
            for (index, (name, _)) in table.iter().enumerate() {
                assert!(table[..index].iter().all(|(other, _)| other != name), "{name}");
            }
        }
    }
}
