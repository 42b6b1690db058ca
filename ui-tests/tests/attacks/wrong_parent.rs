//! The parent in the table is another type than the one that the proofs of casts name.
#![forbid(unsafe_code)]

use object_core::derive_support::TypeSpec;
use ui_tests::{ExprNode, Var, VarNode};

struct XNode {
    base: ExprNode,
}
ui_tests::handle!(X XNode);
object_core::generated_node! {
    whole XNode X true { base: ExprNode = VarNode } {} TypeSpec::NONE
}

struct YNode {
    base: ExprNode,
}
ui_tests::handle!(Y YNode);
object_core::generated_node! {
    whole YNode Y true { base: VarNode = VarNode } {} TypeSpec::NONE
}

struct ZNode {
    base: ExprNode,
}
ui_tests::handle!(Z ZNode);
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
