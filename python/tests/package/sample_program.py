"""The program of a user, which checkers of types accept."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy

import objir


def operators(module: objir.Module) -> list[str]:
    """The names of the operators that `main` calls."""
    main: objir.relax.Function = module.functions["main"]
    assert isinstance(main.body, objir.relax.SeqExpr)
    names: list[str] = []
    for block in main.body.blocks:
        for binding in block.bindings:
            if isinstance(binding, objir.relax.VarBinding) and isinstance(binding.value, objir.relax.Call):
                op = binding.value.op
                if isinstance(op, objir.ir.Op):
                    names.append(op.name)
    return names


def facts(path: pathlib.Path, other: bytes) -> dict[str, Any]:
    """Results of all operations."""
    module = objir.load(path)
    report = module.check(phase="normal")
    first: objir.Violation | None = next(iter(report), None)
    help_text: str | None = first.help if first is not None else None
    found: objir.Diff = objir.diff(module, other)
    places: list[tuple[str, str]] = [(it.lhs_path, it.rhs_path) for it in found]
    comparison = objir.compare(module, other, seeds=1)
    result: numpy.ndarray[Any, Any] = module.run("main", numpy.ones((2, 3), "float32"), w=numpy.ones((2, 1), "float32"))
    statistics: objir.Statistics = module.infer().normalize().stats()
    try:
        objir.load(module.to_tvm(), limits=objir.Limits(max_steps=1000))
    except objir.Error as error:
        print(error.kind, error.path, error.place, error.help)
    except ImportError:
        pass
    objir.assert_equal(module, module.script())
    return {
        "well_formed": bool(report),
        "help": help_text,
        "places": places,
        "verdict": comparison.verdict,
        "sum": float(result.sum()),
        "nodes": statistics.nodes,
        "most": statistics.types[0].type_key,
        "names": operators(module),
    }
