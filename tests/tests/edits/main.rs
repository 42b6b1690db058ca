//! The length of edit scripts after a known edit is close to the number of edits made, on modules of Relax and on the programs of
//! a small language. `EDITS` sets the number of edits of each, `EDITS_SEED` the seed.

mod lengths;
mod relax;
mod small;
