//! [`StructuralHash`]: a 64-bit hash of a value by structure, equal for equal values.
//!
//! The hash of an object mixes the hash of its type key with those of its children, in order. Variables and `dag`
//! nodes are numbered in the order of their first occurrence, and the number is mixed in; no address ever is. The
//! value is the same in every process, on every platform and in every release of this crate.
//!
//! An object that was hashed before contributes the same value again, so shared objects are hashed once. The one
//! exception is explained at [`Memo`].

use super::entries::path_key;
use super::map_order::EntryOrder;
use super::not_comparable;
use crate::access_path::{AccessPath, AccessStep};
use crate::container::MapData;
use crate::error::Result;
use crate::hashing::{finish, hash_key, mix, mix_bytes};
use crate::object::{AnyView, Body, FieldType, Fields, HashChildren, ObjectView, SEqHashKind};
use crate::table::Table;
use crate::value::Tensor;

/// Structural hashing and its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralHash {
    skip_tensor_content: bool,
}

impl StructuralHash {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        StructuralHash::default()
    }

    /// Accepted for symmetry with [`StructuralEqual`](super::StructuralEqual): a variable always counts by its first
    /// occurrence, so the hash is the same either way.
    #[must_use]
    pub fn map_free_vars(self, _yes: bool) -> Self {
        self
    }

    /// Whether the content of tensors is left out.
    #[must_use]
    pub fn skip_tensor_content(mut self, yes: bool) -> Self {
        self.skip_tensor_content = yes;
        self
    }

    /// The hash of `value`.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if an object is reached whose type takes no
    /// part in structural comparison.
    pub fn hash<T: FieldType>(&self, value: &T) -> Result<u64> {
        Hasher::new(*self).run(value.view(), true)
    }
}

/// The hash of `value` under the default options. Objects whose type takes no part in structural comparison count by
/// their type alone; [`StructuralHash::hash`] reports them.
///
/// ```
/// use object_core::{Array, structural_hash};
/// assert_eq!(structural_hash(&Array::from([1, 2])), structural_hash(&Array::from([1, 2])));
/// ```
#[must_use]
pub fn structural_hash<T: FieldType>(value: &T) -> u64 {
    Hasher::new(StructuralHash::new()).run(value.view(), false).unwrap_or_default()
}

const SEED_PLAIN: u64 = hash_key("plain");
const SEED_NUMBER: u64 = hash_key("number");

/// A hash that may be used again.
///
/// The entries of a map whose keys are objects that were not met before have no order that equal maps agree on. They
/// are *sketched*: variables in them that have no number yet count as constants and get none, and the hashes of the
/// entries are added up. What a sketch gives for an object can change once its variables are numbered, so it is kept
/// only until the next number is given, and never used outside of sketches.
#[derive(Clone, Copy)]
struct Memo {
    hash: u64,
    validity: Validity,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Validity {
    /// For ever: everything in the object is numbered.
    Stable,
    /// For ever, and the object itself has this number.
    Numbered(usize),
    /// While this many objects are numbered; whether in sketches only.
    While { numbered: usize, sketch: bool },
}

/// A hash in progress.
struct Hasher<'a> {
    options: StructuralHash,
    stack: Vec<Frame<'a>>,
    /// The values that the hooks of the frames on the stack listed, one frame after the other.
    listed: Vec<AnyView<'a>>,
    memo: Table<usize, Memo>,
    /// The variables and `dag` nodes that have a number, in order.
    numbered: Vec<ObjectView<'a>>,
    /// How many maps on the stack are being sketched.
    sketching: usize,
}

/// The children of an object.
enum Children<'a> {
    Fields(Fields<'a>),
    Items {
        next: u32,
    },
    /// A part of the list of values.
    Listed {
        start: u32,
        next: u32,
    },
    Entries(Box<Entries>),
}

/// The entries of a map: the first ones in the order of `map_order`, then those that are sketched.
#[derive(Default)]
struct Entries {
    decided: EntryOrder,
    /// How many entries come before those that are sketched, once that is known.
    ordered: Option<usize>,
    next: usize,
    /// Hash of the key of the entry in progress.
    key_hash: u64,
    /// Sum over the sketched entries.
    sum: u64,
}

impl Entries {
    fn new(map: &MapData) -> Self {
        Entries { decided: EntryOrder::of_plain_keys(map), ..Entries::default() }
    }

    /// Decides what comes after the entries done so far: those whose keys have been numbered since this was done last,
    /// and at the end the others. Whether it is the end.
    fn decide<'a>(&mut self, map: &'a MapData, numbered: &[ObjectView<'a>], memo: &Table<usize, Memo>) -> bool {
        let before = self.decided.len();
        self.decided.push_bound(map, numbered, |key| match memo.get(&key.address())?.validity {
            Validity::Numbered(number) => Some(number),
            Validity::Stable | Validity::While { .. } => None,
        });
        if self.decided.len() > before {
            return false;
        }
        self.ordered = Some(before);
        (0..map.len()).for_each(|index| self.decided.push(index));
        true
    }
}

/// One level of a hash in progress.
struct Frame<'a> {
    object: ObjectView<'a>,
    children: Children<'a>,
    state: u64,
    /// How many objects were numbered when the frame was entered.
    entered: usize,
    /// Whether something below has no number yet.
    unstable: bool,
}

/// What is known of a value after a first look.
enum Look<'a> {
    Done(u64),
    /// A hash that may change when more objects are numbered.
    Unstable(u64),
    NotComparable(ObjectView<'a>),
    /// It depends on the children, whose frame is now on the stack.
    Descend,
}

impl<'a> Hasher<'a> {
    fn new(options: StructuralHash) -> Self {
        Hasher {
            options,
            stack: Vec::new(),
            listed: Vec::new(),
            memo: Table::default(),
            numbered: Vec::new(),
            sketching: 0,
        }
    }

    fn run(mut self, root: AnyView<'a>, strict: bool) -> Result<u64> {
        let mut value = root;
        loop {
            let mut done = match self.look(value) {
                Look::Done(hash) => Some((hash, false)),
                Look::Unstable(hash) => Some((hash, true)),
                Look::NotComparable(object) if strict => return Err(not_comparable(object, self.path())),
                Look::NotComparable(object) => Some((object.type_info().key_hash, false)),
                Look::Descend => None,
            };
            loop {
                let Some(frame) = self.stack.last_mut() else {
                    return Ok(done.map_or(0, |(hash, _)| finish(hash)));
                };
                if let Some((hash, unstable)) = done.take() {
                    frame.take(hash, unstable);
                }
                match frame.next(&self.listed, &self.numbered, &self.memo, &mut self.sketching) {
                    Some(child) => {
                        value = child;
                        break;
                    }
                    None => done = self.leave(),
                }
            }
        }
    }

    #[inline]
    fn look(&mut self, value: AnyView<'a>) -> Look<'a> {
        match value {
            AnyView::Object(object) => self.look_at_object(object),
            plain => Look::Done(hash_plain(plain)),
        }
    }

    fn look_at_object(&mut self, object: ObjectView<'a>) -> Look<'a> {
        let info = object.type_info();
        let seed = info.key_hash;
        match info.body {
            Body::Str => return self.look_at_leaf(object, object.as_str().unwrap_or_default().as_bytes()),
            Body::Bytes => return self.look_at_leaf(object, object.as_bytes().unwrap_or_default()),
            Body::Shape => {
                let extents = object.as_shape().unwrap_or_default();
                let state = mix(seed, extents.len() as u64);
                return Look::Done(extents.iter().fold(state, |state, extent| mix(state, extent.cast_unsigned())));
            }
            Body::Tensor => return self.look_at_tensor(object),
            Body::Function | Body::Opaque | Body::Node | Body::Array | Body::Map => {}
        }
        match info.kind {
            SEqHashKind::Unsupported => return Look::NotComparable(object),
            SEqHashKind::UniqueInstance => {
                return Look::Done(mix_bytes(seed, object.singleton_key().unwrap_or_default().as_bytes()));
            }
            // Hashing plain values again is cheaper than remembering.
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode if info.is_leaf => {
                let mut fields = object.fields();
                let mut state = mix(seed, 0);
                while let Some(value) = fields.next_content() {
                    state = mix(state, hash_plain(value));
                }
                return Look::Done(state);
            }
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode if object.use_count() == 1 => {}
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode | SEqHashKind::DagNode | SEqHashKind::FreeVar => {
                if let Some(memo) = self.memo.get(&object.address()) {
                    match memo.validity {
                        Validity::Stable | Validity::Numbered(_) => return Look::Done(memo.hash),
                        Validity::While { numbered, sketch }
                            if numbered == self.numbered.len() && (!sketch || self.sketching > 0) =>
                        {
                            return Look::Unstable(memo.hash);
                        }
                        Validity::While { .. } => {}
                    }
                }
            }
        }
        let (children, count) = self.children(object);
        let state = mix(seed, count as u64);
        self.stack.push(Frame { object, children, state, entered: self.numbered.len(), unstable: false });
        Look::Descend
    }

    /// The children of an object and their number.
    fn children(&mut self, object: ObjectView<'a>) -> (Children<'a>, usize) {
        let info = object.type_info();
        match (info.body, info.hooks) {
            (Body::Array, _) => {
                (Children::Items { next: 0 }, object.as_array().map_or(0, crate::container::ArrayView::len))
            }
            (Body::Map, _) => {
                let map = object.as_map();
                (
                    Children::Entries(Box::new(map.map_or_else(Entries::default, Entries::new))),
                    map.map_or(0, MapData::len),
                )
            }
            (_, Some(hooks)) => {
                let start = self.listed.len();
                let mut listed = HashChildren { values: std::mem::take(&mut self.listed) };
                hooks.hash(object, &mut listed);
                self.listed = listed.values;
                let count = self.listed.len() - start;
                let start = u32::try_from(start).unwrap_or(u32::MAX);
                (Children::Listed { start, next: start }, count)
            }
            (_, None) => (Children::Fields(object.fields()), 0),
        }
    }

    fn look_at_leaf(&mut self, object: ObjectView<'a>, bytes: &[u8]) -> Look<'a> {
        let shared = bytes.len() >= 256 && object.use_count() > 1;
        if shared && let Some(memo) = self.memo.get(&object.address()) {
            return Look::Done(memo.hash);
        }
        let hash = mix_bytes(object.type_info().key_hash, bytes);
        if shared {
            self.memo.insert(object.address(), Memo { hash, validity: Validity::Stable });
        }
        Look::Done(hash)
    }

    fn look_at_tensor(&mut self, object: ObjectView<'a>) -> Look<'a> {
        let Some(tensor) = object.to_handle::<Tensor>() else {
            return Look::Done(0);
        };
        if let Some(memo) = self.memo.get(&object.address()) {
            return Look::Done(memo.hash);
        }
        let mut state = mix(object.type_info().key_hash, hash_plain(AnyView::DataType(tensor.dtype)));
        state = tensor
            .shape
            .iter()
            .fold(mix(state, tensor.shape.len() as u64), |state, extent| mix(state, extent.cast_unsigned()));
        if !self.options.skip_tensor_content {
            state = mix_bytes(state, &tensor.data);
        }
        self.memo.insert(object.address(), Memo { hash: state, validity: Validity::Stable });
        Look::Done(state)
    }

    /// Ends the frame on top of the stack: its hash, and whether it may change.
    fn leave(&mut self) -> Option<(u64, bool)> {
        let mut frame = self.stack.pop()?;
        match &frame.children {
            Children::Fields(_) | Children::Items { .. } => {}
            Children::Listed { start, .. } => self.listed.truncate(*start as usize),
            Children::Entries(entries) => {
                frame.state = mix(frame.state, entries.sum);
                if entries.ordered.is_some_and(|ordered| ordered < entries.decided.len()) {
                    self.sketching -= 1;
                }
            }
        }
        let kind = frame.object.type_info().kind;
        let is_numbered_kind = matches!(kind, SEqHashKind::FreeVar | SEqHashKind::DagNode);
        if is_numbered_kind && self.sketching == 0 {
            let number = self.numbered.len();
            frame.state = mix(frame.state, mix(SEED_NUMBER, number as u64));
            self.numbered.push(frame.object);
            self.memo.insert(frame.object.address(), Memo { hash: frame.state, validity: Validity::Numbered(number) });
            // With its number the object is settled, whatever its fields still wait for: it is looked up by identity
            // from now on.
            return Some((frame.state, false));
        }
        frame.unstable |= is_numbered_kind;
        if is_numbered_kind || frame.object.use_count() > 1 {
            let numbered = self.numbered.len();
            if !frame.unstable {
                self.memo.insert(frame.object.address(), Memo { hash: frame.state, validity: Validity::Stable });
            } else if frame.entered == numbered {
                // What was hashed while numbers were given may come out differently next time.
                let validity = Validity::While { numbered, sketch: self.sketching > 0 };
                self.memo.insert(frame.object.address(), Memo { hash: frame.state, validity });
            }
        }
        Some((frame.state, frame.unstable))
    }

    /// The path to the current value.
    fn path(&self) -> AccessPath {
        AccessPath::from_steps(self.stack.iter().map(|frame| match &frame.children {
            Children::Fields(fields) => AccessStep::Attr(fields.last_field().map_or("", |field| field.name).to_owned()),
            Children::Listed { start, next } => AccessStep::ArrayItem((next - start - 1) as usize),
            Children::Items { next } => AccessStep::ArrayItem((next - 1) as usize),
            Children::Entries(entries) => {
                let index = entries.decided.get((entries.next - 1) / 2);
                let entry = index.zip(frame.object.as_map()).and_then(|(index, map)| map.entry(index));
                AccessStep::MapItem(path_key(entry.map_or(AnyView::None, |(key, _)| key)))
            }
        }))
    }
}

impl<'a> Frame<'a> {
    /// Mixes in the hash of the child that [`next`](Self::next) gave last.
    fn take(&mut self, hash: u64, unstable: bool) {
        self.unstable |= unstable;
        if let Children::Entries(entries) = &mut self.children {
            let turn = entries.next - 1;
            if entries.ordered.is_some_and(|ordered| turn / 2 >= ordered) {
                if turn.is_multiple_of(2) {
                    entries.key_hash = hash;
                } else {
                    entries.sum = entries.sum.wrapping_add(mix(mix(SEED_PLAIN, entries.key_hash), hash));
                }
                return;
            }
        }
        self.state = mix(self.state, hash);
    }

    /// The next child. Counts in `sketching` when it comes to the entries of a map that are sketched.
    #[inline]
    fn next(
        &mut self,
        listed: &[AnyView<'a>],
        numbered: &[ObjectView<'a>],
        memo: &Table<usize, Memo>,
        sketching: &mut usize,
    ) -> Option<AnyView<'a>> {
        match &mut self.children {
            Children::Fields(fields) => fields.next_content(),
            Children::Listed { next, .. } => {
                *next += 1;
                listed.get(*next as usize - 1).copied()
            }
            Children::Items { next } => {
                *next += 1;
                self.object.as_array()?.get(*next as usize - 1)
            }
            Children::Entries(entries) => {
                let map = self.object.as_map()?;
                if entries.next == 2 * entries.decided.len()
                    && entries.ordered.is_none()
                    && entries.decide(map, numbered, memo)
                    && entries.next < 2 * entries.decided.len()
                {
                    *sketching += 1;
                }
                let (key, value) = map.entry(entries.decided.get(entries.next / 2)?)?;
                entries.next += 1;
                Some(if entries.next % 2 == 1 { key } else { value })
            }
        }
    }
}

/// The hash of a plain value.
fn hash_plain(value: AnyView<'_>) -> u64 {
    let (kind, bits) = match value {
        AnyView::None | AnyView::Object(_) => (0, 0),
        AnyView::Bool(value) => (1, u64::from(value)),
        AnyView::Int(value) => (2, value.cast_unsigned()),
        AnyView::Float(value) if value.is_nan() => (3, f64::NAN.to_bits()),
        AnyView::Float(value) => (3, value.to_bits()),
        AnyView::DataType(value) => {
            (4, u64::from(value.code.0) | u64::from(value.bits) << 8 | u64::from(value.raw_lanes) << 16)
        }
        AnyView::Device(value) => {
            let (kind, id) = (value.device_type.cast_unsigned(), value.device_id.cast_unsigned());
            (5, u64::from(kind) | u64::from(id) << 32)
        }
    };
    mix(mix(SEED_PLAIN, kind), bits)
}
