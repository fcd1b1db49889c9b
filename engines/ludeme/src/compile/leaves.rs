//! Generators that make moves themselves as code.

use kernel::ir::{Expr, Stmt, Type};

use super::code::{Code, Slot, add, both, choose, int, set_slot, slot, state_set};
use crate::ir::SourceKind;
use crate::ir::{Bool, ByPiece, Iter, Leaf, LeafKind, Moves, Piece, Place, Slide};

impl<const W: usize> Code<'_, W> {
    pub(super) fn leaf(&mut self, leaf: &Leaf) {
        let source = self.source(SourceKind::Leaf(Box::new(leaf.clone())));
        match &leaf.kind {
            LeafKind::Add { pieces, to, condition, count, apply, .. } => {
                let count = self.int(count);
                let some = match count {
                    Expr::Int(count) => int(i32::from(count >= 1)),
                    count => count.at_least(int(1)),
                };
                // The reference lists additions to a region twice where they have an effect.
                let effect = apply.as_ref().is_some_and(|a| a.effect.is_some());
                let region = matches!(**to, Place::Region(_));
                let times = if effect && self.game.composite && region { 2 } else { 1 };
                self.when(some, |code| {
                    for _ in 0..times {
                        code.placements(source, pieces, to, condition.as_ref());
                    }
                });
            }
            LeafKind::Jump { jumps, from, from_condition, condition, .. } => {
                self.from_origin(from, from_condition.as_ref(), |code, from| {
                    let condition = code.per_site(condition.as_ref(), Iter::To);
                    let saved = code.save([Iter::To]);
                    let tables = code.by_piece(jumps, &from);
                    let near = |code: &mut Self| match tables[..] {
                        [(_, id)] => {
                            let near = code.tables.near(code.game, id);
                            let near = near.at(from.clone());
                            near.contains(slot(Slot::Wanted))
                        }
                        _ => int(1),
                    };
                    let origins = code.piece.and_then(|piece| code.origins_of_leaf(leaf, piece));
                    let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
                    code.when(may, |code| {
                        code.towards(near, |code| {
                            if let ([(_, id)], Some(sites)) = (&tables[..], &condition.sites)
                                && code.ascends(*id)
                            {
                                // In the order of the table, those alone that fit.
                                let near = code.tables.near(code.game, *id);
                                let near = near.at(from.clone());
                                let targets = near & sites.clone();
                                code.for_each(targets, |code, to| {
                                    code.bind(Iter::To, to.get());
                                    code.give(source, from.clone(), to.get(), int(0));
                                });
                                return;
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
            LeafKind::Slide(slide) => self.slide(source, slide),
            LeafKind::FromTo { from, from_condition, to, condition, count, .. } => {
                let origins = self.place(from);
                let saved = self.save([Iter::From, Iter::To]);
                self.for_each(origins, |code, origin| {
                    let there = code.is_occupied(origin.get());
                    code.when(there, |code| {
                        code.bind(Iter::From, origin.get());
                        let holds = from_condition.as_ref().map_or(int(1), |c| code.bool(c));
                        code.when(holds, |code| {
                            // The number goes by the destination bound around.
                            let count = match count {
                                Some(count) if code.game.composite => {
                                    let count = code.int(count);
                                    let most = count.min(int(32767));
                                    code.keep_int(most.max(int(0)))
                                }
                                _ => int(0),
                            };
                            let condition = code.per_site(condition.as_ref(), Iter::To);
                            let targets = code.place(to);
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
            LeafKind::Shoot { piece, from, rays, condition } => {
                let from = self.int(from);
                let from = self.keep_int(from);
                let component = self.component(piece);
                let component = self.keep_int(component);
                let saved = self.save([Iter::To, Iter::Between]);
                let some = component.clone().greater(int(0));
                let real = from.clone().at_least(int(0));
                self.when(both(real, some), |code| {
                    code.of_rays(
                        &ByPiece::Same(*rays),
                        &from,
                        |code, paths, [_, _, start, end]| {
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
                        },
                    );
                });
                self.restore(&saved);
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
                self.for_each(sites, |code, site| {
                    let there = code.is_occupied(site.get());
                    code.when(there, |code| code.give(source, site.get(), site.get(), int(0)));
                });
            }
            LeafKind::Promote { site, pieces } => {
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
            LeafKind::SetLayer { at, value, .. } => {
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
            LeafKind::SetNextPlayer(_)
            | LeafKind::SwapPieces { .. }
            | LeafKind::Turn { .. }
            | LeafKind::Remember { .. } => {
                self.parts.sources.pop();
                self.asked_moves(&Moves::Leaf(Box::new(leaf.clone())));
            }
        }
    }

    /// The component of a piece, or a number below 1 for none.
    pub(super) fn component(&mut self, piece: &Piece) -> Expr {
        match piece {
            Piece::Fixed(component) => int(i32::from(*component)),
            Piece::Computed(number) => {
                let number = self.int(number);
                let number = self.keep_int(number);
                let known = self.is_below(number.clone(), self.game.layout.owner.len() as i32);
                choose(known, number, int(0))
            }
        }
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
                let real = code.game.everywhere;
                let real =
                    code.fixed(crate::set::Set::below(real.last().map_or(0, |last| last + 1)));
                sites = sites & real;
                let condition = code.per_site(condition, Iter::To);
                let known = condition.sites.clone();
                if let Some(known) = &known {
                    sites = sites & known.clone();
                }
                let sites = code.keep(Type::Set, sites).get();
                let each = code.block(|code| {
                    code.for_each(sites.clone(), |code, site| {
                        let holds = match &known {
                            Some(_) => {
                                code.bind(Iter::To, site.get());
                                int(1)
                            }
                            None => code.holds(&condition, site.get()),
                        };
                        let component = component.clone();
                        code.when(holds, |code| {
                            code.give(source, site.get(), site.get(), component);
                        });
                    });
                });
                let at_once = (known.is_some() || condition.is_always()) && code.gathers.is_none();
                if at_once {
                    // All of them may be passed over.
                    let number = code.keep_int(sites.len());
                    let over = slot(Slot::Skip).at_least(number.clone());
                    let pass = vec![
                        set_slot(Slot::Skip, slot(Slot::Skip) - number.clone()),
                        set_slot(Slot::Given, add(slot(Slot::Given), number.clone())),
                        set_slot(
                            Slot::LastSource,
                            choose(number, int(source), slot(Slot::LastSource)),
                        ),
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
        let real = self.fixed(crate::set::Set::below(self.game.world.sites()));
        let origins = origins & real;
        self.for_each(origins, |code, origin| {
            code.bind(Iter::From, origin.get());
            code.bind(Iter::To, origin.get());
            let holds = from_condition.map_or(int(1), |c| code.bool(c));
            code.when(holds, |code| match to {
                None => code.give(source, origin.get(), origin.get(), int(0)),
                Some(to) => {
                    let targets = code.place(to);
                    code.for_each(targets, |code, target| {
                        code.bind(Iter::To, target.get());
                        let holds = condition.map_or(int(1), |c| code.bool(c));
                        code.when(holds, |code| {
                            code.give(source, origin.get(), target.get(), int(0));
                        });
                    });
                }
            });
        });
        self.restore(&saved);
    }

    pub(super) fn slide(&mut self, source: i32, slide: &Slide) {
        self.from_origin(&slide.from, slide.from_condition.as_ref(), |code, from| {
            let range = slide.range.as_ref().map(|(min, max)| {
                let (min, max) = (code.int(min), code.int(max));
                (code.keep_int(min), code.keep_int(max))
            });
            let stop = slide.stop.as_ref().map(|stop| code.per_site(Some(stop), Iter::To));
            let go = slide.go.as_ref().map(|go| code.per_site(Some(go), Iter::Between));
            let saved = code.save([Iter::To, Iter::Between]);
            let filter = slide.apply.as_ref().and_then(|a| a.condition.as_ref());
            let origins = code.piece.and_then(|piece| code.origins_of_slide(slide, piece));
            let may = origins.map_or(int(1), |origins| origins.contains(from.clone()));
            let reached = |code: &mut Self| code.reaches(&slide.rays, &from);
            code.when(may, |code| {
                code.towards(reached, |code| {
                    code.of_rays(&slide.rays, &from, |code, paths, [_, number, start, end]| {
                        let number = code.keep_int(number);
                        // On every path nothing has been passed yet.
                        code.restore(&saved[1..]);
                        code.save([Iter::Between]);
                        code.for_range(start.clone(), end, |code, at| {
                            let distance = add(at.get() - start.clone(), int(1));
                            let mut far_enough = int(1);
                            if let Some((min, max)) = &range {
                                let distance = code.keep_int(distance);
                                code.break_unless(distance.clone().at_most(max.clone()));
                                far_enough = distance.at_least(min.clone());
                            }
                            let to = code.site_on(paths, at);
                            code.bind(Iter::To, to.clone());
                            let give = |code: &mut Self| {
                                let holds = filter.map_or(int(1), |c| code.bool(c));
                                let (from, to, number) = (from.clone(), to.clone(), number.clone());
                                code.when(holds, |code| code.give(source, from, to, number));
                            };
                            // Asked on every site: some conditions leave something bound for later ones.
                            if let Some(stop) = &stop {
                                let stops = code.holds(stop, to.clone());
                                code.when(both(stops, far_enough.clone()), |code| {
                                    give(code);
                                    code.push(Stmt::Break(1));
                                });
                            }
                            code.bind(Iter::Between, to.clone());
                            let goes = match &go {
                                Some(go) => code.holds(go, to.clone()),
                                None => {
                                    state_set(int(crate::state::EMPTY as i32)).contains(to.clone())
                                }
                            };
                            code.break_unless(goes);
                            code.when(far_enough, give);
                        });
                    });
                });
            });
            code.restore(&saved);
        });
    }
}
