//! [`Place`]: a place in a value, also in a key of a map.

use std::fmt;
use std::sync::Arc;

use crate::access_path::AccessPath;
use crate::object::AnyView;

use super::place_step::{PlaceStep, child, path_of};
use super::place_tree::PlaceTree;

/// A place in a value, as the steps from the root. Unlike an [`AccessPath`], it also leads into keys of maps, and tells keys
/// with the same label apart.
///
/// A place shares the steps from the root with the other places of its script, so a copy takes no memory for them.
#[derive(Clone, Default)]
pub struct Place {
    tree: Arc<PlaceTree>,
    /// The node of the tree from which the last step leads.
    node: u32,
    /// The step from the node to the place, if the place is not the node itself.
    last: Option<PlaceStep>,
}

impl Place {
    pub(super) fn new(tree: &Arc<PlaceTree>, node: u32, last: Option<PlaceStep>) -> Self {
        Place { tree: tree.clone(), node, last }
    }

    /// The steps from the root, outermost first.
    #[must_use]
    pub fn steps(&self) -> Vec<&PlaceStep> {
        let mut steps = self.tree.steps(self.node);
        steps.extend(&self.last);
        steps
    }

    /// The path to the place, or to the entry whose key contains it.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        path_of(&self.steps())
    }

    /// The innermost unit that contains the place: a statement, a binding or a function. The root if there is none.
    #[must_use]
    pub fn unit(&self) -> Self {
        Place::new(&self.tree, self.tree.unit(self.node), None)
    }

    /// The value at this place of `root`; `None` if there is none.
    pub(super) fn value<'a>(&self, root: AnyView<'a>) -> Option<AnyView<'a>> {
        self.steps().into_iter().try_fold(root, |value, step| {
            let object = value.as_object()?;
            child(object, step.number(object)?)
        })
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.steps() == other.steps()
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}
