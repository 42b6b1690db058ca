//! Agreement with tvm-ffi 0.1.15 on the same graphs. `PEER_PYTHON` names a Python with tvm-ffi. Without this variable,
//! the test prints that it is skipped.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::object::AnyView;
use object_core::prelude::*;
use serde_json::{Value, json};

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, Class, MISUSED, UNORDERED};
use crate::recipe::Recipe;
use crate::reference::{Options, Rules, compare};
use crate::relate::draw_triple;
use crate::rng::{Rng, setting};

/// The result of the peer or of our engine: the paths to the first mismatch, if any; `Err` for an error.
type Verdict = Result<Option<(String, String)>, ()>;

/// The reasons for differences of tvm-ffi, each with the rules that lead to its result. The first matching reason
/// counts.
const REASONS: &[(&str, Rules)] = &[
    ("map entries in the order of the left map", Rules { canonical_order: false, ..Rules::OURS }),
    ("a free key is caught by a binder", Rules { keys_are_guarded: false, ..Rules::OURS }),
    ("a key is not compared with itself", Rules { keys_are_compared: false, ..Rules::OURS }),
    ("free keys: caught, not compared", Rules { canonical_order: true, ..Rules::PEER }),
    ("order, and free keys caught", Rules { keys_are_compared: true, ..Rules::PEER }),
    ("order, and keys not compared", Rules { keys_are_guarded: true, ..Rules::PEER }),
    ("order, and free keys caught and not compared", Rules::PEER),
];

/// A pair of graphs and the options of its comparison.
struct Question {
    class: &'static str,
    a: Recipe,
    b: Recipe,
    map_free_vars: bool,
    skip_tensor_content: bool,
}

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

/// A path without its root; a key that is an object is its type.
fn text(path: &AccessPath) -> String {
    let key = |key: &PathKey| match key {
        PathKey::Str(text) => format!("\"{text}\""),
        PathKey::Int(value) => value.to_string(),
        PathKey::Other { type_key, .. } => format!("<{type_key}>"),
    };
    let step = |step: &AccessStep| match step {
        AccessStep::Attr(name) => format!(".{name}"),
        AccessStep::ArrayItem(index) => format!("[{index}]"),
        AccessStep::MapItem(of) => format!("[{}]", key(of)),
        AccessStep::AttrMissing(name) => format!(".<missing:{name}>"),
        AccessStep::ArrayItemMissing(index) => format!("[<missing:{index}>]"),
        AccessStep::MapItemMissing(of) => format!("[<missing:{}>]", key(of)),
    };
    path.steps().iter().map(step).collect()
}

fn texts(found: Option<(AccessPath, AccessPath)>) -> Option<(String, String)> {
    found.map(|(lhs, rhs)| (text(&lhs), text(&rhs)))
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
            let Question { a, b, map_free_vars, skip_tensor_content, .. } = question;
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

fn our_verdict(a: &Any, b: &Any, question: &Question) -> Verdict {
    let engine = StructuralOptions::new()
        .map_free_vars(question.map_free_vars)
        .skip_tensor_content(question.skip_tensor_content);
    let found = engine.first_mismatch(a, b).map_err(|_| ())?;
    Ok(texts(found.map(|found| (found.lhs, found.rhs))))
}

/// The reason for a difference of tvm-ffi; `None` if no reason explains it.
fn reason(a: AnyView<'_>, b: AnyView<'_>, question: &Question, ours: &Verdict, peer: &Verdict) -> Option<String> {
    let kind = match (ours, peer) {
        (Ok(ours), Ok(peer)) if ours.is_none() == peer.is_none() => "path",
        _ => "verdict",
    };
    let (free, skip) = (question.map_free_vars, question.skip_tensor_content);
    let options = Options { map_free_vars: free, skip_tensor_content: skip, lexical: false };
    let decides = |rules: &Rules| compare(a, b, options, *rules).map(texts) == *peer;
    let (name, _) = REASONS.iter().find(|(_, rules)| decides(rules))?;
    Some(format!("{kind}: {name}"))
}

fn questions(pairs: u64, seed: u64) -> Vec<Question> {
    let classes: Vec<&'static Class> = CLASSES.iter().chain(MISUSED).chain(UNORDERED).collect();
    let mut questions = Vec::new();
    for class in classes {
        for case in 0..pairs {
            let mut rng = Rng::of(seed ^ 0x7065_6572, class.name, case);
            let [a, b, _] = draw_triple(class, &mut rng);
            let (map_free_vars, skip_tensor_content) = (rng.chance(50), class.name == "tensor" && rng.chance(50));
            questions.push(Question { class: class.name, a, b, map_free_vars, skip_tensor_content });
        }
    }
    questions
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
        let mut rng = Rng(1);
        let world = World::new(&mut rng);
        let [a, b] = [&question.a, &question.b].map(|recipe| build(recipe, &world, Manner::default(), &mut rng));
        let (ours, peer) = (our_verdict(&a, &b, question), peer_verdict(answer));
        let tally = tallies.entry(question.class).or_default();
        tally.pairs += 1;
        tally.equal += u64::from(peer == Ok(None));
        tally.hash_differs += u64::from(peer == Ok(None) && answer["hash_equal"] == false);
        if ours == peer {
            continue;
        }
        match reason(a.view(), b.view(), question, &ours, &peer) {
            Some(reason) => *tally.reasons.entry(reason).or_default() += 1,
            None => unexplained.push(format!(
                "class {}, map_free_vars {}\n  a = {}\n  b = {}\n  ours {ours:?}\n  peer {peer:?} {answer}",
                question.class, question.map_free_vars, question.a, question.b,
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
