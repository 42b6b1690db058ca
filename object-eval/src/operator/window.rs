//! Operators that move a window over a tensor: convolutions and pooling.

use ndarray::{ArrayD, ArrayView2, ArrayViewMut2, Axis, Dimension as _, Ix2, IxDyn, Slice};
use object_core::prelude::*;
use object_ir::attrs::{
    AdaptivePool1DAttrs, AdaptivePool2DAttrs, AdaptivePool3DAttrs, Conv1DAttrs, Conv1DTransposeAttrs, Conv2DAttrs,
    Conv2DTransposeAttrs, Conv3DAttrs, Conv3DTransposeAttrs, Pool1DAttrs, Pool2DAttrs, Pool3DAttrs,
};

use super::arrays::{Pair, filled, from_index, pair_of, unravel};
use super::evaluation::Evaluation;
use super::linear_algebra::{Product, Ring, float_product, int_product};
use crate::value::{PADDING, Tensor, shaped};

/// The dimensions of a layout such as `NHWC` in the order of `names`, such as `NCHW`.
fn order_of(call: &Evaluation<'_>, layout: &str, names: &str) -> Result<Vec<usize>, Error> {
    let order: Option<Vec<usize>> = names.chars().map(|name| layout.find(name)).collect();
    order.filter(|order| order.len() == layout.len()).ok_or_else(|| {
        let message = format!("the evaluator runs layouts of the dimensions {names}, in any order, got `{layout}`");
        call.error(ErrorKind::Call, message)
    })
}

/// The names of the dimensions of space.
fn space(rank: usize) -> &'static str {
    ["W", "HW", "DHW"][rank - 1]
}

/// The inverse of an order of dimensions.
fn inverse(order: &[usize]) -> Vec<usize> {
    (0..order.len()).map(|axis| order.iter().position(|it| *it == axis).unwrap_or_default()).collect()
}

/// The places of an array of shape `dims`, in C order.
fn places_of(call: &Evaluation<'_>, dims: &[usize]) -> Result<Vec<Vec<usize>>, Error> {
    let count = call.count(dims)?;
    call.room_for::<usize>(&[count, dims.len()])?;
    call.room_for::<Vec<usize>>(&[count])?;
    Ok((0..count).map(|position| unravel(position, dims)).collect())
}

/// How a window moves over the dimensions of space.
struct Window {
    strides: Vec<usize>,
    dilation: Vec<usize>,
    /// The padding before each dimension, and after it.
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Window {
    fn of(
        call: &Evaluation<'_>,
        strides: &[i64],
        dilation: &[i64],
        padding: &[i64],
        rank: usize,
    ) -> Result<Self, Error> {
        let numbers =
            |numbers: &[i64]| numbers.iter().map(|number| usize::try_from(*number).ok()).collect::<Option<Vec<_>>>();
        let before = match padding.len() {
            1 => vec![padding[0]; rank],
            _ => padding.get(..rank).unwrap_or_default().to_vec(),
        };
        let after = padding.get(rank..2 * rank).unwrap_or(&before);
        let window = || {
            let (strides, dilation) = (numbers(strides)?, numbers(dilation)?);
            Some(Window { strides, dilation, before: numbers(&before)?, after: numbers(after)? })
        };
        let lengths = |it: &Window| [it.strides.len(), it.dilation.len(), it.before.len(), it.after.len()];
        window().filter(|it| lengths(it).iter().all(|length| *length == rank)).ok_or_else(|| {
            call.invalid(format!("expected {rank} strides, dilations and paddings that are not negative"))
        })
    }

    /// The element under the place `inner` of the window at `position`; `None` in the padding.
    fn element(&self, position: &[usize], inner: &[usize], sizes: &[usize]) -> Option<Vec<usize>> {
        let element = |axis: usize| {
            let (step, offset) =
                (position[axis].checked_mul(self.strides[axis])?, inner[axis].checked_mul(self.dilation[axis])?);
            step.checked_add(offset)?.checked_sub(self.before[axis]).filter(|at| *at < sizes[axis])
        };
        (0..sizes.len()).map(element).collect()
    }

    /// The places of a window of `extents` places at `position` that are in the data or in its padding.
    fn places_in_padding(&self, position: &[usize], extents: &[usize], sizes: &[usize]) -> usize {
        let places = |axis: usize| {
            let end = sizes[axis] + self.before[axis] + self.after[axis];
            let left = end.saturating_sub(position[axis].saturating_mul(self.strides[axis]));
            left.div_ceil(self.dilation[axis].max(1)).min(extents[axis])
        };
        (0..sizes.len()).map(places).product()
    }
}

/// The parts of the attributes of convolutions that all of them have.
struct Convolution<'a> {
    strides: Vec<i64>,
    dilation: Vec<i64>,
    padding: Vec<i64>,
    groups: i64,
    layouts: [&'a str; 3],
    out_dtype: DataType,
    is_transposed: bool,
}

impl Convolution<'_> {
    fn run(&self, call: &Evaluation<'_>) -> Result<Any, Error> {
        let (data, weight) = (call.tensor(0)?, call.tensor(1)?);
        let dims = call.result_dims()?;
        let space = space(data.rank().saturating_sub(2).clamp(1, 3));
        let names = format!("NC{space}");
        let orders = [
            order_of(call, self.layouts[0], &names)?,
            order_of(call, self.layouts[1], &format!("{}{space}", if self.is_transposed { "IO" } else { "OI" }))?,
            order_of(call, self.layouts[2], &names)?,
        ];
        let target: Vec<usize> = orders[2].iter().map(|axis| dims[*axis]).collect();
        let window = Window::of(call, &self.strides, &self.dilation, &self.padding, space.len())?;
        let groups = usize::try_from(self.groups).unwrap_or(1).max(1);
        let dtype = if self.out_dtype.is_void() { data.dtype() } else { self.out_dtype };
        let back = inverse(&orders[2]);
        macro_rules! result {
            ($data:ident, $weight:ident, $product:ident) => {{
                let data = $data.permuted_axes(IxDyn(&orders[0]));
                let weight = $weight.permuted_axes(IxDyn(&orders[1]));
                let operands = Operands { data: &data, weight: &weight, window: &window, groups, target: &target };
                let result =
                    if self.is_transposed { operands.transposed(call)? } else { operands.convolved(call, $product)? };
                result.permuted_axes(IxDyn(&back))
            }};
        }
        match pair_of(call, dtype, data.numbers(call.meter())?, weight.numbers(call.meter())?)? {
            Pair::Float(data, weight) => call.floats(dtype, &result!(data, weight, float_product)),
            Pair::Int(data, weight) => call.integers(dtype, &result!(data, weight, int_product)),
        }
    }
}

/// The operands of a convolution, and how it runs over them.
struct Operands<'a, T> {
    data: &'a ArrayD<T>,
    weight: &'a ArrayD<T>,
    window: &'a Window,
    groups: usize,
    /// The shape of the result.
    target: &'a [usize],
}

impl<T: Ring> Operands<'_, T> {
    /// The places of the window.
    fn inner(&self, call: &Evaluation<'_>) -> Result<Vec<Vec<usize>>, Error> {
        places_of(call, &self.weight.shape()[2..])
    }

    /// The convolution of `data (N, C, ...)` with `weight (O, C / groups, ...)`: for each place of the window, the product of
    /// the weights there with the elements under the place.
    fn convolved(&self, call: &Evaluation<'_>, product: Product<T>) -> Result<ArrayD<T>, Error> {
        let (sizes, positions) = (&self.data.shape()[2..], places_of(call, &self.target[2..])?);
        let (batches, all_channels) = (self.data.shape()[0], self.data.shape()[1]);
        let (channels, outputs) = (self.weight.shape()[1], self.weight.shape()[0] / self.groups);
        let (inner, count, plane) = (self.inner(call)?, positions.len(), sizes.iter().product::<usize>());
        call.work(&[call.room_for::<T>(self.target)?, inner.len(), channels])?;
        call.room_for::<T>(&[channels, count])?;
        call.room_for::<T>(self.data.shape())?;
        if self.target[..2] != [batches, outputs * self.groups] || all_channels != channels * self.groups {
            let message = format!("expected {} channels in {} groups, got {all_channels}", channels, self.groups);
            return Err(call.invalid(message));
        }
        let data: Vec<T> = self.data.iter().copied().collect();
        let (mut result, mut moved) =
            (vec![T::ZERO; batches * outputs * self.groups * count], vec![T::ZERO; channels * count]);
        for inner in &inner {
            let place = |element: Vec<usize>| element.iter().zip(sizes).fold(0, |place, (at, size)| place * size + at);
            let places: Vec<usize> = positions
                .iter()
                .map(|position| self.window.element(position, inner, sizes).map_or(PADDING, place))
                .collect();
            let factors = inner.iter().fold(self.weight.view(), |view, at| view.index_axis_move(Axis(2), *at));
            for (batch, group) in (0..batches).flat_map(|batch| (0..self.groups).map(move |group| (batch, group))) {
                for (channel, row) in moved.chunks_exact_mut(count.max(1)).enumerate() {
                    let first = (batch * all_channels + group * channels + channel) * plane;
                    for (to, place) in row.iter_mut().zip(&places) {
                        *to = if *place == PADDING { T::ZERO } else { data[first + place] };
                    }
                }
                let factors = factors.slice_axis(Axis(0), Slice::from(group * outputs..(group + 1) * outputs));
                let begin = (batch * self.groups + group) * outputs * count;
                let target = ArrayViewMut2::from_shape((outputs, count), &mut result[begin..begin + outputs * count]);
                let elements = ArrayView2::from_shape((channels, count), &moved);
                let (Ok(factors), Ok(elements), Ok(mut target)) =
                    (factors.into_dimensionality::<Ix2>(), elements, target)
                else {
                    return Err(call.invalid("the weights and the data do not fit"));
                };
                product(&factors, &elements, &mut target);
            }
        }
        shaped(self.target, result)
    }

    /// The transposed convolution of `data (N, C, ...)` with `weight (C, O / groups, ...)`.
    fn transposed(&self, call: &Evaluation<'_>) -> Result<ArrayD<T>, Error> {
        let (channels, outputs) = (self.data.shape()[1] / self.groups, self.weight.shape()[1]);
        let inner = self.inner(call)?;
        call.work(&[self.data.len(), inner.len(), outputs])?;
        let mut result = filled(call, self.target, T::ZERO)?;
        for (at, number) in self.data.indexed_iter() {
            let position: Vec<usize> = (2..at.ndim()).map(|axis| at[axis]).collect();
            let group = at[1] / channels.max(1);
            for inner in &inner {
                let Some(element) = self.window.element(&position, inner, &self.target[2..]) else { continue };
                let mut place: Vec<usize> = [at[0], 0].into_iter().chain(element).collect();
                let mut factor: Vec<usize> = [at[1], 0].into_iter().chain(inner.iter().copied()).collect();
                for output in 0..outputs {
                    place[1] = group * outputs + output;
                    factor[1] = output;
                    let sum = &mut result[IxDyn(&place)];
                    *sum = sum.plus_product(*number, self.weight[IxDyn(&factor)]);
                }
            }
        }
        Ok(result)
    }
}

macro_rules! convolutions {
    ($($name:ident $Attrs:ident $is_transposed:literal;)*) => {$(
        pub(crate) fn $name(call: &Evaluation<'_>) -> Result<Any, Error> {
            let attrs = call.attrs::<$Attrs>()?;
            let convolution = Convolution {
                strides: attrs.strides.to_vec(),
                dilation: attrs.dilation.to_vec(),
                padding: attrs.padding.to_vec(),
                groups: attrs.groups,
                layouts: [&attrs.data_layout, &attrs.kernel_layout, &attrs.out_layout],
                out_dtype: attrs.out_dtype,
                is_transposed: $is_transposed,
            };
            convolution.run(call)
        }
    )*};
}

convolutions! {
    conv1d Conv1DAttrs false;
    conv2d Conv2DAttrs false;
    conv3d Conv3DAttrs false;
    conv1d_transpose Conv1DTransposeAttrs true;
    conv2d_transpose Conv2DTransposeAttrs true;
    conv3d_transpose Conv3DTransposeAttrs true;
}

/// The parts of the attributes of pooling.
struct Pool<'a> {
    size: Vec<usize>,
    window: Window,
    /// The order of batch, channels and space in the data, and in the result.
    orders: [Vec<usize>; 2],
    counts_padding: bool,
    call: &'a Evaluation<'a>,
}

impl Pool<'_> {
    /// The elements under the window at `position`.
    fn elements<'e>(
        &'e self,
        inner: &'e [Vec<usize>],
        position: &'e [usize],
        sizes: &'e [usize],
    ) -> impl Iterator<Item = Vec<usize>> + 'e {
        inner.iter().filter_map(move |inner| self.window.element(position, inner, sizes))
    }

    /// The places of the window, which moves over `positions` places.
    fn inner(&self, positions: &[usize]) -> Result<Vec<Vec<usize>>, Error> {
        let places = self.call.count(&self.size)?;
        self.call.work(&[self.call.count(positions)?, places])?;
        places_of(self.call, &self.size)
    }

    /// The number that the sum of the `count` elements under the window at `position` is divided by. The last window may
    /// end after the padding, where no place counts.
    fn divisor(&self, count: usize, position: &[usize], sizes: &[usize]) -> f64 {
        let count =
            if self.counts_padding { self.window.places_in_padding(position, &self.size, sizes) } else { count };
        count.max(1) as f64
    }

    fn run(&self, takes_max: bool) -> Result<Any, Error> {
        let call = self.call;
        let x = call.tensor(0)?;
        let dims = call.result_dims()?;
        let data = x.floats(call.meter())?.permuted_axes(IxDyn(&self.orders[0]));
        let target: Vec<usize> = self.orders[1].iter().map(|axis| dims[*axis]).collect();
        let (sizes, inner, least) = (data.shape()[2..].to_vec(), self.inner(&target)?, x.element().float_range().0);
        let result = from_index(call, &target, |at| {
            let numbers = self
                .elements(&inner, &at[2..], &sizes)
                .map(|element| data[IxDyn(&[at[0], at[1]].into_iter().chain(element).collect::<Vec<_>>())]);
            if takes_max {
                return numbers.fold(least, |max, x| if max > x { max } else { x });
            }
            let (sum, count) = numbers.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
            sum / self.divisor(count, &at[2..], &sizes)
        })?;
        call.floats(x.dtype(), &result.permuted_axes(IxDyn(&inverse(&self.orders[1]))))
    }

    /// The gradient of pooling: the first argument is the gradient of the result, the second one the data.
    fn gradient(&self, of_max: bool) -> Result<Any, Error> {
        let call = self.call;
        let x = call.tensor(1)?;
        let grad = call.tensor(0)?.floats(call.meter())?.permuted_axes(IxDyn(&self.orders[1]));
        let data = x.floats(call.meter())?.permuted_axes(IxDyn(&self.orders[0]));
        let (sizes, inner) = (data.shape()[2..].to_vec(), self.inner(grad.shape())?);
        if grad.ndim() != data.ndim() || grad.shape()[..2] != data.shape()[..2] {
            return Err(call.invalid("expected a gradient with the batch and the channels of the data"));
        }
        let mut result = filled(call, data.shape(), 0.0)?;
        for (at, grad) in grad.indexed_iter() {
            let position: Vec<usize> = (2..at.ndim()).map(|axis| at[axis]).collect();
            let places: Vec<IxDyn> = self
                .elements(&inner, &position, &sizes)
                .map(|element| IxDyn(&[at[0], at[1]].into_iter().chain(element).collect::<Vec<_>>()))
                .collect();
            if of_max {
                let best = places.iter().reduce(|best, next| if data[next] > data[best] { next } else { best });
                if let Some(best) = best {
                    result[best] += grad;
                }
            } else {
                let divisor = self.divisor(places.len(), &position, &sizes);
                places.iter().for_each(|place| result[place] += grad / divisor);
            }
        }
        call.floats(x.dtype(), &result.permuted_axes(IxDyn(&inverse(&self.orders[0]))))
    }
}

macro_rules! pools {
    ($($name:ident $Attrs:ident $rank:literal $method:ident($is_max:literal), $out:ident;)*) => {$(
        pub(crate) fn $name(call: &Evaluation<'_>) -> Result<Any, Error> {
            let attrs = call.attrs::<$Attrs>()?;
            let names = format!("NC{}", space($rank));
            let out = if attrs.$out.is_empty() { &attrs.layout } else { &attrs.$out };
            let size: Vec<usize> = attrs.pool_size.iter().map(|size| usize::try_from(size).unwrap_or(0)).collect();
            let (strides, dilation) = (attrs.strides.to_vec(), attrs.dilation.to_vec());
            let window = Window::of(call, &strides, &dilation, &attrs.padding.to_vec(), $rank)?;
            let orders = [order_of(call, &attrs.layout, &names)?, order_of(call, out, &names)?];
            let counts_padding = attrs.count_include_pad;
            if size.len() != $rank {
                return Err(call.invalid(format!("expected a window of {} dimensions, got {size:?}", $rank)));
            }
            Pool { size, window, orders, counts_padding, call }.$method($is_max)
        }
    )*};
}

pools! {
    max_pool1d Pool1DAttrs 1 run(true), out_layout;
    max_pool2d Pool2DAttrs 2 run(true), out_layout;
    max_pool3d Pool3DAttrs 3 run(true), out_layout;
    avg_pool1d Pool1DAttrs 1 run(false), out_layout;
    avg_pool2d Pool2DAttrs 2 run(false), out_layout;
    avg_pool3d Pool3DAttrs 3 run(false), out_layout;
    max_pool2d_backward Pool2DAttrs 2 gradient(true), out_layout;
    avg_pool2d_backward Pool2DAttrs 2 gradient(false), out_layout;
}

/// The averages over parts of space, as many as the result has.
fn adaptive(call: &Evaluation<'_>, layout: &str, out: &str) -> Result<Any, Error> {
    let x: &Tensor = call.tensor(0)?;
    let dims = call.result_dims()?;
    let names = format!("NC{}", space(x.rank().saturating_sub(2).clamp(1, 3)));
    let out = if out.is_empty() { layout } else { out };
    let (from, to) = (order_of(call, layout, &names)?, order_of(call, out, &names)?);
    let data = x.floats(call.meter())?.permuted_axes(IxDyn(&from));
    let target: Vec<usize> = to.iter().map(|axis| dims[*axis]).collect();
    let sizes = data.shape()[2..].to_vec();
    let result = from_index(call, &target, |at| {
        let ranges: Vec<(usize, usize)> = (0..sizes.len())
            .map(|axis| {
                let (size, parts, part) = (sizes[axis], target[axis + 2], at[axis + 2]);
                (part * size / parts, ((part + 1) * size).div_ceil(parts))
            })
            .collect();
        let extents: Vec<usize> = ranges.iter().map(|(begin, end)| end - begin).collect();
        let count: usize = extents.iter().product();
        let sum: f64 = (0..count)
            .map(|position| {
                let offsets = unravel(position, &extents);
                let element = ranges.iter().zip(offsets).map(|((begin, _), offset)| begin + offset);
                data[IxDyn(&[at[0], at[1]].into_iter().chain(element).collect::<Vec<_>>())]
            })
            .sum();
        sum / count as f64
    })?;
    call.floats(x.dtype(), &result.permuted_axes(IxDyn(&inverse(&to))))
}

macro_rules! adaptive_pools {
    ($($name:ident $Attrs:ident;)*) => {$(
        pub(crate) fn $name(call: &Evaluation<'_>) -> Result<Any, Error> {
            let attrs = call.attrs::<$Attrs>()?;
            adaptive(call, &attrs.layout, &attrs.out_layout)
        }
    )*};
}

adaptive_pools! {
    adaptive_avg_pool1d AdaptivePool1DAttrs;
    adaptive_avg_pool2d AdaptivePool2DAttrs;
    adaptive_avg_pool3d AdaptivePool3DAttrs;
}
