//! Broad phases and worlds: events, queries, strikes, animation frames, and the classic methods of
//! moving a body.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod animation_frames;
mod bad_input;
mod body_events;
mod broad_phases;
mod classic_methods;
mod edits;
mod features;
mod laws;
#[cfg(feature = "serde")]
mod model;
mod pair_limit;
mod passages;
mod settings;
mod snapshots;
mod strikes;
mod supports;
