//! Scripts as input: which texts are scripts, and their errors with the underlined places.

use std::io::{self, IsTerminal};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use object_core::json::Graph;
use object_core::{Error, ErrorKind, Result};
use object_ir::script::parse::{Errors, parse};

/// The ends of the names of scripts.
const SUFFIXES: [&str; 3] = [".py", ".py.txt", ".py.gz"];

/// The texts with which scripts begin, and JSON does not.
const BEGINNINGS: [&str; 10] = ["#", "@", "metadata", "from ", "import ", "\"\"\"", "def ", "I.", "R.", "T."];

/// Whether a file is a script, by its name or its first characters.
pub(crate) fn is_script(name: &str, text: &[u8]) -> bool {
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
    let begins = |beginning: &&str| text[start..].starts_with(beginning.as_bytes());
    SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) || BEGINNINGS.iter().any(begins)
}

/// The value of a script.
///
/// # Errors
/// All errors of the script, with the underlined places, and text that is not UTF-8.
pub(crate) fn read(name: &str, text: &[u8]) -> Result<Graph> {
    of_text(name, text, parse).map(|root| Graph::new(root, None))
}

/// The file with the scripts in it as the printer writes them.
///
/// # Errors
/// The errors of the scripts, what formatting cannot keep, and text that is not UTF-8.
pub(crate) fn format(name: &str, text: &[u8], indent_spaces: usize) -> Result<String> {
    of_text(name, text, |text| object_ir::script::format::format(text, indent_spaces))
}

fn of_text<T>(name: &str, text: &[u8], work: impl FnOnce(&str) -> Result<T, Errors>) -> Result<T> {
    let text = std::str::from_utf8(text).map_err(|error| {
        Error::new(ErrorKind::Malformed, format!("a script is UTF-8, but the byte {} is not", error.valid_up_to()))
    })?;
    work(text).map_err(|errors| Error::new(ErrorKind::Malformed, rendered(name, text, &errors)))
}

/// The errors, each with its place in the text.
fn rendered(name: &str, text: &str, errors: &Errors) -> String {
    let has_colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let renderer = if has_colours { Renderer::styled() } else { Renderer::plain() };
    let count = errors.diagnostics().len();
    let mut result = format!("the script has {count} error{}", if count == 1 { "" } else { "s" });
    for it in errors.diagnostics() {
        let end = it.range.end.min(text.len());
        let start = it.range.start.min(end);
        let annotation = AnnotationKind::Primary.span(start..end);
        let mut group = Level::ERROR
            .primary_title(it.message.as_str())
            .element(Snippet::source(text).path(name).annotation(annotation));
        if let Some(hint) = &it.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        result.push_str("\n\n");
        result.push_str(&renderer.render(&[group]).to_string());
    }
    result
}
