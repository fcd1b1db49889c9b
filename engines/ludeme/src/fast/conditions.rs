//! Conditions on a whole state.

use super::choices::{Choice, Jumps};
use super::lift::Maker;
use super::sets::SetExpr;
use super::threats::Threats;
use super::{Cx, View, settled};
use crate::game::Game;
use crate::ir::{AxesId, Bool, Compare, Int, Iter, JumpId, Line, Place, Role};
use crate::set::Set;
use crate::state::{EMPTY, Flavour};

/// A condition.
#[derive(Clone, PartialEq)]
pub(super) enum Cond<const W: usize> {
    Const(bool),
    Not(Box<Cond<W>>),
    All(Box<[Cond<W>]>),
    Any(Box<[Cond<W>]>),
    /// This player moved before.
    PrevIs(u8),
    /// The number of moves made compares with a constant.
    Moves(Compare, i32),
    /// The last move went to one of these sites.
    WentTo(Set<W>),
    /// A set of the state has one of these sites.
    Meets(usize, Set<W>),
    /// A set has no site.
    IsEmpty(Box<SetExpr<W>>),
    /// The last piece placed or moved stands in a line.
    Line(LineTest<W>),
    /// The group of the last piece placed touches enough regions.
    Linked,
    /// The next player has no moves.
    NextStuck,
    /// The number of sites of a set compares with a constant.
    Count(Box<SetExpr<W>>, Compare, i32),
    /// The counter compares with a constant.
    Counter(Compare, i32),
    /// A variable compares with a constant.
    Var(usize, Compare, i32),
    /// There is one of these moves.
    Can(Box<Jumps<W>>),
    /// The piece of a component is threatened.
    Threat(Box<Threats<W>>),
    /// The stack on a site has a height that compares with a constant.
    Height(u16, Compare, i32),
    Plain(Box<Bool>),
}

/// A test for a line of at least some length through the last site.
#[derive(Clone, PartialEq)]
pub(super) struct LineTest<const W: usize> {
    pub(super) axes: AxesId,
    pub(super) length: usize,
    /// The windows of every site.
    windows: Box<[Box<[Set<W>]>]>,
}

impl<const W: usize> Cond<W> {
    /// Whether it holds.
    #[inline]
    pub(super) fn holds(&self, cx: &Cx<'_, W>) -> bool {
        match self {
            Cond::Const(value) => *value,
            Cond::PrevIs(player) => cx.view.prev == *player,
            Cond::Moves(how, value) => {
                crate::eval::compare(*how, cx.state.head.moves as i32, *value)
            }
            Cond::WentTo(sites) => sites.contains(cx.state.head.last_to as usize),
            Cond::Meets(index, sites) => cx.state.set::<W>(*index).intersects(sites),
            Cond::IsEmpty(set) => set.is_empty(cx),
            Cond::Line(line) => in_line(cx, &line.windows),
            Cond::Linked => cx.plan.links.as_ref().is_some_and(|l| l.joined(cx)),
            Cond::Count(set, how, value) => {
                crate::eval::compare(*how, set.eval(cx).len() as i32, *value)
            }
            Cond::Counter(how, value) => crate::eval::compare(*how, cx.state.head.counter, *value),
            Cond::Var(var, how, value) => cx
                .state
                .vars()
                .get(*var)
                .is_some_and(|&var| crate::eval::compare(*how, var, *value)),
            Cond::Can(jumps) => jumps.any(cx),
            Cond::Threat(threats) => threats.hold(cx),
            Cond::Height(site, how, value) => {
                let height = cx.state.height(usize::from(*site)) as i32;
                crate::eval::compare(*how, height, *value)
            }
            Cond::Not(inner) => !inner.holds(cx),
            Cond::All(list) => list.iter().all(|c| c.holds(cx)),
            Cond::Any(list) => list.iter().any(|c| c.holds(cx)),
            Cond::NextStuck => cx.next_is_stuck(),
            Cond::Plain(condition) => cx.view.plain(cx).test(condition),
        }
    }
}

impl<const W: usize> Cond<W> {
    /// Whether it is the same at the end of a turn, seen from the next player's side, as when his turn
    /// begins.
    pub(super) fn can_be_tested_ahead(&self) -> bool {
        match self {
            Cond::Const(_) | Cond::PrevIs(_) | Cond::Moves(..) | Cond::Var(..) => true,
            Cond::WentTo(_) | Cond::Meets(..) => true,
            Cond::IsEmpty(set) | Cond::Count(set, ..) => set.is_settled(),
            Cond::Not(inner) => inner.can_be_tested_ahead(),
            Cond::All(list) | Cond::Any(list) => list.iter().all(Cond::can_be_tested_ahead),
            Cond::Can(jumps) => jumps.is_settled(),
            Cond::Threat(_) => true,
            Cond::Plain(condition) => settled::condition(condition),
            _ => false,
        }
    }

    /// Whether what stands on the sites and where the last move went is all that it asks for.
    pub(super) fn is_of_sites(&self) -> bool {
        match self {
            Cond::Const(_) | Cond::WentTo(_) | Cond::Meets(..) | Cond::Line(_) => true,
            Cond::Threat(_) => true,
            Cond::IsEmpty(set) | Cond::Count(set, ..) => set.is_closed(),
            Cond::Not(inner) => inner.is_of_sites(),
            Cond::All(list) | Cond::Any(list) => list.iter().all(Cond::is_of_sites),
            _ => false,
        }
    }

    /// Whether it asks for connections, which are kept for what has been played alone.
    pub(super) fn asks_links(&self) -> bool {
        match self {
            Cond::Linked => true,
            Cond::Not(inner) => inner.asks_links(),
            Cond::All(list) | Cond::Any(list) => list.iter().any(Cond::asks_links),
            _ => false,
        }
    }
}

/// Whether the piece moved last completes a window of pieces like it.
#[inline]
fn in_line<const W: usize>(cx: &Cx<'_, W>, windows: &[Box<[Set<W>]>]) -> bool {
    let site = cx.state.head.last_to as usize;
    let Some(windows) = windows.get(site) else { return false };
    let what = cx.state.what(site);
    let set = if what == 0 { EMPTY } else { usize::from(cx.game.layout.piece_set[what]) };
    let own = cx.state.set::<W>(set);
    windows.iter().fold(false, |any, window| any | window.is_subset(&own))
}

impl<const W: usize> Cx<'_, W> {
    /// Whether the next player would have no moves if it were his turn now.
    fn next_is_stuck(&self) -> bool {
        if self.view.ahead {
            return false;
        }
        let (phase, cx) = self.next_turn();
        !self.plan.turn(phase, cx.view.mover).choice.any(&cx)
    }

    /// The phase and the view of the next player.
    pub(super) fn next_turn(&self) -> (u8, Self) {
        let mover = self.view.next;
        let over = self.state.head.over;
        let next = if over { self.view.next } else { self.game.following(self.state, mover) };
        let view = View { mover, next, prev: self.view.mover, ahead: true, from: u16::MAX };
        let phase = self.state.head.phase[usize::from(mover)];
        (phase, Cx { view, ..*self })
    }
}

impl<const W: usize> Maker<'_, W> {
    /// A condition; always succeeds, if need be by leaving it as it is.
    pub(super) fn condition(&self, condition: &Bool) -> Cond<W> {
        self.known_condition(condition).unwrap_or_else(|| {
            self.left.set(self.left.get() || takes_time(condition));
            Cond::Plain(Box::new(condition.clone()))
        })
    }

    fn known_condition(&self, condition: &Bool) -> Option<Cond<W>> {
        let game = self.game;
        Some(match condition {
            Bool::Const(value) => Cond::Const(*value),
            Bool::And(list) => Cond::All(list.iter().map(|c| self.condition(c)).collect()),
            Bool::Or(list) => Cond::Any(list.iter().map(|c| self.condition(c)).collect()),
            Bool::Not(inner) => Cond::Not(Box::new(self.condition(inner))),
            Bool::Compare(how, pair) => self.comparison(*how, &pair.0, &pair.1)?,
            Bool::InRegion(sites, region) => {
                let [site] = &sites[..] else { return None };
                match (self.one_site(site)?, self.region(region)) {
                    (SetExpr::LastTo, SetExpr::Const(set)) => Cond::WentTo(set),
                    (SetExpr::Load(site), SetExpr::Const(set)) => Cond::Meets(site, set),
                    (site, region) if region.is_closed() => {
                        let both = super::sets::intersection(vec![site, region]);
                        Cond::Not(Box::new(Cond::IsEmpty(Box::new(both))))
                    }
                    _ => return None,
                }
            }
            Bool::AllSites(pair) => {
                let others = SetExpr::Not(Box::new(self.lift(&pair.1, Iter::Site)?));
                let region = self.known_region(&pair.0).filter(SetExpr::is_closed)?;
                let failing = super::sets::intersection(vec![region, others]);
                Cond::IsEmpty(Box::new(failing))
            }
            Bool::IsFull => Cond::IsEmpty(Box::new(self.among(SetExpr::Load(EMPTY), game.board))),
            Bool::NoPieces { pieces, within: None } if game.layout.flavour != Flavour::Stacking => {
                Cond::IsEmpty(Box::new(self.pieces(pieces)?))
            }
            Bool::NoMoves(Role::Next) => Cond::NextStuck,
            Bool::IsThreatened(threat) => Cond::Threat(Box::new(self.threats(threat)?)),
            Bool::CanMove(moves) if !game.visits && game.repeats.is_none() => {
                match self.known_choice(moves)? {
                    Choice::Jumps(jumps) => Cond::Can(jumps),
                    _ => return None,
                }
            }
            Bool::IsLine(line) => Cond::Line(self.line(line)?),
            Bool::IsConnected(connection) => {
                let known = self.links.is_some_and(|l| l.answers(connection, self.mover));
                if !known {
                    return None;
                }
                Cond::Linked
            }
            _ => return None,
        })
    }

    fn comparison(&self, how: Compare, a: &Int, b: &Int) -> Option<Cond<W>> {
        let player = |int: &Int| match int {
            Int::Mover => Some(i32::from(self.mover)),
            Int::Const(n) => Some(*n),
            _ => None,
        };
        Some(match (a, b) {
            (Int::Prev, other) | (other, Int::Prev) if how == Compare::Equal => {
                Cond::PrevIs(u8::try_from(player(other)?).ok()?)
            }
            (Int::Moves, Int::Const(n)) => Cond::Moves(how, *n),
            (Int::Counter, Int::Const(n)) => Cond::Counter(how, *n),
            (Int::Var(var), Int::Const(n)) if *var < self.game.initial.vars().len() => {
                Cond::Var(*var, how, *n)
            }
            (Int::Const(n), Int::CountPieces { .. } | Int::CountSites(_)) => {
                let turned = match how {
                    Compare::Less => Compare::Greater,
                    Compare::LessEqual => Compare::GreaterEqual,
                    Compare::Greater => Compare::Less,
                    Compare::GreaterEqual => Compare::LessEqual,
                    how => how,
                };
                return self.comparison(turned, b, &Int::Const(*n));
            }
            (Int::CountPieces { pieces, within: None, condition: None }, Int::Const(n))
                if self.game.layout.flavour == Flavour::Flat =>
            {
                Cond::Count(Box::new(self.pieces(pieces)?), how, *n)
            }
            (Int::CountSites(region), Int::Const(n)) => {
                Cond::Count(Box::new(self.region(region)), how, *n)
            }
            (Int::StackSize(place), Int::Const(n)) => match &**place {
                Place::Site(Int::Const(site)) => Cond::Height(u16::try_from(*site).ok()?, how, *n),
                _ => return None,
            },
            _ => {
                let (a, b) = (player(a)?, player(b)?);
                Cond::Const(crate::eval::compare(how, a, b))
            }
        })
    }

    /// For every site the windows of a line through it: sets of neighbouring sites on one axis.
    pub(super) fn windows(&self, line: &Line) -> Option<Vec<Vec<Set<W>>>> {
        let length = match line.length {
            Int::Const(n @ 2..) => n as usize,
            _ => return None,
        };
        let simple =
            line.what.is_none() && !line.exact && line.contiguous && line.condition.is_none();
        if !simple {
            return None;
        }
        let axes = &self.game.axis(line.axes).0;
        let all = axes.iter().enumerate().map(|(site, axes)| {
            let mut windows = Vec::new();
            for (ray, opposite) in axes {
                let opposite = opposite.as_deref().unwrap_or_default();
                let mut path: Vec<u16> = opposite.iter().rev().copied().collect();
                let at = path.len();
                path.push(site as u16);
                path.extend(ray);
                for start in (at + 1).saturating_sub(length)..=at {
                    if let Some(window) = path.get(start..start + length) {
                        windows.push(window.iter().map(|&s| usize::from(s)).collect());
                    }
                }
            }
            windows
        });
        Some(all.collect())
    }

    /// A test for a line through the last site.
    fn line(&self, line: &Line) -> Option<LineTest<W>> {
        let Int::Const(length) = line.length else { return None };
        if line.through.is_some() {
            return None;
        }
        let windows = self.windows(line)?.into_iter().map(Vec::into_boxed_slice).collect();
        Some(LineTest { axes: line.axes, length: length as usize, windows })
    }
}

/// The table of targets that a connection is asked by.
pub(super) fn is_symmetric<const W: usize>(game: &Game<W>, jumps: JumpId) -> bool {
    let jumps = game.jump(jumps);
    (0..jumps.sites()).all(|s| jumps.near(s).iter().all(|t| jumps.near(t).contains(s)))
}

/// Whether a condition that is evaluated plainly looks at many sites, or looks for moves. Threats are looked for
/// from the site that they are asked of.
pub(super) fn takes_time(condition: &Bool) -> bool {
    match condition {
        Bool::And(list) | Bool::Or(list) => list.iter().any(takes_time),
        Bool::Not(inner) => takes_time(inner),
        Bool::Compare(_, pair) => [&pair.0, &pair.1].into_iter().any(|number| {
            matches!(number, Int::Fold(..) | Int::GroupSize { .. } | Int::CountPieces { .. })
        }),
        Bool::AllPassed
        | Bool::IsActive(_)
        | Bool::IsEmpty(_)
        | Bool::IsEnemy(_)
        | Bool::IsEven(_)
        | Bool::IsFriend(_)
        | Bool::IsOccupied(_)
        | Bool::IsPending
        | Bool::IsThreatened(_)
        | Bool::WasPass => false,
        _ => true,
    }
}
