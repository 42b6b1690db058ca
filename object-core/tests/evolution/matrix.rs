//! Changes of declarations with their outcomes, as a table: `changes.txt`. `BLESS=1` writes the outcomes.
//!
//! Each block has the change, the old and the new declaration, and the values of an object of each of them. `old file` is the
//! old object in the program with the new declaration, `new file` the new object in the program with the old one.

use std::fmt::Write;
use std::path::Path;

use object_core::binary;
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::registry::Types;
use object_core::{Any, Array, Bytes, ObjectBuilder, Str};
use serde_json::{Map, Value, json};

/// A declaration in the notation of the table: `@version 2; name: type = default alias old required`.
fn schema(text: &str) -> Value {
    let (mut ty, mut fields, mut enums) = (Map::new(), Vec::new(), Vec::new());
    ty.insert("key".into(), "e.Node".into());
    ty.insert("kind".into(), "tree".into());
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(word) = part.strip_prefix('@') {
            let (word, value) = word.split_once(' ').expect("a word with a value");
            let value = match word {
                "version" => value.parse::<u32>().expect("a number").into(),
                "alias" | "removed" => value.split(' ').collect::<Vec<_>>().into(),
                _ => value.into(),
            };
            ty.insert(word.into(), value);
            continue;
        }
        let (name, mut rest) = part.split_once(": ").expect("a field");
        let mut field = json!({"name": name});
        if let Some(before) = rest.strip_suffix(" required") {
            field["required"] = true.into();
            rest = before;
        }
        if let Some((before, alias)) = rest.split_once(" alias ") {
            field["alias"] = alias.split(' ').collect::<Vec<_>>().into();
            rest = before;
        }
        if let Some((before, default)) = rest.split_once(" = ") {
            field["default"] = serde_json::from_str(default).expect("a default in JSON");
            rest = before;
        }
        field["type"] = match rest.split_once(" of ") {
            Some((ty, variants)) => {
                let mut decl = json!({"name": format!("E{name}"), "variants": [], "aliases": []});
                for (number, variant) in variants.split(' ').enumerate() {
                    let mut names = variant.split('/');
                    let name = names.next().expect("a name");
                    let (name, number) = name
                        .split_once('=')
                        .map_or((name, number as i64), |(name, it)| (name, it.parse().expect("a number")));
                    decl["variants"].as_array_mut().expect("a list").push(json!([name, number]));
                    decl["aliases"].as_array_mut().expect("a list").extend(names.map(|old| json!([old, number])));
                }
                let name = decl["name"].as_str().expect("a text");
                let is_own = matches!(ty, "int" | "Optional<int>");
                field["enum"] = if is_own { name.into() } else { ty.replace("int", name).into() };
                enums.push(decl);
                ty.into()
            }
            None => rest.into(),
        };
        fields.push(field);
    }
    ty.insert("fields".into(), fields.into());
    let sub = json!({"key": "e.Sub", "kind": "tree", "fields": [{"name": "x", "type": "int"}]});
    json!({"format": "object-schema", "version": 3, "enums": enums, "types": [ty, sub]})
}

fn types(declaration: &str) -> Types {
    let text = schema(declaration).to_string();
    let schema = Schema::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    SchemaLoader::new().standalone(true).load(&schema).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn value(value: &Value, types: &Types) -> Any {
    match value {
        Value::Null => Any::None,
        Value::Bool(value) => Any::Bool(*value),
        Value::Number(number) => number.as_i64().map_or_else(|| number.as_f64().unwrap_or(f64::NAN).into(), Any::Int),
        Value::String(text) if text == "inf" => f64::INFINITY.into(),
        Value::String(text) => Str::new(text).into(),
        Value::Array(items) => items.iter().map(|item| self::value(item, types)).collect::<Array<Any>>().into(),
        Value::Object(fields) => object("e.Sub", fields, types),
    }
}

fn object(key: &str, fields: &Map<String, Value>, types: &Types) -> Any {
    let mut builder = ObjectBuilder::new(types.get(key).expect("a type")).expect("it has fields");
    for (name, field) in fields {
        builder.set(name, value(field, types)).unwrap_or_else(|error| panic!("{error}"));
    }
    builder.build().unwrap_or_else(|error| panic!("{error}")).into()
}

/// The file with the object in JSON and in binary form, and the text form of the object.
fn file(declaration: &str, values: &str) -> ([Bytes; 2], String) {
    let types = types(declaration);
    let fields = serde_json::from_str(values).unwrap_or_else(|error| panic!("{error}: {values}"));
    let object = object("e.Node", &fields, &types);
    let json = Bytes::from(json::to_string(&object).expect("it is saved"));
    ([json, Bytes::from_owner(binary::to_vec(&object, None).expect("it is saved"))], object.to_string())
}

/// The outcome of reading the file in JSON, which is the one of the file in binary form, except for the place of an error.
fn outcome(declaration: &str, [json, binary]: &[Bytes; 2]) -> String {
    let types = types(declaration);
    let reader = JsonReader::new().types(&types);
    let [json, binary] = [reader.read(json), reader.read_binary(binary)].map(|read| match read {
        Ok(graph) => (String::new(), graph.root.to_string()),
        Err(error) => {
            let message = error.message();
            let mut rest = message;
            while let Some((place, after)) = rest.split_once(": ")
                && (place.starts_with("node ") || ["a node of type `e.Node`", "`e.Node`"].contains(&place))
            {
                rest = after;
            }
            (message[..message.len() - rest.len()].to_owned(), format!("{:?}: {rest}", error.kind()))
        }
    });
    assert_eq!(json.1, binary.1);
    match json.1.split_once(": ") {
        Some((kind, message)) if !json.0.is_empty() => format!("{kind}: {}{message}", json.0),
        _ => json.1,
    }
}

#[test]
fn changes_have_their_outcomes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evolution/changes.txt");
    let table = std::fs::read_to_string(&path).expect("the table");
    let mut written = String::new();
    let mut count = 0;
    for block in table.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        if block.starts_with('#') {
            writeln!(written, "{block}\n").expect("a text");
            continue;
        }
        let line = |name: &str| {
            let found = block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            found.unwrap_or_else(|| panic!("no `{name}` in {block}"))
        };
        let (old, new) = (line("old"), line("new"));
        let (old_file, old_text) = file(old, line("old value"));
        let (new_file, new_text) = file(new, line("new value"));
        let same = |outcome: String, text: &str| if outcome == text { "the same value".to_owned() } else { outcome };
        // Each declaration reads its own files.
        assert_eq!((outcome(old, &old_file), outcome(new, &new_file)), (old_text.clone(), new_text.clone()));
        for name in ["change", "old", "new", "old value", "new value"] {
            writeln!(written, "{name}: {}", line(name)).expect("a text");
        }
        writeln!(written, "old file: {}", same(outcome(new, &old_file), &old_text)).expect("a text");
        writeln!(written, "new file: {}\n", same(outcome(old, &new_file), &new_text)).expect("a text");
        count += 1;
    }
    assert!(count >= 40, "{count} changes");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &written).expect("it is written");
    }
    assert_eq!(table.trim(), written.trim(), "BLESS=1 writes the outcomes");
}
