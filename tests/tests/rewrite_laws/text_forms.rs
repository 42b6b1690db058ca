//! Text forms: the parser reads back the text of every value, and no text makes it panic.

use object_core::prelude::*;
use object_core::repr::parse;
use object_core::stats::GraphStats;
use object_core::visit::free_vars;
use proptest::prelude::*;

use crate::demo::{Expr, Lambda, add, imm};
use crate::graphs::{build, graphs, vars};
use crate::texts::{reads_back, whole_text};

/// An edit of a text; numbers are positions in thousandths of its length.
#[derive(Clone, Debug)]
enum Edit {
    Remove(usize, usize),
    Insert(usize, &'static str),
    Repeat(usize, usize),
}

/// Pieces that text forms contain, and pieces that they do not contain.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    ":",
    ": ",
    "=",
    "%",
    "%0",
    "%0 = ",
    "%1",
    "...",
    "... 2 more",
    "\"",
    "b\"",
    "\\",
    "\\x",
    "\\xff",
    "\"a\"",
    "None",
    "true",
    "-",
    "1",
    "1.5",
    "1e999",
    "99999999999999999999",
    "inf",
    "NaN",
    "float32",
    "custom[150]32",
    "custom[",
    "cpu:0",
    "device_type(5):0",
    "device_type(",
    "cpu:",
    "Shape[",
    "Shape[1, 2]",
    "Tensor(",
    "Tensor(int8, [1], b\"a\")",
    "ffi.List[",
    "ffi.Dict{",
    "ffi.Function(",
    "demo.Expr(",
    "demo.Imm(",
    "demo.Nothing(",
    "value=",
    "span=",
    " ",
    "\n",
    "\0",
    "\u{e4}",
    "\u{2028}",
    "\u{1f600}",
];

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let place = 0..=1000usize;
    let edit = prop_oneof![
        (place.clone(), 1..20usize).prop_map(|(at, len)| Edit::Remove(at, len)),
        (place.clone(), prop::sample::select(PIECES.to_vec())).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (place, 1..20usize).prop_map(|(at, len)| Edit::Repeat(at, len)),
    ];
    prop::collection::vec(edit, 1..6)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for edit in edits {
        let len = chars.len();
        let range = |at: usize, count: usize| at * len / 1000..(at * len / 1000 + count).min(len);
        match edit {
            Edit::Remove(at, count) => drop(chars.drain(range(*at, *count))),
            Edit::Insert(at, piece) => drop(chars.splice(range(*at, 0), piece.chars())),
            Edit::Repeat(at, count) => {
                let part = chars[range(*at, *count)].to_vec();
                chars.splice(range(*at, 0), part);
            }
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #[test]
    fn the_text_form_of_a_value_is_read_back(steps in graphs()) {
        let vars = vars();
        let root = build(&steps, &vars);
        prop_assert_eq!(reads_back(&Any::from(root.clone())), Ok(()));
        // A closed value can be compared.
        let closed = Any::from(Lambda::new(vars, root));
        prop_assert!(free_vars(&closed).is_empty());
        prop_assert_eq!(reads_back(&closed), Ok(()));
    }

    #[test]
    fn an_edited_text_is_an_error_or_a_value_that_is_read_back(steps in graphs(), edits in edits()) {
        let text = edited(&whole_text(&build(&steps, &vars())), &edits);
        match parse(&text) {
            // The value may have a different text, which must parse to the same value.
            Ok(value) => prop_assert_eq!(reads_back(&value), Ok(())),
            Err(error) => prop_assert!(error.message().starts_with("line "), "{}", error),
        }
    }

    #[test]
    fn no_sequence_of_pieces_makes_the_parser_panic(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..30)) {
        let text = pieces.concat();
        if let Ok(value) = parse(&text) {
            prop_assert_eq!(reads_back(&value), Ok(()));
        }
    }
}

#[test]
fn a_hundred_thousand_levels_need_no_stack() {
    let on_a_small_stack = || {
        let chain = (0..100_000).fold(add(imm(0), imm(1)), |below, _| add(below, imm(1)));
        let text = whole_text(&chain);
        let back: Expr = parse(&text).unwrap().cast().unwrap();
        assert!(structural_equal(&back, &chain));
        // A text that ends in the middle, and one with unclosed brackets.
        let error = parse(&text[..text.len() / 2]).unwrap_err();
        assert!(error.path().is_some_and(|path| path.steps().len() > 10_000), "{}", error.message());
        for open in ["[", "{1: ", "{[", "demo.Add(lhs=", "%0 = [", "ir.Op(", "(", "Tensor(", "Shape["] {
            let error = parse(&open.repeat(100_000)).unwrap_err();
            assert!(error.message().len() < 1000);
        }
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(GraphStats::of(&parse(&nested).unwrap()).depth, 100_000);
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(on_a_small_stack);
    thread.expect("a thread starts").join().expect("the test passes");
}
