//! Hostile texts from `tests/data/hostile/texts.txt`: parts that repeat until the text has a given size.

/// The parts of a text.
#[derive(Debug, Default)]
struct Parts {
    head: String,
    open: String,
    /// The largest number of repeats of `open`.
    most: Option<usize>,
    core: String,
    close: String,
    tail: String,
}

/// A row of the table.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) class: String,
    parts: Parts,
}

/// The rows of a table.
pub(super) fn rows(table: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let (word, rest) = line.split_once(' ').unwrap_or_else(|| panic!("{line}: expected a word and a text"));
        if word == "==" {
            let (name, class) = rest.split_once(' ').unwrap_or_else(|| panic!("{line}: expected a name and a class"));
            rows.push(Row { name: name.to_owned(), class: class.to_owned(), ..Row::default() });
            continue;
        }
        let parts = &mut rows.last_mut().unwrap_or_else(|| panic!("{line}: expected a name first")).parts;
        match word {
            "head" => parts.head = rest.to_owned(),
            "open" => (parts.most, parts.open) = repeated(rest),
            "core" => parts.core = rest.to_owned(),
            "close" => parts.close = rest.to_owned(),
            "tail" => parts.tail = rest.to_owned(),
            _ => panic!("{line}: unknown word"),
        }
    }
    rows
}

/// `1000 x` as the largest number of repeats and the text.
fn repeated(text: &str) -> (Option<usize>, String) {
    let counted = text.split_once(' ').and_then(|(count, rest)| Some((count.parse().ok()?, rest.to_owned())));
    counted.map_or_else(|| (None, text.to_owned()), |(count, rest)| (Some(count), rest))
}

impl Row {
    /// The text with about `size` bytes.
    pub(super) fn bytes(&self, size: usize) -> Vec<u8> {
        let Parts { head, open, most, core, close, tail } = &self.parts;
        let unit = filled(open, 99, size).len() + filled(close, 99, size).len();
        let count = (size / unit.max(1)).clamp(1, most.unwrap_or(usize::MAX));
        let mut bytes = filled(head, 0, count);
        (0..count).for_each(|index| bytes.extend(filled(open, index, count)));
        bytes.extend(filled(core, count, count));
        let close = filled(close, count, count);
        (0..count).for_each(|_| bytes.extend_from_slice(&close));
        bytes.extend(filled(tail, count, count));
        bytes
    }
}

/// A part with numbers for its names, and bytes for its escapes.
fn filled(part: &str, index: usize, count: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find(['{', '\\']) {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let value: Option<fn(usize, usize) -> String> = match rest.get(..3) {
            Some("{i}") => Some(|index, _| index.to_string()),
            Some("{j}") => Some(|index, _| (index + 1).to_string()),
            Some("{n}") => Some(|_, count| count.to_string()),
            Some("{s}") => Some(|index, _| " ".repeat(index)),
            _ => None,
        };
        let taken = if let Some(value) = value {
            bytes.extend_from_slice(value(index, count).as_bytes());
            3
        } else if rest.starts_with("\\n") {
            bytes.push(b'\n');
            2
        } else if rest.starts_with("\\\\") {
            bytes.push(b'\\');
            2
        } else if rest.starts_with("\\x") {
            bytes.push(u8::from_str_radix(&rest[2..4], 16).expect("two digits"));
            4
        } else {
            bytes.push(rest.as_bytes()[0]);
            1
        };
        rest = &rest[taken..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
