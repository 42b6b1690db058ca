//! [`ComparedPipelines`]: the passes of two recorded pipelines side by side, and where their results begin to differ.

use std::fmt;

use object_core::error::Result;
use object_core::pairing::align_keys;
use object_core::trace::Pass;
use object_core::{Any, structural_equal};

use crate::trace::table::{indented_name, write_table};
use crate::trace::{RecordedPipeline, StageChanges};

/// How the results of a pass in two pipelines relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassRelation {
    /// Only the left pipeline runs the pass.
    LeftOnly,
    /// Only the right pipeline runs the pass.
    RightOnly,
    /// The results are equal.
    Same,
    /// The programs before the pass are equal, and the results differ.
    Parts,
    /// The programs before the pass differ already, and so do the results.
    Different,
}

impl PassRelation {
    /// The relation in a few words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PassRelation::LeftOnly => "left only",
            PassRelation::RightOnly => "right only",
            PassRelation::Same => "same",
            PassRelation::Parts => "first differs here",
            PassRelation::Different => "differs before",
        }
    }
}

/// A pass in two pipelines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedPass {
    /// The pass on each side.
    pub passes: [Option<Pass>; 2],
    /// How the results relate.
    pub relation: PassRelation,
    /// The changes that the pass makes on each side.
    pub changes: [StageChanges; 2],
    /// The differences between the two results; none if they are equal or only one side has the pass.
    pub between: StageChanges,
}

/// The passes of two recorded pipelines side by side, by name and depth. It displays as a table of the passes that differ.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedPipelines {
    /// The programs that ran the pipelines.
    pub producers: [String; 2],
    /// The passes.
    pub passes: Vec<ComparedPass>,
}

impl ComparedPipelines {
    /// Compares what the passes of two pipelines did.
    ///
    /// # Errors
    /// [`OutOfRange`](object_core::ErrorKind::OutOfRange) if a pass refers to a stage that its trace does not have.
    pub fn of(pipelines: [&RecordedPipeline; 2]) -> Result<Self> {
        let [left, right] = pipelines.map(|it| it.trace.passes.iter().collect::<Vec<Pass>>());
        let keys = |passes: &[Pass]| passes.iter().map(|it| Some((it.depth, it.name.to_string()))).collect();
        let rows = align_keys(keys(&left), keys(&right)).into_iter().map(|(l, r)| {
            let passes = [l.map(|index| left[index].clone()), r.map(|index| right[index].clone())];
            compare(pipelines, passes)
        });
        Ok(ComparedPipelines {
            producers: pipelines.map(|it| it.trace.producer.to_string()),
            passes: rows.collect::<Result<_>>()?,
        })
    }

    /// The passes after which equal programs differ.
    pub fn partings(&self) -> impl Iterator<Item = &ComparedPass> {
        self.passes.iter().filter(|it| it.relation == PassRelation::Parts)
    }

    /// Whether both pipelines run the same passes with equal results.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.passes.iter().all(|it| it.relation == PassRelation::Same)
    }
}

fn compare(pipelines: [&RecordedPipeline; 2], passes: [Option<Pass>; 2]) -> Result<ComparedPass> {
    // The stages before and after the pass on each side.
    let stages = |side: usize| -> Result<Option<[Any; 2]>> {
        let stages = passes[side].as_ref().map(|pass| pipelines[side].trace.stages_of(pass)).transpose()?;
        let stage = |index| pipelines[side].trace.stage(index);
        stages.map(|[before, after]| Ok([stage(before)?, stage(after)?])).transpose()
    };
    let (left, right) = (stages(0)?, stages(1)?);
    let limits = pipelines.map(|it| it.limits);
    let changes = |stages: &Option<[Any; 2]>, side: usize| {
        stages.as_ref().map_or_else(StageChanges::default, |[a, b]| StageChanges::of(a, b, &limits[side]))
    };
    let (relation, between) = match (&left, &right) {
        (Some([a, after_a]), Some([b, after_b])) => {
            match (structural_equal(a, b), structural_equal(after_a, after_b)) {
                (_, true) => (PassRelation::Same, StageChanges::default()),
                (true, false) => (PassRelation::Parts, StageChanges::of(after_a, after_b, &limits[0])),
                (false, false) => (PassRelation::Different, StageChanges::of(after_a, after_b, &limits[0])),
            }
        }
        (_, None) => (PassRelation::LeftOnly, StageChanges::default()),
        (None, _) => (PassRelation::RightOnly, StageChanges::default()),
    };
    Ok(ComparedPass { relation, changes: [changes(&left, 0), changes(&right, 1)], between, passes })
}

impl fmt::Display for ComparedPipelines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = &self.producers;
        let same = self.passes.iter().filter(|it| it.relation == PassRelation::Same).count();
        write!(f, "{left} and {right}: {same} of {} passes have equal results", self.passes.len())?;
        let differing = self.passes.iter().filter(|it| it.relation != PassRelation::Same);
        let rows: Vec<_> = differing.map(row).collect();
        if rows.is_empty() {
            return Ok(());
        }
        write_table(f, &["pass", "results", "left changes", "right changes", "between the results"], &rows)
    }
}

fn row(it: &ComparedPass) -> [String; 5] {
    let pass = it.passes.iter().flatten().next();
    let name = pass.map_or_else(String::new, indented_name);
    let [left, right] =
        [0, 1].map(|side| if it.passes[side].is_some() { it.changes[side].to_string() } else { String::new() });
    let between = if it.between.is_any { it.between.to_string() } else { String::new() };
    [name, it.relation.name().to_owned(), left, right, between]
}
