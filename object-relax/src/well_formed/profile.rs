//! [`Profile`]: the levels with which the checks of another implementation agree.

use std::fmt;

use object_core::{Error, ErrorKind};
use object_ir::table::rows;

use crate::well_formed::rule::{Level, Rule};
use crate::well_formed::rules;

/// The levels of rules that make a checker agree with another implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Profile {
    /// `relax.analysis.well_formed` of TVM 0.25. `data/well_formed_tvm_0_25.txt` has the levels with their reasons.
    Tvm025,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 1] = [Profile::Tvm025];

    /// The name, such as `tvm-0.25`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Tvm025 => "tvm-0.25",
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

    fn table(self) -> &'static str {
        match self {
            Profile::Tvm025 => include_str!("../../data/well_formed_tvm_0_25.txt"),
        }
    }

    /// The rules with another level, and the reason for each.
    pub fn differences(self) -> impl Iterator<Item = (&'static Rule, Level, &'static str)> {
        rows(self.table()).filter_map(|[name, level, reason]| {
            let rule = rules::all().find(|rule| rule.name == name)?;
            let level = [Level::Allow, Level::Warn, Level::Deny].into_iter().find(|it| it.name() == level)?;
            Some((rule, level, reason))
        })
    }

    /// The levels by the name of the rule.
    pub(super) fn levels(self) -> impl Iterator<Item = (&'static str, Level)> {
        self.differences().map(|(rule, level, _)| (rule.name, level))
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_rule_a_level_and_a_reason() {
        for profile in Profile::ALL {
            let count = rows::<3>(profile.table()).count();
            assert_eq!(profile.differences().count(), count, "{profile}: a row has another rule or level");
            for (rule, level, reason) in profile.differences() {
                assert_ne!(level, rule.level, "{profile}: the row of `{}` changes nothing", rule.name);
                assert!(!reason.is_empty(), "{profile}: the row of `{}` has no reason", rule.name);
            }
        }
    }
}
