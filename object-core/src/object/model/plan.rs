//! [`Plan`]: facts about a type that operations on its objects use, computed once from its declaration.

use crate::hashing::{hash_key, mix};
use crate::object::model::dispatch::Dispatch;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::type_info::JsonForm;
use crate::object::model::type_spec::{TypeParts, TypeSpec};

/// The largest number of fields of a type. A builder and a [`Plan`] keep one bit for each field in one word.
pub(crate) const MAX_FIELDS: usize = 64;

/// The rule by which structural comparison compares the objects of a type. It follows from the annotated kind, the body
/// and the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareRule {
    /// Text, bytes, shapes and tensors: by content that is not made of values.
    Leaf,
    /// `tree` or `const_tree` whose compared fields are all plain values.
    Plain,
    /// `tree`.
    Tree,
    /// `tree` that is a scope.
    Scope,
    /// `const_tree`.
    ConstTree,
    /// `dag`.
    Dag,
    /// `var`.
    Var,
    /// `singleton`.
    Identity,
    /// `none`.
    NotComparable,
}

impl CompareRule {
    /// Whether each object corresponds to exactly one object of the other value.
    #[inline]
    pub(crate) fn has_counterpart(self) -> bool {
        matches!(self, CompareRule::Dag | CompareRule::Var)
    }
}

/// Where structural comparison finds the values that an object contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChildSource {
    /// The fields of a node.
    Fields,
    /// The elements of an array.
    Items,
    /// The entries of a map.
    Entries,
    /// The list that the hook of the type makes.
    Listed,
}

/// The layout of the children of an object, for walks and for JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChildLayout {
    /// No children: text, tensors, functions, opaque nodes, and objects that JSON represents by a key or by one field.
    None,
    /// The fields of a node.
    Fields,
    /// The elements of an array.
    Items,
    /// The keys and values of a map.
    Entries,
}

/// The facts that follow from the declaration of a type.
pub(crate) struct Plan {
    /// The rule of structural comparison.
    pub(crate) compare_rule: CompareRule,
    /// The source of the values that structural comparison looks at.
    pub(crate) child_source: ChildSource,
    /// The routine that compares and hashes the objects.
    pub(crate) dispatch: Dispatch,
    /// The layout of the children for walks and for JSON.
    pub(crate) child_layout: ChildLayout,
    /// Whether all fields that structural comparison looks at are plain values.
    pub(crate) is_leaf: bool,
    /// The hash of the type key.
    pub(crate) key_hash: u64,
    /// The initial state of the structural hash of an object with fields.
    pub(crate) fields_seed: u64,
    /// The fields that can hold objects: bit `i` for the field with index `i`.
    pub(crate) object_fields: u64,
}

impl Plan {
    /// The plan of a type with this declaration and these parts.
    pub(crate) const fn of(spec: &TypeSpec, parts: &TypeParts) -> Plan {
        let is_leaf =
            matches!(parts.body, Body::Node | Body::Opaque) && are_leaves(parts.fields) && spec.hooks.is_none();
        let compare_rule = match (parts.body, spec.kind) {
            (Body::Str | Body::Bytes | Body::Shape | Body::Tensor, _) => CompareRule::Leaf,
            (_, SEqHashKind::Unsupported) => CompareRule::NotComparable,
            (_, SEqHashKind::UniqueInstance) => CompareRule::Identity,
            (_, SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode) if is_leaf => CompareRule::Plain,
            (_, SEqHashKind::TreeNode) if spec.is_scope => CompareRule::Scope,
            (_, SEqHashKind::TreeNode) => CompareRule::Tree,
            (_, SEqHashKind::ConstTreeNode) => CompareRule::ConstTree,
            (_, SEqHashKind::DagNode) => CompareRule::Dag,
            (_, SEqHashKind::FreeVar) => CompareRule::Var,
        };
        let child_source = match (parts.body, spec.hooks) {
            (Body::Array, _) => ChildSource::Items,
            (Body::Map, _) => ChildSource::Entries,
            (_, Some(_)) => ChildSource::Listed,
            (_, None) => ChildSource::Fields,
        };
        let child_layout = match parts.body {
            Body::Node if !matches!(spec.json, JsonForm::Fields) => ChildLayout::None,
            Body::Node if matches!(spec.kind, SEqHashKind::UniqueInstance) => ChildLayout::None,
            Body::Node => ChildLayout::Fields,
            Body::Array => ChildLayout::Items,
            Body::Map => ChildLayout::Entries,
            Body::Opaque | Body::Str | Body::Bytes | Body::Shape | Body::Tensor | Body::Function => ChildLayout::None,
        };
        let key_hash = hash_key(spec.type_key);
        Plan {
            compare_rule,
            child_source,
            dispatch: Dispatch::of(compare_rule, child_source, parts.compared_fields),
            child_layout,
            is_leaf,
            key_hash,
            fields_seed: mix(key_hash, 0),
            object_fields: object_fields(parts.fields),
        }
    }

    /// The fields with an index of at least `from` that can hold objects: bit `i` for the field with index `i`.
    #[inline(always)]
    pub(crate) fn object_fields_from(&self, from: usize) -> u64 {
        self.object_fields & u64::MAX.checked_shl(from as u32).unwrap_or(0)
    }
}

const fn are_leaves(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if !fields[i].is_leaf() {
            return false;
        }
        i += 1;
    }
    true
}

const fn object_fields(fields: &[FieldInfo]) -> u64 {
    let (mut bits, mut i) = (0, 0);
    while i < fields.len() {
        bits |= (fields[i].may_hold_objects() as u64) << i;
        i += 1;
    }
    bits
}
