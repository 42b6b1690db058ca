//! The corrected source of each failing case of the class `conflict` about structural comparison.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod eq_has_effect {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "eq_has_effect.Base", base, eq = structural)]
    struct BaseNode {}

    #[derive(Object)]
    #[object(type_key = "eq_has_effect.Var", parent = BaseNode)]
    #[structural_eq(var)]
    struct VarNode {
        base: BaseNode,
    }
}

mod const_tree_binds_nothing {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "const_tree_binds_nothing.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(def)]
        vars: Array<Var>,
    }
}

mod custom_has_effect {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "custom_has_effect.X")]
    #[structural_eq(none)]
    struct XNode {
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "custom_has_effect.Y")]
    #[structural_eq(singleton, key = name)]
    struct YNode {
        name: Str,
    }
}

mod custom_without_hook {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "custom_without_hook.X")]
    #[structural_eq(tree, custom)]
    struct XNode {
        value: i64,
    }

    impl StructuralHook for XNode {
        fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
            contents.add("value", &self.value);
        }
    }
}

mod hook_without_custom {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "hook_without_custom.X")]
    #[structural_eq(dag, custom)]
    struct XNode {}

    impl StructuralHook for XNode {
        fn structural_contents<'a>(&'a self, _: &mut HookContents<'a>) {}
    }
}

mod key_and_table_of_singletons {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "key_and_table_of_singletons.X")]
    #[structural_eq(singleton, key = name, table = all)]
    struct XNode {
        name: Str,
    }

    fn all() -> Vec<XNode> {
        vec![XNode { name: "only".into() }]
    }
}

mod kind_required {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "kind_required.Y")]
    #[structural_eq(singleton, key = name)]
    struct YNode {
        name: Str,
    }
}

mod may_contain_of_content {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "may_contain_of_content.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(may_contain(var))]
        note: Any,
    }
}

mod may_contain_of_open_types {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "may_contain_of_open_types.Base", base, may_contain())]
    struct BaseNode {}

    #[derive(Object, Clone)]
    #[object(type_key = "may_contain_of_open_types.Hidden", opaque, may_contain(dag))]
    struct HiddenNode {
        bytes: Vec<u8>,
    }
}

mod one_kind {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "one_kind.X")]
    #[structural_eq(dag)]
    struct XNode {
        a: i64,
    }
}

mod one_role {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "one_role.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(ignore)]
        a: Var,
        #[field(def_simple)]
        b: Var,
    }
}

mod opaque_compares_nothing {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    #[object(type_key = "opaque_compares_nothing.X", opaque)]
    #[structural_eq(tree, custom)]
    struct XNode {
        number: std::num::NonZeroU64,
    }

    impl StructuralHook for XNode {
        fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
            contents.add_computed("number", self.number.get().cast_signed(), FieldRole::Content);
        }
    }
}

mod opaque_field_words {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    #[object(type_key = "opaque_field_words.X", opaque)]
    struct XNode {
        #[field(default)]
        lines: Vec<String>,
    }
}

mod open_singleton_defaults {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "open_singleton_defaults.X")]
    #[structural_eq(singleton, key = name)]
    struct XNode {
        name: Str,
        #[field(default = 10)]
        level: i64,
        note: Option<Str>,
    }
}

mod export_of_scope {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "export_of_scope.Project")]
    #[structural_eq(tree, scope)]
    struct ProjectNode {
        #[field(outer)]
        input: Expr,
        #[field(def, export)]
        columns: Array<Var>,
    }
}

mod outer_before_def {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "outer_before_def.Let")]
    #[structural_eq(tree)]
    struct LetNode {
        #[field(outer)]
        value: Expr,
        #[field(def)]
        var: Var,
        body: Expr,
    }
}

mod roles_need_comparison {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "roles_need_comparison.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(ignore)]
        name: Str,
        #[field(def_simple)]
        var: Var,
    }

    #[derive(Object)]
    #[object(type_key = "roles_need_comparison.Base", base)]
    struct BaseNode {
        #[field(ignore)]
        span: Option<Str>,
    }
}

mod scope_of_binders {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "scope_of_binders.X")]
    #[structural_eq(dag, scope)]
    struct XNode {
        #[field(def)]
        vars: Array<Var>,
    }
}

mod singleton_key_plain {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "singleton_key_plain.X")]
    #[structural_eq(singleton, key = name)]
    struct XNode {
        #[field(rename = "key")]
        name: Str,
        #[field(ignore, default = 1)]
        level: i64,
    }
}

mod singleton_key_required {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "singleton_key_required.X")]
    #[structural_eq(singleton, key = r#type)]
    struct XNode {
        r#type: Str,
    }
}

mod singleton_without_base_args {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "singleton_without_base_args.X", parent = ExprNode)]
    #[structural_eq(singleton, key = name)]
    struct XNode {
        base: ExprNode,
        name: Str,
    }
}

mod format_of_fields {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_of_fields.X", format = "x $lines")]
    #[structural_eq(tree)]
    struct XNode {
        lines: i64,
    }
}

mod format_fields_exist {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_fields_exist.X", format = "let $name = $value")]
    #[structural_eq(tree)]
    struct XNode {
        name: Str,
        value: i64,
    }
}

mod format_shows_fields_once {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_shows_fields_once.X", format = "$lhs + $rhs")]
    #[structural_eq(tree)]
    struct XNode {
        lhs: i64,
        rhs: i64,
    }
}

mod format_lists {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_lists.X", format = "call $name($($inputs), *)")]
    #[structural_eq(tree)]
    struct XNode {
        name: Str,
        inputs: Array<Any>,
    }
}

mod format_is_complete {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_is_complete.X", format = "let $name $..")]
    #[structural_eq(tree)]
    struct XNode {
        name: Str,
        value: i64,
        note: Option<Str>,
    }
}

mod format_parts_can_be_absent {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_parts_can_be_absent.X", format = "let $name$( = $value)?")]
    #[structural_eq(tree)]
    struct XNode {
        name: Str,
        #[field(default)]
        value: i64,
    }
}

mod operator_words {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "operator_words.X", format = "!$value", precedence = 6)]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "operator_words.Y", format = "-$value", precedence = 1000)]
    #[structural_eq(tree)]
    struct YNode {
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "operator_words.Z", format = "$lhs ^ $rhs", precedence = 8, associativity = right)]
    #[structural_eq(tree)]
    struct ZNode {
        lhs: i64,
        rhs: i64,
    }
}
