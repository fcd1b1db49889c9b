//! Figures that papers printed, embedded from `reports/published`.

use std::sync::LazyLock;

use serde::Deserialize;

/// A row of a published table: playouts a second, on the paper's machine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The table, such as `table1`.
    pub table: String,
    /// The game as the paper names it.
    pub row: String,
    /// Number of players, where printed.
    pub players: Option<u32>,
    /// Ludii's playouts a second.
    #[serde(rename = "ludii_per_s")]
    pub ludii: f64,
    /// The GDL engine's playouts a second.
    #[serde(rename = "gdl_per_s")]
    pub gdl: Option<f64>,
    /// RBG's playouts a second.
    #[serde(rename = "rbg_per_s")]
    pub rbg: Option<f64>,
    /// Ludii over GDL as printed, which does not always follow from the figures.
    pub printed_ratio: Option<f64>,
    /// A note on errors and oddities of the source.
    pub note: String,
}

/// Tokens of a game's descriptions, as the paper counts them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// The game of the catalogue.
    pub game: String,
    /// The game as the paper names it.
    pub row: String,
    /// Tokens of the description in ludemes.
    pub lud: u64,
    /// Tokens of the description in GDL.
    pub kif: u64,
}

/// The sizes of descriptions that the paper prints.
pub fn tokens() -> &'static [Tokens] {
    static TOKENS: LazyLock<Vec<Tokens>> = LazyLock::new(|| {
        let text = include_str!("../published/ludii-paper-tokens.csv");
        let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
        rows.collect::<Result<_, _>>().expect("the embedded sizes are well-formed")
    });
    &TOKENS
}

/// A system of each language: those that the paper measured, and of a younger one that has no
/// figures there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Ludii, which reads ludemes.
    Ludii,
    /// GGP-base, which reads GDL.
    Gdl,
    /// RBG's interpreter.
    Rbg,
    /// Regular Games, published after the paper.
    RegularGames,
}

impl System {
    /// The system that read this language.
    pub fn of_language(language: &str) -> Option<Self> {
        match language {
            "lud" => Some(Self::Ludii),
            "kif" | "gdl" => Some(Self::Gdl),
            "rbg" => Some(Self::Rbg),
            "rg" => Some(Self::RegularGames),
            _ => None,
        }
    }

    /// The name of the system.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ludii => "Ludii",
            Self::Gdl => "GGP-base",
            Self::Rbg => "RBG",
            Self::RegularGames => "Regular Games",
        }
    }

    /// The language that it reads.
    pub fn language(self) -> &'static str {
        match self {
            Self::Ludii => "ludemes",
            Self::Gdl => "GDL",
            Self::Rbg => "RBG",
            Self::RegularGames => "Regular Games",
        }
    }
}

impl Published {
    /// The reference of a game to this row: `table1/Connect 4 (6x7)`.
    pub fn reference(&self) -> String {
        format!("{}/{}", self.table, self.row)
    }

    /// The playouts a second of one of the systems.
    pub fn figure(&self, system: System) -> Option<f64> {
        match system {
            System::Ludii => Some(self.ludii),
            System::Gdl => self.gdl,
            System::Rbg => self.rbg,
            System::RegularGames => None,
        }
    }

    /// Ludii over GDL, computed from the printed figures.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.ludii / self.gdl?)
    }
}

static ROWS: LazyLock<Vec<Published>> = LazyLock::new(|| {
    let text = include_str!("../published/ludii-paper.csv");
    let rows: Result<Vec<Published>, csv::Error> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    rows.expect("the embedded file is checked by a test")
});

/// All published rows, in the paper's order.
pub fn all() -> &'static [Published] {
    &ROWS
}

/// The row that a reference such as `table1/Connect 4 (6x7)` names.
pub fn find(reference: &str) -> Option<&'static Published> {
    position(reference).map(|index| &ROWS[index])
}

/// The position of that row in the paper.
pub fn position(reference: &str) -> Option<usize> {
    let (table, row) = reference.split_once('/')?;
    ROWS.iter().position(|published| published.table == table && published.row == row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_are_there_and_references_are_unique() {
        let count = |table: &str| all().iter().filter(|row| row.table == table).count();
        assert_eq!((count("table1"), count("table2"), all().len()), (29, 14, 43));
        for (index, row) in all().iter().enumerate() {
            assert_eq!(position(&row.reference()), Some(index));
        }
        assert_eq!(find("table1/Connect 4 (6x7)").unwrap().ludii.to_string(), "124349");
        assert_eq!(find("table3/Connect 4 (6x7)"), None);
        assert_eq!(find("Connect 4"), None);
    }

    /// Every printed ratio follows from the printed figures to the printed precision, but for those
    /// that the notes name.
    #[test]
    fn only_the_noted_ratios_disagree_with_their_figures() {
        for row in all() {
            let Some((printed, computed)) = row.printed_ratio.zip(row.ratio()) else { continue };
            let agrees = (printed - computed).abs() < 0.01 + 0.001 * printed;
            assert_eq!(
                agrees,
                !row.note.contains("does not follow"),
                "{}: {printed} against {computed}",
                row.row
            );
        }
    }
}
