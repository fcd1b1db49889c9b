//! `table.tex`: the main table and the speed-ups for a paper.

use std::fmt::Write as _;

use super::grid::{self, Grid};
use super::remarks::{contention_note, tabled_note};
use crate::table::{Cell, Speedups, Table};
use crate::text::{is_hidden, printable};

/// Two `tabular` environments in floats. They need the package `booktabs`, and nothing else.
pub fn table_latex(table: &Table, speedups: &Speedups) -> String {
    let mut out =
        String::from("% Made by ggpbench from measurements.csv. Needs \\usepackage{booktabs}.\n");
    let mut notes = Vec::new();
    let grid = grid::rates(table, &mut notes);
    let mut caption = String::from(
        "Playouts per CPU second, with 95\\,\\% intervals; k is a thousand, M a million.",
    );
    if table.cells().any(|(.., cell)| Cell::is_contended(cell)) {
        let _ = write!(caption, " {}", escape(&contention_note()));
    }
    float(&mut out, &grid, "playouts", &caption);
    if !notes.is_empty() {
        out.push_str("% Why a pair is not ok:\n");
        for (number, note) in notes.iter().enumerate() {
            let reason = printable(note.reason.lines().next().unwrap_or_default());
            let _ = writeln!(out, "% [{}] {}: {reason}", number + 1, note.about);
        }
    }
    if let Some(grid) = grid::speedups(table, speedups) {
        let baseline = escape(&table.columns()[speedups.baseline].label());
        let mut caption =
            format!("Speed-up over {baseline}, formed between what was measured together.");
        if speedups.columns().any(|column| !speedups.comparable[column]) {
            let _ = write!(caption, " {}", escape(&tabled_note()));
        }
        float(&mut out, &grid, "speedup", &caption);
    }
    out
}

fn float(out: &mut String, grid: &Grid, label: &str, caption: &str) {
    let line = |fields: &[String]| {
        let fields: Vec<String> = fields.iter().map(|field| escape(field)).collect();
        format!("{} \\\\\n", fields.join(" & "))
    };
    let _ = write!(
        out,
        "\\begin{{table}}\n\\centering\\small\n\\caption{{{caption}}}\n\\label{{tab:{label}}}\n\\begin{{tabular}}{{l{}}}\n\\toprule\n",
        "r".repeat(grid.header.len() - 1)
    );
    out.push_str(&line(&grid.header));
    out.push_str("\\midrule\n");
    for row in &grid.rows {
        out.push_str(&line(row));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

/// Makes text stand for itself. Signs of ours that LaTeX sets differently get their commands.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '×' => out.push_str("$\\times$"),
            '±' => out.push_str("$\\pm$"),
            '†' => out.push_str("\\textdagger{}"),
            '‡' => out.push_str("\\textdaggerdbl{}"),
            '–' => out.push_str("--"),
            'µ' => out.push_str("$\\mu$"),
            c if is_hidden(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(
            escape("a_b & 50% \\input{x} 3×"),
            "a\\_b \\& 50\\% \\textbackslash{}input\\{x\\} 3$\\times$"
        );
    }
}
