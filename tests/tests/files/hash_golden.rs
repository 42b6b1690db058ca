//! The values of structural hashes, which are the same on every platform and in every release. `data/hashes.txt` has a
//! name and a hash per line. `BLESS=1` rewrites the file. If a line changes, that breaks the promise.

use crate::common::{at_root, fixture, report};
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_core::structural::Scopes;
use object_core::{FieldType, Tensor};
use object_ir::ir::{self, IntImm, PrimExpr, PrimType};
use object_ir::{attrs, target, tir};

/// An expression, for nodes of each kind.
#[derive(Object)]
#[object(type_key = "hash_golden.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    /// Not part of the hash.
    #[field(ignore, default)]
    pub note: Str,
}

/// A node without its own fields.
#[derive(Object)]
#[object(type_key = "hash_golden.Unit", parent = ExprNode)]
#[structural_eq(tree)]
pub struct UnitNode {
    /// The base part.
    pub base: ExprNode,
}

/// A node with fields of all plain types.
#[derive(Object)]
#[object(type_key = "hash_golden.Plain")]
#[structural_eq(tree)]
pub struct PlainNode {
    /// A truth value.
    pub flag: bool,
    /// A byte.
    pub byte: u8,
    /// A narrow integer.
    pub narrow: i32,
    /// An integer.
    pub wide: i64,
    /// A narrow number.
    pub single: f32,
    /// A number.
    pub double: f64,
    /// A data type.
    pub dtype: DataType,
    /// A device.
    pub device: Device,
    /// `None` or an integer.
    pub maybe: Option<i64>,
    /// Any value.
    pub any: Any,
}

/// A constant.
#[derive(Object)]
#[object(type_key = "hash_golden.Const", parent = ExprNode)]
#[structural_eq(const_tree)]
pub struct ConstNode {
    /// The base part.
    pub base: ExprNode,
    /// The elements.
    pub items: Array<i64>,
}

/// A node that compares by content and sharing.
#[derive(Object)]
#[object(type_key = "hash_golden.Dag", parent = ExprNode)]
#[structural_eq(dag)]
pub struct DagNode {
    /// The base part.
    pub base: ExprNode,
    /// The content.
    pub value: i64,
}

/// A variable.
#[derive(Object)]
#[object(type_key = "hash_golden.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    /// The base part.
    pub base: ExprNode,
}

/// A binder.
#[derive(Object)]
#[object(type_key = "hash_golden.Lambda", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LambdaNode {
    /// The base part.
    pub base: ExprNode,
    /// The bound variables.
    #[field(def)]
    pub params: Array<Var>,
    /// The expression in which the variables are bound.
    pub body: Expr,
}

/// The elements of a tuple.
#[derive(Object)]
#[object(type_key = "hash_golden.Tuple", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TupleNode {
    /// The base part.
    pub base: ExprNode,
    /// The elements.
    pub items: Array<Expr>,
}

/// A node whose hook lists the fields in another order.
#[derive(Object)]
#[object(type_key = "hash_golden.Custom", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct CustomNode {
    /// The base part.
    pub base: ExprNode,
    /// The second listed value.
    pub first: i64,
    /// The first listed value.
    pub second: Expr,
}

impl StructuralHook for CustomNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("second", &self.second);
        contents.add("first", &self.first);
    }
}

/// A node of a type that takes no part in comparison.
#[derive(Object)]
#[object(type_key = "hash_golden.Uncomparable")]
#[structural_eq(none)]
pub struct UncomparableNode {
    /// The content.
    pub value: i64,
}

/// Names and hashes.
#[derive(Default)]
struct Hashes(Vec<(String, u64)>);

impl Hashes {
    #[allow(clippy::needless_pass_by_value, reason = "most values are made for the call")]
    fn add<T: FieldType>(&mut self, name: &str, value: T) {
        let hash = |scopes| StructuralOptions::new().scopes(scopes).hash(&value).expect("comparable");
        self.0.push((name.to_owned(), hash(Scopes::Persistent)));
        if hash(Scopes::Lexical) != hash(Scopes::Persistent) {
            self.0.push((format!("{name}, lexical"), hash(Scopes::Lexical)));
        }
    }
}

fn plain_values(hashes: &mut Hashes) {
    hashes.add("none", Any::None);
    hashes.add("false", false);
    hashes.add("true", true);
    hashes.add("int 0", 0i64);
    hashes.add("int 1", 1i64);
    hashes.add("int -1", -1i64);
    hashes.add("int min", i64::MIN);
    hashes.add("float 0", 0.0);
    hashes.add("float -0", -0.0);
    hashes.add("float 0.1", 0.1);
    hashes.add("float inf", f64::INFINITY);
    hashes.add("float nan", f64::NAN);
    hashes.add("float another nan", f64::from_bits(0xfff8_0000_0000_1234));
    hashes.add("dtype void", DataType::void());
    hashes.add("dtype float32", DataType::float(32));
    hashes.add("dtype int8xvscalex4", DataType { code: TypeCode::INT, bits: 8, raw_lanes: (-4i16).cast_unsigned() });
    hashes.add("device cpu:0", Device::cpu(0));
    hashes.add("device cuda:-1", Device { device_type: 2, device_id: -1 });
}

fn leaf_objects(hashes: &mut Hashes) {
    hashes.add("str empty", Str::from(""));
    hashes.add("str a", Str::from("a"));
    hashes.add("str of 8 bytes", Str::from("12345678"));
    hashes.add("str of 9 bytes", Str::from("123456789"));
    hashes.add("str not ASCII", Str::from("\u{e4}\u{1f600}\0"));
    hashes.add("str long", Str::from("0123456789".repeat(100)));
    hashes.add("bytes empty", Bytes::from(vec![]));
    hashes.add("bytes 61", Bytes::from(vec![0x61]));
    hashes.add("bytes 00 80 ff", Bytes::from(vec![0, 0x80, 0xff]));
    hashes.add("shape []", Shape::from([]));
    hashes.add("shape [2, 3]", Shape::from([2, 3]));
    let tensor = |dtype, shape: &[i64], data: &[u8]| {
        Tensor::new(dtype, Shape::from(shape.to_vec()), data.to_vec()).expect("valid")
    };
    hashes.add("tensor float32 scalar", tensor(DataType::float(32), &[], &1f32.to_le_bytes()));
    hashes.add("tensor int8 [2, 3]", tensor(DataType::int(8), &[2, 3], &[1, 2, 3, 4, 5, 6]));
    hashes.add("tensor int8 [3, 2]", tensor(DataType::int(8), &[3, 2], &[1, 2, 3, 4, 5, 6]));
    hashes.add("tensor int8 [0]", tensor(DataType::int(8), &[0], &[]));
    let value = tensor(DataType::int(8), &[2, 3], &[0; 6]);
    let hash = StructuralOptions::new().skip_tensor_content(true).hash(&value).expect("comparable");
    hashes.0.push(("tensor int8 [2, 3] without content".to_owned(), hash));
}

fn containers(hashes: &mut Hashes) {
    hashes.add("array []", Array::<Any>::default());
    hashes.add("array [1, 2]", Array::from([1, 2]));
    hashes.add("array [[1], [2]]", Array::from([Array::from([1]), Array::from([2])]));
    hashes.add("array [[1, 2]]", Array::from([Array::from([1, 2])]));
    hashes.add("array mixed", Array::<Any>::from([Any::None, true.into(), 1i64.into(), 1.0.into(), "1".into()]));
    let (a, b) = (Str::from("a"), Str::from("b"));
    hashes.add("map {}", Map::<Any, Any>::default());
    hashes.add("map {a: 1, b: 2}", Map::from([(a.clone(), 1), (b.clone(), 2)]));
    hashes.add("map {b: 2, a: 1}", Map::from([(b.clone(), 2), (a.clone(), 1)]));
    let keys = [Any::None, false.into(), 1i64.into(), 1.0.into(), DataType::int(8).into(), Device::cpu(0).into()];
    hashes
        .add("map with plain keys", keys.into_iter().chain([a.into()]).map(|key| (key, 0)).collect::<Map<Any, i64>>());
    hashes.add("map with tree keys", Map::from([(Const::new([1]), 1), (Const::new([2]), 2)]));
    let (x, y) = (Var::new(), Var::new());
    let map = Map::from([(y.clone(), 2), (x.clone(), 1)]);
    hashes.add("map with free keys", map.clone());
    let bound = Array::<ObjectRef>::from([x.into_object(), y.into_object(), map.into_object()]);
    hashes.add("map with keys met before", bound);
}

fn kinds(hashes: &mut Hashes) {
    let (x, y): (Expr, Expr) = (Var::new().into(), Var::new().into());
    let tuple = |items: &[&Expr]| Tuple::new(items.iter().map(|item| (*item).clone()).collect::<Array<Expr>>());
    hashes.add("tree without fields", Unit::new());
    hashes.add("const_tree", Const::new([1, 2]));
    let plain = Plain::new(
        true,
        7,
        -7,
        1i64 << 40,
        0.5,
        0.25,
        DataType::boolean(),
        Device::cpu(1),
        None,
        Any::from(Str::from("any")),
    );
    hashes.add("tree of plain fields", plain);
    hashes.add("var", x.clone());
    hashes.add("vars x x", tuple(&[&x, &x]));
    hashes.add("vars x y", tuple(&[&x, &y]));
    hashes.add("vars x y x", tuple(&[&x, &y, &x]));
    let (d, e): (Expr, Expr) = (Dag::new(1).into(), Dag::new(1).into());
    hashes.add("dag shared", tuple(&[&d, &d]));
    hashes.add("dag not shared", tuple(&[&d, &e]));
    let unit: Expr = Unit::new().into();
    hashes.add("tree shared", tuple(&[&unit, &unit]));
    let params = [x.clone(), y.clone()].map(|it| it.downcast::<Var>().expect("a variable"));
    hashes.add("binder", Lambda::new(params, tuple(&[&y, &x])));
    hashes.add("hook", Custom::new(1, unit));
    hashes.add("singleton", ir::Op::get("relax.add").expect("registered"));
    hashes.add("singleton of another type", target::TargetKind::get("llvm").expect("registered"));
    let uncomparable = structural_hash(&Array::from([Uncomparable::new(1)]));
    hashes.0.push(("none, not strict".to_owned(), uncomparable));
}

fn nodes_of_the_ir(hashes: &mut Hashes) {
    let ty = DataType::int(64);
    let n = tir::Var::new(ty, "n", PrimType::new(ty));
    let one = IntImm::new(ty, 1);
    let sum: PrimExpr = tir::Add::new(ty, n.clone(), one.clone()).into();
    hashes.add("ir.IntImm", one.clone());
    hashes.add("ir.FloatImm", ir::FloatImm::new(DataType::float(32), 0.5));
    hashes.add("ir.Range", ir::Range::new(one, sum.clone(), None));
    hashes.add("ir.DictAttrs", ir::DictAttrs::new([(Str::from("global_symbol"), Any::from("main"))]));
    hashes.add("tirx.Var", n.clone());
    hashes.add("tirx.SizeVar", tir::SizeVar::new(ty, "n", PrimType::new(ty)));
    hashes.add("tirx.Add", sum.clone());
    hashes.add("tirx.Let", tir::Let::new(ty, n.clone(), IntImm::new(ty, 2), sum.clone()));
    hashes.add("tirx.IndexMap", tir::IndexMap::new([n.clone()], [sum.clone()], None));
    hashes.add("relax.Id", ir::Id::new("x"));
    let shape = ir::ShapeExpr::new([PrimExpr::from(n), sum]);
    let info = ir::TensorStructInfo::new(Some(shape.clone().into()), DataType::float(16), None, 2);
    let mut x = ir::Var::new(ir::Id::new("x"));
    x.make_mut().base.base.struct_info = Some(info.clone().into());
    hashes.add("relax.expr.ShapeExpr", shape);
    hashes.add("relax.TensorStructInfo", info);
    hashes.add("relax.expr.Var", x.clone());
    let add = ir::Op::get("relax.add").expect("registered");
    let call = ir::Call::new(add, [x.clone(), x.clone()].map(ir::RelaxExpr::from), None, []);
    hashes.add("relax.expr.Call", call.clone());
    hashes.add("relax.expr.VarBinding", ir::VarBinding::new(x, call));
    hashes.add("relax.attrs.StatisticalAttrs", attrs::StatisticalAttrs::new(Some(Array::from([0, 2])), true));
}

fn modules(hashes: &mut Hashes) {
    for name in crate::common::modules() {
        let graph = JsonReader::new().read(&fixture(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        hashes.add(&name, graph.root);
    }
}

#[test]
fn hashes_equal_the_recorded_hashes() {
    let mut hashes = Hashes::default();
    for part in [plain_values, leaf_objects, containers, kinds, nodes_of_the_ir, modules] {
        part(&mut hashes);
    }
    let text: String = hashes.0.iter().map(|(name, hash)| format!("{name}\t{hash:016x}\n")).collect();
    let path = at_root("tests/data/hashes.txt");
    if std::env::var("BLESS").is_ok_and(|it| it == "1") {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let recorded = std::fs::read_to_string(&path).expect("tests/data/hashes.txt is there");
    let mut wrong: Vec<String> = text
        .lines()
        .zip(recorded.lines())
        .filter(|(now, then)| now != then)
        .map(|(now, then)| format!("now `{now}`, recorded `{then}`"))
        .collect();
    if hashes.0.len() != recorded.lines().count() {
        wrong.push("values came or went".to_owned());
    }
    if !wrong.is_empty() {
        wrong.push("if that is intended: BLESS=1 cargo test -p object-tests --test files hash_golden".to_owned());
    }
    report(&wrong, hashes.0.len());
}
