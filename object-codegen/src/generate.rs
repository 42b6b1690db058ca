//! Whole files: [`Target`] and [`generate`].

use std::fmt;
use std::str::FromStr;

use object_core::dynamic::Schema;
use object_core::{Error, ErrorKind, nearest};

use crate::class_context::class_context;
use crate::cpp::Cpp;
use crate::language::Language;
use crate::model::Model;
use crate::module_context::ModuleContext;
use crate::names::{check_class, check_members};
use crate::needs::is_recursive;
use crate::python::Python;
use crate::rust::{self, Rust, needs_code};
use crate::templates::fill;

/// The form of the generated text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A header of C++ for tvm-ffi.
    Cpp,
    /// The source file of the header, which registers the classes.
    CppSource,
    /// A header of C++ as the RFC writes it: `VisitAttrs`, `SEqualReduce`, `SHashReduce`.
    CppRfc,
    /// The source file of such a header.
    CppRfcSource,
    /// Python classes of tvm-ffi that stand alone.
    Python,
    /// Python classes over the generated C++.
    PythonWrappers,
    /// Rust structs with `#[derive(Object)]`.
    Rust,
    /// The schema in JSON.
    Schema,
}

/// The targets with their names.
const TARGETS: [(&str, Target); 8] = [
    ("cpp", Target::Cpp),
    ("cpp-source", Target::CppSource),
    ("cpp-rfc", Target::CppRfc),
    ("cpp-rfc-source", Target::CppRfcSource),
    ("python", Target::Python),
    ("python-wrappers", Target::PythonWrappers),
    ("rust", Target::Rust),
    ("schema", Target::Schema),
];

impl Target {
    /// The names of all targets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TARGETS.iter().map(|(name, _)| *name)
    }

    /// The words of the language; `None` for schemas.
    pub(crate) fn language(self) -> Option<&'static dyn Language> {
        match self {
            Target::Cpp | Target::CppSource => Some(&Cpp::Ffi),
            Target::CppRfc | Target::CppRfcSource => Some(&Cpp::Rfc),
            Target::Python | Target::PythonWrappers => Some(&Python),
            Target::Rust => Some(&Rust),
            Target::Schema => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TARGETS.iter().find(|(_, target)| target == self).map_or("", |(name, _)| name))
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        TARGETS.iter().find(|(known, _)| *known == name).map(|(_, target)| *target).ok_or_else(|| {
            let hint = nearest(name, Target::names()).map(|it| format!("did you mean `{it}`?"));
            hint.unwrap_or_else(|| format!("the targets are {}", Target::names().collect::<Vec<_>>().join(", ")))
        })
    }
}

/// The text of a whole file with the types of `schema`. The types of `context` are the other types that they refer to.
/// `name` is the name of the header, as `#include` writes it.
///
/// ```
/// use object_codegen::{Target, generate};
/// use object_core::dynamic::Schema;
/// let schema = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
///     {"key": "my.Num", "kind": "tree", "fields": [{"name": "value", "type": "int"}]}
/// ]}"#)?;
/// let none = Schema::new(Vec::new(), Vec::new());
/// let header = generate(Target::Cpp, &schema, &none, "my/num.h")?;
/// assert!(header.contains("class NumNode : public ffi::Object"));
/// assert!(generate(Target::Python, &schema, &none, "")?.contains("value: int"));
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// The errors of [`Model::new`], and [`Malformed`](ErrorKind::Malformed) for a name, a type or a default that the
/// language cannot write. [`NotConstructible`](ErrorKind::NotConstructible) for Python classes with hooks, which exist
/// only in place.
pub fn generate(target: Target, schema: &Schema, context: &Schema, name: &str) -> Result<String, Error> {
    let model = Model::new(schema, context)?;
    let fill_module = |template: &str, part: &str| {
        let language = target.language().ok_or_else(|| Error::new(ErrorKind::Malformed, "the target has no module"))?;
        fill(template, part, ModuleContext::new(language, &model, name)?)
    };
    match target {
        Target::Cpp => fill_module("cpp_ffi", "header"),
        Target::CppSource => fill_module("cpp_ffi", "source"),
        Target::CppRfc => fill_module("cpp_rfc", "header"),
        Target::CppRfcSource => fill_module("cpp_rfc", "source"),
        Target::Python => {
            if let Some(index) = model.generated().into_iter().find(|index| model.decl(*index).is_custom) {
                return Err(needs_code(&model, index, "Python"));
            }
            fill_module("python", "module")
        }
        Target::PythonWrappers => fill_module("python", "wrappers"),
        Target::Rust => rust::file(&model),
        Target::Schema => schema.to_json(),
    }
}

/// The text of one class: the class of the data, or the reference class.
pub(crate) fn class_text(
    target: Target,
    model: &Model<'_>,
    index: usize,
    is_node: bool,
    custom: &str,
) -> Result<String, Error> {
    let Some(language) = target.language() else {
        return Err(Error::new(ErrorKind::Malformed, "a schema has no classes"));
    };
    check_class(language, model.decl(index))?;
    check_members(language, model, &[index])?;
    let mut class = class_context(language, model, index)?;
    custom.clone_into(&mut class.custom);
    class.is_recursive = matches!(target, Target::Cpp | Target::CppRfc) && is_recursive(model, index);
    let part = if is_node { "node" } else { "reference" };
    match target {
        Target::Cpp => fill("cpp_ffi", part, class),
        Target::CppSource => fill("cpp_ffi", "registration", class),
        Target::CppRfc => fill("cpp_rfc", part, class),
        Target::CppRfcSource => fill("cpp_rfc", "registration", class),
        // A region of Python has one class, whose form the target chooses.
        Target::Python => fill("python", "node", class),
        Target::PythonWrappers => fill("python", "reference", class),
        Target::Rust => rust::class(model, index, &class),
        Target::Schema => Ok(String::new()),
    }
}
