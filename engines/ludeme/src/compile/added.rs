//! What is kept of pieces where they are only ever added: how long the runs are that the last one
//! stands in, and which regions its group touches.
//!
//! Runs are kept at their ends, so a piece needs the numbers on both sides of it on every line.
//! Whoever asks says of which site, and looks for himself if that is not where the last piece was
//! added.

use kernel::build::CodeBuilder;
use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};
use kernel::views::Groups;

use super::arrays::{ADDED, add, int, state_set};
use super::context::{Context, Sites};
use super::emitter::{Emitter, Premise};
use super::module::Module;
use super::views::{Lines, Links, MaintainedViews};
use super::{by_site, piece_sets, regions};
use crate::ir::{
    Aspects, AxesId, CompositeKind, ConnectRegions, Connection, Int, LeafKind, Line, Moves, Region,
    Walk,
};
use crate::lower::AxisTable;
use crate::state::{EMPTY, Occupancy};

/// Longer runs are not told apart.
const MOST_RUN: i32 = 30;

/// Regions that groups may touch, as bits.
const MOST_REGIONS: usize = 8;

/// Where the site of the last piece is kept, from 1.
const LAST: i32 = 0;

impl MaintainedViews {
    /// `None` where pieces may be moved, changed or removed, or added by the evaluator.
    pub(super) fn new(game: &Context<'_>, module: &mut Module) -> Option<MaintainedViews> {
        let layout = &game.layout;
        let plain = layout.occupancy == Occupancy::Flat
            && game.world.containers.len() == 1
            && game.world.crossings.is_empty()
            && !layout.is_ordered()
            && !layout.sizes.hidden;
        let tests = game.tests_moves || game.simultaneous;
        let rules = game.phases.iter().map(|phase| &phase.play).chain(&game.effects);
        let adds = rules.into_iter().all(|moves| !moves.any(&|moves| !only_adds(moves)));
        (plain && !tests && adds).then(|| {
            let none = Function {
                name: "added".to_owned(),
                locals: vec![Type::Int; 2],
                params: 2,
                result: None,
                body: Vec::new(),
            };
            let function = module.function(none);
            MaintainedViews {
                function,
                lines: Vec::new(),
                links: Vec::new(),
                length: LAST as usize + 1,
            }
        })
    }

    /// Room for so many numbers.
    fn room(&mut self, numbers: usize) -> i32 {
        self.length += numbers;
        (self.length - numbers) as i32
    }
}

/// True if a generator, whatever is in it, changes nothing on the board but that it adds pieces.
fn only_adds(moves: &Moves) -> bool {
    match moves {
        Moves::None
        | Moves::All(_)
        | Moves::If(_)
        | Moves::Priority(_)
        | Moves::ForEachSite { .. }
        | Moves::ForEachValue { .. }
        | Moves::ForEachPlayer { .. } => true,
        Moves::Composite(composite) => matches!(composite.kind, CompositeKind::Then(_)),
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Add { apply, level, .. } => apply.is_none() && level.is_none(),
            kind => !kind.writes().has(Aspects::BOARD | Aspects::LAYERS),
        },
        Moves::ForEachPiece { .. }
        | Moves::IfAfterwards(_)
        | Moves::Custodial(_)
        | Moves::Compiled(..) => false,
    }
}

/// Every line of some axes as a stretch of places, with a free place between lines.
struct Places {
    /// By site and line.
    of_site: Vec<i32>,
    /// How many lines each site has.
    width: usize,
    /// Of all lines.
    number: usize,
    /// Sites of the longest line.
    longest: usize,
}

/// `None` if sites do not agree on the lines.
fn places(table: &AxisTable) -> Option<Places> {
    let width = table.0.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines: Vec<Vec<u16>> = Vec::new();
    let mut found = rustc_hash::FxHashMap::default();
    let mut of_site: Vec<Vec<(usize, usize)>> = vec![Vec::new(); table.0.len()];
    for (site, axes) in table.0.iter().enumerate() {
        for (ray, opposite) in axes {
            let opposite = opposite.as_deref().unwrap_or_default();
            let mut line: Vec<u16> = opposite.iter().rev().copied().collect();
            line.push(site as u16);
            line.extend(ray);
            if line.first() > line.last() {
                line.reverse();
            }
            let at = line.iter().position(|&s| usize::from(s) == site)?;
            let number = *found.entry(line.clone()).or_insert_with(|| {
                lines.push(line);
                lines.len() - 1
            });
            of_site[site].push((number, at));
        }
    }
    // Every site of a line must have it, once and at its place.
    for (number, line) in lines.iter().enumerate() {
        for (at, &site) in line.iter().enumerate() {
            let here = of_site.get(usize::from(site))?;
            let mut own = here.iter().filter(|(line, _)| *line == number);
            if own.next() != Some(&(number, at)) || own.next().is_some() {
                return None;
            }
        }
    }
    let (mut first, mut next) = (Vec::with_capacity(lines.len()), 1);
    for line in &lines {
        first.push(next);
        next += line.len() + 1;
    }
    let mut places = Vec::with_capacity(of_site.len() * width);
    for lines in &of_site {
        places.extend(lines.iter().map(|&(line, at)| (first[line] + at) as i32));
        // A site with fewer lines has lines of its own.
        for _ in lines.len()..width {
            places.push(next as i32);
            next += 2;
        }
    }
    // No index is beyond the table.
    places.resize(of_site.len().next_power_of_two() * width, 0);
    let longest = lines.iter().map(Vec::len).max().unwrap_or(1);
    Some(Places { of_site: places, width, number: next + 1, longest })
}

impl CodeBuilder for Emitter<'_> {
    fn local(&mut self, of: Type) -> Local {
        Emitter::local(self, of)
    }

    fn push(&mut self, statement: Stmt) {
        Emitter::push(self, statement);
    }

    fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        Emitter::block(self, write)
    }
}

/// Whether there is a line through a site, where it can be told from what is kept: whether it
/// can be now, and the answer.
pub(super) fn line_kept(code: &mut Emitter<'_>, line: &Line, site: &Expr) -> Option<(Expr, Expr)> {
    let &Line { axes, ref length, ref what, exact, contiguous, ref condition, .. } = line;
    let length = match length {
        Int::Const(length) if (1..MOST_RUN).contains(length) => *length,
        _ => return None,
    };
    if what.is_some() || condition.is_some() || !contiguous {
        return None;
    }
    let runs = ADDED.at(int(lines(code, axes)?.of_last));
    let found = if exact {
        runs.shifted_right(int(length)).and_bits(int(1))
    } else {
        runs.at_least(int(1 << length))
    };
    Some((is_last(site), found))
}

/// As [`line_kept`], of the regions that the group of a site touches: how many they
/// are.
pub(super) fn regions_kept(
    code: &mut Emitter<'_>,
    connection: &Connection,
    site: &Expr,
) -> Option<(Expr, Expr)> {
    let touched = ADDED.at(int(links(code, connection)?.of_last));
    let numbers = (0..1i32 << MOST_REGIONS).map(|bits| bits.count_ones() as i32);
    Some((is_last(site), code.module.tables.ints(numbers).at(touched)))
}

/// What is kept, where it can be read.
fn added<'c>(code: &'c Emitter<'_>) -> Option<&'c MaintainedViews> {
    code.module.added.as_ref().filter(|_| code.premise == Premise::InPly)
}

fn lines(code: &mut Emitter<'_>, axes: AxesId) -> Option<Lines> {
    let game = code.game;
    let added = added(code)?;
    if let Some(&known) = added.lines.iter().find(|lines| lines.axes == axes) {
        return Some(known);
    }
    let table = Some(game.axis(axes)).filter(|table| table.0.len() == game.world.sites());
    let places = places(table?)?;
    let (width, positions) = (places.width, places.number as i32);
    let components = components(code);
    // Longer than every run.
    let margin = (places.longest + 1).next_power_of_two();
    let of_last = code.module.added.as_mut()?.room(1);
    let places = code.module.tables.ints(places.of_site);
    let added = code.module.added.as_mut()?;
    // There are no runs around the places.
    let runs = added.room((components * positions) as usize + 2 * margin) + margin as i32;
    let mask = margin as i32 - 1;
    let lines = Lines { axes, places, width, positions, mask, of_last, runs };
    added.lines.push(lines);
    Some(lines)
}

fn links(code: &mut Emitter<'_>, connection: &Connection) -> Option<Links> {
    let game = code.game;
    let jumps = game.jump(connection.jumps);
    let is_symmetric = (0..jumps.sites()).all(|site| {
        jumps.of(site).iter().all(|&near| jumps.of(near.into()).contains(&(site as u16)))
    });
    let fixed = |regions: &[Region]| {
        let fixed = regions.iter().map(|region| match region {
            Region::Static(set) => Some(game.set(*set)),
            _ => None,
        });
        fixed.collect::<Option<Vec<_>>>()
    };
    let players = game.world.players + 2;
    let regions: Vec<Vec<Sites>> = match &connection.regions {
        ConnectRegions::List(list) => vec![fixed(list)?; players],
        ConnectRegions::Of(_, sets) => {
            let of = |owner: usize| sets.get(owner).map(|of| &of[..]).unwrap_or_default();
            (0..players).map(|p| of(p).iter().map(|&s| game.set(s)).collect()).collect()
        }
    };
    if !is_symmetric || regions.iter().any(|of| of.len() > MOST_REGIONS) {
        return None;
    }
    added(code)?;
    let touch = regions.iter().flat_map(|of| {
        (0..game.room()).map(move |site| {
            (0..).zip(of).map(|(bit, region)| i32::from(region.contains(site)) << bit).sum()
        })
    });
    let touch: Vec<i32> = touch.collect();
    let touch = code.module.tables.ints(touch);
    let added = code.module.added.as_mut()?;
    let is_known = |links: &&Links| links.jumps == connection.jumps && links.touch == touch;
    if let Some(known) = added.links.iter().find(is_known) {
        return Some(known.clone());
    }
    let of_last = added.room(1);
    // Sites count from 1: 0 is above those of which no note has been taken.
    let cells = (game.room() + 1).next_power_of_two();
    let [parents, marks] = [(); 2].map(|()| added.room(cells));
    let groups = Groups { array: ADDED, parents, marks, mask: cells as i32 - 1, first: 1 };
    let links = Links { jumps: connection.jumps, touch, of_last, groups };
    added.links.push(links.clone());
    Some(links)
}

/// A power of two that is not less than the number of components.
fn components(code: &Emitter<'_>) -> i32 {
    let components = code.game.layout.owner.len() - 1;
    components.next_power_of_two() as i32
}

/// Takes note of a piece in the runs that it stands in.
fn add_to_lines(code: &mut Emitter<'_>, lines: Lines, site: &Expr, component: &Expr) {
    let components = components(code);
    let component = (component.clone() - int(1)).and_bits(int(components - 1));
    let first = code.keep_int(component * int(lines.positions));
    let at = |place: Expr, more: i32| add(place, int(lines.runs + more));
    let sites = code.game.world.sites().next_power_of_two() as i32;
    let row = site.clone().and_bits(int(sites - 1)) * int(lines.width as i32);
    let row = code.keep_int(row);
    let mut runs = int(0);
    for number in 0..lines.width as i32 {
        let place = lines.places.at(add(row.clone(), int(number)));
        let place = code.keep_int(first.clone() + place);
        let [before, after] = [-1, 1].map(|beside| {
            let run = ADDED.at(at(place.clone(), beside)).and_bits(int(lines.mask));
            code.keep_int(run)
        });
        let run = code.keep_int(add(before.clone() + after.clone(), int(1)));
        code.push(Stmt::Store(ADDED, at(place.clone() - before, 0), run.clone()));
        code.push(Stmt::Store(ADDED, at(place + after, 0), run.clone()));
        let bit = int(1).shifted_left(run.min(int(MOST_RUN)));
        runs = if number == 0 { bit } else { runs.or_bits(bit) };
    }
    code.push(Stmt::Store(ADDED, int(lines.of_last), runs));
}

/// Takes note of a piece in the group that it joins, or that it makes out of others.
fn add_to_groups(code: &mut Emitter<'_>, links: &Links, site: &Expr, component: &Expr) {
    let owner = by_site::owner_of(code, component.clone());
    let owner = code.keep_int(owner);
    let of_owner = owner.clone() * int(code.game.room() as i32);
    let touch = links.touch.at(of_owner + site.clone());
    let near = code.module.tables.near(code.game, links.jumps).at(site.clone());
    let own = piece_sets::owned(code, owner) & near & regions::fixed(code, code.game.board());
    let around = own.without(Expr::single(site.clone()));
    let touched = links.groups.join(code, site.clone(), around, touch);
    code.push(Stmt::Store(ADDED, int(links.of_last), touched.get()));
}

/// 1 if a site is where the last piece was added.
fn is_last(site: &Expr) -> Expr {
    ADDED.at(int(LAST)).equals(add(site.clone(), int(1)))
}

/// Writes what takes note of pieces, once it is known what is asked for; and the function that
/// takes note of all that are there, if anything is.
pub(super) fn finish(game: &Context<'_>, module: &mut Module) -> Option<FunctionId> {
    let added = module.added.as_ref()?;
    let (function, lines, links) = (added.function, added.lines.clone(), added.links.clone());
    if lines.is_empty() && links.is_empty() {
        return None;
    }
    let mut code = Emitter::closed(game, module, 2);
    let [site, component] = [0, 1].map(|number| Local(number).get());
    code.assume_site(&site);
    code.push(Stmt::Store(ADDED, int(LAST), add(site.clone(), int(1))));
    lines.into_iter().for_each(|lines| add_to_lines(&mut code, lines, &site, &component));
    links.iter().for_each(|links| add_to_groups(&mut code, links, &site, &component));
    let (body, locals, _) = code.finish();
    let written = &mut module.functions[function.0 as usize];
    (written.body, written.locals) = (body, locals);
    let mut code = Emitter::closed(game, module, 0);
    let there = regions::fixed(&mut code, game.board()).without(state_set(int(EMPTY as i32)));
    code.for_each(there, |code, site| {
        let what = code.what(site.get());
        code.push(Stmt::Call(function, vec![site.get(), what]));
    });
    Some(code.shared("add all", 0, None))
}
