//! The corrected source of each failing case of the class `contents`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod const_tree_contents {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "const_tree_contents.Scale")]
    #[structural_eq(const_tree)]
    struct ScaleNode {
        inner: Array<Middle>,
        #[field(may_contain())]
        any: Map<Str, Any>,
        #[field(ignore)]
        open: Option<Expr>,
        value: Option<Value>,
        next: Option<Scale>,
        op: Option<Op>,
        mode: Mode,
        sum: Array<Sum>,
    }

    #[derive(Object, Clone)]
    enum Mode {
        Fast,
    }

    #[derive(Object, Clone)]
    enum Sum {
        Mode(Mode),
        Scale(Scale),
    }

    /// Recursive by way of another type.
    #[derive(Object)]
    #[object(type_key = "const_tree_contents.Middle")]
    #[structural_eq(tree)]
    struct MiddleNode {
        next: Option<Middle>,
        back: Array<Scale>,
        #[field(ignore)]
        var: Option<Var>,
    }

    #[derive(Object)]
    #[object(type_key = "const_tree_contents.Value", base, may_contain())]
    struct ValueNode {}

    #[derive(Object)]
    #[object(type_key = "const_tree_contents.Pair", parent = ValueNode)]
    #[structural_eq(tree)]
    struct PairNode {
        base: ValueNode,
        a: Value,
        b: Option<Pair>,
    }

    #[derive(Object)]
    #[object(type_key = "const_tree_contents.Op", base)]
    #[structural_eq(singleton, key = name)]
    struct OpNode {
        name: Str,
        #[field(default)]
        attr: Any,
    }
}

mod kind_declared {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "kind_declared.X")]
    #[structural_eq(none)]
    struct XNode {
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "kind_declared.Expr", base)]
    struct ExprNode {}

    #[derive(Object)]
    #[object(type_key = "kind_declared.Add", parent = ExprNode)]
    #[structural_eq(tree)]
    struct AddNode {
        base: ExprNode,
    }
}

mod def_needs_variables {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "def_needs_variables.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(def)]
        by_key: Map<Str, Option<Var>>,
        #[field(def_simple)]
        open: Expr,
        #[field(def)]
        nested: Array<Pattern>,
        #[field(def, may_contain(var))]
        by_word: Option<Const>,
    }

    #[derive(Object)]
    #[object(type_key = "def_needs_variables.Pattern")]
    #[structural_eq(tree)]
    struct PatternNode {
        parts: Array<Pattern>,
        name: Option<Var>,
    }
}

mod export_needs_variables {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "export_needs_variables.Module")]
    #[structural_eq(tree, scope)]
    struct ModuleNode {
        #[field(def)]
        names: Array<Var>,
        #[field(export)]
        members: Array<Expr>,
        number: i64,
    }
}

mod may_contain_is_kept {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "may_contain_is_kept.Attrs", base, may_contain(dag))]
    struct AttrsNode {}

    #[derive(Object)]
    #[object(type_key = "may_contain_is_kept.CallAttrs", parent = AttrsNode, base, may_contain())]
    #[structural_eq(tree)]
    struct CallAttrsNode {
        base: AttrsNode,
        #[field(may_contain())]
        callee: Expr,
        #[field(ignore)]
        more: Option<Attrs>,
    }

    #[derive(Object)]
    #[object(type_key = "may_contain_is_kept.Block", parent = AttrsNode)]
    #[structural_eq(dag)]
    struct BlockNode {
        base: AttrsNode,
        inner: Array<Attrs>,
    }
}

mod uncomparable_content {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "uncomparable_content.Source")]
    #[structural_eq(none)]
    struct SourceNode {
        text: Str,
    }

    #[derive(Object)]
    #[object(type_key = "uncomparable_content.Origin", base)]
    struct OriginNode {}

    #[derive(Object)]
    #[object(type_key = "uncomparable_content.Module")]
    #[structural_eq(tree)]
    struct ModuleNode {
        name: Str,
        #[field(ignore)]
        source: Source,
        #[field(may_contain(var, dag, none))]
        others: Map<Str, Source>,
        origin: Option<Origin>,
    }
}

mod use_before_def {
    use object_core::prelude::*;
    use ui_tests::*;

    /// Not a parameter, so no parameter is one.
    #[derive(Object)]
    #[object(type_key = "use_before_def.Symbol")]
    #[structural_eq(var)]
    struct SymbolNode {
        name: Str,
    }

    #[derive(Object)]
    #[object(type_key = "use_before_def.Param")]
    #[structural_eq(var)]
    struct ParamNode {
        #[field(ignore)]
        name: Str,
    }

    #[derive(Object)]
    #[object(type_key = "use_before_def.Module")]
    #[structural_eq(tree)]
    struct ModuleNode {
        symbol: Symbol,
        #[field(def)]
        params: Array<Param>,
    }

    #[derive(Object)]
    #[object(type_key = "use_before_def.Lambda")]
    #[structural_eq(tree)]
    struct LambdaNode {
        is_pure: bool,
        name: Str,
        #[field(def)]
        params: Array<Var>,
        body: Expr,
    }
}
