//! The one table of games.

use play::Game;

use crate::games::alquerque::Alquerque;
use crate::games::amazons::Amazons;
use crate::games::ashtapada::Ashtapada;
use crate::games::backgammon::Backgammon;
use crate::games::chess::{Chess, Skirmish};
use crate::games::connect_four::ConnectFour;
use crate::games::dara::Dara;
use crate::games::draughts::Draughts;
use crate::games::fanorona::Fanorona;
use crate::games::go::Go;
use crate::games::hanoi::Hanoi;
use crate::games::hex::Hex;
use crate::games::hidden::goofspiel::Goofspiel;
use crate::games::hidden::hunt_the_wumpus::HuntTheWumpus;
use crate::games::hidden::kuhn_poker::KuhnPoker;
use crate::games::hidden::leduc_poker::LeducPoker;
use crate::games::hidden::liars_dice::LiarsDice;
use crate::games::hidden::mastermind::Mastermind;
use crate::games::hidden::phantom_tic_tac_toe::PhantomTicTacToe;
use crate::games::hidden::wumpus::Wumpus;
use crate::games::hidden::wumpus_hunt::{self, WumpusHunt};
use crate::games::hidden::wumpus_ludii::PrintedCave;
use crate::games::hnefatafl::Hnefatafl;
use crate::games::in_a_row::{ConnectSix, Gomoku};
use crate::games::knights_tour::KnightsTour;
use crate::games::latin::{self, Latin};
use crate::games::lights_out::LightsOut;
use crate::games::minesweeper::Minesweeper;
use crate::games::mu_torere::MuTorere;
use crate::games::nine_mens_morris::NineMensMorris;
use crate::games::nonogram::{self, Nonogram};
use crate::games::oware::Oware;
use crate::games::peg_solitaire::PegSolitaire;
use crate::games::ploy::Ploy;
use crate::games::queens::Queens;
use crate::games::race::{Knight, Pawn, Race};
use crate::games::reversi::Reversi;
use crate::games::sliding::Sliding;
use crate::games::three_in_a_row::ThreeInARow;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::tron::Tron;
use crate::games::wolf_and_sheep::WolfAndSheep;
use crate::games::yavalath::Yavalath;
use crate::lanes;
use crate::rules::handmade::{boxed, from_position, from_state};
use cpu::Level;

/// A game by the name that the catalogue has for it.
pub(crate) struct Module {
    /// The name.
    pub(crate) name: &'static str,
    /// Makes the game.
    pub(crate) build: fn(Level) -> Box<dyn Game>,
}

/// All of them, in the order of their names.
pub(crate) const MODULES: &[Module] = &[
    module("8-puzzle", |level| boxed(Sliding::<3, 60>, level)),
    module("alquerque", |level| boxed(Alquerque, level)),
    module("amazons-10x10", |level| boxed(Amazons, level)),
    module("ashtapada", |level| boxed(Ashtapada, level)),
    module("backgammon", |level| boxed(Backgammon, level)),
    module("breakthrough-6x6", |level| lanes::boxed(Race::<Pawn, 6, 6>::NEW, level)),
    module("breakthrough-8x8", |level| lanes::boxed(Race::<Pawn, 8, 8>::NEW, level)),
    module("chess", |level| boxed(Chess::USUAL, level)),
    module("connect-4-12x9", |level| boxed(ConnectFour::<2, 12, 9>, level)),
    module("connect-4-6x7", |level| lanes::boxed(ConnectFour::<1, 7, 6>, level)),
    module("connect-6-19x19", |level| boxed(ConnectSix {}, level)),
    module("dara", |level| boxed(Dara, level)),
    module("english-draughts", |level| boxed(Draughts::USUAL, level)),
    module("fanorona", |level| boxed(Fanorona, level)),
    module("futoshiki-4x4", |level| boxed(Latin::<1>::new(&latin::FUTOSHIKI_4), level)),
    module("futoshiki-5x5", |level| boxed(Latin::<2>::new(&latin::FUTOSHIKI_5), level)),
    module("futoshiki-6x6", |level| boxed(Latin::<2>::new(&latin::FUTOSHIKI_6), level)),
    module("go-9x9", |level| boxed(Go, level)),
    module("gomoku-15x15", |level| boxed(Gomoku {}, level)),
    module("goofspiel-2", |level| boxed(Goofspiel::<2>, level)),
    module("goofspiel-3", |level| boxed(Goofspiel::<3>, level)),
    module("goofspiel-4", |level| boxed(Goofspiel::<4>, level)),
    module("goofspiel-5", |level| boxed(Goofspiel::<5>, level)),
    module("goofspiel-6", |level| boxed(Goofspiel::<6>, level)),
    module("goofspiel-7", |level| boxed(Goofspiel::<7>, level)),
    module("goofspiel-8", |level| boxed(Goofspiel::<8>, level)),
    module("hanoi-3", |level| boxed(Hanoi::<3, 31>::new(), level)),
    module("hex-11x11", |level| boxed(Hex::<3, 11>, level)),
    module("hex-9x9", |level| boxed(Hex::<2, 9>, level)),
    module("hnefatafl-11x11", |level| boxed(Hnefatafl, level)),
    module("hunt-the-wumpus", |level| boxed(HuntTheWumpus, level)),
    module("knights-tour-8x8", |level| boxed(KnightsTour::<8>, level)),
    module("knightthrough-8x8", |level| lanes::boxed(Race::<Knight, 8, 8>::NEW, level)),
    module("kuhn-poker", |level| boxed(KuhnPoker, level)),
    module("leduc-poker", |level| boxed(LeducPoker, level)),
    module("liars-dice", |level| boxed(LiarsDice, level)),
    module("lights-out-5x5", |level| boxed(LightsOut::<5, 20>, level)),
    module("mastermind-4x6", |level| boxed(Mastermind::<4, 6>, level)),
    module("minesweeper-8x8", |level| boxed(Minesweeper, level)),
    module("mu-torere", |level| boxed(MuTorere, level)),
    module("nine-mens-morris", |level| boxed(NineMensMorris, level)),
    module("nonogram-10x10", |level| boxed(Nonogram::<2, 10>::new(&nonogram::BIRD), level)),
    module("nonogram-5x5", |level| boxed(Nonogram::<1, 5>::new(&nonogram::MAN), level)),
    module("oware", |level| boxed(Oware, level)),
    module("peg-solitaire", |level| boxed(PegSolitaire, level)),
    module("phantom-tic-tac-toe", |level| boxed(PhantomTicTacToe, level)),
    module("ploy", |level| boxed(Ploy, level)),
    module("queens-16", |level| boxed(Queens::<4, 16>, level)),
    module("queens-8", |level| boxed(Queens::<1, 8>, level)),
    module("reversi-8x8", |level| lanes::boxed(Reversi, level)),
    module("skirmish-8x8", |level| boxed(Skirmish, level)),
    module("sudoku-9x9", |level| boxed(Latin::<3>::new(&latin::SUDOKU), level)),
    module("tant-fant", |level| boxed(ThreeInARow::<false>, level)),
    module("three-mens-morris", |level| boxed(ThreeInARow::<true>, level)),
    module("tic-tac-toe-3x3", |level| lanes::boxed(TicTacToe::<3>, level)),
    module("tic-tac-toe-5x5", |level| boxed(TicTacToe::<5>, level)),
    module("tron-10x10", |level| boxed(Tron, level)),
    module("wolf-and-sheep-8x8", |level| boxed(WolfAndSheep, level)),
    module("wumpus-2x2", |level| boxed(Wumpus::<2>, level)),
    module("wumpus-3x3", |level| boxed(Wumpus::<3>, level)),
    module("wumpus-4x4", |level| boxed(Wumpus::<4>, level)),
    module("wumpus-5x5", |level| boxed(Wumpus::<5>, level)),
    module("wumpus-6x6", |level| boxed(Wumpus::<6>, level)),
    module("wumpus-7x7", |level| boxed(Wumpus::<7>, level)),
    module("wumpus-8x8", |level| boxed(Wumpus::<8>, level)),
    module("wumpus-hunt", |level| boxed(WumpusHunt::USUAL, level)),
    module("wumpus-ludii", |level| boxed(PrintedCave, level)),
    module("yavalath", |level| boxed(Yavalath, level)),
];

const fn module(name: &'static str, build: fn(Level) -> Box<dyn Game>) -> Module {
    Module { name, build }
}

/// A game that begins at any position, which follows its name.
pub(crate) struct SetUp {
    /// The name.
    pub(crate) name: &'static str,
    /// Makes the game of a position, if that is one.
    pub(crate) build: fn(&str, Level) -> Option<Box<dyn Game>>,
}

/// All of them.
pub(crate) const SET_UP: &[SetUp] = &[
    set_up("8-puzzle", |text, level| from_position(Sliding::<3, 60>, text, level)),
    set_up("alquerque", |text, level| from_position(Alquerque, text, level)),
    set_up("amazons-10x10", |text, level| from_position(Amazons, text, level)),
    set_up("breakthrough-6x6", |text, level| from_position(Race::<Pawn, 6, 6>::NEW, text, level)),
    set_up("breakthrough-8x8", |text, level| from_position(Race::<Pawn, 8, 8>::NEW, text, level)),
    set_up("chess", |text, level| Some(boxed(Chess::from_fen(text)?, level))),
    set_up("connect-4-12x9", |text, level| from_position(ConnectFour::<2, 12, 9>, text, level)),
    set_up("connect-4-6x7", |text, level| from_position(ConnectFour::<1, 7, 6>, text, level)),
    set_up("dara", |text, level| from_position(Dara, text, level)),
    set_up("english-draughts", |text, level| Some(boxed(Draughts::from_position(text)?, level))),
    set_up("fanorona", |text, level| from_position(Fanorona, text, level)),
    set_up("futoshiki-4x4", |text, level| {
        from_position(Latin::<1>::new(&latin::FUTOSHIKI_4), text, level)
    }),
    set_up("futoshiki-5x5", |text, level| {
        from_position(Latin::<2>::new(&latin::FUTOSHIKI_5), text, level)
    }),
    set_up("futoshiki-6x6", |text, level| {
        from_position(Latin::<2>::new(&latin::FUTOSHIKI_6), text, level)
    }),
    set_up("go-9x9", |text, level| from_position(Go, text, level)),
    set_up("hex-11x11", |text, level| from_position(Hex::<3, 11>, text, level)),
    set_up("hex-9x9", |text, level| from_position(Hex::<2, 9>, text, level)),
    set_up("hnefatafl-11x11", |text, level| from_position(Hnefatafl, text, level)),
    set_up("knights-tour-8x8", |text, level| from_position(KnightsTour::<8>, text, level)),
    set_up("knightthrough-8x8", |text, level| {
        from_position(Race::<Knight, 8, 8>::NEW, text, level)
    }),
    set_up("lights-out-5x5", |text, level| from_position(LightsOut::<5, 20>, text, level)),
    set_up("mu-torere", |text, level| from_position(MuTorere, text, level)),
    set_up("nine-mens-morris", |text, level| from_position(NineMensMorris, text, level)),
    set_up("nonogram-10x10", |text, level| {
        from_position(Nonogram::<2, 10>::new(&nonogram::BIRD), text, level)
    }),
    set_up("nonogram-5x5", |text, level| {
        from_position(Nonogram::<1, 5>::new(&nonogram::MAN), text, level)
    }),
    set_up("peg-solitaire", |text, level| from_position(PegSolitaire, text, level)),
    set_up("ploy", |text, level| from_position(Ploy, text, level)),
    set_up("queens-16", |text, level| from_position(Queens::<4, 16>, text, level)),
    set_up("queens-8", |text, level| from_position(Queens::<1, 8>, text, level)),
    set_up("reversi-8x8", |text, level| from_position(Reversi, text, level)),
    set_up("skirmish-8x8", |text, level| {
        Some(from_state(Skirmish, Skirmish::from_fen(text)?, level))
    }),
    set_up("sudoku-9x9", |text, level| from_position(Latin::<3>::new(&latin::SUDOKU), text, level)),
    set_up("tant-fant", |text, level| from_position(ThreeInARow::<false>, text, level)),
    set_up("three-mens-morris", |text, level| from_position(ThreeInARow::<true>, text, level)),
    set_up("tic-tac-toe-3x3", |text, level| from_position(TicTacToe::<3>, text, level)),
    set_up("tic-tac-toe-5x5", |text, level| from_position(TicTacToe::<5>, text, level)),
    set_up("tron-10x10", |text, level| from_position(Tron, text, level)),
    set_up("wolf-and-sheep-8x8", |text, level| from_position(WolfAndSheep, text, level)),
    set_up("yavalath", |text, level| from_position(Yavalath, text, level)),
];

const fn set_up(name: &'static str, build: fn(&str, Level) -> Option<Box<dyn Game>>) -> SetUp {
    SetUp { name, build }
}

/// Games that differ in settings, of which there are too many for a table: the name says them.
pub(crate) struct Named {
    /// The beginning of all names; alone it is a module.
    pub(crate) stem: &'static str,
    /// The form of the names.
    pub(crate) shape: &'static str,
    /// Makes the game of a name, if it is one of these.
    pub(crate) build: fn(&str, Level) -> Option<Box<dyn Game>>,
}

/// All of them.
pub(crate) const NAMED: &[Named] =
    &[Named { stem: "wumpus-hunt", shape: wumpus_hunt::NAMES_OF_HUNTS, build: wumpus_hunt::named }];
