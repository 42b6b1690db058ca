//! The attributes of operator calls, a file per operator family.

pub(crate) mod call;
pub(crate) mod create;
pub(crate) mod datatype;
pub(crate) mod device;
pub(crate) mod manipulate;
pub(crate) mod index;
pub(crate) mod search;
pub(crate) mod sorting;
pub(crate) mod statistical;
pub(crate) mod linear_algebra;
pub(crate) mod nn;
pub(crate) mod nn_conv;
pub(crate) mod nn_pool;
pub(crate) mod nn_norm;
pub(crate) mod image;
pub(crate) mod vision;
pub(crate) mod distributed;

pub use self::{
    call::*, create::*, datatype::*, device::*, distributed::*, image::*, index::*, linear_algebra::*, manipulate::*,
    nn::*, nn_conv::*, nn_norm::*, nn_pool::*, search::*, sorting::*, statistical::*, vision::*,
};
