//! What carom reads from disk and makes of it.
//!
//! A picture ([`Picture`]) is cut into frames ([`Cut`]); to each a shape is fitted ([`Fitting`]), and
//! the frames with their boxes are a [`Sheet`](carom::sheet::Sheet):
//!
//! ```no_run
//! use carom_files::{Cut, Fitting, Form, Picture};
//!
//! let picture = Picture::read("fighter.png")?;
//! let frames = Cut::Grid { width: 48, height: 48 }.frames(&picture, 127)?;
//! let fitting = Fitting { form: Form::Hull, ..Fitting::default() };
//! let fitted = fitting.fit_all(&frames)?;
//! let sheet = carom_files::sheet(&fitted)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cut;
mod error;
mod fitting;
mod picture;

pub use cut::{Cut, CutFrame};
pub use error::FileError;
pub use fitting::{Fitted, Fitting, Form, Pivot, Shrink, sheet};
pub use picture::Picture;
