//! [`TypeSchema`]: the type of a field, as schemas write it.

use std::fmt;

use crate::object::model::enumeration::Enumeration;

/// The type of a field, as schemas write it: `Optional<ffi.Array<ir.PrimExpr>>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSchema {
    /// The type key of an object type, or the name of another type such as `int`, `Any`, `Optional` or `Variant`.
    pub name: &'static str,
    /// The type arguments: the types of elements, of keys and values, or of variants.
    pub args: Vec<TypeSchema>,
    /// The enum without data whose numbers the values are.
    pub enumeration: Option<Enumeration>,
}

impl TypeSchema {
    /// A type without arguments.
    #[must_use]
    pub fn leaf(name: &'static str) -> Self {
        TypeSchema::of(name, Vec::new())
    }

    /// A type with arguments.
    #[must_use]
    pub fn of(name: &'static str, args: Vec<TypeSchema>) -> Self {
        TypeSchema { name, args, enumeration: None }
    }

    /// The numbers of an enum without data.
    #[must_use]
    pub fn of_enum(enumeration: Enumeration) -> Self {
        TypeSchema { enumeration: Some(enumeration), ..TypeSchema::leaf("int") }
    }

    /// All enums without data in the type, in their order.
    pub(crate) fn enumerations(&self) -> Vec<Enumeration> {
        self.enumeration.into_iter().chain(self.args.iter().flat_map(TypeSchema::enumerations)).collect()
    }
}

impl fmt::Display for TypeSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, self.name, &self.args)
    }
}

/// Writes a type as schemas write it.
pub(crate) fn write_type(f: &mut fmt::Formatter<'_>, name: &str, args: &[impl fmt::Display]) -> fmt::Result {
    f.write_str(name)?;
    for (i, arg) in args.iter().enumerate() {
        write!(f, "{}{arg}", if i == 0 { "<" } else { "," })?;
    }
    if args.is_empty() { Ok(()) } else { f.write_str(">") }
}
