//! [`share_parts`]: the walk that replaces each object in a value by its representative, children before parents.

use crate::access_path::AccessPath;
use crate::error::Result;
use crate::graph::{Children, with_changes};
use crate::object::{Any, AnyView, CompareRule, FieldRole, ObjectRef, ObjectView};
use crate::repr::path_step;
use crate::structural::map_order::is_plain;
use crate::structural::not_comparable::not_comparable;
use crate::structural::tables::intern_table::Contains;
use crate::table::AddressTable;

/// The object that stands for all objects of one structure, and what the objects that have it as a child contain.
pub(crate) type Representative = (ObjectRef, Contains);

/// Where the walk leaves an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    Root,
    Part,
    /// A part in a field that binds variables, where an object means more than its structure.
    Definition,
}

/// The representatives of objects whose children are representatives.
pub(crate) trait Representatives {
    /// The representative of `object`, which may be the root, if its children are representatives and its parts are known.
    fn known(&self, object: ObjectView<'_>, is_root: bool) -> Option<Representative>;

    /// The representative of `object`, whose children are representatives. `None` ends the walk.
    ///
    /// # Errors
    /// An error ends the walk.
    fn of(&self, object: &ObjectRef, contains: Contains, leaving: Leaving) -> Result<Option<Representative>>;
}

/// The representative of `root`. `None` if an object has none.
///
/// # Errors
/// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, and the errors of `representatives`.
pub(crate) fn share_parts(root: &ObjectRef, representatives: &impl Representatives) -> Result<Option<ObjectRef>> {
    let mut walk = Walk { representatives, open: Vec::new(), changes: Vec::new(), shared: Default::default() };
    walk.enter(root.view(), false)?;
    while let Some(object) = walk.open.last_mut() {
        match object.children.next_object() {
            Some((_, FieldRole::Ignore)) => {}
            // A map finds such a key by its identity.
            Some((child, _)) if !is_plain(AnyView::Object(child)) && object.children.is_at_key() => {}
            Some((child, role)) => {
                let binds = matches!(role, FieldRole::Def | FieldRole::DefSimple);
                object.contains.binders |= binds;
                let is_defined = object.is_defined || binds;
                walk.enter(child, is_defined)?;
            }
            None if !walk.leave()? => return Ok(None),
            None => {}
        }
    }
    let result = walk.changes.pop().map(|(_, value)| value);
    Ok(Some(match result {
        Some(Any::Object(found)) => found,
        _ => root.clone(),
    }))
}

/// A walk in progress. It has frames on the heap, because the depth of a value costs no stack.
struct Walk<'a, R> {
    representatives: &'a R,
    /// The objects on the path to the current one.
    open: Vec<OpenObject<'a>>,
    /// The replaced children with their numbers, for all open objects, the children of the root first.
    changes: Vec<(usize, Any)>,
    /// The representatives of objects with several handles, by address: outside of the fields that bind variables, and in them.
    shared: [AddressTable<Representative>; 2],
}

/// An object whose children the walk visits.
struct OpenObject<'a> {
    children: Children<'a>,
    contains: Contains,
    /// Whether a field around it binds variables.
    is_defined: bool,
    /// The number of changes of the objects above it.
    first_change: usize,
}

impl<'a, R: Representatives> Walk<'a, R> {
    /// Visits an object, which the last open object contains.
    fn enter(&mut self, object: ObjectView<'a>, is_defined: bool) -> Result<()> {
        let info = object.type_info();
        let mut contains = Contains { binders: info.hooks.is_some(), dag_nodes: false };
        match info.plan.compare_rule {
            // They are equal only to themselves, and keep their identity.
            CompareRule::Identity | CompareRule::Var => return Ok(()),
            CompareRule::NotComparable => return Err(not_comparable(Some(object), self.path())),
            // The key of a map can be the same node, so it keeps its identity too. A whole value has a representative.
            CompareRule::Dag => {
                contains.dag_nodes = true;
                if let Some(parent) = self.open.last_mut() {
                    parent.contains.dag_nodes = true;
                    return Ok(());
                }
            }
            _ if object.use_count() > 1 => {
                let known = self.shared[usize::from(is_defined)].get(&object.address()).cloned();
                let known = known.or_else(|| {
                    let is_root = self.open.is_empty();
                    if is_defined { None } else { self.representatives.known(object, is_root) }
                });
                if let Some(found) = known {
                    self.put(object, found);
                    return Ok(());
                }
            }
            _ => {}
        }
        let first_change = self.changes.len();
        self.open.push(OpenObject { children: Children::of(object), contains, is_defined, first_change });
        Ok(())
    }

    /// Leaves the last open object. `false` if it has no representative.
    fn leave(&mut self) -> Result<bool> {
        let Some(OpenObject { children, contains, is_defined, first_change }) = self.open.pop() else {
            return Ok(true);
        };
        let object = children.object();
        let mut changed = object.to_object();
        if self.changes.len() > first_change {
            changed = with_changes(object, &mut self.changes[first_change..])?;
            self.changes.truncate(first_change);
        }
        let leaving = match (self.open.is_empty(), is_defined) {
            (true, _) => Leaving::Root,
            (false, true) => Leaving::Definition,
            (false, false) => Leaving::Part,
        };
        let Some(found) = self.representatives.of(&changed, contains, leaving)? else { return Ok(false) };
        if object.use_count() > 1 {
            self.shared[usize::from(is_defined)].insert(object.address(), found.clone());
        }
        self.put(object, found);
        Ok(true)
    }

    /// Notes the representative of a child of the last open object, or of the root.
    fn put(&mut self, object: ObjectView<'a>, (found, contains): Representative) {
        let mut number = 0;
        if let Some(parent) = self.open.last_mut() {
            number = parent.children.last_number();
            parent.contains = parent.contains.or(contains);
        }
        if !found.view().ptr_eq(object) {
            self.changes.push((number, Any::Object(found)));
        }
    }

    /// The path from the root to the current object.
    fn path(&self) -> AccessPath {
        AccessPath::from_steps(self.open.iter().filter_map(|object| object.children.slot()).map(path_step))
    }
}
