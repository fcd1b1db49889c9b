//! A compiled game as the harness plays it.

mod encoding;
mod site_rows;

use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use play::automaton::Automaton;
use play::picture::Picture;
use play::{
    Bounds, BuildFact, Chance, Encoding, End, Facts, Job, Mechanics, Method, NoChance, Percepts,
    Player, PlayoutMode, Pool, Promise, Rng, Scores, SiteRows, SiteTurn, Tally, Turn,
};

use self::encoding::site_move;
use crate::compile::{Program, Purpose};
use crate::eval::{ChanceSource, HarnessChance, Legality, Listed, MaybeChance};
use crate::game::Game;
use crate::lower::Feature;
use crate::lower::Lowering;
use crate::meter::{self, Budget};
use crate::moves::MoveId;
use crate::puzzle::Plan;
use crate::run::{Positions, Workspace};
use crate::state::State;

/// A compiled game.
pub(crate) struct Ludemes {
    game: Arc<Game>,
    /// The plan by which a deduction puzzle is listed and played, if it is not too large.
    puzzle: Option<Arc<Plan>>,
    strategy: Strategy,
    /// Code that lists and makes moves, once somebody has asked for it; `None` if there is no
    /// code.
    positions: OnceLock<Option<Positions>>,
    /// Memory of playouts that begin at a state.
    workspaces: Pool<Box<Workspace>>,
}

/// The way in which jobs are played: the first of these that can, chosen when the game is compiled.
enum Strategy {
    /// Walks along a table of all positions: where the pieces can stand in few ways, no rule looks
    /// ahead, and the positions found are few.
    Automaton {
        automaton: Automaton,
        /// The game for playouts that are too long for the table, and those from positions, once
        /// there is one.
        coded: OnceLock<Option<Box<Game>>>,
    },
    /// Sets of candidates, several playouts side by side: for deduction puzzles.
    Candidates(Arc<Plan>),
    /// The game with its rules as machine code: where the processor has that and the rules fit.
    MachineCode(Box<Game>),
    /// The evaluator of the rules plays all else.
    Evaluator,
}

/// Counts what a state takes while a game is compiled: each is one more, since those who look
/// through positions keep copies.
fn charge_for(state: &State) {
    if meter::is_limited() {
        meter::bytes(state.bytes() + state.history.len());
    }
}

/// Playouts of a job of which those that take long are listed together.
const BLOCK: u64 = 1 << 16;

/// Steps of work after which the positions of a game are not looked through any further: where
/// moves do little, all that there may be are found in a tenth of that.
const MOST_EXPLORING: u64 = 20_000_000;

/// Games whose pieces can stand in more ways than this, as a power of two, are not looked through:
/// only some of them can be reached, but of large games always too many.
const SMALL_GAME_BITS: f64 = 15.0;

/// The same for the table by which positions go on together, which is tried with a few hundred
/// positions.
const TABLED_GAME_BITS: f64 = 100.0;

impl Ludemes {
    pub(crate) fn new(lowering: Lowering) -> Ludemes {
        let mut game = Game::new(lowering);
        crate::puzzle::prepare(&mut game);
        let puzzle = Plan::of(&game).map(Arc::new);
        let mut ludemes = Ludemes::evaluated(Arc::new(game), puzzle);
        ludemes.strategy = ludemes.choose();
        if let Some(puzzle) = ludemes.puzzle.as_ref().filter(|puzzle| puzzle.keeps_domains) {
            Arc::make_mut(&mut ludemes.game).facts.state_bytes += puzzle.kept_bytes();
        }
        ludemes
    }

    /// A game that the evaluator alone plays.
    fn evaluated(game: Arc<Game>, puzzle: Option<Arc<Plan>>) -> Ludemes {
        let (positions, workspaces) = (OnceLock::new(), Pool::default());
        Ludemes { game, puzzle, strategy: Strategy::Evaluator, positions, workspaces }
    }

    /// The same game as the evaluator alone plays it: the reference.
    pub(crate) fn reference(&self) -> Ludemes {
        Ludemes::evaluated(Arc::clone(&self.game), self.puzzle.clone())
    }

    /// The same game by the evaluator alone, which asks of every move of a puzzle whether it breaks
    /// a constraint: what the reference is held to.
    #[cfg(test)]
    pub(crate) fn evaluator_alone(&self) -> Ludemes {
        Ludemes::evaluated(Arc::clone(&self.game), None)
    }

    /// Code that lists and makes moves. It is made when somebody first asks for a position, which
    /// whoever only plays whole playouts never does.
    pub(crate) fn positions(&self) -> Option<&Positions> {
        match self.strategy {
            Strategy::Automaton { .. } | Strategy::MachineCode(_) if self.puzzle.is_none() => {
                self.positions.get_or_init(|| Positions::new(&self.game)).as_ref()
            }
            _ => None,
        }
    }

    /// The game whose evaluator lists and makes the moves of positions: by code, part by part,
    /// where there is some.
    fn evaluator(&self) -> &Game {
        self.positions().map_or(&self.game, Positions::game)
    }

    /// The table of all positions, of games that have few and where that is soon known.
    fn explored(&self) -> Option<Automaton> {
        if meter::is_spent() {
            return None;
        }
        let part = Budget::part(MOST_EXPLORING);
        let found = Automaton::explore(self).filter(|_| !meter::is_spent());
        drop(part);
        found
    }

    /// Chooses what plays jobs, and says in the facts how that plays.
    fn choose(&mut self) -> Strategy {
        if let Some(automaton) = self.explored() {
            let facts = &mut Arc::make_mut(&mut self.game).facts;
            facts.fast.method = Method::Tabled;
            facts.listed = true;
            facts.build.push((BuildFact::TabledPositions, automaton.positions() as u64));
            return Strategy::Automaton { automaton, coded: OnceLock::new() };
        }
        if let Some(puzzle) = &self.puzzle {
            let (puzzle, mode) = (puzzle.clone(), puzzle.mode());
            let facts = &mut Arc::make_mut(&mut self.game).facts;
            (facts.fast, facts.listed) = (mode, puzzle.keeps_domains);
            return Strategy::Candidates(puzzle);
        }
        let compiled = self.game.compiled(Purpose::Playouts);
        let own = Arc::make_mut(&mut self.game);
        if let Some(game) = &compiled {
            own.redraws = game.redraws;
        }
        let promise = Promise::SameDistribution("legal moves are drawn by rejection");
        let drawn = PlayoutMode { method: Method::Sampled, promise };
        let redraws = own.tests_moves || own.redraws;
        let facts = &mut own.facts;
        facts.fast = if redraws { drawn } else { PlayoutMode::default() };
        let Some(game) = compiled else { return Strategy::Evaluator };
        if let Some(program) = &game.program {
            facts.interpreted = Some(facts.fast);
            facts.listed = true;
            facts.build.push((BuildFact::MachineCodeBytes, program.bytes()));
            if facts.fast.method == Method::Listed && game.is_counted() {
                facts.fast.method = Method::Counted;
            }
            if facts.fast.method != Method::Sampled && game.is_reordered() {
                let promise = Promise::SameDistribution("moves are counted in another order");
                facts.fast = PlayoutMode { method: Method::Counted, promise };
            }
        }
        Strategy::MachineCode(Box::new(game))
    }

    /// The player who moves or chooses in a state that is not over.
    fn turn(&self, state: &State) -> Turn {
        let mover = self.game.chooser(state).unwrap_or(state.head.turns.mover);
        let seat = state.head.record.seats[usize::from(mover)];
        Turn::Move(Player(seat.saturating_sub(1)))
    }

    /// The rules as data.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Lists the moves of a turn that begins, where chance decides what is legal: its outcomes fall
    /// now.
    fn list_turn(&self, state: &mut State, chance: &dyn ChanceSource) {
        if self.game.has(Feature::Chance) && !state.head.over {
            let mut listed = Listed::default();
            self.evaluator().list_legal(state, Some(chance), &mut listed);
            (state.listed, state.draws) = (listed.list, listed.draws);
        }
    }

    /// The plan that lists and makes the moves of a puzzle, in a state that keeps the candidates.
    fn keeps_domains(&self, state: &State) -> Option<&Plan> {
        self.puzzle.as_deref().filter(|_| state.domains.is_some())
    }

    /// Lets a state at the start keep what can be given, in puzzles whose positions do: but for the
    /// reference, and what it explores.
    fn begin_domains(&self, state: &mut State) {
        if let Some(puzzle) = &self.puzzle
            && puzzle.keeps_domains
            && !matches!(self.strategy, Strategy::Evaluator)
        {
            puzzle.begin(state);
        }
    }

    /// Makes legal moves one after the other, as far as code or the candidates of a puzzle make
    /// them: how many.
    fn make_by_code(&self, state: &mut State, actions: &[MoveId]) -> usize {
        charge_for(state);
        state.listed.clear();
        if let Some(puzzle) = self.keeps_domains(state) {
            actions.iter().for_each(|&action| puzzle.make(&self.game, state, action));
            return actions.len();
        }
        // What players perceive of a move is what the evaluator carries out.
        let positions = self.positions().filter(|_| state.senses.is_none());
        positions.map_or(0, |positions| positions.make(state, actions))
    }

    /// Makes a legal move by the evaluator, in a state whose list has been cleared.
    fn make_by_evaluator(&self, state: &mut State, action: MoveId, source: &dyn ChanceSource) {
        self.make_and_advance(state, action, source);
        self.list_turn(state, source);
    }

    /// The same, where chance has not decided yet what is legal next.
    fn make_and_advance(&self, state: &mut State, action: MoveId, source: &dyn ChanceSource) {
        let game = self.evaluator();
        let draws = std::mem::take(&mut state.draws);
        let chance: MaybeChance<'_> = if game.has(Feature::Chance) { Some(source) } else { None };
        if let Some(made) = game.make_listed(state, &draws, action, Legality::Known, chance) {
            game.advance(state, &made, chance);
        }
    }

    /// Plays on by code from a turn of which chance has decided already what is legal: its ply is
    /// made as it is listed.
    fn play_from_list(
        &self,
        game: &Game,
        state: &mut State,
        legal: &mut Vec<MoveId>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let action = match play::reference::next_ply(self, state, rng, cap, legal) {
            Ok(action) => action,
            Err(ending) => return End { plies: 0, ending },
        };
        state.listed.clear();
        self.make_and_advance(state, action, &HarnessChance::new(rng));
        let play = |space: &mut Box<_>| game.play_from(space, state, rng, cap - 1);
        let End { plies, ending } = self.workspaces.with(Box::default, play);
        End { plies: plies + 1, ending }
    }

    /// Plies up to which keys say what the limits of moves and turns do.
    fn plies_before_limits(&self) -> u32 {
        let counted = self.game.past.turns;
        if counted { u32::MAX } else { crate::run::no_limit_before(self.game.world.players) }
    }

    /// Plays a job on the automaton. Its positions say nothing of how long the game has lasted:
    /// playouts that could come near the limits of moves and turns are played plainly.
    fn run_automaton(
        &self,
        automaton: &Automaton,
        coded: &OnceLock<Option<Box<Game>>>,
        job: &Job,
    ) -> Tally {
        let plies = self.plies_before_limits();
        if plies == u32::MAX {
            return automaton.run(job);
        }
        let mut tally = Tally::default();
        let mut ids = job.ids();
        while !ids.is_empty() {
            let block = Job { first: ids.start, count: BLOCK.min(ids.end - ids.start), ..*job };
            let (found, beyond) = automaton.run_up_to(&block, plies);
            tally += &found;
            for id in beyond {
                let one = Job { first: id, count: 1, ..*job };
                tally += &match self.coded_in_order(coded) {
                    Some(game) => game.run(&one),
                    None => self.run_reference(&one),
                };
            }
            ids.start += block.count;
        }
        tally
    }

    /// Machine code that lists moves in the order of the evaluator, and so draws as the table does;
    /// `None` where only the reference draws in the same way.
    fn coded_in_order<'g>(&self, coded: &'g OnceLock<Option<Box<Game>>>) -> Option<&'g Game> {
        let compile = || {
            let coded = (!self.game.tests_moves).then(|| self.game.compiled(Purpose::SamePlayouts));
            coded.flatten().filter(|game| !game.redraws).map(Box::new)
        };
        coded.get_or_init(compile).as_deref()
    }

    /// The game that plays on from positions by code; `None` if moves are listed.
    fn plays_from_positions(&self) -> Option<&Game> {
        match &self.strategy {
            Strategy::MachineCode(game) => Some(game),
            Strategy::Automaton { coded, .. } => self.coded_in_order(coded),
            Strategy::Candidates(_) | Strategy::Evaluator => None,
        }
    }

    fn run_puzzle(&self, puzzle: &Plan, job: &Job) -> Tally {
        let mut legal = Vec::new();
        puzzle.run(&self.game, job, &mut |state, rng, cap| {
            play::reference::playout_from(self, state, rng, cap, &mut legal)
        })
    }
}

impl Mechanics for Ludemes {
    type State = State;
    type Action = MoveId;

    fn facts(&self) -> &Facts {
        &self.game.facts
    }

    fn initial<C: Chance + ?Sized>(&self, mut chance: &mut C) -> State {
        let source = HarnessChance::new(&mut chance);
        let mut state = self.game.initial_state(Some(&source));
        charge_for(&state);
        self.list_turn(&mut state, &source);
        self.begin_domains(&mut state);
        state
    }

    fn restart<C: Chance + ?Sized>(&self, state: &mut State, mut chance: &mut C) {
        let source = HarnessChance::new(&mut chance);
        let domains = state.domains.take();
        self.game.restart(state, Some(&source));
        self.list_turn(state, &source);
        // In the memory that they had.
        state.domains = domains;
        self.begin_domains(state);
    }

    fn expand(&self, state: &mut State, legal: &mut Vec<MoveId>) -> Turn {
        if state.head.over {
            return Turn::Over;
        }
        let positions = self.positions().filter(|_| state.listed.is_empty());
        if let Some(puzzle) = self.keeps_domains(state) {
            puzzle.list(&self.game, state, legal);
        } else if positions.and_then(|positions| positions.list(state, legal)).is_none() {
            if state.listed.is_empty() {
                let mut listed =
                    Listed { list: std::mem::take(&mut state.listed), ..Listed::default() };
                match &self.puzzle {
                    Some(puzzle) => puzzle.list_anew(&self.game, state, &mut listed),
                    None => self.evaluator().list_legal(state, None, &mut listed),
                }
                state.listed = listed.list;
            }
            legal.extend_from_slice(&state.listed);
        }
        self.turn(state)
    }

    fn expand_sites(&self, state: &mut State, sites: &mut Vec<u64>) -> Option<SiteTurn> {
        self.list_sites(state, sites)
    }

    fn site_action(&self, family_site_place: [u32; 3]) -> Option<MoveId> {
        Some(site_move(family_site_place))
    }

    fn apply_to_sites(
        &self,
        state: &mut State,
        action: MoveId,
        sites: &mut Vec<u64>,
    ) -> Option<SiteTurn> {
        self.make_to_sites(state, action, sites)
    }

    fn site_rows(self: &Arc<Self>) -> Option<Box<dyn SiteRows>> {
        site_rows::boxed(self)
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: MoveId, mut chance: &mut C) {
        if self.make_by_code(state, &[action]) == 0 {
            self.make_by_evaluator(state, action, &HarnessChance::new(&mut chance));
        }
    }

    fn apply_all(&self, state: &mut State, mut actions: &[MoveId]) {
        while let Some((&action, rest)) = actions.split_first() {
            actions = match self.make_by_code(state, actions) {
                0 => {
                    self.make_by_evaluator(state, action, &HarnessChance::new(&mut NoChance));
                    rest
                }
                made => &actions[made..],
            };
        }
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        action: MoveId,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        let before = self.game.listen(state);
        self.apply(state, action, chance);
        self.game.perceive(state, before, percepts);
    }

    fn start_percepts(&self, state: &State, percepts: &mut Percepts) {
        self.game.perceive_start(state, percepts);
    }

    fn scores(&self, state: &State) -> Scores {
        self.game.scores_of(state)
    }

    fn label(&self, state: &State, action: MoveId) -> String {
        let mut legal = Vec::new();
        self.expand(&mut state.clone(), &mut legal);
        let number = legal.iter().position(|&a| a == action);
        number.map_or_else(String::new, |number| self.labels(state, &legal).swap_remove(number))
    }

    fn labels(&self, _: &State, legal: &[MoveId]) -> Vec<String> {
        self.game.labels(legal)
    }

    fn label_keys(&self, _: &State, legal: &[MoveId], keys: &mut Vec<u64>) -> bool {
        keys.extend(legal.iter().map_while(|id| self.game.label_key(id)));
        keys.len() == legal.len()
    }

    fn plain_label(&self, _: &State, action: MoveId) -> String {
        self.game.plain_label(&action)
    }

    fn is_pass(&self, _: &State, action: MoveId) -> bool {
        action.is_pass()
    }

    fn draw(&self, state: &State) -> String {
        crate::draw::draw(&self.game, state)
    }

    fn picture(&self, state: &State) -> Picture {
        crate::picture::picture(&self.game, state)
    }

    fn strategies(&self) -> Vec<play::Strategy> {
        let by_evaluator = |part| {
            let reason = if self.game.layout.fits_code() {
                "machine code for it would be too large, or there is none for this processor"
            } else {
                "its sets of sites are too large for machine code"
            };
            play::Strategy::slower(part, "the evaluator", reason)
        };
        let by_code = |part, game: &Game| match game.program.as_ref().map(Program::left) {
            None => by_evaluator(part),
            Some(left) if left.is_empty() => play::Strategy::quickest(part, "machine code"),
            Some(left) => {
                let way = format!("machine code, the evaluator for {}", left.join(", "));
                play::Strategy::slower(part, way, "these have no form in code")
            }
        };
        let candidates = |part| play::Strategy::quickest(part, "sets of candidates");
        let playouts = match &self.strategy {
            Strategy::Automaton { .. } => {
                play::Strategy::quickest("playouts", "a table of all positions")
            }
            Strategy::Candidates(_) => candidates("playouts"),
            Strategy::MachineCode(game) => by_code("playouts", game),
            Strategy::Evaluator => by_evaluator("playouts"),
        };
        let positions = match (self.positions(), &self.puzzle) {
            (Some(positions), _) => by_code("positions", positions.game()),
            (None, Some(puzzle)) if puzzle.keeps_domains => candidates("positions"),
            (None, Some(_)) => play::Strategy::slower(
                "positions",
                "the evaluator",
                "the puzzle has more than sets of candidates can say",
            ),
            (None, None) => by_evaluator("positions"),
        };
        vec![playouts, positions]
    }

    fn ir(&self) -> Option<String> {
        if self.puzzle.is_some() { None } else { self.game.ir() }
    }

    fn encoding(&self) -> Option<Encoding> {
        self.observed()
    }

    fn bounds(&self) -> Option<Bounds> {
        let game = &self.game;
        let small = !game.facts.chance && !game.looks_ahead() && game.bits() <= SMALL_GAME_BITS;
        small.then(|| Bounds { plies: self.plies_before_limits(), ..Bounds::SMALL })
    }

    /// Games with chance and hidden information, too.
    fn table_bounds(&self) -> Option<Bounds> {
        let game = &self.game;
        let small = !game.simultaneous && !game.takes_long() && game.bits() <= TABLED_GAME_BITS;
        small.then(|| Bounds { plies: self.plies_before_limits(), ..Bounds::SMALL })
    }

    fn key(&self, state: &State) -> impl Hash + Eq + use<> {
        let drawn =
            self.game.has(Feature::Chance).then(|| (state.listed.clone(), state.draws.clone()));
        let hidden = state.senses.as_ref().map(|senses| senses.hidden.clone());
        (state.key(self.game.past), drawn, hidden)
    }

    fn planes(&self, state: &State, planes: &mut [u8]) {
        self.write_planes(state, planes);
    }

    /// By code or by the candidates of a puzzle, where there are some; elsewhere moves are listed.
    fn playout(&self, state: &mut State, legal: &mut Vec<MoveId>, rng: &mut Rng, cap: u32) -> End {
        if let Some(puzzle) = self.keeps_domains(state) {
            return puzzle.play_on(&self.game, state, rng, cap, &mut |state, rng, cap| {
                play::reference::playout_from(self, state, rng, cap, legal)
            });
        }
        match self.plays_from_positions() {
            Some(game) if self.game.has(Feature::Chance) => {
                self.play_from_list(game, state, legal, rng, cap)
            }
            Some(game) => {
                state.listed.clear();
                let play = |space: &mut Box<_>| game.play_from(space, state, rng, cap);
                self.workspaces.with(Box::default, play)
            }
            None => play::reference::playout_from(self, state, rng, cap, legal),
        }
    }

    fn run(&self, job: &Job) -> Tally {
        match &self.strategy {
            Strategy::Automaton { automaton, coded } => self.run_automaton(automaton, coded, job),
            Strategy::Candidates(puzzle) => self.run_puzzle(puzzle, job),
            Strategy::MachineCode(game) => game.run(job),
            Strategy::Evaluator => self.game.run(job),
        }
    }

    fn run_reference(&self, job: &Job) -> Tally {
        play::reference::run(&self.reference(), job)
    }

    /// By the evaluator, which is faster than the kernel's interpreter.
    fn run_interpreted(&self, job: &Job) -> Tally {
        self.game.run(job)
    }
}
