//! [`RewriteRules`]: term rewriting, a list of rules applied to all parts of a value until none of them applies.

use crate::error::Result;
use crate::limits::Limits;
use crate::object::{Any, FieldType, TypeInfo};
use crate::rewrite::normalization::{Fired, Normalization, RewriteStatistics};
use crate::rewrite::rewrite_rule::RewriteRule;
use crate::rewrite::rule::rewrite_by_rule;
use crate::table::AddressTable;

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
#[derive(Clone, Debug)]
pub struct RewriteRules {
    rules: Vec<RewriteRule>,
    limits: Limits,
}

impl Default for RewriteRules {
    fn default() -> Self {
        // Enough for values that fill the memory of a small machine, and an end of some seconds for rules that go on.
        let limits = Limits::new().max_nodes(1 << 24).max_steps(1 << 30);
        RewriteRules { rules: Vec::new(), limits }
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
    /// The defaults are 2^24 and 2^30.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// `root` after all rules. No rule matches a part of the result.
    ///
    /// Shared parts stay shared. The rewrite visits each object once, and of each replacement the objects that are not values
    /// of holes. So it takes time linear in the graph and in the replacements, and in the sizes of the values that the rules
    /// compare: a pattern with a hole that occurs twice compares two values as a whole, and a pattern with a binder looks
    /// whether the values below it use the bound variable.
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
        Ok(self.run_observed(root, |_| {})?.0)
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
        let index = RuleIndex::new(&self.rules);
        let mut run = Normalization::new(&index, &self.limits, &T::accepts, &mut observer);
        let root = match root.into_any() {
            Any::Object(object) => rewrite_by_rule(object, &mut run)?.cast()?,
            plain => plain.cast()?,
        };
        Ok((root, run.statistics()))
    }
}

/// The rules by the types of the objects that they match.
pub(super) struct RuleIndex<'r> {
    pub(super) rules: &'r [RewriteRule],
    /// The numbers of the rules for each type, in the order in which they apply.
    by_type: AddressTable<Vec<usize>>,
}

impl<'r> RuleIndex<'r> {
    fn new(rules: &'r [RewriteRule]) -> Self {
        let mut by_type: AddressTable<Vec<usize>> = AddressTable::default();
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(rules[*number].rank()));
        for number in order {
            by_type.entry(std::ptr::from_ref(rules[number].root()).addr()).or_default().push(number);
        }
        RuleIndex { rules, by_type }
    }

    /// The numbers of the rules for objects of this type.
    #[inline]
    pub(super) fn of(&self, info: &TypeInfo) -> &[usize] {
        self.by_type.get(&std::ptr::from_ref(info).addr()).map_or(&[], Vec::as_slice)
    }
}
