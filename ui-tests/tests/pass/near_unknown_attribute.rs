//! The corrected source of each failing case of the class `unknown-attribute`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod foreign_word {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "foreign_word.X")]
    #[structural_eq(const_tree)]
    struct XNode {
        #[field(ignore)]
        a: i64,
    }

    #[derive(Object)]
    #[object(type_key = "foreign_word.Y")]
    #[structural_eq(var)]
    struct YNode {
        #[field(ignore)]
        a: i64,
    }

    #[derive(Object)]
    #[object(type_key = "foreign_word.Z")]
    #[structural_eq(singleton, key = name)]
    struct ZNode {
        name: Str,
    }
}

mod unknown_attribute {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "unknown_attribute.X")]
    #[structural_eq(none)]
    struct XNode {
        #[field(default)]
        a: i64,
    }
}

mod unknown_word {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "unknown_word.X", base)]
    #[structural_eq(tree)]
    struct XNode {
        #[field(ignore)]
        a: i64,
        #[field(default = 3)]
        b: i64,
    }
}

mod crate_is_object_core {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "crate_is_object_core.X", crate = object_core)]
    #[structural_eq(tree)]
    struct XNode {
        a: i64,
    }
}
