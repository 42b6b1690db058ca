//! The readable text of the values in `fixtures/scripts.records.gz`: `tests/data/script/readable.txt` has a line
//! `== name` for each value, and then its text. `BLESS=1` renews the texts.

use object_core::json::JsonReader;
use object_script::print::ScriptPrinter;

use crate::common::{at_root, json_fixture, text};

#[test]
fn values_print_as_in_the_file() {
    let fixture = json_fixture("scripts.records.gz");
    let path = at_root("tests/data/script/readable.txt");
    let file = std::fs::read_to_string(&path).expect("the file of texts");
    let names: Vec<&str> = file.lines().filter_map(|line| line.strip_prefix("== ")).collect();
    assert!(names.len() > 10, "there are only {} values", names.len());
    let mut got = String::new();
    for name in names {
        let cases = fixture.as_array().expect("a list of cases");
        let case = cases.iter().find(|case| case["name"] == name).unwrap_or_else(|| panic!("no value `{name}`"));
        let root = JsonReader::new().read(text(case, "graph").as_bytes()).expect("a graph").root;
        let script = ScriptPrinter::new().readable().print(&root);
        got.push_str(&format!("== {name}\n{}\n\n", script.text()));
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &got).expect("the file of texts");
    } else {
        assert_eq!(file, got, "`BLESS=1` renews the texts");
    }
}
