//! [`CallGraph`]: which functions of a module mention which.

use object_core::visit::walk;
use object_ir::ir::{BaseFunc, GlobalVar, IRModule};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::addresses::address;
use crate::analysis::strong_components::strong_components;

/// The functions of a module and the global variables that they mention, whether they call them or pass them on. Loop
/// programs count too.
///
/// ```
/// use object_relax::analysis::CallGraph;
/// use object_ir::ir::IRModule;
///
/// /// One line for each group of functions that call each other.
/// fn describe_recursion(module: &IRModule) -> Vec<String> {
///     let groups = CallGraph::of(module).recursive_groups();
///     groups.iter().map(|group| group.iter().map(|var| var.name_hint.as_str()).collect::<Vec<_>>().join(", ")).collect()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct CallGraph {
    vars: Vec<GlobalVar>,
    index: FxHashMap<usize, usize>,
    callees: Vec<Vec<usize>>,
    callers: Vec<Vec<usize>>,
    /// The global variables that a function mentions and the module does not define.
    undefined: Vec<GlobalVar>,
}

impl CallGraph {
    /// The graph of a module.
    #[must_use]
    pub fn of(module: &IRModule) -> Self {
        let (vars, functions): (Vec<GlobalVar>, Vec<BaseFunc>) = module.functions.iter().unzip();
        let index: FxHashMap<usize, usize> = vars.iter().enumerate().map(|(at, var)| (address(var), at)).collect();
        let mut graph = CallGraph {
            callees: vec![Vec::new(); vars.len()],
            callers: vec![Vec::new(); vars.len()],
            undefined: Vec::new(),
            index,
            vars,
        };
        let mut undefined = FxHashSet::default();
        for (caller, function) in functions.iter().enumerate() {
            let mut seen = FxHashSet::default();
            for var in mentioned(function) {
                match graph.index.get(&address(&var)) {
                    Some(&callee) if seen.insert(callee) => {
                        graph.callees[caller].push(callee);
                        graph.callers[callee].push(caller);
                    }
                    None if undefined.insert(address(&var)) => graph.undefined.push(var),
                    _ => {}
                }
            }
        }
        graph
    }

    /// The global variables of the module, in its order.
    #[must_use]
    pub fn vars(&self) -> &[GlobalVar] {
        &self.vars
    }

    /// The functions that the function of `var` mentions, in the order of their first mention.
    #[must_use]
    pub fn callees(&self, var: &GlobalVar) -> Vec<GlobalVar> {
        self.neighbours(&self.callees, var)
    }

    /// The functions that mention `var`, in the order of the module.
    #[must_use]
    pub fn callers(&self, var: &GlobalVar) -> Vec<GlobalVar> {
        self.neighbours(&self.callers, var)
    }

    /// The global variables that functions mention and the module does not define.
    #[must_use]
    pub fn undefined(&self) -> &[GlobalVar] {
        &self.undefined
    }

    /// All functions in groups. Two functions are in one group if each leads to the other. A group comes after the groups
    /// that it mentions; its functions are in the order of the module.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<GlobalVar>> {
        strong_components(&self.callees).1.iter().map(|group| self.vars_of(group)).collect()
    }

    /// The groups of functions that call themselves, directly or through each other. (TVM 0.25
    /// `relax.analysis.detect_recursion`, which leaves out loop programs, and whose order is not defined)
    #[must_use]
    pub fn recursive_groups(&self) -> Vec<Vec<GlobalVar>> {
        let is_recursive = |group: &[usize]| match group {
            [only] => self.callees[*only].contains(only),
            _ => true,
        };
        let groups = strong_components(&self.callees).1;
        groups.iter().filter(|group| is_recursive(group)).map(|group| self.vars_of(group)).collect()
    }

    /// The functions that `entries` lead to, entries included, in the order of the module.
    #[must_use]
    pub fn reachable(&self, entries: &[GlobalVar]) -> Vec<GlobalVar> {
        let mut open: Vec<usize> = entries.iter().filter_map(|var| self.index.get(&address(var)).copied()).collect();
        let mut is_reached = vec![false; self.vars.len()];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut is_reached[at], true) {
                open.extend(&self.callees[at]);
            }
        }
        let reached = self.vars.iter().zip(is_reached).filter(|(_, is_reached)| *is_reached);
        reached.map(|(var, _)| var.clone()).collect()
    }

    fn neighbours(&self, lists: &[Vec<usize>], var: &GlobalVar) -> Vec<GlobalVar> {
        self.index.get(&address(var)).map_or_else(Vec::new, |at| self.vars_of(&lists[*at]))
    }

    fn vars_of(&self, members: &[usize]) -> Vec<GlobalVar> {
        members.iter().map(|at| self.vars[*at].clone()).collect()
    }
}

/// The global variables in a function of any language, in the order of their first occurrence.
fn mentioned(function: &BaseFunc) -> Vec<GlobalVar> {
    let mut found = Vec::new();
    walk(function, |var: &GlobalVar, _| found.push(var.clone()));
    found
}
