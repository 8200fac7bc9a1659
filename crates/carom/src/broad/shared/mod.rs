//! Code that several broad phases share.

pub(super) mod box_table;
pub(super) mod box_tree;
pub(super) mod visitors;
