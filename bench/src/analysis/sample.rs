//! Random games of a game, and what is noted of them.

use play::{
    Chance, End, Ending, Game, Job, Player, Position, Rng, Scores, Turn, passes_without_end, settle,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Seed of everything drawn.
    pub seed: u64,
    /// Most games.
    pub games: u32,
    /// Plies after which no game is begun any more. The same number bounds the positions that are
    /// told apart, and four times as many the plies of playouts that find out who leads.
    pub plies: u64,
    /// Plies after which a game is given up.
    pub cap: u32,
}

/// What was seen in random games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    /// Number of players.
    pub players: u8,
    /// The games, all with draws of their own.
    pub games: Vec<Played>,
    /// In games of chance: pairs of payoffs of the first player, of two games in which chance draws
    /// the same and the players do not.
    pub twins: Vec<(i32, i32)>,
    /// In games for several players: how often the lead changed in each of some games.
    pub lead_changes: Vec<u32>,
    /// How many positions were seen so often: `(times, positions)`.
    pub seen: Vec<(u64, u64)>,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its length. Forced passes are no plies.
    pub plies: u32,
    /// Plies at which there was more than one legal action.
    pub choices: u32,
    /// The sum over plies of the number of legal actions.
    pub actions: u64,
    /// The sum over plies of its decimal logarithm.
    pub log_actions: f64,
    /// The greatest number of legal actions.
    pub most: u32,
    /// The end of the game.
    pub ended: Ended,
    /// The payoffs by player, if it was over by the rules.
    pub scores: Vec<i32>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// By the rules.
    Over,
    /// At the ply cap.
    Capped,
    /// Where nothing is legal and the rules do not say that it is over.
    Stuck,
}

/// Games in which it is asked who leads, positions of each where it is, playouts from each.
const LED: usize = 16;
const LOOKS: u64 = 16;
const PLAYOUTS: u64 = 32;

/// Pairs of games in which chance draws the same.
const TWINS: u64 = 128;

/// Plays random games and notes what is seen.
pub fn sample(game: &dyn Game, effort: &Effort) -> Sampled {
    let facts = game.facts();
    let mut seen = Seen { times: BTreeMap::new(), left: effort.plies };
    let mut games: Vec<Played> = Vec::new();
    let mut left = effort.plies;
    for id in 0..u64::from(effort.games) {
        let draws = Draws { moves: id, chance: id };
        games.push(draws.play(game, effort, &mut |position, _| seen.note(position)));
        let plies = u64::from(games[games.len() - 1].plies);
        left = left.saturating_sub(plies.max(1));
        if left == 0 {
            break;
        }
    }
    let twins = if facts.chance { twins(game, effort, games.len()) } else { Vec::new() };
    let lead_changes = if facts.players > 1 { leads(game, effort, &games) } else { Vec::new() };
    Sampled { players: facts.players, twins, lead_changes, seen: seen.counts(), games }
}

/// The numbers of the streams that a game is drawn from.
#[derive(Clone, Copy)]
struct Draws {
    moves: u64,
    chance: u64,
}

impl Draws {
    /// Plays the game; `visit` sees each position in which somebody is to move, and its ply.
    fn play(
        self,
        game: &dyn Game,
        effort: &Effort,
        visit: &mut dyn FnMut(&dyn Position, u32),
    ) -> Played {
        let mut moves = Rng::stream(effort.seed, self.moves << 1);
        let mut chance = Rng::stream(effort.seed, self.chance << 1 | 1);
        let mut position = game.open(&mut chance);
        let mut played = Played {
            plies: 0,
            choices: 0,
            actions: 0,
            log_actions: 0.0,
            most: 0,
            ended: Ended::Over,
            scores: Vec::new(),
        };
        loop {
            let settled = settle(&mut *position, &mut chance as &mut dyn Chance);
            let actions = position.actions() as u32;
            played.ended = match position.turn() {
                Turn::Over => {
                    let scores = position.scores();
                    played.scores = scores.into_iter().flat_map(Scores::iter).collect();
                    return played;
                }
                _ if actions == 0 => Ended::Stuck,
                _ if !settled || passes_without_end(&*position) => Ended::Capped,
                _ if played.plies >= effort.cap => Ended::Capped,
                Turn::Move(_) => Ended::Over,
            };
            if played.ended != Ended::Over {
                return played;
            }
            visit(&*position, played.plies);
            played.plies += 1;
            played.choices += u32::from(actions > 1);
            played.actions += u64::from(actions);
            played.log_actions += f64::from(actions).log10();
            played.most = played.most.max(actions);
            let drawn = moves.below(actions) as usize;
            if position.play(drawn, &mut chance).is_err() {
                played.ended = Ended::Stuck;
                return played;
            }
        }
    }
}

/// How often each position was seen, as it is drawn and with whoever is to move.
struct Seen {
    times: BTreeMap<u64, u64>,
    /// Positions that may still be looked at.
    left: u64,
}

impl Seen {
    fn note(&mut self, position: &dyn Position) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let mut hasher = DefaultHasher::new();
        position.draw().hash(&mut hasher);
        if let Turn::Move(player) = position.turn() {
            player.0.hash(&mut hasher);
        }
        *self.times.entry(hasher.finish()).or_default() += 1;
    }

    fn counts(&self) -> Vec<(u64, u64)> {
        let mut counts = BTreeMap::new();
        for &times in self.times.values() {
            *counts.entry(times).or_default() += 1;
        }
        counts.into_iter().collect()
    }
}

/// Payoffs of the first player in pairs of games in which chance draws the same; as many pairs as
/// games were played, at most.
fn twins(game: &dyn Game, effort: &Effort, games: usize) -> Vec<(i32, i32)> {
    let first = u64::from(effort.games);
    let payoff = |moves, chance| {
        let draws = Draws { moves: first + moves, chance: first + chance };
        draws.play(game, effort, &mut |_, _| ()).scores.first().copied()
    };
    let pair = |id| Some((payoff(2 * id, id)?, payoff(2 * id + 1, id)?));
    (0..TWINS.min(games as u64)).filter_map(pair).collect()
}

/// How often the lead changed in the first games, each played once more.
fn leads(game: &dyn Game, effort: &Effort, games: &[Played]) -> Vec<u32> {
    let mut left = 4 * effort.plies;
    let mut changes = Vec::new();
    for (id, played) in (0..).zip(games.iter().take(LED)) {
        if left == 0 {
            break;
        }
        let plies = u64::from(played.plies);
        let looks = LOOKS.min(plies);
        let (mut leader, mut changed, mut next) = (None, 0, 0);
        let draws = Draws { moves: id, chance: id };
        draws.play(game, effort, &mut |position, ply| {
            if next == looks || u64::from(ply) < next * plies / looks {
                return;
            }
            let first = (id * LOOKS + next) * PLAYOUTS;
            next += 1;
            let job = Job { seed: !effort.seed, first, count: PLAYOUTS, cap: effort.cap };
            let mut ends = Vec::new();
            position.playouts(&job, &mut ends);
            let plies: u64 = ends.iter().map(|end| u64::from(end.plies)).sum();
            left = left.saturating_sub(plies);
            if let Some(now) = leader_of(&ends, game.facts().players) {
                changed += u32::from(leader.is_some_and(|before| before != now));
                leader = Some(now);
            }
        });
        changes.push(changed);
    }
    changes
}

/// The player whose mean payoff is above that of every other one by more than two standard errors
/// of the difference.
fn leader_of(ends: &[End], players: u8) -> Option<Player> {
    let scores: Vec<_> = ends
        .iter()
        .filter_map(|end| match end.ending {
            Ending::Over(scores) => Some(scores),
            Ending::Capped | Ending::Stuck => None,
        })
        .collect();
    let n = scores.len() as f64;
    let leads = |one: u8, other: u8| {
        let difference = |scores: &Scores| {
            f64::from(scores.get(Player(one))) - f64::from(scores.get(Player(other)))
        };
        let mean = scores.iter().map(difference).sum::<f64>() / n;
        let square = |scores| (difference(scores) - mean).powi(2);
        let variance = scores.iter().map(square).sum::<f64>() / (n - 1.0);
        mean > 2.0 * (variance / n).sqrt()
    };
    let all = 0..players;
    let is_ahead = |&one: &u8| all.clone().all(|other| other == one || leads(one, other));
    (scores.len() > 1).then(|| all.clone().find(is_ahead)).flatten().map(Player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use play::toy::Toy;

    const EFFORT: Effort = Effort { seed: 1, games: 400, plies: 100_000, cap: 50 };

    #[test]
    fn a_game_is_noted_ply_by_ply() {
        let game = Toy::parse("1(2(=100,0 =0,100 =50,50))").unwrap().boxed();
        let sampled = sample(&*game, &EFFORT);
        assert_eq!(sampled.games.len(), 400);
        assert!(sampled.twins.is_empty());
        for played in &sampled.games {
            assert_eq!((played.plies, played.choices, played.actions, played.most), (2, 1, 4, 3));
            assert!((played.log_actions - 3f64.log10()).abs() < 1e-9);
            assert_eq!((played.ended, played.scores.len()), (Ended::Over, 2));
        }
        // Two positions in which somebody moves, in each game.
        assert_eq!(sampled.seen, [(400, 2)]);
    }

    #[test]
    fn chance_draws_the_same_for_twins() {
        let luck = Toy::parse("1(*(=100,0 =0,100) *(=100,0 =0,100))").unwrap().boxed();
        let skill = Toy::parse("1(*(=100,0 =100,0) *(=0,100 =0,100))").unwrap().boxed();
        let same = |game: &dyn Game| {
            let twins = sample(game, &EFFORT).twins;
            assert_eq!(twins.len(), TWINS as usize);
            twins.iter().filter(|(one, other)| one == other).count()
        };
        assert_eq!(same(&*luck), TWINS as usize);
        let count = same(&*skill);
        assert!((40..90).contains(&count), "{count}");
    }

    #[test]
    fn the_budget_of_plies_ends_it() {
        let game = Toy::parse("1(2(=100,0 =0,100) 2(=0,100))").unwrap().boxed();
        let few = Effort { plies: 9, ..EFFORT };
        assert_eq!(sample(&*game, &few).games.len(), 5);
        let capped = sample(&*game, &Effort { cap: 1, ..EFFORT });
        assert!(capped.games.iter().all(|game| game.ended == Ended::Capped && game.plies == 1));
    }

    #[test]
    fn the_lead_changes_where_a_slip_loses_it() {
        // The first player leads until the second action, which nearly always gives the lead away.
        let game = Toy::parse("1(1(2(=0,100) =0,100))").unwrap().boxed();
        let changes = sample(&*game, &EFFORT).lead_changes;
        assert_eq!(changes, [0; LED]);
        let game = Toy::parse(
            "1(2(1(=0,100 =0,100) 1(=100,0 =100,0) 1(=100,0 =100,0) \
                               1(=100,0 =100,0)))",
        );
        let changes = sample(&*game.unwrap().boxed(), &EFFORT).lead_changes;
        assert_eq!(changes.len(), LED);
        assert!(changes.iter().all(|&changes| changes < 2));
        assert!(changes.contains(&1), "{changes:?}");
    }
}
