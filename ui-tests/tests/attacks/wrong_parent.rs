//! The parent in the table is another type than the one that the proofs of casts name.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldContents, Pointer, TypeSpec, node_of};
use ui_tests::{ExprNode, Var, VarNode};

macro_rules! handle {
    ($Handle:ident $Node:ident) => {
        struct $Handle(Pointer<$Node>);
        object_core::generated_handle!($Handle, $Node, FieldContents::Plain);
        impl std::ops::Deref for $Handle {
            type Target = $Node;
            fn deref(&self) -> &$Node {
                node_of(self)
            }
        }
        impl Clone for $Handle {
            fn clone(&self) -> Self {
                $Handle(self.0.clone())
            }
        }
    };
}

struct XNode {
    base: ExprNode,
}
handle!(X XNode);
object_core::generated_node! {
    whole XNode X true { base: ExprNode = VarNode } {} TypeSpec::NONE
}

struct YNode {
    base: ExprNode,
}
handle!(Y YNode);
object_core::generated_node! {
    whole YNode Y true { base: VarNode = VarNode } {} TypeSpec::NONE
}

struct ZNode {
    base: ExprNode,
}
handle!(Z ZNode);
object_core::generated_node! {
    whole ZNode Z true { base: ExprNode = ExprNode } {} TypeSpec::NONE
}
impl object_core::derive_support::Extends<Var> for Z {
    const UPCAST: object_core::derive_support::Upcast<ZNode, Var> =
        <VarNode as object_core::derive_support::IsOrExtends<Var>>::UPCAST.of_child();
}

fn main() {
    let constant = ui_tests::Const::new(1);
    let _: Var = object_core::derive_support::UpcastsTo::upcast(constant);
}
