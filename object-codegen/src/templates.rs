//! The templates, one file per target, and the engine that fills them.
//!
//! minijinja is the engine: it reads the syntax of Jinja, which authors of C++ and Python know, has macros, which the
//! whole files and the regions in place share, and few dependencies.

use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use object_core::{Error, ErrorKind};
use serde::Serialize;

/// The templates by name.
const TEMPLATES: [(&str, &str); 5] = [
    ("cpp_comment", include_str!("../templates/cpp_comment.jinja")),
    ("cpp_ffi", include_str!("../templates/cpp_ffi.jinja")),
    ("cpp_rfc", include_str!("../templates/cpp_rfc.jinja")),
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

/// The text of the macro `part` of the template `name` for `value`.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) if the template does not fit the value, which is a defect of this crate.
pub(crate) fn fill(name: &str, part: &str, value: impl Serialize) -> Result<String, Error> {
    let fault = |error: &minijinja::Error| {
        Error::new(ErrorKind::Malformed, format!("the template `{name}` does not fit the schema: {error:#}"))
    };
    let template = ENVIRONMENT.get_template(name).map_err(|error| fault(&error))?;
    let mut rendered = template.render_captured(()).map_err(|error| fault(&error))?;
    let text = rendered.with_state_mut(|state| state.call_macro(part, &[Value::from(Serde(value))]));
    let text = text.map_err(|error| fault(&error))?;
    // Two blank lines stand between classes of Python.
    Ok(tidy(&text, if name == "python" { 2 } else { 1 }))
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
