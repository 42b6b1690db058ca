//! The derive ignores fields and variants that are configured out, and keeps the visibility and comments of the others.
#![allow(clippy::non_minimal_cfg, reason = "a condition that always holds is part of the test")]

use object_core::prelude::*;

mod ir {
    use object_core::prelude::*;

    /// Some of its fields are there.
    #[derive(Object)]
    #[object(type_key = "cfg_fields.Config")]
    #[structural_eq(tree)]
    pub(crate) struct ConfigNode {
        #[cfg(all())]
        /// The one that is there.
        pub(super) there: i64,
        #[cfg(any())]
        pub gone: NoSuchType,
        #[cfg_attr(all(), field(ignore))]
        #[cfg_attr(any(), field(nonsense))]
        pub(crate) note: Str,
    }

    #[derive(Object, Clone, Copy, PartialEq, Debug)]
    pub(crate) enum Mode {
        Fast,
        #[cfg(any())]
        Gone(NoSuchType),
        Exact,
    }
}

pub(super) fn main() {
    let config = ir::Config::new(1, "note");
    assert_eq!((config.there, config.note.as_str()), (1, "note"));
    assert!(structural_equal(&config, &ir::Config::new(1, "other")));
    let names: Vec<&str> = ir::ConfigNode::FIELDS.iter().map(|field| field.name()).collect();
    assert_eq!(names, ["there", "note"]);
    assert_eq!(ir::ConfigNode::FIELDS[0].meta().doc, "The one that is there.");
    assert_eq!(ir::Mode::try_from(Any::Int(1)).unwrap(), ir::Mode::Exact);
    let _ = ir::Mode::Fast;
}
