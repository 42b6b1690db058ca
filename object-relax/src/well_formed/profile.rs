//! [`Profile`]: whose rules a check applies.

use std::fmt;
use std::sync::OnceLock;

use object_core::{Error, ErrorKind};
use object_ir::table::rows;
use object_ir::tvm::TvmVersion;
use rustc_hash::FxHashMap;

use crate::well_formed::rule::{Level, Rule};
use crate::well_formed::rules;

/// The level of each rule under each profile, with the reason for a difference: a column for each of [`Profile::ALL`].
const LEVELS: &str = include_str!("../../data/rule_levels.txt");

/// Whose rules a check applies: a level for each rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Profile {
    /// The errors are the errors of `relax.analysis.well_formed` of TVM 0.25; further rules of the specification give
    /// warnings.
    Tvm025,
    /// As [`Tvm025`](Self::Tvm025), for TVM 0.27.
    Tvm027,
    /// The rules of TVM and of the specification give errors.
    Strict,
    /// The rules of the specification give errors, and rules of TVM alone are off, unless they follow from its typing.
    Spec,
}

impl Profile {
    /// All profiles, in the order of the columns of the table.
    pub const ALL: [Profile; 4] = [Profile::Tvm025, Profile::Tvm027, Profile::Strict, Profile::Spec];

    /// The name, such as `tvm-0.25`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Tvm025 => "tvm-0.25",
            Profile::Tvm027 => "tvm-0.27",
            Profile::Strict => "strict",
            Profile::Spec => "spec",
        }
    }

    /// The profile of a version of TVM, which gives the verdict of this version.
    ///
    /// ```
    /// use object_ir::tvm::TvmVersion;
    /// use object_relax::well_formed::Profile;
    /// assert_eq!(Profile::of(TvmVersion::V0_27), Profile::Tvm027);
    /// ```
    ///
    /// TVM 0.26 has the verdicts of TVM 0.27 (`fixtures/make_rule_verdicts.py`).
    #[must_use]
    pub fn of(version: TvmVersion) -> Profile {
        if version < TvmVersion::V0_26 { Profile::Tvm025 } else { Profile::Tvm027 }
    }

    /// The version of TVM whose verdict the profile gives, if it gives one.
    #[must_use]
    pub fn version(self) -> Option<TvmVersion> {
        match self {
            Profile::Tvm025 => Some(TvmVersion::V0_25),
            Profile::Tvm027 => Some(TvmVersion::V0_27),
            Profile::Strict | Profile::Spec => None,
        }
    }

    /// The profile of this name.
    ///
    /// # Errors
    /// No profile has this name.
    pub fn find(name: &str) -> Result<Profile, Error> {
        let found = Profile::ALL.into_iter().find(|profile| profile.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Profile::ALL.map(Profile::name).to_vec();
            let message = format!("`{name}` is not a profile; the profiles are {}", names.join(", "));
            Error::new(ErrorKind::UnknownField, message)
        })
    }

    /// The levels, by the key of the rule.
    pub(super) fn levels(self) -> &'static FxHashMap<usize, Level> {
        static LEVELS_OF: [OnceLock<FxHashMap<usize, Level>>; Profile::ALL.len()] =
            [const { OnceLock::new() }; Profile::ALL.len()];
        LEVELS_OF[self as usize]
            .get_or_init(|| entries().map(|(rule, levels, _)| (rule.key(), levels[self as usize])).collect())
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rows of the table: the rule, its levels, and the reason for a difference.
fn entries() -> impl Iterator<Item = (&'static Rule, [Level; Profile::ALL.len()], &'static str)> {
    rows(LEVELS).filter_map(|[name, tvm_0_25, tvm_0_27, strict, spec, reason]| {
        let rule = rules::all().find(|rule| rule.name == name)?;
        let level = |name: &str| Level::ALL.into_iter().find(|level| level.name() == name);
        Some((rule, [level(tvm_0_25)?, level(tvm_0_27)?, level(strict)?, level(spec)?], reason))
    })
}

impl Rule {
    /// The level under a profile.
    #[must_use]
    pub fn level(&'static self, profile: Profile) -> Level {
        profile.levels().get(&self.key()).copied().unwrap_or(Level::Deny)
    }
}

/// The reason why the level of a rule depends on the profile; empty if it does not.
#[must_use]
pub fn reason_of_levels(rule: &'static Rule) -> &'static str {
    entries().find(|(it, ..)| *it == rule).map_or("", |(.., reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_row_with_a_reason_for_a_difference() {
        let listed: Vec<&str> = entries().map(|(rule, ..)| rule.name).collect();
        assert_eq!(listed, rules::all().map(|rule| rule.name).collect::<Vec<_>>(), "the rows are the rules, in order");
        assert_eq!(listed.len(), rows::<6>(LEVELS).count(), "a row has another rule or level");
        for (rule, levels, reason) in entries() {
            let is_same = levels.iter().all(|level| *level == levels[0]);
            assert_eq!(is_same, reason.is_empty(), "`{}`: a reason, if and only if the levels differ", rule.name);
        }
    }

    #[test]
    fn an_error_by_tvm_is_an_error_of_the_strict_profile() {
        for rule in rules::all() {
            let [v0_25, v0_27, strict, spec] = Profile::ALL.map(|profile| rule.level(profile));
            assert!(strict >= v0_25.max(v0_27).max(spec), "{}", rule.name);
        }
    }
}
