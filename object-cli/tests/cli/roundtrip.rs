//! `objir roundtrip`.

use expect_test::expect;

use crate::harness::{FIXTURES, objir, objir_with, text};

#[test]
fn fixtures_are_saved_as_they_were() {
    for fixture in FIXTURES {
        let run = objir(&["roundtrip", &format!("fixtures/{fixture}")]);
        assert_eq!((run.code, run.is_quiet()), (Some(0), true), "{}", run.show());
    }
    expect![[r#"
        identical: fixtures/mlp.json.gz loads and saves as the same 8729 bytes
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["roundtrip", "fixtures/mlp.json.gz"]).show());
    expect![[r#"
        {"file":"fixtures/mlp.json.gz","identical":true,"bytes_read":8729,"bytes_written":8729}
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["roundtrip", "fixtures/mlp.json.gz", "--json"]).show());
}

#[test]
fn says_where_the_first_difference_is() {
    let spaced = text("mlp.json.gz").replacen("\"dtype\":\"int64\"", "\"dtype\": \"int64\"", 1);
    expect![[r#"
        different: <stdin>, 8730 bytes read, 8729 written, first at byte 123, line 1

          read   :"ir.PrimType","data":{"span":0,"dtype": "int64"}},{"type":"tirx.Var","data":{"s
          saved  :"ir.PrimType","data":{"span":0,"dtype":"int64"}},{"type":"tirx.Var","data":{"sp
        [exit code 1]
    "#]]
    .assert_eq(&objir_with(&["roundtrip", "-"], spaced.as_bytes()).show());
    expect![[r#"
        {"file":"<stdin>","identical":false,"bytes_read":8730,"bytes_written":8729,"difference":{"offset":123,"read":":\"ir.PrimType\",\"data\":{\"span\":0,\"dtype\": \"int64\"}},{\"type\":\"tirx.Var\",\"data\":{\"s","written":":\"ir.PrimType\",\"data\":{\"span\":0,\"dtype\":\"int64\"}},{\"type\":\"tirx.Var\",\"data\":{\"sp"}}
        [exit code 1]
    "#]].assert_eq(&objir_with(&["roundtrip", "-", "--json"], spaced.as_bytes()).show());
}

#[test]
fn an_additional_line_end_is_a_difference() {
    let longer = text("mlp.json.gz") + "\n";
    expect![[r#"
        different: <stdin>, 8730 bytes read, 8729 written, first at byte 8729, line 1

          read   }}],"metadata":{"tvm_version":"0.25.0"}}\n
          saved  }}],"metadata":{"tvm_version":"0.25.0"}}
        [exit code 1]
    "#]]
    .assert_eq(&objir_with(&["roundtrip", "-"], longer.as_bytes()).show());
}
