//! [`DynamicHooks`]: the hooks of types of schemas, by type key.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::object::{DynamicHook, FieldRole, HookContents, HookField, HookedType, ObjectView};

/// Makes the hook of a type.
pub(super) type MakeHook = dyn Fn(&HookedType<'_>) -> Result<Box<dyn DynamicHook>> + Send + Sync;

/// A table of hooks by type key. A program has one table for each version of a schema, because a hook belongs to the fields
/// of a version.
///
/// ```
/// use object_core::dynamic::{DynamicHook, DynamicHooks, HookField, Schema, SchemaLoader};
/// use object_core::prelude::*;
/// use object_core::{ErrorKind, ObjectBuilder, ObjectView, structural_equal};
///
/// /// A name whose trailing digits do not count.
/// struct Fresh {
///     name: HookField,
/// }
///
/// impl DynamicHook for Fresh {
///     fn structural_contents<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>) {
///         let name = self.name.of(object).view().as_str().unwrap_or_default();
///         let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
///         contents.add_computed("name", object_core::Str::from(stem), FieldRole::Content);
///     }
/// }
///
/// let schema = Schema::parse(br#"{"format": "object-schema", "version": 1, "types": [
///     {"key": "my.Fresh", "kind": "tree", "custom": true, "fields": [{"name": "name", "type": "ffi.String"}]}
/// ]}"#)?;
/// let hooks = DynamicHooks::new().insert("my.Fresh", |ty| Ok(Box::new(Fresh { name: ty.field("name")? })));
/// let types = SchemaLoader::new().hooks(hooks).load(&schema)?;
/// let fresh = |name: &str| {
///     let mut builder = ObjectBuilder::new(types.get("my.Fresh")?)?;
///     builder.set("name", name)?;
///     builder.build()
/// };
/// assert!(structural_equal(&fresh("x1")?, &fresh("x27")?));
/// assert!(!structural_equal(&fresh("x1")?, &fresh("y1")?));
///
/// // Without the hook, the loader refuses the type, and names it.
/// let refused = SchemaLoader::new().load(&schema).expect_err("nobody has the hook");
/// assert_eq!(refused.kind(), ErrorKind::NotConstructible);
/// assert!(refused.message().contains("my.Fresh"));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct DynamicHooks {
    by_key: BTreeMap<String, Arc<MakeHook>>,
}

impl DynamicHooks {
    /// No hooks.
    #[must_use]
    pub fn new() -> Self {
        DynamicHooks::default()
    }

    /// Adds the hook of the type with the given key, in place of an earlier one. `make` finds the fields of the hook;
    /// loading a schema without them is the error that `make` returns.
    #[must_use]
    pub fn insert(
        mut self,
        type_key: impl Into<String>,
        make: impl Fn(&HookedType<'_>) -> Result<Box<dyn DynamicHook>> + Send + Sync + 'static,
    ) -> Self {
        self.by_key.insert(type_key.into(), Arc::new(make));
        self
    }

    /// Adds a hook that lists these fields in this order, with these roles.
    #[must_use]
    pub fn insert_fields<const N: usize>(
        self,
        type_key: impl Into<String>,
        fields: [(&'static str, FieldRole); N],
    ) -> Self {
        self.insert(type_key, move |ty| {
            let mut listed = Vec::with_capacity(N);
            for (name, role) in fields {
                listed.push((ty.field(name)?, role));
            }
            Ok(Box::new(ListedInOrder(listed)))
        })
    }

    /// The keys of the types with hooks, sorted.
    pub fn type_keys(&self) -> impl Iterator<Item = &str> {
        self.by_key.keys().map(String::as_str)
    }

    /// Makes the hook of the type with the given key, if there is one.
    pub(super) fn get(&self, type_key: &str) -> Option<&MakeHook> {
        self.by_key.get(type_key).map(|make| &**make)
    }
}

impl fmt::Debug for DynamicHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.type_keys()).finish()
    }
}

/// Lists fields in an order of its own.
struct ListedInOrder(Vec<(HookField, FieldRole)>);

impl DynamicHook for ListedInOrder {
    fn structural_contents<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>) {
        for (field, role) in &self.0 {
            contents.add_value(field.of(object), *role);
        }
    }
}
