//! Conditions as code.

use kernel::ir::{Combine, Expr, Stmt, Type};

use super::arrays::{Service, Slot, both, choose, either, int, is_below, slot, state_set};
use super::code::Emitter;
use super::context::Sites;
use super::ints::how;
use super::regions::is_expression;
use crate::ir::Parts;
use crate::ir::{
    Bool, Compare, Int, Ints, Iter, JumpId, Layer, Moves, Pieces, Place, RayId, Reach, Region,
};
use crate::state::EMPTY;

/// A condition that is asked of one site after the other.
pub(super) struct PerSite<'c> {
    condition: Option<&'c Bool>,
    iter: Iter,
    /// The sites where it holds, where that is known at once.
    pub(super) sites: Option<Expr>,
}

impl PerSite<'_> {
    /// True if there is nothing to be asked.
    pub(super) fn is_always(&self) -> bool {
        self.condition.is_none()
    }

    /// True if all that is to be asked is known at once.
    pub(super) fn is_known(&self) -> bool {
        self.sites.is_some() || self.is_always()
    }

    /// Those of some sites where it may hold; where it does, if that [is known](Self::is_known).
    pub(super) fn among(&self, sites: Expr) -> Expr {
        match &self.sites {
            Some(known) => sites & known.clone(),
            None => sites,
        }
    }
}

/// True if code says of most numbers whether they are in a list.
fn can_know_members(list: &Ints) -> bool {
    match list {
        Ints::List(_) | Ints::Region(_) | Ints::Remembered(_) => true,
        Ints::Union(lists) | Ints::Intersection(lists) => {
            !lists.is_empty() && lists.iter().all(can_know_members)
        }
        Ints::If(parts) => can_know_members(&parts.1) && can_know_members(&parts.2),
        _ => false,
    }
}

impl Emitter<'_> {
    /// Whether a condition holds: 1 or 0.
    pub(super) fn bool(&mut self, condition: &Bool) -> Expr {
        if self.tables.is_full() {
            return self.asked_bool(condition);
        }
        match condition {
            Bool::Const(value) => int(i32::from(*value)),
            Bool::And(list) => self.chain(list, 1, both),
            Bool::Or(list) => self.chain(list, 0, either),
            Bool::Xor(pair) => {
                let (a, b) = (self.bool(&pair.0), self.bool(&pair.1));
                a.xor_bits(b)
            }
            Bool::Not(inner) => {
                let inner = self.bool(inner);
                !inner
            }
            Bool::If(parts) => {
                let condition = self.bool(&parts.0);
                let then = self.part(|code| code.bool(&parts.1));
                let otherwise = self.part(|code| code.bool(&parts.2));
                choose(condition, then, otherwise)
            }
            Bool::Compare(compared, pair) => self.compared(*compared, pair),
            _ => self.other_bool(condition),
        }
    }

    /// A condition that is neither put together from others nor a comparison.
    fn other_bool(&mut self, condition: &Bool) -> Expr {
        match condition {
            Bool::IsEnemy(who) if self.game.world.team_var.is_none() => self.is_enemy(who),
            Bool::IsFriend(who) if self.game.world.team_var.is_none() => self.is_friend(who),
            Bool::IsEmpty(at) => self.is_in_set(EMPTY, at),
            Bool::IsOccupied(at) => self.is_occupied_at(at),
            Bool::InRegion(sites, region) => self.in_region(sites, region),
            Bool::SameRegion(pair) => self.are_same(&pair.0, &pair.1),
            Bool::AllSites(pair) => self.holds_on_all(pair),
            Bool::IsActive(who) => self.is_player_in(slot(Slot::Active), who),
            Bool::IsTriggered(who) => {
                self.is_player_in(slot(Slot::Triggered).and_bits(slot(Slot::Active)), who)
            }
            Bool::WasPass => {
                self.reads_begin = true;
                slot(Slot::Passed).differs(int(0))
            }
            Bool::AllPassed => {
                self.reads_begin = true;
                let all = self.part(|code| code.asked_bool(condition));
                both(slot(Slot::Passed).differs(int(0)), all)
            }
            Bool::CanMove(moves) => {
                let any = self.can_move(self.game.generator(*moves));
                any.unwrap_or_else(|| self.asked_bool(condition))
            }
            Bool::NoMoves(role) => {
                let none = self.has_no_moves(*role);
                none.unwrap_or_else(|| self.asked_bool(condition))
            }
            Bool::IsFull => {
                let board = self.fixed(self.game.board());
                (state_set(int(EMPTY as i32)) & board).is_empty()
            }
            Bool::IsRelated { jumps, a, b } => self.is_related(*jumps, a, b),
            Bool::IsWithin { component, place } => self.is_within(component, place),
            Bool::IsTarget { sites, components, possible: true } => {
                self.is_target(sites, components)
            }
            Bool::IsThreatened(threat) => {
                let threatened = self.threatened(threat);
                threatened.unwrap_or_else(|| self.asked_bool(condition))
            }
            Bool::Compiled(_, rules) => self.bool(rules),
            Bool::IsLine(line) => {
                let is_line = self.is_line(line);
                is_line.unwrap_or_else(|| self.asked_bool(condition))
            }
            Bool::AllDiceEqual => slot(Slot::AllEqual),
            Bool::AllDiceUsed => self.dice().map(|die| die.equals(int(0))).fold(int(1), both),
            Bool::IsAnyDie(value) => self.is_any_die(value),
            Bool::IsConnected(connection) => self.is_connected(connection),
            Bool::IsEven(value) => {
                let value = self.int(value);
                !value.and_bits(int(1))
            }
            Bool::NoPieces { pieces, within } if self.can_know_pieces(pieces) => {
                self.no_pieces(pieces, within.as_deref())
            }
            Bool::IsFlat(below, at) => self.is_flat(*below, at),
            Bool::IsPending => self.is_pending(),
            Bool::IsVisited(at) => self.is_in_set(self.game.layout.visited(), at),
            Bool::Leads { rays, from, to } => self.leads(*rays, from, to),
            Bool::InInts(values, ints) if can_know_members(ints) => self.are_in(values, ints),
            Bool::IsEnemy(_)
            | Bool::IsFriend(_)
            | Bool::IsTarget { .. }
            | Bool::NoPieces { .. }
            | Bool::InInts(..)
            | Bool::AllValues(_)
            | Bool::IsPath(_)
            | Bool::IsGraph(_)
            | Bool::MoverLoses
            | Bool::IsPattern(_)
            | Bool::IsLoop(_)
            | Bool::IsPathLoop(_)
            | Bool::SidesMatch(_)
            | Bool::IsAngle(_)
            | Bool::PipsMatch(_)
            | Bool::IsStackLine(_)
            | Bool::IsBlocked(_)
            | Bool::IsProposed(_)
            | Bool::IsDecided(_)
            | Bool::IsCycle
            | Bool::IsRepeat
            | Bool::AllDifferent(_)
            | Bool::IsTargetStack { .. }
            | Bool::Constraint(_)
            | Bool::IsSolved
            | Bool::AllGroups { .. } => self.asked_bool(condition),
            Bool::Const(_)
            | Bool::And(_)
            | Bool::Or(_)
            | Bool::Xor(_)
            | Bool::Not(_)
            | Bool::If(_)
            | Bool::Compare(..) => self.bool(condition),
        }
    }

    /// Whether a site is in a set of the state.
    fn is_in_set(&mut self, set: usize, at: &Int) -> Expr {
        let site = self.int(at);
        state_set(int(set as i32)).contains(site)
    }

    /// Whether there is a piece on a site.
    fn is_occupied_at(&mut self, at: &Int) -> Expr {
        let site = self.int(at);
        let what = self.what(site);
        !what.equals(int(0))
    }

    /// Whether a player is one of some, which are given as bits.
    fn is_player_in(&mut self, players: Expr, who: &Int) -> Expr {
        let who = self.int(who);
        self.has_bit(players, who)
    }

    /// Whether two regions have the same sites.
    fn are_same(&mut self, a: &Region, b: &Region) -> Expr {
        let (a, b) = (self.region(a), self.region(b));
        (a ^ b).is_empty()
    }

    /// A comparison of two numbers, worked out at once where both are constants.
    fn compared(&mut self, compared: Compare, pair: &(Int, Int)) -> Expr {
        let (a, b) = (self.int(&pair.0), self.int(&pair.1));
        match (&a, &b) {
            (Expr::Int(a), Expr::Int(b)) => int(i32::from(compared.holds(*a, *b))),
            _ => Expr::Compare(how(compared), Box::new(a), Box::new(b)),
        }
    }

    /// Whether all of some sites are in a region.
    fn in_region(&mut self, sites: &[Int], region: &Region) -> Expr {
        if let [site] = sites {
            let site = self.int(site);
            let site = self.keep_int(site);
            return match region {
                Region::Empty(within) => {
                    let set = self.fixed(self.game.set(*within));
                    both(state_set(int(EMPTY as i32)).contains(site.clone()), set.contains(site))
                }
                Region::Destinations(moves) => {
                    let wanted = self.keep(Type::Int, site.clone());
                    let moves = self.game.generator(*moves);
                    self.destinations(moves, Some(wanted)).contains(site)
                }
                region => {
                    let region = self.region(region);
                    region.contains(site)
                }
            };
        }
        let region = self.region(region);
        let region = self.keep(Type::Set, region).get();
        sites.iter().fold(int(1), |all, site| {
            let site = self.part(|code| code.int(site));
            both(all, region.clone().contains(site))
        })
    }

    /// Whether a condition holds on all sites of a region.
    fn holds_on_all(&mut self, pair: &(Region, Bool)) -> Expr {
        let sites = self.region(&pair.0);
        let saved = self.save([Iter::Site]);
        let all = self.keep(Type::Int, int(1));
        self.for_each(sites, |code, site| {
            code.bind(Iter::Site, site.get());
            let holds = code.bool(&pair.1);
            let fails = vec![Stmt::Set(all, int(0)), Stmt::Break(1)];
            code.push(Stmt::If(!holds, fails, Vec::new()));
        });
        self.restore(&saved);
        all.get()
    }

    /// Whether a site is a neighbour of another one, or of one of several.
    fn is_related(&mut self, jumps: JumpId, a: &Int, b: &Place) -> Expr {
        // What is near is near from where it is asked.
        let near = self.tables.near(self.game, jumps);
        match b {
            Place::Site(b) => {
                let (a, b) = (self.int(a), self.int(b));
                near.at(b).contains(a)
            }
            Place::Region(region) => {
                let a = self.int(a);
                let a = self.keep_int(a);
                let sites = self.region(region);
                let any = self.keep(Type::Int, int(0));
                self.for_each(sites, |code, site| {
                    let found = vec![Stmt::Set(any, int(1)), Stmt::Break(1)];
                    let holds = near.at(site.get()).contains(a.clone());
                    code.push(Stmt::If(holds, found, Vec::new()));
                });
                any.get()
            }
        }
    }

    /// Whether there is a piece of a component in a place.
    fn is_within(&mut self, component: &Int, place: &Place) -> Expr {
        let component = self.int(component);
        let component = self.keep_int(component);
        let place = self.place(place);
        let there = self.with_component(component.clone());
        both(component.greater(int(0)), !(there & place).is_empty())
    }

    /// Whether every vertex below a site is occupied.
    fn is_flat(&mut self, below: JumpId, at: &Int) -> Expr {
        let near = self.tables.near(self.game, below);
        let at = self.int(at);
        let at = self.keep_int(at);
        let empty = state_set(int(EMPTY as i32));
        let flat = (near.at(at.clone()) & empty).is_empty();
        both(at.at_least(int(0)), flat)
    }

    /// Whether anything is pending.
    fn is_pending(&mut self) -> Expr {
        self.reads_begin = true;
        self.tables.needs_copy = true;
        let sites = state_set(int(self.game.layout.pending() as i32));
        either(slot(Slot::HasPending), !sites.is_empty())
    }

    /// Whether there are none of some pieces, in a region where one is given.
    fn no_pieces(&mut self, pieces: &Pieces, within: Option<&Region>) -> Expr {
        if self.game.stacking() {
            return self.none_in_stacks(pieces, within);
        }
        let mut sites = self.pieces(pieces);
        if let Some(within) = within {
            let within = self.region(within);
            sites = sites & within;
        }
        sites.is_empty()
    }

    /// Whether all of some numbers are in a list that has a form in code.
    fn are_in(&mut self, values: &[Int], ints: &Ints) -> Expr {
        values.iter().fold(int(1), |all, of| {
            let is_one = self.part(|code| {
                let value = code.int(of);
                let value = code.keep_int(value);
                code.is_one_of(of, &value, ints)
            });
            both(all, is_one)
        })
    }

    /// Whether there are these components on these sites.
    fn is_target(&mut self, sites: &[u16], components: &[i32]) -> Expr {
        let pairs = sites.iter().zip(components);
        pairs.fold(int(1), |all, (&site, &component)| {
            let what = self.what(int(i32::from(site)));
            both(all, what.equals(int(component)))
        })
    }

    /// Whether a number means an enemy of the mover.
    fn is_enemy(&mut self, who: &Int) -> Expr {
        let who = self.int(who);
        let who = self.keep_int(who);
        let own = self.is_in_own_team(who.clone());
        let own = own.unwrap_or(who.clone().equals(slot(Slot::Mover)));
        both(who.differs(int(0)), !own)
    }

    /// Whether a number means a friend of the mover.
    fn is_friend(&mut self, who: &Int) -> Expr {
        let who = self.int(who);
        let who = self.keep_int(who);
        let own = self.is_in_own_team(who.clone());
        own.unwrap_or(who.equals(slot(Slot::Mover)))
    }

    /// Whether a die shows a number.
    fn is_any_die(&mut self, value: &Int) -> Expr {
        let value = self.int(value);
        let value = self.keep_int(value);
        self.dice().map(|die| die.equals(value.clone())).fold(int(0), either)
    }

    /// Whether a path leads from a site to another.
    fn leads(&mut self, rays: RayId, from: &Int, to: &Int) -> Expr {
        let reached = self.tables.reached(self.game, rays);
        let (from, to) = (self.int(from), self.int(to));
        reached.at(from).contains(to)
    }

    /// A condition that the evaluator tests.
    fn asked_bool(&mut self, condition: &Bool) -> Expr {
        self.tables.needs_copy |= self.game.pends;
        let number = Parts::add(&mut self.parts.bools, condition.clone());
        self.ask(Service::Test, vec![int(number)])
    }

    /// Whether a number, which has been worked out, is one of a list that has a form in code.
    fn is_one_of(&mut self, of: &Int, value: &Expr, list: &Ints) -> Expr {
        match list {
            Ints::List(items) => items.iter().fold(int(0), |any, item| {
                let item = self.part(|code| code.int(item));
                either(any, value.clone().equals(item))
            }),
            Ints::Region(region) => {
                let sites = self.region(region);
                sites.contains(value.clone())
            }
            Ints::Union(lists) => lists.iter().fold(int(0), |any, list| {
                let more = self.part(|code| code.is_one_of(of, value, list));
                either(any, more)
            }),
            Ints::Intersection(lists) => lists.iter().fold(int(1), |all, list| {
                let more = self.part(|code| code.is_one_of(of, value, list));
                both(all, more)
            }),
            Ints::If(parts) => {
                let condition = self.bool(&parts.0);
                let then = self.part(|code| code.is_one_of(of, value, &parts.1));
                let otherwise = self.part(|code| code.is_one_of(of, value, &parts.2));
                choose(condition, then, otherwise)
            }
            list => {
                let is_one = Bool::InInts(Box::new([of.clone()]), Box::new(list.clone()));
                let asked = self.part(|code| code.asked_bool(&is_one));
                let Ints::Remembered(list) = list else { return asked };
                let remembered = self.remembered(*list);
                let known = self.could_be_site(value.clone());
                choose(known, remembered.contains(value.clone()), asked)
            }
        }
    }

    fn chain(&mut self, list: &[Bool], neutral: i32, join: fn(Expr, Expr) -> Expr) -> Expr {
        let mut all = int(neutral);
        for (i, condition) in list.iter().enumerate() {
            let next =
                if i == 0 { self.bool(condition) } else { self.part(|code| code.bool(condition)) };
            all = join(all, next);
        }
        all
    }

    /// Whether the bit of a player is set.
    fn has_bit(&mut self, bits: Expr, who: Expr) -> Expr {
        let who = self.keep_int(who);
        let known = is_below(who.clone(), 32);
        both(known, bits.shifted_right(who).and_bits(int(1)))
    }

    /// The sites of a place; a negative site is none.
    pub(super) fn place(&mut self, place: &Place) -> Expr {
        match place {
            Place::Site(site) => {
                let site = self.int(site);
                Expr::single(site)
            }
            Place::Region(region) => self.region(region),
        }
    }

    /// Prepares a condition to be asked of many sites while nothing else changes.
    pub(super) fn per_site<'c>(&mut self, condition: Option<&'c Bool>, iter: Iter) -> PerSite<'c> {
        let sites = condition.and_then(|condition| self.sites_where(condition, &Int::Iter(iter)));
        let sites = sites.map(|sites| self.once(Type::Set, sites));
        PerSite { condition, iter, sites }
    }

    /// Binds a site and says whether a condition holds for it.
    pub(super) fn holds(&mut self, condition: &PerSite<'_>, site: Expr) -> Expr {
        self.bind(condition.iter, site.clone());
        match (&condition.sites, condition.condition) {
            (Some(sites), _) => sites.clone().contains(site),
            (None, Some(condition)) => self.bool(condition),
            (None, None) => int(1),
        }
    }

    /// As [`Emitter::holds`], of a site among those where the condition holds, as far as these are
    /// known at once.
    pub(super) fn holds_among(&mut self, condition: &PerSite<'_>, site: Expr) -> Expr {
        if condition.sites.is_none() {
            return self.holds(condition, site);
        }
        self.bind(condition.iter, site);
        int(1)
    }

    /// The sites of the game for which a condition holds that asks for nothing but what stands on a
    /// site, or in line with it.
    pub(super) fn sites_where(&mut self, condition: &Bool, site: &Int) -> Option<Expr> {
        let here = |at: &Int| at == site;
        let empty = || state_set(int(EMPTY as i32));
        match condition {
            Bool::Const(true) => Some(self.fixed(!Sites::EMPTY)),
            Bool::IsEmpty(at) => here(at).then(empty),
            Bool::IsOccupied(at) => here(at).then(|| self.occupied()),
            Bool::IsEnemy(who) => {
                let seen = self.seen_owners(who, site)?;
                let own = self.owned(slot(Slot::Mover));
                let nobody = state_set(int(1));
                let others = self.occupied().without(nobody);
                Some(seen.of(others.without(own)))
            }
            Bool::IsFriend(who) => {
                let seen = self.seen_owners(who, site)?;
                Some(seen.of(self.owned(slot(Slot::Mover))))
            }
            Bool::Compare(Compare::Equal, pair) => match &**pair {
                (Int::At { layer: Layer::What, at, level: None, reach }, Int::Const(component))
                    if here(at) && !self.game.stacking() =>
                {
                    let component = usize::try_from(*component).ok().filter(|&c| c > 0)?;
                    let set = i32::from(*self.game.layout.piece_set.get(component)?);
                    let seen = self.seen(*reach);
                    Some(seen.of(state_set(int(set))))
                }
                (who, player @ (Int::Mover | Int::Next | Int::Const(1..))) => {
                    let seen = self.seen_owners(who, site)?;
                    let player = self.int(player);
                    Some(seen.of(self.owned(player)))
                }
                _ => None,
            },
            Bool::InRegion(sites, region) if matches!(&**sites, [at] if here(at)) => {
                is_expression(region).then(|| self.region(region))
            }
            Bool::CanMove(moves) if !self.game.visits && self.game.repeats.is_none() => {
                let Moves::Custodial(custodial) = self.game.generator(*moves) else { return None };
                self.captures_from(custodial, site)
            }
            Bool::Not(inner) => {
                let inner = self.sites_where(inner, site)?;
                Some(self.fixed(!Sites::EMPTY).without(inner))
            }
            Bool::And(list) => self.join_where(list, site, Combine::And),
            Bool::Or(list) => self.join_where(list, site, Combine::Or),
            _ => None,
        }
    }

    fn join_where(&mut self, list: &[Bool], site: &Int, op: Combine) -> Option<Expr> {
        let (first, rest) = list.split_first()?;
        let first = self.sites_where(first, site)?;
        rest.iter().try_fold(first, |all, c| {
            Some(Expr::Combine(op, Box::new(all), Box::new(self.sites_where(c, site)?)))
        })
    }

    /// The sites that a number can see, if it is the owner of what stands on a site and players are
    /// on nobody's side.
    fn seen_owners(&mut self, who: &Int, site: &Int) -> Option<VisibleSites> {
        let (at, reach) = who.owned_site()?;
        (at == site && self.game.world.teams.is_none()).then(|| self.seen(reach))
    }

    /// The sites that a ludeme can see.
    pub(super) fn seen(&mut self, reach: Reach) -> VisibleSites {
        let board: Sites = Sites::below(self.game.world.topology.extent());
        match reach {
            Reach::All => VisibleSites::All,
            Reach::Board => VisibleSites::These(self.fixed(board)),
            Reach::Hands => VisibleSites::These(self.fixed(!board)),
        }
    }
}

/// Sites that a ludeme can see.
pub(super) enum VisibleSites {
    All,
    These(Expr),
}

impl VisibleSites {
    /// Of some sites those that can be seen.
    pub(super) fn of(self, sites: Expr) -> Expr {
        match self {
            VisibleSites::These(seen) => sites & seen,
            VisibleSites::All => sites,
        }
    }
}
