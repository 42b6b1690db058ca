//! [`ValueWords`]: the words of a field about the values that it allows, and their entry in the table.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, ExprRange, Lit, RangeLimits, Type, UnOp};

use crate::report::{Errors, rule_names};
use crate::types;

rule_names![range_form, one_of_form];

/// A literal in a word.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Constant {
    Int(i64),
    Float(f64),
    Text(String),
}

impl Constant {
    /// The literal `expr`; `None` for any other expression.
    pub(crate) fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Group(group) => Constant::read(&group.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
                // The least integer has no positive counterpart.
                Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => {
                    format!("-{}", number.base10_digits()).parse().ok().map(Constant::Int)
                }
                expr => match Constant::read(expr)? {
                    Constant::Float(value) => Some(Constant::Float(-value)),
                    Constant::Int(_) | Constant::Text(_) => None,
                },
            },
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => {
                number.base10_parse().ok().map(Constant::Int)
            }
            Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) if number.suffix().is_empty() => {
                number.base10_parse().ok().filter(|value: &f64| value.is_finite()).map(Constant::Float)
            }
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(Constant::Text(text.value())),
            _ => None,
        }
    }

    /// The number as one of a floating-point field.
    pub(crate) fn as_float(&self) -> Option<f64> {
        match self {
            Constant::Int(value) => Some(*value as f64),
            Constant::Float(value) => Some(*value),
            Constant::Text(_) => None,
        }
    }

    pub(crate) fn as_int(&self) -> Option<i64> {
        match self {
            Constant::Int(value) => Some(*value),
            Constant::Float(_) | Constant::Text(_) => None,
        }
    }
}

/// The bounds of a range.
pub(crate) struct Bounds {
    pub(crate) tokens: TokenStream,
    pub(crate) start: Option<Constant>,
    pub(crate) end: Option<Constant>,
    pub(crate) includes_end: bool,
}

impl Bounds {
    /// The range `expr`; `None` for any other expression, and for bounds that are no literals.
    fn read(expr: &Expr) -> Option<Self> {
        let Expr::Range(ExprRange { start, end, limits, .. }) = expr else { return None };
        let bound = |expr: &Option<Box<Expr>>| match expr {
            None => Some(None),
            Some(expr) => Constant::read(expr).filter(|it| it.as_float().is_some()).map(Some),
        };
        let (start, end) = (bound(start)?, bound(end)?);
        let includes_end = end.is_none() || matches!(limits, RangeLimits::Closed(_));
        let has_bound = start.is_some() || end.is_some();
        has_bound.then(|| Bounds { tokens: expr.to_token_stream(), start, end, includes_end })
    }

    /// The first and the last integer; `None` for a bound that is not an integer. The first is greater than the last in an empty range.
    pub(crate) fn ints(&self, least: i64) -> Option<(i64, i64)> {
        let bound = |bound: &Option<Constant>, default| bound.as_ref().map_or(Some(default), Constant::as_int);
        let (start, end) = (bound(&self.start, least)?, bound(&self.end, i64::MAX)?);
        match self.includes_end {
            true => Some((start, end)),
            false => Some(end.checked_sub(1).map_or((1, 0), |end| (start, end))),
        }
    }

    /// The bounds as floating-point numbers.
    pub(crate) fn floats(&self) -> (f64, f64) {
        let bound = |bound: &Option<Constant>, default| bound.as_ref().and_then(Constant::as_float).unwrap_or(default);
        (bound(&self.start, f64::NEG_INFINITY), bound(&self.end, f64::INFINITY))
    }

    /// Whether the range has the number.
    pub(crate) fn contains(&self, value: &Constant) -> bool {
        match (value, self.ints(i64::MIN)) {
            (Constant::Int(value), Some((start, end))) => (start..=end).contains(value),
            _ => {
                let (start, end) = self.floats();
                let is_below = |value: f64| value < end || (self.includes_end && value == end);
                value.as_float().is_none_or(|value| start <= value && is_below(value))
            }
        }
    }
}

/// The values of a field type that words are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measured {
    Int,
    Float,
    Text,
    Elements,
    Other,
}

impl Measured {
    /// The values of the type `ty`, or of the type in an `Option`.
    pub(crate) fn of(ty: &Type) -> Self {
        let ty = types::option_content(ty).unwrap_or(ty);
        let name = types::name_and_args(ty).map(|(name, _)| name.to_string()).unwrap_or_default();
        match name.as_str() {
            _ if types::is_integer(ty) => Measured::Int,
            _ if types::is_float(ty) => Measured::Float,
            "Str" => Measured::Text,
            "Array" | "Map" | "Bytes" | "Shape" => Measured::Elements,
            _ => Measured::Other,
        }
    }

    /// Whether the values have a length.
    pub(crate) fn has_len(self) -> bool {
        matches!(self, Measured::Text | Measured::Elements)
    }
}

/// The words of a field about the values that it allows.
pub(crate) struct ValueWords {
    pub(crate) range: Option<Bounds>,
    pub(crate) len: Option<Bounds>,
    pub(crate) one_of: Vec<(TokenStream, Constant)>,
}

impl ValueWords {
    /// The values of the words `range`, `len` and `one_of`.
    pub(crate) fn read([range, len, one_of]: [Option<&Expr>; 3], errors: &mut Errors) -> Self {
        let mut bounds = |expr: Option<&Expr>, word: &str, example: &str| {
            let expr = expr?;
            let bounds = Bounds::read(expr);
            if bounds.is_none() {
                let message = format!("`{word}` takes a range with numbers as bounds");
                errors.of(rule::range_form).add_help(expr, message, format!("write `{word} = {example}`"));
            }
            bounds
        };
        let (range, len) = (bounds(range, "range", "0..=64"), bounds(len, "len", "1.."));
        ValueWords { range, len, one_of: choices(one_of, errors) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.range.is_none() && self.len.is_none() && self.one_of.is_empty()
    }

    /// `checks: Some(&FieldChecks { .. }),` for a field of the type `ty`.
    pub(crate) fn entry(&self, ty: &Type) -> Option<TokenStream> {
        let ValueWords { range, len, one_of } = self;
        if self.is_empty() {
            return None;
        }
        let is_float = Measured::of(ty) == Measured::Float;
        let range = range.as_ref().and_then(|range| {
            let range = if is_float {
                let ((start, end), includes_end) = (range.floats(), range.includes_end);
                let (start, end) = (float(start), float(end));
                quote!(Float(__object::FloatRange { start: #start, end: #end, includes_end: #includes_end }))
            } else {
                let range = int_range(range.ints(i64::MIN)?);
                quote!(Int(#range))
            };
            Some(quote!(range: ::core::option::Option::Some(__object::NumberRange::#range),))
        });
        let len = len.as_ref().and_then(|len| len.ints(0)).map(|len| {
            let len = int_range(len);
            quote!(len: ::core::option::Option::Some(#len),)
        });
        let one_of = (!one_of.is_empty()).then(|| {
            let choices = one_of.iter().map(|(_, choice)| match choice {
                Constant::Text(text) => quote!(__object::Choice::Text(#text)),
                choice if is_float => {
                    let value = float(choice.as_float().unwrap_or_default());
                    quote!(__object::Choice::Float(#value))
                }
                Constant::Int(value) => {
                    let value = int(*value);
                    quote!(__object::Choice::Int(#value))
                }
                Constant::Float(value) => {
                    let value = float(*value);
                    quote!(__object::Choice::Float(#value))
                }
            });
            quote!(one_of: &[#(#choices),*],)
        });
        Some(quote! {
            checks: ::core::option::Option::Some(&__object::FieldChecks { #range #len #one_of ..__object::FieldChecks::NONE }),
        })
    }
}

/// The literals of `one_of`.
fn choices(list: Option<&Expr>, errors: &mut Errors) -> Vec<(TokenStream, Constant)> {
    let Some(list) = list else { return Vec::new() };
    let help = "write `one_of = [\"add\", \"sub\"]` or `one_of = [1, 2, 4]`";
    let mut report = errors.of(rule::one_of_form);
    let Expr::Array(array) = list else {
        report.add_help(list, "`one_of` takes a list of texts or numbers in square brackets", help);
        return Vec::new();
    };
    if array.elems.is_empty() {
        report.add_help(list, "`one_of` allows no value", help);
    }
    let mut choices: Vec<(TokenStream, Constant)> = Vec::new();
    for element in &array.elems {
        match Constant::read(element) {
            None => report.add_help(element, "a value of `one_of` is a text or a number", help),
            Some(choice) if choices.iter().any(|(_, earlier)| *earlier == choice) => {
                report.add_help(element, "the value stands twice", "leave one of them out");
            }
            Some(choice) => choices.push((element.to_token_stream(), choice)),
        }
    }
    choices
}

fn int_range((start, end): (i64, i64)) -> TokenStream {
    let (start, end) = (int(start), int(end));
    quote!(__object::IntRange { start: #start, end: #end })
}

fn int(value: i64) -> TokenStream {
    match value {
        i64::MIN => quote!(::core::primitive::i64::MIN),
        i64::MAX => quote!(::core::primitive::i64::MAX),
        value => signed(value < 0, &Literal::u64_unsuffixed(value.unsigned_abs())),
    }
}

fn float(value: f64) -> TokenStream {
    match value {
        f64::INFINITY => quote!(::core::primitive::f64::INFINITY),
        f64::NEG_INFINITY => quote!(::core::primitive::f64::NEG_INFINITY),
        value => signed(value.is_sign_negative(), &Literal::f64_unsuffixed(value.abs())),
    }
}

fn signed(is_negative: bool, literal: &Literal) -> TokenStream {
    if is_negative { quote!(-#literal) } else { quote!(#literal) }
}
