//! [`Term`]: the type of a field in a recorded declaration.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Enumeration, FieldInfo, TypeSchema};
use crate::text::brief::brief;

/// The bound of the nesting of types. It bounds the recursion over types.
const MAX_DEPTH: usize = 32;

/// The type of a field in a recorded declaration: `ffi.Array<int>`, or `enum Mode{Slow=0,Fast=1}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name of the type or of the enum, as in a [`TypeSchema`].
    name: String,
    /// The names and numbers of the variants of an enum without data.
    variants: Option<Vec<(String, i64)>>,
    /// The types of elements, of keys and values, or of variants.
    args: Vec<Term>,
}

impl Term {
    /// The type of a field.
    #[must_use]
    pub fn of(field: &FieldInfo) -> Self {
        let mut term = Term::of_schema(&field.schema());
        // The table of a type from a schema has the enum beside the type.
        if let Some(enumeration) = field.enumeration() {
            let part = if term.is_optional() { term.args.first_mut() } else { Some(&mut term) };
            if let Some(part) = part {
                *part = Term::of_enum(&enumeration);
            }
        }
        term
    }

    fn of_schema(schema: &TypeSchema) -> Self {
        match &schema.enumeration {
            Some(enumeration) => Term::of_enum(enumeration),
            None => Term::new(schema.name, schema.args.iter().map(Term::of_schema).collect()),
        }
    }

    fn of_enum(enumeration: &Enumeration) -> Self {
        let variants = enumeration.variants.iter().map(|(name, number)| ((*name).to_owned(), *number));
        Term::of_numbers(enumeration.name, variants.collect())
    }

    /// A type with these arguments.
    pub(crate) fn new(name: &str, args: Vec<Term>) -> Self {
        Term { name: name.to_owned(), variants: None, args }
    }

    /// An enum without data.
    pub(crate) fn of_numbers(name: &str, variants: Vec<(String, i64)>) -> Self {
        Term { name: name.to_owned(), variants: Some(variants), args: Vec::new() }
    }

    /// The types of elements, of keys and values, or of variants.
    pub(crate) fn args(&self) -> &[Term] {
        &self.args
    }

    /// The names and numbers of the variants, if the type itself is an enum.
    pub(crate) fn own_variants(&self) -> Option<&[(String, i64)]> {
        self.variants.as_deref()
    }

    /// Whether the type or a type in it is an enum.
    pub(crate) fn has_enums(&self) -> bool {
        self.variants.is_some() || self.args.iter().any(Term::has_enums)
    }

    /// The type with the names of enums instead of their variants.
    pub(crate) fn with_enum_names(&self) -> Term {
        Term::new(&self.name, self.args.iter().map(Term::with_enum_names).collect())
    }

    /// The name of the type or of the enum.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the value may be `None`.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.variants.is_none() && self.name == "Optional"
    }

    /// The names and numbers of the variants, if the type is an enum or an optional enum.
    #[must_use]
    pub fn variants(&self) -> Option<&[(String, i64)]> {
        let of_enum = if self.is_optional() { self.args.first() } else { Some(self) };
        of_enum?.variants.as_deref()
    }

    /// The variants of all enums in the type, in their order.
    pub(crate) fn all_variants<'t>(&'t self, all: &mut Vec<&'t [(String, i64)]>) {
        all.extend(self.variants.as_deref());
        self.args.iter().for_each(|arg| arg.all_variants(all));
    }

    /// The type in `text`.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed), with the text.
    pub fn parse(text: &str) -> Result<Self> {
        let mut rest = text;
        match Self::take(&mut rest, MAX_DEPTH) {
            Some(term) if rest.is_empty() => Ok(term),
            _ => Err(Error::new(ErrorKind::Malformed, format!("`{}` is not the type of a field", brief(text)))),
        }
    }

    fn take(rest: &mut &str, levels: usize) -> Option<Self> {
        let levels = levels.checked_sub(1)?;
        let is_enum = rest.strip_prefix("enum ");
        *rest = is_enum.unwrap_or(rest);
        let (name, after) = rest.split_at(rest.find(['<', '>', ',', '{', '}']).unwrap_or(rest.len()));
        let mut term = Term { name: name.to_owned(), variants: None, args: Vec::new() };
        *rest = after;
        if is_enum.is_some() {
            let (variants, after) = rest.strip_prefix('{')?.split_once('}')?;
            let variant = |text: &str| {
                let (name, number) = text.split_once('=')?;
                Some((name.to_owned(), number.parse().ok()?))
            };
            term.variants = Some(variants.split(',').map(variant).collect::<Option<_>>()?);
            *rest = after;
            return Some(term);
        }
        let Some(mut after) = rest.strip_prefix('<') else { return Some(term) };
        loop {
            term.args.push(Self::take(&mut after, levels)?);
            match after.strip_prefix(',') {
                Some(next) => after = next,
                None => break,
            }
        }
        *rest = after.strip_prefix('>')?;
        Some(term)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variants) = &self.variants {
            write!(f, "enum {}{{", self.name)?;
            for (i, (name, number)) in variants.iter().enumerate() {
                write!(f, "{}{name}={number}", if i == 0 { "" } else { "," })?;
            }
            return f.write_str("}");
        }
        crate::object::write_type(f, &self.name, &self.args)
    }
}
