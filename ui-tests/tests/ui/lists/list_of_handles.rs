use object_core::prelude::*;
use ui_tests::*;

object_core::variants_of! {
    enum Nodes of Expr { VarNode, String, Missing }
}

object_core::visitor! {
    trait Visitor { text: String, missing: Missing }
}

fn main() {}
