//! [`unified_diff`]: the difference of two texts, for `patch`.

use std::fmt;

use imara_diff::{Algorithm, Diff, InternedInput, Interner, Token, UnifiedDiffConfig, UnifiedDiffPrinter};

/// The difference of two versions of the file `name` in the unified format, which `patch` applies. It is empty if the versions
/// are the same.
///
/// ```
/// use object_codegen::unified_diff::unified_diff;
///
/// let diff = unified_diff("a.txt", "one\ntwo\n", "one\n2\n");
/// assert_eq!(diff, "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
/// ```
#[must_use]
pub fn unified_diff(name: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let hunks = diff.unified_diff(&Lines(&input.interner), UnifiedDiffConfig::default(), &input).to_string();
    format!("--- {name}\n+++ {name}\n{hunks}")
}

/// Prints lines as `patch` reads them.
struct Lines<'t>(&'t Interner<&'t str>);

impl Lines<'_> {
    fn line(&self, f: &mut impl fmt::Write, sign: char, token: Token) -> fmt::Result {
        let line = self.0[token];
        write!(f, "{sign}{line}")?;
        if line.ends_with('\n') { Ok(()) } else { f.write_str("\n\\ No newline at end of file\n") }
    }
}

impl UnifiedDiffPrinter for Lines<'_> {
    fn display_header(&self, mut f: impl fmt::Write, old: u32, new: u32, old_len: u32, new_len: u32) -> fmt::Result {
        // A hunk without lines of one version stands after a line of it, and others begin with a line.
        let [old, new] = [(old, old_len), (new, new_len)].map(|(start, len)| start + u32::from(len > 0));
        writeln!(f, "@@ -{old},{old_len} +{new},{new_len} @@")
    }

    fn display_context_token(&self, mut f: impl fmt::Write, token: Token) -> fmt::Result {
        self.line(&mut f, ' ', token)
    }

    fn display_hunk(&self, mut f: impl fmt::Write, before: &[Token], after: &[Token]) -> fmt::Result {
        before.iter().try_for_each(|token| self.line(&mut f, '-', *token))?;
        after.iter().try_for_each(|token| self.line(&mut f, '+', *token))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::unified_diff;

    #[test]
    fn ends_of_texts() {
        for (old, new, hunk) in [
            ("", "a\n", "@@ -0,0 +1,1 @@\n+a\n"),
            ("a\n", "", "@@ -1,1 +0,0 @@\n-a\n"),
            ("a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"),
            ("a\nb", "c\nb", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n"),
        ] {
            assert_eq!(unified_diff("f", old, new), format!("--- f\n+++ f\n{hunk}"));
        }
    }

    #[test]
    fn patch_applies_differences() {
        if Command::new("patch").arg("--version").stdout(Stdio::null()).spawn().is_err() {
            println!("skipped: there is no `patch`");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let mut text = || -> String {
                let lines = random.usize(0..12);
                let mut text: String =
                    (0..lines).map(|_| random.choice(["a\n", "b\n", "c\n"]).expect("a line")).collect();
                if random.bool() {
                    text.pop();
                }
                text
            };
            let (old, new) = (text(), text());
            std::fs::write(&file, &old).expect("a file");
            let mut patch =
                Command::new("patch").args(["-s", "--posix"]).arg(&file).stdin(Stdio::piped()).spawn().expect("patch");
            let diff = unified_diff("file", &old, &new);
            patch.stdin.take().expect("its input").write_all(diff.as_bytes()).expect("its input");
            assert!(patch.wait().expect("its end").success(), "{old:?} {new:?}\n{diff}");
            assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), new, "{old:?}\n{diff}");
        }
    }
}
