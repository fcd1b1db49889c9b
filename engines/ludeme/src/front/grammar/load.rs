use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::lines;
use super::{
    Choice, Constant, EnumId, Enumeration, Former, Grammar, Kind, KindInfo, Label, Ludeme, Name,
    Signature, Slot, TextId, TextSort, Type, TypeId, Word,
};

/// Reads the table. The files are part of the program, so an error in them is a bug and panics with
/// the line; a test reads them all.
pub(super) fn load(files: &[&'static str]) -> Grammar {
    let mut loader = Loader::default();
    // Names come first, because a line may use a name that a later line declares.
    let lines = || files.iter().flat_map(|file| lines::lines(file));
    for line in lines() {
        loader.declare(line);
    }
    for line in lines().filter(|line| lines::declaration(line).is_none()) {
        loader.signature(line);
    }
    let mut grammar = loader.grammar;
    for (index, signature) in grammar.signatures.iter().enumerate() {
        grammar.by_keyword.entry(signature.keyword).or_default().push(Ludeme(index as u16));
    }
    for (index, &(word, _)) in grammar.constants.iter().enumerate() {
        grammar.by_constant.entry(word.as_str()).or_default().push(Constant(index as u16));
    }
    grammar
}

#[derive(Default)]
struct Loader {
    grammar: Grammar,
    named: BTreeMap<&'static str, Vec<Type>>,
    interned: FxHashMap<Type, TypeId>,
    /// The kind of the section that signatures belong to.
    section: Option<Kind>,
}

impl Loader {
    fn declare(&mut self, line: &'static str) {
        let Some((what, rest)) = lines::declaration(line) else { return };
        match what {
            "kind" => {
                let (name, rest) = lines::split(rest);
                let mut quoted = Quoted(rest);
                let kind = Kind::named(name).unwrap_or_else(|| panic!("{line}"));
                let about = KindInfo {
                    words: quoted.next().unwrap_or(name),
                    example: quoted.next().unwrap_or(""),
                    parent: quoted.0.trim().strip_prefix("< ").map(|parent| {
                        match self.named[parent][0] {
                            Type::Kind(kind) => kind,
                            _ => panic!("{parent} is no kind: {line}"),
                        }
                    }),
                };
                self.grammar.kinds.insert(kind, about);
                // Every kind is a type, even if no slot takes it, such as the kind of the whole
                // description.
                self.intern(Type::Kind(kind));
                self.named.insert(name, vec![Type::Kind(kind)]);
            }
            "text" => {
                let (name, rest) = lines::split(rest);
                let mut quoted = Quoted(rest);
                let words = quoted.next().unwrap_or(name);
                let example = quoted.next().unwrap_or("\"Name\"");
                let id = TextId(self.grammar.texts.len() as u8);
                self.grammar.texts.push(TextSort { name, words, example });
                self.named.insert(name, vec![Type::Text(id)]);
            }
            "enum" => {
                let (head, constants) = lines::enumeration(rest);
                let (name, words) = lines::split(head);
                let id = EnumId(self.grammar.enums.len() as u8);
                let first = self.grammar.constants.len();
                let word = |text| Word::named(text).unwrap_or_else(|| panic!("{line}"));
                self.grammar.constants.extend(constants.map(|text| (word(text), id)));
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
                let (second, first) = lines::split(rest);
                self.grammar.synonyms.insert(second, first);
            }
            "unsupported" => self.grammar.unsupported.extend(rest.split_whitespace()),
            "former" => {
                let mut quoted = Quoted(rest);
                let forms = quoted.next().zip(quoted.next());
                let former = forms.and_then(|(then, now)| Former::new(then, now));
                self.grammar.former.push(former.unwrap_or_else(|| panic!("{line}")));
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
        let kind = self.section.unwrap_or_else(|| panic!("no section yet: {line}"));
        let (calls, words) = lines::signature(line);
        for call in calls {
            let name = call.join(" ");
            let slots = SlotParser { loader: self, words: &words, line }.slots();
            self.grammar.signatures.push(Signature {
                name: Name::named(&name).unwrap_or_else(|| panic!("{line}")),
                keyword: call[0],
                selectors: call[1..].to_vec(),
                kind,
                slots,
            });
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
        let mut ids = Vec::new();
        for part in parts {
            if let Some(items) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                let items = self.types(items, line);
                ids.push(self.intern(Type::Array(items)));
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
                ids.push(self.intern(ty));
            }
        }
        ids
    }
}

/// The texts that are left of a line, each between two quotes or two backticks.
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
    fn slots(&mut self) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut index = 0;
        while let Some(word) = self.words.get(index) {
            let (close, optional) = match word.as_bytes()[0] {
                b'[' => (']', true),
                b'(' => (')', false),
                _ => {
                    let choices = self.choices(word);
                    slots.push(Slot { optional: false, choices });
                    index += 1;
                    continue;
                }
            };
            let mut choices = Vec::new();
            loop {
                let word =
                    self.words.get(index).unwrap_or_else(|| panic!("no {close}: {}", self.line));
                index += 1;
                if let Some(bare) = lines::bare(word) {
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
        let choice = lines::choice(text)
            .and_then(|(label, named, types)| Some((Label::named(label)?, named, types)));
        let (label, named, types) =
            choice.unwrap_or_else(|| panic!("no type in {text}: {}", self.line));
        let types = self.loader.types(types, self.line);
        types.into_iter().map(|ty| Choice { label, named, ty }).collect()
    }
}
