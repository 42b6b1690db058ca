//! [`SchemaLoader`]: makes types of a schema.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::access_path::AccessPath;
use crate::dynamic::check::{Planned, plan_type};
use crate::dynamic::decl::{Schema, TypeDecl, leak};
use crate::dynamic::plan::Plan;
use crate::error::Result;
use crate::object::Body;
use crate::registry::{self, Types};

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

    /// The types of the registry with those of the schema on top of them.
    ///
    /// All of the schema is checked first, by the rules of the derive as far as they make sense here: keys, parents and
    /// names, kinds against those of the parents, roles against kinds and types, labels, defaults.
    ///
    /// # Errors
    /// The kind of what is wrong, with the place in the text of the schema.
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey), naming both types, for a key that is there already.
    pub fn load(&self, schema: &Schema) -> Result<Types> {
        let schema = &self.with_linked(schema)?;
        let mut plan = Plan::new(self, schema)?;
        let mut planned: BTreeMap<usize, Planned> = BTreeMap::new();
        for index in plan.order.clone() {
            let made = plan_type(&plan, &planned, index)?;
            planned.insert(index, made);
        }
        let mut types = Types::linked();
        let name = if plan.order.is_empty() { "" } else { leak(&self.name) };
        for index in std::mem::take(&mut plan.order) {
            if let Some(made) = planned.remove(&index) {
                types.replace(made.leak(&plan, index, name)?);
            }
        }
        types.explain(plan.left_out);
        Ok(types)
    }

    /// The schema with what the linked types have to say, where some are to be replaced: those that it does not have, and
    /// what only this project's format has, labels and which types are bases.
    fn with_linked<'s>(&self, schema: &'s Schema) -> Result<Cow<'s, Schema>> {
        if self.replaced.is_empty() {
            return Ok(Cow::Borrowed(schema));
        }
        let mut schema = schema.clone();
        let linked = Schema::of(&registry::types()?);
        let mut linked: BTreeMap<_, _> = linked.types.into_iter().map(|decl| (decl.key.clone(), decl)).collect();
        for decl in &mut schema.types {
            if let Some(linked) = linked.remove(&decl.key).filter(|_| schema.is_foreign) {
                decl.is_base |= linked.is_base;
                decl.label = decl.label.take().or(linked.label);
                decl.is_scope |= linked.is_scope;
            }
        }
        let rest = linked.into_values().filter(|decl| decl.body == Body::Node);
        schema.types.extend(rest.map(|decl| TypeDecl { is_linked: true, place: AccessPath::default(), ..decl }));
        Ok(Cow::Owned(schema))
    }
}
