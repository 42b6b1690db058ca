//! The corrected source of each failing case of the class `wrong-place`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod attribute_places {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "attribute_places.X")]
    #[structural_eq(tree)]
    struct XNode {
        #[field(ignore)]
        value: i64,
    }
}

mod base_field_plain {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "base_field_plain.X", parent = ExprNode)]
    #[structural_eq(tree)]
    struct XNode {
        /// Only comments.
        base: ExprNode,
    }
}

mod enum_words {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object, Clone, Copy)]
    #[object(crate = object_core)]
    enum Kind {
        Serial,
    }
}

mod word_of_another_attribute {
    use object_core::prelude::*;
    use ui_tests::*;

    #[derive(Object)]
    #[object(type_key = "word_of_another_attribute.X", base)]
    #[structural_eq(tree)]
    struct XNode {
        #[field(def)]
        value: ObjectRef,
    }
}

mod variant_words {
    use object_core::prelude::*;

    #[derive(Object, Clone)]
    enum Mode {
        Slow,
        #[object(alias = "VeryFast")]
        Fast,
    }
}
