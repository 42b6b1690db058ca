//! [`RewriteRule`]: a pattern and a replacement.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, ObjectRef, ObjectView, TypeInfo};
use crate::rewrite::ignored_fields::IgnoredFields;
use crate::rewrite::pattern::{Match, Pattern};
use crate::rewrite::template::Template;
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
    Computed(Arc<Compute>),
}

/// The result of a rule.
pub(super) struct Applied {
    pub(super) value: Any,
    /// The values of the holes.
    pub(super) holes: Vec<Any>,
    /// Whether all objects in `value` are values of holes.
    pub(super) is_flat: bool,
}

impl RewriteRule {
    /// The rule that replaces what `pattern` matches with `template`, in which the holes of the pattern have the values that
    /// they stand for.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a pattern that is a hole and so matches every value, for a pattern that is
    /// not an object, and for a pattern that matches a part of the template, because such a rule applies to its own results
    /// for ever; the errors of [`Pattern::matches`].
    pub fn new(pattern: Pattern, template: impl Into<Any>) -> Result<Self> {
        let template = template.into();
        let root = root_type(&pattern)?;
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
    /// [`Malformed`](ErrorKind::Malformed) for a pattern that is a hole, and for one that is not an object.
    pub fn computed(
        pattern: Pattern,
        replace: impl Fn(&Match) -> Result<Option<Any>> + Send + Sync + 'static,
    ) -> Result<Self> {
        let root = root_type(&pattern)?;
        Ok(RewriteRule {
            name: None,
            priority: 0,
            pattern,
            root,
            replacement: Replacement::Computed(Arc::new(replace)),
        })
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

    /// The replacement of `object`; `None` if the pattern does not match, and if the replacement has a field that cannot hold
    /// the value of a hole.
    pub(super) fn apply(&self, object: ObjectView<'_>, ignored: &IgnoredFields) -> Result<Option<Applied>> {
        let matched = AnyView::Object(object);
        let Some(holes) = self.pattern.values_in(matched)? else { return Ok(None) };
        match &self.replacement {
            Replacement::Template(template) => match template.instance(&holes, matched, ignored) {
                Ok(value) => Ok(Some(Applied { value, holes, is_flat: template.is_flat() })),
                Err(error) if error.kind() == ErrorKind::TypeMismatch => Ok(None),
                Err(error) => Err(error),
            },
            Replacement::Computed(compute) => {
                let found = self.pattern.found(holes, matched, ignored.clone());
                let value = compute(&found)?;
                Ok(value.map(|value| Applied { value, holes: found.into_values(), is_flat: false }))
            }
        }
    }
}

/// The type of the template of a pattern for a rule.
fn root_type(pattern: &Pattern) -> Result<&'static TypeInfo> {
    let fault = match pattern.root() {
        None => "a plain value",
        Some(_) if pattern.is_hole() => "a hole, which matches every value",
        Some(root) => return Ok(root.type_info()),
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
