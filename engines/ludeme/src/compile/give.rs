//! Giving moves: to the function `give`, which passes over them, gathers them, or has the machine take
//! them one by one; or, where all are gathered, straight into memory.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::code::{
    ANYWHERE, Code, FRAME, GATHERED, MOST_EXTRA, MOVES, Service, Sink, Slot, add, both, int, service,
    set_slot, slot,
};
use crate::ir::{Binder, Int, Iter, LeafKind, Parts, Place, Source, SourceKind};

/// The function that moves are given to.
const GIVE: FunctionId = FunctionId(0);

/// Writes the function that moves are given to: source, origin, destination, piece, and whether more is
/// known of it. 1 if no more are wanted.
pub(super) fn give() -> Function {
    let [source, from, to, piece, extra] = [0, 1, 2, 3, 4].map(Local);
    let at = Local(5);
    let bump = |at: Slot, by: i32| set_slot(at, add(slot(at), int(by)));
    let gathered = [source, from, to, piece]
        .into_iter()
        .zip(0..)
        .map(|(local, i)| Stmt::Store(MOVES, add(at.get(), int(i)), local.get()));
    let mut gather = vec![Stmt::Set(at, slot(Slot::Gathered) * int(GATHERED as i32))];
    gather.extend(gathered);
    let copied = (0..MOST_EXTRA as i32).map(|i| {
        let known = FRAME.at(int(Slot::Extra as i32 + i));
        Stmt::Store(MOVES, add(at.get(), int(4 + i)), known)
    });
    gather.push(Stmt::If(extra.get(), copied.collect(), Block::new()));
    gather.push(bump(Slot::Gathered, 1));
    gather.push(Stmt::If(
        slot(Slot::Gathered).at_least(int(super::MOST_GATHERED)),
        vec![Stmt::Return(Some(service(Service::Flush, Vec::new())))],
        vec![Stmt::Return(Some(int(0)))],
    ));
    let all = [source, from, to, piece].map(Local::get).to_vec();
    let elsewhere =
        both(slot(Slot::Wanted).differs(int(ANYWHERE)), slot(Slot::Wanted).differs(to.get()));
    let body = vec![
        bump(Slot::Given, 1),
        set_slot(Slot::LastSource, source.get()),
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

impl<const W: usize> Code<'_, W> {
    /// Gives a move.
    pub(super) fn give(&mut self, source: i32, from: Expr, to: Expr, piece: Expr) {
        let source_of = &self.parts.sources[source as usize];
        let gathered = source_of.gathered.clone();
        let first = source_of.kind.numbers();
        if let Sink::Effect(_) = self.sink {
            return self.take_effect(source, from, to, piece);
        }
        if let Sink::Gather(at) = self.sink {
            let mut numbers = vec![int(source), from, to, piece];
            numbers.extend((0..first as i32).map(|i| FRAME.at(int(Slot::Extra as i32 + i))));
            numbers.extend(gathered.into_iter().map(|iter| self.variable(iter)));
            for (number, place) in numbers.into_iter().zip(0..) {
                self.push(Stmt::Store(MOVES, add(at.get(), int(place)), number));
            }
            self.push(Stmt::Set(at, add(at.get(), int(GATHERED as i32))));
            let full = (super::MOST_GATHERED - 1) * GATHERED as i32;
            return self.stop_if(at.get().greater(int(full)));
        }
        let extra = first + gathered.len() > 0;
        for (iter, place) in gathered.into_iter().zip(first..) {
            let value = self.variable(iter);
            self.push(Stmt::Store(FRAME, int(Slot::Extra as i32 + place as i32), value));
        }
        let extra = int(i32::from(extra));
        self.stop_if(Expr::Call(GIVE, vec![int(source), from, to, piece, extra]));
    }

    /// The number of a generator whose moves code gives, with all that is around it here.
    pub(super) fn source(&mut self, kind: SourceKind) -> i32 {
        let wrappers = self.wrappers.clone();
        let binders = self.binders.clone();
        let mut gathered = Vec::new();
        // Whether the origin is the piece that is bound around, and whether `Between` matters.
        let (from, between) = match &kind {
            SourceKind::Hop(hop) => (hop.from == Int::Iter(Iter::From), true),
            SourceKind::Leaf(leaf) => match &leaf.kind {
                LeafKind::Jump { from, .. } => (*from == Int::Iter(Iter::From), false),
                LeafKind::Slide(slide) => {
                    let effect = slide.apply.as_ref().is_some_and(|a| a.effect.is_some());
                    (slide.from == Int::Iter(Iter::From), effect)
                }
                LeafKind::FromTo { from, .. } | LeafKind::Select { from, .. } => {
                    (**from == Place::Site(Int::Iter(Iter::From)), false)
                }
                _ => (false, false),
            },
        };
        let (binds_from, to) = kind.binds();
        let mut known = !binders.contains(&Binder::Other);
        for binder in &binders {
            match binder {
                Binder::Piece if from => {}
                Binder::Level if from => gathered.push(Iter::Level),
                // What it was bound to is lost.
                Binder::Piece | Binder::Level if binds_from => known = false,
                Binder::Piece => gathered.push(Iter::From),
                Binder::Level => gathered.extend([Iter::From, Iter::Level]),
                Binder::Direction => {
                    known &= to;
                    gathered.push(Iter::Between);
                }
                Binder::Site => {
                    gathered.push(Iter::Site);
                    if !to {
                        gathered.push(Iter::To);
                    }
                }
                Binder::Value => gathered.push(Iter::Value),
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
        Parts::add(&mut self.parts.sources, Source { kind, wrappers, binders, gathered, known })
    }

    /// A number that grows with every move given.
    pub(super) fn given(&self) -> Expr {
        match &self.sink {
            Sink::Give => slot(Slot::Given),
            Sink::Gather(at) => at.get(),
            Sink::Effect(waiting) => waiting.given.get(),
        }
    }
}
