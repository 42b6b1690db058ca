//! [`StructuralHook`]: structural equality and hashing of a type by hand, as lists of what to compare and to hash.

use crate::object::model::any::AnyView;
use crate::object::model::object_ref::ObjectView;
use crate::object::typed::field_type::FieldType;
use crate::object::typed::handle::Object;

/// How a child stands to the definition region of its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Region {
    /// Variables are bound here if they are bound around here.
    #[default]
    Inherit,
    /// Variables in the child, and in the fields of these variables, are bound here: `#[field(def)]`.
    Def,
    /// Variables in the child are bound here, but those in their fields are not: `#[field(def_simple)]`.
    DefSimple,
}

/// A pair of an [`EqualChildren`] list.
#[derive(Clone, Copy)]
pub(crate) struct EqualPair<'a> {
    pub(crate) name: &'static str,
    pub(crate) a: AnyView<'a>,
    pub(crate) b: AnyView<'a>,
    pub(crate) region: Region,
    /// Whether both were read from fields of the objects that are compared.
    pub(crate) are_fields: bool,
}

/// The memory of an object.
struct Extent {
    start: usize,
    size: usize,
}

impl Extent {
    fn of(object: ObjectView<'_>) -> Self {
        Extent { start: object.address(), size: object.type_info().layout.size() }
    }

    fn contains<T>(&self, part: &T) -> bool {
        (std::ptr::from_ref(part) as usize).wrapping_sub(self.start) < self.size
    }
}

/// The pairs that have to be equal for two objects to be equal, in the order of their comparison.
pub struct EqualChildren<'a> {
    pub(crate) pairs: Vec<EqualPair<'a>>,
    objects: (Extent, Extent),
}

impl<'a> EqualChildren<'a> {
    /// Those of `a` and `b`, behind the ones in `pairs`.
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, pairs: Vec<EqualPair<'a>>) -> Self {
        EqualChildren { pairs, objects: (Extent::of(a), Extent::of(b)) }
    }

    /// The two objects are equal only if `a` and `b` are. `name` is the step that leads to them in access paths.
    pub fn require<T: FieldType, U: FieldType>(&mut self, name: &'static str, a: &'a T, b: &'a U, region: Region) {
        let are_fields = self.objects.0.contains(a) && self.objects.1.contains(b);
        self.pairs.push(EqualPair { name, a: a.view(), b: b.view(), region, are_fields });
    }

    /// As [`require`](Self::require), for values that are borrowed from a container.
    pub fn require_view(&mut self, name: &'static str, a: AnyView<'a>, b: AnyView<'a>, region: Region) {
        self.pairs.push(EqualPair { name, a, b, region, are_fields: false });
    }
}

/// A value of a [`HashChildren`] list.
pub(crate) struct HashChild<'a> {
    pub(crate) value: AnyView<'a>,
    pub(crate) region: Region,
    /// Whether it was read from a field of the object that is hashed.
    pub(crate) is_field: bool,
}

/// The values that make up the hash of an object, in the order of hashing.
pub struct HashChildren<'a> {
    pub(crate) values: Vec<HashChild<'a>>,
    object: Extent,
}

impl<'a> HashChildren<'a> {
    /// Those of `object`, behind the ones in `values`.
    pub(crate) fn new(object: ObjectView<'a>, values: Vec<HashChild<'a>>) -> Self {
        HashChildren { values, object: Extent::of(object) }
    }

    /// `value` is part of the hash.
    pub fn add<T: FieldType>(&mut self, value: &'a T) {
        self.add_in(value, Region::Inherit);
    }

    /// `value` is part of the hash, and stands in the same region as in equality.
    pub fn add_in<T: FieldType>(&mut self, value: &'a T, region: Region) {
        let is_field = self.object.contains(value);
        self.values.push(HashChild { value: value.view(), region, is_field });
    }

    /// As [`add_in`](Self::add_in), for values that are borrowed from a container.
    pub fn add_view(&mut self, value: AnyView<'a>, region: Region) {
        self.values.push(HashChild { value, region, is_field: false });
    }

    /// The number `value` is part of the hash.
    pub fn add_int(&mut self, value: i64) {
        self.add_view(AnyView::Int(value), Region::Inherit);
    }
}

/// Structural equality and hashing of a type marked `#[structural_eq(KIND, custom)]`. The two lists replace the walk
/// over the fields; what the kind means (binding, sharing, pointers) stays as it is.
///
/// For equal objects [`structural_hash`](Self::structural_hash) has to list equal values, in the same order and regions
/// as [`structural_equal`](Self::structural_equal) compares them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is marked `custom`, but does not implement `StructuralHook`",
    label = "no hand-written structural equality and hashing",
    note = "implement `StructuralHook` for `{Self}`, or take `custom` out of its `#[structural_eq(...)]`"
)]
pub trait StructuralHook: Object {
    /// Lists the pairs of values that must be equal for `self` and `other` to be equal.
    fn structural_equal<'a>(&'a self, other: &'a Self, children: &mut EqualChildren<'a>);

    /// Lists the values that make up the hash of `self`.
    fn structural_hash<'a>(&'a self, children: &mut HashChildren<'a>);
}

/// The hooks of a type without its Rust type.
#[derive(Clone, Copy)]
pub struct HookFns {
    pub(crate) equal: for<'a> fn(ObjectView<'a>, ObjectView<'a>, &mut EqualChildren<'a>),
    pub(crate) hash: for<'a> fn(ObjectView<'a>, &mut HashChildren<'a>),
}

impl HookFns {
    /// The hooks of `N`.
    #[must_use]
    pub const fn of<N: StructuralHook>() -> Self {
        HookFns {
            equal: |a, b, children| {
                if let (Some(a), Some(b)) = (a.node::<N>(), b.node::<N>()) {
                    a.structural_equal(b, children);
                }
            },
            hash: |a, children| {
                if let Some(a) = a.node::<N>() {
                    a.structural_hash(children);
                }
            },
        }
    }
}
impl HookFns {
    /// Lists the pairs that must be equal for `a` and `b` to be equal, behind those in `pairs`.
    pub(crate) fn equal<'a>(
        &self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        pairs: Vec<EqualPair<'a>>,
    ) -> Vec<EqualPair<'a>> {
        let mut children = EqualChildren::new(a, b, pairs);
        (self.equal)(a, b, &mut children);
        children.pairs
    }

    /// Lists the values that make up the hash of `a`, behind those in `values`.
    pub(crate) fn hash<'a>(&self, a: ObjectView<'a>, values: Vec<HashChild<'a>>) -> Vec<HashChild<'a>> {
        let mut children = HashChildren::new(a, values);
        (self.hash)(a, &mut children);
        children.values
    }
}
