//! [`Account`]: the memory of a text that is being printed, and the reason why it is incomplete.

use object_core::meter::{Charge, Meter};
use object_core::{Error, ErrorKind, ObjectHandle, ObjectView};
use object_ir::ir::{FuncStructInfoNode, StructInfo, TupleStructInfoNode};
use rustc_hash::FxHashMap;

use crate::print::doc::tree::{DocTree, NODE_SIZE};
use object_core::print::Paths;

/// The bytes that a tree grows by before its memory counts again.
const STEP: usize = 1 << 16;

/// The reason why a text is incomplete.
#[derive(Clone, Debug)]
pub(crate) enum Excess {
    /// The most levels of nesting.
    Nesting(usize),
    /// The most nodes.
    Nodes(usize),
    /// The memory.
    Memory(Error),
}

impl Excess {
    /// The error for a text that has to be complete.
    pub(crate) fn into_error(self) -> Error {
        let message = match self {
            Excess::Memory(error) => return error.context("the script: a shared value prints once for each use"),
            Excess::Nesting(levels) => format!(
                "the script has values more than {levels} levels deep, which it would leave out; the limit `max_nesting` is \
                 {levels}"
            ),
            Excess::Nodes(nodes) => format!(
                "the script has more than {nodes} expressions and statements, and would leave out the others; the limit \
                 `max_nodes` is {nodes}"
            ),
        };
        Error::new(ErrorKind::LimitExceeded, message)
    }
}

/// The memory of a text that is being printed.
pub(crate) struct Account {
    charge: Charge,
    /// The size of the tree from which on its memory counts again.
    next: usize,
    pub(crate) excess: Option<Excess>,
    /// The least number of nodes in the text of structural information, by address.
    info_sizes: FxHashMap<usize, u64>,
}

impl Account {
    /// Nothing so far.
    pub(crate) fn new(meter: &Meter) -> Self {
        Account { charge: meter.nothing(), next: STEP, excess: None, info_sizes: FxHashMap::default() }
    }

    /// The meter that counts the memory.
    pub(crate) fn meter(&self) -> &Meter {
        self.charge.meter()
    }

    /// Whether the tree and the paths may grow.
    #[inline]
    pub(crate) fn has_room(&mut self, tree: &DocTree, paths: &Paths) -> bool {
        tree.size() < self.next || self.raise(tree, paths)
    }

    #[cold]
    fn raise(&mut self, tree: &DocTree, paths: &Paths) -> bool {
        if let Some(Excess::Memory(_)) = self.excess {
            return false;
        }
        match self.charge.cover((tree.bytes() + paths.bytes()) as u64) {
            Ok(()) => self.next = tree.size() + STEP,
            Err(error) => self.end(error),
        }
        self.excess.is_none()
    }

    /// Ends the text: nothing has room any more.
    pub(crate) fn end(&mut self, error: Error) {
        self.excess = Some(Excess::Memory(error));
        self.next = 0;
    }

    /// Ends the text if the memory does not suffice for the text of all `infos`, which come next. The
    /// graph of shared structural information is small, and its text may be exponentially larger, so this takes far less time
    /// than to print it.
    pub(crate) fn announce<'a>(&mut self, infos: impl Iterator<Item = &'a StructInfo>) {
        let nodes = infos.fold(0_u64, |sum, info| sum.saturating_add(self.nodes_of(info)));
        if let Err(error) = self.meter().check(nodes.saturating_mul(NODE_SIZE as u64)) {
            self.end(error);
        }
    }

    /// The least number of nodes in the text of structural information.
    fn nodes_of(&mut self, info: &StructInfo) -> u64 {
        let sizes = &mut self.info_sizes;
        let mut open = vec![info.as_object().view()];
        while let Some(&info) = open.last() {
            let parts = parts(info);
            let first = open.len();
            open.extend(parts.iter().filter(|part| !sizes.contains_key(&part.address())));
            if open.len() == first {
                let size = parts.iter().fold(1_u64, |sum, part| sum.saturating_add(sizes[&part.address()]));
                sizes.insert(info.address(), size);
                open.pop();
            }
        }
        sizes[&info.as_object().view().address()]
    }
}

/// The structural information inside of a tuple or a function.
fn parts(info: ObjectView<'_>) -> Vec<ObjectView<'_>> {
    fn views(infos: &[StructInfo]) -> impl Iterator<Item = ObjectView<'_>> {
        infos.iter().map(|info| info.as_object().view())
    }
    if let Some(tuple) = info.node::<TupleStructInfoNode>() {
        return views(tuple.fields.as_slice()).collect();
    }
    match info.node::<FuncStructInfoNode>().map(|func| (&func.params, &func.ret)) {
        Some((Some(params), ret)) => views(params.as_slice()).chain(views(std::slice::from_ref(ret))).collect(),
        _ => Vec::new(),
    }
}
