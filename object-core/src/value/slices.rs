//! The traits of values that are a slice of numbers: [`Bytes`](crate::Bytes) and [`Shape`](crate::Shape).

/// Implements the traits of std for `$Value`, a handle with the methods `new` and `as_slice`. The value has the `==`,
/// the order and the hash of the slice.
macro_rules! slice_traits {
    ($Value:ident, $element:ty) => {
        impl std::ops::Deref for $Value {
            type Target = [$element];

            fn deref(&self) -> &[$element] {
                self.as_slice()
            }
        }

        impl AsRef<[$element]> for $Value {
            fn as_ref(&self) -> &[$element] {
                self
            }
        }

        impl std::borrow::Borrow<[$element]> for $Value {
            fn borrow(&self) -> &[$element] {
                self
            }
        }

        impl Default for $Value {
            fn default() -> Self {
                $Value::new(&[])
            }
        }

        impl From<&[$element]> for $Value {
            fn from(items: &[$element]) -> Self {
                $Value::new(items)
            }
        }

        impl<const N: usize> From<&[$element; N]> for $Value {
            fn from(items: &[$element; N]) -> Self {
                $Value::new(items)
            }
        }

        impl<const N: usize> From<[$element; N]> for $Value {
            fn from(items: [$element; N]) -> Self {
                $Value::new(&items)
            }
        }

        impl From<Vec<$element>> for $Value {
            fn from(items: Vec<$element>) -> Self {
                $Value::new(&items)
            }
        }

        impl From<&Vec<$element>> for $Value {
            fn from(items: &Vec<$element>) -> Self {
                $Value::new(items)
            }
        }

        impl From<$Value> for Vec<$element> {
            fn from(value: $Value) -> Self {
                value.to_vec()
            }
        }

        impl FromIterator<$element> for $Value {
            fn from_iter<I: IntoIterator<Item = $element>>(items: I) -> Self {
                items.into_iter().collect::<Vec<_>>().into()
            }
        }

        impl<'a> IntoIterator for &'a $Value {
            type Item = &'a $element;
            type IntoIter = std::slice::Iter<'a, $element>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl PartialEq for $Value {
            fn eq(&self, other: &Self) -> bool {
                self.as_slice() == other.as_slice()
            }
        }

        impl Eq for $Value {}

        impl PartialOrd for $Value {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $Value {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.as_slice().cmp(other.as_slice())
            }
        }

        impl std::hash::Hash for $Value {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.as_slice().hash(state);
            }
        }

        $crate::value::slices::compare_slices!($Value, $element: [[$element]] [&[$element]] [Vec<$element>]);

        impl<const N: usize> PartialEq<[$element; N]> for $Value {
            fn eq(&self, other: &[$element; N]) -> bool {
                self.as_slice() == other
            }
        }

        impl<const N: usize> PartialEq<$Value> for [$element; N] {
            fn eq(&self, other: &$Value) -> bool {
                other == self
            }
        }

        impl std::fmt::Display for $Value {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::fmt::Debug for $Value {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

/// Compares `$Value` with other types of slices, in both directions.
macro_rules! compare_slices {
    ($Value:ident, $element:ty: $([$Slice:ty])*) => {$(
        impl PartialEq<$Slice> for $Value {
            fn eq(&self, other: &$Slice) -> bool {
                let other: &[$element] = other;
                self.as_slice() == other
            }
        }

        impl PartialEq<$Value> for $Slice {
            fn eq(&self, other: &$Value) -> bool {
                other == self
            }
        }
    )*};
}

pub(crate) use {compare_slices, slice_traits};
