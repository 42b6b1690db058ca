//! [`answer`]: a request and its files to the answer.

use object_core::{Error, ErrorKind};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::program::{File, meter};
use crate::{check, diff, hash, infer, language, print};

/// The answer to a request: `{"answer": ...}`, or `{"error": {"kind", "message", "path", "file", "shown", "module"}}`. Bad input is an
/// error; `file` is the number of the file that it is about, `shown` its text with the places of its errors, and `module` the module of
/// the page to ask instead, because this one lacks a part that the file may need.
///
/// ```
/// let request = br#"{"request": "print", "names": ["a.json"]}"#;
/// let graph = br#"{"root_index": 1, "nodes": [{"type": "None"},
///     {"type": "relax.ShapeStructInfo", "data": {"span": 0, "values": 0, "ndim": 2}}]}"#;
/// let answer = object_web::answer(request, &[graph.to_vec()]);
/// assert!(answer.contains(r#""script":"R.Shape(ndim=2)""#), "{answer}");
/// ```
#[must_use]
pub fn answer(request: &[u8], contents: &[Vec<u8>]) -> String {
    let answer = match of_request(request, contents) {
        Ok(answer) => json!({ "answer": answer }),
        Err(failure) => json!({ "error": failure.to_json() }),
    };
    answer.to_string()
}

fn of_request(request: &[u8], contents: &[Vec<u8>]) -> Result<Value, Failure> {
    let request: Value = serde_json::from_slice(request).map_err(|error| malformed(error.to_string()))?;
    let name_of = |number: usize| request["names"][number].as_str().unwrap_or("file");
    let files: Vec<File<'_>> =
        contents.iter().enumerate().map(|(number, content)| File { name: name_of(number), content }).collect();
    let meter = &meter();
    match (request["request"].as_str().unwrap_or_default(), &files[..]) {
        ("print", [file]) => print::answer(file, &request, meter),
        ("check", [file]) => check::answer(file, meter),
        ("infer", [file]) => infer::answer(file, meter),
        ("hash", [file]) => hash::answer(file, meter),
        ("diff", [a, b]) => diff::answer([a, b], meter),
        ("language", [schema, a, b]) => language::answer([schema, a, b], &request),
        #[cfg(feature = "run")]
        ("functions", [file]) => crate::run::functions(file, meter),
        #[cfg(feature = "run")]
        ("run", [file]) => crate::run::answer(file, &request, meter),
        (name, files) => {
            let message = format!(
                "expected a request of this module with its files, got `{}` with {}",
                object_core::brief_to(name, 40),
                object_core::counted(files.len(), "file")
            );
            Err(malformed(message).into())
        }
    }
}

fn malformed(message: String) -> Error {
    Error::new(ErrorKind::Malformed, message)
}
