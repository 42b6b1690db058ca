//! Operators that move a window over a tensor: convolutions and pooling.

use ndarray::{ArrayD, ArrayView2, ArrayViewMut2, Axis, Dimension as _, Ix2, IxDyn, Slice};
use object_core::prelude::*;
use object_ir::attrs::{AdaptivePooling, Convolution, Pool2DAttrs, Pooling, Step, Window, WindowAttrs};

use super::arrays::{Pair, filled, from_index, pair_of, unravel};
use super::evaluation::Evaluation;
use super::linear_algebra::{Product, Ring, float_product, int_product};
use crate::value::{PADDING, shaped};

/// The dimensions of a layout such as `NHWC` in the order of `names`, such as `NCHW`.
fn order_of(call: &Evaluation<'_>, layout: &str, names: &str) -> Result<Vec<usize>, Error> {
    let order: Option<Vec<usize>> = names.chars().map(|name| layout.find(name)).collect();
    order.filter(|order| order.len() == layout.len()).ok_or_else(|| {
        let message = format!("the evaluator runs layouts of the dimensions {names}, in any order, got `{layout}`");
        call.error(ErrorKind::Call, message)
    })
}

/// The order of the dimensions of the data and of the result, which has the layout of the data if it states none.
fn orders_of(call: &Evaluation<'_>, names: &str, [layout, out]: [&str; 2]) -> Result<[Vec<usize>; 2], Error> {
    let out = if out.is_empty() { layout } else { out };
    Ok([order_of(call, layout, names)?, order_of(call, out, names)?])
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

/// The steps of a window, as in attributes.
struct Steps(Vec<Step>);

impl Steps {
    /// The steps of a window with numbers that are not negative.
    fn of(call: &Evaluation<'_>, window: &Window) -> Result<Self, Error> {
        let is_positive =
            |step: &Step| [step.stride, step.dilation, step.padding[0], step.padding[1]].iter().all(|it| *it >= 0);
        let steps = window.steps().filter(|steps| steps.iter().all(is_positive));
        steps.map(Steps).ok_or_else(|| {
            let rank = window.space.len();
            call.invalid(format!("expected {rank} strides, dilations and paddings that are not negative"))
        })
    }

    /// The element under the place `inner` of the window at `position`; `None` in the padding.
    fn element(&self, position: &[usize], inner: &[usize], sizes: &[usize]) -> Option<Vec<usize>> {
        let element = |axis: usize| {
            let Step { stride, padding: [before, _], dilation } = self.0[axis];
            let begin = (position[axis] as i64).checked_mul(stride)?;
            let at = begin.checked_add((inner[axis] as i64).checked_mul(dilation)?)?.checked_sub(before)?;
            usize::try_from(at).ok().filter(|at| *at < sizes[axis])
        };
        (0..sizes.len()).map(element).collect()
    }

    /// The places of a window of `extents` places at `position` that are in the data or in its padding.
    fn places_in_padding(&self, position: &[usize], extents: &[usize], sizes: &[usize]) -> usize {
        let places = |axis: usize| {
            let Step { stride, padding, dilation } = self.0[axis];
            let end = padding.iter().fold(sizes[axis] as u64, |end, padding| end.saturating_add(*padding as u64));
            let left = end.saturating_sub((position[axis] as u64).saturating_mul(stride as u64));
            left.div_ceil(dilation.max(1) as u64).min(extents[axis] as u64) as usize
        };
        (0..sizes.len()).map(places).product()
    }
}

/// A convolution or a transposed convolution.
pub(crate) fn convolution<A: WindowAttrs<Description = Convolution>>(call: &Evaluation<'_>) -> Result<Any, Error> {
    convolve(call, &call.attrs::<A>()?.description())
}

fn convolve(call: &Evaluation<'_>, attrs: &Convolution) -> Result<Any, Error> {
    let (data, weight) = (call.tensor(0)?, call.tensor(1)?);
    let dims = call.result_dims()?;
    let is_transposed = attrs.output_padding.is_some();
    let names = attrs.window.names("NC");
    let orders = [
        order_of(call, &attrs.data_layout, &names)?,
        order_of(call, &attrs.kernel_layout, &attrs.window.names(if is_transposed { "IO" } else { "OI" }))?,
        order_of(call, &attrs.out_layout, &names)?,
    ];
    let target: Vec<usize> = orders[2].iter().map(|axis| dims[*axis]).collect();
    let steps = Steps::of(call, &attrs.window)?;
    let groups = usize::try_from(attrs.groups).unwrap_or(1).max(1);
    let dtype = if attrs.out_dtype.is_void() { data.dtype() } else { attrs.out_dtype };
    let back = inverse(&orders[2]);
    macro_rules! result {
        ($data:ident, $weight:ident, $product:ident) => {{
            let data = $data.permuted_axes(IxDyn(&orders[0]));
            let weight = $weight.permuted_axes(IxDyn(&orders[1]));
            let operands = Operands { data: &data, weight: &weight, steps: &steps, groups, target: &target };
            let result = if is_transposed { operands.transposed(call)? } else { operands.convolved(call, $product)? };
            result.permuted_axes(IxDyn(&back))
        }};
    }
    match pair_of(call, dtype, data.numbers(call.meter())?, weight.numbers(call.meter())?)? {
        Pair::Float(data, weight) => call.floats(dtype, &result!(data, weight, float_product)),
        Pair::Int(data, weight) => call.integers(dtype, &result!(data, weight, int_product)),
    }
}

/// The operands of a convolution, and how it runs over them.
struct Operands<'a, T> {
    data: &'a ArrayD<T>,
    weight: &'a ArrayD<T>,
    steps: &'a Steps,
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
                .map(|position| self.steps.element(position, inner, sizes).map_or(PADDING, place))
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
                let Some(element) = self.steps.element(&position, inner, &self.target[2..]) else { continue };
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

/// The call of a pooling operator.
struct Pool<'a> {
    size: Vec<usize>,
    steps: Steps,
    /// The order of batch, channels and space in the data, and in the result.
    orders: [Vec<usize>; 2],
    counts_padding: bool,
    call: &'a Evaluation<'a>,
}

impl<'a> Pool<'a> {
    fn of<A: WindowAttrs<Description = Pooling>>(call: &'a Evaluation<'a>) -> Result<Self, Error> {
        let attrs = call.attrs::<A>()?.description();
        let rank = attrs.window.space.len();
        let size: Vec<usize> = attrs.size.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
        let steps = Steps::of(call, &attrs.window)?;
        let orders = orders_of(call, &attrs.window.names("NC"), [&attrs.layout, &attrs.out_layout])?;
        if size.len() != rank {
            return Err(call.invalid(format!("expected a window of {rank} dimensions, got {size:?}")));
        }
        Ok(Pool { size, steps, orders, counts_padding: attrs.count_include_pad, call })
    }

    /// The elements under the window at `position`.
    fn elements<'e>(
        &'e self,
        inner: &'e [Vec<usize>],
        position: &'e [usize],
        sizes: &'e [usize],
    ) -> impl Iterator<Item = Vec<usize>> + 'e {
        inner.iter().filter_map(move |inner| self.steps.element(position, inner, sizes))
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
        let count = if self.counts_padding { self.steps.places_in_padding(position, &self.size, sizes) } else { count };
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

pub(crate) fn max_pool<A: WindowAttrs<Description = Pooling>>(call: &Evaluation<'_>) -> Result<Any, Error> {
    Pool::of::<A>(call)?.run(true)
}

pub(crate) fn avg_pool<A: WindowAttrs<Description = Pooling>>(call: &Evaluation<'_>) -> Result<Any, Error> {
    Pool::of::<A>(call)?.run(false)
}

pub(crate) fn max_pool2d_backward(call: &Evaluation<'_>) -> Result<Any, Error> {
    Pool::of::<Pool2DAttrs>(call)?.gradient(true)
}

pub(crate) fn avg_pool2d_backward(call: &Evaluation<'_>) -> Result<Any, Error> {
    Pool::of::<Pool2DAttrs>(call)?.gradient(false)
}

/// The averages over parts of space, as many as the result has.
pub(crate) fn adaptive_avg_pool<A: WindowAttrs<Description = AdaptivePooling>>(
    call: &Evaluation<'_>,
) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<A>()?.description());
    let dims = call.result_dims()?;
    let [from, to] = orders_of(call, &format!("NC{}", attrs.space), [&attrs.layout, &attrs.out_layout])?;
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
