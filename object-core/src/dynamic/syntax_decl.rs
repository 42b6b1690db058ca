//! [`SyntaxDecl`]: the words of a type of a schema about the text of its language.

use object_format::{Format, FormatFault, PRECEDENCES, underlined};
use serde_json::Value;

use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_text::leak;
use crate::error::{ErrorKind, Result};
use crate::object::model::syntax::ASSOCIATIVITIES;
use crate::object::{Associativity, Syntax};
use crate::text::brief::brief;

/// The words of a type of a schema about the text of its language. The crate `object-syntax` makes a parser and a printer of them.
///
/// ```
/// use object_core::dynamic::{Schema, SchemaLoader};
///
/// let text = br#"{"format": "object-schema", "version": 5, "types": [{"key": "my.Ratio", "kind": "tree",
///     "syntax": {"format": "$over / $under", "precedence": 7}, "fields": [
///     {"name": "over", "type": "int"}, {"name": "under", "type": "int"}]}]}"#;
/// let types = SchemaLoader::new().load(&Schema::parse(text)?)?;
/// assert_eq!(types.get("my.Ratio")?.syntax().map(|syntax| syntax.format), Some("$over / $under"));
///
/// let wrong = String::from_utf8_lossy(text).replace("$under", "$undr");
/// let error = SchemaLoader::new().load(&Schema::parse(wrong.as_bytes())?).unwrap_err();
/// assert_eq!(error.to_string(), "`my.Ratio`: it has no field `undr`; did you mean `under`? (at <root>.types[0].syntax)");
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxDecl {
    /// The format, as the crate `object-format` describes it.
    pub format: String,
    /// How tightly an operator holds its operands.
    pub precedence: Option<u32>,
    /// The meaning of `a + b + c`.
    pub associativity: Associativity,
}

impl SyntaxDecl {
    /// A format without the words of operators.
    #[must_use]
    pub fn new(format: impl Into<String>) -> Self {
        SyntaxDecl { format: format.into(), precedence: None, associativity: Associativity::Left }
    }

    pub(super) fn of(syntax: &Syntax) -> Self {
        let Syntax { format, precedence, associativity } = *syntax;
        SyntaxDecl { format: format.to_owned(), precedence, associativity }
    }

    /// Reads the word `syntax` of a type.
    pub(super) fn parse(cursor: &JsonCursor<'_>) -> Result<Option<Self>> {
        let Some(cursor) = cursor.find("syntax")? else { return Ok(None) };
        cursor.only(&["format", "precedence", "associativity"])?;
        let precedence = |cursor: JsonCursor<'_>| {
            let number = cursor.value.as_u64().and_then(|number| u32::try_from(number).ok());
            let message =
                || format!("`{}` is not a precedence, a number from 1 to 1000", brief(&cursor.value.to_string()));
            number.filter(|it| PRECEDENCES.contains(it)).ok_or_else(|| cursor.error(ErrorKind::OutOfRange, message()))
        };
        Ok(Some(SyntaxDecl {
            format: cursor.get("format")?.text()?.to_owned(),
            precedence: cursor.find("precedence")?.map(precedence).transpose()?,
            associativity: cursor.word_of("associativity", &ASSOCIATIVITIES)?.unwrap_or_default(),
        }))
    }

    pub(super) fn to_json(&self) -> Value {
        let mut entry = serde_json::Map::new();
        entry.insert("format".to_owned(), self.format.as_str().into());
        if let Some(precedence) = self.precedence {
            entry.insert("precedence".to_owned(), precedence.into());
        }
        if self.associativity != Associativity::default() {
            entry.insert("associativity".to_owned(), self.associativity.word().into());
        }
        entry.into()
    }

    pub(super) fn leak(&self) -> Syntax {
        Syntax { format: leak(&self.format), precedence: self.precedence, associativity: self.associativity }
    }

    /// The fields that the format names. `is_list` says whether the field with a name is a list. Whether the format shows all
    /// fields, and fits the other types, is known when a language is made.
    ///
    /// # Errors
    /// A fault in the words of a type that is abstract or not.
    pub(super) fn field_names(&self, is_abstract: bool, is_list: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
        if is_abstract {
            return Err("it is abstract, so no object has this format; types that extend it have formats".to_owned());
        }
        if self.associativity != Associativity::default() && self.precedence.is_none() {
            return Err("`associativity` is a word about an operator with a `precedence`".to_owned());
        }
        let in_format = |fault: FormatFault| {
            let place = underlined(&self.format, &fault.range);
            format!("{} in the format; {}\n{place}", fault.message, fault.help)
        };
        let format = Format::parse(&self.format).map_err(in_format)?;
        format.check_lists(&self.format, is_list).map_err(in_format)?;
        Ok(format.fields().map(|place| place.name.clone()).collect())
    }
}
