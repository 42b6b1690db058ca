//! Messages over a reader and a writer. A malformed message is answered with an error, and the next one is read.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use lsp_server::{Connection, ErrorCode, Message, RequestId};
use serde_json::{Value, json};

/// The most bytes of a message; a longer one is skipped.
const MAX_BYTES: u64 = 1 << 28;

/// The most bytes of a line of a header.
const MAX_LINE: u64 = 1 << 12;

/// A connection over a reader and a writer, and the thread that writes, which ends after the connection.
///
/// The threads of `lsp_server` stop at the first malformed message, so these read for themselves.
pub(crate) fn connect<R: BufRead + Send + 'static, W: Write + Send + 'static>(
    mut reader: R,
    writer: W,
) -> (Connection, JoinHandle<io::Result<()>>) {
    let (Connection { sender, receiver }, server) = Connection::memory();
    let writer = Arc::new(Mutex::new(writer));
    let answers = Arc::clone(&writer);
    std::thread::spawn(move || {
        while let Ok(Some(incoming)) = read(&mut reader) {
            let is_exit = matches!(&incoming, Ok(Message::Notification(it)) if it.method == "exit");
            let is_sent = match incoming {
                Ok(message) => sender.send(message).is_ok(),
                Err(answer) => write(&mut *answers.lock().unwrap_or_else(PoisonError::into_inner), &answer).is_ok(),
            };
            if is_exit || !is_sent {
                return;
            }
        }
    });
    let writing = std::thread::spawn(move || {
        receiver
            .into_iter()
            .try_for_each(|message| message.write(&mut *writer.lock().unwrap_or_else(PoisonError::into_inner)))
    });
    (server, writing)
}

/// The next message, or the answer to a malformed one. `None` at the end.
fn read(reader: &mut impl BufRead) -> io::Result<Option<Result<Message, Value>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let Some(length) = length else {
        return Ok(Some(Err(refusal(
            ErrorCode::ParseError,
            "a message has the header `Content-Length`",
            &Value::Null,
        ))));
    };
    if length > MAX_BYTES {
        io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
        let message = format!("the message has {length} bytes; at most {MAX_BYTES} are accepted");
        return Ok(Some(Err(refusal(ErrorCode::InvalidRequest, &message, &Value::Null))));
    }
    let mut body = Vec::new();
    if (reader.by_ref().take(length).read_to_end(&mut body)? as u64) < length {
        return Ok(None);
    }
    let value: Value = match serde_json::from_slice(&body) {
        Ok(value) => value,
        Err(error) => return Ok(Some(Err(refusal(ErrorCode::ParseError, &error.to_string(), &Value::Null)))),
    };
    let id = value.get("id").cloned();
    // Without this check, a request with a wrong identifier, such as a fraction, would be read as a notification.
    let is_known = id.clone().is_none_or(|id| serde_json::from_value::<RequestId>(id).is_ok());
    let answer = || {
        let message = "a message is a request, a notification or a response of JSON-RPC 2.0";
        refusal(
            ErrorCode::InvalidRequest,
            message,
            &id.filter(|id| id.is_string() || id.is_number()).unwrap_or_default(),
        )
    };
    Ok(Some(match serde_json::from_value::<Message>(value) {
        Ok(message) if is_known => Ok(message),
        _ => Err(answer()),
    }))
}

fn refusal(code: ErrorCode, message: &str, id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}

fn write(writer: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(writer, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut reader = text.as_bytes();
        let mut found = Vec::new();
        while let Some(message) = read(&mut reader).unwrap() {
            found.push(match message {
                Ok(Message::Request(it)) => it.method,
                Ok(it) => format!("{it:?}"),
                Err(answer) => format!("{} {}", answer["error"]["code"], answer["id"]),
            });
        }
        found
    }

    #[test]
    fn a_malformed_message_does_not_hide_the_next_one() {
        let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let good = message(r#"{"jsonrpc":"2.0","id":1,"method":"good"}"#);
        let cases = [
            (message("{"), "-32700 null"),
            (message(r#"{"id":7,"params":{}}"#), "-32600 7"),
            (message(r#"[]"#), "-32600 null"),
            (message(r#"{"id":1.5,"method":"x"}"#), "-32600 1.5"),
            (message(&"[".repeat(100_000)), "-32700 null"),
            (message("\u{fffd}"), "-32700 null"),
            ("Content-Length: x\r\n\r\n".to_owned(), "-32700 null"),
            ("no header\r\n\r\n".to_owned(), "-32700 null"),
            (format!("Content-Length: {}\r\n\r\n", u64::MAX), ""),
            (format!("{}\r\n\r\n", "x".repeat(10_000)), "-32700 null"),
        ];
        for (bad, answer) in cases {
            let found = all(&format!("{bad}{good}{good}"));
            match answer {
                "" => assert_eq!(found, ["-32600 null"]),
                answer => assert_eq!(found, [answer, "good", "good"], "{bad:.60}"),
            }
        }
        let lower = good.replace("Content-Length", "content-type: x\r\ncontent-length");
        assert_eq!(all(&lower), ["good"]);
        assert!(all("Content-Length: 99\r\n\r\n{").is_empty());
    }
}
