//! The printed report: circles, their edges, edges to remove, and all edges by folder.

use std::fmt::Write as _;

use crate::graph::{Edges, circles, feedback, shortest, within};
use crate::workspace::Crate;

/// The names of an edge, as `names (line)`.
fn edge(krate: &Crate, edges: &Edges, from: usize, to: usize) -> String {
    let names = &edges[&(from, to)];
    let line = names.values().min().copied().unwrap_or_default();
    let listed = names.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("{}:{line} -> {}: {listed}", krate.files[from], krate.files[to])
}

/// Everything about one crate.
pub(crate) fn report(krate: &Crate) -> String {
    let mut text = format!("######## {}: {} files\n", krate.folder, krate.files.len());
    let edges = &krate.uses.edges;
    write_circles(&mut text, krate, "the whole crate", edges);
    let mut folders: Vec<&str> = krate.files.iter().filter_map(|file| Some(file.rsplit_once('/')?.0)).collect();
    folders.sort_unstable();
    folders.dedup();
    for folder in &folders {
        let prefix = format!("{folder}/");
        let inside = |file: usize| krate.files[file].starts_with(&prefix);
        let own: Edges = (edges.iter().filter(|((from, to), _)| inside(*from) && inside(*to)))
            .map(|(edge, names)| (*edge, names.clone()))
            .collect();
        write_circles(&mut text, krate, &format!("only what lies in {folder}/"), &own);
    }
    for depth in [1, 2] {
        write_folders(&mut text, krate, depth);
    }
    let _ = writeln!(
        text,
        "\n==== {}: calls of methods of a name that only one type has, defined outside of the file of their type",
        krate.folder
    );
    for (from, to) in krate.uses.methods.keys().filter(|edge| !edges.contains_key(edge)) {
        let _ = writeln!(text, "  {}", edge(krate, &krate.uses.methods, *from, *to));
    }
    let _ = writeln!(text, "\n==== {}: all edges, by folder of the using file", krate.folder);
    let mut listed: Vec<(usize, usize)> = edges.keys().copied().collect();
    listed.sort_by_key(|(from, to)| {
        (krate.files[*from].rsplit_once('/').map(|it| it.0), &krate.files[*from], &krate.files[*to])
    });
    let mut folder = None;
    for (from, to) in listed {
        let own = krate.files[from].rsplit_once('/').map_or("", |it| it.0);
        if folder != Some(own) {
            let _ = writeln!(text, "-- {own}/");
            folder = Some(own);
        }
        let _ = writeln!(text, "  {}", edge(krate, edges, from, to));
    }
    text
}

fn write_circles(text: &mut String, krate: &Crate, what: &str, edges: &Edges) {
    let circles = circles(edges);
    let _ = writeln!(text, "\n==== {}: {what}: {} circles", krate.folder, circles.len());
    for circle in circles {
        let files: Vec<&str> = circle.iter().map(|file| krate.files[*file].as_str()).collect();
        let inner = within(edges, &circle);
        let _ = writeln!(text, "\n  circle of {} files: {}", files.len(), files.join(" "));
        let around: Vec<&str> = shortest(edges, &circle).iter().map(|file| krate.files[*file].as_str()).collect();
        let _ = writeln!(text, "    for example {}", around.join(" -> "));
        let (cut, order) = feedback(&inner);
        let order: Vec<&str> = order.iter().map(|file| krate.files[*file].as_str()).collect();
        let _ =
            writeln!(text, "    order with the fewest names pointing upward, the lowest first: {}", order.join(" < "));
        let _ = writeln!(text, "    to cut ({} edges):", cut.len());
        for (from, to) in &cut {
            let _ = writeln!(text, "      {}", edge(krate, edges, *from, *to));
        }
        let _ = writeln!(text, "    edges inside ({}):", inner.len());
        for (from, to) in inner.keys() {
            let _ = writeln!(text, "      {}", edge(krate, edges, *from, *to));
        }
    }
}

/// The order of the folders with the fewest names pointing upward: a proposal for a table of layers.
fn write_folders(text: &mut String, krate: &Crate, depth: usize) {
    let folder = |file: usize| {
        // A file beside the root file counts as a folder.
        let path = krate.files[file].as_str();
        let folder = path.rsplit_once('/').map_or(path.trim_end_matches(".rs"), |(folder, _)| folder);
        folder.split('/').take(depth).collect::<Vec<_>>().join("/")
    };
    let mut folders: Vec<String> = (1..krate.files.len()).map(folder).collect();
    folders.sort_unstable();
    folders.dedup();
    let index = |file: usize| folders.binary_search(&folder(file)).ok();
    let mut between = Edges::new();
    for ((from, to), names) in &krate.uses.edges {
        if let (Some(lower), Some(upper)) = (index(*from), index(*to))
            && lower != upper
        {
            between.entry((lower, upper)).or_default().extend(names.clone());
        }
    }
    let (cut, order) = feedback(&between);
    let order: Vec<&str> = order.iter().map(|folder| folders[*folder].as_str()).collect();
    let _ =
        writeln!(text, "\n==== {}: folders of depth {depth}, the lowest first: {}", krate.folder, order.join(" < "));
    for (lower, upper) in cut {
        let _ = writeln!(text, "  upward: {} -> {}", folders[lower], folders[upper]);
        let uses =
            krate.uses.edges.keys().filter(|(from, to)| (index(*from), index(*to)) == (Some(lower), Some(upper)));
        for (from, to) in uses {
            let _ = writeln!(text, "    {}", edge(krate, &krate.uses.edges, *from, *to));
        }
    }
}
