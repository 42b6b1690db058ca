//! Help, completions and the manual: the examples run, a shell completes, and every command has a page.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::guide::run;
use crate::harness::{finish, objir, root, text};

const EXAMPLES: &str = include_str!("../../src/examples.txt");

/// The names of all commands, from the help of the program.
fn commands() -> Vec<String> {
    let help = objir(&["--help"]).stdout;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.len() > 20, "{help}");
    names
}

/// The examples with their commands.
fn examples() -> Vec<(&'static str, &'static str)> {
    let mut name = "";
    let mut examples = Vec::new();
    for line in EXAMPLES.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("  ") {
            Some(example) => examples.push((name, example)),
            None if !line.is_empty() => name = line,
            None => {}
        }
    }
    examples
}

/// Writes the files that the examples name.
fn prepare(folder: &Path) {
    for (name, fixture) in [("model", "mlp"), ("changed", "mlp_changed"), ("renamed", "mlp_renamed")] {
        fs::write(folder.join(format!("{name}.json")), text(&format!("{fixture}.json.gz"))).expect("a file");
    }
    let script = objir(&["print", "fixtures/mlp.json.gz", "--show-meta"]).stdout;
    fs::write(folder.join("model.py"), &script).expect("a file");
    fs::create_dir(folder.join("models")).expect("a folder");
    fs::write(folder.join("models/a.py"), &script).expect("a file");
    fs::write(folder.join("models/b.py"), &script).expect("a file");
    fs::copy(root().join("object-cli/tests/data/hostile/rule.py"), folder.join("rule.py")).expect("a file");
    let shapes = "@declare\nclass ShapeNode(Object):\n    type_key = 'demo.Shape'\n    sides: ty.int64_t\n";
    fs::write(folder.join("shapes.py"), shapes).expect("a file");
    fs::write(folder.join("session.txt"), crate::lsp::session(&[])).expect("a file");
}

#[test]
fn the_examples_of_each_command_run() {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let examples = examples();
    let named: BTreeSet<&str> = examples.iter().map(|(name, _)| *name).collect();
    let commands = commands();
    assert_eq!(named, commands.iter().map(String::as_str).collect(), "each command has examples");
    for (name, example) in examples {
        if name == "build" && env::var_os("PEER_PYTHONS").is_none() {
            println!("skipped `{example}`: PEER_PYTHONS names no Python with tvm-ffi");
            continue;
        }
        let shown = run(example, folder.path());
        let code = shown.trim_end().rsplit_once('\n').map_or(&*shown, |(_, last)| last);
        let is_verdict = ["check", "diff", "bisect", "run", "roundtrip"].contains(&name) && code.contains("code 1]");
        assert!(
            code.ends_with("[exit code 0]") || code.ends_with("[exit code 0]\n") || is_verdict,
            "{example}: {shown}"
        );
    }
}

#[test]
fn help_has_the_examples_first_and_the_limits_only_on_request() {
    for name in commands() {
        for flag in ["-h", "--help"] {
            let help = objir(&[&name, flag]).stdout;
            let (examples, usage) = (help.find("Examples:\n  objir "), help.find("Usage: objir"));
            assert!(examples.is_some() && examples < usage, "{name}: {help}");
            assert!(!help.contains("--max-memory") && help.contains("--help-all"), "{name}: {help}");
        }
        let all = objir(&[&name, "--help-all"]);
        assert!(all.code == Some(0) && all.stdout.contains("--max-memory"), "{name}: {}", all.show());
    }
    assert_eq!(objir(&["--version"]).show(), "objir 0.1.0\n[exit code 0]\n");
    // After `--`, it is the name of a file.
    assert_eq!(objir(&["stats", "--", "--help-all"]).code, Some(2));
}

/// The words that bash completes for the last one of `words`.
#[cfg(unix)]
fn completed(words: &[&str], folder: &Path) -> Option<String> {
    let script = folder.join("objir.bash");
    fs::write(&script, objir(&["completions", "bash"]).stdout).expect("a file");
    let line = format!(
        "source {}; COMP_WORDS=({}); COMP_CWORD={}; _objir objir \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        words.len() - 1,
    );
    let mut bash = Command::new("bash");
    let found = bash.args(["--norc", "-c", &line]).current_dir(folder).output();
    if found.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        println!("skipped: there is no bash");
        return None;
    }
    let found = finish(found);
    assert!(found.code == Some(0) && found.is_quiet(), "{}", found.show());
    Some(found.stdout)
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_options_and_files() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.json"), "").expect("a file");
    for (words, expected) in [
        (&["objir", "che"][..], "check\n"),
        (&["objir", "diff", "a", "b", "--ht"], "--html\n"),
        (&["objir", "diff", "a", "b", "--html", "mod"], "model.json\n"),
        (&["objir", "completions", "zs"], "zsh\n"),
    ] {
        let Some(found) = completed(words, folder.path()) else { return };
        assert_eq!(found, expected, "{words:?}");
    }
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        let run = objir(&["completions", shell]);
        assert!(run.code == Some(0) && run.stdout.contains("safetensors") | run.stdout.contains("check"), "{shell}");
    }
}

#[test]
fn each_command_has_a_page_of_the_manual() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = objir(&["man", &folder.path().join("man1").display().to_string()]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    for name in commands() {
        let page = fs::read_to_string(folder.path().join(format!("man1/objir-{name}.1"))).expect("a page");
        assert!(page.contains(".SH EXAMPLES") && page.contains("max\\-memory"), "{name}: {page}");
    }
    assert!(folder.path().join("man1/objir.1").exists() && folder.path().join("man1/objir-trace-show.1").exists());
    let all = objir(&["man"]).stdout;
    assert!(all.matches("\n.TH ").count() > 20, "{all}");
}
