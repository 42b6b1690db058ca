//! [`FreshVars`]: new variables with unused names.

use crate::container::Array;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{
    Any, AnyView, AsAnyView, Body, FieldInfo, FieldRole, ObjectBuilder, ObjectHandle, ObjectRef, ObjectView,
    SEqHashKind,
};
use crate::table::Table;
use crate::visit::walk;

/// The reflected names of fields that hold a name.
const NAME_FIELDS: [&str; 2] = ["name", "name_hint"];

/// Makes new variables. Variables differ by identity; the new names help people who read the result.
///
/// The name of a variable is a text field called `name` or `name_hint`, of the variable itself or of an object in one
/// of its fields.
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
    /// The used names, each with the last number that a name made of it got.
    names: Table<String, usize>,
}

impl FreshVars {
    /// No names are used yet.
    #[must_use]
    pub fn new() -> Self {
        FreshVars::default()
    }

    /// Marks the names of all variables in `root` as used.
    pub fn avoid(&mut self, root: &impl AsAnyView) {
        self.avoid_all([root.as_any_view()]);
    }

    /// [`avoid`](Self::avoid) for several values. An object in several of them is visited once.
    pub(super) fn avoid_all<'a>(&mut self, roots: impl IntoIterator<Item = AnyView<'a>>) {
        let roots: Array<Any> = roots.into_iter().map(AnyView::to_any).collect();
        walk(&roots, |object: &ObjectRef, _| {
            let object = object.view();
            if object.type_info().kind == SEqHashKind::FreeVar
                && let Some((_, name)) = name_of(object)
            {
                self.names.entry(name.to_owned()).or_insert(0);
            }
        });
    }

    /// An unused name, which is used from now on: `name` itself, or `name` with a number after it.
    pub fn name(&mut self, name: &str) -> String {
        if !self.names.contains_key(name) {
            self.names.insert(name.to_owned(), 0);
            return name.to_owned();
        }
        // The next name after `x_1` is `x_2`, and not `x_1_1`.
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

    /// A copy of the variable `var` with an unused name.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if objects of the type cannot be copied.
    pub fn fresh_copy<H: ObjectHandle>(&mut self, var: &H) -> Result<H> {
        self.copy(var.as_object().view()).and_then(|object| Any::Object(object).cast())
    }

    /// [`fresh_copy`](Self::fresh_copy) of an untyped variable.
    pub(super) fn copy(&mut self, var: ObjectView<'_>) -> Result<ObjectRef> {
        let Some((field, name)) = name_of(var) else {
            return plain_copy(var);
        };
        let name = Any::from(self.name(name));
        match field {
            NameField::Own(field) => with_field(var, field, name),
            NameField::OfChild(outer, field) => {
                let AnyView::Object(child) = var.get(outer).unwrap_or_default() else { return Err(not_copied(var)) };
                with_field(var, outer, Any::Object(with_field(child, field, name)?))
            }
        }
    }

    /// As [`copy`](Self::copy), but everything that structural equality compares stays: a compared name, and an object in a
    /// field that is equal to itself alone.
    pub(super) fn equal_copy(&mut self, var: ObjectView<'_>) -> Result<ObjectRef> {
        if name_of(var).is_some_and(|(field, _)| field.is_compared(var)) { plain_copy(var) } else { self.copy(var) }
    }
}

/// A copy of `object` with the same fields.
fn plain_copy(object: ObjectView<'_>) -> Result<ObjectRef> {
    let copy = object.type_info().copy.ok_or_else(|| not_copied(object))?;
    Ok(copy(object))
}

fn not_copied(object: ObjectView<'_>) -> Error {
    let message =
        format!("a new variable cannot be made: objects of the type `{}` cannot be copied", object.type_key());
    Error::new(ErrorKind::NotConstructible, message)
}

/// The field that holds the name of a variable.
enum NameField {
    /// This field of the variable.
    Own(&'static str),
    /// The object in the first field of the variable has the name in the second field.
    OfChild(&'static str, &'static str),
}

impl NameField {
    /// Whether structural equality compares the name of `var`, or may do so: a hook can compute any value from it.
    fn is_compared(&self, var: ObjectView<'_>) -> bool {
        let compares = |object: ObjectView<'_>, field: &str| {
            let info = object.type_info();
            info.hooks.is_some() || info.field(field).is_some_and(|(_, field)| field.meta.role != FieldRole::Ignore)
        };
        match self {
            NameField::Own(field) => compares(var, field),
            NameField::OfChild(outer, field) => {
                let child = var.get(outer).and_then(AnyView::as_object);
                child.is_some_and(|child| child.is_identified() || (compares(var, outer) && compares(child, field)))
            }
        }
    }
}

/// The name of a variable, and the field that holds it.
fn name_of(var: ObjectView<'_>) -> Option<(NameField, &str)> {
    if let Some((field, name)) = own_name(var) {
        return Some((NameField::Own(field), name));
    }
    // A variable that the field binds has its own name.
    let binds = |field: &FieldInfo| matches!(field.meta.role, FieldRole::Def | FieldRole::DefSimple);
    var.fields().filter(|(outer, _)| !binds(outer)).find_map(|(outer, value)| {
        let child = value.as_object().filter(|object| object.type_info().body == Body::Node)?;
        let (field, name) = own_name(child)?;
        Some((NameField::OfChild(outer.name, field), name))
    })
}

/// The name in a field of `object` itself.
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
