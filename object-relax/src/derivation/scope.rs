//! [`Scope`]: the variables that are visible at a place, while a derivation goes through a program.

use object_core::prelude::*;
use object_core::visit::PlaceMarks;
use object_ir::ir::{Binding, DataflowVar, Id, PrimExpr, RelaxExpr, StructInfo, Var, VarBinding};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::FxHashMap;

use crate::addresses::{NumberedAddresses, address};
use crate::struct_info::Meaning;
use crate::struct_info::mapping::for_each_binder;

/// The visible variables, by the addresses of their identities. The program keeps the objects at these addresses.
#[derive(Debug, Default)]
pub(super) struct Scope<'e> {
    /// The variables around the program.
    outer: Option<&'e Scope<'e>>,
    /// The derived bindings of the open blocks.
    pub(super) bindings: Vec<Binding>,
    /// The marks of the identities of variables, if they have the places in `entries`. Then no variable hides another one.
    marks: Option<PlaceMarks>,
    /// Without marks: the places in `entries` by the addresses of identities. It may have places of variables that are not
    /// visible anymore.
    table: FxHashMap<usize, usize>,
    /// All variables since the begin of the outermost open scope, in the order in which they became visible.
    entries: Vec<Entry<'e>>,
    /// For places in `entries` of variables that hide an entry of the same identity, the place of this entry.
    hides: FxHashMap<usize, usize>,
    /// The addresses of the visible shape variables.
    shape_vars: NumberedAddresses,
}

#[derive(Debug)]
struct Entry<'e> {
    id: usize,
    visible: Visible<'e>,
    /// Whether the variable is visible in its block only.
    is_dataflow: bool,
}

/// A visible variable, with its structural information.
#[derive(Debug)]
enum Visible<'e> {
    /// A variable as the program states it.
    Given(&'e Var),
    /// The variable of a derived binding of an open block, by its place in the list of these bindings.
    Open(usize),
    /// The variable of a derived binding.
    Bound(Binding),
    /// A variable that the scope keeps, with the value that it is bound to.
    Kept(Var, Option<RelaxExpr>),
    /// A variable that is not visible anymore.
    Ended,
}

/// The variables that were visible at a place, for [`Surroundings::end`](super::Surroundings::end).
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    vars: usize,
    shape_vars: usize,
}

impl<'e> Scope<'e> {
    /// A scope in which the variables of `outer` are visible too.
    pub(super) fn inside(outer: &'e Scope<'e>) -> Self {
        Scope { outer: Some(outer), ..Scope::default() }
    }

    /// The present variables, for [`end`](Self::end).
    pub(super) fn mark(&self) -> Mark {
        Mark { vars: self.entries.len(), shape_vars: self.shape_vars.len() }
    }

    /// Removes the variables that became visible after `mark`.
    pub(super) fn end(&mut self, mark: Mark) {
        if self.shape_vars.len() > mark.shape_vars {
            self.shape_vars.truncate(mark.shape_vars);
        }
        // Without hidden variables, no other one becomes visible, and `place` ignores places after the last entry.
        if self.hides.is_empty() {
            self.entries.truncate(mark.vars);
            return;
        }
        for place in (mark.vars..self.entries.len()).rev() {
            self.end_entry(place);
            self.entries.pop();
            self.hides.remove(&place);
        }
    }

    /// Ends the variable at a place of `entries`. A variable that it hides is visible again.
    fn end_entry(&mut self, place: usize) {
        let entry = &mut self.entries[place];
        let id = entry.id;
        entry.visible = Visible::Ended;
        if self.marks.is_some() || self.table.get(&id) != Some(&place) {
            return;
        }
        self.table.remove(&id);
        let mut next = self.hides.remove(&place);
        while let Some(hidden) = next {
            if !matches!(self.entries[hidden].visible, Visible::Ended) {
                self.table.insert(id, hidden);
                return;
            }
            next = self.hides.remove(&hidden);
        }
    }

    /// The place of the visible variable with an identity.
    fn place(&self, id: &Id) -> Option<usize> {
        let place = match &self.marks {
            Some(marks) => Some(marks.get(id.as_object().view())),
            None => self.table.get(&address(id)).copied(),
        };
        place.filter(|place| self.is_at(*place, address(id)))
    }

    /// Whether the entry at a place has an identity. A mark or the table may have the place of an entry that is gone.
    fn is_at(&self, place: usize, id: usize) -> bool {
        self.entries.get(place).is_some_and(|entry| entry.id == id)
    }

    /// Finds variables by marks from now on, if no other operation has these. The scope has to end soon.
    pub(super) fn take_marks(&mut self) {
        if self.entries.is_empty()
            && let Some(marks) = PlaceMarks::take()
        {
            self.marks = Some(marks);
        }
    }

    /// Finds variables by a table from now on.
    fn use_table(&mut self) -> &mut FxHashMap<usize, usize> {
        if self.marks.take().is_some() {
            let visible = self.entries.iter().enumerate().filter(|(_, it)| !matches!(it.visible, Visible::Ended));
            self.table = visible.map(|(place, entry)| (entry.id, place)).collect();
        }
        &mut self.table
    }

    /// Removes the variables that became visible after `mark` and are visible in their block only. The bindings of the
    /// block stay in the list of bindings, for the caller.
    pub(super) fn end_block(&mut self, mark: Mark) {
        let added = &mut self.entries[mark.vars..];
        for entry in added.iter_mut().filter(|entry| !entry.is_dataflow) {
            if let Visible::Open(binding) = entry.visible {
                entry.visible = Visible::Bound(self.bindings[binding].clone());
            }
        }
        // Without hidden variables, an entry may stay in the table after its end.
        if self.hides.is_empty() {
            let local = added.iter_mut().filter(|entry| entry.is_dataflow);
            local.for_each(|entry| entry.visible = Visible::Ended);
            return;
        }
        for place in mark.vars..self.entries.len() {
            if self.entries[place].is_dataflow {
                self.end_entry(place);
            }
        }
    }

    /// Makes room for `count` more variables.
    pub(super) fn reserve(&mut self, count: usize) {
        if self.marks.is_none() {
            self.table.reserve(count);
        }
        self.entries.reserve(count);
        self.bindings.reserve(count);
    }

    fn insert(&mut self, var: &Var, visible: Visible<'e>) {
        let (place, id) = (self.entries.len(), address(&var.vid));
        if let Some(marks) = &self.marks
            && self.place(&var.vid).is_none()
            && let Ok(number) = u32::try_from(place)
        {
            marks.set(var.vid.as_object().view(), number);
        } else if let Some(hidden) = self.use_table().insert(id, place)
            && self.is_at(hidden, id)
        {
            self.hides.insert(place, hidden);
        }
        self.entries.push(Entry { id, visible, is_dataflow: var.is::<DataflowVar>() });
    }

    /// Makes a variable of the program visible.
    pub(super) fn add(&mut self, var: &'e Var) {
        self.insert(var, Visible::Given(var));
    }

    /// Adds a derived binding to the open block, and makes its variable visible.
    pub(super) fn bind(&mut self, binding: Binding) {
        self.insert(&binding.var, Visible::Open(self.bindings.len()));
        self.bindings.push(binding);
    }

    /// Makes a variable visible that the scope keeps, with the value that it is bound to.
    pub(super) fn keep(&mut self, var: &Var, value: Option<RelaxExpr>) {
        self.insert(var, Visible::Kept(var.clone(), value));
    }

    /// Removes a variable before the end of its scope.
    pub(super) fn remove(&mut self, var: &Var) {
        if let Some(place) = self.place(&var.vid) {
            self.entries[place].visible = Visible::Ended;
            self.table.remove(&address(&var.vid));
        }
    }

    /// The value that a visible variable is bound to.
    pub(super) fn value(&self, var: &Var) -> Option<RelaxExpr> {
        let outer = || self.outer?.value(var);
        let Some(place) = self.place(&var.vid) else { return outer() };
        let value = |binding: &Binding| binding.downcast_ref::<VarBinding>().map(|binding| binding.value.clone());
        match &self.entries[place].visible {
            Visible::Open(binding) => value(&self.bindings[*binding]),
            Visible::Bound(binding) => value(binding),
            Visible::Kept(_, value) => value.clone(),
            Visible::Given(_) => None,
            Visible::Ended => outer(),
        }
    }

    /// Makes a shape variable visible. The program or the caller keeps it. Returns whether it was not.
    pub(super) fn add_shape_var(&mut self, var: &ShapeVar) -> bool {
        self.shape_vars.insert(address(var))
    }

    /// Makes the shape variables visible that structural information binds.
    pub(super) fn see_binders<'i>(&mut self, infos: impl IntoIterator<Item = &'i StructInfo>) {
        for_each_binder(infos, |var| {
            self.add_shape_var(var);
        });
    }

    /// The visible variable with the identity of `var`, with its structural information.
    pub(super) fn get(&self, var: &Var) -> Option<&Var> {
        let outer = || self.outer?.get(var);
        let Some(place) = self.place(&var.vid) else { return outer() };
        match &self.entries[place].visible {
            Visible::Given(var) => Some(var),
            Visible::Open(binding) => Some(&self.bindings[*binding].var),
            Visible::Bound(binding) => Some(&binding.var),
            Visible::Kept(var, _) => Some(var),
            Visible::Ended => outer(),
        }
    }
}

impl Meaning for Scope<'_> {
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr> {
        self.keeps(var).then(|| var.into())
    }

    fn keeps(&self, var: &ShapeVar) -> bool {
        self.shape_vars.get(address(var)).is_some() || self.outer.is_some_and(|outer| outer.keeps(var))
    }

    fn var(&self, var: &Var) -> Option<RelaxExpr> {
        self.get(var).map(|_| var.into())
    }

    fn is_in_values(&self, _: &ShapeVar) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use object_ir::ir::ObjectStructInfo;

    use super::*;
    use crate::addresses::FEW;

    /// The scope with marks. Tests of other files may have them for a moment.
    fn marked(mut scope: Scope<'_>) -> Scope<'_> {
        while scope.marks.is_none() {
            scope.take_marks();
        }
        scope
    }

    #[test]
    fn a_scope_ends_with_its_variables() {
        let (x, y, n) = (Var::named("x"), Var::named("y"), ShapeVar::dim("n"));
        let mut scope = marked(Scope::default());
        scope.add(&x);
        let mark = scope.mark();
        scope.add(&x);
        scope.add(&y);
        scope.add_shape_var(&n);
        assert!(scope.get(&y).is_some_and(|it| it.ptr_eq(&y)) && scope.shape_var(&n).is_some());
        scope.end(mark);
        assert!(scope.get(&x).is_some() && scope.get(&y).is_none() && scope.shape_var(&n).is_none());
    }

    #[test]
    fn a_variable_that_another_one_hides_is_visible_again() {
        let (x, y) = (Var::named("x"), Var::named("y"));
        let again = x.clone().with_changes(|node| node.base.base.struct_info = Some(ObjectStructInfo::any().into()));
        let mut scope = marked(Scope::default());
        scope.keep(&x, None);
        for others in [0, 3] {
            let mark = scope.mark();
            scope.keep(&again, None);
            (0..others).for_each(|_| scope.keep(&y, None));
            assert!(scope.get(&x).is_some_and(|it| it.ptr_eq(&again)));
            scope.end(mark);
            assert!(scope.get(&x).is_some_and(|it| it.ptr_eq(&x)) && scope.get(&y).is_none());
        }
    }

    #[test]
    fn a_variable_that_ended_is_not_visible_through_the_place_of_another_one() {
        let [x, y, z] = ["x", "y", "z"].map(Var::named);
        let mut scope = marked(Scope::default());
        scope.keep(&z, None);
        let mark = scope.mark();
        for var in [&x, &y, &x] {
            scope.end(mark);
            scope.keep(var, None);
            for other in [&x, &y] {
                assert_eq!(scope.get(other).is_some(), other.ptr_eq(var));
            }
        }
        // The place of `x` in the table is older than the one of `y`, so `x` hides nothing.
        scope.end(mark);
        scope.keep(&y, None);
        let inner = scope.mark();
        scope.keep(&x, None);
        scope.keep(&z, None);
        scope.end(inner);
        assert!(scope.get(&x).is_none() && scope.get(&y).is_some() && scope.get(&z).is_some());
    }

    #[test]
    fn shape_variables_end_with_their_scope() {
        let vars: Vec<ShapeVar> = (0..3 * FEW).map(|_| ShapeVar::dim("n")).collect();
        let mut scope = Scope::default();
        let mut marks = Vec::new();
        for var in vars.iter().flat_map(|var| [var, &vars[0]]) {
            marks.push((scope.mark(), scope.keeps(&vars[0])));
            scope.add_shape_var(var);
        }
        for (count, (mark, has_first)) in marks.into_iter().enumerate().rev() {
            scope.end(mark);
            let visible: Vec<bool> = vars.iter().map(|var| scope.keeps(var)).collect();
            assert_eq!(visible.iter().filter(|it| **it).count(), count.div_ceil(2));
            assert_eq!(visible[0], has_first);
        }
    }

    #[test]
    fn dataflow_variables_end_with_their_block() {
        let (x, y) = (Var::named("x"), DataflowVar::named("y"));
        let mut scope = marked(Scope::default());
        let mark = scope.mark();
        scope.keep(&x, None);
        scope.keep(y.as_ref(), None);
        scope.end_block(mark);
        assert!(scope.get(&x).is_some() && scope.get(y.as_ref()).is_none());
        // Also if most variables end, and one of them hides another variable.
        let hiding = y.clone().with_changes(|node| node.base.vid = x.vid.clone());
        let block = scope.mark();
        scope.keep(hiding.as_ref(), None);
        (0..5).for_each(|_| scope.keep(DataflowVar::named("z").as_ref(), None));
        assert!(scope.get(&x).is_some_and(|it| it.ptr_eq(&hiding)));
        scope.end_block(block);
        assert!(scope.get(&x).is_some_and(|it| it.ptr_eq(&x)));
        scope.end(mark);
        assert!(scope.get(&x).is_none());
    }
}
