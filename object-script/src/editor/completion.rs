//! [`Candidate`]: a text that can stand at the cursor; and the documentation of the name there.

use std::collections::BTreeMap;
use std::ops::Range;

use object_core::{ObjectHandle, ObjectRef};
use object_ir::ir::{GlobalVar, RelaxExpr};
use object_ir::tir;
use ruff_text_size::TextRange;

use crate::editor::analyzer::ScriptAnalyzer;
use crate::editor::documentation::{self, code, operator_documentation};
use crate::editor::facts::{OutlineEntry, moved};
use crate::editor::function::{object_text, struct_info, struct_info_text};
use crate::editor::reading::{PlacedFunction, Reading};
use crate::parse::{builtin_names, bytes, members_of_buffers, members_of_expressions};

/// A text that can stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The text, without what stands before the last `.`.
    pub text: String,
    /// The kind.
    pub kind: CandidateKind,
    /// The signature of a function, or the structural information of a variable.
    pub detail: Option<String>,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
}

/// The kind of a [`Candidate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CandidateKind {
    /// A name in scope, or a function of the module.
    Name,
    /// A function of a language, such as `R.add`.
    Operator,
    /// A member of a variable.
    Member,
    /// A word of the syntax.
    Keyword,
}

/// The words of Python that scripts have.
const KEYWORDS: [&str; 16] = [
    "True", "False", "None", "and", "as", "class", "def", "elif", "else", "for", "if", "in", "not", "return", "while",
    "with",
];

/// The longest name before the cursor, in bytes.
const MAX_NAME: usize = 256;

impl ScriptAnalyzer {
    /// The documentation of the name at a byte of the text, in Markdown, and the bytes of the name.
    pub fn hover(&mut self, text: &str, offset: usize) -> Option<(Range<usize>, String)> {
        self.analyze(text);
        let reading = self.last.as_ref()?;
        let function = reading.function_at(offset);
        function.and_then(|it| reading.operator_at(it, offset)).or_else(|| reading.name_at(function, offset))
    }

    /// The texts that can stand at a byte of the text. They continue the name before it.
    pub fn complete(&mut self, text: &str, offset: usize) -> Vec<Candidate> {
        self.analyze(text);
        let Some(reading) = &self.last else { return Vec::new() };
        let Some(before) = text.get(..offset) else { return Vec::new() };
        let is_of_path = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.');
        let start = before
            .rfind(|char: char| !is_of_path(char))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let path = &before[start..];
        if path.len() > MAX_NAME {
            return Vec::new();
        }
        let (receiver, word) = path.rsplit_once('.').map_or((None, path), |(receiver, word)| (Some(receiver), word));
        let mut found = match receiver {
            Some(receiver) => reading.members(receiver, offset),
            None => reading.names(offset),
        };
        found.retain(|it| it.text.starts_with(word));
        found.sort_by(|a, b| (a.kind, &a.text).cmp(&(b.kind, &b.text)));
        found.dedup_by(|a, b| a.text == b.text);
        found
    }
}

impl Reading {
    fn function_at(&self, offset: usize) -> Option<&PlacedFunction> {
        self.functions
            .iter()
            .find(|it| bytes(it.read.range).contains(&offset) || it.read.range.end().to_usize() == offset)
    }

    /// The function of a language at an offset.
    fn operator_at(&self, function: &PlacedFunction, offset: usize) -> Option<(Range<usize>, String)> {
        let (from, to) = function.starts();
        let place = |range: TextRange| moved(&bytes(range), from, to);
        let log = &function.read.log;
        let at = log.paths.iter().filter(|(range, _)| touches(&place(*range), offset));
        let (range, path) = at.max_by_key(|(range, _)| range.len())?;
        let mut text = documentation::of_path(path).unwrap_or_else(|| code(path));
        let call = log.calls.iter().find(|call| call.callee == *range);
        let address = |value: &ObjectRef| value.view().address();
        if let Some(info) = call.and_then(|call| log.derived.get(&address(&call.value))) {
            text.push_str("\n\nThe result of this call:\n\n");
            text.push_str(&code(&struct_info_text(info)));
        }
        Some((place(*range), text))
    }

    /// The variable or function of the module at an offset.
    fn name_at(&self, function: Option<&PlacedFunction>, offset: usize) -> Option<(Range<usize>, String)> {
        let name = self.facts.names.iter().find(|name| touches(&name.range, offset))?;
        let text = &self.text[name.range.clone()];
        let object = function.and_then(|it| object_at(it, &name.range)).or_else(|| {
            let outer = self.outer.iter().find(|(range, _)| *range == name.range);
            outer.map(|(_, object)| object.clone())
        });
        let ty = object.as_ref().and_then(detail).or_else(|| self.signature_at(name.definition));
        let shown = ty.map_or_else(|| text.to_owned(), |ty| format!("{text}: {ty}"));
        Some((name.range.clone(), code(&shown)))
    }

    /// The structural information of the function whose name begins at `definition`.
    fn signature_at(&self, definition: usize) -> Option<String> {
        self.functions.iter().find_map(|it| {
            let (from, to) = it.starts();
            let is_named = it.facts.outline.name_range.start + to == definition + from;
            if is_named { it.facts.outline.detail.clone() } else { None }
        })
    }

    /// The names in scope at an offset.
    fn names(&self, offset: usize) -> Vec<Candidate> {
        let mut found: BTreeMap<&str, Option<String>> = BTreeMap::new();
        if let Some(function) = self.function_at(offset) {
            let (from, to) = function.starts();
            for name in &function.facts.names {
                let range = moved(&bytes(name.range), from, to);
                if name.range == name.definition
                    && range.end < offset
                    && let Some(text) = self.text.get(range)
                {
                    found.insert(text, name.value.as_ref().and_then(detail));
                }
            }
            found.insert("cls", None);
        }
        let candidate = |(text, detail): (&str, Option<String>)| Candidate {
            text: text.to_owned(),
            kind: CandidateKind::Name,
            detail,
            documentation: None,
        };
        let mut all: Vec<Candidate> = found.into_iter().map(candidate).collect();
        all.extend(self.prefixes.iter().map(|prefix| candidate((prefix.as_str(), None))));
        all.extend(KEYWORDS.map(|word| Candidate { kind: CandidateKind::Keyword, ..candidate((word, None)) }));
        all
    }

    /// The members of the value of a name, or the functions of a language.
    fn members(&self, receiver: &str, offset: usize) -> Vec<Candidate> {
        let (first, rest) = receiver.split_once('.').unwrap_or((receiver, ""));
        if let Some(index) = self.prefixes.iter().position(|prefix| prefix == first) {
            let language = ["I", "T", "R"][index];
            let prefix = if rest.is_empty() { format!("{language}.") } else { format!("{language}.{rest}.") };
            return functions(language, &prefix);
        }
        if !rest.is_empty() {
            return Vec::new();
        }
        let module = self.facts.outline.iter().find(|it| it.range.contains(&offset));
        if let Some(module) = module.filter(|it| receiver == "cls" || it.name == receiver) {
            let candidate = |it: &OutlineEntry| Candidate {
                text: it.name.clone(),
                kind: CandidateKind::Name,
                detail: it.detail.clone(),
                documentation: None,
            };
            return module.children.iter().map(candidate).collect();
        }
        let Some(object) = self.object_of(receiver, offset) else { return Vec::new() };
        let names = if object.downcast_ref::<RelaxExpr>().is_some() {
            members_of_expressions()
        } else if object.downcast_ref::<tir::Buffer>().is_some() {
            members_of_buffers()
        } else {
            Vec::new()
        };
        let candidate = |text: &str| Candidate {
            text: text.to_owned(),
            kind: CandidateKind::Member,
            detail: None,
            documentation: None,
        };
        names.into_iter().map(candidate).collect()
    }

    /// The object that a name has before an offset.
    fn object_of(&self, name: &str, offset: usize) -> Option<ObjectRef> {
        let function = self.function_at(offset)?;
        let (from, to) = function.starts();
        let before = function.facts.names.iter().rev().filter(|it| {
            let range = moved(&bytes(it.range), from, to);
            range.end <= offset && self.text.get(range) == Some(name)
        });
        before.filter_map(|it| it.value.clone()).next()
    }
}

/// The object that a name of a function has.
fn object_at(function: &PlacedFunction, range: &Range<usize>) -> Option<ObjectRef> {
    let (from, to) = function.starts();
    let name = function.facts.names.iter().find(|name| moved(&bytes(name.range), from, to) == *range)?;
    name.value.clone()
}

/// The type of an object as scripts write it.
fn detail(object: &ObjectRef) -> Option<String> {
    if let Some(var) = object.downcast_ref::<GlobalVar>() {
        return var.struct_info.as_ref().map(struct_info_text);
    }
    struct_info(object).map(|info| struct_info_text(&info)).or_else(|| object_text(object))
}

/// The functions of a language with a prefix such as `R.nn.`, each as one step after the prefix.
fn functions(language: &str, prefix: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    for name in builtin_names(&format!("{language}.")) {
        let Some(rest) = name.strip_prefix(prefix) else { continue };
        let (step, is_group) = rest.split_once('.').map_or((rest, false), |(step, _)| (step, true));
        found.push(Candidate {
            text: step.to_owned(),
            kind: CandidateKind::Operator,
            detail: if is_group { None } else { documentation::signature(&name) },
            documentation: if is_group { None } else { operator_documentation(&name) },
        });
    }
    // The types of scalars have functions for each data type.
    if prefix == "T." {
        let types = ["int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64", "bool"];
        found.extend(types.map(|it| Candidate {
            text: it.to_owned(),
            kind: CandidateKind::Operator,
            detail: None,
            documentation: None,
        }));
    }
    if prefix == "R." {
        let words = ["function", "dataflow"];
        found.extend(words.map(|it| Candidate {
            text: it.to_owned(),
            kind: CandidateKind::Operator,
            detail: None,
            documentation: None,
        }));
    }
    found
}

/// Whether the cursor at an offset is in a piece or at its end.
fn touches(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}
