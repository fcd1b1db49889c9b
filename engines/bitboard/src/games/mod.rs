//! The games, a module each, or one for a family that differs in sizes.

pub(crate) mod alquerque;
pub(crate) mod amazons;
pub(crate) mod chess;
pub(crate) mod connect_four;
pub(crate) mod dara;
pub(crate) mod draughts;
pub(crate) mod fanorona;
pub(crate) mod hanoi;
pub(crate) mod hex;
pub(crate) mod in_a_row;
pub(crate) mod knights_tour;
pub(crate) mod latin;
pub(crate) mod lights_out;
pub(crate) mod mu_torere;
pub(crate) mod nine_mens_morris;
pub(crate) mod nonogram;
pub(crate) mod peg_solitaire;
pub(crate) mod queens;
pub(crate) mod race;
pub(crate) mod reversi;
pub(crate) mod sliding;
pub(crate) mod three_in_a_row;
pub(crate) mod tic_tac_toe;
pub(crate) mod tron;
pub(crate) mod wolf_and_sheep;
pub(crate) mod yavalath;
