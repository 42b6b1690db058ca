//! Properties of the expansion of the derive, also where its input is nonsense.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use crate::report::ERROR_INDEX;
use crate::{derive, expand, lists};

/// A type that uses most of the words.
fn rich() -> TokenStream {
    quote! {
        /// Documented.
        #[object(type_key = "demo.X", parent = a::PNode, base, base_args(dtype: DataType, name: Option<Str>))]
        #[object(label = "X({name:?})", json = name, may_contain(var), crate = facade::core)]
        #[structural_eq(tree, custom)]
        pub(crate) struct XNode {
            pub base: a::PNode,
            #[field(ignore, default, meta(a = "b", c = "d"))]
            pub name: Str,
            #[field(outer, default, may_contain(var, none))]
            pub outside: Any,
            #[field(def, rename = "other_", default = Self::OTHER)]
            pub r#type: Option<Array<Var>>,
        }
    }
}

fn singleton() -> TokenStream {
    quote! {
        #[object(type_key = "demo.Op", crate = facade::core)]
        #[structural_eq(singleton, key = name, table = list)]
        struct OpNode { name: Str, #[field(default = -1)] level: i64 }
    }
}

fn enumeration() -> TokenStream {
    quote! {
        #[object(crate = facade::core)]
        enum Kind { A = 1, B }
    }
}

fn sum() -> TokenStream {
    quote! {
        #[object(crate = facade::core)]
        enum Value { Int(i64), Symbolic(Expr), Many(Option<Array<Expr>>) }
    }
}

/// A union, a generic struct, a tuple struct and an enum with data.
fn wrong() -> [TokenStream; 4] {
    [
        quote! { union UNode { a: i64 } },
        quote! { struct GNode<T: Clone> where T: Copy { a: T } },
        quote! { #[object(type_key = "a.T")] struct TNode(#[field(skip)] i64); },
        quote! { enum E { A(i64), #[field(def)] B { b: i64 } } },
    ]
}

fn all() -> Vec<TokenStream> {
    [rich(), singleton(), enumeration(), sum()].into_iter().chain(wrong()).collect()
}

#[test]
fn valid_input_makes_items_and_no_errors() {
    for input in [rich(), singleton(), enumeration(), sum()] {
        let output = derive(input);
        let file = syn::parse2::<syn::File>(output.clone());
        assert!(file.is_ok(), "{:?} in {output}", file.err());
        assert!(!output.to_string().contains("compile_error"), "{output}");
    }
}

#[test]
fn the_core_crate_is_named_only_as_the_user_says() {
    for input in [rich(), singleton(), enumeration(), sum()] {
        let output = derive(input).to_string();
        assert!(!output.replace(ERROR_INDEX, "").contains("object_core"), "{output}");
        let support = expand::support(&syn::parse_quote!(facade::core)).to_string();
        assert!(output.contains(&support), "{output}");
    }
}

#[test]
fn wrong_input_makes_errors_and_items() {
    for input in wrong() {
        let output = derive(input).to_string();
        assert!(output.contains("compile_error"), "{output}");
        assert!(syn::parse_str::<syn::File>(&output).is_ok(), "{output}");
    }
}

/// The tokens of a type, which the compiler has to read. A bound and not an exact figure: it fails for code that
/// multiplies, and not for every change.
#[test]
fn the_expansion_stays_small() {
    let n_tokens = |input| count(derive(input));
    let plain =
        |fields: TokenStream| quote!(#[object(type_key = "a.X")] #[structural_eq(tree)] struct XNode { #fields });
    let empty = n_tokens(plain(quote!()));
    let one = n_tokens(plain(quote!(a: i64,)));
    assert!(empty < 1210, "{empty} tokens for a type");
    assert!(one - empty < 90, "{} tokens for a field", one - empty);
}

fn count(tokens: TokenStream) -> usize {
    let size = |token| match token {
        TokenTree::Group(group) => 2 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(size).sum()
}

/// For any tokens, the macro returns items or errors, and does not panic. Tokens are deleted, doubled, swapped
/// and replaced, one to four at a time, in every kind of item.
#[test]
fn no_input_makes_it_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..6000 {
        let seeds = all();
        let mut input = seeds[round % seeds.len()].clone();
        for _ in 0..=random.below(4) {
            input = mutate(input, &mut random);
        }
        let shown = input.to_string();
        let result = std::panic::catch_unwind(|| derive(input).to_string());
        assert!(result.is_ok(), "panic on: {shown}");
    }
}

/// The same for the items that list handles.
#[test]
fn no_list_makes_it_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let seeds: [(TokenStream, lists::Expansion); 2] = [
        (
            quote!((a::core) #[doc = "A"] pub enum Kind of Expr { Var, m::Const, #[doc = "B"] Many(Array<Expr>) }),
            lists::variants_of,
        ),
        (
            quote!((a::core) #[doc = "A"] pub trait Visitor { var: Var, many: Map<Str, m::Const>, r#fn: Fn }),
            lists::visitor,
        ),
    ];
    for (seed, expansion) in &seeds {
        let output = lists::list(seed.clone(), *expansion).to_string();
        assert!(!output.contains("compile_error") && syn::parse_str::<syn::File>(&output).is_ok(), "{output}");
    }
    for round in 0..4000 {
        let (mut input, expansion) = seeds[round % 2].clone();
        for _ in 0..=random.below(4) {
            input = mutate(input, &mut random);
        }
        let shown = input.to_string();
        let result = std::panic::catch_unwind(|| lists::list(input, expansion).to_string());
        assert!(result.is_ok(), "panic on: {shown}");
    }
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap_or_default()
    }
}

/// One change at one place, at any depth.
fn mutate(tokens: TokenStream, random: &mut Random) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    if trees.is_empty() {
        return token(random).into();
    }
    let at = random.below(trees.len());
    if let TokenTree::Group(group) = &trees[at]
        && random.below(8) != 0
    {
        let inside = mutate(group.stream(), random);
        trees[at] = Group::new(group.delimiter(), inside).into();
        return trees.into_iter().collect();
    }
    match random.below(5) {
        0 => drop(trees.remove(at)),
        1 => trees.insert(at, trees[at].clone()),
        2 => {
            let other = random.below(trees.len());
            trees.swap(at, other);
        }
        3 => trees[at] = token(random),
        _ => trees.insert(at, token(random)),
    }
    trees.into_iter().collect()
}

/// A token that the macro may look at.
fn token(random: &mut Random) -> TokenTree {
    const WORDS: [&str; 28] = [
        "may_contain",
        "outer",
        "dag",
        "def",
        "base",
        "parent",
        "singleton",
        "none",
        "var",
        "key",
        "json",
        "opaque",
        "crate",
        "Self",
        "self",
        "struct",
        "type",
        "Node",
        "XNode",
        "X",
        "skip",
        "handle",
        "meta",
        "default",
        "table",
        "_",
        "fn",
        "dyn",
    ];
    match random.below(6) {
        0 => Punct::new([',', '=', '-', '#', ':', '<', '>', '\'', '.'][random.below(9)], Spacing::Alone).into(),
        1 => Literal::string(["", "a", "a.b", "{x", "fn"][random.below(5)]).into(),
        2 => Literal::i64_unsuffixed(7).into(),
        3 => {
            let delimiters = [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace, Delimiter::None];
            let inside = if random.below(2) == 0 { TokenStream::new() } else { token(random).into() };
            Group::new(delimiters[random.below(4)], inside).into()
        }
        _ => Ident::new(WORDS[random.below(WORDS.len())], Span::call_site()).into(),
    }
}
