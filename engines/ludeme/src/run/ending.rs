//! End rules, results, ranks and scores.
//!
//! Ranks are kept doubled, since players who share places share the mean of their ranks.

use play::Scores;
use smallvec::{SmallVec, smallvec};

use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{EndRule, Float, Iter, ResultKind, Role, Verdict};
use crate::lower::Feature;
use crate::state::State;

/// Whole numbers up to which real numbers have all.
const MOST_PAID: u32 = 1 << f32::MANTISSA_DIGITS;

impl Game {
    /// Evaluates the end rules of the mover's phase and then the general ones.
    pub(crate) fn run_end_rules(&self, state: &mut State) {
        self.run_end_rules_from(state, None);
    }

    /// As [`Game::run_end_rules`], where the first rule that holds may be known, by its number
    /// among all of them; where none does, by how many there are.
    pub(crate) fn run_end_rules_from(&self, state: &mut State, holding: Option<usize>) {
        let mut losers = 0;
        let phase = usize::from(state.head.phase[usize::from(state.head.turns.mover)]);
        let own = &self.phases[phase].end;
        if state.head.active != 0 && !own.is_empty() {
            self.end_rules(state, own, holding, &mut losers);
        }
        if !state.head.over && !self.end.is_empty() {
            let holding = holding.and_then(|number| number.checked_sub(own.len()));
            self.end_rules(state, &self.end, holding, &mut losers);
        }
    }

    /// Ends the game with what each player gets. It does not, and says so, where a number is so
    /// large that it may be another one in 32-bit precision.
    pub(crate) fn pay(&self, state: &mut State, payoffs: &[i32]) -> bool {
        let payoffs = &payoffs[..self.world.players];
        let exact = payoffs.iter().all(|payoff| payoff.unsigned_abs() <= MOST_PAID);
        if exact {
            let mut scores = [0; play::MAX_PLAYERS];
            scores[..payoffs.len()].copy_from_slice(payoffs);
            rank_by(state, payoffs, |a, b| a > b, |a, b| a == b);
            state.set_payoffs(scores);
        }
        exact
    }

    /// The scores of a state that ends with a verdict, whatever its condition is.
    pub(crate) fn scores_by(&self, mut state: State, verdict: &Verdict) -> Scores {
        self.verdict(&mut state, verdict, -1, &mut 0);
        self.scores_of(&state)
    }

    fn end_rules(
        &self,
        state: &mut State,
        rules: &[EndRule],
        holding: Option<usize>,
        losers: &mut u8,
    ) {
        let before = holding.unwrap_or(0);
        // Every rule is looked at, also after one has ended the game.
        for (number, rule) in rules.iter().enumerate().skip(before) {
            if !self.changes_nothing(state, rule) {
                self.end_rule(state, rule, holding == Some(number), losers);
            }
        }
        if !state.head.over
            && !self.has(Feature::NoPassDraw)
            && state.head.passed
            && self.all_passed(state)
        {
            self.draw(state);
        }
    }

    /// True if a game is over, and stays as it is whether a rule holds or not.
    fn changes_nothing(&self, state: &State, rule: &EndRule) -> bool {
        let head = &state.head;
        let over = head.over && head.active == 0 && self.world.teams.is_none();
        let EndRule::If { inner, verdict: Some(Verdict::Result { who, kind }), .. } = rule else {
            return false;
        };
        let ranked = || head.ranks[1..=self.world.players].iter().all(|&rank| rank != 0);
        over && inner.is_empty()
            && match who {
                Role::All | Role::Each | Role::Shared => {
                    let again = self.world.players > 1 && head.winner == self.first(state);
                    *kind == ResultKind::Draw && again && ranked()
                }
                // Nobody has no result yet.
                _ => true,
            }
    }

    /// True if the rule, which may be known to hold, gave a result.
    fn end_rule(&self, state: &mut State, rule: &EndRule, known: bool, losers: &mut u8) -> bool {
        match rule {
            EndRule::If { condition, inner, verdict } => {
                if !known {
                    let mut eval = Eval::new(self, state);
                    let holds = eval.test(condition);
                    state.head.stalemated = eval.stalemated;
                    if !holds {
                        return false;
                    }
                }
                if inner.iter().any(|rule| self.end_rule(state, rule, false, losers)) {
                    return true;
                }
                match verdict {
                    // Scores do not stand in for inner rules that gave nothing.
                    Some(verdict)
                        if inner.is_empty() || matches!(verdict, Verdict::Result { .. }) =>
                    {
                        self.verdict(state, verdict, -1, losers);
                        true
                    }
                    _ => false,
                }
            }
            EndRule::ForEach { skip_mover, condition, verdict } => {
                let mut any = false;
                for player in 1..=self.world.players as u8 {
                    let mover = player == state.head.turns.mover;
                    if state.head.active >> player & 1 == 0 || (*skip_mover && mover) {
                        continue;
                    }
                    let mut eval = Eval::new(self, state);
                    eval.set(Iter::Player, i32::from(player));
                    let holds = eval.test(condition);
                    state.head.stalemated = eval.stalemated;
                    if holds {
                        self.verdict(state, verdict, i32::from(player), losers);
                        any = true;
                    }
                }
                any
            }
        }
    }

    fn verdict(&self, state: &mut State, verdict: &Verdict, player: i32, losers: &mut u8) {
        match verdict {
            Verdict::Result { who, kind } => self.result(state, *who, *kind, player, losers),
            Verdict::ByScore { scores, misere } => {
                for (who, value) in scores {
                    let mut eval = Eval::new(self, state);
                    eval.set(Iter::Player, player);
                    let (who, value) = (eval.int(who), eval.int(value));
                    if let Ok(player) = usize::try_from(who) {
                        state.set_score(player, value);
                    }
                }
                let players = 1..=self.world.players;
                let values: SmallVec<[f64; play::MAX_PLAYERS]> =
                    players.map(|p| f64::from(state.scores()[p])).collect();
                rank(state, &values, *misere);
            }
            Verdict::Payoffs(payoffs) => {
                let mut values: SmallVec<[f64; play::MAX_PLAYERS]> =
                    smallvec![0.0; self.world.players];
                for (who, value) in payoffs {
                    let mut eval = Eval::new(self, state);
                    eval.set(Iter::Player, player);
                    let who = eval.int(who);
                    let value = real(&mut eval, value);
                    let slot =
                        usize::try_from(who.wrapping_sub(1)).ok().and_then(|w| values.get_mut(w));
                    if let Some(slot) = slot {
                        *slot = f64::from(value);
                    }
                }
                rank(state, &values, false);
                let mut scores = [0; play::MAX_PLAYERS];
                for (score, value) in scores.iter_mut().zip(&values) {
                    *score = value.round() as i32;
                }
                state.set_payoffs(scores);
            }
        }
    }

    fn result(&self, state: &mut State, who: Role, kind: ResultKind, player: i32, losers: &mut u8) {
        let players = self.world.players as i32;
        let turns = state.head.turns;
        let (number, team) = match who {
            Role::Team(t) => (i32::from(t), true),
            Role::TeamMover => (self.team_number(state, turns.mover), true),
            Role::Player(p) => (i32::from(p), false),
            Role::Mover => (i32::from(turns.mover), false),
            Role::Next => (i32::from(turns.next), false),
            Role::Prev => (i32::from(turns.prev), false),
            Role::Iterated => (player, false),
            Role::All | Role::Each | Role::Shared => (players + 1, false),
            // Groups of players never match.
            _ => return,
        };
        let everybody = number == players + 1;
        let active = (1..=players).contains(&number) && state.head.active >> number & 1 != 0;
        if !everybody && !active {
            return;
        }
        match kind {
            ResultKind::Win if everybody => {
                for p in 1..=self.world.players {
                    if state.head.ranks[p] == 0 {
                        state.head.ranks[p] = 2;
                        state.head.winners += 1;
                    }
                }
                finish(state, 0);
            }
            ResultKind::Loss if everybody => {
                for p in 1..=self.world.players {
                    if state.head.ranks[p] == 0 {
                        state.head.ranks[p] = 2 * players as u8;
                    }
                }
                finish(state, 0);
            }
            ResultKind::Win if team && self.world.teams.is_some() => self.team_win(state, number),
            ResultKind::Loss | ResultKind::Draw if team && self.world.teams.is_some() => {}
            ResultKind::Win => self.win(state, number as u8),
            ResultKind::Loss => self.loss(state, number as u8, losers),
            ResultKind::Draw => self.draw(state),
            ResultKind::Tie => finish(state, players as i8 + 1),
            ResultKind::Abandon => finish(state, -1),
        }
    }

    fn team_number(&self, state: &State, player: u8) -> i32 {
        self.team(state, usize::from(player)) as i32
    }

    /// The first player of rank 1, or nobody.
    fn first(&self, state: &State) -> i8 {
        let first = (1..=self.world.players).find(|&p| state.head.ranks[p] == 2);
        first.map_or(0, |p| p as i8)
    }

    fn win(&self, state: &mut State, player: u8) {
        let head = &mut state.head;
        head.active &= !(1 << player);
        let rank = head.winners + 1;
        head.ranks[usize::from(player)] = 2 * rank;
        head.winners += 1;
        match head.active.count_ones() {
            0 => {}
            1 => {
                let last = head.active.trailing_zeros() as usize;
                head.ranks[last] = 2 * (rank + 1);
                head.losers += 1;
            }
            _ => return,
        }
        let first = self.first(state);
        finish(state, first);
    }

    fn loss(&self, state: &mut State, player: u8, earlier: &mut u8) {
        let players = self.world.players as u8;
        state.head.active &= !(1 << player);
        if state.head.turns.next == player && state.head.active != 0 {
            state.head.turns.next = self.following(state, player);
        }
        if players == 1 {
            finish(state, 0);
            return;
        }
        // Players who lose at the same time share the mean of their ranks.
        let head = &mut state.head;
        let base = 2 * (players - head.losers);
        let previous = base + 2 + *earlier - 1;
        let rank = previous - 1;
        for r in &mut head.ranks {
            if *r == previous && *earlier > 0 {
                *r = rank;
            }
        }
        head.ranks[usize::from(player)] = rank;
        head.losers += 1;
        *earlier += 1;
        match head.active.count_ones() {
            0 => {
                let first = self.first(state);
                finish(state, first);
            }
            1 => {
                let last = head.active.trailing_zeros() as usize;
                head.ranks[last] = 2 * (head.winners + 1);
                head.winners += 1;
                let best = (1..=usize::from(players)).map(|p| head.ranks[p]).min().unwrap_or(0);
                let winner = (1..=usize::from(players)).find(|&p| head.ranks[p] == best);
                finish(state, winner.map_or(0, |p| p as i8));
            }
            _ => {}
        }
    }

    /// Everybody without a result shares what is left.
    pub(super) fn draw(&self, state: &mut State) {
        let head = &mut state.head;
        if self.world.players > 1 {
            let rank = head.active.count_ones() as u8 + 1 + 2 * head.winners;
            for p in 1..=self.world.players {
                if head.ranks[p] == 0 {
                    head.ranks[p] = rank;
                }
            }
        }
        let winner = if self.world.players > 1 { self.first(state) } else { 0 };
        finish(state, winner);
    }

    fn team_win(&self, state: &mut State, team: i32) {
        let players = 1..=self.world.players as u8;
        let teams: SmallVec<[i32; play::MAX_PLAYERS]> =
            players.clone().map(|p| self.team_number(state, p)).collect();
        let of = |p: u8| teams[usize::from(p) - 1];
        let rank = (1..=self.world.players as u8)
            .find(|r| !state.head.ranks.contains(&(2 * r)))
            .unwrap_or(1);
        let mut size = 0;
        for p in players.clone().filter(|&p| of(p) == team) {
            state.head.active &= !(1 << p);
            state.head.ranks[usize::from(p)] = 2 * rank;
            state.head.winners += 1;
            size += 1;
        }
        let mut left: SmallVec<[i32; play::MAX_PLAYERS]> =
            players.clone().filter(|p| state.head.active >> p & 1 != 0).map(of).collect();
        left.dedup();
        left.sort_unstable();
        left.dedup();
        match left[..] {
            [] => {}
            [last] => {
                for p in players.filter(|&p| of(p) == last) {
                    if state.head.active >> p & 1 != 0 {
                        state.head.ranks[usize::from(p)] = 2 * (rank + size);
                    }
                }
                // The losers stay active: the game is over all the same.
                let first = self.first(state);
                state.head.over = true;
                state.head.winner = first;
                return;
            }
            _ => return,
        }
        let first = self.first(state);
        finish(state, first);
    }

    /// Scores of a game that is over: 100 for the first, 0 for the last, in proportion between.
    pub(crate) fn scores_of(&self, state: &State) -> Scores {
        let players = self.world.players;
        if let Some(payoffs) = state.payoffs() {
            return Scores::new(payoffs[..players].iter().copied());
        }
        if players == 1 {
            return Scores::single(if state.head.ranks[1] == 2 { 100 } else { 0 });
        }
        let span = 2 * (players as i32 - 1);
        // Without a rank a player stands in the middle.
        let middle = players as i32 + 1;
        Scores::new((1..=players).map(|seat| {
            // The result of a seat is that of the colour that is played from it.
            let seats = &state.head.record.seats;
            let p = (1..=players).find(|&p| usize::from(seats[p]) == seat).unwrap_or(seat);
            let rank = i32::from(state.head.ranks[p]);
            let rank = if rank == 0 { middle } else { rank };
            let score = (100 * (span - (rank - 2)) + span / 2) / span;
            score.clamp(0, 100)
        }))
    }
}

/// The value of a real number, in 32-bit precision.
fn real(eval: &mut Eval<'_>, float: &Float) -> f32 {
    float.value(&mut |int| Some(eval.int(int))).unwrap_or_default()
}

/// Ends the game with a winner, or with 0 for nobody.
fn finish(state: &mut State, winner: i8) {
    state.head.active = 0;
    state.head.over = true;
    state.head.winner = winner;
}

/// Ranks all players by numbers, the highest first, or the lowest if `misere`.
fn rank(state: &mut State, values: &[f64], misere: bool) {
    let better = |a: f64, b: f64| if misere { a < b } else { a > b };
    rank_by(state, values, better, |a, b| a.total_cmp(&b).is_eq());
}

/// Ranks all players by which numbers are better than others, and which are equal.
fn rank_by<N: Copy>(
    state: &mut State,
    values: &[N],
    better: impl Fn(N, N) -> bool,
    equals: impl Fn(N, N) -> bool,
) {
    for (i, &value) in values.iter().enumerate() {
        let ahead = values.iter().filter(|&&v| better(v, value)).count() as u8;
        let equal = values.iter().filter(|&&v| equals(v, value)).count() as u8;
        state.head.ranks[i + 1] = 2 * (ahead + 1) + equal - 1;
    }
    let last_first = (1..=values.len()).rev().find(|&p| state.head.ranks[p] == 2);
    finish(state, last_first.map_or(0, |p| p as i8));
}
