//! Agreement with tvm-ffi on the same graphs of types of Python. `PEER_PYTHON` names a Python with tvm-ffi 0.1.15. Without this variable,
//! the test prints that it is skipped.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::recipe::Recipe;
use crate::reference::Options;
use crate::verdicts::{Question, Verdict, classes, our_verdict, reason};
use object_tests::setting;

#[derive(Default)]
struct Tally {
    pairs: u64,
    equal: u64,
    /// Pairs that are equal in tvm-ffi but have different hashes in tvm-ffi.
    hash_differs: u64,
    reasons: BTreeMap<String, u64>,
}

fn write(recipe: &Recipe) -> Value {
    recipe.parts.iter().map(|part| json!([format!("{:?}", part.make), part.n, part.args])).collect()
}

/// Sends all questions to the peer in one run.
fn ask(python: &str, questions: &[Question]) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/peer_laws.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("PEER_PYTHON names a program");
    let mut input = child.stdin.take().expect("it is piped");
    let lines: Vec<String> = questions
        .iter()
        .map(|question| {
            let Question { a, b, options, .. } = question;
            let Options { map_free_vars, skip_tensor_content, .. } = options;
            json!({"a": write(a), "b": write(b), "free": map_free_vars, "skip": skip_tensor_content}).to_string()
        })
        .collect();
    let writer = std::thread::spawn(move || lines.iter().try_for_each(|line| writeln!(input, "{line}")));
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let answers = output.lines().map(|line| serde_json::from_str(&line.expect("text")).expect("JSON")).collect();
    writer.join().expect("the writer ends").expect("the peer reads all questions");
    assert!(child.wait().expect("it ends").success(), "the peer failed");
    answers
}

fn peer_verdict(answer: &Value) -> Verdict {
    match answer["equal"].as_bool() {
        None => Err(()),
        Some(true) => Ok(None),
        Some(false) => {
            let side = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
            Ok(Some((side("lhs"), side("rhs"))))
        }
    }
}

fn questions(pairs: u64, seed: u64) -> Vec<Question> {
    classes().flat_map(|class| (0..pairs).map(move |case| Question::draw(class, seed, case))).collect()
}

#[test]
fn the_peer_differs_only_where_it_breaks_a_law() {
    let Ok(python) = std::env::var("PEER_PYTHON") else {
        println!("skipped: PEER_PYTHON does not name a Python with tvm-ffi 0.1.15");
        return;
    };
    let (pairs, seed) = (setting("LAWS_PEER_PAIRS", 200), setting("LAWS_SEED", 1));
    let questions = questions(pairs, seed);
    let answers = ask(&python, &questions);
    assert_eq!(answers.len(), questions.len(), "the peer answers every question");
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (question, answer) in questions.iter().zip(&answers) {
        let [a, b] = question.build();
        let (ours, peer) = (our_verdict(&a, &b, question.options), peer_verdict(answer));
        let tally = tallies.entry(question.class).or_default();
        tally.pairs += 1;
        tally.equal += u64::from(peer == Ok(None));
        tally.hash_differs += u64::from(peer == Ok(None) && answer["hash_equal"] == false);
        if ours == peer {
            continue;
        }
        match reason([a.view(), b.view()], question.options, &ours, &peer) {
            Some(reason) => *tally.reasons.entry(reason).or_default() += 1,
            None => unexplained.push(format!(
                "class {}, map_free_vars {}\n  a = {}\n  b = {}\n  ours {ours:?}\n  peer {peer:?} {answer}",
                question.class, question.options.map_free_vars, question.a, question.b,
            )),
        }
    }
    for (class, tally) in &tallies {
        let Tally { pairs, equal, hash_differs, reasons } = tally;
        println!("{class:18} {pairs:>7} pairs, {equal:>6} equal, {hash_differs:>4} with other hashes; {reasons:?}");
    }
    unexplained.sort_by_key(String::len);
    let shown = unexplained.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(unexplained.is_empty(), "{} differences are unexplained:\n{shown}", unexplained.len());
}
