//! Conditions.

use super::adapters::{Test, Tested};
use super::lists::Numbers;
use super::visitors::{Exists, Reaches};
use super::{CompiledRules, Eval, bit};
use crate::buffer::Buffer;
use crate::ir::{Bool, Int, Ints, Iter, JumpId, Moves, Place, RayId, Region, Role, Threat};
use crate::lower::Feature;
use crate::set::Set;
use crate::state::{List, Occupancy, State, Turns};

impl Eval<'_> {
    /// True if a condition holds.
    #[inline]
    pub(crate) fn test(&mut self, condition: &Bool) -> bool {
        match condition {
            Bool::Const(value) => *value,
            Bool::And(list) => list.iter().all(|c| self.simple_test(c)),
            condition => self.simple_test(condition),
        }
    }

    /// The conditions that are asked of many sites.
    fn simple_test(&mut self, condition: &Bool) -> bool {
        match condition {
            Bool::Compare(how, pair) => how.holds(self.int(&pair.0), self.int(&pair.1)),
            Bool::IsEnemy(who) => {
                let who = self.int(who);
                self.is_enemy(who)
            }
            Bool::IsFriend(who) => {
                let who = self.int(who);
                self.is_friend(who)
            }
            Bool::IsEmpty(at) => {
                let site = self.site(at);
                site.is_some_and(|s| self.state.is_empty(s))
            }
            Bool::IsOccupied(at) => {
                let site = self.site(at);
                site.is_some_and(|s| self.state.what(s) != 0)
            }
            Bool::InRegion(sites, region) if sites.len() == 1 => {
                let site = self.site(&sites[0]);
                site.is_some_and(|site| match &**region {
                    Region::Static(set) => self.game.set(*set).contains(site),
                    Region::Empty(within) => {
                        self.state.is_empty(site) && self.game.set(*within).contains(site)
                    }
                    Region::Pending => self.pends(site),
                    region => self.region(region).contains(site),
                })
            }
            Bool::Not(inner) => !self.simple_test(inner),
            condition => self.other_test(condition),
        }
    }

    /// As [`Eval::test`], apart from it because of its large frame.
    #[inline(never)]
    fn other_test(&mut self, condition: &Bool) -> bool {
        match condition {
            Bool::Const(value) => *value,
            Bool::And(list) => list.iter().all(|c| self.test(c)),
            Bool::Or(list) => list.iter().any(|c| self.test(c)),
            Bool::Xor(pair) => self.test(&pair.0) ^ self.test(&pair.1),
            Bool::If(parts) => {
                if self.test(&parts.0) {
                    self.test(&parts.1)
                } else {
                    self.test(&parts.2)
                }
            }
            Bool::SameRegion(pair) => self.region(&pair.0) == self.region(&pair.1),
            Bool::AllSites(pair) => self.holds_on_all(pair),
            Bool::AllValues(pair) => self.holds_of_all(pair),
            Bool::AllPassed => {
                self.state.head.moves as usize >= self.players() && self.game.all_passed(self.state)
            }
            Bool::IsActive(who) => {
                let who = self.int(who);
                self.state.head.active & bit(who) != 0
            }
            Bool::IsTriggered(who) => {
                let who = bit(self.int(who));
                self.state.head.triggered & self.state.head.active & who != 0
            }
            Bool::InRegion(sites, region) => self.are_within(sites, region),
            Bool::InInts(values, ints) => self.are_in(values, ints),
            Bool::IsPending => self.is_pending(),
            Bool::IsFull => !self.empty().intersects(&self.game.board),
            Bool::IsRelated { jumps, a, b } => self.is_related(*jumps, a, b),
            Bool::IsWithin { component, place } => self.is_within(component, place),
            Bool::IsTarget { sites, components, possible } => {
                *possible
                    && sites.iter().zip(components).all(|(&site, &component)| {
                        self.state.what(usize::from(site)) as i32 == component
                    })
            }
            Bool::IsLine(line) => self.is_line(line),
            Bool::IsPath(path) => self.is_path(path),
            Bool::IsSitePath(path) => self.is_site_path(path),
            Bool::IsGraph(graph) => self.is_graph(graph),
            Bool::MoverLoses => self.mover_loses(),
            Bool::IsLoop(ring) => self.is_loop(ring),
            Bool::IsPathLoop(parts) => self.is_path_loop(&parts.0, &parts.1, &parts.2),
            Bool::IsAngle(angle) => self.is_angle(angle),
            Bool::PipsMatch(pips) => self.pips_match(pips),
            Bool::SidesMatch(parts) => {
                let site = self.site(&parts.1);
                site.is_some_and(|site| self.sides_match(&parts.0, site))
            }
            Bool::IsPattern(pattern) => self.is_pattern(pattern),
            Bool::IsStackLine(line) => self.is_stack_line(line),
            Bool::IsBlocked(pair) => self.is_blocked(&pair.0, &pair.1),
            Bool::IsConnected(connection) => self.is_connected(connection),
            Bool::IsThreatened(threat) => self.is_threatened(threat),
            Bool::IsEven(value) => self.int(value) & 1 == 0,
            Bool::NoMoves(role) => self.no_moves(*role),
            Bool::NoPieces { pieces, within } => self.no_pieces(pieces, within.as_deref()),
            Bool::CanMove(moves) => self.can_move(self.game.generator(*moves)),
            Bool::AllDiceUsed => self.state.dice().iter().all(|&d| d == 0),
            Bool::AllDiceEqual => self.state.head.record.all_equal,
            Bool::IsAnyDie(value) => {
                let value = self.int(value);
                self.state.dice().contains(&value)
            }
            Bool::IsVisited(at) => {
                self.site(at).is_some_and(|s| self.state.visited(&self.game.layout).contains(s))
            }
            Bool::IsProposed(text) => {
                self.state.list(List::Proposals).iter().any(|&p| usize::from(p) == *text)
            }
            Bool::IsDecided(text) => {
                self.state.head.record.decided.is_some_and(|d| usize::from(d) == *text)
            }
            Bool::IsCycle => self.is_cycle(),
            Bool::IsRepeat => self.state.positions().contains(&self.state.position_hash()),
            Bool::AllDifferent(pair) => self.are_different(pair),
            Bool::IsTargetStack { sites, components } => {
                self.is_target_stack(sites.as_deref(), components)
            }
            Bool::Leads { rays, from, to } => self.leads(*rays, from, to),
            Bool::IsFlat(below, at) => self.is_flat(*below, at),
            Bool::Constraint(constraint) => self.constraint(constraint),
            Bool::IsSolved => self.is_solved(),
            Bool::AllGroups { jumps, of, condition } => {
                self.all_groups(*jumps, of.as_deref(), condition)
            }
            Bool::WasPass => self.state.head.passed,
            Bool::Compiled(code, rules) => match &self.game.program {
                Some(program) => program.run_condition(self, *code),
                None => self.test(rules),
            },
            Bool::Not(_)
            | Bool::Compare(..)
            | Bool::IsEnemy(_)
            | Bool::IsFriend(_)
            | Bool::IsEmpty(_)
            | Bool::IsOccupied(_) => self.simple_test(condition),
        }
    }

    /// True if a condition holds on all sites of a region.
    fn holds_on_all(&mut self, pair: &(Region, Bool)) -> bool {
        let region = self.region(&pair.0);
        region.iter().all(|s| self.with(Iter::Site, s as i32, |eval| eval.test(&pair.1)))
    }

    /// True if a condition holds of all numbers of a list.
    fn holds_of_all(&mut self, pair: &(Ints, Bool)) -> bool {
        let values = self.ints(&pair.0);
        values.iter().all(|&v| self.with(Iter::Value, v, |eval| eval.test(&pair.1)))
    }

    /// True if all of some numbers are in a list.
    fn are_in(&mut self, values: &[Int], ints: &Ints) -> bool {
        if let ([wanted], Ints::Results { from, to, value }) = (values, ints) {
            let wanted = self.int(wanted);
            return self.each_result(from, to, value, &mut |result| result == wanted);
        }
        let list = self.ints(ints);
        values.iter().all(|v| list.contains(&self.int(v)))
    }

    /// True if anything is pending.
    fn is_pending(&self) -> bool {
        self.state.head.pending_number.is_some()
            || !self.state.pending(&self.game.layout).is_empty()
    }

    /// True if a site, or another number, is pending.
    fn pends(&self, site: usize) -> bool {
        let number = self.state.head.pending_number;
        self.state.pending(&self.game.layout).contains(site)
            || number.is_some_and(|number| usize::try_from(number) == Ok(site))
    }

    /// True if a site is a neighbour of another one, or of one of several.
    fn is_related(&mut self, jumps: JumpId, a: &Int, b: &Place) -> bool {
        let a = self.site(a);
        let b = self.place(b);
        a.is_some_and(|a| b.iter().any(|b| self.game.jump(jumps).leads(b, a)))
    }

    /// True if there is a piece of a component in a place.
    fn is_within(&mut self, component: &Int, place: &Place) -> bool {
        let component = self.int(component);
        let place = self.place(place);
        let set = usize::try_from(component).ok().filter(|&c| c > 0);
        let set = set.and_then(|c| self.game.layout.piece_set.get(c));
        set.is_some_and(|&s| self.state.set(usize::from(s)).intersects(&place))
    }

    /// True if the last positions have come three times over.
    fn is_cycle(&self) -> bool {
        let k = self.players() * self.players();
        let positions = self.state.positions();
        positions.len() >= 3 * k && {
            let last = &positions[positions.len() - 3 * k..];
            last[..k] == last[k..2 * k] && last[..k] == last[2 * k..]
        }
    }

    /// True if all pieces on the sites of a region differ, and a condition holds on all of them.
    fn are_different(&mut self, pair: &(Region, Bool)) -> bool {
        let region = self.region(&pair.0);
        let mut seen = Buffer::new();
        region.iter().all(|site| {
            let what = self.state.what(site);
            let new = !seen.contains(&what);
            seen.push(what);
            new && self.with(Iter::Site, site as i32, |eval| eval.test(&pair.1))
        })
    }

    /// True if there is a stack of these components, from the bottom.
    fn is_target_stack(&self, sites: Option<&[u16]>, components: &[i32]) -> bool {
        let holds = |site: usize| {
            self.state.height(site) == components.len()
                && (0..components.len())
                    .all(|l| self.state.what_at(site, l) as i32 == components[l])
        };
        match sites {
            Some(sites) => sites.iter().any(|&s| holds(usize::from(s))),
            // A stack of another height ends the search.
            None => (0..self.game.world.topology.sites())
                .take_while(|&s| self.state.height(s) == components.len())
                .any(holds),
        }
    }

    /// True if a path leads from a site to another.
    fn leads(&mut self, rays: RayId, from: &Int, to: &Int) -> bool {
        let (Some(from), Some(to)) = (self.site(from), self.site(to)) else {
            return false;
        };
        self.game.ray(rays).of(from).any(|ray| ray.contains(&(to as u16)))
    }

    /// True if every vertex below a site is occupied.
    fn is_flat(&mut self, below: JumpId, at: &Int) -> bool {
        let Some(at) = self.site(at) else { return false };
        let mut below = self.game.jump(below).of(at).iter();
        !below.any(|&site| self.state.is_empty(usize::from(site)))
    }

    /// True if all of some sites are in a region.
    fn are_within(&mut self, sites: &[Int], region: &Region) -> bool {
        if *region == Region::Pending {
            return sites.iter().all(|s| self.site(s).is_some_and(|s| self.pends(s)));
        }
        let region = self.region(region);
        sites.iter().all(|s| self.site(s).is_some_and(|s| region.contains(s)))
    }

    /// True if a number means an enemy of the mover; that of everybody does.
    #[inline]
    pub(super) fn is_enemy(&self, who: i32) -> bool {
        if who == 0 {
            return false;
        }
        match &self.game.world.teams {
            None => who != i32::from(self.turns.mover),
            Some(_) => !self.in_own_team(who),
        }
    }

    #[inline]
    pub(super) fn is_friend(&self, who: i32) -> bool {
        match &self.game.world.teams {
            None => who == i32::from(self.turns.mover),
            Some(_) => self.in_own_team(who),
        }
    }

    fn in_own_team(&self, who: i32) -> bool {
        let player = usize::try_from(who).ok().filter(|p| (1..=self.players()).contains(p));
        player.is_some_and(|p| self.team(p) == self.team(usize::from(self.turns.mover)))
    }

    fn no_pieces(&mut self, pieces: &crate::ir::Pieces, within: Option<&Region>) -> bool {
        let within = within.map(|r| self.region(r));
        if self.game.layout.occupancy == Occupancy::Stacking {
            let owners = self.owners(&pieces.owners);
            let all = Set::below(self.state.sites()).without(&self.empty());
            let occupied = match within {
                Some(within) => all & within,
                None => all,
            };
            return !occupied.iter().any(|site| {
                (0..self.state.height(site))
                    .any(|level| self.is_piece(self.state.what_at(site, level), owners, pieces))
            });
        }
        let sites = self.pieces(pieces);
        within.map_or(sites.is_empty(), |within| !within.intersects(&sites))
    }

    /// True if a generator gives any move; the last move's sites count as visited.
    fn can_move(&mut self, moves: &Moves) -> bool {
        if !self.game.has(Feature::Visits) {
            return self.any_move(moves);
        }
        let mut state = self.state.trial();
        for site in [state.head.last_from, state.head.last_to] {
            state.visit(&self.game.layout, site);
        }
        self.within(&state).any_move(moves)
    }

    /// True if a generator gives any move.
    pub(crate) fn any_move(&mut self, moves: &Moves) -> bool {
        if self.game.repeats.is_none() {
            return self.exists(moves);
        }
        let mut exists = Exists::default();
        let mut tested = Tested::new(self, &mut exists, Test::Repetition);
        self.generate(moves, &mut tested)
    }

    /// As [`Eval::any_move`], whether or not the position was there before.
    pub(super) fn exists(&mut self, moves: &Moves) -> bool {
        self.generate(moves, &mut Exists::default())
    }

    fn no_moves(&mut self, role: Role) -> bool {
        if role != Role::Next {
            return self.stalemated & self.role_owners(role) != 0;
        }
        if self.looking_ahead {
            return false;
        }
        let next = self.turns.next;
        let old = self.turns;
        self.looking_ahead = true;
        let after =
            if self.state.head.over { old.next } else { self.game.following(self.state, next) };
        self.turns = Turns { mover: next, next: after, prev: old.mover };
        let phase = usize::from(self.state.head.phase[usize::from(next)]);
        let can = self.any_move(&self.game.phases[phase].play);
        self.turns = old;
        self.looking_ahead = false;
        self.stalemated &= !(1 << next);
        self.stalemated |= u32::from(!can) << next;
        !can
    }

    fn is_threatened(&mut self, threat: &Threat) -> bool {
        if self.threatening {
            return false;
        }
        let component = threat.component.as_ref().map(|c| self.int(c));
        if component.is_some_and(|c| c < 1) {
            return false;
        }
        let sites = match (&threat.place, component) {
            (Some(place), _) => self.place(place),
            (None, Some(c)) => self.lowest(c).map_or(Set::EMPTY, Set::single),
            (None, None) => self.game.board.clone().without(&self.empty()),
        };
        let sites = sites & Set::below(self.state.sites());
        if component.is_none() {
            let next = usize::from(self.turns.next);
            if next == 0 || next > self.players() {
                return false;
            }
        }
        sites.iter().any(|site| self.is_site_threatened(threat, component, site))
    }

    fn is_site_threatened(&mut self, threat: &Threat, component: Option<i32>, site: usize) -> bool {
        let what = match component {
            Some(c) => c as usize,
            None => self.state.what(site),
        };
        let layout = &self.game.layout;
        if what == 0 || what >= layout.owner.len() {
            return false;
        }
        let owner = layout.owner[what];
        let mut trial = None;
        if threat.placed && component.is_some() {
            trial.insert(self.state.trial()).pretend(layout, site, what);
        }
        let state: &State = trial.as_deref().unwrap_or(self.state);
        let mut found = false;
        for player in (1..=self.players() as u8).filter(|&p| p != owner) {
            let mut eval = self.within(state);
            eval.threatening = true;
            eval.turns.prev = owner;
            eval.turns.mover = player;
            if component.is_none() {
                eval.turns.next = owner;
            }
            let phase = usize::from(state.head.phase[usize::from(player)]);
            let own = &self.game.phases[phase].play;
            let moves = threat.moves.map_or(own, |moves| self.game.generator(moves));
            found |= eval.generate(moves, &mut Reaches { site: site as i16, found: false });
        }
        found
    }

    /// The sites where a condition on one variable holds.
    pub(super) fn filter(&mut self, sites: &Set, iter: Iter, condition: &Bool) -> Set {
        sites.iter().filter(|&s| self.with(iter, s as i32, |eval| eval.test(condition))).collect()
    }

    /// The site in a slot, or the last one moved to.
    pub(super) fn site_or_last(&mut self, place: Option<&Int>) -> i32 {
        place.map_or(i32::from(self.state.head.last_to), |p| self.int(p))
    }

    /// The sites that a test passes through, ascending; a site may be negative.
    pub(super) fn pivots(&mut self, through: Option<&Place>) -> Numbers {
        match through {
            None => Numbers::one(i32::from(self.state.head.last_to)),
            Some(Place::Site(site)) => Numbers::one(self.int(site)),
            Some(Place::Region(region)) => self.region(region).iter().map(|s| s as i32).collect(),
        }
    }
}
