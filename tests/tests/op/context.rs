//! The facts beside a call: the virtual devices of the module, and the values of variables.

use object_core::DataType;
use object_core::prelude::*;
use object_ir::ir::{
    BaseFunc, Call, DataTypeImm, DictAttrs, GlobalInfo, GlobalVar, IRModule, ObjectStructInfo, PrimValue, RelaxExpr,
    SourceMap, TensorStructInfo, VDevice, Var,
};
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};

use crate::print::print;

fn infer(call: &Call, context: &InferContext<'_>) -> String {
    print(&op::infer(call, context).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn a_number_names_a_virtual_device_of_the_module() {
    let devices: [GlobalInfo; 2] = [7, 8].map(|number| VDevice::new(None, number, "global").into());
    let infos = Map::new([(Str::from("vdevice"), Array::from(devices))]);
    let module = IRModule::new(
        Map::<GlobalVar, BaseFunc>::new([]),
        Map::<Str, GlobalVar>::new([]),
        SourceMap::new([]),
        DictAttrs::new([]),
        infos,
    );
    let analyzer = Analyzer::for_shapes();
    let context = InferContext::new(&analyzer);
    let alloc = |index: i64| op::builtin::alloc_tensor([4], DataType::int(8), index, "global");
    assert_eq!(infer(&alloc(1), &context), "Tensor((4,), int8)");
    let context = context.module(&module);
    assert_eq!(infer(&alloc(1), &context), "Tensor((4,), int8, on 8)");
    assert_eq!(infer(&alloc(0), &context), "Tensor((4,), int8, on 7)");
    for index in [-1, 2, i64::MAX] {
        assert_eq!(infer(&alloc(index), &context), "Tensor((4,), int8)");
    }
    let storage = Var::of("storage", ObjectStructInfo::any());
    let in_storage = op::memory::alloc_tensor(&storage, 0, [4], DataType::int(8), PrimValue::of(1));
    assert_eq!(infer(&in_storage, &context), "Tensor((4,), int8, on 8)");
}

#[test]
fn a_view_finds_the_data_type_in_a_variable() {
    let x = Var::of("x", TensorStructInfo::of([4], "float32").expect("a tensor"));
    let [dtype, alias, circle] = ["dtype", "alias", "circle"].map(|name| Var::of(name, ObjectStructInfo::any()));
    let analyzer = Analyzer::for_shapes();
    let values = |var: &Var| -> Option<RelaxExpr> {
        match &*var.vid.name_hint {
            "dtype" => Some(DataTypeImm::new(DataType::int(32)).into()),
            "alias" => Some(dtype.clone().into()),
            _ => Some(circle.clone().into()),
        }
    };
    let context = InferContext::new(&analyzer);
    let view = |dtype: &Var| op::memory::view(&x, None, dtype, None);
    assert_eq!(infer(&view(&alias), &context), "Tensor((4,))");
    let context = context.values(&values);
    assert_eq!(infer(&view(&dtype), &context), "Tensor((4,), int32)");
    assert_eq!(infer(&view(&alias), &context), "Tensor((4,), int32)");
    assert_eq!(infer(&view(&circle), &context), "Tensor((4,))");
}
