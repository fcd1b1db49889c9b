//! Playouts of games with composite moves: a move is drawn by its number among those that may be legal,
//! tested, and only then made.

use play::{End, Ending, Job, Rng, Tally};

use crate::eval::{Brief, Count, Door, Mode, Move, Notes};
use crate::game::Game;
use crate::state::State;

/// Memory of a playout beside the state.
#[derive(Default)]
struct Memory {
    list: Vec<Brief>,
    notes: Notes,
}

/// What a player does in a turn.
enum Choice {
    /// The only thing that there is to do is to pass.
    Forced(Move),
    Free(Move),
}

impl<const W: usize> Game<W> {
    /// Plays a job. Nothing is left to chance but the draws.
    pub(crate) fn run_drawn(&self, job: &Job) -> Tally {
        let mut tally = Tally::default();
        let mut memory = Memory::default();
        let mut state = self.initial.clone();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            if self.random_start {
                state = self.initial_state(Some(&Door::new(&mut rng)));
            } else {
                state.clone_from(&self.initial);
            }
            tally.record(id, self.playout_drawn(&mut state, &mut memory, &mut rng, job.cap));
        }
        tally
    }

    fn playout_drawn(
        &self,
        state: &mut State<W>,
        memory: &mut Memory,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let (mut plies, mut passes) = (0, 0);
        while !state.head.over {
            let chosen = if self.tests_moves {
                self.draw_tested(state, memory, rng, plies == cap)
            } else {
                self.draw_known(state, memory, rng, plies == cap)
            };
            let made = match chosen {
                None => return End { plies, ending: Ending::Capped },
                Some(Choice::Forced(pass)) => {
                    passes += 1;
                    if passes > play::MAX_FORCED_PASSES {
                        return End { plies, ending: Ending::Capped };
                    }
                    pass
                }
                Some(Choice::Free(made)) => {
                    plies += 1;
                    passes = 0;
                    made
                }
            };
            self.advance(state, &made, None);
        }
        End { plies, ending: Ending::Over(self.scores_of(state)) }
    }

    /// Draws one of the moves that differ, as the reference does; nothing at the end of a playout that is
    /// not allowed any further ply. Where all moves differ they are counted, not listed.
    fn draw_known(
        &self,
        state: &mut State<W>,
        Memory { list, notes }: &mut Memory,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        let (count, pass) = if self.overlaps {
            self.briefs(state, notes, list);
            (list.len() as u32, list.iter().all(Brief::is_pass))
        } else {
            let Count { number, pass } = self.count(state, notes);
            (number.into(), pass)
        };
        let forced = count == 0 || count == 1 && pass;
        if ends && !forced {
            return None;
        }
        let at = if forced { 0 } else { rng.below(count) };
        let number = match list.get(at as usize).filter(|_| self.overlaps) {
            Some(brief) => brief.number,
            None if count == 0 => Brief::PASS.number,
            None => at as u16,
        };
        let made = self.one_made(state, Mode::Known, notes, number)?;
        Some(if forced { Choice::Forced(made) } else { Choice::Free(made) })
    }

    /// Draws among all moves that may be legal until one is, and is none that came before.
    fn draw_tested(
        &self,
        state: &mut State<W>,
        Memory { list, notes }: &mut Memory,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        self.candidates(state, Mode::Drawing, notes, list);
        let drawn = loop {
            if list.is_empty() {
                break (Brief::PASS, Move::pass());
            }
            let at = rng.below(list.len() as u32) as usize;
            let brief = list.swap_remove(at);
            let made = self.one_made(state, Mode::Drawn, notes, brief.number);
            if let Some(made) = made
                && !self.comes_again(state, notes, list, (brief, &made))
            {
                break (brief, made);
            }
        };
        let (brief, made) = drawn;
        // Nobody chooses to pass where there is nothing else.
        let mut other = |brief: &Brief| {
            !brief.is_pass() && self.one_made(state, Mode::Drawn, notes, brief.number).is_some()
        };
        if brief.is_pass() && !list.iter().any(&mut other) {
            return Some(Choice::Forced(made));
        }
        (!ends).then_some(Choice::Free(made))
    }
}
