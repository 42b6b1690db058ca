//! [`Completion`]: how the function of Python for an operator completes the parameters of a call (TVM 0.25
//! `python/tvm/relax/op`).

/// The rule by which the function of Python for an operator completes a parameter that a call leaves out or states in short.
#[derive(Clone, Copy, Debug)]
pub enum Completion {
    /// The parameter `to` has the value of `from` if a call leaves it out.
    Same {
        /// The parameter that a call may leave out.
        to: &'static str,
        /// The parameter that has its value.
        from: &'static str,
    },
    /// One number stands for a list of equal numbers.
    Repeated {
        /// The parameter.
        name: &'static str,
        /// The length of the list.
        count: usize,
    },
    /// A list of numbers before each dimension stands for the numbers before and after each dimension.
    BothSides {
        /// The parameter.
        name: &'static str,
        /// The number of dimensions.
        rank: usize,
    },
}
