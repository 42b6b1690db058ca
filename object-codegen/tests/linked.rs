//! The types of a crate as a schema: the documentation of types, fields, enums, variants and methods reaches the
//! generated text.

use object_codegen::model::Model;
use object_codegen::{Target, generate, rename_namespaces};
use object_core::dynamic::Schema;
use object_core::prelude::*;
use object_core::registry;

/// How a shape is drawn.
#[derive(Object, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The outline only.
    Outline = 0,
    /// The whole area.
    Filled = 4,
}

/// A circle.
#[derive(Object)]
#[object(type_key = "linked.Circle")]
#[structural_eq(tree)]
pub struct CircleNode {
    /// The radius, never negative.
    pub radius: f64,
    /// How the circle is drawn.
    #[field(default = Style::Filled)]
    pub style: Style,
}

#[object_methods]
impl Circle {
    /// The area inside of the circle.
    pub fn area(&self) -> f64 {
        3.0 * self.radius * self.radius
    }

    /// A circle with the radius 1.
    pub fn unit() -> Circle {
        Circle::new(1.0)
    }
}

#[test]
fn documentation_of_linked_types_is_generated() {
    let types: Vec<_> = registry::types().expect("unique keys").into_iter().collect();
    let linked: Vec<_> = types.into_iter().filter(|info| info.type_key().starts_with("linked.")).collect();
    let schema = Schema::of(&linked);
    let again = Schema::parse(schema.to_json().expect("a schema").as_bytes()).expect("a schema");
    assert_eq!(again.enums(), schema.enums());
    let renamed = rename_namespaces(&again, &[("linked", "shapes.round"), ("", "shapes")]);
    let none = Schema::new(Vec::new(), Vec::new());
    let model = Model::new(&renamed, &none).expect("the types fit");
    let text = |target| generate(target, &model, "linked.h").unwrap_or_else(|error| panic!("{target}: {error}"));
    for (target, parts) in [
        (
            Target::Cpp,
            &[
                "namespace shapes {\n",
                "/*! \\brief How a shape is drawn. */\nenum class Style",
                "  /*! \\brief The outline only. */\n  Outline = 0,\n  /*! \\brief The whole area. */\n  Filled = 4,",
                "namespace shapes::round {",
                "  /*! \\brief The area inside of the circle. */\n  double area() const;",
                "  /*! \\brief A circle with the radius 1. */\n  static ",
                "::shapes::Style style",
            ][..],
        ),
        (Target::Python, &["    \"\"\"How a shape is drawn.\"\"\"\n    #: The outline only.\n    Outline = 0\n"]),
        (Target::Rust, &["/// The outline only.\n", "pub mod round {", "::shapes::Style::Filled"]),
    ] {
        let text = text(target);
        for part in parts {
            assert!(text.contains(part), "{target} has no {part:?}:\n{text}");
        }
    }
}
