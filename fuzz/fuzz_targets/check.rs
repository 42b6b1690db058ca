//! Reads any bytes as a JSON graph, and checks whether it is well-formed: as a whole and each expression in it. A check
//! never panics, reports an object with a path that leads to it, and gives the same answer twice. The normal forms keep
//! their laws: the normalizer takes what the checker accepts, and the result passes the checker.

#![no_main]

#[path = "../../tests/src/normal_law.rs"]
mod normal_law;

use libfuzzer_sys::fuzz_target;
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::RelaxExpr;
use object_ir::well_formed::{Checker, Phase, Profile};

/// The number of expressions of one graph that are checked alone.
const MOST: usize = 20;

fuzz_target!(|text: &[u8]| {
    let Ok(graph) = JsonReader::new().read(text) else { return };
    let mut roots: Vec<Any> = vec![graph.root.clone()];
    walk(&graph.root, |expr: &RelaxExpr| {
        if roots.len() < MOST {
            roots.push(expr.clone().into());
        }
    });
    for root in &roots {
        for phase in Phase::ALL {
            check(&Checker::new().phase(phase), root);
        }
        check(&Checker::new().profile(Profile::Tvm025), root);
        normal_law::check(root).unwrap_or_else(|law| panic!("{law}: {root}"));
    }
});

fn check(checker: &Checker, root: &Any) {
    let report = checker.check(root);
    assert_eq!(report.to_string(), checker.check(root).to_string(), "another answer: {root}");
    for diagnostic in &report.diagnostics {
        let found = diagnostic.path.find(root).unwrap_or_else(|error| panic!("{error}: {diagnostic}: {root}"));
        let is_there = found.as_object().is_none_or(|it| it.ptr_eq(diagnostic.object.view()));
        assert!(is_there, "{diagnostic} leads to another object: {root}");
        assert!(!diagnostic.message.is_empty(), "{}: {root}", diagnostic.rule.name);
    }
}
