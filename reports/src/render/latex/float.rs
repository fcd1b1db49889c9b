//! A table across both columns of a page: in the largest type that fits, else in several parts.

use std::fmt::Write as _;

use super::text::{clipped, escape, width};

/// Width that a table may take, in points. Conference styles of two columns have a `\textwidth` of
/// 505 pt (AAAI, ACM) to 516 pt (IEEE).
const TEXT_WIDTH: f64 = 500.0;
/// Space to either side of a column, in points.
const COLUMN_SEP: f64 = 3.0;
/// Lines of a table that leave room for its caption on a page.
const MOST_LINES: usize = 48;
/// Widths of the names of lines and columns, in units of the type size; longer ones are cut.
const WIDEST_NAME: f64 = 18.0;
const WIDEST_HEAD: f64 = 12.0;

/// Sizes of type, from large to small: the command, points, and how much wider than in proportion
/// Computer Modern is at that size.
const TYPES: [(&str, f64, f64); 3] =
    [("small", 9.0, 1.03), ("footnotesize", 8.0, 1.065), ("scriptsize", 7.0, 1.142)];

/// A field: a figure, and what stands beside it, such as its interval. Figures are aligned at their
/// right, what is beside them at its left.
#[derive(Debug, Clone, Default)]
pub(in crate::render) struct Field {
    pub(in crate::render) figure: String,
    pub(in crate::render) beside: String,
}

impl Field {
    /// A text over the width of both.
    pub(in crate::render) fn text(text: impl Into<String>) -> Self {
        Self { figure: text.into(), beside: String::new() }
    }
}

/// A line of a table: its name, and a field for each column.
pub(in crate::render) type Line = (String, Vec<Field>);

/// Lines in groups, each under a heading where it has one.
pub(in crate::render) type Groups = Vec<(Option<&'static str>, Vec<Line>)>;

/// A table with its caption.
pub(in crate::render) struct Float {
    /// Of the label `tab:<label>`.
    pub(in crate::render) label: &'static str,
    /// In LaTeX.
    pub(in crate::render) caption: String,
    /// Above the names of the lines.
    pub(in crate::render) corner: &'static str,
    /// Heads of the columns, each of one line or several.
    pub(in crate::render) heads: Vec<String>,
    /// Its lines.
    pub(in crate::render) groups: Groups,
}

impl Float {
    /// Writes the table, in as many parts as it needs.
    pub(in crate::render) fn write(&self, out: &mut String) {
        let columns = self.columns();
        let mut parts = Vec::new();
        for groups in self.pages() {
            parts.extend(columns.parts.iter().map(|columns| (groups.clone(), columns)));
        }
        for (number, (groups, shown)) in parts.iter().enumerate() {
            let part = (parts.len() > 1).then_some((number + 1, parts.len()));
            self.write_part(out, columns.size, groups, shown, part);
        }
    }

    fn write_part(
        &self,
        out: &mut String,
        size: &str,
        groups: &[(Option<&str>, &[Line])],
        shown: &[usize],
        part: Option<(usize, usize)>,
    ) {
        let (caption, label) = match part {
            None | Some((1, _)) => (self.caption.clone(), self.label.to_owned()),
            Some((number, _)) => (
                format!("Continued from Table~\\ref{{tab:{}}}.", self.label),
                format!("{}-{number}", self.label),
            ),
        };
        let part =
            part.map_or_else(String::new, |(number, of)| format!(" (Part {number} of {of}.)"));
        let _ = write!(
            out,
            "\\begin{{table*}}[tp]\n\\centering\\{size}\n\
             \\setlength{{\\tabcolsep}}{{{COLUMN_SEP}pt}}\n\\caption{{{caption}{part}}}\n\
             \\label{{tab:{label}}}\n\\vspace{{4pt}}\n\\begin{{tabular}}{{@{{}}l{}@{{}}}}\n\
             \\toprule\n",
            "r@{ }l".repeat(shown.len())
        );
        for line in
            0..shown.iter().map(|&column| self.heads[column].lines().count()).max().unwrap_or(1)
        {
            out.push_str(if line == 0 { self.corner } else { "" });
            for &column in shown {
                let head = self.heads[column].lines().nth(line).unwrap_or_default();
                let _ = write!(
                    out,
                    " & \\multicolumn{{2}}{{c}}{{{}}}",
                    escape(&clipped(head, WIDEST_HEAD))
                );
            }
            out.push_str(" \\\\\n");
        }
        for (heading, lines) in groups {
            out.push_str("\\midrule\n");
            if let Some(heading) = heading {
                let _ = writeln!(
                    out,
                    "\\multicolumn{{{}}}{{@{{}}l}}{{\\emph{{{heading}}}}} \\\\",
                    1 + 2 * shown.len()
                );
            }
            for (name, fields) in *lines {
                out.push_str(&escape(&clipped(name, WIDEST_NAME)));
                for &column in shown {
                    let Field { figure, beside } = &fields[column];
                    let _ = if beside.is_empty() {
                        write!(out, " & \\multicolumn{{2}}{{r}}{{{}}}", escape(figure))
                    } else {
                        write!(out, " & {} & {}", escape(figure), escape(beside))
                    };
                }
                out.push_str(" \\\\\n");
            }
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n\\end{table*}\n");
    }

    /// The groups in pages of at most [`MOST_LINES`] lines.
    fn pages(&self) -> Vec<Vec<(Option<&'static str>, &[Line])>> {
        let mut pages: Vec<Vec<_>> = vec![Vec::new()];
        let mut room = MOST_LINES;
        for (heading, lines) in &self.groups {
            let mut rest = &lines[..];
            while !rest.is_empty() {
                // A heading without a line under it helps nobody.
                if room < 3 {
                    pages.push(Vec::new());
                    room = MOST_LINES;
                }
                let (now, later) = rest.split_at(rest.len().min(room - 1));
                pages.last_mut().expect("there is a first page").push((*heading, now));
                room -= now.len() + 1;
                rest = later;
            }
        }
        pages
    }

    /// Chooses the type, and which columns stand together.
    fn columns(&self) -> Columns {
        let all: Vec<usize> = (0..self.heads.len()).collect();
        let whole = TYPES.iter().find(|of_type| self.width(&all, of_type) <= TEXT_WIDTH);
        if let Some((size, ..)) = whole {
            return Columns { size, parts: vec![all] };
        }
        let smallest = &TYPES[TYPES.len() - 1];
        let fits = |columns: &[usize]| self.width(columns, smallest) <= TEXT_WIDTH;
        // As few parts as possible, each of as many columns if these fit.
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for &column in &all {
            match parts.last_mut() {
                Some(part) if fits(&[&part[..], &[column]].concat()) => part.push(column),
                _ => parts.push(vec![column]),
            }
        }
        let even: Vec<Vec<usize>> = all
            .chunks(all.len().div_ceil(parts.len().max(1)).max(1))
            .map(<[usize]>::to_vec)
            .collect();
        if even.iter().all(|part| fits(part)) {
            parts = even;
        }
        Columns { size: smallest.0, parts }
    }

    /// The width of a table of these columns, in points.
    fn width(&self, columns: &[usize], (_, points, widened): &(&str, f64, f64)) -> f64 {
        let lines = || self.groups.iter().flat_map(|(_, lines)| lines);
        let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let names = widest(&mut lines().map(|(name, _)| width(&clipped(name, WIDEST_NAME))));
        let text: f64 = columns
            .iter()
            .map(|&column| {
                let fields = || lines().map(|(_, fields)| &fields[column]);
                let both = || fields().filter(|field| !field.beside.is_empty());
                let pair = widest(&mut both().map(|field| width(&field.figure)))
                    + width(" ")
                    + widest(&mut both().map(|field| width(&field.beside)));
                let texts = fields().filter(|field| field.beside.is_empty());
                let texts = widest(&mut texts.map(|field| width(&field.figure)));
                let head = widest(
                    &mut self.heads[column].lines().map(|line| width(&clipped(line, WIDEST_HEAD))),
                );
                pair.max(texts).max(head)
            })
            .sum();
        (names + text) * points * widened + 2.0 * COLUMN_SEP * columns.len() as f64
    }
}

/// The columns that stand together, and the type of all parts.
struct Columns {
    size: &'static str,
    parts: Vec<Vec<usize>>,
}
