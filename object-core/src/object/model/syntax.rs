//! [`Syntax`]: the words of a declaration about the text of the language.

/// The words of a declaration about how objects of the type stand in the text of their language.
///
/// The crate `object-syntax` makes a parser and a printer of the formats of all types of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// The format, as the crate `object-format` describes it.
    pub format: &'static str,
    /// How tightly an operator holds its operands: an operator with a higher number binds before others. Without a number,
    /// a construct that begins or ends with an operand holds it less tightly than every operator.
    pub precedence: Option<u32>,
    /// The meaning of `a + b + c`.
    pub associativity: Associativity,
}

/// The meaning of an operator that stands twice without brackets, such as `a + b + c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// `(a + b) + c`
    #[default]
    Left,
    /// `a + (b + c)`
    Right,
    /// Brackets are necessary.
    None,
}

impl Associativity {
    /// The word of declarations and schemas: `left`, `right` or `none`.
    #[must_use]
    pub fn word(self) -> &'static str {
        ASSOCIATIVITIES.iter().find(|(_, it)| *it == self).map_or("", |(word, _)| *word)
    }
}

/// The words of schemas for associativities.
pub(crate) const ASSOCIATIVITIES: [(&str, Associativity); 3] =
    [("left", Associativity::Left), ("right", Associativity::Right), ("none", Associativity::None)];
