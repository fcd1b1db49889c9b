//! The check that positions in lock-step are the same as positions that are played one by one, and
//! that codes mean what they say.

#[cfg(test)]
mod tests;

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

/// Plies that they are followed to their ends, at most, and in which others begin as they end; an
/// effort has few playouts in games whose plies take milliseconds.
const PLIES: u32 = 300;
const PLIES_ANEW: u32 = 60;

/// Holds a game's encoding and lock-step against its positions, where it has them.
pub(super) fn check(game: &dyn Game, effort: &Effort, report: &mut Report) {
    let Some(encoding) = game.encoding() else { return };
    if encoding.actions.iter().collect::<BTreeSet<_>>().len() < encoding.actions.len() {
        report.faults.push("two actions of the encoding share a label".to_owned());
    }
    if let Err(fault) = check_sides(game, &encoding) {
        report.faults.push(fault);
    }
    let most = 20 * effort.playouts.clamp(1, 1000) as u32;
    let plies = [(false, PLIES.min(effort.cap).min(most)), (true, PLIES_ANEW.min(most))];
    let followed = plies
        .into_iter()
        .try_for_each(|(anew, plies)| Followed::new(game, &encoding, effort)?.follow(plies, anew));
    if let Err(fault) = followed {
        report.faults.push(format!("in lock-step, {fault}"));
    }
}

/// Holds what an encoding says of both sides against the start of the game: turned for the second
/// player it is the same.
fn check_sides(game: &dyn Game, encoding: &Encoding) -> Result<(), String> {
    if !encoding.owners.is_empty() && encoding.owners.len() != encoding.kinds.len() {
        return Err("the encoding has owners for another number of kinds".to_owned());
    }
    let Some(turned) = encoding.turned() else {
        return match encoding.symmetry {
            None => Ok(()),
            Some(_) => Err("the encoding cannot be turned as it says".to_owned()),
        };
    };
    let sites = encoding.sites.len();
    let mut planes = vec![0; encoding.plane_bytes()];
    game.open(&mut Rng::stream(0, 0)).planes(Player(0), &mut planes);
    let place = |byte: usize| turned.kinds[byte / sites] * sites + turned.sites[byte % sites];
    match (0..planes.len()).find(|&byte| planes[byte] != planes[place(byte)]) {
        None => Ok(()),
        Some(byte) => Err(format!(
            "turned for the second player, the start has something else on {}",
            encoding.sites[turned.sites[byte % sites]]
        )),
    }
}

/// Some positions that are played at once, and the same ones one by one.
struct Followed<'g> {
    game: &'g dyn Game,
    encoding: &'g Encoding,
    seed: u64,
    cap: u32,
    job: LockstepJob,
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
        let job = |count| LockstepJob { seed, first, count, stride: count as u64, cap };
        let mut job = job(POSITIONS);
        let start = |job| game.lockstep(&job).ok_or("there is none, but an encoding");
        let mut lockstep = start(job)?;
        if lockstep.method() == Method::Tabled {
            (job.count, job.stride) = (TABLED_POSITIONS, TABLED_POSITIONS as u64);
            lockstep = start(job)?;
        }
        let count = lockstep.len();
        let buffers = Buffers::new(encoding, game.facts().players.into(), count, 9);
        let alone = (first..first + count as u64).map(|id| Alone::begin(game, seed, id, cap));
        let alone = alone.collect();
        Ok(Followed { game, encoding, seed, cap, job, lockstep, buffers, alone })
    }

    /// Goes on with a copy of the positions, or with what was saved of them.
    fn replace(&mut self, saved: bool) -> Result<(), String> {
        if !saved {
            self.lockstep = self.lockstep.copy();
            return Ok(());
        }
        let mut again = self.game.lockstep(&self.job).ok_or("there is none the second time")?;
        let players = self.game.facts().players.into();
        let mut shown = Buffers::new(self.encoding, players, self.job.count, 9);
        // It makes no difference whether they were begun.
        if self.alone.iter().any(|alone| !alone.is_going()) {
            again.restart(&mut shown.views());
        }
        if !again.resume(&self.lockstep.save(), &mut shown.views()) {
            return Err("positions that were saved are not the same again".to_owned());
        }
        let seen = |buffers: &Buffers| {
            let Buffers { mask, planes, turns, .. } = buffers;
            (mask.clone(), planes.clone(), turns.clone())
        };
        if seen(&shown) != seen(&self.buffers) {
            return Err("positions that were saved show something else".to_owned());
        }
        // Of ends nothing is saved.
        let Buffers { scores, progress, .. } = std::mem::take(&mut self.buffers);
        self.buffers = Buffers { scores, progress, ..shown };
        self.lockstep = again;
        Ok(())
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
            if ply > 1 && ply.is_power_of_two() {
                self.replace(ply.trailing_zeros().is_multiple_of(2))?;
            }
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
        if let Some(what) = position.unseen().filter(|_| !encoding.open) {
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
