//! A picture as DOT.

use std::fmt::Write;

use super::drawing::Picture;

impl Picture<'_> {
    /// The picture as a directed graph in the DOT language, for Graphviz and other tools. Boxes are records.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let drawing = self.draw();
        let mut dot =
            "digraph {\n    node [shape=record, fontname=\"monospace\"];\n    edge [fontname=\"monospace\"];\n"
                .to_owned();
        for (number, item) in drawing.boxes.iter().enumerate() {
            let lines: String = item.lines.iter().map(|line| record(line) + "\\l").collect();
            let rest = if lines.is_empty() { String::new() } else { format!("|{lines}") };
            let border = if item.is_shared { ", peripheries=2" } else { "" };
            // Writing to a text does not fail.
            let _ = writeln!(dot, "    n{number} [label=\"{{{}{rest}}}\"{border}];", record(&item.title));
        }
        for arrow in &drawing.arrows {
            let label = arrow.label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(dot, "    n{} -> n{} [label=\"{label}\"];", arrow.from, arrow.to);
        }
        dot + "}\n"
    }
}

/// A text with the escapes for the label of a record.
fn record(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '"' | '{' | '}' | '|' | '<' | '>') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
