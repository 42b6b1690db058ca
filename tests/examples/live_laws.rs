//! The types and the random graphs of the law tests as a library for Python: `tests/live_laws` uses it.

#![allow(dead_code, reason = "the library needs a part of the modules of the law tests")]
#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

#[path = "../tests/laws/build.rs"]
mod build;
#[path = "../tests/laws/classes.rs"]
mod classes;
#[path = "../tests/laws/recipe.rs"]
mod recipe;
#[path = "../tests/laws/reference.rs"]
mod reference;
#[path = "../tests/laws/relate.rs"]
mod relate;
#[path = "../tests/laws/rng.rs"]
mod rng;
#[path = "../tests/laws/typed.rs"]
mod typed;
#[path = "../tests/laws/types.rs"]
mod types;
#[path = "../tests/laws/verdicts.rs"]
mod verdicts;

use object_core::prelude::*;
use object_core::register_function;

use reference::Options;
use verdicts::{Question, classes, our_verdict, reason};

/// The names of the classes of graphs.
fn class_names() -> Array<Str> {
    classes().map(|class| Str::from(class.name)).collect()
}

/// Two graphs, whether free variables correspond, and whether the content of tensors is skipped.
fn pair(class: i64, seed: i64, case: i64) -> Result<Array<Any>, Error> {
    let class = usize::try_from(class).ok().and_then(|class| classes().nth(class));
    let class = class.ok_or_else(|| Error::new(ErrorKind::OutOfRange, "no class has this number"))?;
    let question = Question::draw(class, seed.cast_unsigned(), case.cast_unsigned());
    let ([a, b], Options { map_free_vars, skip_tensor_content, .. }) = (question.build(), question.options);
    Ok(Array::from_anys(vec![a, b, map_free_vars.into(), skip_tensor_content.into()]))
}

/// The judgement on the verdict of tvm-ffi on a pair, beside the verdict of our engine: `same`, the known reason of the difference, or
/// both verdicts. The verdict is `None` for an error, an empty list for equal values, or the two paths of a mismatch.
fn judge(pair: Array<Any>, peer: Option<Array<Str>>) -> Result<Str, Error> {
    let [a, b, free, skip] = [0, 1, 2, 3].map(|index| pair.get(index).unwrap_or_default());
    let (map_free_vars, skip_tensor_content) = (free.cast()?, skip.cast()?);
    let options = Options { map_free_vars, skip_tensor_content, lexical: false };
    let text = |paths: &Array<Str>, index| paths.get(index).unwrap_or_default().to_string();
    let peer = peer.ok_or(()).map(|paths| (!paths.is_empty()).then(|| (text(&paths, 0), text(&paths, 1))));
    let ours = our_verdict(&a, &b, options);
    if ours == peer {
        return Ok("same".into());
    }
    let reason = reason([a.view(), b.view()], options, &ours, &peer);
    Ok(reason.unwrap_or_else(|| format!("unexplained: ours {ours:?}, peer {peer:?}")).into())
}

register_function!("laws.classes"() = class_names);
register_function!("laws.pair"(class, seed, case) = pair);
register_function!("laws.judge"(pair, peer) = judge);

object_ffi::export!();
