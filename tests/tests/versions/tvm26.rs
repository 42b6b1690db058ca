//! Programs that TVM 0.26 saved (`fixtures/make_tvm26.py`): they round trip, convert to the other versions and back, and have the
//! scripts of TVM 0.26.

use crate::common::{json_fixture, report, round_trip_by, text};
use object_core::json::{Graph, JsonReader};
use object_core::structural::StructuralOptions;
use object_core::{Any, Error, Result, structural_first_mismatch};
use object_ir::tvm::{FileVersion, GraphReader, TvmVersion};
use object_script::parse::{ScriptParser, parse};
use object_script::print::ScriptPrinter;
use serde_json::Value;

/// Checks each program, and reports all that are wrong.
fn check(check: impl Fn(&Value) -> Result<Option<String>>) {
    let twins = json_fixture("tvm26_twins.json.gz");
    let twins = twins.as_array().expect("a list");
    let findings = twins.iter().filter_map(|twin| match check(twin) {
        Ok(None) => None,
        Ok(Some(finding)) => Some(format!("{}: {finding}", text(twin, "name"))),
        Err(error) => Some(format!("{}: {error}", text(twin, "name"))),
    });
    report(&findings.collect::<Vec<_>>(), twins.len());
}

/// The value of the graph, with the types of TVM 0.26.
fn value(twin: &Value) -> Result<Any> {
    let types = TvmVersion::V0_26.types()?;
    Ok(JsonReader::new().types(types).read(text(twin, "graph").as_bytes())?.root)
}

fn converted(value: &Any, from: TvmVersion, to: TvmVersion) -> Result<Any> {
    Ok(to.convert(Graph::new(value.clone(), None), from)?.root)
}

#[test]
fn files_have_their_version_and_round_trip() {
    check(|twin| {
        let graph = text(twin, "graph");
        let version = GraphReader::new().read(graph.as_bytes())?.version;
        assert_eq!((version.version, version.is_exact()), (TvmVersion::V0_26, true));
        // The types alone tell the version, where the graph has a type of this version only, beside types of 0.26 and 0.27.
        if graph.contains("tirx.BufferLoad") {
            let version = FileVersion::of(graph.replace("tvm_version", "other").as_bytes())?;
            assert_eq!(version.version, TvmVersion::V0_26);
        }
        let types = TvmVersion::V0_26.types()?;
        Ok(round_trip_by(JsonReader::new().types(types), graph.as_bytes()).err())
    });
}

#[test]
fn conversions_there_and_back_are_the_identity() {
    check(|twin| {
        let value = value(twin)?;
        for other in [TvmVersion::V0_25, TvmVersion::V0_27] {
            let there = converted(&value, TvmVersion::V0_26, other)?;
            let back = converted(&there, other, TvmVersion::V0_26)?;
            if let Some(mismatch) = StructuralOptions::new().map_free_vars(true).first_mismatch(&value, &back)? {
                return Ok(Some(format!("over {other}: {mismatch}")));
            }
        }
        Ok(None)
    });
}

#[test]
fn programs_are_the_programs_of_their_scripts_of_0_25() {
    check(|twin| {
        let Some(script) = twin["twin"].as_str() else { return Ok(None) };
        let linked = converted(&value(twin)?, TvmVersion::V0_26, TvmVersion::V0_25)?;
        let mismatch = structural_first_mismatch(&linked, &parse(script).map_err(Error::from)?)?;
        Ok(mismatch.map(|mismatch| mismatch.to_string()))
    });
}

#[test]
fn scripts_are_the_scripts_of_tvm_0_26() {
    let printer = ScriptPrinter::new().version(TvmVersion::V0_26).show_meta(false);
    check(|twin| {
        let linked = converted(&value(twin)?, TvmVersion::V0_26, TvmVersion::V0_25)?;
        let (printed, script) = (printer.print_text(&linked), text(twin, "script"));
        if printed.trim_end() != script.trim_end() {
            return Ok(Some(format!("printed\n{printed}\nexpected\n{script}")));
        }
        if script.contains("metadata[") || twin["reads"] != true {
            return Ok(None);
        }
        let parsed = ScriptParser::new().version(TvmVersion::V0_26).parse(script).map_err(Error::from)?;
        let parsed = converted(&parsed, TvmVersion::V0_25, TvmVersion::V0_26)?;
        Ok(structural_first_mismatch(&parsed, &value(twin)?)?.map(|mismatch| mismatch.to_string()))
    });
}

/// TVM 0.26 does not read a statement whose attribute has an address as its value.
#[test]
fn addresses_as_values_of_attributes_are_errors_with_a_path() {
    let script = "@T.prim_func\ndef main(p: T.handle):\n    with T.attr(p, \"key\", p):\n        T.evaluate(0)\n";
    let parsed = parse(script).expect("a program");
    let error = converted(&parsed, TvmVersion::V0_25, TvmVersion::V0_26).expect_err("an error");
    assert!(error.to_string().contains("TVM 0.26 has no addresses as values"), "{error}");
    assert!(error.path().is_some(), "{error}");
}

/// A text that TVM 0.26 prints, and cannot read: a dimension of the signature with the data type of its declaration.
#[test]
fn declared_dimensions_of_signatures_have_their_data_type() {
    let script = r#"
@T.prim_func
def main(A: T.Buffer(("n", 8), "float32"), B: T.Buffer((n,), "float32")):
    n = T.int64()
    B[n - T.int64(1)] = A[0, 0]
"#;
    let parsed = ScriptParser::new().version(TvmVersion::V0_26).parse(script).expect("a program");
    let printed = ScriptPrinter::new().version(TvmVersion::V0_26).print_text(&parsed);
    assert!(printed.contains("    n = T.int64()\n    B[n - T.int64(1)] = A[0, 0]"), "{printed}");
}
