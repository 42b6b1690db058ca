//! Checks a type of a schema by the rules of the derive, and makes its table. What the derive asks of Rust code alone,
//! such as where the `base` field stands, has no place here.

use std::collections::BTreeMap;

use crate::access_path::AccessStep;
use crate::dynamic::decl::{FieldDecl, TypeDecl, below, leak};
use crate::dynamic::keywords::{is_name, placeholders};
use crate::dynamic::plan::{Parent, Plan, place_of};
use crate::dynamic::value_type::ValueType;
use crate::error::{Error, ErrorKind, Result, nearest};
use crate::json::{read_json, to_json};
use crate::object::model::field_info::FieldMeta;
use crate::object::model::keywords::{KINDS, ROLES, word};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::runtime_field::{FieldRule, MakeDefault, RuntimeField};
use crate::object::runtime::runtime_type::{FieldSpec, RuntimeTypeSpec};
use crate::object::{Any, Body, FieldRole, SEqHashKind, TypeInfo};

/// A type that was checked.
pub(super) struct Planned {
    parent: Option<Parent>,
    /// The names of all fields, those of the ancestors first.
    names: Vec<String>,
    /// The own fields.
    fields: Vec<(ValueType, Option<Any>)>,
}

/// What a type has to know of its parent.
struct ParentFacts<'a> {
    key: &'a str,
    kind: SEqHashKind,
    fields: Vec<String>,
}

fn parent_facts<'a>(plan: &'a Plan<'_>, planned: &BTreeMap<usize, Planned>, parent: Parent) -> ParentFacts<'a> {
    match parent {
        Parent::Linked(info) => ParentFacts {
            key: info.type_key,
            kind: info.kind,
            fields: info.fields().iter().map(|field| field.name.to_owned()).collect(),
        },
        Parent::Made(index) => {
            let decl = &plan.schema.types[index];
            ParentFacts {
                key: &decl.key,
                kind: decl.kind,
                fields: planned.get(&index).map(|parent| parent.names.clone()).unwrap_or_default(),
            }
        }
    }
}

/// Checks the type with index `index`; its parent has been checked.
pub(super) fn plan_type(plan: &Plan<'_>, planned: &BTreeMap<usize, Planned>, index: usize) -> Result<Planned> {
    let decl = &plan.schema.types[index];
    check_key(decl)?;
    let parent = plan.parent(decl)?;
    let mut names = Vec::new();
    if let Some(parent) = parent {
        let facts = parent_facts(plan, planned, parent);
        check_kind_of_parent(decl, &facts)?;
        names = facts.fields;
    }
    let inherited = names.len();
    let mut fields = Vec::new();
    for field in &decl.fields {
        check_name(field, &names[..inherited], &names[inherited..])?;
        names.push(field.name.clone());
        let ty = ValueType::new(&field.ty, &|text| plan.named(text)).map_err(|error| blame(field, "type", &error))?;
        check_role(decl, field, &ty)?;
        let default = default_of(decl, field, &ty)?;
        fields.push((ty, default));
    }
    if names.len() > MAX_FIELDS {
        let message =
            format!("a type has at most {MAX_FIELDS} fields with those of its ancestors, not {}", names.len());
        return Err(decl.blame("fields", ErrorKind::OutOfRange, message));
    }
    check_kind(decl)?;
    check_forms(decl, &names, &fields)?;
    Ok(Planned { parent, names, fields })
}

/// The error, said of the entry `word` of a field.
fn blame(field: &FieldDecl, word: &str, error: &Error) -> Error {
    Error::new(error.kind(), format!("field `{}`: {}", field.name, error.message()))
        .at(below(&field.place, AccessStep::Attr(word.into())))
}

fn fault(field: &FieldDecl, word: &str, kind: ErrorKind, message: impl Into<String>) -> Error {
    blame(field, word, &Error::new(kind, message))
}

/// Names with dots between them: keys also stand in scripts, where only names can stand.
fn check_key(decl: &TypeDecl) -> Result<()> {
    let reason = if !decl.key.split('.').all(is_name) {
        "a type key is made of names with dots between them, such as `demo.Expr`"
    } else if !decl.key.contains('.') {
        "a type key has a namespace, such as `demo.Expr`, or it would clash with others"
    } else if decl.key == "ffi.Object" {
        "`ffi.Object` is the root of all types; types without `parent` extend it"
    } else {
        return Ok(());
    };
    Err(decl.blame("key", ErrorKind::Malformed, reason))
}

/// What holds for all objects of the parent's type has to hold for this type too.
fn check_kind_of_parent(decl: &TypeDecl, parent: &ParentFacts<'_>) -> Result<()> {
    let is_binding =
        matches!(parent.kind, SEqHashKind::FreeVar | SEqHashKind::UniqueInstance | SEqHashKind::ConstTreeNode);
    if is_binding && decl.kind != parent.kind && !decl.is_abstract {
        let (own, inherited) = (word(&KINDS, &decl.kind), word(&KINDS, &parent.kind));
        let message = format!(
            "it is `{own}`, but its parent `{}` is `{inherited}`, which all that extends it has to be",
            parent.key
        );
        return Err(decl.blame("kind", ErrorKind::Malformed, message));
    }
    Ok(())
}

fn check_name(field: &FieldDecl, inherited: &[String], own: &[String]) -> Result<()> {
    let message = if !is_name(&field.name) {
        "it is no name: write letters, digits and `_`, without a digit in front"
    } else if inherited.contains(&field.name) {
        "a field of this name is inherited"
    } else if own.contains(&field.name) {
        "there are two fields of this name"
    } else {
        return Ok(());
    };
    Err(fault(field, "name", ErrorKind::Malformed, message))
}

fn check_role(decl: &TypeDecl, field: &FieldDecl, ty: &ValueType) -> Result<()> {
    let role = word(&ROLES, &field.role);
    let message = match field.role {
        FieldRole::Content => return Ok(()),
        FieldRole::Def | FieldRole::DefSimple if !ty.may_hold_nodes() => {
            format!("`{role}` binds variables, but there are none in `{}`", field.ty)
        }
        FieldRole::Def | FieldRole::DefSimple if decl.kind == SEqHashKind::ConstTreeNode => {
            format!(
                "`{role}` contradicts `const_tree`: a constant that binds variables is not equal to itself everywhere"
            )
        }
        _ if decl.kind == SEqHashKind::Unsupported && !decl.is_base => {
            format!("`{role}` has no effect, because objects of this type are not compared")
        }
        _ => return Ok(()),
    };
    Err(fault(field, "role", ErrorKind::Malformed, message))
}

/// The default, as a value of the field's type.
fn default_of(decl: &TypeDecl, field: &FieldDecl, ty: &ValueType) -> Result<Option<Any>> {
    let convert = |value: Any| match value.view().as_str().filter(|_| ty.is_float()).map(str::parse::<f64>) {
        // JSON has no words for some numbers.
        Some(Ok(value)) if !value.is_finite() => Ok(Any::Float(value)),
        _ => ty.convert(value),
    };
    if let Some(default) = &field.default {
        return convert(default.clone()).map(Some).map_err(|error| blame(field, "default", &error));
    }
    // The parts that JSON does not show have to come from somewhere.
    let is_key = decl.singleton_key.as_ref().or(decl.json.as_ref()) == Some(&field.name);
    Ok(match (&decl.singleton_key, &decl.json) {
        _ if is_key => None,
        (Some(_), _) => ty.empty(),
        (None, Some(_)) if ty.is_optional() => Some(Any::None),
        _ => None,
    })
}

/// What makes the default anew each time. Texts and bytes have no identity, so that one will do.
fn make_default(default: Any) -> MakeDefault {
    let has_identity =
        default.view().as_object().is_some_and(|it| !matches!(it.type_info().body, Body::Str | Body::Bytes));
    match has_identity.then(|| to_json(default.view(), None)) {
        Some(Ok(text)) => {
            Box::new(move || read_json(text.as_bytes()).map_or_else(|_| default.clone(), |graph| graph.root))
        }
        _ => Box::new(move || default.clone()),
    }
}

fn check_kind(decl: &TypeDecl) -> Result<()> {
    let kind = word(&KINDS, &decl.kind);
    if decl.is_scope && !matches!(decl.kind, SEqHashKind::TreeNode | SEqHashKind::DagNode) {
        let message = format!("`scope` is only for `tree` and `dag`, not for `{kind}`");
        return Err(decl.blame("scope", ErrorKind::Malformed, message));
    }
    if decl.is_custom && matches!(decl.kind, SEqHashKind::Unsupported | SEqHashKind::UniqueInstance) {
        let message = format!("`custom` has no effect, because `{kind}` is not compared by content");
        return Err(decl.blame("custom", ErrorKind::Malformed, message));
    }
    match (&decl.singleton_key, decl.kind == SEqHashKind::UniqueInstance) {
        (None, true) if !decl.is_abstract => {
            let message = "a singleton needs a `singleton_key`, the field that tells its instances apart";
            Err(decl.blame("kind", ErrorKind::MissingField, message))
        }
        (Some(_), false) => {
            let message = format!("`singleton_key` is only for singletons, and this type is `{kind}`");
            Err(decl.blame("singleton_key", ErrorKind::Malformed, message))
        }
        _ => Ok(()),
    }
}

/// The fields that `singleton_key`, `json` and `label` name.
fn check_forms(decl: &TypeDecl, names: &[String], fields: &[(ValueType, Option<Any>)]) -> Result<()> {
    let has = |word: &str, name: &str| {
        if names.iter().any(|known| known == name) {
            return Ok(());
        }
        let hint = match nearest(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its fields are {}", names.join(", ")),
        };
        Err(decl.blame(word, ErrorKind::UnknownField, format!("it has no field `{name}`; {hint}")))
    };
    if let Some(key) = &decl.singleton_key {
        has("singleton_key", key)?;
        let own = decl.fields.iter().position(|field| field.name == *key);
        if own.and_then(|index| fields.get(index)).is_none_or(|(ty, _)| !ty.is_text()) {
            let message =
                format!("the key of a singleton is a field of its own of type `ffi.String`, and `{key}` is none");
            return Err(decl.blame("singleton_key", ErrorKind::Malformed, message));
        }
        if decl.json.is_some() {
            let message = "`json` has no effect on a singleton, which JSON shows by its key";
            return Err(decl.blame("json", ErrorKind::Malformed, message));
        }
    }
    if let Some(json) = &decl.json {
        has("json", json)?;
        let own = decl.fields.iter().zip(fields).find(|(field, _)| field.name == *json);
        if let Some((field, _)) = own.filter(|(_, (ty, _))| !ty.is_one_scalar()) {
            let message = format!(
                "JSON holds this field in place of the object, so it is a text, a number, a `bool` or a `DataType`, not `{}`",
                field.ty
            );
            return Err(fault(field, "type", ErrorKind::Malformed, message));
        }
    }
    if let Some(shown) = decl.singleton_key.as_ref().or(decl.json.as_ref()) {
        let hidden =
            decl.fields.iter().zip(fields).find(|(field, (_, default))| field.name != *shown && default.is_none());
        if let Some((field, _)) = hidden {
            let message = format!("it needs a default, because JSON holds `{shown}` alone");
            return Err(fault(field, "name", ErrorKind::MissingField, message));
        }
    }
    if let Some(label) = &decl.label {
        let fault = |fault| decl.blame("label", ErrorKind::Malformed, format!("{fault} in the label"));
        for name in placeholders(label).map_err(fault)? {
            has("label", name)?;
        }
    }
    Ok(())
}

impl Planned {
    /// Makes the type with index `index`; its parent has been made. Everything that it refers to stays for good.
    pub(super) fn leak(self, plan: &Plan<'_>, index: usize, location: &'static str) -> Result<&'static TypeInfo> {
        let decl = &plan.schema.types[index];
        let parent = self.parent.and_then(|parent| match parent {
            Parent::Linked(info) => Some(info),
            Parent::Made(index) => plan.type_ref(index).get(),
        });
        let fields = decl.fields.iter().zip(self.fields).map(|(field, (ty, default))| FieldSpec {
            name: leak(&field.name),
            meta: FieldMeta {
                role: field.role,
                doc: leak(&field.doc),
                pairs: field.meta.iter().map(|(key, value)| (leak(key), leak(value))).collect::<Vec<_>>().leak(),
                // Only the compiler reads it, where a type is declared.
                may_contain: None,
            },
            storage: ty.runtime_storage(),
            field: RuntimeField { rule: Box::new(ty), schema: field.ty.leak(), default: default.map(make_default) },
        });
        let info = RuntimeTypeSpec {
            type_key: leak(&decl.key),
            doc: leak(&decl.doc),
            location: (location, place_of(index)),
            kind: decl.kind,
            is_scope: decl.is_scope,
            label: decl.label.as_deref().map(leak),
            is_base: decl.is_base,
            is_abstract: decl.is_abstract,
            parent,
            fields: fields.collect(),
            json: decl.json.clone(),
            singleton_key: decl.singleton_key.clone(),
        };
        let info = info.leak()?;
        plan.type_ref(index).set(info);
        Ok(info)
    }
}
