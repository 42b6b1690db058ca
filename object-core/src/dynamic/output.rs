//! Writes types down as a schema: the other way of `parse`.

use serde_json::{Map, Value, json};

use crate::access_path::{AccessPath, AccessStep};
use crate::dynamic::decl::{FieldDecl, Schema, TypeDecl, TypeText};
use crate::dynamic::parse::{FORMAT, VERSION};
use crate::error::Result;
use crate::json::to_json;
use crate::object::model::field_info::FieldMeta;
use crate::object::model::keywords::{BODIES, KINDS, ROLES, word};
use crate::object::{Any, Body, FieldInfo, FieldRole, JsonForm, TypeInfo};

impl Schema {
    /// What the tables of `types` say, sorted by key. What only code can say is left out: of hooks, that there are
    /// some; of integers, how many bits they have.
    ///
    /// ```
    /// use object_core::{dynamic::Schema, registry};
    /// let schema = Schema::of(&registry::types()?);
    /// assert_eq!(Schema::parse(schema.to_json()?.as_bytes())?.to_json()?, schema.to_json()?);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn of(types: &[&'static TypeInfo]) -> Schema {
        let mut types = types.to_vec();
        types.sort_by_key(|info| info.type_key);
        let types = types.into_iter().enumerate().map(|(index, info)| type_decl(index, info)).collect();
        Schema { types, is_foreign: false, left_out: Vec::new() }
    }

    /// The schema as JSON text, one type per line, in the order of the schema. The same types make the same text.
    ///
    /// # Errors
    /// [`NotSerializable`](crate::ErrorKind::NotSerializable) if a default exists in memory only, or is a container with a
    /// number in it that JSON does not have.
    pub fn to_json(&self) -> Result<String> {
        let types = self.types.iter().map(|decl| type_json(decl).map(|json| json.to_string()));
        let types = types.collect::<Result<Vec<_>>>()?.join(",\n");
        Ok(format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"types\":[\n{types}\n]}}\n"))
    }
}

fn type_decl(index: usize, info: &'static TypeInfo) -> TypeDecl {
    let place = AccessPath::from_steps([AccessStep::Attr("types".into()), AccessStep::ArrayItem(index)]);
    let field = |index| info.fields().get(index).map(|field: &FieldInfo| field.name.to_owned());
    let singleton_key = info.singleton_key().map(|field| field.name.to_owned());
    TypeDecl {
        key: info.type_key.to_owned(),
        parent: info.parent().map(|parent| parent.type_key.to_owned()),
        doc: info.doc.to_owned(),
        body: info.body,
        kind: info.kind,
        is_scope: info.is_scope,
        is_custom: info.has_custom_hooks(),
        is_base: info.is_base,
        is_abstract: info.is_abstract,
        label: info.label.map(str::to_owned),
        json: match info.json {
            // A singleton is always shown by its key.
            JsonForm::Field(index) if singleton_key.is_none() => field(index),
            _ => None,
        },
        singleton_key,
        fields: info.own_fields().iter().map(|field| field_decl(&place, field)).collect(),
        is_linked: false,
        place,
    }
}

fn field_decl(place: &AccessPath, field: &FieldInfo) -> FieldDecl {
    // Only the compiler reads `may_contain`, where a type is declared.
    let FieldMeta { role, doc, pairs, may_contain: _ } = field.meta;
    FieldDecl {
        place: place.clone(),
        name: field.name.to_owned(),
        ty: TypeText::from(&field.schema()),
        role,
        doc: doc.to_owned(),
        meta: pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        default: field.default(),
    }
}

fn type_json(decl: &TypeDecl) -> Result<Value> {
    let mut entry = Map::new();
    let mut put = |name: &str, value: Value, is_said: bool| {
        if is_said {
            entry.insert(name.to_owned(), value);
        }
    };
    put("key", decl.key.as_str().into(), true);
    put("parent", decl.parent.as_deref().into(), decl.parent.is_some());
    put("doc", decl.doc.as_str().into(), !decl.doc.is_empty());
    put("body", word(&BODIES, &decl.body).into(), decl.body != Body::Node);
    put("kind", word(&KINDS, &decl.kind).into(), true);
    put("scope", true.into(), decl.is_scope);
    put("custom", true.into(), decl.is_custom);
    put("base", true.into(), decl.is_base);
    put("abstract", true.into(), decl.is_abstract);
    put("label", decl.label.as_deref().into(), decl.label.is_some());
    put("json", decl.json.as_deref().into(), decl.json.is_some());
    put("singleton_key", decl.singleton_key.as_deref().into(), decl.singleton_key.is_some());
    let fields = decl.fields.iter().map(field_json).collect::<Result<Vec<_>>>()?;
    put("fields", fields.into(), true);
    Ok(entry.into())
}

fn field_json(decl: &FieldDecl) -> Result<Value> {
    let mut entry = json!({"name": decl.name, "type": decl.ty.to_string()});
    if decl.role != FieldRole::Content {
        entry["role"] = word(&ROLES, &decl.role).into();
    }
    if !decl.doc.is_empty() {
        entry["doc"] = decl.doc.as_str().into();
    }
    if let Some(default) = &decl.default {
        entry["default"] = default_json(default, &decl.ty)?;
    }
    if !decl.meta.is_empty() {
        let pairs = decl.meta.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        entry["meta"] = pairs.collect::<Map<_, _>>().into();
    }
    Ok(entry)
}

/// A default: a plain value as such where the type of the field says what it means, anything else as a graph.
fn default_json(default: &Any, ty: &TypeText) -> Result<Value> {
    Ok(match default {
        Any::None => Value::Null,
        Any::Bool(value) => (*value).into(),
        Any::Int(value) => (*value).into(),
        Any::Float(value) if value.is_finite() => (*value).into(),
        // JSON has no such numbers.
        Any::Float(value) if ty.name == "float" => match value {
            value if value.is_nan() => "NaN".into(),
            value if *value > 0.0 => "Infinity".into(),
            _ => "-Infinity".into(),
        },
        Any::DataType(value) if ty.name == "DataType" => value.to_string().into(),
        other => match other.view().as_str() {
            Some(text) => text.into(),
            None => {
                let graph = to_json(other.view(), None)?;
                serde_json::from_str(&graph).map_err(|error| {
                    let message = format!("the default `{other}` has no form in JSON: {error}");
                    crate::Error::new(crate::ErrorKind::NotSerializable, message)
                })?
            }
        },
    })
}
