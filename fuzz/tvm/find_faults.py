"""Finds faults of the passes of the installed TVM: crashes, exceptions, ill-formed results and wrong results.

    cargo run --release -p object-tests --bin random_programs -- PROGRAMS --count 1000
    python fuzz/tvm/find_faults.py find PROGRAMS/*.json --out FAULTS

Needs the package objir and TVM in one Python. Each pass runs on each module in a process of its own, because some end it. A wrong
result is a verdict `different` of `objir.compare`, which never rests on NaN. Faults with one pass, one kind and one first
operator are one fault; the first module of each is reduced by `objir reduce` and written to the folder FAULTS, as TVM prints it, with
a line that says what happens. A fault is confirmed if TVM's own parser reads this script and the fault is there again, which rules out
the way of objir into TVM as its cause. `find_faults.py try PASS FILE` repeats one case.
"""

import argparse
import faulthandler
import multiprocessing
import os
import pathlib
import re
import shlex
import subprocess
import sys

# For each pass, the passes before it that bring a program into the form that it expects.
LEGAL = ("LegalizeOps",)
DESTINATION = (*LEGAL, "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite")
PASSES = {
    "AdjustMatmulOrder": (),
    "AllocateWorkspace": (),
    "AnnotateTIROpPattern": LEGAL,
    "AttachAttrLayoutFreeBuffers": LEGAL,
    "AttachGlobalSymbol": (),
    "CallTIRRewrite": DESTINATION[:-1],
    "CanonicalizeBindings": (),
    "CombineParallelMatmul": (),
    "ComputePrimValue": (),
    "ConvertToDataflow": (),
    "DataflowUseInplaceCalls": (),
    "DeadCodeElimination": (),
    "DecomposeOpsForInference": (),
    "EliminateCommonSubexpr": (),
    "ExpandMatmulOfSum": (),
    "ExpandTupleArguments": (),
    "FoldConstant": (),
    "FuseOps": (*LEGAL, "AnnotateTIROpPattern"),
    "FuseTIR": (*LEGAL, "AnnotateTIROpPattern", "FuseOps"),
    "InlinePrivateFunctions": (),
    "KillAfterLastUse": (*DESTINATION, "LowerAllocTensor"),
    "LambdaLift": (),
    "LegalizeOps": (),
    "LowerAllocTensor": DESTINATION,
    "LowerRuntimeBuiltin": (*DESTINATION, "LowerAllocTensor", "KillAfterLastUse"),
    "Normalize": (),
    "NormalizeGlobalVar": (),
    "RemoveUnusedOutputs": (),
    "RemoveUnusedParameters": (),
    "ReorderPermuteDimsAfterConcat": (),
    "ReorderTakeAfterMatmul": (),
    "RewriteDataflowReshape": LEGAL,
    "SpecializePrimFuncBasedOnCallSite": LEGAL,
    "SplitLayoutRewritePreproc": LEGAL,
    "StaticPlanBlockMemory": DESTINATION,
    "ToNonDataflow": (),
    "TopologicalSort": (),
    "VMShapeLower": ("LambdaLift", *DESTINATION, "LowerAllocTensor", "LowerRuntimeBuiltin", "ComputePrimValue"),
}

# The longest run of a case, in seconds.
TIMEOUT = 30


def applied(names, module):
    from tvm import relax, target

    with target.Target("llvm"):
        for name in names:
            module = getattr(relax.transform, name)()(module)
    return module


def summary(text):
    """The first words of an error that do not name the program: without numbers, names in quotes and addresses."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    checks = [line for line in lines if "Check failed" in line or "InternalError" in line]
    line = (checks or lines or ["no message"])[-1]
    return re.sub(r"0x[0-9a-f]+|\d+", "N", line)[:160]


# The first words of a file of this program, which TVM's parser reads.
MARK = "# TVM "


def loaded(path):
    """The module in a file."""
    import objir
    import tvm

    content = pathlib.Path(path).read_bytes()
    is_script_of_tvm = content.startswith(MARK.encode())
    return tvm.script.from_source(content.decode()) if is_script_of_tvm else objir.load(path).to_tvm()


def fault_of(name, path, entry):
    """The fault of a pass on the module in a file, as a line; nothing if there is none."""
    import objir

    module = loaded(path)
    if not objir.load(module).check():
        return None
    try:
        before = applied(PASSES[name], module)
        crossed = objir.load(before)
    except Exception:
        # A fault of the passes before this one is found there.
        return None
    try:
        after = applied([name], before)
    except Exception as error:  # noqa: BLE001
        return f"exception: {summary(str(error))}"
    try:
        result = objir.load(after)
    except Exception:
        return None
    if crossed.check():
        report = result.check()
        if not report:
            violation = next(it for it in report if it.severity == "error")
            return f"ill-formed: {violation.rule}"
    if entry not in crossed.functions or entry not in result.functions:
        return None
    found = objir.compare(crossed, result, entry)
    if found.verdict == "different":
        return f"wrong: {operator(found.text)}"
    if found.verdict == "failed" and objir.compare(crossed, crossed, entry):
        return f"fails: {summary(found.text)}"
    return None


def operator(text):
    """What a comparison says about the first variable that differs, without the names and numbers of the program."""
    found = re.search(r"`([A-Za-z_.]*relax[A-Za-z_.]*|R\.[A-Za-z_.]+)", text)
    return found.group(1) if found else "results"


def in_own_process(name, path, entry):
    """The fault of a pass on a file. A process that ends by a signal is a crash."""
    receiver, sender = multiprocessing.Pipe(duplex=False)

    def work():
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        faulthandler.disable()
        sender.send(fault_of(name, path, entry))

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    sender.close()
    fault, is_answered = None, False
    if receiver.poll(TIMEOUT):
        try:
            fault, is_answered = receiver.recv(), True
        except EOFError:
            pass
    else:
        process.kill()
    process.join()
    if not is_answered and process.exitcode < 0:
        fault = "hangs" if process.exitcode == -9 else f"crash: signal {-process.exitcode}"
    return None if fault is None else f"{name}: {fault}"


def command_of(name, entry):
    return f"{shlex.quote(sys.executable)} {shlex.quote(os.path.abspath(__file__))} try {name} {{}} --entry {entry}"


def reduced(fault, name, path, out, entry):
    """Writes a small program with the fault."""
    slug = re.sub(r"[^A-Za-z0-9]+", "_", fault).strip("_")[:80]
    file = out / f"{slug}.py"
    objir_command = [sys.executable, "-c", "import sys; from objir_command import main; sys.exit(main())"]
    options = ["--test", command_of(name, entry), "--match", f"fault: {fault}", "--out", str(file), "--timeout", "120"]
    run = subprocess.run([*objir_command, "reduce", path, *options], capture_output=True, text=True)
    if run.returncode != 0 or not file.exists():
        return f"not reduced: {(run.stderr or run.stdout).strip().splitlines()[-1:]}"
    import objir
    import tvm

    head = f"{MARK}{tvm.__version__}: {fault}\n# Passes: {', '.join([*PASSES[name], name])}\n"
    file.write_text(head + objir.load(file).to_tvm().script(show_meta=True) + "\n", encoding="utf-8")
    found = in_own_process(name, str(file), entry)
    if found == fault:
        return f"confirmed: {file}"
    file.unlink()
    return f"not confirmed: TVM's own parser reads the program, and there is {found or 'no fault'}"


def find(args):
    import objir  # noqa: F401
    import tvm  # noqa: F401

    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    names = args.passes.split(",") if args.passes else list(PASSES)
    seen, cases = {}, 0
    for path in args.files:
        for name in names:
            cases += 1
            fault = in_own_process(name, path, args.entry)
            if fault is None:
                continue
            seen.setdefault(fault, []).append(path)
            if len(seen[fault]) == 1:
                print(f"{fault}\n    in {path}", flush=True)
                if not args.no_reduce:
                    print(f"    {reduced(fault, name, path, out, args.entry)}", flush=True)
    print(f"{cases} cases, {len(seen)} faults")
    for fault, files in sorted(seen.items(), key=lambda it: -len(it[1])):
        print(f"{len(files):6}  {fault}")
    return 1 if seen else 0


def attempt(args):
    fault = in_own_process(args.name, args.file, args.entry)
    print("no fault" if fault is None else f"fault: {fault}")
    return 0 if fault is None else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    finder = commands.add_parser("find", help="look for faults in modules")
    finder.add_argument("files", nargs="+")
    finder.add_argument("--out", required=True, help="the folder for reduced programs")
    finder.add_argument("--passes", help="the passes, with commas between them")
    finder.add_argument("--no-reduce", action="store_true")
    finder.set_defaults(run=find)
    trial = commands.add_parser("try", help="repeat one case")
    trial.add_argument("name", choices=PASSES)
    trial.add_argument("file")
    trial.set_defaults(run=attempt)
    for command in (finder, trial):
        command.add_argument("--entry", default="main", help="the function whose results are compared")
    args = parser.parse_args()
    sys.exit(args.run(args))


if __name__ == "__main__":
    main()
