//! Modules of TVM as values of serde: after CBOR, they have the same hashes and the same sharing.

use crate::common::{fixture, modules};
use object_core::{Any, json, structural_hash};
use object_ir as _;

#[test]
fn modules_survive_cbor() {
    for name in modules() {
        let module: Any = json::from_slice(&fixture(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut cbor = Vec::new();
        ciborium::into_writer(&module, &mut cbor).unwrap_or_else(|error| panic!("{name}: {error}"));
        let back: Any = ciborium::from_reader(&cbor[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(structural_hash(&back), structural_hash(&module), "{name}");
        // The text has a node for each object.
        let text = |root: &Any| json::to_string(root).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text(&back) == text(&module), "{name}");
    }
}
