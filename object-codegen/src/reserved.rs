//! The names of fields that a language reserves: one table for each language.

use std::collections::HashSet;
use std::sync::OnceLock;

/// The treatment of a reserved name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// The member has another name, which ends in `_` and does not begin with it. The reflected name stays.
    Renamed,
    /// Classes over C++ have the member without writing its name, and classes that stand alone cannot write the field.
    Hidden,
    /// As `Hidden`, and no parameter has the name, so the class over C++ has no constructor.
    Keyword,
    /// As `Hidden`, and the class over C++ defines the member.
    Property,
    /// The language cannot write the field.
    Refused,
}

/// Names that a language reserves for one reason.
#[derive(Debug)]
pub(crate) struct Reserved {
    /// The names, with white space around each one. `*` stands for any text.
    names: &'static str,
    pub(crate) treatment: Treatment,
    /// The reason, after the name.
    pub(crate) reason: &'static str,
    /// The names as the first look-up has split them.
    words: OnceLock<Words>,
}

/// The names without `*`, and the texts before and after the `*` of the others.
#[derive(Debug)]
struct Words {
    exact: HashSet<&'static str>,
    patterns: Vec<(&'static str, &'static str)>,
}

use Treatment::{Hidden, Keyword, Property, Refused, Renamed};

/// The names of C++17, of its standard headers, and of the classes of tvm-ffi.
pub(crate) static CPP: [Reserved; 4] = [
    Reserved::new(
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl \
                const constexpr const_cast continue decltype default delete do double dynamic_cast else enum explicit \
                export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq \
                nullptr operator or or_eq private protected public register reinterpret_cast return short signed sizeof \
                static static_assert static_cast struct switch template this thread_local throw true try typedef typeid \
                typename union unsigned using virtual void volatile wchar_t while xor xor_eq __*",
        Renamed,
        "is a word of C++",
    ),
    Reserved::new(
        "assert errno linux unix stdin stdout stderr EOF INFINITY NAN NULL HUGE_VAL BUFSIZ RAND_MAX *_MAX *_MIN",
        Renamed,
        "may be a macro of a standard header",
    ),
    Reserved::new("self_node data_ Node_", Renamed, "is a variable of generated constructors"),
    Reserved::new(
        "_type_* _GetOrAllocRuntimeTypeIndex RuntimeTypeIndex ContainerType header_ type_index GetTypeKey \
                GetTypeKeyHash TypeIndex2Key IsInstance use_count unique",
        Renamed,
        "is a member of each class of tvm-ffi",
    ),
];

/// The names of Python 3 and of the modules that generated modules use. tvm-ffi makes the constructor of the reflected
/// names, so no field has another name.
pub(crate) static PYTHON: [Reserved; 6] = [
    Reserved::new(
        "False None True and as assert async await break class continue def del elif else except finally for from \
                global if import in is lambda nonlocal not or pass raise return try while with yield",
        Keyword,
        "is a word of Python",
    ),
    Reserved::new("self", Refused, "is the first parameter of its constructor"),
    Reserved::new(
        "tvm_ffi typing field py_class DEF_SIMPLE bool int float str bytes",
        Hidden,
        "has a meaning in generated classes",
    ),
    Reserved::new("__dict__", Property, "is no attribute of classes of tvm-ffi"),
    Reserved::new("__*__", Refused, "has a meaning in each class of Python"),
    Reserved::new("__*", Hidden, "is private to its class in Python"),
];

/// The names that no Rust field has, besides the ones that `r#` makes names.
pub(crate) static RUST: [Reserved; 2] = [
    Reserved::new("self super crate Self _", Renamed, "is a word of Rust, also after `r#`"),
    Reserved::new("base", Renamed, "is the part of the parent"),
];

impl Reserved {
    const fn new(names: &'static str, treatment: Treatment, reason: &'static str) -> Self {
        Reserved { names, treatment, reason, words: OnceLock::new() }
    }

    /// Whether the name is among the names. A chain of classes asks for each inherited field of each class, so the search is in a
    /// table.
    pub(crate) fn contains(&self, name: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let (patterns, exact): (Vec<_>, Vec<_>) =
                self.names.split_whitespace().partition(|word| word.contains('*'));
            Words {
                exact: exact.into_iter().collect(),
                patterns: patterns.into_iter().filter_map(|word| word.split_once('*')).collect(),
            }
        });
        let fits = |(start, end): &(&str, &str)| {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        };
        words.exact.contains(name) || words.patterns.iter().any(fits)
    }
}

/// The row of a table that has the name.
pub(crate) fn find(table: &'static [Reserved], name: &str) -> Option<&'static Reserved> {
    table.iter().find(|row| row.contains(name))
}

/// The name of a member with a reserved name. It has no two `_` in a row and none at its start, which C++ reserves.
pub(crate) fn renamed(name: &str) -> String {
    let start = name.trim_start_matches('_');
    // A digit does not begin a name.
    let prefix = if start.starts_with(|first: char| first.is_ascii_digit()) { "x" } else { "" };
    match start.strip_suffix('_') {
        Some(stem) if start == name => format!("{stem}_field_"),
        _ => format!("{prefix}{}_", start.trim_end_matches('_')),
    }
}
