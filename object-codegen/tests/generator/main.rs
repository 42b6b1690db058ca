//! The generator: its output, the regions and documentation in it, its input, and round trips.

#[path = "../blessed/mod.rs"]
mod blessed;
#[path = "../common/mod.rs"]
mod common;
#[path = "../region_law/mod.rs"]
mod region_law;

mod checks;
mod custom_parts;
mod documentation;
mod goldens;
mod live_members;
mod names;
mod python_input;
mod regions;
mod round_trip;
