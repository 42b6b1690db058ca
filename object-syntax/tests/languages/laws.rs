//! Laws of all languages: a printed value is read as an equal value, and no change of a text makes a reader panic.

use object_core::object::FieldType;
use object_core::structural_equal;
use object_syntax::{Language, LanguageOptions};

use crate::random::Random;
use crate::{algebra, hardware, lambda};

fn read_after_print<T: FieldType>(language: &Language, cases: u64) {
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(6);
        let value = random.value(&T::schema(), depth, false);
        let text = language.print(&value).unwrap();
        let parsed =
            language.parse(text.text()).unwrap_or_else(|errors| panic!("seed {seed}\n{value}\n{text}\n{errors}"));
        assert!(structural_equal(&value, &parsed.value), "seed {seed}\n{value}\n{text}\n{}", parsed.value);
        assert_eq!(language.print(&parsed.value).unwrap().text(), text.text(), "seed {seed}");
    }
}

/// The number of random values of each language, by the variable `SYNTAX_CASES`.
pub(crate) fn cases() -> u64 {
    std::env::var("SYNTAX_CASES").map_or(100, |text| text.parse().expect("SYNTAX_CASES is a number"))
}

#[test]
fn the_formatter_keeps_every_comment() {
    let language = Language::of::<hardware::Circuit>().unwrap();
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let value = random.value(&hardware::Circuit::schema(), 5, false);
        let text = language.print(&value).unwrap().into_text();
        let mut number = 0;
        let mut source = String::new();
        for range in tokens(&text) {
            source.push_str(&text[range]);
            source.push_str(match random.below(4) {
                0 => "\n\n",
                _ => " ",
            });
            if random.below(6) == 0 {
                number += 1;
                source.push_str(&format!("// c{number}.\n"));
            }
        }
        let formatted = language.format(&source).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
        for comment in 1..=number {
            assert_eq!(formatted.matches(&format!("// c{comment}.")).count(), 1, "seed {seed}\n{source}\n{formatted}");
        }
        assert_eq!(language.format(&formatted).unwrap(), formatted, "seed {seed}\n{source}");
        assert!(structural_equal(&language.parse(&formatted).unwrap().value, &value));
        assert!(formatted.lines().all(|line| line == line.trim_end()));
    }
}

#[test]
fn printed_values_are_read_as_equal_values() {
    for width in [100, 20, 1] {
        let options = || LanguageOptions::new().width(width);
        read_after_print::<lambda::Expr>(&options().language::<lambda::Expr>().unwrap(), cases());
        read_after_print::<algebra::Rel>(&options().comment("--").language::<algebra::Rel>().unwrap(), cases());
        read_after_print::<hardware::Circuit>(&options().language::<hardware::Circuit>().unwrap(), cases());
    }
}

/// The tokens of a text: words, numbers, texts in quotes, and signs.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        match bytes[at] {
            quote @ (b'"' | b'`') => {
                at += 1;
                while bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at += 1 + bytes[at + 1..].iter().take_while(|byte| is_word(**byte)).count();
            }
            byte if is_word(byte) => at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count(),
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'%' => at += 1 + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
            _ if text[at..].starts_with("->") || text[at..].starts_with(":=") => at += 2,
            _ => at += 1,
        }
        found.push(start..at);
    }
    found
}

/// A text of the language with a change of one token that makes it none: the text, the index of the token, and the token that was
/// added. Nothing if the changed text is a text of the language, or has a mistake in its names alone.
pub(crate) fn mistake(language: &Language, text: &str, random: &mut Random) -> Option<(String, usize, String)> {
    let tokens = tokens(text);
    let index = random.below(tokens.len());
    let range = tokens[index].clone();
    let other = text[tokens[random.below(tokens.len())].clone()].to_owned();
    let changed = match random.below(3) {
        0 => format!("{}{}", &text[..range.start], &text[range.end..]),
        1 => format!("{}{other}{}", &text[..range.start], &text[range.end..]),
        _ => format!("{}{other} {}", &text[..range.start], &text[range.start..]),
    };
    let errors = language.parse(&changed).err()?;
    // A changed name is a mistake where it is used, and not in the syntax.
    let is_name = errors.diagnostics()[0].kind == object_core::ErrorKind::BadReference;
    (!is_name).then_some((changed, index, other))
}

/// Changes one token of printed values, and returns how many changed texts have their first mistake within two tokens of the
/// change, and how many are no texts of the language at all.
fn mistakes<T: FieldType>(language: &Language, cases: usize) -> (usize, usize) {
    let (mut near, mut all) = (0, 0);
    let mut random = Random::new(7);
    let mut seed = 0;
    while all < cases {
        seed += 1;
        let value = Random::new(seed).value(&T::schema(), 4, false);
        let text = language.print(&value).unwrap().into_text();
        let Some((changed, index, other)) = mistake(language, &text, &mut random) else { continue };
        let tokens = tokens(&text);
        let errors = language.parse(&changed).unwrap_err();
        let first = errors.diagnostics()[0].range.start;
        let later = tokens.get(index + 3).map_or(usize::MAX, |token| token.end + other.len() + 1);
        let before = tokens[index.saturating_sub(2)].start;
        all += 1;
        near += usize::from((before..=later).contains(&first));
    }
    (near, all)
}

#[test]
fn mistakes_are_found_where_they_are() {
    let lambda = mistakes::<lambda::Expr>(&Language::of::<lambda::Expr>().unwrap(), 200);
    let algebra = mistakes::<algebra::Rel>(&Language::of::<algebra::Rel>().unwrap(), 200);
    let hardware = mistakes::<hardware::Circuit>(&Language::of::<hardware::Circuit>().unwrap(), 200);
    for (near, all) in [lambda, algebra, hardware] {
        println!("{near} of {all}");
        assert!(near * 10 >= all * 9, "{near} of {all} mistakes are found within two tokens");
    }
}

/// Reads a text of 20,000 operands inside each other, and prints it again.
#[test]
fn depth_is_bounded_by_memory() {
    let language = Language::of::<lambda::Expr>().unwrap();
    for (open, inner, close) in [("\\x. ", "1", ""), ("-", "y", ""), ("(", "1", ")"), ("f (", "x", ")")] {
        let source = format!("\\y. \\f. \\x. {}{inner}{}", open.repeat(20_000), close.repeat(20_000));
        let parsed = language.parse(&source).unwrap();
        let printed = language.print(&parsed.value).unwrap();
        assert!(structural_equal(&language.parse(printed.text()).unwrap().value, &parsed.value));
    }
    let limits = object_core::Limits::new().max_depth(1000);
    let limited = LanguageOptions::new().limits(limits).language::<lambda::Expr>().unwrap();
    let errors = limited.parse(&"(".repeat(2000)).unwrap_err();
    assert_eq!(errors.diagnostics()[0].kind, object_core::ErrorKind::LimitExceeded);
}

/// Texts whose mistakes would take hours if each of them cost a look at all others.
#[test]
fn many_mistakes_cost_as_much_as_many_elements() {
    let language = Language::of::<hardware::Circuit>().unwrap();
    let many = |text: &str| text.repeat(10_000);
    let bodies =
        [many("a := ; "), many("a := b; "), many("a "), many("reg a: UInt<8> 1; b := a;\n"), many("when "), many("{ ")];
    for body in bodies {
        let source = format!("circuit {{ module A() {{ {body} }} }}");
        let errors = language.parse(&source).unwrap_err();
        let count = errors.diagnostics().len();
        assert!((1..=100).contains(&count), "{count}");
        assert_eq!(language.reading(&source).diagnostics(), errors.diagnostics());
    }
}
