//! Outlines of any form, with holes.

#[allow(dead_code)] // the polygon type that uses it comes on top
pub(crate) mod decompose;
#[allow(dead_code)] // as above
pub(crate) mod inset;
