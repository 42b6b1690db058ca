//! The types of std that are not field types, and the types to write for them.

use syn::Type;

use crate::names::handle_stem;
use crate::report::Report;
use crate::types::{name_and_args, option_in_option, plain, shown};

/// A type that cannot be in a field.
struct StdType<'a> {
    ty: &'a Type,
    /// The reason.
    reason: &'static str,
    /// The types to write for it.
    help: String,
}

/// Reports the types of std in `ty` that are not field types.
pub(crate) fn report(ty: &Type, errors: &mut Report<'_>) {
    for StdType { ty, reason, help } in leaves(ty).filter_map(fault) {
        errors.add_help(ty, format!("`{}` is not a field type, because {reason}", shown(ty)), help);
    }
}

/// The types that only the compiler can judge: `ty` itself, or the parts without a mistake, if the macro reports another
/// part.
pub(crate) fn unreported(ty: &Type) -> Vec<&Type> {
    if option_in_option(ty).is_none() && leaves(ty).all(|leaf| fault(leaf).is_none()) {
        return vec![ty];
    }
    leaves(ty).filter(|leaf| fault(leaf).is_none()).collect()
}

/// `ty`, or the arguments of an `Option`, an `Array` or a `Map`, and their arguments.
fn leaves(ty: &Type) -> Box<dyn Iterator<Item = &Type> + '_> {
    match name_and_args(ty) {
        Some((name, args)) if !args.is_empty() && ["Option", "Array", "Map"].iter().any(|it| name == it) => {
            Box::new(args.into_iter().flat_map(leaves))
        }
        _ => Box::new(std::iter::once(ty)),
    }
}

/// The mistake if `ty` is a type of std that is not a field type, as far as its tokens tell. A name such as `Box` or
/// `String` alone may be a handle of the user; `Box<T>` is the type of std.
fn fault(ty: &Type) -> Option<StdType<'_>> {
    let found = |reason, help: String| Some(StdType { ty, reason, help });
    match plain(ty) {
        Type::Tuple(tuple) if tuple.elems.is_empty() => {
            return found("it has one value", "leave the field out".to_owned());
        }
        Type::Tuple(_) => {
            let help = "declare a node struct with a field for each value, and write its handle; for values of one type, an \
                        `Array`";
            return found("its values have no names", help.to_owned());
        }
        Type::Array(array) => {
            return found(
                "an object keeps its elements behind a handle",
                format!("write `Array<{}>`", replacement(&array.elem)),
            );
        }
        Type::Slice(slice) => {
            return found("it has no fixed size", format!("write `Array<{}>`", replacement(&slice.elem)));
        }
        Type::Reference(reference) => {
            let help = match plain(&reference.elem) {
                Type::Slice(slice) => format!("write `Array<{}>`", replacement(&slice.elem)),
                inner if shown(inner) == "str" => "write `Str`".to_owned(),
                inner => format!("write `{}`: a handle is a reference that is counted", shown(inner)),
            };
            return found("an object owns its fields", help);
        }
        _ => {}
    }
    let (name, args) = name_and_args(ty)?;
    let name = name.to_string();
    match (name.as_str(), &args[..]) {
        ("u64" | "usize" | "isize" | "i128" | "u128", []) => {
            let reason = "every integer in a graph is an `i64`";
            found(reason, "write `i64`, or a smaller type such as `u32`".to_owned())
        }
        ("char" | "str", []) => found("every text in a graph is a `Str`", "write `Str`".to_owned()),
        ("Vec" | "VecDeque" | "HashMap" | "BTreeMap", [_, ..]) => {
            found("it is not an object", format!("write `{}`", replacement(ty)))
        }
        ("Box" | "Rc" | "Arc", [inner]) if shown(inner) == "str" => {
            found("it is not an object", "write `Str`".to_owned())
        }
        ("Box" | "Rc" | "Arc", [inner]) if matches!(plain(inner), Type::TraitObject(_)) => {
            let help = "write `Function` for a closure and `ObjectRef` for any object; or keep other data with \
                        `#[field(skip)]`";
            found("reflection cannot see what it holds", help.to_owned())
        }
        ("Box" | "Rc" | "Arc", [inner]) => {
            found("a handle is a counted pointer itself", format!("write `{}`", replacement(inner)))
        }
        ("Cell" | "RefCell" | "Mutex" | "RwLock", [inner]) => {
            let help = format!("write `{}`, and change an object with `make_mut`", replacement(inner));
            found("an object does not change while it is shared", help)
        }
        ("HashSet" | "BTreeSet", [item, ..]) => {
            found("it is not an object", format!("write `Array<{0}>`, or `Map<{0}, bool>`", replacement(item)))
        }
        _ => None,
    }
}

/// The type to write for `ty`, which is `ty` itself if its tokens are not a type of std.
fn replacement(ty: &Type) -> String {
    if matches!(plain(ty), Type::TraitObject(_)) {
        return "ObjectRef".to_owned();
    }
    let Some((name, args)) = name_and_args(ty) else { return shown(ty) };
    match (name.to_string().as_str(), &args[..]) {
        ("String" | "str" | "char", []) => "Str".to_owned(),
        ("u64" | "usize" | "isize" | "i128" | "u128", []) => "i64".to_owned(),
        ("Vec" | "VecDeque", [item]) if shown(item) == "u8" => "Bytes".to_owned(),
        ("Vec" | "VecDeque", [item, ..]) => format!("Array<{}>", replacement(item)),
        ("HashMap" | "BTreeMap", [key, value, ..]) => format!("Map<{}, {}>", replacement(key), replacement(value)),
        ("Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "RwLock", [inner]) => replacement(inner),
        ("Option", [inner]) => format!("Option<{}>", replacement(inner)),
        // A node struct, as far as its name tells.
        (_, []) => handle_stem(name).map_or_else(|| shown(ty), |handle| handle.to_string()),
        _ => shown(ty),
    }
}
