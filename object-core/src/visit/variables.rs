//! [`free_vars`] and [`bound_vars`]: the variables of a value, by the annotations of its types.
//!
//! Variables are objects of a type marked `var`. Those below a field marked `def` or `def_simple` are bound there; every
//! other occurrence is a use. Fields are taken in the order in which structural equality compares them, and the fields of
//! a variable before the variable itself.
//!
//! The annotations say where a variable is bound and not where that ends. So, as in structural equality, a binding is in
//! force for all that comes after it, and [`ScopeTypes`] says of which types the objects close what is bound in them.

use std::rc::Rc;

use crate::graph::Children;
use crate::object::{
    AnyView, ComputedEnd, ComputedValues, DefRegionKind, FieldRole, FieldType, ListedValue, ObjectRef, ObjectView,
    SEqHashKind, TypeInfo, TypedHandle,
};
use crate::table::{OrderedTable, Table};

/// Where bindings end.
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
/// // Nothing ends the binding before the second `x`.
/// assert_eq!(free_vars(&pair).len(), 0);
/// assert_eq!(ScopeTypes::new().closing::<Lambda>().free_vars(&pair).len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScopeTypes {
    /// Whether the types marked `scope` are among them.
    marked: bool,
    closing: Vec<&'static TypeInfo>,
}

impl ScopeTypes {
    /// Bindings do not end.
    #[must_use]
    pub fn new() -> Self {
        ScopeTypes::default()
    }

    /// Bindings end with the objects of types marked `scope`.
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
    ///     /// For readers.
    ///     #[field(ignore)]
    ///     pub name: Str,
    /// }
    ///
    /// /// A function of one variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.marked.Lambda")]
    /// #[structural_eq(tree, scope)]
    /// pub struct LambdaNode {
    ///     /// What it binds.
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

    /// What is bound in an object that an `H` may point to ends with it.
    #[must_use]
    pub fn closing<H: TypedHandle>(mut self) -> Self {
        self.closing.push(<H::Node as crate::object::Object>::TYPE_INFO);
        self
    }

    /// Whether objects of this type close what is bound in them.
    pub(crate) fn closes(&self, info: &TypeInfo) -> bool {
        (self.marked && info.is_scope) || self.closing.iter().any(|closing| info.is_or_extends(closing))
    }

    /// The variables that `root` uses where they are not bound, in the order of their first such use.
    ///
    /// Without closing types, in time linear in the graph. With them, an object that is referred to more than once counts
    /// again at each reference with the variables that it uses and binds, but not with all that is in it.
    #[must_use]
    pub fn free_vars<T: FieldType>(&self, root: &T) -> Vec<ObjectRef> {
        owned(Variables::of(root.view(), self, Content::Structural, &ComputedValues::default()).free)
    }

    /// The variables that are bound somewhere in `root`, in the order of their first binding.
    #[must_use]
    pub fn bound_vars<T: FieldType>(&self, root: &T) -> Vec<ObjectRef> {
        owned(Variables::of(root.view(), self, Content::Structural, &ComputedValues::default()).bound)
    }
}

/// The variables that `root` uses where they are not bound, in the order of their first such use. Bindings do not end;
/// [`ScopeTypes::free_vars`] is for languages in which they do.
#[must_use]
pub fn free_vars<T: FieldType>(root: &T) -> Vec<ObjectRef> {
    ScopeTypes::new().free_vars(root)
}

/// The variables that are bound somewhere in `root`, in the order of their first binding.
#[must_use]
pub fn bound_vars<T: FieldType>(root: &T) -> Vec<ObjectRef> {
    ScopeTypes::new().bound_vars(root)
}

fn owned(vars: OrderedTable<usize, ObjectView<'_>>) -> Vec<ObjectRef> {
    vars.into_values().map(ObjectView::to_object).collect()
}

/// Which children of an object count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Those that structural equality compares.
    Structural,
    /// All fields.
    All,
}

/// The variables of a value, by address.
pub(crate) struct Variables<'a> {
    /// Those that are used where they are not bound.
    pub(crate) free: OrderedTable<usize, ObjectView<'a>>,
    /// Those that are bound somewhere.
    pub(crate) bound: OrderedTable<usize, ObjectView<'a>>,
    /// Whether the children of some object were listed by a hook.
    pub(crate) has_hooks: bool,
}

impl<'a> Variables<'a> {
    /// The variables of `root`. The values that hooks compute are kept in `computed`.
    pub(crate) fn of(root: AnyView<'a>, scopes: &ScopeTypes, content: Content, computed: &'a ComputedValues) -> Self {
        let mut analysis = Analysis {
            scopes,
            content,
            computed: computed.end(),
            found: Variables { free: OrderedTable::default(), bound: OrderedTable::default(), has_hooks: false },
            stack: Vec::new(),
            met: Table::default(),
            summaries: Table::default(),
            in_force: Table::default(),
            trail: Vec::new(),
            uses: Vec::new(),
            recording: 0,
        };
        if let AnyView::Object(root) = root {
            analysis.run(root);
        }
        analysis.found
    }
}

/// What a reference to an object that was gone through does: the same at every place.
#[derive(Clone)]
struct Summary<'a> {
    /// The variables that it uses and does not bind before.
    uses: Rc<[ObjectView<'a>]>,
    /// The variables that it binds for what comes after it.
    binds: Rc<[ObjectView<'a>]>,
}

struct Analysis<'a, 's> {
    scopes: &'s ScopeTypes,
    content: Content,
    computed: ComputedEnd<'a>,
    found: Variables<'a>,
    stack: Vec<VariableFrame<'a>>,
    /// In which region an object was gone through: if that binds more, there is nothing new.
    met: Table<usize, DefRegionKind>,
    /// Kept where bindings end, for objects with more than one handle.
    summaries: Table<(usize, DefRegionKind), Summary<'a>>,
    /// The bindings in force, with their places in the trail.
    in_force: Table<usize, usize>,
    /// All bindings in force, and for each the place of the one that it hides.
    trail: Vec<(ObjectView<'a>, Option<usize>)>,
    /// The uses in the objects that a summary is made of: with the place of the binding.
    uses: Vec<(ObjectView<'a>, Option<usize>)>,
    /// How many objects on the stack a summary is made of.
    recording: usize,
}

enum ChildIter<'a> {
    Own(Children<'a>),
    Listed(std::vec::IntoIter<ListedValue<'a>>),
}

struct VariableFrame<'a> {
    object: ObjectView<'a>,
    kids: ChildIter<'a>,
    region: DefRegionKind,
    /// The region of the children, but for what their fields say.
    inner: DefRegionKind,
    /// How many bindings were in force before.
    bindings: usize,
    /// Where its uses begin, if a summary is made.
    uses: Option<usize>,
}

impl<'a> Analysis<'a, '_> {
    fn run(&mut self, root: ObjectView<'a>) {
        self.enter(root, DefRegionKind::None);
        while let Some(frame) = self.stack.last_mut() {
            let next = match &mut frame.kids {
                ChildIter::Own(children) => children.next_object().map(|(child, role)| {
                    let is_ignored = self.content == Content::Structural && role == FieldRole::Ignore;
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
        let is_leaf = info.plan.is_leaf && self.content == Content::Structural || Children::of(object).is_none();
        if is_leaf && !is_var {
            return;
        }
        let is_shared = object.use_count() > 1;
        let is_replayed = is_shared && (self.scopes.marked || !self.scopes.closing.is_empty());
        if is_replayed {
            if let Some(summary) = self.summaries.get(&(object.address(), region)).cloned() {
                summary.uses.iter().for_each(|var| self.meet(*var));
                summary.binds.iter().for_each(|var| self.bind(*var));
                return;
            }
        } else if is_shared {
            // With all bindings in force for ever, the first occurrence settles what is free.
            match self.met.get(&object.address()) {
                Some(met) if *met >= region => return,
                _ => self.met.insert(object.address(), region),
            };
        }
        let kids = match info.hooks {
            Some(hooks) if self.content == Content::Structural => {
                self.found.has_hooks = true;
                let listed = hooks.compared(object, self.computed);
                self.computed = listed.computed();
                ChildIter::Listed(listed.values.into_iter())
            }
            _ => ChildIter::Own(Children::of(object)),
        };
        self.recording += usize::from(is_replayed);
        let uses = is_replayed.then_some(self.uses.len());
        let (inner, bindings) = (region.below(info.kind), self.trail.len());
        self.stack.push(VariableFrame { object, kids, region, inner, bindings, uses });
    }

    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        let info = frame.object.type_info();
        if info.kind == SEqHashKind::FreeVar {
            if frame.region.binds() { self.bind(frame.object) } else { self.meet(frame.object) }
        }
        if self.scopes.closes(info) {
            while self.trail.len() > frame.bindings {
                let Some((var, hidden)) = self.trail.pop() else { break };
                match hidden {
                    Some(place) => self.in_force.insert(var.address(), place),
                    None => self.in_force.remove(&var.address()),
                };
            }
        }
        if let Some(first) = frame.uses {
            self.recording -= 1;
            let mut uses: OrderedTable<usize, (ObjectView<'a>, Option<usize>)> = OrderedTable::default();
            for (var, binding) in self.uses.drain(first..) {
                // What is bound within the object is nobody else's concern.
                if binding.is_none_or(|place| place < frame.bindings) {
                    uses.entry(var.address()).or_insert((var, binding));
                }
            }
            if self.recording > 0 {
                self.uses.extend(uses.values());
            }
            let uses = uses.into_values().map(|(var, _)| var).collect();
            let binds: OrderedTable<usize, ObjectView<'a>> =
                self.trail.iter().skip(frame.bindings).map(|(var, _)| (var.address(), *var)).collect();
            let binds = binds.into_values().collect();
            self.summaries.insert((frame.object.address(), frame.region), Summary { uses, binds });
        }
    }

    /// A use of `var`.
    fn meet(&mut self, var: ObjectView<'a>) {
        let binding = self.in_force.get(&var.address()).copied();
        if binding.is_none() {
            self.found.free.entry(var.address()).or_insert(var);
        }
        if self.recording > 0 {
            self.uses.push((var, binding));
        }
    }

    /// A binding of `var`.
    fn bind(&mut self, var: ObjectView<'a>) {
        self.found.bound.entry(var.address()).or_insert(var);
        let hidden = self.in_force.insert(var.address(), self.trail.len());
        self.trail.push((var, hidden));
    }
}
