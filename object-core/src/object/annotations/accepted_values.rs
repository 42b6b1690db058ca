//! Rules about lists of types of which a value has one: the variants of an enum, and the handles that `variants_of!` and
//! `visitor!` list. As the [rules of tables](crate::object::annotations::rules), they run in constants of generated code.

use crate::object::model::accepted::Accepted;
use crate::object::model::type_info::TypeInfo;
use crate::text::const_message::const_str_eq;
use crate::text::const_message::fail;

/// A type in a list: its name there, and the values that it accepts.
pub type Listed = (&'static str, Accepted);

/// The reason for which two types of an enum do not determine the variant of a value.
enum Conflict {
    /// Both accept `None`.
    Nothing,
    /// Both accept values of this kind, none of which knows its variant.
    Shared(&'static str),
    /// The earlier type accepts all objects of this type.
    Covered(&'static TypeInfo, &'static TypeInfo),
    /// The earlier type accepts everything of this kind.
    CoveredBy(&'static str),
}

/// A value determines its variant of the enum `name`. An enum is stored as its value alone, and reading takes the first
/// variant that accepts the value. So a plain value or a container fits one variant only, and no variant accepts all objects
/// of a later one. An object of a type that extends the type of a later variant is the earlier, more specific variant.
#[track_caller]
pub const fn value_determines_variant(name: &str, variants: &[Listed], own: usize) {
    let (variant, accepted) = variants[own];
    let mut i = 0;
    while i < own {
        let (earlier, earlier_accepted) = variants[i];
        match conflict(earlier_accepted, accepted) {
            None => {}
            Some(Conflict::Nothing) => fail(
                "value_determines_variant",
                "`{}::{}` and `{}::{}` can both be `None`, so a copy of the later one is the earlier one\nhelp: write one of \
                 the types without `Option`",
                &[name, earlier, name, variant],
            ),
            Some(Conflict::Shared(kind)) => fail(
                "value_determines_variant",
                "`{}::{}` and `{}::{}` can hold the same {}, so a copy of the later one can be the earlier one, and so can the \
                 value in a file\nhelp: leave one of the two variants out, or declare a node struct for its value and write \
                 the handle",
                &[name, earlier, name, variant, kind],
            ),
            Some(Conflict::Covered(theirs, ours)) if same_type(theirs, ours) => fail(
                "value_determines_variant",
                "`{}::{}` and `{}::{}` both hold `{}`, so a copy of the later one is the earlier one\nhelp: leave one of the \
                 two variants out, or declare a node struct for its value and write the handle",
                &[name, earlier, name, variant, ours.type_key],
            ),
            Some(Conflict::Covered(theirs, ours)) => fail(
                "value_determines_variant",
                "a copy of `{}::{}` is a `{}::{}`, because `{}` extends `{}`, and the first variant that accepts a value \
                 counts\nhelp: move `{}` before `{}`, or leave `{}` out",
                &[name, variant, name, earlier, ours.type_key, theirs.type_key, variant, earlier, variant],
            ),
            Some(Conflict::CoveredBy(all)) => fail(
                "value_determines_variant",
                "a copy of `{}::{}` is a `{}::{}`, because `{}` accepts {}, and the first variant that accepts a value \
                 counts\nhelp: move `{}` before `{}`, or leave `{}` out",
                &[name, variant, name, earlier, earlier, all, variant, earlier, variant],
            ),
        }
        i += 1;
    }
}

/// Each handle that `variants_of!` lists is the handle of objects that `base` accepts.
#[track_caller]
pub const fn variant_of_base(base: Listed, variant: Listed) {
    if !covers(base.1, variant.1) {
        fail(
            "variant_of_base",
            "no `{}` is a `{}`, whose type does not extend it\nhelp: leave it out, or write \
             `#[object(parent = ...)]` on its node struct",
            &[base.0, variant.0],
        );
    }
}

/// No variant of the enum `name`, which `variants_of!` declares, accepts all objects of a later one.
#[track_caller]
pub const fn variant_is_reachable(name: &str, variants: &[Listed], own: usize) {
    let (variant, accepted) = variants[own];
    let mut i = 0;
    while i < own {
        let (earlier, earlier_accepted) = variants[i];
        if covers(earlier_accepted, accepted) {
            let help = if covers(accepted, earlier_accepted) {
                "leave one of them out"
            } else {
                "list the more specific one first"
            };
            fail(
                "variant_is_reachable",
                "no object is a `{}::{}`, because `{}`, which stands before it, accepts all of them\nhelp: {}",
                &[name, variant, earlier, help],
            );
        }
        i += 1;
    }
}

/// No method of the visitor `name` has a handle that an earlier method takes all objects of.
#[track_caller]
pub const fn visitor_handles_differ(name: &str, methods: &[Listed], own: usize) {
    let (method, accepted) = methods[own];
    let mut i = 0;
    while i < own {
        let (earlier, earlier_accepted) = methods[i];
        let never_called = match accepted {
            // The visit looks for the nearest ancestor, so that a base may stand before the types that extend it.
            Accepted::Objects(_) => covers(accepted, earlier_accepted) && covers(earlier_accepted, accepted),
            _ => covers(earlier_accepted, accepted),
        };
        if never_called {
            fail(
                "visitor_handles_differ",
                "nothing calls `enter_{}` of `{}`, because `enter_{}` gets the same objects\nhelp: leave one of the two lines \
                 out",
                &[method, name, earlier],
            );
        }
        i += 1;
    }
}

/// `None` is one value, so the type in an `Option` does not accept `None` itself. The macro sees it where the type is written
/// so, and this rule sees it in an alias or an enum.
#[track_caller]
pub const fn option_of_values(field: &str, accepted: Accepted) {
    let Accepted::OneOf([Accepted::None, inner]) = accepted else { return };
    if covers(*inner, Accepted::None) {
        fail(
            "option_of_values",
            "the type in the `Option` of `{}` accepts `None` itself, so `Some(None)` and `None` are one value\nhelp: leave the \
             `Option` out",
            &[field],
        );
    }
}

/// The field that stands for an object in JSON holds one text, number or `bool`.
#[track_caller]
pub const fn json_field_is_one_value(field: &str, accepted: Accepted) {
    if !is_one_value(accepted) {
        fail(
            "json_field_is_one_value",
            "`{}` is not always one text or number, but JSON shows the field of `json` as one\nhelp: name a field of type \
             `Str`, or of a number, or leave `json` out",
            &[field],
        );
    }
}

const fn is_one_value(accepted: Accepted) -> bool {
    match accepted {
        Accepted::Unknown
        | Accepted::None
        | Accepted::Bool
        | Accepted::Int(..)
        | Accepted::Float { .. }
        | Accepted::DataType => true,
        Accepted::Objects(table) => const_str_eq(table.info().type_key, "ffi.String"),
        Accepted::Device | Accepted::Container(..) | Accepted::AnyObject | Accepted::Anything => false,
        Accepted::OneOf(parts) => {
            let mut i = 0;
            while i < parts.len() {
                if !is_one_value(parts[i]) {
                    return false;
                }
                i += 1;
            }
            true
        }
    }
}

/// The conflict between a type and a later one.
const fn conflict(earlier: Accepted, later: Accepted) -> Option<Conflict> {
    match (earlier, later) {
        (Accepted::OneOf(parts), _) => {
            let mut i = 0;
            while i < parts.len() {
                let found = conflict(parts[i], later);
                if found.is_some() {
                    return found;
                }
                i += 1;
            }
            None
        }
        (_, Accepted::OneOf(parts)) => {
            let mut i = 0;
            while i < parts.len() {
                let found = conflict(earlier, parts[i]);
                if found.is_some() {
                    return found;
                }
                i += 1;
            }
            None
        }
        (Accepted::Unknown, _) | (_, Accepted::Unknown) => None,
        (Accepted::Anything, _) => Some(Conflict::CoveredBy("every value")),
        (Accepted::AnyObject, Accepted::AnyObject | Accepted::Objects(_) | Accepted::Container(..)) => {
            Some(Conflict::CoveredBy("every object"))
        }
        (Accepted::Int(min, max), Accepted::Int(other_min, other_max)) if min <= other_max && other_min <= max => {
            Some(Conflict::Shared("integers"))
        }
        (Accepted::Float { .. }, Accepted::Float { .. }) => Some(Conflict::Shared("floats")),
        (Accepted::None, Accepted::None) => Some(Conflict::Nothing),
        (Accepted::Bool, Accepted::Bool)
        | (Accepted::DataType, Accepted::DataType)
        | (Accepted::Device, Accepted::Device) => Some(Conflict::Shared("values")),
        (Accepted::Container(a, _), Accepted::Container(b, _)) if same_type(a.info(), b.info()) => {
            Some(Conflict::Shared("empty container"))
        }
        (Accepted::Objects(theirs), Accepted::Objects(ours)) if extends(ours.info(), theirs.info()) => {
            Some(Conflict::Covered(theirs.info(), ours.info()))
        }
        _ => None,
    }
}

/// Whether `a` accepts every value that `b` accepts, as far as types tell.
const fn covers(a: Accepted, b: Accepted) -> bool {
    match (a, b) {
        (_, Accepted::OneOf(parts)) => {
            let mut i = 0;
            while i < parts.len() {
                if !covers(a, parts[i]) {
                    return false;
                }
                i += 1;
            }
            true
        }
        (Accepted::OneOf(parts), _) => {
            let mut i = 0;
            while i < parts.len() {
                if covers(parts[i], b) {
                    return true;
                }
                i += 1;
            }
            false
        }
        (Accepted::Anything, _)
        | (Accepted::AnyObject, Accepted::AnyObject | Accepted::Objects(_) | Accepted::Container(..))
        | (Accepted::None, Accepted::None)
        | (Accepted::Bool, Accepted::Bool)
        | (Accepted::DataType, Accepted::DataType)
        | (Accepted::Device, Accepted::Device)
        | (Accepted::Float { single: false }, Accepted::Float { .. })
        | (Accepted::Float { single: true }, Accepted::Float { single: true }) => true,
        (Accepted::Int(min, max), Accepted::Int(other_min, other_max)) => min <= other_min && other_max <= max,
        (Accepted::Objects(theirs), Accepted::Objects(ours)) => extends(ours.info(), theirs.info()),
        (Accepted::Container(theirs, theirs_of), Accepted::Container(ours, ours_of)) => {
            if !same_type(theirs.info(), ours.info()) {
                return false;
            }
            let mut i = 0;
            while i < theirs_of.len() {
                if !covers(theirs_of[i], ours_of[i]) {
                    return false;
                }
                i += 1;
            }
            true
        }
        _ => false,
    }
}

/// Whether `info` is `other` or extends it.
const fn extends(info: &TypeInfo, other: &TypeInfo) -> bool {
    let depth = other.ancestors.len();
    same_type(info, other) || (depth < info.ancestors.len() && same_type(info.ancestors[depth].info, other))
}

/// Whether two tables are one. Constants cannot compare addresses, so the function compares type keys; the table of a type
/// with wrong annotations may have none.
const fn same_type(a: &TypeInfo, b: &TypeInfo) -> bool {
    a.plan.key_hash == b.plan.key_hash && const_str_eq(a.type_key, b.type_key) && !a.type_key.is_empty()
}
