"""Programs for the tests of the package."""

import importlib.util
import pathlib

import pytest

import objir

pytest_plugins = ["pytester"]

SCRIPT = """
from tvm.script import ir as I, relax as R, tir as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n"), dtype="float32"), w: R.Tensor((2, 1), dtype="float32")) -> R.Tensor((2, "n"), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            a: R.Tensor((2, n), dtype="float32") = R.add(x, x)
            b: R.Tensor((2, n), dtype="float32") = R.multiply(a, w)
            R.output(b)
        return b
"""


@pytest.fixture
def script():
    return SCRIPT


@pytest.fixture
def module():
    return objir.load(SCRIPT)


@pytest.fixture
def changed():
    return objir.load(SCRIPT.replace("R.multiply(a, w)", "R.subtract(a, w)"))


@pytest.fixture
def tvm():
    if importlib.util.find_spec("tvm") is None:
        pytest.skip("this Python has no TVM")
    import tvm

    return tvm


@pytest.fixture
def model(tvm):
    """A live module of the frontend of TVM."""
    from tvm.relax.frontend import nn

    class Model(nn.Module):
        def __init__(self):
            self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

        def forward(self, x):
            for layer in self.layers:
                x = nn.op.relu(layer(x)) + x
            return x

    module, _ = Model().export_tvm(spec={"forward": {"x": nn.spec.Tensor(["n", 8], "float32")}})
    return module


@pytest.fixture
def fixtures():
    folder = pathlib.Path(__file__).resolve().parents[3] / "fixtures"
    if not folder.is_dir():
        pytest.skip(f"{folder} has the files of these tests")
    return folder
