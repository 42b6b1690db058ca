//! The files that `objir` writes: a failure leaves the old files, and no others.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{command, finish, objir, program, root};

/// An empty folder of the tests.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("written").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the folder of the tests can be written");
    path
}

const UNFORMATTED: &str = "from tvm.script import relax as R\n@R.function\ndef main(x: R.Object):\n  return x\n";

#[test]
fn fmt_goes_on_after_a_file_with_an_error() {
    let folder = folder("fmt");
    let [one, two, wrong] = ["one.py", "two.py", "wrong.py"].map(|name| folder.join(name).display().to_string());
    fs::write(&one, UNFORMATTED).expect("a file");
    fs::write(&two, UNFORMATTED).expect("a file");
    fs::write(&wrong, UNFORMATTED.replace("return x", "return y")).expect("a file");
    let read = |name: &str| fs::read_to_string(name).expect("a file");
    assert_eq!(objir(&["fmt", "--write", &one, &wrong, &two]).code, Some(2));
    assert!(read(&one) == read(&two) && read(&one) != UNFORMATTED);
    assert_eq!(read(&wrong), UNFORMATTED.replace("return x", "return y"));
    assert_eq!(objir(&["fmt", "--write", &one, &two]).show(), "[exit code 0]\n");
    assert_eq!(fs::read_dir(&folder).expect("the folder is there").count(), 3);
}

/// The limit of the size of files stands for a full disk.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder("full");
    let out = folder.join("out");
    let module = "fixtures/mlp.json.gz";
    let text = out.display().to_string();
    for args in [
        &["infer", module, "-o", &text][..],
        &["print", module, "--html", &text],
        &["draw", module, "-o", &text],
        &["codegen", "--lang", "rust", "-o", &text, "--overwrite"],
    ] {
        fs::write(&out, "old").expect("a file");
        let mut full = std::process::Command::new("sh");
        full.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\""]).arg(program().get_program()).args(args);
        let run = finish(full.current_dir(root()).output());
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.show());
        assert!(run.stderr.starts_with("objir: ") && run.stderr.contains("out: "), "{args:?}: {}", run.show());
        assert_eq!(fs::read_to_string(&out).expect("a file"), "old", "{args:?}");
        assert_eq!(fs::read_dir(&folder).expect("the folder is there").count(), 1, "{args:?}");
        assert_eq!(finish(command(args).output()).code, Some(0), "{args:?}");
        assert_ne!(fs::read_to_string(&out).expect("a file"), "old", "{args:?}");
    }
}

#[test]
#[cfg(unix)]
fn output_goes_to_a_stream() {
    let to_file = objir(&["infer", "fixtures/mlp.json.gz", "-o", "/dev/stdout"]);
    assert_eq!(to_file.code, Some(0), "{}", to_file.show());
    assert!(to_file.stdout.starts_with("{\"root_index\""), "{}", to_file.show());
    assert!(Path::new("/dev/stdout").exists());
}
