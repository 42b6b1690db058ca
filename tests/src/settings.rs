//! [`setting`]: numbers that the environment sets.

use std::fmt::Display;
use std::str::FromStr;

/// The number in the environment variable `name`, or `default` where there is none. Tests over random cases read their number of
/// cases and their seed with it: the defaults are few, so that all tests end soon, and `CONTRIBUTING.md` lists commands with more.
///
/// # Panics
///
/// If the variable holds no number: a misspelled number must not look like a successful run of many cases.
pub fn setting<T: FromStr<Err: Display>>(name: &str, default: T) -> T {
    std::env::var(name).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|error| panic!("{name} is a number of cases or a seed, but it is `{text}`: {error}"))
    })
}
