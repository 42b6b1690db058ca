//! The types of this project as a schema, and types from schemas in place of linked types. They have the same results
//! as linked types for every file and every record.

mod common;

use common::{
    Expected, at_root, compare, element, fixture, json_fixture, list, report, round_trip, round_trip_by, text,
};
use object_core::dynamic::{JSON_SCHEMA, Schema, SchemaLoader};
use object_core::json::JsonReader;
use object_core::registry::{self, Types};
use object_core::stats::GraphStats;
use object_core::structural::StructuralOptions;
use object_core::{Any, TypeInfo};
use object_ir as _;
use object_tests::corpus::{self, Exceptions, Options};
use serde_json::{Value, json};

fn linked() -> Vec<&'static TypeInfo> {
    registry::types().expect("every type key is registered once")
}

fn to_json(types: &[&'static TypeInfo]) -> String {
    Schema::of(types).to_json().expect("every default has a form in JSON")
}

fn parse(text: &str) -> Schema {
    Schema::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The schemas of the tests: our own, and the recorded registry of TVM if it is present.
fn schemas() -> Vec<(&'static str, Schema)> {
    let mut schemas = vec![("objir", parse(&to_json(&linked())))];
    let path = "../shared/golden/tvm_schema.json";
    match std::fs::read_to_string(at_root(path)) {
        Ok(text) => schemas.push((path, parse(&text))),
        Err(_) => println!("skipped: there is no {path}"),
    }
    schemas
}

/// Replaces all types with the given prefix by types of a schema, and other linked types only if necessary.
fn replaced(name: &str, schema: &Schema, prefix: &str) -> Types {
    let loader = SchemaLoader::new().name(name).prefer_linked(true).replace_linked(prefix);
    loader.load(schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Replaces the types of TIR, and checks the result.
fn dynamic_tir() -> Vec<(&'static str, Types)> {
    let tir = || linked().into_iter().filter(|info| info.type_key().starts_with("tirx."));
    assert!(tir().count() > 60);
    let mut all = Vec::new();
    for (name, schema) in schemas() {
        let types = replaced(name, &schema, "tirx.");
        for info in tir() {
            let found = types.get(info.type_key()).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((found.location().0, found.kind()), (name, info.kind()), "{}", info.type_key());
        }
        let others = types.own().into_iter().filter(|info| !info.type_key().starts_with("tirx."));
        println!("{name}: also {:?}", others.map(|info| info.type_key()).collect::<Vec<_>>());
        all.push((name, types));
    }
    all
}

#[test]
fn a_schema_of_all_types_is_read_back() {
    let text = to_json(&linked());
    assert_eq!(parse(&text).to_json().expect("the same defaults"), text);
    // All types with fields, made from the schema, have the same schema, except for hooks, which are code.
    let loader = SchemaLoader::new().prefer_linked(true).replace_linked("").custom_by_fields(true);
    let types = loader.load(&parse(&text)).unwrap_or_else(|error| panic!("{error}"));
    assert!(types.own().len() > 220, "{}", types.own().len());
    let again = to_json(&types.all().expect("no duplicates"));
    assert_eq!(again, text.replace(r#","custom":true"#, ""));
    assert!(types.own().iter().all(|info| info.location().0 == "<schema>"));
}

#[test]
fn schemas_have_the_published_format() {
    let format: Value = serde_json::from_str(JSON_SCHEMA).expect("the format is JSON");
    let validator = jsonschema::validator_for(&format).expect("the format is a JSON Schema");
    let good: Value = serde_json::from_str(&to_json(&linked())).expect("a schema is JSON");
    let wrong: Vec<String> =
        validator.iter_errors(&good).map(|error| format!("{}: {error}", error.instance_path())).collect();
    report(&wrong, list(&good, "types").len());
    // The reader rejects everything that the JSON Schema rejects.
    let edits: [(&str, Value); 9] = [
        ("/format", "another".into()),
        ("/version", 6.into()),
        ("/types", json!({})),
        ("/types/0/key", "NoNamespace".into()),
        ("/types/0/kind", "treee".into()),
        ("/types/0/base", "yes".into()),
        ("/types/0/fields/0/role", "defs".into()),
        ("/types/0/fields/0/name", "1st".into()),
        ("/types/0/fields/0", json!({"name": "x", "type": "int", "unknown": 1})),
    ];
    let start = json!({"format": "object-schema", "version": 1, "types": [
        {"key": "test.A", "kind": "tree", "base": true, "fields": [{"name": "x", "type": "int", "role": "ignore"}]}
    ]});
    let load = |value: &Value| Schema::parse(value.to_string().as_bytes()).and_then(|it| SchemaLoader::new().load(&it));
    assert!(validator.is_valid(&start) && load(&start).is_ok());
    for (place, value) in edits {
        let mut edited = start.clone();
        *edited.pointer_mut(place).unwrap_or_else(|| panic!("there is no {place}")) = value;
        assert!(!validator.is_valid(&edited), "{place}");
        assert!(load(&edited).is_err(), "{place}");
    }
}

#[test]
fn dynamic_types_agree_with_every_record() {
    let records = json_fixture("records.json");
    for (name, types) in dynamic_tir() {
        let reader = JsonReader::new().types(&types);
        let mut wrong = Vec::new();
        for case in list(&records, "cases") {
            let checked = round_trip_by(reader, text(case, "graph").as_bytes())
                .and_then(|root| compare(&element(&root, 0)?, &element(&root, 1)?, &Expected::of(case)));
            wrong.extend(checked.err().map(|error| format!("{name}: {}: {error}", case["id"])));
        }
        for case in list(&records, "files") {
            let load = |side| round_trip_by(reader, &fixture(text(case, side)));
            let checked = load("lhs").and_then(|lhs| compare(&lhs, &load("rhs")?, &Expected::of(case)));
            wrong.extend(checked.err().map(|error| format!("{name}: {}: {error}", case["id"])));
        }
        report(&wrong, list(&records, "cases").len() + list(&records, "files").len());
    }
}

#[test]
fn every_module_has_the_same_results_with_dynamic_types() {
    const MODULES: [&str; 4] = ["decoder_legalized.json.gz", "mlp.json.gz", "odd.json.gz", "constants.json.gz"];
    for (schema, types) in dynamic_tir() {
        let mut dynamic = 0;
        for module in MODULES {
            let bytes = fixture(module);
            let linked = round_trip(&bytes).unwrap_or_else(|error| panic!("{module}: {error}"));
            let made = round_trip_by(JsonReader::new().types(&types), &bytes)
                .unwrap_or_else(|error| panic!("{schema}, {module}: {error}"));
            for map_free_vars in [false, true] {
                let hash =
                    |root: &Any| StructuralOptions::new().map_free_vars(map_free_vars).hash(root).expect("a hash");
                assert_eq!(hash(&linked), hash(&made), "{schema}, {module}");
            }
            let stats = |root: &Any| {
                let stats = GraphStats::of(root);
                let types: Vec<_> = stats.types.iter().map(|it| (it.type_key, it.nodes, it.references)).collect();
                (stats.nodes, stats.edges, stats.shared, stats.depth, types)
            };
            assert_eq!(stats(&linked), stats(&made), "{schema}, {module}");
            assert_eq!(linked.to_string(), made.to_string(), "{schema}, {module}");
            // A linked and a dynamic type differ, so the graphs differ at the first object of TIR.
            let is_dynamic = stats(&made).4.iter().any(|(key, ..)| key.starts_with("tirx."));
            let equal = StructuralOptions::new().map_free_vars(true).equal(&linked, &made).expect("comparable");
            assert_eq!(equal, !is_dynamic, "{schema}, {module}");
            dynamic += usize::from(is_dynamic);
        }
        assert!(dynamic > 1, "only {dynamic} modules have objects of TIR");
    }
}

/// The kinds of facts that hold for any types: the others need the Rust types of Relax and TIR.
const KINDS: [&str; 6] = ["bench", "eq", "hash", "load", "mismatch", "roundtrip/json"];

#[test]
fn the_development_corpus_agrees_with_dynamic_types() {
    let Some(dir) = common::corpus() else { return };
    let exceptions = Exceptions::listed().expect("the exceptions are well-formed");
    for (name, types) in dynamic_tir() {
        let kinds = KINDS.map(str::to_owned).to_vec();
        let options = Options { kinds, sample: Some(400), seed: 3, types: Some(types), ..Options::default() };
        let report = corpus::run(&dir, &options, &exceptions).expect("the folder can be read");
        assert!(report.is_clean(), "{name}: {report}");
    }
}
