//! [`Question`]: a pair of graphs for tvm-ffi; and the reasons for which its verdict differs.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::object::AnyView;
use object_core::prelude::*;

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, Class, MISUSED, UNORDERED};
use crate::recipe::Recipe;
use crate::reference::{Options, Rules, compare};
use crate::relate::draw_triple;
use crate::rng::Rng;

/// The result of the peer or of our engine: the paths to the first mismatch, if any; `Err` for an error.
pub(crate) type Verdict = Result<Option<(String, String)>, ()>;

/// The name of a rule of tvm-ffi that differs from ours, and the change of our rules to it.
type Difference = (&'static str, fn(&mut Rules));

const DIFFERENCES: [Difference; 4] = [
    ("map entries in the order of the left map", |rules| rules.canonical_order = false),
    ("a free key is caught by a binder", |rules| rules.keys_are_guarded = false),
    ("a key is not compared with itself", |rules| rules.keys_are_compared = false),
    ("a simple region ends the pattern region around it", |rules| rules.patterns_persist = false),
];

/// A pair of graphs and the options of its comparison.
pub(crate) struct Question {
    pub(crate) class: &'static str,
    pub(crate) a: Recipe,
    pub(crate) b: Recipe,
    pub(crate) options: Options,
}

impl Question {
    /// A random pair of a class.
    pub(crate) fn draw(class: &'static Class, seed: u64, case: u64) -> Self {
        let mut rng = Rng::of(seed ^ 0x7065_6572, class.name, case);
        let [a, b, _] = draw_triple(class, &mut rng);
        let (map_free_vars, skip_tensor_content) = (rng.chance(50), class.name == "tensor" && rng.chance(50));
        Question { class: class.name, a, b, options: Options { map_free_vars, skip_tensor_content, lexical: false } }
    }

    /// The two graphs.
    pub(crate) fn build(&self) -> [Any; 2] {
        let mut rng = Rng(1);
        let world = World::new(&mut rng);
        [&self.a, &self.b].map(|recipe| build(recipe, &world, Manner::default(), &mut rng))
    }
}

/// The classes that tvm-ffi has.
pub(crate) fn classes() -> impl Iterator<Item = &'static Class> {
    CLASSES.iter().chain(MISUSED).chain(UNORDERED)
}

/// A path without its root; a key that is an object is its type.
fn text(path: &AccessPath) -> String {
    let key = |key: &PathKey| match key {
        PathKey::Str(text) => format!("\"{text}\""),
        PathKey::Int(value) => value.to_string(),
        PathKey::Other { type_key, .. } => format!("<{type_key}>"),
    };
    let step = |step: &AccessStep| match step {
        AccessStep::Attr(name) => format!(".{name}"),
        AccessStep::ArrayItem(index) => format!("[{index}]"),
        AccessStep::MapItem(of) => format!("[{}]", key(of)),
        AccessStep::AttrMissing(name) => format!(".<missing:{name}>"),
        AccessStep::ArrayItemMissing(index) => format!("[<missing:{index}>]"),
        AccessStep::MapItemMissing(of) => format!("[<missing:{}>]", key(of)),
    };
    path.steps().iter().map(step).collect()
}

fn texts(found: Option<(AccessPath, AccessPath)>) -> Option<(String, String)> {
    found.map(|(lhs, rhs)| (text(&lhs), text(&rhs)))
}

/// The result of our engine.
pub(crate) fn our_verdict(a: &Any, b: &Any, options: Options) -> Verdict {
    let engine =
        StructuralOptions::new().map_free_vars(options.map_free_vars).skip_tensor_content(options.skip_tensor_content);
    let found = engine.first_mismatch(a, b).map_err(|_| ())?;
    Ok(texts(found.map(|found| (found.lhs, found.rhs))))
}

/// The fewest differences of rules that lead to the verdict of tvm-ffi; `None` if they do not.
pub(crate) fn reason([a, b]: [AnyView<'_>; 2], options: Options, ours: &Verdict, peer: &Verdict) -> Option<String> {
    let kind = match (ours, peer) {
        (Ok(ours), Ok(peer)) if ours.is_none() == peer.is_none() => "path",
        _ => "verdict",
    };
    let mut sets: Vec<u32> = (1..1 << DIFFERENCES.len()).collect();
    sets.sort_by_key(|set| set.count_ones());
    let chosen =
        |set: u32| (0..).zip(DIFFERENCES).filter(move |(bit, _)| set >> bit & 1 == 1).map(|(_, chosen)| chosen);
    let set = sets.into_iter().find(|set| {
        let mut rules = Rules::OURS;
        chosen(*set).for_each(|(_, change)| change(&mut rules));
        compare(a, b, options, rules).map(texts) == *peer
    })?;
    Some(format!("{kind}: {}", chosen(set).map(|(name, _)| name).collect::<Vec<_>>().join(", ")))
}
