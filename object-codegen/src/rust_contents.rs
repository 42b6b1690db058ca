//! The words that the derive asks for where a schema of another system breaks its rules about the contents of fields.

use std::collections::BTreeSet;

use object_core::SEqHashKind;
use object_core::dynamic::{TypeDecl, TypeText};
use object_core::object::FieldRole;

use crate::model::{Model, ROOT};

/// The objects that a field can hold, directly or through fields.
#[derive(Clone, Copy, Debug, Default)]
struct Contents {
    /// Variables.
    var: bool,
    /// Nodes of the kind `dag`.
    dag: bool,
}

/// The words of each own field of a type.
pub(crate) fn words(model: &Model<'_>, decl: &TypeDecl) -> Vec<Vec<&'static str>> {
    let is_def = |role: FieldRole| matches!(role, FieldRole::Def | FieldRole::DefSimple);
    let is_compared = decl.kind != SEqHashKind::Unsupported && !decl.is_custom;
    let last_def = decl.fields.iter().rposition(|field| is_def(field.role));
    let words = |(at, field): (usize, &object_core::dynamic::FieldDecl)| {
        let contents = contents(model, &field.ty, &mut BTreeSet::new());
        let mut words = Vec::new();
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
        words
    };
    decl.fields.iter().enumerate().map(words).collect()
}

/// Whether values of the type are, or contain as elements, objects that are never compared.
fn holds_uncomparable(model: &Model<'_>, ty: &TypeText) -> bool {
    let is_uncomparable = |index: usize| {
        let decl = model.decl(index);
        decl.kind == SEqHashKind::Unsupported && !decl.is_abstract && !decl.is_base
    };
    model.find(&ty.name).is_some_and(is_uncomparable) || ty.args.iter().any(|arg| holds_uncomparable(model, arg))
}

/// The contents of values of a type. `seen` has the types whose fields were visited.
fn contents(model: &Model<'_>, ty: &TypeText, seen: &mut BTreeSet<usize>) -> Contents {
    let (mut found, mut waiting) = (Contents::default(), vec![ty]);
    while let Some(ty) = waiting.pop() {
        waiting.extend(&ty.args);
        if ["Any", ROOT].contains(&ty.name.as_str()) {
            return Contents { var: true, dag: true };
        }
        let Some(index) = model.find(&ty.name).filter(|index| seen.insert(*index)) else { continue };
        let decl = model.decl(index);
        // Types of other crates may extend an open type.
        if decl.is_base || model.descendants(index) > 0 {
            return Contents { var: true, dag: true };
        }
        match decl.kind {
            SEqHashKind::FreeVar => found.var = true,
            SEqHashKind::DagNode => found.dag = true,
            SEqHashKind::Unsupported | SEqHashKind::UniqueInstance => continue,
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode => {}
        }
        let fields = model.inherited_fields(index).into_iter().chain(&decl.fields);
        waiting.extend(fields.filter(|field| field.role != FieldRole::Ignore).map(|field| &field.ty));
    }
    found
}
