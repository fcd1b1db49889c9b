//! The file that names external engines.

use std::path::Path;

use anyhow::{Context, Result, bail};
use play::Language;
use serde::Deserialize;

use crate::client::Program;

/// The file of external engines that is read where no other is named.
pub const FILE: &str = "engines.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: Vec<External>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct External {
    name: String,
    /// The engine's own name where it is left out.
    lineage: Option<String>,
    command: Vec<String>,
    languages: Vec<String>,
    #[serde(default)]
    version: Vec<String>,
}

/// The engines that a file names.
pub(crate) fn read_file(path: &Path) -> Result<Vec<Program>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the engines file {}", path.display()))?;
    parse(&text::with_line_feeds(text)).with_context(|| format!("in {}", path.display()))
}

fn parse(text: &str) -> Result<Vec<Program>> {
    let file: File = toml::from_str(text)?;
    file.engine
        .into_iter()
        .map(|External { name, lineage, command, languages, version }| {
            if command.is_empty() {
                bail!("engine `{name}` has an empty command");
            }
            if name.is_empty() || name.contains(char::is_control) {
                bail!("the name of an engine is one line of text, and {name:?} is not");
            }
            for language in &languages {
                language.parse::<Language>().map_err(anyhow::Error::msg)?;
            }
            let lineage = lineage.unwrap_or_else(|| name.clone());
            Ok(Program { engine: name, lineage, command, languages, version })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_of_the_three_ways() {
        let text = "# two engines\n[[engine]]\nname = \"x\"\ncommand = [\"x\"] # with a comment\n\
            languages = [\"kif\"]\n[[engine]]\nname = \"y\"\ncommand = [\"y\"]\nlanguages = []\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        for other in text::cases::other_line_ends(text) {
            std::fs::write(&path, &other).unwrap();
            let names: Vec<String> =
                read_file(&path).unwrap().into_iter().map(|program| program.engine).collect();
            assert_eq!(names, ["x", "y"], "{other:?}");
        }
    }

    #[test]
    fn external_engines_are_read_strictly() {
        let good =
            "[[engine]]\nname = \"x\"\ncommand = [\"python3\", \"x.py\"]\nlanguages = [\"kif\"]";
        let engine = &parse(good).unwrap()[0];
        assert_eq!(engine.command, ["python3", "x.py"]);
        assert!(engine.version.is_empty());
        assert_eq!(engine.lineage, "x");
        let related = parse(&format!("{good}\nlineage = \"y\"")).unwrap();
        assert_eq!(related[0].lineage, "y");
        for (bad, words) in [
            ("[[engine]]\nname = \"x\"\ncommand = []\nlanguages = []", "empty command"),
            (
                "[[engine]]\nname = \"x\"\ncommand = [\"a\"]\nlanguages = [\"pdf\"]",
                "no language `pdf`",
            ),
            (
                "[[engine]]\nname = \"x\"\ncomand = [\"a\"]\nlanguages = []",
                "unknown field `comand`",
            ),
        ] {
            let error = format!("{:#}", parse(bad).unwrap_err());
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn names_of_engines_are_printable() {
        for name in ["", "\\u001b[31m", "a\\nb"] {
            let text = format!("[[engine]]\nname = \"{name}\"\ncommand = [\"a\"]\nlanguages = []");
            let error = format!("{:#}", parse(&text).unwrap_err());
            assert!(error.contains("one line of text"), "{error}");
        }
    }
}
