//! [`Annotation`]: the type of a field as it is written, without the meaning of its names.

use object_core::dynamic::SourcePlace;
use object_python_syntax::with_expression;
use ruff_python_ast::{Expr, Operator};

use crate::python_input::file_reader::FileReader;
use crate::python_input::words::brief;

/// The deepest nesting of annotations, as in a schema.
const MAX_DEPTH: usize = 16;

/// The type of a field as it is written.
#[derive(Clone, Debug)]
pub(super) struct Annotation {
    pub(super) place: SourcePlace,
    pub(super) shape: Shape,
}

/// The form of an annotation.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A name with dots between its parts, and the types in brackets; `None` without brackets.
    Name { path: String, args: Option<Vec<Annotation>> },
    /// `A | B`.
    Union(Vec<Annotation>),
    /// `None`.
    None,
    /// `...`.
    Ellipsis,
    /// `[A, B]`: the arguments of a function.
    List,
}

impl Annotation {
    /// Reads an annotation. A text in quotes is a type that Python resolves later.
    ///
    /// # Errors
    /// `None`, after the errors are noted in `file`.
    pub(super) fn read(file: &FileReader<'_>, expr: &Expr) -> Option<Annotation> {
        let place = file.place(expr);
        let read = match expr {
            Expr::StringLiteral(text) => {
                let text = text.value.to_str();
                with_expression(text, |inner| read(&place, inner, None, MAX_DEPTH)).unwrap_or_else(|message| {
                    Err((place, format!("the type `{}` is not an expression: {message}", brief(text))))
                })
            }
            _ => read(&place, expr, Some(file), MAX_DEPTH),
        };
        read.map_err(|(place, message)| file.push(crate::diagnostic::Diagnostic::error(place, message))).ok()
    }
}

/// Reads an expression. Its parts have places in `file`, or all have the place `outer`, if the expression is a text in
/// quotes.
fn read(
    outer: &SourcePlace,
    expr: &Expr,
    file: Option<&FileReader<'_>>,
    levels: usize,
) -> Result<Annotation, (SourcePlace, String)> {
    let place = file.map_or_else(|| outer.clone(), |file| file.place(expr));
    let Some(levels) = levels.checked_sub(1) else {
        return Err((place, format!("the type is more than {MAX_DEPTH} levels deep")));
    };
    let part = |expr: &Expr| read(outer, expr, file, levels);
    let shape = match expr {
        Expr::NoneLiteral(_) => Shape::None,
        Expr::EllipsisLiteral(_) => Shape::Ellipsis,
        Expr::List(_) => Shape::List,
        Expr::StringLiteral(text) if file.is_some() => {
            let text = text.value.to_str();
            return with_expression(text, |inner| read(&place, inner, None, levels))
                .unwrap_or_else(|message| Err((place.clone(), format!("`{}` is not a type: {message}", brief(text)))));
        }
        Expr::BinOp(union) if union.op == Operator::BitOr => {
            // A chain of `|` leans to the left and may be long, so the loop takes it apart.
            let (mut parts, mut rest) = (vec![part(&union.right)?], &*union.left);
            while let Expr::BinOp(inner) = rest
                && inner.op == Operator::BitOr
            {
                parts.push(part(&inner.right)?);
                rest = &inner.left;
            }
            parts.push(part(rest)?);
            parts.reverse();
            Shape::Union(parts)
        }
        Expr::Subscript(subscript) => {
            let Some(path) = dotted(&subscript.value) else { return Err(not_a_type(place)) };
            let args = match &*subscript.slice {
                Expr::Tuple(tuple) => tuple.elts.iter().map(part).collect::<Result<_, _>>()?,
                one => vec![part(one)?],
            };
            Shape::Name { path, args: Some(args) }
        }
        _ => match dotted(expr) {
            Some(path) => Shape::Name { path, args: None },
            None => return Err(not_a_type(place)),
        },
    };
    Ok(Annotation { place, shape })
}

fn not_a_type(place: SourcePlace) -> (SourcePlace, String) {
    (place, "this is not a type; write a name such as `ty.int64_t` or `Array[Expr]`".to_owned())
}

/// The text of a name with dots, such as `ty.int64_t`.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    let (mut parts, mut rest) = (Vec::new(), expr);
    loop {
        match rest {
            Expr::Name(name) => {
                parts.push(name.id.as_str());
                parts.reverse();
                return Some(parts.join("."));
            }
            Expr::Attribute(attribute) => {
                parts.push(attribute.attr.id.as_str());
                rest = &attribute.value;
            }
            _ => return None,
        }
    }
}

/// The last part of a name with dots.
pub(super) fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
