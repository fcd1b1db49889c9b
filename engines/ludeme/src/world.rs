//! The things that rules talk about and that never change: board, players, containers, components,
//! regions, maps, tracks.

use crate::board::{Direction, SiteType, Topology};

/// A kind of container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContainerKind {
    /// The board itself.
    Board,
    /// A player's hand.
    Hand,
    /// Where all dice lie.
    Dice,
    /// A pile of cards.
    Deck,
}

/// The elements of a type that the board is not played on, where rules use them all the same: they
/// have sites behind those of all containers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) of: SiteType,
    /// First site.
    pub(crate) first: usize,
    /// Number of sites.
    pub(crate) count: usize,
}

/// Something that has sites.
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
    /// Which way it looks.
    pub(crate) facing: Option<Direction>,
    /// The local states that change into each other when it is turned over.
    pub(crate) flips: Option<(i32, i32)>,
    /// Where a piece of several cells lies, as walks from its first cell; none of other pieces.
    pub(crate) walks: Vec<Vec<char>>,
    /// The paths on it, of a tile that has any.
    pub(crate) tile: Option<Tile>,
    /// What both halves of a domino show.
    pub(crate) pips: Option<(i32, i32)>,
}

/// What a card says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Card {
    pub(crate) suit: i32,
    pub(crate) rank: i32,
    pub(crate) value: i32,
    /// Rank and value where its suit is trump.
    pub(crate) trump_rank: i32,
    pub(crate) trump_value: i32,
}

impl Card {
    /// What is no card says nothing.
    pub(crate) const NONE: Card =
        Card { suit: -1, rank: -1, value: -1, trump_rank: -1, trump_value: -1 };
}

/// A tile with paths between its sides.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tile {
    /// How many places there are on each side where a path can end.
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
    /// True if rules that name pieces without the number of their owner mean this one: by the name
    /// without trailing digits, or, where it has nothing else, without its owner's.
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
    /// The regions it was written as, each sorted.
    pub(crate) parts: Vec<Vec<u16>>,
}

/// A named table of numbers.
#[derive(Clone, Debug)]
pub(crate) struct NamedMap {
    pub(crate) name: String,
    /// Sorted by key.
    pub(crate) pairs: Vec<(i32, i32)>,
}

/// A named sequence of sites.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) name: String,
    pub(crate) owner: u8,
    pub(crate) looped: bool,
    /// True if it comes by some site twice, without staying there.
    pub(crate) internal: bool,
    /// Sites in order; repetitions in a row are one element. -2 is the end beyond the board.
    pub(crate) sites: Vec<i32>,
    /// Whether each of them is written several times in a row.
    pub(crate) bends: Vec<bool>,
    /// Where each site comes first, by its number; `u16::MAX` for those that are not on it.
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
            // What is no site may stand for the end.
            Err(_) => self.sites.iter().position(|&s| s == site),
        }
    }
}

/// A track that comes by some site twice, and the variables of the state that keep where pieces are
/// on it.
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    /// The track.
    pub(crate) track: usize,
    /// Components that are followed, in ascending order.
    pub(crate) components: Vec<u16>,
    /// The places of each site on the track, in order.
    pub(crate) places: Vec<Vec<u16>>,
    /// For each site with several places, the first of the counts of a component that are its own.
    pub(crate) slots: Vec<Option<u32>>,
    /// Counts of a component.
    pub(crate) slot_count: usize,
    /// The variable that is the first count of the first component.
    pub(crate) first_var: usize,
}

impl Crossing {
    /// The name of all variables that keep places: none that a description can give.
    pub(crate) const VAR: &str = "\0place";

    /// How the pieces on a track are followed, by variables from a number on. Those of the track's
    /// owner are, or all if it has none.
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

/// The variable of the pot; a name that no description can give.
pub(crate) const POT: &str = "\0pot";

/// How the variables of the teams of players begin; their numbers follow.
pub(crate) const TEAM: &str = "\0team";

/// The variable of the suit that is trump.
pub(crate) const TRUMP: &str = "\0trump";

/// The list of the dominoes that nobody has taken.
pub(crate) const BAG: &str = "\0bag";

/// How the variables of what players have bet begin; their numbers follow.
pub(crate) const AMOUNT: &str = "\0amount";

/// Name of the variable with how many games of a match are over.
pub(crate) const MATCH_GAMES_PLAYED: &str = "\0bouts played";

/// Name of the variable with what a player has scored in a match, before the player's number.
pub(crate) const MATCH_SCORE: &str = "\0match score";

/// Everything that never changes.
pub(crate) struct World {
    pub(crate) topology: Topology,
    pub(crate) players: usize,
    /// Team of each player from 0, where there are teams.
    pub(crate) teams: Option<Vec<u8>>,
    /// The variable with the team of the first player, which those of the others follow, where
    /// teams change.
    pub(crate) team_var: Option<usize>,
    pub(crate) containers: Vec<Container>,
    /// Elements of other types.
    pub(crate) elements: Vec<Elements>,
    /// Components from 1; 0 stands for an empty site.
    pub(crate) components: Vec<Component>,
    /// By component up to the last card.
    pub(crate) cards: Vec<Card>,
    pub(crate) regions: Vec<NamedRegion>,
    pub(crate) maps: Vec<NamedMap>,
    pub(crate) tracks: Vec<Track>,
    /// Tracks that cross themselves, where rules ask for places on them.
    pub(crate) crossings: Vec<Crossing>,
    /// Dice, where there are any.
    pub(crate) dice: Option<Dice>,
}

/// The dice of a game, which share one container.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    /// Site of the first die.
    pub(crate) first: usize,
    /// Component of the first die; the others follow.
    pub(crate) component: usize,
    /// Who owns them.
    pub(crate) owner: u8,
    /// What the faces of each die show.
    pub(crate) faces: Vec<Vec<i32>>,
}

impl World {
    /// The type of element that is played on.
    pub(crate) fn site_type(&self) -> SiteType {
        self.topology.site_type()
    }

    /// Number of sites of all containers and of all elements, gaps between them included.
    pub(crate) fn sites(&self) -> usize {
        let containers = self.containers.last().map_or(0, |c| c.first + c.size);
        self.elements.last().map_or(containers, |e| e.first + e.count)
    }

    /// The elements of another type that a site belongs to.
    pub(crate) fn elements_at(&self, site: usize) -> Option<&Elements> {
        self.elements.iter().find(|e| (e.first..e.first + e.count).contains(&site))
    }

    /// The number that rules know a site by.
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

    /// The first component with a name that contains this, of an owner.
    pub(crate) fn component_of(&self, name: &str, owner: u8) -> Option<u16> {
        let fits = |c: &Component| c.owner == owner && c.name.contains(name);
        self.components.iter().skip(1).position(fits).map(|i| i as u16 + 1)
    }

    /// The way a component looks; pieces without a facing look north.
    pub(crate) fn facing(&self, component: usize) -> Direction {
        self.components.get(component).and_then(|c| c.facing).unwrap_or(Direction::N)
    }

    /// A site as people write it: the board's coordinate in lower case, or the container's name.
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
        // Named by digits alone: with two players the number of the owner follows, with one not.
        assert!(piece("71", 1).is_called("7") && piece("7", 1).is_called("7"));
        assert!(!piece("71", 1).is_called("") && !piece("72", 2).is_called("2"));
    }
}
