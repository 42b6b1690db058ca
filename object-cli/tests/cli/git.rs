//! `objir` as the diff and the merge driver of git, with the settings of the guide.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{Run, finish, objir, root};

/// A repository in the folder of the tests.
struct Repository(PathBuf);

impl Repository {
    /// Runs git with `objir` in the path.
    fn git(&self, args: &[&str]) -> Run {
        let program = Path::new(env!("CARGO_BIN_EXE_objir")).parent().expect("it is in a folder");
        let path = format!("{}:{}", program.display(), env::var("PATH").unwrap_or_default());
        let mut git = Command::new("git");
        let git = git.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.pager=cat"]).args(args);
        finish(git.current_dir(&self.0).env("PATH", path).env("GIT_CONFIG_GLOBAL", "/dev/null").output())
    }

    fn commit(&self, script: &str) {
        fs::write(self.0.join("model.py"), script).expect("the folder can be written");
        assert_eq!(self.git(&["add", "."]).code, Some(0));
        let run = self.git(&["commit", "-qm", "a change"]);
        assert_eq!(run.code, Some(0), "{}", run.show());
    }
}

/// The commands of the guide that set git up.
fn settings() -> Vec<String> {
    let guide = fs::read_to_string(root().join("docs/7_scripts.md")).expect("the guide is there");
    let block = guide.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the guide has a block");
    block.lines().map(str::to_owned).collect()
}

#[test]
fn git_compares_and_merges_scripts() {
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: git is missing");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repository");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be written");
    let repository = Repository(folder);
    assert_eq!(repository.git(&["init", "-q", "-b", "main"]).code, Some(0));
    for setting in settings() {
        let status = Command::new("sh").args(["-c", &setting]).current_dir(&repository.0).status();
        assert!(status.expect("sh runs").success(), "{setting}");
    }
    fs::write(repository.0.join(".gitattributes"), "model.py diff=objir merge=objir\n").expect("it can be written");
    let base = objir(&["print", "fixtures/mlp.json.gz"]).stdout;
    repository.commit(&base);
    assert_eq!(repository.git(&["checkout", "-qb", "other"]).code, Some(0));
    repository.commit(&base.replace("R.nn.relu(", "R.nn.gelu("));
    let diff = repository.git(&["diff", "main", "other"]);
    assert_eq!(diff.code, Some(0), "{}", diff.show());
    assert!(diff.stdout.contains("main: nn.relu -> nn.gelu"), "{}", diff.show());

    assert_eq!(repository.git(&["checkout", "-q", "main"]).code, Some(0));
    repository.commit(&base.replace("R.nn.softmax(", "R.nn.log_softmax("));
    let merge = repository.git(&["merge", "-q", "-m", "merged", "other"]);
    assert_eq!(merge.code, Some(0), "{}", merge.show());
    let merged = fs::read_to_string(repository.0.join("model.py")).expect("the file is there");
    assert!(merged.contains("R.nn.gelu(") && merged.contains("R.nn.log_softmax("), "{merged}");

    assert_eq!(repository.git(&["checkout", "-qb", "third", "HEAD~1"]).code, Some(0));
    repository.commit(&base.replace("R.nn.relu(", "R.tanh(").replace("R.nn.softmax(", "R.nn.log_softmax("));
    let conflict = repository.git(&["merge", "-q", "-m", "merged", "other"]);
    assert_eq!(conflict.code, Some(1), "{}", conflict.show());
    assert!((conflict.stdout + &conflict.stderr).contains("conflict at <root>.functions"), "{}", conflict.stderr);
    let status = repository.git(&["status", "--short"]);
    assert!(status.stdout.contains("UU model.py"), "{}", status.show());
}
