//! The handle has the visibility of its node struct, and private fields stay private.
#![deny(private_interfaces, private_bounds)]

use object_core::prelude::*;

mod ir {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "demo.Base", base)]
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
        #[object(type_key = "demo.Near", parent = BaseNode, base_args(secret: i64))]
        #[structural_eq(tree)]
        pub(super) struct NearNode {
            base: BaseNode,
        }

        #[derive(Object)]
        #[object(type_key = "demo.Local", base)]
        #[structural_eq(dag)]
        pub(in crate::ir) struct LocalNode {}

        #[derive(Object)]
        #[object(type_key = "demo.Own", parent = LocalNode)]
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
#[object(type_key = "demo.Far", parent = ir::BaseNode, base_args(secret: i64))]
#[structural_eq(tree)]
pub struct FarNode {
    base: ir::BaseNode,
    more: Str,
}

fn main() {
    assert_eq!(ir::near().secret(), 7);
    let far = Far::new(8, "more");
    assert_eq!((far.base.secret(), &*far.more), (8, "more"));
    let base = ir::Base::from(far);
    assert!(Far::try_from(base).is_ok());

    // Items in a function body are not in a module, and names there are not paths.
    #[derive(Object)]
    #[object(type_key = "demo.Inner", parent = FarLike)]
    #[structural_eq(tree)]
    struct InnerNode {
        base: FarLike,
    }
    use ui_tests::ExprNode as FarLike;
    let _: ui_tests::Expr = Inner::new().into();
}
