use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{
    Choice, Constant, EnumId, Enumeration, Grammar, Kind, KindId, Ludeme, Signature, Slot, TextId,
    TextSort, Type, TypeId,
};

/// Reads the table. The files are part of the program, so what is wrong in them is a bug and panics
/// with the line; a test reads them all.
pub(super) fn load(files: &[&'static str]) -> Grammar {
    let mut loader = Loader::default();
    // Names first: a line may mention what a later line declares.
    let lines = || {
        files
            .iter()
            .flat_map(|file| file.lines())
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("# ") && *line != "#")
    };
    for line in lines() {
        loader.declare(line);
    }
    for line in lines() {
        loader.signature(line);
    }
    let mut grammar = loader.grammar;
    for (index, signature) in grammar.signatures.iter().enumerate() {
        grammar.by_keyword.entry(signature.keyword).or_default().push(Ludeme(index as u16));
    }
    for (index, &(name, _)) in grammar.constants.iter().enumerate() {
        grammar.by_constant.entry(name).or_default().push(Constant(index as u16));
    }
    grammar
}

/// What lines other than signatures begin with.
const DECLARATIONS: [&str; 7] =
    ["kind", "text", "enum", "alias", "synonym", "unsupported", "former"];

#[derive(Default)]
struct Loader {
    grammar: Grammar,
    named: BTreeMap<&'static str, Vec<Type>>,
    interned: FxHashMap<Type, TypeId>,
    /// The kind of the section that signatures belong to.
    section: Option<KindId>,
}

impl Loader {
    fn declare(&mut self, line: &'static str) {
        let Some((what, rest)) = line.split_once(' ') else { return };
        match what {
            "kind" => {
                let (name, rest) = split(rest);
                let mut quoted = Quoted(rest);
                let kind = Kind {
                    name,
                    words: quoted.next().unwrap_or(name),
                    example: quoted.next().unwrap_or(""),
                    parent: quoted.0.trim().strip_prefix("< ").map(|parent| {
                        match self.named[parent][0] {
                            Type::Kind(kind) => kind,
                            _ => panic!("{parent} is no kind: {line}"),
                        }
                    }),
                };
                let id = KindId(self.grammar.kinds.len() as u8);
                self.grammar.kinds.push(kind);
                // Every kind is a type, even when no slot takes it, as of the whole description.
                self.intern(Type::Kind(id));
                self.named.insert(name, vec![Type::Kind(id)]);
            }
            "text" => {
                let (name, rest) = split(rest);
                let mut quoted = Quoted(rest);
                let words = quoted.next().unwrap_or(name);
                let example = quoted.next().unwrap_or("\"Name\"");
                let id = TextId(self.grammar.texts.len() as u8);
                self.grammar.texts.push(TextSort { name, words, example });
                self.named.insert(name, vec![Type::Text(id)]);
            }
            "enum" => {
                let (head, constants) = rest.split_once(':').unwrap_or_else(|| panic!("{line}"));
                let (name, words) = split(head);
                let id = EnumId(self.grammar.enums.len() as u8);
                let first = self.grammar.constants.len();
                self.grammar.constants.extend(constants.split_whitespace().map(|c| (c, id)));
                let constants = (first..self.grammar.constants.len()).map(|i| Constant(i as u16));
                self.grammar.enums.push(Enumeration {
                    name,
                    words: Quoted(words).next().unwrap_or(name),
                    constants: constants.collect(),
                });
                self.named.insert(name, vec![Type::Enum(id)]);
            }
            "alias" => {
                let (name, types) = rest.split_once(':').unwrap_or_else(|| panic!("{line}"));
                let types = types.split_whitespace().flat_map(|t| self.named[t].clone()).collect();
                self.named.insert(name, types);
            }
            "synonym" => {
                let (second, first) = split(rest);
                self.grammar.synonyms.insert(second, first);
            }
            "unsupported" => self.grammar.unsupported.extend(rest.split_whitespace()),
            "former" => {
                let (keyword, form) = split(rest);
                self.grammar.former.insert(keyword, Quoted(form).next().unwrap_or(form));
            }
            _ => {}
        }
    }

    fn signature(&mut self, line: &'static str) {
        if let Some(kind) = line.strip_prefix("== ") {
            let Some([Type::Kind(kind)]) = self.named.get(kind).map(Vec::as_slice) else {
                panic!("no kind: {line}");
            };
            self.section = Some(*kind);
            return;
        }
        let (first, _) = split(line);
        if DECLARATIONS.contains(&first) {
            return;
        }
        let kind = self.section.unwrap_or_else(|| panic!("no section yet: {line}"));
        // "move Step / step" gives two ludemes with the same slots; "count Rows|Columns" likewise.
        let words: Vec<&'static str> = line.split_whitespace().collect();
        let is_head = |word: &&str| {
            !word.starts_with(['[', '('])
                && (!word.contains(['=', ':']) || word.starts_with(['=', '!', '<', '>']))
        };
        let head = words.iter().take_while(|word| is_head(word)).count();
        for head in words[..head].split(|&word| word == "/") {
            for names in combinations(head) {
                let mut parser = SlotParser { loader: self, words: &words, line };
                let slots = parser.slots(words.iter().take_while(|word| is_head(word)).count());
                self.grammar.signatures.push(Signature {
                    name: names.join(" "),
                    keyword: names[0],
                    selectors: names[1..].to_vec(),
                    kind,
                    slots,
                });
            }
        }
    }

    fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = TypeId(self.grammar.types.len() as u16);
        self.grammar.types.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    /// `Int`, `Int|Region`, `{Int}`, `{{Float}}|Poly`.
    fn types(&mut self, text: &'static str, line: &str) -> Vec<TypeId> {
        let mut depth = 0;
        let parts = text.split(move |c| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            c == '|' && depth == 0
        });
        let mut all = Vec::new();
        for part in parts {
            if let Some(items) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                let items = self.types(items, line);
                all.push(self.intern(Type::Array(items)));
                continue;
            }
            let types = match part {
                "Integer" => vec![Type::Integer],
                "Number" => vec![Type::Number],
                "Boolean" => vec![Type::Boolean],
                name => {
                    self.named.get(name).unwrap_or_else(|| panic!("no type {name}: {line}")).clone()
                }
            };
            for ty in types {
                all.push(self.intern(ty));
            }
        }
        all
    }
}

/// Every choice of one alternative of each word: `is Even|Odd` gives `is Even` and `is Odd`.
fn combinations(words: &[&'static str]) -> Vec<Vec<&'static str>> {
    words.iter().fold(vec![Vec::new()], |done, word| {
        let alternatives: Vec<&'static str> = word.split('|').collect();
        done.iter()
            .flat_map(|front| {
                alternatives.iter().map(|word| front.iter().copied().chain([*word]).collect())
            })
            .collect()
    })
}

fn split(text: &'static str) -> (&'static str, &'static str) {
    text.split_once(' ').map_or((text, ""), |(first, rest)| (first, rest.trim()))
}

/// The texts that a line still holds, each between two quotes or two backticks.
struct Quoted(&'static str);

impl Iterator for Quoted {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let rest = self.0.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '`'))?;
        let (text, rest) = rest[1..].split_once(quote)?;
        self.0 = rest;
        Some(text)
    }
}

struct SlotParser<'a> {
    loader: &'a mut Loader,
    words: &'a [&'static str],
    line: &'static str,
}

impl SlotParser<'_> {
    fn slots(&mut self, from: usize) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut at = from;
        while let Some(word) = self.words.get(at) {
            let (close, optional) = match word.as_bytes()[0] {
                b'[' => (']', true),
                b'(' => (')', false),
                _ => {
                    let choices = self.choices(word);
                    slots.push(Slot { optional: false, choices });
                    at += 1;
                    continue;
                }
            };
            let mut choices = Vec::new();
            loop {
                let word =
                    self.words.get(at).unwrap_or_else(|| panic!("no {close}: {}", self.line));
                at += 1;
                if *word != "|" {
                    let bare = word.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
                    choices.extend(self.choices(bare));
                }
                if word.ends_with(close) {
                    break;
                }
            }
            slots.push(Slot { optional, choices });
        }
        slots
    }

    fn choices(&mut self, text: &'static str) -> Vec<Choice> {
        let at =
            text.find(['=', ':']).unwrap_or_else(|| panic!("no type in {text}: {}", self.line));
        let (label, named) = (&text[..at], text.as_bytes()[at] == b':');
        let types = self.loader.types(&text[at + 1..], self.line);
        types.into_iter().map(|ty| Choice { label, named, ty }).collect()
    }
}
