//! The length of edit scripts after a known edit is close to the number of edits made, on modules of Relax and on the programs of
//! a small language. `EDITS` sets the number of edits of each, `EDITS_SEED` the seed.

mod deep;
mod groups;
mod lengths;
mod merges;
mod relax;
mod small;
