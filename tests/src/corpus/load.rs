//! `load`: edited texts. Some load, and save as a given text; the others give an error without a panic.

use std::io::{self, Read};

use object_core::Result;
use object_core::json::{Graph, JsonWriter};

use super::Checked;
use super::facts::{self, Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let text = corpus.module_text(fact.text("text")?)?;
    let reader = corpus.reader(&text).map_err(|error| Problem::failed("types of the text", error))?;
    let (loaded, streamed) = (reader.read(&text), reader.read_from(Trickle(&text)));
    match fact.text("expect")? {
        "ok" => {
            let expected = corpus.module_text(fact.text("resave")?)?;
            // The peer replaces a value of the wrong type by a default; an error is right, too.
            if fact.flag("lenient") && loaded.is_err() && streamed.is_err() {
                return Ok(());
            }
            saves_as(corpus, &expected, loaded)?;
            saves_as(corpus, &expected, streamed)
        }
        "error" | "crash" | "invalid" => {
            is_rejected(fact, "in memory", loaded)?;
            is_rejected(fact, "in pieces", streamed)
        }
        other => Err(Problem::new("a known expectation", other)),
    }
}

/// Checks that the graph, with the metadata of `expected`, saves as `expected`.
fn saves_as(corpus: &Corpus, expected: &[u8], graph: Result<Graph>) -> Checked {
    let graph = graph.map_err(|error| Problem::failed("it loads", error))?;
    let metadata = corpus.load(expected)?.metadata;
    let saved = JsonWriter::new().metadata(metadata.as_ref()).to_string(&graph.root);
    let saved = saved.map_err(|error| Problem::failed("it saves", error))?;
    facts::same_text("saved text", expected, saved.as_bytes())
}

fn is_rejected(fact: &Fact, how: &str, graph: Result<Graph>) -> Checked {
    match graph {
        Err(error) if error.message().is_empty() => Err(Problem::new("an error that says something", "no message")),
        Err(_) => Ok(()),
        Ok(graph) => {
            let reason = fact.get("error").as_str().or(fact.get("note").as_str()).unwrap_or("not said why");
            Err(Problem::new(
                format!("an error ({reason})"),
                format!("read {how}, it loads: {}", graph.root.type_key()),
            ))
        }
    }
}

/// A reader that gives a few bytes at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let few = buffer.len().min(7);
        self.0.read(&mut buffer[..few])
    }
}
