//! The check that positions in lock-step are the same as positions that are played one by one, and
//! that codes mean what they say.

use std::collections::BTreeSet;

use super::{Effort, Report, first_id, play_listed};
use crate::encoding::Encoding;
use crate::game::Game;
use crate::job::Job;
use crate::lockstep::{Buffers, Lockstep, LockstepJob, Progress};
use crate::method::Method;
use crate::position::{Position, passes_without_end, settle};
use crate::rng::Rng;
use crate::scores::{Player, Turn};

/// Positions that go on together, and how many where they are looked up in a table, which takes no
/// time and goes on by 64 at once.
const POSITIONS: usize = 4;
const TABLED_POSITIONS: usize = 66;

/// Plies that they are followed to their ends, and in which others begin as they end.
const PLIES: u32 = 300;
const PLIES_ANEW: u32 = 60;

/// Holds a game's encoding and lock-step against its positions, where it has them.
pub(super) fn check(game: &dyn Game, effort: &Effort, report: &mut Report) {
    let Some(encoding) = game.encoding() else { return };
    if encoding.actions.iter().collect::<BTreeSet<_>>().len() < encoding.actions.len() {
        report.faults.push("two actions of the encoding share a label".to_owned());
    }
    let plies = [(false, PLIES.min(effort.cap)), (true, PLIES_ANEW)];
    let followed = plies
        .into_iter()
        .try_for_each(|(anew, plies)| Followed::new(game, &encoding, effort)?.follow(plies, anew));
    if let Err(fault) = followed {
        report.faults.push(format!("in lock-step, {fault}"));
    }
}

/// Some positions that are played at once, and the same ones one by one.
struct Followed<'g> {
    game: &'g dyn Game,
    encoding: &'g Encoding,
    seed: u64,
    cap: u32,
    lockstep: Box<dyn Lockstep>,
    buffers: Buffers,
    alone: Vec<Alone>,
}

/// A position that is played by itself.
struct Alone {
    position: Box<dyn Position>,
    rng: Rng,
    plies: u32,
    /// Id of the playout.
    id: u64,
    /// The progress of the position.
    progress: Progress,
}

impl Alone {
    fn begin(game: &dyn Game, seed: u64, id: u64, cap: u32) -> Alone {
        let mut rng = Rng::stream(seed, id);
        let position = game.open(&mut rng);
        let mut alone = Alone { position, rng, plies: 0, id, progress: Progress::Going };
        alone.settle(cap);
        alone
    }

    /// Plays forced passes, and looks how far it is.
    fn settle(&mut self, cap: u32) {
        let Alone { position, rng, .. } = self;
        settle(&mut **position, rng);
        self.progress = match position.turn() {
            Turn::Over => Progress::Over,
            Turn::Move(_) if position.actions() == 0 => Progress::Stuck,
            Turn::Move(_) if passes_without_end(&**position) || self.plies >= cap => {
                Progress::Capped
            }
            Turn::Move(_) if position.codes().is_none_or(|codes| codes.is_empty()) => {
                Progress::Uncoded
            }
            Turn::Move(_) => Progress::Going,
        };
    }

    fn is_going(&self) -> bool {
        self.progress == Progress::Going
    }
}

impl Followed<'_> {
    fn new<'g>(
        game: &'g dyn Game,
        encoding: &'g Encoding,
        effort: &Effort,
    ) -> Result<Followed<'g>, String> {
        let Effort { seed, cap, .. } = *effort;
        let first = first_id(seed);
        let start = |count: usize| {
            let job = LockstepJob { seed, first, count, stride: count as u64, cap };
            game.lockstep(&job).ok_or("there is none, but an encoding")
        };
        let mut lockstep = start(POSITIONS)?;
        if lockstep.method() == Method::Tabled {
            lockstep = start(TABLED_POSITIONS)?;
        }
        let count = lockstep.len();
        let buffers = Buffers::new(encoding, game.facts().players.into(), count, 9);
        let alone = (first..first + count as u64).map(|id| Alone::begin(game, seed, id, cap));
        let alone = alone.collect();
        Ok(Followed { game, encoding, seed, cap, lockstep, buffers, alone })
    }

    /// Plays all of them for so many plies, those that end begun anew or not.
    fn follow(&mut self, plies: u32, anew: bool) -> Result<(), String> {
        self.lockstep.restart(&mut self.buffers.views());
        for i in 0..self.alone.len() {
            self.compare_rows(i)?;
            self.compare_end(i, false)?;
            self.compare_progress(i)?;
        }
        for ply in 0..plies {
            let went_on: Vec<bool> = self.alone.iter().map(Alone::is_going).collect();
            self.play(anew)?;
            for (i, went_on) in went_on.into_iter().enumerate() {
                self.compare_end(i, went_on)?;
                if went_on {
                    self.compare_progress(i)?;
                }
                if anew && went_on && !self.alone[i].is_going() {
                    let id = self.alone[i].id + self.alone.len() as u64;
                    self.alone[i] = Alone::begin(self.game, self.seed, id, self.cap);
                }
                if self.alone[i].is_going() || !anew {
                    self.compare_rows(i)?;
                }
                if ply.is_power_of_two() && i < POSITIONS {
                    self.compare_playouts(i, ply)?;
                }
            }
            if !self.alone.iter().any(Alone::is_going) {
                break;
            }
        }
        self.play_what_there_is_not()
    }

    /// One ply everywhere.
    fn play(&mut self, anew: bool) -> Result<(), String> {
        let mut actions = vec![0; self.alone.len()];
        self.lockstep.draw(&mut actions);
        for (alone, &drawn) in self.alone.iter_mut().zip(&actions) {
            if !alone.is_going() {
                continue;
            }
            let Alone { position, rng, plies, .. } = alone;
            let action = rng.below(position.actions() as u32) as usize;
            let codes = position.codes().unwrap_or_default();
            if codes.get(action).map(|&code| i64::from(code)) != Some(i64::from(drawn)) {
                return Err(format!("the actions drawn differ at ply {plies}"));
            }
            position.play(action, rng).map_err(|error| error.to_string())?;
            *plies += 1;
            alone.settle(self.cap);
        }
        let stepped = self.lockstep.step(&actions, anew, &mut self.buffers.views());
        stepped.map_err(|error| error.to_string())
    }

    /// Nothing of a step that is not legal is played.
    fn play_what_there_is_not(&mut self) -> Result<(), String> {
        let (mask, planes) = (self.buffers.mask.clone(), self.buffers.planes.clone());
        let wrong = vec![self.encoding.actions.len() as i32; self.alone.len()];
        let going = self.alone.iter().any(Alone::is_going);
        let stepped = self.lockstep.step(&wrong, false, &mut self.buffers.views());
        if stepped.is_err() != going || mask != self.buffers.mask || planes != self.buffers.planes {
            return Err("an action that there is not changes something".to_owned());
        }
        Ok(())
    }

    /// Compares the progress that is reported of one position, at its start or after a ply, with
    /// the position played alone.
    fn compare_progress(&self, i: usize) -> Result<(), String> {
        let Alone { progress, position, .. } = &self.alone[i];
        let shown = self.buffers.progress[i];
        let wrong = |how: &str| Err(format!("{how}, in\n{}", position.draw()));
        if *progress == Progress::Uncoded && !self.encoding.open {
            return wrong(
                "a position is given up for an action without a code, where all have one",
            );
        }
        if shown == *progress as u8 {
            return Ok(());
        }
        match shown {
            shown if shown == Progress::Uncoded as u8 => {
                wrong("a position is given up whose actions have codes")
            }
            shown => wrong(&format!("the progress is {shown}, not {}", *progress as u8)),
        }
    }

    /// Compares the views of one position with the position played alone.
    fn compare_rows(&self, i: usize) -> Result<(), String> {
        let Followed { encoding, buffers, .. } = self;
        let position = &*self.alone[i].position;
        let wrong = |how: &str| Err(format!("{how}, in\n{}", position.draw()));
        let mut legal = vec![0; encoding.actions.len()];
        if let Some(what) = position.unseen() {
            return Err(format!("`{what}` is perceived, and no site of the encoding"));
        }
        let going = self.alone[i].is_going();
        let codes = position.codes().unwrap_or_default();
        let labels = if going { position.labels() } else { Vec::new() };
        for (action, label) in labels.iter().enumerate() {
            let code = codes.get(action).map_or(usize::MAX, |&code| code as usize);
            match encoding.actions.get(code) {
                Some(coded) if coded == label => legal[code] = 1,
                coded => {
                    return wrong(&format!(
                        "`{label}` has code {code}, which stands for {coded:?}"
                    ));
                }
            }
        }
        let mut planes = vec![9; encoding.plane_bytes()];
        let seer = match position.turn() {
            Turn::Move(player) => player,
            Turn::Over => Player(0),
        };
        position.planes(seer, &mut planes);
        if planes.iter().any(|&byte| byte > 1) {
            return wrong("a byte of the planes is not written, or neither 0 nor 1");
        }
        let turn = match position.turn() {
            Turn::Move(player) if going => player.0 as i8,
            _ => -1,
        };
        let row = |length: usize| i * length..(i + 1) * length;
        if buffers.mask[row(legal.len())] != legal[..] {
            return wrong("other actions are legal");
        }
        if (turn >= 0 || !self.game.facts().hidden)
            && buffers.planes[row(planes.len())] != planes[..]
        {
            return wrong("something else lies on the board");
        }
        if buffers.turns[i] != turn {
            return wrong(&format!("it is the turn of {}, not of {turn}", buffers.turns[i]));
        }
        Ok(())
    }

    /// Compares playouts from one position with those of the position played alone. A position that
    /// is looked up in a table must have the playouts of its lists; one that has ended has playouts
    /// without plies.
    fn compare_playouts(&self, i: usize, ply: u32) -> Result<(), String> {
        let Alone { position, plies, .. } = &self.alone[i];
        let cap = if self.alone[i].is_going() { self.cap - plies } else { 0 };
        let first = first_id(self.seed) + u64::from(ply);
        let job = Job { seed: self.seed, first, count: 3, cap };
        let (mut ends, mut expected) = (Vec::new(), Vec::new());
        self.lockstep.playouts(i, &job, &mut ends);
        if cap > 0 && self.lockstep.method() != Method::Tabled {
            position.playouts(&job, &mut expected);
        } else {
            let listed = |id| play_listed(position.copy(), &mut Rng::stream(job.seed, id), cap);
            expected.extend(job.ids().map(listed));
        }
        if ends == expected {
            return Ok(());
        }
        Err(format!("playouts end {ends:?}, not {expected:?}, in\n{}", position.draw()))
    }

    /// Compares the report of the last ply of one position, which was going before the ply or not,
    /// with the position played alone.
    fn compare_end(&self, i: usize, went_on: bool) -> Result<(), String> {
        let Followed { buffers, alone, .. } = self;
        let position = &*alone[i].position;
        let players = usize::from(self.game.facts().players);
        let scores: Vec<i32> = match position.scores() {
            Some(scores) if went_on => scores.iter().collect(),
            _ => vec![0; players],
        };
        let shown = &buffers.scores[i * players..(i + 1) * players];
        if shown != &scores[..] {
            return Err(format!("it ended {shown:?}, not {scores:?}, in\n{}", position.draw()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::*;
    use crate::adapted::Adapted;
    use crate::bounds::Bounds;
    use crate::chance::Chance;
    use crate::game::Facts;
    use crate::lockstep::Views;
    use crate::mechanics::Mechanics;
    use crate::percepts::Percepts;
    use crate::position::MAX_FORCED_PASSES;
    use crate::scores::Scores;

    /// The faults of an encoding that a test builds in.
    #[derive(Clone, Copy, PartialEq)]
    enum Fault {
        Nothing,
        CodesExchanged,
        NoCode,
        LookedUp,
        BytesLeftOut,
        TwoAlike,
        ExchangedLater,
        LeftOut { open: bool },
    }

    /// Nim with one heap of seven: take one or two, who takes the last wins.
    struct Nim(Facts, Fault);

    impl Mechanics for Nim {
        type State = (u8, u8);
        type Action = u8;

        fn facts(&self) -> &Facts {
            &self.0
        }

        fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> (u8, u8) {
            (7, 0)
        }

        fn expand(&self, state: &mut (u8, u8), legal: &mut Vec<u8>) -> Turn {
            if state.0 == 0 {
                return Turn::Over;
            }
            legal.extend(1..=state.0.min(2));
            Turn::Move(Player(state.1))
        }

        fn apply<C: Chance + ?Sized>(&self, state: &mut (u8, u8), action: u8, _: &mut C) {
            *state = (state.0 - action, 1 - state.1);
        }

        fn scores(&self, state: &(u8, u8)) -> Scores {
            Scores::win(Player(1 - state.1))
        }

        fn label(&self, _: &(u8, u8), action: u8) -> String {
            format!("take{action}")
        }

        fn draw(&self, state: &(u8, u8)) -> String {
            format!("{} left", state.0)
        }

        fn encoding(&self) -> Option<Encoding> {
            let mut actions = vec!["take1".to_owned(), "take2".to_owned()];
            match self.1 {
                Fault::TwoAlike => "take1".clone_into(&mut actions[1]),
                Fault::LeftOut { .. } => actions.truncate(1),
                _ => {}
            }
            Some(Encoding {
                sites: (1..=7).map(|i| format!("token{i}")).collect(),
                kinds: vec!["token".to_owned()],
                actions,
                open: self.1 == Fault::LeftOut { open: true },
            })
        }

        fn code(&self, state: &(u8, u8), action: u8) -> u32 {
            match self.1 {
                Fault::CodesExchanged => u32::from(2 - action),
                Fault::NoCode => 7,
                Fault::LookedUp | Fault::LeftOut { .. } => u32::MAX,
                Fault::ExchangedLater if state.0 == 5 => u32::from(2 - action),
                _ => u32::from(action) - 1,
            }
        }

        fn planes(&self, state: &(u8, u8), planes: &mut [u8]) {
            let written = if self.1 == Fault::BytesLeftOut { 6 } else { 7 };
            for (i, byte) in (0..written).zip(planes) {
                *byte = u8::from(i < state.0);
            }
        }
    }

    fn faults(fault: Fault) -> Vec<String> {
        let game = Adapted::new(Nim(Facts { players: 2, ..Facts::default() }, fault));
        let mut report = Report::default();
        check(&game, &Effort::default(), &mut report);
        report.faults
    }

    #[test]
    fn faults_of_an_encoding_are_found() {
        assert_eq!(faults(Fault::Nothing), Vec::<String>::new());
        assert_eq!(faults(Fault::LookedUp), Vec::<String>::new());
        assert_eq!(faults(Fault::LeftOut { open: true }), Vec::<String>::new());
        for (fault, words) in [
            (Fault::CodesExchanged, "`take1` has code 1, which stands for Some(\"take2\")"),
            (Fault::NoCode, "which stands for None"),
            (Fault::BytesLeftOut, "a byte of the planes is not written"),
            (Fault::TwoAlike, "two actions of the encoding share a label"),
            (Fault::ExchangedLater, "`take1` has code 1"),
            (Fault::LeftOut { open: false }, "a position is given up"),
        ] {
            let found = faults(fault);
            assert!(found.iter().any(|f| f.contains(words)), "{words}: {found:?}");
        }
    }

    /// A game in which the player who plays on has so many forced passes before the next choice.
    /// What lies on the board tells an odd number of them from an even one.
    struct Passing(Facts, u32);

    impl Mechanics for Passing {
        type State = u32;
        type Action = u8;

        fn facts(&self) -> &Facts {
            &self.0
        }

        fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> u32 {
            0
        }

        fn expand(&self, passes: &mut u32, legal: &mut Vec<u8>) -> Turn {
            match *passes {
                u32::MAX => return Turn::Over,
                0 => legal.extend([0, 1]),
                passes if passes > self.1 => legal.extend([1, 2]),
                _ => legal.push(3),
            }
            Turn::Move(Player(0))
        }

        fn apply<C: Chance + ?Sized>(&self, passes: &mut u32, action: u8, _: &mut C) {
            *passes = if action == 1 { u32::MAX } else { *passes + 1 };
        }

        fn scores(&self, _: &u32) -> Scores {
            Scores::win(Player(0))
        }

        fn label(&self, _: &u32, action: u8) -> String {
            ["on", "end", "further", "pass"][usize::from(action)].to_owned()
        }

        fn is_pass(&self, _: &u32, action: u8) -> bool {
            action == 3
        }

        fn draw(&self, passes: &u32) -> String {
            format!("{passes} passes")
        }

        fn encoding(&self) -> Option<Encoding> {
            let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
            Some(Encoding {
                sites: names(&["a1"]),
                kinds: names(&["odd"]),
                actions: names(&["on", "end", "further", "pass"]),
                open: false,
            })
        }

        fn planes(&self, passes: &u32, planes: &mut [u8]) {
            planes[0] = (*passes % 2) as u8;
        }
    }

    #[test]
    fn passes_without_end_are_no_fault_and_given_up_in_one_place() {
        for (passes, progress) in [
            (3, Progress::Going),
            (MAX_FORCED_PASSES, Progress::Going),
            (MAX_FORCED_PASSES + 1, Progress::Capped),
            (u32::MAX - 1, Progress::Capped),
        ] {
            let facts = Facts { players: 2, ..Facts::default() };
            let game = Adapted::new(Passing(facts, passes));
            for cap in [1, 5] {
                let effort = Effort { playouts: 8, cap, ..Effort::default() };
                let report = super::super::check(&game, &effort);
                assert_eq!(report.faults, Vec::<String>::new(), "{passes}, cap {cap}");
            }
            let job = LockstepJob { seed: 1, first: 0, count: 1, stride: 1, cap: 9 };
            let mut lockstep = game.lockstep(&job).expect("there is an encoding");
            let mut buffers = Buffers::new(&game.encoding().expect("there is"), 2, 1, 9);
            lockstep.restart(&mut buffers.views());
            lockstep.step(&[0], false, &mut buffers.views()).expect("it is legal");
            assert_eq!(buffers.progress[0], progress as u8, "{passes}");
            let mut position = game.open(&mut Rng::stream(1, 0));
            position.play(0, &mut Rng::stream(1, 0)).expect("it is legal");
            assert_eq!(
                settle(&mut *position, &mut Rng::stream(1, 0)),
                progress == Progress::Going,
                "{passes}"
            );
            let leaves = crate::tree::perft(&*game.open(&mut Rng::stream(1, 0)), 2, 1 << 20);
            let second = if progress == Progress::Going { 2 } else { 0 };
            assert_eq!(leaves, Some(vec![2, second]), "{passes}");
        }
    }

    /// Each player draws a hidden coin, which only that player perceives, and bets or folds; a bet
    /// is heard by both. The flag leaves one percept out of the encoding.
    struct Coins(Facts, bool);

    impl Mechanics for Coins {
        type State = ([u32; 2], u8);
        type Action = u8;

        fn facts(&self) -> &Facts {
            &self.0
        }

        fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> ([u32; 2], u8) {
            ([chance.below(2), chance.below(2)], 0)
        }

        fn expand(&self, state: &mut ([u32; 2], u8), legal: &mut Vec<u8>) -> Turn {
            if state.1 == 4 {
                return Turn::Over;
            }
            legal.extend([0, 1]);
            Turn::Move(Player(state.1 % 2))
        }

        fn apply<C: Chance + ?Sized>(&self, state: &mut ([u32; 2], u8), _: u8, _: &mut C) {
            state.1 += 1;
        }

        fn apply_perceived<C: Chance + ?Sized>(
            &self,
            state: &mut ([u32; 2], u8),
            action: u8,
            chance: &mut C,
            percepts: &mut Percepts,
        ) {
            self.apply(state, action, chance);
            if action == 1 {
                percepts.tell_all(2, "bet");
            }
        }

        fn start_percepts(&self, state: &([u32; 2], u8), percepts: &mut Percepts) {
            for (player, coin) in (0..).zip(state.0) {
                percepts.tell(Player(player), ["tails", "heads"][coin as usize]);
            }
        }

        fn scores(&self, state: &([u32; 2], u8)) -> Scores {
            Scores::win(Player(u8::from(state.0[0] < state.0[1])))
        }

        fn label(&self, _: &([u32; 2], u8), action: u8) -> String {
            ["fold", "bet"][usize::from(action)].to_owned()
        }

        fn draw(&self, state: &([u32; 2], u8)) -> String {
            format!("{state:?}")
        }

        fn bounds(&self) -> Option<Bounds> {
            Some(Bounds::SMALL)
        }

        fn key(&self, state: &([u32; 2], u8)) -> impl Hash + Eq + use<> {
            *state
        }

        fn encoding(&self) -> Option<Encoding> {
            let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
            let percepts = if self.1 { &["bet", "heads"][..] } else { &["bet", "heads", "tails"] };
            Some(Encoding::perceived(names(&["bet", "fold"]), names(percepts)))
        }
    }

    fn coins(leaves_out: bool) -> Adapted<Coins> {
        let facts = Facts { players: 2, chance: true, hidden: true, ..Facts::default() };
        Adapted::new(Coins(facts, leaves_out))
    }

    #[test]
    fn players_of_hidden_games_see_what_they_perceived_and_nothing_else() {
        for (leaves_out, fault) in [(false, None), (true, Some("`tails` is perceived"))] {
            let mut report = Report::default();
            check(&coins(leaves_out), &Effort::default(), &mut report);
            assert_eq!(report.faults.len(), usize::from(fault.is_some()), "{:?}", report.faults);
            assert!(report.faults.iter().zip(fault).all(|(f, words)| f.contains(words)));
        }
        let game = coins(false);
        let job = LockstepJob { seed: 1, first: 0, count: 8, stride: 8, cap: 10 };
        let mut lockstep = game.lockstep(&job).expect("there is an encoding");
        assert_eq!(lockstep.method(), Method::Tabled);
        let encoding = game.encoding().expect("it has one");
        let mut buffers = Buffers::new(&encoding, 2, 8, 9);
        let mut views = buffers.views();
        lockstep.restart(&mut views);
        let mut own = [[0; 2]; 8];
        for (i, own) in own.iter_mut().enumerate() {
            let (state, mut rng) = (&mut [0; 2], Rng::stream(1, i as u64));
            state.iter_mut().for_each(|coin| *coin = rng.below(2));
            *own = *state;
        }
        let coin = |views: &Views<'_>, i: usize, plane: usize| {
            let row = &views.planes[10 * i + 5 * plane..10 * i + 5 * plane + 5];
            (row[0] == 1, row[1..3].to_vec(), row[3..].to_vec())
        };
        for (i, own) in own.iter().enumerate() {
            let heads = u8::from(own[0] == 1);
            assert_eq!(
                coin(&views, i, 0),
                (false, vec![heads, 1 - heads], vec![0, 0]),
                "the first sees its coin"
            );
        }
        // The first bets; the second hears it, and sees its own coin besides.
        lockstep.step(&[0; 8], false, &mut views).expect("it is legal");
        for (i, own) in own.iter().enumerate() {
            let heads = u8::from(own[1] == 1);
            assert_eq!(coin(&views, i, 0), (true, vec![heads, 1 - heads], vec![0, 0]));
            assert_eq!(coin(&views, i, 1), (false, vec![0, 0], vec![0, 0]));
        }
        // The second folds, which nobody perceives: the first knows its coin from before, and the
        // bet.
        lockstep.step(&[1; 8], false, &mut views).expect("it is legal");
        for (i, own) in own.iter().enumerate() {
            let heads = u8::from(own[0] == 1);
            assert_eq!(coin(&views, i, 0), (true, vec![0, 0], vec![1, 0]));
            assert_eq!(coin(&views, i, 1), (false, vec![heads, 1 - heads], vec![0, 0]));
        }
    }

    #[test]
    fn positions_that_end_begin_anew_with_the_next_playout() {
        let game = Adapted::new(Nim(Facts { players: 2, ..Facts::default() }, Fault::Nothing));
        let job = LockstepJob { seed: 5, first: 0, count: 3, stride: 3, cap: 10 };
        let mut lockstep = game.lockstep(&job).expect("there is an encoding");
        let encoding = game.encoding().expect("it has one");
        let mut buffers = Buffers::new(&encoding, 2, 3, 9);
        let mut views = buffers.views();
        lockstep.restart(&mut views);
        // Plies and scores of each playout, in the order of its position.
        let mut ended = vec![Vec::new(); 3];
        let mut plies = [0; 3];
        let mut actions = [0; 3];
        while ended.iter().any(|all| all.len() < 4) {
            lockstep.draw(&mut actions);
            lockstep.step(&actions, true, &mut views).expect("they are legal");
            for i in 0..3 {
                plies[i] += 1;
                if views.progress[i] == Progress::Over as u8 {
                    let scores: Vec<i32> = views.scores[2 * i..2 * i + 2].to_vec();
                    ended[i].push((std::mem::take(&mut plies[i]), scores));
                    assert_eq!(views.mask[2 * i..2 * i + 2], [1, 1], "of the new start");
                    assert_eq!(views.turns[i], 0);
                }
            }
        }
        for (i, all) in ended.iter().enumerate() {
            for (round, (plies, scores)) in all.iter().enumerate() {
                let id = (i + 3 * round) as u64;
                let end = crate::reference::playout(
                    &Nim(Facts::default(), Fault::Nothing),
                    &mut Rng::stream(5, id),
                    10,
                    &mut Vec::new(),
                );
                let crate::Ending::Over(expected) = end.ending else { panic!("it ends") };
                assert_eq!(
                    (*plies, scores.clone()),
                    (end.plies, expected.iter().collect()),
                    "{id}"
                );
            }
        }
    }
}
