//! The legal moves of a position: all of them are listed by their numbers, and one is made by its
//! number.

use crate::buffer::Buffer;
use crate::eval::{
    Around, ChanceSource, Eval, Legality, Listed, Listing, MaybeChance, MoveVisitor, NthMove,
    Recorder, Replayed, Test, Tested,
};
use crate::game::Game;
use crate::ir::{Iter, Repeats};
use crate::lower::Feature;
use crate::moves::{Act, Move, MoveId, Sort};
use crate::state::State;

impl Game {
    /// Lists the legal moves that differ; a pass if there are none.
    pub(crate) fn list_legal(
        &self,
        state: &mut State,
        chance: MaybeChance<'_>,
        listed: &mut Listed,
    ) {
        self.list_all(state, true, chance, listed);
        self.drop_duplicates(state, listed);
        if listed.list.is_empty() {
            listed.list.push(MoveId::PASS);
        }
    }

    /// Lists the moves that the rules give, with repetitions: the legal ones, or if nothing is
    /// tested, also those that may be illegal.
    pub(crate) fn list_all(
        &self,
        state: &mut State,
        tests: bool,
        chance: MaybeChance<'_>,
        Listed { list, draws, gathered }: &mut Listed,
    ) {
        list.clear();
        if self.program.is_some() {
            gathered.ready();
            gathered.resize(crate::compile::ROOM, 0);
        }
        let gathered_moves = std::mem::take(gathered);
        let mut listing = Listing { list, number: 0, tests, gathered: gathered_moves };
        let recorder = chance.map(|chance| Recorder::new(chance, draws));
        let chance = recorder.as_ref().map(|recorder| recorder as &dyn ChanceSource);
        self.visit_moves(state, chance, &mut listing);
        *gathered = listing.gathered;
    }

    /// Makes a move by its number, if it is legal. The outcomes of chance that were drawn for its
    /// list hold; anything that the move itself leaves to chance is drawn now.
    pub(crate) fn make_listed(
        &self,
        state: &mut State,
        draws: &[u32],
        id: MoveId,
        legality: Legality,
        chance: MaybeChance<'_>,
    ) -> Option<Move> {
        if id.number == MoveId::PASS.number {
            return Some(Move::pass());
        }
        let replayed = Replayed::new(draws.get(..id.draws as usize)?, chance);
        let chance = self.has(Feature::Chance).then_some(&replayed as &dyn ChanceSource);
        let mut nth = NthMove::new(id.number, legality);
        self.visit_moves(state, chance, &mut nth);
        nth.found
    }

    /// The legal moves with all that they do, with repetitions. None when the game is over.
    pub(crate) fn list(&self, state: &mut State, chance: MaybeChance<'_>) -> Buffer<Move> {
        if state.head.over {
            return Buffer::new();
        }
        if let Some(chooser) = self.chooser(state) {
            return self.list_choices(state, chooser, chance);
        }
        let mut all = Buffer::new();
        self.visit_moves(state, chance, &mut all);
        if all.is_empty() {
            all.push(Move::pass());
        }
        all
    }

    /// Gives the moves to a visitor, those of who chooses where all do at once.
    fn visit_moves(&self, state: &mut State, chance: MaybeChance<'_>, out: &mut dyn MoveVisitor) {
        let chooser = self.chooser(state);
        let mover = chooser.unwrap_or(state.head.turns.mover);
        if chooser.is_none() {
            state.head.stalemated &= !(1 << mover);
        }
        let mut eval = Eval::new(self, state).amid(Around { chance, ..Around::NOTHING });
        eval.lists = true;
        if let Some(chooser) = chooser {
            eval.set(Iter::Chooser, i32::from(chooser));
            self.visit_moves_of(&mut eval, mover, out);
        } else if self.repeats.is_some() {
            let mut tested = Tested::new(&eval, out, Test::Repetition);
            self.visit_moves_of(&mut eval, mover, &mut tested);
        } else {
            self.visit_moves_of(&mut eval, mover, out);
        }
        let endless = eval.endless;
        state.head.record.endless |= endless;
    }

    /// Gives the moves of the phase of a player to a visitor.
    pub(super) fn visit_moves_of(
        &self,
        eval: &mut Eval<'_>,
        player: u8,
        out: &mut dyn MoveVisitor,
    ) {
        let state = eval.state;
        let phase = usize::from(state.head.phase[usize::from(player)]);
        if !eval.generate(&self.phases[phase].play, out)
            && let Some(swap) = self.swap_move(state)
        {
            out.take_move(eval, swap);
        }
    }

    /// The move by which the mover changes sides, if a swap rule allows it.
    pub(crate) fn swap_move(&self, state: &State) -> Option<Move> {
        let (mover, other) = (state.head.turns.mover, self.swap_partner(state)?);
        let acts = [Act::SwapPlayers(mover, other), Act::SetNext(mover)].into();
        Some(Move { sort: Sort::Swap, ..Move::new(-1, -1, acts) })
    }

    /// The player with whom the mover may change sides now, by a swap rule: the last other one who
    /// moved.
    pub(crate) fn swap_partner(&self, state: &State) -> Option<u8> {
        if !self.swap || self.simultaneous || state.head.moves as usize + 1 != self.world.players {
            return None;
        }
        let mut movers = state.history.iter().rev().map(|entry| entry >> 1);
        movers.find(|&mover| mover != state.head.turns.mover)
    }

    /// True if a move would bring back a position that must not come again.
    pub(crate) fn is_repetition(&self, state: &State, made: &Move) -> bool {
        let Some(repeats) = self.repeats.filter(|_| !made.is_pass()) else { return false };
        let mut after = state.trial();
        after.record_move(made.is_pass());
        self.carry_out_move(&mut after, made, Around::NOTHING);
        state.positions().contains(&self.hash(&after, repeats))
    }

    /// The hash of a position, by what counts for its repetition.
    pub(super) fn hash(&self, state: &State, repeats: Repeats) -> u64 {
        match repeats {
            Repeats::Positional | Repeats::PositionalInTurn => state.position_hash(),
            Repeats::Situational | Repeats::SituationalInTurn => {
                state.situation_hash(self.has(Feature::Scored))
            }
        }
    }
}
