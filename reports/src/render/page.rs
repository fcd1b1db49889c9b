//! `report.html`: everything about a run on one page that needs nothing but itself, so that it can be mailed, archived and opened from a disk.

use std::fmt::Write as _;

use super::grid::{self, Grid};
use super::markdown::{Document, how_to_read};
use super::remarks::{MARKED_CONTENDED, MARKED_TABLED, contention, control_summary};
use super::{counted, curves, length, plus_minus};
use crate::chart::Picture;
use crate::format;
use crate::rows::{Sample, Verdict, header, to_line};
use crate::table::{Cell, Column, Figures, GameRow};
use crate::text::{printable, printable_lines};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// The whole page. `samples` are the rows that the document was made from, to be downloaded from it.
pub fn page_html(document: &Document<'_>, pictures: &[Picture], samples: &[Sample]) -> String {
    let Document { table, .. } = *document;
    let mut out = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>ggpbench: playouts per CPU second</title>\n<style>\n",
    );
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<h1>Playouts per CPU second</h1>\n");
    let (games, pairs) =
        (counted(table.games().len(), "game"), counted(table.cells().count(), "pair"));
    let _ = writeln!(
        out,
        "<p>{games}, {pairs} of game and engine. Every figure stands beside the verdict that the engine plays the game correctly; choose a figure for what is known about it and how to measure it again.</p>\n<ul class=\"counts\">"
    );
    for (verdict, cells) in table.verdicts() {
        let class = match verdict {
            Verdict::Ok => "ok",
            verdict if verdict.is_failure() => "failure",
            _ => "muted",
        };
        let _ = writeln!(out, "<li class=\"{class}\">{cells} {verdict}</li>");
    }
    out.push_str("</ul>\n");
    for remark in [contention(table), control_summary(table)].into_iter().flatten() {
        let _ = writeln!(out, "<p>{}</p>", escape(&remark));
    }
    controls(&mut out, document);
    let details = rates(&mut out, document, samples);
    for picture in pictures {
        let title = escape(&picture.title);
        let _ = write!(out, "<h2>{title}</h2>\n<figure>\n{}</figure>\n", picture.svg);
    }
    more_tables(&mut out, document);
    out.push_str("<h2>How to read this</h2>\n<ul>\n");
    for line in how_to_read(document) {
        let _ = writeln!(out, "<li>{}</li>", escape(&line));
    }
    out.push_str("</ul>\n");
    if let Some(machine) = document.machine {
        let _ = write!(out, "<h2>Machine</h2>\n<pre>{}</pre>\n", escape_lines(machine));
    }
    let _ = write!(
        out,
        "<h2>Raw rows</h2>\n<p><a id=\"raw\" download=\"measurements.csv\" href=\"{}\">measurements.csv</a>: {}, from which everything here is computed.</p>\n",
        data_link(samples),
        counted(samples.len(), "row")
    );
    out.push_str("<dialog><h3></h3><dl></dl><form method=\"dialog\"><button>Close</button></form></dialog>\n<script type=\"application/json\" id=\"details\">");
    out.push_str(&details);
    out.push_str("</script>\n<script>\n");
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body>\n</html>\n");
    out
}

fn controls(out: &mut String, document: &Document<'_>) {
    let Document { table, speedups, .. } = *document;
    out.push_str(
        "<div class=\"controls\">\n<input type=\"search\" id=\"find\" placeholder=\"Find a game\" aria-label=\"Find a game\">\n<select id=\"verdict\" aria-label=\"Verdict\"><option value=\"\">any verdict</option>",
    );
    for (verdict, _) in table.verdicts() {
        let _ = write!(out, "<option value=\"{verdict}\">{verdict}</option>");
    }
    out.push_str("</select>\n<select id=\"unit\" aria-label=\"Figure shown\"><option value=\"rate\">playouts per CPU second</option>");
    if !speedups.is_empty() {
        let baseline = escape(&table.columns()[speedups.baseline].label());
        let _ = write!(out, "<option value=\"ratio\">times {baseline}</option>");
    }
    out.push_str("<option value=\"plies\">plies per CPU second</option></select>\n<fieldset id=\"engines\"><legend>Engines</legend>");
    for column in table.columns() {
        let label = escape(&column.label());
        let _ = write!(
            out,
            "<label><input type=\"checkbox\" checked value=\"{label}\"> {label}</label>"
        );
    }
    out.push_str("</fieldset>\n</div>\n");
}

/// The main table. Returns what its cells have to say when asked, as JSON.
fn rates(out: &mut String, document: &Document<'_>, samples: &[Sample]) -> String {
    let Document { table, speedups, .. } = *document;
    let heading = |out: &mut String, name: &str| {
        let name = escape(name);
        let _ = write!(
            out,
            "<th scope=\"col\" data-name=\"{name}\"><button type=\"button\">{name}</button></th>"
        );
    };
    out.push_str("<div class=\"scroll\"><table id=\"rates\">\n<thead><tr>");
    heading(out, "game");
    heading(out, "mean plies");
    for column in table.columns() {
        heading(out, &column.label());
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let mut details = Vec::new();
    for (row, game) in table.games().iter().enumerate() {
        let _ =
            write!(out, "<tr data-game=\"{}\"><td>{}</td>", escape(&game.id), escape(&game.title));
        let _ = match table.best_known(row) {
            Some(figures) => write!(
                out,
                "<td data-rate=\"{}\">{}</td>",
                format::machine(figures.length.value),
                length(figures)
            ),
            None => write!(out, "<td>–</td>"),
        };
        let best = (0..table.columns().len())
            .filter(|&column| is_rival(&table.columns()[column]))
            .filter_map(|column| table.figures(row, column))
            .map(|figures| figures.per_cpu_second.value)
            .fold(0.0, f64::max);
        for (number, column) in table.columns().iter().enumerate() {
            let Some(cell) = table.cell(row, number) else {
                out.push_str("<td>–</td>");
                continue;
            };
            let ratio = match &speedups.ratios[row][number] {
                Some(ratio) => Some(ratio.value),
                None if number == speedups.baseline => Some(1.0),
                None => None,
            };
            let ratio = ratio.map(|ratio| (ratio, speedups.comparable[number]));
            let best = if is_rival(column) { best } else { f64::INFINITY };
            field(out, cell, ratio, best, details.len());
            details.push(detail(game, column, cell, samples));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    format!("[{}]", details.join(","))
}

/// Whether a column may be the quickest of a game: tabled playouts are of another kind, and a control is the same column again.
fn is_rival(column: &Column) -> bool {
    !column.tabled && !column.control
}

/// `ratio` comes with whether its two sides compare.
fn field(out: &mut String, cell: &Cell, ratio: Option<(f64, bool)>, best: f64, detail: usize) {
    let verdict = cell.verdict();
    let name = verdict.to_string();
    let Some(figures) = cell.figures() else {
        let _ = write!(
            out,
            "<td class=\"failure\" data-verdict=\"{name}\" data-detail=\"{detail}\"><button type=\"button\">{name}</button></td>"
        );
        return;
    };
    let rate = figures.per_cpu_second.value;
    let plies = figures.plies_per_cpu_second.value;
    let class = match name.as_str() {
        "ok" if rate >= best => "best",
        other => other,
    };
    let shown = format::readable(rate);
    let _ = write!(
        out,
        "<td class=\"{class}\" data-verdict=\"{name}\" data-detail=\"{detail}\" data-rate=\"{}\" data-rate-text=\"{shown}\" data-plies=\"{}\" data-plies-text=\"{}\"",
        format::machine(rate),
        format::machine(plies),
        format::readable(plies),
    );
    let ratio_text = match ratio {
        Some((ratio, true)) => format::factor(ratio),
        Some((ratio, false)) => format!("{} {MARKED_TABLED}", format::factor(ratio)),
        None => "–".to_owned(),
    };
    let _ = write!(
        out,
        " data-ratio=\"{}\" data-ratio-text=\"{ratio_text}\"",
        ratio.map(|(ratio, _)| format::machine(ratio)).unwrap_or_default()
    );
    let mut small = plus_minus(&figures.per_cpu_second);
    if figures.is_contended() {
        small = format!("{small} {MARKED_CONTENDED}");
    }
    let _ = write!(out, "><button type=\"button\">{shown}</button> <small>{small}</small></td>");
}

/// What is known of a cell: a title, then names and texts.
fn detail(game: &GameRow, column: &Column, cell: &Cell, samples: &[Sample]) -> String {
    let mut facts: Vec<(&str, String)> = vec![("verdict", cell.verdict().to_string())];
    if !cell.reason().is_empty() {
        facts.push(("why", cell.reason().to_owned()));
    }
    facts.push(("language", cell.language().to_owned()));
    if !cell.methods().is_empty() {
        let methods: Vec<String> = cell.methods().iter().map(ToString::to_string).collect();
        facts.push(("moves are", methods.join(", ")));
    }
    for (name, texts) in
        [("rules", cell.rules()), ("options", cell.options()), ("build", cell.builds())]
    {
        if !texts.is_empty() {
            facts.push((name, texts.join(", ")));
        }
    }
    if let Some(figures) = cell.figures() {
        facts.extend(figures_of(figures));
    }
    facts.extend(cell.compile_ns().map(|ns| ("compiled in", format::duration(ns))));
    facts.extend(cell.first_playout_ns().map(|ns| ("first playout done in", format::duration(ns))));
    facts.extend(cell.peak_bytes().map(|n| ("peak memory", format::bytes(n))));
    facts.extend(cell.state_bytes().map(|n| ("a position", format::bytes(n))));
    facts.extend(cell.tokens().map(|n| ("tokens of the description", format::count(n))));
    if !cell.warnings().is_empty() {
        facts.push(("warnings", cell.warnings().join("; ")));
    }
    if let Some(command) = command(game, column, samples) {
        facts.push(("again", command));
    }
    let facts: Vec<String> =
        facts.iter().map(|(name, text)| format!("[{},{}]", json(name), json(text))).collect();
    let title = format!("{} on {}", game.title, column.label());
    format!("[{},[{}]]", json(&title), facts.join(","))
}

fn figures_of(figures: &Figures) -> Vec<(&'static str, String)> {
    let rate = |estimate| super::rate_with_interval(estimate);
    let mut facts = vec![
        ("playouts / CPU s", rate(&figures.per_cpu_second)),
        ("playouts / s", rate(&figures.per_wall_second)),
        ("plies / CPU s", rate(&figures.plies_per_cpu_second)),
        ("mean plies", length(figures)),
        (
            "measured",
            format!(
                "{} playouts in {} of {}, {}, {} CPU time",
                format::count(figures.playouts),
                counted(figures.samples, "sample"),
                counted(figures.rounds(), "round"),
                if figures.processes() == 1 {
                    "1 process".to_owned()
                } else {
                    format!("{} processes", figures.processes())
                },
                format::duration(figures.cpu_ns)
            ),
        ),
    ];
    for (name, count) in [("capped", figures.capped), ("stuck", figures.stuck)] {
        if count > 0 {
            facts.push((name, format!("{} playouts", format::count(count))));
        }
    }
    facts
}

/// The command that measures a cell again.
fn command(game: &GameRow, column: &Column, samples: &[Sample]) -> Option<String> {
    let own = |s: &&Sample| s.game == game.id && s.engine == column.engine;
    let seed = samples.iter().find(own)?.seed;
    let is_file = game.id.contains(['/', '\\', '.']);
    let id = shell_word(&game.id);
    let what = match &game.size {
        Some((family, size)) => format!("study {} --sizes {size}", shell_word(family)),
        None if is_file => format!("bench {id}"),
        None => format!("run {id}"),
    };
    let engine = shell_word(&column.engine);
    let mut command = format!("ggpbench {what} --engines {engine} --via {}", column.via);
    if column.threads != 1 {
        let _ = write!(command, " --threads {}", column.threads);
    }
    if let Some(job) = column.job {
        let _ = write!(command, " --job {job}");
    }
    let _ = write!(command, " --seed {seed}");
    Some(command)
}

/// A word that a shell takes as it stands, in quotes where it must be.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn more_tables(out: &mut String, document: &Document<'_>) {
    let Document { table, speedups, .. } = *document;
    if let Some(grid) = grid::speedups(table, speedups) {
        let baseline = escape(&table.columns()[speedups.baseline].label());
        let _ = writeln!(out, "<h2>Speed-up over {baseline}</h2>");
        print(out, &grid);
    }
    for (heading, grid) in curves::grids(table, document.curves) {
        let _ = writeln!(out, "<h2>{heading}</h2>");
        print(out, &grid);
    }
    if let Some((grid, used)) = grid::published(table) {
        out.push_str("<h2>Beside the published figures</h2>\n");
        print(out, &grid);
        let _ = write!(out, "<p class=\"muted\">{}", grid::PUBLISHED);
        for published in used.iter().filter(|published| !published.note.is_empty()) {
            let _ =
                write!(out, " {}: {}.", escape(&published.reference()), escape(&published.note));
        }
        out.push_str("</p>\n");
    }
    if let Some(grid) = grid::costs(table) {
        let _ = writeln!(out, "<h2>{}</h2>", grid::COSTS);
        print(out, &grid);
    }
    if let Some(grid) = grid::sizes(table) {
        let _ = writeln!(out, "<h2>{}</h2>", grid::SIZES);
        print(out, &grid);
    }
    let warnings: Vec<String> =
        document.warnings.iter().cloned().chain(grid::warnings(table)).collect();
    if !warnings.is_empty() {
        out.push_str("<h2>Warnings</h2>\n<ul>\n");
        for warning in warnings {
            let _ = writeln!(out, "<li>{}</li>", escape(&warning));
        }
        out.push_str("</ul>\n");
    }
}

fn print(out: &mut String, grid: &Grid) {
    let line = |fields: &[String], tag: &str| {
        let fields: String =
            fields.iter().map(|field| format!("<{tag}>{}</{tag}>", escape(field))).collect();
        format!("<tr>{fields}</tr>\n")
    };
    out.push_str("<div class=\"scroll\"><table>\n<thead>");
    out.push_str(&line(&grid.header, "th"));
    out.push_str("</thead>\n<tbody>\n");
    for row in &grid.rows {
        out.push_str(&line(row, "td"));
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// The rows as a `data:` address, so that a page without a server can offer a file.
fn data_link(samples: &[Sample]) -> String {
    let mut link = String::from("data:text/csv;charset=utf-8,");
    let lines = std::iter::once(header().into_bytes()).chain(samples.iter().map(to_line));
    for byte in lines.flatten() {
        match byte {
            b'0'..=b'9'
            | b'A'..=b'Z'
            | b'a'..=b'z'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b','
            | b'/'
            | b':'
            | b';'
            | b'('
            | b')'
            | b'*' => link.push(char::from(byte)),
            _ => {
                let _ = write!(link, "%{byte:02X}");
            }
        }
    }
    link
}

/// Text for HTML, in elements and in quoted attributes.
fn escape(text: &str) -> String {
    escape_lines(&printable(text))
}

/// The same with line breaks kept.
fn escape_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable_lines(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A JSON string that can stand inside a script element.
fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            // Nothing in it can end the element or open a comment.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_commands_are_words() {
        assert_eq!(shell_word("connect-4-6x7"), "connect-4-6x7");
        assert_eq!(shell_word("my game.lud"), "'my game.lud'");
        assert_eq!(shell_word("a'$(b)"), r"'a'\''$(b)'");
    }

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(escape("</td><script>'\"&"), "&lt;/td&gt;&lt;script&gt;&#39;&quot;&amp;");
        assert_eq!(json("</script>\n\"\\"), "\"\\u003c/script\\u003e\\u000a\\\"\\\\\"");
    }
}
