//! The function that is being written: its blocks and variables.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, SetTable, Stmt, Table, Type};

use super::arrays::{CELLS, FRAME, Service, Slot, add, choose, int, is_below, service, set_slot};
use super::context::{Context, Sites};
use super::module::Module;
pub(super) use super::surroundings::{
    Bindings, Consumer, Finding, Flags, Gathering, Premise, Scope,
};
use super::tables::Paths;
use crate::facts::FactSet;
use crate::ir::{Bound, EvaluatedParts, ITERS, Iter, JumpId, RayId};
use crate::lower::Feature;
use crate::meter;

/// Steps of work that a statement costs, for writing, checking, simplifying and translating it.
const WORK_OF_STATEMENT: u64 = 40;

/// The function that is being written, and the facts that hold where the next statement goes.
/// Each module has functions over an emitter that write the code of one sort of rules.
pub(super) struct Emitter<'g> {
    pub(super) game: &'g Context<'g>,
    pub(super) module: &'g mut Module,
    /// The nodes of the rules that this function leaves to the evaluator.
    pub(super) parts: EvaluatedParts,
    body: Body,
    pub(super) bindings: Bindings,
    pub(super) scope: Scope,
    pub(super) consumer: Consumer,
    pub(super) premise: Premise,
    pub(super) findings: FactSet<Finding>,
}

/// The statements and variables of a function.
#[derive(Default)]
struct Body {
    locals: Vec<Type>,
    /// The open blocks, innermost last.
    blocks: Vec<Block>,
    /// Statements at the start of the function, which compute hoisted values.
    start: Block,
    /// Hoisted values: they depend only on the state and on the player to move.
    hoisted: Vec<(Expr, Local)>,
    /// The variables of the rules, if no caller reads the bindings that this function leaves.
    /// Otherwise they are in the frame, where callers and the evaluator read them.
    variables: Option<[Local; ITERS]>,
    /// Variables of the code that hold only sites of the game.
    sites: Vec<Local>,
}

impl<'g> Emitter<'g> {
    /// A function without statements.
    pub(super) fn new(game: &'g Context<'g>, module: &'g mut Module) -> Emitter<'g> {
        Emitter {
            game,
            module,
            parts: EvaluatedParts::default(),
            body: Body { blocks: vec![Block::new()], ..Body::default() },
            bindings: Bindings::default(),
            scope: Scope::default(),
            consumer: Consumer::Give,
            premise: Premise::Nothing,
            findings: FactSet::default(),
        }
    }

    /// As [`Emitter::new`], for a function with parameters whose final bindings nobody reads.
    pub(super) fn closed(game: &'g Context<'g>, module: &'g mut Module, params: usize) -> Self {
        let mut code = Emitter::new(game, module);
        code.body.locals = vec![Type::Int; params];
        code.body.variables = Some([(); ITERS].map(|()| code.local(Type::Int)));
        code
    }

    /// Code for a call of the evaluator, which may bind variables of the rules.
    pub(super) fn ask(&mut self, request: Service, arguments: Vec<Expr>) -> Expr {
        self.findings.add(Finding::AsksEvaluator);
        self.findings.add_if(self.premise.is_about_moves(), Finding::HasNoForm);
        if self.game.has(Feature::LeavesLevel) {
            self.findings.add_if(self.scope.passes_over, Finding::RebindsInPassing);
            self.clobber();
        }
        let Some(own) = self.body.variables else { return service(request, arguments) };
        let value = self.local(Type::Int);
        let mut block = spill(&own);
        block.push(Stmt::Set(value, service(request, arguments)));
        block.extend((0..).zip(own).map(|(i, variable)| Stmt::Set(variable, FRAME.at(int(i)))));
        Expr::After(block, Box::new(value.get()))
    }

    /// Stores the variables of the rules in the frame, where the function that is called next reads
    /// them.
    pub(super) fn spill_variables(&mut self) {
        self.findings.add(Finding::ReadsVariables);
        let stores = self.body.variables.as_ref().map(spill);
        self.extend(stores.unwrap_or_default());
    }

    /// A table of numbers.
    pub(super) fn table(&mut self, numbers: impl IntoIterator<Item = i32>) -> Table {
        self.module.tables.ints(numbers)
    }

    /// A table of sets.
    pub(super) fn set_table(&mut self, sets: impl IntoIterator<Item = Sites>) -> SetTable {
        self.module.tables.sets(sets)
    }

    /// The targets of steps as sets, by origin.
    pub(super) fn near(&mut self, jumps: JumpId) -> SetTable {
        self.module.tables.near(self.game, jumps)
    }

    /// The straight paths from each site.
    pub(super) fn rays(&mut self, rays: RayId) -> Paths {
        self.module.tables.rays(self.game, rays)
    }

    /// The number of open blocks.
    pub(super) fn depth(&self) -> usize {
        self.body.blocks.len()
    }

    /// Adds the function to the program, and leaves its parts out: they are those of the program.
    pub(super) fn shared(mut self, name: &str, params: usize, result: Option<Type>) -> FunctionId {
        let body = self.body_written();
        let locals = std::mem::take(&mut self.body.locals);
        self.module.function(Function { name: name.to_owned(), locals, params, result, body })
    }

    /// True if the moves are gathered in entries.
    pub(super) fn is_gathered(&self) -> bool {
        matches!(self.consumer, Consumer::Gather(_))
    }

    /// True if the moves are the actions of an effect.
    pub(super) fn is_effect(&self) -> bool {
        matches!(self.consumer, Consumer::Effect(_))
    }

    /// True if what has been written asks the evaluator for something.
    pub(super) fn asks_evaluator(&self) -> bool {
        self.findings.has(Finding::AsksEvaluator)
    }

    /// The body of the function, its local variables, and its parts.
    pub(super) fn finish(mut self) -> (Block, Vec<Type>, EvaluatedParts) {
        (self.body_written(), self.body.locals, self.parts)
    }

    fn body_written(&mut self) -> Block {
        let mut body = std::mem::take(&mut self.body.start);
        body.append(&mut self.body.blocks.pop().unwrap_or_default());
        body
    }

    /// Writes a statement.
    pub(super) fn push(&mut self, stmt: Stmt) {
        self.module.written += 1;
        meter::work(WORK_OF_STATEMENT);
        if let Some(block) = self.body.blocks.last_mut() {
            block.push(stmt);
        }
    }

    /// Writes statements in order.
    pub(super) fn extend(&mut self, stmts: impl IntoIterator<Item = Stmt>) {
        stmts.into_iter().for_each(|stmt| self.push(stmt));
    }

    /// Writes an assignment to a variable.
    pub(super) fn set(&mut self, local: Local, value: Expr) {
        self.push(Stmt::Set(local, value));
    }

    /// Writes an assignment to a number that code and host share.
    pub(super) fn set_slot(&mut self, slot: Slot, value: Expr) {
        self.push(set_slot(slot, value));
    }

    /// Writes a branch: the statements run if a number is not 0.
    pub(super) fn push_if(&mut self, condition: Expr, then: Block) {
        self.push(Stmt::If(condition, then, Block::new()));
    }

    /// Writes a host call whose value nobody reads.
    pub(super) fn call_host(&mut self, request: Service, arguments: Vec<Expr>) {
        self.push(Stmt::Eval(service(request, arguments)));
    }

    /// The statements of `write`, as a block that goes elsewhere. There are hundreds of copies of
    /// this function, so it is short.
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

    /// A new variable of the code.
    pub(super) fn local(&mut self, kind: Type) -> Local {
        self.module.written += 1;
        self.body.locals.push(kind);
        Local(self.body.locals.len() as u32 - 1)
    }

    /// A new variable with a value.
    pub(super) fn keep(&mut self, kind: Type, value: Expr) -> Local {
        let local = self.local(kind);
        self.set(local, value);
        local
    }

    /// A set in a new variable, so that it can be read more than once.
    pub(super) fn keep_set(&mut self, sites: Expr) -> Expr {
        self.keep(Type::Set, sites).get()
    }

    /// A number in a form that can be read more than once: in a variable, unless it is one or is
    /// constant.
    pub(super) fn keep_int(&mut self, value: Expr) -> Expr {
        match value {
            Expr::Int(_) | Expr::Get(_) => value,
            value => self.keep(Type::Int, value).get(),
        }
    }

    /// A set that depends only on the state and on the player to move, computed once, where the
    /// function begins.
    pub(super) fn hoist(&mut self, sites: Expr) -> Expr {
        if matches!(sites, Expr::Get(_) | Expr::NoSites) {
            return sites;
        }
        if let Some((_, local)) = self.body.hoisted.iter().find(|(other, _)| *other == sites) {
            return (*local).get();
        }
        let local = self.local(Type::Set);
        self.body.start.push(Stmt::Set(local, sites.clone()));
        self.body.hoisted.push((sites, local));
        local.get()
    }

    /// Binds the variables of the rules to the parameters of a function that makes a move. Returns
    /// their values.
    pub(super) fn bind_to_params(&mut self, bound: [Bound; ITERS]) -> [Expr; ITERS] {
        let variables = bound.map(in_params);
        for (iter, value) in variables.iter().enumerate() {
            if let Expr::Get(local) = value {
                self.bindings.bound[iter] = Some(*local);
            }
        }
        variables
    }

    /// Notes that a number in a variable is a site of the game, so that reads need no check.
    pub(super) fn assume_site(&mut self, site: &Expr) {
        if let Expr::Get(local) = site {
            self.body.sites.push(*local);
        }
    }

    /// A number of the state that belongs to a site: that at `offset` among the `width` numbers
    /// that each site has from `first` on. 0 beyond the sites.
    pub(super) fn by_site(&self, first: usize, site: Expr, width: i32, offset: i32) -> Expr {
        let sites = self.game.layout.at.sites as i32;
        let index = |site: Expr| {
            let scaled = if width == 1 { site } else { site * int(width) };
            CELLS.at(add(scaled, int(first as i32 + offset)))
        };
        match &site {
            Expr::Int(number) if (0..sites).contains(number) => index(site),
            Expr::Int(_) => int(0),
            Expr::Get(local) if self.body.sites.contains(local) => index(site),
            Expr::Get(_) => choose(is_below(site.clone(), sites), index(site), int(0)),
            // Callers keep all other numbers in variables.
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
                self.findings.add(Finding::ReadsVariables);
                match self.body.variables {
                    // It may be bound to another value while this one is still in use.
                    Some(own) => self.keep(Type::Int, own[iter as usize].get()).get(),
                    None => FRAME.at(int(iter as i32)),
                }
            }
        }
    }

    /// Binds all variables of the rules where the function begins, if anything reads them: to the
    /// given values, or else to those that the frame keeps for consequences.
    pub(super) fn bind_all(&mut self, values: [Option<Expr>; ITERS]) {
        let needed = self.asks_evaluator() || self.findings.has(Finding::ReadsVariables);
        let Some(own) = self.body.variables.filter(|_| needed) else { return };
        let values = values.into_iter().zip(own).zip(0..).map(|((value, local), iter)| {
            Stmt::Set(local, value.unwrap_or(FRAME.at(int(Slot::Saved as i32 + iter))))
        });
        self.body.start.splice(0..0, values);
    }

    /// Binds all variables of the rules to nothing where the function begins.
    pub(super) fn bind_none(&mut self) {
        self.bind_all([(); ITERS].map(|()| Some(int(-1))));
    }

    /// As [`Emitter::bind_none`], except for the player who chooses.
    pub(super) fn bind_only_chooser(&mut self) {
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

    /// Keeps the values of some variables of the rules, to bind them again by [`Emitter::restore`].
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

    /// Binds variables of the rules again to the values that were kept.
    pub(super) fn restore(&mut self, saved: &[(Iter, Local)]) {
        for &(iter, local) in saved {
            self.bind(iter, local.get());
        }
    }

    /// Forgets the values of the variables of the rules: they are read again where they are.
    pub(super) fn forget(&mut self) {
        self.bindings.bound = [None; ITERS];
        self.bindings.piece = None;
    }

    /// Returns from a generator if a number is not 0: its caller wants no more moves.
    pub(super) fn stop_if(&mut self, stop: Expr) {
        self.push_if(stop, vec![Stmt::Return(Some(int(1)))]);
    }

    /// Writes statements that run if a number is not 0.
    pub(super) fn when(&mut self, condition: Expr, write: impl FnOnce(&mut Self)) {
        if let Expr::Int(number) = condition {
            if number != 0 {
                write(self);
            }
            return;
        }
        let before = self.bindings;
        let then = self.block(write);
        self.meet(before);
        self.push_if(condition, then);
    }

    /// A value that is not always used, with the statements that compute it: they run only where it
    /// is used.
    pub(super) fn lazily(&mut self, write: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let before = self.bindings;
        let mut value = int(0);
        let block = self.block(|code| value = write(code));
        self.meet(before);
        if block.is_empty() { value } else { Expr::After(block, Box::new(value)) }
    }

    /// Keeps the known values that two branches agree on: this one and another.
    pub(super) fn meet(&mut self, other: Bindings) {
        for (value, other) in self.bindings.bound.iter_mut().zip(other.bound) {
            if *value != other {
                *value = None;
            }
        }
        if self.bindings.piece != other.piece {
            self.bindings.piece = None;
        }
    }

    /// Writes the body of a loop over a variable.
    fn body(&mut self, write: &dyn Fn(&mut Self, Local)) -> (Local, Block) {
        let local = self.local(Type::Int);
        let before = self.bindings;
        let outside = self.findings.take(Finding::Rebinds);
        self.scope.loops += 1;
        let mut body = self.block(|code| write(code, local));
        if self.findings.has(Finding::Rebinds) && before != Bindings::default() {
            // The next round begins with the bindings that this one leaves.
            self.forget();
            body = self.block(|code| write(code, local));
        }
        if self.findings.has(Finding::Rebinds) {
            self.forget();
        } else {
            self.bindings = before;
        }
        self.findings.add_if(outside, Finding::Rebinds);
        self.scope.loops -= 1;
        (local, body)
    }

    /// Writes code that runs in another state than the code before, or in another turn. It uses no
    /// value hoisted before, and hoists its own values to where it begins.
    pub(super) fn in_other_state(&mut self, write: impl FnOnce(&mut Self)) {
        let (start, hoisted) =
            (std::mem::take(&mut self.body.start), std::mem::take(&mut self.body.hoisted));
        let body = self.block(write);
        let own_start = std::mem::replace(&mut self.body.start, start);
        self.body.hoisted = hoisted;
        self.extend(own_start.into_iter().chain(body));
    }

    /// A loop that runs as long as a number is not 0.
    pub(super) fn while_loop(&mut self, goes_on: Expr, write: impl Fn(&mut Self)) {
        let (_, body) = self.body(&|code, _| write(code));
        self.push(Stmt::While(goes_on, body));
    }

    /// A loop over the sites of a set.
    pub(super) fn for_each(&mut self, sites: Expr, write: impl Fn(&mut Self, Local)) {
        let (site, body) = self.body(&write);
        self.push(Stmt::ForEach(site, sites, body));
    }

    /// A loop over the numbers from `from` up to `to`, that excluded.
    pub(super) fn for_range(&mut self, from: Expr, to: Expr, write: impl Fn(&mut Self, Local)) {
        let (number, body) = self.body(&write);
        self.push(Stmt::For(number, from, to, body));
    }

    /// Forgets the values of the variables of the rules after code that may have bound them to
    /// others for good.
    pub(super) fn clobber(&mut self) {
        self.findings.add(Finding::Rebinds);
        self.forget();
    }
}

/// The value of a variable of the rules by the parameters of a function that makes a move.
pub(super) fn in_params(bound: Bound) -> Expr {
    match bound {
        Bound::To(number) => int(number),
        Bound::Origin => Local(0).get(),
        Bound::Destination => Local(1).get(),
        Bound::Extra(place) => Local(3 + place as u32).get(),
    }
}

/// Stores of the variables of the rules in the frame, where the evaluator and other functions read
/// them.
fn spill(own: &[Local; ITERS]) -> Block {
    (0..).zip(own).map(|(i, variable)| Stmt::Store(FRAME, int(i), variable.get())).collect()
}
