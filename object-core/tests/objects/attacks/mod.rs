//! Attempts of safe code to see an object that a rewrite changes in place: the code of users that an operation runs keeps
//! handles, and borrows from them, while the operation goes on. Each kept object must stay as it was. The AddressSanitizer
//! (`.ci/sanitize address`) runs these tests too.

#![forbid(unsafe_code)]
mod acceptance;
mod destructors;
mod field_types;
mod hooks;
mod hostile;
mod random;
