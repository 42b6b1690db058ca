//! Finds paths in the tokens of macros, which have no syntax tree.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Macros that generate code for other crates. A path in their arguments is not a use in this crate.
pub(crate) const QUOTING: [&str; 6] =
    ["quote", "quote_spanned", "parse_quote", "parse_quote_spanned", "stringify", "concat"];

/// A path that is visible in the tokens of a macro.
#[derive(Clone)]
pub(crate) struct TokenPath {
    /// The segments; the first one is empty if the path starts with `::`, and `crate` for `$crate`.
    pub(crate) segments: Vec<String>,
    /// The line of the first segment.
    pub(crate) line: usize,
    /// Whether `!` follows, as in a call of a macro.
    pub(crate) is_macro: bool,
}

/// Adds the paths in `tokens`: paths of several segments, names of types and constants, and names of called functions.
pub(crate) fn token_paths(tokens: TokenStream, paths: &mut Vec<TokenPath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct =
        |at: usize, punct: char| matches!(tokens.get(at), Some(TokenTree::Punct(it)) if it.as_char() == punct);
    let is_colons = |at: usize| is_punct(at, ':') && is_punct(at + 1, ':');
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        let ident = match &tokens[at] {
            TokenTree::Group(group) => {
                token_paths(group.stream(), paths);
                at += 1;
                continue;
            }
            TokenTree::Ident(ident) => ident,
            _ => {
                at += 1;
                continue;
            }
        };
        let mut segments = vec![ident.to_string()];
        at += 1;
        while is_colons(at)
            && let Some(TokenTree::Ident(next)) = tokens.get(at + 2)
        {
            segments.push(next.to_string());
            at += 3;
        }
        let after = |punct| start > 0 && is_punct(start - 1, punct);
        let is_range = start > 1 && after('.') && is_punct(start - 2, '.');
        let is_rooted = start > 1 && is_colons(start - 2);
        if segments[0] == "crate" {
            // `$crate` is `crate`.
        } else if after('$')
            || after('.') && !is_range
            || after('\'')
            || (after(':') && start > 2 && is_variable(&tokens, start))
        {
            continue;
        } else if is_rooted {
            // After `>` or a macro variable, the path continues from a type that the tokens do not show.
            if start > 2 && (is_punct(start - 3, '>') || matches!(&tokens[start - 3], TokenTree::Ident(_))) {
                continue;
            }
            segments.insert(0, String::new());
        }
        let is_macro = is_punct(at, '!') && !is_punct(at + 1, '=');
        let is_call =
            matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        let is_named = segments.len() > 1 || segments[0].starts_with(char::is_uppercase);
        if is_macro && QUOTING.contains(&segments[segments.len() - 1].as_str()) {
            at += 2;
        }
        if is_named || is_macro || is_call {
            paths.push(TokenPath { segments, line: ident.span().start().line, is_macro });
        }
    }
}

/// Whether the token at `at` is the kind of a macro variable: `expr` in `$x:expr`.
fn is_variable(tokens: &[TokenTree], at: usize) -> bool {
    matches!(&tokens[at - 2], TokenTree::Ident(_))
        && matches!(&tokens[at - 3], TokenTree::Punct(punct) if punct.as_char() == '$')
}
