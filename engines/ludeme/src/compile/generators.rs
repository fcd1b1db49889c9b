//! Generators of moves as code.
//!
//! Code gives moves in the order in which the evaluator does. What it gives goes to the function
//! `give`, which passes over moves, gathers them, or has the machine take them one by one.

use kernel::ir::{Binary, Block, Compare as How, Expr, Function, FunctionId, Stmt, Type};

use super::bools::PerSite;
use super::code::{
    ANYWHERE, Code, FRAME, GATHERED, MOST_EXTRA, MOST_SAVED, MOVES, Service, Slot, add, binary,
    both, compare, equal, get, int, is_empty, load, not, service, set_slot, slot, state_set, table,
};
use super::parts::{Binder, OF_HOP, Parts, Source, SourceKind, Wrapper};
use super::tables::{Lists, Paths};
use crate::ir::{
    Bool, ByPiece, CompositeKind, Custodial, Hop, ITERS, Int, Iter, JumpId, Leaf, LeafKind, Moves,
    Piece, PieceMoves, Place, RayId, Slide,
};

/// The function that moves are given to.
const GIVE: FunctionId = FunctionId(0);

/// Writes the function that moves are given to: source, origin, destination, piece, and whether more is
/// known of it. 1 if no more are wanted.
pub(super) fn give() -> Function {
    let [source, from, to, piece, extra] = [0, 1, 2, 3, 4].map(kernel::ir::Local);
    let at = kernel::ir::Local(5);
    let bump = |at: Slot, by: i32| set_slot(at, add(slot(at), int(by)));
    let gathered = [source, from, to, piece]
        .into_iter()
        .zip(0..)
        .map(|(local, i)| Stmt::Store(MOVES, add(get(at), int(i)), get(local)));
    let mut gather =
        vec![Stmt::Set(at, binary(Binary::Mul, slot(Slot::Gathered), int(GATHERED as i32)))];
    gather.extend(gathered);
    let copied = (0..MOST_EXTRA as i32).map(|i| {
        let known = load(FRAME, int(Slot::Extra as i32 + i));
        Stmt::Store(MOVES, add(get(at), int(4 + i)), known)
    });
    gather.push(Stmt::If(get(extra), copied.collect(), Block::new()));
    gather.push(bump(Slot::Gathered, 1));
    gather.push(Stmt::If(
        compare(How::GreaterEqual, slot(Slot::Gathered), int(super::MOST_GATHERED)),
        vec![Stmt::Return(Some(service(Service::Flush, Vec::new())))],
        vec![Stmt::Return(Some(int(0)))],
    ));
    let all = [source, from, to, piece].map(get).to_vec();
    let elsewhere = both(
        compare(How::NotEqual, slot(Slot::Wanted), int(ANYWHERE)),
        compare(How::NotEqual, slot(Slot::Wanted), get(to)),
    );
    let body = vec![
        bump(Slot::Given, 1),
        set_slot(Slot::LastSource, get(source)),
        Stmt::If(
            compare(How::Greater, slot(Slot::Skip), int(0)),
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
    /// Gives the moves of a generator.
    pub(super) fn generate(&mut self, moves: &Moves) {
        match moves {
            Moves::None => {}
            Moves::Leaf(leaf) => self.leaf(leaf),
            Moves::All(list) => list.iter().for_each(|m| self.generate(m)),
            Moves::If(parts) => {
                let condition = self.bool(&parts.0);
                if let Expr::Int(value) = condition {
                    return self.generate(if value != 0 { &parts.1 } else { &parts.2 });
                }
                let before = (self.bound, self.piece);
                let then = self.block(|code| code.generate(&parts.1));
                self.meet(before);
                let now = (self.bound, self.piece);
                (self.bound, self.piece) = before;
                let otherwise = self.block(|code| code.generate(&parts.2));
                self.meet(now);
                self.push(Stmt::If(condition, then, otherwise));
            }
            Moves::Priority(list) => self.priority(list, moves),
            Moves::ForEachPiece { who, list } if self.knows_pieces(who.as_ref()) => {
                if !self.game.stacking() {
                    return self.for_each_piece(who.is_some(), list);
                }
                // Pieces that are gone and still listed are rare.
                let ghosts = slot(Slot::HasGhosts);
                let before = self.parts.moves.len();
                let rare = self.block(|code| code.asked_moves(moves));
                self.parts.of_ghosts += self.parts.moves.len() - before;
                let usual = self.block(|code| code.for_each_piece(who.is_some(), list));
                self.disturb();
                self.push(Stmt::If(ghosts, rare, usual));
            }
            Moves::ForEachSite { region, moves, otherwise } if **otherwise == Moves::None => {
                let sites = self.region(region);
                let saved = self.save([Iter::Site, Iter::To]);
                self.for_each(sites, |code, site| {
                    code.bind(Iter::Site, get(site));
                    code.bind(Iter::To, get(site));
                    code.around(Binder::Site, |code| code.generate(moves));
                });
                self.restore(&saved);
            }
            Moves::ForEachValue { values, moves } => {
                self.for_list(values, |code, value| {
                    code.with(Binder::Value, Iter::Value, value, moves);
                });
            }
            Moves::ForEachPlayer { players, moves } => {
                self.for_list(players, |code, player| {
                    code.with(Binder::Player, Iter::Player, player, moves);
                });
            }
            Moves::IfAfterwards(parts) if self.saved < MOST_SAVED => {
                let condition = self.parts.bools.len();
                self.parts.bools.push(parts.1.clone());
                let saved = self.saved;
                let kept = if self.gathers.is_some() { 0 } else { ITERS as i32 };
                for iter in 0..kept {
                    let place = Slot::Saved as i32 + (saved * ITERS) as i32 + iter;
                    self.push(Stmt::Store(FRAME, int(place), load(FRAME, int(iter))));
                }
                self.saved += 1;
                let binders = self.binders.len();
                self.wrappers.push(Wrapper::After { condition, saved, binders });
                self.generate(&parts.0);
                self.wrappers.pop();
                self.saved -= 1;
            }
            Moves::Custodial(custodial) => self.custodial(custodial),
            Moves::Composite(composite) => {
                let wraps = !composite.then.is_empty();
                match &composite.kind {
                    CompositeKind::Hop(_) | CompositeKind::Then(_) => {}
                    CompositeKind::ForEachDirection { facings, .. } if facings.is_empty() => {}
                    _ => return self.asked_moves(moves),
                }
                if wraps {
                    self.wrappers.push(Wrapper::Then(composite.then.clone()));
                }
                match &composite.kind {
                    CompositeKind::Hop(hop) => self.hop(hop),
                    CompositeKind::Then(moves) => self.generate(moves),
                    kind => self.for_each_direction(kind),
                }
                if wraps {
                    self.wrappers.pop();
                }
            }
            Moves::ForEachPiece { .. }
            | Moves::ForEachSite { .. }
            | Moves::IfAfterwards(_)
            | Moves::Compiled(_) => self.asked_moves(moves),
        }
    }

    /// Gives the moves of a generator that the evaluator runs.
    fn asked_moves(&mut self, moves: &Moves) {
        // What moves go through stays around the generator.
        let around =
            self.wrappers.iter().rev().fold(moves.clone(), |inner, wrapper| match wrapper {
                Wrapper::After { condition, .. } => {
                    Moves::IfAfterwards(Box::new((inner, self.parts.bools[*condition].clone())))
                }
                Wrapper::Then(then) => Moves::Composite(Box::new(crate::ir::Composite {
                    kind: CompositeKind::Then(inner),
                    then: then.clone(),
                })),
            });
        let number = Parts::add(&mut self.parts.moves, around);
        let counts = int(i32::from(self.counts));
        self.stop_if(service(Service::Generate, vec![int(number), counts]));
        self.disturb();
    }

    fn with(&mut self, binder: Binder, iter: Iter, value: Expr, moves: &Moves) {
        let saved = self.save([iter]);
        self.bind(iter, value);
        self.around(binder, |code| code.generate(moves));
        self.restore(&saved);
    }

    fn priority(&mut self, list: &[Moves], whole: &Moves) {
        let Some((last, others)) = list.split_last() else { return };
        if self.game.tests_moves {
            // Where moves are drawn before they are tested, it is not clear that a part has any.
            let number = Parts::add(&mut self.parts.moves, whole.clone());
            let first = self.keep(Type::Int, service(Service::First, vec![int(number)]));
            for (i, moves) in list.iter().enumerate() {
                let all = equal(get(first), int(-1));
                let meant = super::code::either(equal(get(first), int(i as i32)), all);
                self.when(meant, |code| code.generate(moves));
            }
            return;
        }
        // Whether the parts before have given any.
        let given = self.given();
        let given = self.keep(Type::Int, given);
        let counts = std::mem::replace(&mut self.counts, true);
        self.rest_of_priority(others, last, given);
        self.counts = counts;
    }

    /// A number that grows with every move given.
    fn given(&self) -> Expr {
        self.gathers.map_or(slot(Slot::Given), get)
    }

    fn rest_of_priority(&mut self, others: &[Moves], last: &Moves, given: kernel::ir::Local) {
        match others.split_first() {
            None => self.generate(last),
            Some((first, others)) => {
                self.generate(first);
                let none = equal(self.given(), get(given));
                self.when(none, |code| code.rest_of_priority(others, last, given));
            }
        }
    }

    /// Whether there is code for a `forEach Piece`.
    fn knows_pieces(&self, who: Option<&Int>) -> bool {
        let placed = self.game.chance && self.game.layout.ordered && !self.game.stacking();
        !placed && matches!(who, None | Some(Int::Mover))
    }

    fn for_each_piece(&mut self, own: bool, list: &[PieceMoves]) {
        let saved = self.save([Iter::From, Iter::Level]);
        for of_owner in list.chunk_by(|a, b| !own || a.owner == b.owner) {
            let owner = i32::from(of_owner[0].owner);
            let turn = if own { equal(slot(Slot::Mover), int(owner)) } else { int(1) };
            self.when(turn, |code| {
                for entry in of_owner {
                    code.of_component(entry);
                }
            });
        }
        self.restore(&saved);
    }

    fn of_component(&mut self, entry: &PieceMoves) {
        if entry.moves == Moves::None {
            return;
        }
        if self.game.stacking() {
            return self.in_stacks(entry);
        }
        let set = self.game.layout.piece_set[usize::from(entry.component)];
        let within = self.game.set(entry.within);
        let mut sites = state_set(int(i32::from(set)));
        if !self.game.everywhere.is_subset(&within) {
            let within = self.fixed(within);
            sites = super::code::combine(kernel::ir::Combine::And, sites, within);
        }
        if let Some(origins) = self.origins(&entry.moves, entry.component) {
            sites = super::code::combine(kernel::ir::Combine::And, sites, origins);
        }
        self.for_each(sites, |code, site| {
            code.is_site(&get(site));
            code.bind(Iter::From, get(site));
            code.bind(Iter::Level, int(0));
            code.piece = Some(entry.component);
            code.around(Binder::Piece, |code| code.generate(&entry.moves));
        });
    }

    /// Gives a move.
    fn give(&mut self, source: i32, from: Expr, to: Expr, piece: Expr) {
        let source_of = &self.parts.sources[source as usize];
        let gathered = source_of.gathered.clone();
        let first = match source_of.kind {
            SourceKind::Leaf(_) => 0,
            SourceKind::Hop(_) => OF_HOP,
        };
        if let Some(at) = self.gathers {
            let mut numbers = vec![int(source), from, to, piece];
            numbers.extend((0..first as i32).map(|i| load(FRAME, int(Slot::Extra as i32 + i))));
            numbers.extend(gathered.into_iter().map(|iter| self.iter(iter)));
            for (number, place) in numbers.into_iter().zip(0..) {
                self.push(Stmt::Store(MOVES, add(get(at), int(place)), number));
            }
            self.push(Stmt::Set(at, add(get(at), int(GATHERED as i32))));
            let full = (super::MOST_GATHERED - 1) * GATHERED as i32;
            return self.stop_if(compare(How::Greater, get(at), int(full)));
        }
        let extra = first + gathered.len() > 0;
        for (iter, place) in gathered.into_iter().zip(first..) {
            let value = self.iter(iter);
            self.push(Stmt::Store(FRAME, int(Slot::Extra as i32 + place as i32), value));
        }
        let extra = int(i32::from(extra));
        self.stop_if(Expr::Call(GIVE, vec![int(source), from, to, piece, extra]));
    }

    /// The pieces of a component in stacks, from the bottom up.
    fn in_stacks(&mut self, entry: &PieceMoves) {
        let at = self.game.layout.at;
        let within = self.game.set(entry.within);
        let within = self.fixed(within);
        let sites = if entry.top {
            state_set(int(i32::from(self.game.layout.piece_set[usize::from(entry.component)])))
        } else {
            self.occupied()
        };
        let sites = super::code::combine(kernel::ir::Combine::And, sites, within);
        self.for_each(sites, |code, site| {
            code.is_site(&get(site));
            let height = code.by_site(at.height, get(site), 1, 0);
            let height = code.keep_int(height);
            let ask = |code: &mut Self, level: Expr| {
                code.bind(Iter::From, get(site));
                code.bind(Iter::Level, level);
                code.piece = entry.top.then_some(entry.component);
                code.around(Binder::Level, |code| code.generate(&entry.moves));
            };
            if entry.top {
                return ask(code, binary(Binary::Sub, height, int(1)));
            }
            code.for_range(int(0), height.clone(), |code, level| {
                // Levels are linked from the top down.
                let top = code.by_site(at.top, get(site), 1, 0);
                let found = code.keep(Type::Int, top);
                let above =
                    binary(Binary::Sub, binary(Binary::Sub, height.clone(), get(level)), int(1));
                code.for_range(int(0), above, |code, _| {
                    let below = load(super::code::CELLS, add(get(found), int(1)));
                    code.push(Stmt::Set(found, below));
                });
                let what = load(super::code::CELLS, get(found));
                let is = equal(what, int(i32::from(entry.component)));
                code.when(is, |code| ask(code, get(level)));
            });
        });
    }

    /// Moves to the sites along some directions.
    fn for_each_direction(&mut self, kind: &CompositeKind) {
        let CompositeKind::ForEachDirection {
            from, rays, range, between, condition, moves, ..
        } = kind
        else {
            return;
        };
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        let (min, max) = (self.keep_int(min), self.keep_int(max));
        let origin = self.iter(Iter::From);
        let origin = self.keep_int(origin);
        let start = self.int(from);
        let start = self.keep_int(start);
        let there = match self.piece {
            Some(_) => int(1),
            None => self.is_occupied(origin.clone()),
        };
        let real = compare(How::GreaterEqual, start.clone(), int(0));
        self.when(both(there, real), |code| {
            let saved = code.save([Iter::To, Iter::Between]);
            for (meant, id) in code.by_piece(rays, &origin) {
                code.when(meant, |code| {
                    code.of_rays(&ByPiece::Same(id), &start, |code, paths, [_, _, first, end]| {
                        code.for_range(first.clone(), end, |code, at| {
                            let distance = add(binary(Binary::Sub, get(at), first.clone()), int(1));
                            let distance = code.keep_int(distance);
                            code.break_unless(compare(
                                How::LessEqual,
                                distance.clone(),
                                max.clone(),
                            ));
                            let to = code.site_on(paths, at);
                            let near = compare(How::Less, distance.clone(), min.clone());
                            if min != int(1) {
                                code.when(near.clone(), |code| {
                                    code.bind(Iter::Between, to.clone());
                                    let goes = between.as_ref().map_or(int(1), |b| code.bool(b));
                                    code.break_unless(goes);
                                });
                            }
                            code.bind(Iter::To, to);
                            let goes = condition.as_ref().map_or(int(1), |c| code.bool(c));
                            code.break_unless(goes);
                            let far = if min == int(1) { int(1) } else { not(near) };
                            code.when(far, |code| {
                                code.around(Binder::Direction, |code| code.generate(moves));
                            });
                        });
                    });
                });
            }
            code.restore(&saved);
        });
    }

    fn source(&mut self, kind: SourceKind) -> i32 {
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
        let first = if matches!(kind, SourceKind::Hop(_)) { OF_HOP } else { 0 };
        let repeated = (1..gathered.len()).any(|i| gathered[..i].contains(&gathered[i]));
        known &= first + gathered.len() <= MOST_EXTRA && !repeated;
        if !known {
            gathered.clear();
        }
        Parts::add(&mut self.parts.sources, Source { kind, wrappers, binders, gathered, known })
    }

    /// Writes code around which something is bound.
    fn around(&mut self, binder: Binder, write: impl FnOnce(&mut Self)) {
        self.binders.push(binder);
        write(self);
        self.binders.pop();
    }

    /// Whether a piece stands on a site.
    fn is_occupied(&mut self, site: Expr) -> Expr {
        let what = self.what(site);
        not(equal(what, int(0)))
    }

    /// Whether a table has the targets of each site in ascending order.
    fn ascends(&self, id: JumpId) -> bool {
        let jumps = self.game.jump(id);
        (0..jumps.sites()).all(|site| jumps.of(site).windows(2).all(|two| two[0] < two[1]))
    }

    /// Whether the site that somebody wants lies on a straight path from another one.
    fn reaches(&mut self, rays: &ByPiece<RayId>, from: &Expr) -> Expr {
        match self.by_piece(rays, from)[..] {
            [(_, id)] => {
                let reached = self.tables.reached(self.game, id);
                let reached = super::code::set_table(reached, from.clone());
                super::code::contains(reached, slot(Slot::Wanted))
            }
            _ => int(1),
        }
    }

    /// Writes code that gives moves to some sites, which need not be run if somebody wants another one.
    fn towards(&mut self, reached: impl FnOnce(&mut Self) -> Expr, write: impl FnOnce(&mut Self)) {
        if self.counts || self.gathers.is_some() {
            return write(self);
        }
        let reached = self.part(reached);
        let anywhere = equal(slot(Slot::Wanted), int(ANYWHERE));
        self.when(super::code::either(anywhere, reached), write);
    }

    /// Binds the origin of a move to a site, if it is one and its condition holds, and goes on. Where the
    /// condition fails, the origin stays bound.
    fn from_origin(
        &mut self,
        from: &Int,
        condition: Option<&Bool>,
        write: impl FnOnce(&mut Self, Expr),
    ) {
        if *from == Int::Iter(Iter::From) {
            let site = self.iter(Iter::From);
            let site = self.keep_int(site);
            let real = match self.piece {
                Some(_) => int(1),
                None => compare(How::GreaterEqual, site.clone(), int(0)),
            };
            self.when(real, |code| {
                let holds = condition.map_or(int(1), |c| code.bool(c));
                code.when(holds, |code| write(code, site));
            });
            return;
        }
        let site = self.int(from);
        let site = self.keep_int(site);
        self.when(compare(How::GreaterEqual, site.clone(), int(0)), |code| {
            let saved = code.save([Iter::From]);
            code.bind(Iter::From, site.clone());
            let holds = condition.map_or(int(1), |c| code.bool(c));
            let always = matches!(holds, Expr::Int(1));
            code.when(holds, |code| {
                write(code, site);
                code.restore(&saved);
            });
            if always {
                code.restore(&saved);
            } else {
                code.disturb();
            }
        });
    }

    /// Tables that depend on what stands on a site, each with the condition that it is meant.
    fn by_piece<T: Copy + PartialEq>(
        &mut self,
        tables: &ByPiece<T>,
        site: &Expr,
    ) -> Vec<(Expr, T)> {
        let here = matches!((site, self.bound[Iter::From as usize]),
            (Expr::Get(site), Some(from)) if *site == from);
        match tables {
            ByPiece::Same(table) => vec![(int(1), *table)],
            ByPiece::Each(_) if here && self.piece.is_some() => {
                let piece = self.piece.map_or(0, usize::from);
                tables.of(piece).into_iter().map(|table| (int(1), table)).collect()
            }
            ByPiece::Each(all) => {
                if all.windows(2).all(|two| two[0] == two[1]) {
                    return all.first().map(|&table| (int(1), table)).into_iter().collect();
                }
                let what = self.what(site.clone());
                let what = self.keep_int(what);
                let mut different: Vec<T> = Vec::new();
                for &table in all {
                    if !different.contains(&table) {
                        different.push(table);
                    }
                }
                let found = different.into_iter().map(|table| {
                    let pieces = (0..all.len()).filter(|&c| all[c] == table);
                    let is = pieces.map(|c| equal(what.clone(), int(c as i32)));
                    (is.reduce(super::code::either).unwrap_or(int(0)), table)
                });
                found.collect()
            }
        }
    }

    fn of_jumps(&mut self, jumps: &ByPiece<JumpId>, from: &Expr, write: impl Fn(&mut Self, Expr)) {
        for (meant, id) in self.by_piece(jumps, from) {
            let Lists { first, items } = self.tables.jumps(self.game, id);
            let end = table(first, add(from.clone(), int(1)));
            let start = table(first, from.clone());
            self.when(meant, |code| {
                code.for_range(start, end, |code, at| {
                    let to = code.keep_int(table(items, get(at)));
                    code.is_site(&to);
                    write(code, to);
                });
            });
        }
    }

    /// A site of a straight path.
    pub(super) fn site_on(&mut self, paths: Paths, at: kernel::ir::Local) -> Expr {
        let site = self.keep_int(table(paths.sites, get(at)));
        self.is_site(&site);
        site
    }

    /// A loop over straight paths: number of the path in the table, number among those of the site,
    /// where its sites begin and where they end.
    pub(super) fn of_rays(
        &mut self,
        rays: &ByPiece<RayId>,
        from: &Expr,
        write: impl Fn(&mut Self, Paths, [Expr; 4]),
    ) {
        for (meant, id) in self.by_piece(rays, from) {
            let paths = self.tables.rays(self.game, id);
            self.when(meant, |code| {
                let first = code.keep_int(table(paths.of_site, from.clone()));
                let end = table(paths.of_site, add(from.clone(), int(1)));
                code.for_range(first.clone(), end, |code, path| {
                    let number = binary(Binary::Sub, get(path), first.clone());
                    let start = code.keep_int(table(paths.of_path, get(path)));
                    let end = code.keep_int(table(paths.of_path, add(get(path), int(1))));
                    write(code, paths, [get(path), number, start, end]);
                });
            });
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let source = self.source(SourceKind::Leaf(leaf.clone()));
        match &leaf.kind {
            LeafKind::Add { pieces, to, condition, count, apply, .. } => {
                let count = self.int(count);
                let some = match count {
                    Expr::Int(count) => int(i32::from(count >= 1)),
                    count => compare(How::GreaterEqual, count, int(1)),
                };
                // The reference lists additions to a region twice where they have an effect.
                let effect = apply.as_ref().is_some_and(|a| a.effect.is_some());
                let region = matches!(**to, Place::Region(_));
                let times = if effect && self.game.composite && region { 2 } else { 1 };
                self.when(some, |code| {
                    for _ in 0..times {
                        code.placements(source, pieces, to, condition.as_ref());
                    }
                });
            }
            LeafKind::Jump { jumps, from, from_condition, condition, .. } => {
                self.from_origin(from, from_condition.as_ref(), |code, from| {
                    let condition = code.per_site(condition.as_ref(), Iter::To);
                    let saved = code.save([Iter::To]);
                    let tables = code.by_piece(jumps, &from);
                    let near = |code: &mut Self| match tables[..] {
                        [(_, id)] => {
                            let near = code.tables.near(code.game, id);
                            let near = super::code::set_table(near, from.clone());
                            super::code::contains(near, slot(Slot::Wanted))
                        }
                        _ => int(1),
                    };
                    let origins = code.piece.and_then(|piece| code.origins_of_leaf(leaf, piece));
                    let may = origins
                        .map_or(int(1), |origins| super::code::contains(origins, from.clone()));
                    code.when(may, |code| {
                        code.towards(near, |code| {
                            if let ([(_, id)], Some(sites)) = (&tables[..], &condition.sites)
                                && code.ascends(*id)
                            {
                                // In the order of the table, those alone that fit.
                                let near = code.tables.near(code.game, *id);
                                let near = super::code::set_table(near, from.clone());
                                let targets = super::code::combine(
                                    kernel::ir::Combine::And,
                                    near,
                                    sites.clone(),
                                );
                                code.for_each(targets, |code, to| {
                                    code.bind(Iter::To, get(to));
                                    code.give(source, from.clone(), get(to), int(0));
                                });
                                return;
                            }
                            code.of_jumps(jumps, &from, |code, to| {
                                let holds = code.holds(&condition, to.clone());
                                code.when(holds, |code| {
                                    code.give(source, from.clone(), to, int(0));
                                });
                            });
                        });
                    });
                    code.restore(&saved);
                });
            }
            LeafKind::Slide(slide) => self.slide(source, slide),
            LeafKind::FromTo { from, from_condition, to, condition, count, .. } => {
                let origins = self.place(from);
                let saved = self.save([Iter::From, Iter::To]);
                self.for_each(origins, |code, origin| {
                    let there = code.is_occupied(get(origin));
                    code.when(there, |code| {
                        code.bind(Iter::From, get(origin));
                        let holds = from_condition.as_ref().map_or(int(1), |c| code.bool(c));
                        code.when(holds, |code| {
                            // The number goes by the destination bound around.
                            let count = match count {
                                Some(count) if code.game.composite => {
                                    let count = code.int(count);
                                    let most = binary(Binary::Min, count, int(32767));
                                    code.keep_int(binary(Binary::Max, most, int(0)))
                                }
                                _ => int(0),
                            };
                            let condition = code.per_site(condition.as_ref(), Iter::To);
                            let targets = code.place(to);
                            code.for_each(targets, |code, target| {
                                let holds = code.holds(&condition, get(target));
                                let count = count.clone();
                                code.when(holds, |code| {
                                    code.give(source, get(origin), get(target), count);
                                });
                            });
                            // Destinations are looked for anew with only the origin bound.
                            code.restore(&saved[1..]);
                        });
                    });
                });
                self.restore(&saved);
            }
            LeafKind::Shoot { piece, from, rays, condition } => {
                let from = self.int(from);
                let from = self.keep_int(from);
                let component = self.component(piece);
                let component = self.keep_int(component);
                let saved = self.save([Iter::To]);
                let some = compare(How::Greater, component.clone(), int(0));
                let real = compare(How::GreaterEqual, from.clone(), int(0));
                self.when(both(real, some), |code| {
                    code.of_rays(
                        &ByPiece::Same(*rays),
                        &from,
                        |code, paths, [_, _, start, end]| {
                            code.for_range(start, end, |code, at| {
                                let to = code.site_on(paths, at);
                                code.bind(Iter::To, to.clone());
                                let free = match condition {
                                    Some(condition) => code.bool(condition),
                                    None => not(code.is_occupied(to.clone())),
                                };
                                code.break_unless(free);
                                code.give(source, to.clone(), to, component.clone());
                            });
                        },
                    );
                });
                self.restore(&saved);
            }
            LeafKind::Select { from, from_condition, to, condition, .. } => {
                self.selections(
                    source,
                    from,
                    from_condition.as_ref(),
                    to.as_deref(),
                    condition.as_ref(),
                );
            }
            LeafKind::Remove { place, .. } => {
                let sites = self.place(place);
                self.for_each(sites, |code, site| {
                    let there = code.is_occupied(get(site));
                    code.when(there, |code| code.give(source, get(site), get(site), int(0)));
                });
            }
            LeafKind::Promote { site, pieces } => {
                let site = self.int(site);
                let site = self.keep_int(site);
                self.when(compare(How::GreaterEqual, site.clone(), int(0)), |code| {
                    for piece in pieces {
                        let component = code.component(piece);
                        let component = code.keep_int(component);
                        let some = match component {
                            Expr::Int(c) => int(i32::from(c > 0)),
                            ref c => compare(How::Greater, c.clone(), int(0)),
                        };
                        let site = site.clone();
                        code.when(some, |code| code.give(source, site.clone(), site, component));
                    }
                });
            }
            LeafKind::Pass | LeafKind::SetScore { .. } => {
                self.give(source, int(-1), int(-1), int(0));
            }
            LeafKind::SetPending(Some(place)) => {
                let any = match &**place {
                    Place::Site(_) => int(1),
                    Place::Region(region) => {
                        let sites = self.region(region);
                        not(is_empty(sites))
                    }
                };
                self.when(any, |code| code.give(source, int(0), int(0), int(0)));
            }
            LeafKind::SetLayer { at, value, .. } => {
                let at = self.int(at);
                let at = self.keep_int(at);
                let real = compare(How::GreaterEqual, at.clone(), int(0));
                // What chance decides is asked for once, when the action is made.
                let some = if self.game.chance {
                    int(1)
                } else {
                    let value = self.in_part(value);
                    compare(How::GreaterEqual, value, int(0))
                };
                self.when(both(real, some), |code| code.give(source, at.clone(), at, int(0)));
            }
            LeafKind::Note(_)
            | LeafKind::Hide(_)
            | LeafKind::MoveAgain
            | LeafKind::SetVar { .. }
            | LeafKind::SetCounter(_)
            | LeafKind::SetPlayerValue { .. }
            | LeafKind::SetPending(None)
            | LeafKind::SetCount { .. }
            | LeafKind::Trigger(_)
            | LeafKind::Forget { .. } => self.give(source, int(0), int(0), int(0)),
            LeafKind::SetNextPlayer(_)
            | LeafKind::SwapPieces { .. }
            | LeafKind::Turn { .. }
            | LeafKind::Remember { .. } => {
                self.parts.sources.pop();
                self.asked_moves(&Moves::Leaf(Box::new(leaf.clone())));
            }
        }
    }

    fn break_unless(&mut self, goes_on: Expr) {
        if goes_on != int(1) {
            self.push(Stmt::If(not(goes_on), vec![Stmt::Break(1)], Block::new()));
        }
    }

    /// The component of a piece, or a number below 1 for none.
    fn component(&mut self, piece: &Piece) -> Expr {
        match piece {
            Piece::Fixed(component) => int(i32::from(*component)),
            Piece::Computed(number) => {
                let number = self.int(number);
                let number = self.keep_int(number);
                let known = self.is_below(number.clone(), self.game.layout.owner.len() as i32);
                super::code::choose(known, number, int(0))
            }
        }
    }

    fn placements(&mut self, source: i32, pieces: &[Piece], to: &Place, condition: Option<&Bool>) {
        let saved = self.save([Iter::To]);
        // On a single site only the first of several pieces can be placed.
        let pieces = match to {
            Place::Site(_) => &pieces[..pieces.len().min(1)],
            Place::Region(_) => pieces,
        };
        for piece in pieces {
            let component = self.component(piece);
            let component = self.keep_int(component);
            let some = match component {
                Expr::Int(c) => int(i32::from(c > 0)),
                ref c => compare(How::Greater, c.clone(), int(0)),
            };
            self.when(some, |code| {
                let mut sites = code.place(to);
                let real = code.game.everywhere;
                let real =
                    code.fixed(crate::set::Set::below(real.last().map_or(0, |last| last + 1)));
                sites = super::code::combine(kernel::ir::Combine::And, sites, real);
                let condition = code.per_site(condition, Iter::To);
                let known = condition.sites.clone();
                if let Some(known) = &known {
                    sites = super::code::combine(kernel::ir::Combine::And, sites, known.clone());
                }
                let sites = get(code.keep(Type::Set, sites));
                let each = code.block(|code| {
                    code.for_each(sites.clone(), |code, site| {
                        let holds = match &known {
                            Some(_) => {
                                code.bind(Iter::To, get(site));
                                int(1)
                            }
                            None => code.holds(&condition, get(site)),
                        };
                        let component = component.clone();
                        code.when(holds, |code| code.give(source, get(site), get(site), component));
                    });
                });
                let at_once = (known.is_some() || condition.is_always()) && code.gathers.is_none();
                if at_once {
                    // All of them may be passed over.
                    let number = code.keep_int(Expr::Len(Box::new(sites)));
                    let over = compare(How::GreaterEqual, slot(Slot::Skip), number.clone());
                    let pass = vec![
                        set_slot(Slot::Skip, binary(Binary::Sub, slot(Slot::Skip), number.clone())),
                        set_slot(Slot::Given, add(slot(Slot::Given), number.clone())),
                        set_slot(
                            Slot::LastSource,
                            super::code::choose(number, int(source), slot(Slot::LastSource)),
                        ),
                    ];
                    code.push(Stmt::If(over, pass, each));
                } else {
                    each.into_iter().for_each(|stmt| code.push(stmt));
                }
            });
            self.restore(&saved);
        }
    }

    fn selections(
        &mut self,
        source: i32,
        from: &Place,
        from_condition: Option<&Bool>,
        to: Option<&Place>,
        condition: Option<&Bool>,
    ) {
        let saved = self.save([Iter::From, Iter::To]);
        let origins = self.place(from);
        let real = self.fixed(crate::set::Set::below(self.game.world.sites()));
        let origins = super::code::combine(kernel::ir::Combine::And, origins, real);
        self.for_each(origins, |code, origin| {
            code.bind(Iter::From, get(origin));
            code.bind(Iter::To, get(origin));
            let holds = from_condition.map_or(int(1), |c| code.bool(c));
            code.when(holds, |code| match to {
                None => code.give(source, get(origin), get(origin), int(0)),
                Some(to) => {
                    let targets = code.place(to);
                    code.for_each(targets, |code, target| {
                        code.bind(Iter::To, get(target));
                        let holds = condition.map_or(int(1), |c| code.bool(c));
                        code.when(holds, |code| {
                            code.give(source, get(origin), get(target), int(0));
                        });
                    });
                }
            });
        });
        self.restore(&saved);
    }

    fn slide(&mut self, source: i32, slide: &Slide) {
        self.from_origin(&slide.from, slide.from_condition.as_ref(), |code, from| {
            let range = slide.range.as_ref().map(|(min, max)| {
                let (min, max) = (code.int(min), code.int(max));
                (code.keep_int(min), code.keep_int(max))
            });
            let stop = slide.stop.as_ref().map(|stop| code.per_site(Some(stop), Iter::To));
            let go = slide.go.as_ref().map(|go| code.per_site(Some(go), Iter::Between));
            let saved = code.save([Iter::To, Iter::Between]);
            let filter = slide.apply.as_ref().and_then(|a| a.condition.as_ref());
            let origins = code.piece.and_then(|piece| code.origins_of_slide(slide, piece));
            let may =
                origins.map_or(int(1), |origins| super::code::contains(origins, from.clone()));
            let reached = |code: &mut Self| code.reaches(&slide.rays, &from);
            code.when(may, |code| {
                code.towards(reached, |code| {
                    code.of_rays(&slide.rays, &from, |code, paths, [_, number, start, end]| {
                        let number = code.keep_int(number);
                        code.for_range(start.clone(), end, |code, at| {
                            let distance = add(binary(Binary::Sub, get(at), start.clone()), int(1));
                            let mut far_enough = int(1);
                            if let Some((min, max)) = &range {
                                let distance = code.keep_int(distance);
                                code.break_unless(compare(
                                    How::LessEqual,
                                    distance.clone(),
                                    max.clone(),
                                ));
                                far_enough = compare(How::GreaterEqual, distance, min.clone());
                            }
                            let to = code.site_on(paths, at);
                            code.bind(Iter::To, to.clone());
                            let give = |code: &mut Self| {
                                let holds = filter.map_or(int(1), |c| code.bool(c));
                                let (from, to, number) = (from.clone(), to.clone(), number.clone());
                                code.when(holds, |code| code.give(source, from, to, number));
                            };
                            // Asked on every site: some conditions leave something bound for later ones.
                            if let Some(stop) = &stop {
                                let stops = code.holds(stop, to.clone());
                                code.when(both(stops, far_enough.clone()), |code| {
                                    give(code);
                                    code.push(Stmt::Break(1));
                                });
                            }
                            code.bind(Iter::Between, to.clone());
                            let goes = match &go {
                                Some(go) => code.holds(go, to.clone()),
                                None => super::code::contains(
                                    state_set(int(crate::state::EMPTY as i32)),
                                    to.clone(),
                                ),
                            };
                            code.break_unless(goes);
                            code.when(far_enough, give);
                        });
                    });
                })
            });
            code.restore(&saved);
        });
    }

    fn custodial(&mut self, custodial: &Custodial) {
        let from = self.int(&custodial.from);
        let from = self.keep_int(from);
        let (min, max) = (self.int(&custodial.range.0), self.int(&custodial.range.1));
        let (min, max) = (self.keep_int(at_least(min)), self.keep_int(at_least(max)));
        let target = self.per_site(Some(&custodial.target), Iter::Between);
        let saved = self.save([Iter::Between, Iter::To]);
        self.when(compare(How::GreaterEqual, from.clone(), int(0)), |code| {
            code.of_rays(
                &ByPiece::Same(custodial.rays),
                &from,
                |code, paths, [_, _, start, end]| {
                    let run = code.keep(Type::Int, int(0));
                    let most = binary(Binary::Min, add(start.clone(), max.clone()), end.clone());
                    code.for_range(start.clone(), most, |code, at| {
                        let site = code.site_on(paths, at);
                        let holds = code.holds(&target, site);
                        code.break_unless(holds);
                        code.push(Stmt::Set(run, add(get(run), int(1))));
                    });
                    let some = both(
                        compare(How::Greater, get(run), int(0)),
                        compare(How::GreaterEqual, get(run), min.clone()),
                    );
                    code.when(some, |code| {
                        let behind = code.keep_int(add(start.clone(), get(run)));
                        let on = compare(How::Less, behind.clone(), end.clone());
                        let site = super::code::choose(on, table(paths.sites, behind), int(-1));
                        let site = code.keep_int(site);
                        let single = equal(max.clone(), int(1));
                        let lost = both(single, compare(How::Less, site.clone(), int(0)));
                        code.when(not(lost), |code| {
                            code.bind(Iter::To, site);
                            let friend = code.bool(&custodial.friend);
                            code.when(friend, |code| {
                                let last = add(start.clone(), get(run));
                                code.for_range(start.clone(), last, |code, at| {
                                    let site = code.site_on(paths, at);
                                    code.bind(Iter::Between, site);
                                    code.generate(&custodial.effect);
                                });
                            });
                        });
                    });
                },
            );
        });
        self.restore(&saved);
    }

    fn hop(&mut self, hop: &Hop) {
        let source = self.source(SourceKind::Hop(hop.clone()));
        let from = self.int(&hop.from);
        let from = self.keep_int(from);
        let here = hop.from == Int::Iter(Iter::From);
        let piece = self.piece.filter(|_| here);
        let real = match piece {
            Some(_) => int(1),
            None => compare(How::GreaterEqual, from.clone(), int(0)),
        };
        let origins = piece.and_then(|piece| self.origins_of_hop(hop, piece));
        let may = origins.map_or(int(1), |origins| super::code::contains(origins, from.clone()));
        self.when(both(real, may), |code| {
            let saved = code.save([Iter::To, Iter::Between]);
            let outer = (!here).then(|| code.save([Iter::From]));
            if !here {
                code.bind(Iter::From, from.clone());
            }
            let numbers = [&hop.before, &hop.after, &hop.range.0, &hop.range.1].map(|n| {
                let n = code.int(n);
                code.keep_int(n)
            });
            let holds = hop.from_condition.as_ref().map_or(int(1), |c| code.bool(c));
            code.when(holds, |code| code.hops(hop, source, from, numbers));
            outer.iter().for_each(|outer| code.restore(outer));
            code.restore(&saved);
        });
    }

    fn hops(&mut self, hop: &Hop, source: i32, from: Expr, [before, after, min, max]: [Expr; 4]) {
        let hurdle = self.per_site(Some(&hop.hurdle), Iter::Between);
        let go = self.per_site(Some(&hop.go), Iter::To);
        let none = match min {
            Expr::Int(min) => int(i32::from(min == 0)),
            ref min => equal(min.clone(), int(0)),
        };
        self.when(none, |code| {
            code.of_jumps(&hop.jumps, &from, |code, to| {
                code.bind(Iter::Between, int(-1));
                let holds = code.holds(&go, to.clone());
                code.when(holds, |code| {
                    code.push(set_slot(Slot::Extra, int(-1)));
                    code.give(source, from.clone(), to, int(0));
                });
            });
        });
        let capture = hop.apply.as_ref().and_then(|a| a.condition.as_ref());
        let least = match min {
            Expr::Int(min) => int(min.max(1)),
            min => binary(Binary::Max, min, int(1)),
        };
        let least = self.keep_int(least);
        let some = match max {
            Expr::Int(max) => int(i32::from(max > 0)),
            ref max => compare(How::Greater, max.clone(), int(0)),
        };
        let reached = |code: &mut Self| code.reaches(&hop.rays, &from);
        self.when(some, |code| {
            code.towards(reached, |code| {
                code.of_rays(&hop.rays, &from, |code, paths, [path, _, start, end]| {
                    let simple = [before == int(0), max == int(1), after == int(0)] == [true; 3];
                    if simple && capture.is_none() {
                        return code.short_hop(
                            source,
                            (&hurdle, &go),
                            &from,
                            paths,
                            [path, start, end],
                        );
                    }
                    // The first piece that can be jumped over.
                    let first = code.keep(Type::Int, int(-1));
                    code.for_range(start.clone(), end.clone(), |code, at| {
                        let site = code.site_on(paths, at);
                        let is_hurdle = code.holds(&hurdle, site.clone());
                        let found = vec![Stmt::Set(first, get(at)), Stmt::Break(1)];
                        code.push(Stmt::If(is_hurdle, found, Block::new()));
                        if before == int(0) {
                            code.push(Stmt::Break(1));
                            return;
                        }
                        let gone = add(binary(Binary::Sub, get(at), start.clone()), int(1));
                        let near = compare(How::LessEqual, gone, before.clone());
                        code.break_unless(near);
                        let free = code.holds(&go, site);
                        code.break_unless(free);
                    });
                    let found = compare(How::GreaterEqual, get(first), int(0));
                    code.when(found, |code| {
                        let length = code.keep(Type::Int, int(1));
                        if max != int(1) {
                            let most = add(get(first), max.clone());
                            let most = binary(Binary::Min, most, end.clone());
                            code.for_range(add(get(first), int(1)), most, |code, at| {
                                let site = code.site_on(paths, at);
                                let holds = code.holds(&hurdle, site);
                                code.break_unless(holds);
                                code.push(Stmt::Set(length, add(get(length), int(1))));
                            });
                        }
                        let past = add(get(length), int(1));
                        code.for_range(least.clone(), past, |code, over| {
                            let begin = code.keep_int(add(get(first), get(over)));
                            let reach = add(at_least(after.clone()), int(1));
                            let reach = add(begin.clone(), reach);
                            let last = binary(Binary::Min, reach, end.clone());
                            code.for_range(begin, last, |code, at| {
                                let to = code.site_on(paths, at);
                                let give = |code: &mut Self, captured: Expr| {
                                    let first = binary(Binary::Sub, get(first), start.clone());
                                    let numbers = [path.clone(), first, get(length), captured];
                                    for (number, place) in numbers.into_iter().zip(0..) {
                                        let place = int(Slot::Extra as i32 + place);
                                        code.push(Stmt::Store(FRAME, place, number));
                                    }
                                    code.give(source, from.clone(), to.clone(), int(0));
                                };
                                let free = code.holds(&go, to.clone());
                                code.when(not(free), |code| {
                                    if let Some(capture) = capture {
                                        let takes = code.bool(capture);
                                        code.when(takes, |code| give(code, int(0)));
                                    }
                                    code.push(Stmt::Break(1));
                                });
                                if capture.is_none() {
                                    give(code, get(over));
                                }
                            });
                        });
                    });
                });
            })
        });
    }

    /// A hop over the first site of a path onto the second.
    fn short_hop(
        &mut self,
        source: i32,
        (hurdle, go): (&PerSite<'_>, &PerSite<'_>),
        from: &Expr,
        paths: Paths,
        [path, start, end]: [Expr; 3],
    ) {
        let second = add(start.clone(), int(1));
        self.when(compare(How::Less, second.clone(), end), |code| {
            let over = code.keep_int(table(paths.sites, start));
            code.is_site(&over);
            let holds = code.holds(hurdle, over);
            code.when(holds, |code| {
                let to = code.keep_int(table(paths.sites, second));
                code.is_site(&to);
                let free = code.holds(go, to.clone());
                code.when(free, |code| {
                    for (number, place) in [path, int(0), int(1), int(1)].into_iter().zip(0..) {
                        code.push(Stmt::Store(FRAME, int(Slot::Extra as i32 + place), number));
                    }
                    code.give(source, from.clone(), to, int(0));
                });
            });
        });
    }
}

/// A number, or 0 if it is less.
fn at_least(n: Expr) -> Expr {
    match n {
        Expr::Int(n) => int(n.max(0)),
        n => binary(Binary::Max, n, int(0)),
    }
}
