# Calls of operators with defaults and short forms of arguments.

# case: abs
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.abs(x)
    return y

# case: acos
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.acos(x)
    return y

# case: acosh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.acosh(x)
    return y

# case: asin
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.asin(x)
    return y

# case: asinh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.asinh(x)
    return y

# case: atan
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.atan(x)
    return y

# case: atanh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.atanh(x)
    return y

# case: ceil
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.ceil(x)
    return y

# case: cos
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.cos(x)
    return y

# case: cosh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.cosh(x)
    return y

# case: erf
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.erf(x)
    return y

# case: exp
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.exp(x)
    return y

# case: floor
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.floor(x)
    return y

# case: log
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.log(x)
    return y

# case: negative
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.negative(x)
    return y

# case: round
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.round(x)
    return y

# case: rsqrt
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.rsqrt(x)
    return y

# case: sigmoid
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sigmoid(x)
    return y

# case: sign
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sign(x)
    return y

# case: sin
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sin(x)
    return y

# case: sinh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sinh(x)
    return y

# case: sqrt
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sqrt(x)
    return y

# case: square
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.square(x)
    return y

# case: tan
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.tan(x)
    return y

# case: tanh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.tanh(x)
    return y

# case: trunc
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.trunc(x)
    return y

# case: isfinite
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.isfinite(x)
    return y

# case: isinf
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.isinf(x)
    return y

# case: isnan
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.isnan(x)
    return y

# case: add
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.add(x, w)
    return y

# case: subtract
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.subtract(x, w)
    return y

# case: multiply
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.multiply(x, w)
    return y

# case: divide
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.divide(x, w)
    return y

# case: floor_divide
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.floor_divide(x, w)
    return y

# case: mod
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.mod(x, w)
    return y

# case: power
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.power(x, w)
    return y

# case: maximum
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.maximum(x, w)
    return y

# case: minimum
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.minimum(x, w)
    return y

# case: equal
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.equal(x, w)
    return y

# case: not_equal
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.not_equal(x, w)
    return y

# case: less
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.less(x, w)
    return y

# case: less_equal
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.less_equal(x, w)
    return y

# case: greater
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.greater(x, w)
    return y

# case: greater_equal
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.greater_equal(x, w)
    return y

# case: log_add_exp
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.log_add_exp(x, w)
    return y

# case: max
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.max(x, axis=1, keepdims=True)
    return y

# case: mean
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.mean(x, axis=1, keepdims=True)
    return y

# case: min
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.min(x, axis=1, keepdims=True)
    return y

# case: prod
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.prod(x, axis=1, keepdims=True)
    return y

# case: std
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.std(x, axis=1, keepdims=True)
    return y

# case: sum
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sum(x, axis=1, keepdims=True)
    return y

# case: variance
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.variance(x, axis=1, keepdims=True)
    return y

# case: sum without axis
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sum(x)
    return y

# case: sum of two axes
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sum(x, [0, 1])
    return y

# case: cumsum
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.cumsum(x, axis=1, dtype="float64")
    return y

# case: argmax
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.argmax(x, axis=-1)
    return y

# case: reshape
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.reshape(x, (3, 2))
    return y

# case: reshape with unknown
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.reshape(x, (-1, 2))
    return y

# case: permute_dims
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.permute_dims(x, axes=[1, 0])
    return y

# case: permute_dims without axes
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.permute_dims(x)
    return y

# case: expand_dims of one axis
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.expand_dims(x, 0)
    return y

# case: squeeze
@R.function
def main(x: R.Tensor((1, 3), "float32")):
    y = R.squeeze(x, 0)
    return y

# case: flatten
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.flatten(x)
    return y

# case: concat
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.concat([x, w], axis=1)
    return y

# case: concat of a tuple
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.concat((x, w))
    return y

# case: stack
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.stack([x, w], axis=0)
    return y

# case: split in parts
@R.function
def main(x: R.Tensor((2, 4), "float32")):
    y = R.split(x, 2, axis=1)
    return y

# case: split at places
@R.function
def main(x: R.Tensor((2, 9), "float32")):
    y = R.split(x, [2, 5], axis=1)
    return y

# case: broadcast_to
@R.function
def main(x: R.Tensor((1, 3), "float32")):
    y = R.broadcast_to(x, (4, 3))
    return y

# case: tile
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.tile(x, (2, 2))
    return y

# case: repeat
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.repeat(x, 2, axis=0)
    return y

# case: flip
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.flip(x, axis=1)
    return y

# case: take
@R.function
def main(x: R.Tensor((2, 3), "float32"), i: R.Tensor((4,), "int64")):
    y = R.take(x, i, axis=1)
    return y

# case: gather_elements
@R.function
def main(x: R.Tensor((2, 3), "float32"), i: R.Tensor((2, 3), "int64")):
    y = R.gather_elements(x, i, axis=1)
    return y

# case: strided_slice
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.strided_slice(x, axes=[0, 1], begin=[0, 1], end=[2, 3])
    return y

# case: strided_slice with steps
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.strided_slice(x, [1], [0], [3], [2], assume_inbound=True)
    return y

# case: astype
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.astype(x, "float16")
    return y

# case: astype as a method
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = x.astype("float16")
    return y

# case: where
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32"), c: R.Tensor((2, 3), "bool")):
    y = R.where(c, x, w)
    return y

# case: clip of numbers
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.clip(x, 0, 6)
    return y

# case: clip of scalars
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.clip(x, R.prim_value(0), R.prim_value(6))
    return y

# case: full
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.full((2, 3), R.const(1.0, "float32"), dtype="float32")
    return y

# case: zeros
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.zeros((2, 3), "float32")
    return y

# case: ones_like
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.ones_like(x)
    return y

# case: arange of an end
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.arange(10)
    return y

# case: arange
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.arange(1, 10, 2, "int32")
    return y

# case: eye
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.eye(3)
    return y

# case: tril
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.tril(x)
    return y

# case: triu
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.triu(x, 1)
    return y

# case: one_hot
@R.function
def main(i: R.Tensor((4,), "int64")):
    y = R.one_hot(i, R.prim_value(1), R.prim_value(0), 5)
    return y

# case: matmul
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32")):
    y = R.matmul(x, w)
    return y

# case: matmul with a type
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32")):
    y = R.matmul(x, w, out_dtype="float32")
    return y

# case: linear
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((4, 3), "float32"), b: R.Tensor((4,), "float32")):
    y = R.linear(x, w, b)
    return y

# case: einsum
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32")):
    y = R.einsum((x, w), subscripts="ij,jk->ik")
    return y

# case: sort
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.sort(x, axis=1)
    return y

# case: argsort
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.argsort(x, axis=1, descending=True)
    return y

# case: topk
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.topk(x, k=2)
    return y

# case: unique
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.unique(x)
    return y

# case: nonzero
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nonzero(x)
    return y

# case: shape_of
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.shape_of(x)
    return y

# case: size
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.size(x)
    return y

# case: quantize
@R.function
def main(x: R.Tensor((2, 3), "float32"), s: R.Tensor((3,), "float32"), z: R.Tensor((3,), "int8")):
    y = R.quantize(x, s, z, axis=1)
    return y

# case: ewise_fma
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((2, 3), "float32")):
    y = R.ewise_fma(x, w, x)
    return y

# case: bitwise_and
@R.function
def main(a: R.Tensor((2,), "int32"), b: R.Tensor((2,), "int32")):
    y = R.bitwise_and(a, b)
    return y

# case: logical_not
@R.function
def main(a: R.Tensor((2,), "bool")):
    y = R.logical_not(a)
    return y

# case: nn.relu
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.relu(x)
    return y

# case: nn.gelu
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.gelu(x)
    return y

# case: nn.gelu_tanh
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.gelu_tanh(x)
    return y

# case: nn.silu
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.silu(x)
    return y

# case: nn.selu
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.selu(x)
    return y

# case: nn.relu6
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.relu6(x)
    return y

# case: nn.leakyrelu
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.leakyrelu(x, 0.2)
    return y

# case: nn.softmax
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.softmax(x)
    return y

# case: nn.log_softmax
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.log_softmax(x, axis=0)
    return y

# case: nn.dropout
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.dropout(x, 0.5)
    return y

# case: nn.layer_norm
@R.function
def main(x: R.Tensor((2, 3), "float32"), g: R.Tensor((3,), "float32"), b: R.Tensor((3,), "float32")):
    y = R.nn.layer_norm(x, g, b, axes=-1)
    return y

# case: nn.rms_norm
@R.function
def main(x: R.Tensor((2, 3), "float32"), g: R.Tensor((3,), "float32")):
    y = R.nn.rms_norm(x, g)
    return y

# case: nn.conv2d
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), w: R.Tensor((2, 4, 3, 3), "float32")):
    y = R.nn.conv2d(x, w)
    return y

# case: nn.conv2d with numbers
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), w: R.Tensor((2, 4, 3, 3), "float32")):
    y = R.nn.conv2d(x, w, strides=2, padding=1)
    return y

# case: nn.conv2d with two paddings
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), w: R.Tensor((2, 4, 3, 3), "float32")):
    y = R.nn.conv2d(x, w, padding=(1, 2), out_dtype="float32")
    return y

# case: nn.conv1d
@R.function
def main(x: R.Tensor((1, 4, 8), "float32"), w: R.Tensor((2, 4, 3), "float32")):
    y = R.nn.conv1d(x, w, padding=1)
    return y

# case: nn.conv3d
@R.function
def main(x: R.Tensor((1, 4, 8, 8, 8), "float32"), w: R.Tensor((2, 4, 3, 3, 3), "float32")):
    y = R.nn.conv3d(x, w, strides=2)
    return y

# case: nn.conv2d_transpose
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), w: R.Tensor((4, 2, 3, 3), "float32")):
    y = R.nn.conv2d_transpose(x, w, strides=2, output_padding=1)
    return y

# case: nn.max_pool2d
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32")):
    y = R.nn.max_pool2d(x, pool_size=2, strides=2)
    return y

# case: nn.avg_pool2d
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32")):
    y = R.nn.avg_pool2d(x, (3, 3), padding=(1, 1), ceil_mode=True)
    return y

# case: nn.adaptive_avg_pool2d
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32")):
    y = R.nn.adaptive_avg_pool2d(x, 1)
    return y

# case: nn.batch_norm
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), g: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32"), m: R.Tensor((4,), "float32"), v: R.Tensor((4,), "float32")):
    y = R.nn.batch_norm(x, g, b, m, v, axis=1)
    return y

# case: nn.group_norm
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32"), g: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")):
    y = R.nn.group_norm(x, g, b, num_groups=2, channel_axis=1, axes=[2, 3])
    return y

# case: nn.attention
@R.function
def main(q: R.Tensor((1, 4, 2, 8), "float32"), k: R.Tensor((1, 4, 2, 8), "float32"), v: R.Tensor((1, 4, 2, 8), "float32")):
    y = R.nn.attention(q, k, v)
    return y

# case: nn.attention with a bias
@R.function
def main(q: R.Tensor((1, 4, 2, 8), "float32"), k: R.Tensor((1, 4, 2, 8), "float32"), v: R.Tensor((1, 4, 2, 8), "float32"), b: R.Tensor((1, 2, 4, 4), "float32")):
    y = R.nn.attention(q, k, v, b, scale=0.5)
    return y

# case: nn.attention with a mask
@R.function
def main(q: R.Tensor((1, 4, 2, 8), "float32"), k: R.Tensor((1, 4, 2, 8), "float32"), v: R.Tensor((1, 4, 2, 8), "float32")):
    y = R.nn.attention(q, k, v, causal_mask="TopLeft", window_size=2)
    return y

# case: nn.pad
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.nn.pad(x, (1, 1, 2, 2))
    return y

# case: nn.nll_loss
@R.function
def main(p: R.Tensor((3, 5), "float32"), t: R.Tensor((3,), "int64")):
    y = R.nn.nll_loss(p, t, reduction="sum")
    return y

# case: image.resize2d
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32")):
    y = R.image.resize2d(x, (16, 16))
    return y

# case: image.resize2d of one size
@R.function
def main(x: R.Tensor((1, 4, 8, 8), "float32")):
    y = R.image.resize2d(x, 16, layout="NCHW", method="nearest_neighbor")
    return y

# case: ccl.allreduce
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.ccl.allreduce(x, "sum")
    return y

# case: memory.view
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.memory.view(x, (3, 2))
    return y

# case: builtin.alloc_tensor
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    y = R.builtin.alloc_tensor(R.shape([2, 3]), dtype="float32", runtime_device_index=0)
    return y
