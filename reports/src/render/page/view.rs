//! The data of the template: tables of fields that know the number they are sorted by.

use serde::Serialize;

use crate::render::grid::Grid;
use crate::text::printable;

/// A table of the page.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct TableView {
    /// Heading; empty where the section's own is enough.
    pub(super) heading: String,
    /// The head of the first column.
    pub(super) first: String,
    /// The other columns.
    pub(super) columns: Vec<Head>,
    pub(super) rows: Vec<RowView>,
    /// Means and the like, which stay below whatever the order.
    pub(super) foot: Vec<RowView>,
    /// Notes without which the table must not be read.
    pub(super) notes: Vec<String>,
}

/// Head of a column.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Head {
    pub(super) label: String,
    /// True if it is an engine's, to be shown or hidden with it.
    pub(super) is_engine: bool,
}

/// A row: its first field, then the others.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct RowView {
    /// Id of the game that it is about; empty where it is about no single one.
    pub(super) game: String,
    pub(super) title: String,
    pub(super) fields: Vec<Field>,
}

/// A field of a row.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Field {
    pub(super) text: String,
    /// The small text below it: an interval, a mark.
    pub(super) small: String,
    /// The number that it is sorted by; empty where there is none.
    pub(super) value: String,
    /// The verdict of the pair, where the field is about one.
    pub(super) verdict: String,
    /// Words of the style sheet.
    pub(super) class: String,
    /// The panel that it opens; empty where it opens none.
    pub(super) panel: String,
}

impl Field {
    /// An empty field.
    pub(super) fn nothing() -> Self {
        Self { text: "–".to_owned(), class: "none".to_owned(), ..Self::default() }
    }
}

impl TableView {
    /// A grid of printed fields, some columns of which may be engines.
    pub(super) fn of_grid(heading: &str, grid: &Grid, is_engine: impl Fn(&str) -> bool) -> Self {
        let (first, columns) = grid.header.split_first().map_or(("", &[][..]), |(a, b)| (a, b));
        let head = |label: &String| Head { label: label.clone(), is_engine: is_engine(label) };
        let row = |fields: &Vec<String>| {
            let (title, fields) = fields.split_first()?;
            let field = |text: &String| match text.as_str() {
                "–" => Field::nothing(),
                text => {
                    let value = leading_number(text).map(crate::format::machine);
                    // An interval, and the marks behind it, stand below the figure.
                    let (text, small) = match text.split_once(" (") {
                        Some((figure, _)) if value.is_some() => (figure, &text[figure.len() + 1..]),
                        _ => (text, ""),
                    };
                    Field {
                        text: text.to_owned(),
                        small: small.to_owned(),
                        value: value.unwrap_or_default(),
                        ..Field::default()
                    }
                }
            };
            let fields = fields.iter().map(field).collect();
            Some(RowView { game: String::new(), title: title.clone(), fields })
        };
        Self {
            heading: printable(heading).into_owned(),
            first: first.to_owned(),
            columns: columns.iter().map(head).collect(),
            rows: grid.rows.iter().filter_map(row).collect(),
            ..Self::default()
        }
    }
}

/// The number that a printed figure begins with, in its unit: 8,830,000 of `8.83 M (8.79–8.88)`,
/// 12.3 of `12.3×`.
fn leading_number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(['≥', '≤', ' ']);
    let digits = |c: char| c.is_ascii_digit() || ".,-".contains(c);
    let (number, rest) = text.split_at(text.find(|c| !digits(c)).unwrap_or(text.len()));
    let number: f64 = number.replace(',', "").parse().ok()?;
    let scale = match rest.strip_prefix(' ').and_then(|rest| rest.split(' ').next()) {
        Some("k") => 1e3,
        Some("M") => 1e6,
        Some("G") => 1e9,
        _ => 1.0,
    };
    Some(number * scale)
}

#[cfg(test)]
mod tests {
    use super::leading_number;

    #[test]
    fn printed_figures_sort_as_numbers() {
        let table = [
            ("8.83 M (8.79–8.88)", Some(8.83e6)),
            ("12.3× (12.1–12.5) †", Some(12.3)),
            ("≥ 12.3× (12.1–12.5) ‡", Some(12.3)),
            ("124,349", Some(124_349.0)),
            ("2.53 (2.41–2.65)", Some(2.53)),
            ("46.2 k", Some(46_200.0)),
            ("WRONG", None),
            ("", None),
            ("–", None),
        ];
        for (text, value) in table {
            assert_eq!(leading_number(text), value, "{text}");
        }
    }
}
