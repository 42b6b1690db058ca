//! [`fold`]: computes a polynomial for an expression from the polynomials of its operands, without recursion.

use object_core::ObjectHandle;
use object_ir::ir::PrimExpr;
use rustc_hash::FxHashMap;

use super::arena::Steps;
use super::operation::Operation;
use super::polynomial::Polynomial;
use crate::addresses::address;

/// The rules of a normal form.
pub(in crate::arith) trait Rules<'e> {
    /// The work that is left.
    fn steps(&mut self) -> &mut Steps;

    /// The value of a variable, if it is known.
    fn value(&self, var: &PrimExpr) -> Option<&'e PrimExpr>;

    /// Whether `expr` is taken as an expression of unknown meaning.
    fn is_opaque(&self, _expr: &PrimExpr) -> bool {
        false
    }

    /// The normal form of `expr`, which is `operation` on `operands`. `None` ends the computation.
    fn apply(&mut self, expr: &'e PrimExpr, operation: Operation, operands: Vec<Polynomial>) -> Option<Polynomial>;
}

/// The steps that are left for an expression.
enum Task<'e> {
    Enter(&'e PrimExpr),
    Leave(&'e PrimExpr, Operation, usize),
}

/// The normal form of `root`. Each shared expression is computed once. `None` if no steps are left.
pub(in crate::arith) fn fold<'e>(root: &'e PrimExpr, rules: &mut impl Rules<'e>) -> Option<Polynomial> {
    let mut uses = count_uses(root, rules.steps())?;
    let mut computed: FxHashMap<usize, Polynomial> = FxHashMap::default();
    let mut results: Vec<Polynomial> = Vec::new();
    let mut tasks = vec![Task::Enter(root)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(expr) => {
                if let Some(uses) = uses.get_mut(&address(expr)) {
                    // The values of variables are not counted.
                    *uses = uses.saturating_sub(1);
                    // The last use takes the polynomial, so a chain of sums is not copied at each step.
                    let known = match computed.get(&address(expr)) {
                        Some(_) if *uses == 0 => computed.remove(&address(expr)),
                        Some(known) => {
                            rules.steps().spend(known.len())?;
                            Some(known.clone())
                        }
                        None => None,
                    };
                    if let Some(known) = known {
                        results.push(known);
                        continue;
                    }
                }
                let (operation, operands) = match rules.is_opaque(expr) {
                    true => (Operation::Opaque, Vec::new()),
                    false => Operation::of(expr),
                };
                if operation == Operation::Variable
                    && let Some(value) = rules.value(expr)
                {
                    // Values may refer to each other in circles; then the steps end the computation.
                    rules.steps().spend(1)?;
                    tasks.push(Task::Enter(value));
                    continue;
                }
                tasks.push(Task::Leave(expr, operation, operands.len()));
                tasks.extend(operands.into_iter().rev().map(Task::Enter));
            }
            Task::Leave(expr, operation, count) => {
                let operands = results.split_off(results.len() - count);
                let result = rules.apply(expr, operation, operands)?;
                if uses.get(&address(expr)).is_some_and(|&uses| uses > 0) {
                    rules.steps().spend(result.len())?;
                    computed.insert(address(expr), result.clone());
                }
                results.push(result);
            }
        }
    }
    results.pop()
}

/// How many uses the operations below `root` have, for those with several uses.
fn count_uses(root: &PrimExpr, steps: &mut Steps) -> Option<FxHashMap<usize, usize>> {
    let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
    let mut tasks = vec![root];
    while let Some(expr) = tasks.pop() {
        steps.spend(1)?;
        // An object with one handle has one use here at most.
        if expr.as_object().use_count() > 1 {
            let count = uses.entry(address(expr)).or_default();
            *count += 1;
            if *count > 1 {
                continue;
            }
        }
        tasks.extend(Operation::of(expr).1);
    }
    uses.retain(|_, count| *count > 1);
    Some(uses)
}
