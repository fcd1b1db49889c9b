//! Hashes of everything that a board is, in a fixed textual form, to compare implementations by.

use std::fmt::Write;

use super::{Area, Direction, SiteType, Topology, places};

/// FNV-1a, 64 bits.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn ids(list: impl IntoIterator<Item = u16>) -> String {
    list.into_iter().map(|id| id.to_string()).collect::<Vec<String>>().join(" ")
}

impl Topology {
    /// Hashes of edges, cells, relations, labels, sets and radials, the last four of the elements
    /// played on. Equal boards have equal hashes, whoever built them.
    pub fn hashes(&self) -> [u64; 6] {
        [
            fnv(&self.edges_text()),
            fnv(&self.cells_text()),
            fnv(&self.relations_text()),
            fnv(&self.labels_text()),
            fnv(&self.sets_text()),
            fnv(&self.radials_text()),
        ]
    }

    fn edges_text(&self) -> String {
        let ends = (0..).map_while(|e| self.edge_ends(e));
        ends.map(|[a, b]| format!("{a}-{b} ")).collect()
    }

    fn cells_text(&self) -> String {
        (0..self.count(SiteType::Cell)).map(|c| ids(self.cell_vertices(c)) + "\n").collect()
    }

    fn relations_text(&self) -> String {
        use Direction::{Adjacent, All, Diagonal, OffDiagonal, Orthogonal};
        let mut text = String::new();
        for site in 0..self.sites() {
            let lists = [Orthogonal, Diagonal, OffDiagonal, Adjacent, All]
                .map(|relation| ids(self.steps(site, relation)));
            let _ = writeln!(text, "{site}:{}", lists.join("/"));
        }
        text
    }

    fn labels_text(&self) -> String {
        let site_type = self.site;
        let mut text = String::new();
        for site in 0..self.sites() {
            let _ = writeln!(
                text,
                "{site}:{},{},{},{},{}",
                self.label(site_type, site),
                self.row(site_type, site).unwrap_or(-1),
                self.column(site_type, site).unwrap_or(-1),
                self.layer(site_type, site).unwrap_or(-1),
                self.phase(site_type, site).unwrap_or(0),
            );
        }
        text
    }

    pub(super) fn sets_text(&self) -> String {
        let site_type = self.site;
        let mut text = String::new();
        for (name, area) in [
            ("corners", Area::Corners),
            ("convex", Area::ConvexCorners),
            ("concave", Area::ConcaveCorners),
            ("centre", Area::Centre),
            ("perimeter", Area::Perimeter),
            ("outer", Area::Outer),
            ("inner", Area::Inner),
            ("top", Area::Top),
            ("bottom", Area::Bottom),
            ("left", Area::Left),
            ("right", Area::Right),
            ("major", Area::Major),
            ("minor", Area::Minor),
        ] {
            let _ = writeln!(text, "{name}:{}", ids(self.area(site_type, area)));
        }
        use Direction::{E, N, NE, NW, S, SE, SW, W};
        for wind in [N, NE, E, SE, S, SW, W, NW] {
            let _ = writeln!(text, "side{wind:?}:{}", ids(self.side(site_type, wind)));
        }
        let grid = &self.elements[site_type.index()].grid;
        for (name, numbers) in [("row", &grid.rows), ("col", &grid.columns)] {
            for wanted in 0..=numbers.iter().copied().max().unwrap_or(-1) {
                let _ = writeln!(text, "{name}{wanted}:{}", ids(places::members(numbers, wanted)));
            }
        }
        for wanted in 0..6 {
            let phases = self.elements[site_type.index()].phases.iter().enumerate();
            let members = phases.filter(|&(_, &p)| p == wanted).map(|(i, _)| i as u16);
            let _ = writeln!(text, "phase{wanted}:{}", ids(members));
        }
        text
    }

    pub(super) fn radials_text(&self) -> String {
        let mut text = String::new();
        for site in 0..self.sites() {
            for direction in Direction::ALL {
                let radials = self.radials(site, direction);
                if radials.is_empty() {
                    continue;
                }
                let _ = write!(text, "{site} {direction:?}");
                for radial in radials {
                    let path: Vec<String> = radial.path.iter().map(u16::to_string).collect();
                    let _ = write!(text, " {}", path.join("-"));
                }
                let distinct = radials.iter().filter(|r| r.distinct).count();
                let _ = writeln!(text, " *{distinct}");
            }
        }
        text
    }
}
