//! [`UseDef`]: which variables use which, and the bindings whose results nothing uses.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{Binding, DataflowBlock, Var};
use rustc_hash::FxHashSet;

use crate::analysis::identity_map::{IdentityMap, IdentitySet};
use crate::analysis::walk::{Observer, Region, view, walk};

/// The uses of the variables of an expression, a function or a block.
///
/// The user of a variable is the variable of the innermost binding around the use. A use that is in no binding, such as
/// the result of a function, makes the variable an output. A use in the body of a local function has the bindings of
/// that function as users; the result of the local function counts as an output.
///
/// ```
/// use object_relax::analysis::UseDef;
/// use object_ir::ir::{BindingBlock, SeqExpr, Var, VarBinding};
/// # use object_core::ObjectHandle;
///
/// let (x, y, z) = (Var::named("x"), Var::named("y"), Var::named("z"));
/// let block = BindingBlock::new([VarBinding::new(&y, &x).into(), VarBinding::new(&z, &x).into()]);
/// let uses = UseDef::of(&SeqExpr::new([block], &z));
/// assert_eq!(uses.users(&x).len(), 2);
/// assert!(uses.is_output(&z));
/// assert!(uses.unused_vars()[0].ptr_eq(&y));
/// ```
#[derive(Clone, Debug, Default)]
pub struct UseDef {
    bindings: IdentityMap<Var, Binding>,
    users: IdentityMap<Var, Vec<Var>>,
    outputs: IdentitySet<Var>,
    bound: IdentitySet<Var>,
}

/// The walk that fills a [`UseDef`].
#[derive(Default)]
struct Uses {
    found: UseDef,
    /// The bindings around the current place in the innermost function. `None` where a function begins.
    open: Vec<Option<Var>>,
    pairs: FxHashSet<(usize, usize)>,
}

impl<'a> Observer<'a> for Uses {
    fn context(&self) -> usize {
        self.user().map_or(0, |user| view(user).address())
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        let Some(handle) = var.to_handle::<Var>() else { return };
        let user = self.user().cloned();
        let Some(user) = user else { return self.found.outputs.insert(&handle) };
        if self.pairs.insert((var.address(), view(&user).address())) {
            self.found.users.entry(&handle, Vec::new).push(user);
        }
    }

    fn bind_var(&mut self, var: ObjectView<'a>) {
        let Some(var) = var.to_handle::<Var>() else { return };
        self.found.users.entry(&var, Vec::new);
        self.found.bound.insert(&var);
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Function => self.open.push(None),
            Region::Binding => {
                let Some(binding) = object.to_handle::<Binding>() else { return };
                self.open.push(Some(binding.var.clone()));
                let var = binding.var.clone();
                self.found.bindings.entry(&var, || binding);
            }
            Region::Sequence | Region::Block => {}
        }
    }

    fn end(&mut self, region: Region, _: ObjectView<'a>) {
        if matches!(region, Region::Function | Region::Binding) {
            self.open.pop();
        }
    }
}

impl Uses {
    fn user(&self) -> Option<&Var> {
        self.open.last()?.as_ref()
    }
}

impl UseDef {
    /// The uses in an expression, a function or a block.
    #[must_use]
    pub fn of(root: &impl ObjectHandle) -> Self {
        let mut uses = Uses::default();
        walk(root, &mut uses);
        uses.found
    }

    /// The binding of a variable; `None` for parameters and free variables.
    #[must_use]
    pub fn binding(&self, var: &Var) -> Option<&Binding> {
        self.bindings.get(var)
    }

    /// The bindings by their variables, in the order of evaluation.
    #[must_use]
    pub fn bindings(&self) -> &IdentityMap<Var, Binding> {
        &self.bindings
    }

    /// The variables of the bindings that use a variable, in the order of their first use.
    #[must_use]
    pub fn users(&self, var: &Var) -> &[Var] {
        self.users.get(var).map_or(&[], Vec::as_slice)
    }

    /// All variables with their users, bound ones also without users, in the order of their first use or binding. (TVM
    /// 0.25 `relax.analysis.udchain`)
    pub fn iter(&self) -> impl Iterator<Item = (&Var, &[Var])> {
        self.users.iter().map(|(var, users)| (var, users.as_slice()))
    }

    /// The variables that are used in no binding of the function around the use, in the order of their first such use.
    pub fn outputs(&self) -> impl Iterator<Item = &Var> {
        self.outputs.keys()
    }

    /// Whether a variable is used in no binding of the function around the use.
    #[must_use]
    pub fn is_output(&self, var: &Var) -> bool {
        self.outputs.contains(var)
    }

    /// The parameters and the variables of bindings that nothing uses.
    #[must_use]
    pub fn unused_vars(&self) -> Vec<Var> {
        self.bound.keys().filter(|var| self.users(var).is_empty() && !self.is_output(var)).cloned().collect()
    }

    /// The variables of bindings that no output depends on: nothing uses them, or only such variables do.
    #[must_use]
    pub fn dead_vars(&self) -> Vec<Var> {
        let mut sources: IdentityMap<Var, Vec<Var>> = IdentityMap::default();
        for (var, users) in self.iter() {
            for user in users {
                sources.entry(user, Vec::new).push(var.clone());
            }
        }
        let mut live: IdentitySet<Var> = IdentitySet::default();
        let mut open: Vec<Var> = self.outputs.keys().cloned().collect();
        while let Some(var) = open.pop() {
            if !live.contains(&var) {
                open.extend(sources.get(&var).into_iter().flatten().cloned());
                live.insert(&var);
            }
        }
        self.bindings.keys().filter(|var| !live.contains(var)).cloned().collect()
    }
}

/// The variables that a dataflow block binds and that `root`, an expression around the block, uses outside of the block.
/// The other variables of the block can be dataflow variables.
#[must_use]
pub fn dataflow_outputs(root: &impl ObjectHandle, block: &DataflowBlock) -> Vec<Var> {
    let mut uses = OutsideUses { block: view(block), depth: 0, used: IdentitySet::default() };
    walk(root, &mut uses);
    let bound: Vec<Var> = block.bindings.iter().map(|binding| binding.var.clone()).collect();
    bound.into_iter().filter(|var| uses.used.contains(var)).collect()
}

struct OutsideUses<'a> {
    block: ObjectView<'a>,
    /// Whether the walk is in the block.
    depth: usize,
    used: IdentitySet<Var>,
}

impl<'a> Observer<'a> for OutsideUses<'a> {
    fn context(&self) -> usize {
        self.depth
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        if let (0, Some(var)) = (self.depth, var.to_handle()) {
            self.used.insert(&var);
        }
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        self.depth += usize::from(region == Region::Block && object.ptr_eq(self.block));
    }

    fn end(&mut self, region: Region, object: ObjectView<'a>) {
        self.depth -= usize::from(region == Region::Block && object.ptr_eq(self.block));
    }
}
