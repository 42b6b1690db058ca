//! The expansions of six representative types, as files to read: `goldens/*.txt`. They also limit the size of the
//! expansion, which the compiler pays for with every type. `BLESS=1 cargo test -p object-derive` renews them.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

use super::expected_file;
use crate::derive;

/// Compares the expansion with the file, and its length with the bound.
fn check(input: TokenStream, name: &str, max_lines: usize) {
    let output = derive(input);
    let file = syn::parse2(output.clone()).unwrap_or_else(|error| panic!("{error} in {output}"));
    let text = prettyplease::unparse(&file);
    // `#[inline]` saves work: the compiler compiles such a function only for the crates that call it.
    let n_lines = text.lines().filter(|line| line.trim() != "#[inline]").count();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens").join(name).with_extension("txt");
    expected_file::check(&path, &text).unwrap_or_else(|difference| panic!("{difference}"));
    assert!(n_lines <= max_lines, "{n_lines} lines are more than {max_lines}: what does each type need them for?");
}

#[test]
fn leaf() {
    let input = quote! {
        /// A number.
        #[object(type_key = "demo.Int")]
        #[structural_eq(tree)]
        pub struct IntNode { pub value: i64 }
    };
    check(input, "leaf", 100);
}

#[test]
fn base() {
    let input = quote! {
        #[object(type_key = "demo.Expr", base)]
        pub struct ExprNode {
            /// Where it was written.
            #[field(ignore)]
            pub span: Option<Span>,
            pub dtype: DataType,
        }
    };
    check(input, "base", 155);
}

#[test]
fn binder() {
    let input = quote! {
        #[object(type_key = "demo.Let", parent = ExprNode, base_args(dtype: DataType))]
        #[structural_eq(tree)]
        pub struct LetNode {
            pub base: ExprNode,
            #[field(outer)]
            pub value: Expr,
            #[field(def)]
            pub var: Var,
            pub body: Expr,
            #[field(default = false)]
            pub is_pure: bool,
        }
    };
    check(input, "binder", 224);
}

#[test]
fn singleton() {
    let input = quote! {
        #[object(type_key = "demo.Op")]
        #[structural_eq(singleton, key = name)]
        pub struct OpNode { pub name: Str, #[field(default = 10)] pub level: i64 }
    };
    check(input, "singleton", 110);
}

#[test]
fn number_enum() {
    let input = quote! {
        /// The kind of a loop.
        enum ForKind {
            /// One step after the other.
            Serial = 0,
            Parallel = 4,
        }
    };
    check(input, "number_enum", 82);
}

#[test]
fn sum_enum() {
    let input = quote! {
        pub enum PrimValue { Int(i64), Symbolic(PrimExpr) }
    };
    check(input, "sum_enum", 98);
}
