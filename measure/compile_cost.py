#!/usr/bin/env python3
"""Measures the cost of compiling an annotated struct, compared with the derives of std and serde on the same structs.

The script writes crates of the same structs into a folder, for each side a library and a program:

- library: the structs alone. They derive `Object` on one side, and `Debug`, `Clone`, `PartialEq`, `Eq`, `Hash`, `Serialize`
  and `Deserialize` on the other.
- program: the structs derive `Object`, and the program builds, compares, hashes, walks, rewrites, saves and loads them. On
  the other side, they derive `Serialize` and `Deserialize`; serde_json saves and loads them, and hand-written functions, one
  per type, walk and rewrite them.

The script compiles the crates in turns, without their dependencies, and prints the medians of the user CPU times. Sizes are
the growth per type: of the `.rlib` of a library, or of the stripped program.

    python3 measure/compile_cost.py [--types 200] [--rounds 5] [--shape library] [--command check --command dev]

It needs cargo and the dependencies of the workspace.
"""

import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def children(i, n):
    """The types of the children of type `i`. Two per type keep the nesting of types within the limits of the compiler."""
    return [c if c < n else None for c in (2 * i + 1, 2 * i + 2)]


def object_library(n):
    lines = ["use object_core::prelude::*;"]
    for i in range(n):
        left, right = (f"N{c}" if c else "Str" for c in children(i, n))
        lines.append(
            f'/// Type {i}.\n#[derive(Object)]\n#[object(type_key = "cost.N{i}")]\n#[structural_eq(tree)]\n'
            f"pub struct N{i}Node {{\n    pub id: i64,\n    pub name: Str,\n    pub parts: Array<{left}>,\n"
            f"    pub next: Option<{right}>,\n    pub flag: bool,\n}}"
        )
    return lines


def object_program(n):
    lines = ["use object_core::json;", *object_library(n), "use object_core::rewrite::mutate;", "use object_core::visit::walk;"]
    calls = []
    for i in range(n):
        parts, next_ = (f"n{c}()" if c else '"leaf"' for c in children(i, n))
        next_ = f"Some({next_}{'' if children(i, n)[1] else '.into()'})"
        calls.append(f'fn n{i}() -> N{i} {{ N{i}::new({i}, "n{i}", [{parts}{"" if children(i, n)[0] else ".into()"}], {next_}, true) }}')
    main = """fn main() {
    let (a, b) = (n0(), n0());
    println!("{:?} {:?}", structural_equal(&a, &b), structural_hash(&a));
    let text = json::to_string(&a).expect("it can be saved");
    let back: N0 = json::from_slice(text.as_bytes()).expect("it is a graph with a root of this type");
    println!("{:?}", structural_equal(&a, &back));
    let mut ids = 0;
    walk(&a, |n: &NLAST| ids += n.id);
    let next = |n: &NLAST| Some(NLAST::new(n.id + 1, n.name.clone(), n.parts.clone(), n.next.clone(), n.flag));
    println!("{ids} {:?}", structural_hash(&mutate(a, next).expect("it fits")));
}""".replace("NLAST", f"N{n - 1}")
    return lines + calls + [main]


def serde_library(n, derives="Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize"):
    lines = ["use serde::{Deserialize, Serialize};", "use std::sync::Arc;"]
    for i in range(n):
        left, right = (f"Arc<N{c}>" if c else "String" for c in children(i, n))
        lines.append(
            f"/// Type {i}.\n#[derive({derives})]\npub struct N{i} {{\n    pub id: i64,\n"
            f"    pub name: String,\n    pub parts: Vec<{left}>,\n    pub next: Option<{right}>,\n    pub flag: bool,\n}}"
        )
    return lines


def serde_program(n):
    lines = serde_library(n, "Serialize, Deserialize")
    calls = []
    for i in range(n):
        parts, next_ = (f"n{c}()" if c else '"leaf".into()' for c in children(i, n))
        calls.append(
            f'fn n{i}() -> Arc<N{i}> {{ Arc::new(N{i} {{ id: {i}, name: "n{i}".into(), parts: vec![{parts}], '
            f"next: Some({next_}), flag: true }}) }}"
        )
        walk_left, walk_right = ("x.walk(ids);" if c else "" for c in children(i, n))
        of_left, of_right = (f"N{c}::mutated" if c else "String::clone" for c in children(i, n))
        is_last = i == n - 1
        calls.append(
            f"impl N{i} {{\n    fn walk(&self, ids: &mut i64) {{ {'*ids += self.id; ' if is_last else ''}"
            + (f"for x in &self.parts {{ {walk_left} }} " if walk_left else "")
            + (f"if let Some(x) = &self.next {{ {walk_right} }} " if walk_right else "")
            + ("let _ = ids; " if not walk_left and not is_last else "")
            + f"}}\n    fn mutated(self: &Arc<Self>) -> Arc<Self> {{ Arc::new(N{i} {{ id: self.id{' + 1' if is_last else ''}, "
            f"name: self.name.clone(), parts: self.parts.iter().map({of_left}).collect(), "
            f"next: self.next.as_ref().map({of_right}), flag: self.flag }}) }}\n}}"
        )
    main = """fn main() {
    let text = serde_json::to_string(&n0()).expect("it can be saved");
    let back: Arc<N0> = serde_json::from_str(&text).expect("it is JSON");
    println!("{}", back.name);
    let mut ids = 0;
    back.walk(&mut ids);
    println!("{ids} {}", back.mutated().flag);
}"""
    return lines + calls + [main]


DEPENDENCIES = {
    "object": f'object-core = {{ path = "{ROOT / "object-core"}" }}',
    "serde": 'serde = { version = "1", features = ["derive", "rc"] }\nserde_json = "1"',
}
SOURCES = {
    ("object", "library"): object_library,
    ("object", "program"): object_program,
    ("serde", "library"): serde_library,
    ("serde", "program"): serde_program,
}
FILES = {"library": "lib.rs", "program": "main.rs"}
COMMANDS = {"check": ["check"], "dev": ["build"], "release": ["build", "--release"]}


def crate_name(kind, shape, n):
    return f"{kind}-{shape}-{n}"


def write(folder, shapes, counts):
    names = [crate_name(kind, shape, n) for kind, shape in SOURCES for n in counts if shape in shapes]
    members = ", ".join(f'"{name}"' for name in names)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = [{members}]\n')
    shutil.copy(ROOT / "Cargo.lock", folder / "Cargo.lock")
    shutil.copy(ROOT / "rust-toolchain.toml", folder / "rust-toolchain.toml")
    for (kind, shape), source in SOURCES.items():
        for n in counts if shape in shapes else []:
            name = crate_name(kind, shape, n)
            crate = folder / name
            (crate / "src").mkdir(parents=True, exist_ok=True)
            (crate / "Cargo.toml").write_text(
                f'[package]\nname = "{name}"\nedition = "2024"\n[dependencies]\n{DEPENDENCIES[kind]}\n'
            )
            (crate / "src" / FILES[shape]).write_text("\n".join(source(n)))


def cargo(folder, *args, **env):
    env = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(folder / "target"), **env)
    result = subprocess.run(["cargo", *args], cwd=folder, env=env, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(result.stderr[-4000:])
    return result.stdout


def seconds(folder, name, shape, command):
    """The user CPU seconds of compiling the crate alone."""
    (folder / name / "src" / FILES[shape]).touch()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    cargo(folder, *COMMANDS[command], "--offline", "--quiet", "-p", name)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def size(folder, name, shape, command):
    """The size of the library or of the stripped program in bytes; none after a check."""
    out = folder / "target" / ("release" if command == "release" else "debug")
    if command == "check":
        return 0
    if shape == "library":
        return (out / f"lib{name.replace('-', '_')}.rlib").stat().st_size
    subprocess.run(["strip", str(out / name)], check=True)
    return (out / name).stat().st_size


def measure(folder, shape, command, counts, rounds):
    """Prints a row of the table."""
    few, many = counts
    for kind in DEPENDENCIES:
        for n in counts:
            cargo(folder, *COMMANDS[command], "--quiet", "-p", crate_name(kind, shape, n))
    times = {kind: [] for kind in DEPENDENCIES}
    for _ in range(rounds):
        for kind in DEPENDENCIES:
            times[kind].append(seconds(folder, crate_name(kind, shape, many), shape, command))

    def growth(kind):
        sizes = [size(folder, crate_name(kind, shape, n), shape, command) for n in counts]
        return (sizes[1] - sizes[0]) / (many - few)

    object_s, serde_s = (statistics.median(times[kind]) for kind in DEPENDENCIES)
    object_size, serde_size = (growth(kind) for kind in DEPENDENCIES)
    sizes = f"{object_size:.0f} | {serde_size:.0f} | {object_size / serde_size:.2f}" if serde_size else "| |"
    print(f"| {shape} | {command} | {object_s:.2f} | {serde_s:.2f} | {object_s / serde_s:.2f} | {sizes} |", flush=True)


def expanded_lines(folder, counts):
    """The lines of a type in the expanded library, for each side."""
    few, many = counts
    for kind in DEPENDENCIES:
        texts = [
            cargo(folder, "rustc", "--offline", "--quiet", "-p", crate_name(kind, "library", n), "--", "-Zunpretty=expanded",
                  RUSTC_BOOTSTRAP="1").splitlines()
            for n in counts
        ]
        print(f"expanded lines a type, {kind}: {(len(texts[1]) - len(texts[0])) / (many - few):.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--types", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, help="the folder for the crates and their builds, which the script then keeps")
    parser.add_argument("--shape", action="append", choices=list(FILES))
    parser.add_argument("--command", action="append", choices=list(COMMANDS))
    args = parser.parse_args()
    counts = (max(args.types // 10, 1), args.types)
    shapes = args.shape or list(FILES)
    with tempfile.TemporaryDirectory() as name:
        folder = args.folder or pathlib.Path(name)
        write(folder, shapes, counts)
        print("| shape | command | object, user s | serde, user s | ratio | object, bytes a type | serde, bytes a type | ratio |")
        print("|---|---|---|---|---|---|---|---|")
        for shape in shapes:
            for command in args.command or list(COMMANDS):
                measure(folder, shape, command, counts, args.rounds)
        if "library" in shapes:
            print()
            expanded_lines(folder, counts)


if __name__ == "__main__":
    main()
