//! The commands of the chapter about running a module.

use std::fs;
use std::path::Path;

use object_ir::eval::{Meter, Tensor, npy};

use crate::harness::{finish, program, root};

/// A tensor of ones of the type `float32`.
fn ones(shape: &[i64]) -> Tensor {
    let count = usize::try_from(shape.iter().product::<i64>()).expect("a size");
    Tensor::from_elements::<f32>(shape, vec![1.0; count], &Meter::unlimited()).expect("a tensor")
}

#[test]
fn the_commands_of_the_chapter_about_running_work() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    fs::create_dir_all(&folder).expect("the folder of the tests can be written");
    fs::write(folder.join("b0.npy"), npy::write_npy(&ones(&[32])).expect("an array")).expect("a file");
    let weights = fs::File::create(folder.join("weights.npz")).expect("a file");
    npy::write_npz(weights, [("w0", &ones(&[16, 32]))]).expect("arrays");
    let chapter = fs::read_to_string(root().join("docs/8_running_a_module.md")).expect("the chapter is there");
    let fixtures = root().join("fixtures").display().to_string();
    let mut lines = chapter.lines().peekable();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ objir ") else { continue };
        let expected = lines.peek().and_then(|next| next.strip_prefix("[exit code ")?.strip_suffix(']')?.parse().ok());
        let args: Vec<String> = command.split_whitespace().map(|arg| arg.replacen("fixtures", &fixtures, 1)).collect();
        let run = finish(program().args(&args).current_dir(&folder).output());
        assert_eq!(run.code, Some(expected.unwrap_or(0)), "{line}: {}", run.show());
        commands += 1;
    }
    assert!(commands >= 5, "{commands} commands");
    assert!(folder.join("result.npy").exists(), "`--out` writes the result");
}
