//! What six representative types expand to, as files to read: `goldens/*.txt`. They also guard the size of the
//! expansion, which the compiler pays for with every type. `UPDATE_EXPECT=1 cargo test -p object-derive` renews them.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use quote::quote;

use crate::derive;

/// Compares the expansion with the file, and its length with the bound.
fn check(input: TokenStream, expected: &ExpectFile, max_lines: usize) {
    let output = derive(input);
    let file = syn::parse2(output.clone()).unwrap_or_else(|error| panic!("{error} in {output}"));
    let text = prettyplease::unparse(&file);
    let n_lines = text.lines().count();
    expected.assert_eq(&text);
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
    check(input, &expect_file!["../goldens/leaf.txt"], 141);
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
    check(input, &expect_file!["../goldens/base.txt"], 168);
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
    check(input, &expect_file!["../goldens/binder.txt"], 260);
}

#[test]
fn singleton() {
    let input = quote! {
        #[object(type_key = "demo.Op")]
        #[structural_eq(singleton, key = name)]
        pub struct OpNode { pub name: Str, #[field(default = 10)] pub level: i64 }
    };
    check(input, &expect_file!["../goldens/singleton.txt"], 155);
}

#[test]
fn number_enum() {
    let input = quote! {
        enum ForKind { Serial = 0, Parallel = 4 }
    };
    check(input, &expect_file!["../goldens/number_enum.txt"], 66);
}

#[test]
fn sum_enum() {
    let input = quote! {
        pub enum PrimValue { Int(i64), Symbolic(PrimExpr) }
    };
    check(input, &expect_file!["../goldens/sum_enum.txt"], 96);
}
