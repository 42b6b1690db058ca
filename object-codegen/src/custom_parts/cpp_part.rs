//! The members that a hand-written part of a C++ class defines.

use crate::custom_parts::class_region::CustomPart;
use crate::custom_parts::cpp_tokens::{Token, TokenKind, tokens};
use crate::custom_parts::definition::{Definition, PartContents};

/// The words that stand before `(` and define nothing.
const NOT_NAMES: [&str; 12] = [
    "alignas",
    "decltype",
    "explicit",
    "noexcept",
    "operator",
    "requires",
    "sizeof",
    "static_assert",
    "throw",
    "template",
    "if",
    "__attribute__",
];

/// The members of a part.
pub(super) fn contents(part: &CustomPart<'_>) -> PartContents {
    let tokens = tokens(part.text);
    let mut contents = PartContents::default();
    let place = |token: &Token<'_>| (part.first_line.saturating_add(token.line), token.column + 1);
    let mut start = 0;
    while start < tokens.len() {
        // An access specifier ends like a label.
        if tokens[start].is("public") || tokens[start].is("protected") || tokens[start].is("private") {
            start += 1 + usize::from(tokens.get(start + 1).is_some_and(|next| next.is(":")));
            continue;
        }
        let (end, fault) = end_of_member(&tokens, start);
        if let Some((token, message)) = fault {
            let (line, column) = place(&token);
            contents.fault.get_or_insert((line, column, message));
        }
        contents.definitions.extend(defined_name(&tokens[start..end]).map(|token| {
            let (line, column) = place(&token);
            Definition { name: token.text.to_owned(), line, column }
        }));
        start = end;
    }
    contents
}

/// The end of the member that begins at `start`: after a `;` outside of brackets, or after the body of a function. An
/// unbalanced bracket is a fault.
fn end_of_member<'t>(tokens: &[Token<'t>], start: usize) -> (usize, Option<(Token<'t>, String)>) {
    let mut open: Vec<Token<'t>> = Vec::new();
    for at in start..tokens.len() {
        let token = tokens[at];
        if token.kind != TokenKind::Mark {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => open.push(token),
            ")" | "]" | "}" => {
                let Some(opened) = open.pop() else {
                    let message = format!("`{}` closes nothing of this part, so it would end the class", token.text);
                    return (at + 1, Some((token, message)));
                };
                if !matches!((opened.text, token.text), ("(", ")") | ("[", "]") | ("{", "}")) {
                    let message = format!("`{}` does not close `{}` of this part", token.text, opened.text);
                    return (at + 1, Some((token, message)));
                }
                // The body of a function ends the member; initializers such as `int x{1};` go on to `;`.
                let goes_on = tokens.get(at + 1).is_some_and(|next| next.is(";") || next.is(",") || next.is("{"));
                if token.text == "}" && open.is_empty() && !goes_on {
                    return (at + 1, None);
                }
            }
            ";" if open.is_empty() => return (at + 1, None),
            _ => {}
        }
    }
    let fault = open.first().map(|token| (*token, format!("`{}` of this part is not closed in the part", token.text)));
    (tokens.len(), fault)
}

/// The name that a member defines. `None` for a member without a name of its own.
fn defined_name<'t>(member: &[Token<'t>]) -> Option<Token<'t>> {
    let mut angles = 0_usize;
    for (at, token) in member.iter().enumerate() {
        let next = member.get(at + 1);
        match token.text {
            // Arguments of templates contain words that are no names of members.
            "<" if token.kind == TokenKind::Mark => angles += 1,
            ">" if token.kind == TokenKind::Mark => angles = angles.saturating_sub(1),
            _ => {}
        }
        if angles > 0 || token.kind != TokenKind::Word || NOT_NAMES.contains(&token.text) {
            continue;
        }
        let ends_name = next.is_none_or(|next| ["(", "=", ";", "{", "["].iter().any(|mark| next.is(mark)));
        let is_operator = at > 0 && member[at - 1].is("operator");
        if ends_name && !is_operator {
            return Some(*token);
        }
    }
    None
}
