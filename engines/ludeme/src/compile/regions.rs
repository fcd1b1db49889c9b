//! Regions as code.

use kernel::ir::{Combine, Expr, SetTable, Stmt, Type};

use super::arrays::{SCRATCH, Service, Slot, add, choose, either, int, is_below, slot, state_set};
use super::code::Emitter;
use super::context::Sites;
use crate::ir::Parts;
use crate::ir::{
    Around, Bool, ByPiece, Int, Ints, Iter, JumpId, LineOfSightKind, Owners, Pieces, Place, RayId,
    Region, Role,
};
use crate::state::{EMPTY, Layout};

/// Distances, times words of a set, beyond which steps from some sites are found site by site.
const MOST_SHIFTS: usize = 16;

impl Emitter<'_> {
    /// The sites of a region.
    pub(super) fn region(&mut self, region: &Region) -> Expr {
        match region {
            Region::Static(set) => self.fixed(self.game.set(*set)),
            Region::ByPlayer(who, sets) => {
                let who = self.int(who);
                self.indexed(sets, who)
            }
            Region::Indexed(pair) => {
                let index = self.int(&pair.1);
                self.indexed(&pair.0, index)
            }
            Region::Empty(within) => {
                let within = self.game.set(*within);
                self.among(state_set(int(EMPTY as i32)), within)
            }
            Region::Occupied { pieces, within, top } if self.can_know_pieces(pieces) => {
                let sites = if self.game.stacking() {
                    self.stacks_with(pieces, *top)
                } else {
                    self.pieces(pieces)
                };
                self.among(sites, self.game.set(*within))
            }
            Region::FromInts(list) => match **list {
                Ints::Remembered(list) => self.remembered(list),
                _ => self.asked_region(region),
            },
            Region::Union(list) => self.join(list, Combine::Or),
            Region::Intersection(list) => self.join(list, Combine::And),
            Region::Difference(pair) => {
                let (a, b) = (self.region(&pair.0), self.region(&pair.1));
                a.without(b)
            }
            Region::Without(pair) => {
                let from = self.region(&pair.0);
                let site = self.int(&pair.1);
                from.without(Expr::single(site))
            }
            Region::If(parts) => {
                let condition = self.bool(&parts.0);
                let then = self.part(|code| code.region(&parts.1));
                let otherwise = self.part(|code| code.region(&parts.2));
                choose(condition, then, otherwise)
            }
            Region::Filter(pair) => {
                let sites = self.region(&pair.0);
                self.where_holds(sites, Iter::Site, &pair.1)
            }
            Region::ForSites(pair) => self.for_sites(pair),
            Region::List(sites) => sites.iter().fold(Expr::NoSites, |all, site| {
                let site = self.int(site);
                let single = Expr::single(site);
                if all == Expr::NoSites { single } else { all | single }
            }),
            Region::Expand { jumps, region: inner, steps } => match **steps {
                Int::Const(steps @ 0..=2) => self.expanded(*jumps, inner, steps),
                _ => self.asked_region(region),
            },
            Region::Group { jumps, from, condition } => {
                self.groups_of(*jumps, from, condition.as_deref())
            }
            Region::Pending => {
                self.reads_begin = true;
                state_set(int(self.game.layout.pending() as i32))
            }
            Region::Elements { first, count, region } => {
                self.elements(usize::from(*count), i32::from(*first), region)
            }
            Region::Numbers { first, count, region } => {
                self.element_numbers(usize::from(*first), usize::from(*count), region)
            }
            Region::Start(component) if self.game.starts => self.start_of(component),
            Region::ToClear => Expr::LoadSet(SCRATCH, Box::new(int(1))),
            Region::Around { rays, origins, kind, distance, condition, include_self }
                if !(self.game.world.teams.is_some()
                    && matches!(kind, Around::Enemy | Around::NotEnemy)) =>
            {
                let Int::Const(distance) = **distance else { return self.asked_region(region) };
                let place = usize::try_from(distance.wrapping_sub(1)).unwrap_or(usize::MAX);
                let near = self.tables.in_place(self.game, *rays, place);
                let which = (*kind, condition.as_deref());
                let op = if *include_self { Combine::Or } else { Combine::Without };
                self.around_sites(near, (*rays, place), origins, which, op)
            }
            Region::Direction { rays, origins, included, stop, stop_included, distance } => {
                self.along((rays, distance), origins, included, (stop.as_deref(), stop_included))
            }
            Region::LineOfSight { rays, at, kind } => self.line_of_sight(rays, at, *kind),
            Region::State(value) if self.game.layout.at.extra != 0 && !self.game.stacking() => {
                self.in_local_state(value)
            }
            Region::Destinations(moves) => self.destinations(self.game.generator(*moves), None),
            Region::LastTo => {
                Expr::single(slot(Slot::LastTo)) | Expr::single(slot(Slot::LastToAfter))
            }
            Region::Track { tracks, from, to } => {
                let part = self.part_of_track(tracks, from.as_deref(), to.as_deref());
                part.unwrap_or_else(|| self.asked_region(region))
            }
            _ => self.asked_region(region),
        }
    }

    /// The sites of the board with a local state.
    fn in_local_state(&mut self, value: &Int) -> Expr {
        let (first, states) = self.game.layout.local_states();
        if let Int::Const(state) = value
            && (0..states as i32).contains(state)
        {
            return state_set(int(first as i32 + state)) & self.fixed(self.game.board());
        }
        let value = self.int(value);
        let value = self.keep_int(value);
        let all = self.keep(Type::Set, Expr::NoSites);
        let board = self.fixed(self.game.board());
        let layers = self.game.layout.at.extra;
        self.for_each(board, |code, site| {
            code.is_site(&site.get());
            let holds = code.by_site(layers, site.get(), 3, 0).equals(value.clone());
            let more = all.get() | Expr::single(site.get());
            code.push(Stmt::Set(all, choose(holds, more, all.get())));
        });
        all.get()
    }

    /// The numbers of sites that are elements of another type than the board's.
    fn element_numbers(&mut self, first: usize, count: usize, region: &Region) -> Expr {
        let sites = self.region(region);
        let elements = sites & self.range(first..first + count);
        elements.shift(-(first as i32))
    }

    /// The union of a region that is evaluated for each site of another.
    fn for_sites(&mut self, pair: &(Region, Region)) -> Expr {
        let sites = self.region(&pair.0);
        let saved = self.save([Iter::Site]);
        let all = self.keep(Type::Set, Expr::NoSites);
        self.for_each(sites, |code, site| {
            code.bind(Iter::Site, site.get());
            let more = code.region(&pair.1);
            code.push(Stmt::Set(all, all.get() | more));
        });
        self.restore(&saved);
        all.get()
    }

    /// A region with the sites that so many steps lead to from there.
    fn expanded(&mut self, jumps: JumpId, inner: &Region, steps: i32) -> Expr {
        let mut sites = self.region(inner);
        for _ in 0..steps {
            let from = self.keep(Type::Set, sites).get();
            let near = self.tables.near(self.game, jumps);
            let steps = self.game.jump(jumps).all();
            sites = from.clone() | self.union_over(steps, near, from);
        }
        sites
    }

    /// The groups of the sites of a place.
    fn groups_of(&mut self, jumps: JumpId, from: &Place, condition: Option<&Bool>) -> Expr {
        match from {
            Place::Site(site) => {
                let site = self.int(site);
                self.group(jumps, site, condition)
            }
            Place::Region(region) => {
                let starts = self.region(region);
                let all = self.keep(Type::Set, Expr::NoSites);
                self.for_each(starts, |code, site| {
                    let group = code.group(jumps, site.get(), condition);
                    code.push(Stmt::Set(all, all.get() | group));
                });
                all.get()
            }
        }
    }

    /// The sites of numbers among the elements of another type than the board's.
    fn elements(&mut self, count: usize, first: i32, region: &Region) -> Expr {
        let numbers = self.region(region);
        let numbers = self.keep(Type::Set, numbers).get();
        let extent = self.game.world.topology.extent();
        let elements = numbers.clone() & self.range(0..count);
        let hands = self.range(extent.max(count)..self.game.world.sites());
        elements.shift(first) | (numbers & hands)
    }

    /// Where a component stood after the set-up.
    fn start_of(&mut self, component: &Int) -> Expr {
        let component = self.int(component);
        let component = self.keep_int(component);
        let known = is_below(component.clone(), self.game.layout.owner.len() as i32);
        let first = int(self.game.layout.start(0) as i32);
        let set = add(component, first);
        choose(known, state_set(set), Expr::NoSites)
    }

    /// The sites around others, with them if they count themselves.
    fn around_sites(
        &mut self,
        near: SetTable,
        (rays, place): (RayId, usize),
        origins: &Place,
        (kind, condition): (Around, Option<&Bool>),
        op: Combine,
    ) -> Expr {
        if let Some(condition) = condition {
            let origins = self.place(origins);
            let origins = self.keep(Type::Set, origins).get();
            let around = self.around_where(near, &origins, kind, condition);
            return Expr::Combine(op, Box::new(around), Box::new(origins));
        }
        let (around, origins) = match origins {
            Place::Site(site) => {
                let site = self.int(site);
                let site = self.keep_int(site);
                (near.at(site.clone()), Expr::single(site))
            }
            Place::Region(origins) => {
                let origins = self.region(origins);
                let origins = self.keep(Type::Set, origins).get();
                let steps = self.game.ray(rays).in_place(place);
                (self.union_over(steps, near, origins.clone()), origins)
            }
        };
        let around = self.of_kind(around, kind);
        Expr::Combine(op, Box::new(around), Box::new(origins))
    }

    /// The sites that are seen along straight paths from a site.
    fn line_of_sight(&mut self, rays: &ByPiece<RayId>, at: &Int, kind: LineOfSightKind) -> Expr {
        let at = self.int(at);
        let at = self.keep_int(at);
        let all = self.keep(Type::Set, Expr::NoSites);
        let empty = state_set(int(EMPTY as i32));
        self.of_rays(rays, &at, |code, paths, [_, _, start, end]| {
            let farthest = code.keep(Type::Int, int(-1));
            code.for_range(start, end, |code, at| {
                let site = code.site_on(paths, at);
                let single = Expr::single(site.clone());
                let found = Stmt::Set(all, all.get() | single);
                let free = empty.clone().contains(site.clone());
                let (on, off) = match kind {
                    LineOfSightKind::Empty => (vec![found], vec![Stmt::Break(1)]),
                    LineOfSightKind::Farthest => {
                        (vec![Stmt::Set(farthest, site)], vec![Stmt::Break(1)])
                    }
                    LineOfSightKind::Piece => (Vec::new(), vec![found, Stmt::Break(1)]),
                };
                code.push(Stmt::If(free, on, off));
            });
            if kind == LineOfSightKind::Farthest {
                let single = Expr::single(farthest.get());
                code.push(Stmt::Set(all, all.get() | single));
            }
        });
        all.get()
    }

    /// The sites along straight paths from others, up to some distance and up to where a condition
    /// stops.
    fn along(
        &mut self,
        (rays, distance): (&ByPiece<RayId>, &Int),
        origins: &Place,
        included: &Bool,
        (stop, stop_included): (Option<&Bool>, &Bool),
    ) -> Expr {
        let origins = self.place(origins);
        let origins = self.keep(Type::Set, origins).get();
        let most = self.int(distance);
        let most = self.keep_int(most.max(int(0)));
        let with_stop = self.bool(stop_included);
        let with_stop = self.keep_int(with_stop);
        let included = self.part(|code| code.bool(included));
        let all = self.keep(Type::Set, choose(included, origins.clone(), Expr::NoSites));
        let saved = self.save([Iter::To]);
        self.for_each(origins, |code, origin| {
            code.of_rays(rays, &origin.get(), |code, paths, [_, _, start, end]| {
                // No path has as many sites.
                let most = most.clone().min(int(1 << 20));
                let end = end.min(add(start.clone(), most));
                code.for_range(start, end, |code, at| {
                    let site = code.site_on(paths, at);
                    let single = Expr::single(site.clone());
                    let more = vec![Stmt::Set(all, all.get() | single)];
                    let Some(stop) = stop else {
                        more.into_iter().for_each(|stmt| code.push(stmt));
                        return;
                    };
                    code.bind(Iter::To, site);
                    let stops = code.bool(stop);
                    let stops = code.keep_int(stops);
                    let counts = either(!stops.clone(), with_stop.clone());
                    code.push(Stmt::If(counts, more, Vec::new()));
                    code.push(Stmt::If(stops, vec![Stmt::Break(1)], Vec::new()));
                });
            });
        });
        self.restore(&saved);
        all.get()
    }

    /// Sites in a row.
    fn range(&mut self, sites: std::ops::Range<usize>) -> Expr {
        self.fixed(sites.collect())
    }

    /// The remembered values of a list that could be sites.
    pub(super) fn remembered(&self, list: usize) -> Expr {
        state_set(int(self.game.layout.remembered(list) as i32))
    }

    /// Of the sites around others those of a kind where a condition holds.
    fn around_where(
        &mut self,
        near: SetTable,
        origins: &Expr,
        kind: Around,
        condition: &Bool,
    ) -> Expr {
        let saved = self.save([Iter::From, Iter::To]);
        let all = self.keep(Type::Set, Expr::NoSites);
        self.for_each(origins.clone(), |code, origin| {
            code.bind(Iter::From, origin.get());
            let around = code.of_kind(near.at(origin.get()), kind);
            let holds = code.where_holds(around, Iter::To, condition);
            code.push(Stmt::Set(all, all.get() | holds));
        });
        self.restore(&saved);
        all.get()
    }

    /// What is reached from any of some sites by steps, of which a table has those of each site: by
    /// shifting all of them, where there are few distances.
    fn union_over(
        &mut self,
        steps: impl Iterator<Item = (usize, u16)>,
        table: SetTable,
        sites: Expr,
    ) -> Expr {
        // Where they lead to is from where they would lead back.
        let back = steps.map(|(from, to)| (usize::from(to), from as u16));
        let shifted = self.before_at_once(back, &sites, MOST_SHIFTS / self.game.words());
        shifted.unwrap_or_else(|| self.union_of(table, sites))
    }

    /// The union of what a table has for each of some sites.
    pub(super) fn union_of(&mut self, table: SetTable, sites: Expr) -> Expr {
        let all = self.keep(Type::Set, Expr::NoSites);
        self.for_each(sites, |code, site| {
            code.push(Stmt::Set(all, all.get() | table.at(site.get())));
        });
        all.get()
    }

    /// Of some sites those where a condition holds.
    pub(super) fn where_holds(&mut self, sites: Expr, iter: Iter, rule: &Bool) -> Expr {
        let condition = self.per_site(Some(rule), iter);
        if let Some(known) = condition.sites {
            return sites & known;
        }
        if let Some(region) = region_of_last(rule, iter) {
            let region = self.region(region);
            let region = self.keep(Type::Set, region).get();
            let is_outside = matches!(rule, Bool::Not(_));
            return if is_outside { sites.without(region) } else { sites & region };
        }
        let saved = self.save([iter]);
        let all = self.keep(Type::Set, Expr::NoSites);
        self.for_each(sites, |code, site| {
            let holds = code.holds(&condition, site.get());
            let more = all.get() | Expr::single(site.get());
            code.push(Stmt::If(holds, vec![Stmt::Set(all, more)], Vec::new()));
        });
        self.restore(&saved);
        all.get()
    }

    /// A region that the evaluator works out.
    pub(super) fn asked_region(&mut self, region: &Region) -> Expr {
        let number = Parts::add(&mut self.parts.regions, region.clone());
        let asked = self.ask(Service::Region, vec![int(number)]);
        self.push(Stmt::Eval(asked));
        self.keep(Type::Set, Expr::LoadSet(SCRATCH, Box::new(int(0)))).get()
    }

    fn join(&mut self, list: &[Region], op: Combine) -> Expr {
        let Some((first, rest)) = list.split_first() else { return Expr::NoSites };
        let first = self.region(first);
        rest.iter().fold(first, |all, r| {
            let next = self.region(r);
            Expr::Combine(op, Box::new(all), Box::new(next))
        })
    }

    /// Of some sites those that count as of a kind.
    fn of_kind(&mut self, sites: Expr, kind: Around) -> Expr {
        let players = self.game.world.players as i32;
        let shared = |code: &mut Self| code.owned(int(players + 1));
        match kind {
            Around::Any => sites,
            Around::Empty => {
                let occupied = self.occupied();
                sites.without(occupied)
            }
            Around::NotEmpty => {
                let occupied = self.occupied();
                sites & occupied
            }
            Around::Own | Around::NotOwn | Around::NotEnemy => {
                let own = self.owned(slot(Slot::Mover));
                let own = own | shared(self);
                let op = if kind == Around::NotOwn { Combine::Without } else { Combine::And };
                Expr::Combine(op, Box::new(sites), Box::new(own))
            }
            Around::Enemy => {
                let players = Pieces { owners: Owners::Role(Role::Enemy), components: None };
                let enemies = self.pieces(&players);
                sites & enemies
            }
        }
    }

    /// The sites of a set that never changes.
    pub(super) fn fixed(&mut self, set: Sites) -> Expr {
        if set.is_empty() {
            return Expr::NoSites;
        }
        self.tables.sets([set]).at(int(0))
    }

    /// The sites that are also in a set that never changes.
    fn among(&mut self, sites: Expr, within: Sites) -> Expr {
        if self.game.everywhere().is_subset(within) {
            return sites;
        }
        let within = self.fixed(within);
        sites & within
    }

    fn indexed(&mut self, sets: &[crate::ir::SetId], index: Expr) -> Expr {
        let game = self.game;
        if let Expr::Int(index) = index {
            let set = usize::try_from(index).ok().and_then(|i| sets.get(i));
            return set.map_or(Expr::NoSites, |&set| self.fixed(game.set(set)));
        }
        let sets = self.tables.sets(sets.iter().map(|&set| game.set(set)));
        sets.at(index)
    }

    /// All sites with pieces.
    pub(super) fn occupied(&mut self) -> Expr {
        let everywhere = self.fixed(self.game.everywhere());
        everywhere.without(state_set(int(EMPTY as i32)))
    }

    /// The sites of an owner.
    pub(super) fn owned(&mut self, owner: Expr) -> Expr {
        let owners = self.game.world.players as i32 + 2;
        let first = Layout::owner_set(0) as i32;
        match owner {
            Expr::Int(owner) if (0..owners).contains(&owner) => state_set(int(first + owner)),
            Expr::Int(_) => Expr::NoSites,
            owner => self.set_by((0..owners).map(|owner| first + owner), owner),
        }
    }

    /// The sites with a component: the empty ones for 0, none beyond the components.
    pub(super) fn with_component(&mut self, component: Expr) -> Expr {
        let sets = self.game.layout.piece_set.iter().map(|&set| i32::from(set));
        self.set_by(sets, component)
    }

    /// One of some sets of the state by its place among them; the empty set beyond.
    fn set_by(&mut self, sets: impl Iterator<Item = i32>, place: Expr) -> Expr {
        // Out of range a table gives 0, and there is no set with the number -1.
        let sets = self.tables.ints(sets.map(|set| set + 1));
        state_set(add(sets.at(place), int(-1)))
    }

    /// True if there is code for some pieces.
    pub(super) fn can_know_pieces(&self, pieces: &Pieces) -> bool {
        match &pieces.owners {
            Owners::Number(_) => true,
            Owners::Role(role) => match role {
                Role::Neutral
                | Role::Player(_)
                | Role::All
                | Role::Mover
                | Role::Next
                | Role::Prev
                | Role::Shared
                | Role::Each
                | Role::NonMover
                | Role::Iterated => true,
                Role::Enemy | Role::Friend if self.game.world.teams.is_none() => true,
                role => self.game.knows_team(*role),
            },
        }
    }

    /// The sites of some pieces; of stacks, those with such a piece on top.
    pub(super) fn pieces(&mut self, pieces: &Pieces) -> Expr {
        let players = self.game.world.players as i32;
        let mover = || slot(Slot::Mover);
        let others = |code: &mut Self, all: std::ops::RangeInclusive<i32>| {
            let all = all.map(|p| state_set(int(Layout::owner_set(0) as i32 + p)));
            let all = all.reduce(|a, b| a | b).unwrap_or(Expr::NoSites);
            let own = code.owned(mover());
            all.without(own)
        };
        let by_team = match pieces.owners {
            Owners::Role(role) => self.owned_by_team(role),
            Owners::Number(_) => None,
        };
        let owned = match &pieces.owners {
            Owners::Number(number) => {
                let number = self.int(number);
                self.owned(number)
            }
            Owners::Role(role) if by_team.is_none() => match role {
                Role::Neutral => self.owned(int(0)),
                Role::Player(p) => self.owned(int(i32::from(*p))),
                Role::Shared | Role::Each => self.owned(int(players + 1)),
                Role::Mover | Role::Friend => self.owned(mover()),
                Role::Next => self.owned(slot(Slot::Next)),
                Role::Prev => self.owned(slot(Slot::Prev)),
                Role::Iterated => {
                    let player = self.variable(Iter::Player);
                    self.owned(player)
                }
                Role::NonMover => others(self, 0..=players),
                Role::Enemy => others(self, 1..=players),
                _ => self.occupied(),
            },
            Owners::Role(_) => by_team.unwrap_or(Expr::NoSites),
        };
        match &pieces.components {
            None => owned,
            Some(allowed) => {
                let sets = &self.game.layout.piece_set;
                let sets = (1..sets.len()).filter(|&c| allowed[c]).map(|c| sets[c]);
                let sets: std::collections::BTreeSet<u16> = sets.collect();
                let sets = sets.into_iter().map(|set| state_set(int(i32::from(set))));
                match sets.reduce(|a, b| a | b) {
                    None => Expr::NoSites,
                    Some(sets) => owned & sets,
                }
            }
        }
    }
}

/// True if the code of a region is one expression, whose value depends on nothing but where there
/// are pieces: it can be worked out where the function begins.
pub(super) fn is_expression(region: &Region) -> bool {
    match region {
        Region::Static(_) | Region::Empty(_) => true,
        Region::Union(list) | Region::Intersection(list) => list.iter().all(is_expression),
        Region::Difference(pair) => is_expression(&pair.0) && is_expression(&pair.1),
        _ => false,
    }
}

/// The group of what was last moved, if the condition is whether a site is in it, or is not.
fn region_of_last(rule: &Bool, iter: Iter) -> Option<&Region> {
    match rule {
        Bool::Not(inner) if matches!(**inner, Bool::InRegion(..)) => region_of_last(inner, iter),
        Bool::InRegion(sites, region) if **sites == [Int::Iter(iter)] => match &**region {
            Region::Group { from, condition: None, .. } => {
                (**from == Place::Site(Int::LastTo)).then_some(&**region)
            }
            _ => None,
        },
        _ => None,
    }
}
