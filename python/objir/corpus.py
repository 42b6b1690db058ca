"""Operations on folders of programs: a table of Arrow with a row for each file."""

from __future__ import annotations

import glob
import importlib
import os
import pathlib
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import tvm_ffi

from ._library import _Failure, quiet_call
from .patterns import Pattern
from .results import CheckResult, Statistics

#: The ends of the names of programs.
SUFFIXES = (".json", ".json.gz", ".py", ".py.gz", ".py.txt")

#: The number of files of one call, between which the progress bar moves.
_BATCH = 256


@tvm_ffi.register_object("objir.ScannedFile")
class _ScannedFile(tvm_ffi.Object):
    path: str
    results: Sequence[Any]
    failure: Optional[_Failure]


def _of_check(report: Optional[CheckResult]) -> List[Any]:
    if report is None:
        return [None, None, None, None]
    return [report.is_well_formed, report.errors, report.warnings, sorted({str(it.rule) for it in report.violations})]


def _of_stats(it: Optional[Statistics]) -> List[Any]:
    return [None] * 5 if it is None else [it.nodes, it.edges, it.shared, it.depth, it.tree_nodes]


#: An operation: its name, or the pattern that it counts.
Op = Union[str, Pattern]

#: The columns with their types, and the values of a result in them.
_Columns = Tuple[Dict[str, str], Callable[[Any], List[Any]]]

#: The columns of each operation with a name.
_COLUMNS: Dict[str, _Columns] = {
    "hash": ({"hash": "string"}, lambda text: [None if text is None else str(text)]),
    "check": ({"well_formed": "bool", "errors": "int64", "warnings": "int64", "rules": "list"}, _of_check),
    "stats": ({name: "int64" for name in ["nodes", "edges", "shared", "depth", "tree_nodes"]}, _of_stats),
    "operators": ({"operators": "list"}, lambda names: [None if names is None else [str(name) for name in names]]),
}


def _columns(op: Op) -> _Columns:
    if isinstance(op, Pattern):
        return {op.name: "int64"}, lambda found: [None if found is None else len(found)]
    if op not in _COLUMNS:
        raise ValueError(f"`{op}` is not an operation; the operations are {', '.join(_COLUMNS)} and patterns")
    return _COLUMNS[op]


def files(paths: Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]) -> List[str]:
    """The files of paths, which are files, folders with programs at any depth, and patterns such as `models/*.json`."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    found: List[str] = []
    for path in [os.fspath(path) for path in paths]:
        if os.path.isdir(path):
            found += sorted(str(it) for it in pathlib.Path(path).rglob("*") if it.name.endswith(SUFFIXES) and it.is_file())
        elif glob.has_magic(path) and not os.path.exists(path):
            found += sorted(glob.glob(path, recursive=True))
        else:
            found.append(path)
    return found


def scan(
    paths: Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]],
    ops: Sequence[Op] = ("hash", "check", "stats"),
    output: Union[None, str, "os.PathLike[str]"] = None,
    engine: str = "threads",
) -> Any:
    """The results of operations on programs as a `pyarrow.Table` with a row for each file, written to `output` as Parquet.

    The operations are `hash`, `check`, `stats`, `operators`, and patterns of `objir.pattern`, whose column is the number of bindings
    that the pattern matches. The columns `error_kind` and `error` of a file that fails say why,
    and its other columns are null. The engine `threads` uses all cores of this machine, and `ray` the workers of Ray Data.
    """
    tables = {"threads": _scan_here, "ray": _scan_with_ray}
    if engine not in tables:
        raise ValueError(f"`{engine}` is not an engine; the engines are {', '.join(tables)}")
    _schema(ops)  # an unknown operation is an error before the work
    table = tables[engine](files(paths), list(ops))
    if output is not None:
        _package("pyarrow.parquet").write_table(table, os.fspath(output))
    return table


def _package(name: str) -> Any:
    """A package that only this module needs, and that has no types."""
    return importlib.import_module(name)


def _schema(ops: Sequence[Op]) -> Any:
    pyarrow = _package("pyarrow")

    types = {"string": pyarrow.string(), "bool": pyarrow.bool_(), "int64": pyarrow.int64(), "list": pyarrow.list_(pyarrow.string())}
    columns = {name: types[kind] for op in ops for name, kind in _columns(op)[0].items()}
    return pyarrow.schema({"path": types["string"], **columns, "error_kind": types["string"], "error": types["string"]})


def _table(paths: List[str], ops: Sequence[Op]) -> Any:
    """The rows of some files."""
    pyarrow = _package("pyarrow")

    rows: List[List[Any]] = []
    for row in quiet_call("scan", paths, [["matches", op.function] if isinstance(op, Pattern) else op for op in ops]):
        failure = row.failure
        results = [None] * len(ops) if failure is not None else row.results
        values = [value for op, result in zip(ops, results) for value in _columns(op)[1](result)]
        reason = [None, None] if failure is None else [str(failure.kind), str(failure.message)]
        rows.append([str(row.path), *values, *reason])
    schema = _schema(ops)
    columns = [list(column) for column in zip(*rows)] or [[] for _ in schema]
    return pyarrow.table([pyarrow.array(column, field.type) for column, field in zip(columns, schema)], schema=schema)


def _scan_here(paths: List[str], ops: Sequence[Op]) -> Any:
    pyarrow = _package("pyarrow")

    batches = [paths[start : start + _BATCH] for start in range(0, len(paths), _BATCH)]
    return pyarrow.concat_tables([_schema(ops).empty_table(), *(_table(batch, ops) for batch in _progress(batches))])


def _progress(batches: List[List[str]]) -> Iterator[List[str]]:
    """The batches, with a progress bar of tqdm, if it is installed and the work takes more than a second."""
    try:
        tqdm = _package("tqdm.auto")
    except ImportError:
        yield from batches
        return
    with tqdm.tqdm(total=sum(map(len, batches)), unit="files", delay=1) as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))


def _scan_with_ray(paths: List[str], ops: Sequence[Op]) -> Any:
    pyarrow, ray = _package("pyarrow"), _package("ray")

    def scanned(batch: Any) -> Any:
        return _table(batch["path"].to_pylist(), ops)

    source = ray.data.from_arrow(pyarrow.table({"path": pyarrow.array(paths, pyarrow.string())}))
    blocks = max(1, min(len(paths), len(paths) // _BATCH + 1))
    rows = source.repartition(blocks).map_batches(scanned, batch_format="pyarrow", batch_size=_BATCH)
    return pyarrow.concat_tables([_schema(ops).empty_table(), *ray.get(rows.to_arrow_refs())])
