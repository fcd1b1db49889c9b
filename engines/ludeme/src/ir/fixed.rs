//! What is the same in all states, once origin and destination of a move are known.

use super::{Around, Bool, ByPiece, Int, Iter, Place, Region};

impl Int {
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Int::Const(_) | Int::Iter(Iter::From | Iter::To) => true,
            Int::Abs(value) => value.is_fixed(),
            Int::Arithmetic(_, pair) => pair.0.is_fixed() && pair.1.is_fixed(),
            Int::Fold(_, list) => list.iter().all(Int::is_fixed),
            Int::CountSites(region) => region.is_fixed(),
            Int::FromBool(condition) => condition.is_fixed(),
            Int::Table(pair) => pair.1.is_fixed(),
            Int::RegionSite(pair) => pair.0.is_fixed() && pair.1.is_fixed(),
            _ => false,
        }
    }
}

impl Bool {
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Bool::Const(_) => true,
            Bool::Not(part) => part.is_fixed(),
            Bool::And(list) | Bool::Or(list) => list.iter().all(Bool::is_fixed),
            Bool::Compare(_, pair) => pair.0.is_fixed() && pair.1.is_fixed(),
            Bool::InRegion(sites, region) => sites.iter().all(Int::is_fixed) && region.is_fixed(),
            _ => false,
        }
    }
}

impl Place {
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Place::Site(site) => site.is_fixed(),
            Place::Region(region) => region.is_fixed(),
        }
    }
}

impl Region {
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Region::Static(_) => true,
            Region::Union(list) | Region::Intersection(list) => list.iter().all(Region::is_fixed),
            Region::Difference(pair) => pair.0.is_fixed() && pair.1.is_fixed(),
            Region::Without(pair) => pair.0.is_fixed() && pair.1.is_fixed(),
            Region::List(list) => list.iter().all(Int::is_fixed),
            Region::Direction {
                origins,
                included,
                stop: None,
                stop_included: _,
                distance,
                rays,
            } => {
                matches!(rays, ByPiece::Same(_))
                    && origins.is_fixed()
                    && included.is_fixed()
                    && distance.is_fixed()
            }
            Region::Around { origins, kind: Around::Any, distance, condition: None, .. } => {
                origins.is_fixed() && distance.is_fixed()
            }
            _ => false,
        }
    }
}
