//! All positions of a small game by number, with what lock-step shows of each, and where each
//! action leads.

use rustc_hash::FxHashMap;

use crate::any_state::AnyState;
use crate::bounds::Bounds;
use crate::chance::{Chance, Script};
use crate::coded_position::{CodedPosition, CodingBuffers, write_mask};
use crate::lockstep::Progress;
use crate::mix;
use crate::numbers::Numbers;
use crate::rng::Rng;
use crate::scores::Scores;
use crate::tally::{self, Ending};

/// A table of positions. Their numbers are, in this order: `choices` of positions in which somebody
/// chooses, as many of the same positions at the ply cap, those of ends, and as many of the same
/// ends later on, when their scores have been shown.
#[derive(Debug)]
pub(crate) struct PositionTable {
    pub(crate) start: Target,
    pub(crate) choices: u32,
    pub(crate) positions: Box<[TabledPosition]>,
    /// The targets of actions, by position and code; the last entry of each position is for numbers
    /// that are no code.
    successors: Box<[Target]>,
    /// Successors of a position.
    columns: u32,
    /// The codes of legal actions, those of a position side by side in their order; -1 before all
    /// of them.
    pub(crate) listed: Box<[i32]>,
    pub(crate) chances: Box<[ChanceNode]>,
    /// The targets of the outcomes of chance.
    pub(crate) outcomes: Box<[Target]>,
    pub(crate) masks: Rows,
    pub(crate) planes: Rows,
    pub(crate) players: usize,
    /// Rows of scores.
    pub(crate) scores: Box<[i32]>,
    /// Plies up to which the table says what happens.
    pub(crate) plies: u32,
}

/// The entry of a position in the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TabledPosition {
    /// The first of its listed codes, and how many there are.
    pub(crate) first: u32,
    pub(crate) legal: u32,
    /// The first byte of its legality mask.
    pub(crate) mask: u32,
    pub(crate) planes: u32,
    pub(crate) scores: u32,
    pub(crate) turn: i8,
    pub(crate) progress: u8,
}

/// A position, or a place where chance decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target(u32);

impl Target {
    /// The target of an action that is not legal.
    pub(crate) const ILLEGAL: Target = Target(u32::MAX);

    /// Chance decides by numbers from this one on.
    const CHANCE: u32 = 1 << 31;

    /// A position.
    pub(crate) const fn position(number: u32) -> Target {
        Target(number)
    }

    /// The node at which chance decides, or nonsense.
    #[inline(always)]
    pub(crate) const fn chance(self) -> usize {
        (self.0 & !Target::CHANCE) as usize
    }

    /// The number of the position, or nonsense.
    #[inline(always)]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(crate) const fn is_chance(self) -> bool {
        self.0 >= Target::CHANCE
    }
}

/// One draw of the game: so many outcomes, the first of them at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChanceNode {
    pub(crate) first: u32,
    pub(crate) outcomes: u32,
}

/// Rows of bytes, with room behind each, so that rows can be copied by whole words.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) bytes: Vec<u8>,
    /// Bytes of a row.
    pub(crate) width: usize,
    /// Bytes from one to the next: a power of two up to 64, or the width.
    pub(crate) stride: usize,
}

impl Rows {
    /// Wider rows have no room behind them.
    const WIDEST: usize = 64;

    /// Bytes from one row to the next, for rows of so many.
    pub(crate) fn stride(width: usize) -> usize {
        let whole = width.next_power_of_two().max(8);
        if whole > Rows::WIDEST { width } else { whole }
    }
}

/// More bytes than this are no small table.
const MOST_BYTES: usize = 32 << 20;

/// Bytes that all states may take while a game is explored.
const MOST_STATE_BYTES: usize = 64 << 20;

/// Draws in one transition, beyond which it is given up.
const MOST_DRAWS: usize = 64;

impl PositionTable {
    /// Explores a game breadth first, given any state of it; `None` where it is beyond the bounds,
    /// or seems to be.
    pub(crate) fn explore(
        state: Box<dyn AnyState>,
        numbers: &Numbers,
        mut bounds: Bounds,
    ) -> Option<PositionTable> {
        let states = MOST_STATE_BYTES / state.facts().state_bytes.max(1);
        bounds.positions = bounds.positions.min(states);
        let mut explorer = Explorer {
            now: CodedPosition::new(state, numbers),
            numbers,
            buffers: CodingBuffers::new(numbers),
            bounds,
            known: FxHashMap::default(),
            choices: Vec::new(),
            ends: Vec::new(),
            known_ends: FxHashMap::default(),
            chances: Vec::new(),
            outcomes: Vec::new(),
            transitions: 0,
        };
        let may_hold = bounds.may_hold(|rng, most| explorer.trail(rng, most));
        if may_hold { explorer.explore() } else { None }
    }

    /// The target of an action.
    #[inline(always)]
    pub(crate) fn successor(&self, position: u32, action: i32) -> Target {
        let column = (action as u32).min(self.columns - 1);
        self.successors[(position * self.columns + column) as usize]
    }

    /// Plays on from a position at random, as lists of its actions would.
    pub(crate) fn playout(&self, from: u32, mut rng: Rng, cap: u32) -> tally::End {
        let (mut now, mut plies) = (from, 0);
        while now < self.choices && plies < cap {
            let position = &self.positions[now as usize];
            let drawn = rng.below(position.legal);
            let mut target = self.successor(now, self.listed[(position.first + drawn) as usize]);
            while target.is_chance() {
                let node = self.chances[target.chance()];
                target = self.outcomes[(node.first + rng.below(node.outcomes)) as usize];
            }
            now = target.number();
            plies += 1;
        }
        tally::End { plies, ending: self.ending(now) }
    }

    /// The ending of playouts in a position; if a player chooses there, they are given up.
    fn ending(&self, position: u32) -> Ending {
        let ends = (self.positions.len() as u32 - 2 * self.choices) / 2;
        // The same ends later on have no scores.
        let is_later = position >= 2 * self.choices + ends;
        let end = &self.positions[(position - if is_later { ends } else { 0 }) as usize];
        if end.progress == Progress::Over as u8 {
            let scores = &self.scores[end.scores as usize..][..self.players];
            Ending::Over(Scores::new(scores.iter().copied()))
        } else {
            Ending::Capped
        }
    }

    /// The same position at the ply cap.
    #[inline(always)]
    pub(crate) const fn at_cap(&self, choice: u32) -> u32 {
        choice + self.choices
    }
}

/// The target of an action or a draw, before ends have numbers.
#[derive(Clone, Copy)]
enum Place {
    Choice(usize),
    End(usize),
    Chance(usize),
    Illegal,
}

/// The observation of an end.
#[derive(Clone, PartialEq, Eq, Hash)]
struct End {
    progress: u8,
    scores: Vec<i32>,
    planes: Vec<u8>,
}

/// The positions found so far, and the tables under construction.
struct Explorer<'e> {
    /// The position that is played on from.
    now: CodedPosition,
    numbers: &'e Numbers,
    buffers: CodingBuffers,
    bounds: Bounds,
    /// Positions in which somebody chooses, and their numbers by the hashes of their keys.
    choices: Vec<CodedPosition>,
    known: FxHashMap<u64, usize>,
    ends: Vec<End>,
    known_ends: FxHashMap<End, usize>,
    chances: Vec<ChanceNode>,
    outcomes: Vec<Place>,
    /// Counts outcomes of all actions.
    transitions: usize,
}

impl Explorer<'_> {
    /// Plays at random, and gives the hashes of the keys of so many positions at most.
    fn trail(&mut self, rng: &mut Rng, most: usize) -> Vec<u64> {
        let mut met = Vec::new();
        self.begin(rng);
        while met.len() < most && self.now.progress == Progress::Going {
            met.push(self.now.key_hash());
            let place = rng.below(self.now.codes.len() as u32) as usize;
            self.play(place, rng);
        }
        met
    }

    fn begin(&mut self, chance: &mut dyn Chance) {
        self.now.begin(self.numbers, chance, false, &mut self.buffers);
    }

    fn play(&mut self, place: usize, chance: &mut dyn Chance) {
        self.now.play(self.numbers, place, chance, false, &mut self.buffers);
    }

    /// The number of the position now, in which somebody chooses; a new one is kept.
    fn number(&mut self) -> usize {
        let mut hash = self.now.key_hash();
        // Another key may have the same hash, however rarely.
        while let Some(&number) = self.known.get(&hash) {
            if self.now.is_like(&self.choices[number]) {
                return number;
            }
            hash = mix(hash);
        }
        self.choices.push(self.now.clone());
        self.known.insert(hash, self.choices.len() - 1);
        self.choices.len() - 1
    }

    fn explore(mut self) -> Option<PositionTable> {
        let start = self.branch(None)?;
        // Whoever begins anew goes on.
        if !self.ends.is_empty() {
            return None;
        }
        let columns = self.numbers.encoding.actions.len() + 1;
        let mut successors = Vec::new();
        let mut explored = 0;
        while explored < self.choices.len() {
            let first = successors.len();
            successors.resize(first + columns, Place::Illegal);
            let codes = self.choices[explored].codes.clone();
            for (place, &code) in codes.iter().enumerate() {
                let leads = self.branch(Some((explored, place)))?;
                // The code is one of the encoding.
                let code = Some(code as usize).filter(|&code| code < columns - 1)?;
                if let illegal @ Place::Illegal = &mut successors[first + code] {
                    *illegal = leads;
                }
            }
            explored += 1;
            if size_of_val(&successors[..]) > MOST_BYTES {
                return None;
            }
        }
        self.tabulate(start, &successors)
    }

    /// Goes on in every way that chance can decide: from a position by the action of a place, or
    /// from before the start.
    fn branch(&mut self, from: Option<(usize, usize)>) -> Option<Place> {
        let mut script = Script::default();
        let mut leaves = Vec::new();
        loop {
            script.rewind();
            match from {
                Some((kept, place)) => {
                    self.now = self.choices[kept].clone();
                    self.play(place, &mut script);
                }
                None => self.begin(&mut script),
            }
            self.transitions += 1;
            if self.transitions > self.bounds.actions || script.asked().len() > MOST_DRAWS {
                return None;
            }
            leaves.push((script.asked().to_vec(), self.place()?));
            if !script.advance() {
                return Some(self.draws(&leaves, 0));
            }
        }
    }

    /// The draws of a transition from one of them on, given what they lead to in their order.
    fn draws(&mut self, leaves: &[(Vec<(u32, u32)>, Place)], depth: usize) -> Place {
        let Some(&(_, outcomes)) = leaves[0].0.get(depth) else { return leaves[0].1 };
        let same = |a: &(Vec<(u32, u32)>, Place), b: &(Vec<(u32, u32)>, Place)| {
            a.0[depth].0 == b.0[depth].0
        };
        let all: Vec<Place> =
            leaves.chunk_by(same).map(|leaves| self.draws(leaves, depth + 1)).collect();
        self.chances.push(ChanceNode { first: self.outcomes.len() as u32, outcomes });
        self.outcomes.extend(all);
        Place::Chance(self.chances.len() - 1)
    }

    /// The place of the position that was reached; `None` of one that stops all exploring.
    fn place(&mut self) -> Option<Place> {
        match self.now.progress {
            // A budget of the engine that runs out looks the same, and may suffice on other ways.
            Progress::Stuck => None,
            Progress::Going => {
                let place = self.number();
                (place < self.bounds.positions).then_some(Place::Choice(place))
            }
            Progress::Over | Progress::Capped | Progress::Uncoded => {
                let end = self.end();
                let next = self.ends.len();
                let place = *self.known_ends.entry(end.clone()).or_insert(next);
                if place == next {
                    self.ends.push(end);
                }
                Some(Place::End(place))
            }
        }
    }

    /// The observation of the end that was reached.
    fn end(&self) -> End {
        let progress = self.now.progress;
        let mut scores = vec![0; self.players()];
        if progress == Progress::Over {
            let all = self.now.state.scores();
            scores.iter_mut().zip(all.iter()).for_each(|(score, known)| *score = known);
        }
        End { progress: progress as u8, scores, planes: self.planes(&self.now) }
    }

    fn planes(&self, position: &CodedPosition) -> Vec<u8> {
        let mut planes = vec![0; self.numbers.encoding.plane_bytes()];
        position.write_planes(self.numbers, &mut planes);
        planes
    }

    fn players(&self) -> usize {
        self.now.state.facts().players.into()
    }

    /// The table of all that was found, given where its actions lead.
    fn tabulate(self, start: Place, successors: &[Place]) -> Option<PositionTable> {
        let (choices, ends) = (self.choices.len(), self.ends.len());
        let target = |place: &Place| match *place {
            Place::Choice(choice) => Target(choice as u32),
            Place::End(end) => Target((2 * choices + end) as u32),
            Place::Chance(node) => Target(Target::CHANCE | node as u32),
            Place::Illegal => Target::ILLEGAL,
        };
        let (actions, bytes) =
            (self.numbers.encoding.actions.len(), self.numbers.encoding.plane_bytes());
        let players = self.players();
        let (mut masks, mut planes) = (RowSet::new(actions), RowSet::new(bytes));
        let mut targets: Vec<Target> = successors.iter().map(target).collect();
        let (mut listed, mut scores) = (vec![-1], vec![0; players]);
        let mut positions = Vec::with_capacity(2 * (choices + ends));
        for choice in &self.choices {
            let codes = &choice.codes;
            let mut mask = vec![0; actions];
            write_mask(codes, &mut mask);
            positions.push(TabledPosition {
                first: listed.len() as u32,
                legal: codes.len() as u32,
                mask: masks.add(&mask),
                planes: planes.add(&self.planes(choice)),
                scores: 0,
                turn: choice.turn(),
                progress: Progress::Going as u8,
            });
            listed.extend(codes.iter().map(|&code| code as i32));
        }
        let (no_action, unseen) = (masks.add(&vec![0; actions]), planes.add(&vec![0; bytes]));
        let ended = |planes, scores, progress| TabledPosition {
            first: 0,
            legal: 0,
            mask: no_action,
            planes,
            scores,
            turn: -1,
            progress,
        };
        let stay = |number: usize| std::iter::repeat_n(Target(number as u32), actions + 1);
        for choice in 0..choices {
            let shown =
                if self.now.state.facts().hidden { unseen } else { positions[choice].planes };
            positions.push(ended(shown, 0, Progress::Capped as u8));
            targets.extend(stay(choices + choice));
        }
        for later in [false, true] {
            for (number, end) in self.ends.iter().enumerate() {
                let row = if later { 0 } else { scores.len() as u32 };
                if !later {
                    scores.extend(&end.scores);
                }
                let shown = planes.add(&end.planes);
                positions.push(ended(shown, row, end.progress));
                targets.extend(stay(2 * choices + ends + number));
            }
        }
        let (masks, planes) = (masks.rows, planes.rows);
        if masks.bytes.len() + planes.bytes.len() + size_of_val(&targets[..]) > MOST_BYTES {
            return None;
        }
        Some(PositionTable {
            start: target(&start),
            choices: choices as u32,
            positions: positions.into(),
            successors: targets.into(),
            columns: actions as u32 + 1,
            listed: listed.into(),
            outcomes: self.outcomes.iter().map(target).collect(),
            chances: self.chances.into(),
            masks,
            planes,
            players,
            scores: scores.into(),
            plies: self.bounds.plies,
        })
    }
}

/// Rows, each of which is kept once.
struct RowSet {
    rows: Rows,
    /// The first byte of each row that is stored.
    known: FxHashMap<Vec<u8>, u32>,
}

impl RowSet {
    fn new(width: usize) -> RowSet {
        let rows = Rows { bytes: Vec::new(), width, stride: Rows::stride(width) };
        RowSet { rows, known: FxHashMap::default() }
    }

    /// The first byte of a row, which is stored if it is new.
    fn add(&mut self, row: &[u8]) -> u32 {
        let Rows { bytes, stride, .. } = &mut self.rows;
        *self.known.entry(row.to_vec()).or_insert_with(|| {
            let first = bytes.len();
            bytes.extend(row);
            bytes.resize(first + *stride, 0);
            first as u32
        })
    }
}
