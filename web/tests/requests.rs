//! The answers to requests: the ones of the command for the fixtures, and errors for bad input.

use std::path::Path;

use serde_json::{Value, json};

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The whole answer to a request about files with these names and contents.
fn whole(request: &Value, files: &[(&str, &[u8])]) -> Value {
    let mut request = request.clone();
    request["names"] = files.iter().map(|(name, _)| *name).collect();
    let contents: Vec<Vec<u8>> = files.iter().map(|(_, content)| content.to_vec()).collect();
    serde_json::from_str(&object_web::answer(request.to_string().as_bytes(), &contents)).expect("answers are JSON")
}

fn answer(request: &Value, files: &[(&str, &[u8])]) -> Value {
    let answer = whole(request, files);
    assert_eq!(answer["error"], Value::Null);
    answer["answer"].clone()
}

fn error(request: &Value, files: &[(&str, &[u8])]) -> Value {
    let answer = whole(request, files);
    assert_eq!(answer["answer"], Value::Null);
    answer["error"].clone()
}

fn named(request: &str) -> Value {
    json!({ "request": request })
}

/// A script with one violation: `y` is not of the stated type.
const WRONG: &str = r#"# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        # ein Kommentar: größer 🙂
        y: R.Tensor((2, 4), dtype="float32") = R.add(x, x)
        return y
"#;

fn marked(shown: &Value, mark: &Value) -> String {
    let text: Vec<u16> = shown["text"].as_str().expect("a text").encode_utf16().collect();
    let place = |end: usize| mark["range"][end].as_u64().expect("a place") as usize;
    String::from_utf16(&text[place(0)..place(1)]).expect("a whole text")
}

#[test]
fn a_script_prints_and_reads_back() {
    let mlp = fixture("mlp.json.gz");
    let script = answer(&named("print"), &[("mlp.json.gz", &mlp)])["script"].as_str().expect("a script").to_owned();
    assert!(script.contains("def main("), "{script}");
    let again = answer(&named("print"), &[("mlp.py", script.as_bytes())]);
    assert_eq!(again["script"], *script);
    let page = answer(&json!({ "request": "print", "page": true }), &[("mlp.json.gz", &mlp)]);
    assert!(page["page"].as_str().is_some_and(|page| page.starts_with("<!DOCTYPE html>")));
}

#[test]
fn a_program_has_one_hash_as_a_graph_and_as_a_script() {
    let hash = |name: &str, content: &[u8]| answer(&named("hash"), &[(name, content)])["hash"].clone();
    for name in ["mlp.json.gz", "decoder_small.json.gz", "tvm27_mlp.json.gz"] {
        let content = fixture(name);
        let script = answer(&named("print"), &[(name, &content)])["script"].as_str().expect("a script").to_owned();
        assert_eq!(hash(name, &content), hash("script.py", script.as_bytes()), "{name}");
    }
    let [mlp, renamed, changed] = ["mlp", "mlp_renamed", "mlp_changed"].map(|it| fixture(&format!("{it}.json.gz")));
    assert_eq!(hash("a", &mlp), hash("b", &renamed));
    assert_ne!(hash("a", &mlp), hash("b", &changed));
}

#[test]
fn violations_have_places_in_the_given_script() {
    let checked = answer(&named("check"), &[("wrong.py", WRONG.as_bytes())]);
    assert_eq!(checked["is_well_formed"], false);
    assert_eq!(checked["shown"]["text"], WRONG);
    let marks = checked["shown"]["marks"].as_array().expect("marks");
    let first = marks.iter().find(|mark| mark["level"] == "error").expect("an error");
    let place = marked(&checked["shown"], first);
    assert!(place.contains("R.add(x, x)") || place.contains("y: R.Tensor"), "{first} at {place}");
    assert!(first["rule"].is_string());
}

#[test]
fn a_graph_has_its_violations_in_the_printed_script() {
    let checked = answer(&named("check"), &[("mlp.json.gz", &fixture("mlp.json.gz"))]);
    assert_eq!(checked["verdict"], "well-formed: 0 errors, 0 warnings");
    assert_eq!(checked["profile"], "tvm-0.25");
}

#[test]
fn errors_of_a_script_have_places() {
    let text = WRONG.replace("return y", "retrun y");
    for request in ["print", "check", "infer", "hash"] {
        let error = error(&named(request), &[("wrong.py", text.as_bytes())]);
        assert_eq!(error["kind"], "Malformed");
        let mark = &error["shown"]["marks"][0];
        assert_eq!(mark["help"], "did you mean `return`?", "{error}");
        let line = text.lines().position(|line| line.contains("retrun")).expect("a line");
        let before = text.encode_utf16().take(mark["range"][0].as_u64().expect("a place") as usize);
        assert_eq!(before.filter(|unit| *unit == u16::from(b'\n')).count(), line);
    }
}

#[test]
fn an_error_that_names_of_characters_can_cause_says_which_module_has_them() {
    let module = cfg!(not(feature = "run")).then_some("run");
    let wrong = WRONG.replace("R.add(x, x)", r#"R.add(x, "\N{NO SUCH NAME}")"#);
    assert_eq!(error(&named("print"), &[("a.py", wrong.as_bytes())])["module"], json!(module));
    let wrong = WRONG.replace("R.add(x, x)", "R.add(x, ");
    assert_eq!(error(&named("print"), &[("a.py", wrong.as_bytes())])["module"], Value::Null);
}

#[test]
fn an_inference_completes_a_program() {
    let text = WRONG.replace("y: R.Tensor((2, 4), dtype=\"float32\")", "y");
    let inferred = answer(&named("infer"), &[("open.py", text.as_bytes())]);
    let script = inferred["shown"]["text"].as_str().expect("a script");
    assert!(script.contains("y: R.Tensor((2, 3), dtype=\"float32\") = R.add(x, x)"), "{script}");
    let legalized = fixture("decoder_small.json.gz");
    assert!(answer(&named("infer"), &[("decoder.json.gz", &legalized)])["shown"]["text"].is_string());
}

#[test]
fn a_diff_is_a_text_and_a_page() {
    let (a, b) = (fixture("mlp.json.gz"), fixture("mlp_changed.json.gz"));
    let changed = answer(&named("diff"), &[("a.json", &a), ("b.json", &b)]);
    assert_eq!(changed["equal"], false);
    assert!(changed["summary"].as_str().is_some_and(|it| it.starts_with("different: a.json and b.json, in ")));
    assert!(changed["text"].as_str().is_some_and(|it| it.contains("a.json") && !it.contains('\u{1b}')));
    assert!(changed["page"].as_str().is_some_and(|it| it.contains("<mark data-d=\"1\"")));
    let same = answer(&named("diff"), &[("a.json", &a), ("b.json", &fixture("mlp_renamed.json.gz"))]);
    assert_eq!((&same["equal"], &same["page"]), (&json!(true), &Value::Null));
    let failed = error(&named("diff"), &[("a.json", &a), ("b.json", b"{}")]);
    assert_eq!(failed["file"], 1);
}

/// A schema of a small language with binders, and two of its values.
const SCHEMA: &str = include_str!("../site/example.schema.json");

fn language(options: &Value, a: &str, b: &str) -> Value {
    let mut request = options.clone();
    request["request"] = json!("language");
    whole(&request, &[("schema", SCHEMA.as_bytes()), ("a", a.as_bytes()), ("b", b.as_bytes())])
}

#[test]
fn values_of_a_language_compare_by_its_schema() {
    let identity = |name: &str| format!("demo.Lambda(param=%0 = demo.Var(name=\"{name}\"), body=%0)");
    let renamed = language(&json!({}), &identity("x"), &identity("y"));
    assert_eq!(renamed["answer"]["equal"], true, "{renamed}");
    assert_eq!(renamed["answer"]["hashes"][0], renamed["answer"]["hashes"][1]);
    let (x, y) = ("demo.Var(name=\"x\")", "demo.Var(name=\"y\")");
    assert_eq!(language(&json!({}), x, y)["answer"]["equal"], false);
    assert_eq!(language(&json!({ "map_free_vars": true }), x, y)["answer"]["equal"], true);
    let numbers = [
        "demo.Add(lhs=demo.Num(value=1), rhs=demo.Num(value=2))",
        "demo.Add(lhs=demo.Num(value=1), rhs=demo.Num(value=3))",
    ];
    let differ = language(&json!({}), numbers[0], numbers[1]);
    assert_eq!(differ["answer"]["mismatch"]["paths"], json!(["<root>.rhs.value", "<root>.rhs.value"]));
    let wrong = language(&json!({}), x, "demo.Vra(name=\"x\")");
    assert_eq!((&wrong["error"]["kind"], &wrong["error"]["file"]), (&json!("UnknownType"), &json!(2)));
    let wrong = whole(&named("language"), &[("schema", b"{"), ("a", b"1"), ("b", b"1")]);
    assert_eq!(wrong["error"]["file"], 0);
}

#[test]
fn bad_requests_and_files_are_errors() {
    for (request, files) in [
        (named("print"), vec![]),
        (named("nothing"), vec![("a", &b"{}"[..])]),
        (json!({ "request": 3, "names": 3 }), vec![]),
        (named("print"), vec![("a", &b"\xff\xfe"[..])]),
        (named("print"), vec![("a.py", &b"\xff\xfe"[..])]),
        (named("hash"), vec![("a", &b"[1, 2"[..])]),
        (named("print"), vec![("a.gz", &b"\x1f\x8b\x08"[..])]),
    ] {
        let error = error(&request, &files);
        assert!(error["message"].as_str().is_some_and(|message| message.len() > 10), "{error}");
    }
    for request in [&b"{"[..], b"3", b"[]", b"null"] {
        let answer = object_web::answer(request, &[]);
        assert!(answer.contains(r#""kind":"Malformed""#), "{answer}");
    }
}

/// A chain of tuples as a JSON graph.
fn chain(levels: usize) -> Vec<u8> {
    let mut text = r#"{"root_index":"#.to_owned()
        + &(levels + 1).to_string()
        + r#","nodes":[{"type":"None"},{"type":"ffi.Array","data":[]}"#;
    for level in 0..levels {
        text.push_str(&format!(r#",{{"type":"ffi.Array","data":[{}]}}"#, level + 1));
    }
    text.push_str("]}");
    text.into_bytes()
}

#[test]
fn a_deep_graph_has_a_hash_and_no_script() {
    let deep = chain(50_000);
    let hashed = answer(&named("hash"), &[("deep.json", &deep)]);
    assert_eq!(hashed["depth"], 50_001);
    for request in ["print", "check", "infer"] {
        let error = error(&named(request), &[("deep.json", &deep)]);
        assert_eq!(error["kind"], "LimitExceeded", "{error}");
        assert!(error["message"].as_str().is_some_and(|it| it.contains("max_depth")), "{error}");
    }
}

#[cfg(feature = "run")]
mod runs {
    use super::*;

    #[test]
    fn a_run_has_arguments_and_a_result() {
        let text = WRONG.replace("(2, 4)", "(2, 3)");
        let files: &[(&str, &[u8])] = &[("add.py", text.as_bytes())];
        let functions = answer(&named("functions"), files);
        assert_eq!(functions["functions"][0]["name"], "main");
        assert_eq!(functions["functions"][0]["parameters"][0]["name"], "x");
        let first = answer(&json!({ "request": "run", "seed": 7 }), files);
        assert_eq!(first, answer(&json!({ "request": "run", "seed": 7 }), files));
        assert_ne!(first, answer(&json!({ "request": "run", "seed": 8 }), files));
        assert!(first["kind"].as_str().is_some_and(|it| it.contains("float32")), "{first}");
    }

    #[test]
    fn a_failing_run_is_an_error() {
        let text = WRONG.replace("(2, 4)", "(2, 3)");
        let files: &[(&str, &[u8])] = &[("add.py", text.as_bytes())];
        let error = error(&json!({ "request": "run", "function": "nothing" }), files);
        assert!(error["message"].as_str().is_some_and(|it| it.contains("nothing")), "{error}");
    }
}
