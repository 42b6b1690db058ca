//! [`Pattern`]: a value with holes, which matches the values that it equals after a substitution for the holes.
//!
//! A text, and a template without bindings, match by checks (`syntactic.rs`), in time linear in the template. Any other matches by its
//! definition (`modulo_binders.rs`), in time linear in the template and in the values of the holes.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, AsAnyView, FieldType, ObjectHandle, ObjectRef, ObjectView, TypeInfo};
use crate::rewrite::compared_part::compared_part;
use crate::rewrite::holes::Holes;
use crate::rewrite::ignored_fields::IgnoredFields;
use crate::rewrite::known_variables::KnownVariables;
use crate::rewrite::modulo_binders;
use crate::rewrite::rule_text::{RulePart, RuleText, TextError, malformed, read_pattern};
use crate::rewrite::scope_condition::ScopeCondition;
use crate::rewrite::substitute::Substitution;
use crate::rewrite::substitution_plan::var_of;
use crate::rewrite::syntactic::{Syntactic, SyntacticPattern};
use crate::rewrite::template::Template;
use crate::rewrite::text_pattern::{self, TextHoles};
use crate::rewrite::text_scopes::PatternScopes;
use crate::structural::{Scopes, StructuralOptions};
use crate::table::AddressSet;
use crate::text::brief::brief;
use crate::value::Str;
use crate::visit::ScopeTypes;

/// A value with holes: free variables that stand for other values.
///
/// A pattern matches a value if some [`Substitution`] of values for the holes makes the template structurally equal to
/// the value. So a pattern ignores the fields that equality ignores, the names of bound variables mean nothing, and a hole
/// that occurs twice stands for equal values. A hole under a binder of the template does not stand for a value that uses the
/// variable of this binder, because a substitution captures no variables. A hole stands for a value that is present: never for
/// `None`. (Baader and Nipkow, Term Rewriting and All That,
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
    /// The template, or the text of a pattern that is a text.
    template: Any,
    /// The type of the values that it matches; `None` if the template is not an object.
    root: Option<&'static TypeInfo>,
    holes: Arc<Holes>,
    options: StructuralOptions,
    /// How the pattern matches, found out at the first match, because each hole changes it.
    method: OnceLock<Method>,
}

/// How a pattern matches.
#[derive(Clone, Debug)]
enum Method {
    Checks(SyntacticPattern),
    /// The checks of a text, and the conditions on its holes.
    Text(SyntacticPattern, Vec<ScopeCondition>),
    /// By the definition, with the compared part of the template.
    Definition(Any),
}

impl Pattern {
    /// The pattern that matches the values that are equal to `template`, as [`structural_equal`](crate::structural_equal)
    /// says.
    #[must_use]
    pub fn new(template: impl Into<Any>) -> Self {
        Pattern::within(template.into(), ScopeTypes::new(), Scopes::Persistent)
    }

    /// As [`new`](Self::new), for a language in which a binding ends with the object that makes it: under
    /// [`Scopes::Lexical`] and with [`ScopeTypes::marked`].
    #[must_use]
    pub fn lexical(template: impl Into<Any>) -> Self {
        Pattern::within(template.into(), ScopeTypes::marked(), Scopes::Lexical)
    }

    fn within(template: Any, types: ScopeTypes, scopes: Scopes) -> Self {
        let holes = Arc::new(Holes { scopes: types, ..Holes::default() });
        let root = template.view().as_object().map(ObjectView::type_info);
        Pattern { template, root, holes, options: StructuralOptions::new().scopes(scopes), method: OnceLock::new() }
    }

    /// The pattern that a text states, in the syntax of [`repr::parse`](crate::repr::parse). `?name` is a hole: for objects,
    /// numbers, texts, enums and present optional values. `?rest...` at the end of an array is a hole for the other elements.
    /// A field with a default may be left out, and then has the default; with `...` at the end, an object may have anything in
    /// the other fields.
    ///
    /// At a place that binds, a hole stands for the variable itself, whatever its fields are. The same hole below this place stands
    /// for the same variable, and the values of other holes there may use it. Bindings end with the objects of types marked
    /// `scope`. Two holes for variables, one in the scope of the other, stand for different variables.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::rewrite::Pattern;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "doc.text_pattern.Scan")]
    /// #[structural_eq(tree)]
    /// struct ScanNode {
    ///     table: Str,
    ///     columns: Array<Str>,
    ///     limit: i64,
    /// }
    ///
    /// let pattern = Pattern::parse(r#"doc.text_pattern.Scan(limit=?n, columns=["a", ?others...], ...)"#)?;
    /// let scan = Scan::new("t", ["a", "b", "c"].map(Str::from), 10);
    /// let found = pattern.matches(&scan)?.expect("it matches");
    /// assert_eq!(found.get::<i64>("n")?, 10);
    /// assert_eq!(found.get::<Array<Str>>("others")?.len(), 2);
    /// let error = Pattern::parse("doc.text_pattern.Scan(limits=?n, ...)").unwrap_err();
    /// assert!(error.to_string().contains("did you mean `limit`?"), "{error}");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// With line and column: [`Malformed`](ErrorKind::Malformed) for a text that is not a pattern, and for a variable in it;
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a part that its place cannot hold, and for a hole at places of unrelated
    /// types; [`MissingField`](ErrorKind::MissingField) for a field without a default that is left out without `...`; the errors
    /// of [`repr::parse`](crate::repr::parse) for types, fields and values.
    pub fn parse(text: &str) -> Result<Self> {
        let read = read_pattern(text).and_then(|pattern| Pattern::of_text(text, &pattern));
        read.map(|(pattern, ..)| pattern).map_err(|error| error.in_text(text))
    }

    /// The pattern that a text states, its holes, and their scopes.
    pub(super) fn of_text(text: &str, pattern: &RuleText) -> Result<(Self, TextHoles, PatternScopes), TextError> {
        let RulePart::Object(root, ..) = pattern.part else {
            let message = "expected a pattern that begins with the type of an object, as in `my.Type(field=?x)`";
            return Err(pattern.fault(malformed(message)));
        };
        let (checks, text_holes) = text_pattern::pattern(pattern)?;
        let scopes = PatternScopes::of(pattern, &text_holes)?;
        let mut holes = Holes::default();
        // The object of the name stands for the hole.
        text_holes.names.iter().for_each(|name| holes.push(&Str::from(name.as_str()).into()));
        let new = Pattern::lexical(Any::from(text));
        let method = OnceLock::from(Method::Text(checks, scopes.conditions.clone()));
        Ok((Pattern { root: Some(root), holes: Arc::new(holes), method, ..new }, text_holes, scopes))
    }

    /// Makes a variable of the template a hole, which stands for any value that its places can hold, but not for an absent one
    /// (`None`). Binders of the template that bind the same variable get another one. Instead of a variable, `var` may be an
    /// object with one variable in its fields, as in [`Substitution::replace`].
    ///
    /// # Errors
    /// As [`with_holes`](Self::with_holes).
    pub fn hole<H: ObjectHandle>(self, var: &H) -> Result<Self> {
        self.with_holes([var])
    }

    /// Makes each of these variables a [`hole`](Self::hole), in time linear in the template and the variables.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) if one of them is not a free variable of the template in the fields that
    /// equality compares, or if the template binds it too and cannot use another variable there, see
    /// [`Substitution::rename_bound`]; [`NotConstructible`](ErrorKind::NotConstructible) for an object that has no variable or
    /// several in its fields.
    pub fn with_holes<'v, H: ObjectHandle>(mut self, vars: impl IntoIterator<Item = &'v H>) -> Result<Self> {
        let vars: Vec<&ObjectRef> = vars.into_iter().map(ObjectHandle::as_object).collect();
        let variables: Vec<usize> = vars.iter().map(|var| var_of(var.view())).collect::<Result<_>>()?;
        let mut bound = addresses(&self.holes.scopes.bound_vars(&self.template));
        if variables.iter().any(|var| bound.contains(var)) {
            let renaming = Substitution::new().scopes(self.holes.scopes.clone()).rename_bound(true);
            let new = addresses(vars.iter().copied());
            let kept = |address| new.contains(&address) || self.holes.numbers.contains_key(&address);
            self.template = renaming.run(compared_part(self.template, kept)?)?;
            bound = addresses(&self.holes.scopes.bound_vars(&self.template));
        }
        let free = addresses(&self.holes.scopes.free_vars(&self.template));
        for (var, address) in vars.into_iter().zip(variables) {
            if bound.contains(&address) || !free.contains(&address) {
                let message = format!(
                    "expected a free variable of the template as a hole, got `{var:?}`; name a variable that the template \
                     uses and does not bind"
                );
                return Err(Error::new(ErrorKind::BadReference, message));
            }
            Arc::make_mut(&mut self.holes).push(var);
        }
        self.method = OnceLock::new();
        Ok(self)
    }

    /// States that these variables stand for themselves in the pattern and in the replacement of a rule. A rule has no other
    /// free variables but holes, because a forgotten hole is such a variable.
    #[must_use]
    pub fn with_constants<'v, H: ObjectHandle>(mut self, vars: impl IntoIterator<Item = &'v H>) -> Self {
        let constants = vars.into_iter().map(|var| var.as_object().view().address());
        Arc::make_mut(&mut self.holes).constants.extend(constants);
        self
    }

    /// Checks that each free variable of the pattern and of a replacement for it is a hole or a constant.
    pub(super) fn check_variables(&self, replacement: Option<&Any>) -> Result<()> {
        let unknown = |value: &Any| self.holes.unknown_var(self.holes.scopes.free_vars(value));
        let (place, var, kind) = match (unknown(&self.template), replacement.and_then(unknown)) {
            (Some(var), _) => ("pattern", var, ErrorKind::Malformed),
            (None, Some(var)) => ("replacement", var, ErrorKind::BadReference),
            (None, None) => return Ok(()),
        };
        let message = format!(
            "expected holes of the pattern as the free variables of the {place}, got `{var:?}`; make it a hole, or a constant \
             by `Pattern::with_constants`"
        );
        Err(Error::new(kind, message))
    }

    /// The value with the holes; for a pattern that is a [text](Self::parse), the text.
    #[must_use]
    pub fn template(&self) -> &Any {
        &self.template
    }

    /// The holes, in the order in which they were made.
    #[must_use]
    pub fn holes(&self) -> &[ObjectRef] {
        &self.holes.vars
    }

    /// The values of the holes for which the template equals `value`; `None` if there are none, and if a hole occurs only in
    /// places that equality ignores, or only below keys of maps that contain variables.
    ///
    /// A template without bindings, hooks and `dag` nodes takes time linear in the template, and for a hole that occurs more
    /// than once, in its values.
    ///
    /// # Errors
    /// [`NotComparable`](ErrorKind::NotComparable) for a comparison with a value of a type without structural equality, and the
    /// errors of [`Substitution::run`] about limits.
    pub fn matches(&self, value: &impl AsAnyView) -> Result<Option<Match>> {
        let value = value.as_any_view();
        let values = KnownVariables::with(|variables| self.values_in(value, variables))?;
        Ok(values.map(|values| self.found(values, value, IgnoredFields::default())))
    }

    /// The value of each hole, in their order.
    pub(super) fn values_in(&self, value: AnyView<'_>, variables: &mut KnownVariables<'_>) -> Result<Option<Vec<Any>>> {
        if self.method.get().is_none() {
            let checks = SyntacticPattern::of(&self.template, &self.holes.numbers);
            let by_definition = || self.compared_part().map(Method::Definition);
            // Another thread may have set the same.
            drop(self.method.set(checks.map_or_else(by_definition, |checks| Ok(Method::Checks(checks)))?));
        }
        let template = match self.method.get() {
            Some(Method::Definition(template)) => template.clone(),
            Some(Method::Checks(checks)) => match checks.run(value, self.options)? {
                Syntactic::Differs => return Ok(None),
                Syntactic::Matches(values) => return Ok(Some(values)),
                Syntactic::Unknown => self.compared_part()?,
            },
            Some(Method::Text(checks, conditions)) => {
                let values = match checks.run(value, self.options)? {
                    // Values with `dag` nodes are equal by themselves or not at all: a text has no other places for the nodes.
                    Syntactic::Unknown => checks.run(value, self.options.scopes(Scopes::Persistent))?.values(),
                    found => found.values(),
                };
                return Ok(values.filter(|values| conditions.iter().all(|it| it.holds(values, variables))));
            }
            None => self.template.clone(),
        };
        modulo_binders::values_in(&template, &self.holes, self.options, value)
    }

    fn compared_part(&self) -> Result<Any> {
        compared_part(self.template.clone(), |address| self.holes.numbers.contains_key(&address))
    }

    /// The replacement `template` for this pattern.
    pub(super) fn replacement(&self, template: Any) -> Result<Template> {
        Template::new(template, &self.holes)
    }

    /// A match that has these values.
    pub(super) fn found(&self, values: Vec<Any>, matched: AnyView<'_>, ignored: IgnoredFields) -> Match {
        Match { holes: self.holes.clone(), values, matched: matched.to_any(), ignored }
    }

    /// The type that a value needs to match; `None` if the template is not an object.
    pub(super) fn root(&self) -> Option<&'static TypeInfo> {
        self.root
    }

    /// Whether the whole template is a hole.
    pub(super) fn is_hole(&self) -> bool {
        self.template.view().as_object().is_some_and(|root| self.holes.numbers.contains_key(&root.address()))
    }
}

/// The value of a hole as a `T`.
fn cast<T: FieldType>(value: &Any, hole: impl fmt::Display) -> Result<T> {
    value.clone().cast().map_err(|error| error.context(format_args!("the hole `{hole}`")))
}

fn addresses<'o>(objects: impl IntoIterator<Item = &'o ObjectRef>) -> AddressSet {
    objects.into_iter().map(|object| object.view().address()).collect()
}

/// The values for the holes of a [`Pattern`] that matches a value.
#[derive(Clone, Debug)]
pub struct Match {
    holes: Arc<Holes>,
    values: Vec<Any>,
    matched: Any,
    ignored: IgnoredFields,
}

impl Match {
    /// The value that the pattern matches.
    #[must_use]
    pub fn matched(&self) -> &Any {
        &self.matched
    }

    /// The value that a hole stands for.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a value that is no `T`; [`BadReference`](ErrorKind::BadReference) if the
    /// pattern has no such hole.
    pub fn value<T: FieldType>(&self, hole: &impl ObjectHandle) -> Result<T> {
        let hole = hole.as_object();
        match self.holes.numbers.get(&hole.view().address()) {
            Some(number) => cast(&self.values[*number], format_args!("{hole:?}")),
            None => Err(Error::new(ErrorKind::BadReference, format!("expected a hole of the pattern, got `{hole:?}`"))),
        }
    }

    /// The value that a hole of a [text](Pattern::parse) stands for.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn get<T: FieldType>(&self, name: &str) -> Result<T> {
        let is_named = |hole: &ObjectRef| hole.view().as_str() == Some(name);
        match self.values().find(|(hole, _)| is_named(hole)) {
            Some((_, value)) => cast(value, format_args!("?{}", brief(name))),
            None => {
                let message = format!("expected a hole of the text of the pattern, got `{}`", brief(name));
                Err(Error::new(ErrorKind::BadReference, message))
            }
        }
    }

    /// The value of each hole, in the order of the holes.
    pub(super) fn into_values(self) -> Vec<Any> {
        self.values
    }

    /// The holes and their values.
    pub fn values(&self) -> impl Iterator<Item = (&ObjectRef, &Any)> {
        self.holes.vars.iter().zip(&self.values)
    }

    /// `template` with the values in place of the holes, and with a new variable in place of each variable that it binds. So
    /// no two results of one template bind the same variable. This takes time linear in the template, unless it binds a hole.
    ///
    /// The new objects have the ignored fields of the matched object, such as a location, where their types have the same
    /// field; in a rule, the policy of [`RewriteRules::ignored_fields`](crate::rewrite::RewriteRules::ignored_fields) decides.
    ///
    /// # Errors
    /// As [`Substitution::run`].
    pub fn instantiate<T: FieldType>(&self, template: T) -> Result<T> {
        let template = Template::new(template.into_any(), &self.holes)?;
        template.instance(&self.values, self.matched.view(), &self.ignored)?.cast()
    }
}
