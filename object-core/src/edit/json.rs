//! [`EditScript::to_json`] and [`EditScript::from_json`]: scripts as JSON graphs of arrays and maps.
//!
//! A value is an array of one element if it is a whole value, a number if it is an object at a place, and an array of a type key
//! and of children if it is a new object. A step is a text for a field, a number for an element, and an array of a flag, an index
//! and a label for a key or value of a map.

use std::sync::Arc;

use crate::access_path::PathKey;
use crate::container::{Array, ArrayView, Map};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{self, JsonReader};
use crate::object::{Any, AnyView, Body, ObjectView};
use crate::stack_budget::with_stack;
use crate::table::AddressTable;
use crate::value::Str;

use super::place::{Place, PlaceStep};
use super::script::{Change, ChangeRole, EditScript, EditValue, NewObject, Slot};

/// The key of the version of the format, and the version.
const FORMAT: (&str, i64) = ("edits", 1);

const ROLES: [ChangeRole; 3] = [ChangeRole::Part, ChangeRole::Name, ChangeRole::Unit];

impl EditScript {
    /// The script as text.
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
        let mut written = AddressTable::default();
        let places = self.places.each_ref().map(|places| Any::from(Array::<Any>::new(places.iter().map(place_to_any))));
        let changes = self.changes.iter().map(|change| change_to_any(change, &mut written));
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
        Loader { reader, made: AddressTable::default() }.script(graph.root.view())
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

fn place_to_any(place: &Place) -> Any {
    let steps = place.steps.iter().map(step_to_any);
    Any::from(Array::<Any>::new(std::iter::once(Any::from(place.unit as i64)).chain(steps)))
}

fn change_to_any(change: &Change, written: &mut AddressTable<Any>) -> Any {
    let slot = |slot: &Slot| match slot {
        Slot::Child(step) => step_to_any(step),
        Slot::Gap(index) => Any::from(Array::from([*index as i64])),
        Slot::Root => Any::None,
    };
    let role = ROLES.iter().position(|role| *role == change.role).unwrap_or_default();
    let [from, to] = change.owners.map(|owner| Any::from(i64::from(owner)));
    let [before, after] = change.slots.each_ref().map(slot);
    let [old, new] =
        change.values.each_ref().map(|value| value.as_ref().map_or(Any::None, |value| value_to_any(value, written)));
    Any::from(Array::<Any>::from([Any::from(role as i64), from, before, old, to, after, new]))
}

fn value_to_any(value: &EditValue, written: &mut AddressTable<Any>) -> Any {
    match value {
        EditValue::Whole(value) => Any::from(Array::<Any>::from([value.clone()])),
        EditValue::At(index) => Any::from(i64::from(*index)),
        EditValue::New(object) => with_stack(|| {
            let address = Arc::as_ptr(object).addr();
            if let Some(known) = written.get(&address) {
                return known.clone();
            }
            let children = Array::<Any>::new(object.children.iter().map(|child| value_to_any(child, written)));
            let any = Any::from(Array::<Any>::from([Any::from(Str::from(object.info.type_key)), Any::from(children)]));
            written.insert(address, any.clone());
            any
        }),
    }
}

/// A script that is being loaded.
struct Loader<'t> {
    reader: JsonReader<'t>,
    made: AddressTable<Arc<NewObject>>,
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

fn number(value: AnyView<'_>) -> Result<u32> {
    u32::try_from(index(value)?).map_err(|_| malformed("an index", value))
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

fn place(value: AnyView<'_>) -> Result<Place> {
    let mut items = array(value, "a place")?.iter();
    let unit = index(items.next().unwrap_or_default())?;
    let steps = items.map(step).collect::<Result<Vec<_>>>()?;
    if unit > steps.len() {
        return Err(malformed("the unit of a place", value));
    }
    Ok(Place { steps, unit })
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
            return Err(malformed("the version 1", get(FORMAT.0)));
        }
        let sides = array(get("places"), "the places")?;
        let side = |side: usize| array(item(sides, side), "the places")?.iter().map(place).collect::<Result<Vec<_>>>();
        let places = [side(0)?, side(1)?];
        let changes = array(get("changes"), "the changes")?.iter();
        let changes = changes.map(|change| self.change(change)).collect::<Result<Vec<_>>>()?;
        Ok(EditScript { places, changes, search_ended: false })
    }

    fn change(&mut self, value: AnyView<'_>) -> Result<Change> {
        let items = array(value, "a change")?;
        let role = *ROLES.get(index(item(items, 0))?).ok_or_else(|| malformed("a role", item(items, 0)))?;
        let owners = [number(item(items, 1))?, number(item(items, 4))?];
        let slots = [slot(item(items, 2))?, slot(item(items, 5))?];
        let mut child = |at: usize| match item(items, at) {
            AnyView::None => Ok(None),
            value => self.value(value).map(Some),
        };
        Ok(Change { owners, slots, values: [child(3)?, child(6)?], role })
    }

    fn value(&mut self, value: AnyView<'_>) -> Result<EditValue> {
        if let AnyView::Int(_) = value {
            return Ok(EditValue::At(number(value)?));
        }
        let items = array(value, "a value")?;
        if items.len() == 1 {
            return Ok(EditValue::Whole(item(items, 0).to_any()));
        }
        let address = value.as_object().map_or(0, ObjectView::address);
        if let Some(known) = self.made.get(&address) {
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
        let children = with_stack(|| children.iter().map(|child| self.value(child)).collect::<Result<Vec<_>>>())?;
        let object = Arc::new(NewObject { info, children });
        self.made.insert(address, object.clone());
        Ok(EditValue::New(object))
    }
}
