//! Languages that are declared with formats alone.
#![allow(missing_docs, reason = "the fields of the languages speak for themselves")]

mod algebra;
mod editor;
mod hardware;
mod lambda;
mod laws;
mod locations;
mod random;
mod schema;
mod tree_sitter;

use lambda::Expr;
use object_core::prelude::*;
use object_core::structural_first_mismatch;
use object_syntax::{Diagnostic, Language, LanguageOptions};

/// Reads a text, prints it, and reads the result: the value stays, and the second text is the first one.
fn round_trip(language: &Language, source: &str) -> String {
    let first = language.parse(source).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
    let printed = language.print(&first.value).unwrap();
    let second = language.parse(printed.text()).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
    assert!(structural_equal(&first.value, &second.value), "{source}\n{printed}");
    assert_eq!(language.print(&second.value).unwrap().text(), printed.text());
    printed.into_text()
}

#[test]
fn the_lambda_calculus() {
    let language = Language::of::<Expr>().unwrap();
    let cases = [
        ("\\x. x", "\\x. x"),
        ("\\x:int->int->bool.x", "\\x: int -> int -> bool. x"),
        ("\\x: (int -> int) -> bool. x", "\\x: (int -> int) -> bool. x"),
        ("1+2*3-4", "1 + 2 * 3 - 4"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1 - (2 - 3)", "1 - (2 - 3)"),
        ("let x = 1 in let y = x in x + y", "let x = 1 in let y = x in x + y"),
        ("let x = 1 in let x = x in x", "let x = 1 in let x_1 = x in x_1"),
        ("(let x = 1 in x) + 1", "(let x = 1 in x) + 1"),
        ("1 + let x = 1 in x", "1 + (let x = 1 in x)"),
        ("\\f. \\x. f (f x) x", "\\f. \\x. f (f x) x"),
        ("-1 + -(1) - -1", "-1 + - 1 - -1"),
        ("if 1 then if 2 then 3 else 4", "if 1 then (if 2 then 3 else 4)"),
        ("if 1 then (if 2 then 3) else 4", "if 1 then (if 2 then 3) else 4"),
        (
            "lambda.Pair(first=1, second=lambda.Pair(first=2, second=3, note=\"x\"))",
            "lambda.Pair(first=1, second=lambda.Pair(first=2, second=3, note=\"x\"))",
        ),
        ("\\`let`. `let` + 1 // comment", "\\`let`. `let` + 1"),
    ];
    for (source, expected) in cases {
        assert_eq!(round_trip(&language, source), expected, "{source}");
    }
}

#[test]
fn the_algebra() {
    let language = LanguageOptions::new().comment("--").width(60).language::<algebra::Rel>().unwrap();
    let cases = [
        ("from t where a<b^2^3 and not c = \"x\" -- rows", "from t where a < b ^ 2.0 ^ 3.0 and not c = \"x\""),
        ("from t where (a = b) = c", "from t where (a = b) = c"),
        (
            "from a outer join from b where x on y select [x as y, f(x,),]",
            "from a outer join from b where x on y select [x as y, f(x)]",
        ),
        ("from a order by x Descending limit 3", "from a order by x Descending limit 3"),
        ("from a rename [\"x\",\"y\"] to [\"a\",\"b\"]", "from a rename [\"x\", \"y\"] to [\"a\", \"b\"]"),
        ("from a join (from b join from c on x) on y", "from a join from b join from c on x on y"),
    ];
    for (source, expected) in cases {
        assert_eq!(round_trip(&language, source), expected, "{source}");
    }
}

#[test]
fn circuits() {
    let language = Language::of::<hardware::Circuit>().unwrap();
    let source = "circuit { module Add(a: UInt<8>, b: UInt<8>) -> (sum: UInt<9>) {
        reg r: Bundle{\"x\": Clock} = %0 = xor(a, b) {\"keep\": true};
        sum := a + %0 {annotations = {\"line\": 3}};
        when r { sum := 1; when a { } } else { sum := b; }
    } module Empty() {} }";
    let expected = r#"circuit {
    module Add(a: UInt<8>, b: UInt<8>) -> (sum: UInt<9>) {
        reg r: Bundle{"x": Clock} = %0 = xor(a, b) {"keep": true};
        sum := a + %0 {annotations = {"line": 3}};
        when r {
            sum := 1;
            when a {}
        } else {
            sum := b;
        }
    }
    module Empty() {}
}"#;
    assert_eq!(round_trip(&language, source), expected);
}

#[test]
fn the_formatter_keeps_comments() {
    let language = Language::of::<hardware::Circuit>().unwrap();
    let source = "// the file
circuit { // opens
    // adds
    module Add( a : UInt<8>,b:UInt<8> )->(sum: UInt<9>) {


        sum := a + b; // beside
        // before when

        when a { sum := 1;
            // after
        } else { sum := b; }
    }
    module Empty() {} // beside Empty
    // after all modules
}
// end";
    let text = language.format(source).unwrap();
    let expected = "// the file
circuit {
    // opens
    // adds
    module Add(a: UInt<8>, b: UInt<8>) -> (sum: UInt<9>) {
        sum := a + b; // beside
        // before when
        when a {
            sum := 1;
            // after
        } else {
            sum := b;
        }
    }
    module Empty() {} // beside Empty
    // after all modules
}
// end
";
    assert_eq!(text, expected);
    assert_eq!(language.format(&text).unwrap(), text);
}

/// The messages about a text, without the lines of the text.
fn messages(language: &Language, source: &str) -> Vec<String> {
    let errors = language.parse(source).unwrap_err();
    let of = |it: &Diagnostic| {
        let hint = it.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{}: {}{hint}", &source[it.range.clone()], it.message)
    };
    errors.diagnostics().iter().map(of).collect()
}

#[test]
fn a_reader_reports_all_mistakes_at_their_places() {
    let lambda = Language::of::<Expr>().unwrap();
    let cases: [(&str, &[&str]); 8] = [
        ("lambda.Pair(first=1, second=2, first=3)", &["first: the field `first` is given twice"]),
        ("let x = in x", &["in: expected an `Expr`, got `in`"]),
        ("let x = 1 ni x", &[": expected an `Expr`, `+`, `in` or `*`, got the end of the text"]),
        ("let x = 1 in y", &["y: nothing binds the name `y` here; did you mean `x`?"]),
        ("1 +", &[": expected an `Expr`, got the end of the text"]),
        ("(1", &[": expected an `Expr`, `)`, `+` or `*`, got the end of the text"]),
        (
            "lambda.Pair(first=1, secnd=2)",
            &["secnd: `secnd` is none of the fields: `first`, `second`, `note`; did you mean `second`?"],
        ),
        ("lambda.Pair(first=1)", &["lambda.Pair(first=1): required field `second` of `lambda.Pair` is not set"]),
    ];
    for (source, expected) in cases {
        assert_eq!(messages(&lambda, source), expected, "{source}");
    }
    let hardware = Language::of::<hardware::Circuit>().unwrap();
    let source = "circuit { module A(a: UInt<8>, b UInt<8>) { a := ; a := c; b := a } module B(x: Clok) { x := x; } }";
    let expected = [
        "UInt: expected `:`, got `UInt`",
        ";: expected an `Expr`, got `;`",
        "c: nothing binds the name `c` here; did you mean `a`?",
        "}: expected `{`, `;` or `+`, got `}`",
        "Clok: expected a `Type`, got `Clok`; did you mean `Clock`?",
    ];
    assert_eq!(messages(&hardware, source), expected);
    // A word that begins no element is a mistake of its own, and the elements after it are read.
    let unknown = "modul: expected a `Module` or `}`, got `modul`; did you mean `module`?";
    let clock = "Clok: expected a `Type`, got `Clok`; did you mean `Clock`?";
    let cases: [(&str, &[&str]); 4] = [
        ("circuit {\n modul A() { reg b: Clock; }\n module B(x: Clok) {}\n}", &[unknown, clock]),
        (
            "circuit {\n module A {\n }\n modul B() {}\n module C(x: Clok) {}\n}",
            &["{: expected `(`, got `{`", unknown, clock],
        ),
        ("circuit {\n module A(x: Clok) {}\n frob x\n}", &[clock, "frob: expected a `Module` or `}`, got `frob`"]),
        ("circuit {\n module A\n more words {\n }\n}", &["more: expected `(`, got `more`"]),
    ];
    for (source, expected) in cases {
        assert_eq!(messages(&hardware, source), expected, "{source}");
    }
    let underlined = lambda.parse_file("let x = 1 in\nx + y", "sum.lambda").unwrap_err().to_string();
    let expected = "error: nothing binds the name `y` here
 --> sum.lambda:2:5
  |
2 | x + y
  |     ^
  |
help: did you mean `x`?";
    assert_eq!(underlined, expected);
}

#[test]
fn a_reader_reports_values_that_declarations_do_not_allow() {
    let hardware = Language::of::<hardware::Circuit>().unwrap();
    let source = "circuit { module A(a: UInt<0>, b: UInt<8>) { a := nand(b); b := and(); b := b + mul(); } }";
    let expected = [
        "0: expected a number in 1..=1024, got 0",
        r#"nand: expected one of "and", "or", "xor", "not", got "nand""#,
        r#"mul: expected one of "and", "or", "xor", "not", got "mul""#,
    ];
    let all: Vec<String> = messages(&hardware, source).into_iter().filter(|it| !it.contains("length")).collect();
    assert_eq!(all, expected);
    assert_eq!(messages(&hardware, source).len(), 5, "two gates have no input");
    let algebra = LanguageOptions::new().comment("--").language::<algebra::Rel>().unwrap();
    let cases = [
        ("from a order by x limit -1", "-1: expected a number in 0.., got -1"),
        ("from a select []", ": expected a length in 1.., got 0"),
        (
            "from a rename [\"x\"] to []",
            ": field `names` of `algebra.Rename`: expected a length of 1, as `columns` has, got 0",
        ),
        (
            "from a rename [\"x\"] to [\"a\", \"b\"]",
            "\"a\", \"b\": field `names` of `algebra.Rename`: expected a length of 1, as `columns` has, got 2",
        ),
    ];
    for (source, expected) in cases {
        assert_eq!(messages(&algebra, source), [expected], "{source}");
    }
}

#[test]
fn verifiers_run_where_the_option_says_so() {
    let source = "circuit { module Id(a: Clock) -> (a: Clock, b: Clock) {} module B(x: Clock, x: Clock) {} }";
    let language = Language::of::<hardware::Circuit>().unwrap();
    let parsed = language.parse(source).unwrap();
    let expected = [
        "a: Clock: two ports of `Id` have the name `a` [port_names]",
        "x: Clock: two ports of `B` have the name `x` [port_names]",
    ];
    let strict = LanguageOptions::new().verify(true).language::<hardware::Circuit>().unwrap();
    assert_eq!(messages(&strict, source), expected);
    let found = object_core::verify::verify(&parsed.value).unwrap();
    assert_eq!(
        found[1].underlined(&language.print(&parsed.value).unwrap()),
        "error[port_names]: two ports of `B` have the name `x`
1 circuit {
2     module Id(a: Clock) -> (a_1: Clock, b: Clock) {}
3     module B(x: Clock, x_1: Clock) {}
                         ^^^^^^^^^^
4 }"
    );
}

/// A reader of texts accepts exactly what the checker of values accepts.
#[test]
fn readers_and_the_checker_agree() {
    let language = Language::of::<hardware::Circuit>().unwrap();
    let valid = "circuit { module A(a: UInt<8>, b: UInt<8>) { a := xor(a, a); } }";
    let value = language.parse(valid).unwrap().value;
    let (mut accepted, mut rejected) = (0, 0);
    for width in [i64::MIN, -1, 0, 1, 2, 1023, 1024, 1025, i64::MAX] {
        for op in ["and", "xor", "", "xo", "in"] {
            let mut circuit: hardware::Circuit = value.clone().cast().unwrap();
            let module = circuit.make_mut().modules[0].make_mut();
            let ty = module.inputs[1].make_mut().ty.downcast_mut::<hardware::UInt>().unwrap();
            ty.make_mut().width = width;
            let connect = module.body[0].downcast_mut::<hardware::Connect>().unwrap().make_mut();
            connect.source.downcast_mut::<hardware::Gate>().unwrap().make_mut().op = op.into();
            let is_valid = object_core::verify::verify(&circuit).unwrap().is_empty();
            let text = language.print(&circuit).map(|text| text.text().to_owned());
            let read = text.map(|text| language.parse(&text).is_ok()).unwrap_or(false);
            assert_eq!(read, is_valid, "{width} {op}");
            if is_valid { accepted += 1 } else { rejected += 1 }
        }
    }
    assert_eq!((accepted, rejected), (8, 37));
}

#[test]
fn a_text_knows_the_places_of_its_parts() {
    let language = Language::of::<Expr>().unwrap();
    let [a, b] = ["let x = 1 in\nx + 2", "let y = 1 in y + 3"].map(|source| language.parse(source).unwrap());
    let difference = structural_first_mismatch(&a.value, &b.value).unwrap().unwrap();
    let expected = "the values differ
left: <root>.body.rhs.value
1 let x = 1 in
2 x + 2
      ^
right: <root>.body.rhs.value
1 let y = 1 in y + 3
                   ^";
    assert_eq!(difference.underlined([&a.text, &b.text]).to_string(), expected);
    let [a, b] = [&a, &b].map(|it| language.print(&it.value).unwrap());
    let expected = expected.replace("1 let x = 1 in\n2 x + 2\n      ^", "1 let x = 1 in x + 2\n                   ^");
    assert_eq!(difference.underlined([&a, &b]).to_string(), expected);
}

#[test]
fn free_variables_are_errors_or_variables() {
    let language = LanguageOptions::new().free_variables(true).language::<Expr>().unwrap();
    let value = language.parse("\\x. y (x y)").unwrap().value;
    let free = object_core::visit::free_vars(&value);
    assert_eq!(free.len(), 1);
    assert_eq!(language.print(&value).unwrap().text(), "\\x. y (x y)");
}

#[test]
fn the_grammar_is_data() {
    let grammar = Language::of::<Expr>().unwrap().grammar();
    assert!(grammar.contains("Let ::= \"let\" Var \"=\" Expr \"in\" Expr\n"), "{grammar}");
    assert!(grammar.contains("If ::= \"if\" Expr \"then\" Expr (\"else\" Expr)?\n"), "{grammar}");
}
