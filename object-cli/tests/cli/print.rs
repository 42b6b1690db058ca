//! `objir print`.

use expect_test::expect;
use serde_json::{Value, json};

use crate::harness::{objir, objir_with, text};

#[test]
fn prints_a_module_as_tvm_does() {
    expect![[r##"
        # from tvm.script import ir as I
        # from tvm.script import tirx as T
        # from tvm.tirx.layout import Axis
        # from tvm.script import relax as R

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(("n", 16), dtype="float32"), w0: R.Tensor((16, 32), dtype="float32"), b0: R.Tensor((32,), dtype="float32"), w1: R.Tensor((32, 8), dtype="float32"), b1: R.Tensor((8,), dtype="float32")) -> R.Tensor(("n", 8), dtype="float32"):
                n = T.int64()
                with R.dataflow():
                    h: R.Tensor((n, 32), dtype="float32") = R.matmul(x, w0, out_dtype="void")
                    h1: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
                    a: R.Tensor((n, 32), dtype="float32") = R.nn.relu(h1)
                    y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
                    y1: R.Tensor((n, 8), dtype="float32") = R.add(y, b1)
                    out: R.Tensor((n, 8), dtype="float32") = R.nn.softmax(y1, axis=-1)
                    R.output(out)
                return out
        [exit code 0]
    "##]].assert_eq(&objir(&["print", "fixtures/mlp.json.gz"]).show());
}

#[test]
fn prints_for_people() {
    expect![[r#"
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((n, 16), dtype="float32"), w0: R.Tensor((16, 32), dtype="float32"), b0: R.Tensor((32,), dtype="float32"), w1: R.Tensor((32, 8), dtype="float32"), b1: R.Tensor((8,), dtype="float32")) -> R.Tensor((n, 8), dtype="float32"):
                with R.dataflow():
                    h = R.matmul(x, w0)
                    h1 = R.add(h, b0)
                    a = R.nn.relu(h1)
                    y = R.matmul(a, w1)
                    y1 = R.add(y, b1)
                    out = R.nn.softmax(y1)
                    R.output(out)
                return out
        [exit code 0]
    "#]].assert_eq(&objir(&["print", "--readable", "fixtures/mlp.json.gz"]).show());
}

#[test]
fn takes_the_options_of_the_printer() {
    let args = [
        "print",
        "fixtures/mlp.json.gz",
        "--line-numbers",
        "--indent=2",
        "--name=Net",
        "--module-alias=",
        "--relax-prefix=relax",
        "--hide-struct-info",
    ];
    expect![[r#"
         1 # from tvm.script import ir as I
         2 # from tvm.script import tirx as T
         3 # from tvm.tirx.layout import Axis
         4 # from tvm.script import relax as relax
         5 
         6 @I.ir_module
         7 class Net:
         8   @relax.function
         9   def main(x: relax.Tensor(("n", 16), dtype="float32"), w0: relax.Tensor((16, 32), dtype="float32"), b0: relax.Tensor((32,), dtype="float32"), w1: relax.Tensor((32, 8), dtype="float32"), b1: relax.Tensor((8,), dtype="float32")) -> relax.Tensor(("n", 8), dtype="float32"):
        10     n = T.int64()
        11     with relax.dataflow():
        12       h = relax.matmul(x, w0, out_dtype="void")
        13       h1 = relax.add(h, b0)
        14       a = relax.nn.relu(h1)
        15       y = relax.matmul(a, w1, out_dtype="void")
        16       y1 = relax.add(y, b1)
        17       out = relax.nn.softmax(y1, axis=-1)
        18       relax.output(out)
        19     return out
        [exit code 0]
    "#]].assert_eq(&objir(&args).show());
}

#[test]
fn json_has_the_places_of_the_text() {
    let file = r#"{"root_index":2,"nodes":[{"type":"None"},{"type":"ir.PrimType","data":{"span":0,"dtype":"int8"}},
        {"type":"ir.PointerType","data":{"span":0,"element_type":1,"storage_scope":3}},{"type":"ffi.String","data":"shared"}]}"#;
    let run = objir_with(&["print", "-", "--json"], file.as_bytes());
    let result = run.json();
    assert_eq!(result["script"], r#"T.handle("int8", "shared")"#, "{}", run.show());
    let spans = result["spans"].as_array().expect("a list");
    let scope = spans.iter().find(|span| span[2] == "<root>.storage_scope").expect("the place of the scope");
    assert_eq!((scope[0].as_u64(), scope[1].as_u64()), (Some(17), Some(25)));
}

#[test]
fn metadata_is_printed_on_request() {
    let without = objir(&["print", "fixtures/constants.json.gz"]);
    assert!(without.stdout.ends_with("# Metadata omitted. Use show_meta=True in script() method to show it.\n"));
    let with = objir(&["print", "fixtures/constants.json.gz", "--show-meta"]);
    assert!(with.stdout.starts_with("metadata = tvm.ir.load_json(\"\"\"{\n  \\\"root_index\\\": "), "{}", with.stdout);
}

#[test]
fn other_files_than_graphs_are_an_error() {
    let run = objir_with(&["print", "-"], &text("mlp.json.gz").as_bytes()[..100]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(run.stderr.starts_with("objir: <stdin>: "), "{}", run.stderr);
}

#[test]
fn draws_a_graph() {
    let dot = objir(&["draw", "--objects", "--format", "dot", "--boxes", "3", "fixtures/mlp.json.gz"]);
    assert_eq!(dot.code, Some(0));
    assert!(dot.stdout.starts_with("digraph {") && dot.stdout.contains("..."), "{}", dot.stdout);
    let svg = objir(&["draw", "--objects", "--boxes", "3", "fixtures/mlp.json.gz"]);
    assert!(svg.stdout.starts_with("<svg"), "{}", svg.stdout);
    let file = std::env::temp_dir().join(format!("objir-draw-{}.svg", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let written = objir(&["draw", "--objects", "--boxes", "3", "fixtures/mlp.json.gz", "-o", path]);
    assert_eq!(written.show(), "[exit code 0]\n");
    let text = std::fs::read_to_string(&file).expect("the file is written");
    std::fs::remove_file(&file).expect("the file is removed");
    assert_eq!(text.trim_end(), svg.stdout.trim_end());
}

/// The width and the height of a picture.
fn size(svg: &str) -> [f64; 2] {
    ["width", "height"].map(|name| {
        let (_, rest) = svg.split_once(&format!("{name}=\"")).expect("the picture has a size");
        rest.split('"').next().and_then(|value| value.parse().ok()).expect("a number")
    })
}

#[test]
fn draws_the_dataflow_for_other_viewers() {
    let json = |format: &str, file: &str| -> Value {
        serde_json::from_str(&objir(&["draw", "--format", format, file]).stdout).expect("it is JSON")
    };
    let model = json("netron", "fixtures/mlp.json.gz");
    let nodes = model["graph"]["node"].as_array().expect("the graph has nodes");
    let types: Vec<&str> = nodes.iter().filter_map(|it| it["opType"].as_str()).collect();
    assert_eq!(types, ["matmul", "add", "nn.relu", "matmul", "add", "nn.softmax"]);
    assert_eq!((&nodes[1]["input"], &nodes[1]["output"]), (&json!(["h", "b0"]), &json!(["h1"])));
    let ty =
        json!({ "tensorType": { "elemType": 1, "shape": { "dim": [{ "dimParam": "n" }, { "dimValue": "16" }] } } });
    assert_eq!(model["graph"]["input"][0], json!({ "name": "x", "type": ty }));
    assert_eq!(model["graph"]["output"][0]["name"], nodes[5]["output"][0]);

    let explorer = json("model-explorer", "fixtures/mlp.json.gz");
    let nodes = explorer["graphs"][0]["nodes"].as_array().expect("the graph has nodes");
    let softmax = nodes.iter().find(|it| it["label"] == "nn.softmax").expect("it is there");
    assert_eq!(softmax["attrs"][1], json!({ "key": "axis", "value": "-1" }));
    assert_eq!(softmax["outputsMetadata"][0]["attrs"][0]["value"], "(n, 8) float32");
    let from = softmax["incomingEdges"][0]["sourceNodeId"].as_str().expect("an edge");
    assert_eq!(nodes.iter().find(|it| it["id"] == from).expect("it is there")["label"], "add");

    for format in ["netron", "model-explorer"] {
        let decoder = json(format, "fixtures/decoder_small.json.gz").to_string();
        assert!(decoder.contains("\"prefill\"") && decoder.contains("\"decode\""), "{decoder}");
        let without = objir(&["draw", "--objects", "--format", format, "fixtures/mlp.json.gz"]);
        assert!(
            without.code == Some(2) && without.stderr.contains("the dataflow of functions of Relax"),
            "{}",
            without.show()
        );
    }
}

#[test]
fn draws_the_dataflow_of_functions() {
    let dot = objir(&["draw", "--format", "dot", "fixtures/mlp.json.gz"]).stdout;
    assert_eq!((dot.matches("subgraph").count(), dot.matches(" -> ").count()), (1, 11), "{dot}");
    for label in
        ["matmul\\nh  (n, 32) float32", "nn.relu\\na  (n, 32) float32", "w0\\n(16, 32) float32", "return\\n(n, 8)"]
    {
        assert!(dot.contains(label), "{label}: {dot}");
    }
    let svg = objir(&["draw", "fixtures/mlp.json.gz"]);
    let [width, height] = size(&svg.stdout);
    assert!(width < 1500.0 && height < 1000.0, "{width} x {height}");
    assert_eq!(svg.stdout.matches("marker-end").count(), 11);
    let page = objir(&["draw", "--format", "html", "fixtures/decoder_small.json.gz"]).stdout;
    assert!(page.contains("<input id=\"q\"") && page.contains("<details open><summary>"), "{page}");
    for picture in page.split("<summary>").skip(1) {
        // The functions have two layers.
        let [_, height] = size(picture);
        assert!(height < 2.0 * 3000.0, "{height}");
    }
    let cut = objir(&["draw", "--boxes", "4", "--format", "dot", "fixtures/mlp.json.gz"]).stdout;
    assert!(cut.contains("more bindings"), "{cut}");
    // Types of a file have no dataflow.
    let objects = objir(&["draw", "--format", "dot", "fixtures/mlp.json.gz", "--tvm", "fixtures/schema.json"]);
    assert!(objects.code != Some(0) || objects.stdout.contains("ir.IRModule"), "{}", objects.show());
}
