//! The table of the functions that recognize the nests that run as a [`Kernel`].

use super::RowFold;
use super::copy::ElementCopy;
use super::domain::Planned;
use super::scratch::Kernel;

/// A function for each kernel. A nest has the kernel of the first function that recognizes it.
const RECOGNIZERS: [fn(&Planned<'_, '_>) -> Option<Kernel>; 2] = [
    |planned| ElementCopy::of(planned).map(Kernel::Copy),
    |planned| RowFold::of(planned.nest).filter(|fold| fold.is_possible(planned)).map(Kernel::Fold),
];

/// The kernel of a nest, if it has one.
pub(super) fn kernel_of(planned: &Planned<'_, '_>) -> Option<Kernel> {
    RECOGNIZERS.iter().find_map(|recognize| recognize(planned))
}
