//! Modules: functions with the same name correspond, even if their keys differ.

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, DataflowVar, DictAttrs, ExternFunc, GlobalVar, IRModule, Id, PrimType, SourceMap, Var};
use object_ir::tir;

/// A module of external functions, which their symbols distinguish, with a list of names.
fn module(functions: &[(&GlobalVar, &str)], listed: &[&GlobalVar]) -> IRModule {
    let function = |symbol: &str| -> BaseFunc { ExternFunc::new(DictAttrs::new([]), symbol).into() };
    let functions = functions.iter().map(|(var, symbol)| ((*var).clone(), function(symbol)));
    let listed: Map<Str, GlobalVar> = listed.iter().map(|var| (var.name_hint.clone(), (*var).clone())).collect();
    IRModule::new(functions.collect::<Map<_, _>>(), listed, SourceMap::new([]), DictAttrs::new([]), [])
}

#[test]
fn equal_modules_hash_equal_for_every_list_of_names() {
    let [f, g, unused] = ["f", "g", "unused"].map(GlobalVar::new);
    let [other_f, other_g] = ["f", "g"].map(GlobalVar::new);
    let sorted = module(&[(&f, "a"), (&g, "b")], &[&f, &g]);
    let equal = [
        ("in another order", module(&[(&other_g, "b"), (&other_f, "a")], &[&other_g, &other_f])),
        ("a list without names", module(&[(&other_f, "a"), (&other_g, "b")], &[])),
        ("a list with one of them", module(&[(&other_f, "a"), (&other_g, "b")], &[&other_g])),
        ("a name without a function", module(&[(&other_f, "a"), (&other_g, "b")], &[&unused, &other_f])),
    ];
    for (what, other) in equal {
        assert!(structural_equal(&sorted, &other) && structural_equal(&other, &sorted), "{what}");
        assert_eq!(structural_hash(&sorted), structural_hash(&other), "{what}");
    }
    for other in [module(&[(&f, "b"), (&g, "a")], &[]), module(&[(&f, "a")], &[&f, &g])] {
        assert!(!structural_equal(&sorted, &other));
        assert_ne!(structural_hash(&sorted), structural_hash(&other));
    }
}

#[test]
fn two_keys_of_one_name_differ_by_the_list_of_names() {
    let [first, second, other] = ["f"; 3].map(GlobalVar::new);
    let functions = [(&first, "a"), (&second, "a")];
    let [unlisted, of_first] = [&[][..], &[&first]].map(|listed| module(&functions, listed));
    // Without the list, the name binds the first key.
    assert!(structural_equal(&unlisted, &of_first));
    assert_eq!(structural_hash(&unlisted), structural_hash(&of_first));
    // Nothing binds a second key with the same name, so this key equals only itself.
    let of_first_again = module(&[(&other, "a"), (&second, "a")], &[&other]);
    assert!(structural_equal(&of_first, &of_first_again));
    assert_eq!(structural_hash(&of_first), structural_hash(&of_first_again));
}

/// The text of the path to the value of a map with this key.
fn path_of(key: impl Into<Any>) -> String {
    let key = key.into();
    let [lhs, rhs] = [1_i64, 2].map(|value| [(key.clone(), value)].into_iter().collect::<Map<Any, i64>>());
    let mismatch = structural_first_mismatch(&lhs, &rhs).expect("comparable").expect("different");
    assert_eq!(mismatch.lhs, mismatch.rhs);
    mismatch.lhs.to_string()
}

/// The paths of `get_first_structural_mismatch` of TVM 0.25 for two maps of one key. Variables are names of its scripts, and
/// texts and global variables are quoted, with the escapes of Python and of its scripts. Only a variable with the name of a
/// prefix, such as `T`, has another text in TVM, `T_1`: a path has no prefixes that the name could hide.
#[test]
fn keys_have_the_texts_of_tvm_in_paths() {
    for (name, word, quoted, global) in [
        ("x", "x", r#""x""#, r#""x""#),
        ("p.w", "p_w", r#""p.w""#, r#""p.w""#),
        (".x..y.", "_x__y_", r#"".x..y.""#, r#"".x..y.""#),
        ("a b-c[0]", "a_b_c_0_", r#""a b-c[0]""#, r#""a b-c[0]""#),
        ("", "v", r#""""#, r#""""#),
        ("1a", "1a", r#""1a""#, r#""1a""#),
        (r#"a"b"#, "a_b", r#""a\"b""#, r#""a\"b""#),
        ("a'b", "a_b", r#""a'b""#, r#""a'b""#),
        (r"a\b", "a_b", r#""a\\b""#, r#""a\\b""#),
        ("a\nb\t", "a_b_", r#""a\nb\t""#, r#""a\nb\t""#),
        ("\x01\x7f", "__", r#""\x01\x7f""#, r#""\x01\x7F""#),
        ("\u{e9}", "__", r#""\u00e9""#, r#""\xC3\xA9""#),
        ("\u{540d}", "___", r#""\u540d""#, r#""\xE5\x90\x8D""#),
        ("\u{1f600}", "____", r#""\U0001f600""#, r#""\xF0\x9F\x98\x80""#),
    ] {
        assert_eq!(path_of(Str::from(name)), format!("<root>[{quoted}]"));
        assert_eq!(path_of(GlobalVar::new(name)), format!("<root>[I.GlobalVar({global})]"));
        for variable in [
            Any::from(Var::new(Id::new(name))),
            DataflowVar::new(Id::new(name)).into(),
            tir::Var::dim(name).into(),
            tir::SizeVar::new(DataType::int(64), name, PrimType::new(DataType::int(64))).into(),
        ] {
            assert_eq!(path_of(variable), format!("<root>[{word}]"), "{name}");
        }
    }
    for (key, label) in [(Any::Int(-3), "-3"), (Any::Float(1.5), "1.5"), (DataType::int(32).into(), "int32")] {
        assert_eq!(path_of(key), format!("<root>[{label}]"));
    }
}
