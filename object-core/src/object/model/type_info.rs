//! [`TypeInfo`]: the constant table that says everything about a type; each derive writes one.

use std::alloc::Layout;
use std::ptr::NonNull;

use crate::error::Result;
use crate::graph::children::ChildLayout;
use crate::object::access::dispatch::Dispatch;
use crate::object::model::any::Any;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::contents::Contents;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::runtime::runtime_type::RuntimeInstances;
use crate::object::typed::hook::HookFns;

/// What role the objects of a type play in structural equality and hashing. The words in `structural_eq(...)` and of
/// tvm-ffi's `structural_eq=` are given beside each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SEqHashKind {
    /// `none`: comparing such an object is an error that names the type and the place.
    Unsupported,
    /// `tree`: equal by content; sharing is invisible.
    TreeNode,
    /// `var` ("var"): a variable, equal to the one bound at the same position.
    FreeVar,
    /// `dag` ("dag"): equal by content and by sharing.
    DagNode,
    /// `const_tree` ("const-tree"): equal by content, and without a look when both are one object.
    ConstTreeNode,
    /// `singleton` ("singleton"): equal only to itself.
    UniqueInstance,
}

/// What lies behind the header of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// A node struct whose fields the table lists.
    Node,
    /// A node struct that reflection does not look into.
    Opaque,
    /// `Array`: a sequence of values.
    Array,
    /// `Map`: keys and values in insertion order.
    Map,
    /// `Str`: UTF-8 text.
    Str,
    /// `Bytes`: any bytes.
    Bytes,
    /// `Shape`: a sequence of `i64`.
    Shape,
    /// `Tensor`: data with a data type and a shape.
    Tensor,
    /// `Function`: something to call.
    Function,
}

/// How structural comparison treats the objects of a type: what kind, body and fields come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareRule {
    /// Text and bytes, shapes, tensors: by content that is no value.
    Leaf,
    /// `tree` or `const_tree` without anything below but plain values.
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
    /// Whether one object of the other side corresponds to each object, and no other one.
    #[inline]
    pub(crate) fn has_counterpart(self) -> bool {
        matches!(self, CompareRule::Dag | CompareRule::Var)
    }
}

/// Where the values below an object come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChildSource {
    /// The fields of a node.
    Fields,
    /// The elements of an array.
    Items,
    /// The entries of a map.
    Entries,
    /// The list of a hook.
    Listed,
}

/// A type that another one descends from.
#[derive(Clone, Copy)]
pub struct Ancestor {
    /// The type.
    pub(crate) info: &'static TypeInfo,
    /// Where its node lies in an object of the descending type, in bytes from the object's start.
    pub(crate) offset: u32,
}

/// The form of a type's objects in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonForm {
    /// A map from field names to values.
    Fields,
    /// The value of one field, by its index in [`TypeInfo::fields`].
    Field(usize),
}

/// How the one instance per key of a singleton type is found.
#[derive(Clone, Copy)]
pub struct SingletonInfo {
    /// Index of the key field in [`TypeInfo::fields`].
    pub(crate) key_field: usize,
    /// Where the instances are.
    pub(crate) instances: Instances,
}

impl SingletonInfo {
    /// The instance with the given key of `info`, whose entry this is.
    pub(crate) fn instance(&self, info: &'static TypeInfo, key: Any) -> Result<ObjectRef> {
        match self.instances {
            Instances::Linked(get) => get(key),
            Instances::Runtime(table) => table.get(info, self.key_field, key),
        }
    }
}

/// Where the instances of a singleton type are.
#[derive(Clone, Copy)]
pub(crate) enum Instances {
    /// The function of a linked type that finds the one with the given key.
    Linked(fn(Any) -> Result<ObjectRef>),
    /// The table of a type that comes from a schema.
    Runtime(&'static RuntimeInstances),
}

/// Everything known about a type: its key, its place in the hierarchy, its fields and its role in structural
/// equality. There is exactly one per type, so tables are compared by address.
pub struct TypeInfo {
    /// The name that identifies the type in every process and file, such as `relax.expr.Call`.
    pub type_key: &'static str,
    /// The documentation comment of the node struct.
    pub doc: &'static str,
    /// Source file and line of the declaration. A type that comes from a schema has the name of the schema and its
    /// place among the types there, from 1.
    pub location: (&'static str, u32),
    /// The role in structural equality and hashing.
    pub kind: SEqHashKind,
    /// Whether bindings made inside an object of this type end with it, under lexical scopes.
    pub is_scope: bool,
    /// What lies behind the header.
    pub body: Body,
    /// How an object of this type is written as a map key in an access path, with `{field}` and `{field:?}` standing
    /// for the values of fields.
    pub label: Option<&'static str>,
    /// The form in JSON.
    pub json: JsonForm,
    /// Whether other types may have this one as their parent.
    pub is_base: bool,
    /// Whether objects of exactly this type exist.
    pub is_abstract: bool,
    /// Root first, without the type itself.
    pub(crate) ancestors: &'static [Ancestor],
    /// What the user wrote in `may_contain(...)`.
    pub(crate) may_contain: Option<Contents>,
    /// All fields, those of the ancestors first.
    pub(crate) fields: &'static [FieldInfo],
    /// The fields that structural comparison looks at, in the same order.
    pub(crate) compared_fields: &'static [ComparedField],
    /// Whether structural comparison finds plain values only in the fields.
    pub(crate) is_leaf: bool,
    /// What `kind`, `is_scope`, `body`, `is_leaf` and `hooks` come to.
    pub(crate) compare_rule: CompareRule,
    pub(crate) child_source: ChildSource,
    /// What `compare_rule`, `child_source` and `compared_fields` come to.
    pub(crate) dispatch: Dispatch,
    /// Hash of `type_key`.
    pub(crate) key_hash: u64,
    /// What the hash of an object with fields starts from.
    pub(crate) fields_seed: u64,
    /// How the children of an object lie in it: what `body`, `json` and `kind` come to.
    pub(crate) child_layout: ChildLayout,
    /// Which fields may hold objects, bit by bit.
    pub(crate) object_fields: u64,
    /// Size and alignment of an object with its header; of the fixed part for types of variable length.
    pub(crate) layout: Layout,
    /// Drops the data of a dead object and frees its memory.
    pub(crate) free: unsafe fn(NonNull<Header>),
    /// Copies an object, sharing its children. `None` where objects cannot be copied.
    pub(crate) copy: Option<fn(ObjectView<'_>) -> ObjectRef>,
    /// What replaces the field walk of equality and hashing.
    pub(crate) hooks: Option<HookFns>,
    /// How instances are found, for singletons.
    pub(crate) singleton: Option<SingletonInfo>,
    /// The one table of the node struct, which has to be this one. `None` for tables that only this crate makes.
    pub(crate) table: Option<fn() -> &'static TypeInfo>,
}

impl TypeInfo {
    /// The table with `compare_rule`, `child_source`, `dispatch`, `fields_seed`, `child_layout` and `object_fields` as the other entries have them.
    pub(crate) const fn with_plan(mut self) -> Self {
        self.compare_rule = match (self.body, self.kind) {
            (Body::Str | Body::Bytes | Body::Shape | Body::Tensor, _) => CompareRule::Leaf,
            (_, SEqHashKind::Unsupported) => CompareRule::NotComparable,
            (_, SEqHashKind::UniqueInstance) => CompareRule::Identity,
            (_, SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode) if self.is_leaf => CompareRule::Plain,
            (_, SEqHashKind::TreeNode) if self.is_scope => CompareRule::Scope,
            (_, SEqHashKind::TreeNode) => CompareRule::Tree,
            (_, SEqHashKind::ConstTreeNode) => CompareRule::ConstTree,
            (_, SEqHashKind::DagNode) => CompareRule::Dag,
            (_, SEqHashKind::FreeVar) => CompareRule::Var,
        };
        self.fields_seed = crate::hashing::mix(self.key_hash, 0);
        self.child_source = match (self.body, self.hooks) {
            (Body::Array, _) => ChildSource::Items,
            (Body::Map, _) => ChildSource::Entries,
            (_, Some(_)) => ChildSource::Listed,
            (_, None) => ChildSource::Fields,
        };
        self.dispatch = Dispatch::of(self.compare_rule, self.child_source, self.compared_fields);
        self.child_layout = match self.body {
            Body::Node if !matches!(self.json, JsonForm::Fields) => ChildLayout::None,
            Body::Node if matches!(self.kind, SEqHashKind::UniqueInstance) => ChildLayout::None,
            Body::Node => ChildLayout::Fields,
            Body::Array => ChildLayout::Items,
            Body::Map => ChildLayout::Entries,
            Body::Opaque | Body::Str | Body::Bytes | Body::Shape | Body::Tensor | Body::Function => ChildLayout::None,
        };
        let mut index = 0;
        while index < self.fields.len() {
            self.object_fields |= (self.fields[index].may_hold_objects() as u64) << index;
            index += 1;
        }
        self
    }

    /// All fields in the order of declaration, those of the ancestors first.
    #[must_use]
    pub fn fields(&self) -> &'static [FieldInfo] {
        self.fields
    }

    /// Which fields from index `from` on may hold objects, bit by bit.
    #[inline(always)]
    pub(crate) fn object_fields_from(&self, from: usize) -> u64 {
        self.object_fields & u64::MAX.checked_shl(from as u32).unwrap_or(0)
    }

    /// The fields that this type adds to its parent's.
    #[must_use]
    pub fn own_fields(&self) -> &'static [FieldInfo] {
        &self.fields[self.parent().map_or(0, |parent| parent.fields.len())..]
    }

    /// The field with the reflected name `name`, and its index.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<(usize, &'static FieldInfo)> {
        self.fields.iter().enumerate().find(|(_, field)| field.name == name)
    }

    /// The type that this one extends; `None` for those directly under the root.
    #[must_use]
    pub fn parent(&self) -> Option<&'static TypeInfo> {
        self.ancestors.last().map(|ancestor| ancestor.info)
    }

    /// All types that this one descends from, the root first.
    pub fn ancestors(&self) -> impl DoubleEndedIterator<Item = &'static TypeInfo> + use<> {
        self.ancestors.iter().map(|ancestor| ancestor.info)
    }

    /// Whether this type is `other` or descends from it.
    #[must_use]
    #[inline]
    pub fn is_or_extends(&self, other: &TypeInfo) -> bool {
        std::ptr::eq(self, other)
            || self.ancestors.get(other.ancestors.len()).is_some_and(|ancestor| std::ptr::eq(ancestor.info, other))
    }

    /// Whether this is the table that its node struct names as its own. Anyone can fill in another one, but no object
    /// is made from it.
    pub(crate) fn is_canonical(&self) -> bool {
        self.table.is_none_or(|table| std::ptr::eq(table(), self))
    }

    /// Whether equality and hashing of this type are written by hand.
    #[must_use]
    pub fn has_custom_hooks(&self) -> bool {
        self.hooks.is_some()
    }

    /// The field that tells the instances of a singleton type apart.
    #[must_use]
    pub fn singleton_key(&self) -> Option<&'static FieldInfo> {
        self.singleton.map(|singleton| &self.fields[singleton.key_field])
    }

    /// The nearest type that both descend from, or that one of them is.
    pub(crate) fn common_ancestor(&'static self, other: &'static TypeInfo) -> Option<&'static TypeInfo> {
        if self.is_or_extends(other) {
            return Some(other);
        }
        let chain = || std::iter::once(self).chain(self.ancestors().rev());
        chain().find(|info| other.is_or_extends(info))
    }

    /// Where the node of the ancestor `info`, or of this type itself, begins in an object of this type.
    #[inline]
    pub(crate) fn node_offset(&self, info: &TypeInfo) -> u32 {
        match self.ancestors.get(info.ancestors.len()) {
            Some(ancestor) => ancestor.offset,
            None => crate::object::model::object_ref::DATA_OFFSET as u32,
        }
    }
}

impl std::fmt::Debug for TypeInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypeInfo")
            .field("type_key", &self.type_key)
            .field("parent", &self.parent().map(|parent| parent.type_key))
            .field("kind", &self.kind)
            .field("fields", &self.fields.iter().map(|field| field.name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
