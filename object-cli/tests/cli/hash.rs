//! `objir hash`.

use crate::harness::{objir, objir_with};

fn hash_of(args: &[&str]) -> String {
    let run = objir(&[&["hash", "--json"], args].concat());
    assert_eq!((run.code, run.is_quiet()), (Some(0), true), "{}", run.show());
    run.json()["hash"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn names_of_variables_do_not_matter() {
    let mlp = hash_of(&["fixtures/mlp.json.gz"]);
    assert_eq!(mlp.len(), 16);
    assert_eq!(mlp, hash_of(&["fixtures/mlp_renamed.json.gz"]));
    assert_ne!(mlp, hash_of(&["fixtures/mlp_changed.json.gz"]));
    assert_eq!(mlp, hash_of(&["--map-free-vars", "fixtures/mlp.json.gz"]), "it has no free variables");
}

#[test]
fn prints_hash_and_file() {
    let run = objir(&["hash", "fixtures/mlp.json.gz"]);
    assert_eq!(run.stdout, format!("{}  fixtures/mlp.json.gz\n", hash_of(&["fixtures/mlp.json.gz"])));
}

#[test]
fn tensor_content_can_be_skipped() {
    let tensor = |data: &str| format!(r#"{{"root_index":0,"nodes":[{{"type":"ffi.Tensor","data":"{data}"}}]}}"#);
    let [one, two] = super::diff::TENSORS.map(tensor);
    let hash = |args: &[&str], input: &str| objir_with(args, input.as_bytes()).stdout;
    assert_ne!(hash(&["hash", "-"], &one), hash(&["hash", "-"], &two));
    let skip = ["hash", "--skip-tensor-content", "-"];
    assert_eq!(hash(&skip, &one), hash(&skip, &two));
}

#[test]
fn lexical_bindings_end_with_functions() {
    let hash = |file: &str| hash_of(&["--lexical", file]);
    assert_eq!(hash("fixtures/mlp.json.gz"), hash("fixtures/mlp_renamed.json.gz"));
    assert_ne!(hash("fixtures/mlp.json.gz"), hash_of(&["fixtures/mlp.json.gz"]));
    let run = objir(&["diff", "--lexical", "fixtures/mlp.json.gz", "fixtures/mlp_renamed.json.gz"]);
    assert_eq!(run.code, Some(0), "{}", run.show());
}
