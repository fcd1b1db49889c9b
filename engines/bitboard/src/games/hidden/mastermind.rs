//! Mastermind.

use play::picture::{Cover, Picture, Piece, Tray};
use play::{Chance, End, Percepts, Player, Rng, Scores, Turn};

use crate::pictures::tray;
use crate::rules::{Rules, draw, over_unless_capped};
use cpu::Cpu;

/// Mastermind (1970; Knuth, *The computer as master mind*, 1977): `PEGS` pegs of the colours 1 to
/// `COLOURS`, laid one by one, [`ROWS`] rows.
pub(crate) struct Mastermind<const PEGS: usize, const COLOURS: u32>;

/// Rows that may be laid.
const ROWS: usize = 10;

/// The code, and the rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State<const PEGS: usize> {
    /// From 1; 0 before it is chosen.
    code: [u8; PEGS],
    rows: [[u8; PEGS]; ROWS],
    /// Pegs laid.
    laid: u8,
}

impl<const PEGS: usize> State<PEGS> {
    /// The row that was laid last, if it is whole.
    fn answered(&self) -> Option<&[u8; PEGS]> {
        let laid = usize::from(self.laid);
        let rows = &self.rows[..laid / PEGS];
        if laid % PEGS == 0 { rows.last() } else { None }
    }

    fn is_found(&self) -> bool {
        self.answered() == Some(&self.code)
    }

    /// Pegs of a row in the right place, and further ones of a right colour.
    fn answer(&self, row: &[u8; PEGS]) -> (usize, usize) {
        let black = row.iter().zip(&self.code).filter(|(own, right)| own == right).count();
        let mut left = self.code.to_vec();
        for peg in row {
            if let Some(at) = left.iter().position(|other| other == peg) {
                left.swap_remove(at);
            }
        }
        (black, PEGS - left.len() - black)
    }
}

impl<const PEGS: usize, const COLOURS: u32> Mastermind<PEGS, COLOURS> {
    /// Number of codes.
    const CODES: u32 = {
        assert!(PEGS * ROWS < 256 && COLOURS < 256);
        COLOURS.pow(PEGS as u32)
    };
}

impl<const PEGS: usize, const COLOURS: u32> Rules for Mastermind<PEGS, COLOURS> {
    type State = State<PEGS>;
    /// A colour.
    type Action = u8;

    const PLAYERS: u8 = 1;
    const CHANCE: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State<PEGS> {
        State { code: [0; PEGS], rows: [[0; PEGS]; ROWS], laid: 0 }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State<PEGS>, chance: &mut C) {
        if state.code[0] == 0 {
            let mut drawn = chance.below(Self::CODES);
            for peg in state.code.iter_mut().rev() {
                *peg = 1 + (drawn % COLOURS) as u8;
                drawn /= COLOURS;
            }
        }
    }

    fn expand(&self, state: &State<PEGS>, legal: &mut Vec<u8>) -> Turn {
        if state.is_found() || usize::from(state.laid) == PEGS * ROWS {
            return Turn::Over;
        }
        legal.extend((1..).take(COLOURS as usize));
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State<PEGS>, colour: u8) {
        let laid = usize::from(state.laid);
        state.rows[laid / PEGS][laid % PEGS] = colour;
        state.laid += 1;
    }

    fn perceive(&self, _: &State<PEGS>, _: u8, after: &State<PEGS>, percepts: &mut Percepts) {
        if let Some(row) = after.answered() {
            let (black, white) = after.answer(row);
            percepts.tell(Player(0), format!("black {black}"));
            percepts.tell(Player(0), format!("white {white}"));
        }
    }

    fn scores(&self, state: &State<PEGS>) -> Scores {
        let rows = i32::from(state.laid) / PEGS as i32;
        Scores::single(if state.is_found() { ROWS as i32 + 1 - rows } else { 0 })
    }

    fn label(&self, _: &State<PEGS>, colour: u8) -> String {
        colour.to_string()
    }

    fn draw(&self, state: &State<PEGS>) -> String {
        let line = |pegs: &[u8]| pegs.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let mut text = format!("code {}\n", line(&state.code));
        let (whole, rest) = (usize::from(state.laid) / PEGS, usize::from(state.laid) % PEGS);
        for row in &state.rows[..whole] {
            let (black, white) = state.answer(row);
            text += &format!("{}: black {black}, white {white}\n", line(row));
        }
        if rest > 0 {
            text += &format!("{}\n", line(&state.rows[whole][..rest]));
        }
        text
    }

    fn picture(&self, state: &State<PEGS>) -> Picture {
        let line = |title: &str, pegs: &[u8]| {
            // Each colour as that of a player.
            tray(title, None, pegs.iter().map(|&peg| Piece::of(peg, peg.to_string())))
        };
        let code = Tray { cover: Cover::From(vec![Player(0)]), ..line("code", &state.code) };
        let (whole, rest) = (usize::from(state.laid) / PEGS, usize::from(state.laid) % PEGS);
        let mut picture = Picture::default().with_tray(code);
        for row in &state.rows[..whole] {
            let (black, white) = state.answer(row);
            picture.trays.push(line(&format!("{black} black, {white} white"), row));
        }
        if rest > 0 {
            picture.trays.push(line("laid", &state.rows[whole][..rest]));
        }
        picture
    }

    /// A row is a number to the base of the colours, as the code is.
    #[inline(always)]
    fn playout<C: Cpu>(&self, _: C, rng: &mut Rng, cap: u32) -> End {
        let code = draw(rng, Self::CODES);
        let mut plies = 0;
        for row in 0..ROWS {
            let mut laid = 0;
            for _ in 0..PEGS {
                laid = laid * COLOURS + draw(rng, COLOURS);
            }
            plies += PEGS as u32;
            if laid == code {
                return over_unless_capped(plies, Scores::single((ROWS - row) as i32), cap);
            }
        }
        over_unless_capped(plies, Scores::single(0), cap)
    }
}
