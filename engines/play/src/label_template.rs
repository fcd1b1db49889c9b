//! Labels with gaps for their sites.

use std::collections::HashSet;

/// The names of sites, to be found in labels.
pub(crate) struct SiteNames<'s> {
    names: HashSet<&'s str>,
    longest: usize,
}

impl<'s> SiteNames<'s> {
    pub(crate) fn new(sites: &'s [String]) -> SiteNames<'s> {
        let names = sites.iter().map(String::as_str).collect();
        SiteNames { names, longest: sites.iter().map(String::len).max().unwrap_or(0) }
    }
}

/// A label with gaps for its sites.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LabelTemplate<'l> {
    parts: Vec<Part<'l>>,
    /// The number of different sites.
    pub(crate) sites: usize,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'l> {
    /// One of the different sites, by number.
    Site(usize),
    Word(&'l str),
}

impl<'l> LabelTemplate<'l> {
    /// The template of a label, and its different sites. They stand at the beginning, behind other
    /// sites, and behind commas.
    pub(crate) fn of(label: &'l str, names: &SiteNames<'_>) -> (LabelTemplate<'l>, Vec<&'l str>) {
        let (mut parts, mut sites): (_, Vec<&str>) = (Vec::new(), Vec::new());
        let mut rest = label;
        while !rest.is_empty() {
            let mut ends = (1..=names.longest.min(rest.len())).rev();
            let is_site = |site: &&str| names.names.contains(site);
            if let Some(site) = ends.find_map(|end| rest.get(..end).filter(is_site)) {
                let known = sites.iter().position(|known| *known == site);
                parts.push(Part::Site(known.unwrap_or(sites.len())));
                if known.is_none() {
                    sites.push(site);
                }
                rest = &rest[site.len()..];
            } else {
                let end = rest.find(',').map_or(rest.len(), |comma| comma + 1);
                parts.push(Part::Word(&rest[..end]));
                rest = &rest[end..];
            }
        }
        (LabelTemplate { parts, sites: sites.len() }, sites)
    }

    /// The label with these sites in its gaps.
    pub(crate) fn filled<'s>(&self, site: impl Fn(usize) -> &'s str) -> String {
        let text = |part: &Part<'l>| match *part {
            Part::Site(n) => site(n).to_owned(),
            Part::Word(word) => word.to_owned(),
        };
        self.parts.iter().map(text).collect()
    }
}
