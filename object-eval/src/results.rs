//! The arguments and the results of functions by name: the options and the result of a comparison of runs.

use object_core::prelude::*;
use object_ir::results::count;

use crate::difference::Tolerance;
use crate::trials::{Trials, TrialsReport};
use crate::trials_text::TrialsText;

/// The arguments and the tolerance of a comparison of runs.
#[derive(Object)]
#[object(type_key = "objir.CompareOptions")]
#[structural_eq(tree)]
pub struct CompareOptionsNode {
    /// The seed of random arguments.
    #[field(default = 0)]
    pub seed: i64,
    /// The number of seeds: `seed` and the numbers after it.
    #[field(default = 3)]
    pub seeds: i64,
    /// The sizes of symbolic dimensions by name. Each seed runs with each of them.
    #[field(default)]
    pub sizes: Map<Str, Array<i64>>,
    /// The relative tolerance of floating-point numbers; by default it depends on the data type.
    #[field(default)]
    pub rtol: Option<f64>,
    /// The absolute tolerance of floating-point numbers; by default it depends on the data type.
    #[field(default)]
    pub atol: Option<f64>,
}

impl CompareOptions {
    /// The trials with these options.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a negative number of seeds.
    pub fn trials(&self) -> Result<Trials, Error> {
        let tolerance = self.rtol.iter().fold(Tolerance::new(), |tolerance, rtol| tolerance.relative(*rtol));
        let tolerance = self.atol.iter().fold(tolerance, |tolerance, atol| tolerance.absolute(*atol));
        let trials = Trials::new(self.seed.cast_unsigned()).seeds(count("seeds", self.seeds)?).tolerance(tolerance);
        Ok(self.sizes.iter().fold(trials, |trials, (name, sizes)| trials.sizes(name.as_str(), sizes.iter())))
    }
}

/// The result of a comparison of runs.
#[derive(Object)]
#[object(type_key = "objir.RunComparison")]
#[structural_eq(tree)]
pub struct RunComparisonNode {
    /// `same`, `different`, `inconclusive` or `failed`.
    pub verdict: Str,
    /// The name of the first variable whose values differ.
    pub variable: Option<Str>,
    /// The first difference of the results in words.
    pub difference: Option<Str>,
    /// The result in words, with the arguments that show it.
    pub text: Str,
}

impl RunComparison {
    /// The result as an object.
    #[must_use]
    pub fn of(report: &TrialsReport) -> Self {
        let comparison = &report.comparison;
        let variable = comparison.binding.as_ref().map(|binding| Str::from(&*binding.name));
        let difference = comparison.difference.as_ref().map(|it| Str::from(it.to_string()));
        let text = TrialsText { names: ["left", "right"], report }.to_string();
        RunComparison::new(report.verdict.name(), variable, difference, text)
    }
}
