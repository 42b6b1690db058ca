//! The examples of each command, which its help and its page of the manual show.

/// The examples of all commands, which the tests run.
const EXAMPLES: &str = include_str!("examples.txt");

/// The lines of the examples of a command.
pub(crate) fn examples(name: &str) -> Option<Vec<&'static str>> {
    let mut lines = EXAMPLES.lines().skip_while(|line| *line != name);
    lines.next()?;
    Some(lines.map_while(|line| line.strip_prefix("  ")).collect())
}
