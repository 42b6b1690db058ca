//! Line numbers and underlines.

use super::options::ScriptPrinter;
use super::path::Paths;
use super::render::Rendered;
use super::script::Script;

/// The final text: `section` before the rendered text, without spaces at the end.
pub(super) fn finish(options: &ScriptPrinter, section: String, rendered: Rendered, paths: Paths) -> Script {
    let _ = options;
    let Rendered { text: body, spans, .. } = rendered;
    let start = section.len();
    let mut text = section;
    text.push_str(body.trim_end());
    let end = text.len();
    let spans = spans
        .into_iter()
        .map(|(range, path)| ((range.start + start).min(end)..(range.end + start).min(end), path))
        .collect();
    Script { text, spans, paths }
}
