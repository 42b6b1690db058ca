"""Runs the dialect `small` and mistakes in its formats and texts through object-syntax, pliron and xDSL, and prints when and how each
of them reports a mistake. A peer that is not there is skipped.

    python measure/syntax_peers/run.py [--xdsl PYTHON] [--pliron DIRECTORY]

PYTHON is a Python with xDSL. DIRECTORY is a Cargo package with a dependency on pliron; its `src/main.rs` is overwritten.
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

TEXTS = {
    "object": """func above(x: Int, y: Int) {
    const 3 -> c: Int;
    add x, c -> s: Int;
    less s < y -> r: Bool;
    return r;
}
""",
    "pliron": """small.func above {
  ^entry(x: builtin.integer i64, y: builtin.integer i64):
    c = small.const <3: i64> : builtin.integer i64;
    s = small.add x, c : builtin.integer i64;
    r = small.less s < y : builtin.integer i1;
    small.return r
}
""",
    "xdsl": """small.func "above" {
^bb0(%x : i64, %y : i64):
  %c = small.const 3
  %s = small.add %x, %c
  %r = small.less %s < %y
  small.return %r
}
""",
}

# Each mistake: its name, and for each tool the text that it replaces and the replacement. A format that a tool accepts can be followed by
# a change of the text, so that the text has the format.
WRONG_FORMATS = [
    (
        "a field that does not exist",
        {
            "object": ("add $lhs, $rhs ->", "add $lhs, $rsh ->"),
            "pliron": ("$0 `, ` $1", "$0 `, ` $2"),
            "xdsl": ("$lhs `,` $rhs", "$lhs `,` $rsh"),
        },
    ),
    (
        "a field that is missing",
        {
            "object": ("add $lhs, $rhs ->", "add $lhs ->"),
            "pliron": ("$0 `, ` $1", "$0", "x, c", "x"),
            "xdsl": ("$lhs `,` $rhs", "$lhs"),
        },
    ),
    (
        "a field that stands twice",
        {
            "object": ("add $lhs, $rhs ->", "add $lhs, $rhs, $lhs ->"),
            "pliron": ("$0 `, ` $1", "$0 `, ` $1 `, ` $0", "x, c", "x, c, x"),
            "xdsl": ("$lhs `,` $rhs", "$lhs `,` $rhs `,` $lhs"),
        },
    ),
    (
        "a part that does not end",
        {
            "object": ("add $lhs, $rhs ->", "add $($lhs, $rhs ->"),
            "pliron": ("$0 `, ` $1", "$0 `, $1"),
            "xdsl": ("$lhs `,` $rhs", "$lhs `, $rhs"),
        },
    ),
    (
        "two operations with one text",
        {
            "object": ("less $lhs < $rhs ->", "add $lhs, $rhs ->"),
            "pliron": ('"small.less"', '"small.add"'),
            "xdsl": ('"small.less"', '"small.add"'),
        },
    ),
]
WRONG_TEXTS = [
    (
        "an unknown operation",
        {"object": ("add x", "ad x"), "pliron": ("small.add", "small.ad"), "xdsl": ("small.add", "small.ad")},
    ),
    ("a comma that is missing", {"object": ("x, c", "x c"), "pliron": ("x, c", "x c"), "xdsl": ("%x, %c", "%x %c")}),
    (
        "a name that nothing binds",
        {"object": ("x, c", "x, z"), "pliron": ("x, c", "x, z"), "xdsl": ("%x, %c", "%x, %z")},
    ),
    (
        "a name before its definition",
        {
            "object": ("const 3 -> c: Int;\n    add x, c -> s: Int;", "add x, c -> s: Int;\n    const 3 -> c: Int;"),
            "pliron": (
                "c = small.const <3: i64> : builtin.integer i64;\n    s = small.add x, c : builtin.integer i64;",
                "s = small.add x, c : builtin.integer i64;\n    c = small.const <3: i64> : builtin.integer i64;",
            ),
            "xdsl": ("%c = small.const 3\n  %s = small.add %x, %c", "%s = small.add %x, %c\n  %c = small.const 3"),
        },
    ),
    (
        "a name that is bound twice",
        {"object": ("s: Int", "c: Int"), "pliron": ("s = small", "c = small"), "xdsl": ("%s = small", "%c = small")},
    ),
    (
        "an operand of another type",
        {
            "object": ("y: Int", "y: Bool"),
            "pliron": ("y: builtin.integer i64", "y: builtin.integer i1"),
            "xdsl": ("%y : i64", "%y : i1"),
        },
    ),
    (
        "a sign that is missing in each of two operations",
        {
            "object": ("x, c -> s: Int;\n    less s <", "x c -> s: Int;\n    less s"),
            "pliron": (
                "x, c : builtin.integer i64;\n    r = small.less s <",
                "x c : builtin.integer i64;\n    r = small.less s",
            ),
            "xdsl": ("%x, %c\n  %r = small.less %s <", "%x %c\n  %r = small.less %s"),
        },
    ),
    (
        "a missing sign, and an unknown operation after it",
        {
            "object": ("x, c -> s: Int;\n    less", "x c -> s: Int;\n    les"),
            "pliron": (
                "x, c : builtin.integer i64;\n    r = small.less",
                "x c : builtin.integer i64;\n    r = small.les",
            ),
            "xdsl": ("%x, %c\n  %r = small.less", "%x %c\n  %r = small.les"),
        },
    ),
]


def changed(text, old, new):
    assert text.count(old) == 1, (old, text.count(old))
    return text.replace(old, new)


def shown(output):
    """The message without the trace of a peer."""
    output = re.split(r"\n\s*(?:Error backtrace|stack backtrace|outlined_attributes)", output)[0]
    return output.strip()


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, **options)
    return done.returncode, done.stdout, done.stderr


class Cargo:
    """A tool whose declarations Cargo compiles."""

    def __init__(self, name, directory):
        self.name, self.directory = name, pathlib.Path(directory)
        self.declaration = (HERE / f"small_{name}.rs").read_text()

    def run(self, declaration, text):
        (self.directory / "src/main.rs").write_text(declaration)
        code, _, errors = run(["cargo", "build", "--quiet", "--color", "never"], cwd=self.directory)
        if code != 0:
            return "compile: " + errors
        (self.directory / "text").write_text(text)
        environment = dict(os.environ, RUST_BACKTRACE="0")
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", self.directory / "target"))
        _, output, errors = run(
            [target / "debug" / self.name_of_program(), "text"], cwd=self.directory, env=environment
        )
        return output or "panic: " + errors

    def name_of_program(self):
        manifest = (self.directory / "Cargo.toml").read_text()
        return re.search(r'^name = "(.*)"', manifest, re.M).group(1)


class Xdsl:
    """xDSL, whose declarations are a program."""

    def __init__(self, python):
        self.name, self.python = "xdsl", python
        self.declaration = (HERE / "small_xdsl.py").read_text()

    def run(self, declaration, text):
        with tempfile.TemporaryDirectory() as directory:
            program, file = pathlib.Path(directory) / "small.py", pathlib.Path(directory) / "text"
            program.write_text(declaration)
            file.write_text(text)
            _, output, errors = run([self.python, program, "text"], cwd=directory)
            return output or "load: " + errors.strip().splitlines()[-1]


def lines(declaration):
    """The lines of the declaration without comments and empty lines."""
    declaration = re.search(r"\[declaration\]\n(.*)\n[^\n]*\[end\]", declaration, re.S).group(1)
    return sum(1 for line in declaration.splitlines() if line.strip() and not line.strip().startswith(("//", "#  ")))


def report(tool):
    text = TEXTS[tool.name]
    print(f"# {tool.name}: {lines(tool.declaration)} lines")
    right = shown(tool.run(tool.declaration, text))
    assert right.startswith("ok:"), right
    print(right)
    for kind, mistakes in (("format", WRONG_FORMATS), ("text", WRONG_TEXTS)):
        for name, changes in mistakes:
            change = changes[tool.name]
            declaration, given = tool.declaration, text
            if kind == "format":
                declaration = changed(declaration, *change[:2])
                given = changed(text, *change[2:]) if change[2:] else text
            else:
                given = changed(text, *change)
            print(f"\n## {kind}, {name}\n{shown(tool.run(declaration, given))}")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--xdsl", metavar="PYTHON")
    parser.add_argument("--pliron", metavar="DIRECTORY")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        package = pathlib.Path(directory)
        (package / "src").mkdir()
        dependencies = "".join(f'{name} = {{ path = "{ROOT / name}" }}\n' for name in ("object-core", "object-syntax"))
        (package / "Cargo.toml").write_text(
            f'[package]\nname = "small_object"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\n{dependencies}[workspace]\n'
        )
        (package / "Cargo.lock").write_text((ROOT / "Cargo.lock").read_text())
        report(Cargo("object", package))
    if arguments.pliron:
        report(Cargo("pliron", arguments.pliron))
    else:
        print("skipped: pliron, without --pliron")
    if arguments.xdsl and run([arguments.xdsl, "-c", "import xdsl"])[0] == 0:
        report(Xdsl(arguments.xdsl))
    else:
        print("skipped: xDSL, without --xdsl and a Python that has it")


if __name__ == "__main__":
    main()
