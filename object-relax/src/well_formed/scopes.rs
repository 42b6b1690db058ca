//! [`Scopes`]: the open scopes of a walk, and the place that binds each variable.

use object_core::ObjectView;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::well_formed::place::Place;

/// The number of variables of a small program, for which the tables never grow.
const SMALL_PROGRAM: usize = 50;

/// The kind of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScopeKind {
    /// The whole program.
    Program,
    /// The parameters of a function, and its body.
    Function,
    /// The bindings of a `SeqExpr`.
    Sequence,
    /// The bindings of a dataflow block.
    Dataflow,
    /// The shape variables of a `FuncStructInfo`, or a variable that a scalar expression binds.
    Signature,
}

/// A scope, open or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    /// The number of scopes around it.
    pub(super) depth: u32,
    id: u32,
}

/// The binding of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The scope of the variable.
    pub(super) scope: Scope,
    /// The place of the binding.
    pub(super) place: Place,
    /// Whether the binding is a parameter of a function.
    pub(super) is_parameter: bool,
    /// Whether nothing binds the variable but a parameter or a `MatchCast` whose annotation has it as the shape of a tensor.
    pub(super) is_annotation: bool,
}

/// The result of a look-up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// The variable is in scope.
    Open(Bound),
    /// The variable is bound, but its scope has ended.
    Closed(Bound),
    /// Nothing has bound the variable so far.
    Nowhere,
}

struct Open {
    id: u32,
    kind: ScopeKind,
    /// The depth of the innermost function, this scope included.
    function: u32,
    /// Whether the innermost function, or else the program, has a dataflow block around this scope.
    dataflow: Option<u32>,
    /// The length of `hidden` when the scope began.
    hidden: usize,
}

/// The open scopes and the bindings of variables, Relax and scalar, which are distinguished by identity.
pub(super) struct Scopes {
    open: Vec<Open>,
    next_id: u32,
    bound: FxHashMap<usize, Bound>,
    /// The bindings that bindings of the open scopes hide.
    hidden: Vec<(usize, Option<Bound>)>,
}

impl Scope {
    /// A number that no other scope has.
    pub(super) fn number(self) -> usize {
        self.id as usize
    }
}

impl Scopes {
    /// The scope of the program is open.
    pub(super) fn new() -> Self {
        let bound = FxHashMap::with_capacity_and_hasher(SMALL_PROGRAM, FxBuildHasher);
        let mut scopes =
            Scopes { open: Vec::with_capacity(8), next_id: 0, bound, hidden: Vec::with_capacity(SMALL_PROGRAM) };
        scopes.push(ScopeKind::Program);
        scopes
    }

    /// Makes room for `count` more variables.
    pub(super) fn reserve(&mut self, count: usize) {
        self.bound.reserve(count);
        self.hidden.reserve(count);
    }

    /// The number of open scopes.
    fn depth(&self) -> u32 {
        // As many open scopes as numbers do not fit into memory.
        u32::try_from(self.open.len()).unwrap_or(u32::MAX)
    }

    /// Opens a scope.
    pub(super) fn push(&mut self, kind: ScopeKind) {
        let depth = self.depth();
        let (mut function, mut dataflow) = self.open.last().map_or((0, None), |it| (it.function, it.dataflow));
        match kind {
            ScopeKind::Function => (function, dataflow) = (depth, None),
            ScopeKind::Dataflow => dataflow = Some(depth),
            ScopeKind::Program | ScopeKind::Sequence | ScopeKind::Signature => {}
        }
        self.open.push(Open { id: self.next_id, kind, function, dataflow, hidden: self.hidden.len() });
        self.next_id = self.next_id.wrapping_add(1);
    }

    /// Closes the innermost scope.
    pub(super) fn pop(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        while self.hidden.len() > closed.hidden {
            // The last binding stays known, so that a message can name it, unless it hides one that is in scope again.
            if let Some((variable, Some(outer))) = self.hidden.pop()
                && self.is_open(outer.scope)
            {
                self.bound.insert(variable, outer);
            }
        }
    }

    /// The innermost scope.
    pub(super) fn innermost(&self) -> Scope {
        self.scope(self.depth().saturating_sub(1))
    }

    /// The open scope with `depth` scopes around it.
    pub(super) fn scope(&self, depth: u32) -> Scope {
        Scope { depth, id: self.open.get(depth as usize).map_or(u32::MAX, |open| open.id) }
    }

    /// The innermost scope that is not a dataflow block: the scope of ordinary variables and shape variables.
    pub(super) fn ordinary(&self) -> Scope {
        let inner = self.open.iter().rev().take_while(|open| open.kind == ScopeKind::Dataflow).count();
        self.scope(self.depth().saturating_sub(inner as u32 + 1))
    }

    /// Whether the innermost scope is of this kind.
    pub(super) fn is_in(&self, kind: ScopeKind) -> bool {
        self.open.last().is_some_and(|open| open.kind == kind)
    }

    /// The scope of the innermost function, or the program.
    pub(super) fn function(&self) -> Scope {
        self.scope(self.open.last().map_or(0, |open| open.function))
    }

    /// The scope of the dataflow block around the current place within the innermost function.
    pub(super) fn dataflow(&self) -> Option<Scope> {
        self.open.last()?.dataflow.map(|depth| self.scope(depth))
    }

    /// The number of the innermost function or dataflow block, or of the program.
    pub(super) fn surroundings(&self) -> usize {
        self.dataflow().unwrap_or_else(|| self.function()).number()
    }

    /// The kind of an open scope.
    pub(super) fn kind(&self, scope: Scope) -> Option<ScopeKind> {
        self.open.get(scope.depth as usize).filter(|open| open.id == scope.id).map(|open| open.kind)
    }

    /// Whether a scope is open.
    pub(super) fn is_open(&self, scope: Scope) -> bool {
        self.kind(scope).is_some()
    }

    /// Binds a variable in an open scope.
    pub(super) fn bind(&mut self, variable: ObjectView<'_>, bound: Bound) {
        let hidden = self.bound.insert(variable.address(), bound);
        self.hidden.push((variable.address(), hidden));
    }

    /// The binding of a variable.
    pub(super) fn find(&self, variable: ObjectView<'_>) -> Found {
        match self.bound.get(&variable.address()) {
            Some(bound) if self.is_open(bound.scope) => Found::Open(*bound),
            Some(bound) => Found::Closed(*bound),
            None => Found::Nowhere,
        }
    }
}
