//! [`RewriteRules`]: term rewriting, a list of rules applied to all parts of a value until none of them applies.

use std::fmt;

use crate::error::Result;
use crate::limits::Limits;
use crate::object::{Any, FieldType};
use crate::rewrite::ignored_fields::{IgnoredField, IgnoredFields};
use crate::rewrite::known_variables::KnownVariables;
use crate::rewrite::normalization::{Fired, Normalization};
use crate::rewrite::rewrite_rule::RewriteRule;
use crate::rewrite::rule::rewrite_by_rule;
use crate::rewrite::rule_index::RuleIndex;
use crate::rewrite::rule_progress::{RewriteStatistics, RuleProgress};
use crate::value::Str;

/// Term rewriting: rules that apply to all parts of a value, until none of them applies.
///
/// Parts come before the objects that contain them: innermost first. Of several rules for one object, the first one of the
/// highest [priority](RewriteRule::priority) that matches applies. (Baader and Nipkow, Term Rewriting and All That, chapter 2)
///
/// ```
/// use object_core::prelude::*;
/// use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};
///
/// #[derive(Object)]
/// #[object(type_key = "doc.rules.Expr", base)]
/// struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "doc.rules.Var", parent = ExprNode)]
/// #[structural_eq(var)]
/// struct VarNode {
///     base: ExprNode,
///     #[field(ignore)]
///     name: Str,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.rules.Int", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct IntNode {
///     base: ExprNode,
///     value: i64,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.rules.Mul", parent = ExprNode)]
/// #[structural_eq(tree)]
/// struct MulNode {
///     base: ExprNode,
///     a: Expr,
///     b: Expr,
/// }
///
/// let (x, a, b) = (Var::new("x"), Var::new("a"), Var::new("b"));
/// let rules = RewriteRules::new()
///     // x * 1 = x
///     .rule(RewriteRule::new(Pattern::new(Mul::new(&x, Int::new(1))).hole(&x)?, &x)?)
///     // x * 0 = 0
///     .rule(RewriteRule::new(Pattern::new(Mul::new(&x, Int::new(0))).hole(&x)?, Int::new(0))?);
/// let product: Expr = Mul::new(&a, Mul::new(&b, Int::new(1))).into();
/// assert!(structural_equal(&rules.run(product)?, &Mul::new(&a, &b)));
/// let nothing: Expr = Mul::new(&a, Mul::new(Mul::new(&b, Int::new(0)), Int::new(1))).into();
/// assert!(structural_equal(&rules.run(nothing)?, &Int::new(0)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct RewriteRules {
    rules: Vec<RewriteRule>,
    limits: Limits,
    ignored: IgnoredFields,
}

impl fmt::Debug for RewriteRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RewriteRules").field("rules", &self.rules).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Default for RewriteRules {
    fn default() -> Self {
        // Rules that go on end within seconds and a gigabyte, because replacements can be inside of each other.
        let limits = Limits::new().max_nodes(1 << 22).max_steps(1 << 30);
        RewriteRules { rules: Vec::new(), limits, ignored: IgnoredFields::default() }
    }
}

impl RewriteRules {
    /// No rules.
    #[must_use]
    pub fn new() -> Self {
        RewriteRules::default()
    }

    /// Adds a rule after the others.
    #[must_use]
    pub fn rule(mut self, rule: RewriteRule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Bounds the work, because rules may go on forever. Each replacement counts as one of
    /// [`max_nodes`](Limits::max_nodes), and each object that the rewrite visits as one of [`max_steps`](Limits::max_steps).
    /// The defaults are 2^22 and 2^30.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Chooses the values of fields that equality ignores, such as locations, for each object that the template of a rule makes.
    /// `None` is the value in the template. By default, the field has the value of the matched object, unless that is `None` or
    /// the type of the matched object does not have the same field, see [`IgnoredField::of_matched`].
    #[must_use]
    pub fn ignored_fields(mut self, choose: impl Fn(&IgnoredField<'_>) -> Option<Any> + Send + Sync + 'static) -> Self {
        self.ignored = IgnoredFields::chosen(choose);
        self
    }

    /// `root` after all rules. No rule matches a part of the result.
    ///
    /// Shared parts stay shared. The rewrite visits each object once, and of each replacement the objects that are not values
    /// of holes. So it takes time linear in the graph and in the replacements, and in the sizes of the values that the rules
    /// compare: a pattern with a hole that occurs twice compares two values as a whole, and so does a pattern of a value with
    /// a binder. The rules of texts over bindings compute the variables of each object once, and a substitution in the replacement
    /// walks the value in which it replaces.
    ///
    /// A rule does not match where its replacement does not fit: where a field of the replacement cannot hold the value of a
    /// hole, or where the place of the matched object cannot hold the replacement. An object with several places that a rule
    /// has not changed at the first one stays as it is at all of them.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) for rules that need more work than the [`limits`](Self::limits)
    /// allow, with the names of the rules that applied last; the error of a rule; the errors of
    /// [`Pattern::matches`](crate::rewrite::Pattern::matches).
    pub fn run<T: FieldType>(&self, root: T) -> Result<T> {
        self.run_within(root, &mut self.progress(&|rule| self.rules[rule].name()), &mut |_| {})
    }

    /// As [`run`](Self::run), with a call of `observer` for each replacement, and with the statistics of the rewrite.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_observed<T: FieldType>(
        &self,
        root: T,
        mut observer: impl FnMut(&Fired<'_>),
    ) -> Result<(T, RewriteStatistics)> {
        let name = |rule: usize| self.rules[rule].name();
        let mut progress = self.progress(&name);
        let root = self.run_within(root, &mut progress, &mut observer)?;
        Ok((root, progress.statistics()))
    }

    fn progress<'n>(&self, name: &'n dyn Fn(usize) -> Str) -> RuleProgress<'n> {
        RuleProgress::new(self.rules.len(), &self.limits, name)
    }

    fn run_within<T: FieldType>(
        &self,
        root: T,
        progress: &mut RuleProgress<'_>,
        observer: &mut dyn FnMut(&Fired<'_>),
    ) -> Result<T> {
        match root.into_any() {
            Any::Object(object) => KnownVariables::with(|variables| {
                let index = RuleIndex::new(&self.rules, &self.ignored);
                rewrite_by_rule(object, Normalization::new(&index, progress, variables, &T::accepts, observer))?.cast()
            }),
            plain => plain.cast(),
        }
    }
}
