//! Equality and hash under lexical scopes, where a binding ends with the object that makes it.
//!
//! The hash is a hash modulo alpha-equivalence, in the sense of Maziarz, Ellis, Lawrence, Fitzgibbon and Peyton Jones,
//! "Hashing Modulo Alpha-Equivalence", PLDI 2021: the hash of an object leaves the names of variables out, and beside it
//! stands a map from each variable to the places where it occurs. The paper moves the smaller map into the larger one; here
//! a place is a number, so that a whole map moves into a child by one factor.
//!
//! # Comparison
//!
//! A comparison records each fact about bindings that it uses (`facts`): two objects correspond, or may be bound to
//! each other here (`relations`). A remembered result is keyed by the pair and its region, and holds the facts that
//! bindings outside of the pair decide. It is valid wherever the facts are the same, whatever scope is open. A version
//! of the bindings in force saves the check if nothing changed since the last one. Most facts say that one object is
//! bound to another one; they are persistent maps (`matches`). A result may also bind `dag` nodes that outlast its
//! objects: it keeps these bindings as a map, and makes them again by one union of maps (`changes`). A free variable is
//! the same in every scope, so the comparison enters its fields once, and the bindings in these fields end with them.
//! If only one pair of free variables without objects in their fields is missing, the check binds the two and needs no
//! walk to their first occurrence. Two open terms are equal under one correspondence of their variables only, so few
//! results for each pair and region are enough.
//!
//! # Hash
//!
//! The hash of an object leaves out which variables occur in it. Beside it, the hasher lists the occurrences
//! (`occurrences`) with their positions (`positions`). The end of a scope mixes the numbers of its own variables into
//! its hash, as sums of powers, and removes them from the list. So an object has one hash under all binders of its
//! variables. The hash depends on few other facts, which are questions with answers (`statuses`): whether a free
//! variable with fields occurred before, whether a scope binds a variable of an annotation, whether the innermost scope
//! has bound a variable before, and which `dag` nodes are bound. The entries of a map with several object keys are
//! added up, because no order of them is the same in equal maps.
//!
//! The hash is another function of the value than the hash under persistent scopes, unless the value contains neither
//! variables nor `dag` nodes, and no objects as keys of maps. Cached and plain hashes are the same.
//!
//! # Exports
//!
//! The end of a scope moves the bindings of its fields marked `export` to the scope around it, where they hide earlier
//! bindings of the same variables. A definition region of that scope binds such a variable anew. Each binding of a variable
//! stands for another variable, so the hash ends the position of the earlier one there, and its powers enter the hash of the
//! scope. A remembered result lists the exports of its objects and makes them again one by one (`Replay::InOrder`).
//!
//! # Cost
//!
//! A comparison and a hash take a few steps for each object and reference, and for each difference between the sets of
//! variables and `dag` nodes that neighbouring objects use, times the logarithm of the number of variables. In the
//! worst case, where these sets have nothing in common, this is a step for each object and each variable of an outer
//! scope that the object uses. The exceptions bind in many combinations what a shared object does not only use: a
//! definition region that many scopes share costs a step for each of its variables in each scope, and an object has a
//! further result for each combination of answers. Each reference to an object costs a step for each variable that the
//! object exports. Exports that bind the keys of maps anew are an exception: the order of such keys follows from the
//! bindings, so a comparison does not use a result again after a further export.
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
