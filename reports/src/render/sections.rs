//! Sections of the comparison of languages, in every notation.

use std::fmt::Write as _;

use super::latex::{Field, Float, escape as latex_escape};
use super::markdown::escape as markdown_escape;
use super::page::{STYLE, with_code};
use super::sheet::{Sheet, TerminalOptions, Tone};
use crate::languages::{Grid, Section};
use crate::text::printable;

/// The heading of the whole.
const TITLE: &str = "Description languages compared";

/// The sections as Markdown; pictures are files beside it.
pub fn sections_markdown(sections: &[Section]) -> String {
    let mut out = format!("# {TITLE}\n");
    for section in sections {
        let _ = write!(out, "\n## {}\n\n", section.title);
        for definition in &section.definitions {
            let _ = writeln!(out, "{definition}\n");
        }
        for finding in &section.findings {
            let _ = writeln!(out, "- {finding}");
        }
        for picture in &section.pictures {
            let title = markdown_escape(&picture.title);
            let _ = write!(out, "\n![{title}]({}.svg)\n", picture.name);
        }
        for grid in &section.grids {
            let _ = write!(out, "\n*{}*\n\n| {} ", markdown_escape(&grid.caption), grid.corner);
            for head in &grid.heads {
                let _ = write!(out, "| {} ", markdown_escape(head));
            }
            let _ = write!(out, "|\n|---|{}\n", "---:|".repeat(grid.heads.len()));
            for (name, fields) in &grid.lines {
                let _ = write!(out, "| {} ", markdown_escape(name));
                for field in fields {
                    let _ = write!(out, "| {} ", markdown_escape(field));
                }
                out.push_str("|\n");
            }
        }
    }
    out
}

/// Findings of a section that stand for all of them where there is little room.
const FIRST: usize = 3;

/// The first findings of each section.
pub fn findings_markdown(sections: &[Section]) -> String {
    let mut out = String::new();
    for section in sections.iter().filter(|section| !section.findings.is_empty()) {
        let _ = write!(out, "\n**{}**\n\n", section.title);
        for finding in section.findings.iter().take(FIRST) {
            let _ = writeln!(out, "- {finding}");
        }
    }
    out + "\n"
}

/// The tables of the sections as LaTeX, which needs the package `booktabs`.
pub fn sections_latex(sections: &[Section]) -> String {
    let mut out = String::from("% Made by ggpbench. Needs \\usepackage{booktabs}.\n");
    for grid in sections.iter().flat_map(|section| &section.grids) {
        let line = |(name, fields): &(String, Vec<String>)| {
            (name.clone(), fields.iter().map(Field::text).collect())
        };
        let float = Float {
            label: grid.label,
            caption: latex_escape(&grid.caption),
            corner: grid.corner,
            heads: grid.heads.clone(),
            groups: vec![(None, grid.lines.iter().map(line).collect())],
        };
        float.write(&mut out);
    }
    out
}

/// The sections as a page that needs nothing else.
pub fn sections_html(sections: &[Section]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n<title>{TITLE}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header><h1>{TITLE}</h1></header>\n"
    );
    for section in sections {
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", with_code(section.title));
        for definition in &section.definitions {
            let _ = writeln!(out, "<p>{}</p>", with_code(definition));
        }
        out.push_str("<ul>\n");
        for finding in &section.findings {
            let _ = writeln!(out, "<li>{}</li>", with_code(&printable(finding)));
        }
        out.push_str("</ul>\n");
        for picture in &section.pictures {
            let _ = writeln!(out, "<figure><div class=\"paper\">{}</div></figure>", picture.svg);
        }
        section.grids.iter().for_each(|grid| grid_html(&mut out, grid));
        out.push_str("</section>\n");
    }
    out + "</body>\n</html>\n"
}

fn grid_html(out: &mut String, grid: &Grid) {
    let field = |text: &str| with_code(&printable(text));
    let _ = write!(
        out,
        "<h3>{}</h3>\n<div class=\"box\" tabindex=\"0\"><table>\n<thead><tr><th>{}</th>",
        field(&grid.caption),
        field(grid.corner)
    );
    for head in &grid.heads {
        let _ = write!(out, "<th>{}</th>", field(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (name, fields) in &grid.lines {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", field(name));
        for text in fields {
            let _ = write!(out, "<td>{}</td>", field(text));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

/// The findings and tables of the sections for a terminal.
pub fn sections_terminal(sections: &[Section], options: TerminalOptions) -> String {
    let mut out = String::new();
    for section in sections {
        let _ = write!(out, "{}\n\n", section.title.to_uppercase());
        for finding in &section.findings {
            let _ = writeln!(out, "- {}", printable(finding));
        }
        for grid in &section.grids {
            let _ = write!(out, "\n{}\n", printable(&grid.caption));
            let mut sheet = Sheet::new(grid.corner, grid.heads.iter().cloned());
            for (name, fields) in &grid.lines {
                let fields = fields.iter().map(|text| (printable(text).into_owned(), Tone::Plain));
                sheet.push(&printable(name), fields);
            }
            out += &sheet.draw(options);
        }
        out.push('\n');
    }
    out
}
