//! [`Substitution`]: puts values in the place of free variables, and renames bound variables that would capture some of
//! theirs.
//!
//! A variable is told from others by identity. So a binder captures something only if the very variable that it binds is
//! free in one of the values, and a variable that is bound once and used nowhere else can be renamed everywhere at once.
//! Variables that are bound in one place and free in another are *mixed*: what becomes of an object that has one in it
//! depends on which of them are bound around it. Only for such objects the bindings in force are part of what is
//! remembered; all others are gone through once.

use crate::error::{Error, ErrorKind, Result};
use crate::graph::{Children, GraphEditor};
use crate::object::{
    Any, AnyView, ComputedValues, DefRegionKind, FieldType, ObjectHandle, ObjectRef, ObjectView, SEqHashKind,
};
use crate::rewrite::fresh::FreshVars;
use crate::rewrite::mutate::located;
use crate::table::{OrderedTable, Set, Table};
use crate::visit::{Content, ScopeTypes, Variables};

/// Puts values in the place of variables.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::rewrite::Substitution;
/// use object_core::visit::ScopeTypes;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.substitution.Expr", base)]
/// struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "doc.substitution.Var", parent = ExprNode)]
/// #[structural_eq(var)]
/// struct VarNode {
///     base: ExprNode,
///     #[field(ignore)]
///     name: Str,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.substitution.Lambda", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct LambdaNode {
///     base: ExprNode,
///     #[field(def)]
///     param: Var,
///     body: Expr,
/// }
///
/// // In `lam y. x` the value `y` for `x` must not be captured: the result is `lam y_1. y`.
/// let (x, y) = (Var::new("x"), Var::new("y"));
/// let f = Lambda::new(y.clone(), x.clone());
/// let scopes = ScopeTypes::new().closing::<Lambda>();
/// let f = Substitution::new().scopes(scopes).replace(&x, y.clone()).run(f)?;
/// assert!(f.body.ptr_eq(&y) && !f.param.ptr_eq(&y) && f.param.name == *"y_1");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    scopes: ScopeTypes,
    values: Vec<(ObjectRef, Any)>,
    renames_all: bool,
}

impl Substitution {
    /// Nothing is put anywhere yet, and bindings do not end.
    #[must_use]
    pub fn new() -> Self {
        Substitution::default()
    }

    /// The same with other rules for where bindings end.
    #[must_use]
    pub fn scopes(mut self, scopes: ScopeTypes) -> Self {
        self.scopes = scopes;
        self
    }

    /// Also puts `value` in the place of `var` where it is used and not bound. Of two values for one variable, the later
    /// counts. Instead of a variable, `var` may be an object with one variable in its fields, such as a typed reference to
    /// it; then this object is what is replaced.
    #[must_use]
    pub fn replace<H: ObjectHandle>(mut self, var: &H, value: impl Into<Any>) -> Self {
        self.values.push((var.as_object().clone(), value.into()));
        self
    }

    /// Whether every bound variable becomes a new one, not only those that would capture something.
    #[must_use]
    pub fn rename_bound(mut self, yes: bool) -> Self {
        self.renames_all = yes;
        self
    }

    /// `root` with the values in their places. If no variable is used that has a value, and none is to be renamed, it is
    /// `root` itself.
    ///
    /// Takes time linear in the graph, unless variables are mixed: then an object with mixed variables in it counts once
    /// for each set of them that is bound around one of its places.
    ///
    /// # Errors
    /// What a field says of a value that it does not take, with the path;
    /// [`NotConstructible`](ErrorKind::NotConstructible) for an object to be replaced that has no variable, or several,
    /// and for a variable to be renamed that cannot be copied.
    pub fn run<T: FieldType>(&self, root: T) -> Result<T> {
        match root.into_any() {
            Any::Object(object) => self.run_object(object)?.cast(),
            plain => plain.cast(),
        }
    }

    fn run_object(&self, root: ObjectRef) -> Result<Any> {
        let plan = Plan::new(self, &root)?;
        if plan.is_nothing_to_do() {
            return Ok(Any::Object(root));
        }
        Run { plan, met: Table::default(), in_force: Vec::new(), states: Table::default(), open: Vec::new() }.run(root)
    }
}

/// `root` with values in the place of free variables. Bindings do not end: [`Substitution::scopes`] is for languages in
/// which they do.
///
/// # Errors
/// As [`Substitution::run`].
pub fn substitute<T, H, V>(root: T, values: impl IntoIterator<Item = (H, V)>) -> Result<T>
where
    T: FieldType,
    H: ObjectHandle,
    V: Into<Any>,
{
    values.into_iter().fold(Substitution::new(), |all, (var, value)| all.replace(&var, value)).run(root)
}

/// `root` with a new variable in the place of each one that it binds: structurally equal, and without a bound variable in
/// common. Bindings do not end: [`Substitution::rename_bound`] with [`Substitution::scopes`] is for languages in which they
/// do.
///
/// # Errors
/// As [`Substitution::run`].
pub fn alpha_rename<T: FieldType>(root: T) -> Result<T> {
    Substitution::new().rename_bound(true).run(root)
}

/// What is to be done with which object, by address. The graph and the values are alive as long as it is used.
struct Plan<'s> {
    scopes: &'s ScopeTypes,
    /// What is replaced, and the variable in it.
    values: Table<usize, (usize, Any)>,
    /// Bound variables that become new ones.
    renamed: Set<usize>,
    /// Variables that are bound somewhere.
    bound: Set<usize>,
    /// Variables that are bound in one place and free in another, and those that have such ones in their fields.
    mixed: Set<usize>,
    /// Objects with mixed variables in them.
    has_mixed: Set<usize>,
    fresh: FreshVars,
    /// The new variables, by the old ones with their new fields.
    new_vars: Table<usize, (ObjectRef, Any)>,
}

impl<'s> Plan<'s> {
    fn new(substitution: &'s Substitution, root: &ObjectRef) -> Result<Self> {
        let scopes = &substitution.scopes;
        let computed = ComputedValues::default();
        let found = Variables::of(AnyView::Object(root.view()), scopes, Content::All, &computed);
        let mut values = Table::default();
        let mut captured: Set<usize> = Set::default();
        for (object, value) in &substitution.values {
            let var = var_of(object.view())?;
            // What is not used is not replaced, so its value cannot be captured.
            if found.free.contains_key(&var) {
                values.insert(object.view().address(), (var, value.clone()));
            }
        }
        for (_, value) in values.values() {
            captured.extend(Variables::of(value.view(), scopes, Content::All, &computed).free.into_keys());
        }
        let bound: Set<usize> = found.bound.keys().copied().collect();
        let renamed: Set<usize> =
            bound.iter().copied().filter(|var| substitution.renames_all || captured.contains(var)).collect();
        let mut fresh = FreshVars::new();
        if !renamed.is_empty() {
            fresh.avoid(root);
            values.values().for_each(|(_, value)| fresh.avoid(value));
        }
        let replaced: Set<usize> = values.values().map(|(var, _)| *var).collect();
        let is_affected = |var: &usize| renamed.contains(var) || replaced.contains(var);
        let mut mixed: Set<usize> =
            bound.iter().copied().filter(|var| found.free.contains_key(var) && is_affected(var)).collect();
        let has_mixed = holders(root.view(), &mixed);
        mixed.extend(bound.iter().filter(|var| has_mixed.contains(*var)));
        Ok(Plan { scopes, values, renamed, bound, mixed, has_mixed, fresh, new_vars: Table::default() })
    }

    fn is_nothing_to_do(&self) -> bool {
        self.values.is_empty() && self.renamed.is_empty()
    }

    /// The new variable for `var`, which has its new fields already.
    fn rename(&mut self, var: ObjectView<'_>) -> Result<Any> {
        if let Some((_, new)) = self.new_vars.get(&var.address()) {
            return Ok(new.clone());
        }
        let new = Any::Object(self.fresh.copy(var)?);
        self.new_vars.insert(var.address(), (var.to_object(), new.clone()));
        Ok(new)
    }
}

/// The variable that `object` is, or the one in its fields.
fn var_of(object: ObjectView<'_>) -> Result<usize> {
    let is_var = |object: &ObjectView<'_>| object.type_info().kind == SEqHashKind::FreeVar;
    if is_var(&object) {
        return Ok(object.address());
    }
    let mut vars = object.fields().filter_map(|(_, value)| value.as_object().filter(is_var));
    match (vars.next(), vars.next()) {
        (Some(var), None) => Ok(var.address()),
        (found, _) => {
            let many = if found.is_some() { "several variables" } else { "no variable" };
            let message = format!(
                "a `{}` cannot be substituted: it has {many} in its fields; give a variable, or an object with exactly one",
                object.type_key()
            );
            Err(Error::new(ErrorKind::NotConstructible, message))
        }
    }
}

/// The addresses of the objects below `root` that are one of `vars` or have one of them below.
fn holders(root: ObjectView<'_>, vars: &Set<usize>) -> Set<usize> {
    let mut holders = Set::default();
    if vars.is_empty() {
        return holders;
    }
    let mut met: Set<usize> = Set::default();
    let mut stack = vec![(Children::of(root), vars.contains(&root.address()))];
    while let Some((children, holds)) = stack.last_mut() {
        match children.next_object() {
            Some((child, _)) if met.insert(child.address()) => {
                stack.push((Children::of(child), vars.contains(&child.address())));
            }
            Some((child, _)) => *holds |= holders.contains(&child.address()),
            None => {
                let (address, holds) = (children.object().address(), *holds);
                stack.pop();
                if holds {
                    holders.insert(address);
                    if let Some((_, parent)) = stack.last_mut() {
                        *parent = true;
                    }
                }
            }
        }
    }
    holders
}

/// What became of an object.
struct Met {
    /// Keeps the object alive, and its address from being given to another.
    _object: ObjectRef,
    result: Any,
    /// The mixed variables that it binds for what comes after it, and what became of them.
    binds: Vec<(usize, Any)>,
}

/// What the result for an object depends on: the bindings in force, by number, and whether its variables are bound. The
/// default for objects without mixed variables, of which the result is the same everywhere.
type State = (u32, DefRegionKind);

/// An object on the way.
struct Open {
    /// The old object, where it was found.
    address: usize,
    is_var: bool,
    closes: bool,
    /// For objects with more than one handle, the object and the state in which it was met.
    shared: Option<(ObjectRef, State)>,
    /// How many bindings were in force before.
    bindings: usize,
}

/// Of several bindings of one variable only the last.
fn latest(binds: Vec<(usize, Any)>) -> Vec<(usize, Any)> {
    binds.into_iter().collect::<OrderedTable<usize, Any>>().into_iter().collect()
}

struct Run<'s> {
    plan: Plan<'s>,
    met: Table<(usize, State), Met>,
    /// The mixed variables that are bound, and what became of them. The last of two for one variable counts.
    in_force: Vec<(usize, Any)>,
    /// A number for each set of bindings.
    states: Table<Vec<(usize, usize)>, u32>,
    open: Vec<Open>,
}

impl Run<'_> {
    fn run(mut self, root: ObjectRef) -> Result<Any> {
        let mut editor = GraphEditor::new(root);
        loop {
            let mut is_entered = self.enter(&mut editor);
            if is_entered && editor.down() {
                continue;
            }
            loop {
                if is_entered {
                    self.leave(&mut editor).map_err(|error| located(error, &editor))?;
                }
                if let Some(root) = editor.up() {
                    return Ok(root);
                }
                is_entered = true;
                if editor.down() {
                    break;
                }
            }
        }
    }

    /// What a mixed variable became, if it is bound.
    fn bound_value(&self, var: usize) -> Option<&Any> {
        self.in_force.iter().rev().find(|(bound, _)| *bound == var).map(|(_, value)| value)
    }

    /// What the result for the object with this address depends on.
    fn state(&mut self, address: usize, region: DefRegionKind) -> State {
        if !self.plan.has_mixed.contains(&address) {
            return State::default();
        }
        if self.in_force.is_empty() {
            return (0, region);
        }
        let mut key: Vec<(usize, usize)> = Vec::new();
        for (var, value) in self.in_force.iter().rev() {
            if key.iter().all(|(known, _)| known != var) {
                key.push((*var, value.view().as_object().map_or(0, ObjectView::address)));
            }
        }
        key.sort_unstable();
        let next = u32::try_from(self.states.len() + 1).unwrap_or(u32::MAX);
        (*self.states.entry(key).or_insert(next), region)
    }

    /// Looks at an object for the first time. Whether its children are to be gone through.
    fn enter(&mut self, editor: &mut GraphEditor) -> bool {
        let AnyView::Object(object) = editor.value() else { return false };
        let address = object.address();
        let info = object.type_info();
        let is_var = info.kind == SEqHashKind::FreeVar;
        let is_shared = object.use_count() > 1;
        let closes = self.plan.scopes.closes(info);
        let is_binder = editor.region().binds();
        if !is_binder {
            if is_var
                && self.plan.mixed.contains(&address)
                && let Some(value) = self.bound_value(address).cloned()
            {
                editor.replace(value);
                return false;
            }
            if let Some((var, value)) = self.plan.values.get(&address) {
                let is_free = if self.plan.mixed.contains(var) {
                    self.bound_value(*var).is_none()
                } else {
                    !self.plan.bound.contains(var)
                };
                if is_free {
                    let value = value.clone();
                    editor.replace(value);
                    return false;
                }
            }
        }
        // A mixed variable is bound anew at each of its binders.
        let is_remembered = is_shared && !(is_var && is_binder && self.plan.mixed.contains(&address));
        let keep = is_remembered.then(|| object.to_object());
        let shared = keep.map(|object| (object, self.state(address, editor.region())));
        if let Some((_, state)) = &shared
            && let Some(known) = self.met.get(&(address, *state))
        {
            let result = known.result.clone();
            self.in_force.extend(known.binds.iter().cloned());
            editor.replace(result);
            return false;
        }
        self.open.push(Open { address, is_var, closes, shared, bindings: self.in_force.len() });
        true
    }

    /// Looks at an object after its children.
    fn leave(&mut self, editor: &mut GraphEditor) -> Result<()> {
        editor.apply()?;
        let Some(open) = self.open.pop() else { return Ok(()) };
        if open.is_var {
            let is_binder = editor.region().binds();
            // One that is not mixed is met at its binder first, and from then on what became of it there is known.
            if is_binder
                && self.plan.renamed.contains(&open.address)
                && let AnyView::Object(var) = editor.value()
            {
                let new = self.plan.rename(var)?;
                editor.replace(new);
            }
            if is_binder && self.plan.mixed.contains(&open.address) {
                self.in_force.push((open.address, editor.value().to_any()));
            }
        }
        if open.closes {
            self.in_force.truncate(open.bindings);
        }
        if let Some((object, state)) = open.shared {
            let binds = latest(self.in_force.split_off(open.bindings.min(self.in_force.len())));
            self.in_force.extend(binds.iter().cloned());
            let result = editor.value().to_any();
            self.met.insert((open.address, state), Met { _object: object, result, binds });
        }
        Ok(())
    }
}
