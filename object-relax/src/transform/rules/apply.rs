//! [`BindingRules`]: rules applied to the bindings of a program until none applies.

use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation, RuleProgress};
use object_ir::ir::{Binding, BindingBlock, DataflowBlock, RelaxExpr, VarBinding};

use crate::analysis::walk::view;
use crate::transform::program::Program;
use crate::transform::remove_unused::remove_all_unused;
use crate::transform::rules::instance::Place;
use crate::transform::rules::look_through::Definitions;
use crate::transform::rules::rule::BindingRule;

/// Rules that apply to the bindings of a program until none of them applies.
///
/// The bindings of a block come in their order, and of several rules for one binding the first one that matches applies. The
/// bindings that become unused go, as by [`remove_all_unused`].
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_script::parse::parse;
/// use object_script::print::print;
/// use object_relax::transform::{BindingRule, BindingRules};
///
/// let rule: IRModule = parse(
///     r#"
/// @I.ir_module
/// class LinearThenRelu:
///     @R.function
///     def pattern(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m", "k"), "float32")):
///         return R.nn.relu(R.matmul(x, w))
///
///     @R.function
///     def replacement(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("m", "k"), "float32")):
///         n, k = T.int64(), T.int64()
///         return R.call_pure_packed("linear_relu", x, w, sinfo_args=R.Tensor((n, k), "float32"))
/// "#,
/// )?
/// .cast()?;
/// let module: IRModule = parse(
///     r#"
/// @I.ir_module
/// class Module:
///     @R.function
///     def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32")) -> R.Tensor((2, 4), "float32"):
///         with R.dataflow():
///             y = R.matmul(x, w)
///             z = R.nn.relu(y)
///             R.output(z)
///         return z
/// "#,
/// )?
/// .cast()?;
/// let rules = BindingRules::new().rule(BindingRule::from_module(&rule)?);
/// let changed = print(&rules.run(&module)?).to_string();
/// assert!(changed.contains(r#"z: R.Tensor((2, 4), dtype="float32") = R.call_pure_packed("linear_relu", x, w"#), "{changed}");
/// assert!(!changed.contains("R.matmul"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BindingRules {
    rules: Vec<BindingRule>,
    limits: Limits,
}

impl Default for BindingRules {
    fn default() -> Self {
        BindingRules { rules: Vec::new(), limits: Limits::new().max_nodes(1 << 18).max_steps(1 << 23) }
    }
}

impl BindingRules {
    /// No rules.
    #[must_use]
    pub fn new() -> Self {
        BindingRules::default()
    }

    /// Adds a rule after the others.
    #[must_use]
    pub fn rule(mut self, rule: BindingRule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Bounds the work, because rules may go on forever. Each replacement counts as one of
    /// [`max_nodes`](Limits::max_nodes), and each binding that the rewrite visits as one of [`max_steps`](Limits::max_steps). The
    /// defaults are 2^18 and 2^23.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// As [`limits`](Self::limits), with the number of steps alone.
    #[must_use]
    pub fn max_steps(self, steps: u64) -> Self {
        let limits = self.limits.max_steps(steps);
        self.limits(limits)
    }

    /// The rules in order.
    pub(super) fn rules(&self) -> &[BindingRule] {
        &self.rules
    }

    /// The bounds of the work.
    pub(super) fn work_limits(&self) -> &Limits {
        &self.limits
    }

    /// The program in normal form, after all rules.
    ///
    /// A rule does not apply where its replacement says less about a value than the variable of the value does.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a rule whose pattern matches a part of its own replacement;
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for rules that need more work than the [`limits`](Self::limits) allow; the
    /// errors of [`Normalizer::expr`](crate::normal_form::Normalizer::expr) for the program and for the bindings of a
    /// replacement.
    pub fn run<P: Program>(&self, program: &P) -> Result<P, Error> {
        for rule in &self.rules {
            let name = |_| rule.name();
            if rule.applies_again(&mut RuleProgress::new(1, &self.limits, &name))? {
                let message = format!(
                    "expected a rule whose pattern matches no part of its replacement, got `{}`, which would change its own \
                     results for ever; leave the part out of the replacement",
                    rule.name()
                );
                return Err(Error::new(ErrorKind::Malformed, message));
            }
        }
        program.normalize()?.change(&|expr| self.change(expr))
    }

    fn change(&self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        let name = |rule: usize| self.rules[rule].name();
        let mut progress = RuleProgress::new(self.rules.len(), &self.limits, &name);
        let mut pass = Pass { rules: &self.rules, definitions: Definitions::default(), progress: &mut progress };
        let expr = Mutate::new().enter(|block: &BindingBlock, _| pass.change(block)).run(expr)?;
        if progress.replacements() == 0 { Ok(expr) } else { remove_all_unused(&expr) }
    }
}

impl BindingRule {
    /// Whether the pattern matches a binding of its own replacement.
    fn applies_again(&self, progress: &mut RuleProgress<'_>) -> Result<bool, Error> {
        let mut pass = Pass { rules: std::slice::from_ref(self), definitions: Definitions::default(), progress };
        for block in self.replacement.body.blocks.as_slice() {
            let place = Place { block: view(block).address(), is_dataflow: block.is::<DataflowBlock>() };
            for binding in block.bindings.as_slice() {
                if pass.replacement(binding, place)?.is_some() {
                    return Ok(true);
                }
                pass.define(binding, place);
            }
        }
        Ok(false)
    }
}

/// A pass over the blocks of a program. The bindings in place of a binding come next, and a pattern looks at earlier bindings
/// only, so one pass leaves nothing that a rule matches.
struct Pass<'r, 'n> {
    rules: &'r [BindingRule],
    definitions: Definitions,
    progress: &'r mut RuleProgress<'n>,
}

impl Pass<'_, '_> {
    fn change(&mut self, block: &BindingBlock) -> Result<Mutation, Error> {
        let place = Place { block: view(block).address(), is_dataflow: block.is::<DataflowBlock>() };
        let mut bindings: Vec<Binding> = Vec::with_capacity(block.bindings.len());
        let mut rest: Vec<Binding> = block.bindings.iter().rev().collect();
        let mut is_changed = false;
        while let Some(binding) = rest.pop() {
            if let Some(new) = self.replacement(&binding, place)? {
                is_changed = true;
                rest.extend(new.into_iter().rev());
            } else {
                self.define(&binding, place);
                bindings.push(binding);
            }
        }
        if !is_changed {
            return Ok(Mutation::Keep);
        }
        let mut block = block.clone();
        block.make_mut().bindings = Array::new(bindings);
        Ok(Mutation::ReplaceInto(block.into()))
    }

    /// The bindings in place of `binding`, by the first rule that matches.
    fn replacement(&mut self, binding: &Binding, place: Place) -> Result<Option<Vec<Binding>>, Error> {
        self.progress.visit()?;
        let Some(binding) = binding.downcast_ref::<VarBinding>() else { return Ok(None) };
        for (number, rule) in self.rules.iter().enumerate() {
            if let Ok(new) = rule.apply(binding, &self.definitions, place)? {
                self.progress.replace(number)?;
                return Ok(Some(new));
            }
        }
        Ok(None)
    }

    fn define(&mut self, binding: &Binding, place: Place) {
        if let Some(binding) = binding.downcast_ref::<VarBinding>() {
            self.definitions.insert(binding, place.block);
        }
    }
}
