//! [`Substitution`]: replaces free variables with values, and renames bound variables that would capture variables of
//! the values.
//!
//! Variables differ by identity. So a binder captures a variable only if it binds this very variable, and the variable
//! is free in one of the values. If a variable is bound once and used nowhere else, it gets its new name everywhere at
//! once. A variable that is bound in one place and free in another is *mixed*: the result for an object that contains a
//! mixed variable depends on the bindings around the object. Only for such objects, the substitution stores one result
//! per set of bindings; it rewrites every other object once.

use crate::error::{Error, ErrorKind, Result};
use crate::graph::{Children, GraphEditor};
use crate::object::{
    Any, AnyView, ComputedValues, DefRegionKind, FieldType, ObjectHandle, ObjectRef, ObjectView, SEqHashKind,
};
use crate::rewrite::engine::{Rewriter, rewrite};
use crate::rewrite::fresh::FreshVars;
use crate::table::{OrderedTable, Set, Table};
use crate::visit::{ConsideredFields, ScopeTypes, Variables};

/// Replaces free variables with values.
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
/// // The binder of `lam y. x` must not capture the value `y` for `x`: the result is `lam y_1. y`.
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
    /// A substitution without values, in which bindings do not end.
    #[must_use]
    pub fn new() -> Self {
        Substitution::default()
    }

    /// Sets the types of which the objects end the bindings in them.
    #[must_use]
    pub fn scopes(mut self, scopes: ScopeTypes) -> Self {
        self.scopes = scopes;
        self
    }

    /// Adds a value for `var`, which replaces each use of `var` that is not bound. Of two values for one variable, the
    /// later one counts. Instead of a variable, `var` may be an object with one variable in its fields, such as a typed
    /// reference to the variable. Then the value replaces this object.
    #[must_use]
    pub fn replace<H: ObjectHandle>(mut self, var: &H, value: impl Into<Any>) -> Self {
        self.values.push((var.as_object().clone(), value.into()));
        self
    }

    /// Whether the substitution renames every bound variable, and not only bound variables that would capture others.
    #[must_use]
    pub fn rename_bound(mut self, yes: bool) -> Self {
        self.renames_all = yes;
        self
    }

    /// `root` with the values in place of the variables. If `root` uses no variable that has a value, and no variable
    /// gets a new name, the result is `root` itself.
    ///
    /// This takes time linear in the graph, with one exception: variables that are bound in one place and free in
    /// another. An object with such variables in it counts once for each set of them that is bound around one of its
    /// positions.
    ///
    /// # Errors
    /// The error of a field that rejects a value, with the path; [`NotConstructible`](ErrorKind::NotConstructible) for
    /// an object in place of a variable that has no variable or several in its fields, and for a variable that needs a
    /// new name and cannot be copied.
    pub fn run<T: FieldType>(&self, root: T) -> Result<T> {
        match root.into_any() {
            Any::Object(object) => self.run_object(object)?.cast(),
            plain => plain.cast(),
        }
    }

    fn run_object(&self, root: ObjectRef) -> Result<Any> {
        let plan = SubstitutionPlan::new(self, &root)?;
        if plan.is_empty() {
            return Ok(Any::Object(root));
        }
        let (results, binding_sets) = (Table::default(), Table::default());
        rewrite(root, &mut Run { plan, results, in_force: Vec::new(), binding_sets, open: Vec::new() })
    }
}

/// `root` with values in place of free variables. Bindings do not end: for languages in which they do, call
/// [`Substitution::scopes`].
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

/// `root` with a new variable in place of each bound variable. The result is structurally equal to `root` and has no
/// bound variable in common with it. Bindings do not end: for languages in which they do, call
/// [`Substitution::rename_bound`] and [`Substitution::scopes`].
///
/// # Errors
/// As [`Substitution::run`].
pub fn alpha_rename<T: FieldType>(root: T) -> Result<T> {
    Substitution::new().rename_bound(true).run(root)
}

/// The objects that a substitution changes, by address. The graph and the values outlive the plan, so that no address
/// is used again.
struct SubstitutionPlan<'s> {
    scopes: &'s ScopeTypes,
    /// For each object to replace, the variable in it and the value.
    values: Table<usize, (usize, Any)>,
    /// The bound variables that get a new name.
    renamed: Set<usize>,
    /// The variables that are bound anywhere.
    bound: Set<usize>,
    /// The mixed variables, and the bound variables with mixed variables in their fields.
    mixed: Set<usize>,
    /// The objects with mixed variables in them.
    has_mixed: Set<usize>,
    fresh: FreshVars,
    /// The new variables. The key is the address of the old variable after its fields were rewritten; the first part of
    /// the entry keeps this variable alive.
    new_vars: Table<usize, (ObjectRef, Any)>,
}

impl<'s> SubstitutionPlan<'s> {
    fn new(substitution: &'s Substitution, root: &ObjectRef) -> Result<Self> {
        let scopes = &substitution.scopes;
        let computed = ComputedValues::default();
        let found = Variables::of(AnyView::Object(root.view()), scopes, ConsideredFields::All, &computed);
        let mut values = Table::default();
        let mut captured: Set<usize> = Set::default();
        for (object, value) in &substitution.values {
            let var = var_of(object.view())?;
            // A variable without free uses is not replaced, so its value needs no protection from capture.
            if found.free.contains_key(&var) {
                values.insert(object.view().address(), (var, value.clone()));
            }
        }
        for (_, value) in values.values() {
            captured.extend(Variables::of(value.view(), scopes, ConsideredFields::All, &computed).free.into_keys());
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
        let has_mixed = objects_with(root.view(), &mixed);
        mixed.extend(bound.iter().filter(|var| has_mixed.contains(*var)));
        Ok(SubstitutionPlan { scopes, values, renamed, bound, mixed, has_mixed, fresh, new_vars: Table::default() })
    }

    /// Whether the substitution changes nothing.
    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.renamed.is_empty()
    }

    /// The new variable for `var`, of which the fields are already rewritten.
    fn rename(&mut self, var: ObjectView<'_>) -> Result<Any> {
        if let Some((_, new)) = self.new_vars.get(&var.address()) {
            return Ok(new.clone());
        }
        let new = Any::Object(self.fresh.copy(var)?);
        self.new_vars.insert(var.address(), (var.to_object(), new.clone()));
        Ok(new)
    }
}

/// The address of the variable that `object` is, or else of the one variable in its fields.
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

/// The addresses of the objects of the graph below `root` that are one of `vars` or have one of them below.
fn objects_with(root: ObjectView<'_>, vars: &Set<usize>) -> Set<usize> {
    let mut found = Set::default();
    if vars.is_empty() {
        return found;
    }
    let mut visited: Set<usize> = Set::default();
    let mut stack = vec![(Children::of(root), vars.contains(&root.address()))];
    while let Some((children, has_var)) = stack.last_mut() {
        match children.next_object() {
            Some((child, _)) if visited.insert(child.address()) => {
                stack.push((Children::of(child), vars.contains(&child.address())));
            }
            Some((child, _)) => *has_var |= found.contains(&child.address()),
            None => {
                let (address, has_var) = (children.object().address(), *has_var);
                stack.pop();
                if has_var {
                    found.insert(address);
                    if let Some((_, parent)) = stack.last_mut() {
                        *parent = true;
                    }
                }
            }
        }
    }
    found
}

/// The stored result for an object with more than one handle.
struct Stored {
    /// Keeps the object alive, so that no other object gets its address.
    _object: ObjectRef,
    result: Any,
    /// The mixed variables that the object binds for everything that follows it, and their results.
    binds: Vec<(usize, Any)>,
}

/// The number of the set of bindings in force, and the region: the result for an object depends on both. Objects
/// without mixed variables have the default context, because their result is the same everywhere.
type Context = (u32, DefRegionKind);

/// An object between entering and leaving it.
struct Open {
    /// The address of the object before its children were rewritten.
    address: usize,
    is_var: bool,
    /// Whether the object ends the bindings in it.
    closes: bool,
    /// For an object with more than one handle, the object and its context.
    shared: Option<(ObjectRef, Context)>,
    /// The number of bindings in force before the object.
    bindings: usize,
}

/// The last binding of each variable.
fn latest(binds: Vec<(usize, Any)>) -> Vec<(usize, Any)> {
    binds.into_iter().collect::<OrderedTable<usize, Any>>().into_iter().collect()
}

/// The rewrite of a substitution.
struct Run<'s> {
    plan: SubstitutionPlan<'s>,
    results: Table<(usize, Context), Stored>,
    /// The bound mixed variables and their results. The last binding of a variable counts.
    in_force: Vec<(usize, Any)>,
    /// A number for each set of bindings.
    binding_sets: Table<Vec<(usize, usize)>, u32>,
    open: Vec<Open>,
}

impl Run<'_> {
    /// The result for a mixed variable, if it is bound.
    fn bound_value(&self, var: usize) -> Option<&Any> {
        self.in_force.iter().rev().find(|(bound, _)| *bound == var).map(|(_, value)| value)
    }

    /// The context of the object with this address.
    fn context(&mut self, address: usize, region: DefRegionKind) -> Context {
        if !self.plan.has_mixed.contains(&address) {
            return Context::default();
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
        let next = u32::try_from(self.binding_sets.len() + 1).unwrap_or(u32::MAX);
        (*self.binding_sets.entry(key).or_insert(next), region)
    }
}

impl Rewriter for Run<'_> {
    fn enter(&mut self, editor: &mut GraphEditor) -> Result<bool> {
        let AnyView::Object(object) = editor.value() else { return Ok(false) };
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
                return Ok(false);
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
                    return Ok(false);
                }
            }
        }
        // Each binder of a mixed variable is a new binding, so it has no stored result.
        let is_stored = is_shared && !(is_var && is_binder && self.plan.mixed.contains(&address));
        let keep = is_stored.then(|| object.to_object());
        let shared = keep.map(|object| (object, self.context(address, editor.region())));
        if let Some((_, context)) = &shared
            && let Some(known) = self.results.get(&(address, *context))
        {
            let result = known.result.clone();
            self.in_force.extend(known.binds.iter().cloned());
            editor.replace(result);
            return Ok(false);
        }
        self.open.push(Open { address, is_var, closes, shared, bindings: self.in_force.len() });
        Ok(true)
    }

    fn leave(&mut self, editor: &mut GraphEditor) -> Result<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if open.is_var {
            let is_binder = editor.region().binds();
            // The rewrite reaches a variable that is not mixed at its binder first, and stores the result for the uses
            // of the variable.
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
        if let Some((object, context)) = open.shared {
            let binds = latest(self.in_force.split_off(open.bindings.min(self.in_force.len())));
            self.in_force.extend(binds.iter().cloned());
            let result = editor.value().to_any();
            self.results.insert((open.address, context), Stored { _object: object, result, binds });
        }
        Ok(())
    }
}
