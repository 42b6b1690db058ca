//! `==` and `Hash` of handles, containers and [`ByStructure`].

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash, RandomState};

use object_core::prelude::*;
use object_core::structural::ByStructure;
use object_core::{Function, Tensor};

/// Base of expressions, whose handles are compared by identity.
#[derive(Object)]
#[object(type_key = "identity.Expr", base)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "identity.Var", parent = ExprNode)]
#[structural_eq(var)]
struct VarNode {
    base: ExprNode,
    #[field(ignore)]
    name: Str,
}

#[derive(Object)]
#[object(type_key = "identity.Add", parent = ExprNode)]
#[structural_eq(tree)]
struct AddNode {
    base: ExprNode,
    lhs: Expr,
    rhs: Expr,
}

/// Base of types, whose handles are compared by structure.
#[derive(Object)]
#[object(type_key = "identity.Type", base, eq = structural)]
struct TypeNode {}

#[derive(Object)]
#[object(type_key = "identity.Named", parent = TypeNode)]
#[structural_eq(tree)]
struct NamedNode {
    base: TypeNode,
    name: Str,
    #[field(ignore)]
    line: i64,
}

#[derive(Object)]
#[object(type_key = "identity.TypeVar", parent = TypeNode)]
#[structural_eq(var)]
struct TypeVarNode {
    base: TypeNode,
    #[field(ignore)]
    name: Str,
}

#[derive(Object)]
#[object(type_key = "identity.Arrow", parent = TypeNode)]
#[structural_eq(tree)]
struct ArrowNode {
    base: TypeNode,
    #[field(def)]
    params: Array<TypeVar>,
    from: Type,
    to: Type,
}

fn hash_of(state: &RandomState, value: &impl Hash) -> u64 {
    state.hash_one(value)
}

/// Checks that equal values have equal hashes, and returns whether `a` and `b` are equal.
fn equal<T: Eq + Hash>(a: &T, b: &T) -> bool {
    let state = RandomState::new();
    let (ab, ba) = (a == b, b == a);
    let reflexive = |value: &T, same: &T| value == same;
    assert!(ab == ba && reflexive(a, a) && reflexive(b, b));
    assert!(!ab || hash_of(&state, a) == hash_of(&state, b), "equal values hash equal");
    ab
}

#[test]
fn handles_are_equal_if_they_point_to_one_object() {
    let x = Var::new("x");
    let (a, b) = (Add::new(&x, &x), Add::new(&x, &x));
    assert!(structural_equal(&a, &b));
    assert!(!equal(&a, &b) && equal(&a, &a.clone()));
    assert!(equal(&Expr::from(&a), &Expr::from(&a)) && !equal(&Expr::from(&a), &Expr::from(&b)));
    assert!(equal(&ObjectRef::from(&a), &ObjectRef::from(&a)) && !equal(&ObjectRef::from(&a), &ObjectRef::from(&b)));
    assert!(
        equal(&a.as_object().view(), &a.as_object().view()) && !equal(&a.as_object().view(), &b.as_object().view())
    );
    let tensor = || Tensor::new(DataType::int(8), [1], [7]).expect("one byte");
    let (t, f) = (tensor(), Function::new(|a: i64| a));
    assert!(equal(&t, &t.clone()) && !equal(&t, &tensor()));
    assert!(equal(&f, &f.clone()) && !equal(&f, &Function::new(|a: i64| a)));
}

#[test]
fn containers_compare_their_elements_as_the_elements_compare() {
    let (x, y) = (Var::new("x"), Var::new("x"));
    let of = |vars: [&Var; 2]| Array::from_iter(vars.into_iter().cloned());
    assert!(equal(&of([&x, &y]), &of([&x, &y])) && !equal(&of([&x, &x]), &of([&x, &y])));
    assert!(equal(&Some(x.clone()), &Some(x.clone())) && !equal(&Some(x.clone()), &None));
    assert!(equal(&Array::from([Some(of([&x, &y]))]), &Array::from([Some(of([&x, &y]))])));
    let map = |var: &Var| Map::from([(var.clone(), of([&x, &y]))]);
    assert!(map(&x) == map(&x) && map(&x) != map(&y));
    // The array of an object is part of the object: the object is equal to itself alone.
    assert!(of([&x, &y]).as_object() != of([&x, &y]).as_object());
    // Types that the program compares by structure, one by one.
    let named = |line| Type::from(Named::new("int", line));
    assert!(equal(&Array::from([named(1), named(2)]), &Array::from([named(3), named(4)])));
}

#[test]
fn values_of_any_kind_compare_as_keys_of_maps() {
    let array = Array::from([1]);
    let values = [
        Any::None,
        Any::Bool(true),
        Any::Int(1),
        Any::Float(1.0),
        Any::Float(f64::NAN),
        Any::from("1"),
        Any::from(Bytes::from([1])),
        Any::from(&array),
        Any::from(Array::from([1])),
    ];
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            assert_eq!(equal(a, b), i == j, "{a:?} and {b:?}");
            assert_eq!(equal(&a.view(), &b.view()), i == j, "{a:?} and {b:?}");
            let map = Map::<Any, i64>::from([(a.clone(), 1)]);
            assert_eq!(map.contains_key(b), i == j, "{a:?} and {b:?}");
        }
    }
    assert!(equal(&Any::from("text"), &Any::from(Str::from("text"))));
    assert!(!equal(&Any::Float(0.0), &Any::Float(-0.0)));
}

#[test]
fn a_type_and_its_descendants_can_be_compared_by_structure() {
    let (a, b, c) = (Named::new("int", 1), Named::new("int", 2), Named::new("bool", 1));
    assert!(equal(&a, &b) && !equal(&a, &c));
    assert!(equal(&Type::from(&a), &Type::from(&b)) && !equal(&Type::from(&a), &Type::from(&c)));
    let (t, u) = (TypeVar::new("t"), TypeVar::new("t"));
    assert!(equal(&t, &t.clone()) && !equal(&t, &u), "a free variable equals itself");
    let arrow = |var: &TypeVar| Arrow::new([var.clone()], var, &a);
    assert!(equal(&arrow(&t), &arrow(&u)), "equal up to the names of bound variables");
    let open = |var: &TypeVar| Arrow::new([], var, &a);
    assert!(equal(&open(&t), &open(&t)) && !equal(&open(&t), &open(&u)));
    // The hashes of values with different free variables differ, so that they do not make a table slow.
    let state = RandomState::new();
    assert_eq!(structural_hash(&open(&t)), structural_hash(&open(&u)));
    assert_ne!(hash_of(&state, &open(&t)), hash_of(&state, &open(&u)));
}

#[derive(Object)]
#[object(type_key = "identity.Manual", eq = none)]
#[structural_eq(tree)]
struct ManualNode {
    id: i64,
    note: Str,
}

impl PartialEq for Manual {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

#[test]
fn a_program_can_write_its_own_equality() {
    assert!(Manual::new(1, "a") == Manual::new(1, "b") && Manual::new(1, "a") != Manual::new(2, "a"));
}

#[test]
fn values_by_structure_are_keys_of_tables_of_std() {
    let x = Var::new("x");
    let one = || ByStructure::new(Add::new(&x, &x));
    assert!(equal(&one(), &one()) && !equal(&one(), &Add::new(&x, Var::new("x")).into()));
    let mut costs = HashMap::from([(one(), 1)]);
    *costs.get_mut(&one()).expect("an equal key") += 1;
    assert_eq!(costs[&one()], 2);
    let other: ByStructure<Add> = Add::new(&x, Var::new("y")).into();
    assert_eq!((costs.get(&other), other.rhs.is::<Var>()), (None, true));
    assert_eq!(other.clone().into_inner(), *other);
    assert_eq!(
        (format!("{one:?}", one = one()), format!("{}", one())),
        (format!("{:?}", *one()), (*one()).to_string())
    );
    let set: HashSet<ByStructure<Any>> = [Any::Int(1), Any::Float(1.0), Any::Int(1)].map(ByStructure::new).into();
    assert_eq!(set.len(), 2);
}

/// Open expressions of one shape differ in their free variables alone. With the structural hash as the hash, a table of
/// them would compare each pair.
#[test]
fn open_expressions_do_not_collide() {
    let state = RandomState::new();
    let exprs: Vec<Add> = (0..1000).map(|_| Add::new(Var::new("x"), Var::new("y"))).collect();
    let public: HashSet<u64> = exprs.iter().map(structural_hash).collect();
    let own: HashSet<u64> = exprs.iter().map(|expr| hash_of(&state, &ByStructure::new(expr.clone()))).collect();
    assert_eq!((public.len(), own.len()), (1, exprs.len()));
}

/// A database of queries in the manner of salsa: values are interned to small numbers, a query is computed once for each
/// number, and a result that equals the earlier one does not invalidate the queries that use it.
#[derive(Default)]
struct Database {
    numbers: HashMap<ByStructure<Expr>, usize>,
    exprs: Vec<Expr>,
    types: HashMap<usize, Type>,
    n_computed: usize,
}

impl Database {
    fn intern(&mut self, expr: impl Into<Expr>) -> usize {
        let expr = expr.into();
        let next = self.exprs.len();
        *self.numbers.entry(ByStructure::new(expr.clone())).or_insert_with(|| {
            self.exprs.push(expr);
            next
        })
    }

    /// The type of an expression, which is the type of its last operand.
    fn type_of(&mut self, number: usize) -> Type {
        if let Some(known) = self.types.get(&number) {
            return known.clone();
        }
        self.n_computed += 1;
        let ty = match self.exprs[number].clone().downcast::<Add>() {
            Ok(add) => {
                let last = self.intern(&add.rhs);
                self.type_of(last)
            }
            Err(_) => Named::new("int", self.n_computed as i64).into(),
        };
        self.types.insert(number, ty.clone());
        ty
    }
}

#[test]
fn expressions_are_interned_and_results_compared() {
    let mut db = Database::default();
    let x = Var::new("x");
    let (a, b) = (db.intern(Add::new(&x, &x)), db.intern(Add::new(&x, &x)));
    assert_eq!((a, b), (0, 0));
    let c = db.intern(Add::new(Add::new(&x, &x), &x));
    assert_ne!(a, c);
    let before = db.type_of(a);
    assert_eq!(db.type_of(b), before);
    assert_eq!(db.n_computed, 2);
    // Computed anew, the type is another object with another line, but no dependent query has to run again.
    db.types.clear();
    let after = db.type_of(c);
    assert!(after == before && !after.ptr_eq(&before));
}
