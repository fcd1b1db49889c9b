//! Sets of sites as expressions.

use super::conditions::Cond;
use super::rays::Straight;
use super::{Cx, View, settled};
use crate::eval::Eval;
use crate::ir::{Bool, Iter, Region};
use crate::set::Set;
use crate::state::EMPTY;

/// A set as an expression.
#[derive(Clone, PartialEq)]
pub(super) enum SetExpr<const W: usize> {
    Const(Set<W>),
    /// A set of the state by number: empty sites, an owner's, a component's.
    Load(usize),
    /// Pending sites.
    Pending,
    /// Where the last move went.
    LastTo,
    /// The origin, while moves of one piece are looked for.
    Origin,
    /// The sites of the player who is to move next.
    OwnedByNext,
    /// The set of the state with the number for the player who is to move next, if he has one.
    PieceOfNext(Box<[Option<usize>]>),
    /// A static set by the number of the player who is to move next.
    ByNext(Box<[Set<W>]>),
    Union(Box<[SetExpr<W>]>),
    Intersection(Box<[SetExpr<W>]>),
    Difference(Box<(SetExpr<W>, SetExpr<W>)>),
    Not(Box<SetExpr<W>>),
    If(Box<(Cond<W>, SetExpr<W>, SetExpr<W>)>),
    /// All neighbours of all sites of a set.
    Spread(Spread<W>, Box<SetExpr<W>>),
    /// A set with all neighbours of its sites.
    Grown(Spread<W>, Box<SetExpr<W>>),
    /// Union of a static set for each site.
    Reach(Box<[Set<W>]>, Box<SetExpr<W>>),
    /// Sites from which a run of targets that ends at a friend can be captured.
    Flanks(Box<Flanks<W>>),
    /// Sites by how their component compares with that of the origin: sets of the state for each
    /// component there.
    ByOrigin(Box<[Box<[usize]>]>),
    /// Sites in lines of equal pieces.
    InLines(Box<InLines<W>>),
    /// Those that pass a plain test.
    Filter(Box<(SetExpr<W>, Iter, Bool)>),
    Plain(Box<Region>),
}

/// A capture between a site and a friend, asked of all sites at once.
#[derive(Clone, PartialEq)]
pub(super) struct Flanks<const W: usize> {
    pub(super) straight: Straight<W>,
    pub(super) target: SetExpr<W>,
    pub(super) friend: SetExpr<W>,
}

/// Lines of some length, and what counts as equal.
#[derive(Clone, PartialEq)]
pub(super) struct InLines<const W: usize> {
    /// The sites of each line, and those of them from which it is one.
    pub(super) windows: Box<[(Set<W>, Set<W>)]>,
    /// Sets of the state.
    pub(super) kinds: Box<[usize]>,
}

impl<const W: usize> InLines<W> {
    fn of(&self, set: impl Fn(usize) -> Set<W>) -> Set<W> {
        let mut found = Set::EMPTY;
        for &kind in &self.kinds {
            let equal = set(kind);
            for (window, sites) in &self.windows {
                if window.is_subset(&equal) {
                    found |= *sites;
                }
            }
        }
        found
    }
}

/// Neighbours by a few differences of site numbers, or by site.
#[derive(Clone, PartialEq)]
pub(super) enum Spread<const W: usize> {
    /// Difference, and the sites it can be added to.
    Shifts(Box<[(i32, Set<W>)]>),
    /// Neighbours of each site.
    Near(Box<[Set<W>]>),
}

/// More differences than this are slower than going from site to site.
const MAX_SHIFTS: usize = 12;

/// The differences of a table of targets in ascending order, each with the sites that have it.
pub(super) fn deltas<const W: usize>(near: &[Set<W>]) -> Vec<(i32, Set<W>)> {
    let mut found: Vec<(i32, Set<W>)> = Vec::new();
    for (site, targets) in near.iter().enumerate() {
        for target in targets.iter() {
            let delta = target as i32 - site as i32;
            match found.binary_search_by_key(&delta, |d| d.0) {
                Ok(at) => found[at].1.insert(site),
                Err(at) => found.insert(at, (delta, Set::single(site))),
            }
        }
    }
    found
}

impl<const W: usize> Spread<W> {
    pub(super) fn new(near: Vec<Set<W>>) -> Spread<W> {
        let shifts = deltas(&near);
        if shifts.len() <= MAX_SHIFTS {
            Spread::Shifts(shifts.into())
        } else {
            Spread::Near(near.into())
        }
    }

    #[inline]
    pub(super) fn of(&self, from: &Set<W>) -> Set<W> {
        match self {
            Spread::Shifts(shifts) => shifts
                .iter()
                .fold(Set::EMPTY, |all, (by, sources)| all | (*from & *sources).moved(*by)),
            Spread::Near(near) => from
                .iter()
                .fold(Set::EMPTY, |all, s| all | near.get(s).copied().unwrap_or_default()),
        }
    }
}

impl<const W: usize> SetExpr<W> {
    /// The set in a state.
    #[inline]
    pub(super) fn eval(&self, cx: &Cx<'_, W>) -> Set<W> {
        match self {
            SetExpr::Const(set) => *set,
            SetExpr::Load(index) => cx.state.set::<W>(*index),
            SetExpr::Intersection(parts) => {
                let mut set = parts[0].eval(cx);
                for part in &parts[1..] {
                    set &= part.eval(cx);
                }
                set
            }
            SetExpr::Union(parts) => {
                let mut set = parts[0].eval(cx);
                for part in &parts[1..] {
                    set |= part.eval(cx);
                }
                set
            }
            SetExpr::Difference(pair) => pair.0.eval(cx).without(&pair.1.eval(cx)),
            SetExpr::Not(inner) => !inner.eval(cx),
            SetExpr::Spread(spread, of) => spread.of(&of.eval(cx)),
            SetExpr::Grown(spread, of) => {
                let of = of.eval(cx);
                of | spread.of(&of)
            }
            SetExpr::ByOrigin(sets) => {
                let what = cx.state.what(usize::from(cx.view.from));
                let loads = sets.get(what).map_or(&[][..], |s| s);
                loads.iter().fold(Set::EMPTY, |all, &i| all | cx.state.set::<W>(i))
            }
            _ => self.eval_rare(cx),
        }
    }

    fn eval_rare(&self, cx: &Cx<'_, W>) -> Set<W> {
        match self {
            SetExpr::Pending => cx.state.pending(&cx.game.layout),
            SetExpr::Origin => Set::single(usize::from(cx.view.from)),
            SetExpr::LastTo => {
                usize::try_from(cx.state.head.last_to).map_or(Set::EMPTY, Set::single)
            }
            SetExpr::OwnedByNext => cx.state.owned(usize::from(cx.view.next)),
            SetExpr::PieceOfNext(sets) => {
                let set = sets.get(usize::from(cx.view.next)).copied().flatten();
                set.map_or(Set::EMPTY, |set| cx.state.set::<W>(set))
            }
            SetExpr::ByNext(sets) => {
                sets.get(usize::from(cx.view.next)).copied().unwrap_or_default()
            }
            SetExpr::If(parts) => {
                if parts.0.holds(cx) {
                    parts.1.eval(cx)
                } else {
                    parts.2.eval(cx)
                }
            }
            SetExpr::Reach(table, of) => {
                let of = of.eval(cx);
                of.iter().fold(Set::EMPTY, |all, s| all | table.get(s).copied().unwrap_or_default())
            }
            SetExpr::Flanks(flanks) => {
                let (target, friend) = (flanks.target.eval(cx), flanks.friend.eval(cx));
                flanks.straight.flanks(&target, &friend)
            }
            SetExpr::InLines(lines) => lines.of(|set| cx.state.set(set)),
            SetExpr::Filter(parts) => {
                let sites = parts.0.eval(cx);
                let mut eval = cx.view.plain(cx);
                sites
                    .iter()
                    .filter(|&s| {
                        eval.set(parts.1, s as i32);
                        eval.test(&parts.2)
                    })
                    .collect()
            }
            SetExpr::Plain(region) => cx.view.plain(cx).region(region),
            // The common ones are evaluated where they are met.
            _ => Set::EMPTY,
        }
    }

    /// Whether the sets of a state are all that it depends on: [`SetExpr::of_sets`].
    pub(super) fn is_of_sets(&self) -> bool {
        match self {
            SetExpr::Const(_) | SetExpr::Load(_) => true,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.iter().all(SetExpr::is_of_sets)
            }
            SetExpr::Difference(pair) => pair.0.is_of_sets() && pair.1.is_of_sets(),
            SetExpr::Not(inner)
            | SetExpr::Spread(_, inner)
            | SetExpr::Grown(_, inner)
            | SetExpr::Reach(_, inner) => inner.is_of_sets(),
            _ => false,
        }
    }

    /// Whether it is the same at the end of a turn, seen from the next player's side, as when his turn
    /// begins.
    pub(super) fn is_settled(&self) -> bool {
        match self {
            SetExpr::Const(_) | SetExpr::Load(_) | SetExpr::Pending | SetExpr::LastTo => true,
            SetExpr::Origin | SetExpr::InLines(_) => true,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.iter().all(SetExpr::is_settled)
            }
            SetExpr::Difference(pair) => pair.0.is_settled() && pair.1.is_settled(),
            SetExpr::Not(inner)
            | SetExpr::Spread(_, inner)
            | SetExpr::Grown(_, inner)
            | SetExpr::Reach(_, inner) => inner.is_settled(),
            SetExpr::If(parts) => {
                parts.0.can_be_tested_ahead() && parts.1.is_settled() && parts.2.is_settled()
            }
            SetExpr::Filter(parts) => parts.0.is_settled() && settled::condition(&parts.2),
            _ => false,
        }
    }

    /// The set by the sets of a state alone, for expressions that are of that kind.
    #[inline]
    pub(super) fn of_sets(&self, sets: &[Set<W>]) -> Set<W> {
        match self {
            SetExpr::Const(set) => *set,
            SetExpr::Load(index) => sets[*index],
            SetExpr::Intersection(parts) => {
                parts.iter().fold(!Set::EMPTY, |all, part| all & part.of_sets(sets))
            }
            SetExpr::Union(parts) => {
                parts.iter().fold(Set::EMPTY, |all, part| all | part.of_sets(sets))
            }
            SetExpr::Difference(pair) => pair.0.of_sets(sets).without(&pair.1.of_sets(sets)),
            SetExpr::Not(inner) => !inner.of_sets(sets),
            SetExpr::Spread(spread, of) => spread.of(&of.of_sets(sets)),
            SetExpr::Grown(spread, of) => {
                let of = of.of_sets(sets);
                of | spread.of(&of)
            }
            SetExpr::Reach(table, of) => {
                let of = of.of_sets(sets);
                of.iter().fold(Set::EMPTY, |all, s| all | table.get(s).copied().unwrap_or_default())
            }
            _ => Set::EMPTY,
        }
    }

    /// Whether all its sites are empty ones, by its form.
    pub(super) fn is_free(&self) -> bool {
        match self {
            SetExpr::Load(index) => *index == EMPTY,
            SetExpr::Intersection(parts) => parts.iter().any(SetExpr::is_free),
            SetExpr::Union(parts) => parts.iter().all(SetExpr::is_free),
            SetExpr::Difference(pair) => pair.0.is_free(),
            _ => false,
        }
    }

    /// Whether all its sites are of the board, by its form.
    pub(super) fn is_of_board(&self, board: &Set<W>) -> bool {
        match self {
            SetExpr::Const(set) => set.is_subset(board),
            SetExpr::Union(parts) => parts.iter().all(|part| part.is_of_board(board)),
            SetExpr::Intersection(parts) => parts.iter().any(|part| part.is_of_board(board)),
            part => part.is_real(),
        }
    }

    /// How many plain tests there are.
    pub(super) fn filters(&self) -> u32 {
        match self {
            SetExpr::Filter(parts) => 1 + parts.0.filters(),
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.iter().map(SetExpr::filters).sum()
            }
            SetExpr::Difference(pair) => pair.0.filters() + pair.1.filters(),
            SetExpr::Not(inner)
            | SetExpr::Spread(_, inner)
            | SetExpr::Grown(_, inner)
            | SetExpr::Reach(_, inner) => inner.filters(),
            _ => 0,
        }
    }

    /// Whether the set has no site.
    pub(super) fn is_empty(&self, cx: &Cx<'_, W>) -> bool {
        self.eval(cx).is_empty()
    }

    /// Whether all its sites are sites that there are: complements may have others.
    pub(super) fn is_real(&self) -> bool {
        match self {
            SetExpr::Load(_)
            | SetExpr::Pending
            | SetExpr::OwnedByNext
            | SetExpr::PieceOfNext(_)
            | SetExpr::ByOrigin(_) => true,
            SetExpr::Union(parts) => parts.iter().all(SetExpr::is_real),
            SetExpr::Intersection(parts) => parts.iter().any(SetExpr::is_real),
            _ => false,
        }
    }

    /// Whether no part is evaluated plainly, and so might depend on what is bound.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            SetExpr::Const(_)
            | SetExpr::Load(_)
            | SetExpr::Pending
            | SetExpr::LastTo
            | SetExpr::Origin
            | SetExpr::InLines(_)
            | SetExpr::OwnedByNext
            | SetExpr::PieceOfNext(_)
            | SetExpr::ByNext(_)
            | SetExpr::ByOrigin(_) => true,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.iter().all(SetExpr::is_closed)
            }
            SetExpr::Difference(pair) => pair.0.is_closed() && pair.1.is_closed(),
            SetExpr::Not(inner)
            | SetExpr::Spread(_, inner)
            | SetExpr::Grown(_, inner)
            | SetExpr::Reach(_, inner) => inner.is_closed(),
            SetExpr::Flanks(flanks) => flanks.target.is_closed() && flanks.friend.is_closed(),
            SetExpr::If(_) | SetExpr::Filter(_) | SetExpr::Plain(_) => false,
        }
    }
}

impl View {
    /// The plain evaluation from the same side.
    pub(super) fn plain<'p, const W: usize>(&self, cx: &Cx<'p, W>) -> Eval<'p, W> {
        let mut eval = Eval::new(cx.game, cx.state);
        eval.turns.mover = self.mover;
        eval.turns.next = self.next;
        eval.turns.prev = self.prev;
        eval.set_ahead(self.ahead);
        if self.from != u16::MAX {
            eval.set(Iter::From, i32::from(self.from));
        }
        eval
    }
}

/// Union: inner ones opened, what is constant put together.
pub(super) fn union<const W: usize>(parts: Vec<SetExpr<W>>) -> SetExpr<W> {
    let mut constant = Set::EMPTY;
    let mut rest = Vec::new();
    for part in parts {
        match part {
            SetExpr::Const(set) => constant |= set,
            SetExpr::Union(inner) => rest.extend(inner),
            part => rest.push(part),
        }
    }
    // Sets of the state that are always in it go into the table of those that depend on the origin.
    if let Some(at) = rest.iter().position(|part| matches!(part, SetExpr::ByOrigin(_))) {
        let mut loads = Vec::new();
        let mut others = Vec::new();
        let table = rest.swap_remove(at);
        for part in rest {
            match part {
                SetExpr::Load(index) => loads.push(index),
                part => others.push(part),
            }
        }
        if let SetExpr::ByOrigin(table) = table {
            let with_loads = table.into_iter().map(|list| {
                let mut list = list.into_vec();
                list.extend(&loads);
                list.sort_unstable();
                list.dedup();
                list.into()
            });
            others.push(SetExpr::ByOrigin(with_loads.collect()));
        }
        rest = others;
    }
    if rest.is_empty() || !constant.is_empty() {
        rest.push(SetExpr::Const(constant));
    }
    single_or(rest, SetExpr::Union)
}

/// Intersection: inner ones opened, what is constant put together, and of unions only what can meet
/// the other parts.
pub(super) fn intersection<const W: usize>(parts: Vec<SetExpr<W>>) -> SetExpr<W> {
    let mut constant = !Set::EMPTY;
    let mut rest = Vec::new();
    for part in parts {
        match part {
            SetExpr::Const(set) => constant &= set,
            SetExpr::Intersection(inner) => rest.extend(inner),
            part => rest.push(part),
        }
    }
    let loads: Vec<usize> = rest
        .iter()
        .filter_map(|part| match part {
            SetExpr::Load(index) => Some(*index),
            _ => None,
        })
        .collect();
    let mut rest: Vec<SetExpr<W>> =
        rest.into_iter().map(|part| without_disjoint(part, &loads)).collect();
    // Sites with pieces, and sites that are not empty by construction, need not be told so again.
    let occupied = |part: &SetExpr<W>| match part {
        SetExpr::Load(index) => *index != EMPTY,
        SetExpr::Difference(pair) => matches!(pair.1, SetExpr::Load(EMPTY)),
        _ => false,
    };
    if rest.iter().any(occupied) {
        rest.retain(
            |part| !matches!(part, SetExpr::Not(inner) if matches!(**inner, SetExpr::Load(EMPTY))),
        );
    }
    if rest.is_empty() || constant != !Set::EMPTY {
        rest.push(SetExpr::Const(constant));
    }
    single_or(rest, SetExpr::Intersection)
}

/// Drops from a union what is disjoint with one of the given sets of the state.
fn without_disjoint<const W: usize>(part: SetExpr<W>, loads: &[usize]) -> SetExpr<W> {
    let disjoint = |part: &SetExpr<W>| match part {
        SetExpr::Difference(pair) => {
            matches!(pair.1, SetExpr::Load(index) if loads.contains(&index))
        }
        SetExpr::Not(inner) => matches!(**inner, SetExpr::Load(index) if loads.contains(&index)),
        _ => false,
    };
    match part {
        SetExpr::Grown(spread, of) if disjoint(&of) => SetExpr::Spread(spread, of),
        SetExpr::Union(parts) => {
            let parts = parts.into_iter().map(|p| without_disjoint(p, loads));
            union(parts.filter(|p| !disjoint(p)).collect())
        }
        part => part,
    }
}

pub(super) fn difference<const W: usize>(a: SetExpr<W>, b: SetExpr<W>) -> SetExpr<W> {
    SetExpr::Difference(Box::new((a, b)))
}

fn single_or<const W: usize>(
    mut parts: Vec<SetExpr<W>>,
    many: fn(Box<[SetExpr<W>]>) -> SetExpr<W>,
) -> SetExpr<W> {
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts.into()),
    }
}
