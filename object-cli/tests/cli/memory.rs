//! The account of memory: each surface ends with an error at the limit, in a process that cannot get much more memory.

use std::fmt::Write as _;
use std::process::Command;

use object_eval::{Meter, Tensor, npy};

use crate::harness::{Run, command, finish, objir, own_file, root};

/// Runs `objir` in a process that has less than a gigabyte of address space.
fn confined(args: &[&str]) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 900000; exec \"$0\" \"$@\""]).arg(command(&[]).get_program()).args(args);
    finish(shell.current_dir(root()).output())
}

#[track_caller]
fn assert_ends(run: &Run, limit: &str) {
    // With `--json`, the error is on standard output.
    let message = if run.is_quiet() && run.stdout.starts_with("{\"errors\"") { &run.stdout } else { &run.stderr };
    let is_error = run.code == Some(2) && (run.stdout.is_empty() || run.is_quiet());
    assert!(is_error, "code {:?}, {} bytes, {}", run.code, run.stdout.len(), run.stderr);
    assert!(message.contains(&format!("the limit `max_memory` is {limit}, ")), "{}", run.show());
    assert!(message.contains("`--max-memory "), "{}", run.show());
}

/// A module with a function that returns `value`, a tensor of the shape `(count,)`.
fn module(name: &str, count: u64, dtype: &str, value: &str) -> String {
    let text = format!(
        "from tvm.script import ir as I, relax as R\n@I.ir_module\nclass Module:\n    @R.function\n    \
         def main(x: R.Tensor((2,), dtype=\"float32\")) -> R.Tensor(({count},), dtype=\"{dtype}\"):\n        \
         return {value}\n"
    );
    own_file(name, text.as_bytes())
}

fn zeros(count: u64) -> String {
    module(&format!("zeros_{count}.py"), count, "float32", &format!("R.zeros(R.shape([{count}]), dtype=\"float32\")"))
}

/// A function with a tuple of two tuples, of two tuples each, and so on. The graph has two objects for each level, and its
/// script has twice as many for each level.
fn tuples(depth: usize) -> String {
    let mut text =
        "from tvm.script import relax as R\n@R.function\ndef main(t0: R.Tensor((4,), dtype=\"float32\")):\n".to_owned();
    for level in 1..=depth {
        writeln!(text, "    t{level} = (t{}, t{})", level - 1, level - 1).expect("memory takes everything");
    }
    own_file(&format!("tuples_{depth}.py"), (text + "    return t0\n").as_bytes())
}

#[test]
fn the_text_of_a_result_ends_at_the_limit() {
    let file = zeros(4_000_000);
    assert_ends(&confined(&["run", &file, "--max-memory", "64M"]), "64M");
}

#[test]
fn a_tensor_ends_at_the_limit_or_at_the_memory_of_the_machine() {
    let file = zeros(1_500_000_000);
    assert_ends(&confined(&["run", &file]), "4G");
    let run = confined(&["run", &file, "--max-memory", "1T"]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(run.stderr.contains("no memory for a value of 6000000000 bytes"), "{}", run.show());
}

/// An operator computes with integers of 16 bytes.
#[test]
fn the_arrays_of_an_operator_count() {
    let value = "R.bitwise_not(R.zeros(R.shape([1000000]), dtype=\"int8\"))";
    let file = module("bits.py", 1_000_000, "int8", value);
    assert_ends(&confined(&["run", &file, "--max-memory", "12M"]), "12M");
}

/// A graph whose lists are larger than their text, and a script.
#[test]
fn a_graph_ends_at_the_limit() {
    let list = format!(r#"{{"type":"ffi.Array","data":[0{}]}}"#, ",0".repeat(500_000));
    let file = own_file("list.json", format!(r#"{{"root_index":1,"nodes":[{{"type":"None"}},{list}]}}"#).as_bytes());
    let limit = |memory: &'static str| ["--max-memory", memory, "--max-bytes", "4M", "--max-nodes", "3000000"];
    for command in ["stats", "hash", "roundtrip"] {
        assert_ends(&confined(&[&[command, &file], &limit("4M")[..]].concat()), "4M");
    }
    assert_eq!(confined(&[&["stats", &file], &limit("16M")[..]].concat()).code, Some(0));
    let lines: String = (0..5000).fold(String::new(), |text, line| text + &format!("    y{line} = R.add(x, x)\n"));
    let head = "from tvm.script import relax as R\n@R.function\ndef main(x: R.Tensor((4,), dtype=\"float32\")):\n";
    let script = own_file("lines.py", format!("{head}{lines}    return x\n").as_bytes());
    for command in ["stats", "check", "print"] {
        assert_ends(&confined(&[command, &script, "--max-memory", "1M"]), "1M");
    }
    assert_eq!(confined(&["stats", &script, "--max-memory", "16M"]).code, Some(0));
}

/// An archive with an array of zeros, which is a thousandth of its size.
#[test]
fn an_array_of_an_archive_ends_at_the_limit() {
    let meter = Meter::unlimited();
    let [small, large] = [2, 4_000_000]
        .map(|count| Tensor::zeros("float32".parse().expect("a type"), &[count], &meter).expect("a tensor"));
    let mut archive = std::io::Cursor::new(Vec::new());
    npy::write_npz(&mut archive, [("small", &small), ("large", &large)]).expect("arrays");
    let archive = archive.into_inner();
    assert!(archive.len() < 40_000, "{} bytes", archive.len());
    let file = own_file("bomb.npz", &archive);
    let module = module("identity.py", 2, "float32", "R.add(x, x)");
    let run = |name: &str| confined(&["run", &module, "--arg", &format!("x={file}:{name}"), "--max-memory", "8M"]);
    assert_ends(&run("large"), "8M");
    assert!(run("large").stderr.contains("bomb.npz"), "{}", run("large").show());
    assert_eq!(run("small").stdout, "[0.0, 0.0]\n", "{}", run("small").show());
}

/// A file states lengths that it does not have.
#[test]
fn a_stated_length_takes_no_memory() {
    let module = module("of_npy.py", 2, "float32", "R.add(x, x)");
    let run = |file: &str| confined(&["run", &module, "--arg", &format!("x={file}")]);
    let header = own_file("header.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff");
    let run_of_header = run(&header);
    assert_eq!(run_of_header.code, Some(2), "{}", run_of_header.show());
    assert!(run_of_header.stderr.contains("its header has 4294967295 bytes"), "{}", run_of_header.show());
    let mut content = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
    content.extend(format!("{:<69}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (1500000000,), }").bytes());
    assert_ends(&run(&own_file("shape.npy", &content)), "4G");
}

/// The graph of the types is small, and their text has a trillion parts.
#[test]
fn a_script_of_shared_types_ends_at_once() {
    let file = tuples(40);
    let page = own_file("tuples.html", b"before");
    let printed: [&[&str]; 6] = [
        &["print"],
        &["print", "--json"],
        &["print", "--exact"],
        &["print", "--line-numbers"],
        &["print", "--html", &page],
        &["roundtrip"],
    ];
    for args in printed {
        let run = confined(&[args, &[&file]].concat());
        assert_ends(&run, "4G");
        assert!(run.show().contains("a shared value prints once for each use"), "{}", run.show());
    }
    assert_eq!(std::fs::read_to_string(&page).expect("a file"), "before", "the page stays as it was");
}

/// The limits between the tree of a text, its pieces and the page.
#[test]
fn a_script_and_its_page_end_at_the_limit() {
    let file = tuples(10);
    let page = own_file("tuples_10.html", b"before");
    let ends =
        |args: &[&str], limit: &str| assert_ends(&confined(&[args, &[&file, "--max-memory", limit]].concat()), limit);
    ends(&["print"], "512K");
    ends(&["print", "--line-numbers"], "2M");
    ends(&["print", "--json"], "5M");
    ends(&["print", "--html", &page], "5M");
    for args in [&["print"][..], &["print", "--line-numbers"], &["print", "--html", &page], &["print", "--json"]] {
        let run = confined(&[args, &[&file, "--max-memory", "64M"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
}

/// The text fits, and its tree does not.
#[test]
fn an_exact_script_counts_the_text_that_it_reads_back() {
    let file = tuples(10);
    let exact = |limit: &str| confined(&["print", "--exact", &file, "--max-memory", limit]);
    assert_ends(&exact("4M"), "4M");
    assert!(exact("4M").stderr.contains("the exact script, which is read back"), "{}", exact("4M").show());
    assert_eq!(exact("64M").code, Some(0), "{}", exact("64M").stderr);
}

#[test]
fn a_formatted_script_ends_at_the_limit() {
    let file = tuples(10);
    let format = |limit: &str| confined(&["fmt", "--check", &file, "--max-memory", limit]);
    assert_ends(&format("1M"), "1M");
    assert!(format("64M").stderr.contains("formatting makes more than"), "{}", format("64M").show());
}

/// Each class adds a field, and each constructor takes all inherited ones.
#[test]
fn the_text_of_a_chain_of_classes_ends_at_the_limit() {
    let mut text = "@declare\nclass C0Node(Object):\n    type_key = \"a.C0\"\n".to_owned();
    for class in 1..=300 {
        let (parent, field) = (class - 1, format!("x{class}: ty.int64_t"));
        writeln!(text, "@declare\nclass C{class}Node(C{parent}Node):\n    type_key = \"a.C{class}\"\n    {field}")
            .expect("memory takes everything");
    }
    let file = own_file("chain.py", text.as_bytes());
    let written = |target: &str| confined(&["codegen", &file, "--lang", target, "--max-memory", "4M"]);
    for target in ["cpp", "python-wrappers", "rust"] {
        let run = written(target);
        assert_ends(&run, "4M");
        assert!(run.stderr.contains("`a.C"), "{}", run.show());
    }
    for target in ["cpp-source", "python", "schema"] {
        let run = written(target);
        assert_eq!(run.code, Some(0), "{target}: {}", run.stderr);
    }
    let regions: String = (0..=300).map(|class| format!("// tschema: C{class}\n// tschema: end\n")).collect();
    let header = own_file("chain.h", regions.as_bytes());
    let run = confined(&["codegen", &file, "--lang", "cpp", "--in-place", &header, "--check", "--max-memory", "4M"]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(run.stderr.contains("the limit `max_memory` is 4M, "), "{}", run.show());
}

/// The text of a key is thousands of times as long as the key.
#[test]
fn a_script_of_maps_as_keys_of_maps_takes_bounded_memory() {
    let maps: String = (0..1000).map(|below| format!(r#",{{"type":"ffi.Map","data":[{below},{below}]}}"#)).collect();
    let graph = format!(r#"{{"root_index":1000,"nodes":[{{"type":"None"}}{maps}]}}"#);
    let file = own_file("keys.json", graph.as_bytes());
    let run = confined(&["diff", &file, &file, "--max-memory", "16M"]);
    assert_eq!(run.code, Some(1), "{}", run.show());
}

#[test]
fn an_incomplete_script_is_an_error() {
    let mut text =
        "from tvm.script import relax as R\n@R.function\ndef main(t0: R.Tensor((4,), dtype=\"float32\")):\n".to_owned();
    for level in 1..=1100 {
        writeln!(text, "    t{level} = (t{},)", level - 1).expect("memory takes everything");
    }
    let file = own_file("deep_tuples.py", (text + "    return t0\n").as_bytes());
    let run = objir(&["print", &file]);
    assert!(run.code == Some(2) && run.stdout.is_empty(), "code {:?}, {}", run.code, run.stderr);
    assert!(run.stderr.contains("the limit `max_nesting` is 1000"), "{}", run.show());
}

#[test]
fn sizes_have_suffixes() {
    for size in ["3000000000", "4G", "100m", "70000k"] {
        assert_eq!(objir(&["stats", "fixtures/mlp.json.gz", "--max-memory", size, "--max-bytes", "1m"]).code, Some(0));
    }
    let run = objir(&["stats", "fixtures/mlp.json.gz", "--max-memory", "lots"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("expected a size such as `1000000`, `512M` or `2G`, got `lots`"), "{}", run.show());
    // The limits of the readers follow.
    let run = objir(&["stats", "fixtures/mlp.json.gz", "--max-memory", "2000"]);
    assert!(run.stderr.contains("the limit `max_bytes` is 1000,"), "{}", run.show());
}
