//! Code for conditions: 1 if a condition holds, else 0.

use kernel::ir::{Combine, Expr, Stmt, Type};

use super::arrays::{Service, Slot, both, choose, either, int, is_below, slot, state_set};
use super::context::Sites;
use super::emitter::{Emitter, Finding};
use super::ints::comparison;
use super::module::Trait;
use super::regions::is_expression;
use super::{
    acts, custodial, exists, groups, ints, leaves, lines, piece_sets, regions, stacks, teams,
};
use crate::ir::{
    Bool, Compare, EvaluatedParts, Int, Ints, Iter, JumpId, Layer, Moves, Pieces, Place, RayId,
    Reach, Region,
};
use crate::lower::Feature;
use crate::state::EMPTY;

/// A condition that is tested for one site after the other; it always holds if it is `None`.
pub(super) struct PerSite<'c> {
    condition: Option<&'c Bool>,
    /// The variable of the rules that is bound to the site.
    iter: Iter,
    /// The sites for which the condition holds, if it has a form as a set.
    pub(super) sites: Option<Expr>,
}

impl PerSite<'_> {
    /// True if there is no condition.
    pub(super) fn is_trivial(&self) -> bool {
        self.condition.is_none()
    }

    /// True if [`PerSite::among`] tests all of the condition.
    pub(super) fn is_set(&self) -> bool {
        self.sites.is_some() || self.is_trivial()
    }

    /// The sites of a set for which the condition may hold; those for which it holds, if it
    /// [is a set](PerSite::is_set).
    pub(super) fn among(&self, sites: Expr) -> Expr {
        match &self.sites {
            Some(holding) => sites & holding.clone(),
            None => sites,
        }
    }
}

/// True if code can test for most numbers that a list has them.
fn has_membership_code(list: &Ints) -> bool {
    match list {
        Ints::List(_) | Ints::Region(_) | Ints::Remembered(_) => true,
        Ints::Union(lists) | Ints::Intersection(lists) => {
            !lists.is_empty() && lists.iter().all(has_membership_code)
        }
        Ints::If(parts) => has_membership_code(&parts.1) && has_membership_code(&parts.2),
        _ => false,
    }
}

/// Code for a condition.
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
        Bool::Not(inner) => !emit(code, inner),
        Bool::If(parts) => {
            let condition = emit(code, &parts.0);
            let then = code.lazily(|code| emit(code, &parts.1));
            choose(condition, then, code.lazily(|code| emit(code, &parts.2)))
        }
        Bool::Compare(compared, pair) => compare(code, *compared, pair),
        _ => emit_other(code, condition),
    }
}

/// Code for a condition that is neither a comparison nor composed of other conditions.
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
            code.findings.add(Finding::ReadsStartOfMove);
            slot(Slot::Passed).differs(int(0))
        }
        Bool::AllPassed => {
            code.findings.add(Finding::ReadsStartOfMove);
            both(slot(Slot::Passed).differs(int(0)), code.lazily(|code| ask(code, condition)))
        }
        Bool::CanMove(moves) => {
            let any = exists::can_move(code, code.game.generator(*moves));
            any.unwrap_or_else(|| ask(code, condition))
        }
        Bool::NoMoves(role) => {
            exists::has_no_moves(code, *role).unwrap_or_else(|| ask(code, condition))
        }
        Bool::IsFull => {
            (state_set(int(EMPTY as i32)) & regions::fixed(code, code.game.board())).is_empty()
        }
        Bool::IsRelated { jumps, a, b } => is_related(code, *jumps, a, b),
        Bool::IsWithin { component, place } => is_within(code, component, place),
        Bool::IsTarget { sites, components, possible: true } => is_target(code, sites, components),
        Bool::IsThreatened(threat) => {
            exists::threatened(code, threat).unwrap_or_else(|| ask(code, condition))
        }
        Bool::Compiled(_, rules) => emit(code, rules),
        Bool::IsLine(line) => lines::is_line(code, line).unwrap_or_else(|| ask(code, condition)),
        Bool::AllDiceEqual => slot(Slot::AllEqual),
        Bool::AllDiceUsed => acts::dice(code.game).map(|die| die.equals(int(0))).fold(int(1), both),
        Bool::IsAnyDie(value) => is_any_die(code, value),
        Bool::IsConnected(connection) => groups::is_connected(code, connection),
        Bool::IsEven(value) => !ints::emit(code, value).and_bits(int(1)),
        Bool::NoPieces { pieces, within } if piece_sets::has_code(code, pieces) => {
            no_pieces(code, pieces, within.as_deref())
        }
        Bool::IsFlat(below, at) => is_flat(code, *below, at),
        Bool::IsPending => is_pending(code),
        Bool::IsVisited(at) => is_in_set(code, code.game.layout.visited(), at),
        Bool::Leads { rays, from, to } => leads(code, *rays, from, to),
        Bool::InInts(values, ints) if has_membership_code(ints) => are_in(code, values, ints),
        Bool::IsEnemy(_)
        | Bool::IsFriend(_)
        | Bool::IsTarget { .. }
        | Bool::NoPieces { .. }
        | Bool::InInts(..)
        | Bool::AllValues(_)
        | Bool::IsPath(_)
        | Bool::IsSitePath(_)
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

/// Code that is 1 if a site is in a set of the state.
fn is_in_set(code: &mut Emitter<'_>, set: usize, at: &Int) -> Expr {
    state_set(int(set as i32)).contains(ints::emit(code, at))
}

/// Code that is 1 if a piece stands on a site.
fn is_occupied_at(code: &mut Emitter<'_>, at: &Int) -> Expr {
    let site = ints::emit(code, at);
    !code.what(site).equals(int(0))
}

/// Code that is 1 if a player is one of `players`, which are bits.
fn is_player_in(code: &mut Emitter<'_>, players: Expr, who: &Int) -> Expr {
    let who = ints::kept(code, who);
    both(is_below(who.clone(), 32), players.shifted_right(who).and_bits(int(1)))
}

/// Code that is 1 if two regions have the same sites.
fn are_same(code: &mut Emitter<'_>, a: &Region, b: &Region) -> Expr {
    let (a, b) = (regions::emit(code, a), regions::emit(code, b));
    (a ^ b).is_empty()
}

/// A comparison of two numbers, folded if both are constant.
fn compare(code: &mut Emitter<'_>, compared: Compare, pair: &(Int, Int)) -> Expr {
    let (a, b) = (ints::emit(code, &pair.0), ints::emit(code, &pair.1));
    match (&a, &b) {
        (Expr::Int(a), Expr::Int(b)) => int(i32::from(compared.holds(*a, *b))),
        _ => Expr::Compare(comparison(compared), Box::new(a), Box::new(b)),
    }
}

/// Code that is 1 if all sites are in a region.
fn in_region(code: &mut Emitter<'_>, sites: &[Int], region: &Region) -> Expr {
    if let [site] = sites {
        let site = ints::kept(code, site);
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
            Region::Pending => pends(code, site),
            region => regions::emit(code, region).contains(site),
        };
    }
    if *region == Region::Pending {
        return sites.iter().fold(int(1), |all, site| {
            let pends = code.lazily(|code| {
                let site = ints::kept(code, site);
                pends(code, site)
            });
            both(all, pends)
        });
    }
    let region = regions::kept(code, region);
    sites.iter().fold(int(1), |all, site| {
        both(all, region.clone().contains(code.lazily(|code| ints::emit(code, site))))
    })
}

/// Code that is 1 if a site, or another number, is pending.
fn pends(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let is_set = regions::emit(code, &Region::Pending).contains(site.clone());
    let is_number = both(slot(Slot::HasPending), site.clone().equals(slot(Slot::Pending)));
    either(is_set, both(site.at_least(int(0)), is_number))
}

/// Code that is 1 if a condition holds for all sites of a region.
fn holds_on_all(code: &mut Emitter<'_>, pair: &(Region, Bool)) -> Expr {
    let sites = regions::emit(code, &pair.0);
    let saved = code.save([Iter::Site]);
    let all = code.keep(Type::Int, int(1));
    code.for_each(sites, |code, site| {
        code.bind(Iter::Site, site.get());
        let holds = emit(code, &pair.1);
        code.push_if(!holds, vec![Stmt::Set(all, int(0)), Stmt::Break(1)]);
    });
    code.restore(&saved);
    all.get()
}

/// Code that is 1 if a site is a neighbour of another one, or of a site of a region.
fn is_related(code: &mut Emitter<'_>, jumps: JumpId, a: &Int, b: &Place) -> Expr {
    // Steps may lead one way only, so the table goes by the second site.
    let near = code.near(jumps);
    match b {
        Place::Site(b) => {
            let (a, b) = (ints::emit(code, a), ints::emit(code, b));
            near.at(b).contains(a)
        }
        Place::Region(region) => {
            let a = ints::kept(code, a);
            let sites = regions::emit(code, region);
            let any = code.keep(Type::Int, int(0));
            code.for_each(sites, |code, site| {
                let found = vec![Stmt::Set(any, int(1)), Stmt::Break(1)];
                code.push_if(near.at(site.get()).contains(a.clone()), found);
            });
            any.get()
        }
    }
}

/// Code that is 1 if there is a piece of a component in a place.
fn is_within(code: &mut Emitter<'_>, component: &Int, place: &Place) -> Expr {
    let component = ints::kept(code, component);
    let place = sites_of_place(code, place);
    let there = piece_sets::with_component(code, component.clone());
    both(component.greater(int(0)), !(there & place).is_empty())
}

/// Code that is 1 if every vertex below a site is occupied.
fn is_flat(code: &mut Emitter<'_>, below: JumpId, at: &Int) -> Expr {
    let near = code.near(below);
    let at = ints::kept(code, at);
    let occupied = (near.at(at.clone()) & state_set(int(EMPTY as i32))).is_empty();
    both(at.at_least(int(0)), occupied)
}

/// Code that is 1 if a site or a number is pending.
fn is_pending(code: &mut Emitter<'_>) -> Expr {
    code.findings.add(Finding::ReadsStartOfMove);
    code.module.traits.add(Trait::NeedsCopy);
    either(slot(Slot::HasPending), !state_set(int(code.game.layout.pending() as i32)).is_empty())
}

/// Code that is 1 if there are no such pieces, in the whole game or in a region.
fn no_pieces(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    if code.game.stacking() {
        return stacks::has_none(code, pieces, within);
    }
    piece_sets::within(code, pieces, within).is_empty()
}

/// Code that is 1 if all numbers are in a list.
pub(super) fn are_in(code: &mut Emitter<'_>, values: &[Int], ints: &Ints) -> Expr {
    values.iter().fold(int(1), |all, node| {
        let is_one = code.lazily(|code| {
            let value = ints::kept(code, node);
            is_one_of(code, node, &value, ints)
        });
        both(all, is_one)
    })
}

/// Code that is 1 if each site holds its component.
fn is_target(code: &mut Emitter<'_>, sites: &[u16], components: &[i32]) -> Expr {
    sites.iter().zip(components).fold(int(1), |all, (&site, &component)| {
        both(all, code.what(int(i32::from(site))).equals(int(component)))
    })
}

/// Code that is 1 if a number is that of an enemy of the mover.
fn is_enemy(code: &mut Emitter<'_>, who: &Int) -> Expr {
    let who = ints::kept(code, who);
    let own = teams::is_in_own_team(code, who.clone());
    let own = own.unwrap_or(who.clone().equals(slot(Slot::Mover)));
    both(who.differs(int(0)), !own)
}

/// Code that is 1 if a number is that of the mover or of a friend.
fn is_friend(code: &mut Emitter<'_>, who: &Int) -> Expr {
    let who = ints::kept(code, who);
    teams::is_in_own_team(code, who.clone()).unwrap_or(who.equals(slot(Slot::Mover)))
}

/// Code that is 1 if a die shows a number.
fn is_any_die(code: &mut Emitter<'_>, value: &Int) -> Expr {
    let value = ints::kept(code, value);
    acts::dice(code.game).map(|die| die.equals(value.clone())).fold(int(0), either)
}

/// Code that is 1 if a straight path leads from a site to another.
fn leads(code: &mut Emitter<'_>, rays: RayId, from: &Int, to: &Int) -> Expr {
    let reached = code.module.tables.reached(code.game, rays);
    let (from, to) = (ints::emit(code, from), ints::emit(code, to));
    reached.at(from).contains(to)
}

/// A call of the evaluator for a condition.
fn ask(code: &mut Emitter<'_>, condition: &Bool) -> Expr {
    code.module.traits.add_if(code.game.has(Feature::Pends), Trait::NeedsCopy);
    let number = EvaluatedParts::add(&mut code.parts.bools, condition.clone());
    code.ask(Service::Test, vec![int(number)])
}

/// Code that is 1 if a number is in a list; `value` is its value.
fn is_one_of(code: &mut Emitter<'_>, node: &Int, value: &Expr, list: &Ints) -> Expr {
    match list {
        Ints::List(items) => items.iter().fold(int(0), |any, item| {
            either(any, value.clone().equals(code.lazily(|code| ints::emit(code, item))))
        }),
        Ints::Region(region) => regions::emit(code, region).contains(value.clone()),
        Ints::Union(lists) => lists.iter().fold(int(0), |any, list| {
            either(any, code.lazily(|code| is_one_of(code, node, value, list)))
        }),
        Ints::Intersection(lists) => lists.iter().fold(int(1), |all, list| {
            both(all, code.lazily(|code| is_one_of(code, node, value, list)))
        }),
        Ints::If(parts) => {
            let condition = emit(code, &parts.0);
            let then = code.lazily(|code| is_one_of(code, node, value, &parts.1));
            choose(condition, then, code.lazily(|code| is_one_of(code, node, value, &parts.2)))
        }
        list => {
            let is_one = Bool::InInts(Box::new([node.clone()]), Box::new(list.clone()));
            let asked = code.lazily(|code| ask(code, &is_one));
            let Ints::Remembered(list) = list else { return asked };
            let remembered = regions::remembered(code, *list);
            let could_be_site = leaves::could_be_site(code, value.clone());
            choose(could_be_site, remembered.contains(value.clone()), asked)
        }
    }
}

/// Code for the conjunction or disjunction of conditions, which stops at the first that decides.
fn chain(code: &mut Emitter<'_>, list: &[Bool], unit: i32, join: fn(Expr, Expr) -> Expr) -> Expr {
    let mut all = int(unit);
    for (i, condition) in list.iter().enumerate() {
        let next =
            if i == 0 { emit(code, condition) } else { code.lazily(|code| emit(code, condition)) };
        all = join(all, next);
    }
    all
}

/// Code for the sites of a place as a set, empty for a negative site.
pub(super) fn sites_of_place(code: &mut Emitter<'_>, place: &Place) -> Expr {
    match place {
        Place::Site(site) => Expr::single(ints::emit(code, site)),
        Place::Region(region) => regions::emit(code, region),
    }
}

/// Prepares a condition for tests of many sites in the same state.
pub(super) fn per_site<'c>(
    code: &mut Emitter<'_>,
    condition: Option<&'c Bool>,
    iter: Iter,
) -> PerSite<'c> {
    let sites = condition.and_then(|condition| sites_where(code, condition, &Int::Iter(iter)));
    let sites = sites.map(|sites| code.hoist(sites));
    PerSite { condition, iter, sites }
}

/// Code that binds a site, and is 1 if a condition holds for it.
pub(super) fn holds(code: &mut Emitter<'_>, condition: &PerSite<'_>, site: Expr) -> Expr {
    code.bind(condition.iter, site.clone());
    match (&condition.sites, condition.condition) {
        (Some(sites), _) => sites.clone().contains(site),
        (None, Some(condition)) => emit(code, condition),
        (None, None) => int(1),
    }
}

/// As [`holds`], for a site of [`PerSite::among`].
pub(super) fn holds_among(code: &mut Emitter<'_>, condition: &PerSite<'_>, site: Expr) -> Expr {
    if condition.sites.is_none() {
        return holds(code, condition, site);
    }
    code.bind(condition.iter, site);
    int(1)
}

/// Code for the set of all sites for which a condition holds, where `site` stands for the site;
/// `None` if the condition does not depend only on the contents of the site, or of sites in line
/// with it.
pub(super) fn sites_where(code: &mut Emitter<'_>, condition: &Bool, site: &Int) -> Option<Expr> {
    let is_site = |at: &Int| at == site;
    let empty = || state_set(int(EMPTY as i32));
    match condition {
        Bool::Const(true) => Some(regions::fixed(code, !Sites::EMPTY)),
        Bool::IsEmpty(at) => is_site(at).then(empty),
        Bool::IsOccupied(at) => is_site(at).then(|| piece_sets::occupied(code)),
        Bool::IsEnemy(who) => {
            let seen = visible_owners(code, who, site)?;
            let own = piece_sets::owned(code, slot(Slot::Mover));
            Some(seen.of(piece_sets::occupied(code).without(state_set(int(1))).without(own)))
        }
        Bool::IsFriend(who) => {
            Some(visible_owners(code, who, site)?.of(piece_sets::owned(code, slot(Slot::Mover))))
        }
        Bool::Compare(Compare::Equal, pair) => match &**pair {
            (Int::At { layer: Layer::What, at, level: None, reach }, Int::Const(component))
                if is_site(at) && !code.game.stacking() =>
            {
                let component = usize::try_from(*component).ok().filter(|&c| c > 0)?;
                let set = i32::from(*code.game.layout.piece_set.get(component)?);
                Some(visible(code, *reach).of(state_set(int(set))))
            }
            (who, player @ (Int::Mover | Int::Next | Int::Const(1..))) => {
                let seen = visible_owners(code, who, site)?;
                let player = ints::emit(code, player);
                Some(seen.of(piece_sets::owned(code, player)))
            }
            _ => None,
        },
        Bool::InRegion(sites, region) if matches!(&**sites, [at] if is_site(at)) => {
            is_expression(region).then(|| regions::emit(code, region))
        }
        Bool::CanMove(moves) if !code.game.has(Feature::Visits) && code.game.repeats.is_none() => {
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

/// As [`sites_where`], for the conjunction or disjunction of conditions.
fn join_where(code: &mut Emitter<'_>, list: &[Bool], site: &Int, op: Combine) -> Option<Expr> {
    let (first, rest) = list.split_first()?;
    rest.iter().try_fold(sites_where(code, first, site)?, |all, c| {
        Some(Expr::Combine(op, Box::new(all), Box::new(sites_where(code, c, site)?)))
    })
}

/// The sites that a number looks at, if it is the owner of the piece on `site` and there are no
/// teams.
fn visible_owners(code: &mut Emitter<'_>, who: &Int, site: &Int) -> Option<VisibleSites> {
    let (at, reach) = who.owned_site()?;
    (at == site && code.game.world.teams.is_none()).then(|| visible(code, reach))
}

/// The sites that a ludeme looks at: those of the board, of hands, or all.
pub(super) fn visible(code: &mut Emitter<'_>, reach: Reach) -> VisibleSites {
    let board: Sites = Sites::below(code.game.world.topology.extent());
    match reach {
        Reach::All => VisibleSites::All,
        Reach::Board => VisibleSites::These(regions::fixed(code, board)),
        Reach::Hands => VisibleSites::These(regions::fixed(code, !board)),
    }
}

/// The sites that a ludeme looks at.
pub(super) enum VisibleSites {
    All,
    These(Expr),
}

impl VisibleSites {
    /// The sites of a set that the ludeme looks at.
    pub(super) fn of(self, sites: Expr) -> Expr {
        match self {
            VisibleSites::These(seen) => sites & seen,
            VisibleSites::All => sites,
        }
    }
}
