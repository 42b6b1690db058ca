//! What an editor shows: names, outline, folds, places and suggestions, also of texts with mistakes.

use object_syntax::{Language, OutlineEntry, Reading, SuggestionKind};

use crate::{hardware, lambda};

fn hardware() -> Language {
    Language::of::<hardware::Circuit>().unwrap()
}

fn lambda() -> Language {
    Language::of::<lambda::Expr>().unwrap()
}

const CIRCUIT: &str = "circuit {
    module Add(a: UInt<8>, b: UInt<8>) -> (sum: UInt<9>) {
        reg r: UInt<8> = %0 = xor(a, b);
        when r {
            sum := a + %0;
        }
    }
    module Empty() {}
}";

/// The names of a text with the numbers of their declarations; definitions have a star.
fn names(reading: &Reading) -> String {
    let name = |it: &object_syntax::Occurrence| {
        let star = if it.is_definition { "*" } else { "" };
        format!("{}{star}{}", &reading.source()[it.range.clone()], it.declaration)
    };
    reading.occurrences().iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn names_mean_what_scopes_say() {
    let cases = [
        ("\\x. x (\\x. x) x", "x*0 x0 x*1 x1 x0"),
        ("let x = 1 in let x = x in x", "x*0 x*1 x0 x1"),
        // After a mistake.
        ("let x = 1 in let y = x in y + in", "x*0 y*1 x0 y1"),
        ("\\`a b`. `a b` + \\äö. äö", "`a b`*0 `a b`0 äö*1 äö1"),
    ];
    for (source, expected) in cases {
        assert_eq!(names(&lambda().reading(source)), expected, "{source}");
    }
    let expected = "a*0 b*1 sum*2 r*4 %0*3 a0 b1 r4 sum2 a0 %03";
    assert_eq!(names(&hardware().reading(CIRCUIT)), expected);
    let broken = CIRCUIT.replace("a + %0;", "a + ;").replace("xor(a, b);", "xor(a, b) b;");
    let expected = "a*0 b*1 sum*2 r*4 %0*3 a0 b1 r4 sum2 a0";
    assert_eq!(names(&hardware().reading(&broken)), expected);
    let language = object_syntax::LanguageOptions::new().free_variables(true).language::<lambda::Expr>().unwrap();
    assert_eq!(names(&language.reading("\\x. y (x y)")), "x*0 y1 x0 y1");
}

fn lines(entries: &[OutlineEntry], source: &str, depth: usize, out: &mut String) {
    for it in entries {
        let range = source[it.range.clone()].replace('\n', " ");
        let range: String = range.chars().take(40).collect();
        let detail = it.detail.as_ref().map(|detail| format!(" {detail}")).unwrap_or_default();
        let indent = "  ".repeat(depth);
        assert_eq!(source[it.name_range.clone()], it.name);
        out.push_str(&format!("{indent}{}{detail} ({}): {range}\n", it.name, it.info.type_key()));
        lines(&it.children, source, depth + 1, out);
    }
}

fn outline(language: &Language, source: &str) -> String {
    let mut out = String::new();
    lines(&language.reading(source).outline(), source, 0, &mut out);
    out
}

#[test]
fn objects_with_names_are_the_outline() {
    let expected = "\
Add (hardware.Module): module Add(a: UInt<8>, b: UInt<8>) -> (s
  a : UInt<8> (hardware.Signal): a: UInt<8>
  b : UInt<8> (hardware.Signal): b: UInt<8>
  sum : UInt<9> (hardware.Signal): sum: UInt<9>
  r : UInt<8> (hardware.Signal): reg r: UInt<8> = %0 = xor(a, b);
Empty (hardware.Module): module Empty() {}
";
    assert_eq!(outline(&hardware(), CIRCUIT), expected);
    assert_eq!(outline(&hardware(), &CIRCUIT.replace("a + %0", "a +")), expected);
    let expected = "\
f (lambda.Var): let f = \\x. x in
  x (lambda.Var): \\x.
y : int (lambda.Var): \\y: int.
";
    assert_eq!(outline(&lambda(), "let f = \\x. x in \\y: int. f y"), expected);
    // As deep as a text can be.
    let deep = format!("{}1{}", "let x = (".repeat(10_000), ") in 1".repeat(10_000));
    assert_eq!(lambda().reading(&deep).outline().len(), 1);
}

#[test]
fn elements_of_several_lines_fold() {
    let reading = hardware().reading(CIRCUIT);
    let first: Vec<&str> = reading.folds().into_iter().map(|it| CIRCUIT[it].lines().next().unwrap()).collect();
    assert_eq!(first, ["module Add(a: UInt<8>, b: UInt<8>) -> (sum: UInt<9>) {", "when r {"]);
}

#[test]
fn a_byte_has_a_place() {
    let reading = hardware().reading(CIRCUIT);
    let cases = [
        ("<8>, b", 1, "8 hardware.UInt width"),
        ("reg r", 0, "reg r: UInt<8> = %0 = xor(a, b); hardware.Reg in body"),
        ("a + %0", 0, "a hardware.Signal in a from a: UInt<8>"),
        ("a + %0", 2, "a + %0 hardware.Add in source"),
        ("xor(", 0, "xor hardware.Gate op"),
        ("Empty", 4, "Empty hardware.Module name"),
    ];
    for (text, add, expected) in cases {
        let place = reading.place_at(CIRCUIT.find(text).unwrap() + add).unwrap();
        let field = match (place.field, place.within) {
            (Some(field), _) => field.name().to_owned(),
            (None, Some((_, within))) => format!("in {}", within.name()),
            (None, None) => String::new(),
        };
        let from = place.declaration.map(|it| format!(" from {}", &CIRCUIT[it])).unwrap_or_default();
        let shown = format!("{} {} {field}{from}", &CIRCUIT[place.range], place.info.type_key());
        assert_eq!(shown, expected, "{text}");
    }
    assert!(reading.place_at(CIRCUIT.find("    module").unwrap() + 1).is_none());
}

/// The suggestions at the sign `|` of a text.
fn suggested(language: &Language, source: &str) -> String {
    let offset = source.find('|').unwrap();
    let text = source.replace('|', "");
    let kind = |kind: SuggestionKind| match kind {
        SuggestionKind::Word(_) => "",
        SuggestionKind::Name(_) => "$",
        SuggestionKind::Field(..) => ".",
    };
    let all = language.suggestions(&text, offset);
    all.iter().map(|it| format!("{}{}", kind(it.kind), it.text)).collect::<Vec<_>>().join(" ")
}

#[test]
fn suggestions_are_the_tokens_that_can_stand_there() {
    let cases = [
        ("|", "if lambda.Pair let"),
        ("let x = 1 in |", "if lambda.Pair let $x"),
        ("let x = 1 in x|", "if lambda.Pair let $x"),
        ("let x = |", "if lambda.Pair let"),
        ("let x = 1 |", "if in lambda.Pair let"),
        ("\\x. \\y: |", ""),
        ("\\x. \\y: int. x + |", "if lambda.Pair let $x $y"),
        ("\\x. (\\y. y) |", "if lambda.Pair let $x"),
        ("let |", ""),
        ("\\x. lambda.Pair(|)", ".first .note .second"),
        ("\\x. lambda.Pair(first=x, no|)", ".note .second"),
        ("\\x. lambda.Pair(first=lam|", "if lambda.Pair let $x"),
        ("\\x. lambda.Pair(first=lambda.P|", "if lambda.Pair let $x"),
        ("\\here. \\`let`. | + 1", "$`let` $here if lambda.Pair let"),
        ("1 // |", ""),
        ("lambda.Pair(first=1, second=2, note=\"le|t\")", ""),
        ("12|", ""),
    ];
    for (source, expected) in cases {
        assert_eq!(suggested(&lambda(), source), expected, "{source}");
    }
    let cases = [
        ("circuit { module A(a: |", "Bundle Clock UInt"),
        ("circuit { module A(a: UInt<8>) { reg b: UInt<8>; | } }", "$a $b reg when"),
        ("circuit { module A(a: UInt<8>) { reg b: := ; a := | } }", "$a $b"),
        ("circuit { module A(a: UInt<8>) {} module B(b: Clock) { b := a| } }", "$b"),
        ("circuit { module A(a: UInt<8>) { a := 1 {| } }", ".annotations"),
        ("circuit { mod| }", "module"),
        ("circ|", "circuit"),
        ("circuit { module |", ""),
    ];
    for (source, expected) in cases {
        assert_eq!(suggested(&hardware(), source), expected, "{source}");
    }
}

#[test]
fn names_are_checked() {
    let cases = [
        ("x", ""),
        ("äö", ""),
        ("`let`", ""),
        ("`in out`", ""),
        ("first", ""),
        ("let", "`let` is not a name: `let` is a word of the language; write it in backquotes"),
        ("in out", "`in out` is not a name: a name is one word; other texts stand in backquotes"),
        ("", "`` is not a name: a name is one word; other texts stand in backquotes"),
        ("1", "`1` is not a name: a name begins with a letter or an underscore; other texts stand in backquotes"),
        ("%0", "`%0` is not a name: a name begins with a letter or an underscore; other texts stand in backquotes"),
        ("x ", "`x ` is not a name: it has spaces or a comment around it"),
        ("x//", "`x//` is not a name: it has spaces or a comment around it"),
        ("`x", "``x` is not a name: a name in backquotes has no closing backquote on its line"),
    ];
    for (word, expected) in cases {
        let message = lambda().check_name(word).err().map(|error| error.message().to_owned()).unwrap_or_default();
        assert_eq!(message, expected, "{word}");
    }
}

/// Reads every prefix of a text, and looks at every byte of it.
#[test]
fn no_byte_makes_a_reader_panic() {
    let circuit = CIRCUIT.replace("r:", "ä€😀:");
    for (language, source) in
        [(hardware(), circuit.as_str()), (lambda(), "let ä = \\`😀`. `😀` in ä + lambda.Pair(first=1")]
    {
        let (mut places, mut words) = (0, 0);
        for end in (0..=source.len()).filter(|end| source.is_char_boundary(*end)) {
            for text in [&source[..end], &source[end..]] {
                let reading = language.reading(text);
                assert!(reading.outline().len() + reading.folds().len() < 100);
                places += (0..=text.len() + 1).step_by(7).filter(|offset| reading.place_at(*offset).is_some()).count();
                words += language.suggestions(text, end.min(text.len())).len();
            }
        }
        let reading = language.reading(source);
        for offset in 0..=source.len() + 1 {
            places += usize::from(reading.place_at(offset).is_some());
            words += language.suggestions(source, offset).len();
        }
        assert!(places > 100 && words > 50, "{places} {words}");
    }
}
