//! The check that playouts and search trees from positions in the middle of a game are those that
//! the position's own list of actions makes.

use super::{Effort, Report, differs, first_id, play_listed};
use crate::game::{Facts, Game, Via};
use crate::job::Job;
use crate::method::Promise;
use crate::position::{Position, settle};
use crate::rng::Rng;
use crate::scores::{Player, Turn};
use crate::search::SearchSettings;
use crate::tally::Tally;
use crate::uct::{grow_open_loop_through, grow_through};

/// Positions that are played on from, at most.
const POSITIONS: u64 = 400;

/// Playouts at once from a position, at most.
const AT_ONCE: u64 = 200;

/// Plies before a position, at most.
const PLIES: u32 = 200;

/// Trees that are grown. They and their simulations are a fraction of the playouts, of which an effort
/// has few in games whose plies take milliseconds.
fn trees(effort: &Effort) -> u32 {
    (effort.playouts / 10).clamp(1, 3) as u32
}

/// Simulations of a tree.
fn simulations(effort: &Effort) -> u64 {
    effort.playouts.clamp(4, 24)
}

/// Holds [`Position::playout`] against a loop over positions, [`Position::playouts`] against
/// [`Position::playout`], [`Position::search`] against [`grow_through`], and
/// [`Position::search_open_loop`] against [`grow_open_loop_through`].
pub(super) fn check(game: &dyn Game, effort: &Effort, report: &mut Report) {
    // What a game of searches promises is promised of searches.
    let mode = game.facts().mode(Via::Fast).unwrap_or_default();
    let same = mode.promise == Promise::SamePlayouts && game.facts().simulations == 0;
    let [mut fast, mut listed] = [Tally::default(), Tally::default()];
    // A loop over positions may take milliseconds a ply, so the plies are bounded, too.
    let count = (effort.playouts / 4).clamp(1, POSITIONS);
    let mut plies_left = u64::from(effort.cap).saturating_mul(count).min(effort.playouts * 64);
    let trees = trees(effort);
    let mut found = 0;
    let mut roots = Vec::new();
    for number in 0..count {
        let Some(position) = position_after(game, effort, number) else { continue };
        let rng = Rng::stream(effort.seed ^ 0x905e, number);
        let end = position.playout(&mut rng.clone(), effort.cap);
        let wanted = play_listed(position.copy(), &mut rng.clone(), effort.cap);
        if position.listed_playout(&mut rng.clone(), effort.cap) != wanted {
            let fault = "a playout over states that list actions is not the one over positions";
            report.faults.push(format!("{fault}, in\n{}", position.draw()));
            return;
        }
        fast.record(number, end);
        listed.record(number, wanted);
        if same && end != wanted {
            report.faults.push(format!(
                "a playout from a position has {} plies and ends {:?}, by the list of actions {} \
                 and {:?}, in\n{}",
                end.plies,
                end.ending,
                wanted.plies,
                wanted.ending,
                position.draw()
            ));
            return;
        }
        found += 1;
        if found <= trees && !same_at_once(&*position, effort, number) {
            report.faults.push(format!(
                "playouts at once from a position are not those one by one, in\n{}",
                position.draw()
            ));
            return;
        }
        if found <= trees && !same_trees(&*position, game.facts().players, effort, found) {
            report.faults.push(format!(
                "a search over states grows another tree than one over positions, in\n{}",
                position.draw()
            ));
            return;
        }
        if found <= trees {
            roots.push(position);
        }
        plies_left = plies_left.saturating_sub(u64::from(wanted.plies));
        if plies_left == 0 {
            break;
        }
    }
    if !same_open_loop_trees(&roots, game.facts(), effort) {
        let fault = "an open-loop search over states grows another tree than one over positions";
        report.faults.push(fault.to_owned());
    }
    if let Some(how) = differs(&fast, &listed) {
        report.faults.push(format!("playouts from positions differ from the reference's: {how}"));
    }
}

/// A position after some random plies; `None` if the game is over before, or never begins.
fn position_after(game: &dyn Game, effort: &Effort, number: u64) -> Option<Box<dyn Position>> {
    let mut rng = Rng::stream(effort.seed ^ 0x90, number);
    let mut position = game.open(&mut rng);
    // Short walks are as frequent as long ones, whatever the length of games.
    let plies = rng.below(PLIES.min(effort.cap.saturating_add(1)).ilog2() + 1);
    for _ in 0..rng.below(1 << plies) {
        if !settle(&mut *position, &mut rng) {
            return None;
        }
        let actions = position.actions() as u32;
        if position.turn() == Turn::Over || actions == 0 {
            return None;
        }
        position.play(rng.below(actions) as usize, &mut rng).ok()?;
    }
    Some(position)
}

/// True if playouts at once are those one by one, id by id, appended to what there is.
fn same_at_once(position: &dyn Position, effort: &Effort, number: u64) -> bool {
    let Effort { seed, cap, playouts, .. } = *effort;
    let first = first_id(seed) + 9 * number;
    let job = Job { seed, first, count: (playouts / 10).clamp(2, AT_ONCE), cap };
    let alone = |id| position.playout(&mut Rng::stream(seed, id), cap);
    let first = alone(0);
    let mut ends = vec![first];
    position.playouts(&job, &mut ends);
    ends.into_iter().eq(std::iter::once(first).chain(job.ids().map(alone)))
}

/// True if a tree over the engine's states is the tree over its positions, before and after it is
/// followed along an action; with so many playouts from each leaf.
fn same_trees(position: &dyn Position, players: u8, effort: &Effort, leaves: u32) -> bool {
    let cap = effort.cap.min(PLIES);
    let settings = SearchSettings { seed: effort.seed, cap, leaves, ..SearchSettings::default() };
    let simulations = simulations(effort);
    let Some(mut own) = position.search(settings) else { return true };
    let mut other = grow_through(position, players, settings);
    for _ in 0..2 {
        own.simulate(simulations);
        other.simulate(simulations);
        if own.digest() != other.digest() || own.values() != other.values() {
            return false;
        }
        let visits = own.values().into_iter().map(|value| value.visits);
        let best = visits.enumerate().max_by_key(|&(_, visits)| visits);
        let best = best.map_or(0, |(action, _)| action);
        if own.advance(best) != other.advance(best) || own.digest() != other.digest() {
            return false;
        }
    }
    true
}

/// True if open-loop trees over the engine's states are those over its positions: of sequences of
/// actions from the first of these positions, and of what each player does and perceives from all.
fn same_open_loop_trees(roots: &[Box<dyn Position>], facts: &Facts, effort: &Effort) -> bool {
    let Some(first) = roots.first() else { return true };
    let cap = effort.cap.min(PLIES);
    let simulations = simulations(effort);
    let settings = SearchSettings { seed: effort.seed, cap, ..SearchSettings::default() };
    let same = |roots: &[Box<dyn Position>], observer| {
        let Some(mut own) = first.search_open_loop(settings, observer) else { return true };
        let mut other = grow_open_loop_through(facts.players, settings, observer);
        for root in roots.iter().cycle().take(4 * simulations as usize) {
            own.simulate(&**root, 1);
            other.simulate(&**root, 1);
        }
        own.digest() == other.digest() && own.values(&**first) == other.values(&**first)
    };
    let observers = (0..facts.perceiving()).map(|player| Some(Player(player)));
    same(&roots[..1], None) && observers.into_iter().all(|observer| same(roots, observer))
}
