//! Numbers that count something.

use crate::board::{Direction, SiteType};
use crate::front::Call;
use crate::ir::{Around, Int, Ints, Place, Region, Role};

use super::places::need;
use super::{Lower, Lowered, unsupported};
use crate::world::BAG;

impl<'c> Lower<'c> {
    /// A number that counts something.
    pub(super) fn count(&mut self, call: &'c Call) -> Lowered<Int> {
        let topology = &self.world.topology;
        let site = self.world.site_type();
        Ok(match call.name() {
            "count Moves" => Int::Moves,
            "count Turns" => Int::Turns,
            "count MovesThisTurn" => Int::MovesThisTurn,
            "count Players" => Int::Const(self.world.players as i32),
            "count Active" => Int::ActivePlayers,
            "count Rows" => Int::Const(topology.rows(site) as i32),
            "count Columns" => Int::Const(topology.columns(site) as i32),
            "count Cells" => Int::Const(topology.count(SiteType::Cell) as i32),
            "count Vertices" => Int::Const(topology.count(SiteType::Vertex) as i32),
            "count Edges" => Int::Const(topology.count(SiteType::Edge) as i32),
            // Outside of matches it is the first.
            "count Trials" if self.in_match => Int::Var(self.match_games_played()),
            "count Trials" => Int::Const(0),
            "count Phases" => Int::Const(self.phase_names.len().max(1) as i32),
            "count LegalMoves" => Int::LegalMoves,
            "count StepsOnTrack" => self.steps_on_track(call)?,
            "count Adjacent" | "count Neighbours" | "count Orthogonal" | "count Diagonal"
            | "count Off" => self.neighbours_of(call)?,
            "count Pieces" if call.text("name") == Some("Bag") && self.has_dominoes() => {
                Int::ArraySize(Box::new(Ints::Remembered(self.list(Some(BAG)))))
            }
            "count Pieces" => self.count_pieces(call)?,
            "count Pips" => self.count_pips(call)?,
            "count Stack" => self.count_levels(call)?,
            "count Sites" if call.has("container") => self.container_size(call)?,
            "count Sites" => {
                let region = call.arg("in").ok_or_else(|| unsupported(call))?;
                Int::CountSites(Box::new(self.region(region)?))
            }
            "count" => self.count_at(call)?,
            "count Groups" => self.count_groups(call)?,
            "count Liberties" => self.count_liberties(call)?,
            "count Steps" => self.count_steps(call)?,
            "count Value" => {
                let value = Box::new(self.int_at(call, "value")?);
                Int::CountValue { value, values: Box::new(self.ints(need(call, "in")?)?) }
            }
            _ => return Err(unsupported(call)),
        })
    }

    /// How many there are of some pieces.
    fn count_pieces(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let owners = self.owners(call.arg("who").or(call.arg("of")), Role::All)?;
        let pieces = self.pieces_named(owners, call.text("name"));
        let within = call.arg("in").map(|a| self.region(a)).transpose()?.map(Box::new);
        Ok(Int::CountPieces { pieces, within, condition: self.condition(call, "if")? })
    }

    /// What the dice of a player show in all: the sum of the first ones with this owner, as all
    /// dice lie together.
    fn count_pips(&mut self, call: &'c Call) -> Lowered<Int> {
        let owner = match call.arg("who").or(call.arg("of")) {
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

    /// How many levels of stacks satisfy a condition.
    fn count_levels(&mut self, call: &'c Call) -> Lowered<Int> {
        self.any_type(call)?;
        let at = call.arg("at").or(call.arg("to")).ok_or_else(|| unsupported(call))?;
        Ok(Int::CountStack {
            at: Box::new(self.place(at)?),
            from_top: call.constant("from") == Some("FromTop"),
            condition: self.condition(call, "if")?,
            stop: self.condition(call, "stop")?,
        })
    }

    /// How many pieces are on a site, or in a region.
    fn count_at(&mut self, call: &'c Call) -> Lowered<Int> {
        let reach = self.reach(call)?;
        Ok(match (call.arg("at"), call.arg("in")) {
            (None, None) => Int::Count { at: Box::new(Int::LastTo), reach },
            (Some(_), _) => Int::Count { at: Box::new(self.site_at(call, "at")?), reach },
            (_, Some(region)) => {
                let region = Place::Region(self.region(region)?);
                let Place::Region(region) = self.place_of(call, region) else {
                    return Err(unsupported(call));
                };
                Int::CountIn { region: Box::new(region), reach }
            }
        })
    }

    /// How many groups there are.
    fn count_groups(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let jumps = self.neighbours(call.arg("directions"))?;
        let min = Box::new(self.int_or(call, "min", Int::Const(0))?);
        let condition = self.condition(call, "if")?;
        Ok(Int::CountGroups { jumps, condition: self.group_condition(condition), min })
    }

    /// How many empty sites are beside a group.
    fn count_liberties(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let jumps = self.neighbours(call.arg("directions"))?;
        let at = Box::new(self.int_or(call, "at", Int::LastTo)?);
        Ok(Int::CountLiberties { jumps, at, condition: self.condition(call, "if")? })
    }

    /// How many steps lead from a site to a place.
    fn count_steps(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        if call.has("newRotation") {
            return Err(unsupported(call));
        }
        if let Some(step) = call.arg("step") {
            let (jumps, condition) = self.step_of(step)?;
            let from = Box::new(self.int_at(call, "from")?);
            let to = Box::new(self.place(need(call, "to")?)?);
            return Ok(Int::StepsByMove { jumps, condition, from, to });
        }
        let relation = self.features.distances.unwrap_or(Direction::Adjacent);
        let distances = self.tables.distance(&self.world.topology, relation);
        let from = Box::new(self.int_at(call, "from")?);
        let to = Box::new(self.place(need(call, "to")?)?);
        Ok(Int::CountSteps { distances, from, to })
    }

    /// How many sites a container has.
    fn container_size(&mut self, call: &'c Call) -> Lowered<Int> {
        let name = call.text("container").unwrap_or_default();
        let found = self.world.containers.iter().find(|c| c.name == name);
        let Some(container) = found else { return Err(unsupported(call)) };
        Ok(Int::Const(container.size as i32))
    }

    /// How many neighbours a site has.
    fn neighbours_of(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let relation = match call.name() {
            "count Adjacent" => Direction::Adjacent,
            // Neighbours are what an edge joins: vertices by it, cells across it.
            "count Orthogonal" | "count Neighbours" => Direction::Orthogonal,
            "count Diagonal" => Direction::Diagonal,
            _ => Direction::OffDiagonal,
        };
        // Of a region the first site counts.
        let site = match call.arg("at").or(call.arg("in")).map(|a| self.place(a)).transpose()? {
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
