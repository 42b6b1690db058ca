//! [`TypeVars`]: the dimensions that stand before the text, `n = TypeVar("n")`.

use rustc_hash::FxHashSet;

use crate::print::doc::tree::{Doc, DocTree, Node, Text};

/// The dimensions that stand before the text, and what the signature at hand knows about its variables.
#[derive(Debug, Default)]
pub(crate) struct TypeVars {
    /// The names of all functions in turn, each once.
    names: Vec<Text>,
    /// The number of names before the function at hand.
    first: usize,
    /// The addresses of the variables of the function at hand that stand before the text.
    own: FxHashSet<usize>,
    /// The addresses of the scalar parameters of the loop program at hand.
    scalars: FxHashSet<usize>,
}

impl TypeVars {
    /// Begins a loop program with these scalar parameters.
    pub(crate) fn begin(&mut self, scalars: FxHashSet<usize>) {
        (self.first, self.scalars) = (self.names.len(), scalars);
        self.own.clear();
    }

    /// Begins a function of Relax.
    pub(crate) fn begin_relax(&mut self) {
        self.begin(FxHashSet::default());
    }

    /// Ends a signature: its names are in alphabetical order.
    pub(crate) fn end(&mut self, tree: &DocTree) {
        self.names[self.first..].sort_by(|a, b| tree.text(*a).cmp(tree.text(*b)));
    }

    /// Lets the variable at `address` with this name stand before the text.
    pub(crate) fn add(&mut self, tree: &DocTree, address: usize, name: Doc) {
        let Node::Name(name) = *tree.node(name) else { return };
        self.own.insert(address);
        if !self.names.iter().any(|known| tree.text(*known) == tree.text(name)) {
            self.names.push(name);
        }
    }

    /// Whether the variable at `address` stands before the text.
    pub(crate) fn has(&self, address: usize) -> bool {
        self.own.contains(&address)
    }

    /// Whether the variable at `address` is a scalar parameter of the loop program at hand.
    pub(crate) fn is_scalar(&self, address: usize) -> bool {
        self.scalars.contains(&address)
    }

    /// The names, which the text has then.
    pub(crate) fn take(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.names)
    }
}
