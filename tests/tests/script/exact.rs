//! Exact scripts read back as the printed value, also where the text of TVM leaves out facts.

use object_core::prelude::*;
use object_core::structural::StructuralOptions;
use object_ir::ir::{
    BaseFunc, DictAttrs, Function, GlobalInfo, GlobalVar, IRModule, Id, IntImm, ObjectStructInfo, PrimExpr, PrimValue,
    SeqExpr, ShapeExpr, Source, SourceMap, SourceName, StructInfo, TensorStructInfo, VDevice, Var,
};
use object_ir::target::{Target, TargetKind};
use object_script::parse::parse;
use object_script::print::ScriptPrinter;

/// The exact text, which reads as the value.
#[track_caller]
fn exact(value: &Any) -> String {
    let text = ScriptPrinter::new().print_exact(value).expect("JSON holds the value");
    let read = parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let is_same = StructuralOptions::new().map_free_vars(true).equal(&read, value).expect("they compare");
    assert!(is_same, "another value reads from\n{text}");
    text
}

/// Whether the text of TVM reads as the value.
fn reads_back(value: &Any) -> bool {
    let text = ScriptPrinter::new().show_meta(true).verbose_expr(true).print_text(value);
    parse(&text)
        .is_ok_and(|read| StructuralOptions::new().map_free_vars(true).equal(&read, value).expect("they compare"))
}

fn int(dtype: DataType, value: i64) -> PrimExpr {
    IntImm::new(dtype, value).into()
}

#[test]
fn integers_have_their_types() {
    let value = Any::from(PrimValue::new(int(DataType::int(32), 1)));
    assert!(!reads_back(&value));
    assert_eq!(exact(&value), "# exact script\nR.prim_value(T.int32(1))");
    let shape = Any::from(ShapeExpr::new([int(DataType::int(32), 2), int(DataType::int(64), 3)]));
    assert!(!reads_back(&shape));
    assert_eq!(exact(&shape), "# exact script\nR.shape([T.int32(2), 3])");
}

#[test]
fn targets_and_devices_are_in_the_metadata() {
    let attrs = Map::new([(Str::from("keys"), Any::from(Str::from("tag")))]);
    let kind = TargetKind::get("llvm").expect("a kind");
    let target = Target::new(kind, "", Array::<Str>::default(), attrs, None);
    let text = exact(&Any::from(target.clone()));
    assert!(text.ends_with("\nmetadata[\"target.Target\"][0]"), "{text}");
    let device = VDevice::new(Some(target), 3, "global");
    let tensor = Any::from(TensorStructInfo::new(None, DataType::float(32), Some(device), 2));
    let text = exact(&tensor);
    assert!(text.ends_with("\nR.Tensor(dtype=\"float32\", ndim=2, vdevice=metadata[\"ir.VDevice\"][0])"), "{text}");
}

#[test]
fn jumps_are_statements() {
    let text =
        "# from tvm.script import tirx as T\n\n@T.prim_func\ndef main():\n    for i in range(8):\n        T.Break()\n";
    let function = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(!reads_back(&function));
    assert!(exact(&function).ends_with("\n        T.Break()"));
}

#[test]
fn a_value_without_words_is_in_the_metadata() {
    let mut x = Var::new(Id::new("x"));
    x.make_mut().base.base.struct_info = Some(ObjectStructInfo::new().into());
    let function = || {
        let body = SeqExpr::new(Vec::new(), x.clone());
        let result: StructInfo = ObjectStructInfo::new().into();
        Function::new(DictAttrs::new(Map::<Str, Any>::default()), vec![x.clone()], body, result, true)
    };
    let vars = ["f", "g"].map(|name| (Str::from(name), GlobalVar::new(name)));
    let functions = Map::<GlobalVar, BaseFunc>::new(vars.clone().map(|(_, var)| (var, function().into())));
    let attrs = DictAttrs::new(Map::<Str, Any>::default());
    let infos = Map::<Str, Array<GlobalInfo>>::default();
    let module = Any::from(IRModule::new(
        functions,
        Map::new(vars),
        SourceMap::new(Map::<SourceName, Source>::default()),
        attrs,
        infos,
    ));
    assert!(!reads_back(&module));
    let text = exact(&module);
    assert!(text.ends_with("\nmetadata[\"ir.IRModule\"][0]"), "{text}");
    assert!(text.contains("\n#     def f(x: R.Object) -> R.Object:\n"), "{text}");
}

#[test]
fn a_value_that_json_cannot_hold_is_an_error() {
    let function = object_core::Function::from_packed(|_| Ok(Any::None));
    let attrs = DictAttrs::new(Map::<Str, Any>::new([(Str::from("f"), Any::from(function))]));
    assert!(ScriptPrinter::new().print_exact(&attrs).is_err());
}
