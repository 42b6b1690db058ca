//! [`ScriptService`]: the scripts of Python files for a language server.

use std::collections::VecDeque;
use std::ops::Range;

use object_core::meter::Meter;
use object_lsp::{
    Analysis, Completion, CompletionKind, Diagnostic, Fix, Hint, LanguageService, Occurrence, Role, Severity, Symbol,
    SymbolKind,
};
use object_relax::well_formed;
use object_script::editor::{Candidate, CandidateKind, Facts, OutlineEntry, OutlineKind, Problem, ScriptAnalyzer};
use object_script::format;

/// The number of files whose facts the service keeps.
const FILES: usize = 16;

/// The scripts of Python files. The rest of a file is left to a server for Python.
pub(super) struct ScriptService {
    /// The files, the last used one first.
    files: VecDeque<(String, ScriptAnalyzer)>,
    meter: Meter,
}

impl ScriptService {
    /// Knows no file. The meter counts the memory of formatting.
    pub(super) fn new(meter: Meter) -> Self {
        ScriptService { files: VecDeque::new(), meter }
    }

    fn file(&mut self, name: &str) -> &mut ScriptAnalyzer {
        let known = self.files.iter().position(|(known, _)| known == name).and_then(|at| self.files.remove(at));
        self.files.truncate(FILES - 1);
        self.files.push_front(known.unwrap_or_else(|| (name.to_owned(), ScriptAnalyzer::new())));
        &mut self.files[0].1
    }
}

impl LanguageService for ScriptService {
    fn analyze(&mut self, name: &str, text: &str) -> Analysis {
        analysis(&self.file(name).analyze(text))
    }

    fn hover(&mut self, name: &str, text: &str, offset: usize) -> Option<(Range<usize>, String)> {
        self.file(name).hover(text, offset)
    }

    fn complete(&mut self, name: &str, text: &str, offset: usize) -> Vec<Completion> {
        self.file(name).complete(text, offset).into_iter().map(completion).collect()
    }

    fn format(&mut self, _: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
        format::format(text, 4, &self.meter).map_err(|errors| {
            let error =
                |it: &object_script::parse::Diagnostic| Diagnostic::error(it.range.clone(), it.message.as_str());
            errors.diagnostics().iter().map(error).collect()
        })
    }

    fn check_name(&self, word: &str) -> Result<(), String> {
        let mut chars = word.chars();
        let is_name = chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
            && chars.all(|char| char.is_alphanumeric() || char == '_');
        if !is_name {
            return Err(format!("expected a name of Python: letters, digits and `_`, got {word:?}"));
        }
        if KEYWORDS.contains(&word) {
            return Err(format!("`{word}` is a word of Python, so no variable can have it as its name"));
        }
        Ok(())
    }
}

/// The words of Python that are no names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

fn analysis(facts: &Facts) -> Analysis {
    let mut declarations: Vec<usize> = facts.names.iter().map(|name| name.definition).collect();
    declarations.sort_unstable();
    declarations.dedup();
    let occurrence = |name: &object_script::editor::NameAt| Occurrence {
        range: name.range.clone(),
        declaration: declarations.partition_point(|it| *it < name.definition),
        role: if name.is_definition() { Role::Definition } else { Role::Use },
    };
    Analysis {
        diagnostics: facts.problems.iter().map(diagnostic).collect(),
        symbols: facts.outline.iter().map(symbol).collect(),
        occurrences: facts.names.iter().map(occurrence).collect(),
        folds: facts.folds.clone(),
        hints: facts.hints.iter().map(|(at, text)| Hint { at: *at, text: text.clone() }).collect(),
    }
}

fn diagnostic(problem: &Problem) -> Diagnostic {
    let fix = problem.fix.as_ref().map(|(range, text)| {
        let verb = if range.is_empty() { "Insert" } else { "Replace by" };
        Fix { title: format!("{verb} `{text}`"), edits: vec![(range.clone(), text.clone())] }
    });
    Diagnostic {
        range: problem.range.clone(),
        severity: match problem.severity {
            well_formed::Severity::Error => Severity::Error,
            well_formed::Severity::Warning => Severity::Warning,
        },
        rule: problem.rule.map(|rule| rule.name.to_owned()),
        page: problem.rule.map(well_formed::Rule::page),
        message: problem.message.clone(),
        related: problem.related.clone(),
        fixes: fix.into_iter().collect(),
    }
}

fn symbol(entry: &OutlineEntry) -> Symbol {
    Symbol {
        name: entry.name.clone(),
        kind: match entry.kind {
            OutlineKind::Module => SymbolKind::Module,
            OutlineKind::Function => SymbolKind::Function,
            OutlineKind::Variable => SymbolKind::Variable,
            _ => SymbolKind::Object,
        },
        detail: entry.detail.clone(),
        range: entry.range.clone(),
        name_range: entry.name_range.clone(),
        children: entry.children.iter().map(symbol).collect(),
    }
}

fn completion(candidate: Candidate) -> Completion {
    Completion {
        kind: match candidate.kind {
            CandidateKind::Operator => CompletionKind::Operator,
            CandidateKind::Member => CompletionKind::Field,
            CandidateKind::Keyword => CompletionKind::Keyword,
            _ => CompletionKind::Name,
        },
        text: candidate.text,
        detail: candidate.detail,
        documentation: candidate.documentation,
    }
}
