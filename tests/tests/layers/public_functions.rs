//! The public functions of object-core, and the names that code outside of it calls: a public function has a user.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, Visibility};

use crate::modules::{exported_macro, is_test};

/// The functions that generated code calls; the derive macro is their user.
const SUPPORT: &str = "derive_support/";

/// Modules of the standard library whose functions have names that functions here have too.
const STANDARD: [&str; 8] = ["std", "mem", "ptr", "fs", "env", "iter", "thread", "cmp"];

/// The names that code calls, apart by the form of the call.
#[derive(Default)]
pub(crate) struct Calls {
    /// Names after a dot.
    methods: BTreeSet<String>,
    /// Names alone or at the end of a path.
    paths: BTreeSet<String>,
}

impl Calls {
    /// Adds the calls in Rust code. Text that is no Rust code has none.
    pub(crate) fn add_text(&mut self, text: &str) {
        if let Ok(tokens) = text.parse() {
            self.add(tokens);
        }
    }

    /// Adds the calls in the blocks of Rust code of a document.
    pub(crate) fn add_document(&mut self, document: &str) {
        let mut parts = document.split("```");
        while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
            self.add_text(block.split_once('\n').map_or("", |(_, code)| code));
        }
    }

    /// Adds the calls in the exported macros of a file, which other crates run.
    fn add_macros(&mut self, file: &syn::File) {
        for item in &file.items {
            if let (Some(_), Item::Macro(item)) = (exported_macro(item), item) {
                self.add(item.mac.tokens.clone());
            }
        }
    }

    fn add(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_punct =
            |at: usize, punct: char| matches!(tokens.get(at), Some(TokenTree::Punct(it)) if it.as_char() == punct);
        let mut is_import = false;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) if !is_import => self.add(group.stream()),
                // Generators name functions of the generated code in texts.
                TokenTree::Literal(literal) => {
                    self.paths.insert(literal.to_string().trim_matches('"').to_owned());
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => is_import = false,
                TokenTree::Ident(ident) if ident == "use" => is_import = true,
                TokenTree::Ident(ident) if !is_import => {
                    let before = at.checked_sub(1).map(|at| &tokens[at]);
                    let is_group = matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                    let is_call = is_group || is_punct(at + 1, ':') && is_punct(at + 3, '<');
                    match before {
                        Some(TokenTree::Ident(word)) if word == "fn" => {}
                        Some(TokenTree::Punct(punct)) if punct.as_char() == '.' && is_call => {
                            self.methods.insert(ident.to_string());
                        }
                        Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => {
                            let module = at.checked_sub(3).map(|at| tokens[at].to_string()).unwrap_or_default();
                            if !STANDARD.contains(&module.as_str()) {
                                self.paths.insert(ident.to_string());
                            }
                        }
                        _ if is_call => {
                            self.paths.insert(ident.to_string());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the name of a function is called, in a form that can mean the function.
    fn calls(&self, function: &str) -> bool {
        match function.rsplit_once("::") {
            Some((_, method)) => self.methods.contains(method) || self.paths.contains(method),
            None => self.paths.contains(function),
        }
    }
}

/// Public functions, by name with the type, and the file of each.
#[derive(Default)]
struct Functions {
    names: BTreeSet<String>,
}

impl Visit<'_> for Functions {
    fn visit_item(&mut self, item: &Item) {
        match item {
            Item::Fn(it) if is_public(&it.vis) && !is_test(&it.attrs) => {
                self.names.insert(it.sig.ident.to_string());
            }
            Item::Impl(it) if it.trait_.is_none() && !is_test(&it.attrs) => {
                let syn::Type::Path(of) = &*it.self_ty else { return };
                let of = of.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
                for item in &it.items {
                    if let ImplItem::Fn(function) = item
                        && is_public(&function.vis)
                        && !is_test(&function.attrs)
                    {
                        self.names.insert(format!("{of}::{}", function.sig.ident));
                    }
                }
            }
            Item::Mod(it) if !is_test(&it.attrs) => visit::visit_item_mod(self, it),
            _ => {}
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Checks that code outside of a crate, in `calls`, calls each public function in the `sources` of the crate, except for the
/// functions in `exceptions`. A line there is a function, a tab, and the reason.
pub(crate) fn check(sources: &BTreeMap<String, String>, mut calls: Calls, exceptions: &str) -> Vec<String> {
    let (mut failures, mut functions) = (Vec::new(), BTreeMap::new());
    for (path, text) in sources.iter().filter(|(path, _)| !path.starts_with(SUPPORT)) {
        match syn::parse_file(text) {
            Ok(file) => {
                calls.add_macros(&file);
                let mut found = Functions::default();
                found.visit_file(&file);
                functions.extend(found.names.into_iter().map(|name| (name, path)));
            }
            Err(error) => failures.push(format!("{path}: {error}")),
        }
    }
    let mut excepted = BTreeSet::new();
    for line in exceptions.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once('\t') {
            Some((name, reason)) if !reason.trim().is_empty() => {
                if !functions.contains_key(name) || calls.calls(name) {
                    failures.push(format!("`{name}` is an exception without need; remove its line"));
                }
                excepted.insert(name);
            }
            _ => failures.push(format!("`{line}` has no reason; write it after a tab")),
        }
    }
    for (name, path) in &functions {
        if !calls.calls(name) && !excepted.contains(name.as_str()) {
            failures.push(format!(
                "{path}: nothing outside of the crate calls `{name}`. Delete it, make it `pub(crate)`, or give it a user."
            ));
        }
    }
    failures
}

#[test]
fn the_check_finds_a_function_without_a_user() {
    let text = "pub struct A; impl A { pub fn used(&self) {} pub fn unused(&self) {} pub(crate) fn own() {} }
        pub fn replace() {} #[macro_export] macro_rules! m { () => { $crate::made() } } pub fn made() {}";
    let sources = BTreeMap::from([("lib.rs".to_owned(), text.to_owned())]);
    let check = |code: &str, exceptions: &str| {
        let mut calls = Calls::default();
        calls.add_text(code);
        check(&sources, calls, exceptions)
    };
    let outside =
        "use a::replace; fn f() { a.used(); std::mem::replace(x, y); z.replace(1); it.unused = 1; fn unused() {} }";
    let failures = check(outside, "");
    assert_eq!(failures.len(), 2, "{failures:?}");
    assert!(failures[0].contains("`A::unused`") && failures[1].contains("`replace`"), "{failures:?}");
    assert!(check(outside, "# a comment\nA::unused\tit has a reason\nreplace\ttoo").is_empty());
    assert_eq!(check(&format!("{outside} fn g() {{ A::unused(&a); core::replace() }}"), ""), [""; 0]);
    assert_eq!(check(outside, "A::used\ta reason\nA::unused\t\nreplace\ttoo").len(), 3);
}
