//! `objir patch` and `objir merge`.

use crate::harness::{objir, own_file};

/// A module with other operators for `add` and the softmax.
fn changed(name: &str, from: &str, to: &str) -> String {
    let script = objir(&["print", "fixtures/mlp.json.gz"]).stdout;
    assert!(script.contains(from), "{script}");
    own_file(name, script.replace(from, to).as_bytes())
}

const RELU: [&str; 2] = ["R.nn.relu(", "R.nn.gelu("];
const SOFTMAX: [&str; 2] = ["R.nn.softmax(", "R.nn.log_softmax("];

#[test]
fn edits_lead_to_the_other_file_and_back() {
    for [a, b] in [
        ["fixtures/decoder_small.json.gz", "fixtures/decoder_small_legalized.json.gz"],
        ["fixtures/mlp.json.gz", "fixtures/decoder_small.json.gz"],
        ["fixtures/mlp.json.gz", "fixtures/mlp_renamed.json.gz"],
    ] {
        let edits = own_file("edits.json", objir(&["diff", "--json", a, b]).stdout.as_bytes());
        for (from, to, reverse) in [(a, b, &[] as &[&str]), (b, a, &["--reverse"])] {
            let patched = objir(&[&["patch", from, &edits], reverse].concat());
            assert_eq!(patched.code, Some(0), "{}", patched.show());
            let patched = own_file("patched.json", patched.stdout.as_bytes());
            let equal = objir(&["diff", &patched, to]);
            assert_eq!(equal.code, Some(0), "{}", equal.show());
        }
    }
}

#[test]
fn edits_of_another_file_do_not_fit() {
    let [a, b] = ["fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz"];
    let edits = own_file("misfit.json", objir(&["diff", "--json", a, b]).stdout.as_bytes());
    let wrong = objir(&["patch", b, &edits]);
    assert!(wrong.stderr.contains("the edits do not fit"), "{}", wrong.show());
    assert_eq!(wrong.code, Some(2));
    let no_edits = objir(&["patch", a, "fixtures/schema.json"]);
    assert!(no_edits.stderr.contains("expected the output of `objir diff --json`"), "{}", no_edits.show());
}

#[test]
fn disjoint_changes_merge() {
    let (base, ours) = (changed("base.py", RELU[0], RELU[0]), changed("ours.py", RELU[0], RELU[1]));
    let theirs = changed("theirs.py", SOFTMAX[0], SOFTMAX[1]);
    let merged = objir(&["merge", &base, &ours, &theirs]);
    assert_eq!(merged.code, Some(0), "{}", merged.show());
    assert!(merged.stdout.contains(RELU[1]) && merged.stdout.contains(SOFTMAX[1]), "{}", merged.stdout);
}

#[test]
fn changes_of_one_binding_are_a_conflict() {
    let (base, ours) = (changed("base2.py", RELU[0], RELU[0]), changed("ours2.py", RELU[0], RELU[1]));
    let theirs = changed("theirs2.py", RELU[0], "R.tanh(");
    let merged = objir(&["merge", &base, &ours, &theirs]);
    assert_eq!(merged.code, Some(1), "{}", merged.show());
    assert!(merged.stdout.contains(RELU[1]), "{}", merged.stdout);
    assert!(merged.stderr.contains("bindings[2]"), "{}", merged.stderr);
}
