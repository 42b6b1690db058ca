//! [`Map`]: an immutable, shared map in insertion order.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ptr::NonNull;

use indexmap::Equivalent;

use crate::container::elements::{ElementBound, ElementRule, ElementType, are_alike};
use crate::object::{
    Any, AnyView, Body, FieldContents, FieldType, Header, ObjectHandle, ObjectRef, ObjectView, SEqHashKind, TypeInfo,
    TypeSchema, builtin_node, from_object_unchecked, mismatch, new_object, new_object_of, node_unchecked,
    node_unchecked_mut,
};
use crate::table::{FixedState, OrderedTable};

pub(crate) static MAP: TypeInfo =
    TypeInfo::builtin::<MapData>("ffi.Map", Body::Map, SEqHashKind::TreeNode, "Keys and values in insertion order.");
/// What TVM calls a dict can be changed in place there: see `LIST`.
pub(crate) static DICT: TypeInfo = TypeInfo::builtin::<MapData>(
    "ffi.Dict",
    Body::Map,
    SEqHashKind::TreeNode,
    "Keys and values in insertion order, mutable in TVM.",
);

/// A new map of any entries; `info` is [`MAP`] or [`DICT`].
pub(crate) fn entries_of(info: &'static TypeInfo, entries: impl IntoIterator<Item = (Any, Any)>) -> ObjectRef {
    debug_assert!(info.body == Body::Map);
    // SAFETY: the objects of both types have a node `MapData`.
    unsafe { new_object_of(info, MapData::new(entries)) }
}

/// As [`exchange_items`](super::exchange_items), for values of a map. Numbers count keys as well: twice the index of the entry
/// and one.
///
/// # Safety
/// The object is a map that nobody else reads meanwhile, and nobody holds a reference to its entries.
pub(crate) unsafe fn exchange_values(
    map: NonNull<Header>,
    changes: &mut [(usize, Any)],
    accepts: impl FnOnce(ObjectView<'_>) -> bool,
) -> bool {
    // SAFETY: the objects of both types with this body have a node `MapData`, which nobody else reads.
    let data: &mut MapData = unsafe { node_unchecked_mut(map) };
    if data.exchange(changes) {
        return true;
    }
    let bound = ElementBound::of(data.entries.values().map(Any::view));
    let old = std::mem::replace(&mut data.values, bound);
    // SAFETY: the object is alive, and the reference to its node is not used again.
    if accepts(unsafe { ObjectView::from_raw(map) }) {
        return true;
    }
    // SAFETY: as above.
    let data: &mut MapData = unsafe { node_unchecked_mut(map) };
    data.values = old;
    data.exchange(changes);
    false
}

/// Whether `object` is a map of type `info` whose keys and values are all as `keys` and `values` ask for.
pub(crate) fn is_map_of(
    object: ObjectView<'_>,
    info: &'static TypeInfo,
    keys: &impl ElementRule,
    values: &impl ElementRule,
) -> bool {
    std::ptr::eq(object.type_info(), info)
        && object.as_map().is_some_and(|map| {
            map.keys.satisfies(keys, map.iter().map(|(key, _)| key))
                && map.values.satisfies(values, map.iter().map(|(_, value)| value))
        })
}

/// A key: plain values are equal by kind and bits, text and bytes by content, other objects by identity.
#[derive(Clone)]
struct Key(Any);

/// A key that is only looked up.
struct Lookup<'a>(AnyView<'a>);

fn same_key(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    match (a, b) {
        (AnyView::Object(a), AnyView::Object(b)) => {
            a.ptr_eq(b)
                || matches!((a.as_str(), b.as_str()), (Some(a), Some(b)) if a == b)
                || matches!((a.as_bytes(), b.as_bytes()), (Some(a), Some(b)) if a == b)
        }
        _ => a.plain_bits() == b.plain_bits(),
    }
}

fn hash_key<H: Hasher>(key: AnyView<'_>, state: &mut H) {
    match key {
        AnyView::Object(object) => match (object.as_str(), object.as_bytes()) {
            (Some(text), _) => text.hash(state),
            (_, Some(bytes)) => bytes.hash(state),
            _ => object.address().hash(state),
        },
        plain => state.write_u64(plain.plain_bits().map_or(0, |plain| plain.bits)),
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        same_key(self.0.view(), other.0.view())
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_key(self.0.view(), state);
    }
}

impl Hash for Lookup<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_key(self.0, state);
    }
}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        same_key(self.0, key.0.view())
    }
}

/// The entries of a [`Map`].
pub struct MapData {
    entries: OrderedTable<Key, Any>,
    keys: ElementBound,
    values: ElementBound,
}

// `Map<Any, Any>` accepts every map.
builtin_node!(MapData, Map<Any, Any>, MAP);

impl MapData {
    fn new(pairs: impl IntoIterator<Item = (Any, Any)>) -> Self {
        let pairs = pairs.into_iter();
        let mut entries = OrderedTable::with_capacity_and_hasher(pairs.size_hint().0, FixedState::default());
        entries.extend(pairs.map(|(key, value)| (Key(key), value)));
        let keys = ElementBound::of(entries.keys().map(|key| key.0.view()));
        let values = ElementBound::of(entries.values().map(Any::view));
        MapData { entries, keys, values }
    }

    /// Exchanges values for those in `changes`. Whether all are alike.
    fn exchange(&mut self, changes: &mut [(usize, Any)]) -> bool {
        let mut alike = true;
        for (number, new) in changes {
            let value = &mut self.entries[*number / 2];
            alike &= are_alike(value.view(), new.view());
            std::mem::swap(value, new);
        }
        alike
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value for `key`: plain keys are found by kind and bits, text and bytes by content, other objects by
    /// identity.
    #[must_use]
    pub fn get(&self, key: AnyView<'_>) -> Option<AnyView<'_>> {
        self.entries.get(&Lookup(key)).map(Any::view)
    }

    /// Index, key and value of the entry with the given key, which may be the one with index `guess`.
    pub(crate) fn find(&self, key: AnyView<'_>, guess: usize) -> Option<(usize, AnyView<'_>, AnyView<'_>)> {
        let (index, key, value) = match self.entries.get_index(guess) {
            Some((found, value)) if same_key(found.0.view(), key) => (guess, found, value),
            _ => self.entries.get_full(&Lookup(key))?,
        };
        Some((index, key.0.view(), value.view()))
    }

    /// The entry with index `index` in insertion order.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<(AnyView<'_>, AnyView<'_>)> {
        self.entries.get_index(index).map(|(key, value)| (key.0.view(), value.view()))
    }

    /// The entries in insertion order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (AnyView<'_>, AnyView<'_>)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key.0.view(), value.view()))
    }
}

impl<'a> ObjectView<'a> {
    /// The entries, if the object is a map.
    #[must_use]
    #[inline]
    pub fn as_map(self) -> Option<&'a MapData> {
        // SAFETY: just checked; the objects of both types with this body have a node `MapData`.
        (self.type_info().body == Body::Map).then(|| unsafe { node_unchecked(self) })
    }
}

/// An immutable map from `K` to `V` in insertion order, shared by counting. A later entry with the same key replaces
/// the value of the earlier one and keeps its place.
///
/// ```
/// use object_core::{Map, Str};
/// let map: Map<Str, i64> = [(Str::from("a"), 1), ("b".into(), 2)].into_iter().collect();
/// assert_eq!(map.get(&"b".into()), Some(2));
/// ```
#[repr(transparent)]
pub struct Map<K, V> {
    object: ObjectRef,
    marker: PhantomData<fn() -> (K, V)>,
}

// SAFETY: a transparent wrapper; keys and values are checked to be `K` and `V`.
unsafe impl<K: FieldType, V: FieldType> ObjectHandle for Map<K, V> {
    const CONTENTS: FieldContents = FieldContents::Either(&K::CONTENTS, &V::CONTENTS);

    fn accepts_object(object: ObjectView<'_>) -> bool {
        accepts(object, ElementType::of::<K>(), ElementType::of::<V>())
    }

    fn handle_schema() -> TypeSchema {
        schema(ElementType::of::<K>(), ElementType::of::<V>())
    }

    fn rejected(object: ObjectView<'_>) -> crate::Error {
        rejected(object, ElementType::of::<K>(), ElementType::of::<V>())
    }
}

fn accepts(object: ObjectView<'_>, keys: &ElementType, values: &ElementType) -> bool {
    object.node::<MapData>().is_some_and(|map| {
        map.keys.all(keys, map.iter().map(|(key, _)| key)) && map.values.all(values, map.iter().map(|(_, value)| value))
    })
}

fn schema(keys: &ElementType, values: &ElementType) -> TypeSchema {
    TypeSchema { name: MAP.type_key, args: vec![(keys.schema)(), (values.schema)()] }
}

fn rejected(object: ObjectView<'_>, keys: &ElementType, values: &ElementType) -> crate::Error {
    let schema = schema(keys, values).to_string();
    let mut entries = object.as_map().into_iter().flat_map(MapData::iter).enumerate();
    match entries.find(|(_, (key, value))| !(keys.accepts)(*key) || !(values.accepts)(*value)) {
        Some((index, (key, value))) => {
            let error = if (keys.accepts)(key) {
                mismatch(&(values.schema)().to_string(), value).context("value")
            } else {
                mismatch(&(keys.schema)().to_string(), key).context("key")
            };
            error.context(format_args!("entry {index} of a `{schema}`"))
        }
        None => crate::Error::type_mismatch(&schema, object.type_key()),
    }
}

impl<K: FieldType, V: FieldType> Map<K, V> {
    /// A map of the given entries.
    pub fn new(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let map = new_object(MapData::new(entries.into_iter().map(|(key, value)| (key.into_any(), value.into_any()))));
        // SAFETY: all keys are `K` and all values are `V`.
        unsafe { from_object_unchecked(map.object) }
    }

    /// The entries without their types.
    #[must_use]
    pub fn data(&self) -> &MapData {
        match self.object.view().as_map() {
            Some(data) => data,
            None => unreachable!("the handle accepts only maps"),
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data().len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data().is_empty()
    }

    /// The value for `key`.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<V> {
        // Every value was checked when the handle was made.
        self.data().get(key.view())?.cast().ok()
    }

    /// The entries in insertion order, each an owned pair.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, V)> + ExactSizeIterator + '_ {
        self.data().iter().map(|(key, value)| match (key.cast(), value.cast()) {
            (Ok(key), Ok(value)) => (key, value),
            _ => unreachable!("every entry was checked when the handle was made"),
        })
    }
}

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Self {
        Map { object: self.object.clone(), marker: PhantomData }
    }
}

impl<K: FieldType, V: FieldType> Default for Map<K, V> {
    fn default() -> Self {
        Map::new([])
    }
}

impl<K: FieldType, V: FieldType> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Map::new(entries)
    }
}

impl<K: FieldType, V: FieldType, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        Map::new(entries)
    }
}

impl<K: FieldType, V: FieldType> From<Map<K, V>> for Any {
    fn from(map: Map<K, V>) -> Self {
        map.into_any()
    }
}

impl<K, V> From<Map<K, V>> for ObjectRef {
    fn from(map: Map<K, V>) -> Self {
        map.object
    }
}

impl<K, V> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.object, f)
    }
}
