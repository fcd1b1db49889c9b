//! Code that is being written: blocks, variables, and what is known of them.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{CELLS, FRAME, Service, Slot, add, both, choose, int, service};
use super::context::Context;
use super::tables::Tables;
use super::waiting::DeferredActions;
use crate::ir::{Binder, Bound, ITERS, Int, Iter, Parts, Wrapper};
use crate::meter;

/// Steps of work for a statement, all that becomes of it counted: it is checked, simplified, and
/// made machine code.
const OF_STATEMENT: u64 = 40;

/// A value of the rules in code: conditions and numbers that do not change while code runs, and who
/// moves.
type Known = Vec<(Expr, Local)>;

/// What becomes of the moves of generators.
pub(super) enum Consumer {
    /// They go to the function `give`.
    Give,
    /// They are gathered: in entries, the next one of this number, and so many moves.
    Gather { entry: Local, count: Local },
    /// The first one is enough: it sets a flag, and all loops but so many are left.
    Exists { any: Local, loops: u32 },
    /// As [`Consumer::Exists`], of those to a site.
    Reaches { any: Local, loops: u32, site: Local },
    /// Their destinations are added to a set; where a site is given, only that one matters.
    Destinations { sites: Local, wanted: Option<Local> },
    /// They are the actions of an effect.
    Effect(DeferredActions),
}

/// What code is being written for one function.
pub(super) struct Emitter<'g> {
    pub(super) game: &'g Context<'g>,
    pub(super) tables: &'g mut Tables,
    pub(super) parts: Parts,
    pub(super) locals: Vec<Type>,
    /// The blocks that are open, innermost last.
    blocks: Vec<Block>,
    /// What is worked out at the start of the function, and where that is kept.
    start: Block,
    known: Known,
    /// The variables of the rules, where they are variables of the code. Elsewhere they are in the
    /// frame, for those who go on with what is left bound.
    own: Option<[Local; ITERS]>,
    /// What the variables of the rules are known to be.
    pub(super) bound: [Option<Local>; ITERS],
    /// The component that stands on the site bound to `From`.
    pub(super) piece: Option<u16>,
    /// What moves have to go through before they are taken, outermost first.
    pub(super) wrappers: Vec<Wrapper>,
    /// How often variables are kept here.
    pub(super) saved: usize,
    /// What is bound around, outermost first.
    pub(super) binders: Vec<Binder>,
    /// The parts of choices that are being written, and how many choices there have been.
    pub(super) chosen: Vec<(u32, u32)>,
    pub(super) chosen_in_round: Vec<(u32, u32)>,
    pub(super) choices: u32,
    /// True if it makes a difference that there are moves which do not go where somebody wants.
    pub(super) counts: bool,
    /// The player whose turn it is meanwhile.
    pub(super) turn_of: Option<Int>,
    /// What becomes of the moves.
    pub(super) consumer: Consumer,
    /// True if generators are being written that are passed over where no destination of theirs
    /// matters.
    pub(super) passes_over: bool,
    /// True if something is bound there that would be missed.
    pub(super) misses: bool,
    /// Loops around what is being written.
    pub(super) loops: u32,
    /// Variables that hold sites of the game, nothing else.
    sites: Vec<Local>,
    /// True if variables may have been left bound.
    disturbed: bool,
    /// True if variables are read that nothing here has bound.
    pub(super) reads_variables: bool,
    /// True if the evaluator is asked for something.
    pub(super) asks: bool,
    /// True if it looks at what changes when a move begins: what is pending, and how many moves
    /// there were.
    pub(super) reads_begin: bool,
    /// True if it is asked whether a piece is threatened.
    pub(super) threatens: bool,
    /// What is done with what is found out of who has no move.
    pub(super) flags: Flags,
    /// True if it is asked whether the next player has a move.
    pub(super) looks_ahead: bool,
    /// True if moves are gathered of which only those that begin the longest turns count.
    pub(super) gathers_longest: bool,
    /// True if no moves of the turn have been looked for yet.
    pub(super) begins: bool,
    /// True if something is done before they are.
    pub(super) does_first: bool,
    /// True if something has no form in code where it must have one.
    pub(super) fails: bool,
    /// True if this is run in plies alone, where what is kept of pieces that have been added can be
    /// read.
    pub(super) in_ply: bool,
    /// Whether each entry of moves that are gathered has its place, moves or not.
    pub(super) fixed: bool,
    /// The first numbers of the entries of moves that are gathered, as they are written; `None` in
    /// loops.
    pub(super) entries: Vec<Option<Expr>>,
}

/// What is done with what is found out of who has no move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flags {
    /// The evaluator finds it out.
    Asked,
    /// It is kept, and nothing is bound.
    Kept,
    /// It is kept where [`Slot::KeepsFlags`] says so.
    IfKept,
}

impl<'g> Emitter<'g> {
    pub(super) fn new(game: &'g Context<'g>, tables: &'g mut Tables) -> Emitter<'g> {
        Emitter {
            game,
            tables,
            parts: Parts::default(),
            locals: Vec::new(),
            blocks: vec![Block::new()],
            start: Block::new(),
            known: Known::new(),
            own: None,
            bound: [None; ITERS],
            piece: None,
            wrappers: Vec::new(),
            saved: 0,
            binders: Vec::new(),
            chosen: Vec::new(),
            chosen_in_round: Vec::new(),
            choices: 0,
            counts: false,
            turn_of: None,
            consumer: Consumer::Give,
            passes_over: false,
            misses: false,
            loops: 0,
            sites: Vec::new(),
            disturbed: false,
            reads_variables: false,
            asks: false,
            reads_begin: false,
            threatens: false,
            flags: Flags::Asked,
            looks_ahead: false,
            gathers_longest: false,
            begins: false,
            does_first: false,
            fails: false,
            in_ply: false,
            fixed: false,
            entries: Vec::new(),
        }
    }

    /// As [`Emitter::new`], of a function that nobody asks what it leaves bound.
    pub(super) fn closed(
        game: &'g Context<'g>,
        tables: &'g mut Tables,
        params: usize,
    ) -> Emitter<'g> {
        let mut code = Emitter::new(game, tables);
        code.locals = vec![Type::Int; params];
        code.own = Some([(); ITERS].map(|()| code.local(Type::Int)));
        code
    }

    /// Asks the evaluator for a part of the rules.
    pub(super) fn ask(&mut self, of: Service, arguments: Vec<Expr>) -> Expr {
        self.asks = true;
        self.fails |= self.threatens || self.looks_ahead;
        if self.game.leaves_level {
            self.misses |= self.passes_over;
            self.disturb();
        }
        let Some(own) = self.own else { return service(of, arguments) };
        let value = self.local(Type::Int);
        let place = |iter: usize| int(iter as i32);
        let mut block = lend(&own);
        block.push(Stmt::Set(value, service(of, arguments)));
        let take = own.iter().enumerate().map(|(i, v)| Stmt::Set(*v, FRAME.at(place(i))));
        block.extend(take);
        Expr::After(block, Box::new(value.get()))
    }

    /// Writes what the variables of the rules are bound to where the function that is called next
    /// reads it.
    pub(super) fn lend_variables(&mut self) {
        self.reads_variables = true;
        self.own.as_ref().map(lend).into_iter().flatten().for_each(|stmt| self.push(stmt));
    }

    /// How many blocks are open.
    pub(super) fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Ends a function without parts of its own.
    pub(super) fn shared(mut self, name: &str, params: usize, result: Option<Type>) -> FunctionId {
        let body = self.body_written();
        let locals = std::mem::take(&mut self.locals);
        self.tables.function(Function { name: name.to_owned(), locals, params, result, body })
    }

    /// What has been written: the whole function.
    pub(super) fn finish(mut self) -> (Block, Vec<Type>, Parts) {
        (self.body_written(), self.locals, self.parts)
    }

    fn body_written(&mut self) -> Block {
        let mut body = std::mem::take(&mut self.start);
        body.append(&mut self.blocks.pop().unwrap_or_default());
        body
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.tables.written += 1;
        meter::work(OF_STATEMENT);
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
    }

    /// Writes a block of its own.
    pub(super) fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Block::new());
        write(self);
        self.blocks.pop().unwrap_or_default()
    }

    pub(super) fn local(&mut self, of: Type) -> Local {
        self.tables.written += 1;
        self.locals.push(of);
        Local(self.locals.len() as u32 - 1)
    }

    /// A variable with a value.
    pub(super) fn keep(&mut self, of: Type, value: Expr) -> Local {
        let local = self.local(of);
        self.push(Stmt::Set(local, value));
        local
    }

    /// A number as something that can be used more than once.
    pub(super) fn keep_int(&mut self, value: Expr) -> Expr {
        match value {
            Expr::Int(_) | Expr::Get(_) => value,
            value => self.keep(Type::Int, value).get(),
        }
    }

    /// A value that depends on nothing but the state and who moves: it is worked out once.
    pub(super) fn once(&mut self, of: Type, value: Expr) -> Expr {
        if matches!(value, Expr::Int(_) | Expr::Get(_) | Expr::NoSites) {
            return value;
        }
        if let Some((_, local)) = self.known.iter().find(|(known, _)| *known == value) {
            return (*local).get();
        }
        let local = self.local(of);
        self.start.push(Stmt::Set(local, value.clone()));
        self.known.push((value, local));
        local.get()
    }

    /// Takes variables to be what they are bound to, by the parameters of a move; what they are.
    pub(super) fn bind_to_params(&mut self, bound: [Bound; ITERS]) -> [Expr; ITERS] {
        let variables = bound.map(of_params);
        for (iter, value) in variables.iter().enumerate() {
            if let Expr::Get(local) = value {
                self.bound[iter] = Some(*local);
            }
        }
        variables
    }

    /// Takes a variable to hold a site of the game.
    pub(super) fn is_site(&mut self, site: &Expr) {
        if let Expr::Get(local) = site {
            self.sites.push(*local);
        }
    }

    /// A number of the state by site: one of so many, from a place on; 0 beyond the sites.
    pub(super) fn by_site(&self, at: usize, site: Expr, of_each: i32, offset: i32) -> Expr {
        let sites = self.game.layout.at.sites as i32;
        let index = |site: Expr| {
            let scaled = if of_each == 1 { site } else { site * int(of_each) };
            CELLS.at(add(scaled, int(at as i32 + offset)))
        };
        match &site {
            Expr::Int(number) if (0..sites).contains(number) => index(site),
            Expr::Int(_) => int(0),
            Expr::Get(local) if self.sites.contains(local) => index(site),
            Expr::Get(_) => {
                let real = both(site.clone().at_least(int(0)), site.clone().less(int(sites)));
                choose(real, index(site), int(0))
            }
            // Numbers of sites are kept before.
            _ => int(0),
        }
    }

    /// The component on a site.
    pub(super) fn what(&mut self, site: Expr) -> Expr {
        let site = self.keep_int(site);
        self.by_site(0, site, 1, 0)
    }

    /// The value of a variable of the rules.
    pub(super) fn variable(&mut self, iter: Iter) -> Expr {
        match self.bound[iter as usize] {
            Some(local) => local.get(),
            None => {
                self.reads_variables = true;
                match self.own {
                    // It may be bound to something else while its value is still in use.
                    Some(own) => self.keep(Type::Int, own[iter as usize].get()).get(),
                    None => FRAME.at(int(iter as i32)),
                }
            }
        }
    }

    /// Binds all variables where the function begins, if it matters: to values, or to what they are
    /// to be where consequences begin.
    pub(super) fn bind_all(&mut self, values: [Option<Expr>; ITERS]) {
        let needed = self.asks || self.reads_variables;
        let Some(own) = self.own.filter(|_| needed) else { return };
        let values = values.into_iter().zip(own).zip(0..).map(|((value, local), iter)| {
            let saved = FRAME.at(int(Slot::Saved as i32 + iter));
            Stmt::Set(local, value.unwrap_or(saved))
        });
        self.start.splice(0..0, values);
    }

    /// Binds all variables, but for who chooses, to nothing where the function begins.
    pub(super) fn bind_none(&mut self) {
        let chooser = FRAME.at(int(Iter::Chooser as i32));
        let unbound = |iter| if iter == Iter::Chooser { chooser.clone() } else { int(-1) };
        self.bind_all(Iter::ALL.map(|iter| Some(unbound(iter))));
    }

    /// Binds a variable of the rules.
    pub(super) fn bind(&mut self, iter: Iter, value: Expr) {
        self.bound[iter as usize] = match value {
            Expr::Get(local) => Some(local),
            _ => None,
        };
        self.push(match self.own {
            Some(own) => Stmt::Set(own[iter as usize], value),
            None => Stmt::Store(FRAME, int(iter as i32), value),
        });
        if iter == Iter::From {
            self.piece = None;
        }
    }

    /// Keeps what variables are bound to while others are; the values, for [`Emitter::restore`].
    pub(super) fn save<const N: usize>(&mut self, iters: [Iter; N]) -> [(Iter, Local); N] {
        iters.map(|iter| {
            let local = match self.variable(iter) {
                Expr::Get(local) => local,
                value => self.keep(Type::Int, value),
            };
            self.bound[iter as usize] = None;
            (iter, local)
        })
    }

    /// Binds variables again to what was kept of them.
    pub(super) fn restore(&mut self, saved: &[(Iter, Local)]) {
        for &(iter, local) in saved {
            self.bind(iter, local.get());
        }
    }

    /// Forgets what variables are bound to: something unknown may have bound them.
    pub(super) fn forget(&mut self) {
        self.bound = [None; ITERS];
        self.piece = None;
    }

    /// Ends the function if a number is not 0: no more moves are wanted.
    pub(super) fn stop_if(&mut self, stop: Expr) {
        self.push(Stmt::If(stop, vec![Stmt::Return(Some(int(1)))], Block::new()));
    }

    /// Writes statements that are only carried out if a number is not 0.
    pub(super) fn when(&mut self, condition: Expr, write: impl FnOnce(&mut Self)) {
        match condition {
            Expr::Int(0) => {}
            Expr::Int(_) => write(self),
            condition => {
                let before = (self.bound, self.piece);
                let then = self.block(write);
                self.meet(before);
                self.push(Stmt::If(condition, then, Block::new()));
            }
        }
    }

    /// A value in a place where it is not always asked for: what it needs is worked out there.
    pub(super) fn part(&mut self, write: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let before = (self.bound, self.piece);
        let mut value = int(0);
        let block = self.block(|code| value = write(code));
        self.meet(before);
        if block.is_empty() { value } else { Expr::After(block, Box::new(value)) }
    }

    /// Of what is known now, keeps what was known before as well.
    pub(super) fn meet(&mut self, before: ([Option<Local>; ITERS], Option<u16>)) {
        for (now, old) in self.bound.iter_mut().zip(before.0) {
            if *now != old {
                *now = None;
            }
        }
        if self.piece != before.1 {
            self.piece = None;
        }
    }

    /// Writes the body of a loop over a variable.
    fn body(&mut self, write: impl Fn(&mut Self, Local)) -> (Local, Block) {
        let local = self.local(Type::Int);
        let before = (self.bound, self.piece);
        let outside = std::mem::replace(&mut self.disturbed, false);
        self.loops += 1;
        let mut body = self.block(|code| write(code, local));
        if self.disturbed && before != ([None; ITERS], None) {
            // What one round leaves bound is bound when the next one begins.
            self.forget();
            body = self.block(|code| write(code, local));
        }
        if self.disturbed {
            self.forget();
        } else {
            (self.bound, self.piece) = before;
        }
        self.disturbed |= outside;
        self.loops -= 1;
        (local, body)
    }

    /// Writes code for the state as it is then: nothing that was worked out before is used in it.
    pub(super) fn scope(&mut self, write: impl FnOnce(&mut Self)) {
        let outside = (std::mem::take(&mut self.start), std::mem::take(&mut self.known));
        let body = self.block(write);
        let start = std::mem::replace(&mut self.start, outside.0);
        self.known = outside.1;
        start.into_iter().chain(body).for_each(|stmt| self.push(stmt));
    }

    /// A loop that goes on as long as a number is not 0.
    pub(super) fn while_loop(&mut self, goes_on: Expr, write: impl Fn(&mut Self)) {
        let (_, body) = self.body(|code, _| write(code));
        self.push(Stmt::While(goes_on, body));
    }

    /// A loop over the sites of a set.
    pub(super) fn for_each(&mut self, sites: Expr, write: impl Fn(&mut Self, Local)) {
        let (site, body) = self.body(write);
        self.push(Stmt::ForEach(site, sites, body));
    }

    /// A loop over numbers from one up to another, that excluded.
    pub(super) fn for_range(&mut self, from: Expr, to: Expr, write: impl Fn(&mut Self, Local)) {
        let (at, body) = self.body(write);
        self.push(Stmt::For(at, from, to, body));
    }

    /// Forgets what variables are bound to, since something unknown may have bound them for good.
    pub(super) fn disturb(&mut self) {
        self.disturbed = true;
        self.forget();
    }
}

/// What a variable is bound to, by the parameters of a move.
pub(super) fn of_params(bound: Bound) -> Expr {
    match bound {
        Bound::To(number) => int(number),
        Bound::Origin => Local(0).get(),
        Bound::Destination => Local(1).get(),
        Bound::Extra(place) => Local(3 + place as u32).get(),
    }
}

/// Puts variables of the rules where the evaluator and other functions read them.
fn lend(own: &[Local; ITERS]) -> Block {
    let stores = (0..).zip(own).map(|(i, variable)| Stmt::Store(FRAME, int(i), variable.get()));
    stores.collect()
}
