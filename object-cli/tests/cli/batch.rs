//! `objir hash`, `stats`, `check`, `fmt` and `diff` of folders and patterns.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{objir, packed, text};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder of the tests can be written");
    folder
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, content).expect("a file");
}

/// A folder with three modules: one packed, one plain, one in a folder below. The other files are not modules.
fn models(name: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, "b.json", text("mlp.json.gz"));
    write(&folder, "a.json.gz", packed("mlp_changed.json.gz"));
    write(&folder, "below/c.json", text("mlp_renamed.json.gz"));
    write(&folder, "notes.txt", "not a module");
    write(&folder, ".hidden/d.json", "not a module");
    folder
}

/// The arguments with the folder in place of `DIR`, and the output with `DIR` in place of the folder.
fn shown(args: &[&str], folder: &Path) -> String {
    let name = folder.display().to_string();
    let args: Vec<String> = args.iter().map(|arg| arg.replace("DIR", &name)).collect();
    objir(&args.iter().map(String::as_str).collect::<Vec<_>>()).show().replace(&name, "DIR")
}

fn hash_of(file: &str) -> String {
    let run = objir(&["hash", &format!("fixtures/{file}")]);
    run.stdout.split("  ").next().unwrap_or_default().to_owned()
}

#[test]
fn hashes_come_in_the_order_of_names() {
    let folder = models("batch_hash");
    let (mlp, changed) = (hash_of("mlp.json.gz"), hash_of("mlp_changed.json.gz"));
    let expected = format!("{changed}  DIR/a.json.gz\n{mlp}  DIR/b.json\n{mlp}  DIR/below/c.json\n[exit code 0]\n",);
    assert_eq!(shown(&["hash", "DIR"], &folder), expected);
    assert_eq!(shown(&["hash", "DIR/**/*.json*"], &folder), expected);
    assert_eq!(shown(&["hash", "DIR/a.json.gz", "DIR/b.json", "DIR/below"], &folder), expected);
    let run = objir(&["hash", "--json", &folder.display().to_string()]);
    let files: Vec<serde_json::Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("one JSON text per line")).collect();
    assert_eq!((run.code, files.len(), &files[1]["hash"]), (Some(0), 3, &mlp.clone().into()), "{}", run.show());
}

#[test]
fn statistics_and_formatting_take_folders() {
    let folder = models("batch_stats");
    let run = objir(&["stats", "--json", &folder.display().to_string()]);
    let nodes: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("one JSON text per line")["nodes"].clone())
        .collect();
    assert_eq!((run.code, nodes.len(), &nodes[1]), (Some(0), 3, &nodes[2]), "{}", run.show());
    assert_eq!(objir(&["stats", &folder.display().to_string()]).stdout.matches(": ir.IRModule\n").count(), 3);

    // Of the files of a folder, the scripts.
    write(&folder, "script.py", "@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n    return x\n");
    assert_eq!(shown(&["fmt", "--check", "DIR"], &folder), "DIR/script.py: not formatted\n[exit code 1]\n");
    assert_eq!(shown(&["fmt", "--write", "DIR"], &folder), "[exit code 0]\n");
    assert_eq!(shown(&["fmt", "--check", "DIR"], &folder), "[exit code 0]\n");
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let folder = models("batch_failed");
    write(&folder, "a.json.gz", "{");
    let shown_hash = shown(&["hash", "DIR"], &folder);
    let mlp = hash_of("mlp.json.gz");
    assert!(shown_hash.starts_with(&format!("{mlp}  DIR/b.json\n{mlp}  DIR/below/c.json\n")), "{shown_hash}");
    assert!(shown_hash.contains("objir: DIR/a.json.gz: ") && shown_hash.ends_with("[exit code 2]\n"), "{shown_hash}");
    let checked = shown(&["check", "DIR"], &folder);
    let expected = "failed       DIR/a.json.gz\nwell-formed  DIR/b.json\nwell-formed  DIR/below/c.json\n\
                    well-formed: 0 errors, 0 warnings in 3 files, 1 file not checked\n";
    assert!(checked.starts_with(expected) && checked.ends_with("[exit code 2]\n"), "{checked}");
    let diffed = shown(&["diff", "DIR", "DIR"], &folder);
    assert!(diffed.starts_with("failed     a.json.gz\nequal      b.json\n"), "{diffed}");
    assert!(diffed.ends_with("[exit code 2]\n"), "{diffed}");
}

#[test]
fn a_folder_is_checked_with_one_line_per_file() {
    let folder = models("batch_check");
    let block = r#""type":"relax.expr.DataflowBlock""#;
    let ill_formed = text("mlp.json.gz").replace(block, r#""type":"relax.expr.BindingBlock""#);
    write(&folder, "b.json", ill_formed);
    let checked = shown(&["check", "DIR"], &folder);
    let lines: Vec<&str> = checked.lines().collect();
    assert_eq!(lines.len(), 5, "{checked}");
    assert_eq!([lines[0], lines[2]], ["well-formed  DIR/a.json.gz", "well-formed  DIR/below/c.json"]);
    assert!(lines[1].starts_with("ill-formed   DIR/b.json: "), "{checked}");
    assert!(lines[1].contains("; first: dataflow-var-bound-outside at <root>.functions["), "{checked}");
    assert!(lines[3].starts_with("ill-formed: ") && lines[3].ends_with(" in 3 files"), "{checked}");
    assert_eq!(lines[4], "[exit code 1]");
    let run = objir(&["check", "--json", &folder.display().to_string()]);
    let report = run.json();
    assert_eq!((run.code, report["files"].as_array().map(Vec::len)), (Some(1), Some(3)), "{}", run.show());
    assert_eq!(report["files"][1]["diagnostics"][0]["rule"], "dataflow-var-bound-outside");
    assert_eq!(report["errors"], report["files"][1]["errors"]);
}

#[test]
fn folders_are_compared_by_the_names_of_their_files() {
    let (old, new) = (models("batch_old"), models("batch_new"));
    fs::remove_file(old.join("below/c.json")).expect("the file");
    write(&new, "b.json", text("mlp_renamed.json.gz"));
    write(&new, "a.json.gz", packed("mlp.json.gz"));
    write(&old, "e.json", text("mlp.json.gz"));
    let [a, b] = [&old, &new].map(|folder| folder.display().to_string());
    let run = objir(&["diff", &a, &b]);
    let expected = "different  a.json.gz: in 1 place\nequal      b.json\nmissing    below/c.json: only in NEW\n\
                    missing    e.json: only in OLD\ndifferent: OLD and NEW, 1 of 4 files are equal\n[exit code 1]\n";
    assert_eq!(run.show().replace(&a, "OLD").replace(&b, "NEW"), expected);
    let report = objir(&["diff", "--json", &a, &b]).json();
    let equal =
        report["files"].as_array().expect("a list").iter().map(|file| file["equal"].as_bool()).collect::<Vec<_>>();
    assert_eq!(equal, [Some(false), Some(true), Some(false), Some(false)], "{report}");
    assert_eq!((&report["equal"], &report["files"][0]["differences"]), (&false.into(), &1.into()), "{report}");
    let same = objir(&["diff", &a, &format!("{a}/**/*.json*")]);
    assert_eq!(same.code, Some(0), "{}", same.show());
    assert!(same.stdout.ends_with("3 of 3 files are equal\n"), "{}", same.show());
}

#[test]
fn arguments_without_files_are_errors() {
    let folder = folder("batch_nothing");
    write(&folder, "notes.txt", "not a module");
    for (args, message) in [
        (&["hash", "DIR"][..], "objir: DIR: expected a folder with files `*.json`, `*.json.gz`, "),
        (
            &["check", "DIR/*.json"],
            "objir: DIR/*.json: expected a file or a pattern of files, found no file that matches",
        ),
        (&["hash", "DIR/[a"], "objir: DIR/[a: "),
        (
            &["diff", "DIR/*", "fixtures/mlp.json.gz"],
            "expected two files or two folders, got the folder or pattern DIR/*",
        ),
        (&["diff", "DIR/*", "DIR/*", "--html", "page.html"], "leave `--html` out"),
        (&["hash", "DIR/absent.json"], "objir: DIR/absent.json: "),
    ] {
        let shown = shown(args, &folder);
        assert!(shown.contains(message) && shown.ends_with("[exit code 2]\n"), "{args:?}: {shown}");
    }
}
