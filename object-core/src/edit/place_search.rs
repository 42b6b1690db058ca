//! [`PlaceSearch`]: the search for the places of objects.

use std::ops::Range;

use crate::graph::Children;
use crate::object::{AnyView, Body, ComputedValues, FieldRole, HookContents, ObjectView};
use crate::table::{AddressSet, AddressTable, Set, Table};

use super::equal_objects::EqualObjects;
use super::place_step::PlaceStep;
use super::place_tree::{PlaceTree, ROOT};

/// The slots of objects that changes replace or remove, by the address of the object and the number of the child.
pub(super) type ChangedSlots = Set<(usize, usize)>;

/// A search for places of objects.
pub(super) struct PlaceSearch<'s, 'a> {
    /// The addresses of the objects, with the index of the place of each in the result.
    pub(super) wanted: &'s AddressTable<u32>,
    /// The objects that have changes. A reader sees a change at the place of its object, so the place is outside of the changed
    /// slots if the object has such a place.
    pub(super) changed: &'s Set<u32>,
    /// The slots that changes replace or remove.
    pub(super) slots: &'s ChangedSlots,
    /// Objects that have no wanted object below them, except as the only place of it.
    pub(super) skipped: &'s EqualObjects<'s, 'a>,
}

impl<'a> PlaceSearch<'_, 'a> {
    /// A place of each object, the first one where the search has no reason for another.
    pub(super) fn find(&self, root: AnyView<'a>) -> PlaceTree {
        let found = vec![None; self.wanted.len()];
        let mut places = FoundPlaces { tree: PlaceTree::default(), below: Table::default(), found };
        let (all, changed) = ((0..self.wanted.len() as u32).collect(), self.changed);
        let no_slots = ChangedSlots::default();
        if !self.slots.is_empty() {
            self.walk(root, changed, self.slots, Some(self.skipped), &mut places);
        }
        self.walk(root, &all, &no_slots, Some(self.skipped), &mut places);
        self.walk(root, &all, &no_slots, None, &mut places);
        places.tree.objects = places.found.into_iter().map(|node| node.unwrap_or(ROOT)).collect();
        places.tree
    }

    /// Adds the first places of `objects` that have none yet, outside of the given slots and objects. The walk from the root ends
    /// when it has found all.
    fn walk(
        &self,
        root: AnyView<'a>,
        objects: &Set<u32>,
        slots: &ChangedSlots,
        skipped: Option<&EqualObjects<'_, 'a>>,
        places: &mut FoundPlaces,
    ) {
        let is_open = |index: &u32| places.found.get(*index as usize).is_some_and(Option::is_none);
        let mut left = objects.iter().filter(|index| is_open(index)).count();
        let mut seen = AddressSet::default();
        let mut stack: Vec<(Children<'_>, std::vec::IntoIter<Range<usize>>)> = Vec::new();
        // The nodes of the places of the children at which the first entries of the stack are.
        let mut nodes: Vec<u32> = Vec::new();
        let mut next = root.as_object();
        while left > 0 {
            if let Some(object) = next {
                let is_new = object.use_count() == 1 || seen.insert(object.address());
                if is_new {
                    if let Some(index) = self.wanted.get(&object.address())
                        && objects.contains(index)
                        && places.found[*index as usize].is_none()
                    {
                        for (children, _) in &stack[nodes.len()..] {
                            nodes.push(places.node_below(nodes.last().copied().unwrap_or(ROOT), children));
                        }
                        places.found[*index as usize] = Some(nodes.last().copied().unwrap_or(ROOT));
                        left -= 1;
                    }
                    if !skipped.is_some_and(|skipped| skipped.contains(object)) {
                        let passed = skipped.map_or_else(Vec::new, |skipped| skipped.elements(object));
                        stack.push((Children::of(object), passed.into_iter()));
                    }
                }
            }
            let Some((top, passed)) = stack.last_mut() else { return };
            top.pass(passed);
            next = top.next_object().map(|(child, _)| child);
            if next.is_none() {
                stack.pop();
            } else if !slots.is_empty() && slots.contains(&(top.object().address(), top.last_number())) {
                next = None;
            }
            nodes.truncate(stack.len().saturating_sub(1));
        }
    }
}

/// The places that a search has found.
struct FoundPlaces {
    tree: PlaceTree,
    /// The nodes of the tree, by the node above and the number of the child.
    below: Table<(u32, usize), u32>,
    /// The nodes of the wanted objects.
    found: Vec<Option<u32>>,
}

impl FoundPlaces {
    /// The node of the last child that `children` returned, below the node of the object.
    fn node_below(&mut self, above: u32, children: &Children<'_>) -> u32 {
        let number = children.last_number();
        let tree = &mut self.tree;
        *self.below.entry((above, number)).or_insert_with(|| match PlaceStep::to_child(children.object(), number) {
            Some(step) => tree.add(above, step, is_unit(children.object(), number)),
            None => above,
        })
    }
}

/// The number of elements of an array among which a search looks for one with definitions.
const SEARCHED: usize = 16;

/// Whether a child of an object is a unit of a program, which a reader counts as one: the value of an entry of a map, such as a
/// function of a module; or an element of an array of statements, which define variables.
pub(super) fn is_unit(owner: ObjectView<'_>, number: usize) -> bool {
    match owner.type_info().body {
        Body::Map => !number.is_multiple_of(2),
        Body::Array => owner.as_array().is_some_and(|array| {
            let near = array.iter().skip(number.saturating_sub(SEARCHED / 2)).take(SEARCHED);
            near.filter_map(AnyView::as_object).any(defines)
        }),
        _ => false,
    }
}

/// Whether an object has a field that binds variables.
fn defines(object: ObjectView<'_>) -> bool {
    let is_def = |role| matches!(role, FieldRole::Def | FieldRole::DefSimple);
    let info = object.type_info();
    let Some(hooks) = info.hooks else { return info.fields().iter().any(|field| is_def(field.meta().role)) };
    let computed = ComputedValues::default();
    let contents = HookContents::of(object, hooks, computed.end());
    contents.values.iter().any(|listed| is_def(listed.role))
}
