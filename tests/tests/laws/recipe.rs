//! [`Recipe`]: a graph as a list of parts, each with earlier parts as arguments; and random recipes.

use std::fmt;

use crate::classes::Class;
use crate::rng::Rng;

/// The kind of a part. `fixtures/peer_laws.py` uses the same names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Make {
    None,
    Bool,
    Int,
    Real,
    Str,
    Bytes,
    Dtype,
    Device,
    Shape,
    Tensor,
    /// An object that all graphs share.
    World,
    Imm,
    Fields,
    Add,
    Tuple,
    List,
    Box,
    Shaped,
    Sized,
    Slot,
    Const,
    BadConst,
    Var,
    TypedVar,
    BindVar,
    Op,
    Lambda,
    Late,
    Let,
    Dag,
    DagBind,
    Map,
    Table,
    DefTable,
    Hook,
    HookLet,
    HookDag,
    HookVar,
    Scope,
    ScopeLet,
    ScopeHook,
    ScopeDag,
    Project,
    With,
    ProjectDag,
    HookDeep,
    Opaque,
    Typed,
}

/// The number of objects of the world, and its variables with types.
pub(crate) const WORLD: usize = 14;
const TYPED_IN_WORLD: std::ops::Range<u8> = 3..5;

impl Make {
    /// The least and the greatest number of arguments.
    pub(crate) fn arity(self) -> (usize, usize) {
        match self {
            Make::Box | Make::Sized | Make::Slot | Make::BadConst | Make::Dag => (1, 1),
            Make::HookDag | Make::HookVar => (1, 1),
            Make::HookDeep => (1, 2),
            Make::Fields | Make::Add => (2, 3),
            Make::DagBind | Make::HookLet | Make::BindVar => (2, 2),
            Make::Let | Make::ScopeLet | Make::With => (3, 3),
            Make::Tuple | Make::List => (0, 4),
            Make::Const => (0, 2),
            Make::TypedVar => (0, 1),
            Make::Typed => (0, 3),
            Make::Lambda | Make::Late | Make::Hook | Make::Scope | Make::ScopeHook | Make::ScopeDag => (2, 4),
            Make::Project | Make::ProjectDag => (2, 4),
            Make::Map | Make::Table => (0, 8),
            Make::DefTable => (1, 7),
            _ => (0, 0),
        }
    }

    /// Whether the part binds variables in some of its arguments.
    pub(crate) fn is_binder(self) -> bool {
        use Make::{
            BindVar, DagBind, DefTable, Hook, HookLet, Lambda, Late, Let, Project, ProjectDag, Scope, ScopeDag,
            ScopeHook, ScopeLet, With,
        };
        matches!(
            self,
            Lambda
                | Late
                | Let
                | BindVar
                | DagBind
                | DefTable
                | Hook
                | HookLet
                | Scope
                | ScopeLet
                | ScopeHook
                | ScopeDag
                | Project
                | With
                | ProjectDag
        )
    }

    /// Whether bindings in the part end with it under lexical scopes.
    pub(crate) fn is_scope(self) -> bool {
        use Make::{Project, ProjectDag, Scope, ScopeDag, ScopeHook, ScopeLet, With};
        matches!(self, Scope | ScopeHook | ScopeLet | ScopeDag | Project | With | ProjectDag)
    }

    pub(crate) fn is_map(self) -> bool {
        matches!(self, Make::Map | Make::Table | Make::DefTable)
    }

    pub(crate) fn is_var(self) -> bool {
        matches!(self, Make::Var | Make::TypedVar | Make::BindVar | Make::HookVar)
    }

    /// Whether sharing of the part makes no difference, unless the part is a key of a map.
    pub(crate) fn is_shared_invisibly(self) -> bool {
        use Make::{BadConst, Dag, DagBind, HookDag, HookDeep, Op, Opaque, ProjectDag, ScopeDag, World};
        !self.is_var()
            && !matches!(
                self,
                Dag | DagBind | HookDag | HookDeep | ScopeDag | ProjectDag | Op | Opaque | World | BadConst
            )
    }

    /// Whether a map compares the part as a key by identity.
    pub(crate) fn is_identity_key(self) -> bool {
        use Make::{Bool, Bytes, Device, Dtype, Int, None, Op, Real, Str};
        !matches!(self, None | Bool | Int | Real | Str | Bytes | Dtype | Device | Op)
    }
}

/// A part of a graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Part {
    pub(crate) make: Make,
    /// Distinguishes parts without arguments.
    pub(crate) n: u8,
    /// The indices of earlier parts.
    pub(crate) args: Vec<usize>,
}

impl Part {
    /// Whether the argument at `index` is a key.
    pub(crate) fn is_key(&self, index: usize) -> bool {
        match self.make {
            Make::Map | Make::Table => index.is_multiple_of(2),
            Make::DefTable => index % 2 == 1,
            _ => false,
        }
    }

    /// Whether comparisons ignore the argument at `index`.
    pub(crate) fn is_ignored(&self, index: usize) -> bool {
        index == 2 && matches!(self.make, Make::Fields | Make::Add)
    }

    /// Whether the part binds variables in the argument at `index`.
    pub(crate) fn is_def(&self, index: usize) -> bool {
        match self.make {
            Make::Lambda | Make::Late | Make::Hook | Make::Scope | Make::ScopeHook | Make::ScopeDag => {
                index + 1 < self.args.len()
            }
            Make::Project | Make::ProjectDag => index + 1 < self.args.len(),
            Make::ScopeLet => index == 1,
            Make::With => index == 0,
            Make::Let | Make::BindVar | Make::DagBind | Make::HookLet => index == 0,
            Make::DefTable => index > 0 && index.is_multiple_of(2),
            _ => false,
        }
    }
}

/// A graph; its last part is the root.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Recipe {
    pub(crate) parts: Vec<Part>,
}

impl Recipe {
    /// The parts that are keys of maps.
    pub(crate) fn keys(&self) -> Vec<bool> {
        let mut keys = vec![false; self.parts.len()];
        for part in &self.parts {
            for (index, arg) in part.args.iter().enumerate() {
                keys[*arg] |= part.is_key(index);
            }
        }
        keys
    }

    /// The parts without bindings and maps. Their bindings do not depend on the order of comparison.
    fn calm(&self) -> Vec<bool> {
        let mut calm: Vec<bool> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let make = part.make;
            let own = !make.is_binder() && !make.is_map() && !matches!(make, Make::TypedVar | Make::HookVar);
            let own = own && !(make == Make::World && TYPED_IN_WORLD.contains(&part.n));
            let all = own && part.args.iter().all(|arg| calm[*arg]);
            calm.push(all);
        }
        calm
    }

    /// The parts in which a scope binds variables.
    fn bound_by_scopes(&self) -> Vec<bool> {
        let mut bound = vec![false; self.parts.len()];
        for (place, part) in self.parts.iter().enumerate().rev() {
            for (index, arg) in part.args.iter().enumerate() {
                let is_scope = part.make.is_scope();
                bound[*arg] |= bound[place] || (is_scope && part.is_def(index));
            }
        }
        bound
    }

    /// Whether `class` allows the recipe.
    pub(crate) fn is_allowed(&self, class: &Class) -> bool {
        if self.parts.iter().enumerate().any(|(place, part)| part.args.iter().any(|arg| *arg >= place)) {
            return false;
        }
        let (calm, bound) =
            if class.any_order { (Vec::new(), Vec::new()) } else { (self.calm(), self.bound_by_scopes()) };
        let root = self.parts.last().map(|part| part.make);
        (root != Some(Make::Opaque) || class.any_order)
            && self.parts.iter().enumerate().all(|(place, part)| {
                let (least, most) = part.make.arity();
                let count = part.args.len();
                let whole = !part.make.is_map() || count % 2 == usize::from(part.make == Make::DefTable);
                let keys = part.args.iter().enumerate().filter(|(index, _)| part.is_key(*index));
                let by_identity = keys.clone().filter(|(_, arg)| self.parts[**arg].make.is_identity_key()).count();
                (least..=most).contains(&count)
                && part.args.iter().enumerate().all(|(index, arg)| {
                    class.any_order || part.is_ignored(index) || self.parts[*arg].make != Make::Opaque
                })
                && whole
                && keys.clone().all(|(_, arg)| class.allows_key(&self.parts[*arg]))
                // The order of the entries does not matter if there is at most one such key, or if the values are calm.
                // Inside of a scope that binds variables, such keys must not be among these variables.
                && (class.any_order || by_identity == 0 || !bound[place])
                && (by_identity < 2
                    || class.any_order
                    || part.args.iter().enumerate().all(|(index, arg)| part.is_key(index) || calm[*arg]))
            })
    }

    /// Draws a recipe of a class.
    pub(crate) fn draw(class: &Class, rng: &mut Rng) -> Self {
        loop {
            let mut recipe = Recipe::default();
            let size = 1 + rng.below(class.size);
            recipe.begin(class, rng);
            while recipe.parts.len() < size {
                let part = recipe.draw_part(class, rng);
                recipe.parts.push(part);
            }
            recipe.gather(rng);
            if recipe.is_allowed(class) {
                return recipe;
            }
        }
    }

    /// Draws the first parts, for later parts to use: variables, a binder of one, objects of the world.
    fn begin(&mut self, class: &Class, rng: &mut Rng) {
        for make in [Make::Var, Make::World, Make::TypedVar, Make::World, Make::Var] {
            if class.makes.contains(&make) && rng.chance(35) {
                let (n, args) = (rng.pick(class.world).unwrap_or(0), Vec::new());
                self.parts.push(Part { make, n, args });
            }
        }
        if class.makes.contains(&Make::Lambda) && !self.parts.is_empty() && rng.chance(50) {
            let (param, body) = (rng.below(self.parts.len()), rng.below(self.parts.len()));
            self.parts.push(Part { make: Make::Lambda, n: 0, args: vec![param, body] });
        }
    }

    /// Makes a list of the unused parts the root.
    fn gather(&mut self, rng: &mut Rng) {
        let mut used = vec![false; self.parts.len()];
        self.parts.iter().flat_map(|part| &part.args).for_each(|arg| used[*arg] = true);
        let mut loose: Vec<usize> = (0..self.parts.len()).filter(|place| !used[*place]).collect();
        if loose.len() > 1 {
            loose.drain(..loose.len().saturating_sub(4));
            if rng.chance(30) {
                rng.shuffle(&mut loose);
            }
            let make = if rng.chance(50) { Make::List } else { Make::Tuple };
            self.parts.push(Part { make, n: 0, args: loose });
        }
    }

    /// Draws a part with earlier parts as arguments.
    pub(crate) fn draw_part(&self, class: &Class, rng: &mut Rng) -> Part {
        let place = self.parts.len();
        loop {
            let make = rng.pick(class.makes).unwrap_or(Make::Int);
            let (least, most) = make.arity();
            if least > 0 && place == 0 {
                continue;
            }
            let mut count = least + if place == 0 { 0 } else { rng.below((most - least).min(3 + least) + 1) };
            if make.is_map() && place > 0 {
                count = least + 2 * rng.pick(&[0, 1, 2, 2, 2, 3, 3]).unwrap_or(0);
            }
            let kinds = if rng.chance(80) { 2 } else { 6 };
            let n = match make {
                Make::World => rng.pick(class.world).unwrap_or(0),
                _ => rng.below(kinds) as u8,
            };
            let mut part = Part { make, n, args: vec![0; count] };
            for index in 0..count {
                part.args[index] = self.draw_arg(class, &part, index, rng);
            }
            return part;
        }
    }

    /// Draws an argument.
    pub(crate) fn draw_arg(&self, class: &Class, part: &Part, index: usize, rng: &mut Rng) -> usize {
        let among = |wanted: &dyn Fn(&Part) -> bool| -> Vec<usize> {
            (0..self.parts.len()).filter(|place| wanted(&self.parts[*place])).collect()
        };
        let some = if part.is_key(index) {
            let shared = among(&|part| part.make == Make::World && class.allows_key(part));
            let keys =
                if rng.chance(40) && !shared.is_empty() { shared } else { among(&|part| class.allows_key(part)) };
            rng.pick(&keys)
        } else if part.make.is_map() && rng.chance(40) {
            rng.pick(&among(&|part| part.make.is_binder()))
        } else if rng.chance(if part.is_def(index) { 75 } else { 25 }) {
            rng.pick(&among(&|part| part.make.is_var() || part.make == Make::World && part.n < TYPED_IN_WORLD.end))
        } else if matches!(part.make, Make::Const | Make::Slot) {
            rng.pick(&among(&|part| matches!(part.make, Make::Const | Make::Shaped | Make::Sized)))
        } else if part.make == Make::HookDeep || part.make == Make::Dag && class.makes.contains(&Make::HookDeep) {
            rng.pick(&among(&|part| part.make == Make::Dag))
        } else {
            None
        };
        let recent = self.parts.len() - 1 - rng.below(self.parts.len().min(4));
        some.unwrap_or_else(|| if rng.chance(60) { recent } else { rng.below(self.parts.len()) })
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.parts.iter().enumerate() {
            let args: Vec<String> = part.args.iter().map(|arg| format!("p{arg}")).collect();
            write!(f, "{}p{place}={:?}#{}({})", if place == 0 { "" } else { " " }, part.make, part.n, args.join(","))?;
        }
        Ok(())
    }
}
