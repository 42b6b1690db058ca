//! [`HookFns`]: the hooks of a type without its Rust type, and the lists that hooks fill.

use crate::object::model::any::{Any, AnyView};
use crate::object::model::computed::ComputedEnd;
use crate::object::model::dynamic_hook::DynamicHook;
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;

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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(usize);

impl Place {
    pub(crate) const NONE: Place = Place(0);

    pub(crate) fn of<T>(value: &T) -> Self {
        Place(std::ptr::from_ref(value) as usize)
    }

    /// The place at `offset` in `object`.
    pub(crate) fn at(object: ObjectView<'_>, offset: u32) -> Self {
        Place(object.address() + offset as usize)
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
    pub(crate) rhs: Option<usize>,
    /// Whether two objects differ, whatever their values are.
    pub(crate) differ: bool,
    /// Whether a hook computed an object, which may refer to any object of the graph.
    pub(crate) has_computed_objects: bool,
    pub(crate) computed: ComputedEnd<'a>,
}

impl<'a> HookContents<'a> {
    /// An empty list.
    pub(crate) fn new(computed: ComputedEnd<'a>) -> Self {
        HookContents { values: Vec::new(), rhs: None, differ: false, has_computed_objects: false, computed }
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

    /// Keeps a value that a hook computed.
    pub(crate) fn keep(&mut self, value: Any) -> AnyView<'a> {
        let kept = self.computed.keep(value);
        self.has_computed_objects |= kept.as_object().is_some_and(|object| !object.type_info().plan.is_leaf);
        kept
    }

    #[inline]
    pub(crate) fn push(&mut self, name: &'static str, value: AnyView<'a>, role: FieldRole, place: Place) {
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

/// The fields that a hook has listed so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct ListedFields(u64);

impl ListedFields {
    /// Adds `listed`, and returns whether a walk may reach the value on another way than by the list of `object`: the value is
    /// from elsewhere than the fields of `object`, or the list may have it twice.
    #[inline]
    pub(crate) fn add(&mut self, object: ObjectView<'_>, listed: &ListedValue<'_>) -> bool {
        let offset = listed.place.0.wrapping_sub(object.address());
        // Handles are aligned to eight bytes. Fields far from each other may have one bit, and then the value is looked at.
        let bit = 1_u64.wrapping_shl(offset as u32 / 8);
        let may_recur = offset >= object.type_info().layout.size() || self.0 & bit != 0;
        self.0 |= bit;
        may_recur
    }
}

impl<'a> HookContents<'a> {
    /// Gives a second handle to each tree that has one handle and that a walk may reach on another way than by the list of
    /// `object`, which begins at `start`: the tree is from elsewhere than the fields of `object`, or the list has it twice. Walks remember objects with two handles. Without this, each level of
    /// such hooks doubles the time. Variables and `dag` nodes have entries in other tables.
    #[cold]
    pub(crate) fn share_recurring(&mut self, object: ObjectView<'a>, start: usize) {
        let mut places: Vec<usize> = self.values[start..].iter().map(|listed| listed.place.0).collect();
        places.sort_unstable();
        for index in start..self.values.len() {
            let listed = self.values[index];
            let Some(child) = listed.value.as_object() else { continue };
            let plan = &child.type_info().plan;
            if child.use_count() > 1 || plan.is_leaf || plan.compare_rule.has_counterpart() {
                continue;
            }
            let first = places.partition_point(|place| *place < listed.place.0);
            let is_listed_twice = places.get(first + 1) == Some(&listed.place.0);
            if is_listed_twice || !listed.is_field_of(object) {
                self.computed.keep(Any::Object(child.to_object()));
            }
        }
    }
}

/// The pairs of values that decide whether two objects are equal, in the order of their comparison.
pub struct HookPairs<'a> {
    pub(crate) contents: HookContents<'a>,
    /// Where the pairs of the current objects begin.
    pub(crate) start: usize,
}

impl<'a> HookPairs<'a> {
    /// An empty list.
    pub(crate) fn new(computed: ComputedEnd<'a>) -> Self {
        HookPairs { contents: HookContents::new(computed), start: 0 }
    }

    /// Appends the pairs that the hook of the type lists, and returns the index of the first one; `None` if the hook
    /// rejects the two objects.
    pub(crate) fn list(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Option<usize> {
        let start = self.contents.values.len();
        let is_open = a.type_info().hooks.is_none_or(|hooks| hooks.pair(a, b, self));
        is_open.then_some(start)
    }

    #[inline]
    pub(crate) fn push(
        &mut self,
        name: &'static str,
        lhs: (AnyView<'a>, Place),
        rhs: (AnyView<'a>, Place),
        role: FieldRole,
    ) {
        if role != FieldRole::Ignore {
            let ((value, place), (other, other_place)) = (lhs, rhs);
            self.contents.values.push(ListedValue { name, value, other, role, place, other_place });
        }
    }
}

/// The hooks of a type without its Rust type.
#[derive(Clone, Copy)]
pub struct HookFns {
    pub(crate) contents: for<'a> fn(ObjectView<'a>, &mut HookContents<'a>),
    pub(crate) pairs: for<'a> fn(ObjectView<'a>, ObjectView<'a>, &mut HookPairs<'a>),
    /// The hook that the functions call, for a type of a schema.
    pub(crate) hook: Option<&'static dyn DynamicHook>,
}

impl HookFns {
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
