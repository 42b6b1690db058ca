//! Languages that are declared with formats alone.
#![allow(missing_docs, reason = "the fields of the languages speak for themselves")]

mod algebra;
mod editor;
mod hardware;
mod lambda;
mod laws;
mod random;

use lambda::Expr;
use object_core::{structural_equal, structural_first_mismatch};
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
