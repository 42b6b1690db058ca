//! Annotated blocks: under strict lints, with the core crate under another path, of singletons and with raw names.
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings, clippy::pedantic, unreachable_pub, unused_qualifications, single_use_lifetimes)]
#![allow(
    clippy::cast_possible_wrap,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    clippy::unused_self,
    reason = "these are about the functions of the blocks, and not about the expansion"
)]

mod facade {
    pub(crate) use object_core as objects;
}

use object_core::function::MethodTable;
use object_core::prelude::*;
use object_core::{Function, TypedFunction};
use ui_tests::Expr;

/// A thing.
#[derive(Object)]
#[object(type_key = "methods.Thing", base)]
#[structural_eq(tree)]
pub struct ThingNode {
    /// Its value.
    pub value: i64,
}

#[object_methods(crate = crate::methods::facade::objects)]
impl Thing {
    /// A number.
    pub const ONE: i64 = 1;

    /// Nothing to do.
    pub fn nothing(&self) {}

    /// By value.
    pub fn into_value(self) -> i64 {
        self.value
    }

    /// By value and changed.
    pub fn grown(mut self) -> Self {
        self.make_mut().value += 1;
        self
    }

    /// References in and out, with a lifetime that is written.
    pub fn longest<'a>(&'a self, other: &'a Thing, _unused: &str) -> &'a Thing {
        if self.value < other.value { other } else { self }
    }

    /// Patterns, raw names and functions.
    #[allow(clippy::needless_pass_by_value, reason = "reflection hands the value over")]
    pub fn r#type(_: &Expr, r#in: Option<Array<Expr>>, f: TypedFunction<fn(i64) -> i64>) -> Result<Function, Error> {
        f.call(r#in.map_or(0, |it| it.len() as i64))?;
        Ok(f.into())
    }

    /// Old.
    #[deprecated]
    pub fn old(&self) -> Str {
        "old".into()
    }

    /// Never there.
    #[cfg(any())]
    pub fn never(&self) -> Nothing {}

    pub(crate) fn inner<T>(&mut self, _: T) {}
}

/// One of a kind.
#[derive(Object)]
#[object(type_key = "methods.Unit")]
#[structural_eq(singleton, key = name)]
pub struct UnitNode {
    /// Its name.
    pub name: Str,
}

#[object_methods]
impl Unit {
    /// How long its name is.
    pub const fn three() -> i64 {
        3
    }
}

pub(super) fn main() {
    run().expect("each call returns a value");
}

fn run() -> Result<(), Error> {
    object_core::function::register_methods(&[MethodTable::of::<Thing>(), MethodTable::of::<Unit>()])?;
    let mut thing = Thing::new(Thing::ONE);
    thing.inner(());
    assert_eq!(thing.call_method("grown", &[])?.cast::<Thing>()?.value, 2);
    let info = thing.as_object().type_info();
    let names: Vec<String> = info.methods()?.iter().map(|method| method.name().to_owned()).collect();
    assert_eq!(names, ["nothing", "into_value", "grown", "longest", "type", "old"]);
    let shown = format!("{:?}", info.method("type")?);
    assert_eq!(
        shown,
        "methods.Thing.type(_: upstream.Expr, in: Optional<ffi.Array<upstream.Expr>>, f: ffi.Function<int,int>) -> ffi.Function"
    );
    Ok(())
}
