//! [`FreshVars`]: new variables that differ from all others, also in their names.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, Body, FieldType, ObjectBuilder, ObjectRef, ObjectView, SEqHashKind};
use crate::table::Table;
use crate::visit::walk;

/// The fields that hold a name.
const NAME_FIELDS: [&str; 2] = ["name", "name_hint"];

/// Makes new variables. A variable is told from others by identity; the new names are for people who read the result.
///
/// The name is a text field called `name` or `name_hint`, of the variable or of an object in one of its fields.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::rewrite::FreshVars;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.fresh.Var")]
/// #[structural_eq(var)]
/// struct VarNode {
///     #[field(ignore)]
///     name: Str,
/// }
///
/// let x = Var::new("x");
/// let mut fresh = FreshVars::new();
/// fresh.avoid(&x);
/// let y: Var = fresh.fresh_copy(&x)?;
/// assert!(!y.ptr_eq(&x) && y.name == *"x_1");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
pub struct FreshVars {
    /// The names in use, and the last number given to each.
    names: Table<String, usize>,
}

impl FreshVars {
    /// No names are in use yet.
    #[must_use]
    pub fn new() -> Self {
        FreshVars::default()
    }

    /// The names of all variables in `root` are in use.
    pub fn avoid<T: FieldType>(&mut self, root: &T) {
        walk(root, |object: &ObjectRef| {
            let object = object.view();
            if object.type_info().kind == SEqHashKind::FreeVar
                && let Some((_, name)) = name_of(object)
            {
                self.names.entry(name.to_owned()).or_insert(0);
            }
        });
    }

    /// A name that is not in use: `name` itself, or with a number behind it.
    pub fn name(&mut self, name: &str) -> String {
        if !self.names.contains_key(name) {
            self.names.insert(name.to_owned(), 0);
            return name.to_owned();
        }
        // `x_1` is one of the names of `x`.
        let stem = match name.rsplit_once('_') {
            Some((stem, number))
                if !stem.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                stem
            }
            _ => name,
        };
        let mut number = self.names.get(stem).copied().unwrap_or(0);
        loop {
            number += 1;
            let candidate = format!("{stem}_{number}");
            if !self.names.contains_key(&candidate) {
                self.names.insert(stem.to_owned(), number);
                self.names.insert(candidate.clone(), 0);
                return candidate;
            }
        }
    }

    /// A new variable like `var`, with a name that is not in use.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if objects of the type cannot be copied.
    pub fn fresh_copy<H: crate::object::ObjectHandle>(&mut self, var: &H) -> Result<H> {
        self.copy(var.as_object().view()).and_then(|object| Any::Object(object).cast())
    }

    pub(crate) fn copy(&mut self, var: ObjectView<'_>) -> Result<ObjectRef> {
        let Some((way, name)) = name_of(var) else {
            let copy = var.type_info().copy.ok_or_else(|| not_copied(var))?;
            return Ok(copy(var));
        };
        let name = Any::from(self.name(name));
        match way {
            Way::Own(field) => with_field(var, field, name),
            Way::ChildSource(outer, field) => {
                let AnyView::Object(below) = var.get(outer).unwrap_or_default() else { return Err(not_copied(var)) };
                with_field(var, outer, Any::Object(with_field(below, field, name)?))
            }
        }
    }
}

fn not_copied(object: ObjectView<'_>) -> Error {
    let message =
        format!("a new variable cannot be made: objects of the type `{}` cannot be copied", object.type_key());
    Error::new(ErrorKind::NotConstructible, message)
}

/// Where the name of a variable is.
enum Way {
    Own(&'static str),
    ChildSource(&'static str, &'static str),
}

/// The name of a variable.
fn name_of(var: ObjectView<'_>) -> Option<(Way, &str)> {
    if let Some((field, name)) = own_name(var) {
        return Some((Way::Own(field), name));
    }
    var.fields().find_map(|(outer, value)| {
        let below = value.as_object().filter(|object| object.type_info().body == Body::Node)?;
        let (field, name) = own_name(below)?;
        Some((Way::ChildSource(outer.name, field), name))
    })
}

fn own_name(object: ObjectView<'_>) -> Option<(&'static str, &str)> {
    let info = object.type_info();
    if matches!(info.kind, SEqHashKind::UniqueInstance) {
        return None;
    }
    NAME_FIELDS.into_iter().find_map(|field| Some((field, object.get(field)?.as_str()?)))
}

/// A copy of `object` with `value` in the field `field`.
fn with_field(object: ObjectView<'_>, field: &str, value: Any) -> Result<ObjectRef> {
    let mut builder = ObjectBuilder::from_object(object)?;
    builder.set(field, value)?;
    builder.build()
}
