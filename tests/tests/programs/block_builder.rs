//! The block builder: scopes, names, inference, errors, and modules that the checker accepts.

use object_core::prelude::*;
use object_ir::ir::{
    Call, DataflowVar, ExternFunc, FuncStructInfo, Function, GlobalVar, IRModule, ObjectStructInfo, RelaxExpr,
    ShapeStructInfo, StructInfo, TensorStructInfo, Tuple, Var,
};
use object_ir::tir;
use object_relax::block_builder::{BlockBuilder, FunctionHeader};
use object_relax::normal_form::{Normalizer, is_normal};
use object_relax::op;
use object_relax::well_formed::Checker;
use object_script::print::print;

fn tensor(dims: &[i64]) -> StructInfo {
    TensorStructInfo::of(dims.to_vec(), "float32").expect("a data type").into()
}

fn script(module: &IRModule) -> String {
    let text = print(module).text().to_owned();
    let start = text.find("class").unwrap_or_default();
    text[start..].to_owned()
}

/// Finishes a module, which the checker accepts and which is normal.
#[track_caller]
fn finish(bb: BlockBuilder) -> IRModule {
    let module = bb.finalize().unwrap_or_else(|error| panic!("{error}"));
    let found = Checker::new().check(&module);
    assert!(found.is_well_formed() && found.warnings == 0, "{found}\n{}", script(&module));
    let normal = Normalizer::new().module(&module).unwrap_or_else(|error| panic!("{error}"));
    assert!(normal.ptr_eq(&module), "{}", script(&module));
    module
}

#[test]
fn a_function_with_a_dataflow_block() -> Result<(), Error> {
    let n = tir::Var::dim("n");
    let x = Var::of("x", TensorStructInfo::of((&n, 4), "float32")?);
    let w = Var::of("w", TensorStructInfo::of((4, 2), "float32")?);
    let mut bb = BlockBuilder::new();
    let main = bb.function("main", [&x, &w], |bb| {
        let y = bb.dataflow(|bb| {
            let y = bb.emit(op::matmul(op::exp(&x), &w, None))?;
            assert!(y.is::<DataflowVar>());
            bb.emit_output_named("y", op::add(&y, &y))
        })?;
        bb.emit(op::negative(y))
    })?;
    assert_eq!(main.name_hint, "main");
    let module = finish(bb);
    assert_eq!(
        script(&module),
        r#"class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((4, 2), dtype="float32")) -> R.Tensor(("n", 2), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float32") = R.exp(x)
            lv1: R.Tensor((n, 2), dtype="float32") = R.matmul(lv, w, out_dtype="void")
            y: R.Tensor((n, 2), dtype="float32") = R.add(lv1, lv1)
            R.output(y)
        gv: R.Tensor((n, 2), dtype="float32") = R.negative(y)
        return gv"#
    );
    Ok(())
}

#[test]
fn names_are_unique_in_a_function() -> Result<(), Error> {
    let x = Var::of("gv", tensor(&[2]));
    let mut bb = BlockBuilder::new();
    let names = |bb: &mut BlockBuilder, x: &Var| -> Result<Vec<String>, Error> {
        let vars = [bb.emit(op::exp(x))?, bb.emit_named("h", op::exp(x))?, bb.emit_named("h", op::exp(x))?];
        let last = bb.unique_name("h");
        Ok(vars.iter().map(|var| var.vid.name_hint.to_string()).chain([last.to_string()]).collect())
    };
    bb.function("main", [&x], |bb| {
        assert_eq!(names(bb, &x)?, ["gv1", "h", "h1", "h2"]);
        let y = Var::of("y", tensor(&[2]));
        // A global function has names of its own.
        bb.function("other", [&y], |bb| {
            assert_eq!(names(bb, &y)?, ["gv", "h", "h1", "h2"]);
            Ok(y.clone())
        })?;
        Ok(x.clone())
    })?;
    finish(bb);
    Ok(())
}

#[test]
fn bindings_are_found() -> Result<(), Error> {
    let x = Var::of("x", tensor(&[2]));
    let mut bb = BlockBuilder::new();
    let mut inner = None;
    bb.function("main", [&x], |bb| {
        let call: RelaxExpr = op::exp(&x).into();
        let y = bb.emit(call.clone())?;
        assert!(bb.lookup(&y).is_some_and(|value| structural_equal(&value, &call)));
        assert!(bb.lookup(&x).is_none());
        inner = Some(y.clone());
        Ok(y)
    })?;
    assert!(inner.is_some_and(|var| bb.lookup(&var).is_none()), "the scope has ended");
    finish(bb);
    Ok(())
}

#[test]
fn casts_bind_shape_variables() -> Result<(), Error> {
    let (n, x) = (tir::Var::dim("n"), Var::of("x", ObjectStructInfo::any()));
    let mut bb = BlockBuilder::new();
    bb.function("main", [&x], |bb| {
        let y = bb.match_cast_named("y", &x, TensorStructInfo::of([&n], "float32")?)?;
        let z = bb.emit(op::add(&y, &y))?;
        assert!(structural_equal(&z.struct_info, &y.struct_info));
        let error = bb.match_cast(&z, ShapeStructInfo::unknown()).expect_err("a tensor is not a shape");
        assert_eq!(error.kind(), ErrorKind::TypeMismatch);
        Ok(z)
    })?;
    let module = finish(bb);
    let function: Function = module.functions.iter().find_map(|(_, it)| it.downcast::<Function>().ok()).expect("main");
    // The caller does not know `n`.
    let result = function.ret_struct_info.downcast_ref::<TensorStructInfo>().map(|it| (it.ndim, it.shape.is_some()));
    assert_eq!(result, Some((1, false)));
    Ok(())
}

#[test]
fn branches_and_closures() -> Result<(), Error> {
    let (x, y) = (Var::of("x", tensor(&[2])), Var::of("y", tensor(&[2])));
    let c = Var::of("c", TensorStructInfo::of((), "bool")?);
    let mut bb = BlockBuilder::new();
    bb.function("main", [&x, &c], |bb| {
        let add = bb.closure([&y], |bb| bb.emit(op::add(&x, &y)))?;
        let add = bb.emit_named("add", add)?;
        let flag = op::logical_not(&c);
        bb.if_else(
            flag,
            |bb| bb.emit(Call::new(&add, [(&x).into()], None, [])),
            // The result is an argument too, so its parts are bound.
            |_| Ok(op::exp(op::exp(&x))),
        )
    })?;
    let text = script(&finish(bb));
    assert!(text.contains("gv1: R.Tensor((), dtype=\"bool\") = R.logical_not(c)"), "{text}");
    assert!(text.contains("if gv1:"), "{text}");
    Ok(())
}

#[test]
fn functions_call_each_other() -> Result<(), Error> {
    let (x, y) = (Var::of("x", tensor(&[2])), Var::of("y", tensor(&[2])));
    let mut bb = BlockBuilder::new();
    let even = bb.declare("even", FuncStructInfo::of([tensor(&[2])], tensor(&[2])))?;
    let call = |callee: &GlobalVar, arg: &Var| Call::new(callee, [arg.into()], None, []);
    let header = FunctionHeader::new([&x]).result(tensor(&[2])).private();
    let odd = bb.function("odd", header, |bb| bb.emit(call(&even, &x)))?;
    let defined = bb.function("even", [&y], |bb| bb.emit(call(&odd, &y)))?;
    assert!(defined.ptr_eq(&even));
    assert!(bb.global_var("even").is_some_and(|it| it.ptr_eq(&even)));
    let module = finish(bb);
    assert_eq!(module.functions.len(), 2);
    // A builder of the module adds to it.
    let mut bb = BlockBuilder::of(&module);
    let function = module.functions.get(&odd).expect("the function").downcast::<Function>().expect("a function");
    let copy = bb.add_function("odd", object_core::rewrite::alpha_rename(function.clone())?)?;
    assert_eq!(copy.name_hint, "odd1");
    assert_eq!(finish(bb).functions.len(), 3);
    Ok(())
}

#[test]
fn functions_can_be_replaced() -> Result<(), Error> {
    let (x, y, z) = (Var::of("x", tensor(&[2])), Var::of("y", tensor(&[2])), Var::of("z", tensor(&[3])));
    let mut bb = BlockBuilder::new();
    let main = bb.function("main", [&x], |bb| bb.emit(op::exp(&x)))?;
    let header = FunctionHeader::new([&y]).attr("global_symbol", Str::from("main"));
    let negated = bb.closure(header, |bb| bb.emit(op::negative(&y)))?;
    bb.update_function(&main, negated)?;
    let other = bb.closure([&z], |_| Ok(z.clone()))?;
    let error = bb.update_function(&main, other.clone()).expect_err("callers give two elements");
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    let error = bb.update_function(&GlobalVar::new("main"), other).expect_err("another variable");
    assert_eq!(error.kind(), ErrorKind::MissingField);
    assert!(script(&finish(bb)).contains("R.negative"));
    Ok(())
}

#[test]
fn errors_leave_the_builder_as_it_was() -> Result<(), Error> {
    let (x, z) = (Var::of("x", tensor(&[2])), Var::of("z", tensor(&[3])));
    let mut bb = BlockBuilder::new();
    let wrong = || op::add(op::exp(&x), &z);
    bb.function("main", [&x, &z], |bb| {
        let error = bb.emit(wrong()).expect_err("the shapes differ");
        assert!(error.message().contains("(2,) and (3,)"), "{error}");
        assert_eq!(error.path().map(ToString::to_string).as_deref(), Some("<root>.args[1]"));
        let failed = bb.dataflow(|bb| {
            bb.emit_output(op::exp(&x))?;
            bb.emit(wrong())
        });
        assert!(failed.is_err());
        let c = Var::of("c", TensorStructInfo::of((), "bool")?);
        assert!(bb.if_else(&c, |_| Ok(x.clone()), |bb| bb.emit(wrong())).is_err());
        assert!(bb.closure([Var::of("p", tensor(&[2]))], |bb| bb.emit(wrong())).is_err());
        assert!(bb.function("other", [Var::of("q", tensor(&[2]))], |bb| bb.emit(wrong())).is_err());
        Ok(x.clone())
    })?;
    let module = finish(bb);
    assert_eq!(module.functions.len(), 1);
    let function = module.functions.iter().find_map(|(_, it)| it.downcast::<Function>().ok()).expect("main");
    assert!(function.body.blocks.is_empty(), "{}", script(&module));
    Ok(())
}

#[test]
fn misuse_is_an_error() -> Result<(), Error> {
    let x = Var::of("x", tensor(&[2]));
    let mut bb = BlockBuilder::new();
    let outside = bb.emit(op::exp(&x)).expect_err("no function is open");
    assert!(outside.message().contains("bindings belong in a function"), "{outside}");
    bb.function("main", [&x], |bb| {
        assert!(bb.emit_output(op::exp(&x)).is_err_and(|error| error.message().contains("dataflow block")));
        let inner = bb.dataflow(|bb| {
            assert!(bb.dataflow(|_| Ok(())).is_err());
            assert!(bb.if_else(&x, |_| Ok(x.clone()), |_| Ok(x.clone())).is_err());
            bb.emit(op::exp(&x))
        })?;
        let late = bb.emit(op::exp(&inner)).expect_err("the block has ended");
        assert!(late.message().contains("used after its dataflow block"), "{late}");
        // The next dataflow block continues the one before, but has other variables.
        bb.dataflow(|bb| {
            assert!(bb.emit(op::exp(&inner)).is_err());
            bb.emit_output(op::exp(&x))
        })
    })?;
    let again = bb.function("main", [&x], |_| Ok(x.clone())).expect_err("the name is in use");
    assert_eq!(again.kind(), ErrorKind::DuplicateKey);
    let header = FunctionHeader::new([&Var::of("y", tensor(&[2]))]).result(tensor(&[3]));
    let result = bb.function("other", header, |_| Ok(x.clone())).expect_err("two elements are not three");
    assert_eq!(result.kind(), ErrorKind::TypeMismatch);
    let unknown = bb.function("third", [Var::named("p")], |_| Ok(Tuple::new([]))).expect_err("no annotation");
    assert_eq!(unknown.kind(), ErrorKind::MissingField);
    finish(bb);
    let mut bb = BlockBuilder::new();
    bb.declare("f", FuncStructInfo::of([], tensor(&[2])))?;
    assert!(bb.finalize().is_err_and(|error| error.message().contains("declared, but not defined")));
    Ok(())
}

#[test]
fn impure_functions_say_so() -> Result<(), Error> {
    let x = Var::of("x", tensor(&[2]));
    let mut bb = BlockBuilder::new();
    let effect = ExternFunc::new(object_ir::ir::DictAttrs::new(Map::new([])), "log");
    let header = FunctionHeader::new([&x]).impure();
    bb.function("main", header, |bb| bb.emit(Call::new(&effect, [(&x).into()], None, [tensor(&[2])])))?;
    assert!(script(&finish(bb)).contains("@R.function(pure=False)"));
    Ok(())
}

#[test]
fn normalize_keeps_the_last_expression() -> Result<(), Error> {
    let x = Var::of("x", tensor(&[2]));
    let mut bb = BlockBuilder::new();
    bb.function("main", [&x], |bb| {
        let value = bb.normalize(op::add(op::exp(&x), &x))?;
        assert!(is_normal(&value));
        let y = bb.emit(value)?;
        assert_eq!(y.vid.name_hint, "gv1");
        Ok(y)
    })?;
    finish(bb);
    Ok(())
}

/// A builder takes steps linear in the number of bindings.
#[test]
fn many_bindings() {
    let steps = |count: usize| {
        object_core::steps::count(u64::MAX, || {
            let x = Var::of("x", tensor(&[2]));
            let mut bb = BlockBuilder::new();
            let built = bb.function("main", [&x], |bb| {
                bb.dataflow(|bb| {
                    let mut last = x.clone();
                    for _ in 0..count {
                        last = bb.emit(op::add(op::exp(&last), &x))?;
                    }
                    bb.emit_output(last)
                })
            });
            assert!(built.is_ok() && bb.finalize().is_ok());
        })
        .expect("the work has no limit")
    };
    let (small, large) = crate::common::in_small_stack(|| (steps(500), steps(5_000)));
    if object_core::steps::COUNTS {
        assert!(small > 0 && large <= small * 11, "{small} for 500 bindings, {large} for 5,000");
    }
}
