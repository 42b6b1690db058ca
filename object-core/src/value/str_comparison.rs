//! `==` and the order between [`Str`] and the text types of std.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::value::Str;

/// Compares [`Str`] with other types of text, in both directions.
macro_rules! compare_text {
    ($($Text:ty),*) => {$(
        impl PartialEq<$Text> for Str {
            fn eq(&self, other: &$Text) -> bool {
                let other: &str = other;
                self.as_str() == other
            }
        }

        impl PartialEq<Str> for $Text {
            fn eq(&self, other: &Str) -> bool {
                other == self
            }
        }

        impl PartialOrd<$Text> for Str {
            fn partial_cmp(&self, other: &$Text) -> Option<Ordering> {
                let other: &str = other;
                self.as_str().partial_cmp(other)
            }
        }

        impl PartialOrd<Str> for $Text {
            fn partial_cmp(&self, other: &Str) -> Option<Ordering> {
                other.partial_cmp(self).map(Ordering::reverse)
            }
        }
    )*};
}

compare_text!(str, &str, String, Cow<'_, str>);
