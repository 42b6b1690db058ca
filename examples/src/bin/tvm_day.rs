//! A day with modules of TVM: two files are read, checked, compared, changed and run.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use object_core::prelude::*;
use object_core::structural_diff;
use object_eval::{Evaluator, Trials};
use object_ir::ir::IRModule;
use object_ir::tvm::GraphReader;
use object_relax::normal_form::Normalizer;
use object_relax::well_formed::Checker;
use object_script::print::print;

// ANCHOR: load
/// The module in a file, of any version of TVM, with the types of TVM 0.25.
fn load(path: &Path) -> Result<IRModule, Box<dyn std::error::Error>> {
    let mut text = Vec::new();
    GzDecoder::new(File::open(path)?).read_to_end(&mut text)?;
    Ok(GraphReader::new().read(&text)?.into_rust_types()?.root.cast()?)
}
// ANCHOR_END: load

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // ANCHOR: files
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let before = load(&fixtures.join("mlp.json.gz"))?;
    let renamed = load(&fixtures.join("mlp_renamed.json.gz"))?;
    let changed = load(&fixtures.join("mlp_changed.json.gz"))?;
    // ANCHOR_END: files

    // ANCHOR: check
    let report = Checker::new().check(&before);
    println!("{} errors, {} warnings", report.errors, report.warnings);
    // ANCHOR_END: check

    // ANCHOR: diff
    println!("renamed: {}", structural_equal(&before, &renamed));
    for difference in structural_diff(&before, &changed)? {
        println!("changed: {}", difference.underlined([&print(&before), &print(&changed)]));
    }
    // ANCHOR_END: diff

    // ANCHOR: run
    let normal = Normalizer::new().module(&before)?;
    for (name, other) in [("renamed", &renamed), ("normal form", &normal), ("changed", &changed)] {
        let report =
            Trials::new(1).sizes("n", [1, 4]).compare([&Evaluator::new(&before), &Evaluator::new(other)], "main")?;
        println!("{name}: {}", report.verdict.name());
    }
    // ANCHOR_END: run
    Ok(())
}
