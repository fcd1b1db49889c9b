//! Lines of cells that are alike up to the last, as sets.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Local, Type};

use super::patterns::{Look, Sought, Walk};
use super::terms::{Env, Function};
use super::walk::Compiler;
use super::writer::Writer;

/// The fewest walks along a line.
const MIN_WALKS: usize = 3;

/// A line of cells: those before the last that a walk looks at are alike.
pub(super) struct Line {
    alike: Sought,
    from: Option<Local>,
    places: Vec<Function>,
    /// For numbers of cells, the value that the last of them is compared with.
    ends: Vec<(usize, Sought)>,
}

/// The reason why walks are no line.
pub(super) enum NoLine {
    /// The numbers of cells go neither up nor down.
    UpAndDown,
    /// Sets do not say what lies on the cells.
    Unsaid,
}

/// Cells, one of which is to have what is sought.
#[derive(Clone)]
pub(super) struct Area {
    pub(super) sought: Sought,
    pub(super) cells: Code,
}

impl Line {
    /// The lines among walks, and the other walks.
    pub(super) fn all(walks: Vec<Walk>) -> (Vec<Line>, Vec<Walk>) {
        let mut lines: Vec<Line> = Vec::new();
        let (mut single, mut others) = (Vec::new(), Vec::new());
        for walk in walks {
            match walk.as_slice() {
                [_] => single.push(walk),
                [first, .., last] if is_along_line(&walk) => {
                    let places: Vec<Function> =
                        walk.iter().map(|look| look.place.clone()).collect();
                    let end = (places.len(), last.sought.clone());
                    let is_it = |line: &&mut Line| {
                        line.alike == first.sought
                            && line.from == first.from
                            && line.places.iter().zip(&places).all(|(one, other)| one == other)
                    };
                    match lines.iter_mut().find(is_it) {
                        Some(line) => {
                            if places.len() > line.places.len() {
                                line.places = places;
                            }
                            line.ends.push(end);
                        }
                        None => lines.push(Line {
                            alike: first.sought.clone(),
                            from: first.from,
                            places,
                            ends: vec![end],
                        }),
                    }
                }
                _ => others.push(walk),
            }
        }
        for walk in single {
            let look = &walk[0];
            let begins = |line: &&mut Line| line.from == look.from && line.places[0] == look.place;
            match lines.iter_mut().find(begins) {
                Some(line) if line.alike.board == look.sought.board => {
                    line.ends.push((1, look.sought.clone()));
                }
                _ => others.push(walk),
            }
        }
        let (lines, short): (Vec<Line>, Vec<Line>) =
            lines.into_iter().partition(|line| line.ends.len() >= MIN_WALKS);
        others.extend(short.iter().flat_map(Line::walks));
        (lines, others)
    }

    /// The walks along the line.
    pub(super) fn walks(&self) -> Vec<Walk> {
        let look = |sought: &Sought, place: &Function| Look {
            sought: sought.clone(),
            from: self.from,
            place: place.clone(),
        };
        let walk = |(length, end): &(usize, Sought)| {
            let before = self.places[..length - 1].iter().map(|place| look(&self.alike, place));
            before.chain([look(end, &self.places[length - 1])]).collect()
        };
        self.ends.iter().map(walk).collect()
    }
}

/// True if all cells of a walk but the last are compared with one value.
fn is_along_line(walk: &[Look]) -> bool {
    let (Some(first), Some((last, before))) = (walk.first(), walk.split_last()) else {
        return false;
    };
    first.sought.is_equal
        && first.from == last.from
        && first.sought.board == last.sought.board
        && before.iter().all(|look| look.sought == first.sought && look.from == first.from)
}

impl Compiler<'_> {
    /// The cells that the walks along a line come to, for each value that is sought there.
    ///
    /// The cells that are not alike are blockers: walks come as far as the first of them. That is
    /// the least or the greatest of them, if the numbers of cells go up or down along the line. If
    /// they do neither, the line is none.
    pub(super) fn line(
        &mut self,
        w: &mut Writer,
        env: &Env,
        line: &Line,
    ) -> Result<Vec<Area>, NoLine> {
        let rows = 0..line.places[0].len();
        let rows = rows.map(|row| self.line_from(line, row)).collect::<Option<Vec<_>>>();
        let rows = rows.ok_or(NoLine::Unsaid)?;
        let goes =
            |is_next: fn(&[i32]) -> bool| rows.iter().all(|sites| sites.windows(2).all(is_next));
        let is_upward = goes(|pair| pair[0] < pair[1]);
        if !is_upward && !goes(|pair| pair[0] > pair[1]) {
            return Err(NoLine::UpAndDown);
        }
        let all: Vec<Vec<u64>> =
            rows.iter().map(|sites| self.tables.words_of(sites.iter().copied())).collect();
        let cells = self.cells(&all, line.from);
        let cells = w.var(Type::Set, cells);
        let alike = self.set_after(w, env, &line.alike).ok_or(NoLine::Unsaid)?;
        let blockers = cells.get().without(alike);
        let blocker = if is_upward { blockers.nth(0) } else { blockers.last() };
        // By the number of the first blocker, -1 if there is none, and 1.
        let sites = 64 * self.map.words as i32;
        let near = |blocker: i32| match blocker {
            -1 => 0..sites,
            blocker if is_upward => 0..blocker + 1,
            blocker => blocker..sites,
        };
        let near: Vec<u64> =
            (-1..sites).flat_map(|blocker| self.tables.words_of(near(blocker))).collect();
        let near = self.tables.sets(&mut self.program, &near).at(blocker + 1);
        let reached = w.var(Type::Set, cells.get() & near);
        let mut ends: Vec<(&Sought, Vec<usize>)> = Vec::new();
        for (length, sought) in &line.ends {
            match ends.iter_mut().find(|(other, _)| *other == sought) {
                Some((_, lengths)) => lengths.push(*length),
                None => ends.push((sought, vec![*length])),
            }
        }
        let mut areas = Vec::new();
        for (sought, lengths) in ends {
            let is_all = (1..=line.places.len()).all(|length| lengths.contains(&length));
            let mut cells = reached.get();
            if !is_all {
                let some = |sites: &Vec<i32>| {
                    let some = lengths.iter().filter_map(|length| sites.get(length - 1)).copied();
                    self.tables.words_of(some)
                };
                let some: Vec<Vec<u64>> = rows.iter().map(some).collect();
                cells = cells & self.cells(&some, line.from);
            }
            areas.push(Area { sought: sought.clone(), cells });
        }
        Ok(areas)
    }

    /// The cells of a line from one place, up to one that is never like the others.
    fn line_from(&self, line: &Line, row: usize) -> Option<Vec<i32>> {
        let mut sites = Vec::new();
        for (number, place) in line.places.iter().enumerate() {
            let site = place[row];
            if site < 0 {
                break;
            }
            let goes_on = self.may_hold(&line.alike, site)?;
            let mut ends = line.ends.iter().filter(|(length, _)| *length == number + 1);
            let may_end = ends.any(|(_, sought)| self.may_hold(sought, site) != Some(false));
            let is_in_sets = self.is_in_sets(line.alike.board, site);
            if may_end && !is_in_sets {
                return None;
            }
            if goes_on || may_end {
                sites.push(site);
            }
            if !goes_on {
                break;
            }
        }
        Some(sites)
    }
}
