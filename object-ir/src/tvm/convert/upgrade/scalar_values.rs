//! [`check`]: values of scalars that only structural information has. TVM 0.27 has no place for them.

use object_core::stack_budget::with_stack;
use object_core::table::{Set, Table};
use object_core::{Any, AnyView, Error, ErrorKind, ObjectView, Result, structural_equal};

use crate::tvm::convert::converter::{each_child, items, objects, path_of};
use crate::tvm::convert::upgrade::facts::Facts;

/// Checks that an expression has each value of a scalar that structural information has, where a downgrade of the upgraded graph
/// finds it: the scalar itself, the value of a variable, a field of a tuple.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) with the path of an object with other structural information.
pub(in crate::tvm::convert) fn check(root: &Any) -> Result<()> {
    let Some(root) = root.view().as_object() else { return Ok(()) };
    let all = objects(root);
    if !all.iter().any(|object| value_of(*object).is_some()) {
        return Ok(());
    }
    let (bound, functions, used, has_value) = (Table::default(), Table::default(), Set::default(), Table::default());
    let mut known = Known { facts: Facts::of(root), bound, functions, used, has_value };
    all.iter().for_each(|object| known.add(*object));
    for object in all {
        if let Some(field) = known.lost_field(object) {
            let message = format!("TVM 0.27 has no place for the value of a scalar in `{field}` (`R.Prim(value=...)`)");
            let error = Error::new(ErrorKind::TypeMismatch, message);
            return Err(match path_of(root, object) {
                Some(path) => error.at(path),
                None => error,
            });
        }
    }
    Ok(())
}

/// Which expressions have the values of scalars.
struct Known<'a> {
    facts: Facts<'a>,
    /// For variables that a binding defines: the value.
    bound: Table<usize, ObjectView<'a>>,
    /// For the structural information of functions: the function.
    functions: Table<usize, ObjectView<'a>>,
    /// The variables that scalar expressions or shapes use.
    used: Set<usize>,
    /// Whether structural information has the value of a scalar, by address.
    has_value: Table<usize, bool>,
}

impl<'a> Known<'a> {
    fn add(&mut self, object: ObjectView<'a>) {
        if !matches!(object.type_key(), "relax.PrimStructInfo" | "relax.expr.PrimValue") {
            each_child(object, |child| {
                if child.type_key() == "tirx.Var" {
                    self.used.insert(child.address());
                }
            });
        }
        match object.type_key() {
            "relax.expr.VarBinding" => {
                self.bound.extend(child(object, "var").map(ObjectView::address).zip(child(object, "value")));
            }
            "relax.expr.Function" => self.functions.extend(info_of(object).map(|info| (info.address(), object))),
            "ir.IRModule" => {
                let functions = child(object, "functions").and_then(ObjectView::as_map);
                for (name, function) in functions.into_iter().flat_map(|functions| functions.iter()) {
                    let info = name.as_object().and_then(info_of).map(ObjectView::address);
                    self.functions.extend(info.zip(function.as_object()));
                }
            }
            _ => {}
        }
    }

    /// The name of a field of the object that has the value of a scalar which no expression has.
    fn lost_field(&mut self, object: ObjectView<'a>) -> Option<&'static str> {
        if matches!(object.type_key(), "relax.TupleStructInfo" | "ffi.Array" | "ffi.Map") {
            return None;
        }
        let mut fields = object.fields();
        fields.find_map(|(field, value)| {
            let value = value.as_object()?;
            let is_lost = match value.as_array() {
                Some(array) => {
                    let mut infos = array.iter().filter_map(AnyView::as_object).enumerate();
                    infos.any(|(index, info)| self.has_value(info) && !self.is_dimension(object, index, info))
                }
                None => self.has_value(value) && !self.is_restored(object, value),
            };
            is_lost.then(|| field.name())
        })
    }

    /// Whether the object is structural information with the value of a scalar.
    fn has_value(&mut self, info: ObjectView<'a>) -> bool {
        if let Some(known) = self.has_value.get(&info.address()) {
            return *known;
        }
        let has_value = match info.type_key() {
            "relax.TupleStructInfo" => {
                let mut fields = items(info, "fields").filter_map(AnyView::as_object);
                fields.any(|field| with_stack(|| self.has_value(field)))
            }
            _ => value_of(info).is_some(),
        };
        self.has_value.insert(info.address(), has_value);
        has_value
    }

    /// Whether the structural information of a parameter of a function has the dimension that the parameter defines.
    fn is_dimension(&self, function_info: ObjectView<'a>, index: usize, info: ObjectView<'a>) -> bool {
        let function = self.functions.get(&function_info.address());
        let param = function.and_then(|function| items(*function, "params").nth(index)).and_then(AnyView::as_object);
        // The structural information may have variables of its own, as it binds them.
        param.is_some_and(|param| self.defines_dimension(param))
            && value_of(info).is_some_and(|value| value.type_key() == "tirx.Var")
    }

    /// Whether the value of the variable is a dimension that the variable defines. A downgrade knows only the ones that are used.
    fn defines_dimension(&self, var: ObjectView<'a>) -> bool {
        let dimension = self.facts.dimensions.get(&var.address());
        dimension.is_some_and(|dimension| self.used.contains(&dimension.address()))
    }

    /// Whether a downgrade finds the values in `info`, structural information of `object`.
    fn is_restored(&self, object: ObjectView<'a>, info: ObjectView<'a>) -> bool {
        match object.type_key() {
            "relax.expr.PrimValue" => are_equal(value_of(info), child(object, "value")),
            "relax.expr.Tuple" => {
                let mut fields = items(object, "fields").filter_map(AnyView::as_object).zip(items(info, "fields"));
                fields.all(|(field, info)| are_equal(info.as_object(), info_of(field)))
            }
            "relax.expr.Var" | "relax.expr.DataflowVar" => {
                let literal = self.bound.get(&object.address()).filter(|value| is_literal(**value));
                self.defines_dimension(object) || literal.is_some_and(|value| are_equal(Some(info), info_of(*value)))
            }
            "relax.expr.MatchCast" => child(object, "var").is_some_and(|var| self.defines_dimension(var)),
            _ => false,
        }
    }
}

/// Whether the expression has the values of its scalars.
fn is_literal(value: ObjectView<'_>) -> bool {
    matches!(value.type_key(), "relax.expr.PrimValue" | "relax.expr.Tuple")
}

/// The value of a scalar in its structural information.
fn value_of(info: ObjectView<'_>) -> Option<ObjectView<'_>> {
    child(info, "value").filter(|_| info.type_key() == "relax.PrimStructInfo")
}

fn info_of(expression: ObjectView<'_>) -> Option<ObjectView<'_>> {
    child(expression, "struct_info_")
}

fn child<'a>(object: ObjectView<'a>, name: &str) -> Option<ObjectView<'a>> {
    object.get(name).and_then(AnyView::as_object)
}

fn are_equal(a: Option<ObjectView<'_>>, b: Option<ObjectView<'_>>) -> bool {
    a.zip(b).is_some_and(|(a, b)| structural_equal(&a, &b))
}
