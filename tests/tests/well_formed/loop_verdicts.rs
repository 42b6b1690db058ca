//! Loop programs with the recorded verdicts of TVM's verifiers: `fixtures/make_loop_verdicts.py`.

use object_core::json;
use object_ir::ir::IRModule;
use object_relax::well_formed::{Checker, Phase, Profile};
use serde_json::Value;

use crate::common::{fixture, report};

#[test]
fn verdicts_about_loop_programs_are_the_ones_of_tvm() {
    let records = String::from_utf8(fixture("loop_verdicts.records.gz")).expect("text");
    let (mut wrong, mut accepted) = (Vec::new(), 0);
    for line in records.lines() {
        let record: Value = serde_json::from_str(line).expect("a record");
        let name = record["name"].as_str().expect("a name");
        let text = record["module"].as_str().expect("a module");
        let module: IRModule = json::from_slice(text.as_bytes()).expect(name);
        let found = Checker::new().phase(Phase::Ast).check(&module);
        let rules: Vec<&str> =
            found.diagnostics.iter().map(|it| it.rule.name).filter(|name| name.starts_with("tir-")).collect();
        let expected = record["verdict"].as_bool().expect("a verdict");
        accepted += usize::from(expected);
        if rules.is_empty() != expected || rules.len() > 1 {
            wrong.push(format!("{name}: TVM says {expected}: {found}"));
        }
        let relax = Checker::new().profile(Profile::Tvm025).check(&module);
        assert!(relax.is_well_formed(), "{name}: the checker of Relax does not look into loop programs: {relax}");
    }
    let count = records.lines().count();
    assert!(accepted > 10 && count - accepted > 10, "{accepted} of {count}");
    report(&wrong, count);
}
