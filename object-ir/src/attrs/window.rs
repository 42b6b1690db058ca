//! [`WindowAttrs`]: the attributes of convolutions and pooling in one form for every number of dimensions.

use object_core::prelude::*;

use super::{
    AdaptivePool1DAttrs, AdaptivePool2DAttrs, AdaptivePool3DAttrs, Conv1DAttrs, Conv1DTransposeAttrs, Conv2DAttrs,
    Conv2DTransposeAttrs, Conv3DAttrs, Conv3DTransposeAttrs, Pool1DAttrs, Pool2DAttrs, Pool3DAttrs,
};

/// The attributes of an operator that moves a window over a tensor.
pub trait WindowAttrs: TypedHandle {
    /// [`Convolution`], [`Pooling`] or [`AdaptivePooling`].
    type Description;

    /// The attributes in the form that does not depend on the number of dimensions.
    fn description(&self) -> Self::Description;
}

/// How a window moves over the dimensions of space.
#[derive(Clone, Debug)]
pub struct Window {
    /// The names of the dimensions in layouts: `W`, `HW` or `DHW`.
    pub space: &'static str,
    /// The distance of two positions of the window, for each dimension.
    pub strides: Vec<i64>,
    /// The padding: one number for all sides, one for each dimension, or the numbers before each dimension followed by the
    /// numbers after each dimension.
    pub padding: Vec<i64>,
    /// The distance of two elements under the window, for each dimension.
    pub dilation: Vec<i64>,
}

/// How a window moves over one dimension.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The distance of two positions of the window.
    pub stride: i64,
    /// The padding before and after the elements.
    pub padding: [i64; 2],
    /// The distance of two elements under the window.
    pub dilation: i64,
}

/// The attributes of a convolution or a transposed convolution.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// How the kernel moves.
    pub window: Window,
    /// The number of groups of channels.
    pub groups: i64,
    /// The layout of the data.
    pub data_layout: Str,
    /// The layout of the kernel.
    pub kernel_layout: Str,
    /// The layout of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
    /// The zeros at the end of each dimension of the result, of a transposed convolution only.
    pub output_padding: Option<Vec<i64>>,
}

/// The attributes of pooling.
#[derive(Clone, Debug)]
pub struct Pooling {
    /// How the window moves.
    pub window: Window,
    /// The size of the window, for each dimension.
    pub size: Vec<i64>,
    /// Whether a partly filled last window counts.
    pub ceil_mode: bool,
    /// Whether an average counts the padding.
    pub count_include_pad: bool,
    /// The layout of the data.
    pub layout: Str,
    /// The layout of the result.
    pub out_layout: Str,
}

/// The attributes of adaptive pooling, which chooses the windows for given sizes of the result.
#[derive(Clone, Debug)]
pub struct AdaptivePooling {
    /// The names of the dimensions in layouts: `W`, `HW` or `DHW`.
    pub space: &'static str,
    /// The sizes of the result; `None` keeps the sizes of the argument.
    pub output_size: Option<Vec<i64>>,
    /// The layout of the data.
    pub layout: Str,
    /// The layout of the result.
    pub out_layout: Str,
}

impl Window {
    fn new(space: &'static str, [strides, padding, dilation]: [&Array<i64>; 3]) -> Self {
        Window { space, strides: strides.to_vec(), padding: padding.to_vec(), dilation: dilation.to_vec() }
    }

    /// The names of all dimensions: two, such as `NC`, and the dimensions of space.
    #[must_use]
    pub fn names(&self, outer: &str) -> String {
        format!("{outer}{}", self.space)
    }

    /// The steps over each dimension. `None` if a list has the wrong number of numbers.
    #[must_use]
    pub fn steps(&self) -> Option<Vec<Step>> {
        let rank = self.space.len();
        let step = |axis: usize| {
            let before = *self.padding.get(if self.padding.len() == 1 { 0 } else { axis })?;
            let after = if self.padding.len() < 2 * rank { before } else { self.padding[rank + axis] };
            let (stride, dilation) = (*self.strides.get(axis)?, *self.dilation.get(axis)?);
            Some(Step { stride, padding: [before, after], dilation })
        };
        let steps: Option<Vec<Step>> = (0..rank).map(step).collect();
        steps.filter(|_| [self.strides.len(), self.dilation.len()] == [rank; 2])
    }

    /// The steps with the names of their dimensions, which are none if a list has the wrong number of numbers.
    pub fn named_steps(&self) -> impl Iterator<Item = (char, Step)> {
        self.space.chars().zip(self.steps().unwrap_or_default())
    }
}

macro_rules! convolutions {
    ($($Attrs:ident $rank:literal $space:literal $kernel:literal $($output_padding:ident)?;)*) => {$(
        impl Default for $Attrs {
            /// Steps of 1, no padding, dense, one group, channels first.
            fn default() -> Self {
                $(let $output_padding = [0; $rank];)?
                let [layout, kernel] = [concat!("NC", $space), concat!($kernel, $space)];
                let dense = [1; $rank];
                $Attrs::new(dense, [0; 2 * $rank], $($output_padding,)? dense, 1, layout, kernel, layout, DataType::void())
            }
        }

        impl WindowAttrs for $Attrs {
            type Description = Convolution;

            fn description(&self) -> Convolution {
                Convolution {
                    window: Window::new($space, [&self.strides, &self.padding, &self.dilation]),
                    groups: self.groups,
                    data_layout: self.data_layout.clone(),
                    kernel_layout: self.kernel_layout.clone(),
                    out_layout: self.out_layout.clone(),
                    out_dtype: self.out_dtype,
                    output_padding: Vec::from([$(self.$output_padding.to_vec())?]).pop(),
                }
            }
        }
    )*};
}

convolutions! {
    Conv1DAttrs 1 "W" "OI";
    Conv2DAttrs 2 "HW" "OI";
    Conv3DAttrs 3 "DHW" "OI";
    Conv1DTransposeAttrs 1 "W" "IO" output_padding;
    Conv2DTransposeAttrs 2 "HW" "IO" output_padding;
    Conv3DTransposeAttrs 3 "DHW" "IO" output_padding;
}

macro_rules! pools {
    ($($Attrs:ident($($layout:literal),*) $AdaptiveAttrs:ident $rank:literal $space:literal;)*) => {$(
        impl Default for $Attrs {
            /// A window of one element with steps of 1, no padding, channels first.
            fn default() -> Self {
                $Attrs::new([1; $rank], [1; $rank], [1; $rank], [0; 2 * $rank], false, false, $($layout),*)
            }
        }

        impl Default for $AdaptiveAttrs {
            /// Keeps the size, channels first.
            fn default() -> Self {
                $AdaptiveAttrs::new(None, concat!("NC", $space), concat!("NC", $space))
            }
        }

        impl WindowAttrs for $Attrs {
            type Description = Pooling;

            fn description(&self) -> Pooling {
                Pooling {
                    window: Window::new($space, [&self.strides, &self.padding, &self.dilation]),
                    size: self.pool_size.to_vec(),
                    ceil_mode: self.ceil_mode,
                    count_include_pad: self.count_include_pad,
                    layout: self.layout.clone(),
                    out_layout: self.out_layout.clone(),
                }
            }
        }

        impl WindowAttrs for $AdaptiveAttrs {
            type Description = AdaptivePooling;

            fn description(&self) -> AdaptivePooling {
                let output_size = self.output_size.as_ref().map(Array::to_vec);
                let (layout, out_layout) = (self.layout.clone(), self.out_layout.clone());
                AdaptivePooling { space: $space, output_size, layout, out_layout }
            }
        }
    )*};
}

pools! {
    Pool1DAttrs("NCW") AdaptivePool1DAttrs 1 "W";
    Pool2DAttrs("NCHW", "NCHW") AdaptivePool2DAttrs 2 "HW";
    Pool3DAttrs("NCDHW", "NCDHW") AdaptivePool3DAttrs 3 "DHW";
}
