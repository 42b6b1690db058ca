//! Attributes in places that the macro does not read.

use syn::{Attribute, Data, DeriveInput, Field};

use crate::keywords::Attr;
use crate::report::{Report, Rule, rules};

/// Applied to every item.
pub(super) const RULES: &[Rule<DeriveInput>] = rules![attribute_places];

/// The compiler accepts the helper attributes of a derive everywhere in an item. Without this rule, an attribute in a
/// place that the macro does not read would silently have no effect.
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
                let message = "`#[structural_eq]` has no meaning on an enum, because an enum is compared by its value";
                errors.add_help(&attr.meta, message, "leave it out");
            }
            for variant in &data.variants {
                match variant.fields.is_empty() {
                    true => refuse(&variant.attrs, &[Attr::StructuralEq, Attr::Field], "a variant", errors),
                    false => refuse(&variant.attrs, &Attr::ALL, "a variant with a value", errors),
                }
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

/// Reports all of the attributes `wrong` among `attrs`, the attributes of `place`.
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
