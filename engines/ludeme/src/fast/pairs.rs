//! Sites that follow from where a move goes from and to and from nothing else, such as the one that it
//! jumps over: worked out once for every pair.

use crate::eval::Eval;
use crate::game::{Game, Jumps};
use crate::ir::{Around, Bool, ByPiece, Int, Iter, Layer, Place, Region};
use crate::set::Set;

/// The origin and the destination, as rules name them.
pub(super) struct Ends {
    from: Int,
    to: Int,
}

impl Ends {
    /// While moves are looked for.
    pub(super) const BEFORE: Ends = Ends { from: Int::Iter(Iter::From), to: Int::Iter(Iter::To) };

    /// When the move has been made.
    pub(super) const AFTER: Ends = Ends { from: Int::LastFrom, to: Int::LastTo };

    /// Whether a number follows from the two.
    pub(super) fn tell(&self, int: &Int) -> bool {
        match int {
            Int::Const(_) => true,
            Int::Table(pair) => self.tell(&pair.1),
            Int::Fold(_, list) => list.iter().all(|part| self.tell(part)),
            Int::RegionSite(pair) => self.tell_region(&pair.0) && self.tell(&pair.1),
            Int::Ahead { rays: ByPiece::Same(_), site, steps } => {
                self.tell(site) && self.tell(steps)
            }
            int => *int == self.from || *int == self.to,
        }
    }

    pub(super) fn tell_place(&self, place: &Place) -> bool {
        match place {
            Place::Site(site) => self.tell(site),
            Place::Region(region) => self.tell_region(region),
        }
    }

    /// Whether a region follows from the two.
    pub(super) fn tell_region(&self, region: &Region) -> bool {
        match region {
            Region::Static(_) => true,
            Region::Union(list) | Region::Intersection(list) => {
                list.iter().all(|r| self.tell_region(r))
            }
            Region::Difference(pair) => self.tell_region(&pair.0) && self.tell_region(&pair.1),
            Region::List(list) => list.iter().all(|int| self.tell(int)),
            Region::Around { origins, kind: Around::Any, distance, condition: None, .. } => {
                self.tell_place(origins) && self.tell(distance)
            }
            Region::Between { rays: ByPiece::Same(_), from, to, condition: None, .. } => {
                self.tell(from) && self.tell(to)
            }
            _ => false,
        }
    }

    /// Evaluates something that follows from the two, for every origin and each of its targets.
    pub(super) fn evaluate<const W: usize, T>(
        game: &Game<W>,
        targets: &[Vec<u16>],
        mut value: impl FnMut(&mut Eval<'_, W>) -> T,
    ) -> Vec<Vec<(u16, T)>> {
        let mut state = game.initial.clone();
        (targets.iter().enumerate())
            .map(|(from, targets)| {
                let targets = targets.iter().map(|&to| {
                    (state.head.last_from, state.head.last_to) = (from as i16, to as i16);
                    let mut eval = Eval::new(game, &state);
                    eval.set(Iter::From, from as i32);
                    eval.set(Iter::To, i32::from(to));
                    (to, value(&mut eval))
                });
                targets.collect()
            })
            .collect()
    }
}

/// The site that a condition asks about, where it asks about one.
pub(super) fn asked(condition: &Bool) -> Option<&Int> {
    match condition {
        Bool::Not(inner) => asked(inner),
        Bool::IsEmpty(at) | Bool::IsOccupied(at) => Some(at),
        Bool::IsEnemy(who) | Bool::IsFriend(who) => match &**who {
            Int::At { layer: Layer::Who, at, level: None, .. } => Some(at),
            _ => None,
        },
        _ => None,
    }
}

/// Origins of moves by a fixed difference, with how far from them the site asked about is.
pub(super) type Apart<const W: usize> = Vec<(Set<W>, i32)>;

/// By difference of site numbers: where a number that follows from both ends lies beside the origin.
/// Nothing where some pair has no such site.
pub(super) fn apart<const W: usize>(
    game: &Game<W>,
    jumps: &Jumps<W>,
    int: &Int,
) -> Option<Vec<(i32, Apart<W>)>> {
    let mut found: Vec<(i32, Apart<W>)> = Vec::new();
    let targets: Vec<Vec<u16>> = (0..jumps.sites()).map(|site| jumps.of(site).to_vec()).collect();
    let sites = Ends::evaluate(game, &targets, |eval| eval.site(int));
    for (from, targets) in sites.into_iter().enumerate() {
        for (to, site) in targets {
            let site = site.filter(|&s| s < game.world.sites())?;
            let (by, off) = (i32::from(to) - from as i32, site as i32 - from as i32);
            let at = found.binary_search_by_key(&by, |d| d.0).unwrap_or_else(|at| {
                found.insert(at, (by, Vec::new()));
                at
            });
            match found[at].1.iter_mut().find(|part| part.1 == off) {
                Some(part) => part.0.insert(from),
                None => found[at].1.push((Set::single(from), off)),
            }
        }
    }
    Some(found)
}
