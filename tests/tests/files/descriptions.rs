//! The table of `fixtures/README.md`: it has each file, and the files are what their rows say.

use std::collections::BTreeSet;
use std::fs;

use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::{Constant, Function, VarBinding};
use object_ir::tvm::{GraphReader, TvmVersion};
use object_relax::analysis::{free_vars, used_vars};
use object_relax::well_formed::{Checker, Profile};
use object_script::print::ScriptPrinter;

use crate::common::{at_root, fixture, json_fixture};

/// The rows of the table: the names of files, and the description.
fn rows() -> Vec<(Vec<String>, String)> {
    let text = fs::read_to_string(at_root("fixtures/README.md")).expect("the README of the fixtures");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
    rows.map(|(names, about)| (names.split("`, `").map(str::to_owned).collect(), about.to_owned())).collect()
}

#[test]
fn each_file_has_one_row() {
    let mut described: Vec<String> = rows().into_iter().flat_map(|(names, _)| names).collect();
    described.sort();
    let files = fs::read_dir(at_root("fixtures")).expect("the folder of fixtures");
    let files = files.map(|file| file.expect("a file").file_name().into_string().expect("a plain name"));
    let mut files: Vec<String> = files.filter(|name| !name.ends_with(".py") && !name.ends_with(".md")).collect();
    files.sort();
    assert_eq!(described, files);
}

/// A description that begins with a number gives the length of the list in the file.
#[test]
fn numbers_of_records_are_lengths() {
    let mut checked = 0;
    for (names, about) in rows() {
        let Some(Ok(count)) = about.split(' ').next().map(str::parse::<usize>) else { continue };
        let [name] = names.as_slice() else { panic!("{names:?}: a number for several files") };
        assert_eq!(json_fixture(name).as_array().map(Vec::len), Some(count), "{name}");
        checked += 1;
    }
    assert!(checked >= 4, "there are only {checked} rows with numbers");
}

/// A module of the folder that the version saved, with Rust types.
fn module(name: &str, version: TvmVersion) -> Any {
    let read = GraphReader::new().read(&fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(read.version.version, version, "{name}");
    read.into_rust_types().unwrap_or_else(|error| panic!("{name}: {error}")).root
}

/// The script of a module in the words of TVM 0.25.
fn script(module: &Any) -> String {
    ScriptPrinter::new().print_text(module).to_string()
}

/// The shapes of the parameters of the function of a script, and the shape of its result.
fn shapes(script: &str) -> Vec<&str> {
    let signature = script.lines().find(|line| line.contains("def ")).expect("a function");
    signature.split("R.Tensor((").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// The operators that a script calls.
fn operators(script: &str) -> Vec<&str> {
    script.split(" = R.").skip(1).filter_map(|rest| Some(rest.split_once('(')?.0)).collect()
}

/// The variables of Relax and of shapes that a script defines.
fn variables(script: &str) -> BTreeSet<&str> {
    let marks = [": R.", " = T.int64()"].into_iter();
    let before = marks.flat_map(|mark| {
        let pieces: Vec<&str> = script.split(mark).collect();
        pieces[..pieces.len() - 1].to_vec()
    });
    before.filter_map(|text| text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()).collect()
}

/// Asserts the rows of `NAME.json.gz`, `NAME_renamed.json.gz` and `NAME_changed.json.gz`. Returns the script of the first, and the
/// variables of the first that the second calls by other names.
fn renamed_and_changed(name: &str, version: TvmVersion) -> (String, Vec<String>) {
    let [plain, renamed, changed] =
        ["", "_renamed", "_changed"].map(|end| module(&format!("{name}{end}.json.gz"), version));
    assert!(structural_equal(&plain, &renamed), "{name}");
    assert!(!structural_equal(&plain, &changed), "{name}");
    let [plain, renamed, changed] = [plain, renamed, changed].map(|module| script(&module));
    assert_eq!(plain.matches("nn.relu").count(), 1, "{name}");
    assert_eq!(plain.replace("nn.relu", "nn.gelu"), changed, "{name}");
    let (before, after) = (variables(&plain), variables(&renamed));
    assert_eq!(before.len(), after.len(), "{name}");
    let others = before.difference(&after).map(|&it| it.to_owned()).collect();
    (plain, others)
}

#[test]
fn two_linear_layers() {
    let (plain, renamed) = renamed_and_changed("mlp", TvmVersion::V0_25);
    assert_eq!(renamed, variables(&plain).into_iter().collect::<Vec<_>>(), "every variable");
    let (later, renamed) = renamed_and_changed("tvm27_mlp", TvmVersion::V0_27);
    assert_eq!(renamed, ["h", "x", "y"], "three variables");
    assert_eq!(variables(&later).len(), 9);

    assert_eq!(shapes(&plain), [r#""n", 16"#, "16, 32", "32,", "32, 8", "8,", r#""n", 8"#]);
    assert_eq!(shapes(&later), [r#""n", 64"#, "64, 32", "32,", "32, 8", r#""n", 8"#]);
    assert_eq!(operators(&later), ["matmul", "add", "nn.relu", "matmul"]);
    assert_eq!(operators(&plain), [&operators(&later)[..], &["add", "nn.softmax"]].concat());
}

#[test]
fn constants_have_each_construct_and_one_violation() {
    let module = module("constants.json.gz", TvmVersion::V0_25);
    let script = script(&module);
    for construct in [
        "R.prim_value(",
        "R.str(",
        "R.dtype(",
        "R.match_cast(",
        "if ",
        "R.call_tir(",
        "R.call_dps_packed(",
        "R.ExternFunc(",
        "I.vdevice(",
    ] {
        assert!(script.contains(construct), "{construct}");
    }

    let (mut dtypes, mut scalars) = (BTreeSet::new(), 0);
    walk(&module, |constant: &Constant, _| {
        dtypes.insert(constant.data.dtype.to_string());
        scalars += usize::from(constant.data.shape.is_empty());
    });
    assert!(dtypes.len() >= 12 && scalars > 0, "{dtypes:?}, {scalars} scalars");

    let (mut capturing, mut recursive) = (0, 0);
    walk(&module, |binding: &VarBinding, _| {
        if binding.value.is::<Function>() {
            let is_own = |var: &_| binding.var.ptr_eq(var);
            capturing += usize::from(free_vars(&binding.value).iter().any(|var| !is_own(var)));
            recursive += usize::from(used_vars(&binding.value).iter().any(is_own));
        }
    });
    assert!(capturing > 0 && recursive > 0, "{capturing} capturing functions, {recursive} recursive ones");

    assert!(Checker::new().profile(Profile::Tvm025).check(&module).is_well_formed());
    for profile in [Profile::Spec, Profile::Strict] {
        let report = Checker::new().profile(profile).check(&module);
        let found: Vec<_> = report.diagnostics.iter().map(|it| it.rule.name).collect();
        assert_eq!((found, report.errors), (vec!["dps-packed-is-impure"], 1), "{report}");
    }
}
