"""Records of what the passes of TVM did to a program."""

from __future__ import annotations

import importlib
import os
import time
from types import TracebackType
from typing import Any, Optional, Sequence, Union

import tvm_ffi

from ._library import call
from ._notebook import frame
from .module import Module


@tvm_ffi.register_object("trace.Pass")
class Pass(tvm_ffi.Object):
    """A run of a pass."""

    name: str
    #: The number of passes that run this one inside of them.
    depth: int
    #: The indices of the stages before and after the pass.
    before: int
    after: int
    #: The time of the pass, with the passes inside of it.
    nanoseconds: int
    #: Why the pass failed; nothing if it did not.
    failure: Optional[str]


@tvm_ffi.register_object("trace.Trace")
class _Record(tvm_ffi.Object):
    producer: str
    passes: Sequence[Pass]
    stages: Sequence[Any]


class Trace:
    """Records the passes that TVM runs inside of a `with` block, with the program before and after each of them.

    The end of the block writes the record into the file `path`, for `objir trace` and `objir bisect`, also if a pass fails. Its text is
    a table of the passes, and a notebook shows the page that steps through them.

        with objir.Trace("trace.json.gz") as trace:
            tvm.compile(module, target="llvm")
        print(trace)

    A `PassContext` inside of the block replaces the one of the block, with its instruments: it takes `instruments=[trace.instrument]`.
    """

    def __init__(self, path: Optional[Union[str, os.PathLike[str]]] = None) -> None:
        self._path = path
        self._events: list[tuple[Optional[str], Any, int, Optional[str]]] = []
        # The names and the start of the passes that run, and the time of the recorder since the start.
        self._open: list[tuple[str, int]] = []
        self._own_time = 0
        self._record: Optional[_Record] = None
        self._context: Any = None
        self._tvm: Any = importlib.import_module("tvm")
        #: The instrument of TVM that records the passes.
        self.instrument: Any = self._make_instrument()

    def _make_instrument(self) -> Any:
        trace = self

        class Recorder:
            def run_before_pass(self, module: Any, info: Any) -> None:
                start = time.perf_counter_ns()
                trace._events.append((str(info.name), module.clone(), 0, None))
                trace._own_time += time.perf_counter_ns() - start
                trace._open.append((str(info.name), time.perf_counter_ns() - trace._own_time))

            def run_after_pass(self, module: Any, info: Any) -> None:
                end = time.perf_counter_ns()
                # TVM says nothing about a pass that fails. Those above the one that ends now did.
                while len(trace._open) > 1 and trace._open[-1][0] != str(info.name):
                    trace._close(trace._events[-1][1], end, "the pass ended without a result")
                trace._close(module.clone(), end, None)
                trace._own_time += time.perf_counter_ns() - end

        return self._tvm.ir.instrument.pass_instrument(Recorder)()

    def _close(self, module: Any, end: int, failure: Optional[str]) -> None:
        if self._open:
            _, start = self._open.pop()
            self._events.append((None, module, end - self._own_time - start, failure))

    def __enter__(self) -> Trace:
        outer = self._tvm.transform.PassContext.current()
        self._context = self._tvm.transform.PassContext(
            opt_level=outer.opt_level,
            required_pass=list(outer.required_pass),
            disabled_pass=list(outer.disabled_pass),
            instruments=[*(outer.instruments or []), self.instrument],
            config=dict(outer.config or {}),
        )
        self._context.__enter__()
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self._context.__exit__(kind, error, traceback)
        self._record = None
        reason = None if error is None else f"{type(error).__name__}: {error}"
        while self._open:
            self._close(self._events[-1][1], time.perf_counter_ns(), reason or "the pass ended without a result")
        if self._path is not None:
            self.save(self._path)

    @property
    def record(self) -> _Record:
        """The record as an object: the passes and the stages."""
        if self._record is None:
            programs = _converted([program for _, program, _, _ in self._events])
            events = [[name, program, time, failure] for (name, _, time, failure), program in zip(self._events, programs)]
            record: _Record = call("record", events, f"TVM {self._tvm.__version__}")
            self._record = record
        return self._record

    @property
    def passes(self) -> Sequence[Pass]:
        """The passes in the order in which they began. A pass that runs others stands before them."""
        return self.record.passes

    @property
    def stages(self) -> Sequence[Module]:
        """The programs, each once, in the order in which they first appeared."""
        return [Module(stage) for stage in self.record.stages]

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the record into a file, packed if its name ends in `.gz`."""
        call("save", self.record, os.fspath(path))

    def __str__(self) -> str:
        return str(call("trace_text", self.record, None))

    def html(self) -> str:
        """A page that steps through the passes, without references to other files."""
        return str(call("trace_page", self.record, None))

    def _repr_html_(self) -> str:
        return frame(self.html())


def _converted(programs: Sequence[Any]) -> list[Any]:
    """The programs as objects of this package. A program that has no form in this package becomes the reason, as a text."""
    if not programs:
        return []
    try:
        # One call converts the objects that programs share once.
        return list(call("from_tvm", list(programs)))
    except Exception as error:
        if len(programs) == 1:
            return [f"this program of TVM has no form in objir: {error}"]
        half = len(programs) // 2
        return _converted(programs[:half]) + _converted(programs[half:])
