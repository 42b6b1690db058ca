//! Scripts as a page in HTML.

mod layout;
mod alignment;
mod facts;
mod line;
mod script_page;
mod html;

pub use script_page::ScriptPage;
