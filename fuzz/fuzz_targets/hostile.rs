//! Runs operations on types whose code of users keeps handles, panics and calls other operations, as the bytes decide. The
//! object of a kept handle must stay as it was. The types are in `object-core/tests/attacks`.

#![no_main]

#[path = "../../object-core/tests/objects/attacks/hostile.rs"]
mod hostile;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| hostile::run(bytes.to_vec(), 1, 1 + bytes.len() / 256));
