//! [`Target`]: the forms of generated text. One table has the facts about each one.

use std::fmt;
use std::str::FromStr;

use object_core::nearest;

use crate::cpp::Cpp;
use crate::language::Language;
use crate::python::Python;
use crate::rust::Rust;

/// The form of the generated text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A header of C++ for tvm-ffi.
    Cpp,
    /// The source file of the header, which registers the classes.
    CppSource,
    /// Python classes of tvm-ffi that stand alone.
    Python,
    /// Python classes over the generated C++.
    PythonWrappers,
    /// Rust structs with `#[derive(Object)]`.
    Rust,
    /// The schema in JSON.
    Schema,
}

/// The names of the members that a declaration can leave to the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookNames {
    /// Structural equality.
    pub(crate) sequal_reduce: &'static str,
    /// Structural hashing.
    pub(crate) shash_reduce: &'static str,
}

/// The macros of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Macros {
    pub(crate) template: &'static str,
    /// The whole file.
    pub(crate) file: &'static str,
    /// A class in the file; `None` for headers, which have parts of classes in the order of their needs.
    pub(crate) class: Option<&'static str>,
    /// The class of the data in place, and the reference class. They are the same where a region has one class.
    pub(crate) in_place: [&'static str; 2],
}

/// The text of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// Classes of a template.
    Classes(Macros),
    /// Modules with structs, laid out as `rustfmt` does.
    Rust,
    /// JSON.
    Schema,
}

/// The facts about a target.
pub(crate) struct Facts {
    /// The name on the command line.
    name: &'static str,
    /// The words of the language; `None` for schemas.
    pub(crate) language: Option<&'static dyn Language>,
    /// The start of a comment of one line.
    pub(crate) comment: &'static str,
    /// The members that authors write; `None` where regions have no hand-written parts.
    pub(crate) hooks: Option<HookNames>,
    pub(crate) form: Form,
}

const CPP_HOOKS: HookNames = HookNames { sequal_reduce: "SEqual", shash_reduce: "SHash" };
const PYTHON_HOOKS: HookNames = HookNames { sequal_reduce: "__s_equal__", shash_reduce: "__s_hash__" };

/// A header.
const fn header() -> Form {
    Form::Classes(Macros { template: "cpp", file: "header", class: None, in_place: ["node", "reference"] })
}

/// A file with one form of each class.
const fn classes(template: &'static str, file: &'static str, class: &'static str, in_place: &'static str) -> Form {
    Form::Classes(Macros { template, file, class: Some(class), in_place: [in_place; 2] })
}

/// The facts, in the order of the targets.
#[rustfmt::skip]
static TARGETS: [Facts; 6] = [
    Facts { name: "cpp", language: Some(&Cpp), comment: "//", hooks: Some(CPP_HOOKS), form: header() },
    Facts { name: "cpp-source", language: Some(&Cpp), comment: "//", hooks: None, form: classes("cpp", "source", "call", "registration") },
    Facts { name: "python", language: Some(&Python::Alone), comment: "#", hooks: Some(PYTHON_HOOKS), form: classes("python", "module", "module_node", "node") },
    Facts { name: "python-wrappers", language: Some(&Python::Wrappers), comment: "#", hooks: Some(PYTHON_HOOKS), form: classes("python", "wrappers", "module_reference", "reference") },
    Facts { name: "rust", language: Some(&Rust), comment: "//", hooks: None, form: Form::Rust },
    Facts { name: "schema", language: None, comment: "//", hooks: None, form: Form::Schema },
];

impl Target {
    /// All targets.
    pub const ALL: [Target; 6] =
        [Target::Cpp, Target::CppSource, Target::Python, Target::PythonWrappers, Target::Rust, Target::Schema];

    pub(crate) fn facts(self) -> &'static Facts {
        &TARGETS[self as usize]
    }

    /// The name of the target on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether the file includes the header of another target.
    #[must_use]
    pub fn includes_header(self) -> bool {
        matches!(self.facts().form, Form::Classes(Macros { file: "source", .. }))
    }

    /// Whether a type has two classes, each with regions of its own.
    pub(crate) fn has_two_classes(self) -> bool {
        matches!(self.facts().form, Form::Classes(Macros { in_place: [node, reference], .. }) if node != reference)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Target::ALL.into_iter().find(|target| target.name() == name).ok_or_else(|| {
            let names = || Target::ALL.into_iter().map(Target::name);
            let hint = nearest(name, names()).map(|it| format!("did you mean `{it}`?"));
            hint.unwrap_or_else(|| format!("the targets are {}", names().collect::<Vec<_>>().join(", ")))
        })
    }
}
