//! Reflection does not look into an opaque type, so its fields may have any type.
use std::collections::HashMap;
use std::sync::Arc;

use object_core::prelude::*;
use ui_tests::{Expr, ExprNode};

#[derive(Object, Clone)]
#[object(type_key = "opaque.Cache", opaque)]
struct CacheNode {
    table: HashMap<String, Vec<u64>>,
    next: Option<Arc<Self>>,
    #[field(default = 3)]
    limit: usize,
}

#[derive(Object, Clone)]
#[object(type_key = "opaque.Native", parent = NativeBaseNode, base_args(name: Str), opaque)]
#[structural_eq(tree, custom)]
struct NativeNode {
    base: NativeBaseNode,
    code: Vec<u8>,
    hash: i64,
}

#[derive(Object, Clone)]
#[object(type_key = "opaque.NativeBase", base)]
struct NativeBaseNode {
    name: Str,
}

impl StructuralHook for NativeNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("hash", &self.hash);
    }
}

pub(super) fn main() {
    let mut cache = Cache::new(HashMap::new(), None);
    let shared = cache.clone();
    cache.make_mut().table.insert("a".to_owned(), vec![1]);
    assert_eq!((cache.table.len(), shared.table.len(), cache.limit, cache.next.is_none()), (1, 0, 3, true));
    let native = Native::new("name", [1, 2], 5);
    assert_eq!((&*native.base.name, native.code.len()), ("name", 2));
    assert_eq!(NativeNode::TYPE_INFO.fields().len(), 1);
    assert!(CacheNode::TYPE_INFO.fields().is_empty());
    let _: Option<Expr> = Expr::try_from(ObjectRef::from(cache)).ok();
    let _ = ExprNode::new_base();
}
