//! [`Names`]: the names in use, and unique new names.

use std::borrow::Cow;

use object_core::table::Table;

/// The names in use. A new name is its hint, or the hint with the smallest free number: `x`, `x_1`, `x_2`.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: Table<Box<str>, Known>,
}

/// A name that is or was in use, or a hint.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    is_taken: bool,
    /// All names of this hint with smaller numbers are taken. So finding a free number takes one step in most cases.
    first_free: u64,
}

impl Names {
    /// Takes a name that is not in use, made of `hint`. Each byte that is not a letter, a digit or an underscore becomes an
    /// underscore. Words of Python are not avoided, as in TVM.
    pub(crate) fn take<'h>(&mut self, hint: &'h str) -> Cow<'h, str> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let hint: Cow<'h, str> = if hint.as_bytes().iter().all(is_word) {
            hint.into()
        } else {
            hint.bytes().map(|byte| if is_word(&byte) { char::from(byte) } else { '_' }).collect::<String>().into()
        };
        let known = match self.known.get_mut(&*hint) {
            None => {
                self.known.insert(hint.as_ref().into(), Known { is_taken: true, first_free: 1 });
                return hint;
            }
            Some(known) if known.first_free == 0 && !known.is_taken => {
                *known = Known { is_taken: true, first_free: 1 };
                return hint;
            }
            Some(known) => known,
        };
        let mut number = known.first_free.max(1);
        let mut name = String::with_capacity(hint.len() + 8);
        loop {
            name.clear();
            name.push_str(&hint);
            name.push('_');
            name.push_str(itoa::Buffer::new().format(number));
            match self.known.get_mut(&*name) {
                Some(known) if known.is_taken => number += 1,
                Some(known) => {
                    known.is_taken = true;
                    break;
                }
                None => {
                    self.known.insert(name.as_str().into(), Known { is_taken: true, first_free: 0 });
                    break;
                }
            }
        }
        if let Some(known) = self.known.get_mut(&*hint) {
            known.first_free = number + 1;
        }
        name.into()
    }

    /// Makes a name free.
    pub(crate) fn release(&mut self, name: &str) {
        if let Some(known) = self.known.get_mut(name) {
            *known = Known::default();
        }
        // The name may also be the hint `x` with a number.
        if let Some(at) = name.bytes().rposition(|byte| !byte.is_ascii_digit())
            && let (hint, Some(digits)) = (&name[..at], name[at..].strip_prefix('_'))
            && !digits.starts_with('0')
            && let Ok(number) = digits.parse::<u64>()
            && let Some(known) = self.known.get_mut(hint)
        {
            known.first_free = number.min(known.first_free);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_name_has_the_smallest_free_number() {
        let mut names = Names::default();
        let mut take = |hint: &str| names.take(hint).to_string();
        assert_eq!([take("x"), take("x"), take("x_1"), take("x"), take("é")], ["x", "x_1", "x_1_1", "x_2", "__"]);
        names.release("x_1");
        assert_eq!(&*names.take("x"), "x_1");
        assert_eq!(&*names.take("x"), "x_3");
        names.release("x");
        names.release("x_3");
        assert_eq!(
            [names.take("x"), names.take("x"), names.take("x")].map(|name| name.to_string()),
            ["x", "x_3", "x_4"]
        );
    }
}
