//! Attempts of safe code to make objects with wrong type tables: names in the scope of a derive mean other things than in
//! this crate. The expansion of the derive either keeps its meaning, which these tests check by use of the objects, or does
//! not compile (`ui-tests/tests/attacks`). The AddressSanitizer (`.ci/sanitize address`) runs these tests too.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "the types of a test explain themselves")]

// The derive writes paths that begin with `::core`.
extern crate self as core;

use std::sync::atomic::{AtomicUsize, Ordering};

pub use std::{assert, clone, convert, default, file, fmt, line, ops, option, panic, primitive, result, unreachable};

/// A crate with the names of the core library, of which some mean other things.
pub mod mem {
    /// Every field is at the start.
    macro_rules! zero {
        ($($tokens:tt)*) => {
            0
        };
    }
    pub(crate) use zero as offset_of;
    pub type MaybeUninit<T> = Option<T>;
}

/// A crate that looks like `object_core`, with other functions in `derive_support`.
pub mod fake {
    pub mod derive_support {
        use object_core::derive_support as real;
        pub use real::*;

        /// The functions that made tables in earlier versions of the derive.
        pub fn type_info<N>(_: TypeSpec) -> &'static TypeInfo {
            object_core::Array::<i64>::default().as_object().type_info()
        }

        pub const fn fields<const N: usize>(_: &[FieldInfo]) -> [FieldInfo; N] {
            panic!("nothing calls it")
        }

        pub const fn ancestors<const N: usize>() -> [Ancestor; N] {
            panic!("nothing calls it")
        }

        pub fn field_info<T>(_: &'static str, _: usize, _: FieldMeta) -> FieldInfo {
            *super::super::OtherNode::FIELDS.last().expect("it has a field")
        }

        pub const fn copy_opaque<N: Object + Clone>() -> OpaqueCopy<N> {
            OpaqueCopy::NONE
        }

        /// The handle of another type in place of the table of the node struct.
        pub struct TableAddress;
    }
}

use object_core::json;
use object_core::prelude::*;
use object_core::{FieldType, Object, ObjectBuilder, ObjectHandle, structural_equal};

#[derive(Object)]
#[object(type_key = "forged.Other")]
#[structural_eq(tree)]
pub struct OtherNode {
    pub text: Str,
}

/// `offset_of!` of this crate would place both fields at the start.
#[derive(Object)]
#[object(type_key = "forged.Pair")]
#[structural_eq(tree)]
pub struct PairNode {
    pub number: i64,
    pub text: Str,
    pub next: Option<Pair>,
}

#[derive(Object)]
#[object(type_key = "forged.Base", base, crate = fake)]
pub struct BaseNode {
    pub number: i64,
    pub text: Str,
}

#[derive(Object)]
#[object(type_key = "forged.Faked", parent = BaseNode, base_args(number: i64, text: Str), crate = crate::fake)]
#[structural_eq(tree)]
pub struct FakedNode {
    pub base: BaseNode,
    pub small: u8,
    pub last: Str,
}

#[derive(Object, Clone)]
#[object(type_key = "forged.Hidden", opaque, crate = fake)]
pub struct HiddenNode {
    pub lines: Vec<String>,
}

/// A way through all code that depends on offsets: reading, comparison, JSON, building, copies and release.
fn check<H: TypedHandle + FieldType + MakeMut + PartialEqByStructure>(make: impl Fn() -> H) {
    let (a, b) = (make(), make());
    assert!(a.same(&b));
    let text = json::to_string(&a).expect("it can be written");
    assert!(json::from_slice::<H>(text.as_bytes()).expect("it can be read").same(&a));
    let built = ObjectBuilder::from_object(a.as_object().view()).and_then(ObjectBuilder::build).expect("it has fields");
    assert!(Any::from(built).cast::<H>().expect("it has the type").same(&b));
    let mut copy = a.clone();
    let _ = copy.make_mut();
    assert!(copy.same(&a) && !copy.ptr_eq(&a));
}

trait PartialEqByStructure {
    fn same(&self, other: &Self) -> bool;
}

impl<T: FieldType> PartialEqByStructure for T {
    fn same(&self, other: &Self) -> bool {
        structural_equal(self, other)
    }
}

#[test]
fn a_false_core_library_changes_no_offset() {
    assert_eq!(core::mem::offset_of!(PairNode, text), 0);
    let pair = || Pair::new(0x4141_4141, "text", Some(Pair::new(1, "inner", None)));
    assert_eq!((pair().number, pair().text.as_str()), (0x4141_4141, "text"));
    assert_eq!(
        pair().to_string(),
        "forged.Pair(number=1094795585, text=\"text\", next=forged.Pair(number=1, text=\"inner\", next=None))"
    );
    check(pair);
}

#[test]
fn a_false_object_core_makes_true_tables() {
    let faked = || Faked::new(7, "base", 8, "last");
    let base: Base = faked().into();
    assert_eq!((base.number, base.text.as_str()), (7, "base"));
    assert_eq!(
        FakedNode::TYPE_INFO.fields().iter().map(|field| field.name()).collect::<Vec<_>>(),
        ["number", "text", "small", "last"]
    );
    check(faked);
    assert!(Any::from(faked()).cast::<Other>().is_err());
}

#[test]
fn a_false_copy_function_copies_nothing() {
    let mut hidden = Hidden::new(vec!["line".to_owned()]);
    hidden.make_mut().lines.push("more".to_owned());
    let other = hidden.clone();
    let error = hidden.try_make_mut().err().expect("the function that copies is left out");
    assert!(error.message().contains("cannot change a `forged.Hidden`"), "{error}");
    assert_eq!(other.lines.len(), 2);
}

/// Names of the prelude and of primitive types, traits whose methods have the names of methods in the expansion, and
/// macros with the names of the macros in it.
#[allow(clippy::len_without_is_empty, clippy::wrong_self_convention, reason = "the names are the point of the test")]
#[allow(non_camel_case_types, dead_code, unused_macros, unused_imports, reason = "the names are the point of the test")]
pub mod shadowed {
    use object_core::derive_support as real;
    pub use real::Object;

    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct Ok;
    pub struct Err;
    pub struct Result;
    pub struct Vec;
    pub struct String;
    pub trait Send {}
    pub trait Sync {}
    pub trait Sized {}
    pub trait Clone {}
    pub trait Default {}
    pub trait From {}
    pub trait Into {}
    pub trait Deref {}
    pub struct str;
    pub struct bool;
    pub struct usize;
    pub type u32 = real::ObjectRef;
    /// An integer by its name, and a handle in truth.
    pub type i64 = super::Other;

    macro_rules! nothing {
        ($($tokens:tt)*) => {
            compile_error!("a macro of the user")
        };
    }
    macro_rules! offset_of {
        ($($tokens:tt)*) => {
            0
        };
    }
    pub(crate) use {nothing as file, nothing as line, nothing as generated_node, nothing as unreachable};
    pub(crate) use {nothing as concat, nothing as env, nothing as stringify, nothing as assert, nothing as panic};

    /// A method by value comes before a method of the type that takes a reference.
    pub trait Methods: ::std::marker::Sized {
        fn view(self) -> Self {
            self
        }
        fn get(self) -> Self {
            self
        }
        fn len(self) -> Self {
            self
        }
        fn info(self) -> Self {
            self
        }
        fn is_instance(self) -> Self {
            self
        }
        fn with_default(self) -> Self {
            self
        }
    }
    impl<T> Methods for T {}

    #[derive(object_core::prelude::Object)]
    #[object(type_key = "forged.Shadowed")]
    #[structural_eq(tree)]
    pub struct ShadowedNode {
        pub text: i64,
        pub any: u32,
        pub flag: ::std::primitive::bool,
    }

    #[derive(object_core::prelude::Object, ::std::clone::Clone)]
    pub enum Form {
        First,
        Second,
    }
}

#[test]
fn the_names_of_the_user_do_not_reach_the_tables() {
    let shadowed = || shadowed::Shadowed::new(Other::new("deep"), Other::new("any").into(), true);
    assert_eq!(shadowed().text.text.as_str(), "deep");
    check(shadowed);
    let form = Any::from(shadowed::Form::Second);
    assert!(matches!(form.cast::<shadowed::Form>(), Ok(shadowed::Form::Second)));
}

/// How many values with code of the user in their `Clone` and `Drop` are alive.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// An enum whose code of the user panics when it has the value [`Bomb::Lit`].
#[derive(Object, Debug)]
pub enum Bomb {
    Safe,
    Lit,
}

impl Clone for Bomb {
    fn clone(&self) -> Self {
        match self {
            Bomb::Safe => Bomb::Safe,
            Bomb::Lit => panic!("a clone panics"),
        }
    }
}

#[derive(Object)]
#[object(type_key = "forged.Holder")]
#[structural_eq(tree)]
pub struct HolderNode {
    pub first: Str,
    pub bomb: Bomb,
    pub last: Str,
}

impl Drop for HolderNode {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
        if matches!(self.bomb, Bomb::Lit) && !std::thread::panicking() {
            panic!("a destructor panics");
        }
    }
}

fn unwinding<R>(run: impl FnOnce() -> R) -> std::thread::Result<R> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
}

#[test]
fn code_of_the_user_that_panics_leaves_objects_whole() {
    let make = |bomb| {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Holder::new("first", bomb, "last")
    };
    let mut lit = make(Bomb::Lit);
    let other = lit.clone();
    let copied = unwinding(|| lit.make_mut().first.is_empty());
    assert!(copied.is_err(), "the clone of a field panics");
    assert!(lit.ptr_eq(&other) && lit.first.as_str() == "first" && lit.last.as_str() == "last");
    let built = unwinding(|| ObjectBuilder::from_object(other.as_object().view()).map(drop).is_ok());
    assert!(built.is_err(), "the builder frees the fields that it has copied");
    drop(other);
    assert!(unwinding(|| drop(lit)).is_err(), "the destructor panics");
    drop(make(Bomb::Safe));
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
}
