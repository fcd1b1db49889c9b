//! Files of a crate use each other in one direction: whoever reads a file knows what it rests on.
//!
//! An edge goes from a file to the file that holds what it names in a `use` or in a path that
//! begins with `crate`, `self` or `super`. A name that a module only re-exports leads to where it
//! is. Unit tests may look anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::repository::root;
use crate::source::{is_name, tokens};

/// A path of names: a module, or an item in one.
type Names = Vec<String>;

#[test]
fn files_use_each_other_in_one_direction() {
    let (mut crates, mut circles) = (0, String::new());
    for folder in crates_below(&root()) {
        crates += 1;
        for circle in Modules::read(&folder.join("src")).circles() {
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            circles += &format!("{}: {}\n", folder.display(), names.join(", "));
        }
    }
    assert!(crates > 10, "only {crates} crates were looked at");
    assert!(circles.is_empty(), "these modules use each other in circles:\n{circles}");
}

#[test]
fn circles_are_found() {
    let of = |sources: &[(&str, &str)]| {
        let sources = sources.iter().map(|&(module, text)| {
            let module = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned);
            (module.collect(), tokens(text))
        });
        Modules { sources: sources.collect() }.circles().len()
    };
    let root = ("", "mod a; mod b; pub use b::{deep::B as C};");
    assert_eq!(of(&[root, ("a", "use crate::b::{X, Y};"), ("b", "")]), 0);
    assert_eq!(of(&[root, ("a", "use crate::b::X;"), ("b", "fn f() { super::a::g() }")]), 1);
    // Through a re-export, from a child, and in a nested tree.
    let deep = ("b::deep", "use crate::{a::{self, A}};");
    assert_eq!(of(&[root, ("a", "use crate::C;"), ("b", "mod deep;"), deep]), 1);
    // What is no code, and tests.
    let idle =
        "// super::a::g()\n fn f() { \"super::a\" } #[cfg(test)] mod tests { use crate::a; }";
    assert_eq!(of(&[root, ("a", "use crate::b::X;"), ("b", idle)]), 0);
}

/// Folders with a manifest and sources.
fn crates_below(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let entries = std::fs::read_dir(folder).expect("folders can be read");
    for path in entries.map(|entry| entry.expect("it can be read").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            if path.join("Cargo.toml").is_file() && path.join("src").is_dir() {
                all.push(path.clone());
            }
            all.extend(crates_below(&path));
        }
    }
    all.sort();
    all
}

/// The sources of a crate.
struct Modules {
    sources: BTreeMap<Names, Vec<String>>,
}

/// A name that a module uses: what it leads to, what it is called there, and whether it is
/// re-exported.
struct Use {
    target: Names,
    name: String,
    public: bool,
}

impl Modules {
    fn read(src: &Path) -> Modules {
        let (mut sources, mut folders) = (BTreeMap::new(), vec![src.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("sources are there") {
                let path = entry.expect("it can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let inside = path.strip_prefix(src).expect("it is below").with_extension("");
                    let name = |part: &std::ffi::OsStr| part.to_string_lossy().into_owned();
                    let mut module: Names = inside.iter().map(name).collect();
                    let file = module.last().map(String::as_str).unwrap_or_default();
                    if file == "mod" || module.len() == 1 && ["lib", "main"].contains(&file) {
                        module.pop();
                    }
                    // Programs are crates of their own.
                    if !module.contains(&"tests".to_owned()) && !inside.starts_with("bin") {
                        let text = std::fs::read_to_string(&path).expect("sources are text");
                        sources.entry(module).or_insert_with(Vec::new).extend(tokens(&text));
                    }
                }
            }
        }
        Modules { sources }
    }

    /// Groups of modules that use each other.
    fn circles(&self) -> Vec<Vec<Names>> {
        let uses: BTreeMap<&Names, Vec<Use>> = self
            .sources
            .iter()
            .map(|(module, tokens)| (module, self.uses(module, tokens)))
            .collect();
        let edges: BTreeMap<&Names, BTreeSet<&Names>> = uses
            .iter()
            .map(|(&module, own)| {
                let own = own.iter().filter(|used| !used.public);
                let homes = own.filter_map(|used| self.home(&used.target, &uses, 0));
                (module, homes.filter(|&home| home != module).collect())
            })
            .collect();
        let mut reached: BTreeMap<&Names, BTreeSet<&Names>> = BTreeMap::new();
        for module in self.sources.keys() {
            let (mut seen, mut open) = (BTreeSet::new(), vec![module]);
            while let Some(module) = open.pop() {
                open.extend(edges[module].iter().filter(|&&to| seen.insert(to)));
            }
            reached.insert(module, seen);
        }
        let group = |module: &Names| -> Vec<Names> {
            let own = reached[module].iter().filter(|to| reached[**to].contains(module));
            own.map(|to| (*to).clone()).collect()
        };
        let groups: BTreeSet<Vec<Names>> = self.sources.keys().map(group).collect();
        groups.into_iter().filter(|group| group.len() > 1).collect()
    }

    /// What a module names.
    fn uses(&self, module: &Names, tokens: &[String]) -> Vec<Use> {
        let (mut all, mut at) = (Vec::new(), 0);
        while at < tokens.len() {
            let start = at;
            at += 1;
            match tokens[start].as_str() {
                "use" => {
                    let end = tokens[at..].iter().position(|token| token == ";");
                    let end = end.map_or(tokens.len(), |end| at + end);
                    let public = start > 0 && ["pub", ")"].contains(&tokens[start - 1].as_str());
                    let mut names = Vec::new();
                    flatten(&tokens[at..end], &[], &mut names);
                    all.extend(names.into_iter().filter_map(|(path, name)| {
                        let target = self.absolute(module, &path)?;
                        Some(Use { target, name, public })
                    }));
                    at = end;
                }
                "crate" | "self" | "super" => {
                    let mut path = vec![tokens[start].clone()];
                    while tokens.get(at).is_some_and(|token| token == "::")
                        && tokens.get(at + 1).is_some_and(|token| is_name(token))
                    {
                        path.push(tokens[at + 1].clone());
                        at += 2;
                    }
                    if path.len() > 1 {
                        let target = self.absolute(module, &path);
                        all.extend(target.map(|target| Use {
                            target,
                            name: String::new(),
                            public: false,
                        }));
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// A path from the root of the crate; `None` where it leads into another.
    fn absolute(&self, module: &Names, path: &[String]) -> Option<Names> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let (base, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (&module[..], &path[1..]),
            "super" => (&module[..module.len().checked_sub(supers)?], &path[supers..]),
            child => {
                let child = [&module[..], &[child.to_owned()]].concat();
                self.sources.contains_key(&child).then_some((&module[..], path))?
            }
        };
        Some([base, rest].concat())
    }

    /// The module that holds what a path names.
    fn home(&self, path: &Names, uses: &BTreeMap<&Names, Vec<Use>>, depth: u32) -> Option<&Names> {
        let mut longest = (0..=path.len()).rev();
        let length = longest.find(|&length| self.sources.contains_key(&path[..length]))?;
        let (module, _) = self.sources.get_key_value(&path[..length])?;
        let rest = &path[length..];
        let exported = rest.first().filter(|_| depth < 8).and_then(|name| {
            uses[module].iter().find(|u| u.public && u.name == *name && u.target != *path)
        });
        match exported {
            Some(exported) => {
                self.home(&[&exported.target[..], &rest[1..]].concat(), uses, depth + 1)
            }
            None => Some(module),
        }
    }
}

/// The paths of a tree of imports, each with the name that it has here.
fn flatten(tree: &[String], head: &[String], names: &mut Vec<(Names, String)>) {
    let open = tree.iter().position(|token| token == "{");
    let prefix = tree.split(|token| token == "{").next().unwrap_or_default();
    let (prefix, alias) = match prefix.iter().position(|token| token == "as") {
        Some(at) => (&prefix[..at], prefix.get(at + 1).cloned()),
        None => (prefix, None),
    };
    let mut path = head.to_vec();
    path.extend(prefix.iter().filter(|token| *token != "::").cloned());
    let Some(open) = open else {
        if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
            path.pop();
        }
        let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
        names.push((path, name));
        return;
    };
    let (mut depth, mut from) = (0, open + 1);
    for (at, token) in tree.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && token == "," {
            if from < at {
                flatten(&tree[from..at], &path, names);
            }
            from = at + 1;
        }
    }
}
