//! Any bytes as a JSON graph: the exact text of its value reads as an equal value, and the text of TVM prints.

use object_core::json::JsonReader;
use object_core::structural::StructuralOptions;
use object_script::parse::parse;
use object_script::print::ScriptPrinter;

/// Checks the law. Returns whether the graph has an exact text.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let Ok(graph) = JsonReader::new().read(bytes) else { return false };
    assert!(!ScriptPrinter::new().print(&graph.root).into_text().is_empty());
    let Ok(text) = ScriptPrinter::new().print_exact(&graph.root) else { return false };
    let read = parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let is_same = StructuralOptions::new().map_free_vars(true).equal(&read, &graph.root).expect("they compare");
    assert!(is_same, "another value reads from\n{text}");
    true
}
