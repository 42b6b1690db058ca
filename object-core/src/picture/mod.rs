//! [`Picture`]: a graph as DOT for Graphviz, and, with the feature `svg`, as SVG and HTML.
//!
//! Each node, array and map is a box that shows the plain fields, texts and singletons of the object, and has an arrow to
//! each child. A shared object is one box, with a double border, in SVG with a thick border. A picture leaves empty fields
//! out.

mod dot;
mod drawing;
#[cfg(feature = "svg")]
mod svg;

pub use drawing::Picture;
