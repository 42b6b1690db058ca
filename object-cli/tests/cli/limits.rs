//! The limits of `objir`: archives that unpack to far more than their size, endless files, long names; and standard output
//! that is closed.

use std::io::Write;
#[cfg(unix)]
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::harness::{Run, objir, objir_with, own_file};
#[cfg(unix)]
use crate::harness::{command, finish, root};

fn pack(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

#[track_caller]
fn assert_exceeds(run: &Run, limit: &str) {
    assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{}", run.show());
    assert!(run.stderr.contains(&format!("the limit `{limit}` is ")), "{}", run.show());
    let option = format!("(`--{} ", limit.replace('_', "-"));
    assert!(run.stderr.contains(&option) && run.stderr.ends_with("` raises it)\n"), "{}", run.show());
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.show());
}

/// An archive of a few hundred kilobytes that unpacks to half a gigabyte: a graph of None, in parts of a megabyte.
#[test]
fn a_bomb_is_refused_by_default() {
    let node = r#"{"type":"None"},"#;
    let part = pack(node.repeat((1 << 20) / node.len()).as_bytes());
    let mut bomb = pack(br#"{"root_index":0,"nodes":["#);
    (0..512).for_each(|_| bomb.extend_from_slice(&part));
    bomb.extend(pack(br#"{"type":"None"}]}"#));
    assert!(bomb.len() < 2_000_000, "{} bytes", bomb.len());
    let file = own_file("bomb.json.gz", &bomb);
    assert_exceeds(&objir(&["stats", &file]), "max_expansion");
    let small = ["--max-bytes", "3000000"];
    for args in [&["hash", &file][..], &["roundtrip", &file], &["diff", "fixtures/mlp.json.gz", &file]] {
        assert_exceeds(&objir(&[args, &small].concat()), "max_bytes");
    }
    assert_exceeds(&objir(&[&["stats", "fixtures/mlp.json.gz", "--schema", &file], &small[..]].concat()), "max_bytes");
}

/// The option in a message, with its value.
fn advised(run: &Run) -> Vec<String> {
    let option = run.stderr.rsplit_once("(`").and_then(|(_, end)| end.split_once('`'));
    option.unwrap_or_else(|| panic!("{}", run.show())).0.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_message_has_the_option_that_raises_the_limit() {
    let text = crate::harness::text("mlp.json.gz");
    let file = own_file("mlp_plain.json", text.as_bytes());
    for (option, value) in
        [("--max-bytes", "1000"), ("--max-nodes", "100"), ("--max-depth", "5"), ("--max-memory", "8K")]
    {
        let others = ["--max-memory", "64M", "--max-bytes", "1M", "--max-nodes", "1M"];
        let others = others.chunks(2).filter(|pair| pair[0] != option && pair[0] != "--max-nodes").flatten().copied();
        let mut args = vec!["stats".to_owned(), file.clone()];
        args.extend(others.map(str::to_owned));
        if option == "--max-memory" {
            args.extend(["--max-nodes", "1000000"].map(str::to_owned));
        }
        args.extend([option, value].map(str::to_owned));
        // A limit that counts while the work goes on is twice as large after each try.
        let mut tries = 0;
        loop {
            let run = objir(&args.iter().map(String::as_str).collect::<Vec<_>>());
            if run.code == Some(0) {
                break;
            }
            let advised = advised(&run);
            assert_eq!(advised[0], option, "{}", run.show());
            args.truncate(args.len() - 2);
            args.extend(advised);
            tries += 1;
            assert!(tries < if option == "--max-bytes" { 2 } else { 10 }, "{}", run.show());
        }
        assert!(tries > 0, "{option}");
    }
}

#[test]
fn options_set_the_limits() {
    let file = "fixtures/mlp.json.gz";
    for (option, value, limit) in
        [("--max-bytes", "1000", "max_bytes"), ("--max-nodes", "100", "max_nodes"), ("--max-depth", "5", "max_depth")]
    {
        assert_exceeds(&objir(&["stats", file, option, value]), limit);
        assert_eq!(objir(&["stats", file, option, "1000000"]).code, Some(0));
    }
    let schema = own_file("small.schema.json", objir(&["schema", "tirx.Var"]).stdout.as_bytes());
    assert_exceeds(&objir(&["schema", "--schema", &schema, "--max-nodes", "50"]), "max_nodes");
    // An archive may have any number of empty parts.
    let empty = own_file("empty.json.gz", &pack(b"").repeat(1000));
    assert_exceeds(&objir(&["stats", &empty, "--max-bytes", "10000"]), "max_bytes");
    assert_eq!(objir(&["stats", file, "--max-bytes", "many"]).code, Some(2));
    assert_eq!(objir(&["stats", file, "--max-bytes", "2MiB", "--max-memory", "64MB"]).code, Some(0));
}

#[test]
fn messages_are_short() {
    let name = "x".repeat(100_000);
    let graph = format!(r#"{{"root_index":0,"nodes":[{{"type":"{name}","data":0}}]}}"#);
    let run = objir_with(&["stats", "-"], graph.as_bytes());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.len() < 600, "{}", run.show());
    let run = objir_with(&["stats", "-", "--max-message", "50"], graph.as_bytes());
    assert!(run.stderr.len() < 100, "{}", run.show());
}

/// The texts of a script and a graph that act on a terminal, or look like other messages.
const ACTING: [&str; 6] = ["\u{1b}[2J", "\u{9b}2J", "\u{202e}", "\u{2066}", "\u{7f}", "\u{85}"];

#[track_caller]
fn assert_inert(run: &Run, code: i32) {
    assert_eq!(run.code, Some(code), "{}", run.show());
    let acts =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{200e}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = format!("{}{}", run.stdout, run.stderr);
    assert!(!shown.contains(acts) && shown.contains("\\u{"), "{shown:?}");
    assert!(!shown.contains("\nobjir: "), "a name looks like a message: {shown:?}");
}

#[test]
fn messages_are_inert() {
    let acting = ACTING.concat();
    let key = serde_json::Value::from(format!("{acting}\nobjir: evil"));
    let graph = format!(r#"{{"root_index":0,"nodes":[{{"type":{key},"data":{{}}}}]}}"#);
    for command in ["stats", "hash", "check", "print", "run", "roundtrip"] {
        assert_inert(&objir_with(&[command, "-"], graph.as_bytes()), 2);
    }
    let script =
        |body: &str| format!("from tvm.script import relax as R\n@R.function\ndef main(x: R.Object):\n{body}\n");
    for body in [format!("    return f(\"{acting}\")  # {acting}"), format!("    return R.add(x, \"{acting}\")")] {
        for command in ["check", "parse", "print", "fmt", "run"] {
            assert_inert(&objir_with(&[command, "-"], script(&body).as_bytes()), 2);
        }
    }
    // A violation in a correct script.
    let body = format!("    y: R.Object = R.call_packed(\"f\", x)  # {acting}\n    return y");
    assert_inert(
        &objir_with(&["check", "-"], script(&body).replace("R.function", "R.function(pure=True)").as_bytes()),
        1,
    );
    assert_inert(&objir(&["stats", &format!("no/{acting}.json")]), 2);
}

#[test]
fn messages_about_scripts_are_bounded() {
    let script =
        |body: &str| format!("from tvm.script import relax as R\n@R.function\ndef main(x: R.Object):\n{body}\n");
    let long = script(&format!("    return {}", "x".repeat(1_000_000)));
    let many = script(&(0..300).map(|it| format!("    y{it} = R.add(x{it}, x)\n")).collect::<String>());
    let wide = script(&format!("    return f([{}])", "x, ".repeat(100_000)));
    for text in [long, many, wide] {
        for (option, max) in [(&[][..], 4000), (&["--max-message", "1000"], 1000), (&["--max-message", "100"], 100)] {
            let run = objir_with(&[&["check", "-"], option].concat(), text.as_bytes());
            assert!(run.code == Some(2) && run.stderr.chars().count() < max + 50, "{max}: {}", run.show());
        }
    }
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_refused() {
    let args = ["--max-bytes", "1000000"];
    assert_exceeds(&objir(&[&["stats", "/dev/zero"], &args[..]].concat()), "max_bytes");
    assert_exceeds(
        &objir(&[&["stats", "fixtures/mlp.json.gz", "--schema", "/dev/zero"], &args[..]].concat()),
        "max_bytes",
    );
}

/// Runs a line of the shell in which `$OBJIR` is the program.
#[cfg(unix)]
fn shell(line: &str) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env("OBJIR", command(&[]).get_program()).current_dir(root()).stdin(Stdio::null());
    finish(shell.output())
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_an_error() {
    for command in ["stats", "--json stats", "hash", "roundtrip"] {
        let run = shell(&format!("\"$OBJIR\" {command} fixtures/mlp.json.gz >&-"));
        assert_eq!(run.code, Some(2), "{command}: {}", run.show());
        assert_eq!(run.stderr, "objir: <stdout>: it is closed, so the results cannot be written\n", "{command}");
    }
    // The exit code of a broken input is the same, and standard error may be closed as well.
    assert_eq!(shell("\"$OBJIR\" stats no/such/file >&- 2>&-").show(), "[exit code 2]\n");
    // Results that nobody wants.
    assert_eq!(shell("\"$OBJIR\" stats fixtures/mlp.json.gz >/dev/null").show(), "[exit code 0]\n");
    assert_eq!(shell("\"$OBJIR\" stats fixtures/mlp.json.gz <>/dev/null >&0").show(), "[exit code 0]\n");
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_is_quiet() {
    let run = shell("(\"$OBJIR\" schema; echo \"code $?\" >&2) | true");
    assert_eq!(run.stderr, "code 0\n");
    assert_eq!(shell("\"$OBJIR\" schema | head -c 10").stdout, "{\"format\":");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let run = shell("\"$OBJIR\" stats fixtures/mlp.json.gz >/dev/full");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("objir: <stdout>: "), "{}", run.show());
}
