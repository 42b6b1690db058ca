//! Conversions between [`Str`] and the text types of std, and between such text and [`Any`] and [`ObjectRef`].

use std::borrow::{Borrow, Cow};
use std::convert::Infallible;
use std::ffi::OsStr;
use std::fmt;
use std::ops::Add;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::object::{Any, ObjectRef, mismatch};
use crate::value::Str;

/// Converts the text types of std to [`Str`], and directly to the types of values of any kind.
macro_rules! from_text {
    ($($Text:ty: |$text:ident| $str:expr;)*) => {$(
        impl From<$Text> for Str {
            fn from($text: $Text) -> Self {
                Str::new($str)
            }
        }

        impl From<$Text> for ObjectRef {
            fn from(text: $Text) -> Self {
                Str::from(text).into()
            }
        }

        impl From<$Text> for Any {
            fn from(text: $Text) -> Self {
                Str::from(text).into()
            }
        }
    )*};
}

from_text! {
    &str: |text| text;
    &mut str: |text| text;
    String: |text| &text;
    &String: |text| text;
    Box<str>: |text| &text;
    Cow<'_, str>: |text| &text;
    char: |text| text.encode_utf8(&mut [0; 4]);
}

/// Formats without an intermediate [`String`] if the format has no arguments.
///
/// ```
/// use object_core::Str;
/// assert_eq!(Str::from(format_args!("v{}", 1)), "v1");
/// ```
impl From<fmt::Arguments<'_>> for Str {
    fn from(text: fmt::Arguments<'_>) -> Self {
        match text.as_str() {
            Some(text) => Str::new(text),
            None => Str::from(text.to_string()),
        }
    }
}

impl FromStr for Str {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Str::new(text))
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        text.as_str().to_owned()
    }
}

impl From<&Str> for String {
    fn from(text: &Str) -> Self {
        text.as_str().to_owned()
    }
}

impl From<Str> for Box<str> {
    fn from(text: Str) -> Self {
        text.as_str().into()
    }
}

impl<'a> From<&'a Str> for Cow<'a, str> {
    fn from(text: &'a Str) -> Self {
        Cow::Borrowed(text)
    }
}

impl TryFrom<Any> for String {
    type Error = Error;

    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the value is not text.
    fn try_from(value: Any) -> Result<Self> {
        match value.view().as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(mismatch("ffi.String", value.view())),
        }
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self
    }
}

impl AsRef<[u8]> for Str {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl AsRef<OsStr> for Str {
    fn as_ref(&self) -> &OsStr {
        self.as_str().as_ref()
    }
}

impl AsRef<Path> for Str {
    fn as_ref(&self) -> &Path {
        self.as_str().as_ref()
    }
}

/// Concatenates texts or characters.
macro_rules! from_iterator {
    ($($Item:ty),*) => {$(
        impl<'a> FromIterator<$Item> for Str {
            fn from_iter<I: IntoIterator<Item = $Item>>(items: I) -> Self {
                items.into_iter().collect::<String>().into()
            }
        }
    )*};
}

from_iterator!(char, &'a char, &'a str, String, Cow<'a, str>);

impl FromIterator<Str> for Str {
    fn from_iter<I: IntoIterator<Item = Str>>(items: I) -> Self {
        let mut text = String::new();
        items.into_iter().for_each(|item| text.push_str(&item));
        text.into()
    }
}

impl<'a> FromIterator<&'a Str> for Str {
    fn from_iter<I: IntoIterator<Item = &'a Str>>(items: I) -> Self {
        items.into_iter().map(Str::as_str).collect()
    }
}

impl Add<&str> for Str {
    type Output = Str;

    /// The concatenation, as a new object.
    fn add(self, rest: &str) -> Str {
        [self.as_str(), rest].into_iter().collect()
    }
}
