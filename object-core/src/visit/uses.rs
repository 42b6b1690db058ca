//! [`UseDef`]: the references to each object of a graph.

use crate::access_path::AccessPath;
use crate::graph::{ChildSlot, Children, slot};
use crate::object::{AnyView, AsAnyView, DefRegionKind, FieldInfo, ObjectHandle, ObjectView, SEqHashKind};
use crate::repr::path_step;
use crate::table::AddressTable;

/// The references to each object of a graph: the parent, and the place in it. An object has one reference for each field, element,
/// key and value that holds it, however many paths lead to the parent. So the analysis takes time linear in objects and references,
/// where a walk over every occurrence takes a visit for each path.
///
/// A reference to a variable in a place that binds it is a *definition*, as [`DefRegionKind`] says, and every other reference is a
/// *use*. A reference is both if its parent stands in places of both kinds.
///
/// The references belong to the graph that [`of`](Self::of) got. A changed graph needs a new `UseDef`.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::UseDef;
///
/// #[derive(Object)]
/// #[object(type_key = "uses.Var", display = none)]
/// #[structural_eq(var)]
/// struct VarNode {
///     #[field(ignore)]
///     name: Str,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "uses.Lambda")]
/// #[structural_eq(tree)]
/// struct LambdaNode {
///     #[field(def)]
///     params: Array<Var>,
///     body: Array<Var>,
/// }
///
/// let (x, y) = (Var::new("x"), Var::new("y"));
/// let lambda = Lambda::new([&x, &y].into_iter(), [&x, &x].into_iter());
/// let uses = UseDef::of(&lambda);
///
/// let places: Vec<String> = uses.uses(&x).map(|it| uses.path(&it).to_string()).collect();
/// assert_eq!(places, ["<root>.body[0]", "<root>.body[1]"]);
/// assert_eq!(uses.definitions(&x).count(), 1);
/// assert!(uses.uses(&y).next().is_none());
/// ```
pub struct UseDef<'a> {
    /// All references, the ones in one parent in a row.
    references: Vec<Stored<'a>>,
    objects: AddressTable<Known>,
}

/// A reference in the list of all of them.
struct Stored<'a> {
    reference: Reference<'a>,
    is_definition: bool,
    is_use: bool,
    /// The index of the next reference to the same object.
    next: Option<usize>,
}

/// The facts about an object.
#[derive(Default)]
struct Known {
    /// The indices of the first and the last reference to the object; `None` for the root.
    to: Option<(usize, usize)>,
    /// The index of the first reference in the object, once the analysis has reached the object.
    from: Option<usize>,
    /// The regions in which the analysis has reached the object: a bit for each.
    regions: u8,
}

/// A reference to an object: a place in another object.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    parent: ObjectView<'a>,
    number: usize,
}

impl<'a> Reference<'a> {
    /// The object that holds the reference.
    #[must_use]
    pub fn parent(&self) -> ObjectView<'a> {
        self.parent
    }

    /// The field of the parent that holds the reference, if the parent is a node.
    #[must_use]
    pub fn field(&self) -> Option<&'static FieldInfo> {
        match self.slot()? {
            ChildSlot::Field(field) => Some(field),
            ChildSlot::Item(_) | ChildSlot::Key(_) | ChildSlot::Value(_) => None,
        }
    }

    /// The index of the element that is the reference, if the parent is an array.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self.slot()? {
            ChildSlot::Item(index) => Some(index),
            ChildSlot::Field(_) | ChildSlot::Key(_) | ChildSlot::Value(_) => None,
        }
    }

    fn slot(&self) -> Option<ChildSlot<'a>> {
        slot(self.parent, self.parent.type_info().plan.child_layout, self.number)
    }
}

impl<'a> UseDef<'a> {
    /// The references in the graph below `root`.
    #[must_use]
    pub fn of(root: &'a impl AsAnyView) -> Self {
        let mut found = UseDef { references: Vec::new(), objects: AddressTable::default() };
        let mut stack = Vec::new();
        if let AnyView::Object(root) = root.as_any_view() {
            stack.push((root, DefRegionKind::None));
        }
        while let Some((object, region)) = stack.pop() {
            found.enter(object, region, &mut stack);
        }
        found
    }

    /// Adds the references in `object`, which is in `region`, and puts the referenced objects onto the stack, the first one last.
    fn enter(
        &mut self,
        object: ObjectView<'a>,
        region: DefRegionKind,
        stack: &mut Vec<(ObjectView<'a>, DefRegionKind)>,
    ) {
        let end = self.references.len();
        let known = self.objects.entry(object.address()).or_default();
        if known.regions & bit(region) != 0 {
            return;
        }
        known.regions |= bit(region);
        // The references of an object that the analysis reached in another region follow each other from the first one on.
        let mut index = *known.from.get_or_insert(end);
        let inner = region.below(object.type_info().kind);
        let (mut children, first) = (Children::of(object), stack.len());
        while let Some((child, role)) = children.next_object() {
            let region = inner.child(object, child, role);
            if index == self.references.len() {
                self.add(child, Reference { parent: object, number: children.last_number() });
            }
            let binds = region.binds() && child.type_info().kind == SEqHashKind::FreeVar;
            let stored = &mut self.references[index];
            *(if binds { &mut stored.is_definition } else { &mut stored.is_use }) = true;
            stack.push((child, region));
            index += 1;
        }
        stack[first..].reverse();
    }

    /// Adds a reference to `child`.
    fn add(&mut self, child: ObjectView<'a>, reference: Reference<'a>) {
        let index = self.references.len();
        self.references.push(Stored { reference, is_definition: false, is_use: false, next: None });
        let to = &mut self.objects.entry(child.address()).or_default().to;
        match to {
            Some((_, last)) => self.references[std::mem::replace(last, index)].next = Some(index),
            None => *to = Some((index, index)),
        }
    }

    /// The references to `object`, with the indices of all of them.
    fn stored(&self, object: ObjectView<'_>) -> impl Iterator<Item = &Stored<'a>> {
        let first = self.objects.get(&object.address()).and_then(|known| known.to).map(|(first, _)| first);
        let at = |index: Option<usize>| index.map(|index| &self.references[index]);
        std::iter::successors(at(first), move |stored| at(stored.next))
    }

    /// The references to `object` in places that do not bind it, in the order in which a walk enters their parents.
    pub fn uses(&self, object: &impl ObjectHandle) -> impl Iterator<Item = Reference<'a>> {
        let uses = self.stored(object.as_object().view()).filter(|stored| stored.is_use);
        uses.map(|stored| stored.reference)
    }

    /// The references to `variable` in places that bind it, in the same order.
    pub fn definitions(&self, variable: &impl ObjectHandle) -> impl Iterator<Item = Reference<'a>> {
        let definitions = self.stored(variable.as_object().view()).filter(|stored| stored.is_definition);
        definitions.map(|stored| stored.reference)
    }

    /// A path from the root to the place of `reference`, in time linear in its length.
    #[must_use]
    pub fn path(&self, reference: &Reference<'_>) -> AccessPath {
        let above = |reference: &Reference<'a>| self.stored(reference.parent).next().map(|stored| stored.reference);
        let first = self.stored(reference.parent).next().map(|stored| stored.reference);
        let mut steps: Vec<_> = std::iter::successors(first, above).filter_map(|it| it.slot()).map(path_step).collect();
        steps.reverse();
        steps.extend(reference.slot().map(path_step));
        AccessPath::from_steps(steps)
    }
}

/// The bit of a region. The analysis reaches three regions: the other ones are for lexical scopes.
fn bit(region: DefRegionKind) -> u8 {
    match region {
        DefRegionKind::None => 1,
        DefRegionKind::Simple => 2,
        DefRegionKind::Recursive | DefRegionKind::Annotation | DefRegionKind::Free => 4,
    }
}
