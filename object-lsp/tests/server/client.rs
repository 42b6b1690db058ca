//! A client in the process of the server.

use std::collections::VecDeque;
use std::io;
use std::thread::JoinHandle;

use object_lsp::lsp_server::{Connection, Message, Notification, Request, Response};
use object_lsp::{Services, serve_connection};
use serde_json::{Value, json};

/// A client with a server.
pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<io::Result<()>>>,
    next: i32,
    notifications: VecDeque<Notification>,
}

impl Client {
    /// A client of a server that has not begun: it gets all messages up to [`start`](Self::start) at once.
    pub(crate) fn waiting() -> (Self, Connection) {
        let (connection, server) = Connection::memory();
        (Client { connection, server: None, next: 0, notifications: VecDeque::new() }, server)
    }

    pub(crate) fn start(&mut self, services: Services, connection: Connection) {
        self.server = Some(std::thread::spawn(move || serve_connection(services, &connection)));
    }

    /// A client of a server that is initialized. `encoding` is the one that the client offers.
    pub(crate) fn of(services: Services, encoding: &str) -> Self {
        let (mut client, server) = Client::waiting();
        client.start(services, server);
        let capabilities = json!({
            "general": { "positionEncodings": [encoding] },
            "textDocument": {
                "hover": { "contentFormat": ["markdown"] },
                "completion": { "completionItem": { "documentationFormat": ["plaintext", "markdown"] } },
            },
        });
        let answer = client.request("initialize", json!({ "capabilities": capabilities })).unwrap();
        assert_eq!(answer["capabilities"]["positionEncoding"], encoding);
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn send(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let request = Request { id: self.next.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).unwrap();
        self.next
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).unwrap();
    }

    /// The answer to the request `id`, or the code and the message of an error.
    pub(crate) fn answer(&mut self, id: i32) -> Result<Value, (i32, String)> {
        loop {
            match self.connection.receiver.recv().expect("the server lives") {
                Message::Response(Response { id: of, response_result }) => {
                    assert_eq!(of, id.into(), "answers come in the order of the requests");
                    return response_result.map_err(|error| (error.code, error.message));
                }
                Message::Notification(it) => self.notifications.push_back(it),
                Message::Request(it) => panic!("the server asks {it:?}"),
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The parameters of the next notification.
    pub(crate) fn notification(&mut self) -> (String, Value) {
        let it = self.notifications.pop_front().unwrap_or_else(|| match self.connection.receiver.recv().unwrap() {
            Message::Notification(it) => it,
            it => panic!("{it:?} is not a notification"),
        });
        (it.method, it.params)
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a document. The changes have the form of the protocol.
    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: &Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// The result of a request at a position.
    pub(crate) fn at(
        &mut self,
        method: &str,
        uri: &str,
        position: &Value,
        more: &Value,
    ) -> Result<Value, (i32, String)> {
        let mut params = json!({ "textDocument": { "uri": uri }, "position": position });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Ends the server as the protocol demands.
    pub(crate) fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }

    /// The result of the server, which has ended.
    pub(crate) fn result(mut self) -> io::Result<()> {
        let server = self.server.take().unwrap();
        drop(self);
        server.join().unwrap()
    }
}

/// The position of a byte in UTF-16.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": before.matches('\n').count(), "character": before[line..].encode_utf16().count() })
}

/// The byte of a position in UTF-16.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let (line, character) = (position["line"].as_u64().unwrap() as usize, position["character"].as_u64().unwrap());
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    let inside = text[start..].char_indices().find(|(_, c)| {
        let is_there = units == character;
        units += c.len_utf16() as u64;
        is_there
    });
    inside.map_or(text.len(), |(at, _)| start + at)
}

/// The text after the edits of an answer.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut pieces: Vec<(usize, usize, &str)> = Vec::new();
    for edit in edits.as_array().unwrap() {
        let range = &edit["range"];
        let replacement = edit["newText"].as_str().unwrap();
        pieces.push((offset(text, &range["start"]), offset(text, &range["end"]), replacement));
    }
    pieces.sort_unstable();
    let mut result = text.to_owned();
    for (start, end, replacement) in pieces.into_iter().rev() {
        result.replace_range(start..end, replacement);
    }
    result
}
