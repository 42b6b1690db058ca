//! The bindings of variables and `dag` nodes, the facts about them on which results depend, and their numbers in hashes.
//!
//! # Terms
//!
//! | term | meaning |
//! |---|---|
//! | binding | two objects of the two sides correspond to each other; in a hash, an object has a number or a position |
//! | relation | what the bindings say about two objects: they match, they conflict, or both are new |
//! | fact | a relation, or an answer to a question, that a walk used; a remembered result holds where its facts do |
//! | matches | the facts "these two objects are bound to each other", as persistent sets that share their parts |
//! | taken | removed from a log and summed up, at the end of an object: the facts and the bindings since its beginning |
//! | version | a number of the bindings in force; as long as it is the same, no fact changes |
//! | shortcut | a walk does not record an object that it reaches once; a hook that lists such an object again refutes it |

pub(crate) mod bindings;
pub(crate) mod changes;
pub(crate) mod dependencies;
pub(crate) mod facts;
pub(crate) mod matches;
pub(crate) mod numbering;
pub(crate) mod relations;
pub(crate) mod scope_stack;
