//! [`CallGraph`]: which functions of a program call themselves, directly or through other functions.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::strong_components::strong_components;
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
        let (groups, members) = strong_components(&callees);
        for (index, global) in global.iter().enumerate() {
            let group = groups[*global];
            if calls_itself.contains(&index) || (index == *global && members[group].len() > 1) {
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
