//! Laws of all languages, over printed random values and texts with mistakes.

use object_core::object::FieldType;
use object_syntax::Language;
use serde_json::{Value, json};

use crate::client::{Client, edited, offset, position};
use crate::languages::{algebra, hardware, lambda, services};
use crate::random::Random;

/// The number of random texts of each language, by the variable `LSP_CASES`.
fn cases() -> u64 {
    std::env::var("LSP_CASES").map_or(25, |text| text.parse().expect("LSP_CASES is a number"))
}

/// Printed random values with the ending of their files.
fn texts() -> Vec<(&'static str, String)> {
    fn of<T: FieldType>(language: &Language, ending: &'static str, texts: &mut Vec<(&'static str, String)>) {
        for seed in 0..cases() {
            let value = Random::new(seed).value(&T::schema(), 5, false);
            texts.push((ending, language.print(&value).unwrap().into_text()));
        }
    }
    let mut texts = Vec::new();
    of::<crate::lambda::Expr>(&lambda(), "lambda", &mut texts);
    of::<crate::algebra::Rel>(&algebra(), "algebra", &mut texts);
    of::<crate::hardware::Circuit>(&hardware(), "hardware", &mut texts);
    texts.push(("lambda", "let ä = \\`😀`. `😀` (ä `😀`) in ä + lambda.Pair(first=1, second=ä)".to_owned()));
    texts
}

fn language(ending: &str) -> Language {
    match ending {
        "lambda" => lambda(),
        "algebra" => algebra(),
        _ => hardware(),
    }
}

fn edits(answer: &Value) -> &Value {
    answer["changes"].as_object().unwrap().values().next().unwrap()
}

#[test]
fn every_name_is_renamed_and_back() {
    let mut client = Client::of(services(), "utf-16");
    let mut renamed = 0;
    for (number, (ending, text)) in texts().into_iter().enumerate() {
        let uri = format!("file:///{number}.{ending}");
        client.open(&uri, &text);
        let reading = language(ending).reading(&text);
        for it in reading.occurrences() {
            let name = &text[it.range.clone()];
            let at = position(&text, it.range.start);
            if name.starts_with('%') {
                assert_eq!(client.at("prepareRename", &uri, &at, &json!({})), Ok(Value::Null));
                assert!(client.at("rename", &uri, &at, &json!({ "newName": "fresh" })).is_err());
                continue;
            }
            let prepared = client.at("prepareRename", &uri, &at, &json!({})).unwrap();
            assert_eq!(prepared["placeholder"], name);
            let answer = client.at("rename", &uri, &at, &json!({ "newName": "fresh_1" }));
            let answer = answer.unwrap_or_else(|error| panic!("{name} at {}: {error:?}\n{text}", it.range.start));
            let places = edits(&answer).as_array().unwrap().len();
            let after = edited(&text, edits(&answer));
            assert_eq!(after.matches("fresh_1").count(), places, "{text}\n{after}");
            let other = format!("file:///back.{ending}");
            client.open(&other, &after);
            let at = position(&after, after.find("fresh_1").unwrap());
            let back = client.at("rename", &other, &at, &json!({ "newName": name })).unwrap();
            assert_eq!(edited(&after, edits(&back)), text);
            renamed += 1;
        }
    }
    assert!(renamed > 100, "{renamed}");
    client.end();
}

#[test]
fn the_definition_of_every_use_is_an_occurrence() {
    let mut client = Client::of(services(), "utf-16");
    for (number, (ending, text)) in texts().into_iter().enumerate() {
        let uri = format!("file:///{number}.{ending}");
        client.open(&uri, &text);
        let reading = language(ending).reading(&text);
        for it in reading.occurrences() {
            for place in [it.range.start, it.range.end] {
                let at = position(&text, place);
                let definitions = client.at("definition", &uri, &at, &json!({})).unwrap();
                let [definition] = definitions.as_array().unwrap().as_slice() else { panic!("{definitions}") };
                let range = &definition["range"];
                let bytes = offset(&text, &range["start"])..offset(&text, &range["end"]);
                let found = reading.occurrences().iter().find(|other| other.range == bytes).unwrap();
                assert!(found.is_definition);
                if !text[it.range.end..].starts_with(|c: char| c.is_alphanumeric()) {
                    assert_eq!(found.declaration, it.declaration, "{text}");
                }
                let context = json!({ "context": { "includeDeclaration": true } });
                let all = client.at("references", &uri, &at, &context).unwrap();
                assert!(all.as_array().unwrap().iter().any(|other| other["range"] == *range));
            }
        }
    }
    client.end();
}

#[test]
fn every_offset_of_every_text_is_answered() {
    let mut client = Client::of(services(), "utf-16");
    let mut answers = [0; 3];
    for (number, (ending, text)) in texts().into_iter().enumerate() {
        let mut random = Random::new(number as u64);
        let mut changed: Vec<char> = text.chars().take(400).collect();
        for _ in 0..random.below(4) {
            let at = random.below(changed.len().max(1)).min(changed.len());
            match random.below(3) {
                0 if !changed.is_empty() => drop(changed.remove(at.min(changed.len() - 1))),
                _ => changed.insert(at, ['(', '}', 'ä', '😀', ':', '"', '`', '\n'][random.below(8)]),
            }
        }
        let text: String = changed.into_iter().collect();
        let uri = format!("file:///{number}.{ending}");
        client.open(&uri, &text);
        for (offset, _) in text.char_indices().step_by(3).chain([(text.len(), ' ')]) {
            let at = position(&text, offset);
            for (request, count) in ["hover", "completion", "definition"].into_iter().zip(&mut answers) {
                let answer = client.at(request, &uri, &at, &json!({})).unwrap();
                *count += usize::from(answer.is_object() || answer.as_array().is_some_and(|it| !it.is_empty()));
            }
        }
        let document = json!({ "textDocument": { "uri": uri } });
        for request in ["documentSymbol", "foldingRange"] {
            client.request(&format!("textDocument/{request}"), document.clone()).unwrap();
        }
    }
    assert!(answers.iter().all(|count| *count > 100), "{answers:?}");
    client.end();
}

#[test]
fn formatting_gives_the_text_of_the_formatter() {
    let mut client = Client::of(services(), "utf-16");
    for (number, (ending, text)) in texts().into_iter().enumerate() {
        let uri = format!("file:///{number}.{ending}");
        // Line breaks of any kind in place of spaces.
        let source = text.replace(", ", ",\r\n").replace(" {", "\n{");
        client.open(&uri, &source);
        let options = json!({ "tabSize": 4, "insertSpaces": true });
        let params = json!({ "textDocument": { "uri": uri }, "options": options });
        let answer = client.request("textDocument/formatting", params).unwrap();
        let expected = language(ending).format(&source);
        assert_eq!(expected.is_err(), answer.is_null(), "{source}");
        if let Ok(expected) = expected {
            assert_eq!(edited(&source, &answer), expected);
        }
    }
    client.end();
}
