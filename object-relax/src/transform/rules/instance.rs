//! The bindings that a rule puts in the place of a binding.

use object_core::prelude::*;
use object_core::rewrite::{Match, Mutate, Mutation, Substitution};
use object_ir::ir::{
    Binding, BindingBlock, DataflowBlock, DataflowVar, PrimExpr, RelaxExpr, SeqExpr, StructInfo, Tuple, Var, VarBinding,
};

use crate::analysis::free_shape_vars;
use crate::arith::{Analyzer, Proof};
use crate::normal_form::Normalizer;
use crate::struct_info::mapping::shape_var_values;
use crate::struct_info::{BaseCheck, base_check};
use crate::transform::rules::look_through::Definitions;
use crate::transform::rules::rule::{BindingRule, ValuesOfVars};

/// The place of a binding.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The address of the block.
    pub(super) block: usize,
    pub(super) is_dataflow: bool,
}

/// Why a rule does not apply to a binding.
#[derive(Clone, Debug)]
pub(super) enum Unmet {
    /// The value has another form than the pattern.
    Form,
    /// The argument of the parameter with this number has other structural information, or none.
    Param(usize, Option<StructInfo>),
    /// The dimension with this number is not provably the one of the value.
    Dim(PrimExpr, PrimExpr),
    /// The variable states nothing about its value.
    NothingStated,
    /// The replacement says this about its value, which is less than the variable states.
    SaysLess(Option<StructInfo>),
}

/// A result, or why there is none.
type Met<T> = std::result::Result<T, Unmet>;

impl BindingRule {
    /// The bindings in place of `binding`; the last one that binds its variable has the new value. There are none if the pattern
    /// does not match, and if the replacement says less about its value than the variable does.
    pub(super) fn apply(
        &self,
        binding: &VarBinding,
        definitions: &Definitions,
        place: Place,
    ) -> Result<Met<Vec<Binding>>, Error> {
        let Some(stated) = &binding.var.struct_info else { return Ok(Err(Unmet::NothingStated)) };
        let analyzer = Analyzer::for_shapes();
        let values = match self.match_in(binding, definitions, place, &analyzer)? {
            Ok(values) => values,
            Err(unmet) => return Ok(Err(unmet)),
        };
        let bindings = self.instantiate(&binding.var, &values, place.is_dataflow, &analyzer)?;
        let mut new = bindings.iter().filter_map(|new| new.downcast_ref::<VarBinding>());
        let new = new.find(|new| new.var.ptr_eq(&binding.var)).and_then(|new| new.value.struct_info.as_ref());
        let fits = new.is_some_and(|given| base_check(given, stated, &analyzer) == BaseCheck::Pass);
        let given = new.cloned();
        Ok(if fits { Ok(bindings) } else { Err(Unmet::SaysLess(given)) })
    }

    /// The values of the parameters and of their shape variables, if the pattern matches.
    pub(super) fn match_in(
        &self,
        binding: &VarBinding,
        definitions: &Definitions,
        place: Place,
        analyzer: &Analyzer,
    ) -> Result<Met<Substitution>, Error> {
        let value = definitions.look_through(&self.template, &binding.value, place.block);
        match self.pattern.matches(&value)? {
            Some(found) => self.values(&found, analyzer),
            None => Ok(Err(Unmet::Form)),
        }
    }

    /// The values of the parameters and of their shape variables, if each parameter accepts its value.
    fn values(&self, found: &Match, analyzer: &Analyzer) -> Result<Met<Substitution>, Error> {
        let args: Vec<RelaxExpr> = self.holes.iter().map(|hole| found.value(hole)).collect::<Result<_, _>>()?;
        let mut infos: Vec<(&StructInfo, &StructInfo)> = Vec::with_capacity(args.len());
        for (index, (param, arg)) in self.params.as_slice().iter().zip(&args).enumerate() {
            match (&param.struct_info, &arg.struct_info) {
                (Some(expected), Some(given)) => infos.push((expected, given)),
                (_, given) => return Ok(Err(Unmet::Param(index, given.clone()))),
            }
        }
        let mut values = Substitution::new();
        for (dim, value) in shape_var_values(infos.iter().copied(), false) {
            values = values.replace(dim, value.clone());
        }
        for (hole, expected) in &self.dims {
            let (expected, given): (_, PrimExpr) = (values.run(expected.clone())?, found.value(hole)?);
            if analyzer.prove_equal(&expected, &given) != Proof::True {
                return Ok(Err(Unmet::Dim(expected, given)));
            }
        }
        for (index, (expected, given)) in infos.into_iter().enumerate() {
            if base_check(given, &values.run(expected.clone())?, analyzer) != BaseCheck::Pass {
                return Ok(Err(Unmet::Param(index, Some(given.clone()))));
            }
        }
        let params = self.params.as_slice().iter().zip(args);
        Ok(Ok(params.fold(values, |all, (param, arg)| all.replace(param, arg))))
    }

    /// The bindings of the replacement, the result of which is bound to `var`.
    fn instantiate(
        &self,
        var: &Var,
        values: &Substitution,
        is_dataflow: bool,
        analyzer: &Analyzer,
    ) -> Result<Vec<Binding>, Error> {
        let of_vars = values.run(self.values.clone())?;
        let Some((result, of_vars)) = of_vars.as_slice().split_last() else { return Ok(Vec::new()) };
        let mut bindings: Vec<Binding> = Vec::with_capacity(self.vars.len() + 1);
        let (mut bound, mut has_result) = (ValuesOfVars::default(), false);
        for (own, value) in self.vars.iter().zip(of_vars) {
            let is_result = own.ptr_eq(result);
            let name = &own.vid.name_hint;
            let new = match is_dataflow {
                _ if is_result => var.clone(),
                true => DataflowVar::named(name.clone()).into(),
                false => Var::named(name.clone()),
            };
            has_result |= is_result;
            bindings.push(VarBinding::new(&new, simplified(bound.put_into(value.clone())?, analyzer)?).into());
            bound.insert(own, new);
        }
        if !has_result {
            bindings.push(VarBinding::new(var, simplified(bound.put_into(result.clone())?, analyzer)?).into());
        }
        let block = if is_dataflow { DataflowBlock::new(bindings).into() } else { BindingBlock::new(bindings) };
        let sequence: RelaxExpr = SeqExpr::new([block], Tuple::new([])).into();
        let normalizer = free_shape_vars(&sequence).iter().fold(Normalizer::new(), |all, dim| all.see(dim));
        let normal: SeqExpr = Any::from(normalizer.expr(&sequence)?).cast()?;
        Ok(normal.blocks.as_slice().iter().flat_map(|block| block.bindings.iter()).collect())
    }
}

/// The expression with simple dimensions, because a substitution leaves `2 * 3` where the rule has `n * m`. Variables keep
/// theirs.
fn simplified(expr: RelaxExpr, analyzer: &Analyzer) -> Result<RelaxExpr, Error> {
    Mutate::new()
        .enter(|_: &Var, _| Mutation::Skip)
        .enter(|dim: &PrimExpr, _| Mutation::Replace(analyzer.simplify(dim).into()))
        .run(expr)
}
