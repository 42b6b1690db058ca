"""Checks that TVM reads the scripts of this project wherever TVM reads its own.

    cargo build --profile dist -p object-cli
    python measure/peer_scripts.py --programs target/dist FILES

Needs a Python with apache-tvm==0.25.0. The files are JSON graphs of modules and functions; others are left out. For each
file, both sides print the program with its metadata, TVM by `script(show_meta=True, verbose_expr=True)` and ours by
`objir fmt`, and TVM reads both texts without the check of well-formedness. A text reads if the result is structurally
equal to the program. The table counts the programs by the outcomes, and then lists the programs whose own text TVM reads
and ours not. The exit code is 1 if there are any.
"""

import argparse
import collections
import gzip
import json
import subprocess
import sys
from pathlib import Path

BATCH = 200  # files per call of `objir`
PROGRAMS = {"ir.IRModule", "relax.expr.Function", "tirx.PrimFunc"}


def read(path):
    """The text of a file, unpacked if its name ends in .gz."""
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as file:
        return file.read()


def is_program(path):
    """Whether the root of the graph is a module or a function."""
    try:
        graph = json.loads(read(path))
        return graph["nodes"][graph["root_index"]]["type"] in PROGRAMS
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def our_scripts(programs, paths):
    """Our texts by file; a file that `objir` does not load has none."""
    run = subprocess.run([programs / "objir", "fmt", "--json", *paths], capture_output=True, text=True, check=False)
    texts = {line["file"]: line["script"] for line in map(json.loads, run.stdout.splitlines())}
    if run.returncode == 0 or len(paths) == 1:
        return texts
    # The run ends at the first file that does not load.
    return our_scripts(programs, paths[: len(paths) // 2]) | our_scripts(programs, paths[len(paths) // 2 :])


# ---------------------------------------------------------------------------------------------
# TVM's side: a process that reads lines {"file", "script"} and writes lines {"own", "ours", "is_same"}


def outcome(text, program):
    """How TVM reads a text: `equal`, `another program`, or `error` with its message."""
    import tvm  # noqa: PLC0415
    import tvm_ffi  # noqa: PLC0415
    from tvm.script.parser import ir, relax, tirx  # noqa: PLC0415

    names = {"I": ir, "R": relax, "T": tirx, "tvm": tvm}
    try:
        result = tvm.script.from_source(text, names, check_well_formed=False)
        return "equal" if tvm_ffi.structural_equal(result, program, True) else "another program"
    except BaseException as error:  # noqa: BLE001  TVM reports errors of scripts as exits, too
        lines = str(error).strip().splitlines()
        return f"error: {lines[-1] if lines else type(error).__name__}"


def peer():
    """Answers each line of standard input."""
    import tvm  # noqa: F401, PLC0415  registers TVM's types
    import tvm_ffi  # noqa: PLC0415

    for line in sys.stdin:
        given = json.loads(line)
        program = tvm_ffi.serialization.from_json_graph_str(read(given["file"]))
        try:
            own = program.script(show_meta=True, verbose_expr=True)
        except Exception as error:  # noqa: BLE001
            print(json.dumps({"own": f"prints not: {error}", "ours": outcome(given["script"], program), "is_same": False}))
            sys.stdout.flush()
            continue
        is_same = own.rstrip() == given["script"].rstrip()
        read_own = outcome(own, program)
        ours = read_own if is_same else outcome(given["script"], program)
        print(json.dumps({"own": read_own, "ours": ours, "is_same": is_same}), flush=True)


def start():
    """A new process of TVM's side."""
    command = [sys.executable, __file__, "--peer", "."]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    )


def ask(process, file, script):
    """The answer of TVM's side about a file; None if the process ended."""
    try:
        process.stdin.write(json.dumps({"file": file, "script": script}) + "\n")
        process.stdin.flush()
    except OSError:
        return None
    line = process.stdout.readline()
    return json.loads(line) if line.strip() else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON graph, .json or .json.gz")
    parser.add_argument("--programs", default="target/dist", type=Path, help="the folder of our programs (default: %(default)s)")
    parser.add_argument("--peer", action="store_true", help="be TVM's side")
    args = parser.parse_args()
    if args.peer:
        return peer()

    files = [path for path in args.files if is_program(path)]
    counts, worse = collections.Counter(), []
    process = start()
    for first in range(0, len(files), BATCH):
        texts = our_scripts(args.programs, files[first : first + BATCH])
        for file in files[first : first + BATCH]:
            if file not in texts:
                counts["left out: `objir` does not load the file"] += 1
                continue
            answer = ask(process, file, texts[file])
            if answer is None:
                process.kill()
                process = start()
                counts["left out: TVM does not load the file, or ends"] += 1
                continue
            own, ours = (answer[side].split(":")[0] for side in ("own", "ours"))
            texts_are = "the same text" if answer["is_same"] else "two texts"
            counts[f"{texts_are}; TVM reads its own as: {own}; ours as: {ours}"] += 1
            if own == "equal" and ours != "equal":
                worse.append(f"{file}: {answer['ours']}")
    process.stdin.close()
    for outcome_, count in sorted(counts.items(), key=lambda item: -item[1]):
        print(f"{count:6}  {outcome_}")
    for line in worse:
        print(line)
    sys.exit(bool(worse))


if __name__ == "__main__":
    main()
