//! The steps that finish a binding, a block, a sequence or a function (spec: Derivation Rules, 7, 8 and 12).

use object_core::prelude::*;
use object_ir::ir::{
    BindingBlock, FuncStructInfo, Function, MatchCast, RelaxExpr, SeqExpr, StructInfo, Var, VarBinding,
};

use super::expressions::sequence;
use super::finding::{Fact, annotation_message, result_message};
use super::rebuild::{binding_with, var_with_info};
use super::scope::Mark;
use super::state::{State, known_info, same_parts};
use crate::addresses::address;
use crate::arith::Analyzer;
use crate::struct_info::{BaseCheck, Compatibility, base_check, check_compatibility, erase_to_well_defined, type_of};
use crate::ty::{Conversion, conversion};

impl<'e> State<'e> {
    /// Finishes a binding of the derived `value`.
    pub(super) fn bind(&mut self, binding: &'e VarBinding, value: RelaxExpr) -> Result<(), Error> {
        let var = self.bound_var(&binding.var, known_info(&value)?, binding)?;
        let is_same = value.ptr_eq(&binding.value) && var.ptr_eq(&binding.var);
        let derived = if is_same { binding.clone() } else { binding_with(binding, value, var) };
        self.scope.bind(derived.into());
        Ok(())
    }

    /// Finishes a cast of the derived `value`.
    pub(super) fn match_cast(&mut self, binding: &'e MatchCast, value: RelaxExpr) -> Result<(), Error> {
        let (given, demanded) = (known_info(&value)?, &binding.struct_info);
        if cast_fails(given, demanded, self.context.analyzer()) {
            self.note(Fact::FailingCast(given.clone(), demanded.clone()), binding);
        }
        self.scope.see_binders([demanded]);
        let var = self.bound_var(&binding.var, demanded, binding)?;
        let is_same = value.ptr_eq(&binding.value) && var.ptr_eq(&binding.var);
        let mut derived = binding.clone();
        if !is_same {
            let node = derived.make_mut();
            (node.value, node.base.var) = (value, var);
        }
        self.scope.bind(derived.into());
        Ok(())
    }

    /// The variable of a binding with structural information: its annotation, if a value with `info` fits it, or `info`.
    fn bound_var(&mut self, var: &Var, info: &StructInfo, binding: &impl ObjectHandle) -> Result<Var, Error> {
        let Some(annotation) = &var.struct_info else { return Ok(var_with_info(var, info)) };
        if !annotation.ptr_eq(info) {
            let verdict = check_compatibility(info, annotation, self.context.analyzer());
            if verdict != Compatibility::Compatible {
                if verdict == Compatibility::Incompatible {
                    let (message, help) = (annotation_message(var, info), "change the annotation");
                    let message = format!("{message}; {help}, or use a match_cast if the value fits");
                    return Err(Error::new(ErrorKind::TypeMismatch, message));
                }
                self.note(Fact::PossibleAnnotation(var.clone(), info.clone()), binding);
            }
        }
        Ok(var.clone())
    }

    /// Finishes a block, whose bindings are derived.
    pub(super) fn end_block(&mut self, block: &'e BindingBlock, outside: Mark) {
        self.scope.end_block(outside);
        let bindings = &mut self.scope.bindings;
        let start = bindings.len() - block.bindings.len();
        let mut derived = block.clone();
        if same_parts(&bindings[start..], &block.bindings) {
            bindings.truncate(start);
        } else {
            derived.make_mut().bindings = Array::split_off(bindings, start);
        }
        self.blocks.push(derived);
    }

    /// The derived sequence. Its derived blocks are on the stack, and `outside` is the scope around it.
    #[inline(never)]
    pub(super) fn derived_sequence(
        &mut self,
        seq: &'e SeqExpr,
        body: RelaxExpr,
        outside: Mark,
    ) -> Result<RelaxExpr, Error> {
        self.scope.end(outside);
        let info = erase_to_well_defined(known_info(&body)?, &self.scope, self.context.analyzer());
        let start = self.blocks.len() - seq.blocks.len();
        let mut derived = seq.clone();
        if !body.ptr_eq(&seq.body) || !same_parts(&self.blocks[start..], &seq.blocks) {
            let node = derived.make_mut();
            node.body = body;
            node.blocks = Array::split_off(&mut self.blocks, start);
        } else {
            self.blocks.truncate(start);
        }
        Ok(self.with_info(derived.into(), info))
    }

    /// The derived function with a derived body; `outside` is the scope around it.
    #[inline(never)]
    pub(super) fn derived_function(
        &mut self,
        function: &'e Function,
        body: RelaxExpr,
        outside: Mark,
    ) -> Result<RelaxExpr, Error> {
        let (result, annotation) = (known_info(&body)?, &function.ret_struct_info);
        let verdict = check_compatibility(result, annotation, self.context.analyzer());
        if verdict != Compatibility::Compatible {
            if verdict == Compatibility::Incompatible {
                let (message, help) = (result_message(result, annotation), "change ret_struct_info");
                let message = format!("{message}; {help}, or use a match_cast if the value fits");
                return Err(Error::new(ErrorKind::TypeMismatch, message));
            }
            self.note(Fact::PossibleResult(result.clone(), annotation.clone()), function);
        }
        let effects = self.effects.pop().unwrap_or_default();
        if effects > 0 && function.is_pure && !is_forced_pure(function) {
            self.note(Fact::ImpureFunction(effects), function);
        }
        self.scope.end(outside);
        let address = address(function);
        let info = match self.signature.take_if(|(known, _)| *known == address) {
            Some((_, info)) => info,
            None => self.signature(function)?.into(),
        };
        let mut function = function.clone();
        if !body.ptr_eq(&function.body) {
            function.make_mut().body = sequence(body)?;
        }
        // The parameters and the result annotation state the signature, so a function keeps another one that it states.
        let keeps = self.keeps_stated && function.struct_info.is_some();
        Ok(if keeps { function.into() } else { self.with_info(function.into(), info) })
    }

    /// The structural information of a function as its annotations state it. The result is in terms of the variables that
    /// the parameters bind, and of the ones visible around the function.
    pub(super) fn signature(&mut self, function: &Function) -> Result<FuncStructInfo, Error> {
        let params = params_of(function)?;
        let mark = self.scope.mark();
        self.scope.see_binders(params.clone());
        let ret = erase_to_well_defined(&function.ret_struct_info, &self.scope, self.context.analyzer());
        self.scope.end(mark);
        let info = FuncStructInfo::of(params.cloned(), ret);
        Ok(if is_pure(function) { info } else { info.impure() })
    }
}

/// Whether a cast of a value with `given` to `demanded` fails for all values.
#[must_use]
pub fn cast_fails(given: &StructInfo, demanded: &StructInfo, analyzer: &Analyzer) -> bool {
    conversion(&type_of(given), &type_of(demanded)) == Conversion::Impossible
        || base_check(given, demanded, analyzer) == BaseCheck::FailL0
}

/// The annotations of the parameters.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
pub(super) fn params_of(function: &Function) -> Result<impl Iterator<Item = &StructInfo> + Clone, Error> {
    let params = function.params.as_slice();
    if let Some(var) = params.iter().find(|var| var.struct_info.is_none()) {
        let message = format!("the parameter `{}` has no structural information", var.vid.name_hint);
        return Err(Error::new(ErrorKind::MissingField, message));
    }
    Ok(params.iter().filter_map(|var| var.struct_info.as_ref()))
}

/// Whether calls of a function count as pure.
pub(super) fn is_pure(function: &Function) -> bool {
    function.is_pure || is_forced_pure(function)
}

/// Whether an attribute states that the function counts as pure, whatever it calls.
fn is_forced_pure(function: &Function) -> bool {
    match function.attrs.dict.get("relax.force_pure") {
        Some(Any::Bool(value)) => value,
        Some(Any::Int(value)) => value != 0,
        _ => false,
    }
}
