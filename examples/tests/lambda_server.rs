//! A language server as a process: its messages over stdin and stdout, and a client in Python that others wrote.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The language server for the lambda calculus.
const SERVER: &str = env!("CARGO_BIN_EXE_lambda_server");

fn receive(reader: &mut BufReader<ChildStdout>) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "the server ended");
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().unwrap(),
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

#[test]
fn a_process_answers_malformed_messages_and_ends_as_the_protocol_says() {
    for (has_shutdown, expected) in [(true, 0), (false, 1)] {
        let mut command = Command::new(SERVER);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut send = |body: &str| write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        send("{not JSON");
        assert_eq!(receive(&mut output)["error"]["code"], -32700);
        send(r#"{"jsonrpc":"2.0","id":3}"#);
        assert_eq!(receive(&mut output)["id"], 3);
        send(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
        let answer = receive(&mut output);
        assert_eq!(
            (&answer["jsonrpc"], &answer["result"]["serverInfo"]["name"]),
            (&json!("2.0"), &json!("object-lsp"))
        );
        let document = json!({ "uri": "file:///a.lambda", "languageId": "", "version": 1, "text": "y" });
        let open =
            json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } });
        send(&open.to_string());
        let diagnostics = receive(&mut output);
        assert_eq!(diagnostics["params"]["diagnostics"][0]["message"], "nothing binds the name `y` here");
        if has_shutdown {
            send(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#);
            assert_eq!(receive(&mut output), json!({ "jsonrpc": "2.0", "id": 2, "result": null }));
        }
        send(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        assert_eq!(child.wait().unwrap().code(), Some(expected));
    }
}

/// The Python with pytest-lsp: the one that `EDITOR_PYTHON` names, or `python3` if it has the package.
fn python() -> Option<String> {
    let python = std::env::var("EDITOR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&python).args(["-c", "import pytest_lsp, pytest_asyncio"]).output();
    output.is_ok_and(|output| output.status.success()).then_some(python)
}

#[test]
fn a_client_of_others_speaks_with_the_server() {
    let Some(python) = python() else {
        println!("skipped: `python3` has no pytest-lsp; `EDITOR_PYTHON` can name a Python that has it");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../object-lsp/tests/client.py");
    let mut command = Command::new(python);
    command.args([
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "asyncio_mode=auto",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
        "-W",
        "error::pytest_lsp.LspSpecificationWarning",
        script,
    ]);
    let output = command.env("LSP_SERVER", SERVER).env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}\n{errors}");
    assert!(text.contains("4 passed"), "{text}");
}
