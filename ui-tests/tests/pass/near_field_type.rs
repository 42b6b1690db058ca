//! The corrected source of each failing case of the class `field-type`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod enum_numbers {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone, Copy)]
    #[repr(u64)]
    enum Kind {
        Small = 1,
        Large = i64::MAX as u64,
    }
}

mod enum_not_clone {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Kind {
        A,
    }
}

mod json_field_is_plain {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "json_field_is_plain.X", json = size)]
    #[structural_eq(tree)]
    struct XNode {
        size: Option<i64>,
        #[field(default)]
        items: Array<i64>,
    }
}

mod json_field_of_handle {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "json_field_of_handle.X", json = name)]
    #[structural_eq(tree)]
    struct XNode {
        expr: Option<Expr>,
        name: Str,
    }
}

mod no_default {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone, Default)]
    enum Kind {
        #[default]
        Serial,
    }

    #[derive(Object)]
    #[object(type_key = "no_default.X")]
    struct XNode {
        #[field(default)]
        kind: Kind,
        #[field(default = "none")]
        text: Str,
        #[field(default = Some(Const::new(1)))]
        value: Option<Const>,
    }
}

mod node_as_field {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "node_as_field.X")]
    struct XNode {
        value: Const,
        more: Array<Const>,
    }
}

mod not_a_field_type {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "not_a_field_type.X")]
    struct XNode {
        a: Str,
        b: Array<i64>,
    }
}

mod nullable_once {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "nullable_once.X")]
    #[structural_eq(tree)]
    struct XNode {
        a: Option<i64>,
        b: Array<Any>,
        c: Option<Array<Option<i64>>>,
    }
}

mod opaque_not_clone {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    #[object(type_key = "opaque_not_clone.X", opaque)]
    struct XNode {
        a: String,
    }
}

mod singleton_key_is_text {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "singleton_key_is_text.X")]
    #[structural_eq(singleton, key = id)]
    struct XNode {
        id: object_core::Str,
    }
}
