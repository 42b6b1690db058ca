//! [`serve`]: the language server protocol, version 3.17, over a connection.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types as lsp;
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::convert;
use crate::document::{Document, file_name};
use crate::positions;
use crate::requests::{Answer, Client, Target, error};
use crate::services::Services;
use crate::transport;

/// Serves an editor over the standard input and output until it says `exit`.
///
/// # Errors
/// The error of writing, and an error if the editor ends without `shutdown` and `exit`. A program returns it from `main`, and
/// ends with the code 1, as the protocol demands.
pub fn serve(services: Services) -> io::Result<()> {
    let (connection, writing) = transport::connect(io::BufReader::new(io::stdin()), io::stdout());
    let result = serve_connection(services, &connection);
    drop(connection);
    let written = writing.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes has panicked")));
    result.and(written)
}

/// Serves a client over `connection` until it says `exit`: [`serve`] for other streams, and for tests in one process.
///
/// # Errors
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the connection ends, or the client says `exit` without `shutdown`.
pub fn serve_connection(services: Services, connection: &Connection) -> io::Result<()> {
    let mut server = Server {
        connection,
        services,
        documents: BTreeMap::new(),
        client: Client::of(&Value::Null),
        stage: Stage::New,
        queue: VecDeque::new(),
        waiting: HashSet::new(),
        canceled: HashSet::new(),
    };
    server.run()
}

/// The life of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

struct Server<'c> {
    connection: &'c Connection,
    services: Services,
    /// The open documents by their URIs.
    documents: BTreeMap<String, Document>,
    client: Client,
    stage: Stage,
    /// The messages that came and are not handled.
    queue: VecDeque<Message>,
    /// The requests in the queue.
    waiting: HashSet<RequestId>,
    /// The requests in the queue that the client does not want any longer.
    canceled: HashSet<RequestId>,
}

impl Server<'_> {
    fn run(&mut self) -> io::Result<()> {
        let ended = |_| io::Error::new(io::ErrorKind::UnexpectedEof, "the editor ended the connection without `exit`");
        loop {
            // All messages that are there: a later one may cancel a request, or change a text again.
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.enqueue(message);
            }
            let Some(message) = self.queue.pop_front() else {
                // Only a text that no waiting message changes is analysed for its diagnostics.
                if !self.publish_next()? {
                    let message = self.connection.receiver.recv().map_err(ended)?;
                    self.enqueue(message);
                }
                continue;
            };
            match message {
                Message::Request(request) => self.request(request)?,
                Message::Notification(it) if it.method == notification::Exit::METHOD => {
                    let message = "the editor said `exit` without `shutdown`";
                    return match self.stage {
                        Stage::ShutDown => Ok(()),
                        _ => Err(io::Error::new(io::ErrorKind::UnexpectedEof, message)),
                    };
                }
                Message::Notification(it) => self.notification(it)?,
                // The server asks nothing.
                Message::Response(_) => {}
            }
        }
    }

    fn enqueue(&mut self, message: Message) {
        match &message {
            Message::Request(request) => drop(self.waiting.insert(request.id.clone())),
            Message::Notification(it) if it.method == notification::Cancel::METHOD => {
                let id = it.params.get("id").cloned().and_then(|id| serde_json::from_value::<RequestId>(id).ok());
                self.canceled.extend(id.filter(|id| self.waiting.contains(id)));
                return;
            }
            _ => {}
        }
        self.queue.push_back(message);
    }

    fn send(&self, message: impl Into<Message>) -> io::Result<()> {
        let ended = |_| io::Error::new(io::ErrorKind::BrokenPipe, "the editor reads no longer");
        self.connection.sender.send(message.into()).map_err(ended)
    }

    fn request(&mut self, Request { id, method, params }: Request) -> io::Result<()> {
        self.waiting.remove(&id);
        let answer = match self.stage {
            _ if self.canceled.remove(&id) => Err(error(ErrorCode::RequestCanceled, "the request was canceled")),
            Stage::New if method == request::Initialize::METHOD => Ok(self.initialize(&params)),
            Stage::New => Err(error(ErrorCode::ServerNotInitialized, "the first request is `initialize`")),
            Stage::ShutDown => Err(error(ErrorCode::InvalidRequest, "the server is shut down")),
            Stage::Running if method == request::Initialize::METHOD => {
                Err(error(ErrorCode::InvalidRequest, "the server is initialized already"))
            }
            Stage::Running if method == request::Shutdown::METHOD => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null)
            }
            Stage::Running => {
                let caught = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
                caught.unwrap_or_else(|_| Err(error(ErrorCode::InternalError, format!("`{method}` panicked"))))
            }
        };
        self.send(match answer {
            Ok(result) => Response { id, response_result: Ok(result) },
            Err(error) => Response { id, response_result: Err(error) },
        })
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.stage = Stage::Running;
        self.client = Client::of(params);
        let sync = lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            ..lsp::TextDocumentSyncOptions::default()
        };
        let capabilities = lsp::ServerCapabilities {
            position_encoding: Some(positions::encoding(self.client.unit)),
            text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
            completion_provider: Some(lsp::CompletionOptions {
                trigger_characters: Some(vec![".".to_owned()]),
                ..lsp::CompletionOptions::default()
            }),
            definition_provider: Some(lsp::OneOf::Left(true)),
            references_provider: Some(lsp::OneOf::Left(true)),
            document_highlight_provider: Some(lsp::OneOf::Left(true)),
            document_symbol_provider: Some(lsp::OneOf::Left(true)),
            code_action_provider: Some(lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
                code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX]),
                ..lsp::CodeActionOptions::default()
            })),
            document_formatting_provider: Some(lsp::OneOf::Left(true)),
            rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            })),
            folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
            inlay_hint_provider: Some(lsp::OneOf::Left(true)),
            ..lsp::ServerCapabilities::default()
        };
        json!({
            "capabilities": capabilities,
            "serverInfo": { "name": "object-lsp", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    /// The answer to a request about a document.
    fn answer(&mut self, method: &str, params: Value) -> Answer<Value> {
        let answer = match method {
            request::HoverRequest::METHOD => {
                let it: lsp::HoverParams = read(params)?;
                let place = it.text_document_position_params;
                json(&self.target(&place.text_document)?.hover(place.position)?)
            }
            request::GotoDefinition::METHOD => {
                let it: lsp::GotoDefinitionParams = read(params)?;
                let place = it.text_document_position_params;
                json(&self.target(&place.text_document)?.definition(place.position)?)
            }
            request::References::METHOD => {
                let it: lsp::ReferenceParams = read(params)?;
                let place = it.text_document_position;
                let with_definition = it.context.include_declaration;
                json(&self.target(&place.text_document)?.references(place.position, with_definition)?)
            }
            request::DocumentHighlightRequest::METHOD => {
                let it: lsp::DocumentHighlightParams = read(params)?;
                let place = it.text_document_position_params;
                json(&self.target(&place.text_document)?.highlights(place.position)?)
            }
            request::PrepareRenameRequest::METHOD => {
                let place: lsp::TextDocumentPositionParams = read(params)?;
                json(&self.target(&place.text_document)?.prepare_rename(place.position)?)
            }
            request::Rename::METHOD => {
                let it: lsp::RenameParams = read(params)?;
                let place = it.text_document_position;
                json(&self.target(&place.text_document)?.rename(place.position, &it.new_name)?)
            }
            request::DocumentSymbolRequest::METHOD => {
                let it: lsp::DocumentSymbolParams = read(params)?;
                json(&self.target(&it.text_document)?.symbols()?)
            }
            request::Formatting::METHOD => {
                let it: lsp::DocumentFormattingParams = read(params)?;
                json(&self.target(&it.text_document)?.format()?)
            }
            request::Completion::METHOD => {
                let it: lsp::CompletionParams = read(params)?;
                let place = it.text_document_position;
                json(&self.target(&place.text_document)?.complete(place.position)?)
            }
            request::FoldingRangeRequest::METHOD => {
                let it: lsp::FoldingRangeParams = read(params)?;
                json(&self.target(&it.text_document)?.folds()?)
            }
            request::InlayHintRequest::METHOD => {
                let it: lsp::InlayHintParams = read(params)?;
                json(&self.target(&it.text_document)?.hints(it.range)?)
            }
            request::CodeActionRequest::METHOD => {
                let it: lsp::CodeActionParams = read(params)?;
                json(&self.target(&it.text_document)?.actions(it.range, it.context.only.as_deref())?)
            }
            _ => return Err(error(ErrorCode::MethodNotFound, format!("the server does not know `{method}`"))),
        };
        Ok(answer)
    }

    /// The document with this URI and its language.
    fn target(&mut self, document: &lsp::TextDocumentIdentifier) -> Answer<Target<'_>> {
        let uri = document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else {
            let message = format!("`{uri}` is not open, or no language has files with this ending");
            return Err(error(ErrorCode::InvalidParams, message));
        };
        let service = self.services.get(document.service);
        Ok(Target { document, service, client: self.client })
    }

    /// A notification; one with unreadable parameters changes nothing.
    fn notification(&mut self, Notification { method, params }: Notification) -> io::Result<()> {
        if self.stage != Stage::Running {
            return Ok(());
        }
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Ok(lsp::DidOpenTextDocumentParams { text_document: item }) = read(params) {
                    let found = self.services.find(&file_name(item.uri.as_str()), &item.language_id);
                    if let Some(service) = found {
                        let document = Document::new(item, service, self.client.unit);
                        self.documents.insert(document.uri.as_str().to_owned(), document);
                    }
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Ok(it) = read::<lsp::DidChangeTextDocumentParams>(params)
                    && let Some(document) = self.documents.get_mut(it.text_document.uri.as_str())
                {
                    document.change(it.text_document.version, it.content_changes, self.client.unit);
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Ok(it) = read::<lsp::DidCloseTextDocumentParams>(params)
                    && let Some(document) = self.documents.remove(it.text_document.uri.as_str())
                {
                    self.publish(lsp::PublishDiagnosticsParams {
                        uri: document.uri,
                        diagnostics: Vec::new(),
                        version: None,
                    })?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Sends the diagnostics of a text that the client does not have, and returns whether there was one.
    fn publish_next(&mut self) -> io::Result<bool> {
        let client = self.client;
        let Some(document) = self.documents.values_mut().find(|it| !it.is_published) else { return Ok(false) };
        document.is_published = true;
        let service = self.services.get(document.service);
        let mut target = Target { document, service, client };
        let diagnostics = catch_unwind(AssertUnwindSafe(|| {
            let analysis = target.analysis();
            let all = analysis.diagnostics.iter();
            all.map(|it| convert::diagnostic(target.document, it)).collect::<Vec<_>>()
        }));
        let Document { uri, version, name, .. } = &*target.document;
        match diagnostics {
            Ok(diagnostics) => {
                let (uri, version) = (uri.clone(), Some(*version));
                self.publish(lsp::PublishDiagnosticsParams { uri, diagnostics, version })?;
            }
            Err(_) => {
                let message = format!("the analysis of `{name}` panicked");
                let params = lsp::LogMessageParams { typ: lsp::MessageType::ERROR, message };
                self.send(Notification::new(notification::LogMessage::METHOD.to_owned(), params))?;
            }
        }
        Ok(true)
    }

    fn publish(&self, params: lsp::PublishDiagnosticsParams) -> io::Result<()> {
        self.send(Notification::new(notification::PublishDiagnostics::METHOD.to_owned(), params))
    }
}

/// The parameters of a message.
fn read<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|it| error(ErrorCode::InvalidParams, it.to_string()))
}

fn json(value: &impl serde::Serialize) -> Value {
    // The types of the protocol have keys of text alone, so they are JSON.
    serde_json::to_value(value).unwrap_or_default()
}
