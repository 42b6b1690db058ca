//! [`OPERATIONS`]: every operation on values, each with the steps that it takes on a [`Case`].

use object_core::data::{deep_copy, value_equal, value_order};
use object_core::edit::{EditOptions, EditScript};
use object_core::json::JsonReader;
use object_core::object::FieldType;
use object_core::picture::Picture;
use object_core::prelude::*;
use object_core::repr::{Repr, parse};
use object_core::rewrite::{Mutate, Pattern, RewriteRule, RewriteRules, Substitution, alpha_rename, mutate};
use object_core::stats::GraphStats;
use object_core::steps::count;
use object_core::structural::{HashCache, Interner, Scopes, StructuralMap, StructuralSet};
use object_core::visit::{Position, ScopeTypes, Visit, Walk, walk};
use object_core::{Limits, json};

use crate::types::{Add, Expr, Imm, Tuple, Var};

/// The values to which operations apply.
pub(crate) struct Case {
    pub(crate) left: Any,
    /// Equal to `left`, but shared in another way.
    pub(crate) right: Any,
    /// As `right`, with one difference, if the family has a place for it.
    pub(crate) other: Any,
    /// Variables that occur in the values, free or bound.
    pub(crate) vars: Vec<Expr>,
}

/// An operation. Its function returns the number of steps, or `None` if that reaches the limit.
pub(crate) struct Operation {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Case, u64) -> Option<u64>,
}

macro_rules! operations {
    ($($name:literal: $run:expr,)*) => {
        /// Every operation.
        pub(crate) const OPERATIONS: &[Operation] = &[$(Operation { name: $name, run: $run }),*];
    };
}

operations! {
    "equal": |case, limit| equal(case, limit, sticky()),
    "equal, mapped": |case, limit| equal(case, limit, sticky().map_free_vars(true)),
    "equal, lexical": |case, limit| equal(case, limit, lexical()),
    "equal, lexical, mapped": |case, limit| equal(case, limit, lexical().map_free_vars(true)),
    "hash": |case, limit| hash(case, limit, sticky()),
    "hash, lexical": |case, limit| hash(case, limit, lexical()),
    "hash, 128 bits": |case, limit| count(limit, || done(sticky().hash_128(&case.left))),
    "hash, lexical, 128 bits": |case, limit| count(limit, || done(lexical().hash_128(&case.left))),
    "hash, cached": |case, limit| cached_hash(case, limit, sticky()),
    "hash, lexical, cached": |case, limit| cached_hash(case, limit, lexical()),
    "mismatch": |case, limit| first_mismatch(case, limit, sticky()),
    "mismatch, lexical": |case, limit| first_mismatch(case, limit, lexical()),
    "diff": |case, limit| diff(case, limit, sticky()),
    "diff, lexical": |case, limit| diff(case, limit, lexical()),
    // The steps of each search, because some graphs need all of them.
    "edits": |case, limit| count(SEARCHES * limit, || done(edits(case, sticky()))).map(|steps| steps / SEARCHES),
    "edits, applied": |case, limit| {
        let script = edits(case, sticky());
        count(limit, || {
            done(script.apply(&case.left));
            done(script.inverted().apply(&case.other));
        })
    },
    "edits, saved and read": |case, limit| {
        let script = edits(case, sticky());
        let save = || {
            let text = script.to_json().expect("the values are data");
            done(EditScript::from_json(text.as_bytes(), JsonReader::new()));
        };
        // The first script of a process looks up the types of its containers.
        save();
        count(limit, save)
    },
    "free vars": |case, limit| count(limit, || done(ScopeTypes::new().free_vars(&case.left))),
    "free vars, scoped": |case, limit| count(limit, || done(ScopeTypes::marked().free_vars(&case.left))),
    "bound vars": |case, limit| count(limit, || done(ScopeTypes::new().bound_vars(&case.left))),
    "bound vars, scoped": |case, limit| count(limit, || done(ScopeTypes::marked().bound_vars(&case.left))),
    "substitute": |case, limit| substitute(case, limit, Substitution::new()),
    "substitute, scoped": |case, limit| substitute(case, limit, Substitution::new().scopes(ScopeTypes::marked())),
    "substitute, captured": |case, limit| substitute_captured(case, limit, Substitution::new()),
    "substitute, scoped, captured": |case, limit| {
        substitute_captured(case, limit, Substitution::new().scopes(ScopeTypes::marked()))
    },
    "substitute, scoped, limited": |case, limit| {
        substitute(case, limit, limited(limit).scopes(ScopeTypes::marked()))
    },
    "substitute, scoped, captured, limited": |case, limit| {
        substitute_captured(case, limit, limited(limit).scopes(ScopeTypes::marked()))
    },
    "alpha rename": |case, limit| {
        let value = case.left.clone();
        count(limit, || done(alpha_rename(value)))
    },
    "alpha rename, scoped": |case, limit| {
        let rename = Substitution::new().scopes(ScopeTypes::marked()).rename_bound(true);
        count(limit, || done(rename.run(case.left.clone())))
    },
    "alpha rename, scoped, limited": |case, limit| {
        let rename = limited(limit).scopes(ScopeTypes::marked()).rename_bound(true);
        count(limit, || done(rename.run(case.left.clone())))
    },
    "mutate nothing": |case, limit| {
        let mut keep = Mutate::new()
            .enter(|_: &ObjectRef, _: &Position<'_>| None::<ObjectRef>)
            .leave(|_: &ObjectRef, _: &Position<'_>| None::<ObjectRef>);
        count(limit, || done(keep.run(case.left.clone())))
    },
    "mutate leaves": |case, limit| {
        let value = case.left.clone();
        count(limit, || done(mutate(value, |number: &Imm, _| Some(Imm::new(number.value + 1)))))
    },
    "walk": |case, limit| count(limit, || walk(&case.left, |_: &ObjectRef, _| {})),
    "walk, all callbacks": |case, limit| {
        let mut counting = Walk::new()
            .enter(|_: &ObjectRef, at: &Position<'_>| done(at.field()))
            .leave(|_: &ObjectRef, at: &Position<'_>| done(at.depth()))
            .plain(|_: AnyView<'_>, _: &Position<'_>| {});
        count(limit, || done(counting.run(&case.left)))
    },
    "visitor": |case, limit| count(limit, || Fields.run(&case.left)),
    "deep copy": |case, limit| count(limit, || done(deep_copy(&case.left))),
    "value equal": |case, limit| count(limit, || done(value_equal(&case.left, &case.right))),
    "value order": |case, limit| count(limit, || done(value_order(&case.left, &case.other))),
    "repr": |case, limit| count(limit, || done(text_of(&case.left))),
    "repr, read": |case, limit| {
        let text = text_of(&case.left);
        count(limit, || done(parse(&text)))
    },
    "json, write": |case, limit| count(limit, || done(json::to_string(&case.left))),
    "json, read": |case, limit| {
        let text = json::to_string(&case.left).expect("the values are data");
        count(limit, || done(json::from_slice::<Any>(text.as_bytes())))
    },
    "json, read a stream": |case, limit| {
        let text = json::to_string(&case.left).expect("the values are data");
        count(limit, || done(json::from_reader::<Any>(text.as_bytes())))
    },
    "stats": |case, limit| count(limit, || done(GraphStats::of(&case.left))),
    "picture": |case, limit| count(limit, || done(Picture::new(&case.left).max_boxes(usize::MAX).to_dot())),
    "structural map": |case, limit| count(limit, || {
        let (mut map, mut set) = (StructuralMap::new(), StructuralSet::new());
        for value in [&case.left, &case.right, &case.other] {
            done(map.insert(value.clone(), 1));
            done(map.get(value));
            done(set.insert(value.clone()));
        }
    }),
    "interner": |case, limit| intern(case, limit, Scopes::Persistent),
    "interner, lexical": |case, limit| intern(case, limit, Scopes::Lexical),
    "release": |case, limit| {
        let copy = deep_copy(&case.left).expect("values are data");
        count(limit, || done(copy))
    },
    "rules, none applies": |case, limit| {
        let [a, b] = holes();
        rewrite(case, limit, Pattern::new(Add::new(&a, Any::None, Tuple::new([Any::from(&b), Any::Int(77)]))), [&a, &b])
    },
    "rules, each sum": |case, limit| {
        let [a, b] = holes();
        rewrite(case, limit, Pattern::new(Add::new(&a, Any::None, &b)), [&a, &b])
    },
    "uses": |case, limit| count(limit, || done(object_core::visit::UseDef::of(&case.left))),
    "fold": |case, limit| count(limit, || {
        if let Any::Object(root) = &case.left {
            done(object_core::visit::fold(root, |_: &ObjectRef, _| 0_u8));
        }
    }),
    "edits, lexical": |case, limit| {
        count(SEARCHES * limit, || done(edits(case, lexical()))).map(|steps| steps / SEARCHES)
    },
}

object_core::visitor! {
    /// Visits all expressions.
    trait Visitor {
        expr: Expr,
    }
}

/// Selects the fields by name.
struct Fields;

impl Visitor for Fields {
    fn enter_expr(&mut self, node: &Expr, visit: &mut Visit<'_>) {
        for (field, _) in node.as_object().view().fields() {
            visit.field(field.name());
        }
    }
}

pub(crate) fn sticky() -> StructuralOptions {
    StructuralOptions::new()
}

pub(crate) fn lexical() -> StructuralOptions {
    StructuralOptions::new().scopes(Scopes::Lexical)
}

fn text_of<T: FieldType>(value: &T) -> String {
    Repr::new(value).max_values(usize::MAX).to_string()
}

pub(crate) fn equal(case: &Case, limit: u64, options: StructuralOptions) -> Option<u64> {
    count(limit, || {
        done(options.equal(&case.left, &case.right));
        done(options.equal(&case.right, &case.left));
    })
}

pub(crate) fn hash(case: &Case, limit: u64, options: StructuralOptions) -> Option<u64> {
    count(limit, || {
        done(options.hash(&case.left));
        done(options.hash(&case.right));
    })
}

fn cached_hash(case: &Case, limit: u64, options: StructuralOptions) -> Option<u64> {
    let mut cache = HashCache::new();
    count(limit, || {
        for value in [&case.left, &case.right, &case.other] {
            done(options.hash_cached(value, &mut cache));
        }
    })
}

fn first_mismatch(case: &Case, limit: u64, options: StructuralOptions) -> Option<u64> {
    count(limit, || done(options.first_mismatch(&case.left, &case.other)))
}

fn diff(case: &Case, limit: u64, options: StructuralOptions) -> Option<u64> {
    count(limit, || done(options.diff(&case.left, &case.other, 10)))
}

/// The most searches of `edits` that follow each other.
const SEARCHES: u64 = 6;

/// The script of the edits between two sides.
pub(crate) fn edits(case: &Case, options: StructuralOptions) -> EditScript {
    EditOptions::new().structural(options).edits(&case.left, &case.other).expect("there is a script")
}

/// A substitution that ends after a hundredth of `limit` steps for objects that it rewrites more than once.
fn limited(limit: u64) -> Substitution {
    Substitution::new().limits(Limits::new().max_steps(limit / 100))
}

/// Replaces half of the variables with numbers.
fn substitute(case: &Case, limit: u64, substitution: Substitution) -> Option<u64> {
    let replaced = case.vars.iter().step_by(2);
    let substitution = replaced.fold(substitution, |all, var| all.replace(var, Imm::new(7)));
    count(limit, || done(substitution.run(case.left.clone())))
}

/// Replaces half of the variables with the variables of the other half, which binders capture.
fn substitute_captured(case: &Case, limit: u64, substitution: Substitution) -> Option<u64> {
    let replaced = case.vars.chunks_exact(2);
    let substitution = replaced.fold(substitution, |all, pair| all.replace(&pair[0], pair[1].clone()));
    count(limit, || done(substitution.run(case.left.clone())))
}

/// Two variables for the holes of patterns.
fn holes() -> [Var; 2] {
    ["a", "b"].map(Var::new)
}

/// Replaces the sums that a pattern matches with tuples.
fn rewrite(case: &Case, limit: u64, pattern: Pattern, holes: [&Var; 2]) -> Option<u64> {
    let pattern = pattern.with_holes(holes).expect("the pattern uses the holes");
    let rule = RewriteRule::new(pattern, Tuple::new(holes.map(Any::from))).expect("no sum is in a tuple of holes");
    let rules = RewriteRules::new().rule(rule);
    count(limit, || done(rules.run(case.left.clone())))
}

/// Uses a result, so that no build leaves its computation out.
fn done<T>(result: T) {
    std::hint::black_box(result);
}

fn intern(case: &Case, limit: u64, scopes: Scopes) -> Option<u64> {
    count(limit, || {
        let interner = Interner::with_scopes(scopes);
        for value in [&case.left, &case.right] {
            done(interner.intern_all(value.clone()));
        }
    })
}
