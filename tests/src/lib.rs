//! Shared parts of the tests of the workspace: the [runner](corpus) that replays recorded facts about real modules.
//!
//! The tests themselves are in `tests/`; `cargo run --release -p object-tests --bin corpus -- DIR` runs the facts of
//! an unpacked corpus folder.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod normal_law;
pub mod nests;
pub mod notation;
pub mod op_calls;
pub mod programs;
pub mod rule_examples;
pub mod runnable;
pub mod scalar_text;
mod settings;

pub use settings::setting;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The examples of the READMEs of crates, as tests.
#[cfg(doctest)]
mod crate_readmes {
    #[doc = include_str!("../../object-ir/README.md")]
    struct Ir;
    #[doc = include_str!("../../object-relax/README.md")]
    struct Relax;
    #[doc = include_str!("../../object-syntax/README.md")]
    struct Syntax;
    #[doc = include_str!("../../object-lsp/README.md")]
    struct Lsp;
    #[doc = include_str!("../../object-format/README.md")]
    struct Format;
    #[doc = include_str!("../../object-ffi/README.md")]
    struct Ffi;
}

/// The chapters of the guide about Relax, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/5_types_and_shapes.md")]
pub struct TypesAndShapes;

/// The chapter of the guide about all operations, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/21_operations_at_a_glance.md")]
pub struct OperationsAtAGlance;

/// The chapter of the guide about checks, analyses and changes, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/6_checks_and_changes.md")]
pub struct ChecksAndChanges;

/// The chapter of the guide about scripts, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/7_scripts.md")]
pub struct Scripts;

/// The chapter of the guide about running a module, as tests. `object-cli/tests/cli/running_guide.rs` runs its commands.
#[cfg(doctest)]
#[doc = include_str!("../../docs/8_running_a_module.md")]
pub struct RunningAModule;

/// The guide chapter on generated code.
#[cfg(doctest)]
#[doc = include_str!("../../docs/9_one_schema_three_languages.md")]
pub struct OneSchemaThreeLanguages;

/// The chapter of the guide about rules, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/10_rules.md")]
pub struct Rules;

/// The chapter of the guide about uses, folds and edits, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/12_uses_and_edits.md")]
pub struct UsesAndEdits;

/// The examples of the chapter about texts of a language, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/15_texts_of_a_language.md")]
pub struct TextsOfALanguage;

/// The examples of the chapter about a language from its declarations, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/22_a_language_from_its_declarations.md")]
pub struct ALanguageFromItsDeclarations;

/// The examples of the chapter about recorded passes, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/16_which_pass_broke_it.md")]
pub struct WhichPassBrokeIt;

/// The examples of the chapter about binary graphs, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/18_binary_graphs.md")]
pub struct BinaryGraphs;
