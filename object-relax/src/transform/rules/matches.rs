//! The bindings that a pattern matches, in a program that stays as it is.

use object_core::AsAnyView;
use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::RuleProgress;
use object_core::visit::Walk;
use object_ir::ir::{BindingBlock, DataflowBlock, Function, Var, VarBinding};

use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::transform::rules::instance::Place;
use crate::transform::rules::look_through::Definitions;
use crate::transform::rules::rule::BindingRule;

/// Calls `visit` with each binding of a value in a program in the order of the program, and with the bindings before it.
///
/// # Errors
/// The errors of `visit`, and [`LimitExceeded`](ErrorKind::LimitExceeded) for more bindings than `progress` admits.
pub(super) fn visit_bindings(
    program: &impl AsAnyView,
    progress: &mut RuleProgress<'_>,
    mut visit: impl FnMut(&VarBinding, &Definitions, Place) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut definitions = Definitions::default();
    let mut visit_block = |block: &BindingBlock| {
        let place = Place { block: view(block).address(), is_dataflow: block.is::<DataflowBlock>() };
        for binding in block.bindings.iter().filter_map(|binding| binding.downcast::<VarBinding>().ok()) {
            progress.visit()?;
            visit(&binding, &definitions, place)?;
            definitions.insert(&binding, place.block);
        }
        Ok(())
    };
    Walk::interruptible().enter(|block: &BindingBlock, _| visit_block(block)).run(program).map_or(Ok(()), Err)
}

impl BindingRule {
    /// The rule that replaces the results of `pattern` by themselves, for [`matches`](Self::matches).
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_pattern(pattern: &Function) -> Result<Self, Error> {
        BindingRule::of(pattern, pattern)
    }

    /// The bindings of a program whose values the pattern matches, in the order of the program, which is in normal form. A binding
    /// that gives a value a second name is none of them.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for a program with more bindings than `limits` has steps.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::limits::Limits;
    /// use object_relax::{normal_form::Normalizer, transform::BindingRule};
    /// use object_script::parse::parse;
    ///
    /// let pattern = parse(
    ///     r#"
    /// @R.function
    /// def pattern(x: R.Tensor(("n",), "float32")):
    ///     return R.nn.relu(R.add(x, x))
    /// "#,
    /// )?;
    /// let program = parse(
    ///     r#"
    /// @R.function
    /// def main(x: R.Tensor((3,), "float32")):
    ///     y = R.add(x, x)
    ///     z = R.nn.relu(y)
    ///     return z
    /// "#,
    /// )?;
    /// let program = Normalizer::new().function(&program.cast()?)?;
    /// let found = BindingRule::of_pattern(&pattern.cast()?)?.matches(&program, &Limits::new())?;
    /// assert_eq!(found.iter().map(|it| it.var.vid.name_hint.as_str()).collect::<Vec<_>>(), ["z"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn matches(&self, program: &impl AsAnyView, limits: &Limits) -> Result<Vec<VarBinding>, Error> {
        let (mut found, analyzer, name) = (Vec::new(), Analyzer::for_shapes(), |_| self.name());
        visit_bindings(program, &mut RuleProgress::new(1, limits, &name), |binding, definitions, place| {
            // A second name of a value does not count.
            if !binding.value.is::<Var>() && self.match_in(binding, definitions, place, &analyzer)?.is_ok() {
                found.push(binding.clone());
            }
            Ok(())
        })?;
        Ok(found)
    }
}
