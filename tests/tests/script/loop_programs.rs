//! Loop programs as people write them make the graphs that the parser of TVM makes: the cases of
//! `fixtures/tir_sources.records.gz`.

use object_core::DataType;
use object_core::json::JsonReader;
use object_core::structural::StructuralOptions;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{Evaluate, SeqStmt, Stmt};
use object_script::parse::parse;
use object_script::print::print;

use crate::common::{at_root, golden, in_small_stack, json_fixture, list, report, text};

/// Cases with another result, with the reason.
const DEVIATIONS: &[(&str, &str)] = &[
    (
        "synchronization",
        "TVM adds two default arguments, which its printer shows, so calls without them would not print",
    ),
    ("comparison of two types", "TVM compares numbers of one type only, although it adds numbers of two types"),
];

#[test]
fn sources_make_the_graphs_of_tvm() {
    let file = json_fixture("tir_sources.records.gz");
    let cases = file.as_array().expect("a list of cases");
    let mut wrong = Vec::new();
    for case in cases {
        let (name, expected) = (text(case, "name"), case["graph"].as_str());
        let found = match (parse(text(case, "source")), expected) {
            (Err(_), None) => None,
            (Err(errors), Some(_)) => Some(errors.to_string()),
            (Ok(_), None) => Some("TVM rejects the source".to_owned()),
            (Ok(value), Some(expected)) => {
                let expected = JsonReader::new().read(expected.as_bytes()).expect("a graph").root;
                let mismatch = StructuralOptions::new().first_mismatch(&expected, &value).expect("comparable graphs");
                mismatch.map(|mismatch| format!("differs at {}: {:?}", mismatch.lhs, mismatch.reason))
            }
        };
        let is_deviation = DEVIATIONS.iter().any(|(known, _)| *known == name);
        match found {
            Some(_) if is_deviation => {}
            None if is_deviation => wrong.push(format!("{name}: agrees, but has a reason for another result")),
            Some(found) => wrong.push(format!("{name}: {found}")),
            None => {}
        }
    }
    report(&wrong, cases.len());
}

#[test]
fn golden_scalars_are_read_back() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "prim_expr_script");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let graph = JsonReader::new().read(text(case, "json").as_bytes()).expect("a graph").root;
            let stmt: Stmt = Evaluate::new(graph.cast::<PrimExpr>().expect("a scalar")).into();
            // A call alone is its own statement, so another one shows that this is a statement.
            let stmts = SeqStmt::new([stmt.clone(), Evaluate::new(IntImm::new(DataType::int(32), 1)).into()]);
            let script = print(&stmts).into_text();
            let found = parse(&script).map_err(|errors| errors.to_string());
            let options = StructuralOptions::new().map_free_vars(true);
            let difference = match found {
                Ok(value) => options.first_mismatch(&stmts, &value).expect("comparable graphs")?.lhs.to_string(),
                Err(errors) => errors,
            };
            Some(format!("{}: {difference}\n{script}", case["desc"]))
        })
        .collect();
    report(&wrong, cases.len());
}

fn errors_of(source: &str) -> String {
    match parse(source) {
        Ok(_) => "no errors".to_owned(),
        Err(errors) => errors.to_string(),
    }
}

/// `tests/data/script/loop_program_errors.txt` has for each case a line `== name`, the source, a line `--`, and the errors.
#[test]
fn errors_have_places_and_hints() {
    let path = at_root("tests/data/script/loop_program_errors.txt");
    let file = std::fs::read_to_string(&path).expect("the file of errors");
    let mut got = String::new();
    let mut count = 0;
    for case in file.split("== ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a name and a source");
        let (source, _) = rest.split_once("--\n").expect("a source and errors");
        got.push_str(&format!("== {name}\n{source}--\n{}\n", errors_of(source)));
        count += 1;
    }
    assert!(count > 5, "there are only {count} cases");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &got).expect("the file of errors");
    } else {
        assert_eq!(file, got, "`BLESS=1` renews the errors");
    }
}

#[test]
fn functions_of_llvm_print_by_name() {
    let source = "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    A[0] = T.call_llvm_pure_intrin(\"float32\", \"llvm.sqrt\", A[1])\n";
    let program = parse(source).expect("a program");
    let printed = print(&program).into_text();
    assert!(printed.contains("T.call_llvm_pure_intrin(\"float32\", \"llvm.sqrt\", A[1])"), "{printed}");
    // A number without a function prints as a number.
    let program = parse(&source.replace("\"llvm.sqrt\"", "T.uint32(99999)")).expect("a program");
    assert!(print(&program).into_text().contains("(\"float32\", T.uint32(99999), A[1])"));
}

#[test]
fn deep_programs_take_no_machine_stack() {
    let levels = 80;
    let mut nested = String::from("@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), c: T.bool):\n");
    for level in 0..levels {
        nested.push_str(&format!("{}if c:\n", "    ".repeat(level + 1)));
    }
    nested.push_str(&format!("{}A[0] = 1\n", "    ".repeat(levels + 1)));
    let chain = "    elif c:\n        A[1] = 2\n".repeat(2_000);
    let chain =
        format!("@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), c: T.bool):\n    if c:\n        A[0] = 1\n{chain}");
    let sum = format!(
        "@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), n: T.int32):\n    A[0] = n{}\n",
        " + 1".repeat(20_000)
    );
    let errors = in_small_stack(|| {
        [&nested, &chain, &sum].map(|source| match parse(source) {
            Ok(_) => String::new(),
            Err(errors) => errors.to_string(),
        })
    });
    // A text may be refused with an error, but nested statements that Python reads are read.
    assert_eq!(errors[0], "");
    assert_eq!(errors[2], "");
}
