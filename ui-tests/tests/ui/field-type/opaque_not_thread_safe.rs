use std::cell::RefCell;
use std::rc::Rc;

use object_core::prelude::*;

#[derive(Object, Clone)]
#[object(type_key = "demo.X", opaque)]
struct XNode {
    lines: Rc<str>,
    count: RefCell<i64>,
    name: String,
}

fn main() {}
