//! Attention (TVM 0.25 `src/relax/op/nn/attention.cc`).

use object_core::prelude::*;
use object_ir::attrs::AttentionAttrs;
use object_ir::ir::{PrimExpr, StructInfo, TensorStructInfo};

use crate::op::checks::{check_multiple, check_size, require_rank};
use crate::op::completion::Completion;
use crate::op::dims::{Dims, constant, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};

operators! {
    /// The attention of queries to keys and values, whose dimensions are batch, sequence, heads and head size.
    fn attention = "relax.nn.attention"(query: Tensor, key: Tensor, value: Tensor, attrs: Defaults<AttentionAttrs>), Pure,
        infer_attention;
    /// [`attention`] with a bias for each head, query and key.
    fn attention_bias = "relax.nn.attention_bias"(
        query: Tensor, key: Tensor, value: Tensor, bias: Tensor, attrs: Defaults<AttentionAttrs>
    ), Pure, infer_attention_bias;
    /// [`attention`] in sequences of different lengths, whose offsets are `seqstart_q` and `seqstart_k`.
    fn attention_var_len = "relax.nn.attention_var_len"(
        query: Tensor, key: Tensor, value: Tensor, seqstart_q: Tensor, seqstart_k: Tensor, max_seqlen_q: Tensor,
        max_seqlen_k: Tensor, attrs: Defaults<AttentionAttrs>
    ), Pure, infer_attention, completed &[
        Completion::Same { to: "seqstart_k", from: "seqstart_q" },
        Completion::Same { to: "max_seqlen_k", from: "max_seqlen_q" },
    ];
}

const BATCH: usize = 0;
const SEQUENCE: usize = 1;
const HEADS: usize = 2;
const HEAD_SIZE: usize = 3;

/// The arguments of attention whose sizes are known.
struct Sizes {
    query: Option<Vec<PrimExpr>>,
    key: Option<Vec<PrimExpr>>,
    value: Option<Vec<PrimExpr>>,
}

fn infer_attention(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(Sizes::check(call)?.result(call.tensor(0)?))
}

fn infer_attention_bias(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let sizes = Sizes::check(call)?;
    if let Some(bias) = four_sizes(call, 3)? {
        for (place, of_query) in [(0, BATCH), (1, HEADS), (2, SEQUENCE)] {
            if let Some(query) = sizes.query.as_ref().filter(|_| constant(&bias[place]) != Some(1)) {
                check_size(call, 3, place, [&bias[place], &query[of_query]], "the size of `query`, or 1")?;
            }
        }
        if let Some(key) = &sizes.key {
            check_size(call, 3, 3, [&bias[3], &key[SEQUENCE]], "the sequence of `key`")?;
        }
    }
    Ok(sizes.result(call.tensor(0)?))
}

impl Sizes {
    /// Checks `query`, `key` and `value` against each other.
    fn check(call: &OpCall<'_>) -> Result<Sizes, Error> {
        let sizes = Sizes { query: four_sizes(call, 0)?, key: four_sizes(call, 1)?, value: four_sizes(call, 2)? };
        let Sizes { query, key, value } = &sizes;
        for (index, other) in [(1, key), (2, value)] {
            let (Some(query), Some(other)) = (query, other) else { continue };
            check_size(call, index, BATCH, [&other[BATCH], &query[BATCH]], "the batch of `query`")?;
            check_multiple(call, 0, HEADS, [&query[HEADS], &other[HEADS]], "the heads of `key` and of `value`")?;
        }
        if let (Some(key), Some(value)) = (key, value) {
            check_size(call, 2, SEQUENCE, [&value[SEQUENCE], &key[SEQUENCE]], "the sequence of `key`")?;
        }
        if let (Some(query), Some(key)) = (query, key) {
            check_size(call, 1, HEAD_SIZE, [&key[HEAD_SIZE], &query[HEAD_SIZE]], "the head size of `query`")?;
        }
        Ok(sizes)
    }

    /// The dimensions of the query with the head size of the value.
    fn result(self, query: &TensorStructInfo) -> StructInfo {
        let dims = match (self.query, self.value) {
            (Some(mut dims), Some(value)) => {
                dims[HEAD_SIZE] = value[HEAD_SIZE].clone();
                Dims::Known(dims)
            }
            _ => Dims::Rank(4),
        };
        tensor(dims, query.dtype, query.vdevice.clone())
    }
}

/// The sizes of the four dimensions of the tensor at `index`, if they are known.
fn four_sizes(call: &OpCall<'_>, index: usize) -> Result<Option<Vec<PrimExpr>>, Error> {
    require_rank(call, index, 4)?;
    Ok(Dims::of(call.tensor(index)?).known().map(<[_]>::to_vec))
}
