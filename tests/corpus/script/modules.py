# Modules: functions that call each other, attributes, devices.

# case: one function
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.exp(x)
        return y

# case: a call by cls
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        cls = Module
        y = cls.helper(x)
        return y

    @R.function(private=True)
    def helper(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.exp(x)
        return y

# case: a call by the name of the module
@I.ir_module
class MyModule:
    @R.function
    def helper(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        y = MyModule.helper(x)
        z = MyModule.helper(y)
        return z

# case: a call with symbolic shapes
@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("m", "n"), "float32"):
        y = R.permute_dims(x)
        return y

    @R.function
    def main(x: R.Tensor((2, "k"), "float32")):
        y = Module.helper(x)
        return y

# case: a function without annotation that is called later
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        y = Module.helper(x)
        return y

    @R.function
    def helper(x: R.Tensor((2, 3), "float32")):
        y = R.exp(x)
        return y

# case: a function without annotation that is called before
@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((2, 3), "float32")):
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        y = Module.helper(x)
        return y

# case: mutual recursion
@I.ir_module
class Module:
    @R.function
    def even(x: R.Tensor((), "int32"), c: R.Tensor((), "bool")) -> R.Tensor((), "int32"):
        if c:
            r = Module.odd(x, c)
        else:
            r = x
        return r

    @R.function
    def odd(x: R.Tensor((), "int32"), c: R.Tensor((), "bool")) -> R.Tensor((), "int32"):
        if c:
            r = Module.even(x, c)
        else:
            r = x
        return r

# case: module attributes
@I.ir_module
class Module:
    I.module_attrs({"device_num": 10, "name": "a", "values": [1, 2]})

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x

# case: virtual devices
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "llvm", "mtriple": "x86_64-linux-gnu"}), I.vdevice({"kind": "llvm", "mtriple": "x86_64-linux-gnu"}, 1)]})

    @R.function
    def main(x: R.Tensor((2, 3), "float32", "llvm:0")) -> R.Tensor((2, 3), "float32", "llvm:1"):
        y = R.to_vdevice(x, "llvm:1")
        return y

# case: other global infos
@I.ir_module
class Module:
    I.module_global_infos({"test": [I.dummy_global_info(), I.dummy_global_info()]})

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x

# case: a function of the registry
@I.ir_module
class Module:
    extern = R.ExternFunc("my.function")

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        return x

# case: an empty module
@I.ir_module
class Module:
    pass

# case: a function as value
@I.ir_module
class Module:
    @R.function
    def helper(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        f = Module.helper
        y = f(x)
        return y

# case: a model of two layers
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 784), "float32"), w1: R.Tensor((784, 128), "float32"), b1: R.Tensor((128,), "float32"), w2: R.Tensor((128, 10), "float32"), b2: R.Tensor((10,), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            h = R.nn.relu(R.matmul(x, w1) + b1)
            logits = R.matmul(h, w2) + b2
            gv = R.nn.softmax(logits, axis=-1)
            R.output(gv)
        return gv

# case: a tuple of weights
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4), "float32"), weights: R.Tuple(R.Tensor((4, 8), "float32"), R.Tensor((8,), "float32"))):
        with R.dataflow():
            w = weights[0]
            b = weights[1]
            gv = R.add(R.matmul(x, w), b)
            R.output(gv)
        return gv

# case: results of functions of devices
@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "uint32")):
    T.ptx.cp_async.commit_group()
    T.ptx.cp_async("float16", A.data, 0, A.data, 0, 16)
    T.ptx.ldmatrix_legacy("float16", False, 4, ".b16", A.data, 0, A.data, 0)
    T.metal.make_filled_simdgroup_matrix(A.data, 0, T.float32(0.0), 8, 8)
    A[0] = T.ptx.exp2(A[1])
    A[2] = T.cuda.ldg(T.address_of(A[0]), "float32")
    A[3] = T.cuda.half2float(T.float16(1))
    B[0] = T.cuda.ballot_sync(T.uint32(1), T.int32(1))
    B[1] = T.ptx.elect_sync()
    T.cuda.atomic_add(T.address_of(A[0]), A[1])
    T.evaluate(T.cuda.warp_reduce(A[0], "sum", 32))
    T.evaluate(T.nvshmem.my_pe())
    T.evaluate(T.cuda.clock64())

# case: functions of LLVM
@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    A[0] = T.call_llvm_pure_intrin("float32", "llvm.sqrt", A[1])
    A[1] = T.call_llvm_pure_intrin("float32", "llvm.exp.f32", A[1])
    A[2] = T.call_llvm_intrin("float32", T.uint32(348), A[1])

# case: a function as a value before its result is annotated
@I.ir_module
class Module:
    @R.function
    def foo(x: R.Tensor((10, 5), "float32")):
        s = R.add(x, x)
        return s

    @R.function
    def main(x: R.Tensor((10, 5), "float32")):
        cls = Module
        inner = cls.foo
        gv1 = inner(x)
        return (inner, gv1)

# case: constructors and arguments of Python
@I.ir_module
class Module:
    @T.prim_func
    def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32x4")):
        A[0] = T.if_then_else(A[1] < 0.0, T.float32(0), A[1], dtype="float32")
        A[1] = T.FloatImm("float32", 0.5)
        A[2] = T.FloatImm("float32", 2)
        B[0] = T.call_llvm_pure_intrin(
            "int32x4",
            T.llvm_lookup_intrinsic_id("llvm.aarch64.neon.smull.v8i16"),
            B[1],
            B[2],
        )

    @R.function
    def main(x: R.Tensor(("batch", 8), "float32")):
        batch = T.Var("batch", "int64")
        y: R.Tensor((batch, 8), "float32") = R.exp(x)
        z = R.layout_transform(y, index_map=lambda i, j: (i, j // 4, j % 4), pad_value=None)
        return z
