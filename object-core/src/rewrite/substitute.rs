//! [`Substitution`]: replaces free variables with values, and renames bound variables that would capture variables of
//! the values.
//!
//! Variables differ by identity. So a binder captures a variable only if it binds this very variable, and the variable
//! is free in one of the values.

use crate::error::Result;
use crate::limits::Limits;
use crate::object::{Any, FieldType, ObjectHandle, ObjectRef};
use crate::rewrite::engine::rewrite;
use crate::rewrite::mutator::mutate_with;
use crate::rewrite::replacement::{Conflict, Replacement};
use crate::rewrite::substitution_plan::{SubstitutionPlan, var_of};
use crate::rewrite::substitution_run::SubstitutionRun;
use crate::visit::ScopeTypes;

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
#[derive(Clone, Debug)]
pub struct Substitution {
    scopes: ScopeTypes,
    values: Vec<(ObjectRef, Any)>,
    renames_all: bool,
    limits: Limits,
}

impl Default for Substitution {
    fn default() -> Self {
        // Enough for a gigabyte of further copies.
        let limits = Limits::new().max_steps(1 << 24);
        Substitution { scopes: ScopeTypes::new(), values: Vec::new(), renames_all: false, limits }
    }
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
    /// Without values, the result is structurally equal to the root, also under lexical scopes if
    /// [`scopes`](Self::scopes) has the marked types.
    ///
    /// Structural equality compares some bound variables by identity, and such a variable keeps its identity:
    ///
    /// - a variable that is used before it is bound, if the binding does not end: its first occurrence is free,
    /// - a variable in the fields of a free variable, because a free variable equals only itself,
    /// - a variable in a map key that is not itself a variable, or that one entry of a map binds and another one uses,
    /// - a variable that is free elsewhere, and occurs in a `dag` node or in the fields of a bound variable,
    /// - a variable that a hook lists where it is free although it is bound among the fields, or the other way round,
    /// - a variable in the fields of one of these.
    #[must_use]
    pub fn rename_bound(mut self, yes: bool) -> Self {
        self.renames_all = yes;
        self
    }

    /// Bounds the work for objects that the substitution rewrites more than once; see [`run`](Self::run). Each time counts
    /// as one of [`max_nodes`](Limits::max_nodes), and each of its fields or elements as one of
    /// [`max_steps`](Limits::max_steps). The default is 2^24 steps.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// `root` with the values in place of the variables. If `root` uses no variable that has a value, and no variable
    /// gets a new name, the result is `root` itself.
    ///
    /// This takes time linear in the graph and in the result. The result can be larger than the graph for one reason:
    /// variables that are bound in one place and free in another. The result for an object that uses such variables
    /// depends on which of them are bound around the object, so the substitution rewrites the object once for each such
    /// set. Variables that the substitution does not change, and bindings that the object does not use, play no part.
    ///
    /// No smaller result exists. If a variable `x` has a value or gets a new name, the result for an object that uses `x`
    /// has `x` itself in one of two cases, where `x` is bound or where `x` is free, and something else in the other. So two
    /// sets of bound variables never have a result in common. A shared object with `n` such variables under shared
    /// binders, `e1 = (lam x1. e0, e0)`, `e2 = (lam x2. e1, e1)` and so on, occurs under all `2^n` sets. Then the
    /// substitution ends with an error, and not after a long wait.
    ///
    /// # Errors
    /// The error of a field that rejects a value, with the path; [`NotConstructible`](crate::ErrorKind::NotConstructible) for
    /// an object in place of a variable that has no variable or several in its fields, and for a variable that needs a
    /// new name and cannot be copied; [`LimitExceeded`](crate::ErrorKind::LimitExceeded) for more steps than the
    /// [`limits`](Self::limits) allow.
    pub fn run<T: FieldType>(&self, root: T) -> Result<T> {
        match root.into_any() {
            Any::Object(object) => self.run_object(object)?.cast(),
            plain => plain.cast(),
        }
    }

    fn run_object(&self, root: ObjectRef) -> Result<Any> {
        if !self.renames_all {
            let mut values = Vec::with_capacity(self.values.len());
            for (object, value) in &self.values {
                values.push((var_of(object.view())?, object.view(), value));
            }
            let replacement = Replacement::new(values.into_iter());
            match replacement.at_once(&root) {
                Ok(replaced) => return Ok(replaced),
                Err(Conflict::Bound) => {}
                Err(Conflict::Unknown) => {
                    if let Some(mut mutator) = replacement.mutator(root.view()) {
                        return mutate_with(Any::Object(root), &mut mutator);
                    }
                }
            }
        }
        let plan = SubstitutionPlan::new(&self.scopes, &self.values, self.renames_all, &root)?;
        if plan.is_empty() {
            return Ok(Any::Object(root));
        }
        rewrite(root, &mut SubstitutionRun::new(plan, &self.limits))
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
    H: Into<ObjectRef>,
    V: Into<Any>,
{
    values.into_iter().fold(Substitution::new(), |all, (var, value)| all.replace(&var.into(), value)).run(root)
}

/// `root` with a new variable in place of each bound variable. The result is structurally equal to `root`. Bindings do not
/// end: for languages in which they do, call [`Substitution::rename_bound`] and [`Substitution::scopes`].
///
/// A bound variable stays if structural equality compares it by identity; see [`Substitution::rename_bound`]. The result
/// has no other bound variable in common with `root`.
///
/// # Errors
/// As [`Substitution::run`].
pub fn alpha_rename<T: FieldType>(root: T) -> Result<T> {
    Substitution::new().rename_bound(true).run(root)
}
