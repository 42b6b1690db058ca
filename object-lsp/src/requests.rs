//! The answer to each request about a document.

use std::sync::Arc;

use lsp_server::{ErrorCode, ResponseError};
use lsp_types as lsp;
use lsp_types::Position;
use object_core::ColumnUnit;
use serde_json::Value;

use crate::analysis::{Analysis, LanguageService, Role};
use crate::convert;
use crate::document::Document;
use crate::edits::{Edit, apply, between, check_rename};
use crate::positions;

/// A document, its language, and facts about the client.
pub(crate) struct Target<'s> {
    pub(crate) document: &'s mut Document,
    pub(crate) service: &'s mut dyn LanguageService,
    pub(crate) client: Client,
}

/// The abilities of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) unit: ColumnUnit,
    /// Whether it takes changes of a version of a document.
    pub(crate) has_versions: bool,
    /// Whether it shows Markdown in hovers.
    pub(crate) has_markdown_hovers: bool,
    /// Whether it shows Markdown beside completions.
    pub(crate) has_markdown_completions: bool,
}

impl Client {
    /// The client with these parameters of `initialize`. Only a few are read, so that a client with unknown forms of other
    /// capabilities is served.
    pub(crate) fn of(params: &Value) -> Self {
        let at = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let words = |path: &str| at(path).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let has_markdown = |path: &str| words(path).any(|it| it == "markdown");
        Client {
            unit: positions::negotiate(words("general/positionEncodings")),
            has_versions: at("workspace/workspaceEdit/documentChanges").and_then(Value::as_bool) == Some(true),
            has_markdown_hovers: has_markdown("textDocument/hover/contentFormat"),
            has_markdown_completions: has_markdown("textDocument/completion/completionItem/documentationFormat"),
        }
    }
}

/// Documentation, as Markdown or as the same text.
fn markup(value: String, has_markdown: bool) -> lsp::MarkupContent {
    let kind = if has_markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText };
    lsp::MarkupContent { kind, value }
}

pub(crate) type Answer<T> = Result<T, ResponseError>;

pub(crate) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

impl Target<'_> {
    fn offset(&self, position: Position) -> usize {
        self.document.offset(position)
    }

    pub(crate) fn analysis(&mut self) -> Arc<Analysis> {
        self.document.analysis(self.service)
    }

    /// The declaration of the name at a position.
    fn declaration_at(&mut self, position: Position) -> Option<(Arc<Analysis>, usize)> {
        let offset = self.offset(position);
        let analysis = self.analysis();
        let declaration = analysis.occurrence_at(offset)?.declaration;
        Some((analysis, declaration))
    }

    pub(crate) fn hover(&mut self, position: Position) -> Answer<Option<lsp::Hover>> {
        let offset = self.offset(position);
        let hover = self.service.hover(&self.document.name, self.document.text(), offset);
        Ok(hover.map(|(range, value)| lsp::Hover {
            contents: lsp::HoverContents::Markup(markup(value, self.client.has_markdown_hovers)),
            range: Some(self.document.range(&range)),
        }))
    }

    pub(crate) fn definition(&mut self, position: Position) -> Answer<Vec<lsp::Location>> {
        let Some((analysis, declaration)) = self.declaration_at(position) else { return Ok(Vec::new()) };
        let definitions = analysis.occurrences_of(declaration).filter(|it| it.role == Role::Definition);
        Ok(definitions.map(|it| convert::location(self.document, &it.range)).collect())
    }

    pub(crate) fn references(&mut self, position: Position, with_definition: bool) -> Answer<Vec<lsp::Location>> {
        let Some((analysis, declaration)) = self.declaration_at(position) else { return Ok(Vec::new()) };
        let all = analysis.occurrences_of(declaration).filter(|it| with_definition || it.role == Role::Use);
        Ok(all.map(|it| convert::location(self.document, &it.range)).collect())
    }

    pub(crate) fn highlights(&mut self, position: Position) -> Answer<Vec<lsp::DocumentHighlight>> {
        let Some((analysis, declaration)) = self.declaration_at(position) else { return Ok(Vec::new()) };
        let highlight = |it: &crate::analysis::Occurrence| lsp::DocumentHighlight {
            range: self.document.range(&it.range),
            kind: Some(match it.role {
                Role::Definition => lsp::DocumentHighlightKind::WRITE,
                Role::Use => lsp::DocumentHighlightKind::READ,
            }),
        };
        Ok(analysis.occurrences_of(declaration).map(highlight).collect())
    }

    pub(crate) fn prepare_rename(&mut self, position: Position) -> Answer<Option<lsp::PrepareRenameResponse>> {
        let offset = self.offset(position);
        let analysis = self.analysis();
        let Some(occurrence) = analysis.occurrence_at(offset) else { return Ok(None) };
        let name = &self.document.text()[occurrence.range.clone()];
        if self.service.check_name(name).is_err() {
            return Ok(None);
        }
        let range = self.document.range(&occurrence.range);
        Ok(Some(lsp::PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: name.to_owned() }))
    }

    pub(crate) fn rename(&mut self, position: Position, name: &str) -> Answer<Option<lsp::WorkspaceEdit>> {
        let refused = |message: String| error(ErrorCode::RequestFailed, message);
        let Some((analysis, declaration)) = self.declaration_at(position) else {
            return Err(refused("no name of a variable stands here".to_owned()));
        };
        self.service.check_name(name).map_err(refused)?;
        let edits: Vec<Edit> =
            analysis.occurrences_of(declaration).map(|it| (it.range.clone(), name.to_owned())).collect();
        for (range, _) in &edits {
            self.service.check_name(&self.document.text()[range.clone()]).map_err(refused)?;
        }
        let after = self.service.analyze(&self.document.name, &apply(self.document.text(), &edits));
        check_rename(&analysis, &after, &edits).map_err(refused)?;
        Ok(Some(convert::workspace_edit(self.document, &edits, self.client.has_versions)))
    }

    pub(crate) fn symbols(&mut self) -> Answer<Vec<lsp::DocumentSymbol>> {
        let analysis = self.analysis();
        Ok(analysis.symbols.iter().map(|it| convert::symbol(self.document, it)).collect())
    }

    /// The edits of the formatter; none for a text with mistakes, whose diagnostics say why.
    pub(crate) fn format(&mut self) -> Answer<Option<Vec<lsp::TextEdit>>> {
        let Ok(formatted) = self.service.format(&self.document.name, self.document.text()) else { return Ok(None) };
        let edits = between(self.document.text(), &formatted);
        Ok(Some(convert::text_edits(self.document, &edits)))
    }

    pub(crate) fn complete(&mut self, position: Position) -> Answer<Vec<lsp::CompletionItem>> {
        let offset = self.offset(position);
        let all = self.service.complete(&self.document.name, self.document.text(), offset);
        let before = &self.document.text()[..offset];
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let word = before.trim_end_matches(is_part).len();
        let with_dots = before.trim_end_matches(|c| is_part(c) || c == '.').len();
        let item = |it: crate::analysis::Completion| {
            // The text may begin before the word, as `R.add` after `R.ad` does.
            let start = if it.text.starts_with(&before[with_dots..]) { with_dots } else { word };
            lsp::CompletionItem {
                kind: Some(convert::completion_kind(it.kind)),
                detail: it.detail,
                documentation: it.documentation.map(|value| {
                    lsp::Documentation::MarkupContent(markup(value, self.client.has_markdown_completions))
                }),
                text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
                    range: self.document.range(&(start..offset)),
                    new_text: it.text.clone(),
                })),
                label: it.text,
                ..lsp::CompletionItem::default()
            }
        };
        Ok(all.into_iter().map(item).collect())
    }

    pub(crate) fn folds(&mut self) -> Answer<Vec<lsp::FoldingRange>> {
        let analysis = self.analysis();
        let text = self.document.text();
        let fold = |range: &std::ops::Range<usize>| {
            let lines = self.document.range(range);
            // A bracket that ends the piece stays in sight.
            let last = text[..range.end].rfind('\n').map_or("", |at| text[at + 1..range.end].trim_start());
            let end_line = lines.end.line.saturating_sub(u32::from(last.starts_with(['}', ')', ']'])));
            let start_line = lines.start.line;
            (start_line < end_line).then(|| lsp::FoldingRange { start_line, end_line, ..lsp::FoldingRange::default() })
        };
        Ok(analysis.folds.iter().filter_map(fold).collect())
    }

    pub(crate) fn hints(&mut self, range: lsp::Range) -> Answer<Vec<lsp::InlayHint>> {
        let shown = self.document.bytes(range);
        let analysis = self.analysis();
        let hints = analysis.hints.iter().filter(|it| shown.contains(&it.at) || it.at == shown.end);
        let hint = |it: &crate::analysis::Hint| lsp::InlayHint {
            position: self.document.position(it.at),
            label: lsp::InlayHintLabel::String(it.text.clone()),
            kind: Some(lsp::InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        };
        Ok(hints.map(hint).collect())
    }

    /// The fixes of the diagnostics in a range, if the client asks for fixes.
    pub(crate) fn actions(
        &mut self,
        range: lsp::Range,
        only: Option<&[lsp::CodeActionKind]>,
    ) -> Answer<Vec<lsp::CodeActionOrCommand>> {
        let is_fix =
            |kind: &lsp::CodeActionKind| [lsp::CodeActionKind::EMPTY, lsp::CodeActionKind::QUICKFIX].contains(kind);
        if only.is_some_and(|only| !only.iter().any(is_fix)) {
            return Ok(Vec::new());
        }
        let at = self.document.bytes(range);
        let analysis = self.analysis();
        let touches = |it: &&crate::analysis::Diagnostic| it.range.start <= at.end && at.start <= it.range.end;
        let mut actions = Vec::new();
        for diagnostic in analysis.diagnostics.iter().filter(touches) {
            for fix in &diagnostic.fixes {
                actions.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
                    title: fix.title.clone(),
                    kind: Some(lsp::CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![convert::diagnostic(self.document, diagnostic)]),
                    edit: Some(convert::workspace_edit(self.document, &fix.edits, self.client.has_versions)),
                    is_preferred: (diagnostic.fixes.len() == 1).then_some(true),
                    ..lsp::CodeAction::default()
                }));
            }
        }
        Ok(actions)
    }
}
