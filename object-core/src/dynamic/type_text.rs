//! [`TypeText`]: the type of a field in the words of a schema.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Enumeration, TypeSchema, write_type};
use crate::text::brief::brief;

/// The type of a field in schema words, such as `Optional<ffi.Array<ir.PrimExpr>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeText {
    /// The type key of an object type, or the name of another type such as `int`, `Any`, `Optional` or `Variant`.
    pub name: String,
    /// The type arguments: the types of elements, of keys and values, or of variants.
    pub args: Vec<TypeText>,
    /// The enum of the schema whose numbers the values are, for a type `int` in a container or another type.
    /// [`FieldDecl::enumeration`](super::FieldDecl::enumeration) is the enum of a field.
    pub enumeration: Option<String>,
}

/// The bound of the nesting of types. It bounds the recursion over types.
const MAX_DEPTH: usize = 16;
/// The bound of the number of names in a type.
const MAX_NAMES: usize = 256;

impl TypeText {
    /// A type without arguments.
    pub fn leaf(name: impl Into<String>) -> Self {
        TypeText::of(name, Vec::new())
    }

    /// A type with arguments.
    pub fn of(name: impl Into<String>, args: Vec<TypeText>) -> Self {
        TypeText { name: name.into(), args, enumeration: None }
    }

    /// The type in `text`.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed), with the fault in the message.
    pub fn parse(text: &str) -> Result<Self> {
        let (mut rest, mut names) = (text, MAX_NAMES);
        let parsed = Self::take(&mut rest, MAX_DEPTH, &mut names).and_then(|ty| match rest {
            "" => Ok(ty),
            rest => Err(format!("there is `{}` after it", brief(rest))),
        });
        parsed.map_err(|fault| {
            let message =
                format!("`{}` is not a type: {fault}; write for example `Optional<ffi.Array<int>>`", brief(text));
            Error::new(ErrorKind::Malformed, message)
        })
    }

    /// Takes a type with at most the given levels and names from the start of `rest`.
    fn take(rest: &mut &str, levels: usize, names: &mut usize) -> Result<Self, String> {
        let levels = levels.checked_sub(1).ok_or_else(|| format!("it is more than {MAX_DEPTH} levels deep"))?;
        *names = names.checked_sub(1).ok_or_else(|| format!("it has more than {MAX_NAMES} names"))?;
        let (name, after) = rest.split_at(rest.find(['<', '>', ',']).unwrap_or(rest.len()));
        let mut ty = TypeText::leaf(name.trim());
        if ty.name.is_empty() {
            return Err("a name is missing".into());
        }
        *rest = after;
        let Some(mut after) = rest.strip_prefix('<') else { return Ok(ty) };
        loop {
            ty.args.push(Self::take(&mut after, levels, names)?);
            if let Some(next) = after.strip_prefix(',') {
                after = next;
            } else {
                *rest = after.strip_prefix('>').ok_or("there is a `<` without a `>`")?.trim_start();
                return Ok(ty);
            }
        }
    }

    /// The type for a table, leaked. `find` has the enum with a name.
    pub(super) fn leak(&self, find: &dyn Fn(&str) -> Option<Enumeration>) -> TypeSchema {
        match self.enumeration.as_deref().and_then(find) {
            Some(enumeration) => TypeSchema::of_enum(enumeration),
            None => TypeSchema::of(leak(&self.name), self.args.iter().map(|arg| arg.leak(find)).collect()),
        }
    }

    /// The names of the enums in the type, in their order.
    #[must_use]
    pub fn enums(&self) -> Vec<&str> {
        let inner = self.args.iter().flat_map(TypeText::enums);
        self.enumeration.as_deref().into_iter().chain(inner).collect()
    }

    /// The type with the names of the enums where the type has `int`.
    pub(super) fn with_enums(&self) -> TypeText {
        let name = self.enumeration.as_ref().unwrap_or(&self.name);
        TypeText::of(name, self.args.iter().map(TypeText::with_enums).collect())
    }

    /// Takes the names of enums from `named`, the type as [`with_enums`](Self::with_enums) writes it. `None` if it is the form of
    /// another type.
    pub(super) fn take_enums(&mut self, named: &TypeText) -> Option<()> {
        let is_enum = self.name == "int" && named.name != "int" && named.args.is_empty();
        if is_enum {
            self.enumeration = Some(named.name.clone());
            return Some(());
        }
        if self.name != named.name || self.args.len() != named.args.len() {
            return None;
        }
        self.args.iter_mut().zip(&named.args).try_for_each(|(arg, named)| arg.take_enums(named))
    }
}

/// The text, leaked.
pub(super) fn leak(text: &str) -> &'static str {
    if text.is_empty() { "" } else { String::leak(text.to_owned()) }
}

/// The texts as a schema has them.
pub(super) fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// The texts, leaked.
pub(super) fn leak_texts(texts: &[String]) -> &'static [&'static str] {
    if texts.is_empty() { &[] } else { texts.iter().map(|text| leak(text)).collect::<Vec<_>>().leak() }
}

impl fmt::Display for TypeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, &self.name, &self.args)
    }
}

impl From<&TypeSchema> for TypeText {
    fn from(schema: &TypeSchema) -> Self {
        let enumeration = schema.enumeration.map(|it| it.name.to_owned());
        TypeText { enumeration, ..TypeText::of(schema.name, schema.args.iter().map(TypeText::from).collect()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{TypeSchema, TypeText};

    /// Keeps the leaked types reachable for leak checkers.
    static KEPT: Mutex<Vec<TypeSchema>> = Mutex::new(Vec::new());

    #[test]
    fn types_are_written_as_they_are_read() {
        for text in ["int", "Optional<ffi.Map<ffi.String,ffi.Array<a.B>>>", "ffi.Map<a.B,ffi.Array<int>>"] {
            let ty = TypeText::parse(text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(ty.to_string(), text);
            let kept = ty.leak(&|_| None);
            assert_eq!(kept.to_string(), text);
            KEPT.lock().expect("no test panicked").push(kept);
        }
        assert_eq!(TypeText::parse(" ffi.Map < int , int > ").expect("spaces").to_string(), "ffi.Map<int,int>");
    }

    #[test]
    fn wrong_types_are_errors() {
        let deep = format!("{}int{}", "Optional<".repeat(100_000), ">".repeat(100_000));
        for text in ["", "<", ">", ",", "a<", "a>", "a,b", "a<>", "a<b", "a<b>>", "a<b>c", "a<b,>", "a<b c<d>e>", &deep]
        {
            let error = TypeText::parse(text).expect_err(text);
            assert!(error.message().contains("is not a type"), "{error}");
        }
    }
}
