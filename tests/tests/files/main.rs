//! Files, hashes and differences of modules, and facts recorded of them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/texts.rs"]
mod texts;

mod bad_json;
mod corpus_dev;
mod descriptions;
mod diff;
mod golden;
mod hash_golden;
mod hash_quality;
mod modules;
mod records;
mod serde;
mod tuning_records;
