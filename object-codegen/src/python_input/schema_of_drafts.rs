//! Makes types of a schema of drafts: resolves names, and checks the declarations against each other.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use object_core::dynamic::{FieldDecl, MethodDecl, Schema, SourcePlace, TypeDecl, TypeText};
use object_core::is_name;
use object_core::object::{Any, FieldRole, SEqHashKind};

use crate::diagnostic::Diagnostic;
use crate::python_input::annotation::last_part;
use crate::python_input::class_draft::{ClassDraft, DefaultDraft, FieldDraft, Form, MethodDraft, Placed};
use crate::python_input::class_names::{ClassNames, Referent};
use crate::python_input::default_value::converted;
use crate::python_input::resolved_type::Resolver;
use crate::python_input::words::{backticked, near_name};

/// The types of the drafts. All faults are added to `faults`.
pub(super) fn types(
    drafts: Vec<ClassDraft>,
    names: &ClassNames,
    context: &Schema,
    faults: &mut Vec<Diagnostic>,
) -> Vec<TypeDecl> {
    let of_context: HashMap<&str, &TypeDecl> = context.types().iter().map(|decl| (decl.key.as_str(), decl)).collect();
    let mut types = Vec::new();
    for draft in drafts {
        if of_context.contains_key(draft.key.value.as_str()) {
            if draft.form != Form::CClass {
                let message = format!("the type `{}` is declared in the context as well", draft.key.value);
                faults.push(Diagnostic::error(draft.key.place, message));
            }
            continue;
        }
        types.push(type_decl(draft, names, faults));
    }
    let parents: HashSet<String> = types.iter().filter_map(|decl: &TypeDecl| decl.parent.clone()).collect();
    for decl in &mut types {
        decl.is_base = parents.contains(&decl.key);
    }
    check_keys(&types, faults);
    check_families(&mut types, &of_context, faults);
    types
}

fn type_decl(mut draft: ClassDraft, names: &ClassNames, faults: &mut Vec<Diagnostic>) -> TypeDecl {
    let mut decl = TypeDecl::new(draft.key.value.clone());
    if let Err(reason) = check_key(&decl.key) {
        faults.push(Diagnostic::error(draft.key.place.clone(), format!("`{}`: {reason}", decl.key)));
    }
    decl.parent = parent(&draft, names, faults);
    decl.kind = draft.kind;
    decl.hand_written = draft.hand_written;
    decl.meta = std::mem::take(&mut draft.meta);
    let name = draft.name.value.clone();
    match draft.form {
        Form::Declare if name != format!("{}Node", last_part(&decl.key)) => decl.node_class = Some(name),
        Form::PyClass | Form::CClass if name != last_part(&decl.key) => decl.ref_class = Some(name),
        _ => {}
    }
    decl.doc = documentation(&draft, &decl);
    let (mut fields, mut by_name): (Vec<FieldDecl>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    for field in draft.fields {
        let name = field.name.clone();
        match by_name.entry(name.value) {
            Entry::Occupied(first) => {
                faults.push(Diagnostic::error(name.place, format!("there are two fields `{}`", first.key())));
            }
            Entry::Vacant(vacant) => {
                if let Some(field) = field_decl(field, draft.form, names, faults) {
                    vacant.insert(fields.len());
                    fields.push(field);
                }
            }
        }
    }
    for Placed { value: (name, text), place } in draft.field_docs {
        match by_name.get(&name).and_then(|at| fields.get_mut(*at)) {
            Some(field) if field.doc.is_empty() => field.doc = text,
            Some(_) => {}
            None => {
                let hint = near_name(&name, fields.iter().map(|field| field.name.as_str()));
                let message = format!("`Attributes` documents `{name}`, which is not a field of this class{hint}");
                faults.push(Diagnostic::warning(place, message));
            }
        }
    }
    if decl.kind == SEqHashKind::UniqueInstance {
        let mut texts = fields.iter().filter(|field| field.ty.name == "ffi.String");
        match (texts.next(), texts.next()) {
            (Some(key), None) => decl.singleton_key = Some(key.name.clone()),
            _ => faults.push(Diagnostic::error(
                draft.name.place.clone(),
                "a singleton has exactly one field that is a text, which identifies its instances",
            )),
        }
    }
    decl.fields = fields;
    decl.methods = draft.methods.into_iter().map(|it| method_decl(it, draft.form, names, faults)).collect();
    decl.source = Some(draft.name.place);
    decl
}

/// The documentation, and after it the classes of `See Also` that are not the two classes of the type.
fn documentation(draft: &ClassDraft, decl: &TypeDecl) -> String {
    let own = [decl.node_name(), decl.ref_name().to_owned(), decl.key.clone()];
    let others: Vec<&str> =
        draft.see_also.iter().map(String::as_str).filter(|name| !own.iter().any(|own| own == name)).collect();
    match (draft.doc.as_str(), others.is_empty()) {
        (doc, true) => doc.to_owned(),
        ("", false) => format!("See also: {}.", backticked(&others)),
        (doc, false) => format!("{doc}\n\nSee also: {}.", backticked(&others)),
    }
}

/// The key of the parent: the first base that is a type.
fn parent(draft: &ClassDraft, names: &ClassNames, faults: &mut Vec<Diagnostic>) -> Option<String> {
    let mut first_fault = None;
    for base in &draft.bases {
        if matches!(last_part(&base.value), "Object" | "CObject") {
            return None;
        }
        match names.find(&base.place.file, &base.value, ["Object"]) {
            Ok(Referent::Type(key)) => return Some(key.clone()),
            Ok(Referent::Enum(name)) => {
                first_fault.get_or_insert((base.place.clone(), format!("`{name}` is an enum, not a type of objects")));
            }
            Err(message) => {
                first_fault.get_or_insert((base.place.clone(), message));
            }
        }
    }
    let (place, message) = first_fault.unwrap_or_else(|| {
        let name = &draft.name.value;
        (draft.name.place.clone(), format!("`{name}` has no parent; write `class {name}(Object)`"))
    });
    faults.push(Diagnostic::error(place, message));
    None
}

fn field_decl(draft: FieldDraft, form: Form, names: &ClassNames, faults: &mut Vec<Diagnostic>) -> Option<FieldDecl> {
    let resolved = Resolver { names, form, faults }.field_type(&draft.annotation)?;
    if matches!(draft.role, FieldRole::Def | FieldRole::DefSimple) && !may_bind(&resolved.ty) {
        let message = format!("the field binds variables, and a value of the type `{}` contains none", resolved.ty);
        faults.push(Diagnostic::error(draft.name.place.clone(), message));
    }
    let mut field = FieldDecl::required(draft.name.value, resolved.ty);
    field.width = resolved.width;
    field.enumeration = resolved.enumeration;
    if let Some(Placed { value, place }) = draft.default {
        let default = default_value(value, &place.file, names, &mut field);
        match default.and_then(|value| converted(&value, &field.ty, field.width)) {
            Ok(value) => field.default = Some(value.into()),
            Err(message) => faults.push(Diagnostic::error(place, message)),
        }
    }
    field.role = draft.role;
    field.doc = draft.doc;
    field.meta = draft.meta;
    field.source = Some(draft.name.place);
    Some(field)
}

/// The value of a default. A variant determines the enum of a field of Python, whose type is a number.
fn default_value(default: DefaultDraft, file: &str, names: &ClassNames, field: &mut FieldDecl) -> Result<Any, String> {
    let path = match default {
        DefaultDraft::Value(value) => return Ok(value),
        DefaultDraft::Variant(path) => path,
    };
    let (name, number) = names.variant(file, &path)?;
    match &field.enumeration {
        Some(other) if other != name => Err(format!("the default `{path}` is not a variant of `{other}`")),
        _ => {
            if field.ty.args.first().unwrap_or(&field.ty).name == "int" {
                field.enumeration = Some(name.to_owned());
            }
            Ok(Any::Int(number))
        }
    }
}

/// Whether a value of the type may contain a variable.
fn may_bind(ty: &TypeText) -> bool {
    match ty.name.as_str() {
        "bool" | "int" | "float" | "DataType" | "Device" | "ffi.String" | "ffi.Bytes" | "ffi.Shape" | "ffi.Tensor"
        | "ffi.Function" => false,
        "Optional" | "Variant" | "ffi.Array" | "ffi.List" | "ffi.Map" | "ffi.Dict" => ty.args.iter().any(may_bind),
        _ => true,
    }
}

fn method_decl(draft: MethodDraft, form: Form, names: &ClassNames, faults: &mut Vec<Diagnostic>) -> MethodDecl {
    let mut resolver = Resolver { names, form, faults };
    let any = || TypeText::leaf("Any");
    let mut resolve = |annotation: &Option<_>| match annotation {
        Some(annotation) => resolver.field_type(annotation).map_or_else(any, |resolved| resolved.ty),
        None => any(),
    };
    let arguments = draft.arguments.into_iter().map(|(name, annotation)| (name, resolve(&annotation))).collect();
    let result = resolve(&draft.result);
    let mut method = MethodDecl::new(draft.name, arguments, result);
    method.doc = draft.doc;
    method.is_static = draft.is_static;
    method
}

/// The rule that a key breaks.
fn check_key(key: &str) -> Result<(), &'static str> {
    match key.split('.').all(is_name) {
        true => Ok(()),
        false => Err("a type key is made of names with dots between them, such as `demo.Point`"),
    }
}

fn place(decl: &TypeDecl) -> SourcePlace {
    decl.source.clone().unwrap_or(SourcePlace { file: String::new(), line: 1, column: 1 })
}

/// Checks that no two types have one key.
fn check_keys(types: &[TypeDecl], faults: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<&str, SourcePlace> = HashMap::new();
    for decl in types {
        if let Some(first) = seen.get(decl.key.as_str()) {
            let message = format!("the type key `{}` is used at {first} as well", decl.key);
            faults.push(Diagnostic::error(place(decl), message));
        } else {
            seen.insert(&decl.key, place(decl));
        }
    }
}

/// Checks each type against its ancestors, and marks the types with hooks.
fn check_families(types: &mut [TypeDecl], of_context: &HashMap<&str, &TypeDecl>, faults: &mut Vec<Diagnostic>) {
    let snapshot = types.to_vec();
    let all = snapshot.iter().chain(of_context.values().copied());
    let by_key: HashMap<&str, &TypeDecl> = all.map(|decl| (decl.key.as_str(), decl)).collect();
    let circular = circular(&by_key);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    snapshot.iter().for_each(|decl| *counts.entry(&decl.key).or_default() += 1);
    // Only a name that two types have may be inherited.
    let mut declared: HashMap<&str, usize> = HashMap::new();
    for field in by_key.values().flat_map(|decl| &decl.fields) {
        *declared.entry(&field.name).or_default() += 1;
    }
    for decl in types {
        if let Some(parent) =
            decl.parent.as_deref().and_then(|parent| of_context.get(parent))
            && !parent.is_base
            // A declaration of Python does not say whether other files extend it.
            && parent.source.is_none()
        {
            let message = format!("`{}` is final in the context, so no type extends it", parent.key);
            faults.push(Diagnostic::error(place(decl), message));
        }
        if circular.contains(decl.key.as_str()) {
            // A second type with one key is reported already.
            if counts[decl.key.as_str()] == 1 {
                faults.push(Diagnostic::error(place(decl), format!("`{}` extends itself", decl.key)));
            }
            continue;
        }
        let parent_of = |decl: &TypeDecl| by_key.get(decl.parent.as_deref()?).copied();
        let mut ancestors = std::iter::successors(parent_of(decl), |parent| parent_of(parent));
        let is_shared = |name: &str| declared.get(name).is_some_and(|count| *count > 1);
        for field in decl.fields.iter().filter(|field| is_shared(&field.name)) {
            let inherited = ancestors.clone().find(|parent| parent.fields.iter().any(|other| other.name == field.name));
            if let Some(parent) = inherited {
                let place = field.source.clone().unwrap_or_else(|| place(decl));
                let message = format!("the field `{}` is inherited from `{}`", field.name, parent.key);
                faults.push(Diagnostic::error(place, message));
            }
        }
        let by_hand = decl.hand_written.sequal_reduce && decl.hand_written.shash_reduce;
        decl.is_custom = by_hand && (!decl.fields.is_empty() || ancestors.any(|parent| !parent.fields.is_empty()));
    }
}

/// The keys of the types that have themselves or other types in a circle as ancestors.
fn circular<'t>(by_key: &HashMap<&'t str, &'t TypeDecl>) -> HashSet<&'t str> {
    // A type on the path at hand counts as circular until the end of the path is known.
    let mut is_circular: HashMap<&str, bool> = HashMap::new();
    for &start in by_key.values() {
        let (mut path, mut next) = (Vec::new(), Some(start));
        let verdict = loop {
            let Some(decl) = next else { break false };
            if let Some(known) = is_circular.get(decl.key.as_str()) {
                break *known;
            }
            is_circular.insert(&decl.key, true);
            path.push(decl.key.as_str());
            next = decl.parent.as_deref().and_then(|parent| by_key.get(parent).copied());
        };
        is_circular.extend(path.into_iter().map(|key| (key, verdict)));
    }
    is_circular.into_iter().filter(|(_, is)| *is).map(|(key, _)| key).collect()
}
