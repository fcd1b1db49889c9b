//! A compiled game: the rules as data, and their sets of sites.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use play::{BuildFact, Facts};

use crate::buffer::Buffer;
use crate::compile::Program;
use crate::ir::{
    Apply, Aspects, AxesId, Bool, CompositeKind, EffectId, GeneratorId, Int, JumpId, Leaf,
    LeafKind, Moves, Piece, RayId, SetId, Walk,
};
use crate::lower::{AxisTable, Feature, JumpTable, Lowering, RayTable, Rules};
use crate::meter;
use crate::set::{Few, Set, words_for};
use crate::state::{Bodies, Layout, Occupancy, Sizes, State};
use crate::world::World;

/// Step targets of every site.
#[derive(Clone, Debug)]
pub(crate) struct Jumps {
    first: Box<[u32]>,
    targets: Box<[u16]>,
}

impl Jumps {
    fn new(table: &JumpTable) -> Jumps {
        let mut first = vec![0];
        let mut targets = Vec::new();
        for list in &table.0 {
            targets.extend_from_slice(list);
            first.push(targets.len() as u32);
        }
        Jumps { first: first.into(), targets: targets.into() }
    }

    /// Targets from a site, in order; none beyond the board.
    #[inline]
    pub(crate) fn of(&self, site: usize) -> &[u16] {
        match (self.first.get(site), self.first.get(site + 1)) {
            (Some(&a), Some(&b)) => &self.targets[a as usize..b as usize],
            _ => &[],
        }
    }

    /// True if a step leads from one site to another.
    #[inline]
    pub(crate) fn leads(&self, from: usize, to: usize) -> bool {
        self.of(from).iter().any(|&target| usize::from(target) == to)
    }

    /// Targets from each site, as sets.
    pub(crate) fn sets<S: FromIterator<usize>>(&self) -> impl Iterator<Item = S> {
        (0..self.sites()).map(|site| to_set(self.of(site)))
    }

    /// All steps, each with its origin.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, u16)> {
        (0..self.sites()).flat_map(|site| self.of(site).iter().map(move |&to| (site, to)))
    }

    /// Number of sites that have a list.
    pub(crate) fn sites(&self) -> usize {
        self.first.len() - 1
    }
}

/// Straight paths from every site.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    of_site: Box<[u32]>,
    of_ray: Box<[u32]>,
    sites: Box<[u16]>,
}

impl Rays {
    fn new(table: &RayTable) -> Rays {
        let (mut of_site, mut of_ray, mut sites) = (vec![0], vec![0], Vec::new());
        for rays in &table.0 {
            for ray in rays {
                sites.extend_from_slice(ray);
                of_ray.push(sites.len() as u32);
            }
            of_site.push(of_ray.len() as u32 - 1);
        }
        Rays { of_site: of_site.into(), of_ray: of_ray.into(), sites: sites.into() }
    }

    /// Numbers of the paths from a site, for [`Rays::path`].
    #[inline]
    pub(crate) fn numbers(&self, site: usize) -> std::ops::Range<usize> {
        match (self.of_site.get(site), self.of_site.get(site + 1)) {
            (Some(&a), Some(&b)) => a as usize..b as usize,
            _ => 0..0,
        }
    }

    /// A path by number, its start left out.
    #[inline]
    pub(crate) fn path(&self, number: usize) -> &[u16] {
        &self.sites[self.of_ray[number] as usize..self.of_ray[number + 1] as usize]
    }

    /// The paths from a site.
    #[inline]
    pub(crate) fn of(&self, site: usize) -> impl Iterator<Item = &[u16]> + '_ {
        self.numbers(site).map(|n| self.path(n))
    }

    /// The sites at an index of all paths, each with its origin; 0 is the index of the first ones.
    pub(crate) fn in_place(&self, place: usize) -> impl Iterator<Item = (usize, u16)> {
        let of_path = move |path: &[u16]| path.get(place).copied();
        (0..self.sites())
            .flat_map(move |site| self.of(site).filter_map(of_path).map(move |to| (site, to)))
    }

    /// By site, the sites on some parts of the paths from it. The flag is true if each of them is
    /// on one path only.
    pub(crate) fn reached<S: FromIterator<usize>>(
        &self,
        part: impl Fn(&[u16]) -> &[u16],
    ) -> (Vec<S>, bool) {
        let mut once = true;
        let reached_from = |site: usize| {
            let mut reached: Vec<u16> = self.of(site).flat_map(&part).copied().collect();
            let all = reached.len();
            reached.sort_unstable();
            reached.dedup();
            once &= reached.len() == all;
            to_set(&reached)
        };
        ((0..self.sites()).map(reached_from).collect(), once)
    }

    /// Number of sites that have a list.
    pub(crate) fn sites(&self) -> usize {
        self.of_site.len() - 1
    }
}

/// Tables of sites that the rules refer to by number.
#[derive(Clone)]
pub(crate) struct SiteTables {
    /// Regions that never change.
    regions: Box<[Vec<u16>]>,
    jumps: Box<[Jumps]>,
    rays: Box<[Rays]>,
    axes: Box<[AxisTable]>,
    /// Distances from each site to each other one.
    distances: Box<[Vec<Vec<u16>>]>,
}

/// The definition of a game, without the sets that follow from it.
#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) world: Arc<World>,
    pub(crate) layout: Layout,
    pub(crate) facts: Facts,
    pub(crate) rules: Rules,
    pub(crate) tables: SiteTables,
    /// All generators that the play rules use, by number; others are `None`.
    pub(crate) leaves: Box<[Option<Leaf>]>,
    /// True if two generators could give the same move.
    pub(crate) overlaps: bool,
    /// True if a drawn move that leads to the same state as another one is drawn again, instead of
    /// a comparison of all moves in advance.
    pub(crate) redraws: bool,
    /// True if some moves are legal only if a condition holds after them.
    pub(crate) tests_moves: bool,
    /// True if only the longest turns, or those that capture most, are legal.
    pub(crate) selects: bool,
    /// The state after the set-up; if the set-up uses chance, with the first outcome of each draw.
    pub(crate) initial: State,
    /// The state before the set-up, if the set-up uses chance.
    pub(crate) blank: Option<State>,
    /// The code of the rules, if there is any.
    pub(crate) program: Option<Program>,
}

/// A game is asked directly for its rules, and for the features of their description.
impl Deref for Definition {
    type Target = Rules;

    #[inline(always)]
    fn deref(&self) -> &Rules {
        &self.rules
    }
}

impl DerefMut for Definition {
    fn deref_mut(&mut self) -> &mut Rules {
        &mut self.rules
    }
}

/// A game with the sets that its rules ask for.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) definition: Definition,
    /// Regions that never change.
    pub(crate) sets: Box<[Set]>,
    /// Targets of steps, by table and site; a table is empty on large boards, where it would take more
    /// memory than it saves time.
    pub(crate) near: Box<[Box<[Few]>]>,
    /// Sites of the board that are played on.
    pub(crate) board: Set,
    /// Sites of all containers.
    pub(crate) everywhere: Set,
}

/// A game is asked directly for nearly all of its definition.
impl Deref for Game {
    type Target = Definition;

    #[inline(always)]
    fn deref(&self) -> &Definition {
        &self.definition
    }
}

impl DerefMut for Game {
    fn deref_mut(&mut self) -> &mut Definition {
        &mut self.definition
    }
}

/// The cells that the pieces of a lowered game cover, if some cover several.
fn bodies_of(lowering: &Lowering) -> Option<Bodies> {
    let covers = lowering.covers.as_ref()?;
    let mut numbers: Vec<RayId> = covers.iter().flatten().copied().collect();
    numbers.sort_unstable_by_key(|table| table.0);
    numbers.dedup();
    let number = |table: &RayId| numbers.partition_point(|known| known.0 < table.0);
    let of_component =
        covers.iter().map(|states| states.iter().map(number).collect()).collect::<Box<_>>();
    let table = |table: &RayId| {
        let by_site = &lowering.tables.rays.items[table.0 as usize].0;
        by_site.iter().map(|paths| paths.first().cloned().unwrap_or_default()).collect()
    };
    Some(Bodies::new(numbers.iter().map(table), of_component))
}

/// The definition of a lowered game, with the layout of its states and the first of them.
fn define(lowering: Lowering, layout: Layout, initial: State) -> Definition {
    let Lowering { world, tables, rules, needs, .. } = lowering;
    let mut leaves = vec![None; needs.leaves];
    for phase in &rules.phases {
        each_leaf(&phase.play, &mut |leaf| leaves[usize::from(leaf.id)] = Some(leaf.clone()));
    }
    Definition {
        facts: Facts {
            players: world.players as u8,
            hidden: rules.is_hidden(),
            ..Facts::default()
        },
        tables: SiteTables {
            regions: tables.sets.items.into(),
            jumps: tables.jumps.items.iter().map(Jumps::new).collect(),
            rays: tables.rays.items.iter().map(Rays::new).collect(),
            axes: tables.axes.items.into(),
            distances: tables.distances.into_iter().map(|(_, table)| table).collect(),
        },
        leaves: leaves.into(),
        overlaps: true,
        redraws: true,
        tests_moves: false,
        selects: false,
        world: Arc::new(world),
        rules,
        layout,
        initial,
        blank: None,
        program: None,
    }
}

impl Game {
    /// Lays out a lowered game.
    pub(crate) fn new(mut lowering: Lowering) -> Game {
        let world = &lowering.world;
        let owners: Vec<u8> = world.components.iter().map(|c| c.owner).collect();
        let sizes = Sizes {
            players: world.players,
            sites: world.sites(),
            words: words_for(world.sites().max(lowering.needs.numbers)),
            vars: lowering.rules.names.vars.len(),
            dice: world.dice.as_ref().map_or(0, |dice| dice.faces.len()),
            lists: lowering.rules.names.lists.len(),
            starts: lowering.rules.has(Feature::Starts),
            hidden: lowering.rules.has(Feature::AsksHidden),
            local_states: lowering.rules.local_states,
        };
        let (sought, grouped) =
            (std::mem::take(&mut lowering.needs.sought), lowering.rules.has(Feature::Grouped));
        let in_order = if !lowering.rules.has(Feature::Ordered) {
            Vec::new()
        } else if grouped || lowering.rules.has(Feature::Chance) {
            // In games of chance pieces are visited in that order.
            (0..owners.len() as u16).collect()
        } else {
            sought.clone()
        };
        let (occupancy, layers) =
            (lowering.rules.occupancy(&lowering.world), lowering.rules.layers);
        let mut layout = Layout::new(&owners, occupancy, layers, &in_order, sizes);
        layout.bodies = bodies_of(&lowering);
        let everywhere: Set = to_set(&world.all_sites());
        let initial = State::new(&layout, &everywhere);
        let board = Set::below(world.topology.sites());
        let fits_code = layout.fits_code();
        let neighbours = |jumps: &Jumps| -> Box<[Few]> {
            let fits = fits_code && meter::bytes(jumps.sites() * size_of::<Few>());
            if fits { jumps.sets().collect() } else { Box::default() }
        };
        let definition = define(lowering, layout, initial);
        let mut game = Game {
            sets: definition.tables.regions.iter().map(|sites| to_set(sites)).collect(),
            near: definition.tables.jumps.iter().map(neighbours).collect(),
            board,
            everywhere,
            definition,
        };
        game.tests_moves =
            game.repeats.is_some() || game.phases.iter().any(|phase| tests_moves(&phase.play));
        game.selects = game.phases.iter().any(|phase| phase.play.any(&Moves::is_max));
        let mut initial = game.initial.clone();
        game.set_up(&mut initial, None);
        let blank = std::mem::replace(&mut game.initial, initial);
        game.blank = game.draws_to_set_up(&blank).then_some(blank);
        game.describe();
        game.forget_order(&sought, grouped);
        game.overlaps = game.may_repeat();
        game.redraws = game.overlaps && !game.simultaneous;
        game
    }

    #[inline]
    pub(crate) fn set(&self, id: SetId) -> &Set {
        &self.sets[id.0 as usize]
    }

    /// The generator of a number; `None` for that of moves that no generator of the rules made.
    pub(crate) fn leaf(&self, number: u16) -> Option<&Leaf> {
        self.leaves.get(usize::from(number)).and_then(Option::as_ref)
    }

    /// Targets of steps from all sites of a set.
    pub(crate) fn spread(&self, id: JumpId, from: &Set) -> Set {
        let sets = &self.near[id.0 as usize];
        if sets.is_empty() {
            let targets = from.iter().flat_map(|site| self.jump(id).of(site));
            return targets.map(|&to| usize::from(to)).collect();
        }
        union(sets, from.iter()).into()
    }

    /// A site with all that steps within a set lead to from there.
    pub(crate) fn flood(&self, id: JumpId, site: usize, within: &Set) -> Set {
        let sets = &self.near[id.0 as usize];
        let Some(within) = within.few().filter(|_| !sets.is_empty()) else {
            return self.flood_by_site(id, site, within);
        };
        let mut group = Few::of_index(site);
        let mut edge = group;
        while !edge.is_empty() {
            edge = (union(sets, edge.iter()) & within).without(group);
            group |= edge;
        }
        group.into()
    }

    /// The same on boards of any size.
    fn flood_by_site(&self, id: JumpId, site: usize, within: &Set) -> Set {
        let mut group = Set::single(site);
        let mut pending = Buffer::one(site);
        while let Some(site) = pending.pop() {
            for next in self.jump(id).of(site).iter().map(|&next| usize::from(next)) {
                if within.contains(next) && !group.contains(next) {
                    group.insert(next);
                    pending.push(next);
                }
            }
        }
        group
    }
}

impl Definition {
    /// True if the set-up uses chance.
    pub(crate) fn is_random_start(&self) -> bool {
        self.has(Feature::Chance) || self.start.iter().any(|rule| rule.reads().has(Aspects::CHANCE))
    }

    /// True if there are composite generators anywhere.
    fn is_composite(&self) -> bool {
        let mut rules = self.phases.iter().map(|phase| &phase.play).chain(&self.effects);
        rules.any(has_composite)
    }

    /// True if moves may take long to find, or if the past decides which moves are legal. An
    /// exploration of all positions would take too long then, even if they are few.
    pub(crate) fn takes_long(&self) -> bool {
        let remembers =
            self.has(Feature::Visits) || self.has(Feature::Cycles) || self.repeats.is_some();
        remembers || self.is_composite()
    }

    /// The same, or if players choose at once or chance decides.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.simultaneous || self.has(Feature::Chance) || self.takes_long()
    }

    /// Drops the order in which pieces were placed, if the rules read it only for components with
    /// at most one piece.
    fn forget_order(&mut self, sought: &[u16], grouped: bool) {
        let alone = |&c: &u16| c == 0 || self.has_at_most_one(usize::from(c));
        if !grouped && !self.is_random_start() && sought.iter().all(alone) {
            self.layout.forget_order();
            self.initial.forget_order();
            self.facts.state_bytes = self.initial.bytes();
        }
    }

    fn describe(&mut self) {
        let state = &self.initial;
        self.facts.chance = self.is_random_start();
        self.facts.simultaneous = self.simultaneous;
        self.facts.state_bytes = state.bytes();
        let nodes = self.leaves.iter().flatten().count() as u64;
        self.facts.build = vec![
            (BuildFact::Sites, self.world.sites() as u64),
            (BuildFact::Words, self.layout.sizes.words as u64),
            (BuildFact::Components, self.world.components.len() as u64 - 1),
            (BuildFact::Phases, self.phases.len() as u64),
            (BuildFact::Generators, nodes),
        ];
    }

    /// True if pieces only ever move: no rule adds, removes or changes any.
    fn only_moves(&self) -> bool {
        let moves = |leaf: &Leaf| match &leaf.kind {
            LeafKind::Jump { apply, .. } | LeafKind::FromTo { apply, copy: false, .. } => {
                apply.is_none()
            }
            LeafKind::Slide(slide) => {
                slide.apply.is_none() && slide.passed.is_none() && slide.trail.is_none()
            }
            LeafKind::Select { .. } | LeafKind::Pass | LeafKind::MoveAgain => true,
            _ => false,
        };
        let mut only = true;
        let rules = self.phases.iter().map(|p| &p.play).chain(&self.effects);
        rules.for_each(|rule| each_leaf(rule, &mut |leaf| only &= moves(leaf)));
        only
    }

    /// True if there is never more than one piece of a component.
    pub(crate) fn has_at_most_one(&self, component: usize) -> bool {
        let fixed = |piece: &Piece| match piece {
            Piece::Fixed(c) => usize::from(*c) != component,
            Piece::Computed(Int::IdOf { components, .. }) => {
                components.iter().all(|&c| c != component as i32)
            }
            Piece::Computed(_) => false,
        };
        let takes = |apply: &Option<Apply>| match apply.as_ref().and_then(|a| a.effect.as_ref()) {
            None => true,
            Some(Moves::Leaf(leaf)) => matches!(leaf.kind, LeafKind::Remove { .. }),
            Some(_) => false,
        };
        let keeps = |leaf: &Leaf| match &leaf.kind {
            LeafKind::Jump { apply, .. } | LeafKind::FromTo { apply, copy: false, .. } => {
                takes(apply)
            }
            LeafKind::Slide(slide) => {
                takes(&slide.apply) && takes(&slide.passed) && slide.trail.is_none()
            }
            LeafKind::Add { pieces, apply, .. } => pieces.iter().all(fixed) && takes(apply),
            LeafKind::Promote { pieces, .. } => pieces.iter().all(fixed),
            LeafKind::Shoot { piece, .. } => fixed(piece),
            LeafKind::Remove { .. } => true,
            kind => !kind.writes().has(Aspects::BOARD),
        };
        let mut only = true;
        let rules = self.phases.iter().map(|p| &p.play).chain(&self.effects);
        rules.for_each(|rule| {
            only &= !has_composite(rule);
            each_leaf(rule, &mut |leaf| only &= keeps(leaf));
        });
        let sites = 0..self.world.sites();
        only && self.layout.occupancy == Occupancy::Flat
            && !self.is_random_start()
            && sites.filter(|&s| self.initial.what(s) == component).count() <= 1
    }

    /// A very rough number of ways in which pieces can stand, as a power of two. If pieces come and
    /// go, any site can hold any of them, else the pieces of the start are in any order.
    pub(crate) fn bits(&self) -> f64 {
        let (sites, components) = (self.world.sites(), self.world.components.len());
        if !self.only_moves() {
            return sites as f64 * (components as f64).log2();
        }
        if self.layout.occupancy != Occupancy::Flat {
            let pieces: i32 = (0..sites).map(|site| self.initial.count(site)).sum();
            return f64::from(pieces) * (sites as f64).log2();
        }
        let log = |n: usize| (1..=n).map(|i| (i as f64).log2()).sum::<f64>();
        let kinds = (0..components).map(|c| {
            let alike = (0..sites).filter(|&s| self.initial.what(s) == c).count();
            log(alike)
        });
        log(sites) - kinds.sum::<f64>() + (self.world.players as f64).log2()
    }

    #[inline]
    pub(crate) fn jump(&self, id: JumpId) -> &Jumps {
        &self.tables.jumps[id.0 as usize]
    }

    #[inline]
    pub(crate) fn ray(&self, id: RayId) -> &Rays {
        &self.tables.rays[id.0 as usize]
    }

    #[inline]
    pub(crate) fn axis(&self, id: AxesId) -> &AxisTable {
        &self.tables.axes[id.0 as usize]
    }

    /// The sites of a region that never changes.
    pub(crate) fn region(&self, id: SetId) -> &[u16] {
        &self.tables.regions[id.0 as usize]
    }

    /// A table of distances, by origin and destination.
    #[inline]
    pub(crate) fn distances(&self, table: usize) -> &[Vec<u16>] {
        &self.tables.distances[table]
    }

    #[inline]
    pub(crate) fn effect(&self, id: EffectId) -> &Moves {
        &self.effects[id.0 as usize]
    }

    #[inline]
    pub(crate) fn generator(&self, id: GeneratorId) -> &Moves {
        &self.generators[id.0 as usize]
    }

    /// The team of a player; without teams, the player.
    pub(crate) fn team(&self, state: &State, player: usize) -> usize {
        match (&self.world.teams, self.world.team_var) {
            (Some(teams), Some(first)) if (1..teams.len()).contains(&player) => {
                usize::try_from(state.vars()[first + player - 1]).unwrap_or(0)
            }
            (Some(teams), _) => teams.get(player).map_or(0, |&team| usize::from(team)),
            (None, _) => player,
        }
    }

    /// True if pieces stand in stacks.
    #[inline]
    pub(crate) fn stacking(&self) -> bool {
        self.layout.occupancy == Occupancy::Stacking
    }
}

/// The union of the sets of some numbers.
#[inline(always)]
fn union(sets: &[Few], numbers: impl Iterator<Item = usize>) -> Few {
    numbers.filter_map(|number| sets.get(number)).fold(Few::EMPTY, |all, set| all | *set)
}

/// The set of some sites.
pub(crate) fn to_set<S: FromIterator<usize>>(sites: &[u16]) -> S {
    sites.iter().map(|&site| usize::from(site)).collect()
}

/// Calls a function for all leaves whose moves are moves of a generator.
fn each_leaf<'a>(moves: &'a Moves, look: &mut dyn FnMut(&'a Leaf)) {
    moves.each(&mut |moves| {
        if let Moves::Leaf(leaf) = moves {
            look(leaf);
        }
    });
}

/// True if there is a composite generator inside of one.
fn has_composite(moves: &Moves) -> bool {
    moves.any(&|moves| matches!(moves, Moves::Composite(_)))
}

/// True if a generator gives moves that are legal only if a condition holds after them.
pub(crate) fn tests_moves(moves: &Moves) -> bool {
    tests_unknown(moves, &|_| false)
}

/// As [`tests_moves`], without tests whose outcome is known.
pub(crate) fn tests_unknown(moves: &Moves, is_known: &impl Fn(&Bool) -> bool) -> bool {
    moves.any(&|moves| match moves {
        Moves::IfAfterwards(parts) => !is_known(&parts.1),
        Moves::Composite(composite) => matches!(
            composite.kind,
            CompositeKind::AvoidStored(_) | CompositeKind::DoNext { after: Some(_), .. }
        ),
        _ => false,
    })
}
