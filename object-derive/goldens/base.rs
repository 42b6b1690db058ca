///The handle of [`ExprNode`]: a counted pointer to it.
#[repr(transparent)]
pub struct Expr(::object_core::private::Pointer<ExprNode>);
const _: () = {
    use ::object_core::private as __object;
    static __OBJECT_INFO: __object::TypeInfo = __object::type_info::<
        ExprNode,
    >(__object::TypeSpec {
        type_key: "demo.Expr",
        doc: "",
        location: (::core::file!(), ::core::line!()),
        kind: __object::SEqHashKind::Unsupported,
        label: ::core::option::Option::None,
        json: __object::JsonForm::Fields,
        is_base: true,
        is_abstract: true,
        hooks: ::core::option::Option::None,
        singleton: ::core::option::Option::None,
    });
    #[automatically_derived]
    unsafe impl ::object_core::Object for ExprNode {
        type Handle = Expr;
        const TYPE_INFO: &'static __object::TypeInfo = &__OBJECT_INFO;
        const FIELDS: &'static [__object::FieldInfo] = &[
            unsafe {
                __object::FieldInfo::new::<
                    Option<Span>,
                >("span", ::core::mem::offset_of!(ExprNode, span))
            }
                .with_role(__object::FieldRole::Ignore)
                .with_doc("Where it was written."),
            unsafe {
                __object::FieldInfo::new::<
                    DataType,
                >("dtype", ::core::mem::offset_of!(ExprNode, dtype))
            },
        ];
        const ANCESTORS: &'static [__object::Ancestor] = &[];
        const FINAL: bool = false;
    }
    #[automatically_derived]
    unsafe impl ::object_core::ObjectHandle for Expr {
        const HOLDS: __object::Holds = __object::Holds::objects(&__OBJECT_INFO);
        fn accepts_object(object: __object::ObjectView<'_>) -> bool {
            object.is_instance(&__OBJECT_INFO)
        }
        fn accepts_type_info(info: &__object::TypeInfo) -> bool {
            info.is_or_extends(&__OBJECT_INFO)
        }
        fn handle_schema() -> __object::TypeSchema {
            __object::TypeSchema::leaf("demo.Expr")
        }
    }
    #[automatically_derived]
    unsafe impl ::object_core::TypedHandle for Expr {
        type Node = ExprNode;
    }
    #[automatically_derived]
    impl ::object_core::object::MakeMut for Expr {}
    #[automatically_derived]
    impl ::core::clone::Clone for Expr {
        #[inline]
        fn clone(&self) -> Self {
            Expr(::core::clone::Clone::clone(&self.0))
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for Expr {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Display for Expr {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for Expr {
        type Target = ExprNode;
        #[inline]
        fn deref(&self) -> &ExprNode {
            __object::node_of(self)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Expr> for ::object_core::ObjectRef {
        fn from(handle: Expr) -> Self {
            ::object_core::ObjectHandle::into_object(handle)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Expr> for ::object_core::Any {
        fn from(handle: Expr) -> Self {
            ::object_core::Any::Object(::object_core::ObjectHandle::into_object(handle))
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::ObjectRef> for Expr {
        type Error = ::object_core::Error;
        fn try_from(
            object: ::object_core::ObjectRef,
        ) -> ::core::result::Result<Self, Self::Error> {
            __object::try_from_object(object)
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::Any> for Expr {
        type Error = ::object_core::Error;
        fn try_from(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, Self::Error> {
            <Self as ::object_core::FieldType>::from_any(value)
        }
    }
    #[automatically_derived]
    unsafe impl<__C> __object::BaseOf<__C> for ExprNode {
        type BaseHandle = Expr;
    }
    #[automatically_derived]
    unsafe impl __object::IsOrExtends<Expr> for ExprNode {}
    #[automatically_derived]
    impl<__H: ::object_core::object::Extends<Expr>> ::core::convert::From<__H> for Expr {
        fn from(handle: __H) -> Self {
            __object::upcast(handle)
        }
    }
    #[automatically_derived]
    impl ExprNode {
        /// The part of this type in a new object of a type that extends it. The arguments are the required fields;
        /// optional ones are empty.
        #[must_use]
        pub fn new_base(dtype: impl ::core::convert::Into<DataType>) -> Self {
            ExprNode {
                span: ::core::option::Option::None,
                dtype: ::core::convert::Into::into(dtype),
            }
        }
    }
    #[automatically_derived]
    impl<__A0: ::core::convert::Into<DataType>> __object::NewBase<(__A0,)> for ExprNode {
        fn from_args((dtype,): (__A0,)) -> Self {
            ExprNode::new_base(dtype)
        }
    }
    const _: () = ::core::assert!(
        { use __object::NoHook as _; ! __object::Hooked:: < ExprNode > ::IS_HOOKED },
        "`ExprNode` implements `StructuralHook`, but nothing calls it\nhelp: write `#[structural_eq(tree, custom)]`"
    );
    ::object_core::__submit!(& __OBJECT_INFO);
};
