//! A game in progress between people and agents: what each role knows, and back again.

use agents::{Agent, Choice, Fault, Observation, ObservedPly};
use anyhow::{Result, bail};
use play::{Chance, Drawn, Game, Player, Position, Rng, Turn, settle};

use crate::seat::{Setting, guarded};
use crate::trial::{End, Faulty, Ply, Trial, budget_in_words, past_of};

/// A game in progress.
pub(super) struct Session<'g> {
    game: &'g dyn Game,
    seed: u64,
    /// The initial position and those after each ply, with what chance had drawn by then.
    states: Vec<State<'g>>,
    pub(super) plies: Vec<Ply>,
    start: Vec<Vec<String>>,
}

struct State<'g> {
    position: Box<dyn Position + 'g>,
    chance: Drawn,
}

impl<'g> Session<'g> {
    /// Begins a game.
    pub(super) fn new(game: &'g dyn Game, seed: u64) -> Result<Session<'g>> {
        let mut chance = Drawn::new(Rng::stream(seed, 0));
        let mut position = game.open(&mut chance);
        settled(&mut *position, &mut chance)?;
        let start = position.percepts().all_as_told(game.facts().perceiving());
        let states = vec![State { position, chance }];
        Ok(Session { game, seed, states, plies: Vec::new(), start })
    }

    pub(super) fn position(&self) -> &(dyn Position + 'g) {
        match self.states.last() {
            Some(state) => &*state.position,
            None => unreachable!("the initial position stays"),
        }
    }

    pub(super) fn turn(&self) -> Turn {
        self.position().turn()
    }

    /// The knowledge of a role about the game so far.
    pub(super) fn past(&self, player: Player) -> Vec<ObservedPly> {
        past_of(player, &self.start, &self.plies)
    }

    /// The choice of an agent for the role whose turn it is.
    pub(super) fn think(&self, agent: &mut dyn Agent, setting: &Setting) -> Result<Choice, Fault> {
        let Turn::Move(player) = self.turn() else {
            return Err(Fault("the game is over".to_owned()));
        };
        let legal = self.position().labels();
        let past = self.past(player);
        let hidden = self.game.facts().hidden;
        let known = self.plies.iter().filter(|_| !hidden);
        let moves: Vec<String> = known.map(|ply| ply.label.clone()).collect();
        let obs = Observation {
            game: self.game,
            player,
            legal: &legal,
            past: &past,
            position: (!hidden).then(|| self.position()),
            moves: &moves,
            seed: Observation::seed_of(self.seed, player),
        };
        guarded(agent, &obs, setting.budget)?.legal_in(&obs)
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
        self.plies.push(Ply { player: player.0, label, legal, percepts, simulations });
        self.states.push(State { position, chance });
        Ok(())
    }

    /// Takes plies back, the last one of a person and all after it; false if no person has moved.
    pub(super) fn undo(&mut self, person: impl Fn(u8) -> bool) -> bool {
        let Some(ply) = self.plies.iter().rposition(|ply| person(ply.player)) else {
            return false;
        };
        self.plies.truncate(ply);
        self.states.truncate(ply + 1);
        true
    }

    /// The game so far as a trial.
    pub(super) fn trial(
        &self,
        agents: Vec<String>,
        setting: &Setting,
        end: End,
        fault: Option<Faulty>,
    ) -> Trial {
        let scores = self.position().scores().filter(|_| end == End::Over);
        Trial {
            trial: 1,
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
