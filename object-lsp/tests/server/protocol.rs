//! The protocol: the life of a server, changes of texts, canceled requests, and services that panic.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use object_lsp::{Analysis, Completion, Diagnostic, LanguageService, Services};
use serde_json::{Value, json};

use crate::client::Client;
use crate::languages::services;
use crate::random::Random;

/// A service that shows the whole text in hovers, counts analyses, and panics for texts with `panic` in them.
#[derive(Default)]
struct Echo {
    analyses: Arc<AtomicUsize>,
}

impl LanguageService for Echo {
    fn analyze(&mut self, _name: &str, text: &str) -> Analysis {
        self.analyses.fetch_add(1, Ordering::Relaxed);
        assert!(!text.contains("panic"), "a text with `panic`");
        Analysis::default()
    }

    fn hover(&mut self, _name: &str, text: &str, _offset: usize) -> Option<(Range<usize>, String)> {
        assert!(!text.contains("panic"), "a text with `panic`");
        Some((0..text.len(), text.to_owned()))
    }

    fn complete(&mut self, _name: &str, _text: &str, _offset: usize) -> Vec<Completion> {
        Vec::new()
    }

    fn format(&mut self, _name: &str, _text: &str) -> Result<String, Vec<Diagnostic>> {
        Err(Vec::new())
    }

    fn check_name(&self, word: &str) -> Result<(), String> {
        Err(word.to_owned())
    }
}

const URI: &str = "file:///a.echo";

fn hover(client: &mut Client) -> Result<Value, (i32, String)> {
    client.at("hover", URI, &json!({ "line": 0, "character": 0 }), &json!({}))
}

#[test]
fn the_text_of_the_server_is_the_text_of_the_client() {
    for encoding in ["utf-16", "utf-8"] {
        let mut client = Client::of(Services::new().add(&[".echo"], Echo::default()), encoding);
        client.open(URI, "");
        // The units of the lines of the client, each line with its end.
        let mut text: Vec<String> = vec![String::new()];
        let mut random = Random::new(3);
        let units = |text: &str| match encoding {
            "utf-8" => text.len(),
            _ => text.encode_utf16().count(),
        };
        for version in 2..400 {
            let mut changes = Vec::new();
            for _ in 0..1 + random.below(3) {
                let line = random.below(text.len());
                let content: Vec<char> = text[line].trim_end_matches(['\r', '\n']).chars().collect();
                let start = random.below(content.len() + 1);
                let end = start + random.below(content.len() - start + 1);
                let inserted = ["x", "ä", "😀", "\n", "\r\n", "a\nb😀", ""][random.below(7)];
                let before: String = content[..start].iter().collect();
                let removed: String = content[start..end].iter().collect();
                let rest = text[line][before.len() + removed.len()..].to_owned();
                let first = units(&before);
                changes.push(json!({
                    "range": {
                        "start": { "line": line, "character": first },
                        "end": { "line": line, "character": first + units(&removed) },
                    },
                    "text": inserted,
                }));
                let joined = format!("{before}{inserted}{rest}");
                let mut lines: Vec<String> = joined.split_inclusive('\n').map(str::to_owned).collect();
                // The text after the last line break is a line too, also if it is empty.
                if line + 1 == text.len() && (joined.is_empty() || joined.ends_with('\n')) {
                    lines.push(String::new());
                }
                text.splice(line..=line, lines);
            }
            client.change(URI, version, &Value::Array(changes));
            assert_eq!(hover(&mut client).unwrap()["contents"]["value"], text.concat());
        }
        client.change(URI, 400, &json!([{ "text": "whole" }]));
        assert_eq!(hover(&mut client).unwrap()["contents"]["value"], "whole");
        client.end();
    }
}

#[test]
fn only_the_newest_text_is_analysed() {
    let analyses = Arc::new(AtomicUsize::new(0));
    let (mut client, server) = Client::waiting();
    let id = client.send("initialize", json!({}));
    client.open(URI, "");
    for version in 2..100 {
        client.change(URI, version, &json!([{ "text": version.to_string() }]));
    }
    let echo = Echo { analyses: Arc::clone(&analyses) };
    client.start(Services::new().add(&[".echo"], echo), server);
    client.answer(id).unwrap();
    let (method, params) = client.notification();
    assert_eq!((method.as_str(), &params["version"]), ("textDocument/publishDiagnostics", &json!(99)));
    assert_eq!(analyses.load(Ordering::Relaxed), 1);
    client.end();
}

#[test]
fn canceled_requests_are_not_answered() {
    let (mut client, server) = Client::waiting();
    let first = client.send("initialize", json!({}));
    client.open(URI, "a");
    let document = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 } });
    let canceled = client.send("textDocument/hover", document.clone());
    let kept = client.send("textDocument/hover", document);
    client.notify("$/cancelRequest", json!({ "id": canceled }));
    client.notify("$/cancelRequest", json!({ "id": "unknown" }));
    client.notify("$/cancelRequest", json!(1));
    client.start(Services::new().add(&[".echo"], Echo::default()), server);
    client.answer(first).unwrap();
    assert_eq!(client.answer(canceled).unwrap_err().0, -32800);
    assert_eq!(client.answer(kept).unwrap()["contents"]["value"], "a");
    // A number that was canceled is a new request later.
    client.notify("$/cancelRequest", json!({ "id": kept }));
    assert!(hover(&mut client).is_ok());
    client.end();
}

#[test]
fn a_panic_is_an_error_of_one_request() {
    let mut client = Client::of(Services::new().add(&[".echo"], Echo::default()), "utf-16");
    client.open(URI, "panic");
    let (code, message) = hover(&mut client).unwrap_err();
    assert_eq!((code, message.as_str()), (-32603, "`textDocument/hover` panicked"));
    let (method, params) = client.notification();
    assert_eq!(
        (method.as_str(), &params["message"]),
        ("window/logMessage", &json!("the analysis of `/a.echo` panicked"))
    );
    client.change(URI, 2, &json!([{ "text": "good" }]));
    assert_eq!(hover(&mut client).unwrap()["contents"]["value"], "good");
    client.end();
}

#[test]
fn a_server_lives_from_initialize_to_exit() {
    let (mut client, server) = Client::waiting();
    client.start(services(), server);
    assert_eq!(hover(&mut client).unwrap_err().0, -32002);
    client.notify("textDocument/didOpen", json!({}));
    let answer = client.request("initialize", json!({ "capabilities": { "general": 1, "other": [] } })).unwrap();
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(client.request("initialize", json!({})).unwrap_err().0, -32600);
    assert_eq!(client.request("textDocument/unknown", json!({})).unwrap_err().0, -32601);
    assert_eq!(client.request("textDocument/hover", json!({ "position": 1 })).unwrap_err().0, -32602);
    assert_eq!(hover(&mut client).unwrap_err().0, -32602);
    client.notify("unknown", json!({}));
    client.notify("textDocument/didOpen", json!([1]));
    client.change("file:///closed.lambda", 1, &json!([]));
    let uri = "file:///a.lambda";
    client.open(uri, "x");
    assert_eq!(client.notification().1["diagnostics"].as_array().unwrap().len(), 1);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(client.notification().1["diagnostics"], json!([]));
    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(client.request("shutdown", Value::Null).unwrap_err().0, -32600);
    client.notify("exit", Value::Null);
    client.result().unwrap();

    let mut client = Client::of(services(), "utf-16");
    client.notify("exit", Value::Null);
    assert!(client.result().is_err(), "`exit` without `shutdown`");
    let client = Client::of(services(), "utf-16");
    assert!(client.result().is_err(), "the connection ends");
}
