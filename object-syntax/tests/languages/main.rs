//! Languages that are declared with formats alone.
#![allow(missing_docs)]

mod algebra;
mod hardware;
mod lambda;
mod laws;
mod random;

use lambda::Expr;
use object_core::structural_equal;
use object_syntax::{Language, LanguageOptions};

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
    println!("{}", language.grammar());
}

#[test]
fn the_algebra() {
    let language = LanguageOptions::new().comment("--").width(60).language::<algebra::Rel>().unwrap();
    println!("{}", language.grammar());
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
    println!("{}", language.grammar());
    let source = "circuit { module Add(a: UInt<8>, b: UInt<8>) -> (sum: UInt<9>) {
        reg r: Bundle{\"x\": Clock} = %0 = xor(a, b) {\"keep\": true};
        sum := a + %0 {annotations = {\"line\": 3}};
        when r { sum := 1; when a { } } else { sum := b; }
    } module Empty() {} }";
    println!("{}", round_trip(&language, source));
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

        when /* no comment */ a { sum := 1;
            // after
        } else { sum := b; }
    }
    module Empty() {} // beside Empty
    // after all modules
}
// end";
    let source = source.replace("/* no comment */", "");
    let text = language.format(&source).unwrap();
    println!("{text}");
    assert_eq!(language.format(&text).unwrap(), text);
}

#[test]
fn mistakes() {
    let language = Language::of::<Expr>().unwrap();
    for source in [
        "let x = in x",
        "let x = 1 ni x",
        "\\x. y",
        "1 +",
        "(1",
        "lambda.Pair(first=1, secnd=2)",
        "1 2 3 )",
        "lambda.Int(value=1)",
    ] {
        println!("{}\n", language.parse(source).unwrap_err());
    }
}
