//! [`problem`]: an error of reading as a problem, with the change that its message knows; [`of_rule`]: the change that mends the
//! violation of a rule.

use std::ops::Range;

use object_relax::well_formed::{Rule, Severity};

use crate::editor::facts::Problem;
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
        let line = source.get(..error.range.start)?.rfind('\n').map_or(0, |at| at + 1);
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

/// The change that mends the violation of a rule in a function, if one is certain. `function` is the place of the function with its
/// decorators.
pub(super) fn of_rule(rule: &Rule, source: &str, function: &Range<usize>) -> Option<(Range<usize>, String)> {
    match rule.name {
        "impure-call-in-pure-function" => with_effects(source, function),
        _ => None,
    }
}

/// The decorator of a function, replaced by one that says that the function has effects. `None` if it says something about effects,
/// takes several lines, or if a function inside may be the one that has them.
fn with_effects(source: &str, function: &Range<usize>) -> Option<(Range<usize>, String)> {
    let mut start = function.start;
    let (mut decorator, mut definitions) = (None, 0);
    for line in source.get(function.clone())?.split_inclusive('\n') {
        let code = line.split('#').next()?.trim();
        if code.starts_with('@') && definitions == 0 {
            let at = start + (line.len() - line.trim_start().len());
            decorator = Some((at..at + code.len(), code));
        }
        definitions += usize::from(code.starts_with("def "));
        start += line.len();
    }
    let (range, code) = decorator.filter(|_| definitions == 1)?;
    let Some((name, arguments)) = code.split_once('(') else { return Some((range, format!("{code}(pure=False)"))) };
    let arguments = arguments.strip_suffix(')').filter(|it| !it.contains("pure"))?.trim();
    let separator = if arguments.is_empty() { "" } else { ", " };
    Some((range, format!("{name}({arguments}{separator}pure=False)")))
}
