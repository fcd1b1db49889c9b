//! Making a move that has been chosen.

use super::conditions::Cond;
use super::generators::range_of;
use super::lift::Maker;
use super::links::Forest;
use super::pairs::Ends;
use super::sets::SetExpr;
use super::{Cx, Plan};
use crate::eval::{Action, Around, Eval};
use crate::game::{Game, has};
use crate::ir::{
    Apply, Bool, ByPiece, Custodial, EffectId, Fold, Int, Iter, Layer, Leaf, LeafKind, Moves,
    Piece, Place, RayId,
};
use crate::set::Set;
use crate::state::{EMPTY, Flavour, Given, Layout, State};

/// What a generator's moves do.
pub(super) struct Deed<const W: usize> {
    /// Whether it is a pass.
    pub(super) passes: bool,
    act: Act,
    then: Box<[Then<W>]>,
}

/// The move itself.
enum Act {
    /// One piece is placed.
    Add,
    /// A piece moves, and replaces what is there; where there is something the counter is set to a
    /// number. Sites that follow from both ends are cleared before.
    Move {
        keep: bool,
        counter: Option<i32>,
        over: Option<ByEnds>,
    },
    /// A piece turns by a number of steps, of which so many make a full turn.
    Turn(i32),
    /// The piece on a site is removed.
    Remove,
    Nothing,
    Plain,
}

/// A consequence.
enum Then<const W: usize> {
    /// The mover moves again.
    Again,
    /// Pieces between the last one and a friend become the mover's component of these.
    Flip(RayId, Box<[i32]>),
    /// Pieces between the last one and a friend are removed.
    Capture(Box<Capture<W>>),
    /// A piece is added where the move began, or where it ended.
    Add {
        component: usize,
        at_from: bool,
    },
    /// Sites that follow from both ends are cleared.
    Clear(ByEnds),
    /// Such sites become pending.
    Pend(ByEnds),
    Counter(i32),
    /// A number is added to a variable.
    AddVar(usize, i32),
    /// The local state of the piece that moved.
    State(i32),
    /// What the piece that moved becomes.
    Promote(usize),
    If(Box<(Cond<W>, Box<[Then<W>]>, Box<[Then<W>]>)>),
    Plain(EffectId),
}

/// A capture by enclosing on straight paths.
struct Capture<const W: usize> {
    rays: RayId,
    /// Fewest and most pieces.
    range: (usize, usize),
    target: SetExpr<W>,
    friend: SetExpr<W>,
}

/// Sites that follow from both ends of a move: by origin, those for each destination.
type ByEnds = Vec<Vec<(u16, Vec<u16>)>>;

impl<const W: usize> Deed<W> {
    pub(super) fn of(maker: &Maker<'_, W>, leaf: Option<&Leaf>) -> Deed<W> {
        let act = leaf.map_or(Act::Plain, |leaf| act_of(maker, leaf));
        let mut then = Vec::new();
        for (leaf, &effect) in leaf.iter().flat_map(|leaf| leaf.then.iter().map(move |e| (leaf, e)))
        {
            let mut known = Vec::new();
            match then_of(maker, leaf, maker.game.effect(effect), &mut known) {
                Some(()) => then.append(&mut known),
                None => {
                    let plain = maker.game.effect(effect);
                    maker.left.set(maker.left.get() || has(plain, &loops));
                    then.push(Then::Plain(effect));
                }
            }
        }
        let passes = leaf.is_none_or(|leaf| matches!(leaf.kind, LeafKind::Pass));
        Deed { passes, act, then: then.into() }
    }
}

/// Whether an effect is one for each of several sites or numbers.
fn loops(effect: &Moves) -> bool {
    matches!(effect, Moves::ForEachSite { .. } | Moves::ForEachValue { .. })
}

impl<const W: usize> Then<W> {
    /// Whether what it does does not depend on what stands on the sites.
    fn is_blind(&self) -> bool {
        match self {
            Then::Again | Then::Counter(_) | Then::AddVar(..) | Then::Pend(_) => true,
            Then::State(_) | Then::Promote(_) | Then::Add { .. } => true,
            Then::Flip(..) | Then::Capture(_) | Then::Clear(_) => false,
            Then::If(_) | Then::Plain(_) => false,
        }
    }

    /// Whether nothing that asks for what stands on the sites alone sees what it does.
    fn is_aside(&self) -> bool {
        matches!(self, Then::Counter(_) | Then::AddVar(..))
    }
}

fn act_of<const W: usize>(maker: &Maker<'_, W>, leaf: &Leaf) -> Act {
    let game = maker.game;
    let flat = game.layout.flavour == Flavour::Flat;
    match &leaf.kind {
        LeafKind::Add { state: None, count: Int::Const(1), apply: None, .. } => Act::Add,
        LeafKind::Shoot { .. } => Act::Add,
        LeafKind::Select { .. } | LeafKind::Pass => Act::Nothing,
        LeafKind::Jump { apply, stack: false, keep, level: None, .. } => {
            let over = || over(maker, leaf, apply.as_ref()?, *keep);
            taken(game, apply.as_ref(), flat, *keep).or_else(over).unwrap_or(Act::Plain)
        }
        LeafKind::Slide(slide) if slide.passed.is_none() && slide.level.is_none() => {
            taken(game, slide.apply.as_ref(), flat, false).unwrap_or(Act::Plain)
        }
        LeafKind::FromTo { count: None, stack: false, apply: None, .. } => {
            Act::Move { keep: false, counter: None, over: None }
        }
        LeafKind::Turn { full, .. } if flat => Act::Turn(*full),
        LeafKind::Remove { place: _, level: None, count: None, deferred: false } if flat => {
            Act::Remove
        }
        _ => Act::Plain,
    }
}

/// A move with an effect that removes what stands at the destination. Where pieces replace each other
/// that changes nothing.
fn taken<const W: usize>(
    game: &Game<W>,
    apply: Option<&Apply>,
    flat: bool,
    keep: bool,
) -> Option<Act> {
    let mut counter = None;
    let conditional = apply.is_some_and(|apply| apply.condition.is_some());
    match apply.and_then(|apply| apply.effect.as_ref()) {
        None if apply.is_none() || flat => {}
        Some(Moves::Leaf(effect)) if flat => {
            let LeafKind::Remove { place, level: None, .. } = &effect.kind else { return None };
            if **place != Place::Site(Int::Iter(Iter::To)) {
                return None;
            }
            for &then in &effect.then {
                match game.effect(then) {
                    Moves::Leaf(inner) if inner.then.is_empty() => match &inner.kind {
                        LeafKind::SetCounter(Int::Const(value)) if !conditional => {
                            counter = Some(*value);
                        }
                        _ => return None,
                    },
                    _ => return None,
                }
            }
        }
        _ => return None,
    }
    Some(Act::Move { keep, counter, over: None })
}

/// A move with an effect that clears sites that follow from both ends.
fn over<const W: usize>(
    maker: &Maker<'_, W>,
    leaf: &Leaf,
    apply: &Apply,
    keep: bool,
) -> Option<Act> {
    let Apply { condition: None, effect: Some(Moves::Leaf(effect)) } = apply else { return None };
    let LeafKind::Remove { place, level: None, count: None, deferred: false } = &effect.kind else {
        return None;
    };
    let sites = cleared(maker, leaf, place, &Ends::BEFORE)?;
    effect.then.is_empty().then_some(Act::Move { keep, counter: None, over: Some(sites) })
}

/// The consequences that an effect has after a move of a generator, if all of it is known. They are
/// evaluated before any of them is carried out.
fn then_of<const W: usize>(
    maker: &Maker<'_, W>,
    leaf: &Leaf,
    effect: &Moves,
    found: &mut Vec<Then<W>>,
) -> Option<()> {
    let game = maker.game;
    match effect {
        Moves::None => {}
        Moves::All(list) => {
            for part in &**list {
                let start = found.len();
                then_of(maker, leaf, part, found)?;
                // What looks at the state must not see what others have done.
                let unseen = found[..start].iter().all(Then::is_aside);
                let apart = |then: &Then<W>| match then {
                    Then::If(parts) => unseen && parts.0.is_of_sites(),
                    then => then.is_blind(),
                };
                if start > 0 && !found[start..].iter().all(apart) {
                    return None;
                }
            }
        }
        Moves::If(parts) => {
            let condition = maker.condition(&parts.0);
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            then_of(maker, leaf, &parts.1, &mut yes)?;
            then_of(maker, leaf, &parts.2, &mut no)?;
            if condition.asks_links() {
                return None;
            }
            found.push(Then::If(Box::new((condition, yes.into(), no.into()))));
        }
        Moves::Leaf(inner) if inner.then.is_empty() => match &inner.kind {
            LeafKind::MoveAgain => found.push(Then::Again),
            LeafKind::SetCounter(Int::Const(value)) => found.push(Then::Counter(*value)),
            LeafKind::SetVar { var, value: Int::Fold(Fold::Sum, list) } => {
                let [Int::Var(of), Int::Const(by)] = &**list else { return None };
                if of != var {
                    return None;
                }
                found.push(Then::AddVar(*var, *by));
            }
            LeafKind::SetLayer {
                layer: Layer::State,
                at: Int::LastTo,
                level: None,
                value: Int::Const(value @ 0..),
            } => found.push(Then::State(*value)),
            LeafKind::SetPending(Some(place)) => match &**place {
                Place::Site(int) if Ends::AFTER.tell(int) => {
                    let sites = game.world.sites();
                    let site = |eval: &mut Eval<'_, W>| eval.site(int).filter(|&s| s < sites);
                    let by_ends = Ends::evaluate(game, &targets_of(maker, leaf)?, site);
                    let listed = by_ends.into_iter().map(|targets| {
                        let one = |(to, site): (u16, Option<usize>)| Some((to, vec![site? as u16]));
                        targets.into_iter().map(one).collect::<Option<Vec<_>>>()
                    });
                    found.push(Then::Pend(listed.collect::<Option<_>>()?));
                }
                _ => return None,
            },
            LeafKind::Remove { place, level: None, count: None, deferred: false } => {
                found.push(Then::Clear(cleared(maker, leaf, place, &Ends::AFTER)?));
            }
            LeafKind::Promote { site: Int::LastTo, pieces } => {
                let [piece] = &pieces[..] else { return None };
                let component = match piece {
                    Piece::Fixed(component) => usize::from(*component),
                    Piece::Computed(Int::IdOf { components, owner }) if **owner == Int::Mover => {
                        usize::try_from(*components.get(usize::from(maker.mover))?).ok()?
                    }
                    Piece::Computed(_) => return None,
                };
                if component == 0 || game.layout.flavour != Flavour::Flat {
                    return None;
                }
                found.push(Then::Promote(component));
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
                    let component = usize::from(*component);
                    found.push(Then::Add { component, at_from: *at == Int::LastFrom });
                }
                _ => return None,
            },
            _ => return None,
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
                    found.push(Then::Flip(custodial.rays, components.into()));
                }
                _ => found.push(Then::Capture(Box::new(capture(maker, custodial)?))),
            }
        }
        _ => return None,
    }
    Some(())
}

/// A custodial capture that removes what it captures.
fn capture<const W: usize>(maker: &Maker<'_, W>, custodial: &Custodial) -> Option<Capture<W>> {
    let Custodial { rays, range: (Int::Const(min), Int::Const(max)), .. } = *custodial else {
        return None;
    };
    let removes = match &custodial.effect {
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Remove { place, level: None, count: None, deferred: false } => {
                leaf.then.is_empty() && **place == Place::Site(Int::Iter(Iter::Between))
            }
            _ => false,
        },
        _ => false,
    };
    let target = maker.lift(&custodial.target, Iter::Between)?;
    let friend = maker.lift(&custodial.friend, Iter::To)?;
    // Beyond the end of a path there is no friend.
    let fits = removes
        && custodial.from == Int::LastTo
        && maker.game.layout.flavour == Flavour::Flat
        && target.is_closed()
        && friend.is_closed()
        && friend.is_of_board(&maker.game.board);
    let most = |n: i32| usize::try_from(n).unwrap_or(0);
    fits.then_some(Capture { rays, range: (most(min), most(max)), target, friend })
}

/// The targets of a generator from each site, whatever stands there.
fn targets_of<const W: usize>(maker: &Maker<'_, W>, leaf: &Leaf) -> Option<Vec<Vec<u16>>> {
    let game = maker.game;
    let lists: Vec<Vec<u16>> = match &leaf.kind {
        LeafKind::Jump { jumps: ByPiece::Same(jumps), .. } => {
            let jumps = game.jump(*jumps);
            (0..jumps.sites()).map(|site| jumps.of(site).to_vec()).collect()
        }
        LeafKind::Slide(slide) => {
            let ByPiece::Same(rays) = slide.rays else { return None };
            let (min, max) = range_of(slide)?;
            let rays = game.ray(rays);
            let within = |ray: &[u16]| ray.iter().copied().take(max).skip(min - 1).collect();
            let lists = (0..rays.sites()).map(|site| {
                let lists: Vec<Vec<u16>> = rays.of(site).map(within).collect();
                lists.concat()
            });
            lists.collect()
        }
        _ => return None,
    };
    let pairs: usize = lists.iter().map(Vec::len).sum();
    maker.claim(WORDS_A_PAIR * pairs).then_some(lists)
}

/// Words that what is worked out for a pair of ends takes.
const WORDS_A_PAIR: usize = 8;

/// The sites that a removal clears, where they follow from the ends of a generator's moves.
fn cleared<const W: usize>(
    maker: &Maker<'_, W>,
    leaf: &Leaf,
    place: &Place,
    ends: &Ends,
) -> Option<ByEnds> {
    let game = maker.game;
    if game.layout.flavour != Flavour::Flat || !ends.tell_place(place) {
        return None;
    }
    let sites = Ends::evaluate(game, &targets_of(maker, leaf)?, |eval| eval.place(place));
    let list = |set: Set<W>| set.iter().map(|s| s as u16).collect();
    let all = sites.into_iter().map(|t| t.into_iter().map(|(to, set)| (to, list(set))).collect());
    Some(all.collect())
}

/// The sites for both ends of a move.
fn at_ends(sites: &ByEnds, from: usize, to: usize) -> &[u16] {
    let targets = sites.get(from).map_or(&[][..], |targets| targets);
    targets.iter().find(|target| usize::from(target.0) == to).map_or(&[][..], |target| &target.1)
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
    pub(super) fn make(
        &self,
        game: &Game<W>,
        state: &mut State,
        forest: &Forest,
        deed: &Deed<W>,
        action: Action,
    ) {
        let layout = &game.layout;
        let (from, to) = (action.from as usize, action.to as usize);
        match &deed.act {
            Act::Add => state.add(layout, to, action.piece as usize, 1, Given::default()),
            Act::Move { keep, counter, over } => {
                if let Some(counter) = *counter
                    && state.what(to) != 0
                {
                    state.head.counter = counter;
                }
                if let Some(over) = over {
                    clear(layout, state, at_ends(over, from, to));
                }
                state.move_top(layout, from, to, *keep);
            }
            Act::Turn(full) => state.change_extra(to, |extra| {
                extra.rotation =
                    extra.rotation.wrapping_add(i32::from(action.piece)).rem_euclid(*full);
            }),
            Act::Remove => state.remove(layout, to),
            Act::Nothing => {}
            Act::Plain => {
                if let Some(leaf) = game.leaf(action) {
                    game.make(state, leaf, action);
                }
                return;
            }
        }
        (state.head.last_from, state.head.last_to) = (action.from, action.to);
        self.follow(game, state, forest, &deed.then, (from, to));
    }

    fn follow(
        &self,
        game: &Game<W>,
        state: &mut State,
        forest: &Forest,
        then: &[Then<W>],
        (from, to): (usize, usize),
    ) {
        let layout = &game.layout;
        for then in then {
            match then {
                Then::Again => state.head.turns.next = state.head.turns.mover,
                Then::Flip(rays, components) => flip(game, state, *rays, components, to),
                Then::Capture(capture) => {
                    let taken = capture.taken(&self.at(game, state, forest), to);
                    taken.iter().for_each(|site| state.remove(layout, site));
                }
                Then::Add { component, at_from } => {
                    let site = if *at_from { from } else { to };
                    state.add(layout, site, *component, 1, Given::default());
                }
                Then::Clear(sites) => {
                    clear(layout, state, at_ends(sites, from, to));
                }
                Then::Pend(sites) => {
                    let sites = at_ends(sites, from, to).iter();
                    sites.for_each(|&site| state.pend(layout, usize::from(site)));
                }
                Then::Counter(value) => state.head.counter = *value,
                Then::AddVar(var, by) => state.set_var(*var, state.vars()[*var].wrapping_add(*by)),
                Then::State(value) => state.change_extra(to, |extra| extra.state = *value),
                Then::Promote(component) => state.promote(layout, to, *component),
                Then::If(parts) => {
                    let holds = parts.0.holds(&self.at(game, state, forest));
                    let then = if holds { &parts.1 } else { &parts.2 };
                    self.follow(game, state, forest, then, (from, to));
                }
                Then::Plain(effect) => game.follow_up(state, *effect, Around::NOTHING),
            }
        }
    }
}

impl<const W: usize> Capture<W> {
    /// What is captured from a site.
    fn taken(&self, cx: &Cx<'_, W>, from: usize) -> Set<W> {
        let (target, friend) = (self.target.eval(cx), self.friend.eval(cx));
        let (min, max) = self.range;
        let mut taken = Set::EMPTY;
        for ray in cx.game.ray(self.rays).of(from) {
            let targets = ray.iter().take(max);
            let run = targets.take_while(|&&s| target.contains(usize::from(s))).count();
            if run > 0
                && run >= min
                && ray.get(run).is_some_and(|&s| friend.contains(usize::from(s)))
            {
                taken |= ray[..run].iter().map(|&s| usize::from(s)).collect();
            }
        }
        taken & !cx.state.set::<W>(EMPTY)
    }
}

/// Removes what stands on some sites.
fn clear(layout: &Layout, state: &mut State, sites: &[u16]) {
    for site in sites.iter().map(|&site| usize::from(site)) {
        if state.what(site) != 0 {
            state.remove(layout, site);
        }
    }
}

/// Turns over the runs of enemies between a site and a friend. All are found before any is turned.
fn flip<const W: usize>(
    game: &Game<W>,
    state: &mut State,
    rays: RayId,
    components: &[i32],
    from: usize,
) {
    let mover = usize::from(state.head.turns.mover);
    let own = state.owned(mover);
    let nobody = state.owned::<W>(0) | state.set::<W>(crate::state::EMPTY);
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
