//! [`unified_diff`]: the difference of two texts, for `patch`.

use std::fmt::Write;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

/// The number of lines around changed ones.
const CONTEXT: u32 = 3;

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
    let lines = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &lines);
    diff.postprocess_lines(&lines);
    let changes: Vec<Hunk> = diff.hunks().collect();
    let mut text = format!("--- {name}\n+++ {name}\n");
    for near in changes.chunk_by(|a, b| b.before.start - a.before.end <= 2 * CONTEXT) {
        push_hunk(&mut text, &lines, near);
    }
    text
}

/// Adds the lines of changes that are near each other.
fn push_hunk(text: &mut String, lines: &InternedInput<&str>, changes: &[Hunk]) {
    let (first, last) = (&changes[0], &changes[changes.len() - 1]);
    let before = first.before.start.min(CONTEXT);
    let after = (lines.before.len() as u32 - last.before.end).min(CONTEXT);
    let old = first.before.start - before..last.before.end + after;
    let new = first.after.start - before..last.after.end + after;
    // A range without lines stands after a line, and others begin with a line.
    let [old_start, new_start] = [&old, &new].map(|range| range.start + u32::from(!range.is_empty()));
    let _ = writeln!(text, "@@ -{old_start},{} +{new_start},{} @@", old.len(), new.len());
    let mut push = |sign: char, tokens: &[_]| {
        for token in tokens {
            let line = lines.interner[*token];
            text.extend([sign]);
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    };
    let mut next = old.start;
    for change in changes {
        push(' ', &lines.before[next as usize..change.before.start as usize]);
        push('-', &lines.before[change.before.start as usize..change.before.end as usize]);
        push('+', &lines.after[change.after.start as usize..change.after.end as usize]);
        next = change.before.end;
    }
    push(' ', &lines.before[next as usize..old.end as usize]);
}

#[cfg(test)]
mod tests {
    use std::process::Command;

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
        if Command::new("patch").arg("--version").output().is_err() {
            println!("skipped: there is no `patch`");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let (file, difference) = (folder.path().join("file"), folder.path().join("difference"));
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..100 {
            let mut text = || -> String {
                let lines = random.usize(0..30);
                let mut text: String =
                    (0..lines).map(|line| format!("{}\n", line + random.usize(0..12) / 11)).collect();
                if random.bool() {
                    text.pop();
                }
                text
            };
            let (old, new) = (text(), text());
            std::fs::write(&file, &old).expect("a file");
            let diff = unified_diff("file", &old, &new);
            std::fs::write(&difference, &diff).expect("a file");
            let patch = Command::new("patch").args(["--posix", "-F0", "-i"]).args([&difference, &file]).output();
            let shown = String::from_utf8(patch.expect("patch").stdout).expect("text");
            // An offset is a hunk with wrong numbers of lines.
            assert!(!shown.contains("offset") && !shown.contains("FAILED"), "{old:?} {new:?}\n{diff}\n{shown}");
            assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), new, "{old:?}\n{diff}");
        }
    }
}
