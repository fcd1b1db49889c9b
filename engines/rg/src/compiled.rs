//! The game as code plays it. Turns without code are played by the search.

use std::hash::Hash;
use std::ops::Range;
use std::sync::Arc;

use play::picture::Picture;
use play::{
    Bounds, Chance, Encoding, End, Ending, Facts, Job, Mechanics, Method, NoChance, Outcomes,
    Percepts, Player, PlayoutMode, Promise, Rng, Scores, Strategy, Tally, Turn, reference,
};
use rustc_hash::FxHashMap;

use crate::automaton::{Cell, GOALS, Mover, NodeId};
use crate::code::{Code, Position, Way};
use crate::compile::arrays::Slot;
use crate::compile::{self, Event, Kind, MemoryMap};
use crate::limits::MAX_KEEPER_MOVES;
use crate::reference::{MoveNumber, Reference};
use crate::search::{Fault, Move, Tag};
use crate::state::{Seen, State};

/// A game with code.
pub(crate) struct CompiledGame {
    pub(crate) reference: Reference,
    facts: Facts,
    map: MemoryMap,
    pub(crate) code: Code,
    nodes: Nodes,
    /// The position at which plays begin, behind the first moves of the keeper, if nobody has to
    /// be told of them.
    start: Standing,
    /// The cells of what the players get.
    goals: Range<usize>,
    /// The turns at each node.
    turns: FxHashMap<NodeId, Vec<usize>>,
}

/// The nodes of the automaton that code was made of, beside those of the rules.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// For each node of the rules the one that it became.
    pub(crate) of: Vec<NodeId>,
    /// For each node of the code one of those that it was.
    pub(crate) was: Vec<NodeId>,
}

/// A position, in the memory of the code or as the search knows it.
#[derive(Debug)]
pub(crate) enum Standing {
    Coded {
        position: Position,
        /// Percepts of players before the first choice, if that is still ahead.
        seen: Option<Arc<Seen>>,
    },
    Searched(State),
}

impl Standing {
    /// A position of which nothing else is known.
    pub(crate) fn of_code(position: Position) -> Standing {
        Standing::Coded { position, seen: None }
    }
}

/// Copies use the memory that is there.
impl Clone for Standing {
    fn clone(&self) -> Standing {
        match self {
            Standing::Coded { position, seen } => {
                Standing::Coded { position: position.clone(), seen: seen.clone() }
            }
            Standing::Searched(state) => Standing::Searched(state.clone()),
        }
    }

    fn clone_from(&mut self, other: &Standing) {
        match (self, other) {
            (Standing::Coded { position, seen }, Standing::Coded { position: of, seen: known }) => {
                position.clone_from(of);
                seen.clone_from(known);
            }
            (standing, other) => *standing = other.clone(),
        }
    }
}

impl CompiledGame {
    pub(crate) fn new(
        reference: Reference,
        nodes: Nodes,
        map: MemoryMap,
        code: Code,
    ) -> CompiledGame {
        let mut turns: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        for (number, turn) in code.turns.iter().enumerate() {
            turns.entry(turn.key.node).or_default().push(number);
        }
        let fast = PlayoutMode { method: Method::Counted, promise: Promise::SamePlayouts };
        let (size, bytes) = code.size();
        let mut facts = reference.facts.clone();
        facts.build.push((play::BuildFact::Turns, code.turns.len() as u64));
        facts.build.push((play::BuildFact::CodeNodes, size as u64));
        facts.build.push((play::BuildFact::MachineCodeBytes, bytes as u64));
        let facts = Facts {
            fast,
            interpreted: code.is_native().then_some(fast),
            state_bytes: 4 * map.cells + 8 * map.sets * map.words + size_of::<Standing>(),
            ..facts
        };
        let begin = reference.begin();
        let start = Standing::Searched(begin.clone());
        let place = &map.places[GOALS];
        let goals = place.base..place.base + place.length;
        let mut game = CompiledGame { reference, facts, map, code, nodes, start, goals, turns };
        let mut start = game.standing(begin);
        if !game.facts.chance && !game.facts.hidden {
            game.settle(&mut start, &mut NoChance, None);
        }
        game.start = start;
        game
    }

    /// A state in the memory of the code, if its turn has code.
    fn coded(&self, state: &State) -> Option<Position> {
        if state.fault.is_some() {
            return None;
        }
        let layout = &self.reference.rules.layout;
        let is_here = |&&number: &&usize| {
            let turn = &self.code.turns[number];
            turn.walk.is_ok()
                && turn.key.known.iter().all(|(&slot, &known)| {
                    let cell = state.cells[layout.offsets[slot]];
                    self.map.numbers[usize::from(cell)] == known
                })
        };
        let number = *self.turns.get(&self.nodes.of[state.node])?.iter().find(is_here)?;
        let mut position = Position::blank(self.map.cells, self.map.sets * self.map.words);
        let Position { cells, boards, .. } = &mut position;
        self.map.store(&self.reference.rules.automaton, layout, &state.cells, cells, boards);
        position.set(Slot::Turn, number as i32);
        Some(position)
    }

    /// A position as the search knows it.
    pub(crate) fn searched(&self, position: &Position) -> State {
        let rules = &self.reference.rules;
        let mut cells = rules.layout.start.clone();
        self.map.load(&rules.automaton, &rules.layout, &position.cells, &mut cells);
        State::new(self.nodes.was[self.code.turn(position).key.node], cells)
    }

    /// A state as the search knows it.
    pub(crate) fn state(&self, standing: &Standing) -> State {
        match standing {
            Standing::Coded { position, .. } => self.searched(position),
            Standing::Searched(state) => state.clone(),
        }
    }

    /// A state, in the memory of the code if that can go on with it.
    pub(crate) fn standing(&self, state: State) -> Standing {
        match self.coded(&state) {
            Some(position) => Standing::of_code(position),
            None => Standing::Searched(state),
        }
    }

    /// Makes the moves of the keeper and of chance until a player is to move or nobody can, and
    /// notes what players see of them.
    fn settle<C: Chance + ?Sized>(
        &self,
        standing: &mut Standing,
        chance: &mut C,
        mut seen: Option<&mut Seen>,
    ) {
        for _ in 0..MAX_KEEPER_MOVES {
            match standing {
                Standing::Coded { position, .. } => {
                    let number = match self.code.turn(position).kind() {
                        Kind::Searched => None,
                        Kind::Choice => return,
                        Kind::Step => match &mut seen {
                            None => match self.code.advance(position, &[]) {
                                Event::Over | Event::Stuck => return,
                                Event::Left if self.code.turn(position).kind() == Kind::Step => {
                                    break;
                                }
                                _ => continue,
                            },
                            Some(seen) => {
                                if self.see_step(position, seen) {
                                    continue;
                                }
                                return;
                            }
                        },
                        Kind::Chance => match self.code.list(position).map(|list| list.count) {
                            Some(0) => return,
                            Some(1) => Some(0),
                            several => several.map(|several| chance.below(several)),
                        },
                    };
                    match (number, &mut seen) {
                        (Some(number), None) => {
                            if let Event::Over | Event::Stuck =
                                self.code.advance(position, &[MoveNumber(number)])
                            {
                                return;
                            }
                        }
                        (Some(number), Some(seen)) => {
                            self.see(position, MoveNumber(number), seen);
                            self.code.make(position, number);
                        }
                        (None, _) => *standing = Standing::Searched(self.searched(position)),
                    }
                }
                Standing::Searched(state) => {
                    self.reference.settle(state, chance, seen);
                    if let Some(Mover::Player(_)) = self.reference.rules.mover(&state.cells)
                        && let Some(position) = self.coded(state)
                    {
                        *standing = Standing::of_code(position);
                    }
                    return;
                }
            }
        }
        let fault = Some(Fault::KeeperLoops);
        *standing = Standing::Searched(State { fault, ..self.state(standing) });
    }

    /// Makes the keeper's only move, and notes what players see of it; false if there is none.
    fn see_step(&self, position: &mut Position, seen: &mut Seen) -> bool {
        let before = self.searched(position);
        let is_made = self.code.step(position);
        if is_made {
            self.reference.listed(&before).iter().for_each(|listed| seen.add(listed));
        }
        is_made
    }

    /// Notes what players see of a move: the search knows it, if it has the move.
    fn see(&self, position: &Position, number: MoveNumber, seen: &mut Seen) {
        let tags = self.tags(position, number).tags;
        let listed = self.reference.listed(&self.searched(position));
        listed.iter().filter(|listed| listed.tags == tags).for_each(|chosen| seen.add(chosen));
    }

    /// The number of moves of the player to move; `None` if the code cannot say it.
    fn count(&self, position: &mut Position) -> Option<u32> {
        match self.code.turn(position).kind() {
            Kind::Choice => self.code.list(position).map(|list| list.count),
            _ => Some(0),
        }
    }

    /// The tags of a move.
    pub(crate) fn tags(&self, position: &Position, number: MoveNumber) -> Move {
        let tags = self.code.tags(&mut position.clone(), number.0);
        let tag = |&tag: &i32| Tag { symbol: self.map.symbols[tag as usize], seers: 0 };
        Move { tags: tags.iter().map(tag).collect(), to: 0, changes: Box::default() }
    }

    /// Makes a move alone, nothing that follows it.
    #[cfg(test)]
    pub(crate) fn make_alone(&self, position: &mut Position, number: MoveNumber) {
        self.code.make(position, number.0);
    }

    /// Plays on to the end of a playout that has so many plies.
    fn play_on(
        &self,
        standing: &mut Standing,
        mut plies: u32,
        rng: &mut Rng,
        cap: u32,
        way: Way,
    ) -> End {
        loop {
            match standing {
                Standing::Coded { position, .. } => {
                    let event = self.code.play(position, [plies, cap], rng, way);
                    plies = position.get(Slot::Plies) as u32;
                    if let Some(ending) = self.ending(event, position) {
                        return End { plies, ending };
                    }
                    self.leave(standing, rng);
                }
                // As the reference loop does it: behind a forced pass code may go on.
                Standing::Searched(_) => {
                    let mut legal = Vec::new();
                    match reference::next_ply(self, standing, rng, cap - plies, &mut legal) {
                        Ok(action) => self.apply(standing, action, rng),
                        Err(ending) => return End { plies, ending },
                    }
                    plies += 1;
                }
            }
        }
    }

    /// The end of a playout; `None` if the play goes on without the code.
    fn ending(&self, event: Event, position: &Position) -> Option<Ending> {
        match event {
            Event::Over => Some(Ending::Over(self.scores_of(position))),
            Event::Capped => Some(Ending::Capped),
            Event::Stuck => Some(Ending::Stuck),
            Event::Left | Event::Listed => None,
        }
    }

    /// Goes on from where the code has left a play. Where it has the turn, it goes on with it:
    /// moves have its order.
    fn leave(&self, standing: &mut Standing, rng: &mut Rng) {
        let Standing::Coded { position, .. } = standing else { return };
        match self.code.turn(position).kind() {
            Kind::Choice if self.code.list(position).is_some() => {}
            Kind::Step | Kind::Chance => self.settle(standing, rng, None),
            kind => {
                *standing = Standing::Searched(self.searched(position));
                if kind != Kind::Choice {
                    self.settle(standing, rng, None);
                }
            }
        }
    }

    /// The node of the code that a node of the rules became.
    #[cfg(test)]
    pub(crate) fn class(&self, node: NodeId) -> NodeId {
        self.nodes.of[node]
    }

    fn is_end(&self, turn: &compile::Turn) -> bool {
        turn.key.node == self.nodes.of[self.reference.rules.automaton.end]
    }

    fn scores_of(&self, position: &Position) -> Scores {
        let place = &self.map.places[GOALS];
        let automaton = &self.reference.rules.automaton;
        let score = |player: &crate::symbols::Symbol| {
            let number = self.map.numbers[player.index()] as usize;
            let symbol: Cell = self.map.symbols[position.cells[place.base + number] as usize];
            self.reference.notation.score(symbol)
        };
        Scores::new(automaton.players.iter().map(score))
    }

    fn run_by(&self, job: &Job, way: Way) -> Tally {
        let mut tally = Tally::default();
        let Standing::Coded { position: start, .. } = &self.start else {
            for id in job.ids() {
                let mut rng = Rng::stream(job.seed, id);
                let mut standing = self.start.clone();
                self.settle(&mut standing, &mut rng, None);
                tally.record(id, self.play_on(&mut standing, 0, &mut rng, job.cap, way));
            }
            return tally;
        };
        let mut outcomes = Outcomes::default();
        self.code.play_all(start, job, way, |id, event, position, rng| {
            let plies = position.get(Slot::Plies) as u32;
            if event == Event::Over {
                let goals = &position.cells[self.goals.clone()];
                let is_same = |known: &Vec<i32>| known == goals;
                let first = || (goals.to_vec(), self.scores_of(position));
                return outcomes.record(&mut tally, id, plies, is_same, first);
            }
            let end = self.ending(event, position).map(|ending| End { plies, ending });
            let end = end.unwrap_or_else(|| {
                let mut standing = Standing::of_code(position.clone());
                self.leave(&mut standing, rng);
                self.play_on(&mut standing, plies, rng, job.cap, way)
            });
            tally.record(id, end);
        });
        outcomes.count(&mut tally);
        tally
    }
}

impl Mechanics for CompiledGame {
    type State = Standing;
    type Action = MoveNumber;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> Standing {
        let mut standing = self.start.clone();
        self.restart(&mut standing, chance);
        standing
    }

    fn restart<C: Chance + ?Sized>(&self, standing: &mut Standing, chance: &mut C) {
        standing.clone_from(&self.start);
        let mut noted = self.facts.hidden.then(|| Seen::new(&self.reference.rules.automaton));
        self.settle(standing, chance, noted.as_mut());
        match standing {
            Standing::Coded { seen, .. } => *seen = noted.map(Arc::new),
            Standing::Searched(state) => state.seen = noted.map(Arc::new),
        }
    }

    fn start_percepts(&self, standing: &Standing, percepts: &mut Percepts) {
        let (Standing::Coded { seen, .. } | Standing::Searched(State { seen, .. })) = standing;
        if let Some(seen) = seen {
            self.reference.tell(seen, percepts);
        }
    }

    fn expand(&self, standing: &mut Standing, legal: &mut Vec<MoveNumber>) -> Turn {
        if let Standing::Coded { position, seen } = standing
            && self.count(position).is_none()
        {
            let seen = seen.take();
            *standing = Standing::Searched(State { seen, ..self.searched(position) });
        }
        match standing {
            Standing::Searched(state) => self.reference.expand(state, legal),
            Standing::Coded { position, .. } => {
                let count = self.count(position).unwrap_or_default();
                legal.extend((0..count).map(MoveNumber));
                let turn = self.code.turn(position);
                match turn.mover {
                    _ if count == 0 && self.is_end(turn) => Turn::Over,
                    Some(Mover::Player(player)) => Turn::Move(Player(player)),
                    _ => Turn::Move(Player(0)),
                }
            }
        }
    }

    fn apply<C: Chance + ?Sized>(
        &self,
        standing: &mut Standing,
        action: MoveNumber,
        chance: &mut C,
    ) {
        match standing {
            Standing::Searched(state) => {
                self.reference.apply(state, action, chance);
                if let Some(position) = self.coded(state) {
                    *standing = Standing::of_code(position);
                }
            }
            Standing::Coded { position, seen, .. } => {
                *seen = None;
                match self.code.advance(position, &[action]) {
                    Event::Over | Event::Stuck => {}
                    _ => self.settle(standing, chance, None),
                }
            }
        }
    }

    /// The code makes as many as it can in one call; what it cannot make is listed first.
    fn apply_all(&self, standing: &mut Standing, mut actions: &[MoveNumber]) {
        while let Some(&first) = actions.first() {
            let mut made = 0;
            if let Standing::Coded { position, seen } = standing {
                *seen = None;
                let event = self.code.advance(position, actions);
                made = position.get(Slot::Made) as usize;
                if event == Event::Left {
                    self.settle(standing, &mut NoChance, None);
                }
            }
            if made == 0 {
                self.expand(standing, &mut Vec::new());
                self.apply(standing, first, &mut NoChance);
            }
            actions = &actions[made.max(1)..];
        }
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        standing: &mut Standing,
        action: MoveNumber,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        let position = match standing {
            Standing::Coded { position, .. } => position,
            Standing::Searched(state) => {
                self.reference.apply_perceived(state, action, chance, percepts);
                *standing = self.standing(state.clone());
                return;
            }
        };
        let state = self.searched(position);
        let tags = self.tags(position, action).tags;
        let Some(chosen) = self.reference.listed(&state).iter().find(|it| it.tags == tags).cloned()
        else {
            // The search finds a fault where code plays on.
            let fault = self.reference.list(&state).err();
            *standing = Standing::Searched(State { fault, ..state });
            return;
        };
        let mut seen = Seen::new(&self.reference.rules.automaton);
        seen.add(&chosen);
        self.code.make(position, action.0);
        self.settle(standing, chance, Some(&mut seen));
        self.reference.tell(&seen, percepts);
    }

    fn scores(&self, standing: &Standing) -> Scores {
        match standing {
            Standing::Coded { position, .. } => self.scores_of(position),
            Standing::Searched(state) => self.reference.scores(state),
        }
    }

    fn label(&self, standing: &Standing, action: MoveNumber) -> String {
        let count = match standing {
            Standing::Searched(state) => return self.reference.label(state, action),
            Standing::Coded { position, .. } => {
                self.count(&mut position.clone()).unwrap_or_default()
            }
        };
        let all: Vec<MoveNumber> = (0..count).map(MoveNumber).collect();
        self.labels(standing, &all).into_iter().nth(action.0 as usize).unwrap_or_default()
    }

    fn labels(&self, standing: &Standing, legal: &[MoveNumber]) -> Vec<String> {
        match standing {
            Standing::Searched(state) => self.reference.labels(state, legal),
            Standing::Coded { position, .. } => {
                let moves: Vec<Move> =
                    legal.iter().map(|&number| self.tags(position, number)).collect();
                self.reference.notation.labels(&moves)
            }
        }
    }

    /// Only of what code lists: its tags are soon found.
    fn label_keys(&self, standing: &Standing, legal: &[MoveNumber], keys: &mut Vec<u64>) -> bool {
        let Standing::Coded { position, .. } = standing else { return false };
        let numbers = legal.iter().map(|number| number.0);
        self.code.each_tags(&mut position.clone(), numbers, |tags| {
            let symbols = tags.iter().map(|&tag| self.map.symbols[tag as usize]);
            keys.extend(self.reference.notation.label_key(symbols));
        });
        keys.len() == legal.len()
    }

    fn plain_label(&self, standing: &Standing, action: MoveNumber) -> String {
        match standing {
            Standing::Searched(state) => self.reference.label(state, action),
            Standing::Coded { position, .. } => {
                self.reference.notation.plain(&self.tags(position, action))
            }
        }
    }

    fn is_pass(&self, standing: &Standing, action: MoveNumber) -> bool {
        match standing {
            Standing::Searched(state) => self.reference.is_pass(state, action),
            Standing::Coded { position, .. } => match position.list {
                Some(list) if list.count == 1 || !list.has_pass => list.has_pass,
                _ => self.reference.notation.is_pass(&self.tags(position, action)),
            },
        }
    }

    fn draw(&self, standing: &Standing) -> String {
        self.reference.draw(&self.state(standing))
    }

    fn picture(&self, standing: &Standing) -> Picture {
        self.reference.picture(&self.state(standing))
    }

    fn playout(
        &self,
        standing: &mut Standing,
        _: &mut Vec<MoveNumber>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        self.play_on(standing, 0, rng, cap, Way::Native)
    }

    fn run(&self, job: &Job) -> Tally {
        self.run_by(job, Way::Native)
    }

    fn run_interpreted(&self, job: &Job) -> Tally {
        self.run_by(job, Way::Interpreted)
    }

    fn bounds(&self) -> Option<Bounds> {
        self.reference.bounds()
    }

    fn key(&self, standing: &Standing) -> impl Hash + Eq + use<> {
        self.reference.key(&self.state(standing))
    }

    fn encoding(&self) -> Option<Encoding> {
        self.reference.encoding_of(self)
    }

    fn planes(&self, standing: &Standing, planes: &mut [u8]) {
        self.reference.planes(&self.state(standing), planes);
    }

    fn strategies(&self) -> Vec<Strategy> {
        let automaton = &self.reference.rules.automaton;
        let mut strategies = vec![Strategy::quickest("playouts", "code")];
        for turn in &self.code.turns {
            let node = self.nodes.was[turn.key.node];
            let name = automaton.name(automaton.nodes[node].name);
            let reason = match (turn.kind(), turn.walk) {
                (Kind::Searched, Err(stop)) => stop.text(),
                (Kind::Searched, Ok(_)) => "the keeper may have a choice",
                _ => continue,
            };
            strategies.push(Strategy::slower("turn", format!("search from {name}"), reason));
        }
        strategies
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        self.reference.dot(most)
    }

    fn ir(&self) -> Option<String> {
        Some(self.code.text())
    }
}
