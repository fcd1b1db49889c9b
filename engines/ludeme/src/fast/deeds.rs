//! Making a move that has been chosen.

use super::Plan;
use super::pairs::Ends;
use crate::eval::Action;
use crate::game::Game;
use crate::ir::{
    Bool, ByPiece, EffectId, Int, Iter, Layer, Leaf, LeafKind, Moves, Piece, Place, RayId,
};
use crate::set::Set;
use crate::state::{Flavour, Given, State};

/// What a generator's moves do.
pub(super) struct Deed {
    /// Whether it is a pass.
    pub(super) passes: bool,
    act: Act,
    then: Box<[Then]>,
}

/// The move itself.
enum Act {
    /// One piece is placed.
    Add,
    /// A piece moves, and replaces what is there.
    Move {
        keep: bool,
    },
    Nothing,
    Plain,
}

/// A consequence.
enum Then {
    /// The mover moves again.
    Again,
    /// Pieces between the last one and a friend become the mover's component of these.
    Flip(RayId, Box<[i32]>),
    /// A piece is added where the move began, or where it ended.
    Add {
        component: usize,
        at_from: bool,
    },
    /// Sites that follow from both ends are cleared: by origin, those for each destination.
    Clear(Vec<Vec<(u16, Vec<u16>)>>),
    Plain(EffectId),
}

impl Deed {
    pub(super) fn of<const W: usize>(game: &Game<W>, leaf: Option<&Leaf>) -> Deed {
        let act = leaf.map_or(Act::Plain, |leaf| act_of(game, leaf));
        let then = leaf.map(|leaf| leaf.then.iter().map(|&effect| then_of(game, leaf, effect)));
        let then = then.map_or_else(Box::default, Iterator::collect);
        let passes = leaf.is_none_or(|leaf| matches!(leaf.kind, LeafKind::Pass));
        Deed { passes, act, then }
    }
}

fn act_of<const W: usize>(game: &Game<W>, leaf: &Leaf) -> Act {
    let flat = game.layout.flavour == Flavour::Flat;
    // Where pieces replace each other, removing first what is captured changes nothing.
    let removes_target = |apply: &Option<crate::ir::Apply>| match apply {
        None => true,
        Some(apply) => match &apply.effect {
            None => true,
            Some(Moves::Leaf(effect)) => {
                effect.then.is_empty()
                    && matches!(&effect.kind, LeafKind::Remove { place, level: None, .. }
                        if **place == Place::Site(Int::Iter(Iter::To)))
            }
            Some(_) => false,
        },
    };
    match &leaf.kind {
        LeafKind::Add { state: None, count: Int::Const(1), apply: None, .. } => Act::Add,
        LeafKind::Shoot { .. } => Act::Add,
        LeafKind::Select { .. } | LeafKind::Pass => Act::Nothing,
        LeafKind::Jump { apply: None, stack: false, keep, .. } => Act::Move { keep: *keep },
        LeafKind::Jump { apply, stack: false, keep, .. } if flat && removes_target(apply) => {
            Act::Move { keep: *keep }
        }
        LeafKind::Slide(slide) if slide.passed.is_none() => match &slide.apply {
            None => Act::Move { keep: false },
            apply if flat && removes_target(apply) => Act::Move { keep: false },
            _ => Act::Plain,
        },
        LeafKind::FromTo { count: None, stack: false, apply: None, .. } => {
            Act::Move { keep: false }
        }
        _ => Act::Plain,
    }
}

fn then_of<const W: usize>(game: &Game<W>, leaf: &Leaf, effect: EffectId) -> Then {
    match game.effect(effect) {
        Moves::Leaf(inner) if inner.then.is_empty() => match &inner.kind {
            LeafKind::MoveAgain => Then::Again,
            LeafKind::Remove { place, level: None, count: None, deferred: false } => {
                cleared(game, leaf, place).map_or(Then::Plain(effect), Then::Clear)
            }
            LeafKind::Add {
                pieces,
                state: None,
                to,
                condition: None,
                count: Int::Const(1),
                apply: None,
                level: None,
            } => match (&pieces[..], &**to) {
                ([Piece::Fixed(component)], Place::Site(at @ (Int::LastFrom | Int::LastTo))) => {
                    let (component, at_from) = (usize::from(*component), *at == Int::LastFrom);
                    Then::Add { component, at_from }
                }
                _ => Then::Plain(effect),
            },
            _ => Then::Plain(effect),
        },
        Moves::Custodial(custodial) => {
            let owner = |int: &Int, iter: Iter| match int {
                Int::At { layer: Layer::Who, at, level: None, .. } => **at == Int::Iter(iter),
                _ => false,
            };
            let enemy =
                matches!(&custodial.target, Bool::IsEnemy(who) if owner(who, Iter::Between));
            let friend = matches!(&custodial.friend, Bool::IsFriend(who) if owner(who, Iter::To));
            let any_run = matches!(custodial.range, (Int::Const(..=1), Int::Const(1000..)));
            let last = custodial.from == Int::LastTo;
            let simple = game.layout.flavour == Flavour::Flat && game.world.teams.is_none();
            match turned_into(&custodial.effect) {
                Some(components) if enemy && friend && any_run && last && simple => {
                    Then::Flip(custodial.rays, components.into())
                }
                _ => Then::Plain(effect),
            }
        }
        _ => Then::Plain(effect),
    }
}

/// The sites that a removal clears, where they follow from the ends of the jumps before it.
fn cleared<const W: usize>(
    game: &Game<W>,
    leaf: &Leaf,
    place: &Place,
) -> Option<Vec<Vec<(u16, Vec<u16>)>>> {
    let LeafKind::Jump { jumps: ByPiece::Same(jumps), .. } = &leaf.kind else { return None };
    let Place::Region(region) = place else { return None };
    let flat = game.layout.flavour == Flavour::Flat && game.initial.extra.is_empty();
    if !flat || !Ends::AFTER.tell_region(region) {
        return None;
    }
    let sites = Ends::evaluate(game, game.jump(*jumps), |eval| eval.region(region));
    let list = |set: Set<W>| set.iter().map(|s| s as u16).collect();
    let all = sites.into_iter().map(|t| t.into_iter().map(|(to, set)| (to, list(set))).collect());
    Some(all.collect())
}

/// The components by owner, if an effect gives the piece between to the mover and all players have
/// the component.
fn turned_into(effect: &Moves) -> Option<&[i32]> {
    let Moves::Leaf(leaf) = effect else { return None };
    let LeafKind::Promote { site: Int::Iter(Iter::Between), pieces } = &leaf.kind else {
        return None;
    };
    match &pieces[..] {
        [Piece::Computed(Int::IdOf { components, owner })]
            if leaf.then.is_empty()
                && **owner == Int::Mover
                && components[1..components.len() - 1].iter().all(|&c| c > 0) =>
        {
            Some(components)
        }
        _ => None,
    }
}

impl<const W: usize> Plan<W> {
    /// Makes a move with its consequences.
    #[inline]
    pub(super) fn make(&self, game: &Game<W>, state: &mut State<W>, deed: &Deed, action: Action) {
        let layout = &game.layout;
        let (from, to) = (action.from as usize, action.to as usize);
        match deed.act {
            Act::Add => state.add(layout, to, action.piece as usize, 1, Given::default()),
            Act::Move { keep } => state.move_top(layout, from, to, keep),
            Act::Nothing => {}
            Act::Plain => {
                if let Some(leaf) = game.leaf(action) {
                    game.make(state, leaf, action);
                }
                return;
            }
        }
        (state.head.last_from, state.head.last_to) = (action.from, action.to);
        for then in &deed.then {
            match then {
                Then::Again => state.head.turns.next = state.head.turns.mover,
                Then::Flip(rays, components) => flip(game, state, *rays, components, to),
                Then::Add { component, at_from } => {
                    let site = if *at_from { from } else { to };
                    state.add(layout, site, *component, 1, Given::default());
                }
                Then::Clear(sites) => {
                    let targets = sites.get(from).map_or(&[][..], |t| t);
                    let cleared = targets.iter().find(|t| usize::from(t.0) == to);
                    for &site in cleared.map_or(&[][..], |t| &t.1) {
                        state.remove(layout, usize::from(site));
                    }
                }
                Then::Plain(effect) => game.follow_up(state, *effect),
            }
        }
    }
}

/// Turns over the runs of enemies between a site and a friend. All are found before any is turned.
fn flip<const W: usize>(
    game: &Game<W>,
    state: &mut State<W>,
    rays: RayId,
    components: &[i32],
    from: usize,
) {
    let mover = usize::from(state.head.turns.mover);
    let own = state.owned(mover);
    let nobody = state.owned(0) | state.sets[crate::state::EMPTY];
    let enemy = !(own | nobody);
    let mut turned: Set<W> = Set::EMPTY;
    for ray in game.ray(rays).of(from) {
        let run = ray.iter().take_while(|&&s| enemy.contains(usize::from(s))).count();
        if run > 0 && ray.get(run).is_some_and(|&s| own.contains(usize::from(s))) {
            turned |= ray[..run].iter().map(|&s| usize::from(s)).collect();
        }
    }
    let component = components.get(mover).map_or(0, |&c| c.max(0) as usize);
    for site in turned.iter() {
        state.promote(&game.layout, site, component);
    }
}
