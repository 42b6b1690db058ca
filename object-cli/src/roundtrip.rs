//! `objir roundtrip`: whether a loaded file saves as the same bytes.

use std::fmt;
use std::io::{self, Write};

use clap::Args as ClapArgs;
use object_core::Result;
use object_core::json::{Graph, JsonWriter};
use object_script::file::is_script;
use serde_json::{Value, json};

use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::source::{Content, Source};

/// `objir roundtrip`.
#[derive(ClapArgs)]
pub(crate) struct RoundtripArgs {
    /// The file, or `-`.
    file: Source,
}

/// The number of bytes to show before and after a difference.
const CONTEXT: usize = 40;

pub(crate) fn run(args: &RoundtripArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let text = args.file.read(&reading.limits)?;
    let comparison = compare(&args.file.to_string(), &text, reading).map_err(|error| args.file.name_in(error))?;
    let report = Report { file: args.file.to_string(), text: &text, comparison };
    output.show(&report, || report.to_json())?;
    Ok(Verdict::of(report.comparison.first_difference.is_none()))
}

/// Loads `text`, saves it, and compares the two texts while writing, so that the saved text needs no memory.
/// A script is printed again, with its values if it has them.
fn compare(name: &str, text: &Content, reading: &Reading) -> Result<Comparison> {
    let loaded = reading.graph(name, text)?;
    let mut comparer = Comparer { expected: text, found: Comparison::default() };
    if is_script(name, text) {
        let has_values = text.starts_with(b"metadata");
        let printer = reading.printer().version(loaded.origin.version("roundtrip")?).show_meta(has_values);
        let script = printer.try_print_text(&loaded.into_linked("roundtrip")?.root)?;
        comparer.write_all(script.as_bytes())?;
        if text.ends_with(b"\n") && !script.ends_with('\n') {
            comparer.write_all(b"\n")?;
        }
    } else {
        let Graph { root, metadata, .. } = &loaded.graph;
        // A file without declarations stays one.
        let writer = match loaded.graph.has_declarations() {
            true => JsonWriter::new(),
            false => JsonWriter::new().tvm_form(),
        };
        writer.metadata(metadata.as_ref()).to_writer(&mut comparer, root)?;
    }
    let mut found = comparer.found;
    if found.first_difference.is_none() && found.written != text.len() {
        found.first_difference = Some(found.written);
    }
    Ok(found)
}

#[derive(Default)]
struct Comparison {
    /// The number of saved bytes.
    written: usize,
    /// The position of the first different byte.
    first_difference: Option<usize>,
    /// The saved bytes after this position.
    around: Vec<u8>,
}

/// A writer that compares the written bytes with the expected ones.
struct Comparer<'a> {
    expected: &'a [u8],
    found: Comparison,
}

impl Write for Comparer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let found = &mut self.found;
        if found.first_difference.is_none() {
            let rest = &self.expected[found.written.min(self.expected.len())..];
            if !rest.starts_with(bytes) {
                let same = rest.iter().zip(bytes).take_while(|(a, b)| a == b).count();
                found.first_difference = Some(found.written + same);
            }
        }
        if let Some(at) = found.first_difference {
            let skip = at.saturating_sub(found.written).min(bytes.len());
            let room = CONTEXT - found.around.len();
            found.around.extend(bytes[skip..].iter().take(room));
        }
        found.written += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Report<'a> {
    file: String,
    text: &'a [u8],
    comparison: Comparison,
}

impl Report<'_> {
    /// The loaded and the saved text around byte `at`; the bytes before it are the same.
    fn around(&self, at: usize) -> [String; 2] {
        let before = &self.text[at.saturating_sub(CONTEXT)..at];
        let after = &self.text[at..self.text.len().min(at + CONTEXT)];
        [after, &self.comparison.around]
            .map(|after| String::from_utf8_lossy(&[before, after].concat()).chars().flat_map(escape_control).collect())
    }

    fn to_json(&self) -> Value {
        let Comparison { written, first_difference, .. } = self.comparison;
        let mut report = json!({
            "file": self.file,
            "identical": first_difference.is_none(),
            "bytes_read": self.text.len(),
            "bytes_written": written,
        });
        if let Some(at) = first_difference {
            let [read, written] = self.around(at);
            report["difference"] = json!({"offset": at, "read": read, "written": written});
        }
        report
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (read, written) = (self.text.len(), self.comparison.written);
        let Some(at) = self.comparison.first_difference else {
            return write!(f, "identical: {} loads and saves as the same {read} bytes", self.file);
        };
        let line = 1 + self.text[..at].iter().filter(|byte| **byte == b'\n').count();
        writeln!(f, "different: {}, {read} bytes read, {written} written, first at byte {at}, line {line}", self.file)?;
        let [read, written] = self.around(at);
        write!(f, "\n  read   {read}\n  saved  {written}")
    }
}

/// The character; escaped if it is a control character.
fn escape_control(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = (!c.is_control()).then_some(c);
    escaped.into_iter().flatten().chain(plain)
}
