//! The corrected source of each failing case of the class `hierarchy`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod eq_of_parent {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "eq_of_parent.Type", base, eq = structural)]
    struct TypeNode {}

    #[derive(Object)]
    #[object(type_key = "eq_of_parent.X", parent = TypeNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: TypeNode,
    }
}

mod base_arg_names {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_arg_names.Binary", base)]
    struct BinaryNode {
        lhs: i64,
        r#type: i64,
    }

    #[derive(Object)]
    #[object(type_key = "base_arg_names.Sub", parent = BinaryNode, base_args(lhs: i64, r#type: i64))]
    #[structural_eq(tree)]
    struct SubNode {
        base: BinaryNode,
    }
}

mod base_args_fit {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_args_fit.X", parent = VarNode, base_args(name: Str))]
    #[structural_eq(var)]
    struct XNode {
        base: VarNode,
    }

    #[derive(Object)]
    #[object(type_key = "base_args_fit.Y", parent = ExprNode)]
    #[structural_eq(tree)]
    struct YNode {
        base: ExprNode,
    }
}

mod base_args_need_parent {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_args_need_parent.X")]
    #[structural_eq(none)]
    struct XNode {
        name: Str,
    }
}

mod base_field_first {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_field_first.X", parent = ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
        a: i64,
    }
}

mod base_field_required {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_field_required.X", parent = ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
    }
}

mod base_field_same_type {
    use object_core::prelude::*;
    use ui_tests::*;

    use ui_tests::ExprNode as OtherNode;

    #[derive(Object)]
    #[object(type_key = "base_field_same_type.X", parent = OtherNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: OtherNode,
    }
}

mod base_field_type {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_field_type.X", parent = ui_tests::ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
    }
}

mod inherited_json_field {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "inherited_json_field.X", parent = ExprNode, json = span)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
    }
}

mod inherited_label_field {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "inherited_label_field.X", parent = ExprNode, label = "X({span})")]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
    }

    #[derive(Object)]
    #[object(type_key = "inherited_label_field.Pair", label = "{left.span} {text:?}")]
    #[structural_eq(tree)]
    struct PairNode {
        left: X,
        text: Str,
    }
}

mod inherited_name {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "inherited_name.X", parent = VarNode, base_args(name: Str))]
    #[structural_eq(var)]
    struct XNode {
        base: VarNode,
        #[field(rename = "span_of_x")]
        span: i64,
    }
}

mod kind_of_parent {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "kind_of_parent.X", parent = VarNode, base_args(name: Str))]
    #[structural_eq(var)]
    struct XNode {
        base: VarNode,
    }

    #[derive(Object)]
    #[object(type_key = "kind_of_parent.Y", parent = ExprNode)]
    #[structural_eq(dag)]
    struct YNode {
        base: ExprNode,
    }
}

mod not_a_child {
    use object_core::prelude::*;
    use ui_tests::*;

    fn upcast(value: Const) -> Expr {
        value.into()
    }

    const _: fn(Const) -> Expr = upcast;
}

mod opaque_parent {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    #[object(type_key = "opaque_parent.Hidden", base, opaque)]
    struct HiddenNode {
        bytes: Vec<u8>,
    }

    #[derive(Object, Clone)]
    #[object(type_key = "opaque_parent.X", parent = HiddenNode, base_args(bytes: Vec<u8>), opaque)]
    #[structural_eq(none)]
    struct XNode {
        base: HiddenNode,
        a: i64,
    }
}

mod parent_is_a_node_struct {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_is_a_node_struct.X", parent = ui_tests::ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: ui_tests::ExprNode,
    }
}

mod parent_is_another_type {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_is_another_type.X", base)]
    struct XNode {}
}

mod setters_of_bases {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "setters_of_bases.Expr", base, setters = ExprSetters)]
    struct ExprNode {
        pub required: i64,
        #[field(default)]
        pub visible: i64,
    }
}

mod parent_has_display {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "parent_has_display.Expr", base, display = none)]
    struct ExprNode {}

    impl std::fmt::Display for Expr {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an expression")
        }
    }

    #[derive(Object)]
    #[object(type_key = "parent_has_display.X", parent = ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
    }
}

mod parent_is_base {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_is_base.X", parent = VarNode, base_args(name: Str))]
    #[structural_eq(var)]
    struct XNode {
        base: VarNode,
    }
}

mod parent_is_named {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_is_named.X")]
    #[structural_eq(none)]
    struct XNode {
        base: Expr,
    }
}

mod parent_is_no_object {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_is_no_object.Plain", base)]
    struct PlainNode {}

    #[derive(Object)]
    #[object(type_key = "parent_is_no_object.X", parent = PlainNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: PlainNode,
    }
}

mod parent_visibility {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_visibility.Base", base)]
    struct BaseNode {}

    #[derive(Object)]
    #[object(type_key = "parent_visibility.X", parent = BaseNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: BaseNode,
    }
}

mod parent_is_unknown {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "parent_is_unknown.X", parent = ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
    }
}

mod inherited_key {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "inherited_key.X", parent = FuncNode)]
    #[structural_eq(singleton, table = list)]
    struct XNode {
        base: FuncNode,
    }

    fn list() -> Vec<XNode> {
        vec![XNode { base: FuncNode { name: "inherited".into(), arity: 0 } }]
    }
}
