const _: () = {
    use ::object_core::private as __object;
    #[automatically_derived]
    unsafe impl ::object_core::FieldType for PrimValue {
        const STORAGE: ::object_core::object::Storage = ::object_core::object::Storage::Other;
        const HOLDS: __object::Holds = __object::Holds::Either(
            &<i64 as ::object_core::FieldType>::HOLDS,
            &__object::Holds::Either(
                &<PrimExpr as ::object_core::FieldType>::HOLDS,
                &__object::Holds::Plain,
            ),
        );
        fn view(&self) -> ::object_core::AnyView<'_> {
            match self {
                PrimValue::Int(value) => <i64 as ::object_core::FieldType>::view(value),
                PrimValue::Symbolic(value) => {
                    <PrimExpr as ::object_core::FieldType>::view(value)
                }
            }
        }
        fn into_any(self) -> ::object_core::Any {
            match self {
                PrimValue::Int(value) => {
                    <i64 as ::object_core::FieldType>::into_any(value)
                }
                PrimValue::Symbolic(value) => {
                    <PrimExpr as ::object_core::FieldType>::into_any(value)
                }
            }
        }
        fn from_any(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, ::object_core::Error> {
            if <i64 as ::object_core::FieldType>::accepts(value.view()) {
                return <i64 as ::object_core::FieldType>::from_any(value)
                    .map(PrimValue::Int);
            }
            if <PrimExpr as ::object_core::FieldType>::accepts(value.view()) {
                return <PrimExpr as ::object_core::FieldType>::from_any(value)
                    .map(PrimValue::Symbolic);
            }
            ::core::result::Result::Err(
                __object::no_variant(&Self::schema(), value.view()),
            )
        }
        fn accepts(value: ::object_core::AnyView<'_>) -> bool {
            <i64 as ::object_core::FieldType>::accepts(value)
                || <PrimExpr as ::object_core::FieldType>::accepts(value)
        }
        fn accepts_type(info: &__object::TypeInfo) -> bool {
            <i64 as ::object_core::FieldType>::accepts_type(info)
                || <PrimExpr as ::object_core::FieldType>::accepts_type(info)
        }
        fn schema() -> __object::TypeSchema {
            __object::variant_schema([
                <i64 as ::object_core::FieldType>::schema(),
                <PrimExpr as ::object_core::FieldType>::schema(),
            ])
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<PrimValue> for ::object_core::Any {
        fn from(value: PrimValue) -> Self {
            ::object_core::FieldType::into_any(value)
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::Any> for PrimValue {
        type Error = ::object_core::Error;
        fn try_from(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, Self::Error> {
            <Self as ::object_core::FieldType>::from_any(value)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<i64> for PrimValue {
        fn from(value: i64) -> Self {
            PrimValue::Int(value)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<PrimExpr> for PrimValue {
        fn from(value: PrimExpr) -> Self {
            PrimValue::Symbolic(value)
        }
    }
};
