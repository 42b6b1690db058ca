//! [`Services`]: the languages of a server.

use crate::analysis::LanguageService;

/// The languages of a server, each with the endings of the names of its files.
#[derive(Default)]
pub struct Services {
    all: Vec<Service>,
}

/// A language of a server.
struct Service {
    endings: Vec<String>,
    service: Box<dyn LanguageService>,
}

impl Services {
    /// No language.
    #[must_use]
    pub fn new() -> Self {
        Services::default()
    }

    /// Adds a language for files whose names end with one of `endings`, such as `.lambda`. An open text without such a name is of
    /// this language if the editor calls its language by an ending without the dot.
    #[must_use]
    pub fn add(mut self, endings: &[&str], service: impl LanguageService + 'static) -> Self {
        let endings = endings.iter().map(|ending| (*ending).to_owned()).collect();
        self.all.push(Service { endings, service: Box::new(service) });
        self
    }

    /// The number of the language of a file with this name, or of a text that the editor says is of the language `id`.
    pub(crate) fn find(&self, name: &str, id: &str) -> Option<usize> {
        let ends = |it: &Service| it.endings.iter().any(|ending| name.ends_with(ending.as_str()));
        let is_called = |it: &Service| it.endings.iter().any(|ending| ending.trim_start_matches('.') == id);
        self.all.iter().position(ends).or_else(|| self.all.iter().position(is_called))
    }

    /// The language with this number, which [`find`](Self::find) returned.
    pub(crate) fn get(&mut self, number: usize) -> &mut dyn LanguageService {
        &mut *self.all[number].service
    }
}
