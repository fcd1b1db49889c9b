//! Figures that the Ludii paper printed, as open marks beside ours.

use super::dot_plot::Dot;
use super::mark::Mark;
use crate::published::{self, Published};
use crate::table::GameRow;

/// A system that the paper measured: its name, the language that it reads, and its playouts a
/// second.
struct System {
    name: &'static str,
    languages: &'static [&'static str],
    rate: fn(&Published) -> Option<f64>,
}

const SYSTEMS: [System; 3] = [
    System { name: "Ludii", languages: &["lud"], rate: |row| Some(row.ludii) },
    System { name: "GGP-base", languages: &["kif", "gdl"], rate: |row| row.gdl },
    System { name: "RBG", languages: &["rbg"], rate: |row| row.rbg },
];
const LUDII: usize = 0;
const GGP_BASE: usize = 1;

/// The printed figures of a chart, which remembers the systems that it has figures of.
pub(super) struct Printed {
    /// The system that ratios are over.
    base: Option<usize>,
    seen: [bool; SYSTEMS.len()],
}

impl Printed {
    /// Printed rates.
    pub(super) fn rates() -> Self {
        Self { base: None, seen: [false; SYSTEMS.len()] }
    }

    /// Printed ratios over the system that reads a language; `None` if no system does.
    pub(super) fn ratios(language: &str) -> Option<Self> {
        let base = SYSTEMS.iter().position(|system| system.languages.contains(&language))?;
        Some(Self { base: Some(base), ..Self::rates() })
    }

    /// The marks of a game.
    pub(super) fn dots(&mut self, game: &GameRow) -> Vec<Dot> {
        let mut dots = Vec::new();
        for row in game.paper.iter().filter_map(|paper| published::find(paper)) {
            for system in (0..SYSTEMS.len()).filter(|&system| Some(system) != self.base) {
                let value = match self.base {
                    None => (SYSTEMS[system].rate)(row),
                    Some(base) => ratio(row, system, base),
                };
                if let Some(value) = value {
                    self.seen[system] = true;
                    dots.push(Dot { mark: Mark::printed(system), value, interval: None });
                }
            }
        }
        dots
    }

    /// Marks and names of the systems that had figures.
    pub(super) fn legend(&self) -> impl Iterator<Item = (Mark, String)> {
        let seen = (0..SYSTEMS.len()).filter(|&system| self.seen[system]);
        seen.map(|system| {
            let over = self.base_name().map_or_else(String::new, |base| format!(" over {base}"));
            (Mark::printed(system), format!("{}{over}, printed", SYSTEMS[system].name))
        })
    }

    /// True if any system had a figure.
    pub(super) fn any(&self) -> bool {
        self.seen.contains(&true)
    }

    /// The name of the system that ratios are over.
    pub(super) fn base_name(&self) -> Option<&'static str> {
        self.base.map(|base| SYSTEMS[base].name)
    }
}

/// A ratio as the paper prints it, or, of pairs for which it prints none, as its figures give it.
fn ratio(row: &Published, system: usize, base: usize) -> Option<f64> {
    match (system, base, row.printed_ratio) {
        (LUDII, GGP_BASE, Some(ratio)) => Some(ratio),
        (GGP_BASE, LUDII, Some(ratio)) => Some(1.0 / ratio),
        _ => Some((SYSTEMS[system].rate)(row)? / (SYSTEMS[base].rate)(row)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_that_the_paper_prints() {
        let of = |row: &str, language: &str| {
            let mut printed = Printed::ratios(language).unwrap();
            let paper = vec![format!("table1/{row}")];
            let game =
                GameRow { id: String::new(), title: String::new(), paper, players: 1, size: None };
            let values =
                printed.dots(&game).iter().map(|dot| format!("{:.2}", dot.value)).collect();
            let names = printed.legend().map(|(_, name)| name).collect();
            (values, names)
        };
        let texts =
            |texts: &[&str]| -> Vec<String> { texts.iter().map(ToString::to_string).collect() };
        // Not what follows from its figures, which would be 1505.70.
        assert_eq!(
            of("16 Queens", "kif"),
            (texts(&["575.85"]), texts(&["Ludii over GGP-base, printed"]))
        );
        assert_eq!(
            of("Hex (9x9)", "lud"),
            (
                texts(&["0.01", "0.16"]),
                texts(&["GGP-base over Ludii, printed", "RBG over Ludii, printed"])
            )
        );
        assert!(Printed::ratios("bitboard").is_none());
    }
}
