//! The chapter of the guide about languages from declarations, in the documentation of this crate. Definitions before a chapter
//! replace the links of the book, because the first definition of a link counts.

/// [underlined]: https://docs.rs/object-core/latest/object_core/guide/texts_of_a_language/index.html
/// [keeps the locations]: https://docs.rs/object-core/latest/object_core/guide/rules/index.html#locations
/// [change]: https://docs.rs/object-core/latest/object_core/guide/declarations_that_change/index.html
/// [schema]: https://docs.rs/object-codegen/latest/object_codegen/guide/one_schema_three_languages/index.html
/// [schemas]: https://docs.rs/object-codegen/latest/object_codegen/guide/one_schema_three_languages/index.html
///
#[doc = include_str!("../docs/22_a_language_from_its_declarations.md")]
pub mod a_language_from_its_declarations {}
