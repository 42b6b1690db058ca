//! The attributes of operator calls, a file per operator family.

pub mod call;
pub mod create;
pub mod datatype;
pub mod device;
pub mod manipulate;
pub mod index;
pub mod search;
pub mod sorting;
pub mod statistical;
pub mod linear_algebra;
pub mod nn;
pub mod nn_conv;
pub mod nn_pool;
pub mod nn_norm;
pub mod image;
pub mod vision;
pub mod distributed;

pub use self::call::{
    CallInplacePackedAttrs, CallInplacePackedAttrsNode, CallTIRInplaceAttrs, CallTIRInplaceAttrsNode,
    CallTIRWithGradAttrs, CallTIRWithGradAttrsNode, WrapParamAttrs, WrapParamAttrsNode,
};
pub use self::create::{InitAttrs, InitAttrsNode, TriluAttrs, TriluAttrsNode};
pub use self::datatype::{AstypeAttrs, AstypeAttrsNode, QuantizeAttrs, QuantizeAttrsNode};
pub use self::device::{HintOnDeviceAttrs, HintOnDeviceAttrsNode, ToVDeviceAttrs, ToVDeviceAttrsNode};
pub use self::distributed::{
    AllGatherAttrs, AllGatherAttrsNode, AllReduceAttrs, AllReduceAttrsNode, DistributionAttrs, DistributionAttrsNode,
    ScatterCollectiveAttrs, ScatterCollectiveAttrsNode,
};
pub use self::image::{
    GridSampleAttrs, GridSampleAttrsNode, Resize2DAttrs, Resize2DAttrsNode, Resize3DAttrs, Resize3DAttrsNode,
};
pub use self::index::{StridedSliceAttrs, StridedSliceAttrsNode, TakeAttrs, TakeAttrsNode};
pub use self::linear_algebra::{EinsumAttrs, EinsumAttrsNode, MatmulAttrs, MatmulAttrsNode};
pub use self::manipulate::{
    ConcatAttrs, ConcatAttrsNode, ExpandDimsAttrs, ExpandDimsAttrsNode, FlipAttrs, FlipAttrsNode, GatherElementsAttrs,
    GatherElementsAttrsNode, GatherNDAttrs, GatherNDAttrsNode, IndexPutAttrs, IndexPutAttrsNode, LayoutTransformAttrs,
    LayoutTransformAttrsNode, MeshgridAttrs, MeshgridAttrsNode, OneHotAttrs, OneHotAttrsNode, PermuteDimsAttrs,
    PermuteDimsAttrsNode, RepeatAttrs, RepeatAttrsNode, ScatterElementsAttrs, ScatterElementsAttrsNode, ScatterNDAttrs,
    ScatterNDAttrsNode, SliceScatterAttrs, SliceScatterAttrsNode, SplitAttrs, SplitAttrsNode, SqueezeAttrs,
    SqueezeAttrsNode, StackAttrs, StackAttrsNode, TileAttrs, TileAttrsNode,
};
pub use self::nn::{
    AttentionAttrs, AttentionAttrsNode, DropoutAttrs, DropoutAttrsNode, LeakyReluAttrs, LeakyReluAttrsNode,
    NLLLossAttrs, NLLLossAttrsNode, PReluAttrs, PReluAttrsNode, PadAttrs, PadAttrsNode, PixelShuffleAttrs,
    PixelShuffleAttrsNode, SoftmaxAttrs, SoftmaxAttrsNode, SoftplusAttrs, SoftplusAttrsNode,
};
pub use self::nn_conv::{
    Conv1DAttrs, Conv1DAttrsNode, Conv1DTransposeAttrs, Conv1DTransposeAttrsNode, Conv2DAttrs, Conv2DAttrsNode,
    Conv2DTransposeAttrs, Conv2DTransposeAttrsNode, Conv3DAttrs, Conv3DAttrsNode, Conv3DTransposeAttrs,
    Conv3DTransposeAttrsNode,
};
pub use self::nn_norm::{
    BatchNormAttrs, BatchNormAttrsNode, GroupNormAttrs, GroupNormAttrsNode, InstanceNormAttrs, InstanceNormAttrsNode,
    LayerNormAttrs, LayerNormAttrsNode, RMSNormAttrs, RMSNormAttrsNode,
};
pub use self::nn_pool::{
    AdaptivePool1DAttrs, AdaptivePool1DAttrsNode, AdaptivePool2DAttrs, AdaptivePool2DAttrsNode, AdaptivePool3DAttrs,
    AdaptivePool3DAttrsNode, Pool1DAttrs, Pool1DAttrsNode, Pool2DAttrs, Pool2DAttrsNode, Pool3DAttrs, Pool3DAttrsNode,
};
pub use self::search::{ArgmaxArgminAttrs, ArgmaxArgminAttrsNode, BucketizeAttrs, BucketizeAttrsNode};
pub use self::sorting::{ArgsortAttrs, ArgsortAttrsNode, SortAttrs, SortAttrsNode, TopKAttrs, TopKAttrsNode};
pub use self::statistical::{
    MultinomialFromUniformAttrs, MultinomialFromUniformAttrsNode, ScanopAttrs, ScanopAttrsNode, StatisticalAttrs,
    StatisticalAttrsNode,
};
pub use self::vision::{
    AllClassNonMaximumSuppressionAttrs, AllClassNonMaximumSuppressionAttrsNode, GetValidCountsAttrs,
    GetValidCountsAttrsNode, MultiboxTransformLocAttrs, MultiboxTransformLocAttrsNode, NonMaximumSuppressionAttrs,
    NonMaximumSuppressionAttrsNode, ROIAlignAttrs, ROIAlignAttrsNode, ROIPoolAttrs, ROIPoolAttrsNode,
};
