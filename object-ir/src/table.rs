//! Reads the tables in `data/`: one entry per line, columns separated by tabs, comments after `#`.

/// The entries of a table, each as its columns; columns that are missing at the end of a line are empty.
pub fn rows<const N: usize>(text: &str) -> impl Iterator<Item = [&str; N]> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut columns = line.splitn(N, '\t');
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    })
}

/// Parses a number in a table of this crate. The tests read all tables.
pub fn number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` in a table of object-ir is not a number"))
}
