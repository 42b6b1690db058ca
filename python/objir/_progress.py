"""The progress of long calls on a terminal or in a notebook, where tqdm is installed."""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from typing import Any, Iterator

#: The seconds of a call that shows no progress, and between two pictures.
_PATIENCE, _PERIOD = 1.0, 0.1


def _is_seen() -> bool:
    """Whether somebody sees the standard error: on a terminal or in a notebook."""
    stream = sys.stderr
    return stream is not None and (type(stream).__module__.startswith("ipykernel.") or stream.isatty())


@contextlib.contextmanager
def progress(name: str) -> Iterator[None]:
    """Shows the time of the work in the block, if it takes more than a second and somebody sees it."""
    if not _is_seen():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(name, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(name: str, done: threading.Event) -> None:
    if done.wait(_PATIENCE):
        return
    try:
        tqdm: Any = importlib.import_module("tqdm.auto")
    except ImportError:
        return
    with tqdm.tqdm(desc=f"objir.{name}", bar_format="{desc}: {elapsed}", leave=False) as bar:
        bar.start_t -= _PATIENCE
        while not done.wait(_PERIOD):
            bar.refresh()
