//! Running the instructions.

use play::{MAX_FORCED_PASSES, Rng};

use super::{Flat, Ins, MOST_TRIED, NO_CELL, Quick, REGISTERS, ROOM, Way};
use crate::bits::{Ranks, nth_bit};
use crate::description::{Piece, Var};
use crate::formula::{holds, value};

/// Alternatives that are open at a time, and changes to be taken back; more are left to the search.
const MOST_CHOICES: usize = 400;
const MOST_CHANGES: usize = 4000;
/// Jumps of one move of the keeper; more are left to the search.
const MOST_JUMPS: u32 = 20_000;
/// Moves of the keeper in a row.
const MOST_KEEPER_MOVES: u32 = crate::search::MOST_KEEPER_MOVES;

/// Why the machine has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The playout is over.
    Over,
    Capped,
    /// The keeper has made too many moves.
    Stuck,
    /// The search is to go on: from a layer, with somebody to move.
    Left {
        layer: u32,
        mover: u8,
    },
    /// Where a walk leads from the current cell is to be [`Machine::resume`]d with.
    Walk(u32),
    /// Whether a pattern holds at the current cell: some set or none.
    Pattern(u32),
}

/// How far a playout has come.
#[derive(Debug)]
pub(crate) struct Playout<'r> {
    pub(crate) rng: &'r mut Rng,
    pub(crate) plies: u32,
    /// Forced passes since the last ply.
    pub(crate) passes: u32,
    pub(crate) cap: u32,
}

impl<'r> Playout<'r> {
    pub(crate) fn new(rng: &'r mut Rng, cap: u32) -> Playout<'r> {
        Playout { rng, plies: 0, passes: 0, cap }
    }

    /// Counts a ply; false where the playout has had all that it may.
    #[inline(always)]
    pub(crate) fn ply(&mut self) -> bool {
        let more = self.plies != self.cap;
        self.plies += u32::from(more);
        self.passes = 0;
        more
    }

    /// Counts a forced pass; false where there have been too many.
    pub(crate) fn pass(&mut self) -> bool {
        self.passes += 1;
        self.passes <= MAX_FORCED_PASSES
    }
}

/// A change that can be taken back.
#[derive(Clone, Copy, Debug)]
enum Undo {
    Put(u8, Piece),
    Set(Var, i32),
}

/// Somewhere to go on from on failure.
#[derive(Clone, Copy, Debug)]
struct Choice {
    at: u32,
    /// Changes made before.
    changes: u32,
    cell: u8,
    /// Cells left, for [`Ins::Each`].
    set: u64,
}

/// A piece that is tried, what it has taken the place of, and where.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    piece: Piece,
    old: Piece,
    cell: u8,
}

/// Moves of a list that differ only in their last cell.
#[derive(Clone, Copy, Debug)]
struct Entry {
    set: u64,
    way: u32,
    /// Moves of this entry and all before it.
    upto: u32,
    /// What is put first.
    tried: [Tried; MOST_TRIED],
    count: u8,
}

/// A lone move that may be a pass, while the keeper moves after it.
#[derive(Clone, Copy, Debug)]
struct Lone {
    before: Flat,
    layer: u32,
    cell: u8,
    mover: u8,
    /// Whether it hands on the turn to another and does nothing else.
    may_pass: bool,
}

/// A position, and all that is needed to go on from it.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) flat: Flat,
    pub(crate) cell: u8,
    at: u32,
    set: u64,
    sum: u64,
    registers: [u64; REGISTERS],
    choices: Vec<Choice>,
    changes: Vec<Undo>,
    /// Where the player, or the keeper, to move began: the layer, who it is, and the cell.
    origin: (u32, u8, u8),
    keeper_moves: u32,
    jumps: u32,
    lone: Option<Box<Lone>>,
    waiting: bool,
    entries: Vec<Entry>,
    tried: [Tried; MOST_TRIED],
    /// How many are being tried.
    count: u8,
}

impl Machine {
    /// At a position, where a player is to move.
    pub(crate) fn new(flat: &Flat) -> Machine {
        Machine {
            flat: *flat,
            cell: 0,
            at: 0,
            set: 0,
            sum: 0,
            registers: [0; REGISTERS],
            choices: Vec::new(),
            changes: Vec::new(),
            origin: (0, 0, 0),
            keeper_moves: 0,
            jumps: 0,
            lone: None,
            waiting: false,
            entries: Vec::new(),
            tried: [Tried::default(); MOST_TRIED],
            count: 0,
        }
    }

    /// Goes on at an instruction.
    pub(crate) fn begin(&mut self, at: u32, cell: u8) {
        self.at = at;
        self.cell = cell;
        self.waiting = false;
    }

    /// Gives what was asked for.
    pub(crate) fn resume(&mut self, set: u64) {
        self.set = set;
    }

    fn take_back(&mut self, mark: usize) {
        for undo in self.changes.drain(mark..).rev() {
            match undo {
                Undo::Put(cell, old) => {
                    self.flat.put(cell, old);
                }
                Undo::Set(var, old) => self.flat.vars[usize::from(var) % ROOM] = old,
            }
        }
    }

    /// Leaves what is being done to the search, from where it began; or from where the player moved,
    /// if that may have been a pass.
    pub(crate) fn leave(&mut self) -> Event {
        self.take_back(0);
        let (layer, mover, cell) = self.origin;
        self.cell = cell;
        self.leave_at(layer, mover)
    }

    fn leave_at(&mut self, layer: u32, mover: u8) -> Event {
        self.choices.clear();
        self.changes.clear();
        if self.waiting
            && let Some(lone) = &self.lone
        {
            self.waiting = false;
            self.flat = lone.before;
            self.cell = lone.cell;
            return Event::Left { layer: lone.layer, mover: lone.mover };
        }
        Event::Left { layer, mover }
    }

    /// Counts a lone move that has been made, now that it is known who is to move: whether it was a
    /// pass. It was none where that is the keeper (0), which cannot go on.
    fn count_lone(&mut self, mover: u8, playout: &mut Playout<'_>) -> Option<Event> {
        self.waiting = false;
        let lone = self.lone.as_ref()?;
        let passed = lone.may_pass
            && mover != 0
            && lone.mover != mover
            && lone.before.sets == self.flat.sets
            && lone.before.vars == self.flat.vars;
        if passed {
            return (!playout.pass()).then_some(Event::Capped);
        }
        if !playout.ply() {
            return Some(Event::Capped);
        }
        playout.rng.below(1);
        None
    }

    /// Adds the moves of a way to the list.
    #[inline(always)]
    fn enter(&mut self, way: u32, set: u64) {
        if set != 0 {
            let upto = self.entries.last().map_or(0, |entry| entry.upto) + set.count_ones();
            let (tried, count) = (self.tried, self.count);
            self.entries.push(Entry { set, way, upto, tried, count });
        }
    }

    /// Notes that a move is alone.
    #[cold]
    fn note_lone(&mut self, hands_on: bool) {
        let (layer, mover, cell) = self.origin;
        let lone = Lone { before: self.flat, layer, cell, mover, may_pass: hands_on };
        match &mut self.lone {
            Some(old) => **old = lone,
            none => *none = Some(Box::new(lone)),
        }
        self.waiting = true;
    }
}

impl Quick {
    /// Runs to the end of the playout, or to where something else is needed.
    pub(crate) fn run(&self, machine: &mut Machine, playout: &mut Playout<'_>) -> Event {
        let m = machine;
        let (mut at, mut cell, mut set) = (m.at as usize, m.cell, m.set);
        macro_rules! stop {
            ($event:expr) => {{
                (m.at, m.cell, m.set) = (at as u32, cell, set);
                return $event;
            }};
        }
        // One of so many moves. A lone one is not drawn: whether it is a ply shows when it is made.
        macro_rules! draw {
            ($total:expr) => {
                match $total {
                    0 => stop!(Event::Over),
                    1 => 0,
                    total => {
                        if !playout.ply() {
                            stop!(Event::Capped);
                        }
                        playout.rng.below(total)
                    }
                }
            };
        }
        macro_rules! leave {
            () => {{
                return m.leave();
            }};
        }
        macro_rules! go {
            ($if:expr, $to:expr) => {
                if $if {
                    at = $to as usize;
                }
            };
        }
        macro_rules! fail {
            () => {{
                let Some(choice) = m.choices.pop() else {
                    m.take_back(0);
                    if m.waiting
                        && let Some(event) = m.count_lone(0, playout)
                    {
                        stop!(event);
                    }
                    stop!(Event::Over);
                };
                m.take_back(choice.changes as usize);
                (at, cell, set) = (choice.at as usize, choice.cell, choice.set);
                m.jumps += 1;
                if m.jumps > MOST_JUMPS {
                    leave!();
                }
            }};
        }
        macro_rules! choice {
            ($to:expr, $set:expr) => {{
                if m.choices.len() >= MOST_CHOICES {
                    leave!();
                }
                let changes = m.changes.len() as u32;
                m.choices.push(Choice { at: $to as u32, changes, cell, set: $set });
            }};
        }
        loop {
            let here = at;
            at += 1;
            match self.code[here] {
                Ins::Cell => set = 1 << (cell & 63),
                Ins::Const(cells) => set = cells,
                Ins::Everywhere(cells) => set = if set == 0 { 0 } else { cells },
                Ins::Within(cells) => set &= cells,
                Ins::On(cells) => set &= m.flat.cells(cells),
                Ins::ConstOn { piece, set: cells } => set = cells & m.flat.piece(piece),
                Ins::RowOn { piece, table } => {
                    let row = self.rows[table as usize][usize::from(cell & 63)];
                    set = row & m.flat.piece(piece);
                }
                Ins::ShiftOn { turn, piece, from } => {
                    set = (set & from).rotate_left(u32::from(turn) % 64) & m.flat.piece(piece);
                }
                Ins::LoadOn { register, piece } => {
                    set = m.registers[usize::from(register) % REGISTERS] & m.flat.piece(piece);
                }
                Ins::Row(table) => set = self.rows[table as usize][usize::from(cell & 63)],
                Ins::Shift { turn, from } => set = (set & from).rotate_left(u32::from(turn) % 64),
                Ins::NoSum => m.sum = 0,
                Ins::AddShift { turn, from } => {
                    m.sum |= (set & from).rotate_left(u32::from(turn) % 64);
                }
                Ins::AddPreimage { turn, cells, from } => {
                    m.sum |= m.flat.cells(cells).rotate_right(u32::from(turn) % 64) & from;
                }
                Ins::Sum => set = m.sum,
                Ins::WithinSum { negated } => set &= if negated { !m.sum } else { m.sum },
                Ins::Ahead { turn, cells, negated, from } => {
                    let leads = m.flat.cells(cells).rotate_right(u32::from(turn) % 64) & from;
                    set &= if negated { !leads } else { leads };
                }
                Ins::Fill { line, cells, test_first } => {
                    set = self.lines[line as usize].fill(set, m.flat.cells(cells), test_first);
                }
                Ins::Among { clauses, negated } => {
                    let clauses = &self.clauses[clauses as usize];
                    let [first, second] = clauses.cells().map(|cells| !m.flat.cells(cells));
                    let held = clauses.among(set, first, second);
                    set = if negated { set & !held } else { held };
                }
                Ins::Save(register) => m.registers[usize::from(register) % REGISTERS] = set,
                Ins::Load(register) => set = m.registers[usize::from(register) % REGISTERS],
                Ins::None(register) => m.registers[usize::from(register) % REGISTERS] = 0,
                Ins::Or(register) => m.registers[usize::from(register) % REGISTERS] |= set,
                Ins::ShiftOr { turn, register, from } => {
                    let to = (set & from).rotate_left(u32::from(turn) % 64);
                    m.registers[usize::from(register) % REGISTERS] |= to;
                }
                Ins::And(register) => set &= m.registers[usize::from(register) % REGISTERS],
                Ins::Without(register) => {
                    set = m.registers[usize::from(register) % REGISTERS] & !set;
                }
                Ins::Unless(register) => {
                    let none = m.registers[usize::from(register) % REGISTERS] == 0;
                    set = u64::from(none) << (cell & 63);
                }
                Ins::Skip(to) => at = to as usize,
                Ins::Jump(to) => {
                    at = to as usize;
                    m.jumps += 1;
                    if m.jumps > MOST_JUMPS {
                        leave!();
                    }
                }
                Ins::IfEmpty(to) => go!(set == 0, to),
                Ins::IfAny(to) => go!(set != 0, to),
                Ins::IfAnyOn { piece, to } => {
                    set &= m.flat.piece(piece);
                    go!(set != 0, to);
                }
                Ins::ToSingle(otherwise) => {
                    if set == 0 {
                        at = otherwise as usize;
                    } else if set.is_power_of_two() {
                        cell = set.trailing_zeros() as u8;
                    } else {
                        leave!();
                    }
                }
                Ins::Single => {
                    if set & set.wrapping_sub(1) != 0 {
                        leave!();
                    }
                    cell = set.trailing_zeros() as u8;
                }
                Ins::First => cell = set.trailing_zeros() as u8,
                Ins::Each => {
                    let rest = set & set.wrapping_sub(1);
                    if rest != 0 {
                        choice!(at - 1, rest);
                    }
                    cell = set.trailing_zeros() as u8;
                }
                Ins::Step { next, otherwise } => {
                    match self.next[next as usize][usize::from(cell & 63)] {
                        NO_CELL => at = otherwise as usize,
                        to => cell = to,
                    }
                }
                Ins::StepOn { next, cells, otherwise } => {
                    let to = self.next[next as usize][usize::from(cell & 63)];
                    if to != NO_CELL && m.flat.cells(cells) >> (to & 63) & 1 != 0 {
                        cell = to;
                    } else {
                        at = otherwise as usize;
                    }
                }
                Ins::IfOn { cells, otherwise } => {
                    go!(m.flat.cells(cells) >> (cell & 63) & 1 == 0, otherwise);
                }
                Ins::IfWithin { set, otherwise } => go!(set >> (cell & 63) & 1 == 0, otherwise),
                Ins::IfClause { clauses, negated, otherwise } => {
                    let clauses = &self.clauses[clauses as usize];
                    let [first, second] = clauses.cells().map(|cells| !m.flat.cells(cells));
                    go!(clauses.hold(cell, first, second) == negated, otherwise);
                }
                Ins::IfCompare { compare, otherwise } => {
                    go!(!holds(&self.compares[compare as usize], &m.flat), otherwise);
                }
                Ins::Enter(layer) => {
                    m.origin = (layer, 0, cell);
                    m.keeper_moves += 1;
                    m.jumps = 0;
                    m.choices.clear();
                    m.changes.clear();
                    if m.keeper_moves > MOST_KEEPER_MOVES {
                        if m.waiting
                            && let Some(event) = m.count_lone(0, playout)
                        {
                            stop!(event);
                        }
                        stop!(Event::Stuck);
                    }
                }
                Ins::Put(piece) => {
                    m.flat.put(cell, piece);
                }
                Ins::PutNoted(piece) => {
                    let old = m.flat.put(cell, piece);
                    m.changes.push(Undo::Put(cell, old));
                    if m.changes.len() > MOST_CHANGES {
                        leave!();
                    }
                }
                Ins::Set { var, value } => m.flat.vars[usize::from(var) % ROOM] = value,
                Ins::SetNoted { var, value } => {
                    let place = &mut m.flat.vars[usize::from(var) % ROOM];
                    m.changes.push(Undo::Set(var, std::mem::replace(place, value)));
                    if m.changes.len() > MOST_CHANGES {
                        leave!();
                    }
                }
                Ins::Assign { var, formula } => {
                    let (formula, bound) = &self.formulas[formula as usize];
                    match value(formula, &m.flat) {
                        Some(value) if (0..=*bound).contains(&value) => {
                            let place = &mut m.flat.vars[usize::from(var) % ROOM];
                            m.changes.push(Undo::Set(var, std::mem::replace(place, value)));
                            if m.changes.len() > MOST_CHANGES {
                                leave!();
                            }
                        }
                        _ => fail!(),
                    }
                }
                Ins::Choice(otherwise) => choice!(otherwise, 0),
                Ins::Fail => fail!(),
                Ins::Search => leave!(),
                Ins::Turn { layer, mover } => {
                    m.origin = (layer, mover, cell);
                    (m.keeper_moves, m.jumps) = (0, 0);
                    if m.waiting
                        && let Some(event) = m.count_lone(mover, playout)
                    {
                        stop!(event);
                    }
                }
                Ins::Draw { mover, to } => {
                    let ranks = Ranks::new(set);
                    match ranks.count() {
                        0 => stop!(Event::Over),
                        1 => {
                            m.note_lone(mover != m.origin.1);
                            cell = set.trailing_zeros() as u8;
                        }
                        count => {
                            if !playout.ply() {
                                stop!(Event::Capped);
                            }
                            cell = ranks.nth(playout.rng.below(count)) as u8;
                        }
                    }
                    at = to as usize;
                }
                Ins::Ply { player, mover, layer, next, to } => {
                    if m.waiting
                        && let Some(event) = m.count_lone(player, playout)
                    {
                        stop!(event);
                    }
                    let ranks = Ranks::new(set);
                    match ranks.count() {
                        0 => stop!(Event::Over),
                        1 => {
                            m.origin = (u32::from(layer), player, cell);
                            m.note_lone(mover != player);
                            cell = set.trailing_zeros() as u8;
                        }
                        count => {
                            if !playout.ply() {
                                stop!(Event::Capped);
                            }
                            cell = ranks.nth(playout.rng.below(count)) as u8;
                        }
                    }
                    m.origin = (u32::from(next), 0, cell);
                    (m.keeper_moves, m.jumps) = (1, 0);
                    m.choices.clear();
                    m.changes.clear();
                    at = to as usize;
                }
                Ins::DrawFrom { first, count } => {
                    let ways = &self.ways[first as usize..(first + count) as usize];
                    let register = |way: &Way| m.registers[usize::from(way.register) % REGISTERS];
                    let total = ways.iter().map(|way| register(way).count_ones()).sum();
                    let mut n = draw!(total);
                    let mut chosen = &ways[0];
                    for way in ways {
                        chosen = way;
                        let here = register(way).count_ones();
                        if n < here {
                            break;
                        }
                        n -= here;
                    }
                    let to = nth_bit(register(chosen), n) as u8;
                    if total == 1 {
                        m.note_lone(chosen.bare && chosen.mover != m.origin.1);
                    }
                    cell = to;
                    if let Some((piece, by)) = chosen.put {
                        m.flat.put(cell.wrapping_sub(by as u8), piece);
                    }
                    at = chosen.target as usize;
                }
                Ins::List => {
                    m.entries.clear();
                    m.count = 0;
                }
                Ins::Entry(way) => {
                    let register = self.ways[way as usize].register;
                    m.enter(way, m.registers[usize::from(register) % REGISTERS]);
                }
                Ins::Split { clauses, negated, from, way } => {
                    let clauses = &self.clauses[clauses as usize];
                    let [first, second] = clauses.cells().map(|cells| !m.flat.cells(cells));
                    let all = m.registers[usize::from(from) % REGISTERS];
                    let held = clauses.among(all, first, second);
                    let (ended, others) =
                        if negated { (all & !held, held) } else { (held, all & !held) };
                    m.enter(way, ended);
                    m.registers[usize::from(from) % REGISTERS] = others;
                }
                Ins::Next { register, otherwise } => {
                    let rest = &mut m.registers[usize::from(register) % REGISTERS];
                    if *rest == 0 {
                        at = otherwise as usize;
                    } else {
                        cell = rest.trailing_zeros() as u8;
                        *rest &= *rest - 1;
                    }
                }
                Ins::Try(piece) => {
                    let old = m.flat.put(cell, piece);
                    m.tried[usize::from(m.count) % MOST_TRIED] = Tried { piece, old, cell };
                    m.count += 1;
                }
                Ins::Untry(to) => {
                    at = to as usize;
                    m.count -= 1;
                    let last = m.tried[usize::from(m.count) % MOST_TRIED];
                    m.flat.put(last.cell, last.old);
                }
                Ins::DrawListed => {
                    let total = m.entries.last().map_or(0, |entry| entry.upto);
                    let n = draw!(total);
                    let chosen = m.entries.iter().position(|entry| n < entry.upto).unwrap_or(0);
                    let before = if chosen == 0 { 0 } else { m.entries[chosen - 1].upto };
                    let entry = m.entries[chosen];
                    let way = &self.ways[entry.way as usize];
                    if total == 1 {
                        let bare = entry.count == 0 && way.bare;
                        m.note_lone(bare && way.mover != m.origin.1);
                    }
                    for tried in &entry.tried[..usize::from(entry.count).min(MOST_TRIED)] {
                        m.flat.put(tried.cell, tried.piece);
                    }
                    cell = nth_bit(entry.set, n - before) as u8;
                    if let Some((piece, by)) = way.put {
                        m.flat.put(cell.wrapping_sub(by as u8), piece);
                    }
                    at = way.target as usize;
                }
                Ins::Leave { layer, mover } => {
                    m.cell = cell;
                    return m.leave_at(layer, mover);
                }
                Ins::Walk(walk) => stop!(Event::Walk(walk)),
                Ins::Pattern(pattern) => stop!(Event::Pattern(pattern)),
            }
        }
    }
}
