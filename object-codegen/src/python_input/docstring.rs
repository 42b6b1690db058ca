//! [`Docstring`]: the documentation of a class, with its sections in the style of NumPy.

/// The documentation of a class.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Docstring {
    /// The text before the sections, and the sections that have no meaning here.
    pub(super) text: String,
    /// The names in the section `See Also`.
    pub(super) see_also: Vec<String>,
    /// The names and the texts of the section `Attributes`.
    pub(super) attributes: Vec<(String, String)>,
}

impl Docstring {
    /// Reads a docstring, whose indentation has no meaning.
    pub(super) fn parse(raw: &str) -> Docstring {
        let lines = dedent(raw);
        let mut result = Docstring::default();
        let mut text = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let Some(title) = heading(&lines, at) else {
                text.push(lines[at].as_str());
                at += 1;
                continue;
            };
            let body_start = at + 2;
            let end = (body_start..lines.len()).find(|line| heading(&lines, *line).is_some()).unwrap_or(lines.len());
            let body = &lines[body_start..end];
            match title {
                "See Also" => result.see_also.extend(see_also(body)),
                "Attributes" => result.attributes.extend(attributes(body)),
                _ => text.extend(lines[at..end].iter().map(String::as_str)),
            }
            at = end;
        }
        result.text = text.join("\n").trim().to_owned();
        result
    }
}

/// The title of a section, if the line `at` is one: the line after it consists of dashes.
fn heading(lines: &[String], at: usize) -> Option<&str> {
    let (title, rule) = (lines[at].trim_end(), lines.get(at + 1)?.trim_end());
    let is_heading =
        !title.is_empty() && !title.starts_with(' ') && rule.len() >= 3 && rule.bytes().all(|byte| byte == b'-');
    is_heading.then_some(title)
}

/// The lines without the indentation that all lines after the first share, and without empty lines at both ends.
fn dedent(raw: &str) -> Vec<String> {
    let expanded = raw.replace('\t', "        ");
    let lines: Vec<&str> = expanded.lines().collect();
    let width = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let margin = lines.iter().skip(1).filter(|line| !line.trim().is_empty()).map(|line| width(line)).min().unwrap_or(0);
    let cut = |(index, line): (usize, &&str)| {
        let skip = if index == 0 { width(line) } else { margin.min(width(line)) };
        line[skip..].trim_end().to_owned()
    };
    let mut lines: Vec<String> = lines.iter().enumerate().map(cut).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines.split_off(first)
}

/// The names of a section `See Also`: several in a line, with commas, or one in a line with a description after a colon.
fn see_also(body: &[String]) -> Vec<String> {
    let entries = body.iter().filter(|line| !line.is_empty() && !line.starts_with(' '));
    let names = entries.flat_map(|line| line.split(" : ").next().unwrap_or_default().split(','));
    let plain =
        |name: &str| name.trim().trim_start_matches(":class:").trim_matches('`').trim_start_matches('~').to_owned();
    names.map(plain).filter(|name| !name.is_empty()).collect()
}

/// The names and texts of a section `Attributes`. A name begins at the margin, with its type after a colon or without.
fn attributes(body: &[String]) -> Vec<(String, String)> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for line in body {
        if line.starts_with(' ') || line.is_empty() {
            if let Some((_, text)) = found.last_mut() {
                text.push(line);
            }
        } else {
            let name = line.split(':').next().unwrap_or_default().trim();
            found.push((name.to_owned(), Vec::new()));
        }
    }
    let text = |lines: Vec<&str>| {
        let margin =
            lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
        let cut = |line: &&str| line.get(margin.unwrap_or(0)..).unwrap_or_default().to_owned();
        lines.iter().map(cut).collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    found.into_iter().map(|(name, lines)| (name, text(lines))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_taken_out() {
        let read = Docstring::parse(
            "\n    Integer literal.\n\n    Second\n      part.\n\n    See Also\n    --------\n    IntImm, :class:`~tir.Expr`\n\n    \
             Attributes\n    ----------\n    value : int\n        The internal value.\n\n          Deeper.\n    other\n\n    Notes\n    -----\n    Kept.\n    ",
        );
        assert_eq!(read.text, "Integer literal.\n\nSecond\n  part.\n\nNotes\n-----\nKept.");
        assert_eq!(read.see_also, ["IntImm", "tir.Expr"]);
        let attributes = [("value", "The internal value.\n\n  Deeper."), ("other", "")];
        assert_eq!(read.attributes, attributes.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }

    #[test]
    fn odd_docstrings_are_texts() {
        let texts = [("", ""), ("\n\n", ""), ("a\n--", "a\n--"), ("\u{e4}\n \u{e4}", "\u{e4}\n\u{e4}"), ("---", "---")];
        for (raw, text) in texts {
            let expected = Docstring { text: text.to_owned(), ..Docstring::default() };
            assert_eq!(Docstring::parse(raw), expected, "{raw:?}");
        }
    }
}
