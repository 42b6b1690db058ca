//! [`Failure`]: why a request has no answer.

use object_core::{Error, ErrorKind};
use object_script::parse::Errors;
use serde_json::{Value, json};

use crate::place::{Mark, ShownText};

/// An error, with the text of the file and the places of its errors if it is a script.
#[derive(Debug)]
pub(crate) struct Failure {
    error: Error,
    /// The number of the file that the error is about.
    file: Option<usize>,
    shown: Option<Value>,
    /// The module of the page that may have an answer.
    module: Option<&'static str>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure { error, file: None, shown: None, module: None }
    }
}

impl Failure {
    /// The errors of a script.
    pub(crate) fn of_script(text: &str, errors: &Errors) -> Self {
        let mut shown = ShownText::new(text);
        for it in errors.diagnostics() {
            let (message, help, range) = (&*it.message, it.hint.as_deref(), Some(it.range.clone()));
            shown.mark(Mark { level: "error", rule: None, message, help, path: None, range });
        }
        let error = Error::new(errors.kind(), errors.to_string());
        let module = needs_names(text).then_some("run");
        Failure { error, file: None, shown: Some(shown.into_json()), module }
    }

    /// The failure as one about the file with this number.
    pub(crate) fn in_file(self, number: usize) -> Self {
        Failure { file: Some(number), ..self }
    }

    pub(crate) fn to_json(&self) -> Value {
        let Failure { error, file, shown, module } = self;
        let kind = match error.kind() {
            ErrorKind::Custom(name) => name.to_owned(),
            kind => format!("{kind:?}"),
        };
        json!({
            "kind": kind,
            "message": error.message(),
            "path": error.path().map(ToString::to_string),
            "file": file,
            "shown": shown,
            "module": module,
        })
    }
}

/// Whether a script with errors may have them because the module without `run` is built without the names of characters.
fn needs_names(text: &str) -> bool {
    cfg!(not(feature = "run")) && text.contains(r"\N{")
}
