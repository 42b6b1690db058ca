//! Scalars in the versions of TVM: their values in types, and their place among the parameters of loop programs.

use crate::common::{in_other_version, list, text, there_and_back};
use object_core::json::Graph;
use object_core::{Any, Array, structural_equal};
use object_ir::tvm::TvmVersion;
use object_script::parse::{ScriptParser, parse};
use object_script::print::ScriptPrinter;

/// Types of TVM 0.27 have no values of scalars: a downgrade finds them in expressions, and an upgrade of others is an error.
#[test]
fn values_of_scalars_stay_or_are_errors_with_a_path() {
    let program = |body: &str| {
        let script = format!(
            "@R.function(pure=False)\ndef main(x: R.Tensor((2, 3), \"float32\"), n: R.Prim(value=\"m\")):\n    m = T.int64()\n{body}"
        );
        parse(&script).unwrap_or_else(|errors| panic!("{script}: {errors}"))
    };
    for kept in [
        "    k = R.prim_value(3)\n    t = (x, R.prim_value(2), (k, R.prim_value(m + 1)))\n    return x",
        "    q = T.int64()\n    l = R.match_cast(n, R.Prim(value=q))\n    s = R.shape([m, q + 1])\n    return x",
    ] {
        let mismatch = there_and_back(&program(kept), TvmVersion::V0_25).expect("a conversion");
        assert!(mismatch.is_none(), "{kept}: {mismatch:?}");
    }
    let argument = r#"
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def row(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), k: T.int64):
        B[0] = A[k, 0]

    @R.function
    def main(x: R.Tensor((16, 16), "float32"), n: R.Prim(value="k")) -> R.Tensor((16,), "float32"):
        k = T.int64()
        cls = Module
        return R.call_tir(cls.row, (x,), out_sinfo=R.Tensor((16,), dtype="float32"), tir_vars=R.shape([k]))
"#;
    let argument = parse(argument).unwrap_or_else(|errors| panic!("{errors}"));
    let mismatch = there_and_back(&argument, TvmVersion::V0_25).expect("a conversion");
    assert!(mismatch.is_none(), "{mismatch:?}");
    for lost in [
        "    k = R.call_packed(\"f\", x, sinfo_args=(R.Prim(value=3),))\n    return x",
        "    k: R.Prim(value=3) = R.inspect.tensor_shape_i(x, 1)\n    return x",
        "    return x",
        "    t = (x, R.prim_value(2))\n    return t[1]",
    ] {
        let program = program(lost);
        let error = in_other_version(&program, TvmVersion::V0_25).expect_err(lost);
        assert!(error.message().contains("TVM 0.27 has no place for the value of a scalar"), "{error}");
        assert!(error.path().is_some(), "{error}");
        // Inference finds such values in a program of TVM 0.27 too.
        TvmVersion::V0_27.from_rust_types(Graph::new(program, None)).expect("a conversion");
    }
}

/// Scalars after the outputs of a loop program in TVM 0.25 come before them in TVM 0.27, and back.
#[test]
fn scalars_come_before_outputs() {
    let script = r#"
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), n: T.int64, k: T.int64):
        B[0] = A[0] + T.Cast("float32", n - k)

    @R.function
    def main(x: R.Tensor((4,), "float32"), s: R.Shape(["m"])) -> R.Tensor((4,), "float32"):
        m = T.int64()
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), dtype="float32"), tir_vars=R.shape([m, 3]))
        return y
"#;
    let parsed = parse(script).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(there_and_back(&parsed, TvmVersion::V0_25).expect("a conversion").is_none());
    // Operations convert all their arguments at once.
    let two = Array::<Any>::from_anys(vec![parsed.clone(), 1.into()]).into();
    assert!(there_and_back(&two, TvmVersion::V0_25).expect("a conversion").is_none());
    let printed = ScriptPrinter::new().version(TvmVersion::V0_27).print(&parsed).text().to_owned();
    assert!(printed.contains("n: T.int64, k: T.int64, B: T.Buffer"), "{printed}");
    assert!(structural_equal(
        &ScriptParser::new().version(TvmVersion::V0_27).parse(&printed).expect("a module"),
        &parsed
    ));
    let upgraded = in_other_version(&parsed, TvmVersion::V0_25).expect("an upgrade");
    let json = TvmVersion::V0_27.to_json(&upgraded).expect("JSON");
    let graph: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let nodes = list(&graph, "nodes");
    let node =
        |index: &serde_json::Value| &nodes[index.as_u64().and_then(|it| usize::try_from(it).ok()).expect("a node")];
    let program = nodes.iter().find(|node| node["type"] == "tirx.PrimFunc").expect("a program");
    let params = node(&program["data"]["params"])["data"].as_array().expect("a list");
    let names: Vec<&str> = params.iter().map(|param| text(node(&node(param)["data"]["name"]), "data")).collect();
    assert_eq!(names, ["A", "n", "k", "B"]);
    let tuples = nodes.iter().filter(|node| node["type"] == "ir.Tuple");
    let sizes = tuples.map(|tuple| node(&tuple["data"]["fields"])["data"].as_array().map(Vec::len));
    assert_eq!(sizes.collect::<Vec<_>>(), [Some(3)]);
}
