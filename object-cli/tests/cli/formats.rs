//! Programs in JSON, as scripts and as binary graphs: `objir convert A B`, and the commands on each format.

use std::fs;
use std::path::Path;

use object_core::{Array, DataType, Shape, Tensor, json};

use crate::harness::{FIXTURES, objir, own_file, text};

/// The name of a file of this test that does not exist.
fn new_file(name: &str) -> String {
    let file = own_file(name, b"");
    fs::remove_file(&file).expect("it exists");
    file
}

/// The output of a successful command.
fn done(args: &[&str]) -> String {
    let run = objir(args);
    assert_eq!(run.code, Some(0), "{}", run.show());
    run.stdout
}

#[test]
fn a_program_comes_back_from_each_format() {
    for fixture in FIXTURES {
        let file = format!("fixtures/{fixture}");
        let stem = fixture.split('.').next().unwrap_or_default();
        let (binary, json) = (new_file(&format!("{stem}.safetensors")), new_file(&format!("{stem}_again.json")));
        done(&["convert", &file, &binary]);
        done(&["convert", &binary, &json]);
        assert_eq!(fs::read_to_string(&json).expect("it is written"), text(fixture), "{fixture}");
        let hash = |file: &str| done(&["hash", "--map-free-vars", file]).split(' ').next().map(str::to_owned);
        assert_eq!(hash(&binary), hash(&file), "{fixture}");
    }
}

#[test]
fn commands_read_binary_graphs() {
    let (file, changed) = ("fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz");
    let [binary, other] = [(file, "mlp_a.safetensors"), (changed, "mlp_b.safetensors")].map(|(from, name)| {
        let out = new_file(name);
        done(&["convert", from, "-o", &out]);
        out
    });
    for command in [&["print"][..], &["check"], &["stats", "--json"], &["run", "--seed", "1"], &["infer"], &["draw"]] {
        let on = |file: &str| {
            let run = objir(&[command, &[file]].concat());
            (run.code, run.stdout.replace(file, "FILE"))
        };
        assert_eq!(on(&binary), on(file), "{command:?}");
    }
    let [binaries, texts] = [[&*binary, &*other], [file, changed]].map(|[a, b]| {
        let run = objir(&["diff", a, b]);
        (run.code, run.stdout.replace(a, "A").replace(b, "B"))
    });
    assert_eq!(binaries, texts);
    let script = new_file("mlp_from_binary.py");
    done(&["convert", &binary, &script]);
    assert_eq!(done(&["print", &script, "--show-meta"]), done(&["print", file, "--show-meta"]));
}

#[test]
fn a_binary_graph_of_a_later_version_is_of_that_version() {
    let binary = new_file("mlp27.safetensors");
    done(&["convert", "fixtures/tvm27_mlp.json.gz", &binary]);
    let json = done(&["convert", &binary, "--to", "0.27"]);
    assert_eq!(json.trim_end(), text("tvm27_mlp.json.gz"));
    assert_eq!(
        done(&["convert", &binary, "--to", "0.25"]),
        done(&["convert", "fixtures/tvm27_mlp.json.gz", "--to", "0.25"])
    );
}

#[test]
fn large_tensors_flow_through_files_into_a_binary_graph() {
    let tensor = |first: u8| {
        let data: Vec<u8> = (0..1 << 20).map(|index| (index % 251) as u8 ^ first).collect();
        Tensor::new(DataType::uint(8), Shape::new(&[1 << 20]), data).expect("a tensor")
    };
    let text = json::to_string(&Array::from([tensor(1), tensor(2), tensor(3)])).expect("it is saved");
    let (file, binary, again) =
        (own_file("large.json", text.as_bytes()), new_file("large.safetensors"), new_file("large_again.json"));
    done(&["convert", &file, &binary]);
    done(&["convert", &binary, &again]);
    assert_eq!(fs::read_to_string(&again).expect("it is written"), text);
    // A fault in the text of a tensor is the error of a conversion in memory.
    let at = text.len() / 2;
    let broken = own_file("large_broken.json", format!("{}*{}", &text[..at], &text[at + 1..]).as_bytes());
    let [to_binary, to_json] = [&binary, &again].map(|out| objir(&["convert", &broken, out]));
    assert_eq!((to_binary.code, &to_binary.stderr), (Some(2), &to_json.stderr), "{}", to_binary.show());
}

#[test]
fn a_damaged_file_is_an_error() {
    let binary = new_file("damaged.safetensors");
    done(&["convert", "fixtures/mlp.json.gz", &binary]);
    let whole = fs::read(&binary).expect("it is written");
    for (at, byte) in [(100, b'x'), (whole.len() - 900, 0xff), (whole.len() - 300, 0xff)] {
        let mut damaged = whole.clone();
        damaged[at] = byte;
        fs::write(&binary, &damaged).expect("it can be written");
        let run = objir(&["hash", &binary]);
        let name = Path::new(&binary).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        assert!(run.code == Some(0) || run.code == Some(2) && run.stderr.contains(name), "{}", run.show());
        assert!(!run.stderr.contains("panicked"), "{}", run.show());
    }
    fs::write(&binary, &whole[..whole.len() / 2]).expect("it can be written");
    let run = objir(&["hash", &binary]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(run.stderr.contains("the header of the container"), "{}", run.show());
}
