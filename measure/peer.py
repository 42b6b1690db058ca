"""Compares the speed of this project with TVM's on the same JSON graph files.

    cargo build --profile dist -p object-cli -p object-benches
    python measure/peer.py --programs target/dist fixtures/*.json.gz

Needs a Python with apache-tvm==0.25.0 for files of TVM 0.25, and with apache-tvm==0.27.0.post1 and
apache-tvm-ffi==0.1.14.post1 for files of TVM 0.27. Each side runs as a command that prints one JSON line
{"op": .., "seconds": ..} per operation: the CPU time of the thread, the median of many repeats.
Ours is `objir bench FILE --json`, and `memory FILE` of the crate `benches`; TVM's is this script with
`--peer=..`. The sides take turns for `--rounds` rounds, so that other load on the machine affects both,
and the table shows the medians of the rounds. The script reports a crash of either side and continues
with the next file. `measure/workloads.py` writes files of simple shapes.

A folder is one input, for figures of *cold* code: each repeat runs an operation once on each file of the folder. With
many different files of one size, the branch predictor and the caches of the processor cannot learn an input, as they do
when an operation repeats on one file. The row of a folder counts the nodes of all its files.

The operations, on a file loaded into memory as text:

    load      text to objects               tvm_ffi.serialization.from_json_graph_str
    load_py   the same                      tvm.ir.load_json: it parses and prints the text in Python first
    save      objects to text               tvm_ffi.serialization.to_json_graph_str
    save_py   the same                      tvm.ir.save_json
    equal     of two separate loads         tvm_ffi.structural_equal
    mismatch  of the same two (there is     tvm_ffi.get_first_structural_mismatch
              none: the search runs to the end)
    hash                                    tvm_ffi.structural_hash
    walk      every object once, without    tirx.PostOrderVisit and relax.analysis.post_order_visit of the root,
              a callback                    or of each function of a module, with a callback in C++ that returns
                                            its argument. They visit expressions and statements only, ours visits
                                            every node
    mutate    a rewrite that changes        its base classes of rewrites, in C++ without a callback: ExprMutator of
              nothing                       Relax (the pass relax.testing.transform.ApplyEmptyCppMutator), and the
                                            mutator of statements and expressions of TIR (tirx.Substitute of a
                                            variable that does not occur). The one of Relax creates every function
                                            and block anew, ours returns the root; theirs visit the objects of
                                            `walk`, ours every node
    substitute                              tirx.Substitute, of a root that is an expression or a statement of TIR.
              of the first free variable    In tree-N of measure/workloads.py the variable is 0.4 percent of the visits
              by a new one
    derive    the struct_info_ of calls,    relax.BlockBuilder(module).normalize of each function of Relax, without the
              tuples, members, conditionals creation of the builder. Both sides start from a program without these
              and sequences, and of bound   struct_info_; leaves, functions, parameters and global variables keep
              variables                     theirs. Theirs writes into the given objects, and also registers each
                                            binding in the builder, gives names to nested calls and applies the
                                            FNormalize of operators; ours makes new objects, leaves the given ones
                                            as they are, and also checks results and purity of functions. The texts
                                            of facts that are not errors, which TVM does not have, are not part of
                                            the time: `Derived::findings` makes them
    normalize the normal form of the file   the pass relax.transform.Normalize. The files of a compiler are in normal form
              as it is                      already: ours finds that out and returns the given program; theirs visits it
                                            and makes new functions and blocks
    check     all rules at their levels,    relax.analysis.check_well_formed of the module or function, which ends at the
              of a module or function       first violation; ours finds all
    accept    normalize and check: the sum  the same
              of the two rows
    run       each entry of a module with   relax.VirtualMachine on the CPU, of the module after LegalizeOps, built for
              random arguments; symbolic    LLVM without schedules. The build is not part of the time
              dimensions have the size 4
    print     objects to their script       script(show_meta=True) of the module. Both make the text alone, without
                                            the places of objects in it
    parse     the script to objects         tvm.script.from_source without the check of well-formedness. Both read the
                                            text that TVM prints
    copy      deep                          ffi.DeepCopy
    drop      of one load                   release of the last reference
    memory    of one load                   growth of the process in resident bytes

Ours computes with the types of TVM 0.25. `print`, `parse` and `check` of a file of TVM 0.27 contain the conversion of the
graph; `derive`, `normalize` and `run` begin after it.

TVM's numbers include one call from Python, below a microsecond; for `walk` one per function. The table counts the nodes of
the file. It has no number for an operation that TVM refuses.
"""

import argparse
import functools
import gzip
import json
import statistics
import subprocess
import sys
import time
import typing
from pathlib import Path

OPERATIONS = ["load", "load_py", "save", "save_py", "equal", "mismatch", "hash", "walk"]
OPERATIONS += ["mutate", "substitute", "print", "parse", "derive", "normalize", "check", "accept", "run", "copy", "drop", "memory"]
# The types of expressions whose structural information follows from their parts, of all versions.
DERIVED = {f"relax.expr.{name}" for name in ("Call", "Tuple", "TupleGetItem", "If", "SeqExpr")}
DERIVED |= {"ir.Call", "ir.Tuple", "ir.TupleGetItem"}
# The operations whose times are the sums of others.
SUMS = {"accept": ["normalize", "check"]}
# Our operation for each operation that only the peer has.
OURS = {"load_py": "load", "save_py": "save"}
ENOUGH_TEXT = 64 << 20  # bytes of text to load for the measurement of memory, which grows in pages
TIMEOUT = 600  # seconds for one side and one file


def read(path):
    """The text of a file, unpacked if its name ends in .gz."""
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as file:
        return file.read()


# ---------------------------------------------------------------------------------------------
# TVM's side


def seconds_of(work, prepare):
    """The CPU time of `work([prepare()])`; only `work` is timed."""
    argument = [prepare()]
    start = time.thread_time()
    work(argument)
    return time.thread_time() - start


def median_seconds(operations, least=5, most=2000, seconds=0.2):
    """The median CPU time of many passes over pairs of `work` and `prepare`."""
    times = []
    while len(times) < least or (len(times) < most and sum(times) < seconds):
        times.append(sum(seconds_of(*operation) for operation in operations))
    return statistics.median(times)


def resident():
    """The resident memory of this process in bytes."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) * 1024


def peer_memory(path):
    """Prints the JSON line of TVM's memory. It needs a new process, which has freed nothing."""
    import tvm  # noqa: F401, PLC0415  registers TVM's types
    import tvm_ffi  # noqa: PLC0415

    text = read(path)
    load = tvm_ffi.serialization.from_json_graph_str
    loaded = [load(text)]
    before = resident()
    copies = 2 + ENOUGH_TEXT // len(text)
    loaded += [load(text) for _ in range(copies)]
    print(json.dumps({"op": "memory", "bytes": (resident() - before) // copies}), flush=True)


def peer_walks(root):
    """The functions that walk `root` in TVM, to be called in order; none if this TVM has none for a part of it."""
    import tvm  # noqa: PLC0415
    import tvm_ffi  # noqa: PLC0415

    do_nothing = tvm_ffi.get_global_func("testing.echo")
    of_relax = tvm_ffi.get_global_func("relax.analysis.post_order_visit")
    of_tirx = tvm_ffi.get_global_func("tirx.PostOrderVisit", allow_missing=True)
    walks = []
    functions = root.functions.values() if isinstance(root, tvm.IRModule) else [root]
    if of_tirx is None:
        is_relax = all(isinstance(function, tvm.relax.Function) for function in functions)
        return [functools.partial(of_relax, function, do_nothing) for function in functions] if is_relax else []
    for function in functions:
        if isinstance(function, tvm.tirx.PrimFunc):  # Relax counts these as expressions, but its walk does not
            walks.append(functools.partial(of_tirx, function.body, do_nothing))
        else:
            walk = of_relax if isinstance(function, tvm.ir.RelaxExpr) else of_tirx
            walks.append(functools.partial(walk, function, do_nothing))
    return walks


def peer_rewrites(root):
    """The functions that rewrite `root` in TVM without a change, to be called in order; none if this TVM has none for a part."""
    import tvm  # noqa: PLC0415
    import tvm_ffi  # noqa: PLC0415

    substitute = tvm_ffi.get_global_func("tirx.Substitute", allow_missing=True)
    variable = tvm.tirx.Var("unused", "int32")
    nowhere = {variable: variable}
    if isinstance(root, tvm.relax.Function):
        root = tvm.IRModule({"main": root})
    if not isinstance(root, tvm.IRModule):
        if substitute is None:
            return []
        body = root.body if isinstance(root, tvm.tirx.PrimFunc) else root
        return [functools.partial(substitute, body, nowhere)]
    # The pass does not rewrite functions of TIR.
    of_relax = tvm_ffi.get_global_func("relax.testing.transform.ApplyEmptyCppMutator")()
    bodies = [function.body for function in root.functions.values() if isinstance(function, tvm.tirx.PrimFunc)]
    if bodies and substitute is None:
        return []
    return [functools.partial(of_relax, root), *(functools.partial(substitute, body, nowhere) for body in bodies)]


def peer_substitution(root):
    """A function that replaces the first free variable of `root` in TVM by a new one; None if TVM has none."""
    import tvm  # noqa: PLC0415
    import tvm_ffi  # noqa: PLC0415

    bases = tuple(filter(None, [getattr(tvm.ir, "PrimExpr", None), tvm.tirx.Stmt]))
    substitute = tvm_ffi.get_global_func("tirx.Substitute", allow_missing=True)
    if substitute is None or not isinstance(root, bases):
        return None
    free = tvm_ffi.get_global_func("tirx.analysis.UndefinedVars")(root, [])
    if not free:
        return None
    fresh = {free[0]: tvm.tirx.Var(free[0].name, free[0].dtype)}
    return functools.partial(substitute, root, fresh)


def without_struct_info(text):
    """The JSON graph without the structural information of types in DERIVED and of bound variables; None if it has none."""
    graph = json.loads(text)
    nodes = graph["nodes"]
    bindings = [node for node in nodes if node["type"] in ("relax.expr.VarBinding", "relax.expr.MatchCast")]
    derived = [nodes[binding["data"]["var"]] for binding in bindings]
    derived += [node for node in nodes if node["type"] in DERIVED and not is_scalar_call(nodes, node)]
    if not derived:
        return None
    # TVM 0.27 has a type that stands for an unknown one.
    is_merged = "ty" in derived[0]["data"]
    for node in derived:
        node["data"]["ty" if is_merged else "struct_info_"] = len(nodes)
    nodes.append({"type": "ir.Type", "data": {}} if is_merged else {"type": "None"})
    return json.dumps(graph)


def is_scalar_call(nodes, node):
    """Whether the node is a call of an operator of loop programs, whose type does not follow from its arguments."""
    op = nodes[node["data"]["op"]] if node["type"] == "ir.Call" else {}
    return op.get("type") == "ir.Op" and not op["data"].startswith("relax.")


def peer_derivation(text):
    """The functions that load a program without structural information in TVM, and that derive it; None if it has none."""
    import tvm  # noqa: PLC0415
    import tvm_ffi  # noqa: PLC0415
    from tvm import relax  # noqa: PLC0415

    bare = without_struct_info(text)
    if bare is None:
        return None

    def prepare():
        root = tvm_ffi.serialization.from_json_graph_str(bare)
        is_module = isinstance(root, tvm.IRModule)
        functions = root.functions.values() if is_module else [root]
        builder = relax.BlockBuilder(root if is_module else None)
        return builder, [function for function in functions if isinstance(function, relax.Function)]

    def work(argument):
        builder, functions = argument[0]
        argument.append([builder.normalize(function) for function in functions])  # the time excludes the drop

    return work, prepare


def peer_normalization(root):
    """A function that normalizes a program of Relax in TVM; None for other roots."""
    import tvm  # noqa: PLC0415
    from tvm import relax  # noqa: PLC0415

    if isinstance(root, relax.Function):
        root = tvm.IRModule({"main": root})
    if not isinstance(root, tvm.IRModule) or not any(isinstance(it, relax.Function) for it in root.functions.values()):
        return None
    return functools.partial(relax.transform.Normalize(), root)


def peer_run(root):
    """A function that calls each entry of a module in TVM's virtual machine; None if TVM does not build or run it."""
    import numpy as np  # noqa: PLC0415
    import tvm  # noqa: PLC0415
    from tvm import relax  # noqa: PLC0415

    random = np.random.default_rng(0)

    tuples = getattr(relax, "TupleStructInfo", None) or tvm.ir.TupleType
    info_of = lambda param: getattr(param, "struct_info", None) or param.ty  # noqa: E731

    def argument(info):
        if isinstance(info, tuples):
            return tuple(argument(field) for field in info.fields)
        shape = [int(dim) if isinstance(dim, tvm.tirx.IntImm) else 4 for dim in info.shape]
        is_float = "float" in str(info.dtype)
        array = random.uniform(-1, 1, shape) if is_float else random.integers(0, 4, shape)
        return tvm.runtime.tensor(array.astype(str(info.dtype)))

    if not isinstance(root, tvm.IRModule):
        return None
    try:
        functions = {var.name_hint: it for var, it in root.functions.items() if isinstance(it, relax.Function)}
        entries = {name: it for name, it in functions.items() if "global_symbol" in (it.attrs or {})}
        machine = relax.VirtualMachine(relax.build(relax.transform.LegalizeOps()(root), "llvm"), tvm.cpu())
        arguments = {name: [argument(info_of(param)) for param in it.params] for name, it in entries.items()}
        run = lambda: [machine[name](*given) for name, given in arguments.items()]  # noqa: E731
        run()
    except Exception as error:  # noqa: BLE001
        print(f"run: {error}", file=sys.stderr)
        return None
    return run if entries else None


def peer_parse(script):
    """The function that reads a script in TVM; None if TVM does not read it."""
    import tvm  # noqa: PLC0415
    from tvm.script.parser import ir, relax, tirx  # noqa: PLC0415

    names = {"I": ir, "R": relax, "T": tirx, "tvm": tvm, "TypeVar": typing.TypeVar}
    work = functools.partial(tvm.script.from_source, script, names, check_well_formed=False)
    try:
        work()
    except Exception:  # noqa: BLE001
        return None
    return work


def peer_operations(path, map_free_vars, wanted):
    """The list of kept results, and {name: (work, prepare)} of the wanted operations of TVM on a file, except memory."""
    import tvm  # noqa: PLC0415
    import tvm_ffi  # noqa: PLC0415
    from tvm import relax  # noqa: PLC0415

    text = read(path)
    load = tvm_ffi.serialization.from_json_graph_str
    save = tvm_ffi.serialization.to_json_graph_str
    lhs, rhs = load(text), load(text)
    if not tvm_ffi.structural_equal(lhs, rhs, map_free_vars):
        sys.exit("two loads are not equal, so there is nothing to compare: try --map-free-vars")
    metadata = {"tvm_version": tvm.__version__}
    walks, copy = peer_walks(lhs), tvm_ffi.get_global_func("ffi.DeepCopy")
    rewrites, substitution = peer_rewrites(lhs), peer_substitution(lhs)
    kept = []  # keeps a result until the clock has stopped, so that the time excludes its drop
    nothing = lambda: None  # noqa: E731
    work = {
        "load": (lambda _: kept.append(load(text)), kept.clear),
        "load_py": (lambda _: kept.append(tvm.ir.load_json(text)), kept.clear),
        "save": (lambda _: save(lhs, metadata), nothing),
        "save_py": (lambda _: tvm.ir.save_json(lhs), nothing),
        "equal": (lambda _: tvm_ffi.structural_equal(lhs, rhs, map_free_vars), nothing),
        "mismatch": (lambda _: tvm_ffi.get_first_structural_mismatch(lhs, rhs, map_free_vars), nothing),
        "hash": (lambda _: tvm_ffi.structural_hash(lhs, map_free_vars), nothing),
        "copy": (lambda _: kept.append(copy(lhs)), kept.clear),
        "drop": (lambda held: held.clear(), lambda: load(text)),  # the list holds the only reference
    }
    if walks:
        work["walk"] = (lambda _: [walk() for walk in walks], nothing)
    if rewrites:
        work["mutate"] = (lambda _: kept.extend(rewrite() for rewrite in rewrites), kept.clear)
    if substitution:
        work["substitute"] = (lambda _: kept.append(substitution()), kept.clear)
    if wanted & {"print", "parse"} and hasattr(lhs, "script"):
        script = lhs.script(show_meta=True)
        work["print"] = (lambda _: lhs.script(show_meta=True), nothing)
        if "parse" in wanted and (parse := peer_parse(script)):
            work["parse"] = (lambda _: kept.append(parse()), kept.clear)
    if "derive" in wanted and (derivation := peer_derivation(text)):
        work["derive"] = derivation
    if "normalize" in wanted and (normalization := peer_normalization(lhs)):
        work["normalize"] = (lambda _: kept.append(normalization()), kept.clear)
    if isinstance(lhs, tvm.IRModule | relax.Function):
        work["check"] = (lambda _: relax.analysis.check_well_formed(lhs), nothing)
    if "run" in wanted and (run := peer_run(lhs)):
        work["run"] = (lambda _: kept.append(run()), kept.clear)
    return kept, {name: operation for name, operation in work.items() if name in wanted}


def peer_times(paths, map_free_vars, wanted):
    """Prints a JSON line for each operation that TVM has for all files. A repeat runs it once on each file."""
    subjects = [peer_operations(path, map_free_vars, wanted) for path in paths]
    for name in subjects[0][1]:
        if not all(name in work for _, work in subjects):
            continue
        try:
            seconds = median_seconds([work[name] for _, work in subjects])
            print(json.dumps({"op": name, "seconds": seconds}), flush=True)
        except (RuntimeError, TypeError) as error:  # TVM cannot walk or copy every type
            print(f"{name}: {error}", file=sys.stderr)
        for kept, _ in subjects:
            kept.clear()


# ---------------------------------------------------------------------------------------------
# Taking turns


def measure(command):
    """Runs a command that prints JSON lines; returns {op: seconds or bytes} of the lines, and an error or None."""
    try:
        run = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as late:
        output, error = late.stdout or b"", f"not finished after {TIMEOUT} seconds; `--operations` leaves slow ones out"
    else:
        output, error = run.stdout, None
        if run.returncode < 0:
            error = f"killed by signal {-run.returncode}"
        elif run.returncode > 0:
            error = (run.stderr.decode().strip().splitlines() or [f"exit code {run.returncode}"])[-1]
    lines = [json.loads(line) for line in output.decode().splitlines() if line.strip().endswith("}")]
    return {line["op"]: line.get("seconds", line.get("bytes")) for line in lines}, error


def files_of(path):
    """The files of a folder, or the file itself."""
    suffixes = (".json", ".json.gz")
    return sorted(str(file) for file in path.iterdir() if file.name.endswith(suffixes)) if path.is_dir() else [str(path)]


def figure_of(figures, operation):
    """The figure of an operation in {op: figure}, or the sum of its parts; None if one is missing."""
    parts = [figures.get(part) for part in SUMS.get(operation, [operation])]
    return None if None in parts else sum(parts)


def compare(sides, rounds):
    """Runs the commands of the sides in turn; returns {side: {op: median seconds or bytes}} and {side: error}."""
    figures, errors = {side: {} for side in sides}, {}
    for _ in range(rounds):
        for side, commands in sides.items():
            if side in errors:
                continue
            for command in commands:
                try:
                    measured, error = measure(command)
                except (OSError, ValueError) as failure:
                    measured, error = {}, str(failure)
                for name, figure in measured.items():
                    figures[side].setdefault(name, []).append(figure)
                if error:
                    errors[side] = error
                    break
    medians = {side: {name: statistics.median(s) for name, s in ops.items()} for side, ops in figures.items()}
    return medians, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="JSON graph, .json or .json.gz, or a folder of them")
    parser.add_argument("--programs", default="target/dist", type=Path, help="the folder of our programs (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each side (default: %(default)s)")
    parser.add_argument("--map-free-vars", action="store_true", help="for both sides; files with free variables need it")
    parser.add_argument(
        "--operations", default=",".join(OPERATIONS), metavar="NAMES", help="the operations to measure, with commas (default: all)"
    )
    parser.add_argument("--peer", choices=["times", "memory"], help="measure TVM alone and print JSON lines")
    args = parser.parse_args()
    operations = args.operations.split(",")
    if unknown := sorted(set(operations) - set(OPERATIONS)):
        parser.error(f"no operation `{unknown[0]}`; there are {', '.join(OPERATIONS)}")
    wanted = {part for name in operations for part in SUMS.get(name, [name])}
    if args.peer:
        for path in args.files:
            if args.peer == "memory":
                peer_memory(str(path))
            else:
                peer_times(files_of(path), args.map_free_vars, wanted)
        return

    flags = ["--map-free-vars"] if args.map_free_vars else []
    width = max(len("file"), *(len(path.name) for path in args.files))
    print(f"{'file':{width}}  {'nodes':>8}  {'op':10}  {'peer':>9}  {'ours':>9}  per node  {'ratio':>7}")
    failed = False
    for path in args.files:
        name, nodes = path.name, sum(len(json.loads(read(file))["nodes"]) for file in files_of(path))
        sides = {
            "peer": [[sys.executable, __file__, "--peer=times", f"--operations={args.operations}", path, *flags]],
            "ours": [[args.programs / "objir", "bench", path, "--json", "--max-steps", str(1 << 50), *flags]],
        }
        if "memory" in wanted and not path.is_dir():  # the memory of a process has no cold figure
            sides["peer"].append([sys.executable, __file__, "--peer=memory", path, *flags])
            sides["ours"].append([args.programs / "memory", path])
        medians, errors = compare(sides, args.rounds)
        for side, error in errors.items():
            failed = True
            print(f"{name:{width}}  {nodes:8}  {side} failed: {error}", flush=True)
        for operation in operations:
            peers = figure_of(medians["peer"], operation)
            ours = figure_of(medians["ours"], OURS.get(operation, operation))
            if peers is None and ours is None:
                continue
            unit, scale = ("B ", 1) if operation == "memory" else ("ns", 1e9)
            cells = [f"{'-':>9}" if figure is None else f"{figure / nodes * scale:9.2f}" for figure in (peers, ours)]
            ratio = f"{peers / ours:6.1f}x" if peers and ours else f"{'-':>7}"
            print(f"{name:{width}}  {nodes:8}  {operation:10}  {cells[0]}  {cells[1]}  {unit:8}  {ratio}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
