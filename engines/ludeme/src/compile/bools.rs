//! Conditions as code.

use kernel::ir::{Combine, Expr, Stmt, Type};

use super::arrays::{Service, Slot, both, choose, either, int, is_below, slot, state_set};
use super::context::Sites;
use super::emitter::{Emitter, Finding};
use super::ints::how;
use super::module::Trait;
use super::regions::is_expression;
use super::{
    acts, custodial, exists, groups, ints, leaves, lines, piece_sets, regions, stacks, teams,
};
use crate::ir::{
    Bool, Compare, Int, Ints, Iter, JumpId, Layer, Moves, Parts, Pieces, Place, RayId, Reach,
    Region,
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

    /// Those of some sites where it may hold; where it does, if that [is known](Emitter::is_known).
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

/// Whether a condition holds: 1 or 0.
pub(super) fn emit(code: &mut Emitter<'_>, condition: &Bool) -> Expr {
    if code.module.is_full() {
        return ask(code, condition);
    }
    match condition {
        Bool::Const(value) => int(i32::from(*value)),
        Bool::And(list) => chain(code, list, 1, both),
        Bool::Or(list) => chain(code, list, 0, either),
        Bool::Xor(pair) => {
            let (a, b) = (emit(code, &pair.0), emit(code, &pair.1));
            a.xor_bits(b)
        }
        Bool::Not(inner) => {
            let inner = emit(code, inner);
            !inner
        }
        Bool::If(parts) => {
            let condition = emit(code, &parts.0);
            let then = code.part(|code| emit(code, &parts.1));
            let otherwise = code.part(|code| emit(code, &parts.2));
            choose(condition, then, otherwise)
        }
        Bool::Compare(compared, pair) => compare(code, *compared, pair),
        _ => emit_other(code, condition),
    }
}

/// A condition that is neither put together from others nor a comparison.
fn emit_other(code: &mut Emitter<'_>, condition: &Bool) -> Expr {
    match condition {
        Bool::IsEnemy(who) if code.game.world.team_var.is_none() => is_enemy(code, who),
        Bool::IsFriend(who) if code.game.world.team_var.is_none() => is_friend(code, who),
        Bool::IsEmpty(at) => is_in_set(code, EMPTY, at),
        Bool::IsOccupied(at) => is_occupied_at(code, at),
        Bool::InRegion(sites, region) => in_region(code, sites, region),
        Bool::SameRegion(pair) => are_same(code, &pair.0, &pair.1),
        Bool::AllSites(pair) => holds_on_all(code, pair),
        Bool::IsActive(who) => is_player_in(code, slot(Slot::Active), who),
        Bool::IsTriggered(who) => {
            is_player_in(code, slot(Slot::Triggered).and_bits(slot(Slot::Active)), who)
        }
        Bool::WasPass => {
            code.found.add(Finding::ReadsStartOfMove);
            slot(Slot::Passed).differs(int(0))
        }
        Bool::AllPassed => {
            code.found.add(Finding::ReadsStartOfMove);
            let all = code.part(|code| ask(code, condition));
            both(slot(Slot::Passed).differs(int(0)), all)
        }
        Bool::CanMove(moves) => {
            let any = exists::can_move(code, code.game.generator(*moves));
            any.unwrap_or_else(|| ask(code, condition))
        }
        Bool::NoMoves(role) => {
            let none = exists::has_no_moves(code, *role);
            none.unwrap_or_else(|| ask(code, condition))
        }
        Bool::IsFull => {
            let board = regions::fixed(code, code.game.board());
            (state_set(int(EMPTY as i32)) & board).is_empty()
        }
        Bool::IsRelated { jumps, a, b } => is_related(code, *jumps, a, b),
        Bool::IsWithin { component, place } => is_within(code, component, place),
        Bool::IsTarget { sites, components, possible: true } => is_target(code, sites, components),
        Bool::IsThreatened(threat) => {
            let threatened = exists::threatened(code, threat);
            threatened.unwrap_or_else(|| ask(code, condition))
        }
        Bool::Compiled(_, rules) => emit(code, rules),
        Bool::IsLine(line) => {
            let is_line = lines::is_line(code, line);
            is_line.unwrap_or_else(|| ask(code, condition))
        }
        Bool::AllDiceEqual => slot(Slot::AllEqual),
        Bool::AllDiceUsed => acts::dice(code.game).map(|die| die.equals(int(0))).fold(int(1), both),
        Bool::IsAnyDie(value) => is_any_die(code, value),
        Bool::IsConnected(connection) => groups::is_connected(code, connection),
        Bool::IsEven(value) => {
            let value = ints::emit(code, value);
            !value.and_bits(int(1))
        }
        Bool::NoPieces { pieces, within } if piece_sets::can_know_pieces(code, pieces) => {
            no_pieces(code, pieces, within.as_deref())
        }
        Bool::IsFlat(below, at) => is_flat(code, *below, at),
        Bool::IsPending => is_pending(code),
        Bool::IsVisited(at) => is_in_set(code, code.game.layout.visited(), at),
        Bool::Leads { rays, from, to } => leads(code, *rays, from, to),
        Bool::InInts(values, ints) if can_know_members(ints) => are_in(code, values, ints),
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
        | Bool::AllGroups { .. } => ask(code, condition),
        Bool::Const(_)
        | Bool::And(_)
        | Bool::Or(_)
        | Bool::Xor(_)
        | Bool::Not(_)
        | Bool::If(_)
        | Bool::Compare(..) => emit(code, condition),
    }
}

/// Whether a site is in a set of the state.
fn is_in_set(code: &mut Emitter<'_>, set: usize, at: &Int) -> Expr {
    let site = ints::emit(code, at);
    state_set(int(set as i32)).contains(site)
}

/// Whether there is a piece on a site.
fn is_occupied_at(code: &mut Emitter<'_>, at: &Int) -> Expr {
    let site = ints::emit(code, at);
    let what = code.what(site);
    !what.equals(int(0))
}

/// Whether a player is one of some, which are given as bits.
fn is_player_in(code: &mut Emitter<'_>, players: Expr, who: &Int) -> Expr {
    let who = ints::emit(code, who);
    has_bit(code, players, who)
}

/// Whether two regions have the same sites.
fn are_same(code: &mut Emitter<'_>, a: &Region, b: &Region) -> Expr {
    let (a, b) = (regions::emit(code, a), regions::emit(code, b));
    (a ^ b).is_empty()
}

/// A comparison of two numbers, worked out at once where both are constants.
fn compare(code: &mut Emitter<'_>, compared: Compare, pair: &(Int, Int)) -> Expr {
    let (a, b) = (ints::emit(code, &pair.0), ints::emit(code, &pair.1));
    match (&a, &b) {
        (Expr::Int(a), Expr::Int(b)) => int(i32::from(compared.holds(*a, *b))),
        _ => Expr::Compare(how(compared), Box::new(a), Box::new(b)),
    }
}

/// Whether all of some sites are in a region.
fn in_region(code: &mut Emitter<'_>, sites: &[Int], region: &Region) -> Expr {
    if let [site] = sites {
        let site = ints::emit(code, site);
        let site = code.keep_int(site);
        return match region {
            Region::Empty(within) => {
                let set = regions::fixed(code, code.game.set(*within));
                both(state_set(int(EMPTY as i32)).contains(site.clone()), set.contains(site))
            }
            Region::Destinations(moves) => {
                let wanted = code.keep(Type::Int, site.clone());
                let moves = code.game.generator(*moves);
                exists::destinations(code, moves, Some(wanted)).contains(site)
            }
            region => {
                let region = regions::emit(code, region);
                region.contains(site)
            }
        };
    }
    let region = regions::emit(code, region);
    let region = code.keep(Type::Set, region).get();
    sites.iter().fold(int(1), |all, site| {
        let site = code.part(|code| ints::emit(code, site));
        both(all, region.clone().contains(site))
    })
}

/// Whether a condition holds on all sites of a region.
fn holds_on_all(code: &mut Emitter<'_>, pair: &(Region, Bool)) -> Expr {
    let sites = regions::emit(code, &pair.0);
    let saved = code.save([Iter::Site]);
    let all = code.keep(Type::Int, int(1));
    code.for_each(sites, |code, site| {
        code.bind(Iter::Site, site.get());
        let holds = emit(code, &pair.1);
        let fails = vec![Stmt::Set(all, int(0)), Stmt::Break(1)];
        code.push(Stmt::If(!holds, fails, Vec::new()));
    });
    code.restore(&saved);
    all.get()
}

/// Whether a site is a neighbour of another one, or of one of several.
fn is_related(code: &mut Emitter<'_>, jumps: JumpId, a: &Int, b: &Place) -> Expr {
    // What is near is near from where it is asked.
    let near = code.module.tables.near(code.game, jumps);
    match b {
        Place::Site(b) => {
            let (a, b) = (ints::emit(code, a), ints::emit(code, b));
            near.at(b).contains(a)
        }
        Place::Region(region) => {
            let a = ints::emit(code, a);
            let a = code.keep_int(a);
            let sites = regions::emit(code, region);
            let any = code.keep(Type::Int, int(0));
            code.for_each(sites, |code, site| {
                let found = vec![Stmt::Set(any, int(1)), Stmt::Break(1)];
                let holds = near.at(site.get()).contains(a.clone());
                code.push(Stmt::If(holds, found, Vec::new()));
            });
            any.get()
        }
    }
}

/// Whether there is a piece of a component in a place.
fn is_within(code: &mut Emitter<'_>, component: &Int, place: &Place) -> Expr {
    let component = ints::emit(code, component);
    let component = code.keep_int(component);
    let place = sites_of_place(code, place);
    let there = piece_sets::with_component(code, component.clone());
    both(component.greater(int(0)), !(there & place).is_empty())
}

/// Whether every vertex below a site is occupied.
fn is_flat(code: &mut Emitter<'_>, below: JumpId, at: &Int) -> Expr {
    let near = code.module.tables.near(code.game, below);
    let at = ints::emit(code, at);
    let at = code.keep_int(at);
    let empty = state_set(int(EMPTY as i32));
    let flat = (near.at(at.clone()) & empty).is_empty();
    both(at.at_least(int(0)), flat)
}

/// Whether anything is pending.
fn is_pending(code: &mut Emitter<'_>) -> Expr {
    code.found.add(Finding::ReadsStartOfMove);
    code.module.traits.add(Trait::NeedsCopy);
    let sites = state_set(int(code.game.layout.pending() as i32));
    either(slot(Slot::HasPending), !sites.is_empty())
}

/// Whether there are none of some pieces, in a region where one is given.
fn no_pieces(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    if code.game.stacking() {
        return stacks::none_in_stacks(code, pieces, within);
    }
    let mut sites = piece_sets::sites_of_pieces(code, pieces);
    if let Some(within) = within {
        let within = regions::emit(code, within);
        sites = sites & within;
    }
    sites.is_empty()
}

/// Whether all of some numbers are in a list that has a form in code.
fn are_in(code: &mut Emitter<'_>, values: &[Int], ints: &Ints) -> Expr {
    values.iter().fold(int(1), |all, of| {
        let is_one = code.part(|code| {
            let value = ints::emit(code, of);
            let value = code.keep_int(value);
            is_one_of(code, of, &value, ints)
        });
        both(all, is_one)
    })
}

/// Whether there are these components on these sites.
fn is_target(code: &mut Emitter<'_>, sites: &[u16], components: &[i32]) -> Expr {
    let pairs = sites.iter().zip(components);
    pairs.fold(int(1), |all, (&site, &component)| {
        let what = code.what(int(i32::from(site)));
        both(all, what.equals(int(component)))
    })
}

/// Whether a number means an enemy of the mover.
fn is_enemy(code: &mut Emitter<'_>, who: &Int) -> Expr {
    let who = ints::emit(code, who);
    let who = code.keep_int(who);
    let own = teams::is_in_own_team(code, who.clone());
    let own = own.unwrap_or(who.clone().equals(slot(Slot::Mover)));
    both(who.differs(int(0)), !own)
}

/// Whether a number means a friend of the mover.
fn is_friend(code: &mut Emitter<'_>, who: &Int) -> Expr {
    let who = ints::emit(code, who);
    let who = code.keep_int(who);
    let own = teams::is_in_own_team(code, who.clone());
    own.unwrap_or(who.equals(slot(Slot::Mover)))
}

/// Whether a die shows a number.
fn is_any_die(code: &mut Emitter<'_>, value: &Int) -> Expr {
    let value = ints::emit(code, value);
    let value = code.keep_int(value);
    acts::dice(code.game).map(|die| die.equals(value.clone())).fold(int(0), either)
}

/// Whether a path leads from a site to another.
fn leads(code: &mut Emitter<'_>, rays: RayId, from: &Int, to: &Int) -> Expr {
    let reached = code.module.tables.reached(code.game, rays);
    let (from, to) = (ints::emit(code, from), ints::emit(code, to));
    reached.at(from).contains(to)
}

/// A condition that the evaluator tests.
fn ask(code: &mut Emitter<'_>, condition: &Bool) -> Expr {
    code.module.traits.add_if(code.game.pends, Trait::NeedsCopy);
    let number = Parts::add(&mut code.parts.bools, condition.clone());
    code.ask(Service::Test, vec![int(number)])
}

/// Whether a number, which has been worked out, is one of a list that has a form in code.
fn is_one_of(code: &mut Emitter<'_>, of: &Int, value: &Expr, list: &Ints) -> Expr {
    match list {
        Ints::List(items) => items.iter().fold(int(0), |any, item| {
            let item = code.part(|code| ints::emit(code, item));
            either(any, value.clone().equals(item))
        }),
        Ints::Region(region) => {
            let sites = regions::emit(code, region);
            sites.contains(value.clone())
        }
        Ints::Union(lists) => lists.iter().fold(int(0), |any, list| {
            let more = code.part(|code| is_one_of(code, of, value, list));
            either(any, more)
        }),
        Ints::Intersection(lists) => lists.iter().fold(int(1), |all, list| {
            let more = code.part(|code| is_one_of(code, of, value, list));
            both(all, more)
        }),
        Ints::If(parts) => {
            let condition = emit(code, &parts.0);
            let then = code.part(|code| is_one_of(code, of, value, &parts.1));
            let otherwise = code.part(|code| is_one_of(code, of, value, &parts.2));
            choose(condition, then, otherwise)
        }
        list => {
            let is_one = Bool::InInts(Box::new([of.clone()]), Box::new(list.clone()));
            let asked = code.part(|code| ask(code, &is_one));
            let Ints::Remembered(list) = list else { return asked };
            let remembered = regions::remembered(code, *list);
            let known = leaves::could_be_site(code, value.clone());
            choose(known, remembered.contains(value.clone()), asked)
        }
    }
}

fn chain(
    code: &mut Emitter<'_>,
    list: &[Bool],
    neutral: i32,
    join: fn(Expr, Expr) -> Expr,
) -> Expr {
    let mut all = int(neutral);
    for (i, condition) in list.iter().enumerate() {
        let next =
            if i == 0 { emit(code, condition) } else { code.part(|code| emit(code, condition)) };
        all = join(all, next);
    }
    all
}

/// Whether the bit of a player is set.
fn has_bit(code: &mut Emitter<'_>, bits: Expr, who: Expr) -> Expr {
    let who = code.keep_int(who);
    let known = is_below(who.clone(), 32);
    both(known, bits.shifted_right(who).and_bits(int(1)))
}

/// The sites of a place; a negative site is none.
pub(super) fn sites_of_place(code: &mut Emitter<'_>, place: &Place) -> Expr {
    match place {
        Place::Site(site) => {
            let site = ints::emit(code, site);
            Expr::single(site)
        }
        Place::Region(region) => regions::emit(code, region),
    }
}

/// Prepares a condition to be asked of many sites while nothing else changes.
pub(super) fn per_site<'c>(
    code: &mut Emitter<'_>,
    condition: Option<&'c Bool>,
    iter: Iter,
) -> PerSite<'c> {
    let sites = condition.and_then(|condition| sites_where(code, condition, &Int::Iter(iter)));
    let sites = sites.map(|sites| code.once(Type::Set, sites));
    PerSite { condition, iter, sites }
}

/// Binds a site and says whether a condition holds for it.
pub(super) fn holds(code: &mut Emitter<'_>, condition: &PerSite<'_>, site: Expr) -> Expr {
    code.bind(condition.iter, site.clone());
    match (&condition.sites, condition.condition) {
        (Some(sites), _) => sites.clone().contains(site),
        (None, Some(condition)) => emit(code, condition),
        (None, None) => int(1),
    }
}

/// As [`holds`], of a site among those where the condition holds, as far as these are
/// known at once.
pub(super) fn holds_among(code: &mut Emitter<'_>, condition: &PerSite<'_>, site: Expr) -> Expr {
    if condition.sites.is_none() {
        return holds(code, condition, site);
    }
    code.bind(condition.iter, site);
    int(1)
}

/// The sites of the game for which a condition holds that asks for nothing but what stands on a
/// site, or in line with it.
pub(super) fn sites_where(code: &mut Emitter<'_>, condition: &Bool, site: &Int) -> Option<Expr> {
    let here = |at: &Int| at == site;
    let empty = || state_set(int(EMPTY as i32));
    match condition {
        Bool::Const(true) => Some(regions::fixed(code, !Sites::EMPTY)),
        Bool::IsEmpty(at) => here(at).then(empty),
        Bool::IsOccupied(at) => here(at).then(|| piece_sets::occupied(code)),
        Bool::IsEnemy(who) => {
            let seen = seen_owners(code, who, site)?;
            let own = piece_sets::owned(code, slot(Slot::Mover));
            let nobody = state_set(int(1));
            let others = piece_sets::occupied(code).without(nobody);
            Some(seen.of(others.without(own)))
        }
        Bool::IsFriend(who) => {
            let seen = seen_owners(code, who, site)?;
            Some(seen.of(piece_sets::owned(code, slot(Slot::Mover))))
        }
        Bool::Compare(Compare::Equal, pair) => match &**pair {
            (Int::At { layer: Layer::What, at, level: None, reach }, Int::Const(component))
                if here(at) && !code.game.stacking() =>
            {
                let component = usize::try_from(*component).ok().filter(|&c| c > 0)?;
                let set = i32::from(*code.game.layout.piece_set.get(component)?);
                let seen = seen(code, *reach);
                Some(seen.of(state_set(int(set))))
            }
            (who, player @ (Int::Mover | Int::Next | Int::Const(1..))) => {
                let seen = seen_owners(code, who, site)?;
                let player = ints::emit(code, player);
                Some(seen.of(piece_sets::owned(code, player)))
            }
            _ => None,
        },
        Bool::InRegion(sites, region) if matches!(&**sites, [at] if here(at)) => {
            is_expression(region).then(|| regions::emit(code, region))
        }
        Bool::CanMove(moves) if !code.game.visits && code.game.repeats.is_none() => {
            let Moves::Custodial(custodial) = code.game.generator(*moves) else { return None };
            custodial::captures_from(code, custodial, site)
        }
        Bool::Not(inner) => {
            let inner = sites_where(code, inner, site)?;
            Some(regions::fixed(code, !Sites::EMPTY).without(inner))
        }
        Bool::And(list) => join_where(code, list, site, Combine::And),
        Bool::Or(list) => join_where(code, list, site, Combine::Or),
        _ => None,
    }
}

fn join_where(code: &mut Emitter<'_>, list: &[Bool], site: &Int, op: Combine) -> Option<Expr> {
    let (first, rest) = list.split_first()?;
    let first = sites_where(code, first, site)?;
    rest.iter().try_fold(first, |all, c| {
        Some(Expr::Combine(op, Box::new(all), Box::new(sites_where(code, c, site)?)))
    })
}

/// The sites that a number can see, if it is the owner of what stands on a site and players are
/// on nobody's side.
fn seen_owners(code: &mut Emitter<'_>, who: &Int, site: &Int) -> Option<VisibleSites> {
    let (at, reach) = who.owned_site()?;
    (at == site && code.game.world.teams.is_none()).then(|| seen(code, reach))
}

/// The sites that a ludeme can see.
pub(super) fn seen(code: &mut Emitter<'_>, reach: Reach) -> VisibleSites {
    let board: Sites = Sites::below(code.game.world.topology.extent());
    match reach {
        Reach::All => VisibleSites::All,
        Reach::Board => VisibleSites::These(regions::fixed(code, board)),
        Reach::Hands => VisibleSites::These(regions::fixed(code, !board)),
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
