//! Deep and shared graphs: printing takes no machine stack, and a bounded amount of work.

use object_core::prelude::*;
use object_core::steps;
use object_ir::ir::{
    Binding, BindingBlock, Id, IntImm, PrimExpr, PrimType, RelaxExpr, SeqExpr, StructInfo, TupleStructInfo,
    Var as RelaxVar, VarBinding,
};
use object_ir::tir::{Add, Evaluate, IfThenElse, Stmt, Var};
use object_script::print::{ScriptPrinter, print};

use crate::common::in_small_stack;

const INT64: DataType = DataType::int(64);

fn number(value: i64) -> PrimExpr {
    IntImm::new(INT64, value).into()
}

fn n() -> PrimExpr {
    Var::new(INT64, "n", PrimType::new(INT64)).into()
}

#[test]
fn a_long_sum_prints_in_full() {
    let text = in_small_stack(|| {
        let sum = (0..100_000).fold(n(), |sum, _| Add::new(INT64, sum, number(1)).into());
        print(&sum).into_text()
    });
    assert_eq!(text, format!("n{}", " + T.int64(1)".repeat(100_000)));
}

#[test]
fn deep_objects_end_in_an_ellipsis() {
    let text = in_small_stack(|| {
        let mut info: StructInfo = TupleStructInfo::new(Array::<StructInfo>::default()).into();
        for _ in 0..100_000 {
            info = TupleStructInfo::new([info]).into();
        }
        print(&info).into_text()
    });
    assert_eq!(text, format!("{}...{}", "R.Tuple(".repeat(1000), ")".repeat(1000)));
}

#[test]
fn deep_statements_end_in_an_ellipsis() {
    let text = in_small_stack(|| {
        let condition: PrimExpr = Var::new(DataType::boolean(), "c", PrimType::new(DataType::boolean())).into();
        let mut stmt: Stmt = Evaluate::new(number(0)).into();
        for _ in 0..10_000 {
            stmt = IfThenElse::new(condition.clone(), stmt, None).into();
        }
        ScriptPrinter::new().max_nesting(3).print(&stmt).into_text()
    });
    assert_eq!(text, "c = T.bool()\nif c:\n    if c:\n        if ...:\n            ...");
}

#[test]
fn a_shared_graph_has_a_bounded_text() {
    let mut sum = n();
    for _ in 0..64 {
        sum = Add::new(INT64, sum.clone(), sum).into();
    }
    let text = ScriptPrinter::new().max_nodes(1000).print(&sum).into_text();
    assert!(text.len() < 10_000 && text.contains("..."), "{} bytes", text.len());
}

/// A sequence of `count` bindings, whose variables all have the name `x`.
fn bindings(count: usize) -> SeqExpr {
    let mut last: RelaxExpr = RelaxVar::new(Id::new("x")).into();
    let mut bindings: Vec<Binding> = Vec::new();
    for _ in 0..count {
        let var = RelaxVar::new(Id::new("x"));
        bindings.push(VarBinding::new(var.clone(), last).into());
        last = var.into();
    }
    SeqExpr::new(vec![BindingBlock::new(bindings)], last)
}

#[test]
fn the_cost_is_linear_in_the_number_of_bindings() {
    let cost = |count: usize| {
        let seq = bindings(count);
        let mut text = String::new();
        let steps = steps::count(u64::MAX, || text = print(&seq).into_text());
        assert!(text.ends_with(&format!("\nx_{count} = x_{}\nx_{count}", count - 1)), "{}", &text[text.len() - 60..]);
        steps
    };
    // Builds without debug assertions count no steps.
    let (small, large) = (cost(1_000).expect("no limit"), cost(10_000).expect("no limit"));
    assert!(large <= small * 11, "1,000 bindings take {small} steps, 10,000 take {large}");
}
