//! The tuning records and the workload of a MetaSchedule database that TVM 0.25 wrote (`fixtures/tuning_database.records.gz`)
//! load with their types, and the list of records is written as TVM wrote it.

use crate::common::{json_fixture, round_trip, text};
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_ir::ir::IRModule;
use object_ir::s_tir::TuningRecord;

#[test]
fn a_database_of_tvm_loads() {
    let file = json_fixture("tuning_database.records.gz");
    let records: Array<TuningRecord> = round_trip(text(&file, "records").as_bytes())
        .and_then(|root| root.cast().map_err(|it| it.to_string()))
        .unwrap();
    let workload: IRModule = JsonReader::new().read(text(&file, "workload").as_bytes()).unwrap().root.cast().unwrap();
    let times: Vec<f64> = records.iter().flat_map(|it| it.run_secs.clone().unwrap()).map(|time| time.value).collect();
    assert_eq!(times, [0.5, 1.5]);
    for record in &records {
        let steps: Vec<Str> =
            record.trace.insts.iter().map(|step| step.kind.as_ref().expect("a kind").name.clone()).collect();
        assert_eq!(steps, ["GetSBlock", "GetLoops", "Split", "Vectorize", "Parallel", "Annotate"]);
        assert_eq!(record.args_info.as_ref().map(Array::len), Some(2));
        let module = record.workload.r#mod.as_ref().expect("a module");
        assert!(structural_equal(module, &workload));
    }
}
