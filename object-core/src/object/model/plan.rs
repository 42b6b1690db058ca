//! [`Plan`]: facts about a type that operations on its objects use, computed once from its declaration.

use std::ptr::NonNull;

use crate::hashing::{hash_key, mix};
use crate::object::model::dispatch::Dispatch;
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
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
    /// Whether the objects are scopes, and bindings in some of their fields outlive them.
    pub(crate) exports: bool,
    /// The hash of the type key.
    pub(crate) key_hash: u64,
    /// The initial state of the structural hash of an object with fields.
    pub(crate) fields_seed: u64,
    /// The fields that can hold objects: bit `i` for the field with index `i`.
    pub(crate) object_fields: u64,
    /// The same fields as a list.
    pub(crate) child_fields: ChildFields,
    /// The number of fields in `child_fields`, if the drop of an object drops these fields and does nothing else; otherwise
    /// [`ChildFields::NOT_LISTED`].
    released: u8,
    /// As `released`, if also the bits of all other fields are a copy of their values, and no word limits the values; otherwise
    /// [`ChildFields::NOT_LISTED`].
    bitwise_copied: u8,
}

/// A field that holds an object, or nothing.
#[derive(Clone, Copy)]
pub(crate) struct ChildField {
    /// The offset of the field, in bytes from the start of the object.
    offset: u16,
    /// The index of the field in the table of fields.
    pub(crate) index: u8,
}

/// The most fields that a [`ChildFields`] lists.
const MAX_CHILD_FIELDS: usize = 10;

/// The fields of a type that can hold objects, if there are few and each of them is an object pointer that may be null. They
/// are in one place of the memory, whereas a [`FieldInfo`] takes more than a cache line.
pub(crate) struct ChildFields {
    /// [`NOT_LISTED`](Self::NOT_LISTED), or the number of fields.
    count: u8,
    fields: [ChildField; MAX_CHILD_FIELDS],
}

impl ChildFields {
    const NOT_LISTED: u8 = u8::MAX;

    /// The fields of objects whose children have this layout.
    const fn of(child_layout: ChildLayout, fields: &[FieldInfo]) -> Self {
        let none = ChildField { offset: 0, index: 0 };
        let mut found = ChildFields { count: 0, fields: [none; MAX_CHILD_FIELDS] };
        match child_layout {
            ChildLayout::None => return found,
            ChildLayout::Items | ChildLayout::Entries => found.count = Self::NOT_LISTED,
            ChildLayout::Fields => {}
        }
        let mut i = 0;
        while i < fields.len() && found.count != Self::NOT_LISTED {
            let field = &fields[i];
            if field.may_hold_objects() {
                let is_pointer = matches!(field.storage, Storage::Object | Storage::OptionalObject);
                if is_pointer && (found.count as usize) < MAX_CHILD_FIELDS && field.offset <= u16::MAX as u32 {
                    found.fields[found.count as usize] = ChildField { offset: field.offset as u16, index: i as u8 };
                    found.count += 1;
                } else {
                    found.count = Self::NOT_LISTED;
                }
            }
            i += 1;
        }
        found
    }

    /// The fields, for types without children too. `None` if the list does not have all children: of arrays, of maps, and of
    /// types with many fields or with fields that need operations of their own.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&[ChildField]> {
        self.fields.get(..usize::from(self.count))
    }
}

impl ChildField {
    /// The object in the field of `object`.
    ///
    /// # Safety
    /// The plan of the object's type lists the field.
    #[inline(always)]
    pub(crate) unsafe fn object<'a>(&self, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        // SAFETY: by the contract, the object has a field at the offset that is an object pointer, which may be null.
        unsafe { object.at(u32::from(self.offset)).cast::<Option<ObjectView<'a>>>().read() }
    }

    /// Writes the handle of the field into an object that is being made.
    ///
    /// # Safety
    /// The memory at `new` has the layout of the type of which the plan lists the field, nothing else accesses it, and the
    /// field accepts the handle. The old value is not dropped.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, new: NonNull<Header>, handle: Option<ObjectRef>) {
        // SAFETY: by the contract, the field at the offset is a handle, or an optional one.
        unsafe { new.as_ptr().cast::<u8>().add(usize::from(self.offset)).cast::<Option<ObjectRef>>().write(handle) };
    }

    /// Takes the handle in the field out of a dead object.
    ///
    /// # Safety
    /// The plan of the object's type lists the field, the field is initialized, and nothing reads or drops it afterwards.
    #[inline(always)]
    pub(crate) unsafe fn take(&self, dead: NonNull<Header>) -> Option<ObjectRef> {
        // SAFETY: by the contract, the object has a field at the offset that is a handle, or an optional one.
        unsafe { dead.as_ptr().cast::<u8>().add(usize::from(self.offset)).cast::<Option<ObjectRef>>().read() }
    }
}

impl Plan {
    /// The plan of a type with this declaration and these parts.
    pub(crate) const fn of(spec: &TypeSpec, parts: &TypeParts, has_skipped: bool, has_checks: bool) -> Plan {
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
            Body::Node if matches!(spec.json, JsonForm::Field(_)) => ChildLayout::None,
            Body::Node if matches!(spec.kind, SEqHashKind::UniqueInstance) => ChildLayout::None,
            Body::Node => ChildLayout::Fields,
            Body::Array => ChildLayout::Items,
            Body::Map => ChildLayout::Entries,
            Body::Opaque | Body::Str | Body::Bytes | Body::Shape | Body::Tensor | Body::Function => ChildLayout::None,
        };
        let key_hash = hash_key(spec.type_key);
        let child_fields = ChildFields::of(child_layout, parts.fields);
        let has_own_operations = parts.has_destructor || has_skipped || need_drop(parts.fields);
        let released = match child_layout {
            ChildLayout::Fields if !has_own_operations => child_fields.count,
            _ => ChildFields::NOT_LISTED,
        };
        Plan {
            compare_rule,
            child_source,
            dispatch: Dispatch::of(compare_rule, child_source, parts.compared_fields),
            child_layout,
            is_leaf,
            exports: spec.is_scope && spec.hooks.is_none() && has_exports(parts.fields),
            key_hash,
            fields_seed: mix(key_hash, 0),
            object_fields: object_fields(parts.fields),
            released,
            bitwise_copied: match are_copied_bitwise(parts.fields) && !has_checks {
                true => released,
                false => ChildFields::NOT_LISTED,
            },
            child_fields,
        }
    }

    /// The fields that the release of an object drops, if it has nothing else to drop and runs no code of users.
    #[inline(always)]
    pub(crate) fn released_fields(&self) -> Option<&[ChildField]> {
        self.child_fields.fields.get(..usize::from(self.released))
    }

    /// The fields that hold objects, if a copy of an object with other children has the bits of all other fields.
    #[inline(always)]
    pub(crate) fn bitwise_copied_fields(&self) -> Option<&[ChildField]> {
        self.child_fields.fields.get(..usize::from(self.bitwise_copied))
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

const fn has_exports(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if fields[i].meta.export {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the drop of a field that holds no object does anything.
const fn need_drop(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        if !fields[i].may_hold_objects() && fields[i].ops.needs_drop {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether the bits of each field that holds no object are a copy of its value. The `Clone` of other plain types can do more.
const fn are_copied_bitwise(fields: &[FieldInfo]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        match fields[i].storage {
            Storage::Int | Storage::Bool | Storage::Float | Storage::DataType => {}
            Storage::Object | Storage::OptionalObject => {}
            Storage::Any | Storage::Plain | Storage::Other => return false,
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
