//! Findings as a log of SARIF 2.1.0, the form of the OASIS in which services show results of checks.

use std::path::Path;

use object_relax::well_formed::find_rule;
use serde_json::{Map, Value, json};

use crate::finding::{Finding, Level};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log with these findings. `is_complete` says that no error ended the command.
pub(crate) fn log(findings: &[Finding], is_complete: bool) -> Value {
    let mut names: Vec<&str> = findings.iter().map(Finding::name).collect();
    names.sort_unstable();
    names.dedup();
    let results = findings.iter().map(|it| result(it, names.binary_search(&it.name()).unwrap_or_default()));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "objir",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": names.iter().map(|name| rule(name)).collect::<Vec<_>>(),
            }},
            "invocations": [{"executionSuccessful": is_complete}],
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn rule(name: &str) -> Value {
    match find_rule(name) {
        Ok(rule) => json!({"id": name, "shortDescription": {"text": rule.text}, "helpUri": rule.page()}),
        Err(_) => json!({"id": name}),
    }
}

fn result(finding: &Finding, rule_index: usize) -> Value {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let mut location = Map::new();
    if let Some(file) = &finding.file
        && file != "<stdin>"
    {
        let mut physical = json!({"artifactLocation": {"uri": uri(file)}});
        if let Some((line, column)) = finding.place {
            // The reader of JSON counts from 0 before the first character.
            physical["region"] = json!({"startLine": line.max(1), "startColumn": column.max(1)});
        }
        location.insert("physicalLocation".to_owned(), physical);
    }
    if let Some(path) = &finding.path {
        location.insert("logicalLocations".to_owned(), json!([{"fullyQualifiedName": path}]));
    }
    let text = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let locations = if location.is_empty() { Vec::new() } else { vec![Value::Object(location)] };
    json!({
        "ruleId": finding.name(),
        "ruleIndex": rule_index,
        "level": level,
        "message": {"text": text},
        "locations": locations,
    })
}

/// The name of a file as a reference: relative to the folder of the run, or of the scheme `file`.
fn uri(file: &str) -> String {
    let mut uri = if Path::new(file).is_absolute() { "file://".to_owned() } else { String::new() };
    if !uri.is_empty() && !file.starts_with('/') {
        uri.push('/');
    }
    for byte in file.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_references() {
        assert_eq!(uri("a b/ü:1.py"), "a%20b/%C3%BC%3A1.py");
        if cfg!(unix) {
            assert_eq!(uri("/tmp/x.json"), "file:///tmp/x.json");
        }
    }
}
