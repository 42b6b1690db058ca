//! `roundtrip` of JSON: a text loads and saves as the same bytes.

use object_core::json::JsonWriter;

use super::Checked;
use super::facts::{self, Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    if fact.text("expect")? != "same" {
        return Err(Problem::new("a known expectation", fact.get("expect")));
    }
    roundtrips(corpus, &corpus.module_text(fact.text("obj")?)?)
}

/// Whether `text` saves as itself.
pub(super) fn roundtrips(corpus: &Corpus, text: &[u8]) -> Checked {
    let graph = corpus.load(text)?;
    let saved = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root);
    let saved = saved.map_err(|error| Problem::failed("it saves", error))?;
    facts::same_text("saved text", text, saved.as_bytes())
}
