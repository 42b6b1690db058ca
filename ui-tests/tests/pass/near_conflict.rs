//! The corrected source of each failing case of the class `conflict`.
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

mod json_defaults {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "json_defaults.X", json = name)]
    #[structural_eq(tree)]
    struct XNode {
        name: Str,
        #[field(default)]
        level: i64,
        note: Option<Str>,
    }
}

mod json_field_exists {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "json_field_exists.X", json = name)]
    #[structural_eq(none)]
    struct XNode {
        name: Str,
    }
}

mod json_has_effect {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "json_has_effect.X")]
    #[structural_eq(singleton, key = name)]
    struct XNode {
        name: Str,
    }

    #[derive(Object, Clone)]
    #[object(type_key = "json_has_effect.Y", opaque)]
    struct YNode {
        name: Str,
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

mod label_fields_exist {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "label_fields_exist.X", label = "X({name:?})")]
    #[structural_eq(none)]
    struct XNode {
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

mod new_has_effect {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "new_has_effect.Expr", base, new = unchecked)]
    #[structural_eq(tree)]
    struct ExprNode {}

    impl Expr {
        fn new() -> Self {
            Expr::unchecked()
        }
    }

    #[derive(Object)]
    #[object(type_key = "new_has_effect.Int", new = none)]
    #[structural_eq(tree)]
    struct IntNode {}
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

mod skip_alone {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "skip_alone.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(ignore)]
        cache: Option<Str>,
        #[field(skip)]
        count: usize,
        #[field(cache)]
        size: std::sync::Mutex<usize>,
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

mod table_of_nodes {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "table_of_nodes.A")]
    #[structural_eq(singleton, key = name, table = list_a)]
    struct ANode {
        name: Str,
    }

    fn list_a() -> Vec<ANode> {
        vec![ANode { name: "a".into() }]
    }
}

mod new_of_abstract_type {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "new_of_abstract_type.Open", base)]
    struct OpenNode {
        span: i64,
    }

    #[derive(Object)]
    #[object(type_key = "new_of_abstract_type.X", parent = OpenNode, base_args(span: i64))]
    #[structural_eq(tree)]
    struct XNode {
        base: OpenNode,
    }

    fn open() -> Open {
        X::new(1).into()
    }
}

mod new_of_node_struct {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "new_of_node_struct.X")]
    #[structural_eq(tree)]
    struct XNode {
        a: i64,
    }

    fn x() -> X {
        X::new(1)
    }
}

mod handle_name_is_free {
    use object_core::prelude::*;
    use ui_tests::*;

    struct X;

    #[derive(Object)]
    #[object(type_key = "handle_name_is_free.X", handle = XRef)]
    #[structural_eq(tree)]
    struct XNode {
        a: i64,
    }
}

mod own_new {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "own_new.Range", new = unchecked)]
    #[structural_eq(tree)]
    struct RangeNode {
        extent: i64,
    }

    impl Range {
        fn new(extent: i64) -> Option<Range> {
            (extent > 0).then(|| Range::unchecked(extent))
        }
    }
}

mod own_display_and_eq {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "own_display_and_eq.Name", display = none, eq = none)]
    #[structural_eq(tree)]
    struct NameNode {
        text: Str,
    }

    impl std::fmt::Display for Name {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.text)
        }
    }

    impl PartialEq for Name {
        fn eq(&self, other: &Self) -> bool {
            self.text == other.text
        }
    }
}

mod migrations_lead_on {
    use object_core::prelude::*;

    fn step(_: &mut object_core::evolution::OldObject) -> Result<(), Error> {
        Ok(())
    }

    #[derive(Object)]
    #[object(
        type_key = "migrations_lead_on.A",
        version = 4,
        migrate(from = 3, with = step),
        migrate(from = 2, with = step)
    )]
    #[structural_eq(tree)]
    struct ANode {}
}

mod required_of_option {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "required_of_option.A")]
    #[structural_eq(tree)]
    struct ANode {
        #[field(required)]
        first: Option<i64>,
    }
}

mod evolution_of_declared_files {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "evolution_of_declared_files.A", alias = "evolution_of_declared_files.B", files = tvm)]
    #[structural_eq(tree)]
    struct ANode {}
}
