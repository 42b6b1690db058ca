//! Reads any bytes as the declarations of a graph. No declarations make the reader panic. Declarations with the fields and the
//! types of the program give the same value, in any order and with any defaults. What was read is saved and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use object_core::evolution::{OldObject, RecordedType};
use object_core::json::{self, JsonReader};
use object_core::meter::Meter;
use object_core::prelude::*;
use serde_json::Value;

#[derive(Object, Clone, Copy)]
enum Kind {
    Inner = 0,
    #[object(alias = "Outer")]
    Left = 4,
}

#[derive(Object)]
#[object(type_key = "fuzz.Join", alias = "fuzz.Old", version = 2, removed("gone"), migrate(from = 1, with = add_count))]
#[structural_eq(tree)]
struct JoinNode {
    kind: Kind,
    #[field(alias = "by")]
    on: Str,
    count: i64,
    cost: f64,
    kinds: Array<Kind>,
    maybe: Option<Kind>,
    #[field(default = Array::from([1, 2]))]
    list: Array<i64>,
}

/// Version 1 had no count.
fn add_count(old: &mut OldObject) -> Result<(), Error> {
    old.set("count", 7);
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(declarations) = std::str::from_utf8(bytes) else { return };
    let join = Join::new(Kind::Left, "id", 3, 0.5, Array::from([Kind::Inner, Kind::Left]), Some(Kind::Inner));
    let text = json::to_string(&join).expect("it is saved");
    let nodes = text.find("\"root_index\"").expect("the graph has a root");
    // A number of a variant stands for its name in the recorded numbering.
    for nodes in [text[nodes..].to_owned(), text[nodes..].replace("\"Left\"", "4")] {
        let text = format!("{{\"declarations\":{declarations},{nodes}");
        let meter = Meter::with_limit(1000 * text.len() as u64 + (1 << 16));
        let Ok(graph) = JsonReader::new().meter(&meter).read(text.as_bytes()) else { continue };
        if says_the_same(declarations) {
            assert!(structural_equal(&graph.root, &join), "{text}: {}", graph.root);
        }
        let saved = json::to_string(&graph.root).expect("what was read can be written");
        let again: Any = json::from_str(&saved).expect("what was written can be read");
        assert!(structural_equal(&graph.root, &again), "{saved}");
    }
});

/// Whether the declaration of the type has the version, the fields and the types of the program.
fn says_the_same(declarations: &str) -> bool {
    let Ok(all) = serde_json::from_str::<Value>(declarations) else { return false };
    let fields = all.get("fuzz.Join").filter(|it| it.get("version") == Some(&2.into())).and_then(|it| it.get("fields"));
    let Some(fields) = fields.and_then(Value::as_object) else { return false };
    let own = RecordedType::of(JoinNode::TYPE_INFO);
    fields.len() == own.fields().len()
        && own.fields().iter().all(|field| {
            let given = fields.get(field.name()).map(|given| given.get(0).unwrap_or(given));
            given.and_then(Value::as_str) == Some(&field.type_text())
        })
}
