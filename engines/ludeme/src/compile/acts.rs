//! Primitive actions as code: what changes the numbers and sets of a state.
//!
//! States whose writes have to be noted, and stacks, are changed by the machine; so is what is no
//! number and no set. All else is code.

use kernel::ir::{Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{
    CELLS, STATE, Service, Slot, add, both, choose, int, is_below, service, set_slot, slot,
};
use super::context::Context;
use super::emitter::Emitter;
use super::module::{Change, Module, Trait};
use super::waiting::{Kind, NOT_GIVEN};
use crate::ir::{EffectId, Layer};
use crate::limits::MAX_COUNT;
use crate::moves::Act;
use crate::state::Occupancy;

/// The action of a kind with its numbers, where the machine carries it out.
pub(super) fn act(kind: i32, [a, b, c]: [i32; 3]) -> Option<Act> {
    let kind = *Kind::ALL.get(usize::try_from(kind).ok()?)?;
    let (site, to, number) = (a as u16, b as u16, a as usize);
    // Other numbers are no players.
    let player = || u8::try_from(a).ok();
    Some(match kind {
        Kind::Add => Act::Add { site, what: to, state: (c != NOT_GIVEN).then_some(c) },
        Kind::Remove => Act::Remove(site),
        Kind::RemoveLevel => Act::RemoveLevel { site, level: to },
        Kind::Defer => Act::Defer(site),
        Kind::MoveTop => Act::MoveTop { from: site, to, keep: false },
        Kind::MoveKeeping => Act::MoveTop { from: site, to, keep: true },
        Kind::MoveStack => Act::MoveStack { from: site, to },
        Kind::MoveLevel => match u16::try_from(c) {
            Ok(level) => Act::MoveLevel { from: site, from_level: Some(level), to, to_level: None },
            Err(_) => Act::MoveTop { from: site, to, keep: false },
        },
        Kind::Copy => Act::Copy { from: site, to },
        Kind::MoveCount => Act::MoveCount { from: site, to, count: c.clamp(0, 65535) as u16 },
        Kind::Seed => Act::Seed { from: site, to },
        Kind::Promote => Act::Promote { site, what: to },
        Kind::SetNext => Act::SetNext(a as u8),
        Kind::SetVar => Act::SetVar { var: number, value: b },
        Kind::SetCounter => Act::SetCounter(a),
        Kind::SetScore => Act::SetScore { player: player()?, value: b, added: false },
        Kind::AddScore => Act::SetScore { player: player()?, value: b, added: true },
        Kind::SetPlayerValue => Act::SetPlayerValue { player: player()?, value: b },
        Kind::PendSite => Act::PendSite(site),
        Kind::PendNumber => Act::PendNumber(a),
        Kind::SetState => Act::SetLayer { layer: Layer::State, site, level: None, value: b },
        Kind::SetRotation => Act::SetLayer { layer: Layer::Rotation, site, level: None, value: b },
        Kind::SetValue => Act::SetLayer { layer: Layer::Value, site, level: None, value: b },
        Kind::SetCount => Act::SetCount { site, value: b },
        Kind::Flip => Act::Flip(site),
        Kind::Trigger => Act::Trigger(a as u8),
        Kind::Remember => Act::Remember { list: number, value: b },
        Kind::Forget => Act::Forget { list: number, value: b },
        Kind::ForgetAll => Act::ForgetAll(number),
        Kind::RollDie => Act::RollDie { die: site, face: to },
        Kind::UseDie => Act::UseDie(site),
        Kind::SetEqual => Act::SetEqual(a != 0),
        Kind::Then => Act::Then(EffectId(a as u32)),
        Kind::Found => return None,
    })
}

/// Carries out an action; its numbers can be used more than once.
pub(super) fn carry_out(code: &mut Emitter<'_>, kind: Kind, numbers: [Expr; 3]) {
    if let Some((from, to)) = kind.sites().filter(|_| code.game.asks_actions) {
        code.push(set_slot(Slot::FromNow, numbers[from].clone()));
        code.push(set_slot(Slot::ToNow, numbers[to].clone()));
    }
    if kind == Kind::SetNext {
        code.push(set_slot(Slot::NamedNext, int(1)));
    }
    let defers = matches!(kind, Kind::Defer | Kind::Found);
    code.module.traits.add_if(defers, Trait::DefersCaptures);
    let adds = matches!(kind, Kind::Add | Kind::Copy | Kind::Found);
    code.module.traits.add_if(adds, Trait::AddsPieces);
    if is_slot(code, kind, &numbers) || in_memory(code, kind, &numbers) {
        return;
    }
    code.module.traits.add(Trait::NeedsCopy);
    let [a, b, c] = numbers;
    if kind == Kind::Seed {
        // The machine moves them one by one.
        return code.for_range(int(0), c, |code, _| {
            let act = vec![int(kind as i32), a.clone(), b.clone(), int(0)];
            code.push(Stmt::Eval(service(Service::Act, act)));
        });
    }
    code.push(Stmt::Eval(service(Service::Act, vec![int(kind as i32), a, b, c])));
}

/// True if it is one of the numbers that code and machine share.
fn is_slot(code: &mut Emitter<'_>, kind: Kind, [a, ..]: &[Expr; 3]) -> bool {
    let a = a.clone();
    match kind {
        Kind::SetNext => code.push(set_slot(Slot::Next, a)),
        Kind::SetCounter => code.push(set_slot(Slot::Counter, a)),
        Kind::PendNumber => {
            code.push(set_slot(Slot::HasPending, int(1)));
            code.push(set_slot(Slot::Pending, a));
        }
        Kind::Trigger => {
            let bit = int(1).shifted_left(a);
            code.push(set_slot(Slot::Triggered, slot(Slot::Triggered).or_bits(bit)));
        }
        Kind::Found => {
            code.module.traits.add(Trait::NeedsCopy);
            code.push(Stmt::Eval(service(Service::CarryOut, vec![a])));
        }
        _ => return false,
    }
    true
}

/// True if what stands on sites is numbers and sets which nobody but code has to follow.
pub(super) fn has_pieces_in_memory(code: &Emitter<'_>) -> bool {
    let layout = &code.game.layout;
    !code.game.initial.is_watched()
        && code.game.world.crossings.is_empty()
        && !(layout.occupancy == Occupancy::Stacking
            || layout.has_order_lists()
            || layout.sizes.hidden)
}

/// True if it is a change of the numbers and sets of the state.
fn in_memory(code: &mut Emitter<'_>, kind: Kind, [a, b, c]: &[Expr; 3]) -> bool {
    // The machine follows pieces on tracks that cross themselves, too.
    if code.game.initial.is_watched() || !code.game.world.crossings.is_empty() {
        return false;
    }
    let at = code.game.layout.at;
    let [a, b, c] = [a, b, c].map(Expr::clone);
    match kind {
        Kind::SetVar => {
            let place = add(a, int(at.vars as i32));
            code.push(Stmt::Store(CELLS, place, b));
            return true;
        }
        Kind::SetScore | Kind::AddScore | Kind::SetPlayerValue => {
            let first = if kind == Kind::SetPlayerValue { at.values } else { at.scores };
            let known = is_below(a.clone(), code.game.world.players as i32 + 2);
            let place = add(a, int(first as i32));
            let value = if kind == Kind::AddScore { CELLS.at(place.clone()) + b } else { b };
            code.when(known, |code| code.push(Stmt::Store(CELLS, place, value)));
            return true;
        }
        Kind::RollDie => return show(code, a, b),
        Kind::UseDie => {
            code.push(Stmt::Store(CELLS, add(a, int(at.dice as i32)), int(0)));
            return true;
        }
        Kind::SetEqual => {
            let sum = dice(code.game).reduce(|a, b| a + b);
            code.push(set_slot(Slot::AllEqual, a));
            code.push(set_slot(Slot::Pips, sum.unwrap_or(int(0))));
            return true;
        }
        Kind::PendSite => {
            let set = int(code.game.layout.pending() as i32);
            code.push(Stmt::Put(STATE, set, a, true));
            return true;
        }
        _ => {}
    }
    if !has_pieces_in_memory(code) {
        return false;
    }
    let (change, arguments) = match kind {
        Kind::Add => (Change::Add, vec![a, b, c]),
        Kind::Remove => (Change::Remove, vec![a]),
        Kind::MoveTop | Kind::MoveKeeping | Kind::MoveStack => (Change::Move, vec![a, b]),
        Kind::Copy => (Change::Copy, vec![a, b]),
        Kind::Seed => (Change::Seed, vec![a, b, c]),
        Kind::MoveCount => (Change::MoveCount, vec![a, b, c.max(int(0)).min(int(65535))]),
        Kind::Promote => (Change::Promote, vec![a, b]),
        Kind::SetCount => (Change::Count, vec![a, b]),
        Kind::Flip => {
            if at.extra != 0 {
                let place = code.keep_int(add(a.clone() * int(3), int(at.extra as i32)));
                let turned = turned(code, a.clone(), &CELLS.at(place));
                let turned = code.keep_int(turned);
                store_state(code.game, &a, turned).into_iter().for_each(|s| code.push(s));
            }
            return true;
        }
        Kind::SetState | Kind::SetRotation | Kind::SetValue => {
            if at.extra != 0 {
                let offset = at.extra as i32 + kind as i32 - Kind::SetState as i32;
                let known = is_site_of_game(code, a.clone());
                let place = add(a.clone() * int(3), int(offset));
                let stores = match kind {
                    Kind::SetState => store_state(code.game, &a, b),
                    _ => vec![Stmt::Store(CELLS, place, b)],
                };
                code.when(known, |code| stores.into_iter().for_each(|s| code.push(s)));
            }
            return true;
        }
        _ => return false,
    };
    let function = code.module.change(code.game, change);
    code.push(Stmt::Call(function, arguments));
    true
}

/// The local state of a piece on a site once it is turned over.
fn turned(code: &mut Emitter<'_>, site: Expr, state: &Expr) -> Expr {
    let what = code.what(site);
    let sides = |side: fn((i32, i32)) -> i32| {
        code.game.flips.iter().map(move |flips| flips.map_or(NOT_GIVEN, side)).collect()
    };
    let sides: [Vec<i32>; 2] = [sides(|flips| flips.0), sides(|flips| flips.1)];
    let [one, other] = sides.map(|sides| code.module.tables.ints(sides).at(what.clone()));
    let is = |side: &Expr| state.clone().equals(side.clone());
    choose(is(&one), other.clone(), choose(is(&other), one, state.clone()))
}

/// What each die shows.
pub(super) fn dice(game: &Context<'_>) -> impl Iterator<Item = Expr> + use<> {
    let number = game.world.dice.as_ref().map_or(0, |dice| dice.faces.len());
    let first = game.layout.at.dice;
    (first..first + number).map(|place| CELLS.at(int(place as i32)))
}

/// Lets a die show a face; whether there is code for that.
fn show(code: &mut Emitter<'_>, die: Expr, face: Expr) -> bool {
    let (Some(dice), Expr::Int(die)) = (&code.game.world.dice, die) else {
        return false;
    };
    let at = code.game.layout.at;
    let die = die as usize;
    let Some(faces) = dice.faces.get(die).filter(|faces| !faces.is_empty()) else {
        return true;
    };
    let shown = code.module.tables.ints(faces.iter().copied());
    let has_face = face.clone().less(int(faces.len() as i32));
    let site = dice.first + die;
    let stacking = code.game.stacking();
    code.when(has_face, |code| {
        let show = Stmt::Store(CELLS, int((at.dice + die) as i32), shown.at(face.clone()));
        code.push(show);
        if stacking {
            let level = CELLS.at(int((at.top + site) as i32));
            code.push(Stmt::Store(CELLS, add(level, int(2)), face));
        } else if at.extra != 0 {
            code.push(Stmt::Store(CELLS, int((at.extra + 3 * site) as i32), face));
        }
    });
    true
}

fn is_site_of_game(code: &Emitter<'_>, site: Expr) -> Expr {
    is_below(site, code.game.layout.at.sites as i32)
}

/// Sets the local state of a site, and puts it into the set of that state, where one is kept.
fn store_state(game: &Context<'_>, site: &Expr, state: Expr) -> Vec<Stmt> {
    let place = add(site.clone() * int(3), int(game.layout.at.extra as i32));
    let (first, states) = game.layout.local_states();
    let mut stores = Vec::new();
    if states > 0 {
        // There is no set of others.
        let set = |state: Expr| {
            let known = is_below(state.clone(), states as i32);
            choose(known, add(state, int(first as i32)), int(-1))
        };
        let old = set(CELLS.at(place.clone()));
        stores.push(Stmt::Put(STATE, old, site.clone(), false));
        stores.push(Stmt::Put(STATE, set(state.clone()), site.clone(), true));
    }
    stores.push(Stmt::Store(CELLS, place, state));
    stores
}

/// What stands on a site that a local holds.
fn what(site: Local) -> Expr {
    CELLS.at(site.get())
}

impl Module {
    /// A function that changes what stands on a site, written when it is first asked for.
    pub(super) fn change(&mut self, game: &Context<'_>, change: Change) -> FunctionId {
        if let Some(&known) = self.changes.get(&change) {
            return known;
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

/// A function that changes what stands on a site while it is written.
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

    /// Leaves the function unless a condition holds.
    fn only_if(&mut self, condition: Expr) {
        self.body.push(Stmt::If(condition, Vec::new(), vec![Stmt::Return(None)]));
    }

    fn only_sites(&mut self, site: Local) {
        let sites = self.game.layout.at.sites as i32;
        self.only_if(is_below(site.get(), sites));
    }

    fn only_components(&mut self, component: Local) {
        let components = self.game.layout.owner.len() as i32;
        let known = component.get().greater(int(0));
        self.only_if(both(known, component.get().less(int(components))));
    }

    /// Sets the number of pieces on a site, where they are counted.
    fn set_count(&self, site: Local, count: Expr) -> Vec<Stmt> {
        let at = self.game.layout.at.count;
        let store = Stmt::Store(CELLS, add(site.get(), int(at as i32)), count);
        if at == 0 { Vec::new() } else { vec![store] }
    }

    fn layer(&self, site: Local, layer: i32) -> Expr {
        let at = self.game.layout.at.extra as i32;
        CELLS.at(add(site.get() * int(3), int(at + layer)))
    }

    /// The further layers of a site as they are now, where it has them.
    fn keep_layers(&mut self, site: Local) -> Option<[Expr; 3]> {
        let has = self.game.layout.at.extra != 0;
        has.then(|| [0, 1, 2].map(|layer| self.keep(self.layer(site, layer)).get()))
    }

    /// Sets the further layers of a site, where it has them.
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

    /// Writes a function; how many parameters it has.
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
                // What is promoted to what it is becomes the last one in order.
                let last = self.reordered(site, [component; 2]);
                if !last.is_empty() {
                    let same = old.get().equals(component.get());
                    self.body.push(Stmt::If(same, last, Vec::new()));
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
                    let some = count.get().greater(int(0));
                    self.body.push(Stmt::If(some, set, vec![remove]));
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
                // Seeds take over the further layers of those that they join.
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

    /// Takes a site out of the sets of what it held, and puts it into those of what it holds.
    fn write_what(&mut self, site: Local, component: Local, old: Local) {
        let layout = &self.game.layout;
        let pieces = layout.piece_set.iter().map(|&set| i32::from(set));
        let pieces = self.module.tables.ints(pieces);
        let owners = layout.owner.iter().enumerate().map(|(component, &owner)| {
            if component == 0 {
                crate::state::EMPTY as i32
            } else {
                crate::state::Layout::owner_set(usize::from(owner)) as i32
            }
        });
        let owners: Vec<i32> = owners.collect();
        let owners = self.module.tables.ints(owners);
        self.only_if(old.get().differs(component.get()));
        self.body.push(Stmt::Store(CELLS, site.get(), component.get()));
        // They are the same where nobody has several kinds of pieces.
        let sets = if pieces == owners { vec![pieces] } else { vec![pieces, owners] };
        for (component, there) in [(old, false), (component, true)] {
            for sets in &sets {
                let put = Stmt::Put(STATE, sets.at(component.get()), site.get(), there);
                self.body.push(put);
            }
        }
        let reordered = self.reordered(site, [old, component]);
        self.body.extend(reordered);
    }

    /// Crosses a site out of the order of placing of the component that stood there, where one is
    /// kept, so that the last one takes its place; and enters it as the last one of what stands
    /// there now.
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

    /// Lets another component stand on a site, of which it is known what stands there.
    fn change_what(&self, site: Local, component: Expr, old: Local) -> Stmt {
        self.call(Change::What, vec![site.get(), component, old.get()])
    }

    /// The same with so many of the component, and nothing else known of them.
    fn replaced(&self, site: Local, (component, count): (Expr, Expr), old: Local) -> Vec<Stmt> {
        let mut stmts = vec![self.change_what(site, component, old)];
        stmts.extend(self.set_count(site, count));
        stmts.extend(self.set_layers(site, [int(0), int(0), int(0)]));
        stmts
    }

    /// Clears a site, of which it is known what stands there.
    fn removed(&self, site: Local, old: Local) -> Vec<Stmt> {
        self.replaced(site, (int(0), int(0)), old)
    }

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
        let put = self.change_what(to, component.get(), old);
        let mut first = vec![put];
        first.extend(self.set_count(to, number.get()));
        let some = both(component.get().differs(int(0)), number.get().greater(int(0)));
        let first = vec![Stmt::If(some, first, Vec::new())];
        let sum = there.get() + number.get();
        let most = int(i32::from(self.game.capacity));
        let fits = both(what(to).equals(component.get()), sum.clone().at_most(most));
        let more = vec![Stmt::If(fits, self.set_count(to, sum), Vec::new())];
        self.body.push(Stmt::If(there.get(), more, first));
    }
}
