//! Loops over the targets of steps and along straight paths.

use kernel::ir::{Block, Expr, Local, Stmt};

use super::arrays::{ANYWHERE, Slot, add, either, int, slot};
use super::code::{Consumer, Emitter};
use super::tables::{Lists, Paths};
use crate::ir::{Bool, ByPiece, Int, Iter, JumpId, RayId};

impl Emitter<'_> {
    /// Whether the site that somebody wants lies on a straight path from another one.
    pub(super) fn reaches(&mut self, rays: &ByPiece<RayId>, from: &Expr) -> Expr {
        match self.by_piece(rays, from)[..] {
            [(_, id)] => {
                let reached = self.tables.reached(self.game, id);
                let reached = reached.at(from.clone());
                reached.contains(self.wanted())
            }
            _ => int(1),
        }
    }

    /// The only destination that matters.
    pub(super) fn wanted(&self) -> Expr {
        match self.consumer {
            Consumer::Reaches { site, .. } | Consumer::Destinations { wanted: Some(site), .. } => {
                site.get()
            }
            _ => slot(Slot::Wanted),
        }
    }

    /// Writes code that gives moves to some sites, which need not be run if somebody wants another
    /// one.
    pub(super) fn towards(
        &mut self,
        reached: impl FnOnce(&mut Self) -> Expr,
        write: impl FnOnce(&mut Self),
    ) {
        let anywhere = match self.consumer {
            _ if self.counts => return write(self),
            Consumer::Give => slot(Slot::Wanted).equals(int(ANYWHERE)),
            Consumer::Reaches { .. } | Consumer::Destinations { wanted: Some(_), .. } => int(0),
            _ => return write(self),
        };
        let reached = self.part(reached);
        let outside = self.passes_over;
        self.passes_over |= matches!(self.consumer, Consumer::Destinations { .. });
        self.when(either(anywhere, reached), write);
        self.passes_over = outside;
    }

    /// Binds the origin of a move to a site, if it is one and its condition holds, and goes on.
    /// Where the condition fails, the origin stays bound.
    pub(super) fn from_origin(
        &mut self,
        from: &Int,
        condition: Option<&Bool>,
        write: impl FnOnce(&mut Self, Expr),
    ) {
        if *from == Int::Iter(Iter::From) {
            let site = self.variable(Iter::From);
            let site = self.keep_int(site);
            let real = match self.piece {
                Some(_) => int(1),
                None => site.clone().at_least(int(0)),
            };
            self.when(real, |code| {
                let holds = condition.map_or(int(1), |c| code.bool(c));
                code.when(holds, |code| write(code, site));
            });
            return;
        }
        let site = self.int(from);
        let site = self.keep_int(site);
        self.when(site.clone().at_least(int(0)), |code| {
            let saved = code.save([Iter::From]);
            code.bind(Iter::From, site.clone());
            let holds = condition.map_or(int(1), |c| code.bool(c));
            let always = matches!(holds, Expr::Int(1));
            code.when(holds, |code| {
                write(code, site);
                code.restore(&saved);
            });
            if always {
                code.restore(&saved);
            } else {
                code.disturb();
            }
        });
    }

    /// Tables that depend on what stands on a site, each with the condition that it is meant.
    pub(super) fn by_piece<T: Copy + PartialEq>(
        &mut self,
        tables: &ByPiece<T>,
        site: &Expr,
    ) -> Vec<(Expr, T)> {
        let here = matches!((site, self.bound[Iter::From as usize]),
            (Expr::Get(site), Some(from)) if *site == from);
        match tables {
            ByPiece::Same(table) => vec![(int(1), *table)],
            ByPiece::Each(_) if here && self.piece.is_some() => {
                let piece = self.piece.map_or(0, usize::from);
                tables.of(piece).into_iter().map(|table| (int(1), table)).collect()
            }
            ByPiece::Each(all) => {
                if all.windows(2).all(|two| two[0] == two[1]) {
                    return all.first().map(|&table| (int(1), table)).into_iter().collect();
                }
                let what = self.what(site.clone());
                let what = self.keep_int(what);
                let mut different: Vec<T> = Vec::new();
                for &table in all {
                    if !different.contains(&table) {
                        different.push(table);
                    }
                }
                let found = different.into_iter().map(|table| {
                    let pieces = (0..all.len()).filter(|&c| all[c] == table);
                    let is = pieces.map(|c| what.clone().equals(int(c as i32)));
                    (is.reduce(either).unwrap_or(int(0)), table)
                });
                found.collect()
            }
        }
    }

    pub(super) fn of_jumps(
        &mut self,
        jumps: &ByPiece<JumpId>,
        from: &Expr,
        write: impl Fn(&mut Self, Expr),
    ) {
        for (meant, id) in self.by_piece(jumps, from) {
            let Lists { first, items } = self.tables.jumps(self.game, id);
            let end = first.at(add(from.clone(), int(1)));
            let start = first.at(from.clone());
            self.when(meant, |code| {
                code.for_range(start, end, |code, at| {
                    let to = code.keep_int(items.at(at.get()));
                    code.is_site(&to);
                    write(code, to);
                });
            });
        }
    }

    /// A site of a straight path.
    pub(super) fn site_on(&mut self, paths: Paths, at: Local) -> Expr {
        let site = self.keep_int(paths.sites.at(at.get()));
        self.is_site(&site);
        site
    }

    /// A loop over straight paths: number of the path in the table, number among those of the site,
    /// where its sites begin and where they end.
    pub(super) fn of_rays(
        &mut self,
        rays: &ByPiece<RayId>,
        from: &Expr,
        write: impl Fn(&mut Self, Paths, [Expr; 4]),
    ) {
        for (meant, id) in self.by_piece(rays, from) {
            let paths = self.tables.rays(self.game, id);
            self.when(meant, |code| {
                code.of_paths(paths, from, |code, ends| write(code, paths, ends));
            });
        }
    }

    /// As [`Emitter::of_rays`], over the paths of a table.
    pub(super) fn of_paths(
        &mut self,
        paths: Paths,
        from: &Expr,
        write: impl Fn(&mut Self, [Expr; 4]),
    ) {
        let first = self.keep_int(paths.of_site.at(from.clone()));
        let end = paths.of_site.at(add(from.clone(), int(1)));
        self.for_range(first.clone(), end, |code, path| {
            let number = path.get() - first.clone();
            let start = code.keep_int(paths.of_path.at(path.get()));
            let end = code.keep_int(paths.of_path.at(add(path.get(), int(1))));
            write(code, [path.get(), number, start, end]);
        });
    }

    pub(super) fn break_unless(&mut self, goes_on: Expr) {
        if goes_on != int(1) {
            self.push(Stmt::If(!goes_on, vec![Stmt::Break(1)], Block::new()));
        }
    }

    /// Whether a piece stands on a site.
    pub(super) fn is_occupied(&mut self, site: Expr) -> Expr {
        let what = self.what(site);
        !what.equals(int(0))
    }
}
