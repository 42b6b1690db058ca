///The handle of [`LetNode`]: a counted pointer to it.
#[repr(transparent)]
pub struct Let(::object_core::private::Pointer<LetNode>);
const _: () = {
    use ::object_core::private as __object;
    type __ObjectParent = ExprNode;
    static __OBJECT_INFO: __object::TypeInfo = __object::type_info::<
        LetNode,
    >(__object::TypeSpec {
        type_key: "demo.Let",
        doc: "",
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
    unsafe impl ::object_core::Object for LetNode {
        type Handle = Let;
        const TYPE_INFO: &'static __object::TypeInfo = &__OBJECT_INFO;
        const FIELDS: &'static [__object::FieldInfo] = &__object::fields::<
            {
                <<<__ObjectParent as __object::BaseOf<
                    LetNode,
                >>::BaseHandle as ::object_core::TypedHandle>::Node as ::object_core::Object>::FIELDS
                    .len() + 4usize
            },
        >(
            <<<__ObjectParent as __object::BaseOf<
                LetNode,
            >>::BaseHandle as ::object_core::TypedHandle>::Node as ::object_core::Object>::FIELDS,
            ::core::mem::offset_of!(LetNode, base),
            &[
                unsafe {
                    __object::FieldInfo::new::<
                        Expr,
                    >("value", ::core::mem::offset_of!(LetNode, value))
                },
                unsafe {
                    __object::FieldInfo::new::<
                        Var,
                    >("var", ::core::mem::offset_of!(LetNode, var))
                }
                    .with_role(__object::FieldRole::Def),
                unsafe {
                    __object::FieldInfo::new::<
                        Expr,
                    >("body", ::core::mem::offset_of!(LetNode, body))
                },
                unsafe {
                    __object::FieldInfo::new::<
                        bool,
                    >("is_pure", ::core::mem::offset_of!(LetNode, is_pure))
                }
                    .with_default(|| <bool as ::object_core::FieldType>::into_any(false)),
            ],
        );
        const ANCESTORS: &'static [__object::Ancestor] = &__object::ancestors::<
            <<__ObjectParent as __object::BaseOf<
                LetNode,
            >>::BaseHandle as ::object_core::TypedHandle>::Node,
            {
                <<<__ObjectParent as __object::BaseOf<
                    LetNode,
                >>::BaseHandle as ::object_core::TypedHandle>::Node as ::object_core::Object>::ANCESTORS
                    .len() + 1
            },
        >(::core::mem::offset_of!(LetNode, base));
        const FINAL: bool = true;
    }
    #[automatically_derived]
    unsafe impl ::object_core::ObjectHandle for Let {
        const HOLDS: __object::Holds = __object::Holds::objects(&__OBJECT_INFO);
        fn accepts_object(object: __object::ObjectView<'_>) -> bool {
            object.is_instance(&__OBJECT_INFO)
        }
        fn accepts_type_info(info: &__object::TypeInfo) -> bool {
            info.is_or_extends(&__OBJECT_INFO)
        }
        fn handle_schema() -> __object::TypeSchema {
            __object::TypeSchema::leaf("demo.Let")
        }
    }
    #[automatically_derived]
    unsafe impl ::object_core::TypedHandle for Let {
        type Node = LetNode;
    }
    #[automatically_derived]
    impl ::object_core::object::MakeMut for Let {}
    #[automatically_derived]
    impl ::core::clone::Clone for Let {
        #[inline]
        fn clone(&self) -> Self {
            Let(::core::clone::Clone::clone(&self.0))
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Debug for Let {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::fmt::Display for Let {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            __object::fmt_debug(self, f)
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for Let {
        type Target = LetNode;
        #[inline]
        fn deref(&self) -> &LetNode {
            __object::node_of(self)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<LetNode> for Let {
        fn from(node: LetNode) -> Self {
            __object::new_object(node)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Let> for ::object_core::ObjectRef {
        fn from(handle: Let) -> Self {
            ::object_core::ObjectHandle::into_object(handle)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Let> for ::object_core::Any {
        fn from(handle: Let) -> Self {
            ::object_core::Any::Object(::object_core::ObjectHandle::into_object(handle))
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::ObjectRef> for Let {
        type Error = ::object_core::Error;
        fn try_from(
            object: ::object_core::ObjectRef,
        ) -> ::core::result::Result<Self, Self::Error> {
            __object::try_from_object(object)
        }
    }
    #[automatically_derived]
    impl ::core::convert::TryFrom<::object_core::Any> for Let {
        type Error = ::object_core::Error;
        fn try_from(
            value: ::object_core::Any,
        ) -> ::core::result::Result<Self, Self::Error> {
            <Self as ::object_core::FieldType>::from_any(value)
        }
    }
    #[automatically_derived]
    impl ::core::ops::Deref for LetNode {
        type Target = ExprNode;
        #[inline]
        fn deref(&self) -> &ExprNode {
            &self.base
        }
    }
    #[automatically_derived]
    impl ::core::ops::DerefMut for LetNode {
        #[inline]
        fn deref_mut(&mut self) -> &mut ExprNode {
            &mut self.base
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    unsafe impl<__A: ::object_core::ObjectHandle> ::object_core::object::Extends<__A>
    for Let
    where
        __ObjectParent: __object::IsOrExtends<__A>,
    {}
    #[automatically_derived]
    impl ::core::convert::TryFrom<
        <__ObjectParent as __object::BaseOf<LetNode>>::BaseHandle,
    > for Let {
        type Error = ::object_core::Error;
        fn try_from(
            handle: <__ObjectParent as __object::BaseOf<LetNode>>::BaseHandle,
        ) -> ::core::result::Result<Self, Self::Error> {
            __object::try_from_object(::object_core::ObjectHandle::into_object(handle))
        }
    }
    #[automatically_derived]
    impl Let {
        /// A new object. The arguments are the required fields, in the order of their declaration.
        #[must_use]
        pub fn new(
            dtype: impl ::core::convert::Into<DataType>,
            value: impl ::core::convert::Into<Expr>,
            var: impl ::core::convert::Into<Var>,
            body: impl ::core::convert::Into<Expr>,
        ) -> Self {
            __object::new_object(LetNode {
                base: {
                    use __object::NoBase as _;
                    __object::Part::<__ObjectParent, _>::of((dtype,)).part()
                },
                value: ::core::convert::Into::into(value),
                var: ::core::convert::Into::into(var),
                body: ::core::convert::Into::into(body),
                is_pure: false,
            })
        }
    }
    const _: () = {
        __object::kind_of_parent::<LetNode>("LetNode");
        __object::opaque_parent::<LetNode>("LetNode");
        __object::inherited_content::<LetNode>("LetNode");
        __object::kind_is_declared::<LetNode>("LetNode");
    };
    const _: () = {
        __object::inherited_name::<LetNode>("LetNode", 0usize);
        __object::content::<LetNode>("LetNode", 0usize);
    };
    const _: () = {
        __object::inherited_name::<LetNode>("LetNode", 1usize);
        __object::def_needs_variables::<LetNode>("LetNode", 1usize);
    };
    const _: () = {
        __object::inherited_name::<LetNode>("LetNode", 2usize);
        __object::content::<LetNode>("LetNode", 2usize);
    };
    const _: () = {
        __object::inherited_name::<LetNode>("LetNode", 3usize);
    };
    const _: () = ::core::assert!(
        { use __object::NoHook as _; ! __object::Hooked:: < LetNode > ::IS_HOOKED },
        "`LetNode` implements `StructuralHook`, but nothing calls it\nhelp: write `#[structural_eq(tree, custom)]`"
    );
    ::object_core::__submit!(& __OBJECT_INFO);
};
