//! [`SchemaLoader`]: makes types of a schema.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::access_path::AccessPath;
use crate::dynamic::check::{CheckedType, blame, check_type};
use crate::dynamic::decl::Schema;
use crate::dynamic::default_value::DeclaredDefault;
use crate::dynamic::load_plan::LoadPlan;
use crate::dynamic::make::MadeTypes;
use crate::dynamic::options::SchemaLoader;
use crate::dynamic::size::check_values;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::leak;
use crate::error::Result;
use crate::json::JsonReader;
use crate::object::Body;
use crate::registry::{self, Types};

impl SchemaLoader {
    /// The types of the registry together with the types of the schema.
    ///
    /// The loader first checks the whole schema, by the rules of the derive that apply to schemas: keys, parents,
    /// names, kinds, roles, labels, defaults. Only defaults with objects of the schema's own types wait until these types
    /// exist.
    ///
    /// # Errors
    /// The kind of the fault, with the path in the text of the schema.
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey), naming both types, for a key that another type has.
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) for a schema that exceeds the [limits](Self::limits).
    pub fn load(&self, schema: &Schema) -> Result<Types> {
        self.load_types(schema).map_err(|error| error.shorten(self.limits.max_message))
    }

    fn load_types(&self, schema: &Schema) -> Result<Types> {
        let count: usize = schema.types.iter().map(|decl| 1 + decl.fields.len()).sum();
        check_values(count as u64, &self.limits)?;
        let schema = &self.with_linked(schema)?;
        let mut plan = LoadPlan::new(self, schema)?;
        let mut planned: BTreeMap<usize, CheckedType> = BTreeMap::new();
        for index in plan.order.clone() {
            let made = check_type(&plan, &planned, index)?;
            planned.insert(index, made);
        }
        let mut types = self.base_types();
        let made_types = MadeTypes::default();
        let name = if plan.order.is_empty() { "" } else { leak(&self.name) };
        for index in std::mem::take(&mut plan.order) {
            if let Some(made) = planned.remove(&index) {
                types.replace(made.leak(&plan, index, name, &made_types)?);
            }
        }
        types.explain(std::mem::take(&mut plan.left_out));
        let types = made_types.get_or_init(|| types).clone();
        check_graph_defaults(&plan, &types)?;
        Ok(types)
    }

    /// The types beside the types of the schema.
    pub(super) fn base_types(&self) -> Types {
        if self.is_standalone { Types::builtin() } else { Types::linked() }
    }

    /// The schema for a load that replaces linked types: adds declarations of the linked types that the schema does not
    /// contain, and the properties that TVM's format does not have: labels, scopes with their exports, and bases.
    fn with_linked<'s>(&self, schema: &'s Schema) -> Result<Cow<'s, Schema>> {
        if self.replaced.is_empty() || self.is_standalone {
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
                for field in &mut decl.fields {
                    field.export |= linked.fields.iter().any(|it| it.name == field.name && it.export);
                }
            }
        }
        let rest = linked.into_values().filter(|decl| decl.body == Body::Node);
        schema.types.extend(rest.map(|decl| TypeDecl { is_linked: true, place: AccessPath::default(), ..decl }));
        Ok(Cow::Owned(schema))
    }
}

/// Reads the defaults with types that the loader made, which no earlier check can read.
fn check_graph_defaults(plan: &LoadPlan<'_>, types: &Types) -> Result<()> {
    for decl in &plan.schema.types {
        for field in decl.fields.iter().filter(|_| plan.made(&decl.key).is_some()) {
            let Some(DeclaredDefault::Graph(graph)) = field.default.as_ref() else { continue };
            if !plan.makes_types_of(graph) {
                continue;
            }
            let read = JsonReader::new().types(types).read(graph.to_string().as_bytes());
            let info = types.get(&decl.key)?.field(&field.name).and_then(|(_, info)| info.runtime);
            let checked =
                read.and_then(|graph| info.map_or(Ok(graph.root.clone()), |info| info.rule.convert(graph.root)));
            checked.map_err(|error| blame(field, "default", &error))?;
        }
    }
    Ok(())
}
