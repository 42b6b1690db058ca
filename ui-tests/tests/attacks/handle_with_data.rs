//! A handle consists of its pointer, because references to handles are converted to references to other handles.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldContents, Pointer, node_of};

struct Token;
struct X(Pointer<ui_tests::ConstNode>, Token);
type ConstNode = ui_tests::ConstNode;
object_core::generated_handle!(X, ConstNode, FieldContents::Plain);

impl std::ops::Deref for X {
    type Target = ConstNode;
    fn deref(&self) -> &ConstNode {
        node_of(self)
    }
}

impl Clone for X {
    fn clone(&self) -> Self {
        X(self.0.clone(), Token)
    }
}

fn main() {}
