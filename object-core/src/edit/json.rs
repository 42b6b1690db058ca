//! [`EditScript::to_json`] and [`EditScript::from_json`]: scripts as JSON graphs of arrays and maps.
//!
//! A place is an array of the number of an earlier place and of the steps from there; the root has the number 0. So places share
//! their steps. Before the steps stands the number of steps to the innermost unit, or 0 if it is the unit of the earlier place.
//!
//! A value is an array of one element if it is a whole value, the number of a place if it is an object there, and an array of a
//! type key and of children if it is a new object. A step is a text for a field, a number for an element, and an array of a flag,
//! an index and a label for a key or value of a map.

use std::sync::Arc;

use crate::access_path::PathKey;
use crate::container::{Array, ArrayView, Map};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{self, JsonReader};
use crate::object::{Any, AnyView, Body, ObjectView};
use crate::stack_budget::with_stack;
use crate::table::AddressTable;
use crate::value::Str;

use super::place_step::PlaceStep;
use super::place_tree::{PlaceTree, ROOT};
use super::script::{Change, ChangeRole, EditScript, EditValue, NewObject, Slot};

/// The key of the version of the format, and the version.
const FORMAT: (&str, i64) = ("edits", 2);

const ROLES: [ChangeRole; 3] = [ChangeRole::Part, ChangeRole::Name, ChangeRole::Unit];

impl EditScript {
    /// The script as text. It contains the new values, so a free variable in one of them can be another variable in the script that
    /// [`from_json`](Self::from_json) makes of the text.
    ///
    /// ```
    /// use object_core::{Array, edit::{EditScript, edits}, json::JsonReader};
    /// let (a, b) = (Array::from([1, 2, 3]), Array::from([1, 3]));
    /// let text = edits(&a, &b)?.to_json()?;
    /// let script = EditScript::from_json(text.as_bytes(), JsonReader::new())?;
    /// assert_eq!(script.apply(&a)?, b);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`json::to_string`], for the values in the script.
    pub fn to_json(&self) -> Result<String> {
        let [lhs, rhs] = self.places.each_ref().map(|places| places_to_any(places));
        let mut writer = Writer { numbers: [lhs.1, rhs.1], written: AddressTable::default() };
        let places = [lhs.0, rhs.0];
        let changes = self.changes.iter().map(|change| writer.change(change));
        let graph: Map<Str, Any> = Map::new([
            (Str::from(FORMAT.0), Any::from(FORMAT.1)),
            (Str::from("places"), Any::from(Array::<Any>::from(places))),
            (Str::from("changes"), Any::from(Array::<Any>::new(changes))),
        ]);
        json::to_string(&graph)
    }

    /// The script that [`to_json`](Self::to_json) wrote. The reader has the types of the values and the limits.
    ///
    /// # Errors
    /// As [`JsonReader::read`], and [`Malformed`](ErrorKind::Malformed) if the text is not a script.
    pub fn from_json(text: &[u8], reader: JsonReader<'_>) -> Result<Self> {
        let graph = reader.read(text)?;
        Loader { reader, counts: [0, 0], made: Default::default() }.script(graph.root.view())
    }
}

fn key_to_any(key: &PathKey) -> Any {
    match key {
        PathKey::Str(text) => Any::from(Str::from(&**text)),
        PathKey::Int(value) => Any::from(*value),
        PathKey::Other { label, .. } => Any::from(Array::from([Str::from(&**label)])),
    }
}

fn step_to_any(step: &PlaceStep) -> Any {
    let entry = |flag: i64, index: usize, key: &PathKey| {
        Any::from(Array::<Any>::from([Any::from(flag), Any::from(index as i64), key_to_any(key)]))
    };
    match step {
        PlaceStep::Field(name) => Any::from(Str::from(&**name)),
        PlaceStep::Item(index) => Any::from(*index as i64),
        PlaceStep::Key(index, key) => entry(0, *index, key),
        PlaceStep::Value(index, key) => entry(1, *index, key),
    }
}

/// The places of a script as an array, and the number of the place of each object of the script. Places stand for the objects and
/// for the nodes from which the ways to several objects part.
fn places_to_any(tree: &PlaceTree) -> (Any, Vec<i64>) {
    let (mut is_place, mut has_child) = (vec![false; tree.len()], vec![false; tree.len()]);
    is_place[ROOT as usize] = true;
    tree.objects.iter().for_each(|node| is_place[*node as usize] = true);
    for (above, _) in (ROOT..).map_while(|node| tree.step(node + 1)) {
        is_place[above as usize] |= std::mem::replace(&mut has_child[above as usize], true);
    }
    let mut numbers = vec![0; tree.len()];
    let mut places: Vec<Any> = Vec::new();
    for place in (1..tree.len()).filter(|node| is_place[*node]) {
        let (mut steps, mut below_unit) = (Vec::new(), None);
        let mut node = place as u32;
        while let Some((above, step)) = tree.step(node) {
            if below_unit.is_none() && tree.unit(node) == node {
                below_unit = Some(steps.len());
            }
            steps.push(step_to_any(step));
            node = above;
            if is_place[node as usize] {
                break;
            }
        }
        let unit = below_unit.map_or(0, |below| steps.len() - below);
        let head = [numbers[node as usize], unit as i64].map(Any::from);
        places.push(Any::from(Array::<Any>::new(head.into_iter().chain(steps.into_iter().rev()))));
        numbers[place] = places.len() as i64;
    }
    let objects = tree.objects.iter().map(|node| numbers[*node as usize]).collect();
    (Any::from(Array::<Any>::new(places)), objects)
}

/// A script that is being written.
struct Writer {
    /// The numbers of the places of the objects of each side.
    numbers: [Vec<i64>; 2],
    written: AddressTable<Any>,
}

impl Writer {
    /// The number of the place of the object with an index in the script.
    fn place(&self, side: usize, index: u32) -> Any {
        Any::from(self.numbers[side].get(index as usize).copied().unwrap_or_default())
    }

    fn change(&mut self, change: &Change) -> Any {
        let slot = |slot: &Slot| match slot {
            Slot::Child(step) => step_to_any(step),
            Slot::Gap(index) => Any::from(Array::from([*index as i64])),
            Slot::Root => Any::None,
        };
        let role = ROLES.iter().position(|role| *role == change.role).unwrap_or_default();
        let [from, to] = [0, 1].map(|side| self.place(side, change.owners[side]));
        let [before, after] = change.slots.each_ref().map(slot);
        let [old, new] =
            [0, 1].map(|side| change.values[side].as_ref().map_or(Any::None, |value| self.value(side, value)));
        Any::from(Array::<Any>::from([Any::from(role as i64), from, before, old, to, after, new]))
    }

    /// A value of a side, which refers to objects of the other side.
    fn value(&mut self, side: usize, value: &EditValue) -> Any {
        match value {
            EditValue::Whole(value) => Any::from(Array::<Any>::from([value.clone()])),
            EditValue::At(index) => self.place(1 - side, *index),
            EditValue::New(object) => with_stack(|| {
                let address = Arc::as_ptr(object).addr();
                if let Some(known) = self.written.get(&address) {
                    return known.clone();
                }
                let children = Array::<Any>::new(object.children.iter().map(|child| self.value(side, child)));
                let type_key = Any::from(Str::from(object.info.type_key));
                let any = Any::from(Array::<Any>::from([type_key, Any::from(children)]));
                self.written.insert(address, any.clone());
                any
            }),
        }
    }
}

/// A script that is being loaded.
struct Loader<'t> {
    reader: JsonReader<'t>,
    /// The number of places of each side, with the root.
    counts: [usize; 2],
    /// The new objects in the values of each side.
    made: [AddressTable<Arc<NewObject>>; 2],
}

fn malformed(expected: &str, found: AnyView<'_>) -> Error {
    Error::new(ErrorKind::Malformed, format!("expected {expected} of an edit script, got a `{}`", found.type_key()))
}

fn array<'a>(value: AnyView<'a>, expected: &str) -> Result<ArrayView<'a>> {
    value.as_object().and_then(ObjectView::as_array).ok_or_else(|| malformed(expected, value))
}

fn index(value: AnyView<'_>) -> Result<usize> {
    let number = if let AnyView::Int(number) = value { usize::try_from(number).ok() } else { None };
    number.ok_or_else(|| malformed("an index", value))
}

fn item(items: ArrayView<'_>, at: usize) -> AnyView<'_> {
    items.get(at).unwrap_or_default()
}

fn key(value: AnyView<'_>) -> Result<PathKey> {
    if let AnyView::Int(value) = value {
        return Ok(PathKey::Int(value));
    }
    if let Some(text) = value.as_str() {
        return Ok(PathKey::Str(text.to_owned()));
    }
    let label = item(array(value, "a label")?, 0);
    let label = label.as_str().ok_or_else(|| malformed("a label", label))?.to_owned();
    Ok(PathKey::Other { type_key: "", label })
}

fn step(value: AnyView<'_>) -> Result<PlaceStep> {
    if let Some(name) = value.as_str() {
        return Ok(PlaceStep::Field(name.to_owned()));
    }
    if let AnyView::Int(_) = value {
        return Ok(PlaceStep::Item(index(value)?));
    }
    let entry = array(value, "a step")?;
    let (at, key) = (index(item(entry, 1))?, key(item(entry, 2))?);
    Ok(if index(item(entry, 0))? == 0 { PlaceStep::Key(at, key) } else { PlaceStep::Value(at, key) })
}

/// The places of a side. Each of them is an object of the script.
fn places(value: AnyView<'_>) -> Result<PlaceTree> {
    let mut tree = PlaceTree::default();
    tree.objects.push(ROOT);
    for place in array(value, "the places")?.iter() {
        let items = array(place, "a place")?;
        let (above, unit) = (index(item(items, 0))?, index(item(items, 1))?);
        if unit > items.len() - 2 {
            return Err(malformed("the unit of a place", place));
        }
        let mut node = *tree.objects.get(above).ok_or_else(|| malformed("an earlier place", place))?;
        for (count, value) in (1..).zip(items.iter().skip(2)) {
            node = tree.add(node, step(value)?, count == unit);
        }
        tree.objects.push(node);
    }
    Ok(tree)
}

fn slot(value: AnyView<'_>) -> Result<Slot> {
    match value.as_object().and_then(ObjectView::as_array) {
        _ if matches!(value, AnyView::None) => Ok(Slot::Root),
        Some(gap) if gap.len() == 1 => Ok(Slot::Gap(index(item(gap, 0))?)),
        _ => step(value).map(Slot::Child),
    }
}

impl Loader<'_> {
    fn script(&mut self, root: AnyView<'_>) -> Result<EditScript> {
        let map = root.as_object().and_then(ObjectView::as_map).ok_or_else(|| malformed("the map", root))?;
        let get = |key: &str| map.get(Any::from(Str::from(key)).view()).unwrap_or_default();
        if !matches!(get(FORMAT.0), AnyView::Int(version) if version == FORMAT.1) {
            return Err(malformed(&format!("the version {}", FORMAT.1), get(FORMAT.0)));
        }
        let sides = array(get("places"), "the places")?;
        let places = [places(item(sides, 0))?, places(item(sides, 1))?];
        self.counts = places.each_ref().map(|places| places.objects.len());
        let changes = array(get("changes"), "the changes")?.iter();
        let changes = changes.map(|change| self.change(change)).collect::<Result<Vec<_>>>()?;
        Ok(EditScript { places: places.map(Arc::new), changes, search_ended: false })
    }

    fn change(&mut self, value: AnyView<'_>) -> Result<Change> {
        let items = array(value, "a change")?;
        let role = *ROLES.get(index(item(items, 0))?).ok_or_else(|| malformed("a role", item(items, 0)))?;
        let owners = [self.object(0, item(items, 1))?, self.object(1, item(items, 4))?];
        let slots = [slot(item(items, 2))?, slot(item(items, 5))?];
        let mut child = |side: usize, at: usize| match item(items, at) {
            AnyView::None => Ok(None),
            value => self.value(side, value).map(Some),
        };
        Ok(Change { owners, slots, values: [child(0, 3)?, child(1, 6)?], role })
    }

    /// The index of an object of a side, by the number of its place.
    fn object(&self, side: usize, value: AnyView<'_>) -> Result<u32> {
        let place = index(value)?;
        let index = u32::try_from(place).ok().filter(|_| place < self.counts[side]);
        index.ok_or_else(|| malformed("the number of a place", value))
    }

    /// A value of a side, which refers to objects of the other side.
    fn value(&mut self, side: usize, value: AnyView<'_>) -> Result<EditValue> {
        if let AnyView::Int(_) = value {
            return Ok(EditValue::At(self.object(1 - side, value)?));
        }
        let items = array(value, "a value")?;
        if items.len() == 1 {
            return Ok(EditValue::Whole(item(items, 0).to_any()));
        }
        let address = value.as_object().map_or(0, ObjectView::address);
        if let Some(known) = self.made[side].get(&address) {
            return Ok(EditValue::New(known.clone()));
        }
        let type_key = item(items, 0).as_str().ok_or_else(|| malformed("a type key", item(items, 0)))?;
        let info = self.reader.type_info(type_key)?;
        let children = array(item(items, 1), "children")?;
        let is_right = match info.body {
            Body::Array => true,
            Body::Map => children.len().is_multiple_of(2),
            _ => children.len() == info.fields().len(),
        };
        if !is_right {
            return Err(malformed("all children", value));
        }
        let children = with_stack(|| children.iter().map(|child| self.value(side, child)).collect::<Result<Vec<_>>>())?;
        let object = Arc::new(NewObject { info, children });
        self.made[side].insert(address, object.clone());
        Ok(EditValue::New(object))
    }
}
