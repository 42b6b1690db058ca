//! The languages of `object-syntax/tests` with their services.

use object_core::access_path::{AccessPath, AccessStep};
use object_core::{Any, ObjectHandle};
use object_lsp::{Services, SyntaxService};
use object_syntax::{Language, LanguageOptions};

use crate::{algebra, hardware, lambda};

pub(crate) fn lambda() -> Language {
    Language::of::<lambda::Expr>().unwrap()
}

pub(crate) fn algebra() -> Language {
    LanguageOptions::new().comment("--").language::<algebra::Rel>().unwrap()
}

pub(crate) fn hardware() -> Language {
    Language::of::<hardware::Circuit>().unwrap()
}

fn path(steps: impl IntoIterator<Item = AccessStep>) -> AccessPath {
    AccessPath::from_steps(steps)
}

fn field(name: &str) -> AccessStep {
    AccessStep::Attr(name.to_owned())
}

/// The inputs of a circuit with their paths.
fn inputs(value: &Any) -> Vec<(Vec<AccessStep>, hardware::Signal)> {
    let circuit: hardware::Circuit = value.clone().cast().unwrap();
    let mut found = Vec::new();
    for (module_index, module) in circuit.modules.iter().enumerate() {
        for (index, input) in module.inputs.iter().enumerate() {
            let steps =
                [field("modules"), AccessStep::ArrayItem(module_index), field("inputs"), AccessStep::ArrayItem(index)];
            found.push((steps.to_vec(), input.clone()));
        }
    }
    found
}

/// The number of bits of each input.
fn bits(value: &Any) -> Vec<(AccessPath, String)> {
    let hint = |(steps, input): (Vec<AccessStep>, hardware::Signal)| {
        let width = input.ty.clone().downcast::<hardware::UInt>().ok()?.width;
        Some((path(steps), format!(" [{}:0]", width - 1)))
    };
    inputs(value).into_iter().filter_map(hint).collect()
}

pub(crate) fn services() -> Services {
    Services::new()
        .add(&[".lambda"], SyntaxService::new(lambda()))
        .add(&[".algebra"], SyntaxService::new(algebra()))
        .add(&[".hardware"], SyntaxService::new(hardware()).hints(bits))
}
