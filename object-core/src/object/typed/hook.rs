//! [`StructuralHook`]: structural equality and hashing of a type by hand, as a list of the values that count.

use crate::object::model::any::AnyView;
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::typed::computed::ComputedEnd;
use crate::object::typed::field_type::FieldType;
use crate::object::typed::handle::Object;

/// Structural equality and hashing of a type marked `#[structural_eq(KIND, custom)]`. The lists replace the fields; the
/// kind of the type keeps its meaning (binding, sharing, identity).
///
/// Two objects are equal if their lists have the same names in the same order, and the values of each name are equal. The
/// hash consists of the values of the same list, so equal objects have the same hash.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is marked `custom`, but does not implement `StructuralHook`",
    label = "no hand-written structural equality and hashing",
    note = "implement `StructuralHook` for `{Self}`, or take `custom` out of its `#[structural_eq(...)]`"
)]
pub trait StructuralHook: Object {
    /// Lists the values that structural equality and hashing take for the content of `self`.
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>);

    /// Lists the pairs of values that must be equal for `self` and `other` to be equal.
    ///
    /// Write this method only if values correspond by something else than their position, such as a name. Then you have
    /// to keep it in agreement with [`structural_contents`](Self::structural_contents), which the hash still uses: for
    /// equal objects that method must list equal values in the same order.
    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        self.structural_contents(&mut pairs.contents);
        pairs.contents.rhs = Some(pairs.start);
        other.structural_contents(&mut pairs.contents);
    }
}

/// A value that a hook lists, or a pair of values.
#[derive(Clone, Copy)]
pub(crate) struct ListedValue<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: AnyView<'a>,
    /// The value of the right object, in a list of pairs.
    pub(crate) other: AnyView<'a>,
    pub(crate) role: FieldRole,
    place: Place,
    other_place: Place,
}

impl ListedValue<'_> {
    /// Whether the value is a field of `object`, which listed it.
    pub(crate) fn is_field_of(&self, object: ObjectView<'_>) -> bool {
        self.place.is_in(object, object.type_info().layout.size())
    }

    /// Whether the two values are fields of `a` and `b`, which listed them and have one type.
    pub(crate) fn are_fields_of(&self, a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
        let size = a.type_info().layout.size();
        self.place.is_in(a, size) && self.other_place.is_in(b, size)
    }
}

/// The address that a value was read from; zero if the value was computed or borrowed from a container.
#[derive(Clone, Copy)]
struct Place(usize);

impl Place {
    const NONE: Place = Place(0);

    fn of<T>(value: &T) -> Self {
        Place(std::ptr::from_ref(value) as usize)
    }

    /// Whether the place is in the memory of `object`, which has so many bytes.
    fn is_in(self, object: ObjectView<'_>, size: usize) -> bool {
        self.0.wrapping_sub(object.address()) < size
    }
}

/// The values that hooks list, in the order of their comparison and hashing.
pub struct HookContents<'a> {
    /// One list after the other, of all objects whose walk is not finished.
    pub(crate) values: Vec<ListedValue<'a>>,
    /// Where the right object of a pair lists its next value; `None` in all other lists.
    rhs: Option<usize>,
    /// Whether two objects differ, whatever their values are.
    differ: bool,
    computed: ComputedEnd<'a>,
}

impl<'a> HookContents<'a> {
    /// An empty list.
    pub(crate) fn new(computed: ComputedEnd<'a>) -> Self {
        HookContents { values: Vec::new(), rhs: None, differ: false, computed }
    }

    /// The values of `object` alone.
    #[inline]
    pub(crate) fn of(object: ObjectView<'a>, hooks: HookFns, computed: ComputedEnd<'a>) -> Self {
        // Most hooks list a few values.
        let mut contents = HookContents { values: Vec::with_capacity(4), ..HookContents::new(computed) };
        (hooks.contents)(object, &mut contents);
        contents
    }

    /// Where computed values are kept.
    pub(crate) fn computed(&self) -> ComputedEnd<'a> {
        self.computed
    }

    /// Lists `value`, mostly a field. Access paths that lead to it have the step `name`.
    pub fn add<T: FieldType>(&mut self, name: &'static str, value: &'a T) {
        self.add_in(name, value, FieldRole::Content);
    }

    /// As [`add`](Self::add), with a role: [`FieldRole::Def`] and [`FieldRole::DefSimple`] bind the variables in `value`,
    /// as the words `def` and `def_simple` do for a field. A value with the role [`FieldRole::Ignore`] does not count.
    pub fn add_in<T: FieldType>(&mut self, name: &'static str, value: &'a T, role: FieldRole) {
        self.push(name, value.view(), role, Place::of(value));
    }

    /// As [`add_in`](Self::add_in), for a value that is borrowed from a container.
    pub fn add_view(&mut self, name: &'static str, value: AnyView<'a>, role: FieldRole) {
        self.push(name, value, role, Place::NONE);
    }

    /// As [`add_in`](Self::add_in), for a value that the hook computes, such as a sorted array. It is kept until the
    /// comparison or the hash is finished.
    pub fn add_computed<T: FieldType>(&mut self, name: &'static str, value: T, role: FieldRole) {
        let value = self.computed.keep(value.into_any());
        self.push(name, value, role, Place::NONE);
    }

    #[inline]
    fn push(&mut self, name: &'static str, value: AnyView<'a>, role: FieldRole, place: Place) {
        if role == FieldRole::Ignore {
            return;
        }
        let Some(index) = self.rhs else {
            let (other, other_place) = (AnyView::None, Place::NONE);
            return self.values.push(ListedValue { name, value, other, role, place, other_place });
        };
        match self.values.get_mut(index) {
            Some(pair) if pair.role == role && (std::ptr::eq(pair.name, name) || pair.name == name) => {
                (pair.other, pair.other_place) = (value, place);
                self.rhs = Some(index + 1);
            }
            _ => self.differ = true,
        }
    }
}

/// The pairs of values that decide whether two objects are equal, in the order of their comparison.
pub struct HookPairs<'a> {
    pub(crate) contents: HookContents<'a>,
    /// Where the pairs of the current objects begin.
    start: usize,
}

impl<'a> HookPairs<'a> {
    /// An empty list.
    pub(crate) fn new(computed: ComputedEnd<'a>) -> Self {
        HookPairs { contents: HookContents::new(computed), start: 0 }
    }

    /// The two objects are equal only if `a` and `b` are. Access paths that lead to the pair have the step `name`.
    pub fn require<T: FieldType, U: FieldType>(&mut self, name: &'static str, a: &'a T, b: &'a U, role: FieldRole) {
        self.push(name, (a.view(), Place::of(a)), (b.view(), Place::of(b)), role);
    }

    /// As [`require`](Self::require), for values that are borrowed from a container.
    pub fn require_view(&mut self, name: &'static str, a: AnyView<'a>, b: AnyView<'a>, role: FieldRole) {
        self.push(name, (a, Place::NONE), (b, Place::NONE), role);
    }

    /// As [`require`](Self::require), for values that the hook computes.
    pub fn require_computed<T: FieldType, U: FieldType>(&mut self, name: &'static str, a: T, b: U, role: FieldRole) {
        let [a, b] = [a.into_any(), b.into_any()].map(|value| self.contents.computed.keep(value));
        self.push(name, (a, Place::NONE), (b, Place::NONE), role);
    }

    /// The two objects differ, whatever their pairs are. An object must not reject itself.
    pub fn reject(&mut self) {
        self.contents.differ = true;
    }

    #[inline]
    fn push(&mut self, name: &'static str, lhs: (AnyView<'a>, Place), rhs: (AnyView<'a>, Place), role: FieldRole) {
        if role != FieldRole::Ignore {
            let ((value, place), (other, other_place)) = (lhs, rhs);
            self.contents.values.push(ListedValue { name, value, other, role, place, other_place });
        }
    }
}

/// The hooks of a type without its Rust type.
#[derive(Clone, Copy)]
pub struct HookFns {
    contents: for<'a> fn(ObjectView<'a>, &mut HookContents<'a>),
    pairs: for<'a> fn(ObjectView<'a>, ObjectView<'a>, &mut HookPairs<'a>),
}

impl HookFns {
    /// The hooks of `N`.
    #[must_use]
    pub const fn of<N: StructuralHook>() -> Self {
        HookFns {
            contents: |object, contents| {
                if let Some(node) = object.node::<N>() {
                    node.structural_contents(contents);
                }
            },
            pairs: |a, b, pairs| {
                if let (Some(a), Some(b)) = (a.node::<N>(), b.node::<N>()) {
                    a.structural_pairs(b, pairs);
                }
            },
        }
    }

    /// Appends the values of `object` to a list.
    pub(crate) fn list<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>) {
        (self.contents)(object, contents);
    }

    /// Appends the pairs of `a` and `b` to a list. If it is false, the objects differ, and the list is as before.
    pub(crate) fn pair<'a>(&self, a: ObjectView<'a>, b: ObjectView<'a>, pairs: &mut HookPairs<'a>) -> bool {
        pairs.start = pairs.contents.values.len();
        (self.pairs)(a, b, pairs);
        let contents = &mut pairs.contents;
        // The right object may list fewer values.
        let is_complete = contents.rhs.take().is_none_or(|next| next == contents.values.len());
        let is_open = is_complete && !std::mem::take(&mut contents.differ);
        if !is_open {
            contents.differ = false;
            contents.values.truncate(pairs.start);
        }
        is_open
    }

    /// The values that `object` lists when it is compared with itself.
    pub(crate) fn compared<'a>(&self, object: ObjectView<'a>, computed: ComputedEnd<'a>) -> HookContents<'a> {
        let mut pairs = HookPairs::new(computed);
        self.pair(object, object, &mut pairs);
        pairs.contents
    }
}
