//! [`format`]: a file with the scripts in it as the printer writes them.

use std::ops::Range;

use object_core::Any;
use object_core::meter::Meter;
use object_core::structural::StructuralOptions;
use object_core::table::Set;
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use crate::format::definition::{Style, formatted};
use crate::format::source_text::SourceText;
use crate::parse::{Diagnostic, Errors, Part, Parts, malformed, names, tokens_in, version_of, with_parts};

/// The file `source` with the scripts in it as the printer writes them, with `indent_spaces` for each level. `meter` counts the
/// memory of printing.
///
/// A script is a class with the decorator `@I.ir_module`, or a function with `@R.function` or `@T.prim_func`, at any place of a
/// Python file: at its top, in an `if`, in a function or in a class. All other bytes of the file stay as they are: imports,
/// comments, constants, empty lines, line ends and decorators.
///
/// A script keeps its value, its name with the bases of a class, its decorators, docstrings, other strings that are statements,
/// and comments. A comment stays at its statement: on the line before it, at the end of its line, or after the last statement of
/// a block. A comment inside of a statement of several lines comes before it. Formatting the result changes nothing.
///
/// # Errors
/// The errors of the scripts, and what a formatted script cannot keep:
///
/// - a comment or a string of a statement that it does not have, such as a nested loop that becomes a part of `T.grid`;
/// - a name, such as a constant of the file that the printer shows as its value, or a handle that becomes a buffer;
/// - a fact that the text of TVM leaves out and the text of [`print_exact`](crate::print::ScriptPrinter::print_exact)
///   can only say with metadata, and a tensor that the file does not have in its own `metadata`;
/// - the import of `I`, `T` or `R` if the text needs one more than the file has;
/// - the size: a text of more than 64 KiB that has more than 16 times the bytes, or whose printing takes more memory than the
///   meter has.
///
/// ```
/// use object_core::meter::Meter;
/// use object_script::format::format;
///
/// let source = "from tvm.script import relax as R\n\nN = 2\n\n@R.function( private=True )\n\
///     def same(x: R.Tensor((2,3), 'int8')): # identity\n  'Returns x.'\n  return x\n";
/// assert_eq!(
///     format(source, 4, &Meter::unlimited())?,
///     "from tvm.script import relax as R\n\nN = 2\n\n@R.function( private=True )\n\
///      def same(x: R.Tensor((2, 3), dtype=\"int8\")) -> R.Tensor((2, 3), dtype=\"int8\"):  # identity\n    \
///          'Returns x.'\n    return x\n"
/// );
/// # Ok::<(), object_script::parse::Errors>(())
/// ```
pub fn format(source: &str, indent_spaces: usize, meter: &Meter) -> Result<String, Errors> {
    let given = SourceText::new(source);
    of_text(&given, indent_spaces, meter).map_err(|mut errors| {
        for error in &mut errors {
            error.range = given.given_offset(error.range.start)..given.given_offset(error.range.end);
        }
        Errors::new(errors, source)
    })
}

/// A script with the text for it.
struct Draft {
    name: Range<usize>,
    value: Any,
    /// The names that the text has to have.
    names: Vec<(String, Range<usize>)>,
    range: Range<usize>,
    text: String,
}

fn of_text(given: &SourceText<'_>, indent_spaces: usize, meter: &Meter) -> Result<String, Vec<Diagnostic>> {
    // The scripts whose text of TVM is wrong, because it leaves out facts. They get exact texts.
    let mut exact: FxHashMap<usize, Diagnostic> = FxHashMap::default();
    let style = Style { indent_spaces, version: version_of(&given.text), is_exact: false, meter };
    loop {
        let drafts = drafts(&given.text, style, &exact);
        let (drafts, prefixes) = match drafts {
            Err(_) if !exact.is_empty() => return Err(exact.into_values().collect()),
            drafts => drafts?,
        };
        let changes = || drafts.iter().map(|draft| (draft.range.clone(), draft.text.clone()));
        let result = SourceText::new(&given.text).with_changes(changes());
        let wrong = if result == given.text { Vec::new() } else { differences(&drafts, &result, prefixes) };
        if wrong.is_empty() {
            return Ok(given.with_changes(changes().filter(|(range, text)| given.text[range.clone()] != **text)));
        }
        let errors: Vec<Diagnostic> = wrong.iter().filter_map(|(index, _)| exact.get(index).cloned()).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        exact.extend(wrong);
    }
}

/// The texts for the scripts, and which of `I`, `T` and `R` the file knows.
fn drafts(
    source: &str,
    style: Style<'_>,
    exact: &FxHashMap<usize, Diagnostic>,
) -> Result<(Vec<Draft>, [bool; 3]), Vec<Diagnostic>> {
    with_parts(source, [true; 3], |parts| {
        let (mut drafts, mut errors) = (Vec::new(), Vec::new());
        for (index, part) in parts.all.iter().enumerate() {
            let style = Style { is_exact: parts.is_exact || exact.contains_key(&index), ..style };
            match (&part.value, formatted(source, part, parts.tokens, style)) {
                (Ok(value), Ok((range, text))) => drafts.push(Draft {
                    name: part.name_range.clone(),
                    value: value.clone(),
                    names: part.names.iter().map(|(name, range)| ((*name).to_owned(), range.clone())).collect(),
                    range,
                    text,
                }),
                (_, result) => errors.extend(result.err().unwrap_or_default()),
            }
        }
        if errors.is_empty() { Ok((drafts, parts.prefixes)) } else { Err(errors) }
    })?
}

/// The scripts that are not the same in the file `result`.
fn differences(drafts: &[Draft], result: &str, prefixes: [bool; 3]) -> Vec<(usize, Diagnostic)> {
    let of_all = |message: &str| {
        let errors =
            drafts.iter().map(|draft| malformed(draft.name.clone(), format!("formatting breaks the file: {message}")));
        errors.enumerate().collect()
    };
    let found = with_parts(result, prefixes, |parts| {
        if parts.all.len() != drafts.len() {
            return of_all("it has another number of scripts");
        }
        let pairs = drafts.iter().zip(&parts.all).enumerate();
        pairs.filter_map(|(index, (draft, part))| Some((index, difference(draft, part, parts, result)?))).collect()
    });
    found.unwrap_or_else(|faults| of_all(faults.first().map_or("", |fault| &fault.message)))
}

/// Something that the printed text of a script loses.
fn difference(draft: &Draft, part: &Part<'_>, parts: &Parts<'_>, result: &str) -> Option<Diagnostic> {
    let failed = |message: String| Some(malformed(draft.name.clone(), message));
    let value = match &part.value {
        Ok(value) => value,
        Err(errors) => {
            let reason = errors.first().map_or("", |error| &error.message);
            let mut error =
                malformed(draft.name.clone(), format!("the printer writes a text that does not read here: {reason}"));
            error.hint = errors.first().and_then(|error| missing(result.get(error.range.clone())?));
            return Some(error);
        }
    };
    match StructuralOptions::new().map_free_vars(true).equal(&draft.value, value) {
        Ok(true) => {}
        Ok(false) => return failed(format!("the text of the printer leaves out facts of `{}`", part.name)),
        Err(error) => return failed(error.message().to_owned()),
    }
    let range = part.name_range.start..part.definition.end().to_usize();
    let known: Set<&str> = names(result, tokens_in(parts.tokens, &range)).into_iter().map(|(name, _)| name).collect();
    let (name, range) = draft.names.iter().find(|(name, _)| !known.contains(name.as_str()))?;
    let mut error =
        malformed(range.clone(), format!("formatting loses the name `{name}`, which the printer does not write"));
    error.hint = Some(format!("write what the printer writes for `{name}`, which `objir print` shows"));
    Some(error)
}

/// The advice for a name that a printed text needs and the file does not have.
fn missing(name: &str) -> Option<String> {
    let advice = |language: &str| format!("import it: `from tvm.script import {language} as {name}`");
    match name {
        "I" => Some(advice("ir")),
        "T" => Some(advice("tirx")),
        "R" => Some(advice("relax")),
        "metadata" => {
            Some("a tensor has no short text; write it as a parameter or as `R.const` of one number".to_owned())
        }
        _ => None,
    }
}
