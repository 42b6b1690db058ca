//! [`Schema`]: what a schema says, as plain data: types by key, whatever the format they came in.

use std::fmt;

use crate::access_path::{AccessPath, AccessStep};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, Body, FieldRole, SEqHashKind, TypeSchema, write_type};

/// A description of types as data: of some that are linked, or of some that no Rust struct describes.
///
/// It is read from JSON by [`parse`](Self::parse), made of tables by [`of`](Self::of), written by
/// [`to_json`](Self::to_json), and becomes types by a [`SchemaLoader`](super::SchemaLoader).
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Vec<TypeDecl>,
    /// Whether it was made for another program, so that some of what it mentions may not exist here.
    pub(super) is_foreign: bool,
    /// Keys that are not among the types, with the reasons.
    pub(super) left_out: Vec<(String, String)>,
}

impl Schema {
    /// The keys of the types, in the order of the schema.
    pub fn type_keys(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|decl| decl.key.as_str())
    }
}

/// A type of a schema.
#[derive(Clone, Debug)]
pub(super) struct TypeDecl {
    pub(super) place: AccessPath,
    /// Whether it is not of the schema, but tells of a linked type that the schema does not have.
    pub(super) is_linked: bool,
    pub(super) key: String,
    pub(super) parent: Option<String>,
    pub(super) doc: String,
    pub(super) body: Body,
    pub(super) kind: SEqHashKind,
    pub(super) is_scope: bool,
    pub(super) is_custom: bool,
    pub(super) is_base: bool,
    pub(super) is_abstract: bool,
    pub(super) label: Option<String>,
    pub(super) json: Option<String>,
    pub(super) singleton_key: Option<String>,
    /// Those that the type adds to its parent's.
    pub(super) fields: Vec<FieldDecl>,
}

/// A field of a type of a schema.
#[derive(Clone, Debug)]
pub(super) struct FieldDecl {
    pub(super) place: AccessPath,
    pub(super) name: String,
    pub(super) ty: TypeText,
    pub(super) role: FieldRole,
    pub(super) doc: String,
    pub(super) meta: Vec<(String, String)>,
    pub(super) default: Option<Any>,
}

impl TypeDecl {
    /// The error, said of the entry `word` of this type.
    pub(super) fn blame(&self, word: &str, kind: ErrorKind, message: impl fmt::Display) -> Error {
        Error::new(kind, format!("`{}`: {message}", self.key)).at(below(&self.place, AccessStep::Attr(word.into())))
    }
}

/// The place that `step` leads to from `place`.
pub(super) fn below(place: &AccessPath, step: AccessStep) -> AccessPath {
    AccessPath::from_steps(place.steps().iter().cloned().chain([step]))
}

/// The type of a field in schema words, such as `Optional<ffi.Array<ir.PrimExpr>>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypeText {
    pub(super) name: String,
    pub(super) args: Vec<TypeText>,
}

/// How deep types may be nested. No field needs more, and the bound keeps recursion over types shallow.
const MAX_DEPTH: usize = 16;

impl TypeText {
    pub(super) fn leaf(name: impl Into<String>) -> Self {
        TypeText { name: name.into(), args: Vec::new() }
    }

    /// The type in `text`.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed), saying what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut rest = text;
        let parsed = Self::take(&mut rest, MAX_DEPTH).and_then(|ty| match rest {
            "" => Ok(ty),
            rest => Err(format!("there is `{rest}` behind it")),
        });
        parsed.map_err(|fault| {
            let message = format!("`{text}` is no type: {fault}; write for example `Optional<ffi.Array<int>>`");
            Error::new(ErrorKind::Malformed, message)
        })
    }

    /// Takes a type from the start of `rest`, with at most so many levels.
    fn take(rest: &mut &str, levels: usize) -> Result<Self, String> {
        let levels = levels.checked_sub(1).ok_or_else(|| format!("it is more than {MAX_DEPTH} levels deep"))?;
        let (name, behind) = rest.split_at(rest.find(['<', '>', ',']).unwrap_or(rest.len()));
        let mut ty = TypeText::leaf(name.trim());
        if ty.name.is_empty() {
            return Err("a name is missing".into());
        }
        *rest = behind;
        let Some(mut behind) = rest.strip_prefix('<') else { return Ok(ty) };
        loop {
            ty.args.push(Self::take(&mut behind, levels)?);
            if let Some(next) = behind.strip_prefix(',') {
                behind = next;
            } else {
                *rest = behind.strip_prefix('>').ok_or("there is a `<` without a `>`")?.trim_start();
                return Ok(ty);
            }
        }
    }

    /// The same as a table has it, kept as long as the program.
    pub(super) fn leak(&self) -> TypeSchema {
        TypeSchema { name: leak(&self.name), args: self.args.iter().map(TypeText::leak).collect() }
    }
}

/// The text, kept as long as the program.
pub(super) fn leak(text: &str) -> &'static str {
    if text.is_empty() { "" } else { String::leak(text.to_owned()) }
}

impl fmt::Display for TypeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, &self.name, &self.args)
    }
}

impl From<&TypeSchema> for TypeText {
    fn from(schema: &TypeSchema) -> Self {
        TypeText { name: schema.name.to_owned(), args: schema.args.iter().map(TypeText::from).collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{TypeSchema, TypeText};

    /// Where tables would keep them: leak checkers look for that.
    static KEPT: Mutex<Vec<TypeSchema>> = Mutex::new(Vec::new());

    #[test]
    fn types_are_written_as_they_are_read() {
        for text in ["int", "Optional<ffi.Map<ffi.String,ffi.Array<a.B>>>", "ffi.Map<a.B,ffi.Array<int>>"] {
            let ty = TypeText::parse(text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(ty.to_string(), text);
            let kept = ty.leak();
            assert_eq!(kept.to_string(), text);
            KEPT.lock().expect("nobody panicked").push(kept);
        }
        assert_eq!(TypeText::parse(" ffi.Map < int , int > ").expect("spaces").to_string(), "ffi.Map<int,int>");
    }

    #[test]
    fn what_is_no_type_is_an_error() {
        let deep = format!("{}int{}", "Optional<".repeat(100_000), ">".repeat(100_000));
        for text in ["", "<", ">", ",", "a<", "a>", "a,b", "a<>", "a<b", "a<b>>", "a<b>c", "a<b,>", "a<b c<d>e>", &deep]
        {
            let error = TypeText::parse(text).expect_err(text);
            assert!(error.message().contains("is no type"), "{error}");
        }
    }
}
