//! Reads a format.

use std::ops::Range;

use crate::items::{FieldForm, FieldItem, Format, FormatFault, Gap, Item, ItemKind, ListItem};
use crate::signs::{is_name_part, is_name_start, is_word, stands_alone};

const FIELD_HELP: &str = "write `$name` for a field, `$(...)?` for a part that may be absent, `$(...), *` for a list, or `$$` for the sign `$`";
const GROUP_HELP: &str = "write `?` after a part that may be absent, or `*` or `+` after a list, with its separator in front: `$($params), *`";
const LITERAL_HELP: &str =
    "write words, brackets, or signs such as `->` and `:=`; texts and numbers are the values of fields";

impl Format {
    /// Reads a format.
    ///
    /// # Errors
    /// The first mistake in `text`.
    pub fn parse(text: &str) -> Result<Self, FormatFault> {
        let mut parser = Parser { text, at: 0, indent: shared_indent(text) };
        parser.at = text.len() - text.trim_start().len();
        let mut items = parser.items(None)?;
        trim(&mut items);
        if items.is_empty() {
            return Err(FormatFault {
                range: 0..text.len(),
                message: "the format is empty".to_owned(),
                help: LITERAL_HELP.into(),
            });
        }
        spread_lists(&mut items);
        Ok(Format { items })
    }
}

/// The indentation that all lines after the first share. The first line counts if text stands only after its end.
fn shared_indent(text: &str) -> usize {
    let lines = text.split('\n').skip(1).filter(|line| !line.trim().is_empty());
    let closes = |line: &&str| line.trim().starts_with([')', ']', '}']);
    let starts_below = text.trim_start_matches(' ').starts_with('\n');
    let indents = lines.filter(|line| starts_below || !closes(line)).map(|line| line.len() - line.trim_start().len());
    match starts_below {
        true => indents.min().unwrap_or(0),
        // The text after the first line of a format on several lines is one level deeper, unless a bracket closes it.
        false => indents.min().unwrap_or(4).saturating_sub(4),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    indent: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn fault<T>(&self, range: Range<usize>, message: impl Into<String>, help: &'static str) -> Result<T, FormatFault> {
        Err(FormatFault { range, message: message.into(), help: help.into() })
    }

    /// The items up to the end, or up to the bracket that closes the group which starts at `group`.
    fn items(&mut self, group: Option<usize>) -> Result<Vec<Item>, FormatFault> {
        let mut items = Vec::new();
        let mut brackets = 0usize;
        loop {
            let start = self.at;
            let Some(c) = self.peek() else {
                return match group {
                    None => Ok(items),
                    Some(open) => self.fault(open..open + 2, "`$(` has no `)`", GROUP_HELP),
                };
            };
            let kind = if c == '$' {
                self.special()?
            } else if c.is_whitespace() {
                ItemKind::Gap(self.gap())
            } else if c == ')' && group.is_some() && brackets == 0 {
                self.at += 1;
                return Ok(items);
            } else {
                match c {
                    '(' => brackets += 1,
                    ')' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                ItemKind::Literal(self.literal()?)
            };
            items.push(Item { kind, range: start..self.at });
        }
    }

    /// A space, or a line break with its indentation.
    fn gap(&mut self) -> Gap {
        let space = &self.rest()[..self.rest().len() - self.rest().trim_start().len()];
        self.at += space.len();
        match space.rfind('\n') {
            Some(at) => Gap::Line((space.len() - at - 1).saturating_sub(self.indent) / 4),
            None => Gap::Space,
        }
    }

    /// A token of the text.
    fn literal(&mut self) -> Result<String, FormatFault> {
        let start = self.at;
        let Some(first) = self.peek() else { return Ok(String::new()) };
        if first.is_ascii_digit() || matches!(first, '"' | '\'' | '`') {
            let end = start + first.len_utf8();
            let message = format!("no token begins with `{first}`, which begins a value");
            return self.fault(start..end, message, LITERAL_HELP);
        }
        let length = if is_name_start(first) {
            let rest = self.rest();
            let mut end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            // Dots between names are part of a word: `arith.add`.
            while let Some(after) = rest[end..].strip_prefix('.').filter(|after| after.starts_with(is_name_start)) {
                end = rest.len() - after.len() + after.find(|c| !is_name_part(c)).unwrap_or(after.len());
            }
            end
        } else if stands_alone(first) {
            1
        } else {
            let ends = |c: char| {
                is_name_part(c) || c.is_whitespace() || stands_alone(c) || matches!(c, '$' | '"' | '\'' | '`')
            };
            self.rest().find(ends).unwrap_or(self.rest().len())
        };
        self.at += length;
        Ok(self.text[start..self.at].to_owned())
    }

    /// The item after a `$`.
    fn special(&mut self) -> Result<ItemKind, FormatFault> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some('$') => {
                self.at += 1;
                Ok(ItemKind::Literal("$".to_owned()))
            }
            Some('(') => {
                self.at += 1;
                let items = self.items(Some(start))?;
                self.group(start, items)
            }
            Some('{') => self.braces(start),
            Some('.') if self.rest().starts_with("..") => {
                self.at += 2;
                Ok(ItemKind::Rest)
            }
            Some(c) if is_name_start(c) => Ok(ItemKind::Field(FieldItem { name: self.name(), form: FieldForm::Value })),
            other => {
                let end = self.at + other.map_or(0, char::len_utf8);
                self.fault(start..end, "`$` stands before no field", FIELD_HELP)
            }
        }
    }

    fn name(&mut self) -> String {
        let length = self.rest().find(|c| !is_name_part(c)).unwrap_or(self.rest().len());
        let name = self.rest()[..length].to_owned();
        self.at += length;
        name
    }

    /// `{field}`, `{field:word}` or `{field:flag}`
    fn braces(&mut self, start: usize) -> Result<ItemKind, FormatFault> {
        let help = "write `${field}`, `${field:word}` for a name without quotes, or `${field:flag}` for a part that stands for `true`";
        let Some(end) = self.rest().find('}') else {
            return self.fault(start..start + 2, "`${` has no `}`", help);
        };
        let inside = &self.rest()[1..end];
        self.at += end + 1;
        let (name, form) = match inside.split_once(':') {
            None => (inside, FieldForm::Value),
            Some((name, "word")) => (name, FieldForm::Word),
            Some((name, "flag")) => (name, FieldForm::Flag),
            Some((_, form)) => {
                return self.fault(start..self.at, format!("`{form}` is not a form of a field"), help);
            }
        };
        if !is_word(name) || name.contains('.') {
            return self.fault(start..self.at, format!("`{name}` is not the name of a field"), help);
        }
        Ok(ItemKind::Field(FieldItem { name: name.to_owned(), form }))
    }

    /// The separator and the sign after `$(...)`.
    fn group(&mut self, start: usize, mut items: Vec<Item>) -> Result<ItemKind, FormatFault> {
        let end = self.at;
        if !has_field(&items) {
            return self.fault(start..end, "a part in `$(...)` shows no field", GROUP_HELP);
        }
        if self.peek() == Some('?') {
            self.at += 1;
            return Ok(ItemKind::Optional(items));
        }
        let mut separator = None;
        if self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, '*' | '+' | '$')) {
            let at = self.at;
            let literal = self.literal()?;
            // In `|*`, the last sign is the sign of the list.
            let token = literal.trim_end_matches(['*', '+']);
            self.at = at + token.len();
            separator = Some(token.to_owned());
        }
        let gap = self.peek().is_some_and(char::is_whitespace).then(|| self.gap());
        let is_nonempty = match self.peek() {
            Some('*') => false,
            Some('+') => true,
            _ => return self.fault(start..end, "`$(...)` is neither a part that may be absent nor a list", GROUP_HELP),
        };
        self.at += 1;
        trim(&mut items);
        Ok(ItemKind::List(ListItem { items, separator, gap, is_nonempty }))
    }
}

fn has_field(items: &[Item]) -> bool {
    items.iter().any(|item| match &item.kind {
        ItemKind::Field(_) => true,
        ItemKind::Optional(items) => has_field(items),
        ItemKind::List(list) => has_field(&list.items),
        ItemKind::Literal(_) | ItemKind::Rest | ItemKind::Gap(_) => false,
    })
}

/// Removes the space at both ends.
fn trim(items: &mut Vec<Item>) {
    let is_space = |item: &Item| matches!(item.kind, ItemKind::Gap(_));
    while items.last().is_some_and(is_space) {
        items.pop();
    }
    let first = items.iter().position(|item| !is_space(item)).unwrap_or(0);
    items.drain(..first);
}

/// A list that stands alone on its lines has each element on a line of its own.
fn spread_lists(items: &mut [Item]) {
    for index in 0..items.len() {
        let before = index.checked_sub(1).map(|before| items[before].kind.clone());
        let after = items.get(index + 1).map(|item| item.kind.clone());
        let ends_line = matches!(after, None | Some(ItemKind::Gap(Gap::Line(_))));
        match &mut items[index].kind {
            ItemKind::List(list) => {
                spread_lists(&mut list.items);
                if let (None, Some(ItemKind::Gap(gap @ Gap::Line(_))), true) = (list.gap, before, ends_line) {
                    list.gap = Some(gap);
                }
            }
            ItemKind::Optional(items) => spread_lists(items),
            ItemKind::Literal(_) | ItemKind::Field(_) | ItemKind::Rest | ItemKind::Gap(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap_text(gap: Gap) -> String {
        match gap {
            Gap::Space => "_".to_owned(),
            Gap::Line(depth) => format!("/{depth}"),
        }
    }

    /// A format as a text of its items.
    fn shown(items: &[Item]) -> String {
        let item = |item: &Item| match &item.kind {
            ItemKind::Literal(token) => token.clone(),
            ItemKind::Field(field) => format!(
                "<{}{}>",
                field.name,
                match field.form {
                    FieldForm::Value => "",
                    FieldForm::Word => ":word",
                    FieldForm::Flag => ":flag",
                }
            ),
            ItemKind::Rest => "<..>".to_owned(),
            ItemKind::Gap(gap) => gap_text(*gap),
            ItemKind::Optional(items) => format!("[{}]?", shown(items)),
            ItemKind::List(list) => {
                let gap = list.gap.map(gap_text).unwrap_or_default();
                let sign = if list.is_nonempty { "+" } else { "*" };
                format!("[{}]{}{}{sign}", shown(&list.items), list.separator.as_deref().unwrap_or(""), gap)
            }
        };
        items.iter().map(item).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn formats_are_trees() {
        let cases = [
            ("let $var = $value in $body", "let _ <var> _ = _ <value> _ in _ <body>"),
            ("\\$x. $body", "\\ <x> . _ <body>"),
            ("$f($($args), *)", "<f> ( [<args>],_* )"),
            ("${name:word}$(: $ty)?", "<name:word> [: _ <ty>]?"),
            ("arith.add $lhs, $rhs $..", "arith.add _ <lhs> , _ <rhs> _ <..>"),
            ("$($alts)|+ end", "[<alts>]|+ _ end"),
            ("$$ $x", "$ _ <x>"),
            ("$(f($x))? y", "[f ( <x> )]? _ y"),
            ("\n    func $name {\n        $($body;)*\n    }\n", "func _ <name> _ { /1 [<body> ;]/1* /0 }"),
            ("func $name {\n    $($body;)*\n}", "func _ <name> _ { /1 [<body> ;]/1* /0 }"),
        ];
        for (text, tree) in cases {
            assert_eq!(Format::parse(text).map(|format| shown(&format.items)).as_deref(), Ok(tree), "{text}");
        }
    }

    #[test]
    fn lists_have_brackets() {
        let cases = [
            ("f($x,*)", Some("$x,*")),
            ("f($x, *)", Some("$x, *")),
            ("f(${x:word};\n*)", Some("${x:word};\n*")),
            ("begin $x* end", Some("$x*")),
            ("$($x|+)?", Some("$x|+")),
            ("f($($x), *)", None),
            ("f($x, *$y)", None),
            ("$x*$y", None),
            ("$x * $y", None),
            ("f($x ,*)", None),
            ("f($x)*", None),
            ("f($y,*)", None),
        ];
        for (text, place) in cases {
            let found = Format::parse(text).unwrap().check_lists(text, |name| name == "x");
            assert_eq!(found.err().map(|fault| &text[fault.range]), place, "{text}");
        }
    }

    #[test]
    fn faults_are_at_their_tokens() {
        let cases = [
            ("", "the format is empty", ""),
            ("let $ = 1", "`$` stands before no field", "$ "),
            ("a $(x", "`$(` has no `)`", "$("),
            ("a $(x)?", "a part in `$(...)` shows no field", "$(x)"),
            ("a $($x)", "`$(...)` is neither a part that may be absent nor a list", "$($x)"),
            ("a 1", "no token begins with `1`, which begins a value", "1"),
            ("${x:quoted}", "`quoted` is not a form of a field", "${x:quoted}"),
            ("${x", "`${` has no `}`", "${"),
        ];
        for (text, message, token) in cases {
            let fault = Format::parse(text).unwrap_err();
            assert_eq!((fault.message.as_str(), &text[fault.range]), (message, token), "{text}");
        }
    }
}
