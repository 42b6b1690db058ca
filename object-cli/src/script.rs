//! Scripts as input: which texts are scripts, and their errors with the underlined places.

use std::io;

use annotate_snippets::Renderer;
use object_core::json::Graph;
use object_core::meter::Meter;
use object_core::{Error, ErrorKind, Result};
use object_ir::tvm::TvmVersion;
use object_script::parse::{Errors, ScriptParser};
use object_script::rendering::ScriptErrors;

use crate::finding::{Fault, Faults};
use crate::message::max_message;
use crate::output::has_colours;

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
        let shown = ScriptErrors { name, text, errors: &errors, max_message: max_message() };
        let error = Error::new(errors.kind(), shown.rendered(&Renderer::plain()));
        let list = errors.diagnostics().iter().zip(errors.places()).map(|(it, place)| Fault {
            file: None,
            place: *place,
            message: it.message.clone(),
            help: it.hint.clone(),
        });
        let styled = has_colours(&io::stderr()).then(|| shown.rendered(&Renderer::styled()));
        let styled = styled.map(|text| text.split_once('\n').map_or("", |(_, places)| places).to_owned());
        error.with_source(Faults { list: list.collect(), styled })
    })
}
