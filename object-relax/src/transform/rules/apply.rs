//! [`BindingRules`]: rules applied to the bindings of a program until none applies.

use object_core::limits::{Budget, Limit, Limits};
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
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
    /// [`max_nodes`](Limits::max_nodes), and each binding that a pass visits as one of [`max_steps`](Limits::max_steps). The
    /// defaults are 2^18 and 2^23.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
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
            let mut passes = Passes::new(std::slice::from_ref(rule), &self.limits);
            passes.once((&rule.replacement).into())?;
            if passes.replacements.spent() > 0 {
                let message = "expected a rule whose pattern matches no part of its replacement, got one that would change its \
                               own results for ever; leave the part out of the replacement";
                return Err(Error::new(ErrorKind::Malformed, message));
            }
        }
        program.normalize()?.change(&|expr| self.change(expr))
    }

    fn change(&self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        let mut passes = Passes::new(&self.rules, &self.limits);
        let mut expr = expr;
        loop {
            let before = passes.replacements.spent();
            expr = passes.once(expr)?;
            if passes.replacements.spent() == before {
                break;
            }
        }
        if passes.replacements.spent() == 0 { Ok(expr) } else { remove_all_unused(&expr) }
    }
}

/// Passes over the blocks of a program.
struct Passes<'r> {
    rules: &'r [BindingRule],
    definitions: Definitions,
    replacements: Budget,
    visits: Budget,
}

impl<'r> Passes<'r> {
    fn new(rules: &'r [BindingRule], limits: &Limits) -> Self {
        Passes {
            rules,
            definitions: Definitions::default(),
            replacements: Budget::new(limits, Limit::Nodes),
            visits: Budget::steps(limits),
        }
    }

    /// The program after one pass.
    fn once(&mut self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        self.definitions = Definitions::default();
        Mutate::new().enter(|block: &BindingBlock, _| self.change(block)).run(expr)
    }

    fn change(&mut self, block: &BindingBlock) -> Result<Mutation, Error> {
        let (home, is_dataflow) = (view(block).address(), block.is::<DataflowBlock>());
        let mut bindings: Vec<Binding> = Vec::with_capacity(block.bindings.len());
        let mut is_changed = false;
        for binding in block.bindings.as_slice() {
            self.visits.spend(1)?;
            let place = Place { definitions: &self.definitions, block: home, is_dataflow };
            let mut new = None;
            if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                for rule in self.rules {
                    new = rule.apply(binding, place)?;
                    if new.is_some() {
                        break;
                    }
                }
            }
            is_changed |= new.is_some();
            if new.is_some() {
                self.replacements.spend(1)?;
            }
            for binding in new.unwrap_or_else(|| vec![binding.clone()]) {
                if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                    self.definitions.insert(binding, home);
                }
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
}
