//! Places in source text, for error messages.

use object_core::prelude::*;

/// The name of a piece of source text, such as a file name. JSON has only the name.
///
/// TVM 0.25 `ir.SourceName`.
#[derive(Object)]
#[object(type_key = "ir.SourceName", files = tvm, json = name, label = "I.SourceName({name:?})")]
#[structural_eq(tree)]
pub struct SourceNameNode {
    /// The name.
    pub name: Str,
}

/// A range of source text, from a line and column to a line and column.
///
/// TVM 0.25 `ir.Span`.
#[derive(Object)]
#[object(type_key = "ir.Span", files = tvm, base)]
#[structural_eq(tree)]
pub struct SpanNode {
    /// The name of the source text.
    pub source_name: SourceName,
    /// First line, counted from 1.
    pub line: i64,
    /// Column in the first line, counted from 1.
    pub column: i64,
    /// Last line.
    pub end_line: i64,
    /// Column in the last line where the range ends.
    pub end_column: i64,
}

/// Several ranges of source text of one node, for example after a fusion.
///
/// TVM 0.25 `ir.SequentialSpan`.
#[derive(Object)]
#[object(
    type_key = "ir.SequentialSpan", files = tvm,
    parent = SpanNode,
    base_args(source_name: SourceName, line: i64, column: i64, end_line: i64, end_column: i64)
)]
#[structural_eq(tree)]
pub struct SequentialSpanNode {
    /// The [`SpanNode`] part.
    pub base: SpanNode,
    /// The ranges, in order.
    pub spans: Array<Span>,
}
