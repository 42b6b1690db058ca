//! Source texts of a module, so that an error message can show the text of a span.

use object_core::prelude::*;

use crate::ir::span::SourceName;

/// One source text with its name. Comparing two of them is an error.
///
/// TVM 0.25 `ir.Source`.
#[derive(Object)]
#[object(type_key = "ir.Source", files = tvm)]
#[structural_eq(none)]
pub struct SourceNode {
    /// The name by which spans refer to this text.
    pub source_name: SourceName,
    /// The whole text.
    pub source: Str,
}

/// The source texts of a module by name.
///
/// TVM 0.25 `ir.SourceMap`.
#[derive(Object)]
#[object(type_key = "ir.SourceMap", files = tvm)]
#[structural_eq(tree)]
pub struct SourceMapNode {
    /// The texts by name.
    #[field(may_contain(none))]
    pub source_map: Map<SourceName, Source>,
}
