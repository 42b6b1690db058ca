//! Findings as commands of workflows of GitHub, which shows each of them at its line.

use crate::finding::{Finding, Level};

/// The command for a finding, on one line.
pub(crate) fn command(finding: &Finding) -> String {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let mut properties = Vec::new();
    if let Some(file) = &finding.file {
        properties.push(format!("file={}", property(file)));
    }
    if let Some((line, column)) = finding.place {
        properties.push(format!("line={line},col={column}"));
    }
    properties.push(format!("title={}", property(finding.name())));
    let path = finding.path.as_ref().filter(|_| finding.place.is_none()).map(|path| format!(" (at {path})"));
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}"));
    let message = format!("{}{}{}", finding.message, path.unwrap_or_default(), help.unwrap_or_default());
    format!("::{level} {}::{}", properties.join(","), data(&message))
}

/// A message: line ends would end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which also ends at a comma or a colon.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_end_its_command() {
        let finding = Finding {
            file: Some("a,b:c%.py".to_owned()),
            place: Some((3, 7)),
            rule: Some("unbound-var"),
            help: Some("bind it".to_owned()),
            ..Finding::new(Level::Warning, "violation", "100%: x, y")
        };
        let expected = "::warning file=a%2Cb%3Ac%25.py,line=3,col=7,title=unbound-var::100%25: x, y%0Ahelp: bind it";
        assert_eq!(command(&finding), expected);
        let bare = Finding::new(Level::Error, "malformed", "a\r\nb");
        assert!(!command(&bare).contains(['\r', '\n']), "{}", command(&bare));
    }
}
