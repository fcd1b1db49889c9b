//! Where the sites of an encoding lie on a board, and how the board is turned for the other player.

use std::collections::HashMap;

use super::Encoding;
use crate::label_template::{LabelTemplate, SiteNames};
use crate::scores::Player;

/// The grid on which the sites of an [`Encoding`] lie, by their names: letters for the file and a
/// number for the rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteGrid {
    /// The number of files.
    pub width: usize,
    /// The number of ranks.
    pub height: usize,
    /// The cell of each site, `rank * width + file` from `a1`; `None` for sites beside the grid,
    /// such as hands. A grid may have cells without a site.
    pub cells: Vec<Option<usize>>,
}

/// The way in which a board is turned so that the second player sees it as the first does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Not at all: both players have the same lines and aims.
    Same,
    /// The last rank becomes the first, and files stay.
    Ranks,
    /// The first rank stays, and the last file becomes the first.
    Files,
    /// Half round.
    HalfTurn,
    /// Files and ranks are exchanged.
    Diagonal,
}

/// An [`Encoding`] as the second player sees it: for each site, kind and action its place in the
/// turned board. All three are their own inverses.
///
/// If `planes` are those of a position, then `turned[kinds[k]][sites[s]] = planes[k][s]` are those
/// of the same position with the players exchanged, and code `c` there is `actions[c]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turned {
    /// By site.
    pub sites: Vec<usize>,
    /// By kind.
    pub kinds: Vec<usize>,
    /// By code.
    pub actions: Vec<usize>,
}

/// Grids with more cells for each site than this are none.
const CELLS_OF_A_SITE: usize = 4;

impl SiteGrid {
    /// The grid of sites with these names; `None` where they are not called by file and rank.
    pub(crate) fn of(sites: &[String]) -> Option<SiteGrid> {
        let places: Vec<Option<(usize, usize)>> = sites.iter().map(|name| place(name)).collect();
        let known = || places.iter().flatten();
        let width = known().map(|&(file, _)| file + 1).max()?;
        let height = known().map(|&(_, rank)| rank + 1).max()?;
        let begins = known().any(|&(file, _)| file == 0) && known().any(|&(_, rank)| rank == 0);
        if !begins || width.checked_mul(height)? > CELLS_OF_A_SITE * known().count() {
            return None;
        }
        let cell = |place: &Option<(usize, usize)>| place.map(|(file, rank)| rank * width + file);
        Some(SiteGrid { width, height, cells: places.iter().map(cell).collect() })
    }

    /// The cell that a cell becomes; `None` where the grid has not the form for that.
    fn turned(&self, cell: usize, symmetry: Symmetry) -> Option<usize> {
        let &SiteGrid { width, height, .. } = self;
        let (file, rank) = (cell % width, cell / width);
        let (file, rank) = match symmetry {
            Symmetry::Same => (file, rank),
            Symmetry::Ranks => (file, height - 1 - rank),
            Symmetry::Files => (width - 1 - file, rank),
            Symmetry::HalfTurn => (width - 1 - file, height - 1 - rank),
            Symmetry::Diagonal if width == height => (rank, file),
            Symmetry::Diagonal => return None,
        };
        Some(rank * width + file)
    }
}

/// The file and the rank in a name, both from 0.
fn place(name: &str) -> Option<(usize, usize)> {
    let letters = name.bytes().take_while(u8::is_ascii_lowercase).count();
    let (file, rank) = name.split_at(letters);
    let file = match *file.as_bytes() {
        [one] => usize::from(one - b'a'),
        [first, second] => 26 * usize::from(first - b'a' + 1) + usize::from(second - b'a'),
        _ => return None,
    };
    let rank: usize = rank.parse().ok().filter(|_| !rank.starts_with(['0', '+']))?;
    Some((file, rank - 1))
}

impl Encoding {
    /// The grid on which the sites lie; `None` where they do not, and in games of hidden
    /// information, whose sites are percepts.
    pub fn grid(&self) -> Option<SiteGrid> {
        if self.is_perceived() { None } else { SiteGrid::of(&self.sites) }
    }

    /// The encoding as the second player sees it; `None` where the sides are not equal, or the
    /// engine does not say how the board is turned.
    pub fn turned(&self) -> Option<Turned> {
        let sites = self.turned_sites()?;
        Some(Turned {
            kinds: self.exchanged_kinds()?,
            actions: self.turned_actions(&sites)?,
            sites,
        })
    }

    fn turned_sites(&self) -> Option<Vec<usize>> {
        let symmetry = self.symmetry?;
        if symmetry == Symmetry::Same {
            return Some((0..self.sites.len()).collect());
        }
        let grid = self.grid()?;
        let site_of: HashMap<usize, usize> =
            (0..).zip(&grid.cells).filter_map(|(site, cell)| Some(((*cell)?, site))).collect();
        let turned = |(site, cell): (usize, &Option<usize>)| match *cell {
            Some(cell) => site_of.get(&grid.turned(cell, symmetry)?).copied(),
            None => Some(site),
        };
        grid.cells.iter().enumerate().map(turned).collect()
    }

    /// The first player's kinds and the second player's, in their order, are exchanged.
    fn exchanged_kinds(&self) -> Option<Vec<usize>> {
        let of = |player: u8| -> Vec<usize> {
            let owners = (0..).zip(&self.owners);
            owners.filter(|(_, owner)| **owner == Some(Player(player))).map(|(i, _)| i).collect()
        };
        let (first, second) = (of(0), of(1));
        if self.owners.len() != self.kinds.len() || first.len() != second.len() {
            return None;
        }
        let mut kinds: Vec<usize> = (0..self.kinds.len()).collect();
        for (a, b) in first.into_iter().zip(second) {
            kinds.swap(a, b);
        }
        Some(kinds)
    }

    fn turned_actions(&self, turned: &[usize]) -> Option<Vec<usize>> {
        let names = SiteNames::new(&self.sites);
        let site_of: HashMap<&str, usize> =
            self.sites.iter().map(String::as_str).zip(0..).collect();
        let codes: HashMap<&str, usize> =
            self.actions.iter().map(String::as_str).zip(0..).collect();
        let action = |label: &String| {
            let (template, sites) = LabelTemplate::of(label, &names);
            let label = template.filled(|n| &self.sites[turned[site_of[sites[n]]]]);
            codes.get(label.as_str()).copied()
        };
        self.actions.iter().map(action).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sites: &[&str]) -> Vec<String> {
        sites.iter().map(|&site| site.to_owned()).collect()
    }

    #[test]
    fn sites_called_by_file_and_rank_lie_on_a_grid() {
        let grid = SiteGrid::of(&names(&["a1", "c1", "hand1", "b2", "c2"])).expect("a grid");
        assert_eq!((grid.width, grid.height), (3, 2));
        assert_eq!(grid.cells, [Some(0), Some(2), None, Some(4), Some(5)]);
        assert_eq!(SiteGrid::of(&names(&["aa1", "a1"])), None, "27 files for two sites");
        assert_eq!(SiteGrid::of(&names(&["e0", "e1", "e2"])), None, "elements by number");
        assert_eq!(SiteGrid::of(&names(&["(cell 1 1 x)"])), None);
    }

    #[test]
    fn boards_are_turned_as_they_say() {
        let board = names(&["a1", "b1", "a2", "b2"]);
        let turned = |symmetry, encoding: Encoding| encoding.with_symmetry(symmetry).turned();
        let placed = || Encoding::placements(board.clone(), &["x", "o"]).with_pass();
        let sites = |symmetry| turned(symmetry, placed()).expect("it is known").sites;
        assert_eq!(sites(Symmetry::Same), [0, 1, 2, 3]);
        assert_eq!(sites(Symmetry::Ranks), [2, 3, 0, 1]);
        assert_eq!(sites(Symmetry::Files), [1, 0, 3, 2]);
        assert_eq!(sites(Symmetry::HalfTurn), [3, 2, 1, 0]);
        assert_eq!(sites(Symmetry::Diagonal), [0, 2, 1, 3]);
        let ranks = turned(Symmetry::Ranks, placed()).expect("it is known");
        assert_eq!((ranks.kinds, ranks.actions), (vec![1, 0], vec![2, 3, 0, 1, 4]));
        let moves = Encoding::moves(board.clone(), &["x", "#", "o"]).with_owners(&[0, -1, 1]);
        let moves = turned(Symmetry::HalfTurn, moves).expect("it is known");
        assert_eq!(moves.kinds, [2, 1, 0]);
        // a1b1 becomes b2a2.
        assert_eq!(moves.actions[1], 3 * 4 + 2);
    }

    #[test]
    fn what_is_not_known_or_not_equal_is_not_turned() {
        let board = names(&["a1", "b1", "c1", "a2", "b2", "c2"]);
        let placed = |kinds: &[&str]| Encoding::placements(board.clone(), kinds);
        assert_eq!(placed(&["x", "o"]).turned(), None, "no symmetry is said");
        let unowned = placed(&["man"]).with_symmetry(Symmetry::Same);
        assert_eq!(unowned.turned(), None, "nobody knows whose the men are");
        let unequal =
            placed(&["x", "o", "K"]).with_owners(&[0, 1, 1]).with_symmetry(Symmetry::Same);
        assert_eq!(unequal.turned(), None, "one has a king");
        let oblong = placed(&["x", "o"]).with_symmetry(Symmetry::Diagonal);
        assert_eq!(oblong.turned(), None, "no square");
    }
}
