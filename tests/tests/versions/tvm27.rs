//! Modules of TVM 0.27: types as data, with hooks from a table. They have the results that TVM recorded.

use crate::common::{
    Expected, at_root, compare, fixture, in_other_version, json_fixture, list, report, round_trip, round_trip_by, text,
    there_and_back, unpacked,
};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{Graph, JsonReader};
use object_core::registry::{self, Types};
use object_core::structural::StructuralOptions;
use object_core::{Any, Error, ErrorKind, Result, structural_equal, structural_first_mismatch};
use object_ir::tir::large_uint;
use object_ir::tvm::{FileVersion, GraphReader, TvmVersion};
use object_script::parse::{ScriptParser, parse, version_of};
use object_script::print::ScriptPrinter;
use object_tests::corpus::{self, Exceptions, Options};

const MODULES: [&str; 4] =
    ["tvm27_mlp.json.gz", "tvm27_mlp_renamed.json.gz", "tvm27_mlp_changed.json.gz", "tvm27_mixed.json.gz"];

fn types() -> &'static Types {
    TvmVersion::V0_27.types().unwrap_or_else(|error| panic!("{error}"))
}

fn hash(root: &Any, map_free_vars: bool) -> Result<u64> {
    StructuralOptions::new().map_free_vars(map_free_vars).hash(root)
}

#[test]
fn modules_round_trip_and_are_equal_to_themselves() {
    for name in MODULES {
        let text = fixture(name);
        let [a, b] = [(), ()].map(|()| {
            let read = GraphReader::new().read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(read.version.version, TvmVersion::V0_27, "{name}");
            assert!(read.version.is_exact(), "{name}");
            read.graph.root
        });
        round_trip_by(JsonReader::new().types(types()), &text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(StructuralOptions::new().equal(&a, &b).unwrap_or_else(|error| panic!("{name}: {error}")), "{name}");
        assert_eq!(hash(&a, false).ok(), hash(&b, false).ok(), "{name}");
        // Under lexical scopes, bindings end with functions.
        let lexical = StructuralOptions::new().scopes(object_core::structural::Scopes::Lexical);
        assert!(lexical.equal(&a, &b).unwrap_or_else(|error| panic!("{name}: {error}")), "{name}");
    }
}

#[test]
fn pairs_have_the_recorded_results() {
    let records = json_fixture("tvm27_records.json.gz");
    let load = |name: &str| {
        let text = records["graphs"][name].as_str().unwrap_or_else(|| panic!("no graph `{name}`"));
        round_trip_by(JsonReader::new().types(types()), text.as_bytes())
    };
    let pairs = list(&records, "pairs");
    let mut wrong = Vec::new();
    for pair in pairs {
        let (lhs, rhs, map_free_vars) = (text(pair, "lhs"), text(pair, "rhs"), pair["map_free_vars"] == true);
        let (equal, mismatch) = (pair["equal"] == true, &pair["paths"]);
        let expected = Expected { map_free_vars, skip_tensor_content: false, equal, mismatch };
        let checked = load(lhs).and_then(|a| compare(&a, &load(rhs)?, &expected));
        wrong.extend(checked.err().map(|error| format!("{lhs} | {rhs}, {map_free_vars}: {error}")));
    }
    report(&wrong, pairs.len());
    // Graphs have one hash here if TVM computes one hash for them.
    let graphs = records["hashes"].as_object().expect("a map");
    for (a, recorded_a) in graphs {
        for (b, recorded_b) in graphs {
            let [ours_a, ours_b] = [a, b].map(|name| hash(&load(name).expect("it loads"), true).expect("a hash"));
            assert_eq!(ours_a == ours_b, recorded_a == recorded_b, "{a} | {b}");
        }
    }
}

/// The graph with Rust types.
fn converted(text: &str) -> Result<Any> {
    let graph = JsonReader::new().types(types()).read(text.as_bytes())?;
    Ok(TvmVersion::V0_27.to_rust_types(graph)?.root)
}

#[test]
fn programs_are_the_programs_of_their_scripts_of_0_25() {
    let twins = json_fixture("tvm27_twins.json.gz");
    let twins = twins.as_array().expect("a list");
    let wrong: Vec<String> = twins
        .iter()
        .filter_map(|twin| {
            let name = text(twin, "name");
            let parsed = parse(text(twin, "script")).unwrap_or_else(|errors| panic!("{name}: {errors}"));
            let compared = converted(text(twin, "graph")).and_then(|root| structural_first_mismatch(&root, &parsed));
            match compared {
                Ok(mismatch) => mismatch.map(|mismatch| format!("{name}: {mismatch}")),
                Err(error) => Some(format!("{name}: {error}")),
            }
        })
        .collect();
    report(&wrong, twins.len());
}

/// The programs of `fixtures/make_tvm27_scripts.py` have the scripts of TVM 0.27, and these read as the programs.
#[test]
fn scripts_are_the_scripts_of_tvm_0_27() {
    let records = json_fixture("tvm27_scripts.json.gz");
    let records = records.as_array().expect("a list");
    let printer = ScriptPrinter::new().version(TvmVersion::V0_27).show_meta(true);
    let mut wrong = Vec::new();
    for record in records {
        let (name, script) = (text(record, "name"), text(record, "script"));
        let linked = converted(text(record, "graph")).unwrap_or_else(|error| panic!("{name}: {error}"));
        // The metadata has the number of the patch release, and shares other types.
        let without_metadata =
            |text: &str| text.split_once("\"\"\")\n").map_or(text, |(_, rest)| rest).trim_end().to_owned();
        let printed = without_metadata(&printer.print_text(&linked));
        if printed != without_metadata(script) {
            wrong.push(format!("{name}: printed\n{printed}\nexpected\n{script}"));
        }
        let graph = JsonReader::new().types(types()).read(text(record, "graph").as_bytes());
        let parsed = ScriptParser::new().version(TvmVersion::V0_27).parse(script).map_err(Error::from);
        let upgraded = parsed.and_then(|parsed| TvmVersion::V0_27.from_rust_types(Graph::new(parsed, None)));
        let compared = upgraded.and_then(|upgraded| structural_first_mismatch(&upgraded.root, &graph?.root));
        match compared {
            Ok(mismatch) => wrong.extend(mismatch.map(|mismatch| format!("{name}: {mismatch}"))),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    report(&wrong, 2 * records.len());
}

/// The words of a script say its version.
#[test]
fn scripts_are_recognized() {
    for (script, version) in [
        ("n = TypeVar(\"n\")\n", TvmVersion::V0_27),
        ("y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((2,)))", TvmVersion::V0_27),
        ("y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((2,)))", TvmVersion::V0_25),
        ("T = TypeVar(\"T\")\ny = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((2,)))", TvmVersion::V0_25),
        ("@R.function\ndef f(k: T.int64): ...", TvmVersion::V0_27),
        ("@T.prim_func\ndef f(k: T.int64): ...", TvmVersion::V0_25),
        ("def f(x: R.Any): ...", TvmVersion::V0_27),
        ("def f(x: R.Object): ...", TvmVersion::V0_25),
        ("T.attr(r, \"reduce_scope\", 0)", TvmVersion::V0_27),
        ("# from tvm.script import relax as R\ny = R.unique(x, True, -1)", TvmVersion::V0_27),
        ("# from tvm.script import relax as R\ny = R.take(x, R.prim_value(1), axis=0)", TvmVersion::V0_25),
        ("# from tvm.script import relax as R\ny = R.full(R.shape([2, 3]), z)", TvmVersion::V0_25),
        ("y = R.sum(x, 1)", TvmVersion::V0_25),
        ("", TvmVersion::V0_25),
    ] {
        assert_eq!(version_of(script), version, "{script}");
    }
}

#[test]
fn scripts_of_0_25_are_upgraded_to_the_programs_of_0_27() {
    let twins = json_fixture("tvm27_twins.json.gz");
    let twins = twins.as_array().expect("a list");
    let wrong: Vec<String> = twins
        .iter()
        .filter_map(|twin| {
            let name = text(twin, "name");
            let parsed = parse(text(twin, "script")).unwrap_or_else(|errors| panic!("{name}: {errors}"));
            let graph = JsonReader::new().types(types()).read(text(twin, "graph").as_bytes());
            let graph = graph.unwrap_or_else(|error| panic!("{name}: {error}"));
            let upgraded = in_other_version(&parsed, TvmVersion::V0_25);
            match upgraded.and_then(|upgraded| structural_first_mismatch(&upgraded, &graph.root)) {
                // TVM 0.27 leaves out of the type of a sequence the dimensions that its bindings define.
                Ok(Some(mismatch)) if mismatch.to_string().starts_with("<root>.body.ty.shape is") => None,
                Ok(mismatch) => mismatch.map(|mismatch| format!("{name}: {mismatch}")),
                Err(error) => Some(format!("{name}: {error}")),
            }
        })
        .collect();
    report(&wrong, twins.len());
}

/// TVM 0.27 has one constant for an integer above the largest `int64`, and TVM 0.25 and 0.26 have a call with its halves. The text is
/// the one of `tvm.ir.save_json(tirx.const(2**64 - 1, "uint64"))`.
#[test]
fn large_integers_are_calls_in_tvm_0_25() -> Result<()> {
    let json = r#"{"root_index":3,"nodes":[{"type":"None"},{"type":"ir.PrimType","data":{"span":0,"dtype":"uint64"}},{"type":"ffi.BigInt","data":"18446744073709551615"},{"type":"ir.IntImm","data":{"span":0,"ty":1,"value":2}}],"metadata":{"tvm_version":"0.27.0.post1"}}"#;
    let constant = converted(json)?;
    assert!(structural_equal(&constant, &large_uint(u64::MAX)?));
    let script = |version| ScriptPrinter::new().version(version).print(&constant).to_string();
    assert!(script(TvmVersion::V0_27).ends_with("T.uint64(18446744073709551615)"));
    assert!(script(TvmVersion::V0_26).ends_with("T.large_uint_imm(T.uint32(4294967295), T.uint32(4294967295))"));
    let graph = TvmVersion::V0_27.convert(Graph::new(constant, None), TvmVersion::V0_25)?;
    let original = JsonReader::new().types(types()).read(json.as_bytes())?.root;
    assert!(structural_equal(&graph.root, &original));
    Ok(())
}

/// A number of a script keeps its value, or is an error.
#[test]
fn large_integers_of_scripts_are_not_truncated() {
    let read = |statement: &str| {
        parse(&format!("@T.prim_func\ndef main(A: T.Buffer((1,), \"uint64\")):\n    {statement}\n"))
            .map(|value| value.to_string())
    };
    let large = read("A[0] = T.uint64(18446744073709551615)").expect("a program");
    assert!(large.contains("large_uint_imm"), "{large}");
    assert!(read("A[0] = T.int64(-9223372036854775808)").expect("a program").contains("-9223372036854775808"));
    for statement in [
        "A[0] = T.int64(9223372036854775808)",
        "A[0] = T.uint32(18446744073709551615)",
        "A[9223372036854775808] = A[0]",
    ] {
        assert!(read(statement).is_err(), "{statement}");
    }
}

/// Programs that TVM 0.27 cannot express, each with the part of the error that says so.
#[test]
fn objects_that_tvm_0_27_does_not_have_are_errors_with_a_path() {
    for (script, message) in [
        (
            "T.evaluate(T.Call(\"int32\", \"tirx.large_uint_imm\", [1, 2]))",
            "TVM 0.27 has no operator `tirx.large_uint_imm`",
        ),
        ("n = T.int32(is_size_var=True)\n    T.evaluate(n)", "nothing like this `tirx.SizeVar` of TVM 0.25"),
        (
            "A = T.alloc_buffer((4,), \"float32\", axis_separators=[0])\n    T.evaluate(A[0])",
            "TVM 0.27 has no groups of dimensions in buffers (`axis_separators`)",
        ),
        (
            "A = T.alloc_buffer((4,), \"float32\", buffer_type=\"auto\")\n    T.evaluate(A[0])",
            "TVM 0.27 has no buffers whose extents of one repeat their element",
        ),
    ] {
        let script =
            format!("from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\ndef main():\n    {script}\n");
        let parsed = parse(&script).unwrap_or_else(|errors| panic!("{script}: {errors}"));
        let error = in_other_version(&parsed, TvmVersion::V0_25).expect_err(message);
        assert!(error.to_string().contains(message) && error.path().is_some(), "{error}");
    }
}

/// Modules of the corpora, if they are present, are the same after a conversion to the other version and back, or an error
/// says what the other version lacks.
#[test]
fn modules_of_the_corpora_convert_there_and_back() {
    let mut agreed = 0;
    let mut wrong = Vec::new();
    for (archive, name) in [("tvm27_dev.tar.gz", "dev27"), ("dev.tar.gz", "dev")] {
        let Some(dir) = unpacked(archive, name) else { continue };
        let files = std::fs::read_dir(dir.join("modules")).expect("modules").map(|file| file.expect("a file").path());
        let mut files: Vec<_> =
            files.filter(|file| file.extension().is_some_and(|extension| extension == "json")).collect();
        files.sort();
        for file in files.iter().step_by(10) {
            let text = std::fs::read(file).expect("it can be read");
            let Ok(read) = GraphReader::new().read(&text) else { continue };
            match there_and_back(&read.graph.root, read.version.version) {
                Ok(None) => agreed += 1,
                Err(error) if error.message().contains("TVM 0.2") || error.kind() == ErrorKind::UnknownSingleton => {}
                // TVM 0.27 has one variable for all with one identity.
                Ok(Some(mismatch)) if mismatch.to_string().contains("vid=relax.Id") => {}
                // It has one type of addresses without a type of elements.
                Ok(Some(mismatch)) if mismatch.to_string().contains("type_annotation is ir.PointerType") => {}
                other => wrong.push(format!("{}: {other:?}", file.display())),
            }
        }
    }
    report(&wrong, agreed);
}

#[test]
fn objects_that_tvm_0_25_does_not_have_are_errors_with_a_path() {
    for (nodes, kind, message) in [
        (
            r#"[{"type":"relax.attrs.AffineGridAttrs","data":{"align_corners":true}},{"type":"ffi.Array","data":[0]}]"#,
            ErrorKind::TypeMismatch,
            "TVM 0.25 has nothing like this `relax.attrs.AffineGridAttrs` of TVM 0.27 (at <root>[0])",
        ),
        (
            r#"[{"type":"None"},{"type":"ir.Op","data":"relax.new"},{"type":"ffi.Array","data":[0,1]}]"#,
            ErrorKind::UnknownSingleton,
            "`relax.new`",
        ),
    ] {
        let count = nodes.matches("\"type\"").count();
        let error = converted(&format!(r#"{{"root_index":{},"nodes":{nodes}}}"#, count - 1)).expect_err("an error");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

/// A buffer whose address is the address of the buffer itself has no form in TVM 0.25.
#[test]
fn a_buffer_in_its_own_memory_is_an_error() {
    let twins = json_fixture("tvm27_twins.json.gz");
    let scalars =
        twins.as_array().expect("a list").iter().find(|twin| text(twin, "name") == "scalars").expect("a twin");
    let mut graph: serde_json::Value = serde_json::from_str(text(scalars, "graph")).expect("JSON");
    let nodes = graph["nodes"].as_array_mut().expect("nodes");
    let declared = nodes.iter().find(|node| node["type"] == "tirx.DeclBuffer").expect("a declaration").clone();
    let call = declared["data"]["data"].as_u64().expect("an address") as usize;
    let args = nodes[call]["data"]["args"].as_u64().expect("arguments") as usize;
    nodes[args]["data"] = serde_json::json!([declared["data"]["buffer"]]);
    let error = converted(&graph.to_string()).expect_err("an error");
    assert_eq!(error.kind(), ErrorKind::Cycle, "{error}");
}

#[test]
fn deep_programs_are_converted_on_a_small_stack() {
    const DEPTH: usize = 100_000;
    let mut nodes = vec![
        r#"{"type":"None"}"#.to_owned(),
        r#"{"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}}"#.to_owned(),
        r#"{"type":"int","data":7}"#.to_owned(),
        r#"{"type":"ir.IntImm","data":{"span":0,"ty":1,"value":2}}"#.to_owned(),
    ];
    for i in 3..DEPTH {
        nodes.push(format!(r#"{{"type":"prim.Add","data":{{"span":0,"ty":1,"a":{i},"b":3}}}}"#));
    }
    let text = format!(r#"{{"root_index":{},"nodes":[{}]}}"#, nodes.len() - 1, nodes.join(","));
    let convert = move || converted(&text).map(|root| root.type_key().to_owned());
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(convert).expect("a thread");
    assert_eq!(thread.join().expect("no panic").expect("it is converted"), "tirx.Add");
}

#[test]
fn a_sample_of_the_corpus_agrees() {
    let Some(dir) = unpacked("tvm27_dev.tar.gz", "dev27") else { return };
    let exceptions = Exceptions::listed().expect("the exceptions are well-formed");
    let options = Options { sample: Some(400), seed: 5, ..Options::default() };
    let report = corpus::run(&dir, &options, &exceptions).expect("the folder can be read");
    assert!(report.is_clean(), "{report}");
    assert!(report.to_string().contains("mismatch total=400 agreed=400"), "{report}");
}

/// A module of the corpus has Rust types, and its script with metadata is the script of an equal module.
#[test]
fn modules_of_the_corpus_print_as_scripts_that_read_back() {
    let Some(dir) = unpacked("tvm27_dev.tar.gz", "dev27") else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(dir.join("modules")).expect("modules").map(|file| file.expect("a file").path()).collect();
    files.sort();
    // The large modules are packed; the small ones have all kinds of nodes.
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    let files: Vec<_> = files.into_iter().step_by(10).collect();
    assert!(files.len() > 200, "{} modules", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("it can be read");
        let checked = converted(&text).and_then(|root| {
            let script = ScriptPrinter::new().show_meta(true).print_text(&root);
            let parsed = parse(&script).map_err(|errors| Error::from(errors).context(script))?;
            structural_first_mismatch(&root, &parsed)
        });
        match checked {
            Ok(None) => {}
            // TVM 0.27 has operators that TVM 0.25 lacks.
            Err(error) if error.message().contains("TVM 0.25 has nothing like this `relax.attrs.") => {}
            // Scripts of TVM swap two arguments of `attention_var_len`, and have no integers that are not expressions.
            Ok(Some(mismatch))
                if text.contains("attention_var_len") || mismatch.to_string().contains(".node is 0,") => {}
            Ok(Some(mismatch)) => wrong.push(format!("{}: {mismatch}", file.display())),
            Err(error) => wrong.push(format!("{}: {error}", file.display())),
        }
    }
    report(&wrong, files.len());
}

/// The recorded registry, if it is present, says the same as the types of this project about each type that both have.
#[test]
fn the_types_agree_with_the_recorded_registry() {
    let path = "../shared/golden/tvm27_schema.json";
    let Ok(text) = std::fs::read(at_root(path)) else {
        println!("skipped: there is no {path}");
        return;
    };
    let schema = Schema::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let loader = SchemaLoader::new().name("recorded").standalone(true).hooks(TvmVersion::V0_27.hooks());
    let recorded = loader.load(&schema).unwrap_or_else(|error| panic!("{error}"));
    let mut wrong = Vec::new();
    let mut checked = 0;
    for info in types().own().into_iter().filter(|info| recorded.has(info.type_key()).expect("no duplicates")) {
        let other = recorded.get(info.type_key()).expect("it is there");
        let facts = |info: &object_core::TypeInfo| {
            let fields = info.fields().iter().map(|field| (field.name(), field.meta().role));
            let parent = info.parent().map(|parent| parent.type_key());
            (parent, info.kind(), info.has_custom_hooks(), fields.collect::<Vec<_>>())
        };
        if facts(info) != facts(other) {
            wrong.push(format!("{}: {:?} and {:?}", info.type_key(), facts(info), facts(other)));
        }
        checked += 1;
    }
    assert!(checked > 180, "{checked}");
    report(&wrong, checked);
}

/// The types of TVM 0.25 as data, with the hooks of the table, have the results of the Rust types.
#[test]
fn the_hooks_of_0_25_agree_with_the_rust_types() {
    let schema = Schema::of(&registry::types().expect("no duplicates"));
    let loader = SchemaLoader::new().standalone(true).prefer_linked(true).hooks(TvmVersion::V0_25.hooks());
    let data = loader.load(&schema).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(TvmVersion::of_schema(&schema).ok(), Some(TvmVersion::V0_25));
    let records = json_fixture("records.json");
    let reader = JsonReader::new().types(&data);
    let mut wrong = Vec::new();
    for case in list(&records, "cases") {
        let checked = round_trip_by(reader, text(case, "graph").as_bytes()).and_then(|root| {
            compare(&crate::common::element(&root, 0)?, &crate::common::element(&root, 1)?, &Expected::of(case))
        });
        wrong.extend(checked.err().map(|error| format!("{}: {error}", case["id"])));
    }
    for name in ["decoder_legalized.json.gz", "constants.json.gz", "mlp.json.gz"] {
        let (linked, made) = (round_trip(&fixture(name)), round_trip_by(reader, &fixture(name)));
        let (linked, made) = (linked.expect(name), made.expect(name));
        for map_free_vars in [false, true] {
            assert_eq!(hash(&linked, map_free_vars).ok(), hash(&made, map_free_vars).ok(), "{name}");
        }
    }
    report(&wrong, list(&records, "cases").len());
}

#[test]
fn versions_of_files_are_recognized() {
    use TvmVersion::{V0_25, V0_26, V0_27};
    let graph = |nodes: &str, metadata: &str| format!(r#"{{"root_index":0,"nodes":[{nodes}]{metadata}}}"#);
    let stated = |version: &str| format!(r#","metadata":{{"tvm_version":"{version}"}}"#);
    let node = |key: &str| format!(r#"{{"type":"{key}","data":{{}}}}"#);
    // The nodes, the metadata, the version, and whether the version is the stated one.
    let cases = [
        (node("ffi.Map"), stated("0.25.0"), V0_25, true),
        (node("ffi.Map"), stated("0.27.0.post1"), V0_27, true),
        (node("ffi.Map"), stated("0.26.0"), V0_26, true),
        (node("ffi.Map"), stated("0.24.dev0"), V0_25, false),
        (node("ffi.Map"), stated("1.3"), V0_27, false),
        (node("relax.expr.Var"), stated("0.27.1"), V0_27, true),
        (node("relax.TensorType"), stated("unknown"), V0_27, true),
        (node("relax.TensorType"), String::new(), V0_27, true),
        (node("relax.TensorStructInfo"), String::new(), V0_25, true),
        (format!("{},{}", node("ffi.Map"), node("prim.Add")), String::new(), V0_27, true),
        (node("ir.IRModule"), String::new(), V0_25, true),
        // A text in the graph is not the metadata.
        (r#"{"type":"ffi.String","data":"\"tvm_version\":\"0.27.0\""}"#.to_owned(), String::new(), V0_25, true),
    ];
    for (nodes, metadata, version, is_exact) in cases {
        let text = graph(&nodes, &metadata);
        let found = FileVersion::of(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((found.version, found.is_exact()), (version, is_exact), "{text}");
    }
    // Both versions have the type, but only the fields of one fit.
    let text = r#"{"root_index":3,"nodes":[{"type":"None"},{"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}},
        {"type":"int","data":6},{"type":"ir.IntImm","data":{"span":0,"ty":1,"value":2}}]}"#;
    let read = GraphReader::new().read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.version.version, V0_27);
}

#[test]
fn the_error_of_a_file_of_another_version_says_which_types_read_it() {
    let text = r#"{"root_index":0,"nodes":[{"type":"relax.NewType","data":{}}],"metadata":{"tvm_version":"0.28.1"}}"#;
    let error = GraphReader::new().read(text.as_bytes()).expect_err("0.27 has no such type");
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    let message = "it is of TVM 0.28.1, whose types this program lacks, so the types of TVM 0.27 read it: node 0: no type has the type key `relax.NewType`";
    assert!(error.to_string().starts_with(message), "{error}");
    // A file of the version itself needs no such remark.
    let error =
        GraphReader::new().read(text.replace("0.28.1", "0.27.0").as_bytes()).expect_err("0.27 has no such type");
    assert!(error.to_string().starts_with("node 0: "), "{error}");
    // If the nearest types fit, the file is read.
    let text = r#"{"root_index":0,"nodes":[{"type":"int","data":1}],"metadata":{"tvm_version":"0.28.1"}}"#;
    let read = GraphReader::new().read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.version.to_string(), "TVM 0.28.1");
}

#[test]
fn every_hook_belongs_to_a_type() {
    for version in TvmVersion::ALL {
        for key in version.hooks().type_keys() {
            let info = version.types().and_then(|types| types.get(key)).unwrap_or_else(|error| panic!("{error}"));
            assert!(info.has_custom_hooks(), "{version}: {key}");
        }
        assert_eq!(TvmVersion::find(version.name()), Some(version));
    }
}
