//! The tables of layers in `tests/data/layers.md`, and look-ups of files in them.

use std::cell::Cell;

/// The document with the layers.
pub(crate) const LAYERS: &str = "tests/data/layers.md";

/// The layers of one crate.
#[derive(Default)]
pub(crate) struct Layers {
    /// The rows, the lowest first. Each has the paths of folders or files under `src/`.
    pub(crate) rows: Vec<Vec<String>>,
    /// Uses that the order forbids and a reason permits.
    pub(crate) exceptions: Vec<Exception>,
    /// Folders or files in which circles are permitted.
    pub(crate) circles: Vec<Exception>,
}

/// A row of a table of exceptions.
pub(crate) struct Exception {
    /// The using folder or file.
    pub(crate) from: String,
    /// The used folder or file. For an allowed circle it is `from` again.
    pub(crate) to: String,
    /// The line in the document.
    pub(crate) line: usize,
    /// Whether a use needs the row.
    pub(crate) needed: Cell<bool>,
}

/// The tables of a document.
#[derive(Default)]
pub(crate) struct Tables {
    /// The layers of crates, by the folder of the crate.
    pub(crate) layers: Vec<(String, Layers)>,
    /// The folders of the crates.
    pub(crate) crates: Vec<String>,
}

impl Tables {
    /// Reads the tables of a document. A heading `Layers of <crate>` begins the tables of a crate. The header of a
    /// table is its kind: `module`, `exception`, `circle` or `crate`.
    ///
    /// # Errors
    /// A row without names, or a table outside of the section of its crate.
    pub(crate) fn parse(document: &str) -> Result<Self, String> {
        let mut tables = Tables::default();
        let mut header = String::new();
        let mut in_layers = false;
        for (line, text) in (1..).zip(document.lines()) {
            if let Some(heading) = text.strip_prefix("## ") {
                in_layers = heading.starts_with("Layers of ");
                if let Some(rest) = heading.strip_prefix("Layers of ") {
                    let name = rest.split([',', ' ']).next().unwrap_or_default().trim_matches('`');
                    tables.layers.push((name.to_owned(), Layers::default()));
                }
            }
            let Some(row) = text.strip_prefix('|') else {
                header.clear();
                continue;
            };
            let cells: Vec<&str> = row.trim_end().trim_end_matches('|').split('|').map(str::trim).collect();
            if header.is_empty() {
                cells[0].clone_into(&mut header);
                continue;
            }
            if cells[0].starts_with("--") {
                continue;
            }
            tables.add_row(&header, &cells, in_layers, line)?;
        }
        Ok(tables)
    }

    fn add_row(&mut self, header: &str, cells: &[&str], in_layers: bool, line: usize) -> Result<(), String> {
        let names: Vec<String> = code_words(cells[0]);
        let place = format!("{LAYERS}:{line}");
        if header == "crate" {
            self.crates.extend(names);
            return Ok(());
        }
        let Some((_, layers)) = self.layers.last_mut().filter(|_| in_layers) else { return Ok(()) };
        if names.is_empty() {
            return Err(format!("{place}: a row of the table `{header}` names nothing in backticks"));
        }
        match header {
            "module" => layers.rows.push(names),
            "exception" => {
                for to in code_words(cells.get(1).copied().unwrap_or_default()) {
                    for from in &names {
                        let exception =
                            Exception { from: from.clone(), to: to.clone(), line, needed: Cell::new(false) };
                        layers.exceptions.push(exception);
                    }
                }
                if cells.get(2).is_none_or(|reason| reason.is_empty()) {
                    return Err(format!("{place}: the exception has no reason; write it into the third column"));
                }
            }
            "circle" => layers.circles.extend(names.into_iter().map(|name| Exception {
                from: name.clone(),
                to: name,
                line,
                needed: Cell::new(false),
            })),
            other => {
                return Err(format!(
                    "{place}: a table of layers starts with `module`, `exception` or `circle`, not `{other}`"
                ));
            }
        }
        Ok(())
    }

    /// The layers of the crate in `folder`.
    pub(crate) fn of(&self, folder: &str) -> Option<&Layers> {
        self.layers.iter().find(|(name, _)| name == folder).map(|(_, layers)| layers)
    }
}

impl Layers {
    /// The row of a file: the row with the longest path that contains the file.
    pub(crate) fn row(&self, file: &str) -> Option<usize> {
        let places = self.rows.iter().enumerate().flat_map(|(row, paths)| paths.iter().map(move |path| (row, path)));
        places.filter(|(_, path)| lies_at(file, path)).max_by_key(|(_, path)| path.len()).map(|(row, _)| row)
    }

    /// Whether an exception allows `from` to use `to`. The exception counts as needed from then on.
    pub(crate) fn excepts(&self, from: &str, to: &str) -> bool {
        let found = self.exceptions.iter().find(|it| lies_at(from, &it.from) && lies_at(to, &it.to));
        found.inspect(|it| it.needed.set(true)).is_some()
    }

    /// Marks the rows as needed that allow circles between two of `files`, which use each other.
    pub(crate) fn allows_circles(&self, files: &[&str]) {
        for row in &self.circles {
            if files.iter().filter(|file| lies_at(file, &row.from)).count() > 1 {
                row.needed.set(true);
            }
        }
    }

    /// The folder around a file in which circles are allowed.
    pub(crate) fn circle_around(&self, file: &str) -> Option<&str> {
        self.circles.iter().map(|row| row.from.as_str()).find(|folder| lies_at(file, folder))
    }
}

/// Whether a file is `path`, with or without its ending, or lies in the folder `path`.
pub(crate) fn lies_at(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest == ".rs" || rest.starts_with('/'))
}

/// The words in backticks of a cell.
fn code_words(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
