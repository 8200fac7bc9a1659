//! Counts operations, for tests of growth: accesses to bodies and colliders, obstacles that a move tests,
//! comparisons of frames that a sheet searches, parts and cells that a query visits, poses that a rotating sweep
//! tests, hashes of shapes, and boxes that the tree of the broad phase tests or is built of.

use std::cell::Cell;

std::thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Adds to the number of operations on this thread.
pub fn add(operations: u64) {
    COUNT.set(COUNT.get() + operations);
}

/// Returns the number of operations that a call makes on this thread.
pub fn during(call: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    call();
    COUNT.get() - before
}
