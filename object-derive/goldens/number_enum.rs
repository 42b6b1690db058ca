const _: () = {
    use ::object_core::private as __object;
    const __OBJECT_VARIANTS: [(&str, i64); 2usize] = [
        ("Serial", ForKind::Serial {} as i64),
        ("Parallel", ForKind::Parallel {} as i64),
    ];
    fn __object_number(value: &ForKind) -> i64 {
        match value {
            ForKind::Serial { .. } => ForKind::Serial {} as i64,
            ForKind::Parallel { .. } => ForKind::Parallel {} as i64,
        }
    }
    fn __object_variant(
        value: ::object_core::AnyView<'_>,
    ) -> ::core::result::Result<ForKind, ::object_core::Error> {
        match __object::variant_index("ForKind", &__OBJECT_VARIANTS, value) {
            ::core::result::Result::Ok(0usize) => {
                ::core::result::Result::Ok(ForKind::Serial {})
            }
            ::core::result::Result::Ok(1usize) => {
                ::core::result::Result::Ok(ForKind::Parallel {})
            }
            ::core::result::Result::Ok(_) => ::core::unreachable!(),
            ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
        }
    }
    #[automatically_derived]
    unsafe impl ::object_core::FieldType for ForKind {
        const STORAGE: ::object_core::object::Storage = ::object_core::object::Storage::Other;
        const HOLDS: __object::Holds = __object::Holds::Plain;
        fn view(&self) -> ::object_core::AnyView<'_> {
            ::object_core::AnyView::Int(__object_number(self))
        }
        fn from_any(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, ::object_core::Error> {
            __object_variant(value.view())
        }
        fn accepts(value: ::object_core::AnyView<'_>) -> bool {
            __object_variant(value).is_ok()
        }
        fn schema() -> __object::TypeSchema {
            __object::TypeSchema::leaf("int")
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<ForKind> for ::object_core::Any {
        fn from(value: ForKind) -> Self {
            ::object_core::Any::Int(__object_number(&value))
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::Any> for ForKind {
        type Error = ::object_core::Error;
        fn try_from(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, Self::Error> {
            __object_variant(value.view())
        }
    }
};
