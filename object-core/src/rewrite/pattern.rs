//! [`Pattern`]: a value with holes, which matches the values that it equals after a substitution for the holes.
//!
//! The matching reads the values at the places of the holes, substitutes them, and compares. So structural equality
//! alone decides about binders, ignored fields and repeated holes, and there are no second rules of equality.

use crate::error::{Error, ErrorKind, Result};
use crate::graph::Children;
use crate::object::{Any, AnyView, AsAnyView, CompareRule, FieldRole, FieldType, ObjectHandle, ObjectRef, ObjectView};
use crate::rewrite::substitute::Substitution;
use crate::rewrite::substitution_plan::var_of;
use crate::structural::{Scopes, StructuralOptions, compare_plain, is_plain};
use crate::table::Set;
use crate::visit::ScopeTypes;

/// A value with holes: free variables that stand for other values.
///
/// A pattern matches a value if some [`Substitution`] of values for the holes makes the template structurally equal to
/// the value. So a pattern ignores the fields that equality ignores, the names of bound variables mean nothing, and a hole
/// that occurs twice stands for equal values. A hole under a binder of the template does not stand for a value that uses the
/// variable of this binder, because a substitution captures no variables. (Baader and Nipkow, Term Rewriting and All That,
/// section 4.7: matching)
///
/// ```
/// use object_core::prelude::*;
/// use object_core::rewrite::Pattern;
///
/// #[derive(Object)]
/// #[object(type_key = "doc.pattern.Expr", base)]
/// struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "doc.pattern.Var", parent = ExprNode)]
/// #[structural_eq(var)]
/// struct VarNode {
///     base: ExprNode,
///     #[field(ignore)]
///     name: Str,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.pattern.Add", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct AddNode {
///     base: ExprNode,
///     a: Expr,
///     b: Expr,
/// }
///
/// let (hole, y, z) = (Var::new("hole"), Var::new("y"), Var::new("z"));
/// let twice = Pattern::new(Add::new(&hole, &hole)).hole(&hole)?;
/// let sum = Add::new(&y, &z);
/// let found = twice.matches(&Add::new(&sum, Add::new(&y, &z)))?.expect("the two sums are equal");
/// assert!(structural_equal(&found.value::<Expr>(&hole)?, &sum));
/// assert!(twice.matches(&sum)?.is_none());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    template: Any,
    holes: Vec<ObjectRef>,
    scopes: ScopeTypes,
    options: StructuralOptions,
}

impl Pattern {
    /// The pattern that matches the values that are equal to `template`, as [`structural_equal`](crate::structural_equal)
    /// says.
    #[must_use]
    pub fn new(template: impl Into<Any>) -> Self {
        Pattern {
            template: template.into(),
            holes: Vec::new(),
            scopes: ScopeTypes::new(),
            options: StructuralOptions::new(),
        }
    }

    /// As [`new`](Self::new), for a language in which a binding ends with the object that makes it: under
    /// [`Scopes::Lexical`] and with [`ScopeTypes::marked`].
    #[must_use]
    pub fn lexical(template: impl Into<Any>) -> Self {
        let pattern = Pattern::new(template);
        Pattern { scopes: ScopeTypes::marked(), options: pattern.options.scopes(Scopes::Lexical), ..pattern }
    }

    /// Makes a variable of the template a hole, which stands for any value that its places can hold. Binders of the template
    /// that bind the same variable get another one. Instead of a variable, `var` may be an object with one variable in its
    /// fields, as in [`Substitution::replace`].
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) if `var` is not a free variable of the template, or if the template binds it
    /// too and cannot use another variable there, see [`Substitution::rename_bound`];
    /// [`NotConstructible`](ErrorKind::NotConstructible) for an object that has no variable or several in its fields.
    pub fn hole<H: ObjectHandle>(mut self, var: &H) -> Result<Self> {
        let var = var.as_object();
        let address = var_of(var.view())?;
        let is_among = |vars: Vec<ObjectRef>| vars.iter().any(|other| other.view().address() == address);
        if is_among(self.scopes.bound_vars(&self.template)) {
            self.template = Substitution::new().scopes(self.scopes.clone()).rename_bound(true).run(self.template)?;
        }
        if is_among(self.scopes.bound_vars(&self.template)) || !is_among(self.scopes.free_vars(&self.template)) {
            let message = format!(
                "expected a free variable of the template as a hole, got `{var:?}`; name a variable that the template uses \
                 and does not bind"
            );
            return Err(Error::new(ErrorKind::BadReference, message));
        }
        self.holes.push(var.clone());
        Ok(self)
    }

    /// The value with the holes.
    #[must_use]
    pub fn template(&self) -> &Any {
        &self.template
    }

    /// The holes, in the order in which they were made.
    #[must_use]
    pub fn holes(&self) -> &[ObjectRef] {
        &self.holes
    }

    /// The values of the holes for which the template equals `value`; `None` if there are none, and if a hole occurs only in
    /// places that equality ignores, or only below keys of maps that contain variables.
    ///
    /// # Errors
    /// [`NotComparable`](ErrorKind::NotComparable) for a value of a type without structural equality, and the errors of
    /// [`Substitution::run`] about limits.
    pub fn matches(&self, value: &impl AsAnyView) -> Result<Option<Match>> {
        let value = value.as_any_view();
        let Some(values) = self.values_of_holes(value) else { return Ok(None) };
        let found = Match { scopes: self.scopes.clone(), values };
        match found.substitution().run(self.template.clone()) {
            Ok(instance) => Ok(self.options.equal(&instance, &value)?.then_some(found)),
            // A field of another occurrence of the hole cannot hold the value.
            Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The type that a value needs to match; `None` if the template is not an object.
    pub(super) fn root(&self) -> Option<ObjectView<'_>> {
        self.template.view().as_object()
    }

    /// Whether the whole template is a hole.
    pub(super) fn is_hole(&self) -> bool {
        self.root().is_some_and(|root| self.hole_at(root).is_some())
    }

    fn hole_at(&self, object: ObjectView<'_>) -> Option<usize> {
        self.holes.iter().position(|hole| hole.view().address() == object.address())
    }

    /// The parts of `value` at the places of the holes, the first place of each one. `None` if `value` differs from the
    /// template at another place; not every difference counts.
    fn values_of_holes(&self, value: AnyView<'_>) -> Option<Vec<(ObjectRef, Any)>> {
        let mut values: Vec<Option<AnyView<'_>>> = vec![None; self.holes.len()];
        let mut pending = vec![(self.template.view(), value)];
        let mut seen = Set::default();
        while let Some((template, value)) = pending.pop() {
            let AnyView::Object(object) = template else { continue };
            if let Some(hole) = self.hole_at(object) {
                values[hole].get_or_insert(value);
                continue;
            }
            let AnyView::Object(other) = value else { return None };
            if is_plain(template) {
                if !is_plain(value) || compare_plain(template, value).is_ne() {
                    return None;
                }
            } else if !std::ptr::eq(object.type_info(), other.type_info())
                || (object.type_info().plan.compare_rule == CompareRule::Identity && !object.ptr_eq(other))
            {
                return None;
            } else if object.use_count() <= 1 || seen.insert((object.address(), other.address())) {
                push_pairs(object, other, &mut pending)?;
            }
        }
        let found = |(hole, value): (&ObjectRef, Option<AnyView<'_>>)| Some((hole.clone(), value?.to_any()));
        self.holes.iter().zip(values).map(found).collect()
    }
}

/// Puts the children of two objects of one type in pairs on a stack, the last ones first. `None` if the objects have
/// different numbers of children.
fn push_pairs<'a>(
    template: ObjectView<'a>,
    value: ObjectView<'a>,
    pending: &mut Vec<(AnyView<'a>, AnyView<'a>)>,
) -> Option<()> {
    let begin = pending.len();
    if let (Some(entries), Some(others)) = (template.as_map(), value.as_map()) {
        let entries = (0..entries.len()).filter_map(|index| Some((index, entries.entry(index)?)));
        for (index, (key, entry)) in entries {
            // A key that contains a bound variable has another name here.
            if let Some((_, _, other)) = others.find(key, index) {
                pending.push((entry, other));
            }
        }
    } else {
        let (mut children, mut others) = (Children::of(template), Children::of(value));
        loop {
            match (children.next_value(), others.next_value()) {
                (Some((child, role)), Some((other, _))) if role != FieldRole::Ignore => pending.push((child, other)),
                (Some(_), Some(_)) => {}
                (None, None) => break,
                _ => return None,
            }
        }
    }
    pending[begin..].reverse();
    Some(())
}

/// The values for the holes of a [`Pattern`] that matches a value.
#[derive(Clone, Debug)]
pub struct Match {
    scopes: ScopeTypes,
    values: Vec<(ObjectRef, Any)>,
}

impl Match {
    /// The value that a hole stands for.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a value that is no `T`; [`BadReference`](ErrorKind::BadReference) if the
    /// pattern has no such hole.
    pub fn value<T: FieldType>(&self, hole: &impl ObjectHandle) -> Result<T> {
        let hole = hole.as_object();
        match self.values.iter().find(|(var, _)| var.ptr_eq(hole)) {
            Some((_, value)) => value.clone().cast(),
            None => Err(Error::new(ErrorKind::BadReference, format!("expected a hole of the pattern, got `{hole:?}`"))),
        }
    }

    /// The holes and their values.
    pub fn values(&self) -> impl Iterator<Item = (&ObjectRef, &Any)> {
        self.values.iter().map(|(hole, value)| (hole, value))
    }

    /// `template` with the values in place of the holes, and with a new variable in place of each variable that it binds. So
    /// no two results of one template bind the same variable.
    ///
    /// # Errors
    /// As [`Substitution::run`].
    pub fn instantiate<T: FieldType>(&self, template: T) -> Result<T> {
        self.substitution().rename_bound(true).run(template)
    }

    fn substitution(&self) -> Substitution {
        let substitution = Substitution::new().scopes(self.scopes.clone());
        self.values.iter().fold(substitution, |all, (hole, value)| all.replace(hole, value.clone()))
    }
}
