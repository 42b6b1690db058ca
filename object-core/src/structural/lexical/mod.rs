//! Equality and hash under lexical scopes, where a binding ends with the object that makes it.
//!
//! The hash is a hash modulo alpha-equivalence, in the sense of Maziarz, Ellis, Lawrence, Fitzgibbon and Peyton Jones,
//! "Hashing Modulo Alpha-Equivalence", PLDI 2021: the hash of an object leaves the names of variables out, and beside it
//! stands a map from each variable to the places where it occurs. The paper moves the smaller map into the larger one; here
//! a place is a number, so that a whole map moves into a child by one factor.
//!
//! # Terms
//!
//! | term | meaning |
//! |---|---|
//! | residue | a number modulo a prime; sums and products of residues make up positions |
//! | position | the residue that stands for all places where a variable occurs in an object |
//! | occurrence | an entry of the list of variables that the hasher reached, with its position |
//! | status | whether a variable or `dag` node is bound at the current place of a hash, and by which scope |
//! | question | a request for a status; the answer is a fact of the module `scope` |

pub(crate) mod equal;
pub(crate) mod hash;
pub(crate) mod hash_cache;
pub(crate) mod hash_frame;
pub(crate) mod hash_memo;
pub(crate) mod occurrences;
pub(crate) mod positions;
pub(crate) mod recurrence;
pub(crate) mod statuses;
