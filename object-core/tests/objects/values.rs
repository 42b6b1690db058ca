//! Text, bytes and shapes with the habits of std.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::Path;

use object_core::{Any, Array, Bytes, ObjectRef, Shape, Str};

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Compares in both directions.
fn compare<A: PartialOrd<B>, B: PartialOrd<A> + ?Sized>(a: &A, b: &B, expected: Ordering) {
    assert_eq!(a.partial_cmp(b), Some(expected));
    assert_eq!(b.partial_cmp(a), Some(expected.reverse()));
    equal(a, b, expected.is_eq());
}

fn equal<A: PartialEq<B>, B: PartialEq<A> + ?Sized>(a: &A, b: &B, expected: bool) {
    assert_eq!((a == b, b == a), (expected, expected));
}

#[test]
fn text_compares_with_every_text_type_in_both_directions() {
    let text = Str::from("ab");
    for (other, expected) in [("ab", Ordering::Equal), ("b", Ordering::Less), ("aa", Ordering::Greater)] {
        compare(&text, other, expected);
        compare(&text, &other, expected);
        compare(&text, &String::from(other), expected);
        compare(&text, &Cow::Borrowed(other), expected);
        compare(&text, &Str::from(other), expected);
    }
    assert_eq!(vec![text], ["ab"]);
}

#[test]
fn text_hashes_and_sorts_as_str() {
    let texts = ["", "a", "ab", "b", "ä", "\0"];
    for a in texts {
        assert_eq!(hash(&Str::from(a)), hash(a));
        for b in texts {
            assert_eq!(Str::from(a).cmp(&Str::from(b)), a.cmp(b));
        }
    }
    assert_eq!(HashMap::from([(Str::from("a"), 1)])["a"], 1);
    assert_eq!(BTreeMap::from([(Str::from("a"), 1)]).get("a"), Some(&1));
    assert!(HashSet::from([Str::from("a")]).contains("a"));
}

#[test]
fn text_comes_from_every_text_type() {
    let mut buffer = String::from("é");
    let expected = Str::new("é");
    for text in [
        Str::from("é"),
        Str::from(buffer.as_mut_str()),
        Str::from(&buffer),
        Str::from(buffer.clone()),
        Str::from(buffer.clone().into_boxed_str()),
        Str::from(Cow::Borrowed("é")),
        Str::from(Cow::Owned(buffer.clone())),
        Str::from('é'),
        Str::from(&expected),
        Str::from(format_args!("é")),
        Str::from(format_args!("{}", 'é')),
        "é".parse().unwrap_or_default(),
        ['é'].into_iter().collect(),
        [&'é'].into_iter().collect(),
        ["", "é"].into_iter().collect(),
        [String::from("é")].into_iter().collect(),
        [Cow::Borrowed("é")].into_iter().collect(),
        [expected.clone()].into_iter().collect(),
        [&expected].into_iter().collect(),
        Str::default() + "é",
    ] {
        assert_eq!(text, expected);
    }
    for value in [Any::from('é'), Any::from(&buffer), Any::from(Cow::Borrowed("é")), Any::from(&expected)] {
        assert_eq!(value.view().as_str(), Some("é"));
    }
    for object in [ObjectRef::from('é'), ObjectRef::from(&buffer), ObjectRef::from(&expected)] {
        assert_eq!(object.view().as_str(), Some("é"));
    }
}

#[test]
fn text_goes_to_every_text_type() {
    let text = Str::from("a/b");
    assert_eq!(String::from(&text), "a/b");
    assert_eq!(&*Box::<str>::from(text.clone()), "a/b");
    assert_eq!(Cow::from(&text), "a/b");
    assert_eq!(AsRef::<str>::as_ref(&text), "a/b");
    assert_eq!(AsRef::<[u8]>::as_ref(&text), b"a/b");
    assert_eq!(AsRef::<OsStr>::as_ref(&text), "a/b");
    assert_eq!(AsRef::<Path>::as_ref(&text).components().count(), 2);
    assert_eq!((text.len(), text.find('/'), &text[2..], text.to_uppercase()), (3, Some(1), "b", "A/B".to_owned()));
    assert_eq!(format!("{text:>5}|{text:.1}|{text:?}"), "  a/b|a|\"a/b\"");
    assert_eq!(String::from(text), "a/b");
}

#[test]
fn bytes_and_shapes_have_the_traits_of_their_slices() {
    let (low, high) = (Bytes::new(&[1, 2]), Bytes::from([1, 3]));
    compare(&low, &high, Ordering::Less);
    for (other, expected) in [([1, 2], true), ([1, 3], false)] {
        equal(&low, &other, expected);
        equal(&low, &other.to_vec(), expected);
        equal(&low, &other[..], expected);
        equal(&low, &&other[..], expected);
    }
    assert_eq!(hash(&low), hash(&[1u8, 2][..]));
    assert!(HashSet::from([low.clone()]).contains(&[1u8, 2][..]));
    assert_eq!(low.iter().sum::<u8>(), 3);
    assert_eq!(Bytes::from(b"ab"), Bytes::from(vec![b'a', b'b']));
    assert_eq!([1, 2].into_iter().collect::<Bytes>(), low);
    assert_eq!(Bytes::from("ab"), Bytes::from(String::from("ab")));
    assert_eq!(Vec::from(low), [1, 2]);
    assert!(Bytes::default().is_empty());

    let shape = Shape::from(&[2, 3]);
    compare(&shape, &Shape::from([2, 4]), Ordering::Less);
    equal(&shape, &[2, 3], true);
    equal(&shape, &vec![2], false);
    assert_eq!(shape[1], 3);
    assert_eq!(shape.iter().map(|extent| extent * 2).collect::<Shape>(), [4, 6]);
    assert_eq!(HashMap::from([(shape.clone(), "s")])[&[2i64, 3][..]], "s");
    let mut product = 1;
    for extent in &shape {
        product *= extent;
    }
    assert_eq!((product, Vec::from(shape)), (6, vec![2, 3]));
    assert!(Shape::default().is_empty());
    let shapes = Array::from([Shape::from([1]), Shape::from([1])]);
    assert!(shapes.contains(&Shape::from([1])));
}
