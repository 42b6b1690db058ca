//! [`RewriteRules`]: term rewriting, a list of rules applied to all parts of a value until none of them applies.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::limits::{Budget, Limit, Limits};
use crate::object::{Any, FieldType, ObjectView};
use crate::rewrite::mutator::{Mutator, mutate_with};
use crate::rewrite::pattern::{Match, Pattern};
use crate::rewrite::rule::Mutation;
use crate::visit::Position;

type Replace = dyn Fn(&Match) -> Result<Option<Any>> + Send + Sync;

/// A pattern, and the value in place of each value that the pattern matches.
#[derive(Clone)]
pub struct RewriteRule {
    pattern: Pattern,
    replace: Arc<Replace>,
}

impl RewriteRule {
    /// The rule that replaces what `pattern` matches with `template`, in which the holes of the pattern have the values that
    /// they stand for.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a pattern that is a hole and so matches every value, and for a pattern that is
    /// not an object.
    pub fn new(pattern: Pattern, template: impl Into<Any>) -> Result<Self> {
        let template = template.into();
        RewriteRule::computed(pattern, move |found| found.instantiate(template.clone()).map(Some))
    }

    /// The rule that replaces what `pattern` matches with the result of a closure. `None` keeps the matched value.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn computed(
        pattern: Pattern,
        replace: impl Fn(&Match) -> Result<Option<Any>> + Send + Sync + 'static,
    ) -> Result<Self> {
        let fault = match pattern.root() {
            None => "a plain value",
            Some(_) if pattern.is_hole() => "a hole, which matches every value",
            Some(_) => return Ok(RewriteRule { pattern, replace: Arc::new(replace) }),
        };
        let message = format!("expected a pattern whose template is an object with the holes inside, got {fault}");
        Err(Error::new(ErrorKind::Malformed, message))
    }
}

impl fmt::Debug for RewriteRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RewriteRule").field("pattern", &self.pattern).finish_non_exhaustive()
    }
}

/// Term rewriting: rules that apply to all parts of a value, until none of them applies.
///
/// Parts come before the objects that contain them. Of several rules for one object, the first one that matches applies.
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
    /// [`max_nodes`](Limits::max_nodes), and each object that a pass visits as one of [`max_steps`](Limits::max_steps). The
    /// defaults are 2^24 and 2^30.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// `root` after all rules. No rule matches a part of the result.
    ///
    /// Shared parts stay shared. A pass visits each object once, the parts first, and passes follow until one changes
    /// nothing. Each takes time linear in the graph, and in the sizes of the values that the rules compare: a pattern with a
    /// hole that occurs twice compares two values as a whole.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for rules that need more work than the [`limits`](Self::limits) allow; the
    /// error of a rule; the error of a field that rejects a replacement, with the path; the errors of
    /// [`Pattern::matches`].
    pub fn run<T: FieldType>(&self, root: T) -> Result<T> {
        let mut root = root;
        let mut passes = Passes {
            rules: &self.rules,
            replacements: Budget::new(&self.limits, Limit::Nodes),
            visits: Budget::steps(&self.limits),
        };
        loop {
            let before = passes.replacements.spent();
            root = mutate_with(root, &mut passes)?;
            if passes.replacements.spent() == before {
                return Ok(root);
            }
        }
    }
}

/// Passes over a value, each of which applies the rules once to each object.
struct Passes<'r> {
    rules: &'r [RewriteRule],
    replacements: Budget,
    visits: Budget,
}

impl Mutator for Passes<'_> {
    fn leave(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        self.visits.spend(1)?;
        let fits = |rule: &&RewriteRule| {
            rule.pattern.root().is_some_and(|root| std::ptr::eq(root.type_info(), object.type_info()))
        };
        for rule in self.rules.iter().filter(fits) {
            if let Some(found) = rule.pattern.matches(&object)?
                && let Some(value) = (rule.replace)(&found)?
            {
                self.replacements.spend(1)?;
                return Ok(Mutation::Replace(value));
            }
        }
        Ok(Mutation::Keep)
    }
}
