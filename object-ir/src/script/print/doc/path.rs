//! [`Paths`]: the access paths of a printed text, as a tree in which each path is one number.

use object_core::AnyView;
use object_core::access_path::{AccessPath, AccessStep, PathKey};

/// A path in [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Path(u32);

/// The last step of a path.
#[derive(Clone, Debug)]
enum Step {
    Field(&'static str),
    Step(AccessStep),
    Item(usize),
}

/// All paths of one text. A path is its parent and its last step, so extending a path costs one entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    /// The entry with index `i` is the path `i + 1`; the path 0 is the root.
    entries: Vec<(Path, Step)>,
}

impl Path {
    /// The path of the printed value itself.
    pub(crate) const ROOT: Path = Path(0);
}

impl Paths {
    fn extend(&mut self, parent: Path, step: Step) -> Path {
        self.entries.push((parent, step));
        Path(u32::try_from(self.entries.len()).unwrap_or(u32::MAX))
    }

    /// The field `name` of the object at `parent`.
    pub(crate) fn field(&mut self, parent: Path, name: &'static str) -> Path {
        self.extend(parent, Step::Field(name))
    }

    /// The element `index` of the array at `parent`.
    pub(crate) fn item(&mut self, parent: Path, index: usize) -> Path {
        self.extend(parent, Step::Item(index))
    }

    /// The value for `key` of the map at `parent`.
    pub(crate) fn entry(&mut self, parent: Path, key: AnyView<'_>) -> Path {
        self.extend(parent, Step::Step(AccessStep::MapItem(PathKey::of(key))))
    }

    /// The path as plain data.
    pub(crate) fn access_path(&self, path: Path) -> AccessPath {
        let mut steps = Vec::new();
        let mut path = path;
        while let Some((parent, step)) = self.parent(path) {
            steps.push(match step {
                Step::Field(name) => AccessStep::Attr((*name).to_owned()),
                Step::Item(index) => AccessStep::ArrayItem(*index),
                Step::Step(step) => step.clone(),
            });
            path = parent;
        }
        steps.reverse();
        AccessPath::from_steps(steps)
    }

    /// The number of steps that `path` shares with the start of `target`, if `path` has no other steps.
    pub(crate) fn depth_below(&self, path: Path, target: &AccessPath) -> Option<usize> {
        let own = self.access_path(path);
        own.is_prefix_of(target).then(|| own.steps().len())
    }

    fn parent(&self, path: Path) -> Option<(Path, &Step)> {
        let index = usize::try_from(path.0).ok()?.checked_sub(1)?;
        self.entries.get(index).map(|(parent, step)| (*parent, step))
    }
}
