//! The fixed objects of a game: board, players, containers, components, regions, maps, tracks.

use crate::board::{Direction, SiteType, Topology};

/// A kind of container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContainerKind {
    /// The board itself.
    Board,
    /// A player's hand.
    Hand,
    /// A strip for all dice.
    Dice,
    /// A pile of cards.
    Deck,
}

/// The elements of a type other than that of the board, if rules use them. They have sites behind
/// those of all containers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) of: SiteType,
    /// First site.
    pub(crate) first: usize,
    /// Number of sites.
    pub(crate) count: usize,
}

/// A container of sites.
#[derive(Clone, Debug)]
pub(crate) struct Container {
    pub(crate) name: String,
    pub(crate) kind: ContainerKind,
    /// A player, 0 for nobody, players + 1 for everybody.
    pub(crate) owner: u8,
    /// First site.
    pub(crate) first: usize,
    /// Number of sites.
    pub(crate) size: usize,
}

/// A kind of piece.
#[derive(Clone, Default, Debug)]
pub(crate) struct Component {
    /// Its full name, with the number of its owner.
    pub(crate) name: String,
    /// A player, 0 for nobody, players + 1 for everybody.
    pub(crate) owner: u8,
    /// The direction in which it looks.
    pub(crate) facing: Option<Direction>,
    /// The local states that change into each other when it is turned over.
    pub(crate) flips: Option<(i32, i32)>,
    /// The cells of a piece of several cells, as walks from its first cell; none for other pieces.
    pub(crate) walks: Vec<Vec<char>>,
    /// The paths on a tile, if it has any.
    pub(crate) tile: Option<Tile>,
    /// The pips on both halves of a domino.
    pub(crate) pips: Option<(i32, i32)>,
}

/// The suit, rank and value of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Card {
    pub(crate) suit: i32,
    pub(crate) rank: i32,
    pub(crate) value: i32,
    /// Rank and value if its suit is trump.
    pub(crate) trump_rank: i32,
    pub(crate) trump_value: i32,
}

impl Card {
    /// The numbers of components that are no cards.
    pub(crate) const NONE: Card =
        Card { suit: -1, rank: -1, value: -1, trump_rank: -1, trump_value: -1 };
}

/// A tile with paths between its sides.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tile {
    /// Number of places on each side where a path can end.
    pub(crate) slots: Vec<usize>,
    pub(crate) paths: Vec<TilePath>,
}

/// A path across a tile.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TilePath {
    /// Side and slot of both ends.
    pub(crate) ends: [(usize, usize); 2],
    pub(crate) colour: i32,
}

impl Component {
    /// True if rules that name pieces without the number of their owner mean this component. The
    /// name counts without trailing digits; if it consists of digits, without the number of its
    /// owner.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        match self.name.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "" => {
                let declared = self.name.strip_suffix(&self.owner.to_string());
                self.name == name || declared == Some(name)
            }
            bare => bare == name,
        }
    }
}

/// A named region.
#[derive(Clone, Debug)]
pub(crate) struct NamedRegion {
    pub(crate) name: String,
    /// A player, 0 for nobody, players + 1 for everybody.
    pub(crate) owner: u8,
    /// The regions that it is written as, each sorted.
    pub(crate) parts: Vec<Vec<u16>>,
}

/// A named table of numbers.
#[derive(Clone, Debug)]
pub(crate) struct NamedMap {
    pub(crate) name: String,
    /// Keys and values, sorted by key.
    pub(crate) pairs: Vec<(i32, i32)>,
}

/// A named sequence of sites.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) name: String,
    pub(crate) owner: u8,
    pub(crate) looped: bool,
    /// True if it visits some site twice, without staying there.
    pub(crate) internal: bool,
    /// Sites in order; repetitions in a row are one element. -2 is the end beyond the board.
    pub(crate) sites: Vec<i32>,
    /// A flag for each site that is written several times in a row.
    pub(crate) bends: Vec<bool>,
    /// The first place of each site on the track, by its number; `u16::MAX` for sites that are not
    /// on it.
    places: Box<[u16]>,
}

impl Track {
    pub(crate) fn new(
        name: String,
        owner: u8,
        looped: bool,
        internal: bool,
        sites: Vec<i32>,
        bends: Vec<bool>,
    ) -> Track {
        let mut places = Vec::new();
        for (place, &site) in sites.iter().enumerate() {
            let Ok(site) = u16::try_from(site).map(usize::from) else { continue };
            if places.len() <= site {
                places.resize(site + 1, u16::MAX);
            }
            places[site] = places[site].min(place as u16);
        }
        Track { name, owner, looped, internal, sites, bends, places: places.into() }
    }

    /// The first place of a site.
    pub(crate) fn place(&self, site: i32) -> Option<usize> {
        match usize::try_from(site) {
            Ok(site) => {
                let place = *self.places.get(site)?;
                (place != u16::MAX).then_some(usize::from(place))
            }
            // A number that is no site may represent the end.
            Err(_) => self.sites.iter().position(|&s| s == site),
        }
    }
}

/// A track that visits some site twice, with the variables of the state that hold the places of
/// pieces on it.
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    /// Index of the track.
    pub(crate) track: usize,
    /// Components that are followed, in ascending order.
    pub(crate) components: Vec<u16>,
    /// The places of each site on the track, in order.
    pub(crate) places: Vec<Vec<u16>>,
    /// For each site with several places, the first of its own counts among those of a component.
    pub(crate) slots: Vec<Option<u32>>,
    /// Number of counts of a component.
    pub(crate) slot_count: usize,
    /// The variable with the first count of the first component.
    pub(crate) first_var: usize,
}

impl Crossing {
    /// The name of all variables with places; no description can contain it.
    pub(crate) const VAR: &str = "\0place";

    /// A crossing track whose pieces are followed by variables from `first_var` on: the pieces of
    /// the owner of the track, or all if it has none.
    pub(crate) fn new(world: &World, track: usize, first_var: usize) -> Crossing {
        let mut places = vec![Vec::new(); world.sites()];
        for (place, &site) in world.tracks[track].sites.iter().enumerate() {
            if let Some(list) = usize::try_from(site).ok().and_then(|s| places.get_mut(s)) {
                list.push(place as u16);
            }
        }
        let mut slot_count = 0;
        let slots = places.iter().map(|list| {
            let slot = (list.len() > 1).then_some(slot_count as u32);
            slot_count += slot.map_or(0, |_| list.len());
            slot
        });
        let slots = slots.collect();
        let owner = world.tracks[track].owner;
        let followed = |c: &u16| {
            let piece = &world.components[usize::from(*c)];
            let die =
                world.dice.as_ref().map_or(0..0, |d| d.component..d.component + d.faces.len());
            (owner == 0 || piece.owner == owner) && !die.contains(&usize::from(*c))
        };
        let components = (1..world.components.len() as u16).filter(followed).collect();
        Crossing { track, components, places, slots, slot_count, first_var }
    }
}

/// The name of the variable of the pot, which no description can contain.
pub(crate) const POT: &str = "\0pot";

/// Prefix of the names of variables with the teams of players; the number of the player follows.
pub(crate) const TEAM: &str = "\0team";

/// The name of the variable with the suit that is trump.
pub(crate) const TRUMP: &str = "\0trump";

/// The name of the list of dominoes that nobody has taken.
pub(crate) const BAG: &str = "\0bag";

/// Prefix of the names of variables with bets; the number of the player follows.
pub(crate) const AMOUNT: &str = "\0amount";

/// The name of the variable with the number of games of a match that are over.
pub(crate) const MATCH_GAMES_PLAYED: &str = "\0bouts played";

/// Prefix of the names of variables with scores in a match; the number of the player follows.
pub(crate) const MATCH_SCORE: &str = "\0match score";

/// The fixed objects of a game.
pub(crate) struct World {
    pub(crate) topology: Topology,
    pub(crate) players: usize,
    /// Team of each player from 0, if there are teams.
    pub(crate) teams: Option<Vec<u8>>,
    /// The variable with the team of the first player, followed by those of the others, if teams
    /// change.
    pub(crate) team_var: Option<usize>,
    pub(crate) containers: Vec<Container>,
    /// Elements of types other than that of the board.
    pub(crate) elements: Vec<Elements>,
    /// Components from 1; 0 stands for an empty site.
    pub(crate) components: Vec<Component>,
    /// The cards by component, up to the last card.
    pub(crate) cards: Vec<Card>,
    pub(crate) regions: Vec<NamedRegion>,
    pub(crate) maps: Vec<NamedMap>,
    pub(crate) tracks: Vec<Track>,
    /// Tracks that cross themselves, if rules read places on them.
    pub(crate) crossings: Vec<Crossing>,
    /// The dice, if there are any.
    pub(crate) dice: Option<Dice>,
}

/// The dice of a game, which share one container.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    /// Site of the first die.
    pub(crate) first: usize,
    /// Component of the first die; the others follow.
    pub(crate) component: usize,
    /// The player who owns them.
    pub(crate) owner: u8,
    /// The values on the faces of each die.
    pub(crate) faces: Vec<Vec<i32>>,
}

impl World {
    /// The type of element that is played on.
    pub(crate) fn site_type(&self) -> SiteType {
        self.topology.site_type()
    }

    /// Number of sites of all containers and of all elements, with the gaps between them.
    pub(crate) fn sites(&self) -> usize {
        let containers = self.containers.last().map_or(0, |c| c.first + c.size);
        self.elements.last().map_or(containers, |e| e.first + e.count)
    }

    /// The elements of another type that a site belongs to.
    pub(crate) fn elements_at(&self, site: usize) -> Option<&Elements> {
        self.elements.iter().find(|e| (e.first..e.first + e.count).contains(&site))
    }

    /// The number that rules have for a site.
    #[inline]
    pub(crate) fn number(&self, site: i32) -> i32 {
        let elements = usize::try_from(site).ok().and_then(|site| self.elements_at(site));
        elements.map_or(site, |elements| site - elements.first as i32)
    }

    /// Sites of the board.
    pub(crate) fn board(&self) -> Vec<u16> {
        (0..self.topology.sites() as u16).collect()
    }

    /// Sites of all containers.
    pub(crate) fn everywhere(&self) -> Vec<u16> {
        let all = self.containers.iter().flat_map(|c| c.first..c.first + c.size);
        all.map(|s| s as u16).collect()
    }

    /// Sites of all containers, and of the elements of other types.
    pub(crate) fn all_sites(&self) -> Vec<u16> {
        let mut sites = self.everywhere();
        let elements = self.elements.iter().flat_map(|e| e.first..e.first + e.count);
        sites.extend(elements.map(|site| site as u16));
        sites
    }

    /// The first container beside the board that belongs to a player, or to everybody.
    pub(crate) fn hand(&self, owner: u8) -> Option<&Container> {
        self.containers.iter().find(|c| c.kind != ContainerKind::Board && c.owner == owner)
    }

    /// The component with exactly this name.
    pub(crate) fn component(&self, name: &str) -> Option<u16> {
        let found = self.components.iter().skip(1).position(|c| c.name == name);
        found.map(|i| i as u16 + 1)
    }

    /// The first component of an owner whose name contains a text.
    pub(crate) fn component_of(&self, name: &str, owner: u8) -> Option<u16> {
        let fits = |c: &Component| c.owner == owner && c.name.contains(name);
        self.components.iter().skip(1).position(fits).map(|i| i as u16 + 1)
    }

    /// The direction in which a component looks; pieces without a facing look north.
    pub(crate) fn facing(&self, component: usize) -> Direction {
        self.components.get(component).and_then(|c| c.facing).unwrap_or(Direction::N)
    }

    /// A site as people write it: the coordinate of the board in lower case, or the name of the
    /// container.
    pub(crate) fn site_label(&self, site: usize) -> String {
        if site < self.topology.sites() {
            let label = self.topology.label(self.site_type(), site).to_lowercase();
            return if label.is_empty() { format!("e{site}") } else { label };
        }
        if let Some(elements) = self.elements_at(site) {
            let element = site - elements.first;
            let label = self.topology.label(elements.of, element).to_lowercase();
            let letter = format!("{:?}", elements.of).to_lowercase();
            return format!(
                "{letter}:{}",
                if label.is_empty() { element.to_string() } else { label }
            );
        }
        let holds = |c: &&Container| (c.first..c.first + c.size).contains(&site);
        match self.containers.iter().skip(1).find(holds) {
            Some(c) if c.size == 1 => c.name.to_lowercase(),
            Some(c) => format!("{}.{}", c.name.to_lowercase(), site - c.first + 1),
            None => format!("s{site}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_called_without_the_number_of_their_owner() {
        let piece = |name: &str, owner| {
            let name = name.to_owned();
            Component { name, owner, ..Component::default() }
        };
        assert!(piece("Pawn1", 1).is_called("Pawn") && !piece("Pawn1", 1).is_called("Pawn1"));
        // Of a name made of digits only the number of the owner is removed.
        assert!(piece("71", 1).is_called("7") && piece("7", 1).is_called("7"));
        assert!(!piece("71", 1).is_called("") && !piece("72", 2).is_called("2"));
    }
}
