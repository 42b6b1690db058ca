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

/// An object at which a walk begins, with the node of its place.
type Start<'a> = (u32, ObjectView<'a>);

/// The children of an object that a walk has not reached yet, the equal elements that it passes, and whether the object is wanted.
type Frame<'a> = (Children<'a>, std::vec::IntoIter<Range<usize>>, bool);

/// A search for places of objects.
pub(super) struct PlaceSearch<'s, 'a> {
    /// The addresses of the objects, with the index of the place of each in the result. The objects that have changes are among
    /// them.
    pub(super) wanted: &'s AddressTable<u32>,
    /// The slots that changes replace or remove. A reader sees a change at the place of its object, so a place is outside of these
    /// slots if the object has such a place.
    pub(super) slots: &'s ChangedSlots,
    /// Objects that have no wanted object below them, except as the only place of it.
    pub(super) skipped: &'s EqualObjects<'s, 'a>,
}

impl<'a> PlaceSearch<'_, 'a> {
    /// A place of each object, the first one where the search has no reason for another.
    pub(super) fn find(&self, root: AnyView<'a>) -> PlaceTree {
        let mut places = FoundPlaces { found: vec![None; self.wanted.len()], ..FoundPlaces::default() };
        let start: Vec<Start<'a>> = root.as_object().map(|root| (ROOT, root)).into_iter().collect();
        let (no_slots, mut seen) = (ChangedSlots::default(), AddressSet::default());
        let changed = self.walk(&start, self.slots, (Some(self.skipped), &mut seen), &mut places);
        self.walk(&changed, &no_slots, (Some(self.skipped), &mut seen), &mut places);
        self.walk(&start, &no_slots, (None, &mut AddressSet::default()), &mut places);
        places.tree()
    }

    /// Adds the first places of the objects that have none yet, outside of the given slots and objects. The walk ends when it has
    /// found all. Returns the objects in the slots.
    fn walk(
        &self,
        starts: &[Start<'a>],
        slots: &ChangedSlots,
        (skipped, seen): (Option<&EqualObjects<'_, 'a>>, &mut AddressSet),
        places: &mut FoundPlaces<'a>,
    ) -> Vec<Start<'a>> {
        let mut in_slots = Vec::new();
        let mut left = places.found.iter().filter(|place| place.is_none()).count();
        for &(start, object) in starts {
            // The objects around the next one.
            let mut stack: Vec<Frame<'a>> = Vec::new();
            // The nodes of the places of the children at which the first entries of the stack are.
            let mut nodes = vec![start];
            let mut next = Some(object);
            while left > 0 {
                if let Some(object) = next
                    && (object.use_count() == 1 || seen.insert(object.address()))
                {
                    let index = self.wanted.get(&object.address()).map(|index| *index as usize);
                    if let Some(index) = index.filter(|index| places.found[*index].is_none()) {
                        places.found[index] = Some(places.node(&mut nodes, &stack));
                        left -= 1;
                    }
                    if !skipped.is_some_and(|skipped| skipped.contains(object)) {
                        let passed = skipped.map_or_else(Vec::new, |skipped| skipped.elements(object));
                        stack.push((Children::of(object), passed.into_iter(), index.is_some()));
                    }
                }
                nodes.truncate(stack.len());
                let Some((top, passed, is_wanted)) = stack.last_mut() else { break };
                top.pass(passed);
                next = top.next_object().map(|(child, _)| child);
                match next {
                    None => {
                        stack.pop();
                    }
                    Some(child) if *is_wanted && slots.contains(&(top.object().address(), top.last_number())) => {
                        in_slots.push((places.node(&mut nodes, &stack), child));
                        next = None;
                    }
                    Some(_) => {}
                }
            }
        }
        in_slots
    }
}

/// The places that a search has found.
#[derive(Default)]
struct FoundPlaces<'a> {
    /// The node with the number `n + 1`: the node above, the object there, and the number of its child. The root has none.
    nodes: Vec<(u32, ObjectView<'a>, usize)>,
    /// The nodes, by the node above and the number of the child.
    below: Table<(u32, usize), u32>,
    /// The nodes of the wanted objects.
    found: Vec<Option<u32>>,
}

impl<'a> FoundPlaces<'a> {
    /// The node of the last child that the last object of `stack` returned. `nodes` has the node of the first object, and the nodes
    /// of the last children of the first objects.
    fn node(&mut self, nodes: &mut Vec<u32>, stack: &[Frame<'a>]) -> u32 {
        for (children, ..) in &stack[nodes.len() - 1..] {
            let (above, number) = (nodes.last().copied().unwrap_or(ROOT), children.last_number());
            nodes.push(*self.below.entry((above, number)).or_insert_with(|| {
                self.nodes.push((above, children.object(), number));
                self.nodes.len() as u32
            }));
        }
        nodes.last().copied().unwrap_or(ROOT)
    }

    /// The tree of the places of the wanted objects.
    fn tree(self) -> PlaceTree {
        let mut is_needed = vec![false; self.nodes.len() + 1];
        self.found.iter().flatten().for_each(|node| is_needed[*node as usize] = true);
        for (index, (above, ..)) in self.nodes.iter().enumerate().rev() {
            is_needed[*above as usize] |= is_needed[index + 1];
        }
        let mut tree = PlaceTree::default();
        let mut numbers = vec![ROOT];
        for ((above, object, number), is_needed) in self.nodes.into_iter().zip(&is_needed[1..]) {
            let above = numbers[above as usize];
            let step = PlaceStep::to_child(object, number).filter(|_| *is_needed);
            numbers.push(step.map_or(above, |step| tree.add(above, step, is_unit(object, number))));
        }
        tree.objects = self.found.into_iter().map(|node| node.map_or(ROOT, |node| numbers[node as usize])).collect();
        tree
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
