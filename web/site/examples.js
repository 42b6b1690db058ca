// The programs and the values that the page begins with.
'use strict';

const HEAD = `# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
`;

const perceptron = (activation, width) => `${HEAD}    def main(x: R.Tensor(("n", 4), dtype="float32"), w1: R.Tensor((4, ${width}), dtype="float32"), w2: R.Tensor((${width}, 2), dtype="float32")) -> R.Tensor(("n", 2), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            hidden = R.matmul(x, w1)
            active = R.nn.${activation}(hidden)
            scores = R.matmul(active, w2)
            probabilities = R.nn.softmax(scores, axis=-1)
            R.output(probabilities)
        return probabilities
`.replace('        n = T.int64()\n', '');

const EXAMPLES = {
  violation: {
    command: 'check',
    a: `${HEAD}    def main(x: R.Tensor((2, 3), dtype="float32"), w: R.Tensor((3, 4), dtype="float32")) -> R.Tensor((2, 5), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((2, 5), dtype="float32") = R.matmul(x, w)
            z: R.Tensor((2, 5), dtype="float32") = R.nn.relu(y)
            R.output(z)
        return z
`,
  },
  difference: { command: 'diff', a: perceptron('relu', 8), b: perceptron('gelu', 16) },
  mlp: { command: 'run', a: perceptron('relu', 8) },
};

const LANGUAGE = {
  a: `demo.Lambda(
  param=%0 = demo.Var(name="x"),
  body=demo.Add(lhs=%0, rhs=demo.Num(value=1)))`,
  b: `demo.Lambda(
  param=%0 = demo.Var(name="y"),
  body=demo.Add(lhs=%0, rhs=demo.Num(value=2)))`,
};
