//! Random calls of operators, drawn from the [templates](super::templates) in `tests/data/op/random_calls.txt`, and all calls
//! of the templates in `tests/data/op/swept_calls.txt`.

use std::collections::BTreeSet;

use fastrand::Rng;
use object_core::prelude::*;
use object_ir::ir::Call;

use super::call_text::CallReader;
use super::inputs::{Domain, value};
use super::run::variables;
use super::templates::Templates;
use super::tokens::split;

/// The templates of all operators.
#[derive(Debug)]
pub struct RandomCalls(Templates);

impl RandomCalls {
    /// The templates of the file.
    ///
    /// # Panics
    /// If a line is not a template.
    #[must_use]
    pub fn listed() -> Self {
        RandomCalls(Templates::parse(include_str!("../../data/op/random_calls.txt")))
    }

    /// The full names of the operators that have templates.
    #[must_use]
    pub fn operators(&self) -> BTreeSet<String> {
        self.0.templates.iter().map(|template| format!("relax.{}", template.operator)).collect()
    }

    /// The number of templates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.templates.len()
    }

    /// Whether there are no templates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.templates.is_empty()
    }

    /// The number of choices in a template and the domains of its arguments, at least 1.
    ///
    /// # Panics
    /// If there is no template with this number.
    #[must_use]
    pub fn choices(&self, template: usize) -> u64 {
        self.0.templates[template].choices().max(1)
    }

    /// Random calls of all templates, `count` for each choice of a template.
    #[must_use]
    pub fn draw_all(&self, count: u64) -> Vec<RandomCall> {
        let seeds = |template| 0..count * self.choices(template);
        (0..self.len()).flat_map(|template| seeds(template).map(move |seed| self.draw(template, seed))).collect()
    }

    /// A random call of a template. The same numbers give the same call.
    ///
    /// # Panics
    /// If the file lacks the choices that the template names, or the template with this number.
    #[must_use]
    pub fn draw(&self, template: usize, seed: u64) -> RandomCall {
        let mut random = Rng::with_seed((template as u64) << 32 ^ seed);
        let (text, domains) = self.0.draw(&self.0.templates[template], &mut random);
        let sizes = names(&text).into_iter().map(|name| {
            let size = match &*name {
                "d" | "h" | "w" => random.i64(3..=7),
                _ if random.u8(..) < 12 => 0,
                _ => random.i64(1..=4),
            };
            (name, size)
        });
        let sizes = sizes.collect();
        RandomCall { text, sizes, domains, seed: random.u64(..) }
    }
}

/// All calls of the templates in `tests/data/op/swept_calls.txt`. Calls of one template have the same arguments, where these
/// have the same types.
///
/// # Panics
/// If a line is not a template.
#[must_use]
pub fn swept_calls() -> Vec<RandomCall> {
    let templates = Templates::parse(include_str!("../../data/op/swept_calls.txt"));
    let calls = templates.templates.iter().zip(0..).flat_map(|(template, seed)| {
        let calls = templates.all(template).into_iter();
        calls.map(move |(text, domains)| RandomCall { text, sizes: Vec::new(), domains, seed })
    });
    calls.collect()
}

/// The names of the shape variables in the text of a call: single letters.
#[must_use]
pub fn names(text: &str) -> BTreeSet<String> {
    let text = text.split(" {").next().unwrap_or(text);
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.len() == 1 && word.as_bytes()[0].is_ascii_lowercase()).map(str::to_owned).collect()
}

/// A random call.
#[derive(Clone, Debug)]
pub struct RandomCall {
    /// The text of the call over shape variables.
    pub text: String,
    /// The values of the shape variables.
    pub sizes: Vec<(String, i64)>,
    domains: String,
    seed: u64,
}

impl RandomCall {
    /// The call with the values of its shape variables.
    #[must_use]
    pub fn special(&self) -> Call {
        CallReader::with_sizes(&self.sizes).call(&self.text)
    }

    /// Values for the variables of the call; the reason if there are none.
    ///
    /// # Errors
    /// If a domain is empty, or an argument has no constant shape.
    ///
    /// # Panics
    /// If the text of a domain is wrong.
    pub fn args(&self) -> Result<Vec<Any>, String> {
        let mut bound = |text: &str| {
            let value = CallReader::with_sizes(&self.sizes).scalar(text);
            let int = value.downcast_ref::<object_ir::ir::IntImm>();
            int.unwrap_or_else(|| panic!("`{text}` is not a number")).value
        };
        let domains = split(&self.domains, ";").into_iter().map(|part| {
            let (index, domain) =
                part.split_once(':').unwrap_or_else(|| panic!("`{part}`: expected `argument: domain`"));
            let index: usize = index.parse().unwrap_or_else(|error| panic!("`{part}`: {error}"));
            (index, Domain::parse(domain.trim(), &mut bound))
        });
        let domains: Vec<(usize, Domain)> = domains.collect();
        let mut random = Rng::with_seed(self.seed);
        let args = variables(&self.special()).into_iter().map(|(index, var)| {
            let domain = domains.iter().find(|(place, _)| *place == index).map(|(_, domain)| domain.clone());
            let info = var.struct_info.as_ref().ok_or("an argument has no structural information")?;
            value(info, &domain.unwrap_or_default(), &mut random)
        });
        args.collect()
    }
}
