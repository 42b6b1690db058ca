//! `roundtrip` of JSON: a text loads and saves as the same bytes, also by way of the binary form and of CBOR.

use object_core::json::{Graph, JsonWriter};
use object_core::visit::walk;
use object_core::{Any, Bytes, ObjectRef, binary, registry};

use super::Checked;
use super::facts::{self, Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    if fact.text("expect")? != "same" {
        return Err(Problem::new("a known expectation", fact.get("expect")));
    }
    roundtrips(corpus, &corpus.module_text(fact.text("obj")?)?)
}

/// Whether a graph comes back from its binary form with the same text and the same hash.
fn same_after_binary(corpus: &Corpus, text: &[u8], graph: &Graph) -> Checked {
    let metadata = graph.metadata.as_ref();
    let bytes =
        binary::to_vec(&graph.root, metadata).map_err(|error| Problem::failed("it has a binary form", error))?;
    let read = corpus.load_binary(&Bytes::from_owner(bytes))?;
    let saved = JsonWriter::new().metadata(read.metadata.as_ref()).to_string(&read.root);
    let saved = saved.map_err(|error| Problem::failed("it saves", error))?;
    facts::same_text("text after the binary form", text, saved.as_bytes())
}

/// Whether a graph of linked types comes back from CBOR with the same text. A reader of serde knows no other types.
fn same_after_cbor(text: &[u8], graph: &Graph) -> Checked {
    let mut is_linked = true;
    walk(&graph.root, |object: &ObjectRef, _| {
        let info = object.type_info();
        is_linked &= registry::type_info(info.type_key()).is_ok_and(|linked| std::ptr::eq(linked, info));
    });
    if !is_linked {
        return Ok(());
    }
    let mut bytes = Vec::new();
    ciborium::into_writer(&graph.root, &mut bytes).map_err(|error| Problem::failed("it is written as CBOR", error))?;
    let root: Any =
        ciborium::from_reader(&bytes[..]).map_err(|error| Problem::failed("it is read from CBOR", error))?;
    let saved = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&root);
    let saved = saved.map_err(|error| Problem::failed("it saves", error))?;
    facts::same_text("text after CBOR", text, saved.as_bytes())
}

/// Whether `text` saves as itself.
pub(super) fn roundtrips(corpus: &Corpus, text: &[u8]) -> Checked {
    let graph = corpus.load(text)?;
    let saved = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root);
    let saved = saved.map_err(|error| Problem::failed("it saves", error))?;
    facts::same_text("saved text", text, saved.as_bytes())?;
    same_after_binary(corpus, text, &graph)?;
    same_after_cbor(text, &graph)
}
