//! A day of a user of TVM 0.27: a module is exported, checked, printed, edited, compared, converted and run. `TVM_PYTHONS` names
//! Pythons with TVM, with `:` between them; the ones with TVM 0.27 say that each file is theirs; without it, only our side is tested.

use std::process::Command;

use crate::harness::{objir, own_file};

const EXPORTED: &str = "fixtures/tvm27_mlp.json.gz";

/// Loads three files, and prints the script of the first one. The second file is the script with another activation, the third
/// one is the first after a conversion to TVM 0.25 and back.
const IN_TVM: &str = r#"
import gzip, sys, tvm, tvm_ffi
from tvm.script import from_source
if not tvm.__version__.startswith("0.27."):
    sys.exit(print("skipped: TVM", tvm.__version__))
exported, edited, script, converted = sys.argv[1:]
load = lambda path: tvm.ir.load_json((gzip.open(path, "rt") if path.endswith(".gz") else open(path)).read())
module = load(exported)
assert tvm_ffi.structural_equal(load(converted), module), "the converted module differs"
assert tvm_ffi.structural_equal(load(edited), from_source(open(script).read())), "the edited script differs"
print(module.script())
"#;

/// The standard output of a command that succeeds.
fn done(args: &[&str]) -> String {
    let run = objir(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.show());
    run.stdout
}

#[test]
fn a_module_is_checked_printed_edited_compared_converted_and_run() {
    assert_eq!(done(&["check", EXPORTED]), "well-formed: 0 errors, 0 warnings\n");
    let script = done(&["print", EXPORTED]);
    assert!(script.contains("n = TypeVar(\"n\")") && script.contains("R.nn.relu"), "{script}");

    let edited_script = own_file("day.py", script.replace("R.nn.relu", "R.nn.gelu").as_bytes());
    let edited = own_file("day_edited.json", done(&["parse", &edited_script]).as_bytes());
    let differences = objir(&["diff", EXPORTED, &edited]);
    assert!(differences.code == Some(1) && differences.stdout.contains("in 1 place"), "{}", differences.show());
    assert!(done(&["diff", "fixtures/tvm27_mlp_changed.json.gz", &edited]).starts_with("equal"));

    let older = own_file("day_25.json", done(&["convert", "--to", "0.25", EXPORTED]).as_bytes());
    let again = own_file("day_27.json", done(&["convert", "--to", "0.27", &older]).as_bytes());
    let hash = |file: &str| done(&["hash", file])[..16].to_owned();
    assert_eq!([hash(EXPORTED), hash(EXPORTED)], [hash(&older), hash(&again)]);
    assert!(done(&["diff", EXPORTED, &again]).starts_with("equal"));

    let result = |file: &str| done(&["run", file, "--seed", "7"]);
    assert_eq!(result(EXPORTED), result(&older));
    assert_ne!(result(EXPORTED), result(&edited));
    let Ok(pythons) = std::env::var("TVM_PYTHONS") else {
        println!("skipped: `TVM_PYTHONS` names no Python with TVM 0.27");
        return;
    };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
    for python in pythons.split(':') {
        let args = [&format!("{root}{EXPORTED}"), &edited, &edited_script, &again];
        let run = Command::new(python).args(["-c", IN_TVM]).args(args).output().expect("the Python of TVM runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let printed = String::from_utf8_lossy(&run.stdout);
        match printed.strip_prefix("skipped") {
            Some(reason) => println!("skipped{reason}"),
            None => assert_eq!(printed.trim_end(), script.trim_end()),
        }
    }
}
