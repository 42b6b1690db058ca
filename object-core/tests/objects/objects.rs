//! Handles: construction, casts along the hierarchy, copy on write, counting across threads.

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "objects.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "objects.PrimExpr", parent = ExprNode, base)]
#[structural_eq(tree)]
pub struct PrimExprNode {
    pub base: ExprNode,
    pub dtype: DataType,
}

#[derive(Object)]
#[object(type_key = "objects.IntImm", parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IntImmNode {
    pub base: PrimExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "objects.Add", parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: PrimExprNode,
    pub lhs: PrimExpr,
    pub rhs: PrimExpr,
}

#[derive(Object)]
#[object(type_key = "objects.Other")]
#[structural_eq(tree)]
pub struct OtherNode {
    pub flag: bool,
    pub small: u8,
    pub anything: Any,
    pub items: Array<i64>,
    pub table: Map<Str, ExprOrNone>,
}

type ExprOrNone = Option<Expr>;

fn int(value: i64) -> IntImm {
    IntImm::new(DataType::int(64), value)
}

#[test]
fn a_handle_is_a_thin_pointer() {
    assert_eq!(size_of::<Add>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Add>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Array<Expr>>>(), size_of::<usize>());
}

#[test]
fn upcasts_reach_every_ancestor_and_downcasts_come_back() {
    let add = Add::new(DataType::int(64), int(1), int(2));
    let prim: PrimExpr = add.clone().into();
    let expr: Expr = add.clone().into();
    let object: ObjectRef = expr.clone().into();
    assert_eq!(prim.dtype, DataType::int(64));
    assert!(expr.span.is_none());
    assert!(expr.is::<Add>() && expr.is::<PrimExpr>() && !expr.is::<IntImm>());
    assert!(expr.downcast_ref::<Add>().is_some_and(|found| found.ptr_eq(&add)));
    assert!(prim.downcast::<IntImm>().is_err());
    let back: Add = object.clone().try_into().expect("it is one");
    assert!(back.ptr_eq(&add));
    let error = Other::try_from(object).expect_err("it is none");
    assert_eq!(error.to_string(), "expected `objects.Other`, got `objects.Add`");
    assert_eq!(add.lhs.downcast_ref::<IntImm>().map(|imm| imm.value), Some(1));
}

#[test]
fn make_mut_copies_only_shared_objects() {
    let mut a = int(1);
    let address = a.as_object().view().address();
    a.make_mut().value = 2;
    assert_eq!((a.value, a.as_object().view().address()), (2, address));
    let b = a.clone();
    a.make_mut().value = 3;
    assert_eq!((a.value, b.value), (3, 2));
    // Through a handle of an ancestor, the copy keeps its exact type.
    let mut expr: Expr = b.clone().into();
    expr.make_mut().span = Some("here".into());
    assert_eq!(b.span_text(), None);
    assert_eq!(expr.downcast_ref::<IntImm>().map(|imm| imm.value), Some(2));
}

impl IntImm {
    fn span_text(&self) -> Option<&str> {
        self.span.as_deref()
    }
}

#[test]
fn every_kind_of_field_survives_a_copy() {
    let table = Map::from([(Str::from("one"), Some(int(1).into())), ("none".into(), None)]);
    let other = Other::new(true, 7, Any::Float(0.5), [1, 2, 3], table);
    let mut copy = other.clone();
    copy.make_mut().small = 8;
    assert_eq!((other.small, copy.small, copy.flag), (7, 8, true));
    assert_eq!(copy.items.iter().collect::<Vec<_>>(), [1, 2, 3]);
    assert!(copy.table.get("none").is_some_and(|value| value.is_none()));
    assert!(copy.table.get("two").is_none());
    assert!(structural_equal(&copy.table, &other.table));
    assert!(!structural_equal(&copy, &other));
}

#[test]
fn counting_is_safe_across_threads() {
    let shared = Add::new(DataType::int(64), int(1), int(2));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10_000 {
                    let copy: Expr = shared.clone().into();
                    assert!(copy.is::<Add>());
                }
            });
        }
    });
    assert_eq!(shared.as_object().use_count(), 1);
}

#[test]
fn arrays_check_their_elements_when_a_handle_is_made() {
    let mixed: Array<Any> = Array::from_anys(vec![int(1).into(), Any::Int(2)]);
    let error = Any::from(mixed).cast::<Array<Expr>>().expect_err("the second element is an int");
    assert_eq!(error.to_string(), "element 1 of a `ffi.Array<objects.Expr>`: expected `objects.Expr`, got `int`");
    let exprs: Array<Expr> = [int(1).into(), Add::new(DataType::int(64), int(1), int(2)).into()].into();
    assert!(Any::from(exprs.clone()).cast::<Array<PrimExpr>>().is_ok(), "all elements are");
    assert!(Any::from(exprs.clone()).cast::<Array<Add>>().is_err(), "one is not");
    assert!(exprs[0].is::<IntImm>() && exprs.as_slice().len() == 2 && exprs.get(2).is_none());
    assert!(Any::from(Array::<Any>::default()).cast::<Array<Add>>().is_ok(), "there is none that is not");
}

#[test]
fn repr_shows_fields_by_name() {
    let add = Add::new(DataType::int(64), int(1), int(2));
    assert_eq!(
        format!("{add:?}"),
        "objects.Add(span=None, dtype=int64, lhs=objects.IntImm(span=None, dtype=int64, value=1), \
         rhs=objects.IntImm(span=None, dtype=int64, value=2))"
    );
}

#[test]
fn lists_and_dicts_of_tvm_are_read_and_written() {
    let text = r#"{"root_index":3,"nodes":[{"type":"ffi.String","data":"a"},{"type":"int","data":1},{"type":"ffi.List","data":[1,0]},{"type":"ffi.Dict","data":[0,2]}]}"#;
    let root = object_core::json::from_slice::<Any>(text.as_bytes()).expect("readable");
    assert_eq!(object_core::json::to_string(&root).expect("writable"), text);
    assert_eq!(format!("{root}"), r#"ffi.Dict{"a": ffi.List[1, "a"]}"#);
    let array = Any::from(Map::from([(Str::from("a"), Array::from_anys(vec![Any::Int(1), Any::from("a")]))]));
    assert!(!structural_equal(&root, &array), "a list is no array");
    assert!(root.cast::<Map<Str, Any>>().is_err(), "a dict is no map");
}
