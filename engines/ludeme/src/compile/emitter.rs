//! Code that is being written: blocks, variables, and what is known of them.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{CELLS, FRAME, Service, Slot, add, both, choose, int, service};
use super::context::Context;
use super::facts::FactSet;
use super::module::Module;
use super::waiting::DeferredActions;
use crate::ir::{Binder, Bool, Bound, ITERS, Int, Iter, Parts, Role, Wrapper};
use crate::meter;

/// Steps of work for a statement, all that becomes of it counted: it is checked, simplified, and
/// made machine code.
const OF_STATEMENT: u64 = 40;

/// What becomes of the moves of generators.
pub(super) enum Consumer {
    /// They go to the function `give`.
    Give,
    /// They are gathered in entries.
    Gather(Gathering),
    /// The first one is enough: it sets a flag, and all loops but so many are left.
    Exists { any: Local, loops: u32 },
    /// As [`Consumer::Exists`], of those to a site.
    Reaches { any: Local, loops: u32, site: Local },
    /// Their destinations are added to a set; where a site is given, only that one matters.
    Destinations { sites: Local, wanted: Option<Local> },
    /// They are the actions of an effect.
    Effect(DeferredActions),
}

/// Moves that are gathered in entries.
pub(super) struct Gathering {
    /// Number of the next entry, unless each has its place.
    pub(super) entry: Local,
    /// Number of moves so far.
    pub(super) count: Local,
    /// True if each entry has its place, with moves or without.
    pub(super) has_places: bool,
    /// True if only those moves count that begin the longest turns.
    pub(super) longest: bool,
    /// The first number of each entry, as they are written; `None` in loops.
    pub(super) entries: Vec<Option<Expr>>,
}

/// The function that is being written, and what is known at the place that has been reached.
/// Modules write the code of one sort of rules each, by functions over it.
pub(super) struct Emitter<'g> {
    pub(super) game: &'g Context<'g>,
    pub(super) module: &'g mut Module,
    /// Parts of the rules that the evaluator is asked for.
    pub(super) parts: Parts,
    body: Body,
    pub(super) bindings: Bindings,
    pub(super) scope: Scope,
    pub(super) consumer: Consumer,
    pub(super) premise: Premise,
    pub(super) found: FactSet<Finding>,
}

/// The statements and variables of a function.
#[derive(Default)]
struct Body {
    locals: Vec<Type>,
    /// The blocks that are open, innermost last.
    blocks: Vec<Block>,
    /// Statements at the start of the function, which work values out once.
    start: Block,
    /// Values that have been worked out there: they rest on the state and on who moves.
    once: Vec<(Expr, Local)>,
    /// The variables of the rules, in a function that nobody asks what it leaves bound. Elsewhere
    /// they are in the frame, for those who go on with them.
    variables: Option<[Local; ITERS]>,
    /// Variables that hold sites of the game, nothing else.
    sites: Vec<Local>,
}

/// What is known of the variables of the rules at a place in code.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Bindings {
    /// The variables of the code that hold the same.
    pub(super) bound: [Option<Local>; ITERS],
    /// The component that stands on the site bound to `From`.
    pub(super) piece: Option<u16>,
}

/// The rules around the node whose code is being written.
#[derive(Default)]
pub(super) struct Scope {
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
    /// The player whose turn it is meanwhile.
    pub(super) turn_of: Option<Int>,
    /// Number of loops.
    pub(super) loops: u32,
    /// What is done with the answer to the question who has no move.
    pub(super) flags: Flags,
    /// True if no moves of the turn have been looked for yet.
    pub(super) begins: bool,
    /// True if the number of moves matters, also of those that do not go where somebody wants.
    pub(super) counts: bool,
    /// True if this code is passed over when none of its destinations matters.
    pub(super) passes_over: bool,
}

/// What is taken for granted in a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Premise {
    Nothing,
    /// No piece is threatened: the function says whether one is.
    Unthreatened,
    /// The next player can move: the function says whether that is so.
    NextCanMove,
    /// A ply is being played, where what is kept of pieces that have been added can be read.
    InPly,
}

impl Premise {
    /// True if it may decide what must hold after a move.
    pub(super) fn is_about_moves(self) -> bool {
        matches!(self, Premise::Unthreatened | Premise::NextCanMove)
    }

    /// The value of a condition, if the premise is enough to know it.
    pub(super) fn value(self, condition: &Bool) -> Option<bool> {
        let denied = |part: &Bool| match (self, part) {
            (Premise::Unthreatened, Bool::IsThreatened(_)) => Some(false),
            // Who looks ahead does not look further.
            (Premise::NextCanMove, Bool::NoMoves(Role::Next)) => Some(false),
            _ => None,
        };
        condition.value(&denied)
    }
}

/// Something that turns out while code is written.
#[derive(Clone, Copy)]
pub(super) enum Finding {
    /// The evaluator is asked for something.
    AsksEvaluator,
    /// Variables are read that nothing here has bound.
    ReadsVariables,
    /// What changes when a move begins is read: what is pending, the number of moves, passes.
    ReadsStartOfMove,
    /// Something is done before moves are looked for.
    DoesFirst,
    /// Something has no form in code where it must have one.
    HasNoForm,
    /// Variables may stay bound in another way than at the start.
    Rebinds,
    /// Variables stay bound in code that may be passed over.
    RebindsInPassing,
}

impl From<Finding> for u8 {
    fn from(of: Finding) -> u8 {
        of as u8
    }
}

/// What is done with the answer to the question who has no move.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Flags {
    /// The evaluator finds it out.
    #[default]
    Asked,
    /// It is kept, and nothing is bound.
    Kept,
    /// It is kept where [`Slot::KeepsFlags`] says so.
    IfKept,
}

impl<'g> Emitter<'g> {
    pub(super) fn new(game: &'g Context<'g>, module: &'g mut Module) -> Emitter<'g> {
        Emitter {
            game,
            module,
            parts: Parts::default(),
            body: Body { blocks: vec![Block::new()], ..Body::default() },
            bindings: Bindings::default(),
            scope: Scope::default(),
            consumer: Consumer::Give,
            premise: Premise::Nothing,
            found: FactSet::default(),
        }
    }

    /// As [`Emitter::new`], of a function that nobody asks what it leaves bound.
    pub(super) fn closed(
        game: &'g Context<'g>,
        module: &'g mut Module,
        params: usize,
    ) -> Emitter<'g> {
        let mut code = Emitter::new(game, module);
        code.body.locals = vec![Type::Int; params];
        code.body.variables = Some([(); ITERS].map(|()| code.local(Type::Int)));
        code
    }

    /// Asks the evaluator for a part of the rules.
    pub(super) fn ask(&mut self, of: Service, arguments: Vec<Expr>) -> Expr {
        self.found.add(Finding::AsksEvaluator);
        self.found.add_if(self.premise.is_about_moves(), Finding::HasNoForm);
        if self.game.leaves_level {
            self.found.add_if(self.scope.passes_over, Finding::RebindsInPassing);
            self.disturb();
        }
        let Some(own) = self.body.variables else { return service(of, arguments) };
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
        self.found.add(Finding::ReadsVariables);
        self.body
            .variables
            .as_ref()
            .map(lend)
            .into_iter()
            .flatten()
            .for_each(|stmt| self.push(stmt));
    }

    /// How many blocks are open.
    pub(super) fn depth(&self) -> usize {
        self.body.blocks.len()
    }

    /// Ends a function without parts of its own.
    pub(super) fn shared(mut self, name: &str, params: usize, result: Option<Type>) -> FunctionId {
        let body = self.body_written();
        let locals = std::mem::take(&mut self.body.locals);
        self.module.function(Function { name: name.to_owned(), locals, params, result, body })
    }

    /// What has been written: the whole function.
    pub(super) fn finish(mut self) -> (Block, Vec<Type>, Parts) {
        (self.body_written(), self.body.locals, self.parts)
    }

    fn body_written(&mut self) -> Block {
        let mut body = std::mem::take(&mut self.body.start);
        body.append(&mut self.body.blocks.pop().unwrap_or_default());
        body
    }

    pub(super) fn push(&mut self, stmt: Stmt) {
        self.module.written += 1;
        meter::work(OF_STATEMENT);
        if let Some(block) = self.body.blocks.last_mut() {
            block.push(stmt);
        }
    }

    /// Writes a block of its own. There are hundreds of copies of this function, so it is short.
    pub(super) fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        self.open_block();
        write(self);
        self.close_block()
    }

    fn open_block(&mut self) {
        self.body.blocks.push(Block::new());
    }

    fn close_block(&mut self) -> Block {
        self.body.blocks.pop().unwrap_or_default()
    }

    pub(super) fn local(&mut self, of: Type) -> Local {
        self.module.written += 1;
        self.body.locals.push(of);
        Local(self.body.locals.len() as u32 - 1)
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
        if let Some((_, local)) = self.body.once.iter().find(|(known, _)| *known == value) {
            return (*local).get();
        }
        let local = self.local(of);
        self.body.start.push(Stmt::Set(local, value.clone()));
        self.body.once.push((value, local));
        local.get()
    }

    /// Takes variables to be what they are bound to, by the parameters of a move; what they are.
    pub(super) fn bind_to_params(&mut self, bound: [Bound; ITERS]) -> [Expr; ITERS] {
        let variables = bound.map(of_params);
        for (iter, value) in variables.iter().enumerate() {
            if let Expr::Get(local) = value {
                self.bindings.bound[iter] = Some(*local);
            }
        }
        variables
    }

    /// Takes a variable to hold a site of the game.
    pub(super) fn is_site(&mut self, site: &Expr) {
        if let Expr::Get(local) = site {
            self.body.sites.push(*local);
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
            Expr::Get(local) if self.body.sites.contains(local) => index(site),
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
        match self.bindings.bound[iter as usize] {
            Some(local) => local.get(),
            None => {
                self.found.add(Finding::ReadsVariables);
                match self.body.variables {
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
        let needed =
            self.found.has(Finding::AsksEvaluator) || self.found.has(Finding::ReadsVariables);
        let Some(own) = self.body.variables.filter(|_| needed) else { return };
        let values = values.into_iter().zip(own).zip(0..).map(|((value, local), iter)| {
            let saved = FRAME.at(int(Slot::Saved as i32 + iter));
            Stmt::Set(local, value.unwrap_or(saved))
        });
        self.body.start.splice(0..0, values);
    }

    /// Binds all variables, but for who chooses, to nothing where the function begins.
    pub(super) fn bind_none(&mut self) {
        let chooser = FRAME.at(int(Iter::Chooser as i32));
        let unbound = |iter| if iter == Iter::Chooser { chooser.clone() } else { int(-1) };
        self.bind_all(Iter::ALL.map(|iter| Some(unbound(iter))));
    }

    /// Binds a variable of the rules.
    pub(super) fn bind(&mut self, iter: Iter, value: Expr) {
        self.bindings.bound[iter as usize] = match value {
            Expr::Get(local) => Some(local),
            _ => None,
        };
        self.push(match self.body.variables {
            Some(own) => Stmt::Set(own[iter as usize], value),
            None => Stmt::Store(FRAME, int(iter as i32), value),
        });
        if iter == Iter::From {
            self.bindings.piece = None;
        }
    }

    /// Keeps what variables are bound to while others are; the values, for [`Emitter::restore`].
    pub(super) fn save<const N: usize>(&mut self, iters: [Iter; N]) -> [(Iter, Local); N] {
        iters.map(|iter| {
            let local = match self.variable(iter) {
                Expr::Get(local) => local,
                value => self.keep(Type::Int, value),
            };
            self.bindings.bound[iter as usize] = None;
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
        self.bindings.bound = [None; ITERS];
        self.bindings.piece = None;
    }

    /// Ends the function if a number is not 0: no more moves are wanted.
    pub(super) fn stop_if(&mut self, stop: Expr) {
        self.push(Stmt::If(stop, vec![Stmt::Return(Some(int(1)))], Block::new()));
    }

    /// Writes statements that are only carried out if a number is not 0.
    pub(super) fn when(&mut self, condition: Expr, write: impl FnOnce(&mut Self)) {
        if let Expr::Int(number) = condition {
            return if number != 0 {
                write(self)
            };
        }
        let before = self.bindings;
        let then = self.block(write);
        self.push_if(condition, then, before);
    }

    fn push_if(&mut self, condition: Expr, then: Block, before: Bindings) {
        self.meet(before);
        self.push(Stmt::If(condition, then, Block::new()));
    }

    /// A value in a place where it is not always asked for: what it needs is worked out there.
    pub(super) fn part(&mut self, write: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let before = self.bindings;
        let mut value = int(0);
        let block = self.block(|code| value = write(code));
        self.meet(before);
        if block.is_empty() { value } else { Expr::After(block, Box::new(value)) }
    }

    /// Of what is known now, keeps what was known before as well.
    pub(super) fn meet(&mut self, before: Bindings) {
        for (now, old) in self.bindings.bound.iter_mut().zip(before.bound) {
            if *now != old {
                *now = None;
            }
        }
        if self.bindings.piece != before.piece {
            self.bindings.piece = None;
        }
    }

    /// Writes the body of a loop over a variable.
    fn body(&mut self, write: &dyn Fn(&mut Self, Local)) -> (Local, Block) {
        let local = self.local(Type::Int);
        let before = self.bindings;
        let outside = self.found.take(Finding::Rebinds);
        self.scope.loops += 1;
        let mut body = self.block(|code| write(code, local));
        if self.found.has(Finding::Rebinds) && before != Bindings::default() {
            // What one round leaves bound is bound when the next one begins.
            self.forget();
            body = self.block(|code| write(code, local));
        }
        if self.found.has(Finding::Rebinds) {
            self.forget();
        } else {
            self.bindings = before;
        }
        self.found.add_if(outside, Finding::Rebinds);
        self.scope.loops -= 1;
        (local, body)
    }

    /// Writes code for the state as it is then: nothing that was worked out before is used in it.
    pub(super) fn scope(&mut self, write: impl FnOnce(&mut Self)) {
        let outside = (std::mem::take(&mut self.body.start), std::mem::take(&mut self.body.once));
        let body = self.block(write);
        let start = std::mem::replace(&mut self.body.start, outside.0);
        self.body.once = outside.1;
        start.into_iter().chain(body).for_each(|stmt| self.push(stmt));
    }

    /// A loop that goes on as long as a number is not 0.
    pub(super) fn while_loop(&mut self, goes_on: Expr, write: impl Fn(&mut Self)) {
        let (_, body) = self.body(&|code, _| write(code));
        self.push(Stmt::While(goes_on, body));
    }

    /// A loop over the sites of a set.
    pub(super) fn for_each(&mut self, sites: Expr, write: impl Fn(&mut Self, Local)) {
        let (site, body) = self.body(&write);
        self.push(Stmt::ForEach(site, sites, body));
    }

    /// A loop over numbers from one up to another, that excluded.
    pub(super) fn for_range(&mut self, from: Expr, to: Expr, write: impl Fn(&mut Self, Local)) {
        let (at, body) = self.body(&write);
        self.push(Stmt::For(at, from, to, body));
    }

    /// Forgets what variables are bound to, since something unknown may have bound them for good.
    pub(super) fn disturb(&mut self) {
        self.found.add(Finding::Rebinds);
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
