//! `bench`: large modules. They have the recorded nodes, save as the same bytes, and have the recorded equality.

use std::collections::BTreeMap;

use object_core::Any;
use object_core::stats::GraphStats;

use super::facts::{self, Corpus, Fact, Problem};
use super::{Checked, roundtrip};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let text = corpus.bench_text(fact.text("file")?)?;
    if fact.text("json_roundtrip")? == "same" {
        roundtrip::roundtrips(corpus, &text)?;
    }
    let (first, second) = (corpus.load(&text)?.root, corpus.load(&text)?.root);
    check_stats(fact, &first)?;
    check_equality(fact, &first, &second)?;
    check_hash(fact, &first, &second)
}

/// The nodes, in total and of each type.
fn check_stats(fact: &Fact, root: &Any) -> Checked {
    let stats = GraphStats::of(root);
    let ours: BTreeMap<&str, u64> = stats.types.iter().map(|entry| (entry.type_key, entry.nodes as u64)).collect();
    let recorded = fact.get("hist").as_object().into_iter().flatten();
    let recorded: BTreeMap<&str, u64> =
        recorded.map(|(name, nodes)| (name.as_str(), nodes.as_u64().unwrap_or_default())).collect();
    if *fact.get("nodes") != stats.nodes {
        return Err(Problem::new(format!("{} nodes", fact.get("nodes")), stats.nodes));
    }
    if recorded != ours {
        return Err(Problem::new(format!("types {recorded:?}"), format!("{ours:?}")));
    }
    Ok(())
}

fn check_equality(fact: &Fact, first: &Any, second: &Any) -> Checked {
    for (name, map_free_vars) in [("eq_reload", false), ("eq_reload_mfv", true)] {
        let verdict = facts::options(map_free_vars, false).equal(first, second);
        let verdict = verdict.map_err(|error| Problem::failed(name, error))?;
        if *fact.get(name) != verdict {
            return Err(Problem::new(format!("{name} {}", fact.get(name)), verdict));
        }
    }
    Ok(())
}

fn check_hash(fact: &Fact, first: &Any, second: &Any) -> Checked {
    for options in fact.get("hash").as_object().into_iter().flatten().map(|(options, _)| options) {
        let hash = facts::options(options.starts_with('1'), options.ends_with('1'));
        let number = |root: &Any| hash.hash(root).map_err(|error| Problem::failed(&format!("hash {options}"), error));
        let (ours, again) = (number(first)?, number(second)?);
        if ours != again {
            let numbers = format!("{ours:016x} and {again:016x}");
            return Err(Problem::new(format!("hash {options}: one number for two loads"), numbers));
        }
    }
    Ok(())
}
