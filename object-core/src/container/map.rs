//! [`Map`]: a shared map that keeps the order of insertion.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ptr::NonNull;

use indexmap::Equivalent;

use crate::container::elements::{ElementBound, ElementRule, are_interchangeable};
use crate::object::{
    Accepted, Any, AnyView, Body, CheckedContent, ContainerFns, Extends, FieldContents, FieldOps, FieldType, HandleOps,
    Header, ObjectHandle, ObjectRef, ObjectView, SEqHashKind, TableAddress, TypeInfo, TypeSchema, builtin_node,
    from_object_unchecked, mismatch, new_object, new_object_of, node_unchecked, node_unchecked_mut,
};
use crate::table::{OrderedTable, SeededState};

// SAFETY: code that reads objects with this body expects a `MapData`.
pub(crate) static MAP: TypeInfo = unsafe {
    TypeInfo::builtin::<MapData>("ffi.Map", Body::Map, SEqHashKind::TreeNode, "Keys and values in insertion order.")
}
.with_content(count);
/// TVM's dict, which is mutable in TVM. In this crate it is an immutable map with its own type, so that files with
/// dicts can be read, compared and written.
// SAFETY: as for `MAP`.
pub(crate) static DICT: TypeInfo = unsafe {
    TypeInfo::builtin::<MapData>(
        "ffi.Dict",
        Body::Map,
        SEqHashKind::TreeNode,
        "Keys and values in insertion order, mutable in TVM.",
    )
}
.with_content(count);

/// The number of entries.
fn count(object: ObjectView<'_>) -> CheckedContent<'_> {
    CheckedContent::Count(object.as_map().map_or(0, MapData::len))
}

/// Makes a map of any entries; `info` is [`MAP`] or [`DICT`].
///
/// # Panics
/// If `info` is another type.
pub(crate) fn entries_of(info: &'static TypeInfo, entries: impl IntoIterator<Item = (Any, Any)>) -> ObjectRef {
    object_of(info, MapData::new(entries))
}

/// A copy of a map with the object that `copied` returns in place of each key and value that is an object. `None` if `copied`
/// returns `None`, or if `object` is not a map.
pub(crate) fn copy_map_with<'a>(
    object: ObjectView<'a>,
    mut copied: impl FnMut(ObjectView<'a>) -> Option<ObjectRef>,
) -> Option<ObjectRef> {
    let map = object.as_map()?;
    let mut copy = |value: AnyView<'a>| match value {
        AnyView::Object(object) => copied(object).map(Any::Object),
        plain => Some(plain.to_any()),
    };
    let pairs: Option<Vec<(Any, Any)>> = map.iter().map(|(key, value)| Some((copy(key)?, copy(value)?))).collect();
    pairs.map(|pairs| entries_of(object.type_info(), pairs))
}

fn object_of(info: &'static TypeInfo, map: MapData) -> ObjectRef {
    assert!(info.body == Body::Map, "`{}` is not a map type", info.type_key);
    // SAFETY: only `MAP` and `DICT` have this body, and their objects have a node `MapData`.
    unsafe { new_object_of(info, map) }
}

/// An upper bound of the bytes of an entry: the key, the value and the hash, and the place in the index, which is a number and
/// a byte for at most twice as many entries and a quarter more.
pub(crate) const ENTRY_BYTES: usize = 2 * size_of::<Any>() + 4 * size_of::<u64>();

/// The number of entries from which on TVM moves a repeated key to the end.
const DENSE: usize = 4;

/// As [`entries_of`], for entries from a file, in which a key may be repeated. The order is the order of TVM's reader: the
/// last value counts; a key that is repeated after at least four other keys or itself moves to the end, and else stays.
///
/// # Panics
/// If `info` is not a map type.
pub(crate) fn entries_of_file<I>(info: &'static TypeInfo, entries: I) -> ObjectRef
where
    I: Iterator<Item = (Any, Any)> + ExactSizeIterator + Clone,
{
    let mut map = MapData::new(entries.clone());
    if map.len() < entries.len() {
        // For each key, the place in the file that decides on its place in the map.
        let mut places: Vec<usize> = Vec::with_capacity(map.len());
        for (place, (key, _)) in entries.enumerate() {
            let is_dense = places.len() >= DENSE;
            match map.entries.get_index_of(&Lookup::Value(key.view())).and_then(|index| places.get_mut(index)) {
                None => places.push(place),
                Some(last) if is_dense => *last = place,
                Some(_) => {}
            }
        }
        let mut moved: Vec<_> = places.into_iter().zip(std::mem::take(&mut map.entries)).collect();
        moved.sort_by_key(|(place, _)| *place);
        map.entries = moved.into_iter().map(|(_, entry)| entry).collect();
    }
    object_of(info, map)
}

/// As [`exchange_items`](super::exchange_items), for the values of a map. An index in `changes` counts keys and values
/// in turn: the value of the entry with index `i` has the index `2 * i + 1`.
///
/// # Panics
/// If an index is out of bounds.
///
/// # Safety
/// The object is a map, and until the function returns, nothing else reads it or holds a reference to its entries.
pub(crate) unsafe fn exchange_values(
    map: NonNull<Header>,
    changes: &mut [(usize, Any)],
    accepts: impl FnOnce(ElementBound) -> bool,
) -> bool {
    // SAFETY: by the contract. The objects of both map types have a node `MapData`.
    let data: &mut MapData = unsafe { node_unchecked_mut(map) };
    if data.exchange(changes) {
        return true;
    }
    let bound = ElementBound::of(data.entries.values().map(Any::view));
    if accepts(bound) {
        data.values = bound;
        return true;
    }
    data.exchange(changes);
    false
}

/// Whether `object` is a map of type `info`, `keys` accepts all its keys, and `values` accepts all its values.
pub(crate) fn is_map_of(
    object: ObjectView<'_>,
    info: &'static TypeInfo,
    keys: &impl ElementRule,
    values: &impl ElementRule,
) -> bool {
    std::ptr::eq(object.type_info(), info) && object.as_map().is_some_and(|map| map.satisfies(keys, values))
}

/// A borrowed key for look-ups.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Lookup<'a> {
    /// A value.
    Value(AnyView<'a>),
    /// A text, without an object.
    Text(&'a str),
    /// Bytes, without an object.
    Bytes(&'a [u8]),
}

impl Hash for Lookup<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Lookup::Value(key) => key.hash(state),
            Lookup::Text(text) => text.hash(state),
            Lookup::Bytes(bytes) => bytes.hash(state),
        }
    }
}

impl fmt::Display for Lookup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lookup::Value(key) => fmt::Debug::fmt(key, f),
            Lookup::Text(text) => fmt::Debug::fmt(text, f),
            Lookup::Bytes(bytes) => fmt::Debug::fmt(bytes, f),
        }
    }
}

impl Equivalent<Any> for Lookup<'_> {
    fn equivalent(&self, key: &Any) -> bool {
        let object = key.view().as_object();
        match self {
            Lookup::Value(own) => *own == key.view(),
            Lookup::Text(text) => object.and_then(ObjectView::as_str) == Some(text),
            Lookup::Bytes(bytes) => object.and_then(ObjectView::as_bytes) == Some(bytes),
        }
    }
}

/// The entries of a [`Map`], without the types of its keys and values.
#[derive(Clone)]
pub struct MapData {
    pub(super) entries: OrderedTable<Any, Any>,
    pub(super) keys: ElementBound,
    pub(super) values: ElementBound,
}

// `Map<Any, Any>` accepts every map.
builtin_node!(MapData, Map<Any, Any>, MAP);

impl MapData {
    fn new(pairs: impl IntoIterator<Item = (Any, Any)>) -> Self {
        let pairs = pairs.into_iter();
        let mut entries = OrderedTable::with_capacity_and_hasher(pairs.size_hint().0, SeededState::default());
        entries.extend(pairs);
        let keys = ElementBound::of(entries.keys().map(Any::view));
        let values = ElementBound::of(entries.values().map(Any::view));
        MapData { entries, keys, values }
    }

    /// Swaps values of the map with the values in `changes`, and returns whether each pair is interchangeable for
    /// handles and rules. The indices are the indices of [`exchange_values`].
    fn exchange(&mut self, changes: &mut [(usize, Any)]) -> bool {
        let mut same_bound = true;
        for (index, new) in changes {
            let value = &mut self.entries[*index / 2];
            same_bound &= are_interchangeable(value.view(), new.view());
            std::mem::swap(value, new);
        }
        same_bound
    }

    /// Whether `keys` accepts all keys, and `values` accepts all values.
    fn satisfies(&self, keys: &impl ElementRule, values: &impl ElementRule) -> bool {
        self.keys.satisfies(keys, self.iter().map(|(key, _)| key))
            && self.values.satisfies(values, self.iter().map(|(_, value)| value))
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

    /// The value for `key`. Plain values are equal by kind and bits, where all NaNs are one key; text and bytes by
    /// content, other objects by identity.
    #[must_use]
    pub fn get(&self, key: AnyView<'_>) -> Option<AnyView<'_>> {
        self.look_up(Lookup::Value(key)).map(Any::view)
    }

    /// The value for `key`, as the map stores it.
    pub(super) fn look_up(&self, key: Lookup<'_>) -> Option<&Any> {
        self.entries.get(&key)
    }

    /// The index of the entry with the key `key`.
    pub(super) fn index_of(&self, key: Lookup<'_>) -> Option<usize> {
        self.entries.get_index_of(&key)
    }

    /// The entry with index `index`, as the map stores it.
    pub(super) fn stored_entry(&self, index: usize) -> Option<(&Any, &Any)> {
        self.entries.get_index(index)
    }

    /// The index, key and value of the entry with the given key. The search is fastest if the entry has the index
    /// `guess`.
    pub(crate) fn find(&self, key: AnyView<'_>, guess: usize) -> Option<(usize, AnyView<'_>, AnyView<'_>)> {
        let (index, key, value) = match self.entries.get_index(guess) {
            Some((found, value)) if found.view() == key => (guess, found, value),
            _ => self.entries.get_full(&Lookup::Value(key))?,
        };
        Some((index, key.view(), value.view()))
    }

    /// The key and the value with index `index` in insertion order; `None` if the index is out of bounds.
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<(AnyView<'_>, AnyView<'_>)> {
        self.entries.get_index(index).map(|(key, value)| (key.view(), value.view()))
    }

    /// The entries in insertion order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (AnyView<'_>, AnyView<'_>)> + ExactSizeIterator {
        self.entries.iter().map(|(key, value)| (key.view(), value.view()))
    }
}

impl fmt::Debug for MapData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<'a> ObjectView<'a> {
    /// The entries, if the object is a map or one of TVM's dicts.
    #[must_use]
    #[inline]
    pub fn as_map(self) -> Option<&'a MapData> {
        // SAFETY: only `MAP` and `DICT` have this body, and their objects have a node `MapData`.
        (self.type_info().body == Body::Map).then(|| unsafe { node_unchecked(self) })
    }
}

/// A reference-counted map from `K` to `V` that keeps the order of insertion.
///
/// A `Map` has the methods and traits of std's maps. A change by [`insert`](Self::insert), [`remove`](Self::remove) or
/// [`entry`](Self::entry) happens in place if no other handle shares the map, and otherwise in a copy; other handles keep the old
/// map. [`with`](Self::with) and [`without`](Self::without) make a new map.
///
/// All maps have one object type, `ffi.Map`, whatever `K` and `V` are. A handle with other types refers to the same
/// object; the conversion by [`Any::cast`] checks the entries.
///
/// # Keys
///
/// Keys that are plain values are equal by kind and bits, where all NaNs are one key; text and bytes are equal by content,
/// and other objects by identity. A `&str` finds a key that is a [`Str`](crate::Str), and a `&[u8]` a key that is
/// [`Bytes`](crate::Bytes).
///
/// # Order
///
/// Iteration follows the order of insertion. If several entries have the same key, the map keeps the position of the first
/// one and the value of the last one, also in [`with`](Self::with) and `extend`. [`without`](Self::without) keeps the order
/// of the other entries. `==` does not depend on the order.
///
/// # References to entries
///
/// `map[key]` and `for (key, value) in &map` borrow, if keys and values are a [`StoredValue`](crate::container::StoredValue):
/// handles, [`Any`], `i64`, `f64` and `bool` are. [`get`](Self::get) and [`iter`](Self::iter) return owned keys and values.
///
/// ```
/// use object_core::{Map, Str};
/// let map: Map<Str, i64> = [("b".into(), 1), ("a".into(), 2)].into();
/// assert_eq!(map.get("a"), Some(2));
/// assert_eq!(map["b"], 1);
///
/// let more = map.with("c", 3).with("b", 7).without("a");
/// assert_eq!(more.to_string(), r#"{"b": 7, "c": 3}"#);
/// assert_eq!(map.len(), 2);
/// for (name, number) in &more {
///     assert!(more.contains_key(name) && *number > 0);
/// }
/// ```
#[repr(transparent)]
pub struct Map<K, V> {
    pub(super) object: ObjectRef,
    marker: PhantomData<fn() -> (K, V)>,
}

// SAFETY: the handle is a transparent wrapper, and accepts a map only if `K` accepts every key and `V` every value.
unsafe impl<K: FieldType, V: FieldType> ObjectHandle for Map<K, V> {
    const CONTENTS: FieldContents = FieldContents::Either(&K::CONTENTS, &V::CONTENTS);
    const ACCEPTED: Accepted = Accepted::Container(TableAddress::of(&MAP), &[K::ACCEPTED, V::ACCEPTED]);

    const OPS: HandleOps = HandleOps::containers(&MAPS, &[FieldOps::of::<K>(), FieldOps::of::<V>()]);

    fn accepts_object(object: ObjectView<'_>) -> bool {
        const { Self::OPS }.accepts(object)
    }

    fn handle_schema() -> TypeSchema {
        const { Self::OPS }.schema()
    }

    fn rejected(object: ObjectView<'_>) -> crate::Error {
        const { Self::OPS }.rejected(object)
    }
}

/// The functions of handles of maps.
static MAPS: ContainerFns = ContainerFns {
    accepts: |object, of| is_map_of(object, &MAP, of[0], of[1]),
    rejected: |object, of| rejected(object, of[0], of[1]),
    type_key: "ffi.Map",
};

fn rejected(object: ObjectView<'_>, keys: &FieldOps, values: &FieldOps) -> crate::Error {
    let schema = TypeSchema::of(MAP.type_key, vec![keys.schema(), values.schema()]).to_string();
    let mut entries = object.as_map().into_iter().flat_map(MapData::iter).enumerate();
    match entries.find(|(_, (key, value))| !keys.accepts(*key) || !values.accepts(*value)) {
        Some((index, (key, value))) => {
            let error = if keys.accepts(key) {
                mismatch(&values.schema().to_string(), value).context("value")
            } else {
                mismatch(&keys.schema().to_string(), key).context("key")
            };
            error.context(format_args!("entry {index} of a `{schema}`"))
        }
        None => crate::Error::type_mismatch(&schema, object.type_key()),
    }
}

impl<K: FieldType, V: FieldType> Map<K, V> {
    /// A map of `entries`.
    pub fn new(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let map = new_object(MapData::new(entries.into_iter().map(|(key, value)| (key.into_any(), value.into_any()))));
        // SAFETY: the keys come from `K`, and the values from `V`.
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
}

impl<K: FieldType, H: ObjectHandle> Map<K, H> {
    /// The same map as a map to a more general handle. It moves the pointer, in constant time.
    #[must_use]
    pub fn upcast<A: ObjectHandle>(self) -> Map<K, A>
    where
        H: Extends<A>,
    {
        const { <H as Extends<A>>::UPCAST };
        Map { object: self.object, marker: PhantomData }
    }
}

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Self {
        Map { object: self.object.clone(), marker: PhantomData }
    }
}

impl<K, V> From<Map<K, V>> for ObjectRef {
    fn from(map: Map<K, V>) -> Self {
        map.object
    }
}

impl<K, V> fmt::Display for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.object, f)
    }
}

impl<K, V> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.object, f)
    }
}
