//! The corrected source of each failing case of the class `conflict` about the values of fields.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod value_words_fit_types {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "value_words_fit_types.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(len = 1..)]
        name: Str,
        #[field(range = 1..)]
        count: i64,
        #[field(one_of = [1, 255])]
        byte: u8,
        #[field(one_of = ["add", "sub"])]
        op: Option<Str>,
        #[field(one_of = [1, 0.5])]
        weight: f64,
    }
}

mod ranges_have_values {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "ranges_have_values.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(range = 0..64)]
        bits: i64,
        #[field(range = 1.0..=1.0)]
        weight: f64,
        #[field(range = ..=255)]
        byte: u8,
        #[field(range = -9223372036854775808..=-1)]
        size: i64,
        #[field(len = 0..)]
        name: Str,
    }
}

mod defaults_are_allowed {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "defaults_are_allowed.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(range = 1..=64, default = 64)]
        bits: i64,
        #[field(one_of = ["add", "sub"], default = "sub")]
        op: Str,
        #[field(one_of = [1.0, 2.0], default = 2.0)]
        weight: f64,
        #[field(len = ..=2, default)]
        names: Array<Str>,
        #[field(len = 1.., default)]
        others: Option<Array<Str>>,
    }
}

mod same_len_fields {
    use object_core::prelude::*;

    #[derive(Object)]
    #[allow(clippy::duplicated_attributes, reason = "fields stand in several groups")]
    #[object(type_key = "same_len_fields.X", same_len(params, args, shape), same_len(params, args))]
    #[structural_eq(tree)]
    struct XNode {
        params: Array<Str>,
        args: Map<Str, i64>,
        shape: Option<Shape>,
    }
}

mod checks_of_singletons {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "checks_of_singletons.Op")]
    #[structural_eq(singleton, key = name)]
    struct OpNode {
        name: Str,
    }
}

mod same_len_has_lengths {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "same_len_has_lengths.Base", base)]
    pub struct BaseNode {
        pub names: Array<Str>,
    }

    #[derive(Object)]
    #[object(type_key = "same_len_has_lengths.X", parent = BaseNode, base_args(names: Array<Str>), same_len(names, args))]
    #[structural_eq(tree)]
    struct XNode {
        base: BaseNode,
        args: Array<i64>,
    }
}
