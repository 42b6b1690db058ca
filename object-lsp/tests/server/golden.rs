//! A table of requests with their answers, `tests/data/requests.txt`. `UPDATE_EXPECT=1` renews the answers.
//!
//! A request is a line with a language, a request, an argument, and after a colon the text, in which `|` is the cursor and `⏎` a
//! line break. The lines after it are the answer: JSON with ranges as `line:character-line:character`.

use expect_test::expect_file;
use serde_json::{Value, json};

use crate::client::{Client, position};
use crate::languages::services;

/// A value with short positions and ranges, and without the address of the document.
fn short(value: &Value) -> Value {
    let at = |it: &Value| Some(format!("{}:{}", it.get("line")?, it.get("character")?));
    match value {
        Value::Object(map) => {
            let range = || Some(format!("{}-{}", at(map.get("start")?)?, at(map.get("end")?)?));
            if let Some(text) = at(value).or_else(range) {
                return text.into();
            }
            let rest = map.iter().filter(|(key, _)| !matches!(key.as_str(), "uri" | "source"));
            rest.map(|(key, value)| (key.clone(), short(value))).collect()
        }
        Value::Array(items) => items.iter().map(short).collect(),
        other => other.clone(),
    }
}

fn answer(line: &str) -> String {
    let (head, source) = line.split_once(": ").unwrap();
    let mut words = head.split(' ');
    let (language, request, argument) = (words.next().unwrap(), words.next().unwrap(), words.next());
    let source = source.replace('⏎', "\n");
    let cursor = source.find('|').unwrap_or(0);
    let text = source.replacen('|', "", 1);
    let mut client = Client::of(services(), "utf-16");
    let uri = format!("file:///text.{language}");
    client.open(&uri, &text);
    let cursor = position(&text, cursor);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
    let document = json!({ "uri": uri });
    let result = match request {
        "diagnostics" => Ok(client.notification().1["diagnostics"].clone()),
        "codeAction" => {
            let range = json!({ "start": cursor, "end": cursor });
            let context = json!({ "diagnostics": [] });
            client.request(
                "textDocument/codeAction",
                json!({ "textDocument": document, "range": range, "context": context }),
            )
        }
        "documentSymbol" | "foldingRange" => {
            client.request(&format!("textDocument/{request}"), json!({ "textDocument": document }))
        }
        "inlayHint" => client.request("textDocument/inlayHint", json!({ "textDocument": document, "range": whole })),
        "formatting" => {
            let options = json!({ "tabSize": 4, "insertSpaces": true });
            client.request("textDocument/formatting", json!({ "textDocument": document, "options": options }))
        }
        "rename" => client.at("rename", &uri, &cursor, &json!({ "newName": argument.unwrap() })),
        "references" => client.at("references", &uri, &cursor, &json!({ "context": { "includeDeclaration": true } })),
        request => client.at(request, &uri, &cursor, &json!({})),
    };
    let lines = match result {
        Ok(Value::Array(items)) => items.iter().map(|item| format!("    {}\n", short(item))).collect(),
        Ok(value) => format!("    {}\n", short(&value)),
        Err((code, message)) => format!("    {code} {message}\n"),
    };
    client.end();
    lines
}

#[test]
fn each_request_has_its_answer() {
    let table = include_str!("../data/requests.txt");
    let lines = table.lines().filter(|line| !line.starts_with("    "));
    let answered = lines.map(|line| match line.contains(": ") {
        true => format!("{line}\n{}", answer(line)),
        false => format!("{line}\n"),
    });
    expect_file!["../data/requests.txt"].assert_eq(&answered.collect::<String>());
}
