//! The facts of an editor about a large script, and about the same script after an edit of one function, for measurements:
//! `analyze_edits FIXTURE.py EDITS` prints the CPU time of the first analysis and of the following ones.

use std::time::Instant;

use object_script::editor::ScriptAnalyzer;

/// The number of functions of the script.
const FUNCTIONS: usize = 64;
/// The number of lines of the script.
const LINES: usize = 5_000;

/// A module with the beginning of the first function of a printed module, many times. Every second one has no annotations of bindings.
fn script(printed: &str) -> String {
    let (head, functions) = printed.split_once("    @R.function\n").expect("a function");
    let lines: Vec<&str> = functions.lines().take(LINES / FUNCTIONS - 4).collect();
    let last = lines.last().and_then(|line| line.trim().split(':').next()).expect("a binding");
    let mut text = head.to_owned();
    for number in 0..FUNCTIONS {
        text.push_str("    @R.function\n");
        for line in &lines {
            let line = match line.split_once(") -> ") {
                Some((signature, _)) => {
                    format!("{}):", signature.replacen("def decode(", &format!("def decode{number}("), 1))
                }
                None => (*line).to_owned(),
            };
            let without = line.split_once(": R.").and_then(|(name, rest)| Some((name, rest.split_once(" = ")?.1)));
            let line = match without.filter(|_| number % 2 == 1) {
                Some((name, value)) if !line.contains("def ") => format!("{name} = {value}"),
                _ => line,
            };
            text.push_str(&line);
            text.push('\n');
        }
        text.push_str(&format!("            R.output({last})\n        return {last}\n\n"));
    }
    text
}

fn main() {
    let mut args = std::env::args().skip(1);
    let printed = std::fs::read_to_string(args.next().expect("a file")).expect("a printed module");
    let edits: usize = args.next().expect("a number of edits").parse().expect("a number");
    let text = script(&printed);
    let mut analyzer = ScriptAnalyzer::new();
    let start = Instant::now();
    let facts = analyzer.analyze(&text);
    let first = start.elapsed();
    println!(
        "{} lines, {} problems, {} names, {} hints: {first:?}",
        text.lines().count(),
        facts.problems.len(),
        facts.names.len(),
        facts.hints.len()
    );
    if let Some(problem) = facts.problems.first() {
        println!("{problem:?}");
    }
    let place = text.find("def decode31(").expect("a function");
    let place = place + text[place..].find("lv60").expect("a binding");
    let start = Instant::now();
    for edit in 0..edits {
        let mut edited = text.clone();
        edited.insert_str(
            place,
            &format!("edit{edit} = R.add(hidden_, hidden_)\n            ").replace("hidden_", "embedding"),
        );
        let facts = analyzer.analyze(&edited);
        assert!(facts.hints.len() > 1);
    }
    if edits > 0 {
        println!("an edit: {:?}", start.elapsed() / u32::try_from(edits).expect("a small number"));
    }
}
