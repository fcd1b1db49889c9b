//! Conditions on edges: crossings, and properties of the edges of a player as a graph.

use crate::board::SiteType;
use crate::front::{Call, Label, Name};
use crate::ir::{Bool, Graph, GraphProperty, Int, Region, Role};

use super::places::{fixed_flag, need, role_named};
use super::{Lower, Lowered, unsupported};

impl<'c> Lower<'c> {
    /// `(is Crossing a b)`: true if two edges cross.
    pub(super) fn is_crossing(&mut self, call: &'c Call) -> Lowered<Bool> {
        let crossing =
            Region::Indexed(Box::new((self.crossing_sets(), self.int_at(call, Label::A)?)));
        Ok(Bool::InRegion(Box::new([self.int_at(call, Label::B)?]), Box::new(crossing)))
    }

    /// `(is Tree ..)` and its kin.
    pub(super) fn graph(&mut self, call: &'c Call) -> Lowered<Bool> {
        let edges = self.edges(call)?;
        let property = match call.name() {
            Name::IsTree => GraphProperty::Tree,
            Name::IsSpanningTree => GraphProperty::SpanningTree,
            Name::IsCaterpillarTree => GraphProperty::CaterpillarTree,
            Name::IsRegularGraph => GraphProperty::Regular {
                degree: self.int_opt(call, Label::Degree)?,
                odd: fixed_flag(call, Label::Odd, false)?,
                even: fixed_flag(call, Label::Even, false)?,
            },
            Name::IsTreeCentre => {
                let elements = self.world.elements.iter().find(|e| e.of == SiteType::Vertex);
                let first_vertex = match self.world.site_type() {
                    SiteType::Vertex => Some(0),
                    _ => elements.map(|elements| elements.first),
                };
                GraphProperty::Centre { at: Int::LastTo, first_vertex }
            }
            _ => return Err(unsupported(call)),
        };
        let who = need(call, Label::Who)?;
        let everybody =
            matches!(who.as_constant().and_then(role_named), Some(Role::All | Role::Each));
        let owner = if everybody { None } else { Some(self.who(who)?) };
        let topology = &self.world.topology;
        let ends = (0..edges.count).filter_map(|edge| topology.edge_ends(edge)).collect();
        let vertices = topology.count(SiteType::Vertex);
        Ok(Bool::IsGraph(Box::new(Graph { ends, first: edges.first, vertices, owner, property })))
    }

    /// `(count StepsOnTrack ..)`.
    pub(super) fn steps_on_track(&mut self, call: &'c Call) -> Lowered<Int> {
        // The specification does not tell the default sites.
        if !call.has(Label::From) || !call.has(Label::To) {
            return Err(unsupported(call));
        }
        let tracks = self.track_of(call)?;
        let from = Box::new(self.int_at(call, Label::From)?);
        Ok(Int::StepsOnTrack { tracks, from, to: Box::new(self.int_at(call, Label::To)?) })
    }
}
