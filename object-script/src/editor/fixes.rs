//! [`problem`]: an error of reading as a problem, with the change that its message knows; [`mark_of_effects`]: the change that marks a
//! function as one with effects.

use std::ops::Range;

use object_relax::well_formed::Severity;
use ruff_python_ast::{Arguments, Decorator, Expr, Keyword};
use ruff_text_size::{Ranged, TextSize};

use crate::editor::facts::Problem;
use crate::lines::line_start;
use crate::parse::Diagnostic;

/// The problem for an error of reading. `is_fault` says whether it is an error of the syntax.
pub(super) fn problem(source: &str, error: &Diagnostic, is_fault: bool) -> Problem {
    let mut message = error.message.clone();
    if let Some(hint) = &error.hint {
        message.push_str("; ");
        message.push_str(hint);
    }
    let fix = error.hint.as_ref().and_then(|hint| fix(source, error, hint, is_fault));
    Problem { range: error.range.clone(), rule: None, severity: Severity::Error, message, related: Vec::new(), fix }
}

/// The replacement of a word by the one that it is probably meant to be.
fn fix(source: &str, error: &Diagnostic, hint: &str, is_fault: bool) -> Option<(Range<usize>, String)> {
    let near = hint.strip_prefix("did you mean `")?.strip_suffix("`?")?;
    if is_fault {
        // The hint is about the first word of the line.
        let line = line_start(source, error.range.start);
        let text = &source[line..];
        let start = line + (text.len() - text.trim_start_matches([' ', '\t']).len());
        let word = source[start..].split(|char| !is_of_name(char)).next()?;
        return Some((start..start + word.len(), near.to_owned()));
    }
    // The message quotes the wrong name, which ends the place or begins it.
    let wrong =
        error.message.split('`').skip(1).step_by(2).find(|word| !word.is_empty() && source_has(source, error, word))?;
    let place = source.get(error.range.clone())?;
    let at = if place.ends_with(wrong) { place.len() - wrong.len() } else { place.find(wrong)? };
    let start = error.range.start + at;
    Some((start..start + wrong.len(), near.to_owned()))
}

fn source_has(source: &str, error: &Diagnostic, word: &str) -> bool {
    let Some(place) = source.get(error.range.clone()) else { return false };
    place.ends_with(word) || (place.starts_with(word) && !place[word.len()..].starts_with(is_of_name))
}

/// Whether a name of Python can have the character.
fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The insertion that marks a function with these decorators as one with effects. `None` if its decorator says something about effects.
pub(super) fn mark_of_effects(decorators: &[Decorator]) -> Option<(TextSize, &'static str)> {
    let expression = &decorators.last()?.expression;
    let Expr::Call(call) = expression else { return Some((expression.end(), "(pure=False)")) };
    let Arguments { args, keywords, .. } = &call.arguments;
    let says_nothing = |it: &Keyword| it.arg.as_ref().is_some_and(|name| name.as_str() != "pure");
    if !args.is_empty() || !keywords.iter().all(says_nothing) {
        return None;
    }
    Some(match keywords.last() {
        Some(last) => (last.end(), ", pure=False"),
        // Before the bracket.
        None => (call.end() - TextSize::from(1), "pure=False"),
    })
}
