//! A game in progress: its positions, what each role knows, its clock, and back again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agents::{Agent, Choice, Fault, Observation, ObservedPly};
use anyhow::{Result, bail};
use play::{Chance, Drawn, Game, Player, Position, Rng, Turn, settle};

use crate::seat::{Setting, guarded};
use crate::trial::{End, Faulty, Ply, Trial, budget_in_words, past_of};

/// A game in progress.
pub(super) struct Session {
    game: Arc<dyn Game>,
    seed: u64,
    /// The initial position and those after each ply.
    states: Vec<State>,
    pub(super) plies: Vec<Ply>,
    start: Vec<Vec<String>>,
    /// The time at which the present ply began.
    since: Instant,
    /// The time that the present ply took, if it is chosen and waits to be played.
    chosen_after: Option<Duration>,
}

struct State {
    position: Box<dyn Position>,
    /// The draws of chance by then.
    chance: Drawn,
    /// The time that the ply before took.
    spent: Duration,
}

/// A position as an agent is asked about it, apart from the game, which may go on meanwhile.
pub(super) struct Question {
    game: Arc<dyn Game>,
    pub(super) player: Player,
    pub(super) legal: Vec<String>,
    past: Vec<ObservedPly>,
    position: Option<Box<dyn Position>>,
    moves: Vec<String>,
    seed: u64,
}

impl Question {
    /// The choice of an agent.
    pub(super) fn put_to(&self, agent: &mut dyn Agent, setting: &Setting) -> Result<Choice, Fault> {
        let obs = Observation {
            game: &*self.game,
            player: self.player,
            legal: &self.legal,
            past: &self.past,
            position: self.position.as_deref().map(|position| position as &dyn Position),
            moves: &self.moves,
            seed: self.seed,
        };
        guarded(agent, &obs, setting.budget)?.legal_in(&obs)
    }
}

impl Session {
    /// Begins a game.
    pub(super) fn new(game: &Arc<dyn Game>, seed: u64) -> Result<Session> {
        let mut chance = Drawn::new(Rng::stream(seed, 0));
        let mut position = game.open(&mut chance);
        settled(&mut *position, &mut chance)?;
        let start = position.percepts().all_as_told(game.facts().perceiving());
        let states = vec![State { position, chance, spent: Duration::ZERO }];
        let (game, since) = (Arc::clone(game), Instant::now());
        Ok(Session { game, seed, states, plies: Vec::new(), start, since, chosen_after: None })
    }

    pub(super) fn position(&self) -> &(dyn Position + 'static) {
        match self.states.last() {
            Some(state) => &*state.position,
            None => unreachable!("the initial position stays"),
        }
    }

    pub(super) fn turn(&self) -> Turn {
        self.position().turn()
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The knowledge of a role about the game so far.
    pub(super) fn past(&self, player: u8) -> Vec<ObservedPly> {
        past_of(Player(player), &self.start, &self.plies)
    }

    /// The percepts of all roles at the start.
    pub(super) fn start(&self) -> &[Vec<String>] {
        &self.start
    }

    /// The time that a role has used, that of the present ply with it.
    pub(super) fn used(&self, player: u8) -> Duration {
        let plies = self.plies.iter().zip(self.states.iter().skip(1));
        let own = plies.filter(|(ply, _)| ply.player == player).map(|(_, state)| state.spent);
        let now = matches!(self.turn(), Turn::Move(whose) if whose.0 == player);
        own.sum::<Duration>() + if now { self.present() } else { Duration::ZERO }
    }

    /// The time that the present ply has taken.
    fn present(&self) -> Duration {
        self.chosen_after.unwrap_or_else(|| self.since.elapsed())
    }

    /// Stops the clock: the present ply is chosen, and waits to be played.
    pub(super) fn stop_clock(&mut self) {
        self.chosen_after = Some(self.present());
    }

    /// True if the clock of the present ply runs.
    pub(super) fn clock_runs(&self) -> bool {
        self.chosen_after.is_none()
    }

    fn start_clock(&mut self) {
        (self.since, self.chosen_after) = (Instant::now(), None);
    }

    /// The question to an agent in the role whose turn it is; `None` if the game is over.
    pub(super) fn question(&self) -> Option<Question> {
        let Turn::Move(player) = self.turn() else { return None };
        let hidden = self.game.facts().hidden;
        let known = self.plies.iter().filter(|_| !hidden);
        Some(Question {
            game: Arc::clone(&self.game),
            player,
            legal: self.position().labels(),
            past: self.past(player.0),
            position: (!hidden).then(|| self.position().copy()),
            moves: known.map(|ply| ply.label.clone()).collect(),
            seed: Observation::seed_of(self.seed, player),
        })
    }

    /// Plays an action of the position.
    pub(super) fn play(&mut self, action: usize, simulations: u64) -> Result<()> {
        let (Turn::Move(player), Some(state)) = (self.turn(), self.states.last()) else {
            bail!("the game is over");
        };
        let label = state.position.label(action);
        let facts = self.game.facts();
        let legal =
            (facts.chance && !facts.hidden).then(|| agents::digest(&state.position.labels()));
        let (mut position, mut chance) = (state.position.copy(), state.chance.clone());
        position.play(action, &mut chance)?;
        settled(&mut *position, &mut chance)?;
        let percepts = position.percepts().all_as_told(facts.perceiving());
        let spent = self.present();
        self.plies.push(Ply { player: player.0, label, legal, percepts, simulations });
        self.states.push(State { position, chance, spent });
        self.start_clock();
        Ok(())
    }

    /// Takes plies back, the last one of a person and all after it, with the time that they took;
    /// false if no person has moved.
    pub(super) fn undo(&mut self, person: impl Fn(u8) -> bool) -> bool {
        let Some(ply) = self.plies.iter().rposition(|ply| person(ply.player)) else {
            return false;
        };
        self.plies.truncate(ply);
        self.states.truncate(ply + 1);
        self.start_clock();
        true
    }

    /// The game so far as the trial of a number.
    pub(super) fn trial(
        &self,
        trial: u64,
        agents: Vec<String>,
        setting: &Setting,
        end: End,
        fault: Option<Faulty>,
    ) -> Trial {
        let scores = self.position().scores().filter(|_| end == End::Over);
        Trial {
            trial,
            seed: self.seed,
            agents,
            budget: budget_in_words(setting.budget),
            chance: self.states.last().map(|s| s.chance.outcomes.clone()).unwrap_or_default(),
            start: self.start.clone(),
            plies: self.plies.clone(),
            end,
            scores: scores.map(|scores| scores.iter().collect()),
            fault,
            search_ns: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// The percepts of a role in the last so many plies (and at the start, if these are all).
    pub(super) fn perceived(&self, player: u8, since: usize) -> Vec<&str> {
        let start = if since == 0 { Some(&self.start) } else { None };
        let from = since.saturating_sub(1);
        let later = self.plies.iter().skip(from).map(|ply| &ply.percepts);
        start
            .into_iter()
            .chain(later)
            .filter_map(|percepts| percepts.get(usize::from(player)))
            .flatten()
            .map(String::as_str)
            .collect()
    }
}

fn settled(position: &mut dyn Position, chance: &mut dyn Chance) -> Result<()> {
    if !settle(position, chance) {
        bail!("the players pass for ever; the rules of this game do not end it");
    }
    Ok(())
}
