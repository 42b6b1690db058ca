//! The corrected source of each failing case of the class `methods`.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::needless_arbitrary_self_type,
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "compiling it is the test"
)]

mod argument_count {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "argument_count.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn many(&self, _: &Array<u8>) {}

        pub fn twelve(&self, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8) {}
    }
}

mod argument_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "argument_form.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn fill(&self, mut other: X) -> X {
            other.make_mut().value = self.value;
            other
        }

        pub fn sum(values: &Array<i64>) -> i64 {
            values.iter().sum()
        }

        pub fn unit() {}
    }
}

mod argument_type {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "argument_type.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn of_node(node: &X) -> i64 {
            node.value
        }

        pub fn of_text(&self, text: &str) -> i64 {
            self.value + text.len() as i64
        }
    }
}

mod block_of_a_handle {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "block_of_a_handle.Plain")]
    #[structural_eq(none)]
    struct PlainNode {}

    #[object_methods]
    impl Plain {
        pub fn one() -> i64 {
            1
        }
    }
}

mod impl_block {
    use object_core::prelude::*;
    use object_core::register_function;

    #[derive(Object)]
    #[object(type_key = "impl_block.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn value(&self) -> i64 {
            self.value
        }
    }

    struct NotABlock {
        value: i64,
    }

    fn function(x: X) -> i64 {
        x.value
    }

    register_function!("impl_block.function"(x) = function);

    trait Valued {
        fn value(&self) -> i64;
    }
}

mod inherent_impl {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "inherent_impl.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    trait Valued {
        fn value(&self) -> i64;
    }

    impl Valued for X {
        fn value(&self) -> i64 {
            self.value
        }
    }

    #[object_methods]
    impl X {
        pub fn value(&self) -> i64 {
            Valued::value(self)
        }
    }
}

mod method_rename_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "method_rename_form.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn a(&self) -> i64 {
            self.value
        }

        #[method(rename = "two_words")]
        pub fn b(&self) -> i64 {
            self.value
        }
    }
}

mod method_words {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "method_words.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods(crate = object_core)]
    impl X {
        #[method(skip)]
        pub fn a(&self) {}

        #[method(rename = "other")]
        pub fn b(&self) {}

        pub fn c(&self) {}

        #[method(rename = "name")]
        pub fn g(&self) {}
    }

    #[object_methods(crate = ::object_core)]
    impl Y {
        pub fn a(&self) {}
    }

    #[derive(Object)]
    #[object(type_key = "method_words.Y")]
    #[structural_eq(none)]
    struct YNode {}
}

mod methods_of_handles {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "methods_of_handles.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn twice(&self) -> i64 {
            2 * self.value
        }
    }
}

mod no_generic_functions {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "no_generic_functions.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn convert(&self) -> Any {
            self.value.into()
        }

        #[method(skip)]
        pub fn repeat<const N: usize>(&self) -> Array<i64> {
            [self.value; N].into()
        }

        pub fn plus(&self, other: i64) -> i64 {
            self.value + other
        }
    }
}

mod no_generic_impl {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "no_generic_impl.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    struct Of<T>(T);

    impl<T: Clone> Of<T> {
        pub fn value(&self) -> T {
            self.0.clone()
        }
    }

    #[object_methods]
    impl X {
        pub fn value(&self) -> i64 {
            Of(self.value).value()
        }
    }
}

mod one_block {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "one_block.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn a(&self) {}

        pub fn b(&self) {}
    }
}

mod plain_functions {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "plain_functions.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        #[method(skip)]
        pub async fn later(&self) -> i64 {
            self.now()
        }

        /// # Safety
        /// None.
        #[method(skip)]
        pub unsafe fn unchecked(&self) -> i64 {
            self.now()
        }

        pub fn now(&self) -> i64 {
            self.value
        }
    }
}

mod receiver_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "receiver_form.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn with_value(&self, value: i64) -> X {
            let mut changed = self.clone();
            changed.make_mut().value = value;
            changed
        }

        pub fn boxed(self) -> i64 {
            self.value
        }

        #[method(skip)]
        pub fn spelled_out(self: &mut Self) {}

        pub fn fine(self: &Self) {}
    }
}

mod registers_something {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "registers_something.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn public(&self) -> i64 {
            self.value
        }

        #[method(skip)]
        pub fn skipped(&self) -> i64 {
            self.value
        }
    }
}

mod result_form {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "result_form.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn values(&self) -> Array<i64> {
            Array::new([])
        }

        #[method(skip)]
        pub fn all(&self) -> impl Iterator<Item = i64> {
            [self.value].into_iter()
        }
    }
}

mod result_type {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "result_type.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn text(&self) -> Str {
            self.value.to_string().into()
        }

        pub fn small(&self) -> Result<u8, Error> {
            Any::from(self.value).cast()
        }

        pub fn node(&self) -> &X {
            self
        }
    }
}

mod unique_method_names {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "unique_method_names.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        pub fn value(&self) -> i64 {
            self.value
        }

        #[method(rename = "negated")]
        pub fn other(&self) -> i64 {
            -self.value
        }
    }
}

mod words_have_effect {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "words_have_effect.X")]
    #[structural_eq(tree)]
    struct XNode {
        value: i64,
    }

    #[object_methods]
    impl X {
        #[method(rename = "open")]
        pub fn public(&self) -> i64 {
            self.value
        }

        #[method(skip)]
        pub fn skipped(&self) -> i64 {
            self.public()
        }

        pub const ONE: i64 = 1;

        pub fn value(&self) -> i64 {
            self.value
        }
    }
}

pub(super) fn main() {
    let mut types = object_core::registry::types().expect("all types have keys of their own");
    types.retain(|info| info.location().0 == file!());
    assert!(!types.is_empty(), "the types of this file are collected");
    for info in types {
        let methods = info.methods().expect("all methods have names of their own");
        assert!(!methods.is_empty(), "no methods of `{}`", info.type_key());
    }
    object_core::function::get("impl_block.function").expect("it is declared above");
}
