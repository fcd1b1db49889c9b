//! The prover behind the faces that engines show.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, OnceLock, PoisonError};

use play::automaton::Automaton;
use play::lazy_automaton::{LazyAutomaton, Snapshot};
use play::picture::Picture;
use play::{
    Bounds, BuildFact, Chance, CompileError, Encoding, Facts, Job, Limits, MAX_PLAYERS, Mechanics,
    Method, Percepts, Player, PlayoutMode, Promise, Rng, Scores, Strategy, Tally, Turn, reference,
};
use text::{Diagnostic, Source};

use super::actions::Action;
use super::encoding::Numbers;
use super::game::Prover;
use super::state::State;
use crate::draw::Reach;
use crate::front::goal_value;
use crate::program::{Program, RelId};
use crate::record::Steps;
use crate::terms::{TermId, Terms};

/// Machine steps by which the table may be found: a fraction of a second.
const WORK: u64 = 20_000_000;

/// Share of the compilation's steps by which it is found out whether there are few positions.
const EXPLORING: u64 = 4;

/// Share of the memory that positions met before may take.
const KEPT_SHARE: u64 = 16;

/// A rulesheet compiled by the prover. Besides playing through [`Mechanics`], it says what the
/// rules say in their own words: roles, actions and facts as KIF text, goals as they stand.
pub struct ProverGame {
    prover: Prover,
    facts: Facts,
    /// Places of the roles that are players.
    players: Vec<usize>,
    /// All positions, where there are few.
    automaton: Option<Automaton>,
    /// Positions met before, for each job that runs at the same time. Jobs of games that cannot
    /// keep their first position keep none.
    lazy: Mutex<Vec<LazyAutomaton>>,
    /// The terms that can stand in facts, once a position is drawn: every look at a position draws
    /// it.
    reach: OnceLock<Reach>,
    /// Once somebody asks; `None` where there are none.
    numbers: OnceLock<Option<Numbers>>,
    /// True if labels are [full](crate::full_label).
    pub(crate) says_all: bool,
}

impl ProverGame {
    /// Its encoding in numbers.
    fn numbers(&self) -> Option<&Numbers> {
        self.numbers.get_or_init(|| Numbers::new(self.program(), self.says_all)).as_ref()
    }

    /// True if a role is nature.
    pub(crate) fn is_nature(&self, role: usize) -> bool {
        self.program().roles.get(role).is_some_and(|&role| self.program().is_nature(role))
    }

    /// True if an action of a role, if it is its only one, is no ply.
    pub(crate) fn is_forced_pass(&self, state: &ProverState, role: usize, action: Action) -> bool {
        self.prover.is_pass(&state.0, role, action)
    }

    /// The labels of all legal actions of a role.
    pub(crate) fn labels_of(&self, state: &ProverState, legal: &[Action]) -> Vec<String> {
        let mut terms = Terms::default();
        let actions: Vec<TermId> =
            legal.iter().map(|&a| self.prover.action_term(&state.0, a, &mut terms)).collect();
        let symbols = &self.program().symbols;
        if !self.says_all {
            return crate::labels(symbols, &terms, &actions);
        }
        let full = |&action: &TermId| {
            crate::full_label(&terms.show(symbols, action), &terms.label(symbols, action))
        };
        actions.iter().map(full).collect()
    }

    /// Checks and compiles a sheet; with the warnings of the checks.
    pub fn new(
        source: &Source,
        limits: &Limits,
    ) -> Result<(ProverGame, Vec<Diagnostic>), CompileError> {
        let (program, mut warnings) = crate::check(source).accepted()?;
        let game = ProverGame::compile(program, limits)?;
        warnings.extend(game.remarks());
        Ok((game, warnings))
    }

    /// Compiles a checked program.
    pub fn compile(program: Program, limits: &Limits) -> Result<ProverGame, CompileError> {
        let roles = program.roles.iter().enumerate();
        let players: Vec<usize> =
            roles.filter(|&(_, &role)| !program.is_nature(role)).map(|(i, _)| i).collect();
        let role = program.relation(RelId::ROLE).first;
        if players.is_empty() || players.len() > MAX_PLAYERS {
            let message = format!("{} players cannot be played", players.len());
            let diagnostic = Diagnostic::error("players", role, message)
                .label(format!("expected 1 to {MAX_PLAYERS} roles besides `random`"));
            return Err(CompileError::Unsupported(vec![diagnostic]));
        }
        let hidden = program.is_hidden();
        let chance = players.len() < program.roles.len();
        let mut prover = Prover::new(program, limits)?;
        prover.compiling = Some(AtomicU64::new(limits.work / EXPLORING));
        let facts = Facts {
            players: players.len() as u8,
            chance,
            simultaneous: prover.met.simultaneous,
            hidden,
            state_bytes: prover.state_bytes(),
            fast: PlayoutMode { method: Method::Listed, promise: Promise::SamePlayouts },
            build: prover.statistics(),
            ..Facts::default()
        };
        let mut game = ProverGame {
            prover,
            facts,
            players,
            automaton: None,
            lazy: Mutex::default(),
            reach: OnceLock::new(),
            numbers: OnceLock::new(),
            says_all: false,
        };
        game.automaton = game.explore();
        if let Some(automaton) = &game.automaton {
            game.facts.build.push((BuildFact::TabledPositions, automaton.positions() as u64));
        }
        if game.automaton.is_some() || game.start_automaton().is_some() {
            game.facts.fast.method = Method::Tabled;
        }
        game.prover.compiling = None;
        Ok(game)
    }

    /// Reports of what a few random playouts at compile time met with and the rules should not
    /// allow. Such games are played all the same: a state in which some role has no action ends the
    /// playout without a score, and of several goal values the highest counts, of none 0.
    fn remarks(&self) -> Vec<Diagnostic> {
        let program = self.program();
        let mut all = Vec::new();
        if let Some(role) = self.prover.met.stuck {
            let name = program.symbols.name(role);
            let message = format!("`{name}` has no legal action in some state that is not over");
            all.push(
                Diagnostic::warning(
                    "no-legal-action",
                    program.relation(RelId::LEGAL).first,
                    message,
                )
                .label("met in a random playout")
                .help("every role needs an action in every state, such as `noop`"),
            );
        }
        if let Some(role) = self.prover.met.undefined_goal {
            let name = program.symbols.name(role);
            let message =
                format!("`{name}` has no goal value, or several, in some state that is over");
            all.push(
                Diagnostic::warning("undefined-goal", program.relation(RelId::GOAL).first, message)
                    .label("met in a random playout")
                    .help("of several the highest counts, of none 0"),
            );
        }
        all
    }

    /// The checked rules.
    pub fn program(&self) -> &Program {
        &self.prover.program
    }

    /// The initial state. Nature has not chosen yet, where it chooses first.
    pub fn start(&self) -> ProverState {
        ProverState(self.prover.start())
    }

    /// True if the game is over. False too where the rules leave that undefined.
    pub fn is_terminal(&self, state: &mut ProverState) -> bool {
        self.prover.is_terminal(&mut state.0)
    }

    /// The distinct legal actions of a role, nature included, by its place in
    /// [`Program::roles`]; none if the game is over, or if some role has none.
    pub fn legal(&self, state: &mut ProverState, role: usize) -> Vec<Action> {
        self.prover.legal(&mut state.0, role)
    }

    /// The next role chooses; the choice of the last fires the transition.
    pub fn choose(&self, state: &mut ProverState, action: Action) {
        self.prover.choose(&mut state.0, action);
    }

    /// The distinct goal values of a role that hold, as written; in a state that is over.
    pub fn goals(&self, state: &mut ProverState, role: usize) -> Vec<&str> {
        let values = self.prover.goals_of(&mut state.0, role);
        values.into_iter().map(|symbol| self.program().symbols.name(symbol)).collect()
    }

    /// An action as KIF text in lower case: `(mark 1 1)`.
    pub fn action_text(&self, state: &ProverState, action: Action) -> String {
        let mut terms = Terms::default();
        let term = self.prover.action_term(&state.0, action, &mut terms);
        terms.show(&self.program().symbols, term)
    }

    /// The facts that are true as KIF text in lower case, sorted.
    pub fn facts_text(&self, state: &ProverState) -> Vec<String> {
        let mut terms = Terms::default();
        let facts = self.prover.true_facts(&state.0, &mut terms);
        let symbols = &self.program().symbols;
        let mut texts: Vec<String> = facts.into_iter().map(|f| terms.show(symbols, f)).collect();
        texts.sort_unstable();
        texts
    }

    /// The score of a role: its goal value, the highest where there are several, 0 where there is
    /// none.
    fn score(&self, state: &State, role: usize) -> i32 {
        let values = self.prover.goal_values(state, role).into_iter();
        let values = values.filter_map(|v| goal_value(self.program().symbols.name(v)));
        values.max().unwrap_or(0)
    }

    fn expand_state(&self, state: &mut State, legal: &mut Vec<Action>) -> Turn {
        if self.prover.is_terminal(state) {
            self.prover.goals(state);
            return Turn::Over;
        }
        let role = Prover::chosen(state);
        legal.extend_from_slice(self.prover.actions(state, role));
        let player = self.players.iter().position(|&p| p == role).unwrap_or(0);
        Turn::Move(Player(player as u8))
    }

    /// A part of the game's automaton, where one can be kept; lent to a job and given back.
    fn borrow_automaton(&self) -> Option<LazyAutomaton> {
        if self.facts.fast.method != Method::Tabled {
            return None;
        }
        let lent = self.lazy.lock().unwrap_or_else(PoisonError::into_inner).pop();
        lent.or_else(|| self.start_automaton())
    }

    /// The part of the automaton that is known before the first playout; `None` where positions
    /// cannot be kept.
    fn start_automaton(&self) -> Option<LazyAutomaton> {
        let choosers = if self.facts.simultaneous { self.players.len() as u32 } else { 1 };
        let numbered = self.prover.is_numbered();
        numbered
            .then(|| LazyAutomaton::new(self, self.prover.bytes / KEPT_SHARE, choosers))
            .flatten()
    }

    /// The automaton as a whole, where it is found to be small.
    fn explore(&self) -> Option<Automaton> {
        // A budget that runs out looks the same, and may suffice on other ways.
        Automaton::explore(self).filter(|automaton| !automaton.may_be_stuck())
    }

    fn role(&self, state: &State) -> usize {
        Prover::chosen(state).min(self.program().roles.len() - 1)
    }
}

impl Steps for ProverGame {
    type State = ProverState;
    type Action = Action;

    fn roles(&self) -> usize {
        self.program().roles.len()
    }

    fn start(&self) -> ProverState {
        self.start()
    }

    fn is_terminal(&self, state: &mut ProverState) -> bool {
        self.is_terminal(state)
    }

    fn legal(&self, state: &mut ProverState, role: usize) -> Vec<(Action, String)> {
        let legal = self.legal(state, role);
        legal.into_iter().map(|action| (action, self.action_text(state, action))).collect()
    }

    fn choose(&self, state: &mut ProverState, action: Action) {
        self.choose(state, action);
    }

    fn choose_perceived(
        &self,
        state: &mut ProverState,
        action: Action,
    ) -> Option<Vec<Vec<String>>> {
        let fires = Prover::chosen(&state.0) + 1 == self.roles();
        let mut percepts = vec![BTreeSet::new(); self.roles()];
        let mut tell = |role: usize, what: String| {
            percepts[role].insert(what);
        };
        self.prover.choose_perceived(&mut state.0, action, Some(&mut tell));
        let all = percepts.into_iter().map(|own| own.into_iter().collect()).collect();
        (fires && self.facts.hidden).then_some(all)
    }

    fn facts(&self, state: &ProverState) -> Option<Vec<String>> {
        Some(self.facts_text(state))
    }

    fn goals(&self, state: &mut ProverState, role: usize) -> Vec<String> {
        self.goals(state, role).into_iter().map(str::to_owned).collect()
    }
}

/// A state of a [`ProverGame`].
#[derive(Clone, Debug)]
pub struct ProverState(State);

impl Mechanics for ProverGame {
    type State = ProverState;
    type Action = Action;

    /// The facts that a choice needs are worked out as moves are listed.
    const APPLIES_AFTER_EXPAND: bool = true;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn strategies(&self) -> Vec<Strategy> {
        let build = &self.prover.build;
        let kept = build.kept.iter().filter(|kept| **kept).count();
        let (all, asked) = (build.stages.len(), self.prover.lazy.len());
        let way = format!(
            "keeping {kept} of {all} groups of relations from state to state, {asked} for the keys \
             that are asked for, the others as a whole in every state"
        );
        let steps = |part| Strategy::quickest(part, way.clone());
        let playouts = match &self.automaton {
            Some(_) => Strategy::quickest("playouts", "a table of all positions"),
            None => steps("playouts"),
        };
        vec![playouts, steps("positions")]
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> ProverState {
        let mut state = self.prover.start();
        self.prover.choose_nature(&mut state, chance, None);
        ProverState(state)
    }

    fn restart<C: Chance + ?Sized>(&self, state: &mut ProverState, chance: &mut C) {
        self.prover.reset(&mut state.0);
        self.prover.choose_nature(&mut state.0, chance, None);
    }

    fn expand(&self, state: &mut ProverState, legal: &mut Vec<Action>) -> Turn {
        self.expand_state(&mut state.0, legal)
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut ProverState, action: Action, chance: &mut C) {
        self.prover.choose(&mut state.0, action);
        self.prover.choose_nature(&mut state.0, chance, None);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut ProverState,
        action: Action,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        // Nature is no player, and perceives nothing.
        let mut tell = |role: usize, what: String| {
            if let Some(player) = self.players.iter().position(|&place| place == role) {
                percepts.tell(Player(player as u8), what);
            }
        };
        self.prover.choose_perceived(&mut state.0, action, Some(&mut tell));
        self.prover.choose_nature(&mut state.0, chance, Some(&mut tell));
    }

    fn scores(&self, state: &ProverState) -> Scores {
        Scores::new(self.players.iter().map(|&role| self.score(&state.0, role)))
    }

    fn label(&self, state: &ProverState, action: Action) -> String {
        let mut state = state.clone();
        let role = self.role(&state.0);
        let legal = self.prover.legal(&mut state.0, role);
        let place = legal.iter().position(|&a| a == action);
        place.map_or_else(String::new, |i| self.labels(&state, &legal)[i].clone())
    }

    fn labels(&self, state: &ProverState, legal: &[Action]) -> Vec<String> {
        self.labels_of(state, legal)
    }

    fn is_pass(&self, state: &ProverState, action: Action) -> bool {
        self.prover.is_pass(&state.0, self.role(&state.0), action)
    }

    fn encoding(&self) -> Option<Encoding> {
        self.numbers().map(|numbers| numbers.encoding(self.facts.hidden))
    }

    fn bounds(&self) -> Option<Bounds> {
        let small = Bounds::small(WORK, self.prover.cost);
        let small = small.within(self.prover.bytes, self.facts.state_bytes);
        self.prover.is_numbered().then_some(small)
    }

    fn key(&self, state: &ProverState) -> impl Hash + Eq + use<> {
        let mut words = Vec::new();
        self.save(state, &mut words);
        words
    }

    fn planes(&self, state: &ProverState, planes: &mut [u8]) {
        if let Some(numbers) = self.numbers() {
            numbers.planes(&self.facts_text(state), planes);
        }
    }

    fn draw(&self, state: &ProverState) -> String {
        let mut terms = Terms::default();
        let facts = self.prover.true_facts(&state.0, &mut terms);
        let reach = self.reach.get_or_init(|| self.prover.reach());
        crate::draw(&self.program().symbols, &terms, &facts, reach)
    }

    fn picture(&self, state: &ProverState) -> Picture {
        let mut terms = Terms::default();
        let facts = self.prover.true_facts(&state.0, &mut terms);
        let reach = self.reach.get_or_init(|| self.prover.reach());
        let program = self.program();
        let names = self.players.iter().filter_map(|&role| program.roles.get(role));
        let players: Vec<&str> = names.map(|&role| program.symbols.lower(role)).collect();
        crate::picture(&program.symbols, &terms, &facts, reach, &players)
    }

    /// The same draws as the reference loop's, on what is known of the automaton.
    fn run(&self, job: &Job) -> Tally {
        if let Some(automaton) = &self.automaton {
            return automaton.run(job);
        }
        let Some(mut automaton) = self.borrow_automaton() else {
            return reference::run(self, job);
        };
        let mut tally = Tally::default();
        let mut state = self.start();
        let mut lists = (Vec::new(), Vec::new());
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let end = automaton.playout(self, &mut rng, job.cap, &mut state, &mut lists);
            tally.record(id, end);
        }
        self.lazy.lock().unwrap_or_else(PoisonError::into_inner).push(automaton);
        tally
    }
}

impl Snapshot for ProverGame {
    fn save(&self, state: &ProverState, words: &mut Vec<u32>) {
        self.prover.save(&state.0, words);
    }

    fn restore(&self, words: &[u32], state: &mut ProverState) {
        self.prover.restore(words, &mut state.0);
    }

    /// Plays forced passes of the roles after the first: once one of them has chosen, the actions
    /// of all are known.
    fn skip_passes(&self, state: &mut ProverState) {
        while let role @ 1.. = Prover::chosen(&state.0)
            && let [only] = *self.prover.actions(&mut state.0, role)
            && self.prover.is_pass(&state.0, role, only)
        {
            self.prover.choose(&mut state.0, only);
        }
    }

    fn is_reliable(&self, state: &ProverState) -> bool {
        !state.0.is_undefined() || state.0.stuck().is_some()
    }
}
