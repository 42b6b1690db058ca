//! The places of the boxes of a dataflow: each box is below the boxes that it uses, and near to them.

use std::iter;

use crate::dataflow::{Group, Item};

/// The width of a character, the height of a box, the room between boxes, and between rows, in pixels.
const CHARACTER: f64 = 6.7;
pub(crate) const HEIGHT: f64 = 36.0;
const GAP: f64 = 14.0;
const ROW: f64 = 58.0;
/// The width of an arrow that passes a row.
const PASSAGE: f64 = 8.0;
/// The number of passages beyond which long arrows are straight.
const MAX_PASSAGES: usize = 20_000;
/// The numbers of times that all rows take the order of their neighbours, and then move toward them.
const ORDERING: usize = 8;
const SWEEPS: usize = 40;

/// A group with places, from the upper left corner.
pub(crate) struct Placed {
    /// The middle of each item, and of each passage of an arrow after them.
    pub(crate) places: Vec<(f64, f64)>,
    /// The places through which each arrow goes, from its first to its last item.
    pub(crate) routes: Vec<Vec<usize>>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[allow(clippy::cast_precision_loss, reason = "the lines of boxes are short")]
pub(crate) fn width(item: &Item) -> f64 {
    let longest = item.title.chars().count().max(item.line.chars().count());
    longest as f64 * CHARACTER + 16.0
}

/// The row of each item.
fn rows(group: &Group) -> Vec<usize> {
    let count = group.items.len();
    let (mut from, mut users) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (a, b) in &group.arrows {
        from[*b].push(*a);
        users[*a].push(*b);
    }
    let mut row = vec![1; count];
    for item in 0..count {
        row[item] = from[item].iter().map(|it| row[*it] + 1).max().unwrap_or(1);
    }
    // An item without a long way to it, such as a weight, is near to its first use.
    let mut is_early = vec![false; count];
    for item in 0..count {
        is_early[item] = from[item].iter().all(|it| is_early[*it]);
    }
    for item in (0..count).rev().filter(|item| is_early[*item]) {
        if let Some(first) = users[item].iter().map(|it| row[*it]).min() {
            row[item] = first - 1;
        }
    }
    row
}

/// The places of a group.
#[allow(clippy::cast_precision_loss, reason = "there are few rows")]
pub(crate) fn place(group: &Group) -> Placed {
    let mut row = rows(group);
    let least = row.iter().copied().min().unwrap_or(0);
    row.iter_mut().for_each(|it| *it -= least);
    let mut widths: Vec<f64> = group.items.iter().map(width).collect();
    let passages: usize = group.arrows.iter().map(|(from, to)| row[*to].saturating_sub(row[*from] + 1)).sum();
    let mut routes = Vec::new();
    for (from, to) in &group.arrows {
        let mut route = vec![*from];
        if passages <= MAX_PASSAGES {
            for passed in row[*from] + 1..row[*to] {
                route.push(row.len());
                row.push(passed);
                widths.push(PASSAGE);
            }
        }
        route.push(*to);
        routes.push(route);
    }
    let mut members = vec![Vec::new(); row.iter().max().map_or(0, |last| last + 1)];
    row.iter().enumerate().for_each(|(item, row)| members[*row].push(item));
    let x = across(&mut members, &widths, group.items.len(), &routes);
    let left = iter::zip(&x, &widths).map(|(x, width)| x - width / 2.0).fold(f64::INFINITY, f64::min);
    let places: Vec<(f64, f64)> =
        iter::zip(&x, &row).map(|(x, row)| (x - left, *row as f64 * ROW + HEIGHT / 2.0)).collect();
    let right = iter::zip(&places, &widths).map(|(place, width)| place.0 + width / 2.0).fold(0.0, f64::max);
    let height = (members.len().saturating_sub(1)) as f64 * ROW + HEIGHT;
    Placed { places, routes, width: right, height }
}

/// The middle of each member of the rows. The first sweeps order each row by the row above or below, in turns; the other ones move each
/// member toward all of its neighbours, arrows through passages more than others, so that these are straight.
fn across(rows: &mut [Vec<usize>], widths: &[f64], items: usize, routes: &[Vec<usize>]) -> Vec<f64> {
    let (mut above, mut below) = (vec![Vec::new(); widths.len()], vec![Vec::new(); widths.len()]);
    for pair in routes.iter().flat_map(|route| route.windows(2)) {
        let passages = pair.iter().filter(|it| **it >= items).count();
        let weight = [1.0, 2.0, 8.0][passages];
        above[pair[1]].push((pair[0], weight));
        below[pair[0]].push((pair[1], weight));
    }
    let mut x = vec![0.0; widths.len()];
    for sweep in 0..ORDERING + SWEEPS {
        let is_down = sweep % 2 == 0;
        for turn in 0..rows.len() {
            let row = &mut rows[if is_down { turn } else { rows.len() - 1 - turn }];
            let wanted = |item: usize| {
                let is_near = |is_above: bool| sweep >= ORDERING || is_above == is_down;
                let sides = [(&above, true), (&below, false)].into_iter().filter(|(_, is_above)| is_near(*is_above));
                let near = sides.flat_map(|(side, _)| side[item].iter());
                let (sum, weight) =
                    near.fold((0.0, 0.0), |(sum, all), (it, weight)| (sum + x[*it] * weight, all + weight));
                if weight > 0.0 { sum / weight } else { x[item] }
            };
            let mut placed: Vec<(f64, usize)> = row.iter().map(|item| (wanted(*item), *item)).collect();
            if sweep < ORDERING {
                placed.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
            for (item, middle) in apart(&placed, widths) {
                x[item] = middle;
            }
            *row = placed.into_iter().map(|(_, item)| item).collect();
        }
    }
    x
}

/// The middles nearest to the wanted ones, by the sum of squares, at which the members of a row keep their order and are apart.
fn apart(wanted: &[(f64, usize)], widths: &[f64]) -> Vec<(usize, f64)> {
    // Members that touch are a run with one place: the mean of what its members want, less their distances from its start.
    let mut runs: Vec<(f64, f64)> = Vec::new();
    let (mut offsets, mut offset) = (Vec::new(), 0.0);
    for (index, (middle, item)) in wanted.iter().enumerate() {
        if index > 0 {
            offset += (widths[wanted[index - 1].1] + widths[*item]) / 2.0 + GAP;
        }
        offsets.push(offset);
        let mut run = (middle - offset, 1.0);
        while let Some((sum, count)) = runs.pop_if(|(sum, count)| *sum / *count > run.0 / run.1) {
            run = (run.0 + sum, run.1 + count);
        }
        runs.push(run);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the counts are whole and positive")]
    let starts = runs.iter().flat_map(|(sum, count)| iter::repeat_n(sum / count, *count as usize));
    iter::zip(iter::zip(wanted, offsets), starts).map(|(((_, item), offset), start)| (*item, start + offset)).collect()
}

#[cfg(test)]
mod tests {
    use crate::dataflow::Part;

    use super::*;

    #[test]
    fn users_are_below_and_boxes_do_not_overlap() {
        let items = (0..60).map(|it| Item {
            part: Part::Binding,
            title: format!("op{it}"),
            line: "x".repeat(it % 40),
            name: String::new(),
            struct_info: None,
            attributes: Vec::new(),
        });
        let mut group = Group { name: String::new(), title: String::new(), items: items.collect(), arrows: Vec::new() };
        // Chains, long arrows and boxes without any.
        group.arrows = (1..50).map(|it| (it * 7 % it, it)).chain((20..50).map(|it| (it - 9, it))).collect();
        let placed = place(&group);
        for (from, to) in &group.arrows {
            assert!(placed.places[*from].1 + HEIGHT < placed.places[*to].1, "{from} {to}");
        }
        for (index, a) in group.items.iter().enumerate() {
            for (other, b) in group.items.iter().enumerate().skip(index + 1) {
                let (at, to) = (placed.places[index], placed.places[other]);
                let is_apart = (at.0 - to.0).abs() > (width(a) + width(b)) / 2.0;
                assert!((at.1 - to.1).abs() > 1.0 || is_apart, "{index} {other}");
            }
        }
        assert!(placed.width.is_finite() && placed.height.is_finite());
    }
}
