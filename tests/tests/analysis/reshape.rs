//! Loop programs that copy a buffer into another shape, and loop programs that do not.

use object_core::json;
use object_core::prelude::*;
use object_ir::ir::IRModule;
use object_ir::tir::PrimFunc;
use object_relax::analysis::has_reshape_pattern;

use crate::common::{fixture, report};

/// The legalized functions that exchange two axes of which one has the size 1.
const UNIT_AXES: [&str; 2] = ["transpose1", "transpose4"];

#[test]
fn reshapes_of_a_model_are_recognized() {
    let module: IRModule = json::from_slice(&fixture("decoder_legalized.json.gz")).expect("a module");
    let (mut wrong, mut counts) = (Vec::new(), [0, 0]);
    for (var, function) in &module.functions {
        let Some(function) = function.downcast_ref::<PrimFunc>() else { continue };
        let expected = var.name_hint.starts_with("reshape") || UNIT_AXES.contains(&&*var.name_hint);
        counts[usize::from(expected)] += 1;
        if has_reshape_pattern(function) != expected {
            wrong.push(format!("{}: expected {expected}", var.name_hint));
        }
    }
    assert!(counts.iter().all(|count| *count > 1), "{counts:?}");
    report(&wrong, counts.iter().sum());
}
