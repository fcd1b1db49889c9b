//! The links of all documents lead somewhere: to a file, a folder, or a heading. The script that
//! makes releases has the parts that it lists.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::repository::root;

/// All Markdown files of the repository, by their paths from its root, without code.
fn documents() -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("folders can be read") {
            let entry = entry.expect("it can be read");
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().expect("it has a type");
            let path = folder.join(&name);
            // What a build or a run leaves is no document of ours.
            if kind.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules"
            {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e == "md") {
                let text = std::fs::read_to_string(root().join(&path)).expect("it is text");
                all.insert(path, without_code(&text));
            }
        }
    }
    all.retain(|path, _| !path.starts_with("runs"));
    all
}

/// The text without blocks of code. Lines stay.
fn without_code(text: &str) -> String {
    let mut inside = false;
    let lines = text.lines().map(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        if inside || fence { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line without pieces of code.
fn prose(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// The targets of the links and pictures of a line.
fn targets(line: &str) -> Vec<String> {
    let line = prose(line);
    let behind = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    behind.map(|(target, _)| target.to_owned()).collect()
}

/// The anchors of the headings of a document, as forges and books make them.
fn anchors(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for heading in text.lines().filter(|line| line.starts_with('#')) {
        let heading = heading.trim_start_matches('#').trim();
        // Of a link in a heading, the words count.
        let words = heading.split("](").enumerate().map(|(i, part)| match part.split_once(')') {
            Some((_, rest)) if i > 0 => rest,
            _ => part,
        });
        let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
        let anchor: String =
            words.collect::<String>().to_lowercase().chars().filter(kept).collect();
        let anchor = anchor.replace(' ', "-");
        let before = all.iter().filter(|other| **other == anchor).count();
        all.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
    }
    all
}

/// The path from the root of what a document links, without `..`; nothing outside of the root.
fn resolved(document: &Path, target: &str) -> Option<PathBuf> {
    let mut path = document.parent()?.to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir if !path.pop() => return None,
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path)
}

/// The links of documents that lead nowhere, each with its place.
fn dead_links(documents: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut dead = Vec::new();
    for (document, text) in documents {
        for (line, number) in text.lines().zip(1..) {
            for target in targets(line) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
                let linked = match path {
                    "" => Some(document.clone()),
                    _ => resolved(document, path),
                };
                let is_there = linked.as_ref().is_some_and(|path| {
                    let heading = documents.get(path).map(|text| anchors(text));
                    (documents.contains_key(path) || root().join(path).exists())
                        && (anchor.is_empty()
                            || heading.is_some_and(|all| all.iter().any(|a| a == anchor)))
                });
                if !is_there {
                    dead.push(format!("{}:{number}: {target}", document.display()));
                }
            }
        }
    }
    dead
}

#[test]
fn links_of_documents_lead_somewhere() {
    let documents = documents();
    let links = documents.values().flat_map(|text| text.lines()).flat_map(targets).count();
    assert!(documents.len() > 30 && links > 200, "{} documents, {links} links", documents.len());
    let dead = dead_links(&documents);
    assert!(dead.is_empty(), "these links lead nowhere:\n{}", dead.join("\n"));
}

#[test]
fn dead_links_are_found() {
    let text = "# Some `words`: here\n## Some words here\n[a](b.md#no) [c](README.md#nowhere)\n\
                `[no](link.md)` [up](../x.md)\n```\n[no](link.md)\n```\n\
                [good](#some-words-here-1) [folder](src) ![no](picture.svg)\n";
    let good = "# What it *says*\n[back](README.md#some-words-here)\n";
    let documents = BTreeMap::from([
        (PathBuf::from("bench/README.md"), without_code(text)),
        (PathBuf::from("bench/b.md"), without_code(good)),
    ]);
    assert_eq!(anchors(good), ["what-it-says"]);
    let all = ["3: b.md#no", "3: README.md#nowhere", "4: ../x.md", "8: picture.svg"];
    assert_eq!(dead_links(&documents), all.map(|link| format!("bench/README.md:{link}")));
}

/// Every part that the text of `.release/make` lists is one that it can make.
#[test]
fn the_release_script_knows_its_parts() {
    let script = root().join(".release/make");
    let asked = |arguments: &[&str]| {
        let output =
            Command::new("bash").arg(&script).args(arguments).output().expect("bash is there");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (code, help) = asked(&["--help"]);
    let parts = help.lines().filter_map(|line| line.strip_prefix("  "));
    let parts = parts.filter_map(|line| line.split_once("  ")).map(|(part, _)| part);
    let parts: Vec<&str> = parts.filter(|part| part.chars().all(char::is_lowercase)).collect();
    assert!(code == Some(0) && parts.len() == 7, "{parts:?} {help}");
    for part in parts {
        let (code, said) = asked(&["--missing", part]);
        let is_there = code == Some(0) && said.contains("nothing is missing");
        let is_missing = code == Some(1) && said.contains("these commands get it");
        assert!(is_there || is_missing, "{part}: {code:?} {said}");
    }
    let (code, said) = asked(&["--missing", "wheels"]);
    assert!(code == Some(2) && said.contains("no part `wheels`"), "{said}");
}
