//! [`Metadata`]: the values that the text refers to by number, such as tensors, and the section that holds them.

use object_core::json::{Graph, JsonWriter};
use object_core::{Any, AnyView, Array, Map, Str};
use object_ir::tvm::TvmVersion;
use rustc_hash::FxHashMap;

use crate::print::doc::quote::{Whitespace, escape};

/// Values by type key, in the order of their first use.
#[derive(Debug)]
pub(crate) struct Metadata {
    /// The version of TVM whose types the values have in the text.
    version: TvmVersion,
    lists: Vec<(&'static str, Vec<Any>)>,
    /// The type key and the number of each value.
    numbers: FxHashMap<Identity, (&'static str, usize)>,
}

/// Values with one number: one text, one object, or equal plain values.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    Text(String),
    Object(usize),
    Plain(String),
}

impl Metadata {
    /// Values of this version of TVM.
    pub(crate) fn of(version: TvmVersion) -> Self {
        Metadata { version, lists: Vec::new(), numbers: FxHashMap::default() }
    }

    /// The type of `value` in the text, and its number among the values of this type.
    pub(crate) fn number(&mut self, value: AnyView<'_>) -> (&'static str, usize) {
        let identity = match (value.as_str(), value) {
            (Some(text), _) => Identity::Text(text.to_owned()),
            (None, AnyView::Object(object)) => Identity::Object(object.address()),
            (None, plain) => Identity::Plain(plain.to_any().to_string()),
        };
        if let Some(known) = self.numbers.get(&identity) {
            return *known;
        }
        let converted = self.version.from_rust_types(Graph::new(value.to_any(), None));
        // The section says that a value has no form in the version.
        let converted = converted.map_or_else(|_| value.to_any(), |graph| graph.root);
        let key = converted.view().type_key();
        let index = self.lists.iter().position(|(known, _)| *known == key);
        let index = index.unwrap_or_else(|| {
            self.lists.push((key, Vec::new()));
            self.lists.len() - 1
        });
        let list = &mut self.lists[index].1;
        list.push(converted);
        let number = (key, list.len() - 1);
        self.numbers.insert(identity, number);
        number
    }

    /// Whether there are no values.
    pub(crate) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// The statement that loads the values, with its end of line. A value that JSON cannot hold, such as a function, makes
    /// a comment with the reason instead.
    pub(crate) fn section(&self) -> String {
        // TVM writes the types in the reverse order of their first use.
        let lists =
            self.lists.iter().rev().map(|(key, list)| (Str::from(*key), Array::<Any>::new(list.iter().cloned())));
        let root: Map<Str, Array<Any>> = Map::new(lists);
        let metadata = self.version.metadata().ok();
        match JsonWriter::new().metadata(metadata.as_ref()).to_string(&root) {
            Ok(text) => {
                let mut section = "metadata = tvm.ir.load_json(\"\"\"".to_owned();
                escape(&mut section, &indented(&text), Whitespace::Kept);
                section.push_str("\"\"\")\n");
                section
            }
            Err(error) => format!("# Metadata left out: {}\n", error.to_string().replace('\n', " ")),
        }
    }
}

/// The JSON text with line breaks, and two spaces for each level.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let mut level = 0_usize;
    let (mut is_string, mut is_escaped) = (false, false);
    let new_line = |text: &mut String, level: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', level * 2));
    };
    for char in json.chars() {
        if is_string {
            text.push(char);
            is_string = is_escaped || char != '"';
            is_escaped = !is_escaped && char == '\\';
            continue;
        }
        match char {
            '{' | '[' => {
                text.push(char);
                level += 1;
                new_line(&mut text, level);
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                // An empty list already has a new line, for the level inside.
                let end = text.trim_end_matches(' ').len();
                if text[..end].ends_with(['[', '{']) || text[..end].ends_with("[\n") || text[..end].ends_with("{\n") {
                    text.truncate(end);
                    text.extend(std::iter::repeat_n(' ', level * 2));
                } else {
                    new_line(&mut text, level);
                }
                text.push(char);
            }
            ',' => {
                text.push(',');
                new_line(&mut text, level);
            }
            ':' => text.push_str(": "),
            char => {
                is_string = char == '"';
                text.push(char);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_by_two() {
        let text = indented(r#"{"a":[],"b":[1,"x,\":"],"c":{}}"#);
        assert_eq!(text, "{\n  \"a\": [\n  ],\n  \"b\": [\n    1,\n    \"x,\\\":\"\n  ],\n  \"c\": {\n  }\n}");
    }

    #[test]
    fn equal_texts_and_the_same_object_have_one_number() {
        let mut metadata = Metadata::of(TvmVersion::V0_25);
        let (text, list) = (Any::from(Str::from("a\nb")), Any::from(Array::<i64>::new([1])));
        let same_text = Any::from(Str::from("a\nb"));
        assert_eq!(metadata.number(text.view()), ("ffi.String", 0));
        assert_eq!(metadata.number(list.view()), ("ffi.Array", 0));
        assert_eq!(metadata.number(same_text.view()), ("ffi.String", 0));
        assert_eq!(metadata.number(Any::from(Array::<i64>::new([1])).view()), ("ffi.Array", 1));
        let section = metadata.section();
        let place = |key: &str| section.find(&format!(r#"\"data\": \"{key}\""#)).expect("the key");
        assert!(place("ffi.Array") < place("ffi.String"), "{section}");
    }
}
