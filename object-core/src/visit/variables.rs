//! [`free_vars`] and [`bound_vars`]: the variables of a value, by the annotations of its types.
//!
//! A variable is an object of a type marked `var`. An occurrence below a field marked `def` or `def_simple` binds the
//! variable; every other occurrence uses it. The analysis goes through fields in the order in which structural equality
//! compares them, and through the fields of a variable before the variable itself.
//!
//! The annotations state where a binding begins and not where it ends. So, as in structural equality, a binding is in
//! force for everything that follows it, unless [`ScopeTypes`] names types of which the objects end the bindings in
//! them.

use std::rc::Rc;

use crate::graph::Children;
use crate::object::{
    AnyView, AsAnyView, ComputedEnd, ComputedValues, DefRegionKind, FieldRole, ListedValue, Object, ObjectRef,
    ObjectView, SEqHashKind, TypeInfo, TypedHandle,
};
use crate::table::{OrderedTable, Table};

/// The types of which the objects end the bindings in them.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::{ScopeTypes, free_vars};
///
/// #[derive(Object)]
/// #[object(type_key = "doc.scopes.Var")]
/// #[structural_eq(var)]
/// struct VarNode {
///     #[field(ignore)]
///     name: Str,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.scopes.Lambda")]
/// #[structural_eq(tree)]
/// struct LambdaNode {
///     #[field(def)]
///     param: Var,
///     body: Any,
/// }
///
/// let x = Var::new("x");
/// let pair = Array::<Any>::from([Any::from(Lambda::new(x.clone(), x.clone())), Any::from(x)]);
/// // By default the binding is still in force at the second `x`.
/// assert_eq!(free_vars(&pair).len(), 0);
/// assert_eq!(ScopeTypes::new().closing::<Lambda>().free_vars(&pair).len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScopeTypes {
    /// Whether the types marked `scope` are included.
    marked: bool,
    closing: Vec<&'static TypeInfo>,
}

impl ScopeTypes {
    /// No types: bindings do not end.
    #[must_use]
    pub fn new() -> Self {
        ScopeTypes::default()
    }

    /// The types marked `scope`.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::visit::ScopeTypes;
    ///
    /// /// A variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.marked.Var")]
    /// #[structural_eq(var)]
    /// pub struct VarNode {
    ///     /// The name, for messages.
    ///     #[field(ignore)]
    ///     pub name: Str,
    /// }
    ///
    /// /// A function of one variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.marked.Lambda")]
    /// #[structural_eq(tree, scope)]
    /// pub struct LambdaNode {
    ///     /// The bound variable.
    ///     #[field(def)]
    ///     pub param: Var,
    /// }
    ///
    /// let x = Var::new("x");
    /// let pair = Array::from([Any::new(Lambda::new(x.clone())), Any::new(x)]);
    /// assert_eq!(ScopeTypes::marked().free_vars(&pair).len(), 1);
    /// ```
    #[must_use]
    pub fn marked() -> Self {
        ScopeTypes { marked: true, ..ScopeTypes::default() }
    }

    /// Adds a type: each object that an `H` can refer to ends the bindings in it.
    #[must_use]
    pub fn closing<H: TypedHandle>(mut self) -> Self {
        self.closing.push(<H::Node as Object>::TYPE_INFO);
        self
    }

    /// Whether objects of this type end the bindings in them.
    pub(crate) fn closes(&self, info: &TypeInfo) -> bool {
        (self.marked && info.is_scope) || self.closing.iter().any(|closing| info.is_or_extends(closing))
    }

    /// The variables that `root` uses where they are not bound, in the order of their first such use.
    ///
    /// If bindings do not end, this takes time linear in the graph. Otherwise each further reference to a shared object
    /// takes time linear in the number of variables that the object uses and binds.
    #[must_use]
    pub fn free_vars(&self, root: &impl AsAnyView) -> Vec<ObjectRef> {
        to_objects(Variables::of(root.as_any_view(), self, ConsideredFields::Compared, &ComputedValues::default()).free)
    }

    /// The variables that are bound anywhere in `root`, in the order of their first binding.
    #[must_use]
    pub fn bound_vars(&self, root: &impl AsAnyView) -> Vec<ObjectRef> {
        to_objects(
            Variables::of(root.as_any_view(), self, ConsideredFields::Compared, &ComputedValues::default()).bound,
        )
    }
}

/// The variables that `root` uses where they are not bound, in the order of their first such use. Bindings do not end;
/// [`ScopeTypes::free_vars`] is for languages in which they do.
#[must_use]
pub fn free_vars(root: &impl AsAnyView) -> Vec<ObjectRef> {
    ScopeTypes::new().free_vars(root)
}

/// The variables that are bound anywhere in `root`, in the order of their first binding.
#[must_use]
pub fn bound_vars(root: &impl AsAnyView) -> Vec<ObjectRef> {
    ScopeTypes::new().bound_vars(root)
}

fn to_objects(vars: OrderedTable<usize, ObjectView<'_>>) -> Vec<ObjectRef> {
    vars.into_values().map(ObjectView::to_object).collect()
}

/// Which fields an analysis of variables considers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConsideredFields {
    /// The fields that structural equality compares.
    Compared,
    /// All fields.
    All,
}

/// The variables of a value, by address.
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
        let mut analysis = Analysis {
            scopes,
            considered,
            computed: computed.end(),
            found: Variables { free: OrderedTable::default(), bound: OrderedTable::default(), has_hooks: false },
            stack: Vec::new(),
            visited: Table::default(),
            summaries: Table::default(),
            in_force: Table::default(),
            bindings: Vec::new(),
            uses: Vec::new(),
            recording: 0,
        };
        if let AnyView::Object(root) = root {
            analysis.run(root);
        }
        analysis.found
    }
}

/// The effect of a further reference to an object, which is the same at every position in one region.
#[derive(Clone)]
struct Summary<'a> {
    /// The variables that the object uses and does not bind before their use.
    uses: Rc<[ObjectView<'a>]>,
    /// The variables that the object binds for everything that follows it.
    binds: Rc<[ObjectView<'a>]>,
}

struct Analysis<'a, 's> {
    scopes: &'s ScopeTypes,
    considered: ConsideredFields,
    computed: ComputedEnd<'a>,
    found: Variables<'a>,
    stack: Vec<AnalysisFrame<'a>>,
    /// For each visited object, its region. A second visit finds nothing new unless the region binds more variables.
    visited: Table<usize, DefRegionKind>,
    /// The summaries of objects with more than one handle. The analysis makes them only if bindings can end.
    summaries: Table<(usize, DefRegionKind), Summary<'a>>,
    /// For each bound variable, the index of its binding in `bindings`.
    in_force: Table<usize, usize>,
    /// All bindings in force, each with the index of the binding that it hides.
    bindings: Vec<(ObjectView<'a>, Option<usize>)>,
    /// The uses in objects on the stack that get a summary, each with the index of the binding of the variable.
    uses: Vec<(ObjectView<'a>, Option<usize>)>,
    /// How many objects on the stack get a summary.
    recording: usize,
}

/// The children of an object.
enum ChildIter<'a> {
    Own(Children<'a>),
    /// The children that the hook of the type lists.
    Listed(std::vec::IntoIter<ListedValue<'a>>),
}

struct AnalysisFrame<'a> {
    object: ObjectView<'a>,
    children: ChildIter<'a>,
    region: DefRegionKind,
    /// The region of the children, before their fields change it.
    inner: DefRegionKind,
    /// The number of bindings in force before the object.
    bindings: usize,
    /// The index in `Analysis::uses` of the first use in the object, if the object gets a summary.
    uses: Option<usize>,
}

impl<'a> Analysis<'a, '_> {
    fn run(&mut self, root: ObjectView<'a>) {
        self.enter(root, DefRegionKind::None);
        while let Some(frame) = self.stack.last_mut() {
            let next = match &mut frame.children {
                ChildIter::Own(children) => children.next_object().map(|(child, role)| {
                    let is_ignored = self.considered == ConsideredFields::Compared && role == FieldRole::Ignore;
                    (!is_ignored).then(|| (child, frame.inner.child(frame.object, child, role)))
                }),
                ChildIter::Listed(values) => {
                    values.next().map(|it| it.value.as_object().map(|child| (child, frame.inner.field(it.role))))
                }
            };
            match next {
                Some(Some((child, region))) => self.enter(child, region),
                Some(None) => {}
                None => self.leave(),
            }
        }
    }

    fn enter(&mut self, object: ObjectView<'a>, region: DefRegionKind) {
        let info = object.type_info();
        let is_var = info.kind == SEqHashKind::FreeVar;
        let is_leaf =
            info.plan.is_leaf && self.considered == ConsideredFields::Compared || Children::of(object).is_none();
        if is_leaf && !is_var {
            return;
        }
        let is_shared = object.use_count() > 1;
        let is_replayed = is_shared && (self.scopes.marked || !self.scopes.closing.is_empty());
        if is_replayed {
            if let Some(summary) = self.summaries.get(&(object.address(), region)).cloned() {
                summary.uses.iter().for_each(|var| self.use_var(*var));
                summary.binds.iter().for_each(|var| self.bind(*var));
                return;
            }
        } else if is_shared {
            // Bindings do not end, so each variable that is free at a later occurrence is free at the first one.
            match self.visited.get(&object.address()) {
                Some(visited) if *visited >= region => return,
                _ => self.visited.insert(object.address(), region),
            };
        }
        let children = match info.hooks {
            Some(hooks) if self.considered == ConsideredFields::Compared => {
                self.found.has_hooks = true;
                let listed = hooks.compared(object, self.computed);
                self.computed = listed.computed();
                ChildIter::Listed(listed.values.into_iter())
            }
            _ => ChildIter::Own(Children::of(object)),
        };
        self.recording += usize::from(is_replayed);
        let uses = is_replayed.then_some(self.uses.len());
        let (inner, bindings) = (region.below(info.kind), self.bindings.len());
        self.stack.push(AnalysisFrame { object, children, region, inner, bindings, uses });
    }

    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        let info = frame.object.type_info();
        if info.kind == SEqHashKind::FreeVar {
            if frame.region.binds() { self.bind(frame.object) } else { self.use_var(frame.object) }
        }
        if self.scopes.closes(info) {
            while self.bindings.len() > frame.bindings {
                let Some((var, hidden)) = self.bindings.pop() else { break };
                match hidden {
                    Some(index) => self.in_force.insert(var.address(), index),
                    None => self.in_force.remove(&var.address()),
                };
            }
        }
        if let Some(first) = frame.uses {
            self.recording -= 1;
            let mut uses: OrderedTable<usize, (ObjectView<'a>, Option<usize>)> = OrderedTable::default();
            for (var, binding) in self.uses.drain(first..) {
                // The summary leaves out variables that are bound within the object.
                if binding.is_none_or(|index| index < frame.bindings) {
                    uses.entry(var.address()).or_insert((var, binding));
                }
            }
            if self.recording > 0 {
                self.uses.extend(uses.values());
            }
            let uses = uses.into_values().map(|(var, _)| var).collect();
            let binds: OrderedTable<usize, ObjectView<'a>> =
                self.bindings.iter().skip(frame.bindings).map(|(var, _)| (var.address(), *var)).collect();
            let binds = binds.into_values().collect();
            self.summaries.insert((frame.object.address(), frame.region), Summary { uses, binds });
        }
    }

    /// Records a use of `var`.
    fn use_var(&mut self, var: ObjectView<'a>) {
        let binding = self.in_force.get(&var.address()).copied();
        if binding.is_none() {
            self.found.free.entry(var.address()).or_insert(var);
        }
        if self.recording > 0 {
            self.uses.push((var, binding));
        }
    }

    /// Records a binding of `var`.
    fn bind(&mut self, var: ObjectView<'a>) {
        self.found.bound.entry(var.address()).or_insert(var);
        let hidden = self.in_force.insert(var.address(), self.bindings.len());
        self.bindings.push((var, hidden));
    }
}
