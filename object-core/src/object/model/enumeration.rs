//! [`Enumeration`]: the variants of an enum without data; and [`Variant`], the name of one of its numbers.

use std::fmt;

/// The description of an enum without data, whose values fields hold as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// The name of the Rust type.
    pub name: &'static str,
    /// The documentation comment.
    pub doc: &'static str,
    /// The names and numbers of the variants, in the order of declaration.
    pub variants: &'static [(&'static str, i64)],
    /// The documentation comments of the variants; empty if no variant has one.
    pub variant_docs: &'static [&'static str],
    /// Earlier names of variants, with the numbers of these.
    pub aliases: &'static [(&'static str, i64)],
}

impl Enumeration {
    /// An enum without a name and without variants.
    pub const NONE: Enumeration = Enumeration { name: "", doc: "", variants: &[], variant_docs: &[], aliases: &[] };

    /// The variant with the number `number`, if the enum has one whose name stands in a text without quotes.
    #[must_use]
    pub fn variant(&self, number: i64) -> Option<Variant> {
        let (name, _) = self.variants.iter().find(|(_, known)| *known == number)?;
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c == '_' || c.is_alphanumeric());
        let is_plain = self.name.split('.').all(is_word) && is_word(name);
        is_plain.then_some(Variant { enumeration: self.name, name })
    }

    /// The name of the variant with the number `number`.
    pub(crate) fn name_of(&self, number: i64) -> Option<&'static str> {
        self.variants.iter().find(|(_, known)| *known == number).map(|(name, _)| *name)
    }

    /// The number of the variant that has or had the name `name`.
    pub(crate) fn number_of_name(&self, name: &str) -> Option<i64> {
        self.variants.iter().chain(self.aliases).find(|(known, _)| *known == name).map(|(_, number)| *number)
    }

    /// The number of the variant that is written as `text`, such as `Mode.Fast`.
    pub(crate) fn number_of(&self, text: &str) -> Option<i64> {
        let name = text.strip_prefix(self.name)?.strip_prefix('.')?;
        self.variants.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }
}

/// A variant of an enum without data. It prints as the name of the enum and its own name: `Mode.Fast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    enumeration: &'static str,
    name: &'static str,
}

impl Variant {
    /// The name without the name of the enum.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.enumeration, self.name)
    }
}
