//! [`StructuralHook`]: structural equality and hashing of a type by hand, as a list of the values that count.

use crate::object::model::any::AnyView;
use crate::object::model::dynamic_hook::HookValue;
use crate::object::model::hook_fns::{HookContents, HookFns, HookPairs, Place};
use crate::object::model::keywords::FieldRole;
use crate::object::typed::field_type::FieldType;
use crate::object::typed::handle::Object;

/// Structural equality and hashing of a type marked `#[structural_eq(KIND, custom)]`. The lists replace the fields; the
/// kind of the type keeps its meaning (binding, sharing, identity).
///
/// Two objects are equal if their lists have the same names in the same order, and the values of each name are equal. The
/// hash consists of the values of the same list, so equal objects have the same hash.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is marked `custom`, but does not implement `StructuralHook`",
    label = "no hand-written structural equality and hashing",
    note = "implement `StructuralHook` for `{Self}`, or take `custom` out of its `#[structural_eq(...)]`"
)]
pub trait StructuralHook: Object {
    /// Lists the values that structural equality and hashing take for the content of `self`.
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>);

    /// Lists the pairs of values that must be equal for `self` and `other` to be equal.
    ///
    /// Write this method only if values correspond by something else than their position, such as a name. Then you have
    /// to keep it in agreement with [`structural_contents`](Self::structural_contents), which the hash still uses: for
    /// equal objects that method must list equal values in the same order.
    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        self.structural_contents(&mut pairs.contents);
        pairs.contents.rhs = Some(pairs.start);
        other.structural_contents(&mut pairs.contents);
    }
}

impl<'a> HookValue<'a> {
    /// A field, or a part of one. Access paths that lead to it have the step `name`.
    #[inline]
    pub fn field<T: FieldType>(name: &'static str, value: &'a T) -> Self {
        HookValue { name, value: value.view(), place: Place::of(value) }
    }
}

impl<'a> HookContents<'a> {
    /// Lists `value`, mostly a field. Access paths that lead to it have the step `name`.
    pub fn add<T: FieldType>(&mut self, name: &'static str, value: &'a T) {
        self.add_in(name, value, FieldRole::Content);
    }

    /// As [`add`](Self::add), with a role: [`FieldRole::Def`] and [`FieldRole::DefSimple`] bind the variables in `value`,
    /// as the words `def` and `def_simple` do for a field. A value with the role [`FieldRole::Ignore`] does not count.
    pub fn add_in<T: FieldType>(&mut self, name: &'static str, value: &'a T, role: FieldRole) {
        self.push(name, value.view(), role, Place::of(value));
    }

    /// As [`add_in`](Self::add_in), for a value that is borrowed from a container.
    pub fn add_view(&mut self, name: &'static str, value: AnyView<'a>, role: FieldRole) {
        self.push(name, value, role, Place::NONE);
    }

    /// As [`add_in`](Self::add_in), for a value that the hook computes, such as a sorted array. It is kept until the
    /// comparison or the hash is finished.
    pub fn add_computed<T: FieldType>(&mut self, name: &'static str, value: T, role: FieldRole) {
        let value = self.keep(value.into_any());
        self.push(name, value, role, Place::NONE);
    }
}

impl<'a> HookPairs<'a> {
    /// The two objects are equal only if `a` and `b` are. Access paths that lead to the pair have the step `name`.
    pub fn require<T: FieldType, U: FieldType>(&mut self, name: &'static str, a: &'a T, b: &'a U, role: FieldRole) {
        self.push(name, (a.view(), Place::of(a)), (b.view(), Place::of(b)), role);
    }

    /// As [`require`](Self::require), for values that are borrowed from a container.
    pub fn require_view(&mut self, name: &'static str, a: AnyView<'a>, b: AnyView<'a>, role: FieldRole) {
        self.push(name, (a, Place::NONE), (b, Place::NONE), role);
    }

    /// As [`require`](Self::require), for values that the hook computes.
    pub fn require_computed<T: FieldType, U: FieldType>(&mut self, name: &'static str, a: T, b: U, role: FieldRole) {
        let [a, b] = [a.into_any(), b.into_any()].map(|value| self.contents.keep(value));
        self.push(name, (a, Place::NONE), (b, Place::NONE), role);
    }

    /// The two objects differ, whatever their pairs are. An object must not reject itself.
    pub fn reject(&mut self) {
        self.contents.differ = true;
    }
}

/// The hooks of `N`.
#[must_use]
pub const fn hook_fns<N: StructuralHook>() -> HookFns {
    HookFns {
        contents: |object, contents| {
            if let Some(node) = object.node::<N>() {
                node.structural_contents(contents);
            }
        },
        pairs: |a, b, pairs| {
            if let (Some(a), Some(b)) = (a.node::<N>(), b.node::<N>()) {
                a.structural_pairs(b, pairs);
            }
        },
        hook: None,
    }
}
