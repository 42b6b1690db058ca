//! Messages of rules that the compiler evaluates in constants: text without allocation, shown by a panic.

/// The largest length of a message, in bytes.
const MAX_MESSAGE: usize = 2048;

/// The page of the errors, which has a heading with the name of each rule.
const ERROR_INDEX: &str = "https://docs.rs/object-core/latest/object_core/guide/error_index/";

/// Panics with the text `message`, in which each `{}` is replaced by the next of `args`. The first line of the text ends with
/// the name of `rule`, and the last line leads to its section of the error index.
#[track_caller]
pub(crate) const fn fail(rule: &str, message: &str, args: &[&str]) -> ! {
    let mut text = Message { bytes: [0; MAX_MESSAGE], len: 0 };
    let message = message.as_bytes();
    let (mut i, mut n_args) = (0, 0);
    while i < message.len() {
        if message[i] == b'{' && n_args < args.len() {
            text.push(args[n_args].as_bytes(), 0, args[n_args].len());
            n_args += 1;
            i += 2;
        } else {
            if message[i] == b'\n' {
                text.push_name(rule);
            }
            text.push(message, i, i + 1);
            i += 1;
        }
    }
    text.push_link(rule);
    match std::str::from_utf8(text.bytes.split_at(text.len).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("the annotations of this type contradict each other"),
    }
}

struct Message {
    bytes: [u8; MAX_MESSAGE],
    len: usize,
}

impl Message {
    /// Adds ` [name]`.
    const fn push_name(&mut self, name: &str) {
        self.push(b" [", 0, 2);
        self.push(name.as_bytes(), 0, name.len());
        self.push(b"]", 0, 1);
    }

    /// Adds a line with the link to the section of a rule.
    const fn push_link(&mut self, name: &str) {
        self.push(b"\nsee: ", 0, 6);
        self.push(ERROR_INDEX.as_bytes(), 0, ERROR_INDEX.len());
        self.push(b"#", 0, 1);
        self.push(name.as_bytes(), 0, name.len());
    }

    /// Adds `bytes[start..end]`, as far as there is room.
    const fn push(&mut self, bytes: &[u8], start: usize, end: usize) {
        let mut i = start;
        while i < end && self.len < MAX_MESSAGE {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
    }
}

/// Whether two strings are equal, in constants, where `==` is not available.
pub(crate) const fn const_str_eq(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
