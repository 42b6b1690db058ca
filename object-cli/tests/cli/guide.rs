//! The commands in the README and the guide give the results that stand there.

use std::fs;

use crate::harness::{objir, root};

/// The commands in blocks of text, with the lines after them.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut is_result = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ objir ") {
            commands.push((command.to_owned(), String::new()));
            is_result = true;
        } else if line.starts_with("```") {
            is_result = false;
        } else if let Some((_, result)) = commands.last_mut().filter(|_| is_result) {
            result.push_str(line);
            result.push('\n');
        }
    }
    commands
}

#[test]
fn the_commands_of_the_guide() {
    for file in ["README.md", "docs/7_scripts.md"] {
        let text = fs::read_to_string(root().join(file)).expect("a text");
        let commands = commands(&text);
        assert!(!commands.is_empty(), "{file} has no commands");
        for (command, expected) in commands {
            let run = objir(&command.split(' ').collect::<Vec<_>>());
            assert_eq!(run.stdout + &run.stderr, expected, "{file}: {command}");
        }
    }
}
