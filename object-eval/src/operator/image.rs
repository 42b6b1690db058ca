//! Images: changes of size, and samples at points.

use ndarray::{ArrayD, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{GridSampleAttrs, Resize2DAttrs, Resize3DAttrs};
use object_ir::ir::FloatImm;

use super::arrays::{from_index, unravel};
use super::evaluation::Evaluation;

/// A point of a result along one dimension: the elements that it is made of, with their weights.
struct Sample {
    parts: Vec<(usize, f64)>,
    /// Whether the point is outside of the image.
    is_outside: bool,
}

/// The attributes of a change of size.
struct Resize<'a> {
    method: &'a str,
    mode: &'a str,
    rounding: &'a str,
    alpha: f64,
    excludes_outside: bool,
    extrapolation: f64,
}

impl Resize<'_> {
    /// The coordinate in the image of the point `x` of the result, in single precision as in TVM, because rounding to the
    /// nearest element is not continuous.
    fn coordinate(
        &self,
        call: &Evaluation<'_>,
        x: usize,
        (from, to): (usize, usize),
        roi: (f64, f64),
    ) -> Result<f32, Error> {
        let (x, scale) = (x as f32, from as f32 / to as f32);
        let (last, last_target) = (from as f32 - 1.0, to as f32 - 1.0);
        let (start, end) = (roi.0 as f32, roi.1 as f32);
        Ok(match self.mode {
            "half_pixel" => (x + 0.5) * scale - 0.5,
            "align_corners" => last / last_target * x,
            "asymmetric" => scale * x,
            "pytorch_half_pixel" if to > 1 => (x + 0.5) * scale - 0.5,
            "pytorch_half_pixel" => 0.0,
            "tf_half_pixel_for_nn" => (x + 0.5) * scale,
            "tf_crop_and_resize" if to > 1 => start * last + x * (end - start) * last / last_target,
            "tf_crop_and_resize" => 0.5 * (start + end) * last,
            other => return Err(call.invalid(format!("`{other}` is not a coordinate transformation"))),
        })
    }

    fn nearest(&self, call: &Evaluation<'_>, x: f32) -> Result<f32, Error> {
        let rounding = match self.rounding {
            "" if self.mode == "align_corners" => "round",
            "" => "floor",
            rounding => rounding,
        };
        Ok(match rounding {
            "round" => x.round_ties_even(),
            "round_prefer_floor" => (x - 0.5).ceil(),
            "round_prefer_ceil" => (x + 0.5).floor(),
            // The small number absorbs errors of the coordinate.
            "floor" => (x + 1e-5).floor(),
            "ceil" => (x - 1e-5).ceil(),
            other => return Err(call.invalid(format!("`{other}` is not a rounding method"))),
        })
    }

    /// The points of a result with `to` elements of a dimension with `from` elements.
    fn samples(&self, call: &Evaluation<'_>, from: usize, to: usize, roi: (f64, f64)) -> Result<Vec<Sample>, Error> {
        let last = from as i64 - 1;
        let clamped = |at: i64| usize::try_from(at.clamp(0, last.max(0))).unwrap_or(0);
        let sample = |x: usize| {
            let x = self.coordinate(call, x, (from, to), roi)?;
            let is_outside = self.mode == "tf_crop_and_resize" && (x < 0.0 || x > last as f32);
            let (floor, fraction) = (x.floor() as i64, f64::from(x - x.floor()));
            let parts = match self.method {
                "nearest_neighbor" => vec![(clamped(self.nearest(call, x)? as i64), 1.0)],
                "linear" => vec![(clamped(floor), 1.0 - fraction), (clamped(floor + 1), fraction)],
                "cubic" => {
                    let (a, t, t2, t3) = (self.alpha, fraction, fraction.powi(2), fraction.powi(3));
                    let mut weights = [
                        a * (t3 - 2.0 * t2 + t),
                        (a + 2.0) * t3 - (3.0 + a) * t2 + 1.0,
                        -(a + 2.0) * t3 + (3.0 + 2.0 * a) * t2 - a * t,
                        -a * t3 + a * t2,
                    ];
                    if self.excludes_outside {
                        for (weight, at) in weights.iter_mut().zip(floor - 1..) {
                            *weight = if at < 0 || at + 1 > from as i64 { 0.0 } else { *weight };
                        }
                        let sum: f64 = weights.iter().sum();
                        weights = weights.map(|weight| weight / sum);
                    }
                    weights.iter().zip(floor - 1..).map(|(weight, at)| (clamped(at), *weight)).collect()
                }
                other => return Err(call.invalid(format!("`{other}` is not an interpolation method"))),
            };
            Ok(Sample { parts, is_outside })
        };
        (0..to).map(sample).collect()
    }

    /// Changes the sizes of the dimensions of space, `names`. `roi` has for each of them the region.
    fn run(&self, call: &Evaluation<'_>, layout: &str, names: &str, roi: &[(f64, f64)]) -> Result<Any, Error> {
        let (x, dims) = (call.tensor(0)?, call.result_dims()?);
        let data = x.floats(call.meter())?;
        let axes: Option<Vec<usize>> = names.chars().map(|name| layout.find(name)).collect();
        let axes = axes
            .filter(|_| layout.len() == x.rank())
            .ok_or_else(|| call.error(ErrorKind::Call, format!("the evaluator does not run the layout `{layout}`")))?;
        let samples =
            axes.iter().zip(roi).map(|(axis, roi)| self.samples(call, data.shape()[*axis], dims[*axis], *roi));
        let samples: Vec<Vec<Sample>> = samples.collect::<Result<_, _>>()?;
        let result = from_index(call, &dims, |at| {
            let parts: Vec<&Sample> = axes.iter().zip(&samples).map(|(axis, samples)| &samples[at[*axis]]).collect();
            if parts.iter().any(|sample| sample.is_outside) {
                return self.extrapolation;
            }
            let counts: Vec<usize> = parts.iter().map(|sample| sample.parts.len()).collect();
            let mut place = at.to_vec();
            let mut sum = 0.0;
            for position in 0..counts.iter().product() {
                let mut weight = 1.0;
                for ((axis, sample), part) in axes.iter().zip(&parts).zip(unravel(position, &counts)) {
                    place[*axis] = sample.parts[part].0;
                    weight *= sample.parts[part].1;
                }
                sum += weight * data[IxDyn(&place)];
            }
            sum
        })?;
        let info = call.inferred()?;
        let dtype = info.downcast_ref::<object_ir::ir::TensorStructInfo>().map_or(x.dtype(), |tensor| tensor.dtype);
        call.floats(dtype, &result)
    }
}

/// The regions of the dimensions of space, of which `roi` lists the starts and then the ends, at `places`.
fn regions(roi: &Array<FloatImm>, places: &[usize]) -> Vec<(f64, f64)> {
    let number = |index: usize| roi.get(index).map_or(0.0, |number| number.value);
    places.iter().map(|place| (number(*place), number(place + places.len()))).collect()
}

macro_rules! resizes {
    ($($name:ident $Attrs:ident $space:literal $places:expr;)*) => {$(
        pub(crate) fn $name(call: &Evaluation<'_>) -> Result<Any, Error> {
            let attrs = call.attrs::<$Attrs>()?;
            let resize = Resize {
                method: &attrs.method,
                mode: &attrs.coordinate_transformation_mode,
                rounding: &attrs.rounding_method,
                alpha: attrs.cubic_alpha,
                excludes_outside: attrs.cubic_exclude != 0,
                extrapolation: attrs.extrapolation_value,
            };
            resize.run(call, &attrs.layout, $space, &regions(&attrs.roi, $places))
        }
    )*};
}

resizes! {
    resize2d Resize2DAttrs "HW" &[0, 1];
    // TVM lists the regions of volumes from the last dimension on.
    resize3d Resize3DAttrs "DHW" &[2, 1, 0];
}

pub(crate) fn affine_grid(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (maps, dims) = (call.tensor(0)?, call.result_dims()?);
    let numbers = maps.floats(call.meter())?;
    let [_, _, height, width] = dims[..] else { return Err(call.invalid("expected maps of rank 3")) };
    if height < 2 || width < 2 {
        return Err(call.invalid(format!("expected a size of at least 2, got {height} and {width}")));
    }
    let step = |size: usize| (2.0 - 1e-7) / (size as f64 - 1.0);
    let result = from_index(call, &dims, |at| {
        let (y, x) = (-1.0 + at[2] as f64 * step(height), -1.0 + at[3] as f64 * step(width));
        let factor = |index: usize| numbers[[at[0], at[1], index]];
        factor(0) * x + factor(1) * y + factor(2)
    })?;
    call.floats(maps.dtype(), &result)
}

/// The treatment of points outside of an image.
struct Border<'a> {
    mode: &'a str,
    aligns_corners: bool,
}

impl Border<'_> {
    /// The coordinate in a dimension of `size` elements that the number `x` from -1 to 1 stands for.
    fn coordinate(&self, x: f64, size: f64) -> f64 {
        if self.aligns_corners { (x + 1.0) * (size - 1.0) / 2.0 } else { -0.5 + (x + 1.0) * size / 2.0 }
    }

    /// The coordinate inside of the image that a coordinate stands for.
    fn inside(&self, x: f64, size: f64) -> f64 {
        match self.mode {
            "reflection" => self.reflected(x, size).clamp(0.0, size - 1.0),
            "border" => x.clamp(0.0, size - 1.0),
            _ => x,
        }
    }

    fn reflected(&self, x: f64, size: f64) -> f64 {
        let (size, start) = if self.aligns_corners { (size - 1.0, 0.0) } else { (size, -0.5) };
        if x >= start && x <= size + start {
            return x;
        }
        let distance = (start - x).abs();
        let times = (distance / size).trunc();
        let extra = distance - times * size;
        if times % 2.0 == 0.0 { extra + start } else { size - extra + start }
    }
}

/// The weights of four neighbours for cubic interpolation at a fraction.
fn cubic_weights(fraction: f64) -> [f64; 4] {
    const A: f64 = -0.75;
    let near = |x: f64| ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0;
    let far = |x: f64| ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A;
    [far(fraction + 1.0), near(fraction), near(1.0 - fraction), far(2.0 - fraction)]
}

/// The elements of a dimension at the number `x`, with their weights; `None` for an element outside.
fn neighbours(border: &Border<'_>, method: &str, x: f64, size: usize) -> Vec<(Option<usize>, f64)> {
    let element = |at: f64| (at >= 0.0 && at < size as f64).then_some(at as usize);
    let at = border.coordinate(x, size as f64);
    match method {
        "bicubic" => {
            let floor = at.floor();
            let weights = cubic_weights(at - floor);
            let neighbour = |index: usize| border.inside(floor - 1.0 + index as f64, size as f64).trunc();
            (0..4).map(|index| (element(neighbour(index)), weights[index])).collect()
        }
        "nearest" => vec![(element(border.inside(at, size as f64).round_ties_even()), 1.0)],
        _ => {
            let at = border.inside(at, size as f64);
            let (floor, fraction) = (at.floor(), at - at.floor());
            vec![(element(floor), 1.0 - fraction), (element(floor + 1.0), fraction)]
        }
    }
}

pub(crate) fn grid_sample(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<GridSampleAttrs>()?);
    let (data, grid): (ArrayD<f64>, ArrayD<f64>) = (x.floats(call.meter())?, call.tensor(1)?.floats(call.meter())?);
    let space = x.rank().saturating_sub(2);
    if grid.ndim() != x.rank() || !(2..=3).contains(&space) || attrs.layout.find('C') != Some(1) {
        return Err(
            call.error(ErrorKind::Call, "the evaluator runs images with the channels first, of 2 or 3 dimensions")
        );
    }
    let is_first = grid.shape()[1] == space;
    let axis = if is_first { 1 } else { x.rank() - 1 };
    if grid.shape()[axis] != space || grid.shape()[0] != data.shape()[0] {
        return Err(call.invalid(format!("expected {space} coordinates for each point, got {:?}", grid.shape())));
    }
    let mut points = grid.shape().to_vec();
    points.remove(axis);
    let dims: Vec<usize> = [data.shape()[0], data.shape()[1]].into_iter().chain(points[1..].iter().copied()).collect();
    let border = Border { mode: &attrs.padding_mode, aligns_corners: attrs.align_corners };
    let result = from_index(call, &dims, |at| {
        let parts: Vec<Vec<(Option<usize>, f64)>> = (0..space)
            .map(|dimension| {
                let mut place: Vec<usize> = [at[0]].into_iter().chain(at[2..].iter().copied()).collect();
                // The first coordinate is of the last dimension.
                place.insert(axis, space - 1 - dimension);
                neighbours(&border, &attrs.method, grid[IxDyn(&place)], data.shape()[dimension + 2])
            })
            .collect();
        let counts: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut sum = 0.0;
        for position in 0..counts.iter().product() {
            let chosen = unravel(position, &counts).into_iter().zip(&parts).map(|(index, parts)| parts[index]);
            let (elements, weights): (Vec<Option<usize>>, Vec<f64>) = chosen.unzip();
            if let Some(elements) = elements.into_iter().collect::<Option<Vec<usize>>>() {
                let place: Vec<usize> = [at[0], at[1]].into_iter().chain(elements).collect();
                sum += data[IxDyn(&place)] * weights.iter().product::<f64>();
            }
        }
        sum
    })?;
    call.floats(x.dtype(), &result)
}
