//! [`RewriteRule`]: a pattern and a replacement.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, ObjectRef, ObjectView, TypeInfo};
use crate::rewrite::ignored_fields::IgnoredFields;
use crate::rewrite::pattern::{Match, Pattern};
use crate::rewrite::rule_text::{RuleReader, RuleText};
use crate::rewrite::template::{Template, with_ignored};
use crate::rewrite::text_pattern::TextHoles;
use crate::text::brief::brief;
use crate::value::Str;
use crate::visit::walk;

type Compute = dyn Fn(&Match) -> Result<Option<Any>> + Send + Sync;

/// A pattern, and the value in place of each value that the pattern matches.
#[derive(Clone)]
pub struct RewriteRule {
    name: Option<Str>,
    priority: i32,
    pattern: Pattern,
    root: &'static TypeInfo,
    replacement: Replacement,
}

#[derive(Clone)]
enum Replacement {
    Template(Arc<Template>),
    Text(Arc<(RuleText, TextHoles)>),
    Computed(Arc<Compute>),
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
        let mut applies_again = Ok(false);
        walk(&template, |part: &ObjectRef| {
            if let Ok(false) = applies_again
                && std::ptr::eq(part.type_info(), root)
            {
                applies_again = pattern.values_in(AnyView::Object(part.view())).map(|found| found.is_some());
            }
        });
        if applies_again? {
            let message = "expected a replacement without parts that the pattern matches, got one that the rule would change \
                           for ever; leave the part out, or decide in `RewriteRule::computed`";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        let replacement = Replacement::Template(Arc::new(pattern.replacement(template)?));
        Ok(RewriteRule { name: None, priority: 0, pattern, root, replacement })
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
        Ok(RewriteRule {
            name: None,
            priority: 0,
            pattern,
            root,
            replacement: Replacement::Computed(Arc::new(replace)),
        })
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
    /// # Errors
    /// The errors of [`Pattern::parse`], also for the replacement; [`BadReference`](ErrorKind::BadReference) for a hole in the
    /// replacement that the pattern lacks.
    pub fn parse(text: &str) -> Result<Self> {
        let mut reader = RuleReader::new(text);
        let mut read = || {
            let pattern = reader.value(None)?;
            reader.arrow()?;
            let replacement = reader.value(None)?;
            reader.end().map(|()| (pattern, replacement))
        };
        let (pattern, replacement) = match read() {
            Ok(read) => read,
            Err(error) => return Err(reader.located(error)),
        };
        let (pattern, holes) = Pattern::of_text(text, &pattern)?;
        let replacement = replacement.replacement(&holes)?;
        let root = root_type(&pattern)?;
        let replacement = Replacement::Text(Arc::new((replacement, holes)));
        Ok(RewriteRule { name: None, priority: 0, pattern, root, replacement })
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

    /// Whether the replacement makes one object alone, and no rule can match the other objects in it that are not values of
    /// holes.
    pub(super) fn is_flat(&self, has_rules: &dyn Fn(&TypeInfo) -> bool) -> bool {
        match &self.replacement {
            Replacement::Template(template) => template.is_flat(has_rules),
            Replacement::Text(text) => text.0.is_flat(has_rules),
            Replacement::Computed(_) => false,
        }
    }

    /// The replacement of `object`; `None` if the pattern does not match, and if the replacement has a field that cannot hold
    /// the value of a hole.
    pub(super) fn apply(&self, object: ObjectView<'_>, ignored: &IgnoredFields) -> Result<Option<Applied>> {
        let matched = AnyView::Object(object);
        let Some(holes) = self.pattern.values_in(matched)? else { return Ok(None) };
        match &self.replacement {
            Replacement::Template(template) => applied(template.instance(&holes, matched, ignored), holes),
            Replacement::Text(text) => {
                let (replacement, names) = &**text;
                let value = replacement.instance(names, &holes, &mut |new| with_ignored(new, object, ignored));
                applied(value, holes)
            }
            Replacement::Computed(compute) => {
                let found = self.pattern.found(holes, matched, ignored.clone());
                let value = compute(&found)?;
                Ok(value.map(|value| Applied { value, holes: found.into_values(), is_flat: false }))
            }
        }
    }
}

/// The result of a rule, unless a field of the replacement cannot hold the value of a hole.
fn applied(value: Result<Any>, holes: Vec<Any>) -> Result<Option<Applied>> {
    match value {
        Ok(value) => Ok(Some(Applied { value, holes, is_flat: false })),
        Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(None),
        Err(error) => Err(error),
    }
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
