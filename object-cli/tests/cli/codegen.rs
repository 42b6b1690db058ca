//! `objir codegen --check`.

use std::env;
use std::fs;
use std::process::Command;

/// A stale file has a difference and the exit code 1, and a fault of a marker the exit code 2; nothing is written.
#[test]
fn check_writes_nothing() {
    let folder = env::temp_dir().join(format!("objir-check-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let declaration = "@declare\nclass PointNode(Object):\n    type_key = 'demo.Point'\n    x: ty.int64_t\n";
    fs::write(folder.join("point.py"), declaration).expect("a writable folder");
    for (text, code, found) in [
        ("// tschema: PointNode\n// tschema: end\n", 1, "+  int64_t x{};"),
        ("// tschema: PointNode\n", 2, "point.h:1:1: error: `// tschema: PointNode` has no `// tschema: end`"),
        ("// tschema: Pont\n// tschema: end\n", 2, "did you mean `Point`?"),
        ("int x;\n", 0, "point.h: it has no `tschema: NAME`"),
    ] {
        fs::write(folder.join("point.h"), text).expect("a writable folder");
        let output = Command::new(env!("CARGO_BIN_EXE_objir"))
            .args(["codegen", "point.py", "--lang", "cpp", "--in-place", "point.h", "--check"])
            .current_dir(&folder)
            .output()
            .expect("objir");
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8_lossy(&shown);
        assert_eq!(output.status.code(), Some(code), "{text}: {shown}");
        assert!(shown.contains(found), "{text}: {shown}");
        assert_eq!(fs::read_to_string(folder.join("point.h")).expect("the file"), text);
    }
    fs::remove_dir_all(&folder).expect("the folder");
}
