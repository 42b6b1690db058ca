//! [`Program`]: what a transform takes: a module, a function or another expression.

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, Function, GlobalVar, IRModule, RelaxExpr, SeqExpr};

use crate::analysis::free_shape_vars;
use crate::normal_form::Normalizer;

mod sealed {
    pub trait Sealed {}
}

/// A program that a transform changes: a module, a function, a sequence, or an expression of any kind. A transform of a
/// module changes each function of Relax by itself.
pub trait Program: sealed::Sealed + Clone {
    /// The program with its expressions changed.
    #[doc(hidden)]
    fn change(&self, change: &dyn Fn(RelaxExpr) -> Result<RelaxExpr, Error>) -> Result<Self, Error>;

    /// The program in normal form.
    #[doc(hidden)]
    fn normalize(&self) -> Result<Self, Error> {
        self.change(&|expr| free_shape_vars(&expr).iter().fold(Normalizer::new(), Normalizer::see).expr(&expr))
    }
}

impl sealed::Sealed for RelaxExpr {}

impl Program for RelaxExpr {
    fn change(&self, change: &dyn Fn(RelaxExpr) -> Result<RelaxExpr, Error>) -> Result<Self, Error> {
        change(self.clone())
    }
}

macro_rules! kinds_of_expressions {
    ($($Kind:ident)*) => {
        $(
            impl sealed::Sealed for $Kind {}

            impl Program for $Kind {
                fn change(&self, change: &dyn Fn(RelaxExpr) -> Result<RelaxExpr, Error>) -> Result<Self, Error> {
                    Any::from(change(self.into())?).cast()
                }
            }
        )*
    };
}

kinds_of_expressions!(Function SeqExpr);

impl sealed::Sealed for IRModule {}

impl Program for IRModule {
    fn normalize(&self) -> Result<Self, Error> {
        Normalizer::new().module(self)
    }

    fn change(&self, change: &dyn Fn(RelaxExpr) -> Result<RelaxExpr, Error>) -> Result<Self, Error> {
        let mut is_changed = false;
        let mut functions: Vec<(GlobalVar, BaseFunc)> = Vec::with_capacity(self.functions.len());
        for (var, function) in &self.functions {
            let changed = match function.downcast_ref::<Function>() {
                Some(relax) => {
                    relax.change(change).map_err(|error| error.context(format!("function `{}`", var.name_hint)))?.into()
                }
                None => function.clone(),
            };
            is_changed |= !changed.ptr_eq(function);
            functions.push((var.clone(), changed));
        }
        if !is_changed {
            return Ok(self.clone());
        }
        let mut module = self.clone();
        module.make_mut().functions = Map::new(functions);
        Ok(module)
    }
}
