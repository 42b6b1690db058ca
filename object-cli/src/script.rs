//! Scripts as input: which texts are scripts, and their errors with the underlined places.

use std::fmt::Write;
use std::io;

use annotate_snippets::{AnnotationKind, Level, Renderer};
use object_core::json::Graph;
use object_core::meter::Meter;
use object_core::{Error, ErrorKind, Result, inert};
use object_ir::tvm::TvmVersion;
use object_script::parse::{Errors, ScriptParser};

use crate::output::{Styled, counted, max_message};
use crate::script_snippet::{Excerpt, has_colours};

/// The characters of a message that are left for the names around it.
const ROOM_FOR_NAMES: usize = 300;

/// The value of a script of this version of TVM, with Rust types.
///
/// # Errors
/// All errors of the script, with the underlined places, and text that is not UTF-8.
pub(crate) fn read(name: &str, text: &[u8], version: TvmVersion) -> Result<Graph> {
    let parser = ScriptParser::new().version(version);
    of_text(name, text, |text| parser.parse(text)).map(|root| Graph::new(root, None))
}

/// The file with the scripts in it as the printer writes them.
///
/// # Errors
/// The errors of the scripts, what formatting cannot keep, and text that is not UTF-8.
pub(crate) fn format(name: &str, text: &[u8], indent_spaces: usize, meter: &Meter) -> Result<String> {
    of_text(name, text, |text| object_script::format::format(text, indent_spaces, meter))
}

fn of_text<T>(name: &str, text: &[u8], work: impl FnOnce(&str) -> Result<T, Errors>) -> Result<T> {
    let text = std::str::from_utf8(text).map_err(|error| {
        Error::new(ErrorKind::Malformed, format!("a script is UTF-8, but the byte {} is not", error.valid_up_to()))
    })?;
    work(text).map_err(|errors| {
        let error = Error::new(errors.kind(), rendered(&Renderer::plain(), name, text, &errors));
        if has_colours(&io::stderr()) {
            let styled = rendered(&Renderer::styled(), name, text, &errors);
            return error.with_source(Styled(styled.split_once('\n').map_or("", |(_, places)| places).to_owned()));
        }
        error
    })
}

/// The errors, each with its place in the text, as far as a message has room for them.
fn rendered(renderer: &Renderer, name: &str, text: &str, errors: &Errors) -> String {
    let errors = errors.diagnostics();
    let mut result = format!("the script has {}", counted(errors.len(), "error"));
    let mut room = max_message().saturating_sub(result.len() + ROOM_FOR_NAMES);
    for (index, it) in errors.iter().enumerate() {
        let end = it.range.end.min(text.len());
        let start = it.range.start.min(end);
        let excerpt = Excerpt { text, place: start..end, context: 0, file: name.to_owned() };
        let snippet = excerpt.snippet(AnnotationKind::Primary, None);
        let mut group = Level::ERROR.primary_title(inert(&it.message).to_string()).element(snippet);
        if let Some(hint) = &it.hint {
            group = group.element(Level::HELP.message(inert(hint).to_string()));
        }
        let shown = renderer.render(&[group]).to_string();
        // The first error has a place in any case.
        let rest = errors.len() - index;
        room = match room.checked_sub(shown.chars().count() + 2) {
            Some(room) => room,
            None if index == 0 => 0,
            None => {
                let _ = write!(result, "\n\n{rest} more; `--max-message` makes room for them");
                break;
            }
        };
        let _ = write!(result, "\n\n{shown}");
    }
    result
}
