//! [`BindingRule`]: two functions of Relax, a pattern and its replacement.

use object_core::brief_to;
use object_core::object::FieldType;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation, Pattern, Substitution};
use object_core::visit::{Position, free_vars_of};
use object_ir::ir::{Function, IRModule, If, PrimExpr, RelaxExpr, SeqExpr, StructInfo, Var, VarBinding};
use object_ir::tir;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::free_vars;
use crate::analysis::walk::view;
use crate::normal_form::Normalizer;
use crate::op::describe::describe;
use crate::struct_info::mapping::shape_var_values;

/// The most characters of the text of a pattern as the name of a rule.
const MAX_NAME: usize = 200;

/// The most bindings of a pattern in normal form: a rewrite compares the pattern with the value of each binding of a program,
/// which takes the product of their sizes.
pub(super) const MAX_BINDINGS: usize = 1000;

/// A rule that replaces the values of bindings: a pattern and a replacement.
///
/// Both are functions with the same parameters. The parameters are the holes of the pattern. The pattern matches the value of
/// a binding if some arguments make it the same expression: the pattern looks through variables, so it may reach over several
/// bindings. An argument matches a parameter if the structural information of the parameter accepts it. The arguments give
/// values to the shape variables of the parameters, and dimensions match if they are provably equal.
///
/// The bodies of both functions are bindings of calls, tuples and constants, in dataflow blocks or not.
///
/// TVM 0.25 `relax.dpl.PatternMatchingRewriter.from_module`.
#[derive(Clone, Debug)]
pub struct BindingRule {
    /// The parameters of the pattern.
    pub(super) params: Array<Var>,
    /// The parameters without structural information, which are the holes of the template.
    pub(super) holes: Vec<Var>,
    /// The result of the pattern, as one expression.
    pub(super) template: RelaxExpr,
    pub(super) pattern: Pattern,
    /// The scalar expressions with shape variables in the pattern, each with the hole in its place.
    pub(super) dims: Vec<(tir::Var, PrimExpr)>,
    /// The variables of the bindings of the replacement.
    pub(super) vars: Vec<Var>,
    /// The values of these variables and the result, in terms of the parameters and of these variables.
    pub(super) values: Array<RelaxExpr>,
    name: Option<Str>,
    /// The replacement in normal form.
    pub(super) replacement: Function,
}

impl BindingRule {
    /// The rule that replaces the result of `pattern` with the result of `replacement`.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for functions whose parameters differ, for a pattern that is a parameter or does
    /// not use one of its parameters, for bindings other than those of calls, tuples and constants, and for a replacement with
    /// side effects of a pattern without; [`LimitExceeded`](ErrorKind::LimitExceeded) for a pattern of more than 1000
    /// bindings; the errors of [`Normalizer::function`].
    pub fn of(pattern: &Function, replacement: &Function) -> Result<Self, Error> {
        let in_function = |name: &str| {
            let name = name.to_owned();
            move |error: Error| error.context(format!("the {name} of a rule"))
        };
        let pattern = Normalizer::new().function(pattern).map_err(in_function("pattern"))?;
        check_size(&pattern)?;
        let replacement = Normalizer::new().function(replacement).map_err(in_function("replacement"))?;
        if pattern.is_pure && !replacement.is_pure {
            return Err(malformed("expected a pure replacement of a pure pattern, got an impure function"));
        }
        let values = same_params(&replacement, &pattern.params)?;
        let (mut vars, mut of_vars) = (Vec::new(), Vec::new());
        let mut in_terms_of_params = |name: &Str, value: RelaxExpr| {
            let var = Var::named(name.clone());
            vars.push(var.clone());
            of_vars.push(value);
            var.into()
        };
        let result = result_of(&replacement.body, &mut in_terms_of_params);
        of_vars.push(result.map_err(in_function("replacement"))?);
        // One substitution for all values: each one takes time for all parameters.
        let of_vars = values.run(Array::new(of_vars))?;

        let holes: Vec<Var> = pattern.params.iter().map(|param| Var::named(param.vid.name_hint.clone())).collect();
        let values =
            pattern.params.iter().zip(&holes).fold(Substitution::new(), |all, (param, hole)| all.replace(&param, hole));
        let template = result_of(&pattern.body, &mut |_, value| value).map_err(in_function("pattern"))?;
        let (template, dims) = with_holes_for_dims(values.run(template)?)?;
        let params = pattern.params.clone();
        Ok(BindingRule {
            pattern: with_holes(&template, &holes, &dims)?,
            template,
            holes,
            params,
            dims,
            vars,
            values: of_vars,
            replacement,
            name: None,
        })
    }

    /// Gives the rule a name, for errors.
    #[must_use]
    pub fn named(mut self, name: impl Into<Str>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The name; by default the text of its pattern.
    pub(super) fn name(&self) -> Str {
        self.name.clone().unwrap_or_else(|| Str::from(brief_to(&format!("{:?}", self.template), MAX_NAME).to_string()))
    }

    /// The rule of the functions `pattern` and `replacement` of a module.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) if the module has no function of Relax with one of these names; the errors of
    /// [`of`](Self::of).
    pub fn from_module(module: &IRModule) -> Result<Self, Error> {
        let function = |name: &str| {
            let named = module.functions.iter().find(|(var, _)| var.name_hint == name);
            named.and_then(|(_, function)| function.downcast::<Function>().ok()).ok_or_else(|| {
                let message =
                    format!("expected a module with the Relax functions `pattern` and `replacement`, got no `{name}`");
                Error::new(ErrorKind::MissingField, message)
            })
        };
        BindingRule::of(&function("pattern")?, &function("replacement")?)
    }
}

fn malformed(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Malformed, message.into())
}

/// Checks that a pattern in normal form has at most [`MAX_BINDINGS`] bindings.
fn check_size(pattern: &Function) -> Result<(), Error> {
    let count: usize = pattern.body.blocks.as_slice().iter().map(|block| block.bindings.len()).sum();
    if count <= MAX_BINDINGS {
        return Ok(());
    }
    let message = format!(
        "expected a pattern of at most {MAX_BINDINGS} bindings, got {count}; write rules that replace parts of it"
    );
    Err(Error::new(ErrorKind::LimitExceeded, message))
}

/// The substitution of `params` and their shape variables for the parameters of a function.
fn same_params(function: &Function, params: &Array<Var>) -> Result<Substitution, Error> {
    let (own, count) = (&function.params, function.params.len());
    if count != params.len() {
        let message =
            format!("expected a replacement with the {} parameters of the pattern, got {count}", params.len());
        return Err(malformed(message));
    }
    let infos = own.iter().zip(params).map(|(own, param)| Some((own.struct_info.clone()?, param.struct_info.clone()?)));
    let infos: Vec<(StructInfo, StructInfo)> = infos.collect::<Option<_>>().unwrap_or_default();
    let dims = shape_var_values(infos.iter().map(|(own, param)| (own, param)), false);
    let values = dims.into_iter().fold(Substitution::new(), |all, (own, dim)| all.replace(own, dim.clone()));
    for (index, (own, param)) in infos.iter().enumerate() {
        let own = values.run(own.clone())?;
        if !structural_equal(&own, param) {
            let name = &params[index].vid.name_hint;
            let (expected, given) = (describe(param), describe(&own));
            let message =
                format!("parameter {index} `{name}` of the rule: expected {expected} as in the pattern, got {given}");
            return Err(malformed(message));
        }
    }
    Ok(own.iter().zip(params).fold(values, |all, (own, param)| all.replace(&own, param)))
}

/// The result of a sequence, all bindings of which bind the values of calls, tuples and constants. `bind` returns the
/// expression in place of a variable, for its name and its value without structural information.
fn result_of(sequence: &SeqExpr, bind: &mut dyn FnMut(&Str, RelaxExpr) -> RelaxExpr) -> Result<RelaxExpr, Error> {
    let mut bound = ValuesOfVars::default();
    for binding in sequence.blocks.as_slice().iter().flat_map(|block| block.bindings.as_slice()) {
        let name = &binding.var.vid.name_hint;
        let value = binding.downcast_ref::<VarBinding>().map(|binding| &binding.value);
        let value = value.filter(|value| !value.is::<If>() && !value.is::<Function>()).ok_or_else(|| {
            malformed(format!("expected bindings of calls, tuples and constants, got another one for `{name}`"))
        })?;
        let value = bind(name, bound.put_into(without_infos(value.clone())?)?);
        bound.insert(&binding.var, value);
    }
    bound.put_into(without_infos(sequence.body.clone())?)
}

/// The expressions in place of variables that no part of an expression binds.
#[derive(Default)]
pub(super) struct ValuesOfVars(FxHashMap<usize, RelaxExpr>);

impl ValuesOfVars {
    /// Adds a variable.
    pub(super) fn insert(&mut self, var: &Var, value: impl Into<RelaxExpr>) {
        self.0.insert(view(var).address(), value.into());
    }

    /// `expr` with the expressions, in time linear in `expr`.
    pub(super) fn put_into<T: FieldType>(&self, expr: T) -> Result<T, Error> {
        let put = |var: &Var, _: &Position<'_>| match self.0.get(&view(var).address()) {
            Some(value) => Mutation::Replace(value.clone().into()),
            None => Mutation::Skip,
        };
        Mutate::new().enter(put).run(expr)
    }
}

/// The expression without structural information, which the arguments of a match determine. Variables keep theirs.
fn without_infos(expr: RelaxExpr) -> Result<RelaxExpr, Error> {
    Mutate::new()
        .enter(|_: &Var, _| Mutation::Skip)
        .enter(|expr: &RelaxExpr, _| match &expr.struct_info {
            Some(_) => Mutation::ReplaceInto(expr.clone().with_changes(|node| node.struct_info = None).into()),
            None => Mutation::Keep,
        })
        .run(expr)
}

/// The template with a hole in place of each scalar expression with shape variables, and these expressions.
fn with_holes_for_dims(template: RelaxExpr) -> Result<(RelaxExpr, Vec<(tir::Var, PrimExpr)>), Error> {
    let mut dims = Vec::new();
    let put_hole = |dim: &PrimExpr, _: &Position<'_>| {
        free_vars_of::<tir::Var>(dim).first().map(|_| {
            let hole = tir::Var::dim("dim");
            dims.push((hole.clone(), dim.clone()));
            hole
        })
    };
    let template = Mutate::new().enter(put_hole).run(template)?;
    Ok((template, dims))
}

/// The pattern of a template.
fn with_holes(template: &RelaxExpr, holes: &[Var], dims: &[(tir::Var, PrimExpr)]) -> Result<Pattern, Error> {
    if template.is::<Var>() {
        return Err(malformed("expected a pattern that returns the value of a binding, got a parameter"));
    }
    let used: FxHashSet<usize> = free_vars(template).iter().map(|var| view(var).address()).collect();
    if let Some(hole) = holes.iter().find(|hole| !used.contains(&view(*hole).address())) {
        let name = &hole.vid.name_hint;
        return Err(malformed(format!(
            "expected a pattern whose result depends on all parameters, got one that does not use `{name}`"
        )));
    }
    Pattern::new(template).with_holes(holes)?.with_holes(dims.iter().map(|(hole, _)| hole))
}
