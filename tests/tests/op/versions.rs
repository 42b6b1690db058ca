//! The operators whose inference differs between versions of TVM: `tests/data/op/versions.txt`, as the two versions infer the
//! calls.

use std::fs;

use object_ir::table::rows;
use object_ir::tvm::TvmVersion;
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};
use object_tests::op_calls::CallReader;

use crate::common::{at_root, report};
use crate::print::print;

/// The result of a call by the rules of a version, or `error`.
fn result(text: &str, version: TvmVersion) -> String {
    let call = CallReader::default().call(text);
    let analyzer = Analyzer::for_shapes();
    let context = InferContext::new(&analyzer).version(Some(version));
    op::infer(&call, &context).map_or_else(|_| "error".to_owned(), |info| print(&info))
}

#[test]
fn results_are_the_ones_of_the_version() {
    let text = fs::read_to_string(at_root("tests/data/op/versions.txt")).expect("the table");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for [call, v0_25, v0_27] in rows(&text) {
        for (version, expected) in [(TvmVersion::V0_25, v0_25), (TvmVersion::V0_27, v0_27)] {
            count += 1;
            let got = result(call, version);
            if got != expected {
                wrong.push(format!("{call} by TVM {version}: expected {expected}, got {got}"));
            }
        }
    }
    report(&wrong, count);
}
