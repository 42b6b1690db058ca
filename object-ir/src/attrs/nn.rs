//! Attributes of activations, losses, attention and other layers without a family of their own.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;
use crate::ir::expr::{FloatImm, IntImm};

/// Attributes of `softmax` and `log_softmax`.
///
/// TVM 0.25 `relax.attrs.SoftmaxAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.SoftmaxAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct SoftmaxAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension that sums to 1.
    pub axis: i64,
}

/// Attributes of `leakyrelu`.
///
/// TVM 0.25 `relax.attrs.LeakyReluAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.LeakyReluAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct LeakyReluAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The slope for negative values.
    pub alpha: f64,
}

/// Attributes of `softplus`.
///
/// TVM 0.25 `relax.attrs.SoftplusAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.SoftplusAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct SoftplusAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The sharpness of the bend.
    pub beta: f64,
    /// The function is linear above this value of `beta * x`.
    pub threshold: f64,
}

/// Attributes of `prelu`.
///
/// TVM 0.25 `relax.attrs.PReluAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.PReluAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct PReluAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension along which the slope varies.
    pub axis: i64,
}

/// Attributes of `dropout`.
///
/// TVM 0.25 `relax.attrs.DropoutAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.DropoutAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct DropoutAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The probability that an element becomes 0.
    pub rate: f64,
}

/// Attributes of `pad`.
///
/// TVM 0.25 `relax.attrs.PadAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.PadAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct PadAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The padding before and after each dimension, dimension by dimension.
    pub pad_width: Array<i64>,
    /// The value of the padding in mode `constant`.
    #[field(default = 0.0)]
    pub pad_value: f64,
    /// The kind of padding: `constant`, `reflect`, `replicate` or `circular`.
    #[field(default = "constant")]
    pub pad_mode: Str,
}

/// Attributes of `pixel_shuffle`: channels become space.
///
/// TVM 0.25 `relax.attrs.PixelShuffleAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.PixelShuffleAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct PixelShuffleAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The factor of height and width.
    pub upscale_factor: i64,
}

/// Attributes of `attention` and its forms.
///
/// TVM 0.25 `relax.attrs.AttentionAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AttentionAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AttentionAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The factor on the scores; none for the inverse root of the head size.
    pub scale: Option<FloatImm>,
    /// The alignment of the causal mask: `TopLeft` or `BottomRight`; none for no mask.
    pub causal_mask: Option<Str>,
    /// The number of earlier positions that a position sees; none for all.
    pub window_size: Option<IntImm>,
}

/// Attributes of `nll_loss`: the negative log-likelihood.
///
/// TVM 0.25 `relax.attrs.NLLLossAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.NLLLossAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct NLLLossAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// How losses are combined: `none`, `mean` or `sum`.
    #[field(default = "mean")]
    pub reduction: Str,
    /// The loss ignores targets with this value.
    pub ignore_index: i64,
}

impl Default for SoftmaxAttrs {
    /// The last axis.
    fn default() -> Self {
        SoftmaxAttrs::new(-1)
    }
}

impl Default for LeakyReluAttrs {
    /// A slope of 0.01.
    fn default() -> Self {
        LeakyReluAttrs::new(0.01)
    }
}

impl Default for SoftplusAttrs {
    /// `beta` is 1, and `threshold` 20.
    fn default() -> Self {
        SoftplusAttrs::new(1.0, 20.0)
    }
}

impl Default for PReluAttrs {
    /// The axis 1.
    fn default() -> Self {
        PReluAttrs::new(1)
    }
}

impl Default for DropoutAttrs {
    /// A probability of 0.5.
    fn default() -> Self {
        DropoutAttrs::new(0.5)
    }
}

impl Default for AttentionAttrs {
    /// The scale is the inverse of the square root of the head size; no mask, no window.
    fn default() -> Self {
        AttentionAttrs::new(None, None, None)
    }
}

impl Default for NLLLossAttrs {
    /// The mean; the target -100 does not count.
    fn default() -> Self {
        NLLLossAttrs::new(-100)
    }
}

/// The padding before and after each dimension, with zeros.
impl<const N: usize> From<[i64; N]> for PadAttrs {
    fn from(pad_width: [i64; N]) -> Self {
        PadAttrs::new(pad_width)
    }
}

/// The factor.
impl From<i64> for PixelShuffleAttrs {
    fn from(upscale_factor: i64) -> Self {
        PixelShuffleAttrs::new(upscale_factor)
    }
}
