use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, RwLock};

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    letter: char,
    large: u64,
    size: usize,
    wide: Array<i128>,
    pair: (i64, Str),
    unit: (),
    triple: [i64; 3],
    boxed: Box<X>,
    counted: Option<Arc<X>>,
    list: Vec<Str>,
    bytes: Vec<u8>,
    table: HashMap<Str, i64>,
    texts: HashMap<String, Vec<usize>>,
    sorted: Map<Str, BTreeMap<i64, X>>,
    set: HashSet<Str>,
    text: &'static str,
    slice: &'static [i64],
    shared: Arc<str>,
    closure: Box<dyn Fn(i64) -> i64 + Send + Sync>,
    guarded: Arc<Mutex<Str>>,
    locked: RwLock<X>,
    itself: Option<Box<Self>>,
    others: Vec<Box<XNode>>,
}

fn main() {}
