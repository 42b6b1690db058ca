//! [`ClassDraft`]: a declared class, with names that nothing has resolved yet.

use object_core::dynamic::{HandWritten, SourcePlace};
use object_core::object::{Any, FieldRole, SEqHashKind};

use crate::python_input::annotation::Annotation;

/// The form of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `@declare`: the class names the data, and types are the names of C++.
    Declare,
    /// `@py_class`: the class names the reference, and types are the names of Python.
    PyClass,
    /// `@c_class`: as `py_class`, for a type that C++ defines.
    CClass,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(super) struct Placed<T> {
    pub(super) value: T,
    pub(super) place: SourcePlace,
}

/// A declared class.
#[derive(Debug)]
pub(super) struct ClassDraft {
    pub(super) form: Form,
    /// The name of the class in Python.
    pub(super) name: Placed<String>,
    /// The bases, as they are written. The first one that is a type is the parent.
    pub(super) bases: Vec<Placed<String>>,
    pub(super) key: Placed<String>,
    pub(super) doc: String,
    pub(super) see_also: Vec<String>,
    /// The documented fields, with the place of the docstring.
    pub(super) field_docs: Vec<Placed<(String, String)>>,
    pub(super) kind: SEqHashKind,
    pub(super) hand_written: HandWritten,
    pub(super) meta: Vec<(String, String)>,
    pub(super) fields: Vec<FieldDraft>,
    pub(super) methods: Vec<MethodDraft>,
}

/// A declared field.
#[derive(Debug)]
pub(super) struct FieldDraft {
    pub(super) name: Placed<String>,
    pub(super) annotation: Annotation,
    pub(super) role: FieldRole,
    pub(super) default: Option<Placed<DefaultDraft>>,
    pub(super) doc: String,
    pub(super) meta: Vec<(String, String)>,
}

/// The default of a field.
#[derive(Clone, Debug)]
pub(super) enum DefaultDraft {
    Value(Any),
    /// A variant of an enum, as it is written: `Mode.PLAIN`.
    Variant(String),
}

/// A declared method.
#[derive(Debug)]
pub(super) struct MethodDraft {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) is_static: bool,
    /// The names and annotations of the arguments without the object; `None` for an argument of any type.
    pub(super) arguments: Vec<(String, Option<Annotation>)>,
    pub(super) result: Option<Annotation>,
}
