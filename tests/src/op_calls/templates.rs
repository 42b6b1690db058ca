//! Templates of calls: texts of calls with choices.
//!
//! `$(a|b|c)` is one of the texts between the bars, which may have choices in turn. `$name` is one of the texts of the line
//! `$name = a|b|c`; all places with the same name have the same text, and digits after a name make another name for the
//! same line, as in `$bool1` and `$bool2`. After a tab come the domains of arguments, such as `1: 0..n`.

use std::collections::BTreeMap;

use fastrand::Rng;

use super::tokens::split;

/// Chooses one of a number of options.
type Choose<'c> = &'c mut dyn FnMut(usize) -> usize;

/// A line of a file of templates.
#[derive(Debug)]
pub(super) struct Template {
    /// The operator, without `relax.`.
    pub(super) operator: String,
    /// The call.
    text: String,
    /// The domains of arguments.
    domains: String,
}

impl Template {
    /// The number of choices.
    pub(super) fn choices(&self) -> u64 {
        [&self.text, &self.domains].map(|text| text.matches('$').count() as u64).iter().sum()
    }
}

/// The templates of a file.
#[derive(Debug, Default)]
pub(super) struct Templates {
    choices: BTreeMap<String, Vec<String>>,
    pub(super) templates: Vec<Template>,
}

impl Templates {
    /// Reads the lines of a file.
    ///
    /// # Panics
    /// If a line is neither a template nor a choice.
    pub(super) fn parse(text: &str) -> Self {
        let mut templates = Templates::default();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((name, choices)) = line.strip_prefix('$').and_then(|line| line.split_once(" = ")) {
                let choices = split(choices, "|").into_iter().map(str::to_owned).collect();
                templates.choices.insert(name.to_owned(), choices);
                continue;
            }
            let (text, domains) = line.split_once('\t').unwrap_or((line, ""));
            // A choice among operators makes several templates.
            let end = text.find("$(").filter(|start| !text[..*start].contains('(')).map(|start| {
                let end = start + 1 + closing(&text[start + 1..]);
                (start, end)
            });
            let texts = match end {
                Some((start, end)) => {
                    let names = split(&text[start + 2..end], "|").into_iter();
                    names.map(|name| format!("{}{name}{}", &text[..start], &text[end + 1..])).collect()
                }
                None => vec![text.to_owned()],
            };
            for text in texts {
                let (operator, _) = text.split_once('(').unwrap_or_else(|| panic!("`{line}`: expected a call"));
                let (operator, domains) = (operator.to_owned(), domains.to_owned());
                templates.templates.push(Template { operator, text, domains });
            }
        }
        templates
    }

    /// A text of a call, and the domains of its arguments.
    pub(super) fn draw(&self, template: &Template, random: &mut Rng) -> (String, String) {
        self.call(template, &mut |count| random.usize(..count))
    }

    /// The texts of all calls of a template, with the domains of their arguments.
    pub(super) fn all(&self, template: &Template) -> Vec<(String, String)> {
        let mut calls = Vec::new();
        // The choices of the last call, each with the number of options.
        let mut choices: Vec<(usize, usize)> = Vec::new();
        loop {
            let mut place = 0;
            calls.push(self.call(template, &mut |count| {
                if place == choices.len() {
                    choices.push((0, count));
                }
                place += 1;
                choices[place - 1].0
            }));
            while choices.pop_if(|(choice, count)| *choice + 1 == *count).is_some() {}
            let Some((choice, _)) = choices.last_mut() else { return calls };
            *choice += 1;
        }
    }

    /// A text of a call, and the domains of its arguments. `choose` chooses one of a number of options.
    fn call(&self, template: &Template, choose: Choose<'_>) -> (String, String) {
        let mut chosen = BTreeMap::new();
        let text = self.expand(&template.text, &mut chosen, choose);
        let domains = self.expand(&template.domains, &mut chosen, choose);
        (text, domains)
    }

    /// A text without choices.
    fn expand(&self, text: &str, chosen: &mut BTreeMap<String, String>, choose: Choose<'_>) -> String {
        let Some((before, after)) = text.split_once('$') else { return text.to_owned() };
        let (choice, rest) = if after.starts_with('(') {
            let end = closing(after);
            let options = split(&after[1..end], "|");
            let option = if options.is_empty() { "" } else { options[choose(options.len())] };
            (self.expand(option, chosen, choose), &after[end + 1..])
        } else {
            let end = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
            let (name, rest) = after.split_at(end.unwrap_or(after.len()));
            (self.named(name, chosen, choose), rest)
        };
        format!("{before}{choice}{}", self.expand(rest, chosen, choose))
    }

    fn named(&self, name: &str, chosen: &mut BTreeMap<String, String>, choose: Choose<'_>) -> String {
        if let Some(text) = chosen.get(name) {
            return text.clone();
        }
        let line = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let options = self.choices.get(line).unwrap_or_else(|| panic!("there is no line `${line} = ...`"));
        let text = self.expand(&options[choose(options.len())], chosen, choose);
        chosen.insert(name.to_owned(), text.clone());
        text
    }
}

/// The place of the bracket that closes the first one.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let mut closes = |letter: char| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    };
    text.find(&mut closes).unwrap_or_else(|| panic!("`{text}`: a bracket is open"))
}
