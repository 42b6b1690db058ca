//! [`Paths`]: the access paths of a printed text, as a tree in which each path is one number.

use object_core::AnyView;
use object_core::access_path::{AccessPath, AccessStep, PathKey};
use rustc_hash::FxHashMap;

/// A path in [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Path(u32);

/// The last step of a path.
#[derive(Clone, Debug)]
enum Step {
    Field(&'static str),
    Entry(PathKey),
    Item(usize),
}

impl Step {
    fn to_step(&self) -> AccessStep {
        match self {
            Step::Field(name) => AccessStep::Attr((*name).to_owned()),
            Step::Item(index) => AccessStep::ArrayItem(*index),
            Step::Entry(key) => AccessStep::MapItem(key.clone()),
        }
    }
}

/// The paths of a text by their steps: equal paths have one id.
#[derive(Clone, Debug)]
pub(crate) struct PathIndex {
    /// The id of each path.
    ids: Vec<u32>,
    /// The id of the path that adds the step with this text to the path with this id.
    by_step: FxHashMap<(u32, String), u32>,
}

impl PathIndex {
    /// The id of a path.
    pub(crate) fn id(&self, path: Path) -> u32 {
        self.ids[path.0 as usize]
    }

    /// The ids of the paths from the root to `target`, as far as the text has them.
    pub(crate) fn ids_to(&self, target: &AccessPath) -> Vec<u32> {
        let mut ids = vec![0];
        for step in target.steps() {
            let last = ids.last().copied().unwrap_or(0);
            match self.by_step.get(&(last, step.to_string())) {
                Some(id) => ids.push(*id),
                None => break,
            }
        }
        ids
    }
}

/// The bytes of a vector. A vector that is almost full counts twice, because it doubles next.
pub(crate) fn grown<T>(vec: &Vec<T>) -> usize {
    let is_almost_full = vec.len() > vec.capacity() / 4 * 3;
    vec.capacity() * size_of::<T>() * if is_almost_full { 2 } else { 1 }
}

/// All paths of one text. A path is its parent and its last step, so extending a path costs one entry.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    /// Whether the text has paths; otherwise, every path is the root.
    is_kept: bool,
    /// The entry with index `i` is the path `i + 1`; the path 0 is the root.
    entries: Vec<(Path, Step)>,
}

impl Path {
    /// The path of the printed value itself.
    pub(crate) const ROOT: Path = Path(0);

    /// The number of paths of the text that are older.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Paths {
    /// No paths so far. Without `is_kept`, every path is the root.
    pub(crate) fn new(is_kept: bool) -> Self {
        Paths { is_kept, entries: Vec::new() }
    }

    fn extend(&mut self, parent: Path, step: impl FnOnce() -> Step) -> Path {
        if !self.is_kept {
            return Path::ROOT;
        }
        self.entries.push((parent, step()));
        Path(u32::try_from(self.entries.len()).unwrap_or(u32::MAX))
    }

    /// The field `name` of the object at `parent`.
    pub(crate) fn field(&mut self, parent: Path, name: &'static str) -> Path {
        self.extend(parent, || Step::Field(name))
    }

    /// The element `index` of the array at `parent`.
    pub(crate) fn item(&mut self, parent: Path, index: usize) -> Path {
        self.extend(parent, || Step::Item(index))
    }

    /// The value for `key` of the map at `parent`.
    pub(crate) fn entry(&mut self, parent: Path, key: AnyView<'_>) -> Path {
        self.extend(parent, || Step::Entry(PathKey::of(key)))
    }

    /// The path as plain data.
    pub(crate) fn access_path(&self, path: Path) -> AccessPath {
        AccessPath::from_steps(self.steps_from(|path| path == Path::ROOT, path).unwrap_or_default())
    }

    /// The parent and the last step of each path, in the order of the paths, without the root.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (Path, AccessStep)> {
        self.entries.iter().map(|(parent, step)| (*parent, step.to_step()))
    }

    /// The steps from a path that `is_start` accepts to the path `target` below it. `None` if it accepts no path on the way
    /// from `target` to the root.
    pub(crate) fn steps_from(&self, is_start: impl Fn(Path) -> bool, target: Path) -> Option<Vec<AccessStep>> {
        let mut steps = Vec::new();
        let mut path = target;
        while !is_start(path) {
            let (parent, step) = self.parent(path)?;
            steps.push(step.to_step());
            path = parent;
        }
        steps.reverse();
        Some(steps)
    }

    /// An index of the paths by their steps.
    pub(crate) fn index(&self) -> PathIndex {
        let mut index = PathIndex { ids: vec![0], by_step: FxHashMap::default() };
        let mut count = 0;
        for (Path(parent), step) in &self.entries {
            let key = (index.ids[*parent as usize], step.to_step().to_string());
            let id = *index.by_step.entry(key).or_insert_with(|| {
                count += 1;
                count
            });
            index.ids.push(id);
        }
        index
    }

    /// The number of paths without the root.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The memory of the paths in bytes, when they have grown for some paths more.
    pub(crate) fn bytes(&self) -> usize {
        grown(&self.entries)
    }

    fn parent(&self, path: Path) -> Option<(Path, &Step)> {
        let index = usize::try_from(path.0).ok()?.checked_sub(1)?;
        self.entries.get(index).map(|(parent, step)| (*parent, step))
    }
}
