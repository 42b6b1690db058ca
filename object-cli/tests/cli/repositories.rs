//! The hooks of pre-commit and the action of GitHub, which check and format the scripts of a repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::{Run, finish, objir, root};

/// The search path of programs, with the folder of the program under test first.
fn search_path() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_objir")).parent().expect("a folder");
    format!("{}:{}", program.display(), env::var("PATH").unwrap_or_default())
}

/// The output of a program in `folder`.
fn output(program: &Path, args: &[&str], folder: &Path) -> Run {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).env("PATH", search_path()).stdin(Stdio::null());
    for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
        command.env(name, "nobody");
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("PRE_COMMIT_HOME", folder.join(".git/pre-commit"));
    finish(command.output())
}

/// Makes a repository of the files in `folder`.
fn commit(folder: &Path) {
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-qm", "All files"]] {
        let run = output(Path::new("git"), args, folder);
        assert_eq!(run.code, Some(0), "{}", run.show());
    }
}

/// A folder `models` with a script that breaks no rule, in the format of `objir fmt`; its text is the result.
fn write_model(folder: &Path) -> String {
    let script = objir(&["print", "fixtures/mlp.json.gz"]).stdout;
    fs::create_dir(folder.join("models")).expect("a folder");
    fs::write(folder.join("models/good.py"), &script).expect("a file");
    fs::write(folder.join("setup.py"), "import os\nprint( os.name )\n").expect("a file");
    script
}

/// `pre-commit` beside the last Python of `TVM_PYTHONS`, or on the search path.
fn pre_commit() -> Option<PathBuf> {
    let pythons = env::var("TVM_PYTHONS").unwrap_or_default();
    let beside =
        pythons.rsplit(':').next().and_then(|python| Path::new(python).parent()).map(|it| it.join("pre-commit"));
    let found = beside.into_iter().chain([PathBuf::from("pre-commit")]);
    found
        .into_iter()
        .find(|it| Command::new(it).arg("--version").stdout(Stdio::null()).status().is_ok_and(|it| it.success()))
}

#[test]
fn pre_commit_checks_and_formats_scripts() {
    let Some(pre_commit) = pre_commit() else {
        println!("skipped: there is no `pre-commit`, beside the last Python of TVM_PYTHONS or on the search path");
        return;
    };
    let (hooks, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (hooks, folder) = (hooks.path(), folder.path());
    fs::copy(root().join(".pre-commit-hooks.yaml"), hooks.join(".pre-commit-hooks.yaml")).expect("the hooks are there");
    commit(hooks);
    let script = write_model(folder);
    let revision = output(Path::new("git"), &["rev-parse", "HEAD"], hooks).stdout;
    let hook = |id: &str| format!("      - id: {id}\n        files: ^models/\n");
    let config = format!(
        "repos:\n  - repo: {}\n    rev: {revision}    hooks:\n{}{}",
        hooks.display(),
        hook("objir-check"),
        hook("objir-fmt")
    );
    fs::write(folder.join(".pre-commit-config.yaml"), config).expect("a file");
    commit(folder);
    let run = || output(&pre_commit, &["run", "--all-files", "--color", "never"], folder);
    let passed = run();
    assert!(passed.code == Some(0) && passed.stdout.matches("Passed").count() == 2, "{}", passed.show());

    fs::write(folder.join("models/good.py"), script.replace(" = ", "  =  ")).expect("a file");
    let formatted = run();
    assert!(
        formatted.code == Some(1) && formatted.stdout.contains("files were modified by this hook"),
        "{}",
        formatted.show()
    );
    assert_eq!(fs::read_to_string(folder.join("models/good.py")).expect("a file"), script);

    fs::write(folder.join("models/broken.py"), script.replace("return out", "retrun out")).expect("a file");
    assert_eq!(output(Path::new("git"), &["add", "-A"], folder).code, Some(0));
    let failed = run();
    assert!(failed.code == Some(1) && failed.stdout.contains("did you mean `return`?"), "{}", failed.show());
}

/// The commands of the steps of the action, by their names: the text after `run:`.
fn steps(action: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    let mut lines = action.lines().skip_while(|line| !line.trim_start().starts_with("steps:"));
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if let Some(name) = line.strip_prefix("- name: ") {
            steps.push((name.to_owned(), String::new()));
        } else if let (Some(command), Some(step)) = (line.strip_prefix("run: "), steps.last_mut()) {
            let block: Vec<&str> =
                lines.clone().take_while(|line| line.starts_with("        ")).map(str::trim).collect();
            step.1 = if command == "|" { block.join("\n") } else { command.to_owned() };
        }
    }
    steps
}

#[test]
fn the_action_shows_errors_at_their_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let script = write_model(folder);
    let action = fs::read_to_string(root().join("action.yml")).expect("the action is there");
    let steps = steps(&action);
    assert!(steps.len() == 3 && steps.iter().all(|(_, command)| command.contains("objir")), "{steps:?}");
    let run = |command: &str, files: &str| {
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", command]).current_dir(folder);
        finish(bash.env("PATH", search_path()).env("FILES", files).stdin(Stdio::null()).output())
    };
    for (name, command) in &steps {
        let passed = run(command, "models");
        assert_eq!(passed.code, Some(0), "{name}: {}", passed.show());
        assert!(!passed.stdout.contains("::error"), "{name}: {}", passed.show());
    }
    fs::write(folder.join("models/broken.py"), script.replace("return out", "retrun out")).expect("a file");
    fs::write(folder.join("models/loose.py"), script.replace(" = ", "  =  ")).expect("a file");
    let checked = run(&steps[1].1, "models/*.py");
    assert_eq!(checked.code, Some(2), "{}", checked.show());
    assert!(checked.stdout.starts_with("::error file=models/broken.py,line="), "{}", checked.show());
    assert!(checked.stdout.contains("%0Ahelp: did you mean `return`?"), "{}", checked.show());
    let formatted = run(&steps[2].1, "models/loose.py models/good.py");
    assert_eq!(formatted.code, Some(1), "{}", formatted.show());
    assert_eq!(formatted.stdout.lines().count(), 1, "{}", formatted.show());
    assert!(formatted.stdout.contains("title=unformatted::"), "{}", formatted.show());
}
