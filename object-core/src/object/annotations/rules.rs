//! Rules about annotations that need the tables of several types. Generated code calls them in constants, so the compiler
//! evaluates them when it compiles the user's crate. A violated rule panics with a complete sentence, which the compiler
//! shows; `track_caller` keeps these functions out of the compiler's message. `derive_support` re-exports all public
//! functions of this file.

use crate::object::annotations::contents_search::{Finding, find_common_variables, find_in_field, uncomparable};
use crate::object::model::contents::{Contents, FieldContents};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::FieldRole;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::type_info::TypeInfo;
use crate::object::typed::handle::Object;
use crate::text::const_message::const_str_eq;
use crate::text::const_message::fail;

const fn words(contents: Contents) -> &'static str {
    match (contents.intersects(Contents::VAR), contents.intersects(Contents::DAG)) {
        (true, true) => "variables and `dag` nodes",
        (true, false) => "variables",
        (false, _) => "`dag` nodes",
    }
}

const fn parent<N: Object>() -> Option<&'static TypeInfo> {
    match N::ANCESTORS {
        [] => None,
        [.., last] => Some(last.info),
    }
}

/// The kind of `N` keeps the guarantees of its parent's kind, which hold for all objects that a handle of the parent can
/// point to. `node` is the name of `N`.
#[track_caller]
pub const fn kind_of_parent<N: Object>(node: &str) {
    let Some(parent) = parent::<N>() else { return };
    let kind = N::TYPE_INFO.kind;
    let reason = match parent.kind {
        SEqHashKind::FreeVar => "a variable is bound by its place",
        SEqHashKind::UniqueInstance => "a singleton is equal only to itself",
        SEqHashKind::ConstTreeNode => "a constant is equal to itself wherever it stands",
        _ => return,
    };
    if kind as u8 != parent.kind as u8 {
        let theirs = parent.kind.word();
        fail(
            "kind_of_parent",
            "`{}` is `{}`, but its parent `{}` is `{}`: {}, whatever type extends it\nhelp: write \
             `#[structural_eq({})]` on `{}`",
            &[node, kind.word(), parent.type_key, theirs, reason, theirs, node],
        );
    }
}

/// The parent of a singleton without an own key is a singleton. `node` is the name of `N`.
#[track_caller]
pub const fn inherited_key<N: Object>(node: &str) {
    if let Some(parent) = parent::<N>()
        && parent.singleton.is_none()
    {
        fail(
            "inherited_key",
            "`{}` has no `key`, and its parent `{}` is not a singleton, so nothing identifies its instances\nhelp: write \
             `#[structural_eq(singleton, key = name)]` on `{}`, where `name` is one of its fields, of type `Str`",
            &[node, parent.type_key, node],
        );
    }
}

/// A type whose parent compares its handles by structure can be compared. `node` is the name of `N`.
#[track_caller]
pub const fn eq_of_parent<N: Object>(node: &str) {
    if let Some(parent) = parent::<N>()
        && parent.by_structure
    {
        fail(
            "eq_of_parent",
            "handles of `{}` are compared by structure (`eq = structural`), but objects of `{}` cannot be compared\nhelp: \
             write `#[structural_eq(tree)]` or another kind on `{}`",
            &[parent.type_key, node, node],
        );
    }
}

/// A type that extends an `opaque` type is `opaque`: the fields in its table are not its whole node, so it cannot be copied
/// or loaded field by field.
#[track_caller]
pub const fn opaque_parent<N: Object>(node: &str) {
    if let Some(parent) = parent::<N>()
        && matches!(parent.body, Body::Opaque)
    {
        fail(
            "opaque_parent",
            "the parent `{}` is `opaque`, so a part of `{}` is hidden too\nhelp: write `opaque` in \
             the `#[object(...)]` of `{}`, or take it out of its parent's",
            &[parent.type_key, node, node],
        );
    }
}

/// No own field has the name of an inherited field, because reflection finds fields by name. `own` is the index of the own
/// field.
#[track_caller]
pub const fn inherited_name<N: Object>(node: &str, own: usize) {
    let Some(parent) = parent::<N>() else { return };
    let name = N::FIELDS[parent.fields.len() + own].name;
    let mut i = 0;
    while i < parent.fields.len() {
        if const_str_eq(parent.fields[i].name, name) {
            fail(
                "inherited_name",
                "`{}` inherits a field `{}` from `{}`\nhelp: name this one differently, or write \
             `#[field(rename = \"...\")]` on it",
                &[node, name, parent.type_key],
            );
        }
        i += 1;
    }
}

/// The rules about the contents of own fields hold for inherited fields. The function skips fields that a rule has checked
/// at the declaration of the parent.
#[track_caller]
pub const fn inherited_content<N: Object>(node: &str) {
    let Some(parent) = parent::<N>() else { return };
    let kind = N::TYPE_INFO.kind;
    let mut i = 0;
    while i < parent.fields.len() {
        if matches!(kind, SEqHashKind::ConstTreeNode) && !matches!(parent.kind, SEqHashKind::ConstTreeNode) {
            const_tree_field(node, &parent.fields[i]);
        }
        if matches!(parent.kind, SEqHashKind::Unsupported) {
            comparable_field::<N>(node, &parent.fields[i]);
        }
        i += 1;
    }
}

/// A field of a `const_tree` type does not contain objects whose comparison depends on the surrounding objects, because an
/// object of this kind is equal to itself without a comparison of its content.
#[track_caller]
const fn const_tree_field(node: &str, field: &FieldInfo) {
    const REASON: &str = "but a `const_tree` is taken to be equal to itself wherever it stands";
    const HELP: &str = "help: write `tree` instead of `const_tree`";
    if matches!(field.meta.role, FieldRole::Ignore) {
        return;
    }
    match find_in_field(field, Contents::ANY) {
        Finding::Nothing | Finding::Unknown => {}
        Finding::Objects(info) => fail(
            "const_tree_contents",
            "the field `{}` of `{}` can contain a `{}`, which is `{}`, {}\n{}, or `#[field(ignore)]` on \
             the field",
            &[field.name, node, info.type_key, info.kind.word(), REASON, HELP],
        ),
        Finding::Open(info) => fail(
            "const_tree_contents",
            "the field `{}` of `{}` can contain any type that extends `{}`, also variables and `dag` \
             nodes, {}\n{}; or, if such types contain neither, write `may_contain()` in the \
             `#[object(...)]` of `{}`, or in a `#[field(...)]` here",
            &[field.name, node, info.type_key, REASON, HELP, info.type_key],
        ),
        Finding::Declared(info) => fail(
            "const_tree_contents",
            "the field `{}` of `{}` can contain what `{}` says that it `may_contain`, {}\n{}",
            &[field.name, node, info.type_key, REASON, HELP],
        ),
        Finding::Hidden(info) => fail(
            "const_tree_contents",
            "the field `{}` of `{}` can contain a `{}`, whose fields are hidden, {}\n{}; or, if there \
             are no variables and no `dag` nodes in one, write `may_contain()` in the \
             `#[object(...)]` of `{}`, or in a `#[field(...)]` here",
            &[field.name, node, info.type_key, REASON, HELP, info.type_key],
        ),
        Finding::Anything | Finding::TooMany => fail(
            "const_tree_contents",
            "the field `{}` of `{}` can contain any object, also variables and `dag` nodes, {}\n{}; or, \
             if it contains neither, write `#[field(may_contain())]` on the field",
            &[field.name, node, REASON, HELP],
        ),
    }
}

/// The rules for a compared field; `own` is the index of the own field.
#[track_caller]
pub const fn content<N: Object>(node: &str, own: usize) {
    let field = own_field::<N>(own);
    if matches!(N::TYPE_INFO.kind, SEqHashKind::ConstTreeNode) {
        const_tree_field(node, field);
    }
    comparable_field::<N>(node, field);
    declared(node, N::TYPE_INFO, field);
}

/// A compared field does not always contain an object of kind `none`, because each comparison would be an error. Types with
/// hooks are exempt, because a hook can leave the field out.
#[track_caller]
const fn comparable_field<N: Object>(node: &str, field: &FieldInfo) {
    let info = N::TYPE_INFO;
    let is_compared = !matches!(info.kind, SEqHashKind::Unsupported | SEqHashKind::UniqueInstance);
    if is_compared
        && info.hooks.is_none()
        && !matches!(field.meta.role, FieldRole::Ignore)
        && let Some(info) = uncomparable(field)
    {
        let help = match info.body {
            Body::Node | Body::Opaque => ", or `#[structural_eq(...)]` on the node struct of that type",
            _ => "",
        };
        fail(
            "uncomparable_content",
            "comparing a `{}` would be an error, because its field `{}` holds `{}`, which is never compared\nhelp: \
             write `#[field(ignore)]` on the field{}; or, if it is meant to be an error, write \
             `#[field(may_contain(none))]`",
            &[node, field.name, info.type_key, help],
        );
    }
}

/// A field contains only kinds that `may_contain(...)` of the type, or of an ancestor, declares.
#[track_caller]
const fn declared(node: &str, info: &'static TypeInfo, field: &FieldInfo) {
    let Some((declared, by)) = info.declared_contents() else { return };
    let refused = Contents::ANY.without(declared);
    let what = match find_in_field(field, refused) {
        Finding::Nothing | Finding::Unknown => return,
        Finding::Objects(info) | Finding::Declared(info) | Finding::Hidden(info) => ["a `", info.type_key, "`"],
        Finding::Open(info) => ["any type that extends `", info.type_key, "`"],
        Finding::Anything | Finding::TooMany => ["any object", "", ""],
    };
    fail(
        "may_contain_is_kept",
        "the field `{}` of `{}` can contain {}{}{}, and so {}, which `may_contain(...)` of `{}` \
             leaves out\nhelp: add the word there, or write `#[field(may_contain())]` on the field if \
             it never does",
        &[field.name, node, what[0], what[1], what[2], words(refused), by.type_key],
    );
}

/// The kind of a type and its `may_contain(...)` name only kinds that the declarations of its ancestors name.
#[track_caller]
pub const fn kind_is_declared<N: Object>(node: &str) {
    let info = N::TYPE_INFO;
    let Some((declared, by)) = info.declared_contents() else { return };
    if Contents::of_kind(info.kind).without(declared).intersects(Contents::ANY) {
        fail(
            "may_contain_is_kept",
            "`{}` is `{}`, but `may_contain(...)` of `{}` does not say `{}`\nhelp: add the word \
             there, or choose another kind",
            &[node, info.kind.word(), by.type_key, info.kind.word()],
        );
    }
    if let Some(parent) = parent::<N>()
        && let Some((theirs, by)) = parent.declared_contents()
        && declared.without(theirs).intersects(Contents::ANY)
    {
        let more = declared.without(theirs);
        fail(
            "may_contain_is_kept",
            "`{}` may contain {}, but `may_contain(...)` of `{}`, which it extends, leaves them out\nhelp: add the word there, or leave it out here",
            &[node, words(more), by.type_key],
        );
    }
}

/// A `def` or `def_simple` field can contain variables, because it binds them; `own` is the index of the own field.
#[track_caller]
pub const fn def_needs_variables<N: Object>(node: &str, own: usize) {
    let field = own_field::<N>(own);
    if matches!(find_in_field(field, Contents::VAR), Finding::Nothing) {
        let def = field.meta.role.word();
        fail(
            "def_needs_variables",
            "`{}` binds variables, but the field `{}` of `{}` cannot contain any\nhelp: leave `{}` \
             out, or give the field the type of a handle that can be a variable",
            &[def, field.name, node, def],
        );
    }
    declared(node, N::TYPE_INFO, field);
}

/// A field with `export` can contain variables; `own` is the index of the own field.
#[track_caller]
pub const fn export_needs_variables<N: Object>(node: &str, own: usize) {
    let field = own_field::<N>(own);
    if matches!(find_in_field(field, Contents::VAR), Finding::Nothing) {
        fail(
            "export_needs_variables",
            "`export` has no effect, because the field `{}` of `{}` cannot contain variables\nhelp: leave `export` out",
            &[field.name, node],
        );
    }
}

/// A field with variables does not come before a `def` field that can bind them, because fields are compared in the order of
/// declaration. `own` and `def` are the indices of the own fields.
#[track_caller]
pub const fn use_before_def<N: Object>(_: &str, own: usize, def: usize) {
    let (field, def) = (own_field::<N>(own), own_field::<N>(def));
    if !matches!(find_common_variables(field, def), Finding::Nothing | Finding::Unknown) {
        fail(
            "use_before_def",
            "`{}` stands before `{}`, so the variables that `{}` binds are not bound in it\nhelp: \
             move `{}` after `{}`, or write `#[field(outer)]` on it if it is outside of their scope",
            &[field.name, def.name, def.name, field.name, def.name],
        );
    }
}

/// `base_args` lists the names of the arguments of the parent's part, `expected`, in their order. The function is silent if
/// the numbers of arguments differ, which is a type error.
#[track_caller]
pub const fn base_arg_names(node: &str, expected: &[&str], given: &[&str]) {
    if expected.len() != given.len() {
        return;
    }
    let mut i = 0;
    while i < given.len() {
        if !const_str_eq(expected[i], given[i]) {
            fail(
                "base_arg_names",
                "`base_args` of `{}` has `{}` in the place of `{}`, an argument of the parent's `new_base`\nhelp: give \
                 the arguments the names and the order of `new_base`: write `{}` here",
                &[node, given[i], expected[i], expected[i]],
            );
        }
        i += 1;
    }
}

/// The field `json`, which stands for an object of `N` in JSON, holds one text or number, and not an object with fields.
/// Another rule reports a field that does not exist.
#[track_caller]
pub const fn json_field<N: Object>(node: &str, json: &str) {
    let mut i = 0;
    while i < N::FIELDS.len() {
        let field = &N::FIELDS[i];
        if const_str_eq(field.name, json)
            && let FieldContents::Objects(_) | FieldContents::Anything = field.ops.contents
        {
            fail(
                "json_field_of_handle",
                "`{}` of `{}` is an object, but JSON shows the field of `json` as one text or number\nhelp: name a field of \
                 type `Str`, or of a number, or leave `json` out",
                &[json, node],
            );
        }
        i += 1;
    }
}

/// The field `name` of `same_len` exists, and its values can have a length. `node` is the name of `N`.
#[track_caller]
pub const fn same_len_field<N: Object>(node: &str, name: &str) {
    let mut i = 0;
    while i < N::FIELDS.len() {
        if const_str_eq(N::FIELDS[i].name, name) {
            if N::FIELDS[i].never_has_len() {
                fail(
                    "same_len_has_lengths",
                    "the field `{}` of `{}` has no length\nhelp: name an `Array`, `Map`, `Str`, `Bytes` or `Shape` in `same_len`",
                    &[name, node],
                );
            }
            return;
        }
        i += 1;
    }
    fail(
        "same_len_has_lengths",
        "`{}` has no field `{}`, and inherits none\nhelp: name another one in `same_len`",
        &[node, name],
    );
}

/// The number of a variant of an enum is an `i64`, as every integer in a graph.
#[track_caller]
#[must_use]
pub const fn variant_number(name: &str, variant: &str, number: i128) -> i64 {
    if number > i64::MAX as i128 {
        fail(
            "enum_numbers",
            "the number of `{}::{}` is not in the range of `i64`, in which a field holds it\nhelp: give the variant a smaller \
             number",
            &[name, variant],
        );
    }
    number as i64
}

const fn own_field<N: Object>(own: usize) -> &'static FieldInfo {
    let n_inherited = match parent::<N>() {
        Some(parent) => parent.fields.len(),
        None => 0,
    };
    &N::FIELDS[n_inherited + own]
}
