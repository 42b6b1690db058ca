//! [`RuleReport`]: the bindings to which a rule applies, and the nearest one to which it does not, with the reason.

use std::fmt;

use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::RuleProgress;
use object_core::stack_budget::with_stack;
use object_core::{AsAnyView, brief_to, counted};
use object_ir::ir::{
    BaseFunc, Call, Constant, GlobalVar, IRModule, Op, RelaxExpr, ShapeExpr, StructInfo, Tuple, TupleGetItem, Var,
    VarBinding,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::view;
use crate::op::describe::{describe, describe_expr};
use crate::transform::rules::apply::BindingRules;
use crate::transform::rules::instance::{Place, Unmet};
use crate::transform::rules::look_through::{Definitions, Hidden};
use crate::transform::rules::matches::visit_bindings;
use crate::transform::rules::rule::BindingRule;

/// The most characters of a value in a reason.
const MAX_VALUE: usize = 80;

/// What a rule finds in a program that no rule has changed yet.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleReport {
    /// The name of the rule.
    pub rule: Str,
    /// The bindings to which it applies.
    pub sites: Vec<RuleSite>,
    /// The binding that matches most of the pattern, and to which the rule does not apply.
    pub nearest: Option<NearMiss>,
}

/// A binding of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleSite {
    /// The name of the function in its module.
    pub function: Option<Str>,
    /// The binding.
    pub binding: VarBinding,
}

/// A binding to which a rule does not apply.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NearMiss {
    /// The binding.
    pub site: RuleSite,
    /// The variable in whose value the difference is: of this binding, or of an earlier one.
    pub var: Var,
    /// The reason in words.
    pub reason: String,
    /// The number of parts of the pattern that match.
    pub matched: usize,
}

impl BindingRules {
    /// What each rule finds in a program in normal form, before any of them changes it.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for a program with more bindings than the [`limits`](Self::limits) have steps;
    /// the errors of [`run`](Self::run) about replacements.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_relax::normal_form::Normalizer;
    /// use object_relax::transform::{BindingRule, BindingRules};
    /// use object_script::parse::parse;
    ///
    /// let pattern = parse(
    ///     r#"
    /// @R.function
    /// def pattern(x: R.Tensor((2, 3), "float32"), w: R.Tensor((4, 3), "float32")):
    ///     return R.matmul(x, R.permute_dims(w))
    /// "#,
    /// )?;
    /// let program = parse(
    ///     r#"
    /// @R.function
    /// def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32")):
    ///     y = R.matmul(x, w)
    ///     return y
    /// "#,
    /// )?;
    /// let program = Normalizer::new().function(&program.cast()?)?;
    /// let rules = BindingRules::new().rule(BindingRule::of_pattern(&pattern.cast()?)?);
    /// let nearest = rules.explain(&program)?[0].nearest.clone().expect("a `matmul` is there");
    /// assert_eq!(nearest.reason, "argument 1 of `R.matmul`: expected `R.permute_dims`, got `w`, which is a parameter or the result of a cast");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn explain(&self, program: &impl AsAnyView) -> Result<Vec<RuleReport>, Error> {
        let program = program.as_any_view();
        let module = program.to_any().cast::<IRModule>().ok();
        let functions: Vec<(Option<GlobalVar>, Any)> = match &module {
            Some(module) => {
                module.functions.iter().map(|(var, it): (GlobalVar, BaseFunc)| (Some(var), it.into())).collect()
            }
            None => vec![(None, program.to_any())],
        };
        self.rules().iter().map(|rule| report(rule, &functions, self.work_limits())).collect()
    }
}

fn report(rule: &BindingRule, functions: &[(Option<GlobalVar>, Any)], limits: &Limits) -> Result<RuleReport, Error> {
    let name = |_| rule.name();
    let mut progress = RuleProgress::new(1, limits, &name);
    let mut report = RuleReport { rule: rule.name(), sites: Vec::new(), nearest: None };
    for (var, function) in functions {
        let function_name = var.as_ref().map(|var| var.name_hint.clone());
        visit_bindings(function, &mut progress, |binding, definitions, place| {
            let site = RuleSite { function: function_name.clone(), binding: binding.clone() };
            match rule.apply(binding, definitions, place)? {
                Ok(_) => report.sites.push(site),
                Err(unmet) => {
                    let miss = near_miss(rule, site, definitions, place, &unmet);
                    let least = report.nearest.as_ref().map_or(0, |nearest| nearest.matched);
                    report.nearest = miss.filter(|miss| miss.matched > least).or(report.nearest.take());
                }
            }
            Ok(())
        })?;
    }
    Ok(report)
}

/// Why a rule does not apply to a binding. `None` if no part of the pattern matches.
fn near_miss(
    rule: &BindingRule,
    site: RuleSite,
    definitions: &Definitions,
    place: Place,
    unmet: &Unmet,
) -> Option<NearMiss> {
    let var = site.binding.var.clone();
    let mut descent = Descent {
        rule,
        definitions,
        block: place.block,
        holes: FxHashMap::default(),
        seen: FxHashSet::default(),
        matched: 0,
        miss: None,
    };
    descent.at(&rule.template, &site.binding.value, &Context { var: &var, what: String::new() });
    let Descent { matched, miss, .. } = descent;
    let (var, reason) = match (unmet, miss) {
        (Unmet::Form, Some(miss)) => miss,
        _ => (var, reason_of(rule, &site.binding, unmet)),
    };
    (matched > 0).then_some(NearMiss { site, var, reason, matched })
}

/// A condition that the form of the value does not show, in words.
fn reason_of(rule: &BindingRule, binding: &VarBinding, unmet: &Unmet) -> String {
    let info = |info: Option<&StructInfo>| info.map_or_else(|| "nothing".to_owned(), describe);
    match unmet {
        Unmet::Param(index, given) => {
            let param = &rule.params.as_slice()[*index];
            let (expected, given) = (info(param.struct_info.as_ref()), info(given.as_ref()));
            format!("parameter `{}`: expected {expected}, got {given}", param.vid.name_hint)
        }
        Unmet::Dim(expected, given) => {
            let (expected, given) = (describe_expr(expected), describe_expr(given));
            format!("expected the dimension {expected}, got {given}, and no proof that they are equal")
        }
        Unmet::NothingStated => format!("the variable `{}` has no structural information", binding.var.vid.name_hint),
        Unmet::SaysLess(given) => {
            let stated = info(binding.var.struct_info.as_ref());
            let given = info(given.as_ref());
            format!("the pattern matches, but the replacement says {given} where the variable states {stated}")
        }
        Unmet::Form => "the value has another form than the pattern".to_owned(),
    }
}

/// The place of a part of a value.
struct Context<'c> {
    /// The variable whose value has the part.
    var: &'c Var,
    /// The part in the value; empty for the whole.
    what: String,
}

/// The descent into a template and a value at once.
struct Descent<'d> {
    rule: &'d BindingRule,
    definitions: &'d Definitions,
    block: usize,
    /// The values of holes so far, by the address of the hole.
    holes: FxHashMap<usize, RelaxExpr>,
    /// The pairs of parts so far, because parts may be shared.
    seen: FxHashSet<(usize, usize)>,
    matched: usize,
    /// The first difference: the variable whose value has it, and the reason.
    miss: Option<(Var, String)>,
}

impl Descent<'_> {
    fn fail(&mut self, context: &Context<'_>, reason: &str) {
        let what = if context.what.is_empty() { String::new() } else { format!("{}: ", context.what) };
        self.miss.get_or_insert_with(|| (context.var.clone(), what + reason));
    }

    fn at(&mut self, template: &RelaxExpr, value: &RelaxExpr, context: &Context<'_>) {
        if !self.seen.insert((view(template).address(), view(value).address())) {
            return;
        }
        if let Some(hole) = template.downcast_ref::<Var>() {
            return self.hole(hole, value, context);
        }
        let Some(var) = value.downcast_ref::<Var>() else {
            return with_stack(|| self.below(template, value, context));
        };
        let definitions = self.definitions;
        match definitions.visible(var, self.block) {
            Ok(value) => with_stack(|| self.at(template, value, &Context { var, what: String::new() })),
            Err(hidden) => {
                let name = &var.vid.name_hint;
                let got = match hidden {
                    Hidden::Unknown => format!("`{name}`, which is a parameter or the result of a cast"),
                    Hidden::Effects => format!("`{name}`, whose value has effects, so the rule cannot move it"),
                    Hidden::OtherBlock => format!("`{name}`, whose value uses variables of another dataflow block"),
                };
                self.fail(context, &format!("expected {}, got {got}", shown(template)));
            }
        }
    }

    fn hole(&mut self, hole: &Var, value: &RelaxExpr, context: &Context<'_>) {
        let first = self.holes.entry(view(hole).address()).or_insert_with(|| value.clone());
        if structural_equal(first, value) {
            self.matched += 1;
        } else {
            let name = &self.rule.holes.iter().find(|it| it.ptr_eq(hole)).map_or("?", |it| it.vid.name_hint.as_str());
            let reason = format!("parameter `{name}`: expected {} as before, got {}", shown(first), shown(value));
            self.fail(context, &reason);
        }
    }

    fn below(&mut self, template: &RelaxExpr, value: &RelaxExpr, context: &Context<'_>) {
        if let (Some(of), Some(call)) = (template.downcast_ref::<Call>(), value.downcast_ref::<Call>()) {
            return self.call(of, call, context);
        }
        if let (Some(of), Some(tuple)) = (template.downcast_ref::<Tuple>(), value.downcast_ref::<Tuple>()) {
            return self.all((&of.fields, &tuple.fields), "member", "the tuple", context);
        }
        if let (Some(of), Some(item)) = (template.downcast_ref::<TupleGetItem>(), value.downcast_ref::<TupleGetItem>())
        {
            if of.index != item.index {
                return self
                    .fail(context, &format!("expected member {} of a tuple, got member {}", of.index, item.index));
            }
            self.matched += 1;
            return self.at(&of.tuple_value, &item.tuple_value, context);
        }
        // The dimensions of a pattern are holes, which the arguments decide.
        if template.is::<ShapeExpr>() && value.is::<ShapeExpr>() || structural_equal(template, value) {
            self.matched += 1;
        } else {
            self.fail(context, &format!("expected {}, got {}", shown(template), shown(value)));
        }
    }

    fn call(&mut self, of: &Call, call: &Call, context: &Context<'_>) {
        if !structural_equal(&of.op, &call.op) {
            return self.fail(context, &format!("expected {}, got {}", shown_callee(&of.op), shown_callee(&call.op)));
        }
        self.matched += 1;
        let callee = shown_callee(&of.op);
        if let Ok(Some(found)) = structural_first_mismatch(&of.attrs, &call.attrs) {
            let value = |value: &Option<Any>| {
                value
                    .as_ref()
                    .map_or_else(|| "nothing".to_owned(), |it| brief_to(&format!("{it:?}"), MAX_VALUE).to_string())
            };
            let (expected, given) = (value(&found.lhs_value), value(&found.rhs_value));
            let path = found.lhs.to_string();
            let attribute = path.trim_start_matches("<root>").trim_start_matches('.');
            let context = Context { var: context.var, what: format!("attribute `{attribute}` of {callee}") };
            self.fail(&context, &format!("expected {expected}, got {given}"));
        } else {
            self.matched += 1;
        }
        self.all((&of.args, &call.args), "argument", &callee, context);
    }

    fn all(
        &mut self,
        (templates, values): (&Array<RelaxExpr>, &Array<RelaxExpr>),
        part: &str,
        whole: &str,
        context: &Context<'_>,
    ) {
        if templates.len() != values.len() {
            let reason = format!("{whole}: expected {} {part}s, got {}", templates.len(), values.len());
            return self.fail(context, &reason);
        }
        for (index, (template, value)) in templates.as_slice().iter().zip(values.as_slice()).enumerate() {
            let what = format!("{part} {index} of {whole}");
            self.at(template, value, &Context { var: context.var, what });
        }
    }
}

/// An expression in a few words.
fn shown(expr: &RelaxExpr) -> String {
    if let Some(call) = expr.downcast_ref::<Call>() {
        return shown_callee(&call.op);
    }
    if let Some(var) = expr.downcast_ref::<Var>() {
        return format!("`{}`", var.vid.name_hint);
    }
    if let Some(tuple) = expr.downcast_ref::<Tuple>() {
        return format!("a tuple of {}", tuple.fields.len());
    }
    if let Some(item) = expr.downcast_ref::<TupleGetItem>() {
        return format!("member {} of a tuple", item.index);
    }
    if expr.is::<Constant>() {
        return "a constant".to_owned();
    }
    format!("`{}`", brief_to(&format!("{expr:?}"), MAX_VALUE))
}

/// What a call calls: `R.add` for an operator.
fn shown_callee(callee: &RelaxExpr) -> String {
    match callee.downcast_ref::<Op>() {
        Some(op) => format!("`R.{}`", op.name.strip_prefix("relax.").unwrap_or(&op.name)),
        None => shown(callee),
    }
}

/// `rule.py: 2 sites: main: y, z`, or the reason for none.
impl fmt::Display for RuleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, counted(self.sites.len(), "site"))?;
        for site in &self.sites {
            write!(f, "\n  {site}")?;
        }
        match &self.nearest {
            Some(nearest) => write!(f, "\n  nearest miss: {nearest}"),
            None if !self.sites.is_empty() => Ok(()),
            None => f.write_str("\n  no binding has a part of the pattern"),
        }
    }
}

/// `main: y`.
impl fmt::Display for RuleSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "`{function}`: ")?;
        }
        write!(f, "`{}`", self.binding.var.vid.name_hint)
    }
}

impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.site)?;
        if !self.var.ptr_eq(&self.site.binding.var) {
            write!(f, ", in the value of `{}`", self.var.vid.name_hint)?;
        }
        write!(f, ": {}", self.reason)
    }
}
