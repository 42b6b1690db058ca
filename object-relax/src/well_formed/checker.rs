//! [`Checker`]: the rules of a check, and the check itself.

use object_core::{AnyView, Array, AsAnyView, Error, ErrorKind, ObjectHandle};
use object_ir::ir::{IRModuleNode, RelaxExpr};
use rustc_hash::FxHashMap;

use crate::well_formed::call_graph::CallGraph;
use crate::well_formed::context::Context;
use crate::well_formed::diagnostic::Report;
use crate::well_formed::findings::Settings;
use crate::well_formed::profile::Profile;
use crate::well_formed::rule::{Level, Phase, Rule};
use crate::well_formed::rules;
use crate::well_formed::rules::{dataflow, functions, variables};
use crate::well_formed::walk::Walk;

/// The number of violations that a report describes by default.
const DESCRIBED: usize = 1000;

/// Checks whether programs are well-formed. A check collects all violations in one walk, in time linear in the program.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::{Id, Var};
/// use object_relax::well_formed::Checker;
///
/// let free = Var::new(Id::new("x"));
/// let report = Checker::new().check(&free);
/// assert_eq!(report.to_string(), "error[unbound-var]: nothing binds the variable `x` at <root>\n1 error, 0 warnings");
///
/// let report = Checker::new().allow("unbound-var")?.check(&free);
/// assert!(report.is_well_formed());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checker {
    settings: Settings,
}

impl Default for Checker {
    fn default() -> Self {
        Self::new()
    }
}

impl Checker {
    /// All rules of all phases, at the levels of the [specification](Profile::Spec).
    #[must_use]
    pub fn new() -> Self {
        let (profile, version) = (Profile::Spec.levels(), Profile::Spec.version());
        let levels = FxHashMap::default();
        Checker { settings: Settings { phase: Phase::Typed, profile, version, levels, limit: DESCRIBED } }
    }

    /// Checks only the rules of `phase` and of earlier phases.
    #[must_use]
    pub fn phase(mut self, phase: Phase) -> Self {
        self.settings.phase = phase;
        self
    }

    /// Takes the levels of a profile. Levels that another call chooses outrank them.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        (self.settings.profile, self.settings.version) = (profile.levels(), profile.version());
        self
    }

    /// Does not report the violations of a rule.
    ///
    /// # Errors
    /// No rule has this name.
    pub fn allow(self, rule: &str) -> Result<Self, Error> {
        self.level(rule, Level::Allow)
    }

    /// Reports the violations of a rule as warnings.
    ///
    /// # Errors
    /// No rule has this name.
    pub fn warn(self, rule: &str) -> Result<Self, Error> {
        self.level(rule, Level::Warn)
    }

    /// Reports the violations of a rule as errors.
    ///
    /// # Errors
    /// No rule has this name.
    pub fn deny(self, rule: &str) -> Result<Self, Error> {
        self.level(rule, Level::Deny)
    }

    /// Chooses the level of a rule.
    ///
    /// # Errors
    /// No rule has this name.
    pub fn level(mut self, rule: &str, level: Level) -> Result<Self, Error> {
        self.settings.levels.insert(find_rule(rule)?.key(), level);
        Ok(self)
    }

    /// Describes at most `count` errors and as many warnings; the report counts the others. The default is 1000.
    #[must_use]
    pub fn limit(mut self, count: usize) -> Self {
        self.settings.limit = count;
        self
    }

    /// Checks a module, a function or another expression. The rules about whole modules do not apply to functions and
    /// other expressions.
    #[must_use]
    pub fn check(&self, root: &impl AsAnyView) -> Report {
        let root = match root.as_any_view() {
            AnyView::Object(object) => object.to_object(),
            other => Array::from([other.to_any()]).as_object().clone(),
        };
        let object = root.view();
        let mut cx = Context::new(object, self.settings.clone());
        if let Some(module) = object.node::<IRModuleNode>() {
            cx = Walk::new(cx).module(module, object);
        } else if let Some(expr) = root.downcast_ref::<RelaxExpr>() {
            cx = Walk::new(cx).expression(expr);
        } else {
            functions::not_a_program(&mut cx, object);
        }
        variables::check_unresolved(&mut cx);
        let graph = CallGraph::new(&cx);
        dataflow::check_recursion(&mut cx, &graph);
        functions::check_recursive(&mut cx, &graph);
        let is_complete = cx.memo.is_complete();
        cx.findings.finish(&cx.places, cx.steps, is_complete)
    }
}

/// All rules, by family.
pub fn all_rules() -> impl Iterator<Item = &'static Rule> {
    rules::all()
}

/// The rule of this name.
///
/// # Errors
/// No rule has this name.
pub fn find_rule(name: &str) -> Result<&'static Rule, Error> {
    rules::all().find(|rule| rule.name == name).ok_or_else(|| {
        let names: Vec<&str> = rules::all().map(|rule| rule.name).collect();
        Error::new(ErrorKind::UnknownField, format!("`{name}` is not a rule; the rules are {}", names.join(", ")))
    })
}
