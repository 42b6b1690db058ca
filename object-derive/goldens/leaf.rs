/// A number.
///
///The handle of [`IntNode`]: a counted pointer to it.
#[repr(transparent)]
pub struct Int(::object_core::private::Pointer<IntNode>);
const _: () = {
    use ::object_core::private as __object;
    static __OBJECT_INFO: __object::TypeInfo = __object::type_info::<
        IntNode,
    >(__object::TypeSpec {
        type_key: "demo.Int",
        doc: "A number.",
        location: (::core::file!(), ::core::line!()),
        kind: __object::SEqHashKind::TreeNode,
        label: ::core::option::Option::None,
        json: __object::JsonForm::Fields,
        is_base: false,
        is_abstract: false,
        hooks: ::core::option::Option::None,
        singleton: ::core::option::Option::None,
    });
    #[automatically_derived]
    unsafe impl ::object_core::Object for IntNode {
        type Handle = Int;
        const TYPE_INFO: &'static __object::TypeInfo = &__OBJECT_INFO;
        const FIELDS: &'static [__object::FieldInfo] = &[
            unsafe {
                __object::FieldInfo::new::<
                    i64,
                >("value", ::core::mem::offset_of!(IntNode, value))
            },
        ];
        const ANCESTORS: &'static [__object::Ancestor] = &[];
        const FINAL: bool = true;
    }
    #[automatically_derived]
    unsafe impl ::object_core::ObjectHandle for Int {
        const HOLDS: __object::Holds = __object::Holds::objects(&__OBJECT_INFO);
        fn accepts_object(object: __object::ObjectView<'_>) -> bool {
            object.is_instance(&__OBJECT_INFO)
        }
        fn accepts_type_info(info: &__object::TypeInfo) -> bool {
            info.is_or_extends(&__OBJECT_INFO)
        }
        fn handle_schema() -> __object::TypeSchema {
            __object::TypeSchema::leaf("demo.Int")
        }
    }
    #[automatically_derived]
    unsafe impl ::object_core::TypedHandle for Int {
        type Node = IntNode;
    }
    #[automatically_derived]
    impl ::object_core::object::MakeMut for Int {}
    #[automatically_derived]
    impl ::core::clone::Clone for Int {
        #[inline]
        fn clone(&self) -> Self {
            Int(::core::clone::Clone::clone(&self.0))
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for Int {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Display for Int {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for Int {
        type Target = IntNode;
        #[inline]
        fn deref(&self) -> &IntNode {
            __object::node_of(self)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<IntNode> for Int {
        fn from(node: IntNode) -> Self {
            __object::new_object(node)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Int> for ::object_core::ObjectRef {
        fn from(handle: Int) -> Self {
            ::object_core::ObjectHandle::into_object(handle)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Int> for ::object_core::Any {
        fn from(handle: Int) -> Self {
            ::object_core::Any::Object(::object_core::ObjectHandle::into_object(handle))
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::ObjectRef> for Int {
        type Error = ::object_core::Error;
        fn try_from(
            object: ::object_core::ObjectRef,
        ) -> ::core::result::Result<Self, Self::Error> {
            __object::try_from_object(object)
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::Any> for Int {
        type Error = ::object_core::Error;
        fn try_from(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, Self::Error> {
            <Self as ::object_core::FieldType>::from_any(value)
        }
    }
    #[automatically_derived]
    impl Int {
        /// A new object. The arguments are the required fields, in the order of their declaration.
        #[must_use]
        pub fn new(value: impl ::core::convert::Into<i64>) -> Self {
            __object::new_object(IntNode {
                value: ::core::convert::Into::into(value),
            })
        }
    }
    const _: () = ::core::assert!(
        { use __object::NoHook as _; ! __object::Hooked:: < IntNode > ::IS_HOOKED },
        "`IntNode` implements `StructuralHook`, but nothing calls it\nhelp: write `#[structural_eq(tree, custom)]`"
    );
    ::object_core::__submit!(& __OBJECT_INFO);
};
