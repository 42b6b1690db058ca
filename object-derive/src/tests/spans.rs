//! The places of generated names: tools that go from a use to a definition go to the user's own tokens.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use crate::{derive, lists};

/// The names in `tokens` that follow one of `words`, with the text at their places in `source`.
fn names_after(words: &[&str], tokens: TokenStream, source: &str, found: &mut Vec<(String, String)>) {
    let mut last = String::new();
    for token in tokens {
        match &token {
            TokenTree::Group(group) => names_after(words, group.stream(), source, found),
            TokenTree::Ident(name) if words.contains(&last.as_str()) => {
                found.push((name.to_string(), at(source, &token)));
            }
            _ => {}
        }
        last = token.to_string();
    }
}

/// The text at the place of a token; nothing if its place is not in `source`.
fn at(source: &str, token: &TokenTree) -> String {
    let (start, end) = (token.span().start(), token.span().end());
    let line = source.lines().nth(start.line - 1).unwrap_or_default();
    line.chars().skip(start.column).take(end.column - start.column).collect()
}

fn check(source: &str, output: TokenStream, words: &[&str], expected: &[(&str, &str)]) {
    let mut found = Vec::new();
    names_after(words, output, source, &mut found);
    for (name, place) in expected {
        let places: Vec<&str> = found.iter().filter(|(it, _)| it == name).map(|(_, place)| place.as_str()).collect();
        assert!(
            !places.is_empty() && places.iter().all(|it| it == place),
            "`{name}` is at {places:?}, not at `{place}`"
        );
    }
}

#[test]
fn a_type_and_its_functions_are_at_its_struct() {
    let source = "#[object(type_key = \"a.X\", base)] #[structural_eq(tree)]\nstruct XNode { first: i64, #[field(default = f())] second: Str }";
    let output = derive(TokenStream::from_str(source).expect("tokens"));
    let expected = [("X", "XNode"), ("new", "XNode"), ("new_base", "XNode")];
    check(source, output, &["struct", "fn"], &expected);
    let source = "#[object(type_key = \"a.X\", handle = Handle)] #[structural_eq(singleton, key = name)]\nstruct X { name: Str }";
    let output = derive(TokenStream::from_str(source).expect("tokens"));
    check(source, output, &["struct", "fn"], &[("Handle", "Handle"), ("get", "X")]);
}

#[test]
fn fields_are_at_their_declarations() {
    let source = "#[object(type_key = \"a.X\")] #[structural_eq(tree)]\nstruct XNode { first: i64, r#type: Str }";
    let output = derive(TokenStream::from_str(source).expect("tokens"));
    let mut places = Vec::new();
    names(output, &mut |token| {
        if let name @ ("first" | "r#type") = token.to_string().as_str() {
            places.push((name.to_owned(), at(source, token)));
        }
    });
    assert!(places.len() >= 6 && places.iter().all(|(name, place)| name == place), "{places:?}");
}

#[test]
fn methods_of_a_visitor_are_at_their_lines() {
    let source = "(a) trait Visitor { call: Call }";
    let output = lists::list(TokenStream::from_str(source).expect("tokens"), lists::visitor);
    let expected =
        [("enter_call", "call"), ("super_enter_call", "call"), ("leave_call", "call"), ("Visitor", "Visitor")];
    check(source, output, &["fn", "trait"], &expected);
}

fn names(tokens: TokenStream, visit: &mut impl FnMut(&TokenTree)) {
    for token in tokens {
        match &token {
            TokenTree::Group(group) => names(group.stream(), visit),
            token => visit(token),
        }
    }
}
