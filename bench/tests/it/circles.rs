//! Rooms of a crate, the folders directly under its `src`, use each other one way, and so do its
//! files, but for parent and child: whoever reads a file knows what it rests on.
//!
//! An edge goes from a file to the file that holds what it names in a `use`, or in a path that
//! begins with `crate`, `self`, `super` or a child. A name that a module re-exports leads to where
//! it is. Among rooms an inherent `impl` counts as well: the room of a type rests on all that it
//! can do. Unit tests may look anywhere. One room is free within: see [`RECURSIVE`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::repository::{crates_below, root};
use crate::source::{is_name, tokens};

/// A path of names: a module, or an item in one.
type Names = Vec<String>;

/// Rooms of crates whose files may use each other if they name a type: with it, each writes the
/// code of one sort of rules, and rules contain rules of every sort.
const RECURSIVE: [[&str; 3]; 2] = [["ludeme", "compile", "Emitter"], ["rg", "compile", "Compiler"]];

#[test]
fn rooms_and_files_use_each_other_one_way() {
    let (mut crates, mut circles) = (0, String::new());
    for folder in crates_below(&root()) {
        crates += 1;
        let modules = Modules::read(&folder.join("src"));
        let is_free = |module: &Names| {
            RECURSIVE.iter().any(|[name, room, of_type]| {
                let is_there = folder.ends_with(name) && module.len() > 1 && module[0] == *room;
                is_there && modules.sources[module].iter().any(|token| token == of_type)
            })
        };
        for circle in modules.circles() {
            if circle.iter().all(is_free) {
                continue;
            }
            let names: Vec<String> = circle.iter().map(|module| module.join("::")).collect();
            circles += &format!("{}: {}\n", folder.display(), names.join(", "));
        }
    }
    assert!(crates > 10, "only {crates} crates were looked at");
    assert!(circles.is_empty(), "these rooms and files use each other in circles:\n{circles}");
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
    // Two rooms whose files have no circle: by a re-export, and by methods of the other's type.
    let rooms = |a: &str, b: &str| of(&[("a", a), ("a::x", ""), ("b", b), ("b::y", "")]);
    assert_eq!(rooms("pub use crate::b::y::Y;", "use crate::a::x::X;"), 1);
    assert_eq!(rooms("use crate::b::y::Y; impl<'a> Y<'a> { fn f() {} }", ""), 1);
    assert_eq!(rooms("use crate::b::y::Y; impl T for Y {} fn f() -> impl Y { g() }", ""), 0);
    // Parent and child; what a child that is named in a body leads to.
    let parent = ("a", "mod x; fn f() { x::Z::g() }");
    assert_eq!(of(&[parent, ("a::x", "use super::f;")]), 0);
    let [x, y] = [("a::x", "pub use crate::b::y::Z;"), ("b::y", "use crate::a::f;")];
    assert_eq!(of(&[parent, x, ("b", ""), y]), 2);
    // What is no code, and tests.
    let idle =
        "// super::a::g()\n fn f() { \"super::a\" } #[cfg(test)] mod tests { use crate::a; }";
    assert_eq!(of(&[root, ("a", "use crate::b::X;"), ("b", idle)]), 0);
}

/// The uses of modules by modules.
type Edges = BTreeMap<Names, BTreeSet<Names>>;

/// Groups that use each other.
fn circles(edges: &Edges) -> Vec<Vec<Names>> {
    let mut reached: Edges = BTreeMap::new();
    for module in edges.keys() {
        let (mut seen, mut open) = (BTreeSet::new(), vec![module]);
        while let Some(module) = open.pop() {
            let used = edges.get(module).into_iter().flatten();
            open.extend(used.filter(|&to| seen.insert(to.clone())));
        }
        reached.insert(module.clone(), seen);
    }
    let group = |module: &Names| -> Vec<Names> {
        let back = |to: &&Names| reached.get(*to).is_some_and(|others| others.contains(module));
        reached[module].iter().filter(back).cloned().collect()
    };
    let groups: BTreeSet<Vec<Names>> = reached.keys().map(group).collect();
    groups.into_iter().filter(|group| group.len() > 1).collect()
}

/// The types of which a source has inherent `impl`s.
fn implemented(tokens: &[String]) -> Vec<&String> {
    let item = |two: &[String]| ["}", ";", "]", "{"].contains(&two[0].as_str()) && two[1] == "impl";
    let starts = tokens.windows(2).enumerate().filter(|(_, two)| item(two)).map(|(at, _)| at + 2);
    let head = |at: usize| tokens[at..].split(|token| token == "{" || token == "where").next();
    let own = starts.filter_map(head).filter(|head| !head.iter().any(|token| token == "for"));
    let of_type = |head: &[String]| {
        let mut depth = 0;
        head.iter().rposition(|token| {
            depth += i32::from(token == ">") - i32::from(token == "<");
            depth == 0 && is_name(token)
        })
    };
    own.filter_map(|head| Some(&head[of_type(head)?])).collect()
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

    /// Groups of files and of rooms that use each other.
    fn circles(&self) -> Vec<Vec<Names>> {
        let uses: BTreeMap<&Names, Vec<Use>> = self
            .sources
            .iter()
            .map(|(module, tokens)| (module, self.uses(module, tokens)))
            .collect();
        let folders = self.sources.keys().filter(|module| module.len() > 1);
        let folders: BTreeSet<&String> = folders.map(|module| &module[0]).collect();
        let is_folder = |name: &&String| folders.contains(name);
        let room = |module: &Names| Some(vec![module.first().filter(is_folder)?.clone()]);
        let (mut files, mut rooms) = (Edges::new(), Edges::new());
        for (&module, own) in &uses {
            let home = |used: &Use| self.home(&used.target, &uses, 0);
            for home in own.iter().filter_map(home) {
                if !home.starts_with(module) {
                    files.entry(module.clone()).or_default().insert(home.clone());
                }
                if let (Some(user), Some(used)) = (room(module), room(home)) {
                    rooms.entry(user).or_default().insert(used);
                }
            }
            let types = implemented(&self.sources[module]);
            let types = own.iter().filter(|used| types.contains(&&used.name)).filter_map(home);
            for (of_type, own) in types.filter_map(|home| room(home).zip(room(module))) {
                rooms.entry(of_type).or_default().insert(own);
            }
        }
        [files, rooms].iter().flat_map(circles).collect()
    }

    /// The uses in a module.
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
                first if is_name(first) => {
                    let mut path = vec![tokens[start].clone()];
                    while tokens.get(at).is_some_and(|token| token == "::")
                        && tokens.get(at + 1).is_some_and(|token| is_name(token))
                    {
                        path.push(tokens[at + 1].clone());
                        at += 2;
                    }
                    let target = self.absolute(module, &path).filter(|_| path.len() > 1);
                    let name = path.pop().unwrap_or_default();
                    all.extend(target.map(|target| Use { target, name, public: false }));
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
