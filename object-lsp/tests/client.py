"""A client over stdio, written by others: each request to the server of the lambda calculus.

`examples/tests/lambda_server.rs` runs it with `LSP_SERVER`, the path of the server.
"""

import os

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

URI = "file:///text.lambda"
TEXT = "let é😀 = 1 in\nlet y = é😀 in y + é😀\n".replace("é😀", "`é😀`")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["LSP_SERVER"]]))
async def client(lsp_client: LanguageClient):
    capabilities = client_capabilities("visual-studio-code")
    result = await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    assert result.capabilities.position_encoding == types.PositionEncodingKind.Utf16
    assert result.server_info.name == "object-lsp"
    yield
    await lsp_client.shutdown_session()


def open_text(client, text, uri=URI):
    document = types.TextDocumentItem(uri=uri, language_id="lambda", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))


DOCUMENT = types.TextDocumentIdentifier(uri=URI)


def place(line, character):
    return {"text_document": DOCUMENT, "position": types.Position(line=line, character=character)}


def shown(range):
    return f"{range.start.line}:{range.start.character}-{range.end.line}:{range.end.character}"


async def test_mistakes_and_fixes(client):
    open_text(client, "let first = 1 in frist")
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    (diagnostic,) = client.diagnostics[URI]
    assert shown(diagnostic.range) == "0:17-0:22"
    context = types.CodeActionContext(diagnostics=[diagnostic])
    params = types.CodeActionParams(text_document=DOCUMENT, range=diagnostic.range, context=context)
    (action,) = await client.text_document_code_action_async(params)
    (edit,) = action.edit.document_changes[0].edits
    assert (action.title, edit.new_text) == ("Change to `first`", "first")
    # The client mends the text.
    change = types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)
    version = types.VersionedTextDocumentIdentifier(uri=URI, version=2)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=version, content_changes=[change])
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[URI]


async def test_names(client):
    open_text(client, TEXT)
    (definition,) = await client.text_document_definition_async(types.DefinitionParams(**place(1, 21)))
    assert shown(definition.range) == "0:4-0:9"
    context = types.ReferenceContext(include_declaration=False)
    references = await client.text_document_references_async(types.ReferenceParams(context=context, **place(0, 5)))
    assert [shown(it.range) for it in references] == ["1:8-1:13", "1:21-1:26"]
    highlights = await client.text_document_document_highlight_async(types.DocumentHighlightParams(**place(1, 4)))
    assert [shown(it.range) for it in highlights] == ["1:4-1:5", "1:17-1:18"]
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**place(0, 4)))
    assert prepared.placeholder == "`é😀`"
    edit = await client.text_document_rename_async(types.RenameParams(new_name="x", **place(0, 4)))
    (change,) = edit.document_changes
    assert change.text_document.version == 1
    assert [shown(it.range) for it in change.edits] == ["0:4-0:9", "1:8-1:13", "1:21-1:26"]


async def test_explanations(client):
    open_text(client, TEXT)
    hover = await client.text_document_hover_async(types.HoverParams(**place(1, 17)))
    assert "A variable." in hover.contents.value
    items = await client.text_document_completion_async(types.CompletionParams(**place(1, 17)))
    assert [it.label for it in items] == ["`é😀`", "if", "lambda.Pair", "let", "y"]


async def test_shapes(client):
    open_text(client, TEXT)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=DOCUMENT))
    assert [it.name for it in symbols] == ["`é😀`", "y"]
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(text_document=DOCUMENT, options=options)
    edits = await client.text_document_formatting_async(params)
    assert [it.new_text for it in edits] == ["let `é😀` = 1 in let y = `é😀` in y + `é😀`\n"]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(text_document=DOCUMENT))
    assert list(folds) == []
    whole = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=9, character=0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=DOCUMENT, range=whole))
    assert list(hints) == []
