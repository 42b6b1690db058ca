//! The kind of the item, and its names.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Data, DeriveInput, Fields, LitStr, Path, Token};

use crate::model::{Enum, Node};
use crate::names::{handle_stem, unraw};
use crate::report::{Report, Rule, rules};
use crate::{std_types, types};

/// Applied to every item, in the order of their messages.
pub(super) const ITEM_RULES: &[Rule<DeriveInput>] =
    rules![derive_once, no_unions, named_fields, no_generics, not_packed];

/// Applied to node structs, in the order of their messages.
pub(super) const NODE_RULES: &[Rule<Node>] = rules![handle_name, type_key_required, type_key_form];

/// Applied to enums, in the order of their messages.
pub(super) const ENUM_RULES: &[Rule<Enum>] =
    rules![enum_words, enum_variants, enum_not_of_std, enum_types_differ, enum_not_recursive];

/// The second expansion declares each item again. The first one sees the derive attributes after its own, and declares
/// nothing.
fn derive_once(input: &DeriveInput, errors: &mut Report<'_>) {
    if let Some(path) = derived_again(input) {
        errors.add_help(&path, "`Object` is derived twice", "leave one of the two out");
    }
}

/// The `Object` in a derive attribute after the one that expands.
pub(crate) fn derived_again(input: &DeriveInput) -> Option<Path> {
    let derives = input.attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let paths = derives.filter_map(|attr| attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok());
    paths.flatten().find(|path| path.segments.last().is_some_and(|last| last.ident == "Object"))
}

/// Reflection cannot know which field of a union holds a value.
fn no_unions(input: &DeriveInput, errors: &mut Report<'_>) {
    if let Data::Union(data) = &input.data {
        let message = "a union cannot be an object, because nothing says which of its fields holds a value";
        errors.add_help(&data.union_token, message, "declare a struct, or an enum without data");
    }
}

/// Reflection, JSON and access paths call fields by name.
fn named_fields(input: &DeriveInput, errors: &mut Report<'_>) {
    let Data::Struct(data) = &input.data else { return };
    let name = &input.ident;
    match &data.fields {
        Fields::Named(_) => {}
        Fields::Unnamed(fields) => {
            let message = "the fields of a node struct have names, because reflection and JSON call them by name";
            errors.add_help(fields, message, format!("write `struct {name} {{ name: Type, ... }}`"));
        }
        Fields::Unit => {
            let message = "a node struct has its fields in braces, even if there are none";
            errors.add_help(name, message, format!("write `struct {name} {{}}`"));
        }
    }
}

/// One type key identifies one type with one table, but a generic struct is many types.
fn no_generics(input: &DeriveInput, errors: &mut Report<'_>) {
    let kind = if matches!(input.data, Data::Enum(_)) { "enum" } else { "node struct" };
    if !input.generics.params.is_empty() {
        let message = format!("a {kind} cannot be generic, because one type key identifies exactly one type");
        let help = "name the types; a field that may hold any object has the type `ObjectRef`, one that may hold any \
                    value the type `Any`";
        errors.add_help(&input.generics.params, message, help);
    } else if let Some(clause) = &input.generics.where_clause {
        errors.add_help(clause, format!("a {kind} has no `where` clause"), "leave it out");
    }
}

/// Fields are read through references, and a reference to a field of a packed struct may be misaligned.
fn not_packed(input: &DeriveInput, errors: &mut Report<'_>) {
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        let packed = attr.meta.require_list().is_ok_and(|list| types::mentions(list.tokens.clone(), &["packed"]));
        if packed && matches!(input.data, Data::Struct(_)) {
            let message = "a node struct cannot be packed, because its fields are read in place";
            errors.add_help(&attr.meta, message, "leave `packed` out");
        }
    }
}

/// The handle needs a name of its own, which follows from the name of the struct or from `handle`.
fn handle_name(node: &Node, errors: &mut Report<'_>) {
    let ident = &node.ident;
    if let Some(handle) = &node.object.values.handle {
        if handle == ident {
            let message = format!("`{handle}` is the struct itself, so the handle needs another name");
            let help = format!("write `handle = {handle}Ref`, or another name");
            errors.add_help(&node.object.tokens_of("handle"), message, help);
        }
        return;
    }
    if handle_stem(ident).is_some() {
        return;
    }
    let name = unraw(ident);
    let (message, help) = if name == "Node" {
        ("nothing is left of `Node` without `Node` to name the handle".to_owned(), "`SomethingNode`".to_owned())
    } else if let Some(stem) = name.strip_suffix("Node") {
        let message = format!("`{stem}`, which is left of `{ident}` without `Node`, cannot be the name of the handle");
        (message, "`SomethingNode`".to_owned())
    } else {
        let message = format!("the name of the handle does not follow from `{ident}`, which does not end in `Node`");
        (message, format!("`{name}Node`"))
    };
    errors.add_help(ident, message, format!("name the struct {help}, or write `handle = ...` in its `#[object(...)]`"));
}

/// Files and other languages know the type by its key, so the macro does not derive the key from the name of the
/// struct.
fn type_key_required(node: &Node, errors: &mut Report<'_>) {
    if node.object.values.type_key.is_none() && !node.object.may_have("type_key") {
        let message = format!("`{}` has no type key", node.ident);
        let help = format!("write `#[object(type_key = \"my_crate.{}\")]` on it", node.handle);
        errors.add_help(&node.ident, message, help);
    }
}

/// Keys are names with a namespace: two crates may both have an `Add`, and schemas and scripts, which use keys too,
/// accept only names.
fn type_key_form(node: &Node, errors: &mut Report<'_>) {
    let Some(key) = &node.object.values.type_key else { return };
    let text = key.value();
    let help = "write names with dots between them, such as `\"demo.Expr\"`";
    if text.is_empty() {
        errors.add_help(key, "the type key is empty", help);
    } else if !text.split('.').all(is_name) {
        errors.add_help(key, format!("`{text}` is not a type key, because {}", fault(key)), help);
    } else if !text.contains('.') {
        let message = format!("the type key `{text}` has no namespace, so it could clash with a key of another crate");
        errors.add_help(key, message, format!("write `\"my_crate.{text}\"`"));
    } else if text == "ffi.Object" {
        let message = "`ffi.Object` is the root of all types";
        errors.add_help(key, message, "choose another key; types without `parent` extend the root");
    }
}

/// The fault of a malformed key.
fn fault(key: &LitStr) -> String {
    let text = key.value();
    match text.split('.').find(|segment| !is_name(segment)) {
        Some("") => "there is nothing before, after or between its dots".to_owned(),
        Some(segment) => format!("`{segment}` is not a name"),
        None => "it is malformed".to_owned(),
    }
}

/// Letters, digits and `_`, without a digit in front.
pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && chars.all(|char| char == '_' || char.is_ascii_alphanumeric())
}

/// An enum is the value of a field and not an object, so most words have no effect on it.
fn enum_words(item: &Enum, errors: &mut Report<'_>) {
    let object = &item.object;
    for word in object.words().filter(|word| *word != "crate") {
        let message =
            format!("`{word}` has no meaning for an enum, because an enum is the value of a field and not an object");
        errors.add_help(&object.tokens_of(word), message, "leave it out, or declare a struct");
    }
}

/// An enum is a number, or a value of one of several types: each variant has one value, or none has.
fn enum_variants(item: &Enum, errors: &mut Report<'_>) {
    let name = &item.ident;
    if item.variants.is_empty() {
        errors.add_help(name, format!("`{name}` has no variants, so it has no values"), "add a variant");
    }
    let is_sum = item.variants.iter().any(|variant| !variant.fields.is_empty());
    for variant in item.variants.iter().filter(|_| is_sum) {
        let help = "write `Variant(Type)` for each, with the handle of a node struct where several values belong together; \
                    or leave the values out of all of them";
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {}
            fields if fields.is_empty() => {
                let message = format!("`{name}::{}` has no value, but other variants have", variant.ident);
                errors.add_help(&variant.ident, message, help);
            }
            fields => {
                let message =
                    format!("a variant holds one value without a name, but `{name}::{}` does not", variant.ident);
                errors.add_help(&fields.to_token_stream(), message, help);
            }
        }
    }
}

/// The value of a variant is the value of a field.
fn enum_not_of_std(item: &Enum, errors: &mut Report<'_>) {
    for field in item.variants.iter().filter(|it| it.fields.len() == 1).flat_map(|variant| &variant.fields) {
        std_types::report(&field.ty, errors);
    }
}

/// A value has a type, which has to determine the variant.
fn enum_types_differ(item: &Enum, errors: &mut Report<'_>) {
    // A rule reports variants of other forms.
    let has_one_value = |fields: &Fields| matches!(fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
    let sole = item.variants.iter().filter(|variant| has_one_value(&variant.fields));
    let types: Vec<_> = sole.flat_map(|variant| variant.fields.iter().map(move |field| (variant, &field.ty))).collect();
    for (i, (variant, ty)) in types.iter().enumerate() {
        if let Some((earlier, _)) = types[..i].iter().find(|(_, earlier)| earlier == ty) {
            let message = format!(
                "`{}` and `{}` hold values of one type, so a value does not determine the variant",
                earlier.ident, variant.ident
            );
            errors.add_help(ty, message, "declare a node struct for one of them, and write its handle");
        }
    }
}

/// The schema of a field is a finite term of types.
fn enum_not_recursive(item: &Enum, errors: &mut Report<'_>) {
    for field in item.variants.iter().flat_map(|variant| &variant.fields) {
        if types::mentions(field.ty.to_token_stream(), &["Self", &item.ident.to_string()]) {
            let message = format!("`{}` holds itself, and only objects can", item.ident);
            errors.add_help(&field.ty, message, "declare a node struct with the field, and write its handle here");
        }
    }
}
