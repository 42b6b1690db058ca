//! [`RewriteRule`]: a pattern and a replacement.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, FieldType, ObjectRef, ObjectView, TypeInfo};
use crate::rewrite::ignored_fields::IgnoredFields;
use crate::rewrite::known_variables::KnownVariables;
use crate::rewrite::pattern::{Match, Pattern};
use crate::rewrite::rule_text::{RuleText, TextError, malformed, read_rule};
use crate::rewrite::scope_condition::ScopeCondition;
use crate::rewrite::self_application::part_that_matches;
use crate::rewrite::template::{Template, with_ignored};
use crate::rewrite::text_pattern::TextHoles;
use crate::text::brief::brief;
use crate::value::Str;
use crate::visit::walk;

type Compute = dyn Fn(&Match) -> Result<Option<Any>> + Send + Sync;

/// The cost of a value; `None` for a value of another type.
type Cost = dyn Fn(&Any) -> Option<u64> + Send + Sync;

/// Why a rule whose replacement matches its own pattern is an error.
const APPLIES_AGAIN: &str = "expected a replacement without parts that the pattern matches, got one that the rule would change \
                             for ever; leave the part out, or decide in `RewriteRule::computed`";

/// A pattern, and the value in place of each value that the pattern matches.
#[derive(Clone)]
pub struct RewriteRule {
    name: Option<Str>,
    priority: i32,
    pattern: Pattern,
    root: &'static TypeInfo,
    replacement: Replacement,
    cost: Option<Arc<Cost>>,
}

#[derive(Clone)]
enum Replacement {
    Template(Arc<Template>),
    Text(Arc<TextReplacement>),
    Computed(Arc<Compute>),
}

/// The replacement in a text.
struct TextReplacement {
    text: RuleText,
    holes: TextHoles,
    /// The conditions under which it leaves each variable bound where it was.
    conditions: Vec<ScopeCondition>,
    /// Whether it has other values in place of variables. If one of them is in the fields of a free variable, the result has another
    /// variable instead, which nothing binds.
    substitutes: bool,
}

/// The effect of a rule on a value.
pub(super) enum Outcome {
    /// The pattern does not match.
    Differs,
    /// A field of the replacement cannot hold the value of a hole.
    Misfit,
    Applied(Applied),
}

/// The result of a rule.
pub(super) struct Applied {
    pub(super) value: Any,
    /// The values of the holes.
    pub(super) holes: Vec<Any>,
    /// Whether no rule can match an object in `value` that is not a value of a hole. The index of the rules knows it.
    pub(super) is_flat: bool,
}

impl RewriteRule {
    /// The rule that replaces what `pattern` matches with `template`, in which the holes of the pattern have the values that
    /// they stand for.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a pattern that is a hole and so matches every value, for a pattern that is
    /// not an object, and for a pattern that matches a part of the template, because such a rule applies to its own results
    /// for ever, and for a free variable of the pattern that is neither a hole nor a
    /// [constant](Pattern::with_constants); [`BadReference`](ErrorKind::BadReference) for such a variable of the template; the
    /// errors of [`Pattern::matches`].
    pub fn new(pattern: Pattern, template: impl Into<Any>) -> Result<Self> {
        let template = template.into();
        let root = root_type(&pattern)?;
        pattern.check_variables(Some(&template))?;
        if applies_to_part(&pattern, root, &template)? {
            return Err(malformed(APPLIES_AGAIN));
        }
        let replacement = Replacement::Template(Arc::new(pattern.replacement(template)?));
        Ok(RewriteRule::of(pattern, root, replacement))
    }

    /// The rule that replaces what `pattern` matches with the result of a closure. `None` keeps the matched value.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a pattern that is a hole, for one that is not an object, and for a free variable
    /// that is neither a hole nor a [constant](Pattern::with_constants).
    pub fn computed(
        pattern: Pattern,
        replace: impl Fn(&Match) -> Result<Option<Any>> + Send + Sync + 'static,
    ) -> Result<Self> {
        let root = root_type(&pattern)?;
        pattern.check_variables(None)?;
        Ok(RewriteRule::of(pattern, root, Replacement::Computed(Arc::new(replace))))
    }

    /// The rule that a text states: a pattern and a replacement in the syntax of [`Pattern::parse`], with `=>` between them.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::rewrite::{RewriteRule, RewriteRules};
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.rule_text.Query", base)]
    /// struct QueryNode {}
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.rule_text.Scan", parent = QueryNode)]
    /// #[structural_eq(tree)]
    /// struct ScanNode {
    ///     base: QueryNode,
    ///     table: Str,
    /// }
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.rule_text.Limit", parent = QueryNode)]
    /// #[structural_eq(tree)]
    /// struct LimitNode {
    ///     base: QueryNode,
    ///     count: i64,
    ///     input: Query,
    /// }
    ///
    /// let twice = RewriteRule::parse(
    ///     "doc.rule_text.Limit(count=?n, input=doc.rule_text.Limit(count=?n, input=?x)) => doc.rule_text.Limit(count=?n, input=?x)",
    /// )?;
    /// let query = Limit::new(5, Limit::new(5, Scan::new("t")));
    /// let result = RewriteRules::new().rule(twice).run(Query::from(query))?;
    /// assert!(structural_equal(&result, &Limit::new(5, Scan::new("t"))));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// In the replacement, `?b[?x := value, ?y := value]` is the value of `?b` with other values in place of the variables that
    /// the pattern binds by `?x` and `?y`, as [`Substitution`](crate::rewrite::Substitution) puts them there. The rule matches
    /// only where it leaves each variable bound by the place that binds it in the matched value: where it moves a value out of the
    /// scope of a variable or into one, the variable must not be free in the value.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::rewrite::{RewriteRule, RewriteRules};
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.rule_let.Expr", base)]
    /// struct ExprNode {}
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.rule_let.Var", parent = ExprNode)]
    /// #[structural_eq(var)]
    /// struct VarNode {
    ///     base: ExprNode,
    ///     #[field(ignore)]
    ///     name: Str,
    /// }
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.rule_let.Let", parent = ExprNode)]
    /// #[structural_eq(tree, scope)]
    /// struct LetNode {
    ///     base: ExprNode,
    ///     #[field(outer)]
    ///     value: Expr,
    ///     #[field(def_simple)]
    ///     var: Var,
    ///     body: Expr,
    /// }
    ///
    /// let inline = RewriteRule::parse("doc.rule_let.Let(value=?v, var=?x, body=?b) => ?b[?x := ?v]")?;
    /// let (x, y) = (Var::new("x"), Var::new("y"));
    /// let result = RewriteRules::new().rule(inline).run(Expr::from(Let::new(&y, &x, &x)))?;
    /// assert!(result.ptr_eq(&y));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Pattern::parse`], also for the replacement; [`BadReference`](ErrorKind::BadReference) for a hole in the
    /// replacement that the pattern lacks; [`Malformed`](ErrorKind::Malformed) for a replacement that frees or captures a variable
    /// at every match, and for one with a part that the pattern matches.
    pub fn parse(text: &str) -> Result<Self> {
        RewriteRule::of_text(text).map_err(|error| error.in_text(text))
    }

    fn of_text(text: &str) -> Result<Self, TextError> {
        let (pattern_text, replacement) = read_rule(text)?;
        let (pattern, holes, scopes) = Pattern::of_text(text, &pattern_text)?;
        let root = root_type(&pattern).map_err(|error| pattern_text.fault(error))?;
        let again = part_that_matches(&pattern_text, &replacement).map(|part| part.fault(malformed(APPLIES_AGAIN)));
        let text = replacement.replacement(&holes)?;
        let conditions = scopes.conditions_of(&text, &holes)?;
        if let Some(error) = again {
            return Err(error);
        }
        let substitutes = text.substitutes();
        let replacement = Replacement::Text(Arc::new(TextReplacement { text, holes, conditions, substitutes }));
        Ok(RewriteRule::of(pattern, root, replacement))
    }

    fn of(pattern: Pattern, root: &'static TypeInfo, replacement: Replacement) -> Self {
        RewriteRule { name: None, priority: 0, pattern, root, replacement, cost: None }
    }

    /// Gives the rule a name, for errors, traces and statistics. By default it is the text of its pattern.
    #[must_use]
    pub fn named(mut self, name: impl Into<Str>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Of several rules that match, the one with the highest priority applies. The default is 0.
    #[must_use]
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }

    /// Lets the rule apply only where `cost` of its replacement is less than the cost of the matched value, and both are a `T`. So
    /// rules with one cost end, also if they can undo each other.
    ///
    /// The rewrite calls `cost` twice at each match whose replacement fits, whether the rule applies or not: with the
    /// replacement, and with the matched value. A cost that looks at the parts of a value should remember it, for instance in a
    /// field marked `cache`.
    #[must_use]
    pub fn cost<T: FieldType>(mut self, cost: impl Fn(&T) -> u64 + Send + Sync + 'static) -> Self {
        self.cost = Some(Arc::new(move |value| value.clone().cast().ok().map(|value| cost(&value))));
        self
    }

    /// The name, or the text of the pattern.
    #[must_use]
    pub fn name(&self) -> Str {
        self.name.clone().unwrap_or_else(|| Str::from(brief(&format!("{:?}", self.pattern.template())).to_string()))
    }

    /// The type of the values that the rule can match.
    pub(super) fn root(&self) -> &'static TypeInfo {
        self.root
    }

    pub(super) fn rank(&self) -> i32 {
        self.priority
    }

    /// Whether the cost allows that `new` replaces `old`.
    pub(super) fn costs_less(&self, new: &Any, old: ObjectView<'_>) -> bool {
        self.cost.as_ref().is_none_or(|cost| {
            let (new, old) = (cost(new), cost(&Any::Object(old.to_object())));
            new.zip(old).is_some_and(|(new, old)| new < old)
        })
    }

    /// Whether the replacement makes one object alone, and no rule can match the other objects in it that are not values of
    /// holes.
    pub(super) fn is_flat(&self, has_rules: &dyn Fn(&TypeInfo) -> bool) -> bool {
        match &self.replacement {
            Replacement::Template(template) => template.is_flat(has_rules),
            Replacement::Text(replacement) => replacement.text.is_flat(has_rules),
            Replacement::Computed(_) => false,
        }
    }

    /// The replacement of `object`.
    ///
    /// # Errors
    /// The errors of the pattern and of the replacement, with the name of the rule.
    pub(super) fn apply(
        &self,
        object: ObjectView<'_>,
        ignored: &IgnoredFields,
        variables: &mut KnownVariables<'_>,
    ) -> Result<Outcome> {
        let applied = self.outcome(object, ignored, variables);
        applied.map_err(|error| error.context(format_args!("the rule `{}`", self.name())))
    }

    fn outcome(
        &self,
        object: ObjectView<'_>,
        ignored: &IgnoredFields,
        variables: &mut KnownVariables<'_>,
    ) -> Result<Outcome> {
        let matched = AnyView::Object(object);
        let Some(holes) = self.pattern.values_in(matched, variables)? else { return Ok(Outcome::Differs) };
        match &self.replacement {
            Replacement::Template(template) => outcome_of(template.instance(&holes, matched, ignored), holes),
            Replacement::Text(text) => {
                if !text.conditions.iter().all(|condition| condition.holds(&holes, variables)) {
                    return Ok(Outcome::Differs);
                }
                let finish = &mut |new| with_ignored(new, object, ignored);
                let value = text.text.instance(&text.holes, &holes, finish);
                if text.substitutes && value.as_ref().is_ok_and(|value| variables.are_new_in(value, object)) {
                    return Ok(Outcome::Differs);
                }
                outcome_of(value, holes)
            }
            Replacement::Computed(compute) => {
                let found = self.pattern.found(holes, matched, ignored.clone());
                let Some(value) = compute(&found)? else { return Ok(Outcome::Differs) };
                Ok(Outcome::Applied(Applied { value, holes: found.into_values(), is_flat: false }))
            }
        }
    }
}

/// The outcome of a rule with a template or a text.
fn outcome_of(value: Result<Any>, holes: Vec<Any>) -> Result<Outcome> {
    match value {
        Ok(value) => Ok(Outcome::Applied(Applied { value, holes, is_flat: false })),
        Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(Outcome::Misfit),
        Err(error) => Err(error),
    }
}

/// Whether `pattern`, of which the root has the type `root`, matches a part of `template`.
fn applies_to_part(pattern: &Pattern, root: &'static TypeInfo, template: &Any) -> Result<bool> {
    KnownVariables::with(|variables| {
        let mut applies = Ok(false);
        walk(template, |part: &ObjectRef, _| {
            if let Ok(false) = applies
                && std::ptr::eq(part.type_info(), root)
            {
                applies = pattern.values_in(AnyView::Object(part.view()), variables).map(|found| found.is_some());
            }
        });
        applies
    })
}

/// The type of the template of a pattern for a rule.
fn root_type(pattern: &Pattern) -> Result<&'static TypeInfo> {
    let fault = match pattern.root() {
        None => "a plain value",
        Some(_) if pattern.is_hole() => "a hole, which matches every value",
        Some(root) => return Ok(root),
    };
    let message = format!("expected a pattern whose template is an object with the holes inside, got {fault}");
    Err(Error::new(ErrorKind::Malformed, message))
}

impl fmt::Debug for RewriteRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RewriteRule")
            .field("name", &self.name())
            .field("pattern", &self.pattern)
            .finish_non_exhaustive()
    }
}
