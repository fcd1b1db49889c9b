//! The program of a game while it is written: its functions, and constant tables made when they are
//! asked for.

use std::cell::OnceCell;
use std::collections::HashMap;

use kernel::ir::{Access, Function, FunctionId, LentArray, Program, SetTable, Table};
use play::Rng;

use super::arrays::{ENTRY, FRAME_LENGTH, MOST_ENTRIES, MOST_NOTED, SERVICES};
use super::context::{Context, Sites};
use super::purpose::Purpose;
use super::views::MaintainedViews;
use crate::game::Rays;
use crate::ir::{AxesId, EffectId, JumpId, Moves, Parts, RayId};
use crate::meter;

/// Functions that change what stands on a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Change {
    /// Lets a site, which must be one, hold a component: site, component.
    What,
    /// Site, component, local state.
    Add,
    Remove,
    /// Origin, destination.
    Move,
    /// Origin, where one like it stays, and destination.
    Copy,
    /// Site, component.
    Promote,
    /// Site, number.
    Count,
    /// Origin, destination, number.
    MoveCount,
    /// Origin, destination, number of seeds.
    Seed,
}

/// Lists by site: where they begin, and what is on them.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    /// Where the list of each site begins in `items`, and where the last one ends.
    pub(super) first: Table,
    pub(super) items: Table,
}

/// Straight paths by site.
#[derive(Clone, Copy)]
pub(super) struct Paths {
    /// Number of the first path of each site, and the number of all paths.
    pub(super) of_site: Table,
    /// Where the sites of each path begin, and where those of the last one end.
    pub(super) of_path: Table,
    pub(super) sites: Table,
    /// The same as sets, if numbers of sites ascend or descend along each path.
    pub(super) ways: Option<Ways>,
}

/// Straight paths as sets, by number.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    pub(super) sites: SetTable,
    /// Whether numbers of sites ascend along the path; else they descend.
    pub(super) ascends: Table,
}

/// A program that is being written.
#[derive(Default)]
pub(super) struct Tables {
    /// Words of a set.
    words: usize,
    /// How much has been written: statements and variables.
    pub(super) written: usize,
    /// How much of that there may be before rules are left to the evaluator. Bodies of loops may be
    /// written twice, so that nested ones could go on for ever.
    most_written: usize,
    ints: Vec<Box<[i32]>>,
    sets: Vec<Box<[u64]>>,
    pub(super) functions: Vec<Function>,
    jumps: HashMap<JumpId, Lists>,
    near: HashMap<JumpId, SetTable>,
    rays: HashMap<Vec<RayId>, Paths>,
    halves: Option<SetTable>,
    single: HashMap<Vec<u64>, SetTable>,
    numbers: HashMap<Box<[i32]>, Table>,
    /// What is kept of pieces, where they are only ever added.
    pub(super) added: Option<MaintainedViews>,
    /// Functions that change what stands on a site.
    pub(super) changes: HashMap<Change, FunctionId>,
    /// Functions of effects, `None` while one is written; and whether they can only be tried in a
    /// copy.
    pub(super) effects: HashMap<EffectId, (Option<FunctionId>, bool)>,
    /// Generators that rules or their code ask what moves they would give.
    pub(super) generators: Vec<Moves>,
    /// Functions that say whether a player could move to a site by some rules; `None` where they
    /// have no form in code.
    pub(super) threats: Vec<(Moves, Option<FunctionId>)>,
    /// The functions that say whether the next player has no move, where no variable is bound and
    /// where some may be, if they were asked for; `None` where that has no form in code.
    pub(super) next_is_stuck: [OnceCell<Option<NextIsStuck>>; 2],
    /// True if what has been written changes more than the memory that code is lent, or could see
    /// that it is only tried: so it can be tried in a copy of the state alone.
    pub(super) needs_copy: bool,
    /// True if moves are taken back to a state that is kept.
    pub(super) keeps: bool,
    /// True if something may be captured that is removed when the turn ends.
    pub(super) defers: bool,
    /// True if [`Slot::ActsAt`](super::arrays::Slot::ActsAt) is moved.
    pub(super) moves_acts_at: bool,
    /// True if code may play on before it is known whether an end rule holds.
    pub(super) expects: bool,
    /// True if there may come to be more pieces.
    pub(super) adds_pieces: bool,
    /// True if moves must come in the order of the evaluator, and whether some do not.
    pub(super) in_order: bool,
    pub(super) reordered: bool,
    /// True if end rules that hang on whether the next player has a move are asked at once.
    pub(super) ends_at_once: bool,
    /// What the code of effects and ends leaves to the evaluator.
    pub(super) parts: Parts,
}

/// The function that says whether the next player has no move.
pub(super) struct NextIsStuck {
    pub(super) function: FunctionId,
    /// True if it reads variables that nothing in it has bound.
    pub(super) reads_variables: bool,
    /// As `Emitter::reads_begin` and [`Tables::needs_copy`].
    pub(super) reads_begin: bool,
    pub(super) needs_copy: bool,
}

impl Tables {
    /// For a program, up to so many statements and variables.
    pub(super) fn new(game: &Context<'_>, purpose: Purpose, most_written: usize) -> Tables {
        let (words, in_order) = (game.words(), purpose != Purpose::Playouts);
        // Where moves are tested, the code that lists them finds out who has none.
        let ends_at_once = purpose == Purpose::Positions && !game.tests_moves;
        Tables { words, most_written, in_order, ends_at_once, ..Tables::default() }
    }

    /// Writes something, and says whether that can only be tried in a copy of the state.
    pub(super) fn noting_copies<T>(&mut self, write: impl FnOnce(&mut Tables) -> T) -> (T, bool) {
        let around = std::mem::take(&mut self.needs_copy);
        let written = write(self);
        (written, std::mem::replace(&mut self.needs_copy, around))
    }

    /// True if there is enough code.
    pub(super) fn is_full(&self) -> bool {
        self.written > self.most_written || meter::is_spent()
    }

    /// A table of numbers.
    pub(super) fn ints(&mut self, numbers: impl IntoIterator<Item = i32>) -> Table {
        let numbers: Box<[i32]> = numbers.into_iter().collect();
        if let Some(&known) = self.numbers.get(&numbers) {
            return known;
        }
        let table = Table(self.ints.len() as u32);
        self.ints.push(numbers.clone());
        self.numbers.insert(numbers, table);
        table
    }

    /// Where the order of placing of each component begins among the numbers of a state; 0 for one
    /// that has none there.
    pub(super) fn orders(&mut self, game: &Context<'_>) -> Table {
        self.ints(game.layout.orders().iter().map(|&at| at as i32))
    }

    /// A table of sets.
    pub(super) fn sets(&mut self, sets: impl IntoIterator<Item = Sites>) -> SetTable {
        let n = self.words;
        let words: Vec<u64> =
            sets.into_iter().flat_map(|set| set.words.into_iter().take(n)).collect();
        if let Some(&known) = self.single.get(&words) {
            return known;
        }
        let table = SetTable(self.sets.len() as u32);
        self.sets.push(words.clone().into());
        self.single.insert(words, table);
        table
    }

    /// The targets of steps.
    pub(super) fn jumps(&mut self, game: &Context<'_>, id: JumpId) -> Lists {
        if let Some(&known) = self.jumps.get(&id) {
            return known;
        }
        let jumps = game.jump(id);
        let lists = (0..jumps.sites()).map(|site| jumps.of(site));
        let mut first = vec![0];
        first.extend(lists.clone().scan(0, |sum, list| {
            *sum += list.len() as i32;
            Some(*sum)
        }));
        let items = self.ints(lists.flatten().map(|&site| i32::from(site)));
        let lists = Lists { first: self.ints(first), items };
        self.jumps.insert(id, lists);
        lists
    }

    /// The targets of steps as sets.
    pub(super) fn near(&mut self, game: &Context<'_>, id: JumpId) -> SetTable {
        if let Some(&known) = self.near.get(&id) {
            return known;
        }
        let jumps = game.jump(id);
        let table = self.sets(jumps.sets());
        self.near.insert(id, table);
        table
    }

    /// Straight paths.
    pub(super) fn rays(&mut self, game: &Context<'_>, id: RayId) -> Paths {
        self.all_rays(game, &[id])
    }

    /// Straight paths of several kinds, one after the other: the paths of each kind, by site.
    pub(super) fn all_rays(&mut self, game: &Context<'_>, ids: &[RayId]) -> Paths {
        if let Some(&known) = self.rays.get(ids) {
            return known;
        }
        let (mut of_site, mut of_path, mut sites) = (vec![0], vec![0], Vec::new());
        for rays in ids.iter().map(|&id| game.ray(id)) {
            for site in 0..rays.sites() {
                for path in rays.of(site) {
                    sites.extend(path.iter().map(|&s| i32::from(s)));
                    of_path.push(sites.len() as i32);
                }
                of_site.push(of_path.len() as i32 - 1);
            }
        }
        let paths = Paths {
            of_site: self.ints(of_site),
            of_path: self.ints(of_path),
            sites: self.ints(sites),
            ways: if let [id] = ids { self.ways(game.ray(*id)) } else { None },
        };
        self.rays.insert(ids.to_vec(), paths);
        paths
    }

    /// Sites before and after others: all sites; those before each one, and before the end; those
    /// from each one on, and from the end on.
    pub(super) fn halves(&mut self) -> SetTable {
        if let Some(known) = self.halves {
            return known;
        }
        let sites = || 0..64 * self.words;
        let before = |end: usize| (0..end).collect::<Sites>();
        let from = |start: usize| (start..64 * self.words).collect::<Sites>();
        let all = std::iter::once(before(64 * self.words));
        let all = all.chain(sites().map(before)).chain([before(64 * self.words)]);
        let all = all.chain(sites().map(from)).chain([from(64 * self.words)]);
        let halves = self.sets(all.collect::<Vec<_>>());
        *self.halves.insert(halves)
    }

    fn ways(&mut self, rays: &Rays) -> Option<Ways> {
        let paths = || (0..rays.sites()).flat_map(|site| rays.of(site));
        let ascends = |path: &[u16]| path.is_sorted_by(|a, b| a < b);
        let descends = |path: &[u16]| path.is_sorted_by(|a, b| a > b);
        paths().all(|path| ascends(path) || descends(path)).then(|| {
            let sites = |path: &[u16]| path.iter().map(|&site| usize::from(site)).collect();
            Ways {
                sites: self.sets(paths().map(sites).collect::<Vec<Sites>>()),
                ascends: self.ints(paths().map(|path| i32::from(ascends(path)))),
            }
        })
    }

    /// Lines through each site: of each line one way, and then the other one, which may have no
    /// sites. Sites have lines, not paths.
    pub(super) fn axes(&mut self, game: &Context<'_>, id: AxesId) -> Paths {
        let axes = &game.axis(id).0;
        let lengths = axes.iter().map(|of_site| of_site.len() as i32);
        let of_site = std::iter::once(0).chain(lengths.scan(0, |sum, lines| {
            *sum += lines;
            Some(*sum)
        }));
        let lines = || axes.iter().flatten();
        let ways =
            lines().flat_map(|(one, other)| [&one[..], other.as_deref().unwrap_or_default()]);
        let of_path = std::iter::once(0).chain(ways.clone().scan(0, |sum, way| {
            *sum += way.len() as i32;
            Some(*sum)
        }));
        Paths {
            of_site: self.ints(of_site),
            of_path: self.ints(of_path),
            sites: self.ints(ways.flatten().map(|&site| i32::from(site))),
            ways: None,
        }
    }

    /// The sites on the straight paths from each site.
    pub(super) fn reached(&mut self, game: &Context<'_>, id: RayId) -> SetTable {
        self.along(game, id, |path| path)
    }

    /// The sites in one place of straight paths, by origin; 0 is that of the first ones.
    pub(super) fn in_place(&mut self, game: &Context<'_>, id: RayId, place: usize) -> SetTable {
        self.along(game, id, |path| path.get(place).map_or(&[][..], std::slice::from_ref))
    }

    /// Of the straight paths from each site, some sites.
    fn along(
        &mut self,
        game: &Context<'_>,
        id: RayId,
        part: impl Fn(&[u16]) -> &[u16],
    ) -> SetTable {
        let rays = game.ray(id);
        let of_site = |site| rays.of(site).flat_map(&part).map(|&s| usize::from(s)).collect();
        self.sets((0..rays.sites()).map(of_site).collect::<Vec<Sites>>())
    }

    pub(super) fn function(&mut self, function: Function) -> FunctionId {
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// The whole program.
    pub(super) fn program(self, game: &Context<'_>) -> Program {
        let lent = |name: &str, access, least| LentArray { name: name.to_owned(), access, least };
        let least = game.blank.as_ref().unwrap_or(&game.initial);
        let (cells, sets) = (least.cells().len(), least.words().len() / self.words);
        let draws = Rng::WORDS.div_ceil(self.words);
        let mut ints = vec![
            lent("frame", Access::Write, FRAME_LENGTH),
            lent("moves", Access::Write, MOST_ENTRIES * ENTRY),
            lent("list", Access::Write, 0),
            lent("cells", Access::Write, cells),
            lent("acts", Access::Write, 0),
            lent("history", Access::Write, MOST_NOTED),
            lent("given", Access::Write, 0),
            lent("added", Access::Write, self.added.as_ref().map_or(0, |added| added.length)),
        ];
        let mut of_sets = vec![
            lent("state", Access::Write, sets),
            lent("scratch", Access::Read, 2),
            lent("targets", Access::Write, MOST_ENTRIES),
            lent("draws", Access::Write, draws),
        ];
        // They come last, and are lent only where they are needed.
        if self.keeps {
            ints.push(lent("kept_cells", Access::Write, cells));
            ints.push(lent("kept_frame", Access::Write, FRAME_LENGTH));
            of_sets.push(lent("kept_state", Access::Write, sets));
            of_sets.push(lent("kept_draws", Access::Write, draws));
        }
        Program {
            words: self.words,
            ints,
            sets: of_sets,
            tables: self.ints,
            set_tables: self.sets,
            hosts: SERVICES.iter().map(|&(_, name, n)| (name.to_owned(), n)).collect(),
            functions: self.functions,
        }
    }
}
