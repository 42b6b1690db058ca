//! The recorded results of TVM for structural equality, in golden files beside the workspace, if they are present. The
//! test also reads every graph in these files and writes it byte for byte.

use std::collections::BTreeMap;

use crate::common::{Expected, compare, element, golden, json_fixture, list, report, round_trip, text};
use object_core::Any;
use object_core::structural::StructuralOptions;
use object_ir as _;
use serde_json::Value;

/// Graphs that are not valid IR, with the error of the reader.
const REJECTED: [(&str, &str); 1] = [
    // A value of this case is the result of a faulty algorithm: one parameter in the list is null.
    (
        ".groups.erase_to_well_defined[14].graph",
        "node 22: field `params` of `relax.FuncStructInfo`: element 1 of a `ffi.Array<ir.StructInfo>`",
    ),
];

#[test]
fn structural_equality() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "structural_equal");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| check_equality(case).err().map(|wrong| format!("{} {}: {wrong}", case["id"], case["desc"])))
        .collect();
    report(&wrong, cases.len());
}

/// `tvm` and `first_mismatch` are for the default options; `map_free_vars` is the verdict with this option.
fn check_equality(case: &Value) -> Result<(), String> {
    let root = round_trip(text(case, "graph").as_bytes())?;
    let input = |name: &str| -> Result<Any, String> {
        let role = &case["inputs"][name]["ref"];
        let index = list(case, "roles").iter().position(|it| it == role).ok_or_else(|| format!("no role {role}"))?;
        element(&root, index)
    };
    let (lhs, rhs) = (input("lhs")?, input("rhs")?);
    let expected = Expected {
        map_free_vars: false,
        skip_tensor_content: false,
        equal: case["tvm"] == true,
        mismatch: &case["first_mismatch"],
    };
    compare(&lhs, &rhs, &expected)?;
    let mapped = object_core::StructuralOptions::new().map_free_vars(true).equal(&lhs, &rhs);
    let mapped = mapped.map_err(|error| format!("with map_free_vars: {error}"))?;
    if case["map_free_vars"] != mapped {
        return Err(format!("with map_free_vars: expected {}, got {mapped}", case["map_free_vars"]));
    }
    // TVM hashes free variables by address unless they are mapped. This crate hashes them by position under either
    // option, because its hashes are the same in every process.
    for map_free_vars in [false, true] {
        let hash = |value| StructuralOptions::new().map_free_vars(map_free_vars).hash(value);
        let same = hash(&lhs).map_err(|e| e.to_string())? == hash(&rhs).map_err(|e| e.to_string())?;
        if case["hash_equal_map_free_vars"] != same {
            return Err(format!("equal hashes: expected {}, got {same}", case["hash_equal_map_free_vars"]));
        }
    }
    Ok(())
}

#[test]
fn every_graph_is_saved_as_the_same_bytes() {
    let Some(file) = golden("relax_cases.json") else { return };
    let mut graphs = BTreeMap::new();
    collect_graphs(&file, "", &mut graphs);
    assert!(graphs.len() >= 400, "there are only {} graphs", graphs.len());
    let wrong: Vec<String> = graphs
        .iter()
        .filter_map(|(graph, place)| {
            let rejected = REJECTED.iter().find(|(rejected, _)| rejected == place);
            match (round_trip(graph.as_bytes()), rejected) {
                (Ok(_), None) => None,
                (Err(wrong), Some((_, says))) if wrong.contains(says) => None,
                (Ok(_), Some((_, says))) => Some(format!("{place}: is read, expected an error: {says}")),
                (Err(wrong), _) => Some(format!("{place}: {wrong}")),
            }
        })
        .collect();
    report(&wrong, graphs.len());
}

/// All texts in `value` that are graphs, with the place of the first occurrence of each.
fn collect_graphs<'v>(value: &'v Value, place: &str, graphs: &mut BTreeMap<&'v str, String>) {
    match value {
        Value::String(text) if text.starts_with("{\"root_index\"") => {
            graphs.entry(text).or_insert_with(|| place.to_owned());
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                collect_graphs(item, &format!("{place}[{i}]"), graphs);
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                collect_graphs(item, &format!("{place}.{key}"), graphs);
            }
        }
        _ => {}
    }
}

#[test]
fn our_recorded_schema_agrees() {
    let Some(theirs) = golden("tvm_schema.json") else { return };
    let ours = json_fixture("schema.json");
    let ours: BTreeMap<&str, &Value> = list(&ours, "types").iter().map(|ty| (text(ty, "key"), ty)).collect();
    let theirs = theirs["types"].as_object().expect("types by key");
    let prefixes = ["ir.", "relax.", "tirx.", "target.", "te."];
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (key, theirs) in theirs.iter().filter(|(key, _)| prefixes.iter().any(|prefix| key.starts_with(prefix))) {
        checked += 1;
        match ours.get(key.as_str()) {
            Some(ours) => compare_type(key, ours, theirs, &mut wrong),
            None => wrong.push(format!("{key}: not in fixtures/schema.json")),
        }
    }
    report(&wrong, checked);
}

fn compare_type(key: &str, ours: &Value, theirs: &Value, wrong: &mut Vec<String>) {
    let mut check = |what: &str, ours: &Value, theirs: &Value| {
        if ours != theirs {
            wrong.push(format!("{key}: {what}: {ours} in fixtures/schema.json, {theirs} in the golden file"));
        }
    };
    let pairs = [
        ("parent", "parent"),
        ("kind", "seq_hash_kind"),
        ("creator", "has_creator"),
        ("custom_equal", "custom_s_equal"),
        ("custom_hash", "custom_s_hash"),
        ("custom_json", "custom_data_to_json"),
        ("core", "core"),
    ];
    for (mine, other) in pairs {
        check(mine, &ours[mine], &theirs[other]);
    }
    let (ours, theirs) = (ours["fields"].as_array(), theirs["own_fields"].as_array());
    let (ours, theirs) = (ours.map_or(&[][..], Vec::as_slice), theirs.map_or(&[][..], Vec::as_slice));
    check("number of fields", &ours.len().into(), &theirs.len().into());
    for (ours, theirs) in ours.iter().zip(theirs) {
        let flags = theirs["flags"].as_array().map_or(&[][..], Vec::as_slice);
        let role = ["ignore", "def", "def_simple"]
            .into_iter()
            .zip(["SEqHashIgnore", "SEqHashDefRecursive", "SEqHashDefNonRecursive"])
            .find_map(|(role, flag)| flags.iter().any(|it| it == flag).then_some(role));
        let name = &ours["name"];
        check("field", name, &theirs["name"]);
        check(&format!("type of {name}"), &ours["type"], &type_words(&theirs["schema"]).into());
        check(&format!("inline of {name}"), &ours["inline"], &(theirs["json"] == "inline").into());
        check(&format!("role of {name}"), &ours["role"], &role.unwrap_or("content").into());
        check(&format!("nullable of {name}"), &ours["nullable"], &theirs["accepts_null"]);
        check(
            &format!("has_default of {name}"),
            &ours["has_default"],
            &flags.iter().any(|it| it == "has_default").into(),
        );
        // The golden file does not contain data types and long strings.
        for kind in ["bool", "int", "float", "str"] {
            if let Some(default) = theirs["default"].get(kind) {
                check(&format!("default of {name}"), &ours["default"], default);
            }
        }
    }
}

fn type_words(schema: &Value) -> String {
    let name = schema["type"].as_str().unwrap_or("?");
    match schema["args"].as_array().map(Vec::as_slice) {
        None | Some([]) => name.to_owned(),
        Some(args) => format!("{name}<{}>", args.iter().map(type_words).collect::<Vec<_>>().join(",")),
    }
}
