//! `load`: texts that were edited by hand. Some load, and save as a given text; the others must be clean errors.

use std::io::{self, Read};

use object_core::Result;
use object_core::json::{Graph, JsonWriter};

use super::Checked;
use super::facts::{self, Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let text = corpus.module_text(fact.text("text")?)?;
    let loaded = corpus.reader().read(&text);
    let streamed = corpus.reader().read_from(Trickle(&text));
    match fact.text("expect")? {
        "ok" => {
            let expected = corpus.module_text(fact.text("resave")?)?;
            // Where the oracle put a default in place of a value of the wrong type, an error is as good.
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

/// The graph loaded, and saves as `expected`, whose metadata it gets.
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

/// Gives a few bytes at a time, as a slow connection would.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let few = buffer.len().min(7);
        self.0.read(&mut buffer[..few])
    }
}
