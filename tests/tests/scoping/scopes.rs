//! Under lexical scopes, equality is alpha-equivalence. The test compares it with terms without names, in the notation
//! of de Bruijn.

use std::collections::HashMap;

use object_core::prelude::*;
use object_core::structural::{HashCache, Scopes, StructuralOptions};
use object_core::{Any, ObjectHandle, structural_equal, structural_hash};
use proptest::prelude::*;

/// A variable.
#[derive(Object)]
#[object(type_key = "scopes.Var")]
#[structural_eq(var)]
pub struct VarNode {
    /// The name to print.
    #[field(ignore)]
    pub name: Str,
    /// The type of its values.
    pub annotation: Any,
}

/// A function of some variables.
#[derive(Object)]
#[object(type_key = "scopes.Lambda")]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    /// The variables that it binds.
    #[field(def)]
    pub params: Array<Var>,
    /// Its result.
    pub body: Any,
}

/// A name for a value. The scope of the name does not include the value.
#[derive(Object)]
#[object(type_key = "scopes.Let")]
#[structural_eq(tree, scope)]
pub struct LetNode {
    /// The value.
    #[field(outer)]
    pub value: Any,
    /// The variable that the value replaces.
    #[field(def_simple)]
    pub var: Var,
    /// The expression in which the value replaces the variable.
    pub body: Any,
}

/// A function whose body is declared before its parameters.
#[derive(Object)]
#[object(type_key = "scopes.Backwards")]
#[structural_eq(tree, scope)]
pub struct BackwardsNode {
    /// The body, which the parameters do not bind.
    #[field(outer)]
    pub body: Any,
    /// The variables that the function binds.
    #[field(def)]
    pub param: Var,
}

/// Anything else.
#[derive(Object)]
#[object(type_key = "scopes.Call")]
#[structural_eq(tree)]
pub struct CallNode {
    /// The arguments.
    pub args: Array<Any>,
}

fn lexical() -> StructuralOptions {
    StructuralOptions::new().scopes(Scopes::Lexical)
}

fn lexical_hash(value: &Any) -> u64 {
    StructuralOptions::new().scopes(Scopes::Lexical).hash(value).unwrap()
}

fn var(name: &str) -> Var {
    Var::new(name, Any::None)
}

fn lambda(param: &Var, body: impl Into<Any>) -> Any {
    Any::new(Lambda::new(Array::from([param.clone()]), body.into()))
}

fn pair(a: impl Into<Any>, b: impl Into<Any>) -> Any {
    Any::new(Array::from([a.into(), b.into()]))
}

/// The verdicts with persistent scopes, with lexical scopes, and with lexical scopes and mapped free variables.
fn verdicts(a: &Any, b: &Any) -> (bool, bool, bool) {
    let mapped = lexical().map_free_vars(true).equal(a, b).unwrap();
    let lexical = lexical().equal(a, b).unwrap();
    if lexical || mapped {
        assert_eq!(lexical_hash(a), lexical_hash(b));
    }
    let persistent = structural_equal(a, b);
    if persistent {
        assert_eq!(structural_hash(a), structural_hash(b));
    }
    (persistent, lexical, mapped)
}

/// The rows of the table "Consequences" in the description of the rules of tvm-ffi.
#[test]
fn consequences_of_lexical_scopes() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let id = |var: &Var| lambda(var, var.clone());
    // A binding does not leak out of its scope.
    assert_eq!(verdicts(&pair(id(&x), x.clone()), &pair(id(&y), y.clone())), (true, false, true));
    assert_eq!(verdicts(&pair(id(&y), x.clone()), &pair(id(&x), x.clone())), (false, true, true));
    // Two uses of one lambda equal two lambdas.
    let shared = id(&x);
    assert_eq!(verdicts(&pair(shared.clone(), shared), &pair(id(&y), id(&z))), (false, true, true));
    // An inner binding hides an outer one of the same variable.
    assert_eq!(verdicts(&lambda(&x, id(&x)), &lambda(&y, id(&z))), (false, true, true));
    assert_eq!(verdicts(&lambda(&x, id(&x)), &lambda(&y, lambda(&z, y.clone()))), (false, false, false));
    // A field before a `def` field is outside of its binding, as the value of a `let` has to be.
    let backwards = |var: &Var| Any::new(Backwards::new(var.clone(), var.clone()));
    assert_eq!(verdicts(&backwards(&x), &backwards(&y)), (false, false, true));
    // Keys do not bind variables. All NaNs are one key.
    let keyed = |key: Any| Any::new([(key, Any::Int(1))].into_iter().collect::<Map<Any, Any>>());
    assert_eq!(verdicts(&keyed(Any::new(x.clone())), &keyed(Any::new(y.clone()))), (false, false, false));
    assert_eq!(verdicts(&keyed(Any::Float(f64::NAN)), &keyed(Any::Float(-f64::NAN))), (true, true, true));
}

/// Under lexical scopes, `x` is free in the second element, so the diff reports it. With persistent scopes, the first
/// lambda still binds it, and the diff reports the second binding of the same variable.
#[test]
fn diffs_depend_on_the_ends_of_bindings() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let left = pair(lambda(&x, lambda(&x, x.clone())), x.clone());
    let right = pair(lambda(&y, lambda(&z, z.clone())), y.clone());
    let places = |options: StructuralOptions| -> Vec<String> {
        options.diff(&left, &right, 10).unwrap().iter().map(|it| it.lhs.to_string()).collect()
    };
    assert_eq!(places(lexical()), ["<root>[1]"]);
    assert_eq!(places(StructuralOptions::new()), ["<root>[0].body.params[0]"]);
}

#[test]
fn free_variables_are_not_captured() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    // The free `y` on the left is captured on the right.
    assert_eq!(verdicts(&lambda(&x, y.clone()), &lambda(&y, y.clone())), (false, false, false));
    // A shared open term has another meaning under another binder.
    let open =
        Any::new(Call::new(Array::from([Any::new(x.clone()), Any::Int(1), Any::Int(2), Any::Int(3), Any::Int(4)])));
    let big = |term: &Any| Any::new(Call::new((0..9).map(|_| term.clone()).collect::<Array<Any>>()));
    let left = lambda(&x, pair(big(&open), lambda(&x, big(&open))));
    let renamed = |var: &Var| {
        let call = Call::new(Array::from([Any::new(var.clone()), Any::Int(1), Any::Int(2), Any::Int(3), Any::Int(4)]));
        big(&Any::new(call))
    };
    let right = lambda(&y, pair(renamed(&y), lambda(&z, renamed(&z))));
    let wrong = lambda(&y, pair(renamed(&y), lambda(&z, renamed(&y))));
    assert_eq!(verdicts(&left, &right), (false, true, true));
    assert_eq!(verdicts(&left, &wrong), (false, false, false));
    // An annotation binds its variables in the scope.
    let typed = |name: &str, annotation: &Var| Var::new(name, Any::new(annotation.clone()));
    let dims = |annotation: &Var| {
        let param = typed("p", annotation);
        pair(lambda(&param, annotation.clone()), 0)
    };
    assert_eq!(verdicts(&dims(&x), &dims(&y)), (true, true, true));
    // A value that is closed in one place may be open in another: here, a binding of the annotation surrounds it.
    let lambda_of =
        |annotation: &Var| Any::new(Lambda::new(Array::from([typed("p", annotation)]), Any::new(annotation.clone())));
    let named = |first: &Any, name: &Var, second: &Any| {
        pair(first.clone(), Any::new(Let::new(Any::Int(0), name.clone(), second.clone())))
    };
    let (of_x, of_y) = (lambda_of(&x), lambda_of(&y));
    let left = named(&of_x, &x, &of_x);
    assert_eq!(verdicts(&left, &named(&lambda_of(&x), &y, &of_y)), (false, true, true));
    assert_eq!(verdicts(&left, &named(&of_x, &y, &of_x)), (false, false, false));
    // The same if the variable is free elsewhere: an occurrence is not a binding.
    let after = |free: &Var, annotation: &Var, param: &Var| {
        let params = Array::from([typed("p", annotation), param.clone()]);
        pair(Any::new(free.clone()), Any::new(Lambda::new(params, Any::None)))
    };
    assert_eq!(verdicts(&after(&x, &x, &x), &after(&x, &x, &z)), (false, false, false));
}

/// A random term: the kind of the value to build, with choices by number.
#[derive(Clone, Debug)]
enum Term {
    Var(u8),
    Lambda(Vec<(u8, Option<u8>)>, Box<Term>),
    Let(Box<Term>, u8, Box<Term>),
    Call(Vec<Term>),
    /// The object of an earlier part of the term, by number, if there is one.
    Again(u8),
}

fn terms() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![(0..4u8).prop_map(Term::Var), any::<u8>().prop_map(Term::Again)];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let params = prop::collection::vec((0..4u8, prop::option::of(0..4u8)), 1..3);
        prop_oneof![
            2 => (params, inner.clone()).prop_map(|(params, body)| Term::Lambda(params, Box::new(body))),
            1 => (inner.clone(), 0..4u8, inner.clone())
                .prop_map(|(value, var, body)| Term::Let(Box::new(value), var, Box::new(body))),
            3 => prop::collection::vec(inner, 1..4).prop_map(Term::Call),
        ]
    })
}

/// Builds terms over a pool of variables, which terms refer to by number.
struct Builder<'a> {
    pool: &'a [Var],
    typed: HashMap<(u8, u8), Var>,
    built: Vec<Any>,
    /// A number to add to the numbers of bound variables.
    shift: usize,
    bound: Vec<u8>,
}

impl Builder<'_> {
    fn var(&self, number: u8) -> Var {
        let shift = if self.bound.contains(&number) { self.shift } else { 0 };
        self.pool[(usize::from(number) + shift) % self.pool.len()].clone()
    }

    fn build(&mut self, term: &Term) -> Any {
        let value = match term {
            Term::Var(number) => Any::new(self.var(*number)),
            Term::Again(number) => match self.built.len() {
                0 => Any::Int(0),
                // A part of a renamed term may contain variables that are not bound here, so it is not reused.
                _ if self.shift > 0 => Any::Int(1),
                built => return self.built[usize::from(*number) % built].clone(),
            },
            Term::Lambda(params, body) => {
                let bound = self.bound.clone();
                let mut vars = Vec::new();
                for (number, annotation) in params {
                    self.bound.push(*number);
                    vars.push(match annotation {
                        None => self.var(*number),
                        Some(annotation) => {
                            let annotated = Any::new(self.pool[usize::from(*annotation)].clone());
                            let fresh = || Var::new(format!("t{number}"), annotated);
                            self.typed.entry((*number, *annotation)).or_insert_with(fresh).clone()
                        }
                    });
                }
                let body = self.build(body);
                self.bound = bound;
                Any::new(Lambda::new(vars.into_iter().collect::<Array<Var>>(), body))
            }
            Term::Let(value, number, body) => {
                let value = self.build(value);
                self.bound.push(*number);
                let var = self.var(*number);
                let body = self.build(body);
                self.bound.pop();
                Any::new(Let::new(value, var, body))
            }
            Term::Call(args) => Any::new(Call::new(args.iter().map(|arg| self.build(arg)).collect::<Array<Any>>())),
        };
        self.built.push(value.clone());
        value
    }
}

fn build(term: &Term, pool: &[Var], shift: usize) -> Any {
    Builder { pool, typed: HashMap::new(), built: Vec::new(), shift, bound: Vec::new() }.build(term)
}

/// Writes a value without names: a bound variable is written as the distance to its scope and its index in the scope.
struct Nameless {
    scopes: Vec<Vec<usize>>,
    free: Vec<usize>,
    /// Whether free variables count by their first occurrence.
    mapped: bool,
    text: String,
}

impl Nameless {
    fn of(value: &Any, mapped: bool) -> String {
        let mut nameless = Nameless { scopes: Vec::new(), free: Vec::new(), mapped, text: String::new() };
        nameless.write(value);
        nameless.text
    }

    fn find(&self, var: &Var) -> Option<(usize, usize)> {
        let address = var.as_object().view().address();
        let scopes = self.scopes.iter().rev().enumerate();
        scopes.filter_map(|(out, scope)| Some((out, scope.iter().position(|it| *it == address)?))).next()
    }

    fn bind(&mut self, var: &Var) {
        let address = var.as_object().view().address();
        if !self.scopes.last().is_some_and(|scope| scope.contains(&address)) {
            self.scopes.last_mut().unwrap().push(address);
        }
        self.write(&Any::new(var.clone()));
        if let Ok(annotation) = var.annotation.clone().cast::<Var>() {
            if self.find(&annotation).is_none() {
                self.scopes.last_mut().unwrap().push(annotation.as_object().view().address());
            }
            self.text.push(':');
            self.write(&var.annotation);
        }
    }

    fn write(&mut self, value: &Any) {
        if let Ok(var) = value.clone().cast::<Var>() {
            let address = var.as_object().view().address();
            match self.find(&var) {
                Some((out, place)) => self.text += &format!("b{out}.{place} "),
                None if self.mapped => {
                    let place = self.free.iter().position(|it| *it == address).unwrap_or_else(|| {
                        self.free.push(address);
                        self.free.len() - 1
                    });
                    self.text += &format!("f{place} ");
                }
                None => self.text += &format!("f@{address} "),
            }
        } else if let Ok(lambda) = value.clone().cast::<Lambda>() {
            self.scopes.push(Vec::new());
            self.text += &format!("(fn{} ", lambda.params.len());
            lambda.params.iter().for_each(|param| self.bind(&param));
            self.write(&lambda.body);
            self.text.push(')');
            self.scopes.pop();
        } else if let Ok(node) = value.clone().cast::<Let>() {
            self.scopes.push(Vec::new());
            self.text += "(let ";
            self.write(&node.value);
            self.bind(&node.var);
            self.write(&node.body);
            self.text.push(')');
            self.scopes.pop();
        } else if let Ok(call) = value.clone().cast::<Call>() {
            self.text.push('[');
            call.args.iter().for_each(|arg| self.write(&arg));
            self.text.push(']');
        } else {
            self.text += &format!("{value:?} ");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: object_tests::setting("SCOPES_CASES", 400),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn equality_is_alpha_equivalence(a in terms(), b in terms(), shift in 0..6usize, same in any::<bool>()) {
        let pool: Vec<Var> = (0..6).map(|number| var(&format!("v{number}"))).collect();
        let left = build(&a, &pool, 0);
        let right = build(if same { &a } else { &b }, &pool, shift);
        for mapped in [false, true] {
            let options = lexical().map_free_vars(mapped);
            let (x, y) = (Nameless::of(&left, mapped), Nameless::of(&right, mapped));
            let equal = options.equal(&left, &right).unwrap();
            prop_assert_eq!(equal, x == y, "mapped {}: {} and {}", mapped, x, y);
            prop_assert_eq!(options.equal(&right, &left).unwrap(), equal);
            prop_assert_eq!(options.first_mismatch(&left, &right).unwrap().is_none(), equal);
            prop_assert_eq!(options.diff(&left, &right, 100).unwrap().is_empty(), equal);
            if equal {
                prop_assert_eq!(lexical_hash(&left), lexical_hash(&right));
            }
        }
        if structural_equal(&left, &right) {
            prop_assert_eq!(structural_hash(&left), structural_hash(&right));
        }
        prop_assert!(lexical().equal(&left, &left).unwrap());
        // A cache does not change any hash, whatever was hashed before.
        let mut cache = HashCache::new();
        let mixed = pair(pool[0].clone(), pair(left.clone(), pair(pool[1].clone(), left.clone())));
        for value in [&left, &right, &mixed, &left, &mixed, &right] {
            let hash = StructuralOptions::new().scopes(Scopes::Lexical).hash_cached(value, &mut cache).unwrap();
            prop_assert_eq!(hash, lexical_hash(value));
        }
    }
}
