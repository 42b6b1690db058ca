//! The steps that finish a binding, a block, a sequence or a function (spec: Derivation Rules, 7, 8 and 12).

use object_core::prelude::*;

use super::expressions::sequence;
use super::finding::FindingKind;
use super::rebuild::{binding_with, var_with_info};
use super::scope::Mark;
use super::state::{State, known_info, same_parts, with_info};
use crate::arith::Analyzer;
use crate::ir::binding::{MatchCast, VarBinding};
use crate::ir::expr::StructInfo;
use crate::ir::function::Function;
use crate::ir::seq::{BindingBlock, SeqExpr};
use crate::ir::struct_info::FuncStructInfo;
use crate::ir::var::Var;
use crate::op::describe::describe;
use crate::struct_info::mapping::binders;
use crate::struct_info::{BaseCheck, Compatibility, base_check, check_compatibility, erase_to_well_defined, type_of};
use crate::ty::{Conversion, conversion};

impl<'e> State<'e> {
    pub(super) fn bind(&mut self, binding: &'e VarBinding) -> Result<(), Error> {
        let value = self.pop();
        let var = self.bound_var(&binding.var, known_info(&value)?, binding)?;
        let is_same = value.ptr_eq(&binding.value) && var.ptr_eq(&binding.var);
        let derived = if is_same { binding.clone() } else { binding_with(binding, value, var) };
        self.scope.bind(derived.into());
        Ok(())
    }

    pub(super) fn match_cast(&mut self, binding: &'e MatchCast) -> Result<(), Error> {
        let value = self.pop();
        let (given, demanded) = (known_info(&value)?, &binding.struct_info);
        if let Err(message) = check_cast(given, demanded, self.context.analyzer()) {
            self.note(FindingKind::FailingCast, message, binding);
        }
        for var in binders(std::slice::from_ref(demanded)) {
            self.scope.add_shape_var(&var);
        }
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
                let (name, expected, got) = (&var.vid.name_hint, describe(annotation), describe(info));
                let message = format!("the variable `{name}`: expected {expected}, got {got}");
                if verdict == Compatibility::Incompatible {
                    let help = "; change the annotation, or use a match_cast if the value fits";
                    return Err(Error::new(ErrorKind::TypeMismatch, format!("{message}{help}")));
                }
                self.note(FindingKind::PossibleAnnotation, message, binding);
            }
        }
        Ok(var.clone())
    }

    pub(super) fn block(&mut self, block: &'e BindingBlock, outside: Mark) {
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

    pub(super) fn seq(&mut self, seq: &'e SeqExpr, outside: Mark) -> Result<(), Error> {
        let body = self.pop();
        let blocks = self.blocks.split_off(self.blocks.len() - seq.blocks.len());
        self.scope.end(outside);
        let info = erase_to_well_defined(known_info(&body)?, &self.scope, self.context.analyzer());
        let mut seq = seq.clone();
        if !body.ptr_eq(&seq.body) || !same_parts(&blocks, &seq.blocks) {
            let node = seq.make_mut();
            node.body = body;
            node.blocks = blocks.into();
        }
        self.exprs.push(with_info(seq.into(), info));
        Ok(())
    }

    pub(super) fn function(&mut self, function: &'e Function, outside: Mark) -> Result<(), Error> {
        let body = self.pop();
        let (result, annotation) = (known_info(&body)?, &function.ret_struct_info);
        let verdict = check_compatibility(result, annotation, self.context.analyzer());
        if verdict != Compatibility::Compatible {
            let message =
                format!("the result of the function: expected {}, got {}", describe(annotation), describe(result));
            if verdict == Compatibility::Incompatible {
                let help = "; change ret_struct_info, or use a match_cast if the value fits";
                return Err(Error::new(ErrorKind::TypeMismatch, format!("{message}{help}")));
            }
            self.note(FindingKind::PossibleResult, message, function);
        }
        let effects = self.effects.pop().unwrap_or_default();
        let is_forced = is_forced_pure(function);
        if effects > 0 && function.is_pure && !is_forced {
            let message = format!(
                "the function states to be pure, but calls with possible side effects are in it: {effects}; set is_pure \
                 to false, or the attribute relax.force_pure"
            );
            self.note(FindingKind::ImpureFunction, message, function);
        }
        self.scope.end(outside);
        let address = function.as_object().view().address();
        let info = match self.signature.take_if(|(known, _)| *known == address) {
            Some((_, info)) => info,
            None => self.signature(function)?.into(),
        };
        let mut function = function.clone();
        if !body.ptr_eq(&function.body) {
            function.make_mut().body = sequence(body)?;
        }
        self.exprs.push(with_info(function.into(), info));
        Ok(())
    }

    /// The structural information of a function as its annotations state it. The result is in terms of the variables that
    /// the parameters bind, and of the ones visible around the function.
    pub(super) fn signature(&mut self, function: &Function) -> Result<FuncStructInfo, Error> {
        let params = params_of(function)?;
        let mark = self.scope.mark();
        binders(params.iter().copied()).iter().for_each(|var| self.scope.add_shape_var(var));
        let ret = erase_to_well_defined(&function.ret_struct_info, &self.scope, self.context.analyzer());
        self.scope.end(mark);
        let info = FuncStructInfo::of(params.into_iter().cloned(), ret);
        Ok(if function.is_pure || is_forced_pure(function) { info } else { info.impure() })
    }
}

/// Whether a cast of a value with `given` to `demanded` may succeed. If not, the message says why.
pub(crate) fn check_cast(given: &StructInfo, demanded: &StructInfo, analyzer: &Analyzer) -> Result<(), String> {
    let never = conversion(&type_of(given), &type_of(demanded)) == Conversion::Impossible
        || base_check(given, demanded, analyzer) == BaseCheck::FailL0;
    if never {
        let (given, demanded) = (describe(given), describe(demanded));
        return Err(format!("no value of {given} is a value of {demanded}: the cast always fails"));
    }
    Ok(())
}

/// The annotations of the parameters.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
pub(super) fn params_of<'f>(function: &'f Function) -> Result<Vec<&'f StructInfo>, Error> {
    let annotation = |var: &'f Var| {
        var.struct_info.as_ref().ok_or_else(|| {
            let name = &var.vid.name_hint;
            Error::new(ErrorKind::MissingField, format!("the parameter `{name}` has no structural information"))
        })
    };
    function.params.as_slice().iter().map(annotation).collect()
}

/// Whether an attribute states that the function counts as pure, whatever it calls.
fn is_forced_pure(function: &Function) -> bool {
    match function.attrs.dict.get("relax.force_pure") {
        Some(Any::Bool(value)) => value,
        Some(Any::Int(value)) => value != 0,
        _ => false,
    }
}
