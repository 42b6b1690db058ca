//! `hash`: the same in each load, equal for equal structures, different for different ones.
//!
//! Our hashes differ from the recorded ones. Both tell which structures to compare with each other: structures with the
//! same recorded hash, and structures with the same hash here.

use std::collections::BTreeMap;

use object_core::Any;
use serde_json::Value;

use super::Checked;
use super::facts::{self, Corpus, Fact, Problem};
use super::pool::Pool;

/// The options of a hash in the form of the facts: `10` is with `map_free_vars`, without `skip_tensor_content`.
type OptionKey = String;

/// The hash of one object under some options.
#[derive(Clone)]
struct Record {
    /// The index of the fact.
    fact: usize,
    options: OptionKey,
    ours: u64,
    /// The recorded hash; null if it depends on addresses.
    oracle: Value,
}

/// Checks all facts of the kind, and returns the results in the same order.
pub(super) fn check_all(corpus: &Corpus, facts: &[&Fact], pool: &Pool) -> Vec<Checked> {
    let indexes: Vec<usize> = (0..facts.len()).collect();
    let hashed = pool.map("hash", &indexes, |&index| records(corpus, facts[index], index));
    let mut answers = vec![Ok(()); facts.len()];
    let mut all = Vec::new();
    for (answer, result) in answers.iter_mut().zip(hashed) {
        match result {
            Ok(Ok(records)) => all.extend(records),
            Ok(Err(problem)) => *answer = Err(problem),
            Err(panic) => *answer = Err(Problem::panic(&panic)),
        }
    }
    let groups = groups(all);
    let compared = pool.map("hash, groups", &groups, |group| compare(corpus, facts, group));
    for (group, result) in groups.iter().zip(compared) {
        let problems = result.unwrap_or_else(|panic| vec![(group[0].fact, Problem::panic(&panic))]);
        for (fact, problem) in problems {
            if answers[fact].is_ok() {
                answers[fact] = Err(problem);
            }
        }
    }
    answers
}

fn flags(options: &str) -> (bool, bool) {
    (options.starts_with('1'), options.ends_with('1'))
}

/// The hashes of the object of one fact.
fn records(corpus: &Corpus, fact: &Fact, index: usize) -> Result<Vec<Record>, Problem> {
    let hash = fact.text("obj")?;
    let (first, second) = (corpus.load_module(hash)?.root, corpus.load_module(hash)?.root);
    let expected = fact.get("expect").as_object().ok_or_else(|| Problem::new("`expect` in the fact", "no object"))?;
    let mut records = Vec::new();
    for (options, oracle) in expected {
        let (map_free_vars, skip_tensor_content) = flags(options);
        let hash = facts::options(map_free_vars, skip_tensor_content);
        let reason = fact.get("not_stable")[options].as_str().unwrap_or_default();
        match (hash.hash(&first), hash.hash(&second)) {
            (Err(_), Err(_)) if reason.starts_with("error") => {}
            (Ok(ours), _) if reason.starts_with("error") => {
                return Err(Problem::new(format!("{options}: an {reason}"), format!("{ours:016x}")));
            }
            (Ok(ours), Ok(again)) if ours == again => {
                records.push(Record { fact: index, options: options.clone(), ours, oracle: oracle.clone() });
            }
            (Ok(ours), Ok(again)) => {
                let numbers = format!("{ours:016x} and {again:016x}");
                return Err(Problem::new(format!("{options}: one number for two loads"), numbers));
            }
            (Err(error), _) | (_, Err(error)) => return Err(Problem::failed(&format!("{options}: a number"), error)),
        }
    }
    Ok(records)
}

/// Groups of records with the same hash, here or recorded, to be compared with each other. Omits groups of one record
/// and repeated groups.
fn groups(records: Vec<Record>) -> Vec<Vec<Record>> {
    let mut groups: BTreeMap<(OptionKey, String), Vec<Record>> = BTreeMap::new();
    for record in records {
        let options = record.options.clone();
        if let Some(oracle) = record.oracle.as_str() {
            groups.entry((options.clone(), format!("oracle {oracle}"))).or_default().push(record.clone());
        }
        groups.entry((options, format!("ours {}", record.ours))).or_default().push(record);
    }
    let mut groups: Vec<Vec<Record>> = groups.into_values().filter(|group| group.len() > 1).collect();
    let members = |group: &[Record]| -> Vec<(OptionKey, usize)> {
        group.iter().map(|record| (record.options.clone(), record.fact)).collect()
    };
    groups.sort_by_cached_key(|group| members(group));
    groups.dedup_by_key(|group| members(group));
    groups
}

/// Compares each record of a group with one record of each class of equal earlier ones. Returns the facts with a
/// problem.
fn compare(corpus: &Corpus, facts: &[&Fact], group: &[Record]) -> Vec<(usize, Problem)> {
    let mut classes: Vec<(&Record, Any)> = Vec::new();
    let mut problems = Vec::new();
    for record in group {
        match place(corpus, facts, &classes, record) {
            Ok(Some(root)) => classes.push((record, root)),
            Ok(None) => {}
            Err(problem) => problems.push((record.fact, problem)),
        }
    }
    problems
}

/// The root of the record, if no class contains it.
fn place(
    corpus: &Corpus,
    facts: &[&Fact],
    classes: &[(&Record, Any)],
    record: &Record,
) -> Result<Option<Any>, Problem> {
    let root = corpus.load_module(facts[record.fact].text("obj")?)?.root;
    let (map_free_vars, skip_tensor_content) = flags(&record.options);
    for (known, known_root) in classes {
        let equal_if = |map_free_vars| {
            let equal = facts::options(map_free_vars, skip_tensor_content).equal(known_root, &root);
            equal.map_err(|error| Problem::failed("a verdict", error))
        };
        let other = || format!("{}: {} ", record.options, facts[known.fact].id());
        if equal_if(map_free_vars)? {
            if known.ours == record.ours {
                return Ok(None);
            }
            let numbers = format!("{:016x} and {:016x}", known.ours, record.ours);
            return Err(Problem::new(format!("{}is equal, and has the same number", other()), numbers));
        }
        // A free variable hashes by its first occurrence, so structures that differ only in the identity of free
        // variables have the same hash.
        if known.ours == record.ours && !equal_if(true)? {
            return Err(Problem::new(format!("{}differs, and has another number", other()), "the same number"));
        }
    }
    Ok(Some(root))
}
