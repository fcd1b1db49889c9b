//! Numbers that count something.

use crate::board::{Direction, SiteType};
use crate::front::{Call, Label, Name, Word};
use crate::ir::{Around, Int, Ints, Place, Region, Role};

use super::cards::has_dominoes;
use super::elements::place_of;
use super::places::{any_type, default_type, need, pieces_named, reach_of};
use super::{Lower, Lowered, unsupported};
use crate::world::BAG;

impl<'c> Lower<'c> {
    /// Lowers a number that counts something.
    pub(super) fn count(&mut self, call: &'c Call) -> Lowered<Int> {
        use Name::*;
        let topology = &self.world.topology;
        let site = self.world.site_type();
        Ok(match call.name() {
            CountMoves => Int::Moves,
            CountTurns => Int::Turns,
            CountMovesThisTurn => Int::MovesThisTurn,
            CountPlayers => Int::Const(self.world.players as i32),
            CountActive => Int::ActivePlayers,
            CountRows => Int::Const(topology.rows(site) as i32),
            CountColumns => Int::Const(topology.columns(site) as i32),
            CountCells => Int::Const(topology.count(SiteType::Cell) as i32),
            CountVertices => Int::Const(topology.count(SiteType::Vertex) as i32),
            CountEdges => Int::Const(topology.count(SiteType::Edge) as i32),
            // A game outside of matches is the first.
            CountTrials if self.within.is_some() => Int::Var(self.match_games_played()),
            CountTrials => Int::Const(0),
            CountPhases => Int::Const(self.rules.names.phases.len().max(1) as i32),
            CountLegalMoves => Int::LegalMoves,
            CountStepsOnTrack => self.steps_on_track(call)?,
            CountAdjacent | CountNeighbours | CountOrthogonal | CountDiagonal | CountOff => {
                self.neighbours_of(call)?
            }
            CountPieces if call.text(Label::Name) == Some("Bag") && has_dominoes(&self.world) => {
                Int::ArraySize(Box::new(Ints::Remembered(self.rules.names.list(Some(BAG)))))
            }
            CountPieces => self.count_pieces(call)?,
            CountPips => self.count_pips(call)?,
            CountStack => self.count_levels(call)?,
            CountSites if call.has(Label::Container) => self.container_size(call)?,
            CountSites => {
                let region = call.arg(Label::In).ok_or_else(|| unsupported(call))?;
                Int::CountSites(Box::new(self.region(region)?))
            }
            Count => self.count_at(call)?,
            CountGroups => self.count_groups(call)?,
            CountLiberties => self.count_liberties(call)?,
            CountSteps => self.count_steps(call)?,
            CountValue => {
                let value = Box::new(self.int_at(call, Label::Value)?);
                Int::CountValue { value, values: Box::new(self.ints(need(call, Label::In)?)?) }
            }
            _ => return Err(unsupported(call)),
        })
    }

    /// `(count Pieces ..)`: the number of some pieces.
    fn count_pieces(&mut self, call: &'c Call) -> Lowered<Int> {
        let owners = self.owners(call.arg(Label::Who).or(call.arg(Label::Of)), Role::All)?;
        let pieces = pieces_named(&self.world, owners, call.text(Label::Name));
        let within = self.within_type(call)?.map(Box::new);
        Ok(Int::CountPieces { pieces, within, condition: self.condition(call, Label::If)? })
    }

    /// `(count Pips ..)`: the sum that the dice of a player show. All dice lie together, so it is
    /// the sum of the first ones with this owner.
    fn count_pips(&mut self, call: &'c Call) -> Lowered<Int> {
        let owner = match call.arg(Label::Who).or(call.arg(Label::Of)) {
            Some(arg) => self.who(arg)?,
            None => Int::Const(self.world.players as i32 + 1),
        };
        let theirs = self.world.dice.as_ref().map(|d| i32::from(d.owner));
        Ok(match (owner.constant(), theirs) {
            (Some(owner), Some(theirs)) if owner != theirs => Int::Const(0),
            (_, None) => Int::Const(0),
            _ => Int::Pips,
        })
    }

    /// `(count Stack ..)`: the number of levels of stacks that satisfy a condition.
    fn count_levels(&mut self, call: &'c Call) -> Lowered<Int> {
        any_type(&self.world, call)?;
        let at = call.arg(Label::At).or(call.arg(Label::To)).ok_or_else(|| unsupported(call))?;
        Ok(Int::CountStack {
            at: Box::new(self.place(at)?),
            from_top: call.constant(Label::From) == Some(Word::FromTop),
            condition: self.condition(call, Label::If)?,
            stop: self.condition(call, Label::Stop)?,
        })
    }

    /// `(count ..)`: the number of pieces on a site, or in a region.
    fn count_at(&mut self, call: &'c Call) -> Lowered<Int> {
        let reach = reach_of(&self.world, call)?;
        Ok(match (call.arg(Label::At), call.arg(Label::In)) {
            (None, None) => Int::Count { at: Box::new(Int::LastTo), reach },
            (Some(_), _) => Int::Count { at: Box::new(self.site_at(call, Label::At)?), reach },
            (_, Some(region)) => {
                let region = Place::Region(self.region(region)?);
                let Place::Region(region) = place_of(&self.world, call, region) else {
                    return Err(unsupported(call));
                };
                Int::CountIn { region: Box::new(region), reach }
            }
        })
    }

    /// `(count Groups ..)`: the number of groups.
    fn count_groups(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let jumps = self.neighbours(call.arg(Label::Directions))?;
        let min = Box::new(self.int_or(call, Label::Min, Int::Const(0))?);
        let condition = self.condition(call, Label::If)?;
        Ok(Int::CountGroups { jumps, condition: self.group_condition(condition), min })
    }

    /// `(count Liberties ..)`: the number of empty sites beside a group.
    fn count_liberties(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let jumps = self.neighbours(call.arg(Label::Directions))?;
        let at = Box::new(self.int_or(call, Label::At, Int::LastTo)?);
        Ok(Int::CountLiberties { jumps, at, condition: self.condition(call, Label::If)? })
    }

    /// `(count Steps ..)`: the number of steps from a site to a place.
    fn count_steps(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        if call.has(Label::NewRotation) {
            return Err(unsupported(call));
        }
        if let Some(step) = call.arg(Label::Step) {
            let (jumps, condition) = self.step_of(step)?;
            let from = Box::new(self.int_at(call, Label::From)?);
            let to = Box::new(self.place(need(call, Label::To)?)?);
            return Ok(Int::StepsByMove { jumps, condition, from, to });
        }
        let relation = self.rules.features.distances.unwrap_or(Direction::Adjacent);
        let distances = self.tables.distance(&self.world.topology, relation);
        let from = Box::new(self.int_at(call, Label::From)?);
        let to = Box::new(self.place(need(call, Label::To)?)?);
        Ok(Int::CountSteps { distances, from, to })
    }

    /// `(count Sites in:..)`: the number of sites of a container.
    fn container_size(&mut self, call: &'c Call) -> Lowered<Int> {
        let name = call.text(Label::Container).unwrap_or_default();
        let found = self.world.containers.iter().find(|c| c.name == name);
        let Some(container) = found else { return Err(unsupported(call)) };
        Ok(Int::Const(container.size as i32))
    }

    /// `(count Adjacent ..)` and its kin: the number of neighbours of a site.
    fn neighbours_of(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let relation = match call.name() {
            Name::CountAdjacent => Direction::Adjacent,
            // Neighbours are what an edge joins: vertices by it, cells across it.
            Name::CountOrthogonal | Name::CountNeighbours => Direction::Orthogonal,
            Name::CountDiagonal => Direction::Diagonal,
            _ => Direction::OffDiagonal,
        };
        // The first site of a region counts.
        let site =
            match call.arg(Label::At).or(call.arg(Label::In)).map(|a| self.place(a)).transpose()? {
                None => Int::LastTo,
                Some(Place::Site(site)) => site,
                Some(Place::Region(region)) => Int::RegionSite(Box::new((region, Int::Const(0)))),
            };
        let around = Region::Around {
            rays: self.rays_in(relation),
            origins: Box::new(Place::Site(site)),
            kind: Around::Any,
            distance: Box::new(Int::Const(1)),
            condition: None,
            include_self: false,
        };
        Ok(Int::CountSites(Box::new(around)))
    }
}
