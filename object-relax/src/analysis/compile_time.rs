//! [`computable_at_compile_time`]: the variables that depend on the weights of a model alone.

use object_core::{AnyView, FieldType, ObjectView, Str};
use object_ir::ir::{BindingNode, Function, FunctionNode, IntImmNode, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::shape_variables::definable_shape_vars;
use crate::analysis::walk::{Observer, Region, Role, view, walk};

/// The attribute with the number of parameters that are given at run time; the other parameters are weights.
const NUM_INPUT: &str = "num_input";

/// A binding whose value the walk visits.
struct Open {
    /// The address of the binding.
    address: usize,
    /// The order number of the binding.
    order: usize,
    /// The number of open bindings around the outermost binding of an unknown variable that the value uses.
    least_unknown: usize,
}

/// The place where a variable is bound.
#[derive(Clone, Copy)]
struct Place {
    /// The number of open bindings whose values contain the place.
    depth: usize,
    /// The order number of the innermost open binding.
    order: usize,
}

/// The walk over a function.
#[derive(Default)]
struct Known {
    /// The variables whose values do not depend on run time.
    known: FxHashSet<usize>,
    known_shape_vars: FxHashSet<usize>,
    /// The places where the variables are bound.
    places: FxHashMap<usize, Place>,
    open: Vec<Open>,
    /// The functions and bindings around the current place.
    regions: Vec<Region>,
    /// The bindings so far.
    count: usize,
    found: Vec<(usize, Var)>,
}

impl Known {
    /// The use of a variable with an unknown value.
    fn uses_unknown(&mut self, variable: ObjectView<'_>) {
        let Some(open) = self.open.last_mut() else { return };
        let place = self.places.get(&variable.address());
        // Variables that the binding itself binds do not make its value unknown.
        if place.is_none_or(|place| place.order != open.order) {
            open.least_unknown = open.least_unknown.min(place.map_or(0, |place| place.depth));
        }
    }

    /// A parameter or an annotation binds a variable.
    fn bind(&mut self, variable: ObjectView<'_>) {
        let is_param = self.regions.last() == Some(&Region::Function);
        let depth = self.open.len().saturating_sub(usize::from(!is_param));
        let order = self.open.last().map_or(0, |open| open.order);
        self.places.insert(variable.address(), Place { depth, order });
    }

    fn mark(&mut self, order: usize, var: &Var) {
        if self.known.insert(view(var).address()) {
            self.found.push((order, var.clone()));
        }
        for shape_var in var.struct_info.iter().flat_map(definable_shape_vars) {
            self.known_shape_vars.insert(view(&shape_var).address());
        }
    }
}

impl<'a> Observer<'a> for Known {
    /// A shared object is visited once for each binding that it is in.
    fn context(&self) -> usize {
        self.open.last().map_or(0, |open| open.address)
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        if !self.known.contains(&var.address()) {
            self.uses_unknown(var);
        }
    }

    fn shape_var(&mut self, var: ObjectView<'a>, role: Role) {
        if role == Role::Define {
            self.bind(var);
        } else if !self.known_shape_vars.contains(&var.address()) {
            self.uses_unknown(var);
        }
    }

    fn bind_var(&mut self, var: ObjectView<'a>) {
        if self.regions.last() == Some(&Region::Function) {
            self.bind(var);
        }
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        if is_frame(region) {
            self.regions.push(region);
        }
        match region {
            Region::Function => {
                let Some(function) = object.node::<FunctionNode>() else { return };
                self.count += 1;
                for param in function.params.as_slice().iter().skip(inputs(function)) {
                    self.mark(self.count, param);
                }
            }
            Region::Binding => {
                self.count += 1;
                // The value may be a function that calls itself, which uses the variable before the end of the binding.
                if let Some(binding) = object.node::<BindingNode>() {
                    let place = Place { depth: self.open.len(), order: 0 };
                    self.places.insert(view(&binding.var).address(), place);
                }
                self.open.push(Open { address: object.address(), order: self.count, least_unknown: usize::MAX });
            }
            Region::Sequence | Region::Block => {}
        }
    }

    fn end(&mut self, region: Region, object: ObjectView<'a>) {
        if is_frame(region) {
            self.regions.pop();
        }
        let (Region::Binding, Some(binding)) = (region, object.node::<BindingNode>()) else { return };
        let Some(closed) = self.open.pop() else { return };
        if closed.least_unknown > self.open.len() {
            self.mark(closed.order, &binding.var);
        }
        if let Some(outer) = self.open.last_mut() {
            outer.least_unknown = outer.least_unknown.min(closed.least_unknown);
        }
    }
}

/// Whether variables that are bound in a region belong to it.
fn is_frame(region: Region) -> bool {
    matches!(region, Region::Function | Region::Binding)
}

/// The number of parameters of a function that are given at run time: all without the attribute.
pub(crate) fn inputs(function: &FunctionNode) -> usize {
    let value = function.attrs.dict.data().get(Str::from(NUM_INPUT).view());
    let count = match value {
        Some(AnyView::Int(count)) => Some(count),
        Some(other) => other.as_object().and_then(|object| object.node::<IntImmNode>()).map(|it| it.value),
        None => None,
    };
    count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(0))
}

/// The variables of a function whose values a compiler can compute before the function is called: the parameters after
/// the first `num_input` ones, where the function has this attribute, and the variables of bindings that use nothing
/// else. They come in the order of evaluation, a variable before the variables in its value. (TVM 0.25
/// `relax.analysis.computable_at_compile_time`)
#[must_use]
pub fn computable_at_compile_time(function: &Function) -> Vec<Var> {
    let mut known = Known::default();
    walk(function, &mut known);
    known.found.sort_by_key(|(order, _)| *order);
    known.found.into_iter().map(|(_, var)| var).collect()
}
