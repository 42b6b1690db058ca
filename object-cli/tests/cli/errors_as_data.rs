//! Errors and findings in the forms for programs: `--json`, and `--format` sarif and github.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::harness::{objir, own_file, packed, root, text};

/// The commands that read a program, with FILE for it and OUT for a file to write.
const COMMANDS: [&str; 22] = [
    "stats FILE",
    "hash FILE",
    "diff FILE fixtures/mlp.json.gz",
    "diff fixtures/mlp.json.gz FILE --first",
    "patch FILE fixtures/schema.json",
    "merge FILE fixtures/mlp.json.gz fixtures/mlp.json.gz",
    "check FILE",
    "normalize FILE",
    "infer FILE",
    "rewrite FILE --rules object-cli/tests/data/hostile/rule.py",
    "transform FILE FoldConstant",
    "convert FILE OUT.json",
    "roundtrip FILE",
    "print FILE",
    "run FILE",
    "reduce FILE --test true",
    "trace show FILE",
    "bisect FILE",
    "parse FILE",
    "fmt --check FILE",
    "draw FILE",
    "bench FILE",
];

/// The keys of an error, in the order of their names.
const KEYS: [&str; 8] = ["column", "file", "help", "kind", "line", "message", "path", "rule"];

const BROKEN: &str = "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    gv = R.ad(x, x)\n    gx = R.add(x, y)\n    return gw\n";

/// The errors of a run with `--json`, which are the last value on standard output.
fn errors(command: &str, file: &str) -> Vec<Value> {
    let words: Vec<String> = command.split(' ').map(|word| word.replace("FILE", file)).collect();
    let out = own_file("unwritten", b"");
    let words: Vec<String> = words.iter().map(|word| word.replace("OUT", &out)).collect();
    let args: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
    let run = objir(&args);
    assert_eq!(run.code, Some(2), "{command}: {}", run.show());
    assert!(run.is_quiet(), "{command}: {}", run.show());
    let value: Value = run.json();
    let errors = value["errors"].as_array().unwrap_or_else(|| panic!("{command}: {}", run.show())).clone();
    assert!(!errors.is_empty(), "{command}");
    for error in &errors {
        let keys: Vec<&str> = error.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(keys.iter().copied().collect::<BTreeSet<_>>(), KEYS.into_iter().collect(), "{command}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{command}: {error}");
    }
    errors
}

#[test]
fn errors_of_each_command_are_data() {
    let half = packed("mlp.json.gz");
    let half = own_file("half.json.gz", &half[..half.len() / 2]);
    let damaged = own_file("damaged.json", &text("mlp.json.gz").as_bytes()[..1000]);
    let script = own_file("broken_script.py", BROKEN.as_bytes());
    for command in COMMANDS {
        for (file, kind) in
            [("no/such/file.json", "io"), (&half, "io"), (&damaged, "malformed"), (&script, "malformed")]
        {
            let errors = errors(command, file);
            let is_patch = command.starts_with("patch");
            assert_eq!(errors[0]["file"], file, "{command}: {errors:?}");
            assert!(is_patch || errors[0]["kind"] == kind, "{command} {file}: {errors:?}");
            if file == script && !command.starts_with("roundtrip") {
                let places: Vec<_> = errors.iter().map(|it| (it["line"].as_u64(), it["column"].as_u64())).collect();
                assert_eq!(
                    places,
                    [(Some(3), Some(10)), (Some(4), Some(19)), (Some(5), Some(12))],
                    "{command}: {errors:?}"
                );
                assert_eq!(errors[0]["help"], "did you mean `R.add`?", "{command}");
            }
        }
    }
}

#[test]
fn wrong_usage_is_data() {
    for args in
        [&["check", "--json"][..], &["--json", "no-such-command"], &["check", "--format", "json", "--no-such", "x"]]
    {
        let run = objir(args);
        assert!(run.code == Some(2) && run.is_quiet(), "{}", run.show());
        assert_eq!(run.json()["errors"][0]["kind"], "usage", "{}", run.show());
    }
    let run = objir(&["check", "--format=github", "--no-such"]);
    assert!(run.code == Some(2) && run.stdout.starts_with("::error title=usage::"), "{}", run.show());
    let unchecked = objir(&["fmt", "--format", "sarif", "fixtures/mlp.json.gz"]);
    assert!(unchecked.code == Some(2) && unchecked.stdout.contains("add `--check`"), "{}", unchecked.show());
}

#[test]
fn a_file_with_errors_is_in_the_report_of_many() {
    let script = own_file("broken_among_others.py", BROKEN.as_bytes());
    let report = objir(&["check", "--json", &script, "fixtures/mlp.json.gz"]);
    assert!(report.code == Some(2) && report.is_quiet(), "{}", report.show());
    let files = report.json()["files"].clone();
    let failed = files.as_array().and_then(|files| files.iter().find(|file| file["file"] == script)).expect("the file");
    assert_eq!(failed["diagnostics"][2]["line"], 5, "{failed}");
    // One value for each file.
    let run = objir(&["hash", "--json", &script, "fixtures/mlp.json.gz"]);
    let values: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(values[0]["errors"][0]["line"] == 3 && values[1]["hash"].is_string(), "{}", run.show());
}

/// A script that breaks a rule, and one that is not formatted.
fn scripts() -> [String; 2] {
    let script = objir(&["print", "fixtures/mlp.json.gz"]).stdout;
    let ill = script.replace("y1: R.Tensor((n, 8)", "y1: R.Tensor((n, 9)");
    assert_ne!(script, ill);
    [own_file("ill_formed.py", ill.as_bytes()), own_file("unformatted.py", script.replace(" = ", "  =  ").as_bytes())]
}

/// The runs with findings: the words of the command, and the exit code.
fn runs() -> Vec<(Vec<String>, i32)> {
    let [ill, unformatted] = scripts();
    let broken = own_file("broken_for_logs.py", BROKEN.as_bytes());
    let printed = objir(&["print", "fixtures/mlp_changed.json.gz"]).stdout;
    let changed = own_file("changed_for_logs.py", printed.as_bytes());
    [
        (format!("check {ill}"), 1),
        (format!("check {broken}"), 2),
        (format!("check {broken} fixtures/mlp.json.gz no/such.json"), 2),
        ("check fixtures/mlp.json.gz".to_owned(), 0),
        (format!("parse {broken}"), 2),
        (format!("fmt --check {unformatted} {broken}"), 2),
        (format!("fmt --check {unformatted}"), 1),
        (format!("diff fixtures/mlp.json.gz {changed}"), 1),
    ]
    .into_iter()
    .map(|(line, code)| (line.split(' ').map(str::to_owned).collect(), code))
    .collect()
}

#[test]
fn findings_are_commands_of_workflows() {
    let mut seen = BTreeSet::new();
    for (words, code) in runs() {
        let args: Vec<&str> = words.iter().map(String::as_str).chain(["--format", "github"]).collect();
        let run = objir(&args);
        assert!(run.code == Some(code) && run.is_quiet(), "{words:?}: {}", run.show());
        assert_eq!(run.stdout.is_empty(), code == 0, "{}", run.show());
        for line in run.stdout.lines() {
            let (head, message) = line.strip_prefix("::").and_then(|it| it.split_once("::")).expect("a command");
            let (level, properties) = head.split_once(' ').expect("properties");
            assert!(["error", "warning"].contains(&level) && !message.is_empty(), "{line}");
            let title = properties.rsplit_once("title=").expect("a title").1;
            seen.insert(title.to_owned());
            let has_line =
                properties.contains("file=") && properties.contains(",line=") && properties.contains(",col=");
            assert!(has_line || properties.contains("no/such"), "{line}");
        }
    }
    for title in ["malformed", "io", "unformatted", "difference", "call-annotation"] {
        assert!(seen.contains(title), "{seen:?}");
    }
}

/// The official schema of SARIF, which a crate that is never compiled has.
fn sarif_schema() -> Option<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    let found = cargo.args(["metadata", "--format-version", "1"]).current_dir(root()).output().ok()?;
    let metadata: Value = serde_json::from_slice(&found.stdout).ok()?;
    let package = metadata["packages"].as_array()?.iter().find(|it| it["name"] == "serde-sarif")?;
    let manifest = package["manifest_path"].as_str()?;
    let schema = fs::read(std::path::Path::new(manifest).with_file_name("src").join("schema.json")).ok()?;
    let mut schema: Value = serde_json::from_slice(&schema).ok()?;
    // This pattern has a bracket too few, and no log here states a language.
    for place in ["run", "toolComponent"] {
        schema["definitions"][place]["properties"]["language"].as_object_mut()?.remove("pattern");
    }
    Some(schema)
}

#[test]
fn findings_are_a_log_of_sarif() {
    let schema = sarif_schema();
    let validator = schema.map(|schema| jsonschema::validator_for(&schema).expect("the schema of SARIF is one"));
    if validator.is_none() {
        println!("skipped: the schema of SARIF; the structure is tested alone");
    }
    for (words, code) in runs() {
        let args: Vec<&str> = words.iter().map(String::as_str).chain(["--format", "sarif"]).collect();
        let run = objir(&args);
        assert!(run.code == Some(code) && run.is_quiet(), "{words:?}: {}", run.show());
        let log = run.json();
        if let Some(validator) = &validator {
            let faults: Vec<String> =
                validator.iter_errors(&log).map(|it| format!("{it} at {}", it.instance_path())).collect();
            assert!(faults.is_empty(), "{words:?}: {faults:?}\n{log:#}");
        }
        let sarif = &log["runs"][0];
        assert_eq!((&log["version"], &sarif["tool"]["driver"]["name"]), (&"2.1.0".into(), &"objir".into()));
        assert_eq!(sarif["invocations"][0]["executionSuccessful"], code != 2, "{words:?}");
        let results = sarif["results"].as_array().expect("a list");
        assert_eq!(results.is_empty(), code == 0, "{words:?}");
        for result in results {
            let rule = usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("a number");
            assert_eq!(sarif["tool"]["driver"]["rules"][rule]["id"], result["ruleId"], "{words:?}");
            let place = &result["locations"][0]["physicalLocation"];
            assert!(place["artifactLocation"]["uri"].is_string(), "{words:?}: {result:#}");
        }
    }
}
