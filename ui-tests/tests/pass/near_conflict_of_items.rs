//! The corrected source of each failing case of the class `conflict` about JSON, constructors and handles.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

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

mod label_fields_exist {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "label_fields_exist.X", label = "X({name:?})")]
    #[structural_eq(none)]
    struct XNode {
        name: Str,
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
