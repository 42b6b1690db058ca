///The handle of [`OpNode`]: a counted pointer to it.
#[repr(transparent)]
pub struct Op(::object_core::private::Pointer<OpNode>);
const _: () = {
    use ::object_core::private as __object;
    static __OBJECT_INFO: __object::TypeInfo = __object::type_info::<
        OpNode,
    >(__object::TypeSpec {
        type_key: "demo.Op",
        doc: "",
        location: (::core::file!(), ::core::line!()),
        kind: __object::SEqHashKind::UniqueInstance,
        label: ::core::option::Option::None,
        json: __object::JsonForm::Field(
            __object::field_index(<OpNode as ::object_core::Object>::FIELDS, "name"),
        ),
        is_base: false,
        is_abstract: false,
        hooks: ::core::option::Option::None,
        singleton: ::core::option::Option::Some(
            __object::singleton(
                __object::field_index(<OpNode as ::object_core::Object>::FIELDS, "name"),
                |key| __OBJECT_SINGLETONS.get_any(key),
            ),
        ),
    });
    #[automatically_derived]
    unsafe impl ::object_core::Object for OpNode {
        type Handle = Op;
        const TYPE_INFO: &'static __object::TypeInfo = &__OBJECT_INFO;
        const FIELDS: &'static [__object::FieldInfo] = &[
            unsafe {
                __object::FieldInfo::new::<
                    Str,
                >("name", ::core::mem::offset_of!(OpNode, name))
            },
            unsafe {
                __object::FieldInfo::new::<
                    i64,
                >("level", ::core::mem::offset_of!(OpNode, level))
            }
                .with_default(|| <i64 as ::object_core::FieldType>::into_any(10)),
        ];
        const ANCESTORS: &'static [__object::Ancestor] = &[];
        const FINAL: bool = true;
    }
    #[automatically_derived]
    unsafe impl ::object_core::ObjectHandle for Op {
        const HOLDS: __object::Holds = __object::Holds::objects(&__OBJECT_INFO);
        fn accepts_object(object: __object::ObjectView<'_>) -> bool {
            object.is_instance(&__OBJECT_INFO)
        }
        fn accepts_type_info(info: &__object::TypeInfo) -> bool {
            info.is_or_extends(&__OBJECT_INFO)
        }
        fn handle_schema() -> __object::TypeSchema {
            __object::TypeSchema::leaf("demo.Op")
        }
    }
    #[automatically_derived]
    unsafe impl ::object_core::TypedHandle for Op {
        type Node = OpNode;
    }
    #[automatically_derived]
    impl ::core::clone::Clone for Op {
        #[inline]
        fn clone(&self) -> Self {
            Op(::core::clone::Clone::clone(&self.0))
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for Op {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Display for Op {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for Op {
        type Target = OpNode;
        #[inline]
        fn deref(&self) -> &OpNode {
            __object::node_of(self)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Op> for ::object_core::ObjectRef {
        fn from(handle: Op) -> Self {
            ::object_core::ObjectHandle::into_object(handle)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Op> for ::object_core::Any {
        fn from(handle: Op) -> Self {
            ::object_core::Any::Object(::object_core::ObjectHandle::into_object(handle))
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::ObjectRef> for Op {
        type Error = ::object_core::Error;
        fn try_from(
            object: ::object_core::ObjectRef,
        ) -> ::core::result::Result<Self, Self::Error> {
            __object::try_from_object(object)
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::Any> for Op {
        type Error = ::object_core::Error;
        fn try_from(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, Self::Error> {
            <Self as ::object_core::FieldType>::from_any(value)
        }
    }
    static __OBJECT_SINGLETONS: __object::Singletons<Op> = __object::open_singletons(|
        __object_key|
    OpNode {
        name: __object_key,
        level: 10,
    });
    #[automatically_derived]
    impl Op {
        ///The instance with the given key, made on first use.
        ///
        /// # Errors
        ///None: every key has an instance.
        pub fn get(key: &str) -> ::core::result::Result<Self, ::object_core::Error> {
            __OBJECT_SINGLETONS.get(key)
        }
    }
    const _: () = {
        __object::content::<OpNode>("OpNode", 0usize);
    };
    const _: () = ::core::assert!(
        { use __object::NoHook as _; ! __object::Hooked:: < OpNode > ::IS_HOOKED },
        "`OpNode` implements `StructuralHook`, but nothing calls it\nhelp: write `#[structural_eq(tree, custom)]`"
    );
    ::object_core::__submit!(& __OBJECT_INFO);
};
