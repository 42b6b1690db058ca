//! The corrected source of each failing case of the class `field-type`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod skipped_type {
    use std::sync::{Arc, Mutex};

    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "skipped_type.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(skip)]
        file: Arc<Mutex<i64>>,
        #[field(skip)]
        shared: Option<&'static std::fs::File>,
    }
}

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
    #[structural_eq(none)]
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
    #[structural_eq(none)]
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
    #[structural_eq(none)]
    struct XNode {
        a: Str,
        b: Array<i64>,
    }
}

mod first_object {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "first_object.Cons")]
    #[structural_eq(tree)]
    struct ConsNode {
        head: i64,
        tail: Option<Cons>,
        branches: Array<Cons>,
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

mod types_of_std {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "types_of_std.X")]
    #[structural_eq(tree)]
    struct XNode {
        a: Str,
        b: i64,
        c: Array<Any>,
        d: Array<i64>,
        e: Option<X>,
        f: Option<Str>,
        g: Array<i64>,
        h: Map<Str, i64>,
    }
}

mod wrong_arguments {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "wrong_arguments.Expr", base)]
    #[structural_eq(tree)]
    struct ExprNode {}

    #[derive(Object)]
    #[object(type_key = "wrong_arguments.Var", parent = ExprNode)]
    #[structural_eq(tree)]
    struct VarNode {
        base: ExprNode,
    }

    #[derive(Object)]
    #[object(type_key = "wrong_arguments.Call", parent = ExprNode)]
    #[structural_eq(tree)]
    struct CallNode {
        base: ExprNode,
        op: Option<Expr>,
        args: Array<Expr>,
        n: u8,
        table: Map<Str, i64>,
    }

    fn main() {
        let var = Var::new();
        let _ = Call::new(Some(var.clone().into()), [], 0, []);
        let _ = Call::new(None, Array::from([var.clone()]), 0, []);
        let call = Call::new(None, [&var].into_iter(), 0, []);
        assert_eq!(call.table.get("1"), None);
        let exprs: &Array<Expr> = Array::<Expr>::as_ref(&call.args);
        assert_eq!(exprs.len(), 1);
    }
}

mod not_of_std {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "not_of_std.X")]
    #[structural_eq(tree)]
    struct XNode {
        letter: Str,
        large: i64,
        pair: Pair,
        triple: Array<i64>,
        boxed: Option<X>,
        bytes: Bytes,
        table: Map<Str, i64>,
    }

    #[derive(Object)]
    #[object(type_key = "not_of_std.Pair")]
    #[structural_eq(tree)]
    struct PairNode {
        first: i64,
        second: Str,
    }

    /// The names of these handles are names of std.
    #[derive(Object)]
    #[object(type_key = "not_of_std.Box")]
    #[structural_eq(tree)]
    struct BoxNode {
        vec: Vec,
    }

    #[derive(Object)]
    #[object(type_key = "not_of_std.Vec")]
    #[structural_eq(tree)]
    struct VecNode {}
}

mod enum_not_of_std {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Value {
        Size(u32),
        Many(Array<Str>),
    }
}

mod json_field_is_one_value {
    use object_core::prelude::*;
    use ui_tests::*;

    type Name = Str;

    #[derive(Object, Clone)]
    enum Value {
        Number(i64),
        Name(Name),
    }

    #[derive(Object)]
    #[object(type_key = "json_field_is_one_value.X", json = name)]
    #[structural_eq(tree)]
    struct XNode {
        name: Option<Name>,
    }

    #[derive(Object)]
    #[object(type_key = "json_field_is_one_value.Z", json = value)]
    #[structural_eq(tree)]
    struct ZNode {
        value: Value,
    }
}

mod option_of_values {
    use object_core::prelude::*;
    use ui_tests::*;

    type Name = Option<Str>;

    #[derive(Object, Clone)]
    enum Value {
        Number(i64),
        Name(Str),
    }

    #[derive(Object)]
    #[object(type_key = "option_of_values.X")]
    #[structural_eq(tree)]
    struct XNode {
        name: Name,
        value: Option<Value>,
    }
}

mod opaque_not_thread_safe {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    #[object(type_key = "opaque_not_thread_safe.X", opaque)]
    struct XNode {
        lines: std::sync::Arc<str>,
        name: String,
    }
}
