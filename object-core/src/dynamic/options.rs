//! [`SchemaLoader`]: the options of the schema loader.

use crate::dynamic::hooks::DynamicHooks;
use crate::limits::Limits;

/// Makes types of a schema.
///
/// A type of the schema and a linked type with the same key are an error, unless
/// [`prefer_linked`](Self::prefer_linked) or [`replace_linked`](Self::replace_linked) decides between them.
#[derive(Clone, Debug)]
pub struct SchemaLoader {
    pub(super) name: String,
    pub(super) prefers_linked: bool,
    pub(super) replaced: Vec<String>,
    pub(super) custom_by_fields: bool,
    pub(super) hooks: DynamicHooks,
    pub(super) is_standalone: bool,
    pub(super) limits: Limits,
}

impl Default for SchemaLoader {
    fn default() -> Self {
        SchemaLoader {
            name: "<schema>".into(),
            prefers_linked: false,
            replaced: Vec::new(),
            custom_by_fields: false,
            hooks: DynamicHooks::new(),
            is_standalone: false,
            limits: Limits::new(),
        }
    }
}

impl SchemaLoader {
    /// A loader for schemas of new types.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the name of the schema in messages and in [`TypeInfo::location`](crate::TypeInfo::location).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Whether to skip types of the schema whose key a linked type has.
    #[must_use]
    pub fn prefer_linked(mut self, prefer_linked: bool) -> Self {
        self.prefers_linked = prefer_linked;
        self
    }

    /// Replaces linked types by the types of the schema whose keys begin with `prefix`. Also replaces all types that
    /// extend a replaced type or have a field of one, because the linked types cannot contain objects of the
    /// replacement. The loader copies the linked declaration of such a type if the schema does not contain the type.
    #[must_use]
    pub fn replace_linked(mut self, prefix: impl Into<String>) -> Self {
        self.replaced.push(prefix.into());
        self
    }

    /// Whether the schema is a set of types of its own: the result contains the types of the schema and the types of this
    /// crate, such as texts and arrays, and no other linked types. So several versions of one IR, whose types have the same
    /// keys, exist beside each other in one program.
    #[must_use]
    pub fn standalone(mut self, standalone: bool) -> Self {
        self.is_standalone = standalone;
        self
    }

    /// The hooks of the types marked `custom`, which structural equality and hashing call in place of the fields. A hook
    /// for a key that the schema does not have, or does not mark, has no effect.
    #[must_use]
    pub fn hooks(mut self, hooks: DynamicHooks) -> Self {
        self.hooks = hooks;
        self
    }

    /// Whether types marked `custom` for which there is no [hook](Self::hooks) are compared and hashed by their fields. If
    /// not, such a type is an error unless it is linked.
    #[must_use]
    pub fn custom_by_fields(mut self, custom_by_fields: bool) -> Self {
        self.custom_by_fields = custom_by_fields;
        self
    }

    /// Sets the limits of nodes and messages. A type and a field count as 16 nodes each.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
