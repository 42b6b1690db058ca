//! Attributes in places where nothing reads them.

use syn::{Attribute, Data, DeriveInput, Field};

use crate::keywords::Attr;
use crate::report::{Report, Rule, rules};

/// Applied to every item.
pub(super) const RULES: &[Rule<DeriveInput>] = rules![attribute_places];

/// Compilers accept the helper attributes of a derive everywhere inside of an item. One in a place that the macro never
/// looks at would be dropped without a word, and its author would believe in it.
fn attribute_places(input: &DeriveInput, errors: &mut Report<'_>) {
    refuse(&input.attrs, &[Attr::Field], "a type", errors);
    for param in &input.generics.params {
        let attrs = match param {
            syn::GenericParam::Lifetime(param) => &param.attrs,
            syn::GenericParam::Type(param) => &param.attrs,
            syn::GenericParam::Const(param) => &param.attrs,
        };
        refuse(attrs, &Attr::ALL, "a generic parameter", errors);
    }
    match &input.data {
        Data::Struct(data) => fields(data.fields.iter(), &[Attr::Object, Attr::StructuralEq], errors),
        Data::Union(data) => fields(data.fields.named.iter(), &Attr::ALL, errors),
        Data::Enum(data) => {
            for attr in find(&input.attrs, Attr::StructuralEq) {
                let message = "`#[structural_eq]` has no meaning on an enum, because an enum is compared by the value that it stands for";
                errors.add_help(&attr.meta, message, "leave it out");
            }
            for variant in &data.variants {
                refuse(&variant.attrs, &Attr::ALL, "a variant", errors);
                fields(variant.fields.iter(), &Attr::ALL, errors);
            }
        }
    }
}

fn fields<'a>(fields: impl Iterator<Item = &'a Field>, wrong: &[Attr], errors: &mut Report<'_>) {
    for field in fields {
        let place = if wrong.contains(&Attr::Field) { "this field" } else { "a field" };
        refuse(&field.attrs, wrong, place, errors);
    }
}

/// Reports all of the attributes `wrong` among `attrs`, which stand on `place`.
fn refuse(attrs: &[Attribute], wrong: &[Attr], place: &str, errors: &mut Report<'_>) {
    for kind in wrong {
        for attr in find(attrs, *kind) {
            let message = format!("`#[{}]` has no meaning on {place}", kind.name());
            errors.add_help(&attr.meta, message, format!("it belongs {}", kind.place()));
        }
    }
}

fn find(attrs: &[Attribute], kind: Attr) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(move |attr| attr.path().is_ident(kind.name()))
}
