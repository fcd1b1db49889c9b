//! Colours and the style sheet.

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Those that the reader's system asks for, light or dark, by variables that a page can set.
    #[default]
    Auto,
    /// Light ones, without variables.
    Light,
    /// Dark ones, without variables.
    Dark,
}

/// The variables, each with its colour on light ground and on dark ground.
const COLOURS: [(&str, &str, &str); 22] = [
    ("paper", "#ffffff", "#1b1d21"),
    ("text", "#22262b", "#e4e6e9"),
    ("faint", "#6a7078", "#9aa1aa"),
    ("cell", "#ecdfc3", "#59616c"),
    ("other", "#e0cfa9", "#4d545e"),
    ("marked", "#cdb98a", "#7a6d4d"),
    ("spent", "#b3aca0", "#33373d"),
    ("line", "#8d8168", "#8b939e"),
    ("cover", "#aab4bf", "#2a2e34"),
    ("last", "#f4d35e", "#8f7a1d"),
    ("legal", "#1a7f4b", "#5fd69a"),
    ("ink", "#26221c", "#121316"),
    ("p0", "#fdfbf4", "#f3efe4"),
    ("p1", "#3a3f47", "#16181b"),
    ("p2", "#c9463d", "#d7584e"),
    ("p3", "#3a78b8", "#4c8fd3"),
    ("p4", "#4c9a52", "#5cb563"),
    ("p5", "#d98b2b", "#e29a3f"),
    ("p6", "#8a5cb0", "#a277c8"),
    ("p7", "#2f9a96", "#3fb6b1"),
    ("none", "#9b8f79", "#a9a08d"),
    ("edge", "#1c1a16", "#d9d4c7"),
];

/// The rules, in which `$name` stands for a colour.
const RULES: &str = "\
.ggp text{font-family:'Noto Sans',system-ui,sans-serif;fill:$text}\
.ggp .paper{fill:$paper}\
.ggp .note{font:13px ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre}\
.ggp .title{font-size:14px;font-weight:bold}\
.ggp .coordinate{fill:$faint;text-anchor:middle;dominant-baseline:central}\
.ggp .name{fill:$faint;text-anchor:middle}\
.ggp .ground{fill:$cell;stroke:$line;stroke-width:.6}\
.ggp .other .ground{fill:$other}\
.ggp .marked .ground{fill:$marked}\
.ggp .spent .ground{fill:$spent}\
.ggp .last .ground{fill:$last}\
.ggp .vertex .ground{fill:$cell;stroke:$line}\
.ggp .hit,.ggp .hold{fill:transparent;stroke:none}\
.ggp .link{stroke:$line;stroke-width:1.6;fill:none}\
.ggp .covered{fill:$cover;stroke:$line;stroke-width:.6}\
.ggp .target{fill:$legal;fill-opacity:.75;stroke:none}\
.ggp .origin{fill:none;stroke:$legal;stroke-width:2}\
.ggp .piece{fill:$none;stroke:$edge;stroke-width:4;stroke-linejoin:round;stroke-linecap:round}\
.ggp .piece .ink{fill:$ink}.ggp .piece .bare{fill:none}.ggp .piece .full{fill:$edge;stroke:none}\
.ggp .sign{fill:$text;stroke:none;text-anchor:middle;dominant-baseline:central;font-weight:bold}\
.ggp .on{fill:$ink}\
.ggp .badge{fill:$paper;stroke:$edge;stroke-width:3}\
.ggp .p0{fill:$p0}.ggp .p1{fill:$p1}.ggp .p2{fill:$p2}.ggp .p3{fill:$p3}\
.ggp .p4{fill:$p4}.ggp .p5{fill:$p5}.ggp .p6{fill:$p6}.ggp .p7{fill:$p7}\
.ggp .p1{stroke:$edge}\
.ggp .p1 .ink,.ggp .p1 .on{fill:#f3efe4}\
.ggp .card{fill:#fdfbf4}.ggp .card.p1,.ggp .card.p0{fill:#fdfbf4}\
.ggp .back{fill:$p3}\
.ggp .tray{font-size:13px}";

impl Theme {
    /// What is added to the class of the picture, so that pictures of different themes can stand on
    /// one page.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Theme::Auto => "",
            Theme::Light => " ggp-light",
            Theme::Dark => " ggp-dark",
        }
    }

    /// The style sheet.
    pub(crate) fn sheet(self) -> String {
        let set = |dark: bool| -> String {
            let colour = |&(name, light, other): &(&str, &str, &str)| {
                format!("--{name}:{};", if dark { other } else { light })
            };
            COLOURS.iter().map(colour).collect()
        };
        let mut rules = RULES.replace(".ggp ", &format!("{} ", self.selector()));
        // Longer names first: none is the beginning of another one that comes later.
        for (name, light, dark) in COLOURS {
            let colour = match self {
                Theme::Auto => format!("var(--{name})"),
                Theme::Light => light.to_owned(),
                Theme::Dark => dark.to_owned(),
            };
            rules = replaced(&rules, name, &colour);
        }
        if self != Theme::Auto {
            return rules;
        }
        let (light, dark) = (set(false), set(true));
        format!(".ggp{{{light}}}@media(prefers-color-scheme:dark){{.ggp{{{dark}}}}}{rules}")
    }

    fn selector(self) -> &'static str {
        match self {
            Theme::Auto => ".ggp",
            Theme::Light => ".ggp-light",
            Theme::Dark => ".ggp-dark",
        }
    }
}

/// Rules with a colour in the place of its name.
fn replaced(rules: &str, name: &str, colour: &str) -> String {
    let variable = format!("${name}");
    let mut parts = rules.split(&variable);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = !part.starts_with(|sign: char| sign.is_ascii_alphanumeric());
        if ends {
            out += colour;
        } else {
            out += "$";
            out += name;
        }
        out += part;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_a_rule_and_every_rule_its_colour() {
        for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
            let sheet = theme.sheet();
            assert!(!sheet.contains('$'), "{sheet}");
            assert!(!sheet.contains('<') && !sheet.contains('&'), "it stands in XML: {sheet}");
            assert_eq!(sheet.contains("var("), theme == Theme::Auto);
            assert_eq!(sheet.contains("prefers-color-scheme"), theme == Theme::Auto);
        }
        for (name, ..) in COLOURS {
            assert!(Theme::Auto.sheet().contains(&format!("var(--{name})")), "{name}");
        }
    }
}
