"""The plugin of pytest: differences of programs in failed assertions, and snapshots of programs in files."""

from __future__ import annotations

import pathlib
from typing import Any, Generator, List, Optional

import pytest

from .differences import diff
from .module import Module, Source, load


#: The texts of the differences that assertions found in the current test.
_DIFFERENCES = pytest.StashKey[List[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--objir-bless", action="store_true", help="write the snapshots of objir_snapshot anew")


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: Any, right: Any) -> Optional[list[str]]:
    """The differences of two modules that `assert a == b` compares. pytest shortens explanations, so the underlined places are a
    section of their own."""
    if op != "==" or not isinstance(left, Module) or not isinstance(right, Module):
        return None
    text = str(diff(left, right))
    config.stash.setdefault(_DIFFERENCES, []).append(text)
    return [text.splitlines()[0], "the section below underlines the places"]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    outcome = yield
    found = item.config.stash.get(_DIFFERENCES, [])
    report: pytest.TestReport = outcome.get_result()
    if report.failed:
        report.sections += [("Differences of programs", text) for text in found]
    found.clear()


class Snapshots:
    """Compares programs with files in the folder `snapshots` beside the test."""

    def __init__(self, folder: pathlib.Path, is_blessed: bool) -> None:
        self.folder = folder
        self.is_blessed = is_blessed

    def __call__(self, program: Source, name: str) -> None:
        """Fails with the underlined differences if the program differs from the file `name`, such as `mlp.py` or `mlp.json.gz`.

        With the option `--objir-bless`, the call writes the file instead.
        """
        file = self.folder / name
        module = load(program)
        if self.is_blessed:
            file.parent.mkdir(parents=True, exist_ok=True)
            module.save(file)
            return
        if not file.exists():
            pytest.fail(f"there is no snapshot {file}; `pytest --objir-bless` writes it", pytrace=False)
        found = diff(file, module)
        if found:
            pytest.fail(f"the program differs from {file}; `pytest --objir-bless` writes it anew\n\n{found}", pytrace=False)


@pytest.fixture
def objir_snapshot(request: pytest.FixtureRequest) -> Snapshots:
    """Compares programs with snapshots: `objir_snapshot(module, "mlp.py")`."""
    return Snapshots(request.path.parent / "snapshots", bool(request.config.getoption("--objir-bless")))
