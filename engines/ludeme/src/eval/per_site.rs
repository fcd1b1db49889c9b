//! Conditions on one site as sets of sites, so that loops over sites need not evaluate them each
//! time.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::{Eval, owned};
use crate::ir::{Bool, Int, Iter, Place, Reach, Region};
use crate::set::Set;

/// Words beyond which a set takes longer to make than a few sites to look at.
const MOST_WORDS: usize = 6;

/// A condition that is asked of one site after the other, bound to a variable.
pub(super) struct PerSite<'c, const W: usize> {
    condition: Option<&'c Bool>,
    iter: Iter,
    /// The sites where it holds, where that is known at once.
    sites: Option<Set<W>>,
}

impl<const W: usize> PerSite<'_, W> {
    /// The sites where it holds, where that is known at once.
    pub(super) fn sites(&self) -> Option<&Set<W>> {
        self.sites.as_ref()
    }

    /// Binds a site and says whether the condition holds for it.
    #[inline]
    pub(super) fn holds(&self, eval: &mut Eval<'_, W>, site: u16) -> bool {
        eval.set(self.iter, i32::from(site));
        match (&self.sites, self.condition) {
            (Some(sites), _) => sites.contains(usize::from(site)),
            (None, condition) => condition.is_none_or(|c| eval.test(c)),
        }
    }
}

/// Sets of sites where conditions hold, kept while rules are evaluated in one state: many pieces
/// ask for the same.
pub(crate) struct KnownSites<const W: usize>(RefCell<SmallVec<[Known<W>; MOST_KNOWN]>>);

/// A condition by its address and the variable that it binds, who is to move, and where it holds.
type Known<const W: usize> = (usize, Iter, u8, Option<Set<W>>);

/// Conditions beyond which no more are kept.
const MOST_KNOWN: usize = 16;

impl<const W: usize> KnownSites<W> {
    pub(crate) fn new() -> KnownSites<W> {
        KnownSites(RefCell::new(SmallVec::new()))
    }

    fn of(&self, eval: &Eval<'_, W>, condition: &Bool, iter: Iter) -> Option<Set<W>> {
        let (address, mover) = (std::ptr::from_ref(condition).addr(), eval.turns.mover);
        let mut known = self.0.borrow_mut();
        let found = known.iter().find(|k| k.0 == address && k.1 == iter && k.2 == mover);
        if let Some(&(.., sites)) = found {
            return sites;
        }
        let sites = eval.sites_where(condition, iter);
        if known.len() < MOST_KNOWN {
            known.push((address, iter, mover, sites));
        }
        sites
    }
}

impl<const W: usize> Eval<'_, W> {
    /// Prepares a condition to be asked of many sites while nothing else changes; without one, all
    /// will do.
    #[inline]
    pub(super) fn per_site<'c>(&self, condition: Option<&'c Bool>, iter: Iter) -> PerSite<'c, W> {
        let sites = match condition {
            None => Some(!Set::EMPTY),
            Some(condition) if W <= MOST_WORDS => match self.known {
                Some(known) => known.of(self, condition, iter),
                None => self.sites_where(condition, iter),
            },
            Some(_) => None,
        };
        PerSite { condition, iter, sites }
    }

    /// The sites of the game where a condition holds that asks for nothing but what stands there.
    fn sites_where(&self, condition: &Bool, iter: Iter) -> Option<Set<W>> {
        match condition {
            Bool::Const(true) => Some(!Set::EMPTY),
            Bool::IsEmpty(at) => (**at == Int::Iter(iter)).then(|| self.empty()),
            Bool::IsOccupied(at) => {
                (**at == Int::Iter(iter)).then(|| owned(self.everybody(), |o| self.state.owned(o)))
            }
            Bool::IsEnemy(who) if self.is_who_at(who, iter) => {
                let mover = 1u32 << self.turns.mover;
                Some(owned(self.everybody() & !1 & !mover, |o| self.state.owned(o)))
            }
            Bool::IsFriend(who) if self.is_who_at(who, iter) && self.turns.mover > 0 => {
                Some(self.state.owned(usize::from(self.turns.mover)))
            }
            Bool::InRegion(sites, region) if sites[..] == [Int::Iter(iter)] => match &**region {
                Region::Static(set) => Some(self.game.set(*set)),
                Region::Empty(within) => Some(self.empty() & self.game.set(*within)),
                Region::Group { jumps, from, condition: None }
                    if **from == Place::Site(Int::LastTo) =>
                {
                    Some(self.group_of_alike(*jumps, self.state.head.last_to.into()))
                }
                _ => None,
            },
            Bool::Not(inner) => Some(!self.sites_where(inner, iter)?),
            Bool::And(list) => {
                list.iter().try_fold(!Set::EMPTY, |all, c| Some(all & self.sites_where(c, iter)?))
            }
            Bool::Or(list) => {
                list.iter().try_fold(Set::EMPTY, |all, c| Some(all | self.sites_where(c, iter)?))
            }
            _ => None,
        }
    }

    /// True if a number is the owner of what stands on a site, and players are on nobody's side.
    fn is_who_at(&self, who: &Int, iter: Iter) -> bool {
        who.owned_site() == Some((&Int::Iter(iter), Reach::All)) && self.game.world.teams.is_none()
    }

    /// All owners that pieces may have, as bits.
    fn everybody(&self) -> u32 {
        (1 << (self.players() + 2)) - 1
    }
}
