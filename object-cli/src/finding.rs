//! [`Finding`]: an error, a violation or a difference with its place, which each [`Format`](crate::format::Format) writes in its
//! own form; [`InFile`] and [`Faults`], the facts that errors carry for it.

use std::error::Error as StdError;
use std::fmt;

use object_core::{Error, brief_to, inert};
use serde_json::{Value, json};

use crate::message::{advice, max_message, source_of};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
}

/// An error, a violation or a difference.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) level: Level,
    /// The kind of an error, such as `malformed`; `violation`, `difference`, `unformatted`.
    pub(crate) kind: String,
    /// The rule of `check`.
    pub(crate) rule: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) file: Option<String>,
    /// The line and the column, counted from 1.
    pub(crate) place: Option<(usize, usize)>,
    /// The path in the graph.
    pub(crate) path: Option<String>,
    /// A change that mends it.
    pub(crate) help: Option<String>,
}

impl Finding {
    /// A finding without a place.
    pub(crate) fn new(level: Level, kind: impl Into<String>, message: impl fmt::Display) -> Self {
        let message = inert(&message.to_string()).to_string();
        let message = brief_to(&message, max_message()).to_string();
        Finding { level, kind: kind.into(), rule: None, message, file: None, place: None, path: None, help: None }
    }

    /// The rule or else the kind: the name under which reports count findings.
    pub(crate) fn name(&self) -> &str {
        self.rule.unwrap_or(&self.kind)
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "kind": self.kind,
            "message": self.message,
            "file": self.file,
            "line": self.place.map(|(line, _)| line),
            "column": self.place.map(|(_, column)| column),
            "path": self.path,
            "rule": self.rule,
            "help": self.help,
        })
    }

    /// The findings of an error: one for each fault of a text, or else one.
    pub(crate) fn of_error(error: &Error) -> Vec<Finding> {
        let in_file = source_of::<InFile>(error);
        let file = in_file.map(|it| it.file.clone());
        if let Some(Faults { list, .. }) = source_of::<Faults>(error) {
            let finding = |fault: &Fault| Finding {
                file: fault.file.clone().or_else(|| file.clone()),
                place: Some(fault.place),
                help: fault.help.clone(),
                ..Finding::new(Level::Error, kind(error), &fault.message)
            };
            return list.iter().map(finding).collect();
        }
        let message = in_file.map_or(error.message(), |it| it.error.message());
        let place = in_file.and_then(|it| it.place).or_else(|| place_in_json(message));
        let path = error.path().map(|path| brief_to(&path.to_string(), max_message()).to_string());
        let finding = Finding::new(Level::Error, kind(error), message);
        vec![Finding { file, place, path, help: advice(error), ..finding }]
    }
}

/// The entry for a file with an error in the JSON report about many files.
pub(crate) fn failure(file: &str, error: &Error) -> Value {
    let diagnostics: Vec<Value> = Finding::of_error(error).iter().map(Finding::to_json).collect();
    json!({"file": file, "error": error.to_string(), "diagnostics": diagnostics})
}

/// The kind of an error in words with hyphens, such as `unknown-type`.
fn kind(error: &Error) -> String {
    if let object_core::ErrorKind::Custom(name) = error.kind() {
        return name.to_owned();
    }
    let mut words = String::new();
    for letter in format!("{:?}", error.kind()).chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

/// The place that the message of a reader of JSON ends with.
fn place_in_json(message: &str) -> Option<(usize, usize)> {
    let (line, column) = message.rsplit_once(" at line ")?.1.split_once(" column ")?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// The error of a file, as the source of the same error with the name of the file in its message.
#[derive(Debug)]
pub(crate) struct InFile {
    pub(crate) file: String,
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) error: Error,
}

impl InFile {
    /// The error with the name of the file in its message.
    pub(crate) fn named(file: String, place: Option<(usize, usize)>, error: Error) -> Error {
        let named = error.clone().context(&file);
        named.with_source(InFile { file, place, error })
    }
}

impl fmt::Display for InFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl StdError for InFile {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error.source()
    }
}

/// The faults of a text, as the source of an error whose message shows all of them.
#[derive(Debug)]
pub(crate) struct Faults {
    pub(crate) list: Vec<Fault>,
    /// The lines of the message after the first one with colours, for a terminal that has them. They contain texts of files only as
    /// [`inert`] shows them.
    pub(crate) styled: Option<String>,
}

/// A fault of a text.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The file, if it is not the one of the error.
    pub(crate) file: Option<String>,
    pub(crate) place: (usize, usize),
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} faults of a text", self.list.len())
    }
}

impl StdError for Faults {}

#[cfg(test)]
mod tests {
    use object_core::ErrorKind;

    use super::*;

    #[test]
    fn an_error_has_its_file_and_its_place() {
        let error = Error::new(ErrorKind::UnknownType, "not a graph: expected value at line 3 column 7");
        let [finding] = &Finding::of_error(&InFile::named("a: b.json".to_owned(), None, error))[..] else {
            panic!("one finding")
        };
        assert_eq!((finding.file.as_deref(), finding.place), (Some("a: b.json"), Some((3, 7))));
        assert_eq!(finding.kind, "unknown-type");
        assert!(finding.message.starts_with("not a graph"), "{}", finding.message);
        assert_eq!(place_in_json("at line 3"), None);
    }
}
