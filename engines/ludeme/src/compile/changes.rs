//! Functions of the program that change the contents of a site.

use kernel::ir::{Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{CELLS, STATE, add, both, choose, int, is_below};
use super::context::Context;
use super::module::{Change, Module};
use super::waiting::NOT_GIVEN;
use crate::limits::MAX_COUNT;
use crate::state::{EMPTY, Layout};

/// The statements that set the local state of a site, and put the site into the set of that state,
/// if the state has such sets.
pub(super) fn store_state(game: &Context<'_>, site: &Expr, state: Expr) -> Vec<Stmt> {
    let place = add(site.clone() * int(3), int(game.layout.at.extra as i32));
    let (first, states) = game.layout.local_states();
    let mut stores = Vec::new();
    if states > 0 {
        // Other local states have no set.
        let set = |state: Expr| {
            choose(is_below(state.clone(), states as i32), add(state, int(first as i32)), int(-1))
        };
        stores.push(Stmt::Put(STATE, set(CELLS.at(place.clone())), site.clone(), false));
        stores.push(Stmt::Put(STATE, set(state.clone()), site.clone(), true));
    }
    stores.push(Stmt::Store(CELLS, place, state));
    stores
}

/// The component on a site.
pub(super) fn what(site: Local) -> Expr {
    CELLS.at(site.get())
}

impl Module {
    /// A function that changes the contents of a site, written once.
    pub(super) fn change(&mut self, game: &Context<'_>, change: Change) -> FunctionId {
        if let Some(&function) = self.changes.get(&change) {
            return function;
        }
        let needs: &[Change] = match change {
            Change::What => &[],
            Change::Add | Change::Remove | Change::Promote => &[Change::What],
            Change::Move | Change::MoveCount => &[Change::What],
            Change::Count => &[Change::Remove],
            Change::Copy => &[Change::Add, Change::Move],
            Change::Seed => &[Change::Move],
        };
        for &need in needs {
            self.change(game, need);
        }
        let mut writer = Writer { module: self, game, locals: 0, body: Vec::new() };
        let params = writer.write(change);
        let (locals, body) = (writer.locals, writer.body);
        let name = format!("change {change:?}").to_lowercase();
        let locals = vec![Type::Int; locals];
        let id = self.function(Function { name, locals, params, result: None, body });
        self.changes.insert(change, id);
        id
    }
}

/// A function that changes the contents of a site, while it is written.
struct Writer<'t, 'g> {
    module: &'t mut Module,
    game: &'g Context<'g>,
    locals: usize,
    body: Vec<Stmt>,
}

impl Writer<'_, '_> {
    fn local(&mut self) -> Local {
        self.locals += 1;
        Local(self.locals as u32 - 1)
    }

    fn keep(&mut self, value: Expr) -> Local {
        let local = self.local();
        self.body.push(Stmt::Set(local, value));
        local
    }

    fn call(&self, change: Change, arguments: Vec<Expr>) -> Stmt {
        Stmt::Call(self.module.changes[&change], arguments)
    }

    /// Writes an exit from the function, taken unless a condition holds.
    fn only_if(&mut self, condition: Expr) {
        self.body.push(Stmt::If(condition, Vec::new(), vec![Stmt::Return(None)]));
    }

    /// Writes an exit from the function, taken unless a number is a site.
    fn only_sites(&mut self, site: Local) {
        let sites = self.game.layout.at.sites as i32;
        self.only_if(is_below(site.get(), sites));
    }

    /// Writes an exit from the function, taken unless a number is a component.
    fn only_components(&mut self, component: Local) {
        let components = self.game.layout.owner.len() as i32;
        let is_piece = component.get().greater(int(0));
        self.only_if(both(is_piece, component.get().less(int(components))));
    }

    /// The statements that set the number of pieces on a site; none if pieces are not counted.
    fn set_count(&self, site: Local, count: Expr) -> Vec<Stmt> {
        let at = self.game.layout.at.count;
        let store = Stmt::Store(CELLS, add(site.get(), int(at as i32)), count);
        if at == 0 { Vec::new() } else { vec![store] }
    }

    /// The value of a further layer of a site: local state, rotation, value.
    fn layer(&self, site: Local, layer: i32) -> Expr {
        CELLS.at(add(site.get() * int(3), int(self.game.layout.at.extra as i32 + layer)))
    }

    /// The further layers of a site, in variables; `None` if the state has no such layers.
    fn keep_layers(&mut self, site: Local) -> Option<[Expr; 3]> {
        let has = self.game.layout.at.extra != 0;
        has.then(|| [0, 1, 2].map(|layer| self.keep(self.layer(site, layer)).get()))
    }

    /// The statements that set the further layers of a site; none if the state has no such layers.
    fn set_layers(&self, site: Local, values: [Expr; 3]) -> Vec<Stmt> {
        let at = self.game.layout.at.extra as i32;
        if at == 0 {
            return Vec::new();
        }
        let [state, rotation, value] = values;
        let mut stores = store_state(self.game, &site.get(), state);
        for (value, layer) in [(rotation, 1), (value, 2)] {
            stores.push(Stmt::Store(CELLS, add(site.get() * int(3), int(at + layer)), value));
        }
        stores
    }

    /// Writes a function. Returns the number of its parameters.
    fn write(&mut self, change: Change) -> usize {
        let site = self.local();
        match change {
            Change::What => {
                let (component, old) = (self.local(), self.local());
                self.write_what(site, component, old);
                3
            }
            Change::Add => {
                let (component, state) = (self.local(), self.local());
                self.only_sites(site);
                self.only_components(component);
                let old = self.keep(what(site));
                if self.game.layout.at.count != 0 {
                    let place = add(site.get(), int(self.game.layout.at.count as i32));
                    let before = choose(old.get(), CELLS.at(place), int(0));
                    let count = (before + int(1)).min(int(MAX_COUNT));
                    let count = self.set_count(site, count);
                    self.body.extend(count);
                }
                let put = self.change_what(site, component.get(), old);
                let note = self
                    .module
                    .added
                    .as_ref()
                    .map(|added| Stmt::Call(added.function, vec![site.get(), component.get()]));
                let put = std::iter::once(put).chain(note).collect();
                self.body.push(Stmt::If(old.get(), Vec::new(), put));
                if self.game.layout.at.extra != 0 {
                    let given = state.get().differs(int(NOT_GIVEN));
                    let set = store_state(self.game, &site.get(), state.get());
                    self.body.push(Stmt::If(given, set, Vec::new()));
                }
                3
            }
            Change::Remove => {
                self.only_sites(site);
                let old = self.keep(what(site));
                let removed = self.removed(site, old);
                self.body.extend(removed);
                1
            }
            Change::Move => {
                let to = self.local();
                self.write_move(site, to);
                2
            }
            Change::Copy => {
                let to = self.local();
                self.write_copy(site, to);
                2
            }
            Change::Promote => {
                let component = self.local();
                self.only_sites(site);
                self.only_components(component);
                let old = self.keep(what(site));
                // A piece that is promoted to its own component becomes the last one in order.
                let last = self.reordered(site, [component; 2]);
                if !last.is_empty() {
                    self.body.push(Stmt::If(old.get().equals(component.get()), last, Vec::new()));
                }
                let replaced = self.replaced(site, (component.get(), int(1)), old);
                self.body.extend(replaced);
                2
            }
            Change::Count => {
                let count = self.local();
                self.only_sites(site);
                if self.game.layout.at.count != 0 {
                    let remove = self.call(Change::Remove, vec![site.get()]);
                    let set = self.set_count(site, count.get().min(int(MAX_COUNT)));
                    let set = vec![Stmt::If(what(site), set, Vec::new())];
                    self.body.push(Stmt::If(count.get().greater(int(0)), set, vec![remove]));
                }
                2
            }
            Change::Seed => {
                let (to, number) = (self.local(), self.local());
                self.only_sites(to);
                let old = self.keep_layers(to);
                let seed = self.local();
                let sown = vec![self.call(Change::Move, vec![site.get(), to.get()])];
                self.body.push(Stmt::For(seed, int(0), number.get(), sown));
                // Seeds take over the further layers of the pieces that they join.
                if let Some(old) = old {
                    let set = self.set_layers(to, old);
                    self.body.extend(set);
                }
                3
            }
            Change::MoveCount => {
                let (to, number) = (self.local(), self.local());
                self.write_move_count(site, to, number);
                3
            }
        }
    }

    /// Writes the change of the component on a site, which moves the site from the sets of the old
    /// component to those of the new one.
    fn write_what(&mut self, site: Local, component: Local, old: Local) {
        let layout = &self.game.layout;
        let pieces = layout.piece_set.iter().map(|&set| i32::from(set));
        let pieces = self.module.tables.ints(pieces);
        let owners = layout.owner.iter().enumerate().map(|(component, &owner)| {
            if component == 0 { EMPTY as i32 } else { Layout::owner_set(usize::from(owner)) as i32 }
        });
        let owners: Vec<i32> = owners.collect();
        let owners = self.module.tables.ints(owners);
        self.only_if(old.get().differs(component.get()));
        self.body.push(Stmt::Store(CELLS, site.get(), component.get()));
        // The two tables are equal if no player has several components.
        let sets = if pieces == owners { vec![pieces] } else { vec![pieces, owners] };
        for (component, there) in [(old, false), (component, true)] {
            for sets in &sets {
                self.body.push(Stmt::Put(STATE, sets.at(component.get()), site.get(), there));
            }
        }
        let reordered = self.reordered(site, [old, component]);
        self.body.extend(reordered);
    }

    /// The statements that remove a site from the order of placing of the old component, where the
    /// last site takes its place, and append it to that of the new component; none if the state has
    /// no order of placing.
    fn reordered(&mut self, site: Local, [old, new]: [Local; 2]) -> Vec<Stmt> {
        if !self.game.layout.is_ordered() {
            return Vec::new();
        }
        let orders = self.module.tables.orders(self.game);
        let [from, to] = [old, new].map(|component| self.keep(orders.at(component.get())));
        let [last, place] = [(); 2].map(|()| self.local());
        let more = place.get().less(last.get());
        let other = CELLS.at(place.get()).differs(site.get());
        let cross_out = vec![
            Stmt::Set(last, add(from.get(), CELLS.at(from.get()))),
            Stmt::Set(place, add(from.get(), int(1))),
            Stmt::While(both(more, other), vec![Stmt::Set(place, add(place.get(), int(1)))]),
            Stmt::Store(CELLS, place.get(), CELLS.at(last.get())),
            Stmt::Store(CELLS, last.get(), int(0)),
            Stmt::Store(CELLS, from.get(), CELLS.at(from.get()) - int(1)),
        ];
        let number = add(CELLS.at(to.get()), int(1));
        let enter = vec![
            Stmt::Store(CELLS, add(to.get(), number.clone()), site.get()),
            Stmt::Store(CELLS, to.get(), number),
        ];
        vec![Stmt::If(from.get(), cross_out, Vec::new()), Stmt::If(to.get(), enter, Vec::new())]
    }

    /// The statement that puts another component on a site; `old` is the component before.
    fn change_what(&self, site: Local, component: Expr, old: Local) -> Stmt {
        self.call(Change::What, vec![site.get(), component, old.get()])
    }

    /// As [`Writer::change_what`], with a number of pieces, and all further layers 0.
    fn replaced(&self, site: Local, (component, count): (Expr, Expr), old: Local) -> Vec<Stmt> {
        let mut stmts = vec![self.change_what(site, component, old)];
        stmts.extend(self.set_count(site, count));
        stmts.extend(self.set_layers(site, [int(0), int(0), int(0)]));
        stmts
    }

    /// The statements that clear a site; `old` is the component before.
    fn removed(&self, site: Local, old: Local) -> Vec<Stmt> {
        self.replaced(site, (int(0), int(0)), old)
    }

    /// Writes the move of one piece, with its further layers.
    fn write_move(&mut self, from: Local, to: Local) {
        self.only_sites(from);
        self.only_sites(to);
        let component = self.keep(what(from));
        self.only_if(component.get());
        let at = self.game.layout.at;
        let layers = self.keep_layers(from);
        let remove = self.removed(from, component);
        if at.count == 0 {
            self.body.extend(remove);
        } else {
            let count = self.keep(CELLS.at(add(from.get(), int(at.count as i32))));
            let less = self.set_count(from, count.get() - int(1));
            self.body.push(Stmt::If(count.get().greater(int(1)), less, remove));
        }
        let old = self.keep(what(to));
        let put = self.change_what(to, component.get(), old);
        if at.count != 0 {
            let same = old.get().equals(component.get());
            let before = choose(same, CELLS.at(add(to.get(), int(at.count as i32))), int(0));
            let count = self.keep((before + int(1)).min(int(MAX_COUNT)));
            self.body.push(put);
            let set = self.set_count(to, count.get());
            self.body.extend(set);
        } else {
            self.body.push(put);
        }
        if let Some(layers) = layers {
            let set = self.set_layers(to, layers);
            self.body.extend(set);
        }
    }

    /// Writes the move of one piece that leaves a copy behind.
    fn write_copy(&mut self, from: Local, to: Local) {
        self.only_sites(from);
        let component = self.keep(what(from));
        self.only_if(both(component.get(), from.get().differs(to.get())));
        let layers = self.keep_layers(from);
        let move_one = self.call(Change::Move, vec![from.get(), to.get()]);
        let stay = vec![from.get(), component.get(), int(NOT_GIVEN)];
        let mut stay = vec![self.call(Change::Add, stay)];
        stay.extend(layers.into_iter().flat_map(|layers| self.set_layers(from, layers)));
        let at = self.game.layout.at.count;
        if at == 0 {
            self.body.push(move_one);
            return self.body.extend(stay);
        }
        let count = self.keep(CELLS.at(add(from.get(), int(at as i32))));
        self.body.push(move_one);
        let count = self.set_count(from, count.get());
        self.body.push(Stmt::If(what(from), count, stay));
    }

    /// Writes the move of several counted pieces.
    fn write_move_count(&mut self, from: Local, to: Local, number: Local) {
        let at = self.game.layout.at.count;
        if at == 0 {
            return;
        }
        self.only_sites(from);
        self.only_sites(to);
        let count = |site: Local| CELLS.at(add(site.get(), int(at as i32)));
        let component = self.keep(what(from));
        let left = self.keep(count(from) - number.get());
        let less = self.set_count(from, left.get());
        let remove = self.removed(from, component);
        self.body.push(Stmt::If(left.get().greater(int(0)), less, remove));
        let there = self.keep(count(to));
        let old = self.keep(what(to));
        let mut first = vec![self.change_what(to, component.get(), old)];
        first.extend(self.set_count(to, number.get()));
        let moves_any = both(component.get().differs(int(0)), number.get().greater(int(0)));
        let first = vec![Stmt::If(moves_any, first, Vec::new())];
        let sum = there.get() + number.get();
        let fits = sum.clone().at_most(int(MAX_COUNT));
        let fits = both(what(to).equals(component.get()), fits);
        let more = vec![Stmt::If(fits, self.set_count(to, sum), Vec::new())];
        self.body.push(Stmt::If(there.get(), more, first));
    }
}
