"""Random functions, made by the constructors of classes: with shared parts, bound variables, attributes and tensors.

They have nothing that one of the versions of TVM lacks, such as the value of a `PrimStructInfo`.
"""

import random

import numpy
import tvm_ffi

import objir
from objir import ir, relax, tirx

DTYPES = ["float32", "float16", "int64", "bool"]
OPERATORS = [objir.load(f'I.Op("relax.{name}")'.encode()).root for name in ["add", "nn.relu", "matmul"]]


class RandomFunction:
    """A function from a seed. The functions of one seed are the same up to the numbers: `changed` is the number that differs."""

    def __init__(self, seed, changed=None):
        self.random = random.Random(seed)
        self.changed = changed
        self.numbers = 0
        names = [f"n{index}" for index in range(3)]
        self.dims = [tirx.Var("int64", name, ir.PrimType("int64")) for name in names]
        self.scalars = list(self.dims)
        shape = relax.ShapeStructInfo(None, self.dims, len(self.dims))
        self.infos = [shape]
        self.params = [self.variable(shape), self.variable(self.info())]
        self.values = list(self.params)

    def make(self, steps):
        """A function with this number of bindings."""
        bindings = []
        for _ in range(steps):
            self.scalars.append(self.scalar())
            self.infos.append(self.info())
            value = self.value()
            var = self.variable(value.struct_info_)
            bindings.append(relax.VarBinding(None, var, value))
            self.values += [value, var]
        result = self.choice(self.values)
        body = relax.SeqExpr(result.struct_info_, [relax.BindingBlock(bindings[:2]), relax.BindingBlock(bindings[2:])], result)
        attrs = ir.DictAttrs({"global_symbol": "main", "numbers": [self.number(), 2.5, "text"], "of": {"a": self.number()}})
        return relax.Function(None, attrs, self.params, body, result.struct_info_, True)

    def choice(self, values):
        return values[self.random.randrange(len(values))]

    def some(self, values):
        return [self.choice(values) for _ in range(self.random.randrange(4))]

    def number(self):
        number = self.random.choice([0, 1, -1, 7, 2**31, -(2**63), 2**63 - 1])
        self.numbers += 1
        return 3 if self.numbers - 1 == self.changed else number

    def variable(self, info):
        return relax.Var(info, relax.Id(f"v{self.random.randrange(100)}"))

    def scalar(self):
        a, b = self.choice(self.scalars), self.choice(self.scalars)
        local = tirx.Var("int64", "local", ir.PrimType("int64"))
        return self.choice([
            lambda: ir.IntImm("int64", self.number()),
            lambda: tirx.Cast("int64", ir.FloatImm("float32", self.number() / 3)),
            lambda: self.choice([tirx.Add, tirx.Sub, tirx.Mul, tirx.Min, tirx.FloorDiv])("int64", a, b),
            lambda: tirx.Select("int64", tirx.EQ("bool", a, b), a, b),
            lambda: tirx.Let("int64", local, a, tirx.Add("int64", local, b)),
        ])()

    def shape(self):
        dims = self.some(self.scalars)
        return relax.ShapeExpr(relax.ShapeStructInfo(None, dims, len(dims)), dims)

    def info(self):
        shape = self.shape()
        return self.choice([
            lambda: relax.TensorStructInfo(None, shape, self.choice(DTYPES), None, len(shape.values)),
            lambda: relax.TensorStructInfo(None, None, self.choice(DTYPES), None, -1),
            lambda: relax.PrimStructInfo(None, None, "int64"),
            lambda: relax.TupleStructInfo(None, self.some(self.infos)),
            lambda: relax.ShapeStructInfo(None, None, -1),
            lambda: relax.ObjectStructInfo(None),
        ])()

    def value(self):
        return self.choice([
            self.shape,
            self.constant,
            lambda: relax.Call(self.choice(self.infos), self.choice(OPERATORS), self.some(self.values), None, self.some(self.infos)),
            lambda: self.tuple(self.some(self.values)),
            lambda: relax.TupleGetItem(self.choice(self.infos), self.choice(self.values), self.random.randrange(3)),
            lambda: relax.StringImm(relax.ObjectStructInfo(None), self.choice(["", "text", "\u00e9\n\""])),
        ])()

    def tuple(self, fields):
        return relax.Tuple(relax.TupleStructInfo(None, [field.struct_info_ for field in fields]), fields)

    def constant(self):
        array = numpy.array([[self.number(), 2]], self.choice(["int64", "float64"]))
        info = relax.TensorStructInfo(None, None, str(array.dtype), None, 2)
        return relax.Constant(info, tvm_ffi.from_dlpack(array))
