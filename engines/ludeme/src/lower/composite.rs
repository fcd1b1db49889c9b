//! Generators of moves that are put together from others, and jumps.

use rustc_hash::FxHashMap;

use crate::board::Direction;
use crate::front::{Arg, Call, Label, Name, Word};
use crate::ir::{
    Apply, Bool, ByPiece, CompositeKind, EachDirection, Int, Ints, Iter, LeafKind, Moves, Piece,
    Place, RayId, Sow, TrackSlide,
};
use crate::limits::MAX_HEIRS;

use super::directions::absolute;
use super::features::Feature;
use super::places::{all, any_type, default_type, fixed_flag, need, need_call};
use super::{Lower, Lowered, Problem, unsupported, unsupported_use};
use crate::state::Occupancy;
use crate::world::Component;

impl<'c> Lower<'c> {
    /// Lowers a generator that is put together from others, or moves more than one piece; `None`
    /// for other ludemes.
    pub(super) fn composite(&mut self, call: &'c Call) -> Lowered<Option<Moves>> {
        use Name::*;
        let name = call.name().as_effect();
        let kind = match name {
            Do => CompositeKind::DoNext {
                first: self.moves(need(call, Label::Moves)?)?,
                next: self.moves(need(call, Label::Next)?)?,
                after: self.bool_opt(call, Label::IfAfterwards)?,
            },
            ForEachDie => self.for_each_die(call)?,
            ForEachLevel => self.for_each_level(call)?,
            ForEachDirection => CompositeKind::ForEachDirection(self.each_direction(call)?),
            ForEachGroup => self.for_each_group(call)?,
            Hop => {
                if let Some(kind) = self.short_hop(call)? {
                    return self.leaf(kind).map(Some);
                }
                match self.hop(call)? {
                    Some(hop) => CompositeKind::Hop(hop),
                    None => return Ok(Some(Moves::None)),
                }
            }
            Slide if call.has(Label::Track) => match self.track_slide(call)? {
                Some(slide) => CompositeKind::TrackSlide(slide),
                None => return Ok(Some(Moves::None)),
            },
            Sow => CompositeKind::Sow(self.sow(call)?),
            Roll => CompositeKind::Roll,
            MaxMoves | MaxCaptures => self.longest(call)?,
            // The reference computes distances and then lets all moves pass.
            MaxDistance => return Ok(Some(self.moves(need(call, Label::Moves)?)?)),
            AllCombinations => CompositeKind::Combinations(
                self.moves(need(call, Label::A)?)?,
                self.moves(need(call, Label::B)?)?,
            ),
            Append => {
                let moves = self.moves(need(call, Label::Moves)?)?;
                if let Some(placed) = self.placed_once(&moves) {
                    return Ok(Some(placed));
                }
                CompositeKind::Append(moves)
            }
            Seq => {
                let list = call.items(Label::Moves).iter().map(|m| self.moves(m));
                CompositeKind::Sequence(list.collect::<Lowered<_>>()?)
            }
            While => CompositeKind::While(
                self.bool_at(call, Label::Condition)?,
                self.moves(need(call, Label::Moves)?)?,
            ),
            FirstMoveOnTrack => self.first_on_track(call)?,
            AvoidStoredState => CompositeKind::AvoidStored(self.moves(need(call, Label::Moves)?)?),
            AddScore => CompositeKind::AddScores(self.scorers(call)?, {
                let scores = call.items(Label::Scores).iter().map(|s| self.int(s));
                Ints::List(scores.collect::<Lowered<_>>()?)
            }),
            Flip => self.flip(call)?,
            SwapPlayers => CompositeKind::SwapPlayers(
                self.who(need(call, Label::A)?)?,
                self.who(need(call, Label::B)?)?,
            ),
            Add => return self.lay(call),
            Move | FromTo => return self.shift(call),
            Bet => self.bet(call)?,
            SetTeam => self.set_team(call)?,
            SetTrumpSuit => self.set_trump(call)?,
            DealCards | DealDominoes => CompositeKind::Deal(Box::new(self.deal(call)?)),
            TakeDomino => CompositeKind::Deal(Box::new(self.take_domino(call)?)),
            TakeControl => self.take_control(call)?,
            RememberState => CompositeKind::RememberState,
            Propose => CompositeKind::Propose(self.vote_texts(call)),
            Vote => CompositeKind::Vote(self.vote_texts(call)),
            Push => self.push(call)?,
            Attract => self.attract(call)?,
            Random => self.random(call)?,
            Directional => {
                let rays = self.rays(call.arg(Label::Directions))?;
                self.directional(call, rays)?
            }
            Surround | Enclose | Intervene => self.capture(call)?,
            _ => return Ok(None),
        };
        Ok(Some(kind.into()))
    }

    /// `(forEach Die ..)`: the moves for each die.
    fn for_each_die(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        if let Some(hand) = call.arg(Label::Hand)
            && hand.as_int() != Some(0)
        {
            return Err(unsupported_use(hand, "another set of dice"));
        }
        Ok(CompositeKind::ForEachDie {
            combined: self.bool_or(call, Label::Combined, false)?,
            replay_double: self.bool_or(call, Label::ReplayDouble, false)?,
            condition: self.bool_or(call, Label::If, true)?,
            moves: self.moves(need(call, Label::Moves)?)?,
        })
    }

    /// `(forEach Level ..)`: the moves for each level of a stack.
    fn for_each_level(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        any_type(&self.world, call)?;
        Ok(CompositeKind::ForEachLevel {
            at: self.int_at(call, Label::Site)?,
            from_top: call.constant(Label::From) != Some(Word::FromBottom),
            moves: self.moves(need(call, Label::Moves)?)?,
        })
    }

    /// `(forEach Group ..)`: the moves for each group.
    fn for_each_group(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        default_type(&self.world, call)?;
        Ok(CompositeKind::ForEachGroup {
            jumps: self.neighbours(call.arg(Label::Directions))?,
            condition: self.bool_opt(call, Label::If)?,
            moves: self.moves(need(call, Label::Moves)?)?,
        })
    }

    /// `(firstMoveOnTrack ..)`: the moves from the first site of a track that has any.
    fn first_on_track(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let owner = call.arg(Label::Owner).map(|o| self.who(o)).transpose()?;
        let tracks = self.track_choice(call.text(Label::Track), owner);
        Ok(CompositeKind::FirstOnTrack { tracks, moves: self.moves(need(call, Label::Moves)?)? })
    }

    /// `(flip ..)`: the move that turns a piece over.
    fn flip(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        default_type(&self.world, call)?;
        let at = self.int_or(call, Label::Site, Int::Iter(Iter::To))?;
        let flips = self.world.components.iter().map(|c| c.flips).collect();
        Ok(CompositeKind::Flip { at, flips })
    }

    /// `(push ..)`: the move that pushes a row of pieces on.
    fn push(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let Some((from, None)) = self.origin(call.call(Label::From), Int::LastTo)? else {
            return Err(unsupported(call));
        };
        Ok(CompositeKind::Push { rays: self.rays(call.arg(Label::Directions))?, from })
    }

    /// `(attract ..)`: the move that draws pieces near.
    fn attract(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let Some((from, None)) = self.origin(call.call(Label::From), Int::LastTo)? else {
            return Err(unsupported(call));
        };
        let direction = absolute(call, Label::Direction);
        Ok(CompositeKind::Attract { rays: self.rays_in(direction), from })
    }

    /// `(max Moves ..)` and `(max Captures ..)`: the moves that begin the longest turns, or capture
    /// most.
    fn longest(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        Ok(CompositeKind::Max {
            captures: call.name() == Name::MaxCaptures,
            with_value: self.bool_or(call, Label::WithValue, false)?,
            moves: self.moves(need(call, Label::Moves)?)?,
        })
    }

    /// The placement of a piece once with all these effects, which equals its placement on the same
    /// site for each of the captured pieces, if pieces are not counted.
    fn placed_once(&mut self, moves: &Moves) -> Option<Moves> {
        let Moves::Custodial(custodial) = moves else { return None };
        let Moves::Composite(pair) = &custodial.effect else { return None };
        let CompositeKind::Combinations(Moves::Leaf(add), effect) = &pair.kind else { return None };
        let LeafKind::Add { pieces, state, to, condition: None, count, apply: None, level: None } =
            &add.kind
        else {
            return None;
        };
        let is_fixed = matches!(state, None | Some(Int::Const(_) | Int::Mover | Int::Next))
            && matches!(pieces[..], [Piece::Fixed(_)])
            && **to == Place::Site(Int::Iter(Iter::Site))
            && *count == Int::Const(1);
        let is_silent = pair.then.is_empty() && add.then.is_empty() && changes_layer(effect);
        let keeps = self.occupancy() == Occupancy::Flat && !self.rules.has(Feature::Ordered);
        if !(is_fixed && is_silent && keeps) {
            return None;
        }
        let mut captures = custodial.clone();
        captures.effect = effect.clone();
        let captures = Moves::Custodial(captures);
        let mut add = add.clone();
        if let LeafKind::Add { apply, .. } = &mut add.kind {
            *apply = Some(Apply { condition: None, effect: Some(captures.clone()) });
        }
        let any = Bool::CanMove(captures.number_in(&mut self.rules.generators));
        Some(Moves::If(Box::new((any, Moves::Leaf(add), Moves::None))))
    }

    fn take_control(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        default_type(&self.world, call)?;
        let named = |label: Label| call.find(label);
        let place = named(Label::At).or(named(Label::To));
        let of = match need(call, Label::Of)? {
            arg if matches!(arg.as_constant(), Some(Word::All | Word::Each | Word::Shared)) => None,
            arg => Some(self.who(arg)?),
        };
        let by = self.who(need(call, Label::By)?)?;
        let within = place.map(|place| self.place(place)).transpose()?;
        let components = &self.world.components;
        let owners = || 0..=self.world.players as u8 + 1;
        if components.len() * owners().count() > MAX_HEIRS {
            let text = "too many kinds of pieces to take control of";
            return Err(Problem::TooLarge(text.to_owned()));
        }
        let bare = |c: &Component| c.name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let mut by_name = FxHashMap::default();
        for (number, component) in components.iter().enumerate().skip(1) {
            by_name.entry((bare(component), component.owner)).or_insert(number as u16);
        }
        let heir =
            |piece: &Component, owner: u8| by_name.get(&(bare(piece), owner)).copied().unwrap_or(0);
        let heirs = components
            .iter()
            .map(|piece| owners().map(|owner| heir(piece, owner)).collect())
            .collect();
        Ok(CompositeKind::TakeControl { of, by, within, heirs })
    }

    fn vote_texts(&mut self, call: &Call) -> Box<[usize]> {
        let texts = call.items(Label::Text).iter().filter_map(Arg::as_text);
        texts.map(|t| self.rules.names.text(t)).collect()
    }

    fn scorers(&mut self, call: &'c Call) -> Lowered<Ints> {
        let mut players = Vec::new();
        for item in all(call, Label::Players).chain(all(call, Label::Roles)) {
            players.push(self.who(item)?);
        }
        Ok(Ints::List(players.into()))
    }

    fn each_direction(&mut self, call: &'c Call) -> Lowered<EachDirection> {
        let Some((from, None)) = self.origin(call.call(Label::From), Int::Iter(Iter::From))? else {
            return Err(unsupported(call));
        };
        let between = call.call(Label::Between);
        let range = match between.and_then(|b| b.call(Label::Range)) {
            Some(range) => self.range(range)?,
            None => (Int::Const(1), Int::Const(1)),
        };
        let between = between.map(|b| self.bool_opt(b, Label::If)).transpose()?.flatten();
        let rays = self.rays(call.arg(Label::Directions))?;
        let facings = self.rays_by_facing(call.arg(Label::Directions))?;
        let (condition, moves) = match call.find(Label::To) {
            Some(arg) => {
                let to = self.to(arg.as_call())?;
                // The condition of the effect is ignored.
                (to.condition, to.apply.and_then(|a| a.effect).unwrap_or(Moves::None))
            }
            None => (None, self.moves(need(call, Label::Moves)?)?),
        };
        Ok(EachDirection { from, rays, facings, range, between, condition, moves })
    }

    /// A slide along the tracks of a name, or along all tracks.
    fn track_slide(&mut self, call: &'c Call) -> Lowered<Option<TrackSlide>> {
        let name = call.text(Label::Track).unwrap_or_default();
        let any_track = name == "AllTracks";
        let tracks = self.world.tracks.iter().enumerate();
        let tracks = tracks.filter(|(_, track)| any_track || track.name.contains(name));
        let tracks = tracks.map(|(number, _)| number).collect();
        if fixed_flag(call, Label::Stack, false)? {
            return Err(unsupported(call));
        }
        let to = self.to(call.call(Label::To))?;
        let Some((from, from_condition)) =
            self.origin(call.call(Label::From), Int::Iter(Iter::From))?
        else {
            return Ok(None);
        };
        let between = call.call(Label::Between);
        for label in [Label::Before, Label::After, Label::Trail, Label::Apply] {
            if let Some(arg) = between.and_then(|b| b.find(label)) {
                return Err(unsupported_use(arg, &format!("`{label}` of a slide along a track")));
            }
        }
        Ok(Some(TrackSlide {
            id: self.needs.new_leaf()?,
            from,
            from_condition,
            tracks,
            any_track,
            range: between.and_then(|b| b.call(Label::Range)).map(|r| self.range(r)).transpose()?,
            go: between.map(|b| self.bool_opt(b, Label::If)).transpose()?.flatten(),
            stop: to.condition,
            apply: to.apply,
        }))
    }

    fn sow(&mut self, call: &'c Call) -> Lowered<Sow> {
        default_type(&self.world, call)?;
        let name = call.text(Label::Track);
        let owner = self.int_opt(call, Label::Owner)?;
        let tracks = &self.world.tracks;
        let players = self.world.players as u8;
        let choices: Box<[Option<usize>]> = match (&owner, name) {
            (None, None) => Box::new([(!tracks.is_empty()).then_some(0)]),
            (None, Some(name)) => Box::new([tracks.iter().position(|t| t.name == name)]),
            (Some(_), name) => (0..=players + 1)
                .map(|owner| {
                    let fits = |n: &str| name.is_none_or(|wanted| n.contains(wanted));
                    tracks.iter().position(|t| t.owner == owner && fits(&t.name))
                })
                .collect(),
        };
        Ok(Sow {
            start: self.int_or(call, Label::Start, Int::LastTo)?,
            count: self.int_opt(call, Label::Count)?,
            per_hole: self.int_or(call, Label::NumPerHole, Int::Const(1))?,
            tracks: choices,
            owner,
            condition: self.bool_or(call, Label::If, true)?,
            each: call.arg(Label::SowEffect).map(|a| self.moves(a)).transpose()?,
            apply: call.arg(Label::Apply).map(|a| self.moves(a)).transpose()?,
            include_self: self.bool_or(call, Label::IncludeSelf, true)?,
            origin: self.bool_or(call, Label::Origin, false)?,
            skip: self.bool_opt(call, Label::SkipIf)?,
            backtracking: self.bool_opt(call, Label::Backtracking)?,
            forward: self.bool_opt(call, Label::Forward)?,
        })
    }

    /// The site where a capture begins, the condition on the pieces that it takes and the effect on
    /// them. `iter` is the variable for these pieces.
    fn captured(
        &mut self,
        call: &'c Call,
        default: Int,
        iter: Iter,
    ) -> Lowered<(Int, Bool, Moves)> {
        let name = call.name();
        let Some((from, None)) = self.origin(call.call(Label::From), default)? else {
            return Err(unsupported(call));
        };
        let by_target = iter == Iter::To;
        let part = if by_target { call.call(Label::To) } else { call.call(Label::Between) };
        let target = part.map(|p| self.bool_opt(p, Label::If)).transpose()?.flatten();
        let Some(target) = target else {
            // Without a condition the reference takes site numbers for players.
            return Err(super::Problem::Unsupported(call.place.error(
                "unsupported-ludeme",
                format!("`{name}` without a condition on what is captured"),
            )));
        };
        let effect = self.effect_of(part.and_then(|p| p.call(Label::Apply)), iter)?;
        Ok((from, target, effect))
    }

    /// `(directional ..)`: effects on pieces on straight paths.
    pub(super) fn directional(
        &mut self,
        call: &'c Call,
        rays: ByPiece<RayId>,
    ) -> Lowered<CompositeKind> {
        let (from, target, effect) = self.captured(call, Int::LastTo, Iter::To)?;
        Ok(CompositeKind::Directional { rays, from, target, effect })
    }

    /// `(surround ..)` and its kin: effects on pieces around the one moved last.
    fn capture(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let name = call.name();
        let (default, iter) = match name {
            Name::Surround => (Int::Iter(Iter::From), Iter::Between),
            Name::Intervene => (Int::LastTo, Iter::To),
            _ => (Int::LastTo, Iter::Between),
        };
        let (from, target, effect) = self.captured(call, default, iter)?;
        Ok(match name {
            Name::Surround => {
                let relation = absolute(call, Label::Relation);
                let friend = self.to(call.call(Label::To))?.condition;
                let Some(friend) = friend else { return Err(unsupported(call)) };
                let with = match call.call(Label::With) {
                    Some(piece) => self.piece(piece)?.0.into_iter().next(),
                    None => None,
                };
                CompositeKind::Surround {
                    jumps: self.steps_in(relation),
                    from,
                    target,
                    friend,
                    except: self.int_or(call, Label::Except, Int::Const(0))?,
                    with,
                    effect,
                }
            }
            Name::Enclose => {
                default_type(&self.world, call)?;
                let may_be_empty = asks_emptiness(need_call(call, Label::Between)?);
                let around = match self.rays(call.arg(Label::Directions))? {
                    ByPiece::Same(rays) if may_be_empty => Some(rays),
                    _ => None,
                };
                CompositeKind::Enclose {
                    jumps: self.neighbours(call.arg(Label::Directions))?,
                    from,
                    target,
                    exceptions: self.int_or(call, Label::NumException, Int::Const(0))?,
                    effect,
                    around,
                    together: may_be_empty.then(|| self.rays_in(Direction::All)),
                }
            }
            Name::Intervene => {
                let range = match call.call(Label::Between).and_then(|b| b.call(Label::Range)) {
                    Some(range) => self.range(range)?,
                    None => (Int::Const(1), Int::Const(1)),
                };
                let direction = absolute(call, Label::Direction);
                let sites = self.world.topology.sites();
                let axes = self.tables.axes(&self.world.topology, sites, direction);
                CompositeKind::Intervene { axes, from, range, target, effect }
            }
            _ => return Err(unsupported(call)),
        })
    }

    /// The effect on each piece that is captured, its condition in front; removal by default.
    fn effect_of(&mut self, apply: Option<&'c Call>, iter: Iter) -> Lowered<Moves> {
        let Some(apply) = apply else {
            let place = Box::new(Place::Site(Int::Iter(iter)));
            let kind = LeafKind::Remove { place, level: None, count: None, deferred: false };
            return self.leaf(kind);
        };
        let apply = self.apply(apply)?;
        Ok(match (apply.condition, apply.effect) {
            (Some(condition), Some(effect)) => {
                Moves::If(Box::new((condition, effect, Moves::None)))
            }
            (_, effect) => effect.unwrap_or(Moves::None),
        })
    }
}

/// True if a condition asks for empty sites.
fn asks_emptiness(call: &Call) -> bool {
    let negated = |c: &Call| {
        c.name() == Name::Not
            && c.call(Label::A).is_some_and(|a| matches!(a.name(), Name::IsFriend | Name::IsEnemy))
    };
    call.name() == Name::IsEmpty
        || negated(call)
        || call.args.iter().flat_map(Arg::items).filter_map(Arg::as_call).any(asks_emptiness)
}

/// True if the only effect is a change of a layer of a piece.
fn changes_layer(effect: &Moves) -> bool {
    match effect {
        Moves::Leaf(leaf) => leaf.then.is_empty() && matches!(leaf.kind, LeafKind::SetLayer { .. }),
        Moves::Composite(composite) => {
            composite.then.is_empty() && matches!(composite.kind, CompositeKind::Flip { .. })
        }
        _ => false,
    }
}
