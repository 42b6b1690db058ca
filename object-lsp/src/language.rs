//! [`SyntaxService`]: a language of `object-syntax` in an editor.

use std::ops::Range;

use object_core::Any;
use object_core::access_path::AccessPath;
use object_core::object::TypeInfo;
use object_core::verify::Violation;
use object_syntax::{Diagnostic as Mistake, Language, OutlineEntry, Parsed, Reading, SuggestionKind};

use crate::analysis::{
    Analysis, Completion, CompletionKind, Diagnostic, Fix, Hint, LanguageService, Occurrence, Role, Symbol, SymbolKind,
};

/// The hints about a value: the places after which they stand, and their texts.
type Hints = Box<dyn Fn(&Any) -> Vec<(AccessPath, String)> + Send>;

/// A language of [`object_syntax`] as an editor sees it.
///
/// Each text is read as a whole: 5,000 lines take about 20 ms in an optimized build.
pub struct SyntaxService {
    language: Language,
    hints: Option<Hints>,
    /// The reading of the last text.
    last: Option<Reading>,
}

impl SyntaxService {
    /// The service of `language`, without hints.
    #[must_use]
    pub fn new(language: Language) -> Self {
        SyntaxService { language, hints: None, last: None }
    }

    /// Shows hints, such as computed types, after the pieces of the text that show their places.
    #[must_use]
    pub fn hints(mut self, hints: impl Fn(&Any) -> Vec<(AccessPath, String)> + Send + 'static) -> Self {
        self.hints = Some(Box::new(hints));
        self
    }

    fn reading(&mut self, text: &str) -> &Reading {
        let last = self.last.take().filter(|last| last.source() == text);
        self.last.insert(last.unwrap_or_else(|| self.language.reading(text)))
    }

    fn hints_of(&self, parsed: &Parsed) -> Vec<Hint> {
        let hints = self.hints.iter().flat_map(|hints| hints(&parsed.value));
        let at = |path: &AccessPath| parsed.text.pieces_of(path).into_iter().next().map(|piece| piece.end);
        let mut hints: Vec<Hint> = hints.filter_map(|(path, text)| Some(Hint { at: at(&path)?, text })).collect();
        hints.sort_by_key(|hint| hint.at);
        hints
    }
}

impl LanguageService for SyntaxService {
    fn analyze(&mut self, _name: &str, text: &str) -> Analysis {
        self.reading(text);
        let Some(reading) = &self.last else { return Analysis::default() };
        let mut diagnostics: Vec<Diagnostic> = reading.diagnostics().iter().map(mistake).collect();
        let mut hints = Vec::new();
        if let Some(parsed) = reading.parsed() {
            diagnostics.extend(violations(&self.language, parsed));
            hints = self.hints_of(parsed);
        }
        let role = |is_definition| if is_definition { Role::Definition } else { Role::Use };
        let occurrences = reading.occurrences().iter().map(|it| Occurrence {
            range: it.range.clone(),
            declaration: it.declaration,
            role: role(it.is_definition),
        });
        Analysis {
            diagnostics,
            symbols: reading.outline().into_iter().map(symbol).collect(),
            occurrences: occurrences.collect(),
            folds: reading.folds(),
            hints,
        }
    }

    fn hover(&mut self, _name: &str, text: &str, offset: usize) -> Option<(Range<usize>, String)> {
        let place = self.reading(text).place_at(offset)?;
        let mut parts = Vec::new();
        if let Some(declaration) = place.declaration {
            parts.push(format!("```text\n{}\n```", &text[declaration]));
        }
        match place.field {
            Some(field) => {
                let schema = field.schema();
                parts.push(format!("`{}: {schema}`, a field of `{}`", field.name(), place.info.type_key()));
                parts.push(field.meta().doc.to_owned());
            }
            None => {
                parts.push(format!("`{}`", place.info.type_key()));
                parts.push(place.info.doc().to_owned());
                if let Some((owner, field)) = place.within {
                    parts.push(format!("The field `{}` of `{}`.", field.name(), owner.type_key()));
                    parts.push(field.meta().doc.to_owned());
                }
            }
        }
        parts.retain(|part| !part.trim().is_empty());
        Some((place.range, parts.join("\n\n")))
    }

    fn complete(&mut self, _name: &str, text: &str, offset: usize) -> Vec<Completion> {
        let of_type = |info: Option<&'static TypeInfo>| {
            let doc = info.map(|info| info.doc().to_owned()).filter(|doc| !doc.is_empty());
            (info.map(|info| info.type_key().to_owned()), doc)
        };
        let completion = |it: object_syntax::Suggestion| {
            let (kind, (detail, documentation)) = match it.kind {
                SuggestionKind::Word(info) => (CompletionKind::Keyword, of_type(info)),
                SuggestionKind::Name(info) => (CompletionKind::Name, of_type(info)),
                SuggestionKind::Field(_, field) => {
                    let doc = Some(field.meta().doc.to_owned()).filter(|doc| !doc.is_empty());
                    (CompletionKind::Field, (Some(field.schema().to_string()), doc))
                }
            };
            Completion { text: it.text, kind, detail, documentation }
        };
        self.language.suggestions(text, offset).into_iter().map(completion).collect()
    }

    fn format(&mut self, _name: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
        self.language.format(text).map_err(|errors| errors.diagnostics().iter().map(mistake).collect())
    }

    fn check_name(&self, word: &str) -> Result<(), String> {
        self.language.check_name(word).map_err(|error| error.message().to_owned())
    }
}

fn mistake(it: &Mistake) -> Diagnostic {
    let fix = it
        .replacement
        .as_ref()
        .map(|text| Fix { title: format!("Change to `{text}`"), edits: vec![(it.range.clone(), text.clone())] });
    let hint = it.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    let message = format!("{}{hint}", it.message);
    Diagnostic { fixes: fix.into_iter().collect(), ..Diagnostic::error(it.range.clone(), message) }
}

fn symbol(it: OutlineEntry) -> Symbol {
    let children: Vec<Symbol> = it.children.into_iter().map(symbol).collect();
    let has_parameters = it.info.fields().iter().any(|field| {
        matches!(field.meta().role, object_core::object::FieldRole::Def | object_core::object::FieldRole::DefSimple)
    });
    let kind = match it.info.kind() {
        object_core::object::SEqHashKind::FreeVar => SymbolKind::Variable,
        _ if has_parameters => SymbolKind::Function,
        _ if !children.is_empty() => SymbolKind::Module,
        _ => SymbolKind::Object,
    };
    Symbol { name: it.name, kind, detail: it.detail, range: it.range, name_range: it.name_range, children }
}

/// The violations of the checks in the declarations of the types.
fn violations(language: &Language, parsed: &Parsed) -> Vec<Diagnostic> {
    match language.violations(parsed) {
        Ok(found) => {
            let diagnostic = |(range, it): (Range<usize>, Violation)| {
                let rule = Some(it.rule().to_owned());
                Diagnostic { rule, ..Diagnostic::error(range, it.message()) }
            };
            found.into_iter().map(diagnostic).collect()
        }
        Err(error) => vec![Diagnostic::error(0..0, error.message())],
    }
}
