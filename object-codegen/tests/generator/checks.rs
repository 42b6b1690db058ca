//! The words of schemas about values: Rust has them, and the documentation of other languages shows them.

use crate::common::{file_text, no_types};
use object_codegen::Target;
use object_core::dynamic::Schema;
use serde_json::json;

#[test]
fn words_about_values_are_in_each_language() {
    let text = json!({"format": "object-schema", "version": 5, "types": [
        {"key": "hw.Call", "doc": "A call.", "kind": "tree", "same_len": [["params", "args"]],
            "syntax": {"format": "$op \"($($params), *)\n$..", "precedence": 3, "associativity": "right"}, "fields": [
            {"name": "op", "type": "ffi.String", "one_of": ["add", "su\"b"], "doc": "The operator."},
            {"name": "bits", "type": "int", "range": {"from": 0, "to": 64}},
            {"name": "weight", "type": "float", "range": {"from": -1.0, "below": 1.0}},
            {"name": "any", "type": "int", "range": {}},
            {"name": "params", "type": "ffi.Array<ffi.String>", "len": {"from": 1}},
            {"name": "args", "type": "ffi.Array<int>"},
        ]},
    ]});
    let schema = Schema::parse(text.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let of = |target| file_text(target, &schema, &no_types(), "").unwrap_or_else(|error| panic!("{error}"));
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let rust = plain(&of(Target::Rust));
    for part in [
        r#"type_key = "hw.Call", same_len(params, args)"#,
        r#"format = "$op \"($($params), *)\n$..", precedence = 3, associativity = right"#,
        r#"#[field(one_of = ["add", "su\"b"])] pub op"#,
        "#[field(range = 0..=64)] pub bits",
        "#[field(range = -1.0..1.0)] pub weight",
        "pub any: i64, #[field(len = 1..)] pub params",
    ] {
        assert!(rust.contains(&plain(part)), "{part}\n{rust}");
    }
    for target in [Target::Python, Target::Cpp] {
        let text = of(target);
        for part in [
            "Allowed: range 0..=64.",
            "Allowed: range -1.0..1.0.",
            "Allowed: length 1..",
            "Allowed: one length of `params`, `args`.",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
    assert!(!rust.contains("Allowed:"));
}
