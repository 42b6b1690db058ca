//! Substitution, renaming and free variables agree with terms in the notation of de Bruijn.

use object_core::prelude::*;
use object_core::rewrite::Substitution;
use object_core::visit::{ScopeTypes, walk};
use proptest::prelude::*;

use crate::de_bruijn::Term;
use crate::demo::{Expr, Lambda, Let, Var, var};
use crate::graphs::{VARS, build, terms};

fn scopes() -> ScopeTypes {
    ScopeTypes::new().closing::<Lambda>().closing::<Let>()
}

fn term(expr: &Expr, vars: &[Var]) -> Term {
    Term::of(expr, vars, &mut Vec::new())
}

/// Variables without types, because the terms have none.
fn plain_vars() -> Vec<Var> {
    ["x", "y", "z", "w"].map(var).to_vec()
}

proptest! {
    #[test]
    fn substitution_agrees_with_terms(
        steps in terms(),
        values in proptest::collection::btree_map(0..VARS, terms(), 1..3),
    ) {
        let vars = plain_vars();
        let (root, before) = (build(&steps, &vars), term(&build(&steps, &vars), &vars));
        let values: Vec<(usize, Expr)> = values.into_iter().map(|(var, steps)| (var, build(&steps, &vars))).collect();
        let put = |all: Substitution, (var, value): &(usize, Expr)| all.replace(&vars[*var], value.clone());
        let substitution = values.iter().fold(Substitution::new().scopes(scopes()), put);
        let expected: Vec<(usize, Term)> = values.iter().map(|(var, value)| (*var, term(value, &vars))).collect();
        let kept = root.clone();
        let copied = substitution.run(root.clone()).unwrap();
        prop_assert_eq!(term(&copied, &vars), before.substitute(&expected));
        prop_assert_eq!(term(&kept, &vars), before.clone());
        drop((root, kept, copied));
        // The same with an unshared root.
        let changed = substitution.run(build(&steps, &vars)).unwrap();
        prop_assert_eq!(term(&changed, &vars), before.substitute(&expected));
    }

    #[test]
    fn free_variables_agree_with_terms(steps in terms()) {
        let vars = plain_vars();
        let root = build(&steps, &vars);
        let mut expected = Vec::new();
        term(&root, &vars).free(&mut expected);
        let found: Vec<usize> = scopes()
            .free_vars(&root)
            .iter()
            .filter_map(|found| vars.iter().position(|var| var.ptr_eq(found)))
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn renaming_keeps_the_term_and_no_bound_variable(steps in terms()) {
        let vars = plain_vars();
        let root = build(&steps, &vars);
        let renamed = Substitution::new().scopes(scopes()).rename_bound(true).run(root.clone()).unwrap();
        prop_assert_eq!(term(&renamed, &vars), term(&root, &vars));
        let bound = scopes().bound_vars(&renamed);
        prop_assert!(bound.iter().all(|new| vars.iter().all(|var| !var.ptr_eq(new))));
        let mut names: Vec<Str> = Vec::new();
        walk(&renamed, |var: &Var, _| names.push(var.name.clone()));
        let count = names.len();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), count, "all names differ");
    }
}
