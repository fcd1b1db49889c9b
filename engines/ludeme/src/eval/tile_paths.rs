//! Paths on tiles, followed from tile to tile.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::{Buffer, pooled};
use crate::ir::{Int, Moves, Place, TilePaths};
use crate::limits::{MAX_FORCED_ACTS, MAX_FORCED_ROUNDS, MAX_TILES_OF_PATHS};
use crate::moves::{Act, Move};
use crate::world::Tile;

/// The place at which a path leaves a tile: its site, the side in its place there, the slot on the
/// side.
type Exit = (usize, usize, usize);

pooled!([Exit; 2]);

/// Ends of paths that have been followed: a bit for each slot of each side of each site.
struct Followed {
    sides: usize,
    /// Slots of the side with the most of them.
    slots: usize,
    words: Buffer<u64>,
}

impl Followed {
    fn new(paths: &TilePaths) -> Followed {
        let slots = paths.tiles.iter().flatten().flat_map(|tile| &tile.slots).copied().max();
        Followed { sides: paths.sides, slots: slots.unwrap_or(0), words: Buffer::new() }
    }

    /// Adds an end; whether it is new.
    fn insert(&mut self, (site, side, slot): Exit) -> bool {
        let number = (site * self.sides + side) * self.slots + slot;
        let (word, bit) = (number / 64, 1 << (number % 64));
        if word >= self.words.len() {
            self.words.ready();
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }
}

impl Eval<'_> {
    /// The tile on a site, and by how many sides it has been turned.
    fn tile<'p>(&self, paths: &'p TilePaths, site: usize) -> Option<(&'p Tile, usize)> {
        paths.touching.get(site)?;
        let tile = paths.tiles.get(self.state.what(site))?.as_ref()?;
        let rotation = self.state.extra(site, None).rotation;
        let turned = rotation.rem_euclid(paths.full as i32) as usize;
        Some((tile, turned * paths.sides / paths.full))
    }

    /// The place of another tile that touches a place of this one.
    fn across(&self, paths: &TilePaths, (site, side, slot): Exit) -> Option<Exit> {
        let (near, side) = paths.touching[site][side]?;
        let (near, side) = (usize::from(near), usize::from(side));
        let (tile, turned) = self.tile(paths, near)?;
        let slots = tile.slots[(side + paths.sides - turned) % paths.sides];
        // Both count the slots of the side that they share clockwise.
        Some((near, side, slots.checked_sub(slot + 1)?))
    }

    /// The other end and the colour of the path that ends at a place of a tile; of a colour, if so.
    fn crossed(
        &self,
        paths: &TilePaths,
        (site, side, slot): Exit,
        colour: Option<i32>,
    ) -> Option<(Exit, i32)> {
        let (tile, turned) = self.tile(paths, site)?;
        let own = ((side + paths.sides - turned) % paths.sides, slot);
        let fits = |path: &&crate::world::TilePath| {
            path.ends.contains(&own) && colour.is_none_or(|colour| colour == path.colour)
        };
        let path = tile.paths.iter().find(fits)?;
        let (side, slot) = if path.ends[0] == own { path.ends[1] } else { path.ends[0] };
        Some(((site, (side + turned) % paths.sides, slot), path.colour))
    }

    /// True if paths go on in the same colour wherever a tile touches another.
    pub(super) fn sides_match(&self, paths: &TilePaths, site: usize) -> bool {
        let Some((tile, turned)) = self.tile(paths, site) else { return false };
        (0..paths.sides).all(|side| {
            let Some(near) = paths.touching[site][side] else { return true };
            if self.tile(paths, usize::from(near.0)).is_none() {
                return true;
            }
            let slots = tile.slots[(side + paths.sides - turned) % paths.sides];
            (0..slots).all(|slot| {
                let here = (site, side, slot);
                let Some(there) = self.across(paths, here) else { return false };
                let colour = |at| self.crossed(paths, at, None).map(|(_, colour)| colour);
                colour(here) == colour(there)
            })
        })
    }

    /// The site that a path of a colour leads to where it leaves a tile; and where it goes on
    /// there, the end that it comes in by and the one that it leaves by.
    fn onward(
        &self,
        paths: &TilePaths,
        colour: i32,
        at: Exit,
    ) -> Option<(usize, Option<[Exit; 2]>)> {
        let (near, _) = paths.touching[at.0][at.1]?;
        let entry = self.across(paths, at);
        let on = entry.and_then(|entry| {
            self.crossed(paths, entry, Some(colour)).map(|(next, _)| [entry, next])
        });
        Some((usize::from(near), on))
    }

    /// The paths of a colour on a tile, by where they leave it.
    fn paths_of(&self, paths: &TilePaths, site: usize, colour: i32) -> Buffer<[Exit; 2]> {
        let Some((tile, turned)) = self.tile(paths, site) else { return Buffer::new() };
        let place = |(side, slot): (usize, usize)| (site, (side + turned) % paths.sides, slot);
        let own = tile.paths.iter().filter(|path| path.colour == colour);
        own.map(|path| path.ends.map(place)).collect()
    }

    /// True if a path of a colour that comes by any of some tiles closes.
    pub(super) fn is_path_loop(&mut self, paths: &TilePaths, colour: &Int, start: &Place) -> bool {
        let colour = self.int(colour);
        // No path is followed twice.
        let mut known = Followed::new(paths);
        for site in self.place(start).iter() {
            for [start, mut at] in self.paths_of(paths, site, colour) {
                while let Some((_, Some([entry, next]))) = self.onward(paths, colour, at) {
                    if entry == start {
                        return true;
                    }
                    if !known.insert(entry) {
                        break;
                    }
                    at = next;
                }
            }
        }
        false
    }

    /// The most rows or columns that paths of a colour lead away from any of some tiles. As
    /// recorded games show, the site that a path leads to behind its last tile counts.
    pub(super) fn path_extent(&mut self, paths: &TilePaths, colour: &Int, start: &Place) -> i32 {
        let colour = self.int(colour);
        let (mut most, mut left) = (0, MAX_TILES_OF_PATHS);
        let mut known = Followed::new(paths);
        for site in self.place(start).iter() {
            let Some(&(row, column)) = paths.grid.get(site) else { continue };
            for [a, b] in self.paths_of(paths, site, colour) {
                for [start, mut at] in [[a, b], [b, a]] {
                    known.words.clear();
                    while let Some((near, on)) = self.onward(paths, colour, at) {
                        let there = paths.grid[near];
                        most = most.max((there.0 - row).abs()).max((there.1 - column).abs());
                        match on {
                            Some([entry, next])
                                if entry != start && known.insert(entry) && left > 0 =>
                            {
                                left -= 1;
                                at = next;
                            }
                            _ => break,
                        }
                    }
                }
            }
        }
        most
    }

    /// The moves that are forced: those to sites where there is no other one are made, and then
    /// those to which that leads, until there are none.
    pub(super) fn forced(&mut self, moves: &Moves, out: &mut dyn MoveVisitor) -> bool {
        let mut after = self.trial();
        let mut acts: Buffer<Act> = Buffer::new();
        for _ in 0..MAX_FORCED_ROUNDS {
            let found = self.within(&after).all_made(moves);
            let mut ways = Buffer::filled(0u32, self.state.sites());
            let site = |made: &Move| usize::try_from(made.to).unwrap_or(usize::MAX);
            for made in &found {
                ways.get_mut(site(made)).into_iter().for_each(|ways| *ways += 1);
            }
            let alone = |made: &&Move| ways.get(site(made)) == Some(&1);
            let before = acts.len();
            for made in found.iter().filter(alone) {
                let done = self.acts_of_part(&mut after, made);
                acts.extend_from_slice(&done);
            }
            if acts.len() == before || acts.len() > MAX_FORCED_ACTS {
                break;
            }
        }
        !acts.is_empty() && out.take_move(self, Move::new(0, 0, acts))
    }
}
