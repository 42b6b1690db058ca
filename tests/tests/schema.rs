//! Compares the registry with the schema of TVM 0.25 (`fixtures/schema.json`, made by `fixtures/make_schema.py`), type
//! by type and field by field. `object-ir/data/schema_exceptions.txt` lists the allowed differences with their reasons.
//! A type of object-ir that TVM does not have needs no entry: its documentation does not say "TVM 0.25".

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{at_root, json_fixture, list, report, text};
use object_core::object::{FieldRole, JsonForm};
use object_core::registry::types;
use object_core::{Any, FieldInfo, SEqHashKind, TypeInfo};
use object_ir as _;
use serde_json::Value;

const EXCEPTIONS: &str = "object-ir/data/schema_exceptions.txt";

/// The types that the schema covers.
const PREFIXES: [&str; 7] = ["ir.", "relax.", "tirx.", "target.", "te.", "arith.", "s_tir."];

/// The words of the second column.
const WORDS: [&str; 5] = ["left-out", "narrowed", "default", "kind", "non-null"];

fn registered() -> Vec<&'static TypeInfo> {
    types().expect("every type key is registered once")
}

/// The listed exceptions, and the exceptions that were used.
struct Exceptions {
    listed: BTreeSet<(String, String)>,
    used: BTreeSet<(String, String)>,
}

impl Exceptions {
    /// Reads the list and adds its faults to `wrong`.
    fn load(wrong: &mut Vec<String>) -> Self {
        let file = std::fs::read_to_string(at_root(EXCEPTIONS)).unwrap_or_else(|error| panic!("{EXCEPTIONS}: {error}"));
        let mut listed = BTreeSet::new();
        for (number, line) in (1..).zip(file.lines()).filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
            match line.split('\t').collect::<Vec<_>>()[..] {
                [subject, word, reason] if WORDS.contains(&word) && !reason.trim().is_empty() => {
                    if !listed.insert((subject.to_owned(), word.to_owned())) {
                        wrong.push(format!("{EXCEPTIONS}:{number}: `{subject}` `{word}` is listed twice"));
                    }
                }
                _ => wrong.push(format!("{EXCEPTIONS}:{number}: not `subject<TAB>word<TAB>reason`: {line}")),
            }
        }
        Exceptions { listed, used: BTreeSet::new() }
    }

    /// Whether `subject` has the exception `word`. An entry for `*` covers all subjects.
    fn allow(&mut self, subject: &str, word: &str) -> bool {
        let entry = [subject, "*"].map(|subject| (subject.to_owned(), word.to_owned()));
        let found = entry.into_iter().find(|entry| self.listed.contains(entry));
        found.is_some_and(|entry| {
            self.used.insert(entry);
            true
        })
    }
}

#[test]
fn every_type_and_field_agrees_with_tvm() {
    let schema = json_fixture("schema.json");
    let theirs = list(&schema, "types");
    let ours: BTreeMap<&str, &TypeInfo> = registered().into_iter().map(|info| (info.type_key(), info)).collect();
    let mut wrong = Vec::new();
    let mut exceptions = Exceptions::load(&mut wrong);
    for theirs in theirs {
        let key = text(theirs, "key");
        match ours.get(key) {
            Some(info) => compare_type(info, theirs, &mut exceptions, &mut wrong),
            None if theirs["core"] == true => wrong.push(format!("{key}: a core type is missing")),
            None if !exceptions.allow(key, "left-out") => wrong.push(format!("{key}: missing, and not listed")),
            None => {}
        }
    }
    let known: BTreeSet<&str> = theirs.iter().map(|theirs| text(theirs, "key")).collect();
    for (key, info) in ours.iter().filter(|(key, _)| PREFIXES.iter().any(|prefix| key.starts_with(prefix))) {
        let origin = format!("TVM 0.25 `{key}`");
        match (known.contains(key), info.doc().contains(&origin)) {
            (true, false) => wrong.push(format!("{key}: the documentation does not say \"{origin}\"")),
            (false, true) => wrong.push(format!("{key}: TVM 0.25 has no such type")),
            _ => {}
        }
    }
    for (subject, word) in exceptions.listed.difference(&exceptions.used) {
        wrong.push(format!("{EXCEPTIONS}: `{subject}` `{word}` is not needed"));
    }
    report(&wrong, theirs.len());
}

fn compare_type(info: &TypeInfo, theirs: &Value, exceptions: &mut Exceptions, wrong: &mut Vec<String>) {
    let key = info.type_key();
    let mut check = |what: &str, ours: Value, expected: &Value| {
        if ours != *expected {
            wrong.push(format!("{key}: {what}: expected {expected}, got {ours}"));
        }
    };
    let parent = info.parent().map_or("ffi.Object", |parent| parent.type_key());
    check("parent", parent.into(), &theirs["parent"]);
    // No object has exactly this type, so most such types have no kind.
    let is_abstract = theirs["creator"] == false;
    check("abstract", info.is_abstract().into(), &is_abstract.into());
    if theirs["kind"].is_null() {
        check("abstract, for it has no kind", info.is_abstract().into(), &true.into());
    } else if theirs["kind"] != kind_word(info.kind()) && !exceptions.allow(key, "kind") {
        check("kind", kind_word(info.kind()).into(), &theirs["kind"]);
    }
    let has_hooks = theirs["custom_equal"] == true && theirs["custom_hash"] == true;
    check("custom hooks", info.has_custom_hooks().into(), &has_hooks.into());
    check("hooks for both", theirs["custom_equal"].clone(), &theirs["custom_hash"]);
    let is_single = matches!(info.json(), JsonForm::Field(_));
    check("JSON data that is one value", is_single.into(), &theirs["custom_json"]);
    let is_singleton = theirs["kind"] == "unique_instance";
    check("found by key", info.singleton_key().is_some().into(), &is_singleton.into());

    let fields = theirs["fields"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = info.own_fields().iter().map(|field| field.name()).collect();
    let expected: Vec<Value> = fields.iter().map(|field| field["name"].clone()).collect();
    check("own fields", names.into(), &expected.into());
    for theirs in fields {
        let ours = info.own_fields().iter().find(|field| theirs["name"] == field.name());
        if let Some(ours) = ours {
            compare_field(key, ours, theirs, exceptions, wrong);
        }
    }
}

fn compare_field(key: &str, field: &FieldInfo, theirs: &Value, exceptions: &mut Exceptions, wrong: &mut Vec<String>) {
    let subject = format!("{key}.{}", field.name());
    let mut check = |what: &str, ours: Value, expected: &Value| {
        if ours != *expected {
            wrong.push(format!("{subject}: {what}: expected {expected}, got {ours}"));
        }
    };
    check("role", role_word(field.meta().role).into(), &theirs["role"]);
    check("inline", field.is_inline().into(), &theirs["inline"]);

    // In C++ many fields may be null although their types do not say so; in object-ir they are an `Option`.
    let (ours, expected) = (field.schema().to_string(), text(theirs, "type"));
    let (ours_inner, expected_inner) = (inner(&ours), inner(expected));
    let (is_option, says_option) = (ours_inner != ours, expected_inner != expected);
    if ours_inner != expected_inner && !exceptions.allow(&subject, "narrowed") {
        check("type", ours.as_str().into(), &theirs["type"]);
    }
    let is_nullable = says_option || (theirs["nullable"] == true && expected != "Any");
    match (is_option, is_nullable) {
        (true, false) => check("type, which is never null", ours.as_str().into(), &theirs["type"]),
        (false, true) if says_option || !exceptions.allow(&subject, "non-null") => {
            check("type, which may be null", ours.as_str().into(), &theirs["type"]);
        }
        _ => {}
    }

    match (field.default(), theirs["has_default"] == true) {
        (Some(ours), true) => check("default", plain(&ours), &theirs["default"]),
        (None, true) => check("default", "none".into(), &theirs["default"]),
        (Some(ours), false) if !exceptions.allow(&subject, "default") => check("default", plain(&ours), &"none".into()),
        _ => {}
    }
}

fn kind_word(kind: SEqHashKind) -> &'static str {
    match kind {
        SEqHashKind::Unsupported => "unsupported",
        SEqHashKind::TreeNode => "tree",
        SEqHashKind::FreeVar => "free_var",
        SEqHashKind::DagNode => "dag",
        SEqHashKind::ConstTreeNode => "const_tree",
        SEqHashKind::UniqueInstance => "unique_instance",
    }
}

fn role_word(role: FieldRole) -> &'static str {
    match role {
        FieldRole::Content => "content",
        FieldRole::Ignore => "ignore",
        FieldRole::Def => "def",
        FieldRole::DefSimple => "def_simple",
    }
}

/// `T` of `Optional<T>`, and any other type unchanged.
fn inner(ty: &str) -> &str {
    ty.strip_prefix("Optional<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(ty)
}

/// A default value in the form of the schema.
fn plain(value: &Any) -> Value {
    match value {
        Any::None => Value::Null,
        Any::Bool(value) => (*value).into(),
        Any::Int(value) => (*value).into(),
        Any::Float(value) => (*value).into(),
        Any::DataType(value) => value.to_string().into(),
        other => other.view().as_str().map_or_else(|| other.to_string(), str::to_owned).into(),
    }
}

#[test]
fn every_type_and_field_is_documented() {
    let is_missing = |doc: &str| doc.trim().is_empty();
    let mut wrong = Vec::new();
    for info in registered() {
        if is_missing(info.doc()) {
            wrong.push(format!("{}: no documentation", info.type_key()));
        }
        let undocumented = info.own_fields().iter().filter(|field| is_missing(field.meta().doc));
        wrong.extend(undocumented.map(|field| format!("{}.{}: no documentation", info.type_key(), field.name())));
    }
    report(&wrong, registered().len());
}
