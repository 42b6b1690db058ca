//! Any text as a module with a rule: the text does not parse, or the module does not hold a rule, or the rule changes the rest
//! of the module. The result is well-formed if the module was.

use object_core::Str;
use object_core::limits::Limits;
use object_core::object::MakeMut as _;
use object_ir::ir::IRModule;
use object_relax::transform::{BindingRule, BindingRules};
use object_relax::well_formed::Checker;
use object_script::parse::parse;

/// The budget of the rewrite: a rule can apply to its own result.
const MAX_STEPS: u64 = 100_000;

/// Checks the law. Returns whether a rule changed a module.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(module) = parse(text).map_err(|_| ()).and_then(|value| value.cast::<IRModule>().map_err(|_| ())) else {
        return false;
    };
    let rule = match BindingRule::from_module(&module) {
        Ok(rule) => rule,
        Err(error) => {
            assert!(!error.message().is_empty());
            return false;
        }
    };
    let mut program = module.clone();
    let is_kept = |name: &Str| !["pattern", "replacement"].contains(&name.as_str());
    program.make_mut().functions = module.functions.iter().filter(|(var, _)| is_kept(&var.name_hint)).collect();
    program.make_mut().global_var_map = module.global_var_map.iter().filter(|(name, _)| is_kept(name)).collect();
    let rules = BindingRules::new().limits(Limits::untrusted().max_steps(MAX_STEPS)).rule(rule);
    match rules.run(&program) {
        Ok(changed) => {
            let report = Checker::new().check(&changed);
            assert!(
                report.is_well_formed() || !Checker::new().check(&program).is_well_formed(),
                "{report}\nthe rule and the module:\n{text}"
            );
            true
        }
        Err(error) => {
            assert!(!error.message().is_empty());
            false
        }
    }
}
