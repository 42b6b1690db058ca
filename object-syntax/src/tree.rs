//! [`Tree`]: a text as a tree, before names have objects.

use std::ops::Range;

use object_core::Any;

use crate::kind::CategoryId;

/// The number of a tree.
pub(crate) type TreeId = u32;

/// A piece of a text.
#[derive(Debug)]
pub(crate) enum Tree {
    /// A piece with a mistake.
    Missing,
    /// A plain value.
    Value(Any),
    /// The use of a variable at a place of this category.
    Name(String, CategoryId),
    /// An object with the fields that the text shows.
    Object {
        production: usize,
        fields: Vec<(usize, TreeId)>,
    },
    List(Vec<TreeId>),
    Map(Vec<(TreeId, TreeId)>),
    /// `%0 = value`
    Marked(u32, TreeId),
    /// `%0`
    Mark(u32),
}

/// All trees of a text.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    all: Vec<(Tree, Range<usize>)>,
}

impl Trees {
    pub(crate) fn add(&mut self, tree: Tree, range: Range<usize>) -> TreeId {
        self.all.push((tree, range));
        TreeId::try_from(self.all.len() - 1).unwrap_or(TreeId::MAX)
    }

    /// The entries of a map; none for another tree.
    pub(crate) fn entries(&self, id: TreeId) -> &[(TreeId, TreeId)] {
        match self.get(id) {
            (Tree::Map(entries), _) => entries,
            _ => &[],
        }
    }

    /// All trees with their ranges, inner trees before those around them.
    pub(crate) fn all(&self) -> &[(Tree, Range<usize>)] {
        &self.all
    }

    pub(crate) fn get(&self, id: TreeId) -> &(Tree, Range<usize>) {
        &self.all[id as usize]
    }
}
