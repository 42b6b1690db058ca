//! Checks a type of a schema by the rules of the derive that apply to schemas. Rules about Rust code, such as the place
//! of the `base` field, do not.

use std::collections::BTreeMap;

use crate::access_path::AccessStep;
use crate::dynamic::default_value::DeclaredDefault;
use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::field_decl::FieldDecl;
use crate::dynamic::json_cursor::below;
use crate::dynamic::load_plan::{LoadPlan, Parent};
use crate::dynamic::number_width::NumberWidth;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::value_type::{Numbers, ValueType};
use crate::error::{Error, ErrorKind, Result};
use crate::json::JsonReader;
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::runtime_field::FieldRule;
use crate::object::{Any, DynamicHook, FieldRole, HookedType, SEqHashKind};
use crate::text::brief::brief;
use crate::text::did_you_mean::{backticked, did_you_mean_or};
use crate::text::names::{check_type_key, is_name};
use crate::text::placeholders::{LabelPart, label_parts};

/// A type that has passed the checks.
pub(super) struct CheckedType {
    pub(super) parent: Option<Parent>,
    /// The names of all fields, the fields of the ancestors first.
    names: Vec<String>,
    /// The own fields, each with its default.
    pub(super) fields: Vec<(ValueType, Option<CheckedDefault>)>,
    /// The hook of a type that code compares.
    pub(super) hook: Option<Box<dyn DynamicHook>>,
}

/// The default of a field of a checked type.
pub(super) enum CheckedDefault {
    /// A value of the field's type.
    Value(Any),
    /// The text of a JSON graph whose objects have types that the loader makes.
    Graph(String),
}

/// The properties of a parent that its children depend on.
struct ParentFacts<'a> {
    key: &'a str,
    kind: SEqHashKind,
    fields: Vec<String>,
}

fn parent_facts<'a>(plan: &'a LoadPlan<'_>, planned: &BTreeMap<usize, CheckedType>, parent: Parent) -> ParentFacts<'a> {
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

/// Checks the type with index `index`, after its parent.
pub(super) fn check_type(
    plan: &LoadPlan<'_>,
    planned: &BTreeMap<usize, CheckedType>,
    index: usize,
) -> Result<CheckedType> {
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
    let count = inherited + decl.fields.len();
    if count > MAX_FIELDS {
        let message = format!("a type has at most {MAX_FIELDS} fields, inherited ones included, not {count}");
        return Err(decl.blame("fields", ErrorKind::OutOfRange, message));
    }
    let mut fields = Vec::new();
    for field in &decl.fields {
        check_name(field, &names[..inherited], &names[inherited..])?;
        names.push(field.name.clone());
        let ty = ValueType::new(&field.ty, &|text| plan.named(text)).map_err(|error| blame(field, "type", &error))?;
        let ty = ty.with_numbers(numbers_of(plan, field)?);
        check_role(decl, field, &ty)?;
        check_export(decl, field, &ty)?;
        let default = default_of(plan, decl, field, &ty)?;
        fields.push((ty, default));
    }
    check_kind(decl)?;
    check_forms(decl, &names, &fields)?;
    let hook = plan.hook(decl).map(|make| make(&HookedType::new(&decl.key, &names))).transpose();
    let hook = hook.map_err(|error| decl.blame("custom", error.kind(), error.message()))?;
    Ok(CheckedType { parent, names, fields, hook })
}

/// The numbers that a field holds.
fn numbers_of(plan: &LoadPlan<'_>, field: &FieldDecl) -> Result<Numbers> {
    let inner = match field.ty.args.first() {
        Some(arg) if field.ty.name == "Optional" => arg,
        _ => &field.ty,
    };
    let misplaced = |word: &str, number: &str| {
        let message = format!("`{word}` is for fields of type `{number}`, not `{}`", brief(&field.ty.to_string()));
        Err(fault(field, word, ErrorKind::Malformed, message))
    };
    field.ty.enums().into_iter().try_for_each(|name| known_enum(plan, field, name).map(drop))?;
    match (&field.enumeration, field.width) {
        (None, None) => Ok(Numbers::All),
        (Some(_), Some(_)) => {
            Err(fault(field, "width", ErrorKind::Malformed, "a number of an enum has no width of its own"))
        }
        (None, Some(NumberWidth::Float32)) if inner.name != "float" => misplaced("width", "float"),
        (None, Some(width)) if width != NumberWidth::Float32 && inner.name != "int" => misplaced("width", "int"),
        (None, Some(width)) => Ok(Numbers::Width(width)),
        (Some(_), None) if inner.name != "int" => misplaced("enum", "int"),
        (Some(name), None) => known_enum(plan, field, name).map(|it| Numbers::Of(it.clone())),
    }
}

/// The enum with a name in a field.
fn known_enum<'s>(plan: &LoadPlan<'s>, field: &FieldDecl, name: &str) -> Result<&'s EnumDecl> {
    plan.schema.enums.iter().find(|it| it.name == *name).ok_or_else(|| {
        let names = plan.schema.enums.iter().map(|it| it.name.as_str());
        let hint = did_you_mean_or(name, names, || "the list `enums` of the schema has none".to_owned());
        let message = format!("the enum `{}` is unknown; {hint}", brief(name));
        fault(field, "enum", ErrorKind::UnknownType, message)
    })
}

/// The error, for the entry `word` of a field.
pub(super) fn blame(field: &FieldDecl, word: &str, error: &Error) -> Error {
    Error::new(error.kind(), format!("field `{}`: {}", brief(&field.name), error.message()))
        .at(below(&field.place, AccessStep::Attr(word.into())))
}

fn fault(field: &FieldDecl, word: &str, kind: ErrorKind, message: impl Into<String>) -> Error {
    blame(field, word, &Error::new(kind, message))
}

fn check_key(decl: &TypeDecl) -> Result<()> {
    let checked = match decl.key.as_str() {
        "ffi.Object" => Err("`ffi.Object` is the root of all types; types without `parent` extend it"),
        key => check_type_key(key),
    };
    checked.map_err(|reason| decl.blame("key", ErrorKind::Malformed, reason))
}

/// Checks that the type keeps the kind of its parent, if the kind is a promise about all objects of the parent's type.
fn check_kind_of_parent(decl: &TypeDecl, parent: &ParentFacts<'_>) -> Result<()> {
    let is_binding =
        matches!(parent.kind, SEqHashKind::FreeVar | SEqHashKind::UniqueInstance | SEqHashKind::ConstTreeNode);
    if is_binding && decl.kind != parent.kind && !decl.is_abstract {
        let (own, inherited) = (decl.kind.word(), parent.kind.word());
        let message = format!(
            "it is `{own}`, but its parent `{}` is `{inherited}`, so all types that extend the parent must be `{inherited}`",
            brief(parent.key)
        );
        return Err(decl.blame("kind", ErrorKind::Malformed, message));
    }
    Ok(())
}

fn check_name(field: &FieldDecl, inherited: &[String], own: &[String]) -> Result<()> {
    let message = if !is_name(&field.name) {
        "it is not a name: write letters, digits and `_`, and do not begin with a digit"
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
    let role = field.role.word();
    let message = match field.role {
        FieldRole::Content => return Ok(()),
        FieldRole::Def | FieldRole::DefSimple if !ty.may_hold_nodes() => {
            format!("`{role}` binds variables, but there are none in `{}`", brief(&field.ty.to_string()))
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

fn check_export(decl: &TypeDecl, field: &FieldDecl, ty: &ValueType) -> Result<()> {
    let message = if !field.export {
        return Ok(());
    } else if !decl.is_scope {
        "`export` is for the fields of a scope, and bindings in this type do not end with its objects"
    } else if decl.is_custom {
        "`export` contradicts `custom`: the code that compares the type lists the fields without exports"
    } else if field.role == FieldRole::Ignore || !ty.may_hold_nodes() {
        "`export` has no effect, because the field binds no variables"
    } else {
        return Ok(());
    };
    Err(fault(field, "export", ErrorKind::Malformed, message))
}

/// The default of a field.
fn default_of(
    plan: &LoadPlan<'_>,
    decl: &TypeDecl,
    field: &FieldDecl,
    ty: &ValueType,
) -> Result<Option<CheckedDefault>> {
    let convert = |value: Any| match value.view().as_str().filter(|_| ty.is_float()).map(str::parse::<f64>) {
        // JSON has words for finite numbers only.
        Some(Ok(value)) if !value.is_finite() => Ok(Any::Float(value)),
        _ => ty.convert(value),
    };
    let read = |default: &DeclaredDefault| match default {
        DeclaredDefault::Value(value) => convert(value.clone()).map(CheckedDefault::Value),
        DeclaredDefault::Graph(graph) if plan.makes_types_of(graph) => {
            plan.check_is_explicit(graph).map(|()| CheckedDefault::Graph(graph.to_string()))
        }
        DeclaredDefault::Graph(graph) => {
            let graph = JsonReader::new().types(&plan.linked).read(graph.to_string().as_bytes())?;
            convert(graph.root).map(CheckedDefault::Value)
        }
    };
    if let Some(default) = &field.default {
        return read(default).map(Some).map_err(|error| blame(field, "default", &error));
    }
    // Reading needs a default for each field that JSON does not show.
    let is_key = decl.singleton_key.as_ref().or(decl.json.as_ref()) == Some(&field.name);
    Ok(match (&decl.singleton_key, &decl.json) {
        _ if is_key => None,
        (Some(_), _) => ty.empty(),
        (None, Some(_)) if ty.is_optional() => Some(Any::None),
        _ => None,
    }
    .map(CheckedDefault::Value))
}

fn check_kind(decl: &TypeDecl) -> Result<()> {
    let kind = decl.kind.word();
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
            let message = "a singleton needs a `singleton_key`, the field that identifies an instance";
            Err(decl.blame("kind", ErrorKind::MissingField, message))
        }
        (Some(_), false) => {
            let message = format!("`singleton_key` is only for singletons, and this type is `{kind}`");
            Err(decl.blame("singleton_key", ErrorKind::Malformed, message))
        }
        _ => Ok(()),
    }
}

/// Checks the fields that `singleton_key`, `json`, `same_len`, `syntax` and `label` name.
fn check_forms(decl: &TypeDecl, names: &[String], fields: &[(ValueType, Option<CheckedDefault>)]) -> Result<()> {
    let has = |word: &str, name: &str| {
        if names.iter().any(|known| known == name) {
            return Ok(());
        }
        let hint = did_you_mean_or(name, names.iter().map(String::as_str), || {
            format!("its fields are {}", backticked(names.iter().map(String::as_str)))
        });
        Err(decl.blame(word, ErrorKind::UnknownField, format!("it has no field `{}`; {hint}", brief(name))))
    };
    if let Some(key) = &decl.singleton_key {
        has("singleton_key", key)?;
        let own = decl.fields.iter().position(|field| field.name == *key);
        if own.and_then(|index| fields.get(index)).is_none_or(|(ty, _)| !ty.is_text()) {
            let message = format!(
                "the key of a singleton must be an own field of type `ffi.String`, and `{}` is not",
                brief(key)
            );
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
                brief(&field.ty.to_string())
            );
            return Err(fault(field, "type", ErrorKind::Malformed, message));
        }
    }
    if let Some(shown) = decl.singleton_key.as_ref().or(decl.json.as_ref()) {
        let hidden =
            decl.fields.iter().zip(fields).find(|(field, (_, default))| field.name != *shown && default.is_none());
        if let Some((field, _)) = hidden {
            let message = format!("it needs a default, because JSON holds `{}` alone", brief(shown));
            return Err(fault(field, "name", ErrorKind::MissingField, message));
        }
    }
    for name in decl.same_len.iter().flatten() {
        has("same_len", name)?;
    }
    if let Some(syntax) = &decl.syntax {
        let is_list =
            |name: &str| decl.fields.iter().zip(fields).any(|(field, (ty, _))| field.name == name && ty.is_container());
        let names = syntax.field_names(decl.is_abstract, is_list);
        let names = names.map_err(|fault| decl.blame("syntax", ErrorKind::Malformed, fault))?;
        names.iter().try_for_each(|name| has("syntax", name))?;
    }
    if let Some(label) = &decl.label {
        let fault = |fault: String| decl.blame("label", ErrorKind::Malformed, format!("{fault} in the label"));
        for part in label_parts(label).map_err(|reason| fault(reason.to_owned()))? {
            match part {
                LabelPart::Field { path, .. } if path.split('.').all(is_name) => {
                    has("label", path.split('.').next().unwrap_or(path))?;
                }
                LabelPart::Field { path, form } => {
                    let suffix = form.suffix();
                    return Err(fault(format!("`{{{}{suffix}}}` is not the name of a field", brief(path))));
                }
                LabelPart::Text(_) => {}
            }
        }
    }
    Ok(())
}
