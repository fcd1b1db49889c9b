//! Pieces that cover several cells.

use crate::board::Topology;
use crate::front::{Arg, Call, Label};
use crate::ir::{
    Bool, ByPiece, Compare, CompositeKind, Covers, Int, Iter, Layer, LeafKind, Moves, Piece, Place,
    Reach, Region,
};
use crate::limits::{MAX_TILE_PLACES, MAX_TILE_STATES};

use super::places::any_type;
use super::{Lower, Lowered, Problem};

/// The walk of a domino from its first cell: two cells by two for each half.
pub(super) const DOMINO: &str = "FRFRFLFLFRFRF";

/// The walks of a tile from its first cell over its other cells.
pub(super) fn walks(tile: &Call) -> Vec<Vec<char>> {
    let steps = |walk: &[Arg]| -> Vec<char> {
        let turns = walk.iter().filter_map(Arg::as_constant);
        turns.filter_map(|turn| turn.as_str().chars().next()).collect()
    };
    match tile.arg(Label::Walks).map_or(&[][..], Arg::items) {
        [] => Vec::new(),
        several @ [first, ..] if first.is_array() => {
            several.iter().map(|walk| steps(walk.items())).collect()
        }
        walk => vec![steps(walk)],
    }
}

impl<'c> Lower<'c> {
    /// Additions of pieces of which some cover several cells; `None` if none does.
    pub(super) fn lay(&mut self, call: &'c Call) -> Lowered<Option<Moves>> {
        let Some(covers) = self.covers()? else { return Ok(None) };
        let (pieces, state) = match call.call(Label::Piece) {
            Some(piece) => self.piece(piece)?,
            None => (vec![Piece::Computed(Int::Mover)], None),
        };
        let (small, large) = self.by_size(&pieces);
        if !large {
            return Ok(None);
        }
        // Conditions on the destination, and effects on it, are ignored.
        let to = self.to(call.call(Label::To))?.place.unwrap_or(Place::Site(Int::Iter(Iter::To)));
        let lay = CompositeKind::Lay { pieces: pieces.into(), state, to, covers }.into();
        if !small {
            return Ok(Some(lay));
        }
        let mut add = self.add(call)?;
        if let LeafKind::Add { pieces, .. } = &mut add {
            for piece in pieces.iter_mut() {
                let number = match std::mem::replace(piece, Piece::Fixed(0)) {
                    Piece::Fixed(component) => Int::Const(i32::from(component)),
                    Piece::Computed(number) => number,
                };
                *piece = Piece::Computed(self.if_small(number));
            }
        }
        Ok(Some(Moves::All(Box::new([self.leaf(add)?, lay]))))
    }

    /// True if there can be pieces of one cell among some, and true if there can be larger ones.
    fn by_size(&self, pieces: &[Piece]) -> (bool, bool) {
        let is_large = |component: usize| {
            self.world.components.get(component).is_some_and(|c| !c.walks.is_empty())
        };
        let mut sizes = (false, false);
        for piece in pieces {
            let components = match piece {
                Piece::Fixed(component) => Some(vec![*component]),
                Piece::Computed(Int::Mover) => Some((1..=self.world.players as u16).collect()),
                Piece::Computed(number) => number.components(),
            };
            match components {
                None => return (true, true),
                Some(components) => {
                    for component in components {
                        let large = is_large(usize::from(component));
                        sizes = (sizes.0 || !large, sizes.1 || large);
                    }
                }
            }
        }
        sizes
    }

    /// The number of a component if it covers one cell, else -1.
    fn if_small(&self, number: Int) -> Int {
        let small = self
            .world
            .components
            .iter()
            .zip(0..)
            .map(|(component, number)| if component.walks.is_empty() { number } else { -1 });
        Int::Table(Box::new((small.collect(), number)))
    }

    /// Moves of pieces of which some cover several cells; `None` if none does.
    pub(super) fn shift(&mut self, call: &'c Call) -> Lowered<Option<Moves>> {
        let Some(covers) = self.covers()? else { return Ok(None) };
        let from = self.from(call.call(Label::From))?;
        // Conditions on the destination, and those of an effect, are ignored.
        let to = self.to(call.call(Label::To))?;
        let mixed = self.world.components.iter().skip(1).any(|c| c.walks.is_empty());
        let at = Box::new(Int::Iter(Iter::From));
        let what = Int::At { layer: Layer::What, at, level: None, reach: Reach::All };
        let of_size = |lower: &Self, compared: Compare, condition: Option<Bool>| {
            let pair = Box::new((lower.if_small(what.clone()), Int::Const(0)));
            let of_size = Bool::Compare(compared, pair);
            match condition {
                Some(condition) => Bool::And(Box::new([of_size, condition])),
                None => of_size,
            }
        };
        let condition = match from.condition {
            condition if mixed => Some(of_size(self, Compare::Less, condition)),
            condition => condition,
        };
        let shift = CompositeKind::Shift {
            from: from.place.unwrap_or(Place::Site(Int::Iter(Iter::From))),
            condition,
            to: to.place.unwrap_or(Place::Site(Int::Iter(Iter::To))),
            effect: to.apply.and_then(|apply| apply.effect),
            covers,
        };
        if !mixed {
            return Ok(Some(shift.into()));
        }
        let mut step = self.from_to(call)?;
        if let LeafKind::FromTo { from_condition, .. } = &mut step {
            *from_condition = Some(of_size(self, Compare::Greater, from_condition.take()));
        }
        Ok(Some(Moves::All(Box::new([self.leaf(step)?, shift.into()]))))
    }

    /// All cells covered by the piece whose first cell is a site.
    pub(super) fn large_piece(&mut self, call: &'c Call) -> Lowered<Region> {
        any_type(&self.world, call)?;
        let at = self.int_at(call, Label::At)?;
        let layer = |layer: Layer| Int::At {
            layer,
            at: Box::new(at.clone()),
            level: None,
            reach: Reach::All,
        };
        let equals = |found: Int, number: usize| {
            Bool::Compare(Compare::Equal, Box::new((found, Int::Const(number as i32))))
        };
        let choice =
            |condition: Bool, yes: Region, no: Region| Region::If(Box::new((condition, yes, no)));
        let nothing = self.list_region(Vec::new());
        let alone = self.list_region(vec![at.clone()]);
        let mut cells = choice(equals(layer(Layer::What), 0), nothing, alone);
        let covers = self.covers()?.unwrap_or_default();
        // Each component and state is one more condition around the others.
        if covers.iter().map(|states| states.len()).sum::<usize>() > MAX_TILE_STATES {
            let text = "too many ways to lie for pieces whose cells are asked for";
            return Err(Problem::TooLarge(text.to_owned()));
        }
        for (component, states) in covers.iter().enumerate() {
            for (state, &table) in states.iter().enumerate() {
                let lies =
                    [equals(layer(Layer::What), component), equals(layer(Layer::State), state)];
                let covered = Region::Direction {
                    rays: ByPiece::Same(table),
                    origins: Box::new(Place::Site(at.clone())),
                    included: Box::new(Bool::Const(true)),
                    stop: None,
                    stop_included: Box::new(Bool::Const(false)),
                    distance: Box::new(Int::Const(self.world.sites() as i32)),
                };
                cells = choice(Bool::And(lies.into()), covered, cells);
            }
        }
        Ok(cells)
    }

    /// The cells that all pieces cover; `None` if no piece covers several cells.
    pub(super) fn covers(&mut self) -> Lowered<Option<Covers>> {
        if self.world.components.iter().all(|component| component.walks.is_empty()) {
            return Ok(None);
        }
        if self.geometry.covers.is_none() {
            let states = self.world.components.iter().map(|c| 4 * c.walks.len()).sum::<usize>();
            if states.saturating_mul(self.world.sites()) > MAX_TILE_PLACES {
                let text = "too many ways to lay pieces of several cells";
                return Err(Problem::TooLarge(text.to_owned()));
            }
            let mut covers: Vec<Box<[crate::ir::RayId]>> = Vec::new();
            for component in 0..self.world.components.len() {
                let walks = self.world.components[component].walks.clone();
                let before = component.checked_sub(1);
                let alike = before.filter(|&b| self.world.components[b].walks == walks);
                covers.push(match alike {
                    Some(before) => covers[before].clone(),
                    None => self.covers_of(&walks),
                });
            }
            self.geometry.covers = Some(covers.into());
        }
        Ok(self.geometry.covers.clone())
    }

    /// By local state a table of the cells that a piece covers beside its first.
    fn covers_of(&mut self, walks: &[Vec<char>]) -> Box<[crate::ir::RayId]> {
        self.laid_along(walks, |site, cells| {
            cells.sort_unstable();
            cells.dedup();
            cells.retain(|&cell| usize::from(cell) != site);
        })
    }

    /// The tables of the cells that a domino covers, with its cells in the order of its walk.
    pub(super) fn domino_walks(&mut self) -> Box<[crate::ir::RayId]> {
        self.laid_along(&[DOMINO.chars().collect()], |_, _| {})
    }

    /// By local state a table of the cells on walks from every site, changed by a function.
    fn laid_along(
        &mut self,
        walks: &[Vec<char>],
        change: impl Fn(usize, &mut Vec<u16>),
    ) -> Box<[crate::ir::RayId]> {
        let topology = &self.world.topology;
        let supported = topology.supported(crate::board::Direction::Orthogonal).to_vec();
        let turns = supported.len().max(1);
        let from = |site: usize, state: usize| -> Option<Box<[u16]>> {
            let (mut place, mut facing) = (site, state % turns);
            let mut cells = Vec::new();
            for turn in walks.get(state / turns).into_iter().flatten() {
                match turn {
                    'R' => facing = Topology::turned(&supported, facing, 1),
                    'L' => facing = Topology::turned(&supported, facing, -1),
                    _ => {
                        let direction = *supported.get(facing)?;
                        place = usize::from(topology.steps(place, direction).last()?);
                        cells.push(place as u16);
                    }
                }
            }
            change(site, &mut cells);
            Some(cells.into())
        };
        let table = |state: usize| {
            let of_site = |site| from(site, state).into_iter().collect();
            let board = (0..topology.sites()).map(of_site);
            let mut paths: Vec<Vec<Box<[u16]>>> = board.collect();
            // A piece off the board takes one site.
            paths.resize(self.world.sites(), vec![Box::default()]);
            paths
        };
        let tables: Vec<_> = (0..4 * walks.len()).map(table).collect();
        tables.into_iter().map(|paths| self.tables.paths(paths)).collect()
    }
}
