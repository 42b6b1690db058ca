//! Patterns match the values that a matching of terms in the notation of de Bruijn finds, and rules stop at normal forms.

use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules, Substitution, mutate};
use object_core::visit::{ScopeTypes, walk};
use proptest::prelude::*;

use crate::de_bruijn::Term;
use crate::demo::{Add, Expr, Imm, Lambda, Var, add, imm, var};
use crate::graphs::{Step, VARS, build, terms};

fn plain_vars() -> Vec<Var> {
    ["x", "y", "z", "w"].map(var).to_vec()
}

fn term(expr: &Expr, vars: &[Var]) -> Term {
    Term::of(expr, vars, &mut Vec::new())
}

/// Whether no variable of the term belongs to a binder around it; `depth` counts the binders inside.
fn is_closed(term: &Term, depth: usize) -> bool {
    match term {
        Term::Bound(index) => *index < depth,
        Term::Free(_) | Term::Imm(_) => true,
        Term::Add(a, b) => is_closed(a, depth) && is_closed(b, depth),
        Term::Lambda(body) => is_closed(body, depth + 1),
        Term::Let(value, body) => is_closed(value, depth) && is_closed(body, depth + 1),
    }
}

/// Whether `template` equals `value` for some values of the holes, which go to `values`.
fn matches(template: &Term, value: &Term, holes: &[usize], values: &mut Vec<(usize, Term)>) -> bool {
    match (template, value) {
        (Term::Free(Some(hole)), _) if holes.contains(hole) => match values.iter().find(|(known, _)| known == hole) {
            Some((_, known)) => known == value,
            None => {
                values.push((*hole, value.clone()));
                is_closed(value, 0)
            }
        },
        (Term::Add(a, b), Term::Add(c, d)) | (Term::Let(a, b), Term::Let(c, d)) => {
            matches(a, c, holes, values) && matches(b, d, holes, values)
        }
        (Term::Lambda(a), Term::Lambda(b)) => matches(a, b, holes, values),
        _ => template == value,
    }
}

/// The pattern, and the indices of its holes: the free variables of the template among the candidates.
fn pattern(template: &Expr, vars: &[Var], candidates: &[usize]) -> (Pattern, Vec<usize>) {
    let free = ScopeTypes::marked().free_vars(template);
    let is_hole = |index: &usize| free.iter().any(|free| vars[*index].ptr_eq(free));
    let holes: Vec<usize> = candidates.iter().copied().filter(is_hole).collect();
    let pattern = holes.iter().fold(Pattern::lexical(template), |pattern, hole| pattern.hole(&vars[*hole]).unwrap());
    (pattern, holes)
}

/// Compares the result of matching with the reference.
fn check(template: &Expr, value: &Expr, vars: &[Var], candidates: &[usize]) -> Result<bool, TestCaseError> {
    let (pattern, holes) = pattern(template, vars, candidates);
    let mut expected = Vec::new();
    let is_match = matches(&term(template, vars), &term(value, vars), &holes, &mut expected);
    let found = pattern.matches(value).unwrap();
    prop_assert_eq!(found.is_some(), is_match);
    if let Some(found) = found {
        for (hole, expected) in expected {
            let value: Expr = found.value(&vars[hole]).unwrap();
            prop_assert_eq!(term(&value, vars), expected);
        }
        prop_assert_eq!(term(&found.instantiate(template.clone()).unwrap(), vars), term(value, vars));
    }
    Ok(is_match)
}

fn values() -> impl Strategy<Value = std::collections::BTreeMap<usize, Vec<Step>>> {
    proptest::collection::btree_map(0..VARS, terms(), 1..3)
}

proptest! {
    #[test]
    fn a_template_matches_its_instances(steps in terms(), values in values()) {
        let vars = plain_vars();
        let template = build(&steps, &vars);
        let candidates: Vec<usize> = values.keys().copied().collect();
        let substitution = values.iter().fold(Substitution::new().scopes(ScopeTypes::marked()), |all, (var, steps)| {
            all.replace(&vars[*var], build(steps, &vars))
        });
        prop_assert!(check(&template, &substitution.run(template.clone()).unwrap(), &vars, &candidates)?);
    }

    #[test]
    fn matching_agrees_with_terms(template in terms(), value in terms(), candidates in proptest::sample::subsequence(vec![0, 1, 2, 3], 0..4)) {
        let vars = plain_vars();
        check(&build(&template, &vars), &build(&value, &vars), &vars, &candidates)?;
    }

    #[test]
    fn a_hole_under_a_binder_does_not_use_its_variable(steps in terms(), values in values()) {
        let vars = plain_vars();
        let template = build(&steps, &vars);
        let candidates: Vec<usize> = values.keys().copied().collect();
        // Binders of the template capture variables of the values.
        let capturing = mutate(template.clone(), |sum: &Add, _| {
            let put = |expr: &Expr| {
                let var = vars.iter().position(|var| var.ptr_eq(expr));
                var.and_then(|var| values.get(&var)).map_or_else(|| expr.clone(), |steps| build(steps, &vars))
            };
            Some(add(put(&sum.lhs), put(&sum.rhs)))
        })
        .unwrap();
        check(&template, &capturing, &vars, &candidates)?;
    }

    #[test]
    fn no_rule_matches_a_part_of_the_result(steps in terms()) {
        let vars = plain_vars();
        let (hole, bound) = (var("hole"), var("bound"));
        let zero = Pattern::lexical(add(hole.clone(), imm(0))).hole(&hole).unwrap();
        let twice = Pattern::lexical(add(hole.clone(), hole.clone())).hole(&hole).unwrap();
        // Each rule removes a sum, so the rules end.
        let rules = RewriteRules::new()
            .rule(RewriteRule::new(zero.clone(), &hole).unwrap())
            .rule(RewriteRule::new(twice.clone(), Lambda::new([bound], hole.clone())).unwrap());
        // Each number becomes 0 or 1, so that both rules have work.
        let root = mutate(build(&steps, &vars), |number: &Imm, _| Some(imm(number.value & 1))).unwrap();
        let result = rules.run(root).unwrap();
        let mut sums: Vec<Add> = Vec::new();
        walk(&result, |sum: &Add, _| sums.push(sum.clone()));
        for sum in sums {
            prop_assert!(zero.matches(&sum).unwrap().is_none() && twice.matches(&sum).unwrap().is_none());
        }
        prop_assert!(rules.run(result.clone()).unwrap().ptr_eq(&result));
    }
}
