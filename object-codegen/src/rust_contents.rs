//! The words of fields about their values, and the words that the derive asks for where a schema of another system breaks its
//! rules about the contents of fields.

use object_core::SEqHashKind;
use object_core::dynamic::{CheckWords, DeclaredChoice, TypeDecl, TypeText};
use object_core::object::{FieldRole, IntRange, NumberRange};

use crate::model::{Contents, Model, ROOT};

/// The contents of values of every type.
const EVERYTHING: Contents = Contents { var: true, dag: true };

fn union(a: Contents, b: Contents) -> Contents {
    Contents { var: a.var || b.var, dag: a.dag || b.dag }
}

/// The words of each own field of a type.
pub(crate) fn words(model: &Model<'_>, decl: &TypeDecl) -> Vec<Vec<String>> {
    let is_def = |role: FieldRole| matches!(role, FieldRole::Def | FieldRole::DefSimple);
    let is_compared = decl.kind != SEqHashKind::Unsupported && !decl.is_custom;
    let last_def = decl.fields.iter().rposition(|field| is_def(field.role));
    let words = |(at, field): (usize, &object_core::dynamic::FieldDecl)| {
        let contents = contents(model, &field.ty);
        let mut words = Vec::new();
        if field.export {
            words.push("export");
        }
        if is_def(field.role) && !contents.var {
            words.push("may_contain(var)");
        }
        if field.role == FieldRole::Content && is_compared {
            if last_def.is_some_and(|last| at < last) && contents.var {
                words.push("outer");
            }
            if decl.kind == SEqHashKind::ConstTreeNode && (contents.var || contents.dag) {
                words.push("may_contain()");
            } else if holds_uncomparable(model, &field.ty) {
                words.push("may_contain(none)");
            }
        }
        words.into_iter().map(str::to_owned).chain(value_words(&field.checks)).collect()
    };
    decl.fields.iter().enumerate().map(words).collect()
}

/// The words about the values of a field.
fn value_words(checks: &CheckWords) -> impl Iterator<Item = String> {
    let is_bounded = |range: &IntRange| range.start != i64::MIN || range.end != i64::MAX;
    let range = checks.range.filter(|range| !matches!(range, NumberRange::Int(range) if !is_bounded(range)));
    let choices: Vec<String> = checks.one_of.iter().map(DeclaredChoice::to_string).collect();
    [
        range.map(|range| format!("range = {range}")),
        checks.len.map(|len| format!("len = {len}")),
        (!choices.is_empty()).then(|| format!("one_of = [{}]", choices.join(", "))),
    ]
    .into_iter()
    .flatten()
}

/// Whether values of the type are, or contain as elements, objects that are never compared.
fn holds_uncomparable(model: &Model<'_>, ty: &TypeText) -> bool {
    let is_uncomparable = |index: usize| {
        let decl = model.decl(index);
        decl.kind == SEqHashKind::Unsupported && !decl.is_abstract && !decl.is_base
    };
    model.find(&ty.name).is_some_and(is_uncomparable) || ty.args.iter().any(|arg| holds_uncomparable(model, arg))
}

/// The contents of values of a type.
fn contents(model: &Model<'_>, ty: &TypeText) -> Contents {
    let known = model.contents.get_or_init(|| contents_of_types(model));
    let mut found = Contents::default();
    mentioned(ty, &mut |name| found = union(found, leaf(model, name).map_or_else(|all| all, |at| known[at])));
    found
}

/// The names in the text of a type.
fn mentioned<'t>(ty: &'t TypeText, found: &mut impl FnMut(&'t str)) {
    found(&ty.name);
    ty.args.iter().for_each(|arg| mentioned(arg, found));
}

/// The type of the model with this name; the contents of every other type.
fn leaf(model: &Model<'_>, name: &str) -> Result<usize, Contents> {
    if ["Any", ROOT].contains(&name) {
        return Err(EVERYTHING);
    }
    model.find(name).ok_or(Contents::default())
}

/// The contents of the values of all types, in linear time. A graph has a vertex for the values of each type, and one for its
/// fields with the inherited ones. The contents go along its edges, from each vertex to the vertices that hold it.
fn contents_of_types(model: &Model<'_>) -> Vec<Contents> {
    let count = model.len();
    let fields = |index: usize| count + index;
    let (mut found, mut holders) = (vec![Contents::default(); 2 * count], vec![Vec::new(); 2 * count]);
    for index in 0..count {
        let decl = model.decl(index);
        match decl.kind {
            // Types of other crates may extend an open type.
            _ if decl.is_base || model.descendants(index) > 0 => found[index] = EVERYTHING,
            SEqHashKind::Unsupported | SEqHashKind::UniqueInstance => {}
            kind => {
                found[index] = Contents { var: kind == SEqHashKind::FreeVar, dag: kind == SEqHashKind::DagNode };
                holders[fields(index)].push(index);
            }
        }
        if let Some(parent) = model.parent(index) {
            holders[fields(parent)].push(fields(index));
        }
        for field in decl.fields.iter().filter(|field| field.role != FieldRole::Ignore) {
            mentioned(&field.ty, &mut |name| match leaf(model, name) {
                Ok(other) => holders[other].push(fields(index)),
                Err(contents) => found[fields(index)] = union(found[fields(index)], contents),
            });
        }
    }
    let mut changed: Vec<usize> = (0..2 * count).filter(|at| found[*at] != Contents::default()).collect();
    while let Some(at) = changed.pop() {
        for &holder in &holders[at] {
            let all = union(found[holder], found[at]);
            if all != found[holder] {
                found[holder] = all;
                changed.push(holder);
            }
        }
    }
    found.truncate(count);
    found
}
