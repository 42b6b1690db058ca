//! [`Root`]: the root of a graph as a program.

use object_core::prelude::*;
use object_core::visit::free_vars;
use object_ir::ir::{IRModule, RelaxExpr};
use object_ir::tir;

use crate::derivation::{Derivation, Derived};
use crate::normal_form::Normalizer;

/// The root of a graph that is a program.
#[derive(Clone, Debug)]
pub enum Root {
    /// A module.
    Module(IRModule),
    /// An expression of Relax, such as a function, with its free shape variables.
    Expr(RelaxExpr, Vec<tir::Var>),
}

impl Root {
    /// The program with this root.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for any other graph.
    pub fn of(root: &Any) -> Result<Self, Error> {
        if let Ok(module) = root.clone().cast::<IRModule>() {
            return Ok(Root::Module(module));
        }
        let Ok(expr) = root.clone().cast::<RelaxExpr>() else {
            let message = format!("expected a module or an expression of Relax, got `{}`", root.type_key());
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let free = free_vars(&expr).into_iter().filter_map(|var| tir::Var::try_from(var).ok()).collect();
        Ok(Root::Expr(expr, free))
    }

    /// The program after one of two changes, which are the same change of a module and of an expression.
    ///
    /// # Errors
    /// The errors of the change.
    pub fn changed(
        &self,
        module: impl FnOnce(&IRModule) -> Result<IRModule, Error>,
        expr: impl FnOnce(&RelaxExpr) -> Result<RelaxExpr, Error>,
    ) -> Result<Any, Error> {
        match self {
            Root::Module(it) => Ok(module(it)?.into()),
            Root::Expr(it, _) => Ok(expr(it)?.into()),
        }
    }

    /// The program in normal form.
    ///
    /// # Errors
    /// The errors of [`Normalizer`].
    pub fn normalized(&self) -> Result<Any, Error> {
        match self {
            Root::Module(module) => Ok(Normalizer::new().module(module)?.into()),
            Root::Expr(expr, free) => Ok(free.iter().fold(Normalizer::new(), Normalizer::see).expr(expr)?.into()),
        }
    }

    /// The program with structural information in all parts by `derivation`, and facts about it.
    ///
    /// # Errors
    /// The errors of [`Derivation`].
    pub fn derived(&self, derivation: Derivation) -> Result<Derived<Any>, Error> {
        Ok(match self {
            Root::Module(module) => derivation.module(module)?.map(Any::from),
            Root::Expr(expr, free) => free.iter().fold(derivation, Derivation::see).expr(expr)?.map(Any::from),
        })
    }
}
