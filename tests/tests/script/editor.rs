//! The facts that an editor shows about scripts: golden tables, and laws over all scripts of the corpus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::ops::Range;

use object_core::structural::StructuralOptions;
use object_script::editor::{Facts, OutlineEntry, OutlineKind, ScriptAnalyzer};
use object_script::parse::parse;
use object_script::print::print;

use crate::cases::scripts;
use crate::common::{at_root, printed_values, report};

const TABLE: &str = "tests/data/script/editor.txt";

/// The scripts of the corpus that an editor reads, with their names.
fn corpus() -> Vec<(String, String)> {
    let scripts = scripts().into_iter().map(|((file, name), text)| (format!("{file} {name}"), text));
    let fixtures = printed_values(&["mlp.json.gz", "decoder_small.json.gz", "branches.trace.gz"]);
    scripts.chain(fixtures.map(|(name, value)| (name, print(&value).into_text()))).collect()
}

/// The names by the start of their definition.
fn by_definition(facts: &Facts) -> BTreeMap<usize, Vec<Range<usize>>> {
    let mut found: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for name in &facts.names {
        found.entry(name.definition).or_default().push(name.range.clone());
    }
    found
}

/// The starts of the names of functions and modules, which are values of attributes too.
fn globals(entries: &[OutlineEntry]) -> Vec<usize> {
    let of = |it: &OutlineEntry| (it.kind != OutlineKind::Variable).then_some(it.name_range.start);
    entries.iter().filter_map(of).chain(entries.iter().flat_map(|it| globals(&it.children))).collect()
}

fn renamed(text: &str, places: &[Range<usize>], name: &str) -> String {
    let mut result = text.to_owned();
    for place in places.iter().rev() {
        result.replace_range(place.clone(), name);
    }
    result
}

#[test]
fn every_name_has_one_definition_with_the_same_text() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (case, text) in corpus() {
        let facts = ScriptAnalyzer::new().analyze(&text);
        for (definition, places) in by_definition(&facts) {
            count += places.len();
            let definitions = places.iter().filter(|it| it.start == definition).count();
            if definitions != 1 {
                wrong.push(format!("{case}: {definitions} definitions of `{}`", &text[places[0].clone()]));
            }
            if let Some(other) = places.iter().find(|it| text[(*it).clone()] != text[places[0].clone()]) {
                wrong.push(format!("{case}: `{}` and `{}`", &text[places[0].clone()], &text[other.clone()]));
            }
        }
    }
    assert!(count > 2_000, "there are only {count} names");
    report(&wrong, count);
}

#[test]
fn renaming_the_places_of_a_name_keeps_the_value() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (case, text) in corpus() {
        // Each name reads the whole text again.
        let Some(before) = parse(&text).ok().filter(|_| text.len() < 10_000) else { continue };
        let facts = ScriptAnalyzer::new().analyze(&text);
        let globals = globals(&facts.outline);
        for (definition, places) in by_definition(&facts) {
            count += 1;
            let old = &text[places[0].clone()];
            let new = renamed(&text, &places, "renamed_name");
            match parse(&new) {
                Err(errors) => wrong.push(format!("{case}: `{old}`: {errors}")),
                // The name of a function is a value too: its symbol.
                Ok(_) if globals.contains(&definition) || text[places[0].end..].starts_with(" = R.ExternFunc(") => {}
                Ok(after) => {
                    let is_same = StructuralOptions::new().map_free_vars(true).equal(&before, &after);
                    if !is_same.expect("they compare") {
                        wrong.push(format!("{case}: renaming `{old}` changes the value"));
                    }
                }
            }
        }
    }
    assert!(count > 800, "there are only {count} names");
    report(&wrong, count);
}

#[test]
fn every_offset_of_every_script_has_an_answer() {
    for (case, text) in corpus() {
        let mut analyzer = ScriptAnalyzer::new();
        let step = (text.len() / 20).max(1);
        for offset in (0..text.len() + 2).step_by(step) {
            let found = analyzer.hover(&text, offset);
            assert!(found.is_none_or(|(range, _)| text.get(range).is_some()), "{case}");
            analyzer.complete(&text, offset);
        }
    }
}

/// Texts with a piece cut out or repeated have answers too, and an analyzer that knows another text gives the same ones.
#[test]
fn damaged_scripts_have_the_answers_of_a_fresh_analyzer() {
    let mut random = fastrand::Rng::with_seed(7);
    for (case, text) in corpus() {
        let mut analyzer = ScriptAnalyzer::new();
        analyzer.analyze(&text);
        for _ in 0..2 {
            let mut place = || {
                let mut at = random.usize(..=text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (a, b) = (place(), place());
            let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 40));
            let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).expect("the end is one");
            let damaged = format!("{}{}", &text[..start], &text[end..]);
            check_same(&mut analyzer, &damaged, &case);
            assert!(analyzer.hover(&damaged, start).is_none_or(|(range, _)| damaged.get(range).is_some()));
        }
    }
}

/// Panics if the analyzer has other facts than a fresh one. A text with an error of the syntax may have facts of the text before, whose
/// names still stand where the facts say.
fn check_same(analyzer: &mut ScriptAnalyzer, text: &str, case: &str) {
    let (known, fresh) = (analyzer.analyze(text), ScriptAnalyzer::new().analyze(text));
    if object_python_syntax::with_tree(text, |_, faults| faults.is_empty()) {
        assert_eq!(shown(text, &known), shown(text, &fresh), "{case}:\n{text}");
        return;
    }
    assert!(!known.problems.is_empty(), "{case}:\n{text}");
    for (definition, places) in by_definition(&known) {
        let name = text.get(places[0].clone());
        let is_same = places.iter().all(|it| text.get(it.clone()) == name);
        let is_defined = places.iter().any(|it| it.start == definition);
        assert!(is_same && is_defined && name.is_some(), "{case}: {name:?}\n{text}");
    }
}

/// Edits of one function after the other: the facts are the facts of a fresh analyzer.
#[test]
fn edits_give_the_facts_of_a_fresh_analyzer() {
    let text = "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n".to_owned()
        + &(0..6).fold(String::new(), |text, number| {
            let called = number.max(1) - 1;
            text + &format!(
                "    @R.function\n    def f{number}(x: R.Tensor((\"n\", 4), \"float32\")):\n        # \\\"\"\" é\n        \
                 y = R.add(x, x)\n        z = cls.f{called}(y)\n        return z\n\n"
            )
        });
    let edits = [
        ("y = R.add(x, x)", "y = R.exp(x)"),
        ("y = ", "y: R.Tensor = "),
        ("x, x", "x, "),
        ("R.add(x, x)", "R.add(x, x"),
        ("R.add(x, x)", "R.subtract(x, x"),
        ("# ", "\"\"\""),
        ("return z", "return z\n\n    # more\n"),
        ("return z", "return (z, y)"),
        ("    @R.function\n", "    @R.function(pure=False)\n"),
        ("    @R.function\n", "class Other:\n    @R.function\n"),
        ("\"n\", 4", "\"n\", 5"),
        ("def f", "def g"),
        ("z = cls.f", "z = cls.g"),
        ("\"float32\")):\n", "\"float32\")) -> R.Tensor(\"float32\", ndim=2):\n"),
        ("        return z\n", ""),
    ];
    let mut analyzer = ScriptAnalyzer::new();
    for (old, new) in edits {
        let places: Vec<usize> = text.match_indices(old).map(|(at, _)| at).collect();
        for at in places {
            let edited = format!("{}{new}{}", &text[..at], &text[at + old.len()..]);
            // The last text has two edits.
            let again = edited.replacen("R.add(x, x)", "R.tanh(x)", 1);
            for text in [&edited, &text, &edited, &again] {
                check_same(&mut analyzer, text, &format!("{old} {new} {at}"));
            }
        }
    }
}

/// While a bracket is open, the other functions keep their facts, and the function has the names before the edit.
#[test]
fn an_open_bracket_leaves_the_other_functions_as_they_are() {
    let function = |number| {
        format!(
            "    @R.function\n    def f{number}(x: R.Tensor((2,), \"float32\")):\n        y = R.add(x, x)\n        z = R.exp(y)\n        return z\n\n"
        )
    };
    let text = format!("@I.ir_module\nclass Module:\n{}{}{}", function(0), function(1), function(2));
    let at = text.find("R.exp(y)\n        return z\n\n    @R.function\n    def f2").expect("a call") + "R.exp(y".len();
    let open = format!("{}{}", &text[..at], &text[at + 1..]);
    let mut analyzer = ScriptAnalyzer::new();
    let (before, broken) = (analyzer.analyze(&text), analyzer.analyze(&open));
    assert_eq!((before.problems.len(), before.hints.len()), (0, 6));
    assert_eq!((!broken.problems.is_empty(), broken.hints.len(), broken.outline.len()), (true, 6, 1));
    let names: Vec<String> = analyzer.complete(&open, at - 1).into_iter().map(|it| it.text).collect();
    assert!(names.contains(&"x".to_owned()) && names.contains(&"y".to_owned()), "{names:?}");
    assert_eq!(shown(&text, &analyzer.analyze(&text)), shown(&text, &before));
}

/// The facts as text.
fn shown(text: &str, facts: &Facts) -> String {
    let lines = object_core::LineIndex::new(text);
    let at = |offset: usize| {
        let (line, column) = lines.line_column(offset);
        format!("{line}:{column}")
    };
    let mut out = String::new();
    for it in &facts.problems {
        let rule = it.rule.map_or(String::new(), |rule| format!("[{}]", rule.name));
        let place = text.get(it.range.clone()).unwrap_or("?").lines().next().unwrap_or_default();
        let _ = writeln!(out, "{}{rule} {} `{place}`: {}", it.severity, at(it.range.start), it.message);
        for (range, message) in &it.related {
            let _ = writeln!(out, "  related {}: {message}", at(range.start));
        }
        if let Some((range, new)) = &it.fix {
            let _ = writeln!(out, "  fix {} `{}`: `{new}`", at(range.start), text.get(range.clone()).unwrap_or("?"));
        }
    }
    for (definition, places) in by_definition(facts) {
        let name = text.get(places[0].clone()).unwrap_or("?");
        let places: Vec<String> = places.iter().map(|it| at(it.start)).collect();
        let _ = writeln!(out, "name {name} defined {}: {}", at(definition), places.join(" "));
    }
    for (offset, hint) in &facts.hints {
        let _ = writeln!(out, "hint {}{hint}", at(*offset));
    }
    outline(text, &facts.outline, 0, &mut out);
    for fold in &facts.folds {
        let _ = writeln!(out, "fold {}-{}", at(fold.start), at(fold.end));
    }
    out
}

fn outline(text: &str, entries: &[OutlineEntry], depth: usize, out: &mut String) {
    for it in entries {
        let detail = it.detail.as_deref().unwrap_or_default();
        let name = text.get(it.name_range.clone()).unwrap_or("?");
        let _ = writeln!(out, "{}{:?} {name} {detail}", "  ".repeat(depth), it.kind);
        outline(text, &it.children, depth + 1, out);
    }
}

/// Each case is a text and, after `--`, its facts, the documentation at each `^`, which the text lacks, and the completions at each `|`.
/// `BLESS=1` renews them.
#[test]
fn the_facts_of_the_table() {
    let table = fs::read_to_string(at_root(TABLE)).expect("the table");
    let mut renewed = String::new();
    for case in table.split("== ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a name");
        let (source, _) = rest.split_once("--\n").expect("a result");
        let source = source.replace("\\r", "\r");
        let (mut text, mut hovers, mut completions) = (String::new(), Vec::new(), Vec::new());
        for char in source.chars() {
            match char {
                '^' => hovers.push(text.len()),
                '|' => completions.push(text.len()),
                char => text.push(char),
            }
        }
        let mut analyzer = ScriptAnalyzer::new();
        let mut result = shown(&text, &analyzer.analyze(&text));
        for offset in hovers {
            let found = analyzer.hover(&text, offset);
            let found = found.map_or("nothing".to_owned(), |(range, text_of)| {
                format!("`{}`\n{}", &text[range], text_of.replace('\n', "\n  "))
            });
            let _ = writeln!(result, "hover {found}");
        }
        for offset in completions {
            let found = analyzer.complete(&text, offset);
            let count = found.len();
            let found = found
                .into_iter()
                .take(12)
                .map(|it| format!("{:?} {} {}", it.kind, it.text, it.detail.unwrap_or_default()));
            let _ = writeln!(result, "complete {count}:\n  {}", found.collect::<Vec<_>>().join("\n  "));
        }
        let result: String = result.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        let source = source.replace('\r', "\\r");
        let _ = write!(renewed, "== {name}\n{source}--\n{result}");
    }
    let head = table.split("== ").next().unwrap_or_default();
    let renewed = head.to_owned() + &renewed;
    if std::env::var_os("BLESS").is_some() {
        fs::write(at_root(TABLE), renewed).expect("the table is written");
    } else {
        assert_eq!(renewed, table, "run again with BLESS=1 if the change is right");
    }
}
