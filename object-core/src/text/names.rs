//! The form of names of fields and of type keys.

/// Whether `text` is a name: it consists of ASCII letters, digits and `_`, and does not start with a digit.
///
/// ```
/// assert!(object_core::is_name("to_device2") && !object_core::is_name("2d"));
/// ```
#[must_use]
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && chars.all(|char| char == '_' || char.is_ascii_alphanumeric())
}

/// Checks that `key` consists of names with dots between them, at least two of them. Keys also stand in scripts, which
/// allow nothing else.
///
/// # Errors
/// A message that says which rule `key` breaks.
pub(crate) fn check_type_key(key: &str) -> Result<(), &'static str> {
    if !key.split('.').all(is_name) {
        Err("a type key is made of names with dots between them, such as `demo.Expr`")
    } else if !key.contains('.') {
        Err("a type key has a namespace, such as `demo.Expr`, or it would clash with others")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys() {
        assert!(["a", "_", "a1_B"].into_iter().all(is_name));
        assert!(!["", "1a", "a b", "\u{e4}", "a.b"].into_iter().any(is_name));
        assert!(check_type_key("demo.Expr").is_ok() && check_type_key("a.b.C").is_ok());
        assert!(["demo", ".Expr", "demo.", "demo..Expr", "demo.1"].into_iter().all(|key| check_type_key(key).is_err()));
    }
}
