//! [`canonicalize_bindings`]: programs without second names of values.

use object_core::ObjectView;
use object_core::prelude::*;
use object_ir::ir::{
    Binding, Constant, DataflowBlockNode, DataflowVar, MatchCast, RelaxExpr, StructInfo, Tuple, TupleGetItem,
    TupleStructInfo, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::IdentityMap;
use crate::analysis::walk::{Observer, Region, view, walk};
use crate::arith::Analyzer;
use crate::struct_info::{BaseCheck, base_check};
use crate::transform::blocks::value_of;
use crate::transform::known_dims::with_known_dims;
use crate::transform::program::Program;
use crate::transform::replacements::Replacements;

/// The address of a block.
type Block = usize;

/// The names of values in a program.
#[derive(Default)]
struct Names {
    /// The bindings, in the order of evaluation.
    bindings: IdentityMap<Var, Binding>,
    /// The block of each bound variable, and whether it is a dataflow block.
    homes: FxHashMap<usize, (Block, bool)>,
    /// The variables that are used outside of the block that binds them, in a later block, a branch or a function.
    used_outside: FxHashSet<usize>,
    /// The variables that are the shape of a tensor in structural information. They stay, so that no variable changes
    /// because of its structural information.
    shapes: FxHashSet<usize>,
    /// The blocks around the current place. `None` where a function or a sequence begins.
    open: Vec<Option<(Block, bool)>>,
}

impl<'a> Observer<'a> for Names {
    /// The block at hand, so that the walk finds a shared object in each block that uses it.
    fn context(&self) -> usize {
        self.block().map_or(0, |(block, _)| block)
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        let block = self.block().map(|(block, _)| block);
        if block.is_none() || block != self.homes.get(&var.address()).map(|(home, _)| *home) {
            self.used_outside.insert(var.address());
        }
    }

    fn use_as_shape(&mut self, var: ObjectView<'a>) {
        self.shapes.insert(var.address());
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Function | Region::Sequence => self.open.push(None),
            Region::Block => {
                self.open.push(Some((object.address(), object.node::<DataflowBlockNode>().is_some())));
            }
            Region::Binding => {
                let Some(binding) = object.to_handle::<Binding>() else { return };
                if let Some(home) = self.block() {
                    self.homes.insert(view(&binding.var).address(), home);
                }
                let var = binding.var.clone();
                self.bindings.entry(&var, || binding);
            }
        }
    }

    fn end(&mut self, region: Region, _: ObjectView<'a>) {
        if region != Region::Binding {
            self.open.pop();
        }
    }
}

impl Names {
    fn block(&self) -> Option<(Block, bool)> {
        self.open.last().copied().flatten()
    }
}

/// The changes of a program.
#[derive(Default)]
struct Plan(Replacements);

impl Plan {
    fn of(expr: &RelaxExpr) -> Plan {
        let mut names = Names::default();
        walk(expr, &mut names);
        let mut known = Known { names: &names, values: IdentityMap::default(), analyzer: Analyzer::for_shapes() };
        let mut plan = Plan::default();
        for (var, binding) in names.bindings.iter().filter(|(var, _)| !names.shapes.contains(&view(*var).address())) {
            let value = known.value_of(binding);
            if let Some(source) = value.downcast_ref::<Var>().filter(|source| known.is_second_name(binding, source)) {
                plan.name_again(var, source, &names);
            } else if value.downcast_ref::<Constant>().is_some() && known.keeps_information(binding, &value) {
                plan.0.replace(var, value.clone());
            }
            // A program that the checker rejects may have circles of names.
            let value = known.behind(&value);
            if !value.ptr_eq(var) {
                known.values.entry(var, || value);
            }
        }
        plan.localize(&names);
        plan
    }

    /// A binding gives `source` the second name `var`.
    fn name_again(&mut self, var: &Var, source: &Var, names: &Names) {
        let source = self.0.resolve(&source.into());
        let is_known = |var: &RelaxExpr| self.0.values.contains_key(&view(var).address());
        if source.ptr_eq(var) || is_known(&var.into()) {
            return;
        }
        let is_visible_outside = source.downcast_ref::<DataflowVar>().is_none()
            || var.downcast_ref::<DataflowVar>().is_some()
            || !names.used_outside.contains(&view(var).address());
        if is_visible_outside {
            self.0.replace(var, source);
        } else if !names.shapes.contains(&view(&source).address()) {
            // The value gets the name that other blocks know, and keeps its structural information.
            let mut outer = Var::new(var.vid.clone());
            outer.make_mut().struct_info = source.struct_info.clone();
            self.0.replace(var, outer.clone().into());
            self.0.values.insert(view(&source).address(), outer.into());
        }
    }

    /// Makes the variables of dataflow blocks that nothing uses elsewhere dataflow variables.
    fn localize(&mut self, names: &Names) {
        let outside: FxHashSet<usize> = names
            .bindings
            .keys()
            .filter(|var| names.used_outside.contains(&view(*var).address()))
            .map(|var| view(&self.0.resolve(&var.into())).address())
            .collect();
        for var in names.bindings.keys() {
            let address = view(var).address();
            let is_in_dataflow = names.homes.get(&address).is_some_and(|(_, is_dataflow)| *is_dataflow);
            let is_final = !self.0.values.contains_key(&address) && !self.0.removed.contains(&address);
            let is_shape = names.shapes.contains(&address);
            if is_in_dataflow
                && is_final
                && !is_shape
                && var.downcast_ref::<DataflowVar>().is_none()
                && !outside.contains(&address)
            {
                let mut local = DataflowVar::new(var.vid.clone());
                local.make_mut().struct_info = var.struct_info.clone();
                self.0.values.insert(address, local.into());
            }
        }
    }
}

/// The values that are known while the plan is made.
struct Known<'n> {
    names: &'n Names,
    values: IdentityMap<Var, RelaxExpr>,
    analyzer: Analyzer,
}

impl Known<'_> {
    /// The expression that a chain of names stands for.
    fn behind(&self, expr: &RelaxExpr) -> RelaxExpr {
        let mut expr = expr.clone();
        while let Some(value) = expr.downcast_ref::<Var>().and_then(|var| self.values.get(var)) {
            expr = value.clone();
        }
        expr
    }

    /// The value of a binding: a member of a tuple that is known, a tuple that is taken apart and put together again.
    fn value_of(&self, binding: &Binding) -> RelaxExpr {
        let value = value_of(binding);
        if let Some(item) = value.downcast_ref::<TupleGetItem>() {
            let tuple = self.behind(&item.tuple_value);
            let fields = tuple.downcast_ref::<Tuple>().map(|tuple| tuple.fields.clone());
            let index = usize::try_from(item.index).ok();
            return fields.and_then(|fields| fields.as_slice().get(index?).cloned()).unwrap_or(value);
        }
        value.downcast_ref::<Tuple>().and_then(|tuple| self.copied_tuple(tuple)).unwrap_or(value)
    }

    /// The tuple whose members, in order, are the fields of `tuple`.
    fn copied_tuple(&self, tuple: &Tuple) -> Option<RelaxExpr> {
        let mut source: Option<RelaxExpr> = None;
        for (index, field) in tuple.fields.as_slice().iter().enumerate() {
            let field = self.behind(field);
            let item = field.downcast_ref::<TupleGetItem>()?;
            let tuple = item.tuple_value.clone();
            if usize::try_from(item.index).ok() != Some(index) || source.as_ref().is_some_and(|it| !it.ptr_eq(&tuple)) {
                return None;
            }
            source = Some(tuple);
        }
        let source = source?;
        let info = source.struct_info.as_ref()?.downcast_ref::<TupleStructInfo>()?;
        (info.fields.len() == tuple.fields.len()).then_some(source)
    }

    /// Whether the variable of a binding says nothing that `value` does not say.
    fn keeps_information(&self, binding: &Binding, value: &RelaxExpr) -> bool {
        let infos: (&Option<StructInfo>, &Option<StructInfo>) = (&value.struct_info, &binding.var.struct_info);
        match infos {
            (Some(given), Some(stated)) if binding.downcast_ref::<MatchCast>().is_some() => {
                structural_equal(given, stated)
            }
            (Some(given), Some(stated)) => base_check(given, stated, &self.analyzer) == BaseCheck::Pass,
            (_, stated) => stated.is_none() && binding.downcast_ref::<MatchCast>().is_none(),
        }
    }

    /// Whether a binding only gives `source` a second name.
    fn is_second_name(&self, binding: &Binding, source: &Var) -> bool {
        !binding.var.ptr_eq(source)
            && self.keeps_information(binding, &source.into())
            && self.names.homes.contains_key(&view(&binding.var).address())
    }
}

/// The program without bindings that give a value a second name:
///
/// - `y = x`, where the structural information of `x` says at least as much as that of `y`; also if `x` is a constant
/// - `y = t[i]`, where `t` is a tuple that the program makes of variables or constants
/// - `y = (t[0], t[1])`, where these are all members of `t`
/// - a `MatchCast` that changes nothing, because its value has the structural information of its variable
///
/// The uses of `y` become uses of the value. If a dataflow block binds `y` for other blocks and the value is a dataflow
/// variable, the value is called `y` instead. Then the variables of dataflow blocks that only their block uses become
/// dataflow variables. A shape variable that a `MatchCast` binds to a known dimension is replaced by that dimension
/// first. (TVM 0.25 `relax.transform.CanonicalizeBindings`)
///
/// # Errors
/// A field of the program does not accept its new value; this does not happen for programs that the checker accepts.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::{BindingBlock, SeqExpr, TensorStructInfo, Var, VarBinding};
/// use object_relax::transform::canonicalize_bindings;
///
/// let info = TensorStructInfo::of([2], "float32")?;
/// let (x, y) = (Var::of("x", info.clone()), Var::of("y", info));
/// let sequence = SeqExpr::new([BindingBlock::new([VarBinding::new(&y, &x).into()])], &y);
/// let canonical = canonicalize_bindings(&sequence)?;
/// assert!(canonical.blocks.is_empty() && canonical.body.ptr_eq(&x));
/// # Ok::<(), Error>(())
/// ```
pub fn canonicalize_bindings<P: Program>(program: &P) -> Result<P, Error> {
    program.change(&|expr| {
        let mut expr = with_known_dims(expr)?;
        // A plan renames variables of which a next plan may remove the last use, such as a tuple with two names.
        loop {
            let plan = Plan::of(&expr);
            if plan.0.values.is_empty() {
                return Ok(expr);
            }
            expr = plan.0.apply(expr)?;
        }
    })
}
