//! Calls in tables, such as `add(Tensor((n, 4), float32), 1)`.
//!
//! Structural information stands for a variable that has it; equal texts are different variables. Other arguments are
//! `(n, 4)` a shape, `[a, b]` a tuple, `"text"`, a data type such as `float32`, `@f: Callable(...)` a function of the
//! module, and scalars. After the arguments come the attributes in braces, and after `->` the `sinfo_args`.

use object_core::prelude::*;
use object_ir::distributed::DTensorStructInfo;
use object_ir::ir::{
    Call, DataTypeImm, FloatImm, FuncStructInfo, GlobalVar, IntImm, ObjectStructInfo, Op, PrimExpr, PrimStructInfo,
    PrimValue, RelaxExpr, ShapeExpr, ShapeStructInfo, StringImm, StructInfo, TensorStructInfo, Tuple, TupleStructInfo,
    Var,
};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::op;

use super::attribute_text::attributes;
use super::device_text::{mesh, placement, vdevice};
use super::tokens::{split, strip_call};
use crate::scalar_text::Scope;

/// Reads calls over the same shape variables and devices.
#[derive(Default)]
pub struct CallReader {
    scope: Scope,
    /// Variables that are the shape of tensors, by name.
    shapes: Vec<(String, Var)>,
    /// The values of shape variables; empty if they are variables in the call.
    sizes: Vec<(String, i64)>,
}

impl CallReader {
    /// Reads calls in which shape variables have these values.
    pub fn with_sizes(sizes: &[(String, i64)]) -> Self {
        CallReader { sizes: sizes.to_vec(), ..CallReader::default() }
    }

    /// The scalar with the text `text`.
    pub(super) fn scalar(&mut self, text: &str) -> PrimExpr {
        let expr = self.scope.parse(text);
        if self.sizes.is_empty() { expr } else { self.value(&expr, &self.sizes.clone()) }
    }

    /// The value of an expression over the shape variables of the calls.
    pub fn value(&mut self, expr: &PrimExpr, sizes: &[(String, i64)]) -> PrimExpr {
        let mut analyzer = Analyzer::new();
        for (name, size) in sizes {
            let var = self.scope.var(name).downcast::<tir::Var>().expect("a variable");
            analyzer.bind(&var, IntImm::new(DataType::int(64), *size));
        }
        analyzer.simplify(expr)
    }

    /// The call with the text `text`.
    pub fn call(&mut self, text: &str) -> Call {
        let (text, results) = text.split_once(" -> ").unwrap_or((text, ""));
        let (text, attrs) = match text.split_once(" {") {
            Some((text, attrs)) => {
                (text, attrs.strip_suffix('}').unwrap_or_else(|| panic!("`{text}`: `}}` is missing")))
            }
            None => (text, ""),
        };
        let (name, args) = text.trim().split_once('(').unwrap_or_else(|| panic!("`{text}`: expected a call"));
        let args = args.strip_suffix(')').unwrap_or_else(|| panic!("`{text}`: `)` is missing"));
        let name = format!("relax.{name}");
        let operator = op::operator(&name).unwrap_or_else(|| panic!("there is no operator `{name}`"));
        let args: Vec<_> = split(args, ",").into_iter().map(|arg| self.argument(arg)).collect();
        let results: Vec<_> = split(results, ";").into_iter().map(|result| self.info(result)).collect();
        let op = Op::get(name.as_str()).unwrap_or_else(|error| panic!("{error}"));
        Call::new(op, args, attributes(&operator.signature, attrs), results)
    }

    fn argument(&mut self, text: &str) -> RelaxExpr {
        if let Some(info) = self.try_info(text) {
            return Var::of("x", info).into();
        }
        if let Some((name, info)) = text.strip_prefix('@').and_then(|text| text.split_once(": ")) {
            return GlobalVar::of(name, self.info(info)).into();
        }
        if let Some(fields) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            let fields: Vec<_> = split(fields, ",").into_iter().map(|field| self.argument(field)).collect();
            return Tuple::new(fields).into();
        }
        if let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            return StringImm::new(quoted).into();
        }
        if text.starts_with('(') && text.ends_with(')') {
            return ShapeExpr::of(self.dims(text)).unwrap_or_else(|error| panic!("`{text}`: {error}")).into();
        }
        if text == "?" {
            return Var::named("unknown").into();
        }
        if let Ok(float) = text.parse::<f64>().and_then(|float| if text.contains('.') { Ok(float) } else { "".parse() })
        {
            return PrimValue::of(FloatImm::new(DataType::float(64), float)).into();
        }
        match text.parse::<DataType>() {
            Ok(dtype) => DataTypeImm::new(dtype).into(),
            Err(_) => PrimValue::of(self.scalar(text)).into(),
        }
    }

    /// The structural information with the text `text`.
    pub fn info(&mut self, text: &str) -> StructInfo {
        self.try_info(text).unwrap_or_else(|| panic!("`{text}`: expected structural information"))
    }

    fn try_info(&mut self, text: &str) -> Option<StructInfo> {
        if text == "Object" {
            return Some(ObjectStructInfo::any().into());
        }
        if let Some(parts) = strip_call(text, "Tensor") {
            return Some(self.tensor(&split(parts, ",")).into());
        }
        if let Some(parts) = strip_call(text, "DTensor") {
            return Some(self.dtensor(&split(parts, ",")).into());
        }
        if let Some(parts) = strip_call(text, "Shape") {
            return Some(self.shape(parts).into());
        }
        if let Some(parts) = strip_call(text, "Prim") {
            let info = match split(parts, ",")[..] {
                [dtype] => PrimStructInfo::new(None, dtype_of(dtype)),
                [dtype, value] => PrimStructInfo::new(Some(self.scalar(value)), dtype_of(dtype)),
                _ => panic!("`{text}`: expected `Prim(type)` or `Prim(type, value)`"),
            };
            return Some(info.into());
        }
        if let Some(parts) = strip_call(text, "Tuple") {
            let fields: Vec<_> = split(parts, ",").into_iter().map(|field| self.info(field)).collect();
            return Some(TupleStructInfo::of(fields).into());
        }
        let parts = split(strip_call(text, "Callable")?, ",");
        let [params, ret] = parts[..] else { panic!("`{text}`: expected `Callable((parameter, ...), result)`") };
        let ret = self.info(ret);
        if params == "..." {
            return Some(FuncStructInfo::opaque(ret, true).into());
        }
        let params = params.trim_start_matches('(').strip_suffix(')').unwrap_or(params);
        let params: Vec<_> = split(params, ",").into_iter().map(|param| self.info(param)).collect();
        Some(FuncStructInfo::of(params, ret).into())
    }

    /// `Tensor(shape, type, on N)`, where all parts are optional and a shape is `(n, m)`, `ndim=2` or `s: Shape(...)`.
    fn tensor(&mut self, parts: &[&str]) -> TensorStructInfo {
        let mut tensor = TensorStructInfo::unknown();
        for part in parts {
            let node = tensor.make_mut();
            if part.starts_with('(') {
                let dims = self.dims(part);
                node.ndim = dims.len() as i64;
                node.shape = Some(ShapeExpr::of(dims).unwrap_or_else(|error| panic!("{part}: {error}")).into());
            } else if let Some(ndim) = part.strip_prefix("ndim=") {
                node.ndim = ndim.parse().unwrap_or_else(|error| panic!("{part}: {error}"));
            } else if let Some((name, shape)) = part.split_once(": ") {
                let var = self.shape_var(name, shape);
                node.ndim = var
                    .struct_info
                    .as_ref()
                    .and_then(|it| it.downcast_ref::<ShapeStructInfo>())
                    .map_or(-1, |it| it.ndim);
                node.shape = Some(var.into());
            } else if let Some(device) = part.strip_prefix("on ") {
                node.vdevice = Some(vdevice(device));
            } else {
                node.dtype = dtype_of(part);
            }
        }
        tensor
    }

    /// `DTensor(tensor, grid, placement, ...)`: a grid is `2x3`, and a placement is `R` or the dimension that is split.
    fn dtensor(&mut self, parts: &[&str]) -> DTensorStructInfo {
        let [tensor, grid, placements @ ..] = parts else { panic!("{parts:?}: expected a tensor and a grid") };
        let tensor =
            self.info(tensor).downcast::<TensorStructInfo>().unwrap_or_else(|_| panic!("{tensor}: expected a tensor"));
        DTensorStructInfo::new(mesh(grid), placement(placements), tensor)
    }

    fn shape_var(&mut self, name: &str, shape: &str) -> Var {
        if let Some((_, var)) = self.shapes.iter().find(|(known, _)| known == name) {
            return var.clone();
        }
        let shape = strip_call(shape, "Shape").unwrap_or_else(|| panic!("`{shape}`: expected a shape"));
        let var = Var::of(name, self.shape(shape));
        self.shapes.push((name.to_owned(), var.clone()));
        var
    }

    fn shape(&mut self, text: &str) -> ShapeStructInfo {
        match text.strip_prefix("ndim=").map(str::parse::<i64>) {
            Some(ndim) => ShapeStructInfo::new(None::<Array<PrimExpr>>, ndim.unwrap_or_else(|error| panic!("{error}"))),
            None => ShapeStructInfo::of(self.dims(text)).unwrap_or_else(|error| panic!("`{text}`: {error}")),
        }
    }

    fn dims(&mut self, text: &str) -> Vec<PrimExpr> {
        let dims = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let dims = dims.unwrap_or_else(|| panic!("`{text}`: expected dimensions in brackets"));
        split(dims, ",").into_iter().map(|dim| self.scalar(dim)).collect()
    }
}

fn dtype_of(text: &str) -> DataType {
    text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"))
}
