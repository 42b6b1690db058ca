//! The values that a hook lists, for code outside of this crate.

use crate::object::model::any::Any;
use crate::object::model::computed::ComputedValues;
use crate::object::model::hook_fns::{HookContents, HookPairs};
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;

/// A value that the hook of a type lists for an object.
#[derive(Clone)]
pub struct HookedValue {
    /// The name in paths.
    pub name: &'static str,
    /// The value.
    pub value: Any,
    /// The role, which is never `Ignore`.
    pub role: FieldRole,
}

impl<'a> ObjectView<'a> {
    /// The values that decide about the hash of the object, if its type has a hook; `None` if its fields decide.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.hooked.Even")]
    /// #[structural_eq(tree, custom)]
    /// struct EvenNode {
    ///     value: i64,
    /// }
    ///
    /// impl StructuralHook for EvenNode {
    ///     fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
    ///         contents.add_computed("is_even", self.value % 2 == 0, FieldRole::Content);
    ///     }
    /// }
    ///
    /// let (two, five) = (Even::new(2), Even::new(5));
    /// let values = two.as_object().view().hook_values().expect("the type has a hook");
    /// assert_eq!(values[0].name, "is_even");
    /// assert!(values[0].value.clone().cast::<bool>()?);
    /// let pairs = two.as_object().view().hook_pairs(five.as_object().view()).expect("the hook lists a pair");
    /// assert!(!pairs[0].1.clone().cast::<bool>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn hook_values(self) -> Option<Vec<HookedValue>> {
        let hooks = self.type_info().hooks?;
        let computed = ComputedValues::default();
        let contents = HookContents::of(self, hooks, computed.end());
        let owned = contents.values.iter().map(|listed| HookedValue {
            name: listed.name,
            value: listed.value.to_any(),
            role: listed.role,
        });
        Some(owned.collect())
    }

    /// The pairs of values that decide whether the two objects are equal, if their type has a hook. `None` if the hook rejects
    /// the two objects, if they have two types, and if their fields decide. The value of `other` is the second one.
    #[must_use]
    pub fn hook_pairs(self, other: ObjectView<'a>) -> Option<Vec<(HookedValue, Any)>> {
        let is_hooked = self.type_info().has_custom_hooks() && std::ptr::eq(self.type_info(), other.type_info());
        let computed = ComputedValues::default();
        let mut pairs = HookPairs::new(computed.end());
        if !is_hooked || pairs.list(self, other).is_none() {
            return None;
        }
        let owned = pairs.contents.values.iter().map(|listed| {
            let (name, value, role) = (listed.name, listed.value.to_any(), listed.role);
            (HookedValue { name, value, role }, listed.other.to_any())
        });
        Some(owned.collect())
    }
}
