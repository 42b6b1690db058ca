//! [`Errors`]: all mistakes of one type, each on its tokens, with the name of the broken rule and a help.
//!
//! Only a [`Report`] adds a mistake, and a report belongs to a rule, so no message lacks the name of its rule.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The page of the errors, which has a heading with the name of each rule.
pub(crate) const ERROR_INDEX: &str = "https://docs.rs/object-core/latest/object_core/guide/error_index/";

/// The name of a rule. The first line of each message of the rule ends with it, and the last line leads to its section of
/// `docs/error_index.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RuleName(&'static str);

impl RuleName {
    /// For the macros below: a name outside of a list has no test that looks for its case.
    pub(crate) const fn new(name: &'static str) -> Self {
        RuleName(name)
    }

    /// A message without a help.
    fn mark(self, sentence: &str) -> String {
        self.with_link(sentence, "")
    }

    /// A message: the sentence with the name, the help and the link.
    pub(crate) fn message(self, sentence: &str, help: &str) -> String {
        self.with_link(sentence, &format!("help: {help}\n"))
    }

    /// The sentence with the name, the lines after it, and the link to the section of the rule.
    fn with_link(self, sentence: &str, lines: &str) -> String {
        format!("{sentence} [{name}]\n{lines}see: {ERROR_INDEX}#{name}", name = self.0)
    }

    #[cfg(test)]
    pub(crate) fn text(self) -> &'static str {
        self.0
    }
}

/// A rule of a table: a function that looks at a finished model.
pub(crate) struct Rule<T> {
    name: RuleName,
    check: fn(&T, &mut Report<'_>),
}

impl<T> Rule<T> {
    pub(crate) const fn new(name: RuleName, check: fn(&T, &mut Report<'_>)) -> Self {
        Rule { name, check }
    }

    #[cfg(test)]
    pub(crate) fn name(&self) -> RuleName {
        self.name
    }
}

/// A table of rules, in the order of their messages. A rule has the name of its function.
macro_rules! rules {
    ($($check:ident),* $(,)?) => {
        &[$($crate::report::Rule::new($crate::report::RuleName::new(stringify!($check)), $check)),*]
    };
}
pub(crate) use rules;

/// A module `rule` with the names of the rules that a file applies outside of a table, and a list of them.
macro_rules! rule_names {
    ($($name:ident),* $(,)?) => {
        #[allow(non_upper_case_globals, reason = "a rule is written here as in its messages")]
        pub(crate) mod rule {
            use crate::report::RuleName;

            $(pub(crate) const $name: RuleName = RuleName::new(stringify!($name));)*
            #[cfg(test)]
            pub(crate) const ALL: &[RuleName] = &[$($name),*];
        }
    };
}
pub(crate) use rule_names;

/// The mistakes found so far. Each station of the macro adds its mistakes and continues.
#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
}

impl Errors {
    /// Reports mistakes against the rule `name`.
    pub(crate) fn of(&mut self, name: RuleName) -> Report<'_> {
        Report { rule: name, all: &mut self.all }
    }

    /// Applies all rules of a table to `subject`.
    pub(crate) fn check<T>(&mut self, rules: &[Rule<T>], subject: &T) {
        for rule in rules {
            (rule.check)(subject, &mut self.of(rule.name));
        }
    }

    /// Whether there are no mistakes.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One `compile_error!` per mistake.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.all.iter().map(syn::Error::to_compile_error).collect()
    }

    #[cfg(test)]
    pub(crate) fn into_vec(self) -> Vec<syn::Error> {
        self.all
    }
}

/// Adds the mistakes that break one rule.
pub(crate) struct Report<'a> {
    rule: RuleName,
    all: &'a mut Vec<syn::Error>,
}

impl Report<'_> {
    /// A mistake in `tokens`: the problem and its reason, in one sentence.
    pub(crate) fn add(&mut self, tokens: &impl ToTokens, sentence: impl AsRef<str>) {
        self.all.push(syn::Error::new_spanned(tokens, self.rule.mark(sentence.as_ref())));
    }

    /// A mistake in `tokens`, and what to write instead.
    pub(crate) fn add_help(&mut self, tokens: &impl ToTokens, sentence: impl AsRef<str>, help: impl AsRef<str>) {
        self.all.push(syn::Error::new_spanned(tokens, self.rule.message(sentence.as_ref(), help.as_ref())));
    }

    /// A mistake that a parser found.
    pub(crate) fn add_parse_error(&mut self, error: &syn::Error) {
        self.all.push(syn::Error::new(error.span(), self.rule.mark(&error.to_string())));
    }

    /// A mistake that a parser found, introduced by `subject`, and what to write instead.
    pub(crate) fn add_parse_error_help(&mut self, error: &syn::Error, subject: &str, help: &str) {
        self.all.push(syn::Error::new(error.span(), self.rule.message(&format!("{subject}: {error}"), help)));
    }
}
