#!/usr/bin/env python3
"""Measures the cost of compiling an annotated struct, compared with serde and serde_json on the same structs.

The script writes two crates of the same structs into a temporary folder. In one, the structs derive `Object`, and the
program builds, compares, hashes, walks, rewrites, saves and loads them. In the other, they derive `Serialize` and
`Deserialize`; serde_json saves and loads them, and hand-written functions, one per type, walk and rewrite them. The
script compiles the crates in turns, without their dependencies, and prints the medians of the user CPU times.

    python3 measure/compile_cost.py [--types 200] [--rounds 5] [--profile dev --profile release]

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


def object_crate(n):
    lines = [
        "use object_core::json;",
        "use object_core::prelude::*;",
        "use object_core::rewrite::mutate;",
        "use object_core::visit::walk;",
    ]
    calls = []
    for i in range(n):
        left, right = (f"N{c}" if c else "Str" for c in children(i, n))
        lines.append(
            f'/// Type {i}.\n#[derive(Object)]\n#[object(type_key = "cost.N{i}")]\n#[structural_eq(tree)]\n'
            f"pub struct N{i}Node {{\n    pub id: i64,\n    pub name: Str,\n    pub parts: Array<{left}>,\n"
            f"    pub next: Option<{right}>,\n    pub flag: bool,\n}}"
        )
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
    return "\n".join(lines + calls + [main])


def serde_crate(n):
    lines = ["use serde::{Deserialize, Serialize};", "use std::sync::Arc;"]
    calls = []
    for i in range(n):
        left, right = (f"Arc<N{c}>" if c else "String" for c in children(i, n))
        lines.append(
            f"/// Type {i}.\n#[derive(Serialize, Deserialize)]\npub struct N{i} {{\n    pub id: i64,\n"
            f"    pub name: String,\n    pub parts: Vec<{left}>,\n    pub next: Option<{right}>,\n    pub flag: bool,\n}}"
        )
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
    return "\n".join(lines + calls + [main])


CRATES = {
    "object": (object_crate, f'object-core = {{ path = "{ROOT / "object-core"}" }}'),
    "serde": (serde_crate, 'serde = { version = "1", features = ["derive", "rc"] }\nserde_json = "1"'),
}


def write(folder, counts):
    names = [f"{kind}-{n}" for kind in CRATES for n in counts]
    members = ", ".join(f'"{name}"' for name in names)
    (folder / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = [{members}]\n')
    shutil.copy(ROOT / "Cargo.lock", folder / "Cargo.lock")
    for kind, (source, dependencies) in CRATES.items():
        for n in counts:
            crate = folder / f"{kind}-{n}"
            (crate / "src").mkdir(parents=True, exist_ok=True)
            (crate / "Cargo.toml").write_text(
                f'[package]\nname = "{kind}-{n}"\nedition = "2024"\n[dependencies]\n{dependencies}\n'
            )
            (crate / "src/main.rs").write_text(source(n))


def cargo(folder, *args, **env):
    env = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(folder / "target"), **env)
    result = subprocess.run(["cargo", *args], cwd=folder, env=env, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(result.stderr[-4000:])
    return result.stdout


def build(folder, name, profile):
    """The user CPU seconds of compiling the crate alone."""
    (folder / name / "src/main.rs").touch()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    cargo(folder, "build", "--offline", "--quiet", "-p", name, "--profile", profile)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--types", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=pathlib.Path, help="the folder for the crates and their builds, which the script then keeps")
    parser.add_argument("--profile", action="append", choices=["dev", "release"])
    args = parser.parse_args()
    few = max(args.types // 10, 1)
    with tempfile.TemporaryDirectory() as name:
        folder = args.folder or pathlib.Path(name)
        write(folder, [few, args.types])
        print("| profile | object, user s | serde, user s | ratio | object, bytes a type | serde, bytes a type |")
        print("|---|---|---|---|---|---|")
        for profile in args.profile or ["dev", "release"]:
            for kind in CRATES:
                for n in (few, args.types):
                    cargo(folder, "build", "--quiet", "-p", f"{kind}-{n}", "--profile", profile)
            times = {kind: [] for kind in CRATES}
            for _ in range(args.rounds):
                for kind in CRATES:
                    times[kind].append(build(folder, f"{kind}-{args.types}", profile))
            out = folder / "target" / ("debug" if profile == "dev" else profile)

            def growth(kind):
                sizes = []
                for n in (few, args.types):
                    binary = out / f"{kind}-{n}"
                    subprocess.run(["strip", str(binary)], check=True)
                    sizes.append(binary.stat().st_size)
                return (sizes[1] - sizes[0]) / (args.types - few)

            object_s, serde_s = (statistics.median(times[kind]) for kind in ("object", "serde"))
            sizes = [growth(kind) for kind in ("object", "serde")]
            print(
                f"| {profile} | {object_s:.2f} | {serde_s:.2f} | {object_s / serde_s:.2f} | {sizes[0]:.0f} | {sizes[1]:.0f} |"
            )
        lines = {}
        for kind in CRATES:
            texts = [
                cargo(folder, "rustc", "--offline", "--quiet", "-p", f"{kind}-{n}", "--", "-Zunpretty=expanded",
                      RUSTC_BOOTSTRAP="1").splitlines()
                for n in (few, args.types)
            ]
            lines[kind] = (len(texts[1]) - len(texts[0])) / (args.types - few)
        print(f"\nexpanded lines a type: object {lines['object']:.0f}, serde {lines['serde']:.0f}")


if __name__ == "__main__":
    main()
