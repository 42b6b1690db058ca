//! [`EditScript::apply`].

use std::ops::Range;
use std::sync::Arc;

use crate::container::{entries_of, sequence_of};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::Children;
use crate::object::{Any, AnyView, Body, FieldType, ObjectBuilder, ObjectRef, ObjectView, TypeInfo};
use crate::stack_budget::with_stack;
use crate::table::{AddressSet, AddressTable, Set};

use super::equal_objects::EqualObjects;
use super::place_step::{PlaceStep, child};
use super::place_tree::PlaceTree;
use super::script::{Change, EditScript, EditValue, NewObject, Slot, place_in};

impl EditScript {
    /// The value that the changes make of `value`. It shares with `value` all objects that do not change. A variable that
    /// changes is a new variable, at all its uses.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference), with the path, if `value` does not have what the script changes: it is not the
    /// value from which the script was made, and differs from it where the script has changes. [`Cycle`](ErrorKind::Cycle) if
    /// the script makes an object a part of itself, which no script of [`edits`](super::edits) does. The errors of fields
    /// that reject a value.
    pub fn apply<T: FieldType>(&self, value: &T) -> Result<T> {
        let root = value.clone().into_any();
        apply_all(root.view(), &[self], true)?.cast()
    }
}

/// The value that the changes of all scripts make of `root`. No two scripts change the same place. Unless `checks`, the caller
/// knows that the scripts were made from `root`.
///
/// # Errors
/// As [`EditScript::apply`].
pub(super) fn apply_all(root: AnyView<'_>, scripts: &[&EditScript], checks: bool) -> Result<Any> {
    Ok(applied(root, scripts, checks)?.value)
}

/// A value after the changes of scripts.
pub(super) struct Applied<'a> {
    pub(super) value: Any,
    /// The variables and `dag` nodes that changed, with the objects in their places.
    pub(super) changed: Vec<(ObjectView<'a>, ObjectRef)>,
}

/// As [`apply_all`], with the variables and `dag` nodes that changed.
///
/// # Errors
/// As [`EditScript::apply`].
pub(super) fn applied<'a>(root: AnyView<'a>, scripts: &[&EditScript], checks: bool) -> Result<Applied<'a>> {
    let mut rebuild = Rebuild::of(root, scripts, checks)?;
    let value = rebuild.root(root)?;
    Ok(Applied { value, changed: rebuild.changed })
}

/// The value that the changes of one script make of `root`, from which it was made. The `equal` objects are equal to others in
/// the other value of the script, so that no tree below them changes. `None` if a variable or a `dag` node below them may
/// change.
pub(super) fn apply_around<'a>(
    root: AnyView<'a>,
    script: &EditScript,
    equal: &EqualObjects<'_, 'a>,
) -> Option<Applied<'a>> {
    let mut rebuild = Rebuild::of(root, &[script], false).ok()?;
    rebuild.equal = Some(equal);
    let value = rebuild.root(root).ok()?;
    let has_changed = |owner: &usize| matches!(rebuild.rebuilt.get(owner), Some(Some(_)));
    // All other references to a variable that changes may come from objects that are taken for equal.
    let is_complete = |(object, _): &(ObjectView<'a>, ObjectRef)| {
        let references = rebuild.references.get(&object.address()).copied().unwrap_or_default();
        root.is_object(*object) || references == object.use_count() as usize
    };
    let is_complete = rebuild.owners.keys().all(has_changed) && rebuild.changed.iter().all(is_complete);
    is_complete.then_some(Applied { value, changed: rebuild.changed })
}

/// A change of a script, and the places of the script.
#[derive(Clone, Copy)]
struct Located<'s> {
    script: usize,
    change: &'s Change,
    places: &'s Arc<PlaceTree>,
}

impl Located<'_> {
    /// Checks that the value before the change is the present one. `seen` has the pairs of earlier checks.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) if it is not.
    fn check(&self, present: Option<AnyView<'_>>, seen: &mut Seen) -> Result<()> {
        let fits = match (&self.change.values[0], present) {
            (None, None) => true,
            (Some(expected), Some(present)) => fits(expected, present, seen),
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.misfit(present)) }
    }

    fn misfit(&self, present: Option<AnyView<'_>>) -> Error {
        let expected = match &self.change.values[0] {
            Some(EditValue::Whole(value)) => format!("a value as {}", crate::brief_to(&value.to_string(), 80)),
            Some(EditValue::New(object)) => format!("a `{}`", object.info.type_key),
            Some(EditValue::At(_)) => "an object".to_owned(),
            None => "no value".to_owned(),
        };
        let found = present
            .map_or_else(|| "none".to_owned(), |value| crate::brief_to(&value.to_any().to_string(), 80).to_string());
        let message = format!(
            "the edits do not fit: they change {expected}, and the value is {found}; apply them to the value from which they were made"
        );
        Error::new(ErrorKind::BadReference, message).at(place_in(self.places, self.change, 0).path())
    }
}

/// The addresses of descriptions and of the objects that were compared with them.
type Seen = Set<(usize, usize)>;

/// Whether a value can be the one that a description says, as far as the description goes without the other value.
fn fits(expected: &EditValue, present: AnyView<'_>, seen: &mut Seen) -> bool {
    let mut rest = vec![(expected, present)];
    while let Some((expected, present)) = rest.pop() {
        match (expected, present) {
            (EditValue::Whole(value), present) => {
                if let (Any::Object(expected), AnyView::Object(present)) = (value, present)
                    && (expected.view().ptr_eq(present) || !seen.insert((expected.view().address(), present.address())))
                {
                    continue;
                }
                if !crate::StructuralOptions::new().map_free_vars(true).equal_leniently(value, &present) {
                    return false;
                }
            }
            (EditValue::At(_), AnyView::Object(_)) => {}
            (EditValue::New(object), AnyView::Object(present)) => {
                if !std::ptr::eq(object.info, present.type_info()) || child(present, object.children.len()).is_some() {
                    return false;
                }
                if !seen.insert((Arc::as_ptr(object).addr(), present.address())) {
                    continue;
                }
                for (number, expected) in object.children.iter().enumerate() {
                    let Some(present) = child(present, number) else { return false };
                    rest.push((expected, present));
                }
            }
            _ => return false,
        }
    }
    true
}

fn bad_index(index: u32) -> Error {
    Error::new(ErrorKind::BadReference, format!("the edits have no place {index}"))
}

/// The application of scripts in progress.
struct Rebuild<'s, 'a> {
    /// Whether the values before the changes are compared with the present ones.
    checks: bool,
    /// The pairs of these comparisons, so that all together visit each description once.
    seen: Seen,
    /// The changes of the objects that change.
    owners: AddressTable<Vec<Located<'s>>>,
    /// The objects to which each script refers.
    places: Vec<Vec<ObjectView<'a>>>,
    /// The addresses of the objects in `places`.
    referred: AddressSet,
    /// The new root, if a script replaces it.
    new_root: Option<(usize, &'s EditValue)>,
    /// The results for objects: `None` while the result is not known.
    rebuilt: AddressTable<Option<ObjectRef>>,
    /// The new objects, by the addresses of their descriptions.
    made: AddressTable<Any>,
    /// The objects in which nothing changes.
    equal: Option<&'s EqualObjects<'s, 'a>>,
    /// The variables and `dag` nodes that changed, with their results, and the number of references to each variable and `dag`
    /// node so far.
    changed: Vec<(ObjectView<'a>, ObjectRef)>,
    references: AddressTable<usize>,
}

impl<'s, 'a> Rebuild<'s, 'a> {
    /// The application of scripts to `root`.
    fn of(root: AnyView<'a>, scripts: &[&'s EditScript], checks: bool) -> Result<Self> {
        let mut owners: AddressTable<Vec<Located<'s>>> = AddressTable::default();
        let mut places = Vec::new();
        let (mut new_root, mut seen) = (None, Seen::default());
        for (script, edit) in scripts.iter().enumerate() {
            let objects = edit.places[0].find(root)?;
            for change in &edit.changes {
                let located = Located { script, change, places: &edit.places[0] };
                if change.slots[0] == Slot::Root {
                    if checks {
                        located.check(Some(root), &mut seen)?;
                    }
                    new_root = change.values[1].as_ref().map(|value| (script, value));
                    continue;
                }
                let owner = objects.get(change.owners[0] as usize).ok_or_else(|| bad_index(change.owners[0]))?;
                owners.entry(owner.address()).or_default().push(located);
            }
            places.push(objects);
        }
        let referred = places.iter().flatten().map(|object| object.address()).collect();
        let (rebuilt, made) = (AddressTable::default(), AddressTable::default());
        let (equal, changed, references) = (None, Vec::new(), AddressTable::default());
        Ok(Rebuild { checks, seen, owners, places, referred, new_root, rebuilt, made, equal, changed, references })
    }

    /// The result for the root.
    fn root(&mut self, root: AnyView<'a>) -> Result<Any> {
        match self.new_root {
            Some((script, value)) => self.value(script, value),
            None => self.child(root),
        }
    }

    /// The result for a child: the child itself if nothing changes in it.
    fn child(&mut self, value: AnyView<'a>) -> Result<Any> {
        match value {
            AnyView::Object(object) if self.is_unchanged(object) => Ok(value.to_any()),
            AnyView::Object(object) => {
                self.count(object);
                with_stack(|| self.object(object)).map(Any::Object)
            }
            plain => Ok(plain.to_any()),
        }
    }

    /// Counts a reference.
    fn count(&mut self, object: ObjectView<'a>) {
        if self.equal.is_some() && object.is_identified() {
            *self.references.entry(object.address()).or_default() += 1;
        }
    }

    /// Whether the caller knows that nothing changes in an object.
    fn is_unchanged(&self, object: ObjectView<'a>) -> bool {
        self.equal.is_some_and(|equal| equal.contains(object)) && !self.owners.contains_key(&object.address())
    }

    /// The elements of an array of which the caller knows that nothing changes in them.
    fn equal_elements(&self, object: ObjectView<'a>) -> Vec<Range<usize>> {
        self.equal.map_or_else(Vec::new, |equal| equal.elements(object))
    }

    fn object(&mut self, object: ObjectView<'a>) -> Result<ObjectRef> {
        if self.is_unchanged(object) {
            return Ok(object.to_object());
        }
        let changes = self.owners.get(&object.address()).cloned();
        let is_remembered = changes.is_some() || object.use_count() > 1 || self.referred.contains(&object.address());
        if is_remembered {
            match self.rebuilt.get(&object.address()) {
                Some(Some(known)) => return Ok(known.clone()),
                Some(None) => {
                    return Err(Error::new(ErrorKind::Cycle, "the edits make an object a part of itself"));
                }
                None => {}
            }
            self.rebuilt.insert(object.address(), None);
        }
        let result = match changes {
            Some(changes) => self.changed(object, &changes)?,
            None => self.with_children(object)?,
        };
        if object.is_identified() && !result.view().ptr_eq(object) {
            self.changed.push((object, result.clone()));
        }
        if is_remembered {
            self.rebuilt.insert(object.address(), Some(result.clone()));
        }
        Ok(result)
    }

    /// The result for an object that changes only below its children.
    fn with_children(&mut self, object: ObjectView<'a>) -> Result<ObjectRef> {
        let mut children = Children::of(object);
        let mut replaced: Vec<(usize, Any)> = Vec::new();
        let mut passed = self.equal_elements(object).into_iter();
        loop {
            children.pass(&mut passed);
            let Some((below, _)) = children.next_object() else { break };
            let number = children.last_number();
            if self.is_unchanged(below) {
                continue;
            }
            self.count(below);
            let result = with_stack(|| self.object(below))?;
            if !result.view().ptr_eq(below) {
                replaced.push((number, Any::Object(result)));
            }
        }
        if replaced.is_empty() {
            return Ok(object.to_object());
        }
        with_replaced(object, replaced)
    }

    /// The result for an object with changes.
    fn changed(&mut self, object: ObjectView<'a>, changes: &[Located<'s>]) -> Result<ObjectRef> {
        let mut at: std::collections::BTreeMap<usize, Located<'s>> = std::collections::BTreeMap::new();
        let mut gaps: Vec<(usize, usize, usize, Located<'s>)> = Vec::new();
        for located in changes {
            match &located.change.slots[0] {
                Slot::Child(step) => {
                    let number = step.number(object).ok_or_else(|| located.misfit(None))?;
                    if self.checks {
                        located.check(child(object, number), &mut self.seen)?;
                    }
                    at.insert(number, *located);
                }
                Slot::Gap(index) => {
                    let to = match &located.change.slots[1] {
                        Slot::Child(PlaceStep::Item(index)) => *index,
                        Slot::Child(PlaceStep::Key(entry, _)) => 2 * entry,
                        Slot::Child(PlaceStep::Value(entry, _)) => 2 * entry + 1,
                        _ => return Err(located.misfit(None)),
                    };
                    gaps.push((*index, located.script, to, *located));
                }
                Slot::Root => return Err(located.misfit(None)),
            }
        }
        gaps.sort_by_key(|(index, script, to, _)| (*index, *script, *to));
        let info = object.type_info();
        match info.body {
            Body::Array => Ok(container_of(info, self.list(object, &at, &gaps, 1)?)),
            Body::Map => Ok(container_of(info, self.list(object, &at, &gaps, 2)?)),
            _ => self.fields(object, &at),
        }
    }

    /// The children of an array or a map after its changes. An element has `width` children.
    fn list(
        &mut self,
        object: ObjectView<'a>,
        at: &std::collections::BTreeMap<usize, Located<'s>>,
        gaps: &[(usize, usize, usize, Located<'s>)],
        width: usize,
    ) -> Result<Vec<Any>> {
        let mut result = Vec::new();
        let mut gaps = gaps.iter().peekable();
        let mut equal = self.equal_elements(object).into_iter();
        let mut number = 0;
        loop {
            while equal.as_slice().first().is_some_and(|elements| elements.end <= number) {
                equal.next();
            }
            let is_equal = equal.as_slice().first().is_some_and(|elements| elements.contains(&number));
            let present = child(object, number);
            while let Some((_, _, _, located)) =
                gaps.next_if(|(index, ..)| index * width <= number || present.is_none())
            {
                if let Some(value) = &located.change.values[1] {
                    result.push(self.value(located.script, value)?);
                }
            }
            let Some(present) = present else { return Ok(result) };
            match at.get(&number) {
                None if is_equal => result.push(present.to_any()),
                None => result.push(self.child(present)?),
                Some(located) => {
                    if let Some(value) = &located.change.values[1] {
                        result.push(self.value(located.script, value)?);
                    }
                }
            }
            number += 1;
        }
    }

    fn fields(
        &mut self,
        object: ObjectView<'a>,
        at: &std::collections::BTreeMap<usize, Located<'s>>,
    ) -> Result<ObjectRef> {
        let mut builder = ObjectBuilder::from_object(object)?;
        for (number, (_, value)) in object.fields().enumerate() {
            let result = match at.get(&number) {
                Some(Located { script, change: Change { values: [_, Some(value)], .. }, .. }) => {
                    self.value(*script, value)?
                }
                _ => match value {
                    AnyView::Object(below) => {
                        let result = self.child(value)?;
                        if result.view().is_object(below) {
                            continue;
                        }
                        result
                    }
                    _ => continue,
                },
            };
            builder.set_index(number, result)?;
        }
        builder.build()
    }

    /// The value that a script describes.
    fn value(&mut self, script: usize, value: &EditValue) -> Result<Any> {
        match value {
            EditValue::Whole(value) => Ok(value.clone()),
            EditValue::At(index) => {
                let object = self.places[script].get(*index as usize).copied().ok_or_else(|| bad_index(*index))?;
                with_stack(|| self.object(object)).map(Any::Object)
            }
            EditValue::New(object) => with_stack(|| self.new_object(script, object)),
        }
    }

    fn new_object(&mut self, script: usize, object: &Arc<NewObject>) -> Result<Any> {
        let address = Arc::as_ptr(object).addr();
        if let Some(made) = self.made.get(&address) {
            return Ok(made.clone());
        }
        let children = object.children.iter().map(|child| self.value(script, child)).collect::<Result<Vec<_>>>()?;
        let made = Any::Object(match object.info.body {
            Body::Array | Body::Map => container_of(object.info, children),
            _ => {
                let mut builder = ObjectBuilder::new(object.info)?;
                for (number, child) in children.into_iter().enumerate() {
                    builder.set_index(number, child)?;
                }
                builder.build()?
            }
        });
        self.made.insert(address, made.clone());
        Ok(made)
    }
}

/// A copy of an object with other values for some of its children.
fn with_replaced(object: ObjectView<'_>, replaced: Vec<(usize, Any)>) -> Result<ObjectRef> {
    let info = object.type_info();
    if info.body == Body::Node {
        let mut builder = ObjectBuilder::from_object(object)?;
        for (number, value) in replaced {
            builder.set_index(number, value)?;
        }
        return builder.build();
    }
    let mut replaced = replaced.into_iter().peekable();
    let mut number = 0;
    let values = std::iter::from_fn(|| {
        let present = child(object, number)?;
        let value =
            replaced.next_if(|(index, _)| *index == number).map_or_else(|| present.to_any(), |(_, value)| value);
        number += 1;
        Some(value)
    });
    Ok(container_of(info, values.collect()))
}

/// The array of these elements, or the map of these keys and values in turn.
fn container_of(info: &'static TypeInfo, children: Vec<Any>) -> ObjectRef {
    if info.body == Body::Array {
        return sequence_of(info, children);
    }
    let mut children = children.into_iter();
    let pairs = std::iter::from_fn(|| Some((children.next()?, children.next()?)));
    entries_of(info, pairs.collect::<Vec<_>>())
}
