//! Generators that make moves themselves as code.

use kernel::ir::{Combine, Expr, Local, SetTable, Stmt, Type};

use super::arrays::{Slot, add, both, choose, int, is_below, set_slot, slot};
use super::code::{Consumer, Emitter};
use super::context::Sites;
use super::origins::{hops_over, middle};
use crate::ir::{
    Bool, ByPiece, Int, Iter, JumpId, Leaf, LeafKind, Moves, Piece, Place, RayId, SourceKind,
};

/// What is jumped over by steps that ask for it.
struct Over<'r> {
    /// The site, by both ends of a step.
    middle: &'r Int,
    /// All such sites by origin.
    sites: SetTable,
    /// Where what stands there may be jumped over.
    hurdle: Expr,
}

impl Emitter<'_> {
    /// What steps of a table jump over, if their condition asks for it and both ends fix it.
    fn jumped_over<'r>(
        &mut self,
        tables: &[(Expr, JumpId)],
        condition: &'r Bool,
    ) -> Option<Over<'r>> {
        let [(_, id)] = tables else { return None };
        let middle = middle(condition)?;
        let steps: Vec<_> = self.game.jump(*id).all().collect();
        let mut sites = vec![Sites::EMPTY; self.game.jump(*id).sites()];
        for (from, over, _) in hops_over(self.game, middle, &steps)? {
            sites[from].insert(usize::from(over));
        }
        let hurdle = self.sites_at_most(condition, middle)?;
        let hurdle = self.set_once(hurdle);
        let sites = self.tables.sets(sites);
        Some(Over { middle, sites, hurdle })
    }

    /// Binds a destination, one of those at which a condition may hold, and says whether it does,
    /// what is jumped over included.
    fn holds_over(&mut self, over: &Over<'_>, condition: &Bool, to: Local) -> Expr {
        self.bind(Iter::To, to.get());
        let middle = self.int(over.middle);
        let hurdle = over.hurdle.clone().contains(middle);
        let rest = self.holds_beside(condition, &[&Int::Iter(Iter::To), over.middle]);
        both(hurdle, rest)
    }

    /// Whether those parts of a condition hold that ask for more than what is known of one of some
    /// sites.
    fn holds_beside(&mut self, condition: &Bool, known: &[&Int]) -> Expr {
        match condition {
            Bool::And(list) => {
                let parts = list.iter().map(|part| self.holds_beside(part, known));
                parts.collect::<Vec<_>>().into_iter().fold(int(1), both)
            }
            part if known.iter().any(|site| self.sites_where(part, site).is_some()) => int(1),
            part => self.bool(part),
        }
    }

    pub(super) fn leaf(&mut self, leaf: &Leaf) {
        if self.is_effect() && !super::effects::is_code(self.game, leaf) {
            return self.asked_moves(&Moves::Leaf(Box::new(leaf.clone())));
        }
        let source = self.source(SourceKind::Leaf(Box::new(leaf.clone())));
        match &leaf.kind {
            LeafKind::Add { pieces, to, condition, count, .. } => {
                let count = self.int(count);
                let some = match count {
                    Expr::Int(count) => int(i32::from(count >= 1)),
                    count => count.at_least(int(1)),
                };
                self.when(some, |code| {
                    code.placements(source, pieces, to, condition.as_ref());
                });
            }
            LeafKind::Jump { jumps, from, from_condition, condition, .. } => {
                self.jump(source, leaf, jumps, (from, from_condition.as_ref()), condition.as_ref());
            }
            LeafKind::Slide(slide) => self.slide(source, slide),
            LeafKind::FromTo { from, from_condition, to, condition, count, .. } => self.from_to(
                source,
                (from, from_condition.as_ref()),
                (to, condition.as_ref()),
                count.as_ref(),
            ),
            LeafKind::Shoot { piece, from, rays, condition } => {
                self.shoot(source, piece, (from, *rays), condition.as_ref());
            }
            LeafKind::Select { from, from_condition, to, condition, .. } => {
                self.selections(
                    source,
                    from,
                    from_condition.as_ref(),
                    to.as_deref(),
                    condition.as_ref(),
                );
            }
            LeafKind::Remove { place, .. } => {
                let sites = self.place(place);
                self.for_each_or_one(sites, |code, site| {
                    let there = code.is_occupied(site.get());
                    code.when(there, |code| code.give(source, site.get(), site.get(), int(0)));
                });
            }
            LeafKind::Promote { site, pieces } => self.promotions(source, site, pieces),
            LeafKind::Pass | LeafKind::SetScore { .. } => {
                self.give(source, int(-1), int(-1), int(0));
            }
            LeafKind::SetPending(Some(place)) => {
                let any = match &**place {
                    Place::Site(_) => int(1),
                    Place::Region(region) => {
                        let sites = self.region(region);
                        !sites.is_empty()
                    }
                };
                self.when(any, |code| code.give(source, int(0), int(0), int(0)));
            }
            LeafKind::SetLayer { at, value, .. } => self.set_layer(source, at, value),
            LeafKind::Turn { at, steps, .. } if !steps.contains(&0) => {
                let at = self.int(at);
                let at = self.keep_int(at);
                self.when(at.clone().at_least(int(0)), |code| {
                    for &step in steps {
                        code.give(source, at.clone(), at.clone(), int(step));
                    }
                });
            }
            LeafKind::Note(_)
            | LeafKind::Hide(_)
            | LeafKind::MoveAgain
            | LeafKind::SetVar { .. }
            | LeafKind::SetCounter(_)
            | LeafKind::SetPlayerValue { .. }
            | LeafKind::SetPending(None)
            | LeafKind::SetCount { .. }
            | LeafKind::Trigger(_)
            | LeafKind::Forget { .. } => self.give(source, int(0), int(0), int(0)),
            LeafKind::Remember { list, values, unique } => {
                let known = self.remembers(*list, values);
                let unique = self.part(|code| code.bool(unique));
                let skips = both(known, unique);
                self.when(!skips, |code| code.give(source, int(0), int(0), int(0)));
            }
            LeafKind::SetNextPlayer(players) => {
                let last = self.game.world.players as i32;
                self.for_list(players, |code, player| {
                    let real =
                        both(player.clone().greater(int(0)), player.clone().at_most(int(last)));
                    code.when(real, |code| code.give(source, int(-1), int(-1), player));
                });
            }
            LeafKind::SwapPieces { .. } | LeafKind::Turn { .. } => {
                if source >= 0 {
                    self.parts.sources.pop();
                }
                self.asked_moves(&Moves::Leaf(Box::new(leaf.clone())));
            }
        }
    }

    /// Gives the moves of a piece to the targets of a table.
    fn jump(
        &mut self,
        source: i32,
        leaf: &Leaf,
        jumps: &ByPiece<JumpId>,
        (from, from_condition): (&Int, Option<&Bool>),
        rule: Option<&Bool>,
    ) {
        self.from_origin(from, from_condition, |code, from| {
            let condition = code.per_site(rule, Iter::To);
            // Only these are asked for what else has to hold.
            let among = condition.sites.clone().or_else(|| {
                let sites = code.sites_at_most(rule?, &Int::Iter(Iter::To))?;
                Some(code.set_once(sites))
            });
            let saved = code.save([Iter::To]);
            let tables = code.by_piece(jumps, &from);
            let near = |code: &mut Self| match tables[..] {
                [(_, id)] => {
                    let near = code.tables.near(code.game, id);
                    let near = near.at(from.clone());
                    near.contains(code.wanted())
                }
                _ => int(1),
            };
            let over = rule.and_then(|rule| code.jumped_over(&tables, rule));
            let origins = code.piece.and_then(|piece| code.origins_of_leaf(leaf, piece));
            let may = match (origins, &over) {
                (Some(origins), _) => origins.contains(from.clone()),
                (None, Some(over)) => {
                    !(over.sites.at(from.clone()) & over.hurdle.clone()).is_empty()
                }
                (None, None) => int(1),
            };
            code.when(may, |code| {
                code.towards(near, |code| {
                    if let ([(_, id)], Some(sites)) = (&tables[..], &among) {
                        let near = code.tables.near(code.game, *id);
                        let targets = near.at(from.clone()) & sites.clone();
                        if condition.sites.is_some() && code.gathers_many(source) {
                            let from = Some(from.clone());
                            return code.give_targets(source, from, targets, int(0));
                        }
                        return code.for_each(targets, |code, to| {
                            code.is_site(&to.get());
                            let holds = match (&over, rule) {
                                (Some(over), Some(rule)) => code.holds_over(over, rule, to),
                                _ => code.holds_among(&condition, to.get()),
                            };
                            code.when(holds, |code| {
                                code.give(source, from.clone(), to.get(), int(0));
                            });
                        });
                    }
                    code.of_jumps(jumps, &from, |code, to| {
                        let holds = code.holds(&condition, to.clone());
                        code.when(holds, |code| {
                            code.give(source, from.clone(), to, int(0));
                        });
                    });
                });
            });
            code.restore(&saved);
        });
    }

    /// Gives the moves from some sites to others.
    fn from_to(
        &mut self,
        source: i32,
        (from, from_condition): (&Place, Option<&Bool>),
        (to, condition): (&Place, Option<&Bool>),
        count: Option<&Int>,
    ) {
        let origins = self.place(from);
        let saved = self.save([Iter::From, Iter::To]);
        self.for_each(origins, |code, origin| {
            let there = code.is_occupied(origin.get());
            code.when(there, |code| {
                code.bind(Iter::From, origin.get());
                let holds = from_condition.map_or(int(1), |c| code.bool(c));
                code.when(holds, |code| {
                    // The number goes by the destination bound around.
                    let count = match count {
                        Some(count) => {
                            let count = code.int(count);
                            let most = count.min(int(32767));
                            code.keep_int(most.max(int(0)))
                        }
                        None => int(0),
                    };
                    let condition = code.per_site(condition, Iter::To);
                    let targets = code.place(to);
                    if condition.is_known() && code.gathers_many(source) {
                        let from = Some(origin.get());
                        code.give_targets(source, from, condition.among(targets), count);
                        return code.restore(&saved[1..]);
                    }
                    code.for_each(targets, |code, target| {
                        let holds = code.holds(&condition, target.get());
                        let count = count.clone();
                        code.when(holds, |code| {
                            code.give(source, origin.get(), target.get(), count);
                        });
                    });
                    // Destinations are looked for anew with only the origin bound.
                    code.restore(&saved[1..]);
                });
            });
        });
        self.restore(&saved);
    }

    /// Gives the moves that add a piece on straight paths from a site.
    fn shoot(
        &mut self,
        source: i32,
        piece: &Piece,
        (from, rays): (&Int, RayId),
        condition: Option<&Bool>,
    ) {
        let from = self.int(from);
        let from = self.keep_int(from);
        let component = self.component(piece);
        let component = self.keep_int(component);
        let saved = self.save([Iter::To, Iter::Between]);
        let some = component.clone().greater(int(0));
        let real = from.clone().at_least(int(0));
        self.when(both(real, some), |code| {
            code.of_rays(&ByPiece::Same(rays), &from, |code, paths, [_, _, start, end]| {
                code.restore(&saved[1..]);
                code.save([Iter::Between]);
                code.for_range(start, end, |code, at| {
                    let to = code.site_on(paths, at);
                    code.bind(Iter::To, to.clone());
                    let free = match condition {
                        Some(condition) => code.bool(condition),
                        None => !code.is_occupied(to.clone()),
                    };
                    code.break_unless(free);
                    code.give(source, to.clone(), to.clone(), component.clone());
                    code.bind(Iter::Between, to);
                });
            });
        });
        self.restore(&saved);
    }

    /// Gives the moves that put other pieces in the place of one.
    fn promotions(&mut self, source: i32, site: &Int, pieces: &[Piece]) {
        let site = self.int(site);
        let site = self.keep_int(site);
        self.when(site.clone().at_least(int(0)), |code| {
            for piece in pieces {
                let component = code.component(piece);
                let component = code.keep_int(component);
                let some = match component {
                    Expr::Int(c) => int(i32::from(c > 0)),
                    ref c => c.clone().greater(int(0)),
                };
                let site = site.clone();
                code.when(some, |code| code.give(source, site.clone(), site, component));
            }
        });
    }

    /// Gives the move that sets a layer of a site.
    fn set_layer(&mut self, source: i32, at: &Int, value: &Int) {
        let at = self.int(at);
        let at = self.keep_int(at);
        let real = at.clone().at_least(int(0));
        // What chance decides is asked for once, when the action is made.
        let some = if self.game.chance {
            int(1)
        } else {
            let value = self.in_part(value);
            value.at_least(int(0))
        };
        self.when(both(real, some), |code| code.give(source, at.clone(), at, int(0)));
    }

    /// Whether all of some values are remembered; what is no site counts as remembered.
    fn remembers(&mut self, list: usize, values: &Place) -> Expr {
        let remembered = self.remembered(list);
        match values {
            Place::Site(value) => {
                let value = self.int(value);
                let value = self.keep_int(value);
                let known = remembered.contains(value.clone());
                choose(self.could_be_site(value), known, int(1))
            }
            Place::Region(region) => {
                let values = self.region(region);
                values.without(remembered).is_empty()
            }
        }
    }

    /// Whether a set has room for a number.
    pub(super) fn could_be_site(&mut self, value: Expr) -> Expr {
        is_below(value, self.game.room() as i32)
    }

    /// The component of a piece, or a number below 1 for none.
    pub(super) fn component(&mut self, piece: &Piece) -> Expr {
        match piece {
            Piece::Fixed(component) => int(i32::from(*component)),
            Piece::Computed(number) => {
                let number = self.int(number);
                let number = self.keep_int(number);
                let known = is_below(number.clone(), self.game.layout.owner.len() as i32);
                choose(known, number, int(0))
            }
        }
    }

    /// What is done on each of some sites, without a loop where they are one or none. It must not
    /// leave the loop.
    fn for_each_or_one(&mut self, sites: Expr, write: impl Fn(&mut Self, Local)) {
        let Some((site, within)) = only_site(&sites) else { return self.for_each(sites, write) };
        let site = self.keep(Type::Int, site);
        let real = self.could_be_site(site.get());
        let there = |there, set: Expr| both(there, set.contains(site.get()));
        let there = within.into_iter().fold(real, there);
        self.when(there, |code| write(code, site));
    }

    pub(super) fn placements(
        &mut self,
        source: i32,
        pieces: &[Piece],
        to: &Place,
        condition: Option<&Bool>,
    ) {
        let saved = self.save([Iter::To]);
        // On a single site only the first of several pieces can be placed.
        let pieces = match to {
            Place::Site(_) => &pieces[..pieces.len().min(1)],
            Place::Region(_) => pieces,
        };
        for piece in pieces {
            let component = self.component(piece);
            let component = self.keep_int(component);
            let some = match component {
                Expr::Int(c) => int(i32::from(c > 0)),
                ref c => c.clone().greater(int(0)),
            };
            self.when(some, |code| {
                let mut sites = code.place(to);
                let real = code.game.everywhere();
                let real = code.fixed(Sites::below(real.last().map_or(0, |last| last + 1)));
                sites = sites & real;
                let condition = code.per_site(condition, Iter::To);
                sites = condition.among(sites);
                if code.gathers_many(source) && condition.is_known() {
                    return code.give_targets(source, None, sites, component);
                }
                let give = |code: &mut Self, site: Local| {
                    let holds = code.holds_among(&condition, site.get());
                    let component = component.clone();
                    code.when(holds, |code| code.give(source, site.get(), site.get(), component));
                };
                if matches!(code.consumer, Consumer::Effect(_)) {
                    return code.for_each_or_one(sites, give);
                }
                let sites = code.keep(Type::Set, sites).get();
                let each = code.block(|code| code.for_each(sites.clone(), give));
                if condition.is_known() && matches!(code.consumer, Consumer::Give) {
                    // All of them may be passed over.
                    let number = code.keep_int(sites.len());
                    let over = slot(Slot::Skip).at_least(number.clone());
                    let pass = vec![
                        set_slot(Slot::Skip, slot(Slot::Skip) - number.clone()),
                        set_slot(Slot::Given, add(slot(Slot::Given), number)),
                    ];
                    code.push(Stmt::If(over, pass, each));
                } else {
                    each.into_iter().for_each(|stmt| code.push(stmt));
                }
            });
            self.restore(&saved);
        }
    }

    pub(super) fn selections(
        &mut self,
        source: i32,
        from: &Place,
        from_condition: Option<&Bool>,
        to: Option<&Place>,
        condition: Option<&Bool>,
    ) {
        let saved = self.save([Iter::From, Iter::To]);
        let origins = self.place(from);
        let real = self.fixed(Sites::below(self.game.world.sites()));
        let from_condition = self.per_site(from_condition, Iter::From);
        let origins = from_condition.among(origins & real);
        if to.is_none() && from_condition.is_known() && self.gathers_many(source) {
            self.give_targets(source, None, origins, int(0));
            return self.restore(&saved);
        }
        self.for_each(origins, |code, origin| {
            code.bind(Iter::To, origin.get());
            let holds = code.holds_among(&from_condition, origin.get());
            code.when(holds, |code| match to {
                None => code.give(source, origin.get(), origin.get(), int(0)),
                Some(to) => {
                    let targets = code.place(to);
                    let condition = code.per_site(condition, Iter::To);
                    let targets = condition.among(targets);
                    if condition.is_known() && code.gathers_many(source) {
                        return code.give_targets(source, Some(origin.get()), targets, int(0));
                    }
                    code.for_each(targets, |code, target| {
                        let holds = code.holds_among(&condition, target.get());
                        code.when(holds, |code| {
                            code.give(source, origin.get(), target.get(), int(0));
                        });
                    });
                }
            });
        });
        self.restore(&saved);
    }
}

/// The only site that a set can have, and the sets that it must be in.
fn only_site(sites: &Expr) -> Option<(Expr, Vec<Expr>)> {
    match sites {
        Expr::Single(site) => Some(((**site).clone(), Vec::new())),
        Expr::Combine(Combine::And, a, b) => {
            let (one, other) = match only_site(a) {
                Some(one) => (one, b),
                None => (only_site(b)?, a),
            };
            let (site, mut within) = one;
            within.push((**other).clone());
            Some((site, within))
        }
        _ => None,
    }
}
