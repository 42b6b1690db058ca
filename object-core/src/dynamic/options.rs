//! [`SchemaLoader`]: the options of making types of a schema.

/// How types are made of a schema.
///
/// The keys of a schema must be new, unless it is said which types count where one is linked as well:
/// [`prefer_linked`](Self::prefer_linked), [`replace_linked`](Self::replace_linked).
#[derive(Clone, Debug)]
pub struct SchemaLoader {
    pub(super) name: String,
    pub(super) prefers_linked: bool,
    pub(super) replaced: Vec<String>,
    pub(super) custom_by_fields: bool,
}

impl Default for SchemaLoader {
    fn default() -> Self {
        SchemaLoader { name: "<schema>".into(), prefers_linked: false, replaced: Vec::new(), custom_by_fields: false }
    }
}

impl SchemaLoader {
    /// A loader for schemas of new types.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the schema is called in messages and in [`TypeInfo::location`](crate::TypeInfo::location).
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Where a key of the schema is linked, the linked type counts, and its entry in the schema is passed over.
    #[must_use]
    pub fn prefer_linked(mut self, prefer_linked: bool) -> Self {
        self.prefers_linked = prefer_linked;
        self
    }

    /// Types of the schema whose keys begin with `prefix` take the place of linked ones. So do all types that extend one
    /// of them or have a field of such a type, because the linked ones could not hold their objects; those that the
    /// schema does not have are made as they are linked.
    #[must_use]
    pub fn replace_linked(mut self, prefix: impl Into<String>) -> Self {
        self.replaced.push(prefix.into());
        self
    }

    /// Types marked `custom` are compared and hashed by their fields, for their hooks are code. Without this, such a
    /// type is an error unless it is linked.
    #[must_use]
    pub fn custom_by_fields(mut self, custom_by_fields: bool) -> Self {
        self.custom_by_fields = custom_by_fields;
        self
    }
}
