//! [`ScopeCondition`]: a condition on the values of holes under which a rule neither frees nor captures a variable.

use crate::object::{Any, DefRegionKind};
use crate::rewrite::known_variables::KnownVariables;

/// A condition on the values of holes, which have numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScopeCondition {
    /// The holes stand for different variables, because the second one is bound in the scope of the first one.
    Different(usize, usize),
    /// No variable that `binder` binds in the region is free in `value`, which the rule moves into the scope of `binder` or
    /// out of it. `is_replaced` excepts the variable of `binder` itself, because the rule puts another value in its place.
    Unused { binder: usize, region: DefRegionKind, value: usize, is_replaced: bool },
    /// The variable has no others in its fields: the rule moves it between a place that binds them and one that does not.
    Alone(usize),
}

impl ScopeCondition {
    /// Whether `values` meet the condition.
    pub(super) fn holds(&self, values: &[Any], variables: &mut KnownVariables<'_>) -> bool {
        // Such a region binds the variables themselves, and not the variables in their fields.
        let own = DefRegionKind::Simple;
        match *self {
            ScopeCondition::Different(a, b) => {
                let (a, b) = (variables.bound(&values[a], own), variables.bound(&values[b], own));
                variables.maps().restrict(a, b).is_empty()
            }
            ScopeCondition::Unused { binder, region, value, is_replaced } => {
                let mut bound = variables.bound(&values[binder], region);
                if is_replaced {
                    let own = variables.bound(&values[binder], own);
                    bound = variables.maps().without(bound, own);
                }
                if bound.is_empty() {
                    return true;
                }
                let used = variables.used(&values[value]);
                variables.maps().restrict(used, bound).is_empty()
            }
            ScopeCondition::Alone(var) => variables.used(&values[var]) == variables.bound(&values[var], own),
        }
    }
}
