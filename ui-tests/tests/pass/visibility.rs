//! The handle has the visibility of its node struct, and private fields stay private.
#![deny(private_interfaces, private_bounds)]
#![allow(unreachable_pub, reason = "visibilities are the test")]

use object_core::prelude::*;

mod ir {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "visibility.Base", base)]
    pub struct BaseNode {
        secret: i64,
    }

    impl BaseNode {
        pub fn secret(&self) -> i64 {
            self.secret
        }
    }

    pub mod deep {
        use object_core::prelude::*;

        use super::BaseNode;

        #[derive(Object)]
        #[object(type_key = "visibility.Near", parent = BaseNode, base_args(secret: i64))]
        #[structural_eq(tree)]
        pub(super) struct NearNode {
            base: BaseNode,
        }

        #[derive(Object)]
        #[object(type_key = "visibility.Local", base)]
        #[structural_eq(dag)]
        pub(in crate::visibility::ir) struct LocalNode {}

        #[derive(Object)]
        #[object(type_key = "visibility.Own", parent = LocalNode)]
        #[structural_eq(dag)]
        struct OwnNode {
            base: LocalNode,
        }

        pub(super) fn own() -> Local {
            Own::new().into()
        }
    }

    pub fn near() -> Base {
        assert!(deep::own().is::<deep::Local>());
        deep::Near::new(7).into()
    }
}

#[derive(Object)]
#[object(type_key = "visibility.Far", parent = ir::BaseNode, base_args(secret: i64))]
#[structural_eq(tree)]
pub struct FarNode {
    base: ir::BaseNode,
    more: Str,
}

pub(super) fn main() {
    assert_eq!(ir::near().secret(), 7);
    let far = Far::new(8, "more");
    assert_eq!((far.base.secret(), &*far.more), (8, "more"));
    let base = ir::Base::from(far);
    assert!(Far::try_from(base).is_ok());

    // Items in a function body are not in a module, and names there are not paths.
    #[derive(Object)]
    #[object(type_key = "visibility.Inner", parent = FarLike)]
    #[structural_eq(tree)]
    struct InnerNode {
        base: FarLike,
    }
    use ui_tests::ExprNode as FarLike;
    let _: ui_tests::Expr = Inner::new().into();
}
