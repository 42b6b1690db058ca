//! The expansion keeps to strict lints.
#![deny(missing_docs, warnings, clippy::pedantic, clippy::undocumented_unsafe_blocks)]
#![deny(unreachable_pub, missing_debug_implementations, unused_qualifications, single_use_lifetimes)]

use object_core::prelude::*;

/// A module with documented and strict types.
pub mod ir {
    use super::{Object, Str};

    /// Base.
    #[derive(Object)]
    #[object(type_key = "deny_docs_pedantic.Base", base)]
    pub struct BaseNode {
        /// Place.
        #[field(ignore)]
        pub span: Option<Str>,
    }

    impl std::fmt::Debug for BaseNode {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Base")
        }
    }
}

pub(super) fn main() {
    let _ = ir::BaseNode::new_base();
}
