//! [`check`]: a text against a file beside the tests, which `BLESS=1` renews.

use std::fs;
use std::path::Path;

/// Compares `actual` with the file at `path`. With the environment variable `BLESS`, writes the file.
///
/// # Errors
/// The first line that differs.
pub(super) fn check(path: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("BLESS").is_some() {
        return fs::write(path, actual).map_err(|error| format!("{}: {error}", path.display()));
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let n_equal = expected.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual).count();
    let line = |text: &str| text.lines().nth(n_equal).unwrap_or("(the end)").to_owned();
    Err(format!(
        "{}:{}:\n  expected: {}\n  actual:   {}\nafter a look at the change, renew the file with BLESS=1",
        path.display(),
        n_equal + 1,
        line(&expected),
        line(actual)
    ))
}
