//! [`ResolvedType`]: the type of a field in the words of a schema.

use object_core::dynamic::{NumberWidth, TypeText};

use crate::diagnostic::Diagnostic;
use crate::python_input::annotation::{Annotation, Shape, last_part};
use crate::python_input::class_draft::Form;
use crate::python_input::class_names::{ClassNames, Referent};
use crate::python_input::type_names::{Meaning, meaning, names};

/// The type of a field in the words of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResolvedType {
    pub(super) ty: TypeText,
    pub(super) width: Option<NumberWidth>,
    pub(super) enumeration: Option<String>,
}

impl ResolvedType {
    fn plain(ty: TypeText) -> Self {
        ResolvedType { ty, width: None, enumeration: None }
    }
}

/// Gives names their meaning, for the classes of one form.
pub(super) struct Resolver<'a> {
    pub(super) names: &'a ClassNames,
    pub(super) form: Form,
    pub(super) faults: &'a mut Vec<Diagnostic>,
}

impl Resolver<'_> {
    /// The type of a field.
    ///
    /// # Errors
    /// `None`, after an error is noted.
    pub(super) fn field_type(&mut self, annotation: &Annotation) -> Option<ResolvedType> {
        let place = &annotation.place;
        match &annotation.shape {
            Shape::Union(parts) => self.union(annotation, &parts.iter().collect::<Vec<_>>()),
            Shape::None => self.error(annotation, "`None` is not a type of fields; write `Optional` around a type"),
            Shape::Ellipsis | Shape::List => {
                self.error(annotation, "only `tuple[T, ...]` and `Callable` have such arguments")
            }
            Shape::Name { path, args } => {
                let short = self.names.imported(&place.file, last_part(path));
                let is_plain = self.form != Form::Declare || path.starts_with("ty.");
                match meaning(self.form, short).filter(|_| is_plain) {
                    Some(meaning) => self.named(annotation, short, meaning, args.as_deref()),
                    None => self.class(annotation, path, args.as_deref()),
                }
            }
        }
    }

    fn error<T>(&mut self, annotation: &Annotation, message: impl Into<String>) -> Option<T> {
        self.faults.push(Diagnostic::error(annotation.place.clone(), message));
        None
    }

    fn class(&mut self, annotation: &Annotation, path: &str, args: Option<&[Annotation]>) -> Option<ResolvedType> {
        if self.form == Form::Declare && !path.contains('.') {
            // A name of the table is not the name of a class.
            match meaning(self.form, path) {
                Some(Meaning::Refused(advice)) => return self.error(annotation, advice),
                Some(_) => return self.error(annotation, format!("write `ty.{path}`")),
                None => {}
            }
        }
        match self.names.find(&annotation.place.file, path, names(self.form)) {
            Ok(_) if args.is_some() => {
                self.error(annotation, format!("the class `{path}` has no arguments in brackets"))
            }
            Ok(Referent::Type(key)) => Some(ResolvedType::plain(TypeText::leaf(key))),
            Ok(Referent::Enum(name)) => {
                Some(ResolvedType { enumeration: Some(name.clone()), ..ResolvedType::plain(TypeText::leaf("int")) })
            }
            Err(message) => self.error(annotation, message),
        }
    }

    fn named(
        &mut self,
        annotation: &Annotation,
        name: &str,
        meaning: Meaning,
        args: Option<&[Annotation]>,
    ) -> Option<ResolvedType> {
        let given = args.unwrap_or_default();
        let container = |name: &str, args: Vec<TypeText>| {
            let mut ty = TypeText::leaf(name);
            ty.args = args;
            Some(ResolvedType::plain(ty))
        };
        match meaning {
            Meaning::Refused(advice) => self.error(annotation, advice),
            Meaning::Function => container("ffi.Function", Vec::new()),
            Meaning::Leaf(..) if args.is_some() => {
                self.error(annotation, format!("`{name}` has no arguments in brackets"))
            }
            Meaning::Leaf(ty, width) => Some(ResolvedType { width, ..ResolvedType::plain(TypeText::leaf(ty)) }),
            Meaning::Container(ty, count) => {
                if args.is_none() {
                    return container(ty, vec![TypeText::leaf("Any"); count]);
                }
                if given.len() != count {
                    let plural = if count == 1 { "one argument" } else { "two arguments" };
                    return self.error(annotation, format!("`{name}` has {plural} in brackets, not {}", given.len()));
                }
                let args: Vec<_> = given.iter().map(|arg| self.element(arg)).collect();
                container(ty, args.into_iter().collect::<Option<_>>()?)
            }
            Meaning::Optional => match given {
                [one] => self.optional(one),
                _ => self.error(annotation, format!("`{name}` has one argument in brackets, not {}", given.len())),
            },
            Meaning::Variant if given.is_empty() => {
                self.error(annotation, format!("`{name}` has arguments in brackets, such as `{name}[A, B]`"))
            }
            Meaning::Variant => self.union(annotation, &given.iter().collect::<Vec<_>>()),
            Meaning::Tuple => match given {
                [one, rest] if matches!(rest.shape, Shape::Ellipsis) => {
                    container("ffi.Array", vec![self.element(one)?])
                }
                _ => {
                    let parts: Vec<_> = given.iter().map(|arg| self.element(arg)).collect();
                    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                    let element = match parts.split_first() {
                        Some((first, rest)) if rest.iter().all(|other| other == first) => first.clone(),
                        _ => TypeText::leaf("Any"),
                    };
                    let message = "a schema has no tuples: the field accepts an array of any length";
                    self.faults.push(Diagnostic::warning(annotation.place.clone(), message));
                    container("ffi.Array", vec![element])
                }
            },
        }
    }

    /// The type of an element, whose numbers have 64 bits.
    fn element(&mut self, annotation: &Annotation) -> Option<TypeText> {
        let resolved = self.field_type(annotation)?;
        if resolved.width.is_some() || resolved.enumeration.is_some() {
            let message = "numbers in containers have 64 bits; write `ty.int64_t` or `ty.double`";
            return self.error(annotation, message);
        }
        Some(resolved.ty)
    }

    fn optional(&mut self, annotation: &Annotation) -> Option<ResolvedType> {
        let inner = self.field_type(annotation)?;
        let mut ty = TypeText::leaf("Optional");
        // `Optional` of `Optional` has the same values as `Optional`.
        match inner.ty.name.as_str() {
            "Optional" | "Any" => ty = inner.ty,
            _ => ty.args.push(inner.ty),
        }
        Some(ResolvedType { ty, ..inner })
    }

    /// The type of `A | B`. `None` among the parts makes it optional.
    fn union(&mut self, annotation: &Annotation, parts: &[&Annotation]) -> Option<ResolvedType> {
        let types: Vec<&Annotation> = parts.iter().copied().filter(|part| !matches!(part.shape, Shape::None)).collect();
        let is_optional = types.len() < parts.len();
        let inner = match types.as_slice() {
            [] => return self.error(annotation, "`None` is not a type of fields"),
            [one] if is_optional => return self.optional(one),
            [one] => return self.field_type(one),
            several => {
                let args: Vec<_> = several.iter().map(|part| self.element(part)).collect();
                let mut ty = TypeText::leaf("Variant");
                ty.args = args.into_iter().collect::<Option<_>>()?;
                ty
            }
        };
        let mut ty = inner;
        if is_optional {
            let mut optional = TypeText::leaf("Optional");
            optional.args.push(ty);
            ty = optional;
        }
        Some(ResolvedType::plain(ty))
    }
}
