//! [`CallGraph`]: which functions of a program call themselves, directly or through other functions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::well_formed::context::Context;

/// The groups of global functions that call each other, and the local functions that call themselves.
pub(super) struct CallGraph {
    /// For each function of the program the group of the global function around it.
    groups: Vec<usize>,
    /// The functions by the address of their name.
    by_name: FxHashMap<usize, usize>,
    /// Whether each function is in no other function.
    is_global: Vec<bool>,
    /// For each function the number after the last function in it.
    end: Vec<usize>,
    /// The functions that call themselves.
    recursive: FxHashSet<usize>,
}

impl CallGraph {
    /// The graph of the calls that a walk has found.
    pub(super) fn new(cx: &Context<'_>) -> Self {
        // A function comes after the function around it.
        let mut global: Vec<usize> = Vec::with_capacity(cx.functions.len());
        for (index, function) in cx.functions.iter().enumerate() {
            global.push(function.outer.and_then(|outer| global.get(outer).copied()).unwrap_or(index));
        }
        let is_global: Vec<bool> = cx.functions.iter().map(|it| it.outer.is_none()).collect();
        let end = cx.functions.iter().map(|it| it.end).collect();
        let names = cx.functions.iter().enumerate();
        let by_name = names.filter_map(|(index, it)| Some((it.name?.address(), index))).collect();
        let mut graph = CallGraph { groups: Vec::new(), by_name, is_global, end, recursive: FxHashSet::default() };
        let mut callees = vec![Vec::new(); global.len()];
        let mut calls_itself = FxHashSet::default();
        for call in &cx.calls {
            let Some(&callee) = graph.by_name.get(&call.callee) else { continue };
            if graph.is_around(callee, call.caller) {
                calls_itself.insert(callee);
            }
            if graph.is_global[callee] {
                callees[global[call.caller]].push(callee);
            }
        }
        let (groups, sizes) = strong_components(&callees);
        for (index, global) in global.iter().enumerate() {
            let group = groups[*global];
            if calls_itself.contains(&index) || (index == *global && sizes[group] > 1) {
                graph.recursive.insert(index);
            }
            graph.groups.push(group);
        }
        graph
    }

    /// Whether `inner` is `function` or a function in it.
    fn is_around(&self, function: usize, inner: usize) -> bool {
        function <= inner && inner < self.end[function]
    }

    /// Whether a function calls itself, directly or through other global functions.
    pub(super) fn is_recursive(&self, function: usize) -> bool {
        self.recursive.contains(&function)
    }

    /// Whether a call of the function named `callee` in the function `caller` may lead to another call of `caller`.
    pub(super) fn is_recursive_call(&self, caller: usize, callee: usize) -> bool {
        let Some(&callee) = self.by_name.get(&callee) else { return false };
        self.is_around(callee, caller) || (self.is_global[callee] && self.groups[callee] == self.groups[caller])
    }
}

/// For each node the number of its strong component, and the size of each component. Tarjan's algorithm, with a stack on
/// the heap.
fn strong_components(successors: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let (mut number, mut low, mut group) = (vec![UNSEEN; count], vec![0; count], vec![UNSEEN; count]);
    let (mut path, mut next_number, mut sizes) = (Vec::new(), 0, Vec::new());
    for root in 0..count {
        if number[root] != UNSEEN {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if *next == 0 {
                (number[node], low[node]) = (next_number, next_number);
                next_number += 1;
                path.push(node);
            }
            if let Some(&successor) = successors[node].get(*next) {
                *next += 1;
                if number[successor] == UNSEEN {
                    open.push((successor, 0));
                } else if group[successor] == UNSEEN {
                    low[node] = low[node].min(number[successor]);
                }
                // A node without further successors is not begun again, because its counter is not 0.
                continue;
            }
            if low[node] == number[node] {
                let start = path.iter().rposition(|it| *it == node).unwrap_or(0);
                let members = path.split_off(start);
                members.iter().for_each(|member| group[*member] = sizes.len());
                sizes.push(members.len());
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    (group, sizes)
}

#[cfg(test)]
mod tests {
    use super::strong_components;

    #[test]
    fn nodes_on_a_circle_are_one_component() {
        let (group, sizes) = strong_components(&[vec![1], vec![2], vec![1, 3], vec![], vec![0]]);
        assert_eq!(group[1], group[2]);
        let distinct: std::collections::BTreeSet<_> = [group[0], group[1], group[3], group[4]].into();
        assert_eq!(distinct.len(), 4);
        assert_eq!(sizes.iter().sum::<usize>(), 5);
        assert_eq!(sizes[group[1]], 2);
    }
}
