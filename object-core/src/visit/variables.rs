//! [`free_vars`] and [`bound_vars`]: the variables of a value, by the annotations of its types.
//!
//! A variable is an object of a type marked `var`. An occurrence below a field marked `def` or `def_simple` binds the
//! variable; every other occurrence uses it. The analysis goes through fields in the order in which structural equality
//! compares them, and through the fields of a variable before the variable itself.
//!
//! The annotations state where a binding begins and not where it ends. So, as in structural equality, a binding is in
//! force for everything that follows it, unless [`ScopeTypes`] names types of which the objects end the bindings in
//! them.

use crate::object::{
    AnyView, AsAnyView, ComputedValues, DefRegionKind, ObjectHandle, ObjectRef, ObjectView, SEqHashKind,
};
use crate::table::{AddressTable, OrderedTable};
use crate::visit::first_uses::first_uses;
use crate::visit::scope_types::ScopeTypes;
use crate::visit::variable_children::{ConsideredFields, VariableChildren, VariableGraph};
use crate::visit::variable_sets::VariableSets;

impl ScopeTypes {
    /// The variables that `root` uses where they are not bound, in the order of their first such use.
    ///
    /// If bindings do not end, this takes time linear in the graph. Otherwise each reference to an object also takes
    /// time for the variables by which the variables of the object differ from the variables of its parent.
    #[must_use]
    pub fn free_vars(&self, root: &impl AsAnyView) -> Vec<ObjectRef> {
        to_objects(Variables::of(root.as_any_view(), self, ConsideredFields::Compared, &ComputedValues::default()).free)
    }

    /// The variables that are bound anywhere in `root`, in the order of their first binding.
    #[must_use]
    pub fn bound_vars(&self, root: &impl AsAnyView) -> Vec<ObjectRef> {
        // The end of a binding does not change which variables are bound.
        let (scopes, computed) = (ScopeTypes::new(), ComputedValues::default());
        to_objects(Variables::of(root.as_any_view(), &scopes, ConsideredFields::Compared, &computed).bound)
    }
}

/// The variables that `root` uses where they are not bound, in the order of their first such use. Bindings do not end;
/// [`ScopeTypes::free_vars`] is for languages in which they do.
#[must_use]
pub fn free_vars(root: &impl AsAnyView) -> Vec<ObjectRef> {
    ScopeTypes::new().free_vars(root)
}

/// The [`free_vars`] of `root` that `H` accepts, as handles.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::free_vars_of;
///
/// #[derive(Object)]
/// #[object(type_key = "free_vars_of.Var")]
/// #[structural_eq(var)]
/// struct VarNode {
///     name: Str,
/// }
///
/// let (x, y) = (Var::new("x"), Var::new("y"));
/// let names: Vec<Str> = free_vars_of::<Var>(&Array::from([&x, &y, &x].map(Var::from))).iter().map(|v| v.name.clone()).collect();
/// assert_eq!(names, ["x", "y"]);
/// ```
#[must_use]
pub fn free_vars_of<H: ObjectHandle>(root: &impl AsAnyView) -> Vec<H> {
    handles(free_vars(root))
}

fn handles<H: ObjectHandle>(vars: Vec<ObjectRef>) -> Vec<H> {
    vars.into_iter().filter_map(|var| var.downcast().ok()).collect()
}

/// The variables that are bound anywhere in `root`, in the order of their first binding.
#[must_use]
pub fn bound_vars(root: &impl AsAnyView) -> Vec<ObjectRef> {
    ScopeTypes::new().bound_vars(root)
}

fn to_objects(vars: OrderedTable<usize, ObjectView<'_>>) -> Vec<ObjectRef> {
    vars.into_values().map(ObjectView::to_object).collect()
}

/// The variables of a value, by address.
#[derive(Default)]
pub(crate) struct Variables<'a> {
    /// The variables that the value uses where they are not bound.
    pub(crate) free: OrderedTable<usize, ObjectView<'a>>,
    /// The variables that are bound anywhere in the value.
    pub(crate) bound: OrderedTable<usize, ObjectView<'a>>,
    /// Whether a hook listed the children of an object.
    pub(crate) has_hooks: bool,
}

impl<'a> Variables<'a> {
    /// The variables of `root`. `computed` keeps the values that hooks compute.
    pub(crate) fn of(
        root: AnyView<'a>,
        scopes: &ScopeTypes,
        considered: ConsideredFields,
        computed: &'a ComputedValues,
    ) -> Self {
        let AnyView::Object(root) = root else { return Variables::default() };
        if scopes.exist() {
            let mut sets = VariableSets::new(scopes, considered, computed.end());
            let free = first_uses(root, &mut sets).into_iter().map(|var| (var.address(), var)).collect();
            return Variables { free, has_hooks: sets.has_hooks(), bound: sets.bound };
        }
        let graph = VariableGraph::new(considered, computed.end());
        let mut analysis =
            Analysis { graph, found: Variables::default(), stack: Vec::new(), visited: Default::default() };
        analysis.run(root);
        Variables { has_hooks: analysis.graph.has_hooks(), ..analysis.found }
    }
}

/// The analysis for bindings that do not end. Then a variable that is free at a later reference to an object is free at
/// the first one, so each object needs one visit.
struct Analysis<'a> {
    graph: VariableGraph<'a>,
    found: Variables<'a>,
    stack: Vec<(VariableChildren<'a>, DefRegionKind)>,
    /// For each visited object, its region. A second visit finds nothing new unless the region binds more variables.
    visited: AddressTable<DefRegionKind>,
}

impl<'a> Analysis<'a> {
    fn run(&mut self, root: ObjectView<'a>) {
        self.enter(root, DefRegionKind::None);
        while let Some((children, _)) = self.stack.last_mut() {
            if let Some((child, region)) = children.next() {
                self.enter(child, region);
            } else if let Some((children, region)) = self.stack.pop() {
                self.leave(children.object(), region);
            }
        }
    }

    fn enter(&mut self, object: ObjectView<'a>, region: DefRegionKind) {
        if self.graph.has_no_variables(object) {
            return;
        }
        // A hook may list an object that has one handle several times.
        if object.use_count() > 1 || self.graph.has_hooks() {
            match self.visited.get(&object.address()) {
                Some(visited) if *visited >= region => return,
                _ => self.visited.insert(object.address(), region),
            };
        }
        let children = self.graph.children(object, region);
        self.stack.push((children, region));
    }

    fn leave(&mut self, object: ObjectView<'a>, region: DefRegionKind) {
        if object.type_info().kind != SEqHashKind::FreeVar {
            return;
        }
        if region.binds() {
            self.found.bound.entry(object.address()).or_insert(object);
        } else if !self.found.bound.contains_key(&object.address()) {
            self.found.free.entry(object.address()).or_insert(object);
        }
    }
}
