//! [`Trials`]: compares two modules on several random arguments, for which their values stay finite if any do.
//!
//! NaN and infinity hide differences, so a trial whose values are not finite runs again with other ranges of numbers: positive
//! ones, and the widest narrower ones without overflow. The idea of such a search is from NNSmith (Liu et al., ASPLOS 2023).

use object_core::prelude::*;
use object_ir::ir::StructInfo;

use super::comparison::{Comparison, compare};
use super::difference::Tolerance;
use super::domains::{Domain, dimensions};
use super::evaluator::Evaluator;
use super::inputs::{Inputs, Spread};
use super::value::Meter;
use super::verdict::Verdict;

/// The most trials of a comparison.
const MAX_TRIALS: usize = 10_000;

/// The sizes of the dimensions without given sizes. A seed takes a row, and the dimensions take its sizes in order, because
/// equal sizes hide that two dimensions change places.
const SIZES: [&[i64]; 3] = [&[4], &[1], &[7, 5, 3, 2]];

/// The narrowest range that the search tries is from -2^-20 to 2^-20.
const LEAST_EXPONENT: f64 = 20.0;

/// The number of times that the search halves the interval of exponents.
const HALVINGS: usize = 5;

/// A comparison of two modules on several random arguments. The same options give the same arguments.
///
/// ```
/// use object_core::prelude::*;
/// use object_eval::{Evaluator, Trials, Verdict};
/// use object_ir::ir::{Call, TensorStructInfo, Var};
/// use object_ir::tir;
/// use object_relax::{block_builder::BlockBuilder, op};
///
/// let module = |operator: fn(&Var) -> Call| -> Result<Evaluator, Error> {
///     let x = Var::of("x", TensorStructInfo::of([&tir::Var::dim("n")], "float32")?);
///     let mut bb = BlockBuilder::new();
///     bb.function("main", [&x], |bb| {
///         let square = bb.emit(op::multiply(&x, &x))?;
///         bb.emit(operator(&square))
///     })?;
///     Ok(Evaluator::new(&bb.finalize()?))
/// };
/// let (exp, log) = (module(|x| op::exp(x))?, module(|x| op::log(x))?);
/// let trials = Trials::new(1).sizes("n", [2, 5]);
/// assert_eq!(trials.compare([&log, &log], "main")?.verdict, Verdict::Same);
/// assert_eq!(trials.compare([&log, &exp], "main")?.verdict, Verdict::Different);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trials {
    seed: u64,
    seeds: u64,
    sizes: Vec<(String, Vec<i64>)>,
    given: Vec<(Str, Any)>,
    tolerance: Tolerance,
    meter: Meter,
}

/// The arguments of a comparison, and its verdict.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// The seed of the random values.
    pub seed: u64,
    /// The sizes of the symbolic dimensions of random values.
    pub sizes: Vec<(String, i64)>,
    /// The range of the random numbers.
    pub spread: Spread,
    /// The verdict on these arguments.
    pub verdict: Verdict,
}

/// The result of [`Trials::compare`].
#[derive(Debug)]
#[non_exhaustive]
pub struct TrialsReport {
    /// The verdict: of the first trial that finds a difference or an error, which is the last one, or else `Same` if one of
    /// the trials says so.
    pub verdict: Verdict,
    /// All trials.
    pub trials: Vec<Trial>,
    /// The trial that has the verdict of the report.
    pub decisive: Trial,
    /// The comparison of the decisive trial.
    pub comparison: Comparison,
}

/// The arguments of a trial before the search for a range.
struct Case {
    seed: u64,
    sizes: Vec<(String, i64)>,
}

impl Trials {
    /// Three trials with the seeds `seed`, `seed + 1` and `seed + 2`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let (sizes, given) = (Vec::new(), Vec::new());
        Trials { seed, seeds: 3, sizes, given, tolerance: Tolerance::new(), meter: Meter::unlimited() }
    }

    /// Sets the number of seeds.
    #[must_use]
    pub fn seeds(mut self, count: u64) -> Self {
        self.seeds = count;
        self
    }

    /// Sets the sizes of a symbolic dimension: each seed runs with all of them, and with all pairs of them if two dimensions
    /// have several sizes. Other dimensions have the sizes 4, 1 and different ones.
    #[must_use]
    pub fn sizes(mut self, name: impl Into<String>, sizes: impl IntoIterator<Item = i64>) -> Self {
        self.sizes.push((name.into(), sizes.into_iter().collect()));
        self
    }

    /// Sets the value of a parameter, which is not random then.
    #[must_use]
    pub fn given(mut self, parameter: impl Into<Str>, value: impl Into<Any>) -> Self {
        self.given.push((parameter.into(), value.into()));
        self
    }

    /// Sets the tolerance.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Counts the memory of the arguments and of the values of the first run in an account, as [`compare`]. By default, it has
    /// no limit.
    #[must_use]
    pub fn meter(mut self, meter: &Meter) -> Self {
        self.meter = meter.clone();
        self
    }

    /// Compares the entry `name` of two modules until a trial finds a difference or an error. The parameters are the ones of
    /// the first module.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for more than 10,000 trials and for arguments beyond the memory budget;
    /// the errors of [`Inputs::value`], with the name of the parameter. An error of a run is a part of the report.
    pub fn compare(&self, evaluators: [&Evaluator; 2], name: &str) -> Result<TrialsReport, Error> {
        let parameters = evaluators[0].parameters(name).unwrap_or_default();
        let [mut domains, others] = evaluators.map(|evaluator| evaluator.domains(name));
        domains.iter_mut().zip(others).for_each(|(domain, other)| domain.merge(other));
        let (parameters, domains) = (&parameters[..], &domains[..]);
        let mut search = Search { trials: self, evaluators, name, parameters, domains, usual: None, is_futile: false };
        let mut trials: Vec<Trial> = Vec::new();
        let mut decisive: Option<(Trial, Comparison)> = None;
        for case in self.cases(parameters)? {
            let (spread, comparison) = match search.run(&case) {
                Ok(found) => found,
                // The sizes of a later seed may be impossible for the program, such as a dimension of `n - 2`.
                Err(error) if trials.is_empty() || error.kind() == ErrorKind::LimitExceeded => return Err(error),
                Err(_) => continue,
            };
            let trial = Trial { seed: case.seed, sizes: case.sizes, spread, verdict: comparison.verdict() };
            trials.push(trial.clone());
            let is_better = |(known, _): &(Trial, Comparison)| rank(trial.verdict) > rank(known.verdict);
            if decisive.as_ref().is_none_or(is_better) {
                decisive = Some((trial.clone(), comparison));
            }
            if matches!(trial.verdict, Verdict::Different | Verdict::Failed) {
                break;
            }
        }
        let no_trial = || Error::new(ErrorKind::OutOfRange, "a comparison needs a seed and a size of each dimension");
        let (decisive, comparison) = decisive.ok_or_else(no_trial)?;
        Ok(TrialsReport { verdict: decisive.verdict, trials, decisive, comparison })
    }

    /// The seeds with the sizes of dimensions.
    fn cases(&self, parameters: &[(Str, Option<StructInfo>)]) -> Result<Vec<Case>, Error> {
        let is_random = |name: &Str| self.given.iter().all(|(given, _)| given != name);
        let random: Vec<&StructInfo> =
            parameters.iter().filter(|(name, _)| is_random(name)).filter_map(|(_, info)| info.as_ref()).collect();
        let free: Vec<String> = dimensions(random.iter().copied())
            .into_iter()
            .filter(|name| self.sizes.iter().all(|(given, _)| given != name))
            .collect();
        let seeds = if random.is_empty() { self.seeds.min(1) } else { self.seeds };
        let rows = self.sizes.iter().try_fold(1_usize, |rows, (_, sizes)| rows.checked_mul(sizes.len()));
        let count = rows.and_then(|rows| rows.checked_mul(usize::try_from(seeds).ok()?));
        if count.is_none_or(|count| count > MAX_TRIALS) {
            let message = format!("a comparison has at most {MAX_TRIALS} trials; give fewer seeds or sizes");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        let mut cases = Vec::new();
        for number in 0..seeds {
            let row = SIZES[number as usize % SIZES.len()];
            let sizes = free.iter().zip(row.iter().cycle()).map(|(name, size)| (name.clone(), *size)).collect();
            let mut combinations: Vec<Vec<(String, i64)>> = vec![sizes];
            for (name, sizes) in &self.sizes {
                let extended = combinations.iter().flat_map(|known| {
                    sizes.iter().map(|size| known.iter().cloned().chain([(name.clone(), *size)]).collect())
                });
                combinations = extended.collect();
            }
            cases.extend(combinations.into_iter().map(|sizes| Case { seed: self.seed.wrapping_add(number), sizes }));
        }
        Ok(cases)
    }
}

/// The order in which verdicts decide.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Inconclusive => 0,
        Verdict::Same => 1,
        Verdict::Failed => 2,
        Verdict::Different => 3,
    }
}

/// The search for arguments with finite values.
struct Search<'a> {
    trials: &'a Trials,
    evaluators: [&'a Evaluator; 2],
    name: &'a str,
    parameters: &'a [(Str, Option<StructInfo>)],
    domains: &'a [Domain],
    /// The range that the last trial found.
    usual: Option<Spread>,
    /// Whether an earlier trial found no range.
    is_futile: bool,
}

/// Whether a search may end with this comparison: all values are finite, or other arguments do not help. A difference
/// between numbers that are finite on one side at least stands; one between NaN and infinity may come from an overflow.
fn is_settled(comparison: &Comparison) -> bool {
    match comparison.verdict() {
        Verdict::Failed => true,
        Verdict::Different if comparison.coverage.iter().any(|it| it.non_finite == 0) => true,
        _ => comparison.non_finite.is_none() && comparison.results.iter().all(Result::is_ok),
    }
}

impl Search<'_> {
    /// Compares the modules on the arguments of a case with this range.
    fn attempt(&self, case: &Case, spread: Spread) -> Result<Comparison, Error> {
        let mut inputs = Inputs::new(case.seed).meter(&self.trials.meter).spread(spread);
        for (name, size) in &case.sizes {
            inputs = inputs.dim(&**name, *size);
        }
        let args = inputs.arguments_in(self.parameters, self.domains, &self.trials.given)?;
        compare(self.evaluators, self.name, &args, self.trials.tolerance, &self.trials.meter)
    }

    /// The comparison on the widest range whose values are finite, or on the usual range if there is none.
    fn run(&mut self, case: &Case) -> Result<(Spread, Comparison), Error> {
        if let Some(usual) = self.usual {
            let comparison = self.attempt(case, usual)?;
            if is_settled(&comparison) {
                return Ok((usual, comparison));
            }
        }
        let first = (Spread::default(), self.attempt(case, Spread::default())?);
        if is_settled(&first.1) || self.is_futile {
            return Ok(first);
        }
        let found = self.narrow(case)?;
        match &found {
            Some((spread, _)) => self.usual = Some(*spread),
            None => self.is_futile = true,
        }
        Ok(found.unwrap_or(first))
    }

    /// The comparison on another range than the usual one.
    fn narrow(&self, case: &Case) -> Result<Option<(Spread, Comparison)>, Error> {
        let spread = |exponent: f64, is_positive| Spread { scale: (-exponent).exp2(), is_positive };
        let wide = spread(0.0, true);
        let comparison = self.attempt(case, wide)?;
        if is_settled(&comparison) {
            return Ok(Some((wide, comparison)));
        }
        for is_positive in [false, true] {
            let least = spread(LEAST_EXPONENT, is_positive);
            let comparison = self.attempt(case, least)?;
            if !is_settled(&comparison) {
                continue;
            }
            let mut found = (least, comparison);
            let (mut low, mut high) = (0.0, LEAST_EXPONENT);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(low, high);
                let comparison = self.attempt(case, spread(middle, is_positive))?;
                if is_settled(&comparison) {
                    (high, found) = (middle, (spread(middle, is_positive), comparison));
                } else {
                    low = middle;
                }
            }
            return Ok(Some(found));
        }
        Ok(None)
    }
}
