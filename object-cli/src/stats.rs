//! `objir stats`: the size of a graph, how much of it is shared, and its types.

use std::fmt;

use clap::Args as ClapArgs;
use object_core::Result;
use object_core::stats::GraphStats;
use serde_json::{Value, json};

use crate::batch;
use crate::file_set::Arguments;
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::source::Source;

/// `objir stats`.
#[derive(ClapArgs)]
pub(crate) struct StatsArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Source>,

    /// The number of types to list, the most frequent first; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
}

pub(crate) fn run(args: &StatsArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let files = Arguments::of(&args.files)?.sources;
    let report = |source: &Source| {
        let graph = source.load(reading)?.graph;
        Ok(Report {
            file: source.to_string(),
            root: graph.root.type_key(),
            stats: GraphStats::of(&graph.root),
            top: if args.top == 0 { usize::MAX } else { args.top },
        })
    };
    let mut is_first = true;
    batch::for_each_file(&files, output, report, |report: Report| {
        if !std::mem::replace(&mut is_first, false) && !output.is_json() {
            output.show_text("")?;
        }
        output.show(&report, || report.to_json())
    })
}

struct Report {
    file: String,
    root: &'static str,
    stats: GraphStats,
    top: usize,
}

impl Report {
    fn to_json(&self) -> Value {
        let types = self
            .stats
            .types
            .iter()
            .map(|entry| json!({"type": entry.type_key, "nodes": entry.nodes, "references": entry.references}));
        json!({
            "file": self.file,
            "root": self.root,
            "nodes": self.stats.nodes,
            "edges": self.stats.edges,
            "shared": self.stats.shared,
            "depth": self.stats.depth,
            "tree_nodes": self.stats.tree_nodes,
            "types": types.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = &self.stats;
        let count = |count: usize| grouped(count as u64);
        let tree = match stats.tree_nodes {
            u64::MAX => "> 10^19".to_owned(),
            nodes => grouped(nodes),
        };
        let totals = [
            ("nodes", count(stats.nodes), format!("of {}", types(stats.types.len()))),
            ("edges", count(stats.edges), "references between nodes".into()),
            ("shared", count(stats.shared), "objects with more than one reference".into()),
            ("as a tree", tree, "nodes if nothing were shared".into()),
            ("depth", count(stats.depth), "nodes on the longest path".into()),
        ];
        writeln!(f, "{}: {}", self.file, self.root)?;
        writeln!(f)?;
        let width = totals.iter().map(|(_, count, _)| count.len()).max().unwrap_or_default();
        for (name, count, meaning) in totals {
            writeln!(f, "  {name:<9}  {count:>width$}  {meaning}")?;
        }
        writeln!(f)?;
        self.fmt_table(f)
    }
}

impl Report {
    /// The types, the most frequent first, and one line for all others.
    fn fmt_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = &self.stats.types;
        let (listed, rest) = types.split_at(self.top.min(types.len()));
        let rest_nodes: usize = rest.iter().map(|entry| entry.nodes).sum();
        let rest_references: usize = rest.iter().map(|entry| entry.references).sum();
        let rest_row = (!rest.is_empty()).then(|| (format!("{} more types", rest.len()), rest_nodes, rest_references));
        let rows: Vec<(String, usize, usize)> = listed
            .iter()
            .map(|entry| (entry.type_key.to_owned(), entry.nodes, entry.references))
            .chain(rest_row)
            .collect();
        let cells = rows.iter().map(|(name, nodes, references)| {
            let share = *nodes as f64 * 100.0 / self.stats.nodes as f64;
            [name.clone(), grouped(*nodes as u64), format!("{share:.1}%"), grouped(*references as u64)]
        });
        let heading = ["type", "nodes", "", "references"].map(str::to_owned);
        let table: Vec<[String; 4]> = std::iter::once(heading).chain(cells).collect();
        let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or_default();
        let (name_width, node_width, share_width, reference_width) = (width(0), width(1), width(2), width(3));
        let lines = table.iter().map(|[name, nodes, share, references]| {
            format!(
                "  {name:<name_width$}  {nodes:>node_width$}  {share:>share_width$}  {references:>reference_width$}"
            )
        });
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// The number with a comma between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn types(count: usize) -> String {
    if count == 1 { "1 type".into() } else { format!("{count} types") }
}
