//! Lists of numbers.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::{Bool, Int, Ints, Iter, Place, Role};
use smallvec::SmallVec;

/// A list of numbers.
pub(crate) type Numbers = Buffer<i32>;

impl Eval<'_> {
    /// The numbers of a list, in order.
    pub(crate) fn ints(&mut self, ints: &Ints) -> Numbers {
        match ints {
            Ints::List(list) => list.iter().map(|i| self.int(i)).collect(),
            Ints::Region(region) => self.region(region).iter().map(|s| s as i32).collect(),
            Ints::Union(lists) => {
                let mut all = Numbers::new();
                for (i, list) in lists.iter().enumerate() {
                    let values = self.ints(list);
                    for value in values {
                        // Repetitions inside the first list stay.
                        if i == 0 || !all.contains(&value) {
                            all.push(value);
                        }
                    }
                }
                all
            }
            Ints::Intersection(lists) => {
                let lists: SmallVec<[Numbers; 4]> = lists.iter().map(|l| self.ints(l)).collect();
                match &lists[..] {
                    [] => Numbers::new(),
                    // Of two, the second gives order and repetitions.
                    [first, second] => {
                        second.iter().copied().filter(|v| first.contains(v)).collect()
                    }
                    [first, rest @ ..] => {
                        let in_all = |v: &i32| rest.iter().all(|l| l.contains(v));
                        first.iter().copied().filter(in_all).collect()
                    }
                }
            }
            Ints::Difference(pair) => {
                let mut from = self.ints(&pair.0);
                for value in self.ints(&pair.1) {
                    // One occurrence goes for each number taken away.
                    if let Some(at) = from.iter().position(|&v| v == value) {
                        from.remove(at);
                    }
                }
                from
            }
            Ints::If(parts) => {
                if self.test(&parts.0) {
                    self.ints(&parts.1)
                } else {
                    self.ints(&parts.2)
                }
            }
            Ints::Range(pair) => {
                const MOST: i32 = 10_000;
                let (min, max) = (self.int(&pair.0), self.int(&pair.1));
                (min..=max.min(min.saturating_add(MOST))).collect()
            }
            Ints::Players(role, condition) => self.players_of(*role, condition.as_deref()),
            Ints::Results { from, to, value } => {
                let mut results = Numbers::new();
                self.each_result(from, to, value, &mut |result| {
                    results.push(result);
                    false
                });
                results
            }
            Ints::GroupSizes { jumps, condition, min } => {
                let min = self.int(min);
                let sizes = self.group_sizes(*jumps, condition.as_deref());
                sizes.into_iter().filter(|&s| s >= min).collect()
            }
            Ints::AllRemembered => self.state.remembered().iter().flatten().copied().collect(),
            Ints::Remembered(list) => self
                .state
                .remembered()
                .get(*list)
                .map(|l| l.iter().copied().collect())
                .unwrap_or_default(),
        }
    }

    /// The numbers that a place gives: one, which need not be a site, or all sites of a region.
    pub(crate) fn numbers(&mut self, place: &Place) -> Numbers {
        match place {
            Place::Site(value) => Numbers::one(self.int(value)),
            Place::Region(region) => self.region(region).iter().map(|s| s as i32).collect(),
        }
    }

    /// Goes through the values for all pairs of sites until one is enough; whether one is.
    pub(super) fn each_result(
        &mut self,
        from: &Place,
        to: &Place,
        value: &Int,
        is_enough: &mut dyn FnMut(i32) -> bool,
    ) -> bool {
        self.both(from).iter().any(|&f| {
            self.with(Iter::From, f, |eval| {
                eval.both(to)
                    .iter()
                    .any(|&t| is_enough(eval.with(Iter::To, t, |eval| eval.int(value))))
            })
        })
    }

    fn both(&mut self, place: &Place) -> Numbers {
        self.place(place).iter().map(|s| s as i32).collect()
    }

    /// Players of a role. `All` has nobody and everybody too, `NonMover` has nobody.
    fn players_of(&mut self, role: Role, condition: Option<&Bool>) -> Numbers {
        let bits = self.role_owners(role);
        let mut players = Numbers::new();
        for player in 0..=self.players() as i32 + 1 {
            let asked = bits >> player & 1 != 0;
            let holds = asked
                && condition.is_none_or(|c| self.with(Iter::Player, player, |eval| eval.test(c)));
            if holds {
                players.push(player);
            }
        }
        players
    }
}
