"""Writes graphs of simple shapes as JSON files for measure/peer.py, so that both sides load the same text.

    python measure/workloads.py target/workloads
    python measure/peer.py --map-free-vars target/workloads/*

Needs a Python with apache-tvm==0.25.0. `benches/src/lib.rs` has the same shapes with other random choices.

    tree-N       random sums and products over integers and 64 variables, N visits, about 60 deep at a million
    lets-N       N nested binders
    relax-N      one Relax function of N bindings
    shared-N     N sums of two nodes among the latest four: 2^(N/2) visits and more without a table of visited nodes
    ladder-N     `e = e + e`, N times

Folders with many files of one shape and size, whose random choices differ, are for figures of cold code:

    trees-N      many of tree-N
    relaxes-N    many of relax-N
"""

import argparse
import random
from pathlib import Path

import tvm
from tvm import relax, tirx

INT = "int32"


def tree(nodes, seed=1):
    """A tree of `nodes` nodes, an odd number, with uniform splits."""
    rng = random.Random(seed)
    variables = [tirx.Var(f"v{i}", INT) for i in range(64)]
    tasks, done = [(nodes + 1) // 2], []
    while tasks:
        task = tasks.pop()
        if task in (tirx.Add, tirx.Mul):
            b, a = done.pop(), done.pop()
            done.append(task(a, b))
        elif task == 1:
            leaf = rng.choice(variables) if rng.random() < 0.5 else tirx.IntImm(INT, rng.randrange(1000))
            done.append(leaf)
        else:
            left = rng.randrange(1, task)
            tasks += [rng.choice([tirx.Add, tirx.Mul]), task - left, left]
    return done.pop()


def lets(count):
    """Nested binders: `let v0 = 0 in let v1 = v0 + 1 in ...`."""
    variables = [tirx.Var(f"v{i}", INT) for i in range(count)]
    values = [tirx.IntImm(INT, 0)]
    values += [tirx.Add(variables[i - 1], tirx.IntImm(INT, i)) for i in range(1, count)]
    body = variables[-1]
    for variable, value in reversed(list(zip(variables, values))):
        body = tirx.Let(variable, value, body)
    return body


def function(bindings, seed=2):
    """A Relax function; each binding is the sum of two of the latest variables, which share structural information."""
    rng = random.Random(seed)
    n = tirx.Var("n", "int64")
    info = lambda: relax.TensorStructInfo([n, 128], "float32")  # noqa: E731
    add = tvm.ir.Op.get("relax.add")
    variables = [relax.Var("x", info()), relax.Var("y", info())]
    made = []
    for i in range(bindings):
        value = relax.Call(add, [rng.choice(variables[-32:]) for _ in range(2)])
        known = info()
        relax.expr._update_struct_info(value, known)  # noqa: SLF001  there is no other way to set it
        variables.append(relax.Var(f"lv{i}", known))
        made.append(relax.VarBinding(variables[-1], value))
    body = relax.SeqExpr([relax.BindingBlock(made)], variables[-1])
    return relax.Function(variables[:2], body, info(), is_pure=True)


def shared(nodes):
    """Sums of two nodes among the latest four."""
    rng = random.Random(3)
    latest = [tirx.IntImm(INT, value) for value in range(4)]
    for _ in range(nodes):
        latest = [*latest[1:], tirx.Add(*rng.sample(latest, 2))]
    return latest[-1]


def ladder(depth):
    """`e = e + e`."""
    e = tirx.IntImm(INT, 1)
    for _ in range(depth):
        e = tirx.Add(e, e)
    return e


# TVM overflows its stack at a depth of one or two thousand and visits every path of a ladder, which limits the sizes.
WORKLOADS = [
    (tree, 1001),
    (tree, 10_001),
    (tree, 1_000_001),
    (lets, 1000),
    (function, 20_000),
    (shared, 30),
    (ladder, 18),
]

# The number of files of each folder. All files together have more branches and nodes than a processor remembers.
COLD = [
    (tree, 1001, 200),
    (tree, 10_001, 20),
    (function, 100, 100),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder to write to")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for make, size in WORKLOADS:
        name = "relax" if make is function else make.__name__
        write(folder / f"{name}-{size}.json", make(size))
    for make, size, count in COLD:
        inputs = folder / f"{'relaxes' if make is function else 'trees'}-{size}"
        inputs.mkdir(exist_ok=True)
        for seed in range(count):
            write(inputs / f"{seed:03}.json", make(size, seed))


def write(path, root):
    """Writes a graph as a JSON file."""
    path.write_text(tvm.ir.save_json(root), encoding="utf-8")


if __name__ == "__main__":
    main()
