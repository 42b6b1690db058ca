//! [`AlignHashes`]: the hashes by which a diff aligns the elements of arrays. They decide which elements are compared
//! with each other, never whether two elements are equal.
//!
//! A *shape* is a hash of the content without variables: all variables of one type count alike, with their fields. In a
//! structural hash, a variable counts by its first occurrence. In a shape, the contribution of an object does not
//! depend on the objects before it. So each object is hashed once, however many elements refer to it. An *outline* is
//! the shape of the upper few levels.

use std::rc::Rc;

use crate::hashing::{StableMixer, finish, hash_key, mix, mix_bytes};
use crate::object::{AnyView, Body, ComputedEnd, FieldRole, HookContents, ObjectView, PlainBits, SEqHashKind};
use crate::structural::engine::hash::hash_strictly;
use crate::structural::options::StructuralOptions;
use crate::table::{AddressTable, Table};

/// The levels of an outline, and the number of children of one object that it includes. With these numbers, outlines
/// distinguish calls of two operators below a binding.
const OUTLINE: (usize, usize) = (3, 4);

/// The maximum number of variables that tell elements apart, more than a binding of a compiler IR has. The limit keeps the cost for
/// arrays within arrays linear.
const VARIABLES: usize = 16;

/// The number of values of an element that are hashed without a memory of the hashes of its parts. It bounds the cost for arrays
/// within arrays.
const SMALL: usize = 96;

/// The first state of the hash of a singleton, which differs from those of plain values. A hash of one process decides nothing in
/// another, so an address identifies a singleton.
const INSTANCE: u64 = PlainBits::KINDS as u64 + 1;

/// The shapes of objects.
pub(crate) struct AlignHashes<'a> {
    pub(super) options: StructuralOptions,
    /// The shapes of shared objects and of the elements of arrays.
    known: AddressTable<u64>,
    /// The outlines of shared objects whose hooks list their contents, by address and the number of levels.
    outlines: Table<(usize, usize), u64>,
    pub(crate) computed: ComputedEnd<'a>,
    /// Whether `known` has the shape of every object.
    pub(super) keeps_all: bool,
    /// The variables and `dag` nodes in objects: see [`bindable`](Self::bindable).
    bindable: AddressTable<Rc<[ObjectView<'a>]>>,
    /// No variables.
    none: Rc<[ObjectView<'a>]>,
    /// No values: the memory that [`exact_small`](Self::exact_small) uses each time.
    rest: Vec<AnyView<'a>>,
}

/// A search for variables in progress, below an object that other walks may reach again.
struct Search<'a> {
    object: ObjectView<'a>,
    /// The objects to search, the next one last, and whether other walks may reach each again.
    below: Vec<(ObjectView<'a>, bool)>,
    found: Vec<ObjectView<'a>>,
}

impl<'a> Search<'a> {
    fn new(object: ObjectView<'a>, computed: &mut ComputedEnd<'a>) -> Self {
        let mut search = Search { object, below: Vec::new(), found: Vec::new() };
        search.enter(object, computed);
        search
    }

    /// Adds an object, and goes on with its children.
    fn enter(&mut self, object: ObjectView<'a>, computed: &mut ComputedEnd<'a>) {
        if object.is_identified() {
            self.add(&[object]);
        }
        let is_array = object.as_array().is_some();
        let first = self.below.len();
        for_each_child(object, computed, |value| {
            if let AnyView::Object(child) = value {
                self.below.push((child, is_array || child.use_count() > 1));
            }
        });
        self.below[first..].reverse();
    }

    fn add(&mut self, more: &[ObjectView<'a>]) {
        for object in more {
            if self.found.len() < VARIABLES && !self.found.iter().any(|known| known.ptr_eq(*object)) {
                self.found.push(*object);
            }
        }
    }
}

/// A step of a hash in progress.
enum Task<'a> {
    /// Hash a value, and remember the hash if the flag is set.
    Enter(AnyView<'a>, bool),
    /// Combine the hashes of the last `n` values.
    OnExit(ObjectView<'a>, usize, bool),
}

impl<'a> AlignHashes<'a> {
    pub(crate) fn new(options: &StructuralOptions, computed: ComputedEnd<'a>) -> Self {
        let options = StructuralOptions::new().skip_tensor_content(options.skip_tensor_content);
        AlignHashes {
            options,
            known: AddressTable::default(),
            outlines: Table::default(),
            computed,
            keeps_all: false,
            bindable: AddressTable::default(),
            none: Rc::new([]),
            rest: Vec::new(),
        }
    }

    /// The shape of an element of an array.
    pub(crate) fn of(&mut self, value: AnyView<'a>) -> u64 {
        let mut tasks = vec![Task::Enter(value, true)];
        let mut hashes = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter(AnyView::Object(object), keep) => {
                    if let Some(known) = self.known.get(&object.address()) {
                        hashes.push(*known);
                        continue;
                    }
                    let is_kept = self.keeps_all || object.as_array().is_some();
                    let exit = tasks.len();
                    tasks.push(Task::OnExit(object, 0, keep || object.use_count() > 1));
                    for_each_child(object, &mut self.computed, |child| tasks.push(Task::Enter(child, is_kept)));
                    let count = tasks.len() - exit - 1;
                    if let Task::OnExit(_, children, _) = &mut tasks[exit] {
                        *children = count;
                    }
                    tasks[exit + 1..].reverse();
                }
                Task::Enter(plain, _) => hashes.push(self.hash(plain)),
                Task::OnExit(object, count, keep) => {
                    let hash = self.fold(object, &hashes[hashes.len() - count..]);
                    hashes.truncate(hashes.len() - count);
                    if keep {
                        self.known.insert(object.address(), hash);
                    }
                    hashes.push(hash);
                }
            }
        }
        hashes.pop().unwrap_or_default()
    }

    /// A hash of an element of an array with the counterparts of its variables: the elements of both sides that have the same
    /// one are most probably equal. `counterpart` is a number for the object to which a variable is bound.
    pub(crate) fn exact(&mut self, value: AnyView<'a>, counterpart: impl Fn(ObjectView<'a>) -> Option<usize>) -> u64 {
        let shape = self.of(value);
        let Some(object) = value.as_object() else { return shape };
        let bindable = self.bindable(object);
        finish(bindable.iter().fold(shape, |state, it| mix(state, counterpart(*it).unwrap_or_default() as u64)))
    }

    /// As [`exact`](Self::exact), for elements of few values: it does not look into variables that have counterparts, and remembers
    /// nothing. `None` for an element of more values. Equal elements have equally many.
    pub(crate) fn exact_small(
        &mut self,
        value: AnyView<'a>,
        counterpart: impl Fn(ObjectView<'a>) -> Option<usize>,
    ) -> Option<u64> {
        let mut rest = std::mem::take(&mut self.rest);
        rest.push(value);
        let hash = self.exact_rest(&mut rest, counterpart);
        rest.clear();
        self.rest = rest;
        hash
    }

    /// As [`exact_small`](Self::exact_small), for the values in `rest`, the last one first.
    fn exact_rest(
        &mut self,
        rest: &mut Vec<AnyView<'a>>,
        counterpart: impl Fn(ObjectView<'a>) -> Option<usize>,
    ) -> Option<u64> {
        let (mut state, mut unbound) = (0, Vec::new());
        for _ in 0..SMALL {
            let Some(value) = rest.pop() else { return Some(finish(state)) };
            let object = match value {
                AnyView::Object(object) => object,
                plain => {
                    state = mix(state, self.hash(plain));
                    continue;
                }
            };
            let info = object.type_info();
            state = mix(state, info.plan.key_hash);
            match (info.kind, info.body) {
                (_, Body::Map) => return None,
                (SEqHashKind::UniqueInstance, _) | (_, Body::Str | Body::Bytes | Body::Shape | Body::Tensor) => {
                    state = mix(state, self.hash(value));
                    continue;
                }
                (SEqHashKind::FreeVar | SEqHashKind::DagNode, _) => {
                    if let Some(other) = counterpart(object) {
                        state = mix(state, other as u64);
                        continue;
                    }
                    // The places at which a variable occurs again tell elements apart. No variable has as many children as this.
                    let address = object.address();
                    if let Some(number) = unbound.iter().position(|it| *it == address) {
                        state = mix(state, !(number as u64));
                        continue;
                    }
                    unbound.push(address);
                }
                _ => {}
            }
            let first = rest.len();
            for_each_child(object, &mut self.computed, |child| rest.push(child));
            state = mix(state, (rest.len() - first) as u64);
            rest[first..].reverse();
        }
        None
    }

    /// The first variables and `dag` nodes in an object, each once.
    pub(super) fn bindable(&mut self, object: ObjectView<'a>) -> Rc<[ObjectView<'a>]> {
        if let Some(known) = self.bindable.get(&object.address()) {
            return known.clone();
        }
        let mut stack = vec![Search::new(object, &mut self.computed)];
        loop {
            let Some(top) = stack.last_mut() else { return self.none.clone() };
            match top.below.pop() {
                None => {
                    let Some(Search { object, found, .. }) = stack.pop() else { continue };
                    let Some(above) = stack.last_mut() else { return self.keep(object, found) };
                    above.add(&found);
                    self.keep(object, found);
                }
                Some((child, false)) => top.enter(child, &mut self.computed),
                Some((child, true)) => match self.bindable.get(&child.address()) {
                    Some(known) => top.add(known),
                    None => stack.push(Search::new(child, &mut self.computed)),
                },
            }
        }
    }

    fn keep(&mut self, object: ObjectView<'a>, found: Vec<ObjectView<'a>>) -> Rc<[ObjectView<'a>]> {
        let found: Rc<[ObjectView<'a>]> = if found.is_empty() { self.none.clone() } else { found.into() };
        self.bindable.insert(object.address(), found.clone());
        found
    }

    /// The outline of a value.
    pub(crate) fn outline(&mut self, value: AnyView<'a>) -> u64 {
        self.outline_of(value, OUTLINE.0)
    }

    /// The recursion ends after `levels` levels.
    fn outline_of(&mut self, value: AnyView<'a>, levels: usize) -> u64 {
        let Some(object) = value.as_object() else { return type_of(value) };
        let info = object.type_info();
        if info.kind == SEqHashKind::UniqueInstance {
            return self.fold(object, &[]);
        }
        let Some(levels) = levels.checked_sub(1) else { return type_of(value) };
        let is_remembered = info.hooks.is_some() && object.use_count() > 1;
        if is_remembered && let Some(known) = self.outlines.get(&(object.address(), levels)) {
            return *known;
        }
        let children = match info.body {
            Body::Array => object.as_array().into_iter().flat_map(|array| array.iter().take(OUTLINE.1)).collect(),
            Body::Map => Vec::new(),
            _ => children(object, &mut self.computed),
        };
        let children = children.into_iter().take(OUTLINE.1);
        let outline = children.fold(info.plan.key_hash, |state, child| mix(state, self.outline_of(child, levels)));
        if is_remembered {
            self.outlines.insert((object.address(), levels), outline);
        }
        outline
    }

    /// A number from the texts that comparison ignores in the upper levels of a value, such as names of variables.
    pub(crate) fn names(&self, value: AnyView<'_>) -> u64 {
        names_of(value, OUTLINE.0)
    }

    /// The hash of an object whose children have the given hashes.
    fn fold(&self, object: ObjectView<'_>, children: &[u64]) -> u64 {
        let info = object.type_info();
        let state = match info.body {
            Body::Str | Body::Bytes | Body::Shape | Body::Tensor => return self.hash(AnyView::Object(object)),
            _ if info.kind == SEqHashKind::UniqueInstance => return self.hash(AnyView::Object(object)),
            // The order of entries does not count, so their hashes are added up.
            Body::Map => children
                .chunks_exact(2)
                .fold(info.plan.key_hash, |sum, entry| sum.wrapping_add(finish(mix(entry[0], entry[1])))),
            _ => children.iter().fold(mix(info.plan.key_hash, children.len() as u64), |state, hash| mix(state, *hash)),
        };
        finish(state)
    }

    /// The hash of a value without variables.
    fn hash(&self, value: AnyView<'_>) -> u64 {
        if let Some(plain) = value.plain_bits() {
            return mix(u64::from(plain.kind) + 1, plain.bits);
        }
        match value {
            AnyView::Object(object) if object.type_info().kind == SEqHashKind::UniqueInstance => {
                mix(INSTANCE, object.address() as u64)
            }
            _ => hash_strictly(self.options, StableMixer, value).unwrap_or_default(),
        }
    }
}

/// The values that a comparison of an object compares; of a map, keys and values in turn.
pub(crate) fn children<'a>(object: ObjectView<'a>, computed: &mut ComputedEnd<'a>) -> Vec<AnyView<'a>> {
    let mut children = Vec::new();
    for_each_child(object, computed, |child| children.push(child));
    children
}

/// Calls a function with each value that a comparison of an object compares; of a map, with keys and values in turn.
fn for_each_child<'a>(object: ObjectView<'a>, computed: &mut ComputedEnd<'a>, mut visit: impl FnMut(AnyView<'a>)) {
    let info = object.type_info();
    if matches!(info.kind, SEqHashKind::Unsupported | SEqHashKind::UniqueInstance) {
        return;
    }
    match (info.body, info.hooks) {
        (Body::Str | Body::Bytes | Body::Shape | Body::Tensor, _) => {}
        (Body::Array, _) => object.as_array().into_iter().flat_map(|array| array.iter()).for_each(visit),
        (Body::Map, _) => {
            for (key, value) in object.as_map().into_iter().flat_map(|map| map.iter()) {
                visit(key);
                visit(value);
            }
        }
        (_, Some(hooks)) => {
            let contents = HookContents::of(object, hooks, *computed);
            *computed = contents.computed();
            contents.values.into_iter().for_each(|listed| visit(listed.value));
        }
        (_, None) => object.contents(false).for_each(|(_, value)| visit(value)),
    }
}

/// The recursion ends after `levels` levels.
fn names_of(value: AnyView<'_>, levels: usize) -> u64 {
    let (Some(object), Some(levels)) = (value.as_object(), levels.checked_sub(1)) else { return 0 };
    if let Some(array) = object.as_array() {
        return array.iter().take(OUTLINE.1).fold(0, |state, item| mix(state, names_of(item, levels)));
    }
    object.fields().fold(0, |state, (field, value)| match (field.meta.role, value.as_str()) {
        (FieldRole::Ignore, Some(name)) => mix_bytes(state, name.as_bytes()),
        (FieldRole::Ignore, None) => state,
        _ => mix(state, names_of(value, levels)),
    })
}

/// A number that distinguishes types.
pub(crate) fn type_of(value: AnyView<'_>) -> u64 {
    value.as_object().map_or_else(|| hash_key(value.type_key()), |object| object.type_info().plan.key_hash)
}
