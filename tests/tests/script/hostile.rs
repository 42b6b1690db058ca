//! Texts that are deep, long or damaged: reading takes no machine stack, ends, and reports places in the text.

use object_core::steps;
use object_script::parse::{Errors, parse};
use object_script::print::print;

use crate::common::in_small_stack;

/// The errors of a text, read in a thread with a small stack.
fn errors(text: &str) -> Errors {
    in_small_stack(|| parse(text).map(|value| print(&value).into_text())).expect_err("the text has errors")
}

#[test]
fn deep_texts_are_read_or_refused() {
    let openings =
        ["(", "[", "{", "f(", "a[", "-", "not ", "~", "lambda: ", "a if b else ", "a ** ", "f'{", "(a, ", "*"];
    for opening in openings {
        for depth in [100, 1_000, 100_000] {
            assert!(!errors(&opening.repeat(depth)).diagnostics().is_empty(), "{opening} {depth}");
        }
    }
    let blocks: String = (0..5_000).map(|level| format!("{}if a:\n", " ".repeat(level))).collect();
    assert!(errors(&blocks).to_string().contains("nest deeper"));
    assert!(errors(&format!("({blocks}")).to_string().contains("nest deeper"));
}

#[test]
fn nested_values_are_read() {
    let depth = 900;
    let text = format!("{}R.Object{}", "R.Tuple(".repeat(depth), ")".repeat(depth));
    let read = in_small_stack(|| parse(&text).map(|value| print(&value).into_text()));
    assert_eq!(read.as_deref().map(str::len), Ok(text.len()));
    let calls = format!(
        "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return {}x{}\n",
        "R.exp(".repeat(depth),
        ")".repeat(depth)
    );
    let read = in_small_stack(|| parse(&calls).map(|value| print(&value).into_text()));
    assert_eq!(read.map(|text| text.matches("R.exp").count()), Ok(depth));
}

#[test]
fn long_chains_are_read() {
    let sum = format!("n = T.int64()\nn{}\n", " + 1".repeat(50_000));
    let read = in_small_stack(|| parse(&sum).map(|value| print(&value).into_text()));
    assert_eq!(read.map(|text| text.matches('+').count()), Ok(50_000));
    assert!(!errors(&format!("a{}", ".b".repeat(100_000))).diagnostics().is_empty());
    assert!(!errors(&format!("a{}", "()".repeat(100_000))).diagnostics().is_empty());
    assert!(!errors(&format!("a{}", " + a".repeat(300_000))).diagnostics().is_empty());
}

const SCRIPT: &str = r#"@I.ir_module
class Module:
    I.module_attrs({"a": 1})
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n * 4",), "float32"):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((n * 4,), "float32") = R.reshape(x, R.shape([n * 4]))
            z, w = (y, y)
            R.output(z)
        if c:
            v = R.add(z, z)
        else:
            v = R.match_cast(z, R.Tensor((n * 4,), "float32"))
        return v
"#;

/// Damages a script at each place: without a byte, with other bytes, and without the rest. Reading ends with a result or
/// with errors, whose places are in the text.
#[test]
fn damaged_scripts_report_places() {
    assert!(parse(SCRIPT).is_ok(), "{:?}", parse(SCRIPT).err());
    let mut damaged = Vec::new();
    for at in 0..SCRIPT.len() {
        let (before, after) = SCRIPT.split_at(at);
        damaged.push(before.to_owned());
        damaged.push(format!("{before}{}", &after[1..]));
        for text in ["(", "\"", "\n", " ", "0", "x", "é"] {
            damaged.push(format!("{before}{text}{}", &after[1..]));
        }
    }
    for text in damaged {
        if let Err(errors) = parse(&text) {
            assert!(!errors.diagnostics().is_empty(), "{text}");
            for it in errors.diagnostics() {
                assert!(it.range.start <= it.range.end && it.range.end <= text.len(), "{it:?}: {text}");
                assert!(!it.message.is_empty(), "{it:?}: {text}");
            }
        }
    }
}

/// An operator is one object for all programs, which no program may change.
#[test]
fn an_operator_is_a_value_of_a_variable_with_an_annotation() {
    let text = |annotation: &str| {
        format!(
            "# from tvm.script import ir as I\n# from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Object) -> \
             R.Object:\n    y{annotation} = I.Op(\"relax.add\")\n    return y"
        )
    };
    let annotated = text(": R.Object");
    let read = parse(&annotated).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(print(&read).into_text(), annotated);
    assert!(errors(&text("")).to_string().contains("does not have structural information"));
}

#[test]
fn a_script_reports_several_errors() {
    let text = "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    a = R.expp(x)\n    b = R.add(a, y)\n    \
                c = R.log(x, 1)\n    return b\n";
    assert_eq!(
        errors(text).to_string(),
        "3:9: the function `R.expp` is not known; did you mean `R.exp`?\n\
         4:18: the name `y` is not defined\n\
         5:18: `R.log` takes 1 argument by position, got 2"
    );
}

/// The number of steps to read a function of this many bindings.
fn steps_of(bindings: usize) -> Option<u64> {
    let mut text = "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    v0 = x\n".to_owned();
    for index in 1..bindings {
        text.push_str(&format!("    v{index} = R.add(v{}, R.exp(x))\n", index - 1));
    }
    text.push_str(&format!("    return v{}\n", bindings - 1));
    let mut read = None;
    let count = steps::count(u64::MAX, || read = Some(parse(&text)));
    assert!(matches!(read, Some(Ok(_))), "{read:?}");
    count
}

#[test]
fn the_cost_is_linear_in_the_number_of_bindings() {
    // Builds without debug assertions do not count.
    let (Some(few), Some(many)) = (steps_of(200), steps_of(2_000)) else { return };
    assert!(many <= few * 11, "{few} steps for 200 bindings, {many} for 2000");
}
