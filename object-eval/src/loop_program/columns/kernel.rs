//! [`Kernel`]: nests that run from memory to memory, without columns of their operands; and the table of the functions that
//! recognize them.

use super::RowFold;
use super::copy::ElementCopy;
use super::domain::Planned;

/// How a nest runs without its steps.
#[derive(Clone, Debug)]
pub(super) enum Kernel {
    Copy(ElementCopy),
    Fold(RowFold),
}

/// A function for each kernel. A nest has the kernel of the first function that recognizes it.
const RECOGNIZERS: [fn(&Planned<'_, '_>) -> Option<Kernel>; 2] = [
    |planned| ElementCopy::of(planned).map(Kernel::Copy),
    |planned| RowFold::of(planned.nest).filter(|fold| fold.is_possible(planned)).map(Kernel::Fold),
];

impl Kernel {
    /// The kernel of a nest, if it has one.
    pub(super) fn of(planned: &Planned<'_, '_>) -> Option<Kernel> {
        RECOGNIZERS.iter().find_map(|recognize| recognize(planned))
    }
}
