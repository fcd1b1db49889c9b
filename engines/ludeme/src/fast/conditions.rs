//! Conditions on a whole state.

use super::sets::{Maker, SetExpr};
use super::{Cx, View};
use crate::game::Game;
use crate::ir::{AxesId, Bool, Compare, Int, JumpId, Line, Place, Role};
use crate::set::Set;
use crate::state::{EMPTY, Flavour};

/// A condition.
#[derive(Clone)]
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
    /// The stack on a site has a height that compares with a constant.
    Height(u16, Compare, i32),
    Plain(Box<Bool>),
}

/// A test for a line of at least some length through the last site.
#[derive(Clone)]
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
            Cond::Meets(index, sites) => cx.state.sets[*index].intersects(sites),
            Cond::IsEmpty(set) => set.is_empty(cx),
            Cond::Line(line) => in_line(cx, &line.windows),
            Cond::Linked => cx.plan.links.as_ref().is_some_and(|l| l.joined(cx)),
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
            Cond::Const(_) | Cond::PrevIs(_) | Cond::Moves(..) => true,
            Cond::WentTo(_) | Cond::Meets(..) => true,
            Cond::IsEmpty(set) => set.is_of_sets(),
            Cond::Not(inner) => inner.can_be_tested_ahead(),
            Cond::All(list) | Cond::Any(list) => list.iter().all(Cond::can_be_tested_ahead),
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
    let own = cx.state.sets[set];
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
        self.known_condition(condition).unwrap_or_else(|| Cond::Plain(Box::new(condition.clone())))
    }

    fn known_condition(&self, condition: &Bool) -> Option<Cond<W>> {
        let game = self.game;
        Some(match condition {
            Bool::Const(value) => Cond::Const(*value),
            Bool::And(list) => Cond::All(list.iter().map(|c| self.condition(c)).collect()),
            Bool::Or(list) => Cond::Any(list.iter().map(|c| self.condition(c)).collect()),
            Bool::Not(inner) => Cond::Not(Box::new(self.condition(inner))),
            Bool::Compare(how, pair) => self.comparison(*how, &pair.0, &pair.1)?,
            Bool::InRegion(sites, region) if sites[..] == [Int::LastTo] => {
                match self.region(region) {
                    SetExpr::Const(set) => Cond::WentTo(set),
                    _ => return None,
                }
            }
            Bool::InRegion(sites, region) => match (&sites[..], self.region(region)) {
                ([Int::WhereOwned { components, owner }], SetExpr::Const(set)) => {
                    let Int::Const(owner) = **owner else { return None };
                    let component = *components.get(usize::try_from(owner).ok()?)?;
                    if !game.has_one(usize::from(component)) {
                        return None;
                    }
                    Cond::Meets(usize::from(game.layout.piece_set[usize::from(component)]), set)
                }
                _ => return None,
            },
            Bool::IsFull => {
                let empty = SetExpr::Load(EMPTY);
                let board = SetExpr::Const(game.board);
                let alone = game.world.containers.len() == 1;
                let set = if alone { empty } else { super::sets::intersection(vec![empty, board]) };
                Cond::IsEmpty(Box::new(set))
            }
            Bool::NoPieces { pieces, within: None } if game.layout.flavour != Flavour::Stacking => {
                Cond::IsEmpty(Box::new(self.pieces(pieces)?))
            }
            Bool::NoMoves(Role::Next) => Cond::NextStuck,
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
    fn line(&self, line: &Line) -> Option<LineTest<W>> {
        let length = match line.length {
            Int::Const(n @ 2..) => n as usize,
            _ => return None,
        };
        let simple = line.through.is_none()
            && line.what.is_none()
            && !line.exact
            && line.contiguous
            && line.condition.is_none();
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
            windows.into()
        });
        Some(LineTest { axes: line.axes, length, windows: all.collect() })
    }
}

/// The table of targets that a connection is asked by.
pub(super) fn is_symmetric<const W: usize>(game: &Game<W>, jumps: JumpId) -> bool {
    let jumps = game.jump(jumps);
    (0..jumps.sites()).all(|s| jumps.near(s).iter().all(|t| jumps.near(t).contains(s)))
}
