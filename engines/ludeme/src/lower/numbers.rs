//! Numbers that rules use as sites, and that may lie beyond the board. They are kept as they are:
//! in lists, and in sets with room for them.

use crate::front::{Arg, Call, Kind, Label, Name, Value};
use crate::ir::{Bool, Compare, Fold, Int, Ints, Iter, Place};

use super::places::need;
use super::{Lower, Lowered};

impl<'c> Lower<'c> {
    /// Lowers `(is In ..)`. Regions are sets of sites, so numbers beyond the board that stand in a
    /// list are looked up in that list.
    pub(super) fn is_in(&mut self, call: &'c Call) -> Lowered<Bool> {
        let sites: Vec<Int> = match call.arg(Label::Sites) {
            None => vec![self.number(Int::Iter(Iter::To))],
            Some(arg) => arg.items().iter().map(|a| self.int(a)).collect::<Lowered<_>>()?,
        };
        let region = need(call, Label::Region)?;
        if region.as_call().is_some_and(|c| c.ludeme.kind() == Kind::Ints) {
            return Ok(Bool::InInts(sites.into(), Box::new(self.ints(region)?)));
        }
        let mut lists = None;
        if self.world.elements.is_empty() && !sites.iter().all(|site| self.is_site(site)) {
            lists = self.listed(region)?;
        }
        Ok(match lists {
            Some(list) if self.leaves_board(&list) => {
                let real = sites.iter().filter(|site| site.constant().is_none_or(|s| s < 0));
                let real = real.map(|site| {
                    let pair = (site.clone(), Int::Const(0));
                    Bool::Compare(Compare::GreaterEqual, Box::new(pair))
                });
                let mut all: Vec<Bool> = real.collect();
                all.push(Bool::InInts(sites.into(), Box::new(list)));
                Bool::And(all.into())
            }
            _ => Bool::InRegion(sites.into(), Box::new(self.region(region)?)),
        })
    }

    /// The numbers of a region that is written as a list; `None` for other regions.
    fn listed(&mut self, region: &'c Arg) -> Lowered<Option<Ints>> {
        let mut list = region;
        if let Some(call) = region.as_call() {
            match call.find(Label::List).filter(|_| call.name() == Name::Sites) {
                Some(inner) => list = inner,
                None => return Ok(None),
            }
        }
        Ok(match &list.value {
            Value::Array(items) if items.iter().all(|item| item.as_text().is_none()) => {
                let items = items.iter().map(|item| self.int(item));
                Some(Ints::List(items.collect::<Lowered<_>>()?))
            }
            Value::Call(call) if call.ludeme.kind() == Kind::Ints => Some(self.ints(list)?),
            _ => None,
        })
    }

    /// True if a list may have numbers beyond the board.
    fn leaves_board(&self, list: &Ints) -> bool {
        match list {
            Ints::List(items) => !items.iter().all(|item| self.is_site(item)),
            Ints::Region(_) => false,
            _ => true,
        }
    }

    /// True if a number is a site, or none at all, by its form.
    fn is_site(&self, number: &Int) -> bool {
        let sites = self.world.sites() as i32;
        match number {
            Int::Const(number) => *number < sites,
            Int::Iter(iter) => {
                matches!(iter, Iter::From | Iter::To | Iter::Between | Iter::Site)
            }
            Int::LastTo
            | Int::LastFrom
            | Int::LastToAfter
            | Int::LastFromAfter
            | Int::Number(_)
            | Int::Element { .. }
            | Int::EdgeBetween(_)
            | Int::ByCoordinates(_)
            | Int::TrackFirst { .. }
            | Int::TrackMove { .. }
            | Int::TrackEnd { .. }
            | Int::RegionSite(_)
            | Int::WhereOwned { .. }
            | Int::WhereLowest(_)
            | Int::WhereState { .. } => true,
            Int::Ahead { site, .. } => self.is_site(site),
            Int::If(parts) => self.is_site(&parts.1) && self.is_site(&parts.2),
            _ => false,
        }
    }

    /// Makes room in the sets of the state for the numbers that a place can give.
    pub(super) fn make_room(&mut self, place: &Place) {
        if let Place::Site(number) = place {
            let most = self.most(number).clamp(0, 64 * kernel::MAX_NATIVE_WORDS as i32 - 1);
            self.needs.numbers = self.needs.numbers.max(most as usize + 1);
        }
    }

    /// The highest that a number is likely to be: of its parts that are not known, the last site.
    fn most(&self, number: &Int) -> i32 {
        let last = self.world.sites() as i32 - 1;
        match number {
            Int::Const(number) => *number,
            Int::Fold(Fold::Sum, terms) => {
                terms.iter().fold(0, |sum, term| sum.saturating_add(self.most(term).max(0)))
            }
            Int::Fold(Fold::Product, terms) => {
                terms.iter().fold(1, |all, term| all.saturating_mul(self.most(term).max(1)))
            }
            Int::If(parts) => self.most(&parts.1).max(self.most(&parts.2)),
            _ => last,
        }
    }
}
