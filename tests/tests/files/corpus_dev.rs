//! A sample of the development corpus, if it is present beside the workspace.

use object_tests::corpus::{self, Exceptions, Options};

#[test]
fn a_sample_of_the_development_corpus_agrees() {
    let Some(dir) = crate::common::corpus() else { return };
    let exceptions = Exceptions::listed().expect("the exceptions are well-formed");
    let options = Options { sample: Some(400), seed: 2, ..Options::default() };
    let report = corpus::run(&dir, &options, &exceptions).expect("the folder can be read");
    println!("{report}");
    assert!(report.is_clean(), "{report}");
}
