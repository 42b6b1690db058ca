//! Documentation of names, in Markdown.

use std::fmt::Write;

use object_relax::op::{Purity, operator};

use crate::parse::parameters;

/// The parameters of a function of the prefix `R`, as Python writes them: `R.add(x1, x2)`.
pub(super) fn signature(path: &str) -> Option<String> {
    let name = path.strip_prefix("R.")?;
    let mut text = format!("{path}(");
    if let Some(parameters) = parameters(name) {
        for (index, parameter) in parameters.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let star = if parameter.is_variadic { "*" } else { "" };
            let _ = write!(text, "{comma}{star}{}", parameter.name);
            if let Some(default) = parameter.default {
                let _ = write!(text, "={default}");
            }
        }
    } else {
        let operator = operator(&format!("relax.{name}"))?;
        let names: Vec<&str> = operator.signature.parameters.iter().map(|it| it.name).collect();
        text.push_str(&names.join(", "));
    }
    text.push(')');
    Some(text)
}

/// The documentation of an operator, without its signature.
pub(super) fn operator_documentation(path: &str) -> Option<String> {
    let operator = operator(&format!("relax.{}", path.strip_prefix("R.")?))?;
    let signature = &operator.signature;
    let lines: Vec<&str> = signature.doc.lines().map(str::trim).collect();
    let mut text = lines.join("\n").trim().to_owned();
    text.push('\n');
    for (name, kind, _) in signature.arguments() {
        let _ = write!(text, "\n- `{name}`: {}", kind.describe());
    }
    let purity = match signature.purity {
        Purity::Pure => "pure",
        _ => "impure",
    };
    let _ = write!(text, "\n\nThe operator `{}` of Relax is {purity}.", signature.name);
    Some(text)
}

/// The documentation of a function of a language, such as `R.add`.
pub(super) fn of_path(path: &str) -> Option<String> {
    let shown = signature(path);
    let documentation = operator_documentation(path);
    if shown.is_none() && documentation.is_none() {
        return None;
    }
    let mut text = code(&shown.unwrap_or_else(|| path.to_owned()));
    if let Some(documentation) = documentation {
        let _ = write!(text, "\n\n{documentation}");
    }
    Some(text)
}

/// A block of code in Markdown.
pub(super) fn code(text: &str) -> String {
    format!("```python\n{text}\n```")
}
