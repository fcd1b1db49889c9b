//! Families of regions that a board has by itself, and regions that are computed once, before there
//! is a state.

use crate::board::{Area, Direction};
use crate::front::Word;
use crate::ir::{Around, Bool, ByPiece, Int, Iter, Place, Region};

use super::Lower;

impl Lower<'_> {
    /// The regions of a family; `None` for families that only puzzles use.
    pub(super) fn family(&self, family: Word) -> Option<Vec<Vec<u16>>> {
        let (topology, site_type) = (&self.world.topology, self.world.site_type());
        let corners = topology.area(site_type, Area::Corners);
        let sides = || Direction::MAIN_WINDS.iter().map(|&wind| topology.side(site_type, wind));
        Some(match family {
            Word::Sides => sides().collect(),
            Word::SidesNoCorners => sides()
                .map(|side| side.into_iter().filter(|site| !corners.contains(site)).collect())
                .collect(),
            Word::Corners => corners.iter().map(|&corner| vec![corner]).collect(),
            Word::Rows => (0..topology.rows(site_type))
                .map(|row| topology.in_row(site_type, row as i32))
                .collect(),
            Word::Columns => {
                let columns = 0..topology.columns(site_type);
                columns.map(|column| topology.in_column(site_type, column as i32)).collect()
            }
            Word::AllSites => vec![topology.area(site_type, Area::Board)],
            _ => return None,
        })
    }

    /// The sites of a region before the game, when no site holds a piece and no variable is bound;
    /// `None` if the board alone does not determine them.
    pub(super) fn region_before(&self, region: &Region, site: Option<u16>) -> Option<Vec<u16>> {
        let inside = |region: &Region| self.region_before(region, site);
        Some(match region {
            Region::Static(set) => self.tables.sites(*set).to_vec(),
            Region::Union(list) => list.iter().map(inside).collect::<Option<Vec<_>>>()?.concat(),
            Region::Intersection(list) => {
                let regions = list.iter().map(inside).collect::<Option<Vec<_>>>()?;
                let Some((first, rest)) = regions.split_first() else { return Some(Vec::new()) };
                let in_rest = |s: &&u16| rest.iter().all(|sites| sites.contains(s));
                first.iter().filter(in_rest).copied().collect()
            }
            Region::Difference(pair) => {
                let without = inside(&pair.1)?;
                inside(&pair.0)?.into_iter().filter(|s| !without.contains(s)).collect()
            }
            Region::Without(pair) => {
                let without = self.int_before(&pair.1, site)?;
                inside(&pair.0)?.into_iter().filter(|&s| i32::from(s) != without).collect()
            }
            Region::Filter(pair) => {
                let mut found = Vec::new();
                for candidate in inside(&pair.0)? {
                    if self.holds_before(&pair.1, Some(candidate))? {
                        found.push(candidate);
                    }
                }
                found
            }
            Region::ForSites(pair) => {
                let mut found = Vec::new();
                for candidate in inside(&pair.0)? {
                    found.extend(self.region_before(&pair.1, Some(candidate))?);
                }
                found
            }
            Region::List(list) => {
                let numbers = list.iter().map(|number| self.int_before(number, site));
                let numbers = numbers.collect::<Option<Vec<i32>>>()?;
                numbers.into_iter().filter_map(|number| u16::try_from(number).ok()).collect()
            }
            Region::Expand { jumps, region, steps } => {
                self.grown(*jumps, inside(region)?, self.int_before(steps, site)?)
            }
            Region::Around {
                rays,
                origins,
                kind: Around::Any,
                distance,
                condition: None,
                include_self,
            } => {
                let origins = self.place_before(origins, site)?;
                self.at_distance(*rays, &origins, self.int_before(distance, site)?, *include_self)
            }
            Region::Direction {
                rays: ByPiece::Same(rays),
                origins,
                included,
                stop: None,
                distance,
                ..
            } => {
                let (origins, distance) =
                    (self.place_before(origins, site)?, self.int_before(distance, site)?);
                self.along(*rays, &origins, distance, self.holds_before(included, site)?)
            }
            Region::Indexed(pair) => {
                let number = usize::try_from(self.int_before(&pair.1, site)?).ok();
                let set = number.and_then(|number| pair.0.get(number));
                set.map_or(Vec::new(), |&set| self.tables.sites(set).to_vec())
            }
            _ => return None,
        })
    }

    fn place_before(&self, place: &Place, site: Option<u16>) -> Option<Vec<u16>> {
        match place {
            Place::Site(number) => {
                Some(u16::try_from(self.int_before(number, site)?).into_iter().collect())
            }
            Place::Region(region) => self.region_before(region, site),
        }
    }

    pub(super) fn int_before(&self, int: &Int, site: Option<u16>) -> Option<i32> {
        let inside = |int: &Int| self.int_before(int, site);
        Some(match int {
            Int::Const(value) => *value,
            Int::Iter(Iter::Site | Iter::To) => i32::from(site?),
            Int::Abs(value) => inside(value)?.wrapping_abs(),
            Int::Arithmetic(operation, pair) => operation.of(inside(&pair.0)?, inside(&pair.1)?),
            Int::Fold(fold, list) => {
                let values = list.iter().map(inside).collect::<Option<Vec<i32>>>()?;
                fold.of(&values)
            }
            Int::Table(pair) => {
                let index = usize::try_from(inside(&pair.1)?).ok();
                index.and_then(|index| pair.0.get(index)).copied().unwrap_or(-1)
            }
            Int::Ahead { rays: ByPiece::Same(rays), site: from, steps } => {
                let (from, steps) = (inside(from)?, inside(steps)?);
                let table = &self.tables.rays.items[rays.0 as usize];
                let ahead = usize::try_from(steps.wrapping_sub(1)).ok();
                let found = u16::try_from(from).ok().zip(ahead).and_then(|(from, ahead)| {
                    table.of(from).iter().find_map(|ray| ray.get(ahead).copied())
                });
                found.map_or(from, i32::from)
            }
            _ => return None,
        })
    }

    fn holds_before(&self, condition: &Bool, site: Option<u16>) -> Option<bool> {
        condition.value(&|condition| match condition {
            Bool::Compare(compare, pair) => {
                let (a, b) = (self.int_before(&pair.0, site)?, self.int_before(&pair.1, site)?);
                Some(compare.holds(a, b))
            }
            Bool::IsEven(value) => Some(self.int_before(value, site)? & 1 == 0),
            Bool::InRegion(sites, region) => {
                let region = self.region_before(region, site)?;
                let sites = sites.iter().map(|number| self.int_before(number, site));
                let sites = sites.collect::<Option<Vec<i32>>>()?;
                Some(sites.iter().all(|&number| region.iter().any(|&s| i32::from(s) == number)))
            }
            _ => None,
        })
    }
}
