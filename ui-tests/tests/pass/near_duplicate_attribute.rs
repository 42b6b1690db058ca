//! The corrected source of each failing case of the class `duplicate-attribute`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod base_args_unique {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_args_unique.X", parent = VarNode, base_args(name: Str))]
    #[structural_eq(var)]
    struct XNode {
        base: VarNode,
        dtype: DataType,
    }
}

mod enum_types_differ {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Offset {
        Bytes(i64),
        Symbolic(Expr),
    }
}

mod unique_names {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "unique_names.X")]
    #[structural_eq(none)]
    struct XNode {
        a: i64,
        #[field(rename = "b")]
        c: i64,
    }
}

mod value_determines_variant {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    enum Term {
        Variable(Var),
        Any(Expr),
    }

    #[derive(Object, Clone)]
    enum Number {
        Long(i64),
        Double(f64),
    }

    #[derive(Object, Clone)]
    enum Many {
        Expressions(Array<Expr>),
        Variable(Option<Var>),
        Constant(Const),
        Number(Number),
        Object(ObjectRef),
        Other(Any),
    }
}

mod word_twice {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "word_twice.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(meta(a = "1", b = "2"))]
        #[field(ignore)]
        a: i64,
    }
}

mod derive_once {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "derive_once.X")]
    #[structural_eq(tree)]
    struct XNode {
        a: i64,
    }
}

mod derive_once_in_a_list {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone)]
    #[object(type_key = "derive_once_in_a_list.X")]
    #[structural_eq(tree)]
    struct XNode {
        a: i64,
    }
}

mod old_names_are_free {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "old_names_are_free.A", alias = "old_names_are_free.B", removed("third"))]
    #[structural_eq(tree)]
    struct ANode {
        first: i64,
        #[field(alias = "old", alias = "older")]
        second: i64,
    }
}

mod variant_aliases_are_free {
    use object_core::prelude::*;

    #[derive(Object, Clone)]
    enum Mode {
        #[object(alias = "Sluggish")]
        Slow,
        #[object(alias = "Quick")]
        #[object(alias = "Rapid")]
        Fast,
    }
}
