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

pub use self::call::*;
pub use self::create::*;
pub use self::datatype::*;
pub use self::device::*;
pub use self::distributed::*;
pub use self::image::*;
pub use self::index::*;
pub use self::linear_algebra::*;
pub use self::manipulate::*;
pub use self::nn::*;
pub use self::nn_conv::*;
pub use self::nn_norm::*;
pub use self::nn_pool::*;
pub use self::search::*;
pub use self::sorting::*;
pub use self::statistical::*;
pub use self::vision::*;
