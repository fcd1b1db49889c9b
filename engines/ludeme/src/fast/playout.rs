//! The loop of a fast playout.

use play::{End, Ending, Job, Rng, Scores, Tally};

use super::choices::{Choice, Counted, on_site};
use super::conditions::Cond;
use super::lift::Maker;
use super::links::Forest;
use super::{Cx, Plan, TurnPlan, View};
use crate::eval::{Action, Door};
use crate::game::Game;
use crate::ir::{EndRule, Phase, ResultKind, Role, Verdict};
use crate::state::State;

/// An end rule as a test.
pub(super) struct EndTest<const W: usize> {
    pub(super) condition: Cond<W>,
    /// The scores, where nothing that follows could change them; else the plain rules decide.
    pub(super) scores: Option<Scores>,
}

/// The end rules of a phase and the general ones, as tests for one mover.
pub(super) fn end_tests<const W: usize>(maker: &Maker<'_, W>, phase: &Phase) -> Box<[EndTest<W>]> {
    let rules: Vec<&EndRule> = phase.end.iter().chain(&maker.game.end).collect();
    // Results of players who are out are skipped, but scores and results for all would still count.
    let last_word = |rule: &&EndRule| match rule {
        EndRule::If { inner, verdict, .. } => {
            let harmless = match verdict {
                None => true,
                Some(Verdict::Result { who, .. }) => {
                    !matches!(who, Role::All | Role::Each | Role::Shared)
                }
                Some(_) => false,
            };
            inner.is_empty() && harmless
        }
        EndRule::ForEach { verdict, .. } => matches!(verdict, Verdict::Result { .. }),
    };
    let tests = rules.iter().enumerate().map(|(i, rule)| match rule {
        EndRule::If { condition, inner, verdict } => {
            let settled = inner.is_empty() && rules[i + 1..].iter().all(last_word);
            let scores = match verdict {
                Some(Verdict::Result { who, kind }) if settled => known_scores(maker, *who, *kind),
                _ => None,
            };
            EndTest { condition: maker.condition(condition), scores }
        }
        // Left to the plain rules every time.
        EndRule::ForEach { .. } => EndTest { condition: Cond::Const(true), scores: None },
    });
    tests.collect()
}

/// The scores that a result gives in a game for one or two where nobody has a result yet.
fn known_scores<const W: usize>(
    maker: &Maker<'_, W>,
    who: Role,
    kind: ResultKind,
) -> Option<Scores> {
    let world = &maker.game.world;
    if world.teams.is_some() {
        return None;
    }
    let player = match who {
        Role::Mover => maker.mover,
        Role::Player(p) => p,
        _ => return None,
    };
    let of_two = |winner: u8| Scores::win(play::Player(winner - 1));
    match (world.players, player, kind) {
        (1, 1, ResultKind::Win) => Some(Scores::single(100)),
        (1, 1, ResultKind::Loss | ResultKind::Draw) => Some(Scores::single(0)),
        (2, 1..=2, ResultKind::Win) => Some(of_two(player)),
        (2, 1..=2, ResultKind::Loss) => Some(of_two(3 - player)),
        (2, 1..=2, ResultKind::Draw) => Some(Scores::DRAW),
        _ => None,
    }
}

/// Scores by seat of two players who have changed sides.
pub(super) fn of_other_seats(scores: Scores) -> Scores {
    Scores::two(scores.get(play::Player(1)), scores.get(play::Player(0)))
}

/// What follows a move.
pub(super) enum Outcome {
    Goes,
    Over(Scores),
}

impl<const W: usize> Plan<W> {
    /// Plays a job.
    pub(crate) fn run(&self, game: &Game<W>, job: &Job) -> Tally {
        if let Some(fill) = &self.fill {
            return fill.run(game, self, job);
        }
        let mut tally = Tally::default();
        let forest = Forest::new(game.world.sites());
        let mut counted = Counted::default();
        let mut state = game.initial.clone();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            game.restart(&mut state, Some(&Door::new(&mut rng)));
            let end = self.playout(game, &mut state, &forest, &mut counted, &mut rng, job.cap, 0);
            tally.record(id, end);
        }
        tally
    }

    /// Plays on from a state after so many plies.
    #[allow(clippy::too_many_arguments)] // each is memory of its own
    pub(super) fn playout<'p>(
        &'p self,
        game: &'p Game<W>,
        state: &mut State,
        forest: &Forest,
        counted: &mut Counted<'p, W>,
        rng: &mut Rng,
        cap: u32,
        mut plies: u32,
    ) -> End {
        counted.ahead = None;
        let mut passes = 0;
        loop {
            let head = &mut state.head;
            let mover = head.turns.mover;
            head.stalemated &= !(1 << mover);
            let phase = head.phase[usize::from(mover)];
            let turn = self.turn(phase, mover);
            if game.swap && game.swap_partner(state).is_some() {
                // There is one such ply in a playout.
                if plies == cap {
                    return End { plies, ending: Ending::Capped };
                }
                plies += 1;
                passes = 0;
                let action = counted.draw_listed(rng, |all| {
                    game.legal(state, all);
                });
                if let Outcome::Over(scores) = self.ply(game, state, forest, counted, turn, action)
                {
                    return End { plies, ending: Ending::Over(scores) };
                }
                continue;
            }
            let cx = self.at(game, state, forest);
            let (total, sites) = match &turn.choice {
                Choice::Sites { sites, .. } => {
                    let sites = sites.eval(&cx);
                    (sites.len(), sites)
                }
                choice => {
                    if counted.ahead.take() != Some((phase, mover)) {
                        counted.clear();
                        choice.count(&cx, counted);
                    }
                    if counted.may_clash(&self.clashes) {
                        counted.list(|all| {
                            game.legal(state, all);
                        });
                    }
                    (counted.total(), crate::set::Set::EMPTY)
                }
            };
            let of_sites = matches!(turn.choice, Choice::Sites { .. });
            // Moves that have to be tried are drawn before it is clear that there are any.
            let tested = counted.tested && !of_sites && total > 0;
            let tried =
                if tested { counted.draw(&self.at(game, state, forest), rng) } else { None };
            let total = if tested && tried.is_none() { 0 } else { total };
            if total == 0 {
                passes += 1;
                if passes > play::MAX_FORCED_PASSES {
                    return End { plies, ending: Ending::Capped };
                }
                game.play(state, Action::PASS);
                if state.head.over {
                    return End { plies, ending: Ending::Over(game.scores_of(state)) };
                }
                continue;
            }
            // A pass that the rules offer, and nothing else: forced as well.
            let pass = match tried {
                Some(action) if game.is_pass(action) => {
                    let all = counted.all_allowed(&self.at(game, state, forest));
                    (all.len() == 1).then_some(action)
                }
                None if total == 1 && !of_sites => {
                    Some(counted.take(0)).filter(|&action| game.is_pass(action))
                }
                _ => None,
            };
            if let Some(pass) = pass {
                passes += 1;
                if passes > play::MAX_FORCED_PASSES {
                    return End { plies, ending: Ending::Capped };
                }
                game.play(state, pass);
                if state.head.over {
                    return End { plies, ending: Ending::Over(game.scores_of(state)) };
                }
                continue;
            }
            if plies == cap {
                return End { plies, ending: Ending::Capped };
            }
            plies += 1;
            passes = 0;
            let action = match (&turn.choice, tried) {
                (_, Some(action)) => action,
                (Choice::Sites { leaf, piece, .. }, None) => {
                    on_site(*leaf, *piece, sites.nth(rng.below(total)))
                }
                (_, None) => counted.take(rng.below(total)),
            };
            if let Outcome::Over(scores) = self.ply(game, state, forest, counted, turn, action) {
                return End { plies, ending: Ending::Over(scores) };
            }
        }
    }

    #[inline(always)]
    pub(super) fn at<'a>(
        &'a self,
        game: &'a Game<W>,
        state: &'a State,
        forest: &'a Forest,
    ) -> Cx<'a, W> {
        let turns = state.head.turns;
        let view = View {
            mover: turns.mover,
            next: turns.next,
            prev: turns.prev,
            ahead: false,
            from: u16::MAX,
        };
        Cx { game, plan: self, state, forest, view }
    }

    /// Whether the next player has no moves. Where they will be the same when his turn begins, they
    /// are counted for it.
    #[inline]
    fn next_is_stuck<'p>(&'p self, cx: &Cx<'_, W>, counted: &mut Counted<'p, W>) -> bool {
        let (phase, next) = cx.next_turn();
        let mover = next.view.mover;
        let turn = self.turn(phase, mover);
        if !turn.ahead {
            return !turn.choice.any(&next);
        }
        counted.clear();
        turn.choice.count(&next, counted);
        counted.ahead = Some((phase, mover));
        !counted.any_allowed(&next)
    }

    /// Makes a move and does what follows.
    #[inline]
    pub(super) fn ply<'p>(
        &'p self,
        game: &'p Game<W>,
        state: &mut State,
        forest: &Forest,
        counted: &mut Counted<'p, W>,
        turn: &TurnPlan<W>,
        action: Action,
    ) -> Outcome {
        let mover = state.head.turns.mover;
        let deeds = self.deeds.get(usize::from(mover));
        let deed = match deeds.and_then(|deeds| deeds.get(usize::from(action.leaf))) {
            Some(deed) if !self.plain_ends && !deed.passes => deed,
            _ => {
                game.play(state, action);
                return outcome(game, state);
            }
        };
        game.begin_move(state, false);
        self.make(game, state, forest, deed, action);
        if let Some(links) = &self.links {
            let own = state.owned(usize::from(mover));
            let site = action.to as usize;
            if own.contains(site) {
                links.add(forest, site, usize::from(mover), &own);
            }
        }
        let cx = self.at(game, state, forest);
        for test in &turn.ends {
            let holds = match &test.condition {
                Cond::NextStuck => self.next_is_stuck(&cx, counted),
                condition => condition.holds(&cx),
            };
            if holds {
                if let Some(scores) = test.scores {
                    let changed = game.swap && state.head.record.seats[1] != 1;
                    return Outcome::Over(if changed { of_other_seats(scores) } else { scores });
                }
                game.run_end_rules(state);
                if state.head.over {
                    return Outcome::Over(game.scores_of(state));
                }
                break;
            }
        }
        game.after_end_rules(state);
        outcome(game, state)
    }
}

#[inline]
fn outcome<const W: usize>(game: &Game<W>, state: &State) -> Outcome {
    if state.head.over { Outcome::Over(game.scores_of(state)) } else { Outcome::Goes }
}
