//! Rules as texts over variables do the same as definitions over terms in the notation of de Bruijn, and free no variable.

use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::{RewriteRule, RewriteRules};
use object_core::visit::{ScopeTypes, walk};
use proptest::prelude::*;

use crate::de_bruijn::Term;
use crate::demo::{Expr, Let, Var, var};
use crate::graphs::{build, terms, vars};

const INLINE: &str = "demo.Let(value=?v, var=?x, body=?b) => ?b[?x := ?v]";
const DEAD: &str = "demo.Let(value=?v, var=?x, body=?b) => ?b";
const RESULT: &str = "demo.Let(value=?v, var=?x, body=?x) => ?v";
const FLOAT: &str = "demo.Add(lhs=demo.Let(value=?v, var=?x, body=?b), rhs=?c) => \
                     demo.Let(value=?v, var=?x, body=demo.Add(lhs=?b, rhs=?c))";
const FLATTEN: &str = "demo.Let(value=demo.Let(value=?v, var=?x, body=?b), var=?y, body=?c) => \
                       demo.Let(value=?v, var=?x, body=demo.Let(value=?b, var=?y, body=?c))";
const OUTER: &str = "demo.Let(value=?v, var=?x, body=demo.Let(value=?w, var=?y, body=?x)) => ?v";
const SINK: &str = "demo.Let(value=?v, var=?x, body=demo.Add(lhs=?a, rhs=?b)) => demo.Add(lhs=?a, rhs=?b[?x := ?v])";
const NAMED: &str = "demo.Add(lhs=demo.Lambda(params=[?x], body=?b), rhs=?a) => demo.Let(value=?a, var=?x, body=?b)";
const BETA: &str = "demo.Add(lhs=demo.Lambda(params=[?x], body=?b), rhs=?a) => ?b[?x := ?a]";
const ETA: &str = "demo.Lambda(params=[?x], body=demo.Add(lhs=?f, rhs=?x)) => ?f";
const TWICE: &str = "demo.Add(lhs=?f, rhs=demo.Lambda(params=[?x], body=?f)) => demo.Lambda(params=[?x], body=?f)";

/// The rules that only move values and put them in place of variables.
const PRESERVING: [&str; 7] = [INLINE, DEAD, RESULT, FLOAT, FLATTEN, OUTER, SINK];

/// The most replacements, and the most steps of a definition.
const FUEL: u32 = 40;

fn plain_vars() -> Vec<Var> {
    ["x", "y", "z", "w"].map(var).to_vec()
}

fn term(expr: &Expr, vars: &[Var]) -> Term {
    Term::of(expr, vars, &mut Vec::new())
}

/// The normal form by one rule; `None` after too many replacements.
fn run(rule: &str, root: &Expr) -> Option<Expr> {
    let rules = RewriteRules::new().rule(RewriteRule::parse(rule).unwrap_or_else(|error| panic!("{error}")));
    match rules.limits(Limits::new().max_nodes(u64::from(FUEL))).run(root.clone()) {
        Ok(result) => Some(result),
        Err(error) if error.kind() == ErrorKind::LimitExceeded => None,
        Err(error) => panic!("{error}"),
    }
}

impl Term {
    /// The term with `change` for each bound variable, which gets the index and the number of binders above it in the term.
    fn map_bound(&self, depth: usize, change: &dyn Fn(usize, usize) -> Term) -> Term {
        let at = |term: &Term, depth| Box::new(term.map_bound(depth, change));
        match self {
            Term::Bound(index) => change(*index, depth),
            Term::Free(_) | Term::Imm(_) => self.clone(),
            Term::Add(a, b) => Term::Add(at(a, depth), at(b, depth)),
            Term::Lambda(body) => Term::Lambda(at(body, depth + 1)),
            Term::Let(value, body) => Term::Let(at(value, depth), at(body, depth + 1)),
        }
    }

    /// The term below `count` more binders.
    fn shifted(&self, count: usize) -> Term {
        self.map_bound(0, &|index, depth| Term::Bound(if index < depth { index } else { index + count }))
    }

    /// The body of a binder with `value` in place of its variable.
    fn opened(&self, value: &Term) -> Term {
        self.map_bound(0, &|index, depth| match index.cmp(&depth) {
            std::cmp::Ordering::Less => Term::Bound(index),
            std::cmp::Ordering::Equal => value.shifted(depth),
            std::cmp::Ordering::Greater => Term::Bound(index - 1),
        })
    }

    /// Whether the body of a binder uses its variable.
    fn uses_first(&self, depth: usize) -> bool {
        match self {
            Term::Bound(index) => *index == depth,
            Term::Free(_) | Term::Imm(_) => false,
            Term::Lambda(body) => body.uses_first(depth + 1),
            Term::Add(a, b) => a.uses_first(depth) || b.uses_first(depth),
            Term::Let(value, body) => value.uses_first(depth) || body.uses_first(depth + 1),
        }
    }

    /// The term with `step` at each part, the inner ones first, and at each result. `None` without fuel.
    fn rewritten(&self, step: &dyn Fn(&Term) -> Option<Term>, fuel: &mut u32) -> Option<Term> {
        let mut at = |term: &Term| term.rewritten(step, fuel).map(Box::new);
        let term = match self {
            Term::Bound(_) | Term::Free(_) | Term::Imm(_) => self.clone(),
            Term::Add(a, b) => Term::Add(at(a)?, at(b)?),
            Term::Lambda(body) => Term::Lambda(at(body)?),
            Term::Let(value, body) => Term::Let(at(value)?, at(body)?),
        };
        let Some(next) = step(&term) else { return Some(term) };
        *fuel = fuel.checked_sub(1)?;
        next.rewritten(step, fuel)
    }
}

/// The meaning of a term without its bindings.
fn expanded(term: &Term) -> Term {
    let inline = |term: &Term| if let Term::Let(value, body) = term { Some(body.opened(value)) } else { None };
    let mut fuel = u32::MAX;
    term.rewritten(&inline, &mut fuel).expect("enough fuel")
}

/// Whether the free variables of `result` are free in `root`.
fn frees_none(root: &Expr, result: &Expr) -> bool {
    let [before, after] = [root, result].map(|value| ScopeTypes::marked().free_vars(value));
    after.iter().all(|var| before.iter().any(|known| known.ptr_eq(var)))
}

/// Compares a rule with its definition.
fn check(rule: &str, root: &Expr, vars: &[Var], step: &dyn Fn(&Term) -> Option<Term>) -> Result<(), TestCaseError> {
    let mut fuel = FUEL;
    let expected = term(root, vars).rewritten(step, &mut fuel);
    if let (Some(result), Some(expected)) = (run(rule, root), expected) {
        prop_assert_eq!(term(&result, vars), expected, "{}\n{}", root, result);
    }
    Ok(())
}

proptest! {
    #[test]
    fn rules_preserve_the_meaning_of_bindings(steps in terms()) {
        let vars = plain_vars();
        let root = build(&steps, &vars);
        for rule in PRESERVING {
            if let Some(result) = run(rule, &root) {
                let [before, after] = [&root, &result].map(|value| expanded(&term(value, &vars)));
                prop_assert_eq!(before, after, "{}\n{}\n{}", rule, root, result);
            }
        }
    }

    #[test]
    fn rules_do_what_their_definitions_say(steps in terms()) {
        let vars = plain_vars();
        let root = build(&steps, &vars);
        check(INLINE, &root, &vars, &|term| match term {
            Term::Let(value, body) => Some(body.opened(value)),
            _ => None,
        })?;
        check(DEAD, &root, &vars, &|term| match term {
            Term::Let(value, body) if !body.uses_first(0) => Some(body.opened(value)),
            _ => None,
        })?;
        check(RESULT, &root, &vars, &|term| match term {
            Term::Let(value, body) if **body == Term::Bound(0) => Some((**value).clone()),
            _ => None,
        })?;
        check(NAMED, &root, &vars, &|term| match term {
            Term::Add(f, a) => if let Term::Lambda(b) = &**f { Some(Term::Let(a.clone(), b.clone())) } else { None },
            _ => None,
        })?;
        check(BETA, &root, &vars, &|term| match term {
            Term::Add(f, a) => if let Term::Lambda(b) = &**f { Some(b.opened(a)) } else { None },
            _ => None,
        })?;
        check(ETA, &root, &vars, &|term| match term {
            Term::Lambda(body) => match &**body {
                Term::Add(f, x) if **x == Term::Bound(0) && !f.uses_first(0) => Some(f.opened(x)),
                _ => None,
            },
            _ => None,
        })?;
    }

    #[test]
    fn no_rule_frees_a_variable(steps in terms()) {
        // One of the variables has another one in its type.
        for vars in [plain_vars(), vars()] {
            let root = build(&steps, &vars);
            for rule in PRESERVING.into_iter().chain([NAMED, BETA, ETA, TWICE]) {
                if let Some(result) = run(rule, &root) {
                    prop_assert!(frees_none(&root, &result), "{}\n{}\n{}", rule, root, result);
                }
            }
        }
    }

    #[test]
    fn no_dead_binding_stays(steps in terms()) {
        let vars = plain_vars();
        let result = run(DEAD, &build(&steps, &vars)).expect("each replacement removes a binding");
        let mut lets: Vec<Let> = Vec::new();
        walk(&result, |binding: &Let, _| lets.push(binding.clone()));
        for binding in lets {
            let free = ScopeTypes::marked().free_vars(&binding.body);
            prop_assert!(free.iter().any(|free| binding.var.ptr_eq(free)));
        }
    }
}
