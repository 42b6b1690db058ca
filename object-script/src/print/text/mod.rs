//! Printed texts with the places that they show.

pub(crate) mod script;
