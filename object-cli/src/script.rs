//! Scripts as input: which texts are scripts, and their errors with the underlined places.

use std::io;

use annotate_snippets::Renderer;
use object_core::json::Graph;
use object_core::meter::Meter;
use object_core::{Error, ErrorKind, Result};
use object_script::parse::{Errors, parse};
use object_script::rendering::ScriptErrors;

use crate::output::{Styled, has_colours, max_message};

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
pub(crate) fn format(name: &str, text: &[u8], indent_spaces: usize, meter: &Meter) -> Result<String> {
    of_text(name, text, |text| object_script::format::format(text, indent_spaces, meter))
}

fn of_text<T>(name: &str, text: &[u8], work: impl FnOnce(&str) -> Result<T, Errors>) -> Result<T> {
    let text = std::str::from_utf8(text).map_err(|error| {
        Error::new(ErrorKind::Malformed, format!("a script is UTF-8, but the byte {} is not", error.valid_up_to()))
    })?;
    work(text).map_err(|errors| {
        let shown = ScriptErrors { name, text, errors: &errors, max_message: max_message() };
        let error = Error::new(errors.kind(), shown.rendered(&Renderer::plain()));
        if has_colours(&io::stderr()) {
            let styled = shown.rendered(&Renderer::styled());
            return error.with_source(Styled(styled.split_once('\n').map_or("", |(_, places)| places).to_owned()));
        }
        error
    })
}
