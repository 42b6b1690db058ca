//! The kinds and field roles of structural equality and hashing, one by one.

use object_core::prelude::*;
use object_core::{ErrorKind, Tensor, structural::StructuralKey};

#[derive(Object)]
#[object(type_key = "structural.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

#[derive(Object)]
#[object(type_key = "structural.Int", parent = ExprNode)]
#[structural_eq(tree)]
pub struct IntNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "structural.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub a: Expr,
    pub b: Expr,
    #[field(ignore, default)]
    pub note: Str,
}

#[derive(Object)]
#[object(type_key = "structural.Var", parent = ExprNode, label = "%{name}")]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
    pub ty: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "structural.Lambda", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LambdaNode {
    pub base: ExprNode,
    #[field(def)]
    pub params: Array<Var>,
    pub body: Expr,
}

#[derive(Object)]
#[object(type_key = "structural.Let", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LetNode {
    pub base: ExprNode,
    #[field(def_simple)]
    pub var: Var,
    pub value: Expr,
}

#[derive(Object)]
#[object(type_key = "structural.Dag", parent = ExprNode)]
#[structural_eq(dag)]
pub struct DagNode {
    pub base: ExprNode,
    pub value: Expr,
}

#[derive(Object)]
#[object(type_key = "structural.Shape")]
#[structural_eq(const_tree)]
pub struct ConstShapeNode {
    pub extents: Array<i64>,
}

#[derive(Object)]
#[object(type_key = "structural.Opaque")]
#[structural_eq(none)]
pub struct UncomparableNode {
    pub value: i64,
}

/// Binds `params` after the comparison of its body, which field roles cannot express.
#[derive(Object)]
#[object(type_key = "structural.Custom", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct CustomNode {
    pub base: ExprNode,
    pub body: Expr,
    pub params: Array<Var>,
    pub comment: Str,
}

impl StructuralHook for CustomNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("params", &self.params, FieldRole::Def);
        contents.add("body", &self.body);
    }
}

/// Binds a variable of its part, and its own variable, before the comparison of the part. Compares by content and
/// sharing.
#[derive(Object)]
#[object(type_key = "structural.Early", parent = ExprNode)]
#[structural_eq(dag, custom)]
pub struct EarlyNode {
    pub base: ExprNode,
    pub own: Var,
    pub part: Lambda,
}

impl StructuralHook for EarlyNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("own", &self.own, FieldRole::Def);
        contents.add_in("params", &self.part.params[0], FieldRole::Def);
        contents.add("own", &self.own);
        contents.add("body", &self.part.body);
    }
}

fn int(value: i64) -> Expr {
    Int::new(value).into()
}

fn var(name: &str) -> Var {
    Var::new(name, None)
}

fn add(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Add::new(a, b).into()
}

fn lambda(params: impl Into<Array<Var>>, body: impl Into<Expr>) -> Expr {
    Lambda::new(params, body).into()
}

/// Checks the verdict in both directions, the agreement of hash and mismatch with it, and the left path of the
/// mismatch.
#[track_caller]
fn check<A: object_core::FieldType, B: object_core::FieldType>(a: &A, b: &B, path: Option<&str>) {
    check_with(StructuralOptions::new(), a, b, path);
}

#[track_caller]
fn check_with<A: object_core::FieldType, B: object_core::FieldType>(
    equal: StructuralOptions,
    a: &A,
    b: &B,
    path: Option<&str>,
) {
    assert_eq!(equal.equal(a, b).expect("comparable"), path.is_none());
    assert_eq!(equal.equal(b, a).expect("comparable"), path.is_none(), "the other way round");
    let mismatch = equal.first_mismatch(a, b).expect("comparable");
    assert_eq!(mismatch.map(|mismatch| mismatch.lhs.to_string()).as_deref(), path);
    if path.is_none() {
        assert_eq!(structural_hash(a), structural_hash(b));
    }
    assert!(equal.equal(a, a).expect("comparable") && equal.equal(b, b).expect("comparable"));
}

#[test]
fn trees_are_equal_by_content_whatever_is_shared() {
    let shared = add(int(1), int(2));
    check(&add(shared.clone(), shared), &add(add(int(1), int(2)), add(int(1), int(2))), None);
    check(&add(int(1), int(2)), &add(int(1), int(3)), Some("<root>.b.value"));
    check(&add(int(1), int(2)), &int(1), Some("<root>"));
    let noted = Add::new(int(1), int(2));
    let mut other = noted.clone();
    other.make_mut().note = "ignored".into();
    check(&noted, &other, None);
}

#[test]
fn bound_variables_are_equal_by_position() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    check(&lambda([x.clone()], x.clone()), &lambda([y.clone()], y.clone()), None);
    let (xx, xy) = (add(x.clone(), x.clone()), add(x.clone(), y.clone()));
    check(&lambda([x.clone(), y.clone()], xx), &lambda([x.clone(), y.clone()], xy), Some("<root>.body.b"));
    check(&x, &y, Some("<root>"));
    check(&x, &x, None);
    let free = StructuralOptions::new().map_free_vars(true);
    check_with(free, &add(x.clone(), y.clone()), &add(y.clone(), x.clone()), None);
    check_with(free, &add(x.clone(), y.clone()), &add(z.clone(), z.clone()), Some("<root>.b"));
    // A variable whose fields differ is reported at its binding.
    let typed = |ty| Var::new("v", Some(int(ty)));
    let (a, b) = (typed(1), typed(2));
    check(&lambda([a.clone()], a.clone()), &lambda([b.clone()], b), Some("<root>.params[0].ty.value"));
    // Fields of a variable are compared only at its binding: `def` also binds the variables in them, `def_simple` does
    // not.
    let sized = |size: &Var| Var::new("v", Some(size.clone().into()));
    check(&lambda([sized(&x)], int(1)), &lambda([sized(&y)], int(1)), None);
    let bind = |size: &Var| Let::new(sized(size), int(1));
    check(&bind(&x), &bind(&y), Some("<root>.var.ty"));
    check(&bind(&x), &bind(&x), None);
}

#[test]
fn dags_are_equal_by_content_and_sharing() {
    let dag = || Expr::from(Dag::new(int(1)));
    let (shared, other) = (dag(), dag());
    check(&add(shared.clone(), shared.clone()), &add(other.clone(), other), None);
    check(&add(shared.clone(), shared), &add(dag(), dag()), Some("<root>.b"));
}

#[test]
fn const_trees_are_trees_that_equal_themselves_without_a_comparison() {
    check(&ConstShape::new([1, 2]), &ConstShape::new([1, 2]), None);
    check(&ConstShape::new([1, 2]), &ConstShape::new([1]), Some("<root>.extents[1]"));
}

#[test]
fn hooks_replace_the_walk_over_the_fields() {
    let custom = |name: &str, comment: &str| {
        let x = var(name);
        Custom::new(add(x.clone(), int(1)), [x], comment)
    };
    check(&custom("x", "a"), &custom("y", "b"), None);
    let x = var("x");
    check(&custom("x", "a"), &Custom::new(add(int(2), int(1)), [x], "a"), Some("<root>.body.a"));
}

#[test]
fn maps_are_equal_whatever_the_order_of_their_entries() {
    let (x, y) = (var("x"), var("y"));
    let map = |entries: Vec<(Any, Any)>| Map::<Any, Any>::new(entries);
    let (a, b) = (Any::from("a"), Any::from("b"));
    let one = map(vec![(a.clone(), lambda([x.clone()], x.clone()).into()), (b.clone(), x.clone().into())]);
    let two = map(vec![(b.clone(), y.clone().into()), (a.clone(), lambda([y.clone()], y.clone()).into())]);
    check(&one, &two, None);
    check(&map(vec![(a.clone(), Any::Int(1))]), &map(vec![]), Some("<root>[\"a\"]"));
    check(&map(vec![]), &map(vec![(a.clone(), Any::Int(1))]), Some("<root>[<missing:\"a\">]"));
    // Keys do not bind variables; bound keys are found through their binding.
    let keyed = |key: &Var| map(vec![(key.clone().into(), Any::Int(1))]);
    check_with(StructuralOptions::new().map_free_vars(true), &keyed(&x), &keyed(&y), Some("<root>[%x]"));
    let bound = |v: &Var| Array::<Any>::from([lambda([v.clone()], v.clone()).into(), keyed(v).into()]);
    check(&bound(&x), &bound(&y), None);
    // A binder of the other side does not capture a free key.
    let caught = |binder: &Var| Array::<Any>::from([lambda([binder.clone()], binder.clone()).into(), keyed(&y).into()]);
    check(&caught(&x), &caught(&y), Some("<root>[1][%y]"));
}

#[test]
fn plain_values_are_equal_by_kind_and_bits() {
    check(&f64::NAN, &-f64::NAN, None);
    check(&0.0, &-0.0, Some("<root>"));
    check(&1i64, &true, Some("<root>"));
    check(&1i64, &1.0, Some("<root>"));
    check(&Str::from("a"), &Bytes::new(b"a"), Some("<root>"));
    check(&Array::from([1, 2]), &Shape::new(&[1, 2]), Some("<root>"));
    let tensor = |data: [u8; 2]| Tensor::new(DataType::uint(8), [2], data.to_vec()).expect("it fits");
    check(&tensor([1, 2]), &tensor([1, 2]), None);
    check(&tensor([1, 2]), &tensor([1, 3]), Some("<root>"));
    let (a, b) = (tensor([1, 2]), tensor([1, 3]));
    assert!(StructuralOptions::new().skip_tensor_content(true).equal(&a, &b).expect("comparable"));
    let hash = |tensor| StructuralOptions::new().skip_tensor_content(true).hash(tensor).expect("comparable");
    assert_eq!(hash(&a), hash(&b));
}

#[test]
fn uncomparable_types_are_named_with_their_place() {
    let pair = |value| Array::<Any>::from([Any::Int(value), Uncomparable::new(1).into()]);
    let error = StructuralOptions::new().equal(&pair(1), &pair(1)).expect_err("not comparable");
    assert_eq!(error.kind(), ErrorKind::NotComparable);
    assert_eq!(error.path().map(ToString::to_string).as_deref(), Some("<root>[1]"));
    assert!(error.message().contains("structural.Opaque"), "{error}");
    assert!(!StructuralOptions::new().equal(&pair(1), &pair(2)).expect("decided before it is reached"));
    let error = StructuralOptions::new().hash(&pair(1)).expect_err("not comparable");
    assert_eq!(error.path().map(ToString::to_string).as_deref(), Some("<root>[1]"));
    assert!(!structural_equal(&pair(1), &pair(1)));
}

/// The free functions compare an object whose type takes no part in comparison by identity, and hash it by its type.
#[test]
fn the_free_functions_compare_uncomparable_objects_by_identity() {
    let (x, y) = (Any::from(Uncomparable::new(1)), Any::from(Uncomparable::new(1)));
    let pair = |object: &Any| Array::from([Any::Int(1), object.clone()]);
    let keyed = |object: &Any| Map::from_iter([(object.clone(), Any::Int(1))]);
    let values = [
        [x.clone(), pair(&x).into(), keyed(&x).into(), Array::from([pair(&x), pair(&x)]).into()],
        [y.clone(), pair(&y).into(), keyed(&y).into(), Array::from([pair(&x), pair(&y)]).into()],
    ];
    for (index, a) in values.iter().flatten().enumerate() {
        for (other, b) in values.iter().flatten().enumerate() {
            let equal = structural_equal(a, b);
            assert_eq!(equal, index == other, "{a} and {b}");
            assert!(!equal || structural_hash(a) == structural_hash(b), "{a} and {b}");
        }
    }
    // The content around the object is compared by structure, even though its hash does not depend on the object.
    assert!(structural_equal(&pair(&x), &pair(&x)));
    assert_eq!(structural_hash(&pair(&x)), structural_hash(&pair(&y)));
}

#[test]
fn hashes_of_small_values_differ() {
    let mut seen = std::collections::HashSet::new();
    for i in 0..300 {
        for j in 0..300 {
            assert!(seen.insert(structural_hash(&Array::from([i, j]))), "[{i}, {j}]");
        }
    }
    let (x, y) = (var("x"), var("y"));
    let hash = |a: &Var, b: &Var| structural_hash(&add(a.clone(), b.clone()));
    assert_eq!(hash(&x, &y), hash(&y, &x), "a free variable counts by its first occurrence");
    assert_ne!(hash(&x, &y), hash(&x, &x));
}

#[test]
fn equal_maps_with_free_keys_hash_equal_at_every_position() {
    let (x, y) = (var("x"), var("y"));
    let map = || Map::<Any, Any>::from([(x.clone().into(), Any::Int(1)), (y.clone().into(), Any::Int(2))]);
    let turned = Map::<Any, Any>::from([(y.clone().into(), Any::Int(2)), (x.clone().into(), Any::Int(1))]);
    check(&map(), &turned, None);
    // The same map before and after its keys get numbers, shared and not shared.
    let shared = map();
    let with = |first: Map<Any, Any>, last: Map<Any, Any>| {
        Array::<Any>::from([first.into(), y.clone().into(), x.clone().into(), last.into()])
    };
    check(&with(shared.clone(), shared), &with(map(), turned), None);
}

#[test]
fn keys_of_hash_tables_compare_by_structure() {
    let mut seen = std::collections::HashSet::new();
    let (x, y) = (var("x"), var("y"));
    assert!(seen.insert(StructuralKey::new(lambda([x.clone()], x)).expect("comparable")));
    assert!(!seen.insert(StructuralKey::new(lambda([y.clone()], y)).expect("comparable")));
}

#[test]
fn hooks_may_list_an_object_twice_and_objects_below_their_children() {
    // A graph without handles from outside, and one with such a handle: the same verdict and the same hash.
    let early = |own: &Var, param: &Var| Early::new(own.clone(), Lambda::new([param.clone()], int(1)));
    let (a, b) = (early(&var("x"), &var("y")), early(&var("p"), &var("q")));
    check(&a, &b, None);
    let (x, y) = (var("x"), var("y"));
    let held = early(&x, &y);
    check(&a, &held, None);
    check(&held, &b, None);
    assert_eq!(structural_hash(&a), structural_hash(&held));
    // One variable in both places differs from two variables.
    check(&a, &early(&x, &x), Some("<root>.params"));
    assert_ne!(structural_hash(&a), structural_hash(&early(&x, &x)));
}
