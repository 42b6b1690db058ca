//! [`Paths`]: the access paths of a printed text, as a tree in which each path is one number.

use crate::access_path::{AccessPath, AccessStep, PathKey};
use crate::meter::grown_bytes;
use crate::object::{Any, AnyView, ObjectView};
use crate::table::{AddressTable, Table};

/// A path in [`Paths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(u32);

/// The last step of a path.
#[derive(Clone, Debug)]
enum Step {
    Field(&'static str),
    /// The key. Its text may be thousands of times as long as the entry in the script, so it is made only on demand.
    Entry(Any),
    Item(usize),
}

impl Step {
    /// The value that `value` has at this step.
    fn of<'a>(&self, value: AnyView<'a>) -> Option<AnyView<'a>> {
        let object = value.as_object()?;
        match self {
            Step::Field(name) => object.get(name),
            Step::Item(index) => object.as_array()?.get(*index),
            Step::Entry(key) => object.as_map()?.get(key.view()),
        }
    }

    fn to_step(&self) -> AccessStep {
        match self {
            Step::Field(name) => AccessStep::Attr((*name).to_owned()),
            Step::Item(index) => AccessStep::ArrayItem(*index),
            Step::Entry(key) => AccessStep::MapItem(PathKey::of(key.view())),
        }
    }
}

/// The paths of a text by their steps: equal paths have one id.
#[derive(Clone, Debug)]
pub(crate) struct PathIndex {
    /// The id of each path.
    ids: Vec<u32>,
    /// The number of each step, by its text.
    steps: Table<String, u32>,
    /// The id of the path that adds the step with this number to the path with this id.
    by_step: Table<(u32, u32), u32>,
}

impl PathIndex {
    /// The number of the step with this text.
    fn step(&mut self, text: String) -> u32 {
        let next = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        *self.steps.entry(text).or_insert(next)
    }

    /// The id of a path.
    pub(crate) fn id(&self, path: Path) -> u32 {
        self.ids[path.0 as usize]
    }

    /// The ids of the paths from the root to `target`, as far as the text has them.
    pub(crate) fn ids_to(&self, target: &AccessPath) -> Vec<u32> {
        let mut ids = vec![0];
        for step in target.steps() {
            let last = ids.last().copied().unwrap_or(0);
            let step = self.steps.get(&step.to_string());
            match step.and_then(|step| self.by_step.get(&(last, *step))) {
                Some(id) => ids.push(*id),
                None => break,
            }
        }
        ids
    }
}

/// All paths of one text. A path is its parent and its last step, so extending a path costs one entry.
#[derive(Clone, Debug)]
pub struct Paths {
    /// Whether the text has paths; otherwise, every path is the root.
    is_kept: bool,
    /// The entry with index `i` is the path `i + 1`; the path 0 is the root.
    entries: Vec<(Path, Step)>,
}

impl Path {
    /// The path of the printed value itself.
    pub const ROOT: Path = Path(0);

    /// The number of paths of the text that are older.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Paths {
    /// No paths so far. Without `is_kept`, every path is the root.
    pub fn new(is_kept: bool) -> Self {
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
    pub fn field(&mut self, parent: Path, name: &'static str) -> Path {
        self.extend(parent, || Step::Field(name))
    }

    /// The element `index` of the array at `parent`.
    pub fn item(&mut self, parent: Path, index: usize) -> Path {
        self.extend(parent, || Step::Item(index))
    }

    /// The value for `key` of the map at `parent`.
    pub fn entry(&mut self, parent: Path, key: AnyView<'_>) -> Path {
        self.extend(parent, || Step::Entry(key.to_any()))
    }

    /// The path as plain data.
    pub fn access_path(&self, path: Path) -> AccessPath {
        AccessPath::from_steps(self.steps_from(|path| path == Path::ROOT, path).unwrap_or_default())
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
        let mut index = PathIndex { ids: vec![0], steps: Table::default(), by_step: Table::default() };
        // The texts of objects as keys are long, and many entries may have the same object.
        let mut of_key: AddressTable<u32> = AddressTable::default();
        for (Path(parent), step) in &self.entries {
            let address = match step {
                Step::Entry(key) => key.view().as_object().map(ObjectView::address),
                _ => None,
            };
            let known = address.and_then(|address| of_key.get(&address).copied());
            let step = known.unwrap_or_else(|| index.step(step.to_step().to_string()));
            of_key.extend(address.map(|address| (address, step)));
            let next = u32::try_from(index.by_step.len() + 1).unwrap_or(u32::MAX);
            let id = *index.by_step.entry((index.ids[*parent as usize], step)).or_insert(next);
            index.ids.push(id);
        }
        index
    }

    /// The value of `root` at each path, in the order of the paths, the root first. `None` where `root` has no value: a printer may
    /// show values of its own.
    #[must_use]
    pub fn values<'a>(&self, root: AnyView<'a>) -> Vec<Option<AnyView<'a>>> {
        let mut values = vec![Some(root)];
        for (parent, step) in &self.entries {
            values.push(values[parent.index()].and_then(|value| step.of(value)));
        }
        values
    }

    /// The number of paths without the root.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// The memory of the paths in bytes, when they have grown for some paths more.
    pub fn bytes(&self) -> usize {
        grown_bytes(&self.entries)
    }

    fn parent(&self, path: Path) -> Option<(Path, &Step)> {
        let index = usize::try_from(path.0).ok()?.checked_sub(1)?;
        self.entries.get(index).map(|(parent, step)| (*parent, step))
    }
}
