//! Pieces in line as code.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::bools::PerSite;
use super::code::{Code, Slot, add, both, either, int, slot};
use crate::ir::{Iter, Line, LinePieces, Place};

/// What counts for a line.
enum Counted {
    /// Pieces on these sites.
    On(Expr),
    /// These components.
    Components(Vec<Expr>),
}

impl<const W: usize> Code<'_, W> {
    /// Whether there are pieces in line; `None` where any of several sites may be passed through.
    pub(super) fn is_line(&mut self, line: &Line) -> Option<Expr> {
        let pivot = match &line.through {
            None => slot(Slot::LastTo),
            Some(Place::Site(site)) => self.int(site),
            Some(Place::Region(_)) => return None,
        };
        let pivot = self.keep_int(pivot);
        let length = self.int(&line.length);
        let length = self.keep_int(length);
        let found = self.keep(Type::Int, int(0));
        let saved = self.save([Iter::To]);
        let condition = self.per_site(line.condition.as_ref(), Iter::To);
        let real = self.is_below(pivot.clone(), self.game.world.topology.sites() as i32);
        self.when(real, |code| {
            code.is_site(&pivot);
            let counted = match &line.what {
                None => Counted::Components(vec![code.what(pivot.clone())]),
                Some(LinePieces::Owner(who)) => {
                    let who = code.int(who);
                    Counted::On(code.owned(who))
                }
                Some(LinePieces::Components(list)) => {
                    Counted::Components(list.iter().map(|component| code.int(component)).collect())
                }
            };
            let counted = match counted {
                Counted::On(sites) => Counted::On(sites),
                Counted::Components(list) => {
                    Counted::Components(list.into_iter().map(|c| code.keep_int(c)).collect())
                }
            };
            let fits = code.fits(&counted, &condition, pivot.clone());
            code.when(fits, |code| {
                code.line_through(line, &pivot, (&counted, &condition), &length, found);
            });
        });
        self.restore(&saved);
        Some(found.get())
    }

    /// Whether what is on a site belongs to a line.
    fn fits(&mut self, counted: &Counted, condition: &PerSite<'_>, site: Expr) -> Expr {
        let counts = match counted {
            Counted::On(sites) => sites.clone().contains(site.clone()),
            Counted::Components(list) => {
                let what = self.what(site.clone());
                let what = if list.len() > 1 { self.keep_int(what) } else { what };
                let is = list.iter().map(|component| what.clone().equals(component.clone()));
                // No piece has a negative number.
                is.reduce(either).unwrap_or(int(0))
            }
        };
        let holds = self.part(|code| code.holds(condition, site));
        both(counts, holds)
    }

    /// Looks for a line along every axis through a site.
    fn line_through(
        &mut self,
        line: &Line,
        pivot: &Expr,
        (counted, condition): (&Counted, &PerSite<'_>),
        length: &Expr,
        found: Local,
    ) {
        let axes = self.tables.axes(self.game, line.axes);
        let first = axes.of_site.at(pivot.clone());
        let end = axes.of_site.at(add(pivot.clone(), int(1)));
        self.for_range(first, end, |code, axis| {
            let count = code.keep(Type::Int, int(1));
            // An axis has two paths, of which the second one may have no sites.
            let path = code.keep_int(axis.get() * int(2));
            for way in 0..2 {
                let [start, end] = [0, 1].map(|i| axes.of_path.at(add(path.clone(), int(way + i))));
                code.for_range(start, end, |code, at| {
                    let site = code.site_on(axes, at);
                    let fits = code.fits(counted, condition, site);
                    let more = vec![Stmt::Set(count, add(count.get(), int(1)))];
                    let gap = if line.contiguous { vec![Stmt::Break(1)] } else { Vec::new() };
                    code.push(Stmt::If(fits, more, gap));
                });
            }
            let is_long = if line.exact {
                count.get().equals(length.clone())
            } else {
                both(length.clone().at_least(int(1)), count.get().at_least(length.clone()))
            };
            code.push(Stmt::If(
                is_long,
                vec![Stmt::Set(found, int(1)), Stmt::Break(1)],
                Vec::new(),
            ));
        });
    }
}
