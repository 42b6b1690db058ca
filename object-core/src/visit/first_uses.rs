//! [`first_uses`]: the order in which an object first uses its free variables.
//!
//! The sets of variables have no order, so a walk finds it: it follows a set of wanted variables to the children that
//! use them first, and each child takes its part of the set. The walk ends at sets of one variable.
//!
//! The walk can reach an object many times, each time with other variables. From the second time on, it must not look at
//! all children of a wide object, nor go through a chain of objects step by step. A tree over the children finds the ones
//! that use a wanted variable. The *main* child of an object is the one in which most variables have their first use.
//! Along the main children, jumps of growing length pass the objects at which the set does not split (Myers, "An
//! applicative random-access stack", 1983).

use std::rc::Rc;

use crate::object::{DefRegionKind, ObjectView};
use crate::persistent_map::{MapId, PersistentMaps};
use crate::table::Table;
use crate::visit::variable_children::VariableChildren;
use crate::visit::variable_sets::VariableSets;

/// The variables that `root` uses where they are not bound, in the order of their first such use.
pub(super) fn first_uses<'a>(root: ObjectView<'a>, sets: &mut VariableSets<'a, '_>) -> Vec<ObjectView<'a>> {
    let wanted = sets.effect(root, DefRegionKind::None).uses;
    let mut walk = FirstUses { sets, links: Table::default(), reached: Table::default(), found: Vec::new() };
    walk.run((root, DefRegionKind::None), wanted);
    walk.found
}

/// An object in a region.
type Place<'a> = (ObjectView<'a>, DefRegionKind);

struct FirstUses<'a, 's, 'w> {
    sets: &'w mut VariableSets<'a, 's>,
    links: Table<(usize, DefRegionKind), Rc<Links<'a>>>,
    /// The places that the walk has reached.
    reached: Table<(usize, DefRegionKind), ()>,
    found: Vec<ObjectView<'a>>,
}

/// The children that use variables.
enum Parts<'a> {
    /// At the first time.
    Rest(VariableChildren<'a>),
    Linked(Rc<Links<'a>>),
}

/// The children of an object that use variables.
struct Links<'a> {
    children: Vec<Place<'a>>,
    /// The variables that the children use, as a binary tree: node `n` has the parts `2 * n` and `2 * n + 1`, the root is
    /// node 1, and the second half of the nodes are the children.
    used: Vec<MapId>,
    main: Option<Link<'a>>,
    jump: Option<Link<'a>>,
    /// The number of objects down the main children.
    length: u32,
}

/// A place further down, and the variables whose first use in the object is there.
#[derive(Clone, Copy)]
struct Link<'a> {
    place: Place<'a>,
    vars: MapId,
}

impl<'a> FirstUses<'a, '_, '_> {
    fn run(&mut self, root: Place<'a>, wanted: MapId) {
        let mut stack = Vec::new();
        stack.extend(self.reach(root, wanted));
        while let Some((parts, wanted)) = stack.last_mut() {
            let next = match parts {
                _ if wanted.is_empty() => None,
                Parts::Rest(children) => children.next(),
                Parts::Linked(links) => links.first_user(*wanted, self.sets.maps()),
            };
            let Some(child) = next else {
                // Only the object itself is left, if it is a variable: it follows the variables in its fields.
                self.found.extend(self.sets.vars(*wanted));
                stack.pop();
                continue;
            };
            let uses = self.sets.known(child.0, child.1).uses;
            let maps = self.sets.maps();
            let here = maps.restrict(*wanted, uses);
            *wanted = maps.without(*wanted, here);
            let below = self.reach(child, here);
            stack.extend(below);
        }
    }

    /// Takes the variables `wanted`, which the object at `place` uses: one variable is found, and more are wanted in the
    /// returned parts.
    fn reach(&mut self, place: Place<'a>, wanted: MapId) -> Option<(Parts<'a>, MapId)> {
        if wanted.is_empty() || self.sets.maps().only_key(wanted).is_some() {
            self.found.extend(self.sets.vars(wanted));
            return None;
        }
        if self.reached.insert(key(place), ()).is_none() {
            return Some((Parts::Rest(self.sets.children(place.0, place.1)), wanted));
        }
        let mut links = self.links(place);
        let maps = self.sets.maps();
        let mut is_passed = |link: &&Link<'a>| maps.restrict(wanted, link.vars) == wanted;
        while let Some(link) = links.jump.as_ref().filter(&mut is_passed).or(links.main.as_ref().filter(&mut is_passed))
        {
            // The links of an object include the links of everything down its main children.
            links = self.links[&key(link.place)].clone();
        }
        Some((Parts::Linked(links), wanted))
    }

    /// The links of the object at `place`, and as a by-product of everything down its main children.
    fn links(&mut self, place: Place<'a>) -> Rc<Links<'a>> {
        let (mut new, mut next) = (Vec::new(), Some(place));
        while let Some(place) = next.filter(|place| !self.links.contains_key(&key(*place))) {
            let links = self.children_of(place);
            next = links.main.map(|main| main.place);
            new.push((place, links));
        }
        for (place, mut links) in new.into_iter().rev() {
            if let Some(main) = links.main {
                let below = &self.links[&key(main.place)];
                links.length = below.length + 1;
                links.jump = Some(main);
                if let Some(second) = below.jump {
                    let middle = &self.links[&key(second.place)];
                    if let Some(third) = middle.jump
                        && below.length - middle.length == middle.length - self.links[&key(third.place)].length
                    {
                        let maps = self.sets.maps();
                        let vars = maps.restrict(main.vars, second.vars);
                        links.jump = Some(Link { place: third.place, vars: maps.restrict(vars, third.vars) });
                    }
                }
            }
            self.links.insert(key(place), Rc::new(links));
        }
        self.links[&key(place)].clone()
    }

    /// The links of the object at `place`, without the jump.
    fn children_of(&mut self, place: Place<'a>) -> Links<'a> {
        let mut children: Vec<Place<'a>> = self.sets.children(place.0, place.1).collect();
        children.retain(|(child, region)| !self.sets.known(*child, *region).uses.is_empty());
        let first_child = children.len().next_power_of_two();
        let mut used = vec![MapId::EMPTY; 2 * first_child];
        for ((child, region), used) in children.iter().zip(&mut used[first_child..]) {
            *used = self.sets.known(*child, *region).uses;
        }
        let maps = self.sets.maps();
        let (mut main, mut most, mut before) = (None, 0, MapId::EMPTY);
        for (child, uses) in children.iter().zip(&used[first_child..]) {
            let vars = maps.without(*uses, before);
            before = maps.union(before, *uses);
            if maps.len(vars) > most {
                most = maps.len(vars);
                main = Some(Link { place: *child, vars });
            }
        }
        for node in (1..first_child).rev() {
            used[node] = maps.union(used[2 * node], used[2 * node + 1]);
        }
        Links { children, used, main, jump: None, length: 0 }
    }
}

impl<'a> Links<'a> {
    /// The first child that uses one of the variables `wanted`.
    fn first_user(&self, wanted: MapId, maps: &mut PersistentMaps) -> Option<Place<'a>> {
        let first_child = self.used.len() / 2;
        let mut node = 1;
        let mut uses_wanted = |node: usize| !maps.restrict(wanted, self.used[node]).is_empty();
        if self.children.is_empty() || !uses_wanted(node) {
            return None;
        }
        while node < first_child {
            node = if uses_wanted(2 * node) { 2 * node } else { 2 * node + 1 };
        }
        self.children.get(node - first_child).copied()
    }
}

fn key(place: Place<'_>) -> (usize, DefRegionKind) {
    (place.0.address(), place.1)
}
