//! The corrected source of each failing case of the class `malformed`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod eq_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "eq_form.X", eq = structural)]
    #[structural_eq(tree)]
    struct XNode {}

    #[derive(Object)]
    #[object(type_key = "eq_form.Y", eq = none)]
    #[structural_eq(tree)]
    struct YNode {}
}

mod base_args_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_args_form.X", parent = VarNode, base_args(name: Str,))]
    #[structural_eq(var)]
    struct XNode {
        base: VarNode,
    }
}

mod display_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "display_form.X", display = none)]
    #[structural_eq(tree)]
    struct XNode {}
}

mod enum_not_recursive {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Attr {
        Number(i64),
        Text(Str),
        List(Array<AnyAttr>),
    }

    #[derive(Object)]
    #[object(type_key = "enum_not_recursive.AnyAttr")]
    #[structural_eq(tree)]
    struct AnyAttrNode {
        attr: Attr,
    }
}

mod enum_variants {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Value {
        Int(i64),
        Pair(Pair),
    }

    #[derive(Object)]
    #[object(type_key = "enum_variants.Pair")]
    #[structural_eq(tree)]
    struct PairNode {
        first: Str,
        second: Str,
    }

    #[derive(Object, Clone)]
    enum Sign {
        Plus,
        Minus = -1,
    }
}

mod handle_name {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "handle_name.Same", handle = SameRef)]
    #[structural_eq(none)]
    struct Same {}
}

mod label_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "label_form.X", label = "X({name}, {name:?})")]
    #[structural_eq(none)]
    struct XNode {
        name: Str,
    }
}

mod may_contain_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "may_contain_form.Base", base, may_contain(var, dag,))]
    struct BaseNode {
        #[field(may_contain())]
        a: Any,
    }
}

mod meta_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "meta_form.X")]
    #[structural_eq(none)]
    struct XNode {
        #[field(meta(unit = "bytes", a::b = "c"))]
        a: i64,
    }
}

mod missing_comma {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "missing_comma.X", base)]
    struct XNode {}
}

mod named_fields {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "named_fields.X")]
    #[structural_eq(none)]
    struct XNode {}
}

mod no_generics {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "no_generics.X")]
    #[structural_eq(none)]
    struct XNode {
        value: Any,
        object: Option<ObjectRef>,
    }
}

mod no_unions {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Value {
        Int(i64),
        Float(f64),
    }
}

mod not_a_list {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "not_a_list.X")]
    #[structural_eq(tree)]
    struct XNode {}
}

mod not_packed {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "not_packed.X")]
    #[repr(C, align(16))]
    #[structural_eq(none)]
    struct XNode {
        a: bool,
    }
}

mod rename_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "rename_form.X")]
    #[structural_eq(none)]
    struct XNode {
        #[field(rename = "__dict__")]
        a: i64,
    }
}

mod type_key_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "type_key_form.x.Y_2")]
    #[structural_eq(none)]
    struct XNode {}
}

mod type_key_required {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "type_key_required.X")]
    #[structural_eq(none)]
    struct XNode {}
}

mod word_form {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "word_form.X", parent = ExprNode, handle = Handle)]
    #[structural_eq(tree)]
    struct XNode {
        base: ExprNode,
        #[field(ignore, rename = "v", default = 1, meta(unit = "s"))]
        value: i64,
    }
}

mod node_limits {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "node_limits.Few")]
    #[structural_eq(tree)]
    struct FewNode {
        flags: Array<bool>,
    }

    #[derive(Object, Clone)]
    #[object(type_key = "node_limits.Aligned", opaque)]
    struct AlignedNode {
        data: Box<Wide>,
    }

    #[derive(Clone)]
    #[repr(align(32))]
    struct Wide(i64);
}

mod version_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "version_form.A", version = 1)]
    #[structural_eq(tree)]
    struct ANode {}
}

mod migrate_form {
    use object_core::prelude::*;

    fn step(_: &mut object_core::evolution::OldObject) -> Result<(), Error> {
        Ok(())
    }

    #[derive(Object)]
    #[object(type_key = "migrate_form.A", version = 2, migrate(from = 1, with = step))]
    #[structural_eq(tree)]
    struct ANode {}
}

mod removed_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "removed_form.A", removed("hint"))]
    #[structural_eq(tree)]
    struct ANode {}
}

mod files_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "files_form.A", files = tvm)]
    #[structural_eq(tree)]
    struct ANode {}
}

mod alias_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "alias_form.A", alias = "alias_form.OldA", removed("old_name"))]
    #[structural_eq(tree)]
    struct ANode {
        #[field(alias = "_1st")]
        first: i64,
    }
}

mod format_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "format_form.X", format = "let $name = $value")]
    #[structural_eq(tree)]
    struct XNode {
        name: Str,
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "format_form.Y", format = "block $($items), * end")]
    #[structural_eq(tree)]
    struct YNode {
        items: Array<Str>,
    }
}

mod range_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "range_form.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(range = 0..=64)]
        bits: i64,
        #[field(len = 1..=2)]
        names: Array<Str>,
    }
}

mod one_of_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "one_of_form.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(one_of = ["add", "sub"])]
        op: Str,
        #[field(one_of = [-1, 1])]
        code: i64,
    }
}

mod same_len_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "same_len_form.X", same_len(params, args))]
    #[structural_eq(tree)]
    struct XNode {
        params: Array<Str>,
        args: Array<i64>,
    }
}
