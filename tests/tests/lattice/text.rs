//! A text form of structural information for tables, such as `Tensor((n, 4), float32)`.
//!
//! | text | structural information |
//! |---|---|
//! | `Tensor((n, 4), float32)`, `Tensor(ndim=2, float32)`, `Tensor(float32)`, `Tensor` | tensors |
//! | `Shape((n, 4))`, `Shape(ndim=2)`, `Shape` | shapes |
//! | `Prim(int64)`, `Prim(=n + 1)` | scalars |
//! | `Tuple(Object, Shape)` | tuples |
//! | `Fn(Shape; Object)`, `Fn!(Shape; Object)` | pure and impure functions |
//! | `Opaque(Object)`, `Opaque!(Object)` | functions of which only the result is known |
//! | `Derive(name)`, `Derive!(name)` | functions with a derivation function |

use object_core::DataType;
use object_core::prelude::*;
use object_ir::ir::{
    EnvFunc, FuncStructInfo, ObjectStructInfo, PrimExpr, PrimStructInfo, ShapeExpr, ShapeStructInfo, StructInfo,
    TensorStructInfo, TupleStructInfo,
};
use object_tests::scalar_text::{Scope, print as print_scalar};

/// The structural information with the text `text`. Names stand for shape variables of `scope`.
pub(crate) fn parse(scope: &mut Scope, text: &str) -> StructInfo {
    let text = text.trim();
    let (name, inner) = match text.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')').unwrap_or_else(|| panic!("no `)` at the end of `{text}`"))),
        None => (text, ""),
    };
    let parts = split(inner, ',');
    let dims = |scope: &mut Scope, text: &str| -> Vec<PrimExpr> {
        let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let inner = inner.unwrap_or_else(|| panic!("`{text}` is not a list of dimensions"));
        split(inner, ',').into_iter().map(|dim| scope.parse(dim)).collect()
    };
    let (name, is_pure) = name.strip_suffix('!').map_or((name, true), |name| (name, false));
    let function = |info: FuncStructInfo| if is_pure { info.into() } else { info.impure().into() };
    match name {
        "Object" => ObjectStructInfo::any().into(),
        "Tensor" => {
            let dtype = parts.iter().find(|part| !part.starts_with('(') && !part.contains('='));
            let dtype = dtype.map_or(DataType::void(), |dtype| dtype.parse().expect("a data type"));
            let info = match parts.first() {
                Some(part) if part.starts_with('(') => TensorStructInfo::of(dims(scope, part), dtype),
                Some(part) if part.starts_with("ndim=") => TensorStructInfo::of_rank(rank(part), dtype),
                _ => TensorStructInfo::of_dtype(dtype),
            };
            info.expect("a valid tensor").into()
        }
        "Shape" => match parts.first() {
            None => ShapeStructInfo::unknown().into(),
            Some(part) if part.starts_with("ndim=") => ShapeStructInfo::of_rank(rank(part)).into(),
            Some(part) => ShapeStructInfo::of(dims(scope, part)).expect("a valid shape").into(),
        },
        "Prim" => match inner.strip_prefix('=') {
            Some(value) => PrimStructInfo::of_value(scope.parse(value)).into(),
            None => PrimStructInfo::of(inner).expect("a data type").into(),
        },
        "Tuple" => TupleStructInfo::of(parts.into_iter().map(|part| parse(scope, part))).into(),
        "Fn" => {
            let [params, ret] = split(inner, ';')[..] else { panic!("`{text}`: expected `Fn(PARAMS; RESULT)`") };
            let params: Vec<_> = split(params, ',').into_iter().map(|param| parse(scope, param)).collect();
            function(FuncStructInfo::of(params, parse(scope, ret)))
        }
        "Opaque" => function(FuncStructInfo::opaque(parse(scope, inner), true)),
        "Derive" => function(FuncStructInfo::deriving(EnvFunc::new(inner), true)),
        _ => panic!("`{text}` is not structural information"),
    }
}

fn rank(text: &str) -> usize {
    text.strip_prefix("ndim=").and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("`{text}` is not a rank"))
}

/// The parts of `text` between separators outside of parentheses. Before a separator `;`, the part may be empty.
pub(crate) fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || separator == ';' {
        parts.push(last);
    }
    parts
}

/// The text of structural information.
pub(crate) fn print(info: &StructInfo) -> String {
    let dims = |dims: &[PrimExpr]| {
        let texts = dims.iter().map(print_scalar).collect::<Vec<_>>().join(", ");
        if dims.len() == 1 { format!("({texts},)") } else { format!("({texts})") }
    };
    let list = |infos: &[StructInfo]| infos.iter().map(print).collect::<Vec<_>>().join(", ");
    if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
        let shape = match &tensor.shape {
            Some(shape) => match shape.downcast_ref::<ShapeExpr>() {
                Some(shape) => Some(dims(&shape.values)),
                None => Some("variable".to_owned()),
            },
            None if tensor.ndim == -1 => None,
            None => Some(format!("ndim={}", tensor.ndim)),
        };
        let dtype = (!tensor.dtype.is_void()).then(|| tensor.dtype.to_string());
        let device = tensor.vdevice.as_ref().map(|device| format!("device={}", device.vdevice_id));
        let parts: Vec<_> = shape.into_iter().chain(dtype).chain(device).collect();
        if parts.is_empty() { "Tensor".to_owned() } else { format!("Tensor({})", parts.join(", ")) }
    } else if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
        match &shape.values {
            Some(values) => format!("Shape({})", dims(values)),
            None if shape.ndim == -1 => "Shape".to_owned(),
            None => format!("Shape(ndim={})", shape.ndim),
        }
    } else if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
        prim.value.as_ref().map_or_else(|| format!("Prim({})", prim.dtype), |it| format!("Prim(={})", print_scalar(it)))
    } else if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        format!("Tuple({})", list(&tuple.fields))
    } else if let Some(function) = info.downcast_ref::<FuncStructInfo>() {
        let sign = if function.purity { "" } else { "!" };
        match (&function.params, &function.derive_func) {
            (Some(params), _) => format!("Fn{sign}({}; {})", list(params), print(&function.ret)),
            (None, Some(derive)) => format!("Derive{sign}({})", derive.name),
            (None, None) => format!("Opaque{sign}({})", print(&function.ret)),
        }
    } else {
        "Object".to_owned()
    }
}
