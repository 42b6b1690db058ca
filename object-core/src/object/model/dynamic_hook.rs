//! [`DynamicHook`]: structural equality and hashing of a type of a schema by hand, and the fields that such a hook reads.

use crate::error::{Error, ErrorKind, Result};
use crate::object::model::any::AnyView;
use crate::object::model::hook_fns::{HookContents, HookFns, HookPairs, Place};
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean;

/// Structural equality and hashing of a type that a program makes of a schema: the counterpart of
/// [`StructuralHook`](crate::prelude::StructuralHook) for types without a Rust type. The lists replace the fields; the kind
/// of the type keeps its meaning (binding, sharing, identity).
///
/// A [`SchemaLoader`](crate::dynamic::SchemaLoader) takes hooks by type key, and makes one hook for each type. The hook
/// finds its fields by name when it is made, and reads them by [`HookField`] afterwards.
pub trait DynamicHook: Send + Sync {
    /// Lists the values that structural equality and hashing take for the content of `object`, which has the type of the
    /// hook.
    fn structural_contents<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>);

    /// Lists the pairs of values that must be equal for `a` and `b` to be equal. Both have the type of the hook.
    ///
    /// Write this method only if values correspond by something else than their position, such as a name. Then you have
    /// to keep it in agreement with [`structural_contents`](Self::structural_contents), which the hash still uses: for
    /// equal objects that method must list equal values in the same order.
    fn structural_pairs<'a>(&self, a: ObjectView<'a>, b: ObjectView<'a>, pairs: &mut HookPairs<'a>) {
        self.structural_contents(a, &mut pairs.contents);
        pairs.contents.rhs = Some(pairs.start);
        self.structural_contents(b, &mut pairs.contents);
    }
}

/// The fields of a type for which a loader makes a hook.
#[derive(Clone, Copy, Debug)]
pub struct HookedType<'s> {
    type_key: &'s str,
    /// The names of all fields, the fields of the ancestors first.
    names: &'s [String],
}

impl<'s> HookedType<'s> {
    /// The type with this key and these fields.
    pub(crate) fn new(type_key: &'s str, names: &'s [String]) -> Self {
        HookedType { type_key, names }
    }

    /// The type key.
    #[must_use]
    pub fn type_key(&self) -> &'s str {
        self.type_key
    }

    /// The field with the reflected name `name`, own or inherited.
    ///
    /// # Errors
    /// [`UnknownField`](ErrorKind::UnknownField), which suggests the most similar name.
    pub fn field(&self, name: &'static str) -> Result<HookField> {
        let found = self.names.iter().position(|known| known == name);
        found.map(|index| HookField { name, index }).ok_or_else(|| {
            let hint = did_you_mean(name, self.names.iter().map(String::as_str));
            let message = format!(
                "the hook of `{}` reads the field `{name}`, which the type does not have{hint}",
                brief(self.type_key)
            );
            Error::new(ErrorKind::UnknownField, message)
        })
    }
}

/// A field of a type with a [`DynamicHook`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookField {
    name: &'static str,
    index: usize,
}

impl HookField {
    /// The value of the field in `object`, which has the type of the hook.
    ///
    /// # Panics
    /// If the type of `object` has fewer fields than the type of the hook.
    #[must_use]
    #[inline]
    pub fn of(self, object: ObjectView<'_>) -> HookValue<'_> {
        let field = &object.type_info().fields[self.index];
        // SAFETY: the field is in the table of the object's type.
        let value = unsafe { field.get_unchecked(object) };
        HookValue { name: self.name, value, place: Place::at(object, field.offset) }
    }
}

/// A value of an object that a hook can list, with its name in access paths.
#[derive(Clone, Copy)]
pub struct HookValue<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: AnyView<'a>,
    pub(crate) place: Place,
}

impl<'a> HookValue<'a> {
    /// The value.
    #[must_use]
    #[inline]
    pub fn view(self) -> AnyView<'a> {
        self.value
    }
}

impl<'a> HookContents<'a> {
    /// Lists a value with the given role.
    #[inline]
    pub fn add_value(&mut self, value: HookValue<'a>, role: FieldRole) {
        self.push(value.name, value.value, role, value.place);
    }
}

impl<'a> HookPairs<'a> {
    /// The two objects are equal only if `a` and `b` are. Access paths that lead to the pair have the name of `a` as a step.
    #[inline]
    pub fn require_value(&mut self, a: HookValue<'a>, b: HookValue<'a>, role: FieldRole) {
        self.push(a.name, (a.value, a.place), (b.value, b.place), role);
    }
}

/// The functions of a type with the hook `hook`.
pub(crate) fn dynamic_hook_fns(hook: &'static dyn DynamicHook) -> HookFns {
    HookFns {
        contents: |object, contents| {
            if let Some(hook) = hook_of(object) {
                hook.structural_contents(object, contents);
            }
        },
        pairs: |a, b, pairs| {
            if let Some(hook) = hook_of(a) {
                hook.structural_pairs(a, b, pairs);
            }
        },
        hook: Some(hook),
    }
}

/// The hook of the type of `object`.
fn hook_of(object: ObjectView<'_>) -> Option<&'static dyn DynamicHook> {
    object.type_info().hooks?.hook
}
