//! The templates, one file per target, and the engine that fills them.
//!
//! minijinja is the engine: it reads the syntax of Jinja, which authors of C++ and Python know, has macros, which the
//! whole files and the regions in place share, and few dependencies.

use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Captured, Environment, UndefinedBehavior, Value};
use object_core::{Error, ErrorKind};
use serde::Serialize;

/// The templates by name.
const TEMPLATES: [(&str, &str); 3] = [
    ("cpp", include_str!("../templates/cpp.jinja")),
    ("python", include_str!("../templates/python.jinja")),
    ("rust", include_str!("../templates/rust.jinja")),
];

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    for (name, text) in TEMPLATES {
        // A test fills every template, so a wrong one is found there.
        let _ = environment.add_template(name, text);
    }
    environment
});

/// A template whose macros make texts.
pub(crate) struct Template {
    name: &'static str,
    rendered: Captured<'static>,
}

impl Template {
    /// The template `name`.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a template that the engine rejects, which is a defect of this crate.
    pub(crate) fn new(name: &'static str) -> Result<Self, Error> {
        let rendered = ENVIRONMENT.get_template(name).and_then(|template| template.render_captured(()));
        Ok(Template { name, rendered: rendered.map_err(|error| unfit(name, &error))? })
    }

    /// The text of the macro `part` for `value`, as it stands in the text of another macro.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if the macro does not fit the value, which is a defect of this crate.
    pub(crate) fn part(&mut self, part: &str, value: impl Serialize) -> Result<String, Error> {
        let text = self.rendered.with_state_mut(|state| state.call_macro(part, &[Value::from(Serde(value))]));
        text.map_err(|error| unfit(self.name, &error))
    }

    /// The text of the macro `part` for `value`.
    ///
    /// # Errors
    /// As [`part`](Self::part).
    pub(crate) fn fill(&mut self, part: &str, value: impl Serialize) -> Result<String, Error> {
        // Two blank lines stand between classes of Python.
        Ok(tidy(&self.part(part, value)?, if self.name == "python" { 2 } else { 1 }))
    }
}

/// The error about a template that does not fit its value.
fn unfit(name: &str, error: &minijinja::Error) -> Error {
    Error::new(ErrorKind::Malformed, format!("the template `{name}` does not fit the schema: {error:#}"))
}

/// The text without blank lines at its start, without white space at the ends of lines, with at most `blank_lines` in a
/// row, and with one line end at its end.
fn tidy(text: &str, blank_lines: usize) -> String {
    let mut tidy = String::new();
    let mut blank = 0;
    for line in text.trim_start_matches('\n').lines().map(str::trim_end) {
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank <= blank_lines {
            tidy.push_str(line);
            tidy.push('\n');
        }
    }
    format!("{}\n", tidy.trim_end())
}
