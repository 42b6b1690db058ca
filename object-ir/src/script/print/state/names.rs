//! [`Names`]: the names in use, and unique new names.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

/// The names in use. A new name is its hint, or the hint with the smallest free number: `x`, `x_1`, `x_2`.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: FxHashSet<Rc<str>>,
    /// A number for each hint: all smaller ones are taken. So finding a free number takes one step in most cases.
    first_free: FxHashMap<Rc<str>, u64>,
}

impl Names {
    /// Takes a name that is not in use, made of `hint`. Each byte that is not a letter, a digit or an underscore becomes an
    /// underscore. Words of Python are not avoided, as in TVM.
    pub(crate) fn take(&mut self, hint: &str) -> Rc<str> {
        let hint: String =
            hint.bytes().map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' }).collect();
        let (hint, mut name): (Rc<str>, String) = (Rc::from(&*hint), hint);
        let mut number = self.first_free.get(&hint).copied().unwrap_or(0);
        loop {
            if number > 0 {
                name.truncate(hint.len());
                name.push('_');
                name.push_str(&number.to_string());
            }
            number += 1;
            if !self.taken.contains(&*name) {
                break;
            }
        }
        self.first_free.insert(hint, number);
        let name: Rc<str> = Rc::from(name);
        self.taken.insert(Rc::clone(&name));
        name
    }

    /// Makes a name free.
    pub(crate) fn release(&mut self, name: &str) {
        self.taken.remove(name);
        if let Some(first_free) = self.first_free.get_mut(name) {
            *first_free = 0;
        }
        // The name may also be the hint `x` with a number.
        if let Some((hint, digits)) = name.rsplit_once('_')
            && !digits.starts_with('0')
            && let Ok(number) = digits.parse::<u64>()
            && let Some(first_free) = self.first_free.get_mut(hint)
        {
            *first_free = number.min(*first_free);
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
