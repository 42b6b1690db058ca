//! Facts about texts in the words of the protocol.

use std::collections::HashMap;
use std::ops::Range;
use std::str::FromStr;

use lsp_types as lsp;

use crate::analysis::{CompletionKind, Diagnostic, Severity, Symbol, SymbolKind};
use crate::document::Document;
use crate::edits::Edit;

/// The name of the server in diagnostics.
const SOURCE: &str = "object-lsp";

pub(crate) fn diagnostic(document: &Document, it: &Diagnostic) -> lsp::Diagnostic {
    let related = it.related.iter().map(|(range, message)| lsp::DiagnosticRelatedInformation {
        location: location(document, range),
        message: message.clone(),
    });
    let page = it.page.as_deref().and_then(|page| lsp::Uri::from_str(page).ok());
    lsp::Diagnostic {
        range: document.range(&it.range),
        severity: Some(match it.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Information => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: it.rule.clone().map(lsp::NumberOrString::String),
        // A page belongs to a code.
        code_description: page.filter(|_| it.rule.is_some()).map(|href| lsp::CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message: it.message.clone(),
        related_information: (!it.related.is_empty()).then(|| related.collect()),
        tags: None,
        data: None,
    }
}

pub(crate) fn location(document: &Document, range: &Range<usize>) -> lsp::Location {
    lsp::Location { uri: document.uri.clone(), range: document.range(range) }
}

pub(crate) fn symbol(document: &Document, it: &Symbol) -> lsp::DocumentSymbol {
    let children: Vec<lsp::DocumentSymbol> = it.children.iter().map(|child| symbol(document, child)).collect();
    // An entry without a name is an error of the protocol.
    let name = if it.name.trim().is_empty() { "_".to_owned() } else { it.name.clone() };
    #[allow(deprecated, reason = "the struct has no constructor")]
    lsp::DocumentSymbol {
        name,
        detail: it.detail.clone(),
        kind: match it.kind {
            SymbolKind::Module => lsp::SymbolKind::MODULE,
            SymbolKind::Function => lsp::SymbolKind::FUNCTION,
            SymbolKind::Variable => lsp::SymbolKind::VARIABLE,
            SymbolKind::Object => lsp::SymbolKind::OBJECT,
        },
        tags: None,
        deprecated: None,
        range: document.range(&it.range),
        selection_range: document.range(&it.name_range),
        children: (!children.is_empty()).then_some(children),
    }
}

pub(crate) fn completion_kind(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Name => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Field => lsp::CompletionItemKind::FIELD,
        CompletionKind::Operator => lsp::CompletionItemKind::FUNCTION,
    }
}

pub(crate) fn text_edits(document: &Document, edits: &[Edit]) -> Vec<lsp::TextEdit> {
    let edit = |(range, text): &Edit| lsp::TextEdit { range: document.range(range), new_text: text.clone() };
    edits.iter().map(edit).collect()
}

/// Changes of one document. `has_versions` says whether the client takes changes of a version.
pub(crate) fn workspace_edit(document: &Document, edits: &[Edit], has_versions: bool) -> lsp::WorkspaceEdit {
    let edits = text_edits(document, edits);
    if !has_versions {
        #[allow(clippy::mutable_key_type, reason = "the protocol's type; a URI does not change")]
        let changes = HashMap::from([(document.uri.clone(), edits)]);
        return lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() };
    }
    let text_document =
        lsp::OptionalVersionedTextDocumentIdentifier { uri: document.uri.clone(), version: Some(document.version) };
    let edits = edits.into_iter().map(lsp::OneOf::Left).collect();
    let changes = lsp::DocumentChanges::Edits(vec![lsp::TextDocumentEdit { text_document, edits }]);
    lsp::WorkspaceEdit { document_changes: Some(changes), ..lsp::WorkspaceEdit::default() }
}
