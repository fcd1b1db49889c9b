//! Giving moves: to the function `give`, which passes over them, gathers them, or has the machine
//! take them one by one; or, where all are gathered, straight into memory.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ANYWHERE, ENTRY, FRAME, GATHERED, GIVEN, MOST_ENTRIES, MOST_EXTRA, MOVES, Service, Slot,
    TARGETS, add, both, choose, int, service, set_slot, slot,
};
use super::code::{Consumer, Emitter};
use crate::ir::{Binder, Int, Iter, LeafKind, Parts, Source, SourceKind, Wrapper};

/// Where the rest of what is known of a move begins.
pub(super) const EXTRA: usize = 2;

/// How many moves it has.
pub(super) const COUNT: usize = 7;

/// Origins and destinations, which begin with 1, have ten bits each.
pub(super) const OF_FROM: i32 = 1 << 10;
pub(super) const OF_SOURCE: i32 = 1 << 20;
const MOST_SOURCES: usize = 1 << 11;

/// Stands for the origin of moves that go where they come from.
pub(super) const SAME: i32 = 1023;

/// Stand for the destination of moves to all sites of a set, from the first one on or from the last
/// one.
pub(super) const TARGETED: i32 = 1023;
pub(super) const DESCENDING: i32 = 1022;

/// Stands for the destination of moves to all sites of a set that come over one distance, which has
/// the place of the origin, and [`NO_DISTANCE`] more.
pub(super) const BEHIND: i32 = 1021;
pub(super) const NO_DISTANCE: i32 = 512;

/// Stands for the destination of moves to all sites of a set whose origins are in a row of
/// [`Parts::origins`], which has the place of the origin.
pub(super) const IN_ROW: i32 = 1020;

/// From here on, destinations stand for those of a set.
pub(super) const FIRST_OF_SETS: i32 = IN_ROW;

/// What an entry of moves that are gathered says of their ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// One move.
    One(i32, i32),
    /// From a site to each site of the set of the entry, from the last one on or from the first
    /// one; the origin is the destination where it is `None`.
    Targets { from: Option<i32>, descending: bool },
    /// To each site of the set of the entry, from where its place says.
    From(Origin),
}

/// Where each of the moves of an entry comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The first piece behind its destination at a multiple of a distance.
    Behind(i32),
    /// The site that a row of [`Parts::origins`] has for its destination.
    InRow(usize),
}

/// The source of an entry by its first number, in code.
pub(super) fn source_of(first: Expr) -> Expr {
    first.shifted_right(int(OF_SOURCE.trailing_zeros() as i32))
}

/// The source of an entry by its first number, and its ends.
pub(super) fn unpacked(first: i32) -> (usize, Ends) {
    let first = first as u32;
    let (source, from, to) = (first >> 20, (first >> 10 & 1023) as i32, (first & 1023) as i32);
    let ends = match to {
        TARGETED | DESCENDING => {
            let from = (from != SAME).then_some(from - 1);
            Ends::Targets { from, descending: to == DESCENDING }
        }
        BEHIND => Ends::From(Origin::Behind(from - NO_DISTANCE)),
        IN_ROW => Ends::From(Origin::InRow(from as usize)),
        to => Ends::One(from - 1, to - 1),
    };
    (source as usize, ends)
}

/// Whether all moves gathered are those of one entry, each going where it comes from; and if so
/// whether they descend.
pub(super) fn only_here(entries: &[Option<Expr>]) -> Option<bool> {
    match entries {
        [Some(Expr::Int(first))] => match unpacked(*first).1 {
            Ends::Targets { from: None, descending } => Some(descending),
            _ => None,
        },
        _ => None,
    }
}

/// Entries up to which each has its place.
const MOST_FIXED: usize = 12;

/// The first numbers of the entries of moves that are gathered, if there are several and few, and
/// always the same ones.
pub(super) fn fixed(entries: &[Option<Expr>]) -> Option<Box<[i32]>> {
    let known = entries.iter().map(|entry| match entry {
        Some(Expr::Int(first)) => Some(*first),
        _ => None,
    });
    (2..=MOST_FIXED).contains(&entries.len()).then(|| known.collect()).flatten()
}

/// Lets an entry have no moves.
pub(super) fn no_moves(entry: usize) -> Stmt {
    Stmt::Store(MOVES, int((entry * ENTRY + COUNT) as i32), int(0))
}

/// Where an entry is. What there is no room for overwrites others, and nobody reads them then.
fn place_of(entry: Local) -> Expr {
    const { assert!(MOST_ENTRIES.is_power_of_two()) };
    entry.get().and_bits(int(MOST_ENTRIES as i32 - 1))
}

/// The function that moves are given to.
const GIVE: FunctionId = FunctionId(0);

/// Writes the function that moves are given to: source, origin, destination, piece, and whether
/// more is known of it. 1 if no more are wanted.
pub(super) fn give() -> Function {
    let [source, from, to, piece, extra] = [0, 1, 2, 3, 4].map(Local);
    let at = Local(5);
    let bump = |at: Slot, by: i32| set_slot(at, add(slot(at), int(by)));
    let gathered = [source, from, to, piece]
        .into_iter()
        .zip(0..)
        .map(|(local, i)| Stmt::Store(GIVEN, add(at.get(), int(i)), local.get()));
    let mut gather = vec![Stmt::Set(at, slot(Slot::Gathered) * int(GATHERED as i32))];
    gather.extend(gathered);
    let copied = (0..MOST_EXTRA as i32).map(|i| {
        let known = FRAME.at(int(Slot::Extra as i32 + i));
        Stmt::Store(GIVEN, add(at.get(), int(4 + i)), known)
    });
    gather.push(Stmt::If(extra.get(), copied.collect(), Block::new()));
    gather.push(bump(Slot::Gathered, 1));
    gather.push(Stmt::If(
        slot(Slot::Gathered).at_least(int(super::arrays::MOST_GATHERED)),
        vec![Stmt::Return(Some(service(Service::Flush, Vec::new())))],
        vec![Stmt::Return(Some(int(0)))],
    ));
    let all = [source, from, to, piece].map(Local::get).to_vec();
    let elsewhere =
        both(slot(Slot::Wanted).differs(int(ANYWHERE)), slot(Slot::Wanted).differs(to.get()));
    let body = vec![
        bump(Slot::Given, 1),
        Stmt::If(
            slot(Slot::Skip).greater(int(0)),
            vec![bump(Slot::Skip, -1), Stmt::Return(Some(int(0)))],
            Block::new(),
        ),
        Stmt::If(slot(Slot::Gathers), gather, Block::new()),
        Stmt::If(elsewhere, vec![Stmt::Return(Some(int(0)))], Block::new()),
        Stmt::Return(Some(service(Service::Take, all))),
    ];
    Function {
        name: "give".into(),
        locals: vec![Type::Int; 6],
        params: 5,
        result: Some(Type::Int),
        body,
    }
}

impl Emitter<'_> {
    /// Gives a move.
    pub(super) fn give(&mut self, source: i32, from: Expr, to: Expr, piece: Expr) {
        self.give_with(source, [from, to, piece], &[]);
    }

    /// Gives a move of which more is known.
    pub(super) fn give_with(&mut self, source: i32, move_: [Expr; 3], extra: &[Expr]) {
        let [from, to, piece] = move_;
        match self.consumer {
            Consumer::Effect(_) => self.take_effect(source, [from, to, piece], extra),
            Consumer::Gather { .. } => {
                let shape = [from * int(OF_FROM), to].into_iter().fold(int(OF_FROM + 1), add);
                self.enter_moves(source, [shape, piece, int(1)], extra);
            }
            Consumer::Give => self.hand_on(source, [from, to, piece], extra),
            Consumer::Exists { .. } => self.found_one(),
            Consumer::Reaches { site, .. } => {
                self.when(to.equals(site.get()), Self::found_one);
            }
            Consumer::Destinations { sites, .. } => {
                self.push(Stmt::Set(sites, sites.get() | Expr::single(to)));
            }
        }
    }

    /// Gathers the moves of a source from a site to each of some sites, if there are any, or where
    /// no site is given, on each of them.
    pub(super) fn give_targets(
        &mut self,
        source: i32,
        from: Option<Expr>,
        targets: Expr,
        piece: Expr,
    ) {
        self.give_in_order(source, from, (targets, int(1)), piece);
    }

    /// As [`Emitter::give_targets`], from the first of the sites on or from the last one.
    pub(super) fn give_in_order(
        &mut self,
        source: i32,
        from: Option<Expr>,
        (targets, ascending): (Expr, Expr),
        piece: Expr,
    ) {
        let from = match from {
            Some(from) => add(from * int(OF_FROM), int(OF_FROM)),
            None => int(SAME * OF_FROM),
        };
        let shape = add(from, choose(ascending, int(TARGETED), int(DESCENDING)));
        self.give_set(source, shape, targets, piece);
    }

    /// Gathers the moves of a source to some sites, from the first piece behind each at a multiple
    /// of a distance.
    pub(super) fn give_behind(&mut self, source: i32, distance: i32, targets: Expr) {
        self.tables.reordered = true;
        let shape = int((distance + NO_DISTANCE) * OF_FROM + BEHIND);
        self.give_set(source, shape, targets, int(0));
    }

    /// Gathers the moves of a source to some sites, each from the site of a row.
    pub(super) fn give_from_row(&mut self, source: i32, row: Vec<i32>, targets: Expr) {
        self.tables.reordered = true;
        let number = (self.parts.origins.len() / row.len()) as i32;
        self.parts.origins.extend(row);
        self.give_set(source, int(number * OF_FROM + IN_ROW), targets, int(0));
    }

    fn give_set(&mut self, source: i32, shape: Expr, targets: Expr, piece: Expr) {
        let targets = self.keep(Type::Set, targets).get();
        match self.consumer {
            Consumer::Reaches { site, .. } => {
                self.when(targets.contains(site.get()), Self::found_one);
            }
            Consumer::Destinations { sites, .. } => {
                self.push(Stmt::Set(sites, sites.get() | targets));
            }
            Consumer::Gather { entry, .. } if !self.fixed => {
                self.when(!targets.clone().is_empty(), |code| {
                    code.push(Stmt::StoreSet(TARGETS, place_of(entry), targets.clone()));
                    code.enter_moves(source, [shape, piece, targets.len()], &[]);
                });
            }
            Consumer::Gather { .. } => {
                let place = int(self.entries.len() as i32);
                self.push(Stmt::StoreSet(TARGETS, place, targets.clone()));
                self.enter_moves(source, [shape, piece, targets.len()], &[]);
            }
            _ => self.when(!targets.is_empty(), Self::found_one),
        }
    }

    /// True if moves of a source can be gathered several at a time.
    pub(super) fn gathers_many(&self, source: i32) -> bool {
        if self.only_asks() {
            return true;
        }
        let source = &self.parts.sources[source as usize];
        let varies = |iter: &Iter| matches!(iter, Iter::To | Iter::Between);
        matches!(self.consumer, Consumer::Gather { .. }) && !source.gathered.iter().any(varies)
    }

    /// True if the moves are made for nothing but a question.
    fn only_asks(&self) -> bool {
        matches!(
            self.consumer,
            Consumer::Exists { .. } | Consumer::Reaches { .. } | Consumer::Destinations { .. }
        )
    }

    /// Writes an entry of moves that are gathered.
    fn enter_moves(&mut self, source: i32, [shape, piece, moves]: [Expr; 3], extra: &[Expr]) {
        let Consumer::Gather { entry, count } = self.consumer else { return };
        let of_source = &mut self.parts.sources[source as usize];
        of_source.piece |= piece != int(0);
        let gathered = of_source.gathered.clone();
        let place = if self.fixed { int(self.entries.len() as i32) } else { place_of(entry) };
        let first = self.keep_int(place * int(ENTRY as i32));
        let moves = self.keep_int(moves);
        let packed = add(shape, int(source.wrapping_mul(OF_SOURCE)));
        self.entries.push(Some(packed.clone()).filter(|_| self.loops == 0));
        let mut numbers = vec![(0, packed), (COUNT, moves.clone())];
        if piece != int(0) {
            numbers.push((1, piece));
        }
        let variables = gathered.into_iter().map(|iter| self.variable(iter));
        let extra = extra.iter().cloned().chain(variables).collect::<Vec<_>>();
        numbers.extend(extra.into_iter().enumerate().map(|(i, value)| (EXTRA + i, value)));
        for (place, number) in numbers {
            self.push(Stmt::Store(MOVES, add(first.clone(), int(place as i32)), number));
        }
        if !self.fixed {
            self.push(Stmt::Set(entry, add(entry.get(), int(1))));
        }
        self.push(Stmt::Set(count, add(count.get(), moves)));
    }

    /// Hands a move to the function `give`.
    fn hand_on(&mut self, source: i32, [from, to, piece]: [Expr; 3], extra: &[Expr]) {
        let gathered = self.parts.sources[source as usize].gathered.clone();
        let variables = gathered.into_iter().map(|iter| self.variable(iter));
        let extra: Vec<Expr> = extra.iter().cloned().chain(variables).collect();
        let known = int(i32::from(!extra.is_empty()));
        for (value, place) in extra.into_iter().zip(0..) {
            self.push(Stmt::Store(FRAME, int(Slot::Extra as i32 + place), value));
        }
        self.stop_if(Expr::Call(GIVE, vec![int(source), from, to, piece, known]));
    }

    /// The number of a generator whose moves code gives, with all that is around it here.
    pub(super) fn source(&mut self, kind: SourceKind) -> i32 {
        if self.only_asks() {
            return -1;
        }
        let wrappers = self.wrappers.clone();
        let binders = self.binders.clone();
        let mut gathered = Vec::new();
        // Whether the origin is the piece that is bound around, and whether `Between` matters.
        let [binds_from, to] = [Iter::From, Iter::To].map(|iter| kind.binds().contains(&iter));
        let from = binds_from && kind.origin() == Some(&Int::Iter(Iter::From));
        let between = match &kind {
            SourceKind::Hop(_) => true,
            SourceKind::Single(_) => false,
            SourceKind::Leaf(leaf) => match &leaf.kind {
                LeafKind::Slide(slide) => {
                    let effect = slide.apply.as_ref().is_some_and(|a| a.effect.is_some());
                    effect && self.game.needs_between
                }
                _ => false,
            },
        };
        let mut known = !binders.contains(&Binder::Other);
        for (at, binder) in binders.iter().enumerate() {
            match binder {
                Binder::Piece if from => {}
                Binder::Level | Binder::Top if from => gathered.push(Iter::Level),
                // What it was bound to is lost.
                Binder::Piece | Binder::Level | Binder::Top if binds_from => {
                    known &= !wrappers.iter().any(|w| w.asks_for(at));
                    if *binder != Binder::Piece {
                        gathered.push(Iter::Level);
                    }
                }
                Binder::Piece => gathered.push(Iter::From),
                Binder::Level | Binder::Top => gathered.extend([Iter::From, Iter::Level]),
                Binder::Direction => {
                    known &= to;
                    if !gathered.contains(&Iter::Between) {
                        gathered.push(Iter::Between);
                    }
                }
                Binder::Site => {
                    gathered.push(Iter::Site);
                    if !to {
                        gathered.push(Iter::To);
                    }
                }
                Binder::Value => gathered.push(Iter::Value),
                Binder::Dice => gathered.extend([Iter::Pips, Iter::Dice]),
                Binder::Player => gathered.push(Iter::Player),
                Binder::Other => {}
            }
        }
        if between && !gathered.contains(&Iter::Between) {
            gathered.push(Iter::Between);
        }
        let repeated = (1..gathered.len()).any(|i| gathered[..i].contains(&gathered[i]));
        known &= kind.numbers() + gathered.len() <= MOST_EXTRA && !repeated;
        if !known {
            gathered.clear();
        }
        known &= self.parts.sources.len() < MOST_SOURCES;
        // What is tested sees the turn of another player, too.
        let is_tested = wrappers.iter().any(|w| matches!(w, Wrapper::After { .. }));
        known &= !(is_tested && self.turn_of.is_some());
        let is_top = !self.game.stacking() || binders.contains(&Binder::Top);
        let component = self.piece.filter(|_| from && is_top);
        let source = Source {
            kind,
            wrappers,
            binders,
            parts: self.chosen.clone(),
            parts_of_round: self.chosen_in_round.clone(),
            gathered,
            component,
            turn_of: self.turn_of.clone(),
            piece: false,
            known,
        };
        Parts::add(&mut self.parts.sources, source)
    }

    /// A number that grows with every move given.
    pub(super) fn given(&self) -> Expr {
        match &self.consumer {
            Consumer::Give => slot(Slot::Given),
            Consumer::Gather { count, .. } => count.get(),
            Consumer::Exists { any, .. } | Consumer::Reaches { any, .. } => any.get(),
            Consumer::Destinations { sites, .. } => sites.get().len(),
            Consumer::Effect(waiting) => waiting.given.get(),
        }
    }
}
