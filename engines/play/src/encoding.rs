mod geometry;

use crate::scores::Player;

pub use geometry::{SiteGrid, Symmetry, Turned};

/// The encoding of positions and actions of a game as numbers, for programs that learn. The same
/// numbers mean the same in every position of the game.
///
/// In games of hidden information sites are not places but all that players can perceive, and all
/// that they can do themselves (`did a1`). What a player sees are two kinds: [`NOW`], the own last
/// action and what was perceived since, and [`BEFORE`], what was done and perceived earlier. That
/// is what a player knows, but for how often and in which order it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// The names of the sites, in the order in which planes have them: squares rank by rank from
    /// `a1`.
    pub sites: Vec<String>,
    /// The kinds of content of a site, each of which has a plane.
    pub kinds: Vec<String>,
    /// The labels of all actions that there can be. An action's *code* is its place here.
    pub actions: Vec<String>,
    /// True if there may be actions without a code, or percepts that are no site, see
    /// [`observed_encoding`]. A position where such an action is legal, or in which somebody has
    /// perceived such a thing, cannot be played by codes ([`Progress::Uncoded`]).
    ///
    /// [`observed_encoding`]: crate::observed_encoding
    /// [`Progress::Uncoded`]: crate::Progress::Uncoded
    pub open: bool,
    /// The player whose men a kind is, for each of [`Encoding::kinds`]; `None` for kinds that are
    /// nobody's. In languages in which a piece is but a name, that name tells whose it is, as in
    /// [pictures](crate::picture::PieceWords): `whitePawn`, `wp`, `x`.
    ///
    /// Empty where kinds are no men: in GDL, whose only kind says that the proposition of a site is
    /// true; in Regular Games without a board, whose kinds are values of variables; and in games of
    /// hidden information.
    pub owners: Vec<Option<Player>>,
    /// How the board is turned so that the second player sees it as the first does; `None` where
    /// the sides are not equal, or the engine does not know. See [`Encoding::turned`].
    pub symmetry: Option<Symmetry>,
}

/// The kind of a player's last action, and of what that player perceived since.
pub const NOW: &str = "now";

/// The kind of what a player did and perceived before that.
pub const BEFORE: &str = "before";

/// The label of a pass, the last action of an [`Encoding`] that has one.
pub const PASS: &str = "pass";

impl Encoding {
    /// Every action is a placement on a site: codes are numbers of sites.
    pub fn placements(sites: Vec<String>, kinds: &[&str]) -> Encoding {
        let actions = sites.clone();
        Encoding { sites, actions, ..Encoding::default() }.with_kinds(kinds)
    }

    /// Every action leads from a site to a site, with code `from * sites + to`.
    pub fn moves(sites: Vec<String>, kinds: &[&str]) -> Encoding {
        let from = |from: &String| sites.iter().map(move |to| format!("{from}{to}")).collect();
        let actions = sites.iter().flat_map::<Vec<String>, _>(from).collect();
        Encoding { sites, actions, ..Encoding::default() }.with_kinds(kinds)
    }

    /// Of a game of hidden information: these actions, and all texts that players can perceive.
    pub fn perceived(actions: Vec<String>, percepts: Vec<String>) -> Encoding {
        let kinds = [NOW, BEFORE].map(str::to_owned).into();
        let mut sites = percepts;
        sites.extend(actions.iter().map(|action| did(action)));
        Encoding { sites, kinds, actions, ..Encoding::default() }
    }

    /// The same with these kinds. Two that are called `x` and `o` are both players' men.
    #[must_use]
    pub fn with_kinds(mut self, kinds: &[&str]) -> Encoding {
        self.kinds = kinds.iter().map(|&kind| kind.to_owned()).collect();
        if kinds == ["x", "o"] { self.with_owners(&[0, 1]) } else { self }
    }

    /// The same with the player whose men each kind is, -1 for nobody.
    #[must_use]
    pub fn with_owners(mut self, owners: &[i8]) -> Encoding {
        self.owners = owners.iter().map(|&owner| u8::try_from(owner).ok().map(Player)).collect();
        self
    }

    /// The same with a board that is turned like this for the second player.
    #[must_use]
    pub fn with_symmetry(mut self, symmetry: Symmetry) -> Encoding {
        self.symmetry = Some(symmetry);
        self
    }

    /// The same with a pass, whose code is the last.
    #[must_use]
    pub fn with_pass(mut self) -> Encoding {
        self.actions.push(PASS.to_owned());
        self
    }

    /// True if sites are what players perceive: in games of hidden information.
    pub fn is_perceived(&self) -> bool {
        self.kinds == [NOW, BEFORE]
    }

    /// Bytes of the planes of one position: a byte for each kind and site.
    pub fn plane_bytes(&self) -> usize {
        self.kinds.len() * self.sites.len()
    }
}

/// The percept that tells a player of an own action.
pub(crate) fn did(label: &str) -> String {
    format!("{DID}{label}")
}

/// The action that a percept tells a player of as an own one.
pub(crate) fn done(percept: &str) -> Option<&str> {
    percept.strip_prefix(DID)
}

/// The beginning of a percept that tells of an own action.
const DID: &str = "did ";

/// Writes planes from what lies on each site: 0 for nothing, else the number of a kind counted from
/// 1. `planes` has a byte for each kind and site, kind after kind.
pub fn write_planes(contents: &[u8], planes: &mut [u8]) {
    if contents.is_empty() {
        return;
    }
    for (kind, plane) in (1u8..).zip(planes.chunks_exact_mut(contents.len())) {
        for (out, &content) in plane.iter_mut().zip(contents) {
            *out = u8::from(content == kind);
        }
    }
}

/// Writes a set as bytes: byte `i` is bit `i` of the words, and 0 behind them.
pub fn write_set(words: &[u64], bytes: &mut [u8]) {
    let (whole, rest) = bytes.split_at_mut(bytes.len().min(64 * words.len()));
    rest.fill(0);
    for (bytes, word) in whole.chunks_mut(64).zip(words) {
        let (eights, rest) = bytes.as_chunks_mut();
        for (bytes, bits) in eights.iter_mut().zip(word.to_le_bytes()) {
            *bytes = spread(bits);
        }
        let behind = eights.len();
        let last = spread(word.to_le_bytes().get(behind).copied().unwrap_or(0));
        rest.copy_from_slice(&last[..rest.len()]);
    }
}

/// The eight bits of a byte as bytes, the lowest first.
#[inline(always)]
pub fn spread(bits: u8) -> [u8; 8] {
    // Eight copies, of each of which another bit is kept; what is not zero then carries into the
    // top bit.
    let kept = u64::from(bits).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (((kept + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places_in_the_list_of_actions() {
        let sites: Vec<String> = ["a1", "b1", "c1"].map(str::to_owned).into();
        let placements = Encoding::placements(sites.clone(), &["x", "o"]).with_pass();
        assert_eq!(placements.actions, ["a1", "b1", "c1", "pass"]);
        let moves = Encoding::moves(sites, &["x", "o"]);
        assert_eq!((moves.actions.len(), moves.actions[5].as_str()), (9, "b1c1"));
        assert_eq!(moves.plane_bytes(), 6);
    }

    #[test]
    fn a_set_has_a_byte_for_each_bit() {
        let words = [0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef];
        for length in [0, 1, 7, 8, 9, 63, 64, 65, 121, 128, 140] {
            let mut bytes = vec![9; length];
            write_set(&words, &mut bytes);
            let bit = |i: usize| words.get(i / 64).map_or(0, |word| (word >> (i % 64) & 1) as u8);
            assert_eq!(bytes, (0..length).map(bit).collect::<Vec<_>>());
        }
    }

    #[test]
    fn each_kind_has_a_plane() {
        let mut planes = [9; 6];
        write_planes(&[0, 2, 1], &mut planes);
        assert_eq!(planes, [0, 0, 1, 0, 1, 0]);
    }
}
