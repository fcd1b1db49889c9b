//! What is kept of pieces where they are only ever added: how long the runs are that the last one
//! stands in, and which regions its group touches.
//!
//! Whoever asks says of which site, and looks for himself if that is not where the last piece was
//! added.

use kernel::build::CodeBuilder;
use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};
use kernel::views::{Groups, Places, Rows};

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
            && !layout.is_ordered()
            && !layout.sizes.hidden;
        let watched = game.initial.is_watched() || !game.world.crossings.is_empty();
        let tests = game.tests_moves || game.simultaneous;
        let rules = game.phases.iter().map(|phase| &phase.play).chain(&game.effects);
        let adds = rules.into_iter().all(|moves| !moves.any(&|moves| !only_adds(moves)));
        (plain && !watched && !tests && adds).then(|| {
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

/// The number that a line has at a site which has not been found to have it.
const NONE: usize = usize::MAX;

/// The sites of a line, each with the number that the line has there.
type NumberedLine = Vec<(u16, usize)>;

/// Every line of some axes, and how many lines a site has. `None` if sites do not agree on the
/// lines.
fn lines_of(table: &AxisTable) -> Option<(Vec<NumberedLine>, usize)> {
    let mut lines: Vec<NumberedLine> = Vec::new();
    let mut found = rustc_hash::FxHashMap::default();
    for (site, axes) in (0..).zip(&table.0) {
        for (slot, (ray, opposite)) in axes.iter().enumerate() {
            let opposite = opposite.as_deref().unwrap_or_default();
            let mut line: Vec<u16> = opposite.iter().rev().copied().collect();
            line.push(site);
            line.extend(ray);
            if line.first() > line.last() {
                line.reverse();
            }
            let at = line.iter().position(|&s| s == site)?;
            let number = *found.entry(line).or_insert_with_key(|line| {
                lines.push(line.iter().map(|&site| (site, NONE)).collect());
                lines.len() - 1
            });
            if std::mem::replace(&mut lines[number][at].1, slot) != NONE {
                return None;
            }
        }
    }
    // Every site of a line must have it.
    let agree = lines.iter().flatten().all(|&(_, slot)| slot != NONE);
    agree.then(|| (lines, table.0.iter().map(Vec::len).max().unwrap_or(0)))
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
    let (lines, width) = lines_of(table?)?;
    // No index is beyond the table.
    let sites = game.world.sites().next_power_of_two();
    let Places { of_cell, numbers, mask } = Places::new(sites, width, &lines);
    let components = components(code) as usize;
    let places = code.module.tables.ints(of_cell);
    let rows = Rows { lengths: ADDED, places, width: width as i32, mask };
    let added = code.module.added.as_mut()?;
    let (of_last, first) = (added.room(1), added.room(components * numbers));
    let lines = Lines { axes, rows, of_last, first, numbers: numbers as i32 };
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
    let first = code.keep_int(component * int(lines.numbers) + int(lines.first));
    let sites = code.game.world.sites().next_power_of_two() as i32;
    let lengths = lines.rows.join(code, site.clone().and_bits(int(sites - 1)), &first);
    let bit = |length: Local| int(1).shifted_left(length.get().min(int(MOST_RUN)));
    let runs = lengths.into_iter().map(bit).reduce(Expr::or_bits).unwrap_or(int(0));
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
