//! `objir lsp`: what an editor gets over standard input and standard output.

use std::fmt::Write;

use expect_test::expect;
use serde_json::{Value, json};

use crate::harness::{Run, objir_with};

/// The bytes that an editor sends: the beginning, the messages and the end.
pub(crate) fn session(messages: &[Value]) -> String {
    let begin = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
    ];
    let end = [
        json!({"jsonrpc": "2.0", "id": 1000, "method": "shutdown", "params": null}),
        json!({"jsonrpc": "2.0", "method": "exit", "params": null}),
    ];
    let mut text = String::new();
    for message in begin.iter().chain(messages).chain(&end) {
        let message = message.to_string();
        let _ = write!(text, "Content-Length: {}\r\n\r\n{message}", message.len());
    }
    text
}

/// The messages of the server.
fn messages(run: &Run) -> Vec<Value> {
    let mut rest = run.stdout.as_str();
    let mut found = Vec::new();
    while let Some((head, after)) = rest.split_once("\r\n\r\n") {
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).expect("a length");
        let (message, next) = after.split_at(length.parse().expect("a number"));
        found.push(serde_json::from_str(message).expect("JSON"));
        rest = next;
    }
    assert!(rest.is_empty(), "{}", run.show());
    found
}

const URI: &str = "file:///model.py";

const TEXT: &str = "import os\n\n@R.function\ndef main(größe: R.Tensor((\"n\", 4), \"float32\")):\n    y = R.add(größe, größe)\n    \
    return R.exp(yy)\n";

fn at(id: u64, method: &str, line: u64, character: u64) -> Value {
    let place = json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}});
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": place})
}

#[test]
fn an_editor_gets_the_facts_about_scripts() {
    let open = json!({"uri": URI, "languageId": "python", "version": 1, "text": TEXT});
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}});
    let mend = TEXT.replace("yy", "y");
    let change = json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": mend}]});
    let text_only = json!({"textDocument": {"uri": URI}});
    let sent = [
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": open}}),
        at(2, "textDocument/definition", 4, 23),
        at(3, "textDocument/hover", 4, 11),
        json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "textDocument/inlayHint",
            "params": {"textDocument": {"uri": URI}, "range": whole}}),
        json!({"jsonrpc": "2.0", "id": 5, "method": "textDocument/formatting",
            "params": {"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}}}),
        json!({"jsonrpc": "2.0", "id": 6, "method": "textDocument/documentSymbol", "params": text_only}),
    ];
    let run = objir_with(&["lsp"], session(&sent).as_bytes());
    assert!(run.code == Some(0) && run.is_quiet(), "{}", run.show());
    let mut shown = String::new();
    for message in messages(&run) {
        // The first answer lists the features of the server, which its own tests know.
        if message["id"] != 1 {
            let _ = writeln!(shown, "{message}");
        }
    }
    expect![[r#"
        {"jsonrpc":"2.0","id":2,"result":[{"uri":"file:///model.py","range":{"start":{"line":3,"character":9},"end":{"line":3,"character":14}}}]}
        {"jsonrpc":"2.0","id":3,"result":{"contents":{"kind":"plaintext","value":"```python\nR.add(x1, x2)\n```\n\nThe sum of each pair of elements.\n\n- `x1`: a tensor or a scalar (`PrimStructInfo`)\n- `x2`: a tensor or a scalar (`PrimStructInfo`)\n\nThe operator `relax.add` of Relax is pure.\n\nThe result of this call:\n\n```python\nR.Tensor((n, 4), dtype=\"float32\")\n```"},"range":{"start":{"line":4,"character":8},"end":{"line":4,"character":13}}}}
        {"jsonrpc":"2.0","id":4,"result":[{"position":{"line":4,"character":5},"label":": R.Tensor((n, 4), dtype=\"float32\")","kind":1}]}
        {"jsonrpc":"2.0","id":5,"result":null}
        {"jsonrpc":"2.0","id":6,"result":[{"name":"main","detail":"R.Callable((R.Tensor((n, 4), dtype=\"float32\"),), R.Tensor((n, 4), dtype=\"float32\"), True)","kind":12,"range":{"start":{"line":2,"character":0},"end":{"line":5,"character":19}},"selectionRange":{"start":{"line":3,"character":4},"end":{"line":3,"character":8}},"children":[{"name":"y","detail":"R.Tensor((n, 4), dtype=\"float32\")","kind":13,"range":{"start":{"line":4,"character":4},"end":{"line":4,"character":27}},"selectionRange":{"start":{"line":4,"character":4},"end":{"line":4,"character":5}}}]}]}
        {"jsonrpc":"2.0","id":1000,"result":null}
    "#]].assert_eq(&shown);
}

#[test]
fn input_that_ends_early_is_an_error() {
    let run = objir_with(&["lsp"], b"");
    assert!(run.code == Some(2) && run.stdout.is_empty() && !run.is_quiet(), "{}", run.show());
}
