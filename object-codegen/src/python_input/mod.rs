//! Reads type declarations from Python files without running them: `@declare` classes and `py_class` classes.
//!
//! Reading has two stages. The first reads each file alone, into drafts of its classes. The second resolves the names of
//! the drafts against each other and against the types at hand, and makes a schema.
//!
//! ```
//! use object_codegen::python_input::{SourceFile, read};
//! use object_core::dynamic::Schema;
//!
//! let text = "
//! @declare
//! class PointNode(Object):
//!     '''A point.'''
//!     type_key = 'demo.Point'
//!     x: ty.int64_t
//!     y: ty.int64_t = 0
//! ";
//! let file = SourceFile { name: "point.py", text };
//! let read = read(&[file], &Schema::new(Vec::new(), Vec::new())).expect("a declaration");
//! assert_eq!(read.schema.types()[0].key, "demo.Point");
//! assert_eq!(read.schema.types()[0].fields[1].name, "y");
//! ```
//!
//! # `@declare`
//!
//! A class with the decorator `declare` declares the class of the data, such as `IntImmNode`; its base is the parent, or
//! `Object`. Its body has a docstring, assignments and members:
//!
//! | line | meaning |
//! |---|---|
//! | `type_key = "ir.IntImm"` | the type key; its last part names the reference class |
//! | `value: ty.int64_t = 0` | a field with a type, and a default or none |
//! | `params: ty.Array[ty.Var] = field(structural_eq="def")` | a field with words |
//! | `structural_eq = "var"` | the kind; `"tree"` without this line |
//! | `metadata = {"dialect": "sql"}` | attributes of the type, which are columns of attributes in tvm-ffi |
//! | `default_sequal_reduce = False` | structural equality is hand-written |
//! | `default_shash_reduce = False` | structural hashing is hand-written |
//! | `default_visit_attrs = False` | no effect: reflection visits all fields |
//!
//! The section `Attributes` of the docstring documents fields. A section `See Also` with other classes than the two of
//! the type becomes the end of the documentation.
//!
//! Types are the names of C++ (`ty.bool`, `ty.int8_t` to `ty.uint64_t`, `ty.float`, `ty.double`), `ty.String`,
//! `ty.Bytes`, `ty.DataType`, `ty.Device`, `ty.Shape`, `ty.Tensor`, `ty.Function`, `ty.Any`, `ty.ObjectRef`, the containers
//! `ty.Array[T]`, `ty.List[T]`, `ty.Map[K, V]`, `ty.Dict[K, V]`, `ty.Optional[T]`, `ty.Variant[A, B]`, and the classes of
//! declarations by the name of the data class, of the reference class, or by the type key.
//!
//! # `py_class`
//!
//! A class with the decorator `py_class` of tvm-ffi 0.1.12 to 0.1.15 declares a type as tvm-ffi reads it: annotations, `field(...)`,
//! `KW_ONLY`, `ClassVar`, `@method`, `@init_property`, and the hooks `__s_equal__` and `__s_hash__`. A class with `c_class`
//! declares the fields of a type whose kind and flags are in its C++.
//!
//! # Enums
//!
//! A class with the base `IntEnum` and no decorator declares an enum of numbers, which fields name as their type. It is in
//! the namespace of the first declared type of its file. A default is a number or a variant, such as `Mode.PLAIN`.

mod annotation;
mod class_draft;
mod class_names;
mod constant;
mod default_value;
mod docstring;
mod field_call;
mod file_reader;
mod resolved_type;
mod schema_of_drafts;
mod type_names;
mod words;
mod declare;
mod enumeration;
mod py_class;
mod declarations;

pub use declarations::{Declarations, SourceFile, read};
