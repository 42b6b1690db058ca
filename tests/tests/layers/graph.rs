//! The graph of files: its circles, and a small set of edges whose removal leaves no circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::FileId;

/// The used names of each edge, with the line of the first use.
pub(crate) type Edges = BTreeMap<(FileId, FileId), BTreeMap<String, usize>>;

/// The strongly connected components with more than one file, each in the order of the files.
pub(crate) fn circles(edges: &Edges) -> Vec<Vec<FileId>> {
    let nodes: BTreeSet<FileId> = edges.keys().flat_map(|&(from, to)| [from, to]).collect();
    let reached: BTreeMap<FileId, BTreeSet<FileId>> = nodes.iter().map(|&node| (node, reach(edges, node))).collect();
    let mut circles = Vec::new();
    let mut done = BTreeSet::<FileId>::new();
    for &node in &nodes {
        if done.contains(&node) {
            continue;
        }
        let circle: Vec<FileId> =
            reached[&node].iter().copied().filter(|other| reached[other].contains(&node)).collect();
        done.extend(&circle);
        if circle.len() > 1 {
            circles.push(circle);
        }
    }
    circles
}

/// The files that a path of at least one edge leads to.
fn reach(edges: &Edges, start: FileId) -> BTreeSet<FileId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for &(_, to) in edges.range((node, 0)..(node + 1, 0)).map(|(edge, _)| edge) {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}

/// The edges between the files of `circle`.
pub(crate) fn within(edges: &Edges, circle: &[FileId]) -> Edges {
    let inside = |file: &FileId| circle.contains(file);
    edges
        .iter()
        .filter(|((from, to), _)| inside(from) && inside(to))
        .map(|(edge, names)| (*edge, names.clone()))
        .collect()
}

/// One shortest circle through the first file of `circle`, as the list of its files.
pub(crate) fn shortest(edges: &Edges, circle: &[FileId]) -> Vec<FileId> {
    let start = circle[0];
    let mut before = BTreeMap::<FileId, FileId>::new();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for &(_, to) in edges.range((node, 0)..(node + 1, 0)).map(|(edge, _)| edge) {
            if before.contains_key(&to) || !circle.contains(&to) {
                continue;
            }
            before.insert(to, node);
            if to == start {
                let mut way = vec![start];
                let mut at = node;
                while at != start {
                    way.push(at);
                    at = before[&at];
                }
                way.push(start);
                way.reverse();
                return way;
            }
            open.push_back(to);
        }
    }
    Vec::new()
}

/// Edges whose removal leaves no circle in `edges`, with as few names as a search finds, and the order of the files
/// without them, the lowest first.
pub(crate) fn feedback(edges: &Edges) -> (Vec<(FileId, FileId)>, Vec<FileId>) {
    let nodes: Vec<FileId> =
        edges.keys().flat_map(|&(from, to)| [from, to]).collect::<BTreeSet<_>>().into_iter().collect();
    let weight = |from: FileId, to: FileId| edges.get(&(from, to)).map_or(0, BTreeMap::len) as i64;
    let cost = |order: &[FileId]| -> i64 {
        let upward = |at: usize| order[at + 1..].iter().map(|&upper| weight(order[at], upper)).sum::<i64>();
        (0..order.len()).map(upward).sum()
    };
    let mut best = (i64::MAX, Vec::new());
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..60 {
        let mut order = nodes.clone();
        for at in (1..order.len()).rev() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            order.swap(at, (random % (at as u64 + 1)) as usize);
        }
        improve(&mut order, weight);
        let cost = cost(&order);
        if cost < best.0 {
            best = (cost, order);
        }
    }
    let order = best.1;
    let place: BTreeMap<FileId, usize> = order.iter().enumerate().map(|(at, &file)| (file, at)).collect();
    let cut = edges.keys().copied().filter(|(from, to)| place[from] < place[to]).collect();
    (cut, order)
}

/// Moves single files to better places until no move is an improvement.
fn improve(order: &mut Vec<FileId>, weight: impl Fn(FileId, FileId) -> i64) {
    loop {
        let mut improved = false;
        for at in 0..order.len() {
            let file = order[at];
            let (mut gain, mut to) = (0, at);
            // The gain in edges that point downward if `file` passes its neighbours, one after the other.
            for (step, end) in [(-1_isize, -1), (1, order.len() as isize)] {
                let (mut sum, mut place) = (0, at as isize + step);
                while place != end {
                    let other = order[place as usize];
                    let (out, back) = (weight(file, other), weight(other, file));
                    // Moved below `other`, uses of it point upward, and uses by it no longer do.
                    sum += if step < 0 { back - out } else { out - back };
                    if sum > gain {
                        (gain, to) = (sum, place as usize);
                    }
                    place += step;
                }
            }
            if gain > 0 {
                order.remove(at);
                order.insert(to, file);
                improved = true;
            }
        }
        if !improved {
            return;
        }
    }
}
