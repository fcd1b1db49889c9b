#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod batch;
mod batch_at;
mod batch_rollouts;
mod error;
mod game;
mod load;
mod position;
mod prove;

pub use batch::Batch;
pub use batch_at::BatchSettings;
pub use batch_rollouts::{BatchEnds, BatchRollouts};
pub use error::{Error, ErrorKind, Problem};
pub use game::{Game, Rollouts};
pub use load::{Loader, engines, games, load};
pub use pictures::{Options as PictureOptions, Pixels, Theme};
pub use play::picture::Picture;
pub use play::{
    ActionValue, Buffers, Encoding, End, Ending, Facts, Language, Method, Player, Progress, Scores,
    Search, SearchSettings, SiteGrid, Symmetry, Tally, Turned, Via, Views,
};
pub use position::Position;
pub use prove::{Check, Measured, Verified, measure, verify};
