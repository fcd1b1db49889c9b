//! The ludemes of the language as data: their signatures, with the kind of result and the
//! arguments.
//!
//! The table is text, in the `.ludemes` files beside this one, so that one more ludeme is one more
//! line; `README.md` there explains their format. The meaning of ludemes is found elsewhere.

mod former;
pub(super) mod lines;
mod load;
mod names;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

pub use former::Former;
pub(crate) use lines::combinations;
pub use names::{Kind, Label, Name, Word};
pub use types::{EnumId, TextId, Type, TypeId};

/// A signature of the grammar, by number. It is cheap to compare and copy; its name is for
/// compilation and for messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ludeme(u16);

/// A constant of an enumeration, such as `Mover` of the roles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constant(u16);

/// One way to write a call.
#[derive(Debug)]
pub struct Signature {
    /// Keyword and selectors, such as `is Line`.
    pub name: Name,
    /// The word that the call begins with.
    pub keyword: &'static str,
    /// Constants that follow the keyword and select this signature.
    pub selectors: Vec<&'static str>,
    /// The kind of the result.
    pub kind: Kind,
    /// The arguments, in order.
    pub slots: Vec<Slot>,
}

/// A place for one argument.
#[derive(Debug)]
pub struct Slot {
    /// True if it may stay empty.
    pub optional: bool,
    /// The types of arguments that may fill it, in the order of trying.
    pub choices: Vec<Choice>,
}

/// One way to fill a slot.
#[derive(Debug)]
pub struct Choice {
    /// The label of the argument in a [`Call`](super::Call).
    pub label: Label,
    /// True if it must be written `label:argument`; otherwise it must be written without a name.
    pub named: bool,
    /// The type of the argument.
    pub ty: TypeId,
}

/// A kind of results of ludemes.
#[derive(Debug)]
pub struct KindInfo {
    /// The kind in words, with an article.
    pub words: &'static str,
    /// An example as it is written.
    pub example: &'static str,
    /// The kind that it is a special case of.
    pub parent: Option<Kind>,
}

/// A sort of strings, by what they name.
#[derive(Debug)]
pub struct TextSort {
    /// The name of the sort in the grammar.
    pub name: &'static str,
    /// The sort in words, with an article.
    pub words: &'static str,
    /// An example as it is written, with quotes.
    pub example: &'static str,
}

/// A set of constants.
#[derive(Debug)]
pub struct Enumeration {
    /// The name of the set in the grammar.
    pub name: &'static str,
    /// The set in words, with an article.
    pub words: &'static str,
    /// The constants in order.
    pub constants: Vec<Constant>,
}

/// The whole table.
#[derive(Debug, Default)]
pub struct Grammar {
    signatures: Vec<Signature>,
    kinds: BTreeMap<Kind, KindInfo>,
    texts: Vec<TextSort>,
    enums: Vec<Enumeration>,
    constants: Vec<(Word, EnumId)>,
    types: Vec<Type>,
    /// Signatures by keyword, in the order of the files.
    by_keyword: BTreeMap<&'static str, Vec<Ludeme>>,
    by_constant: FxHashMap<&'static str, Vec<Constant>>,
    /// Second spellings of keywords.
    synonyms: BTreeMap<&'static str, &'static str>,
    /// Keywords of the language that have no signature here.
    unsupported: BTreeSet<&'static str>,
    /// Forms of early descriptions, in the order of the files.
    former: Vec<Former>,
}

/// The grammar of the language, read once.
pub fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        load::load(&[
            include_str!("types.ludemes"),
            include_str!("game.ludemes"),
            include_str!("equipment.ludemes"),
            include_str!("graph.ludemes"),
            include_str!("moves.ludemes"),
            include_str!("functions.ludemes"),
        ])
    })
}

impl Grammar {
    /// The signature with a number.
    pub fn signature(&self, ludeme: Ludeme) -> &Signature {
        &self.signatures[usize::from(ludeme.0)]
    }

    /// All signatures, in the order of the files.
    pub fn ludemes(&self) -> impl Iterator<Item = Ludeme> {
        (0..self.signatures.len()).map(|i| Ludeme(i as u16))
    }

    /// All signatures with this keyword, second spellings included.
    pub fn with_keyword(&self, keyword: &str) -> impl Iterator<Item = Ludeme> + use<'_> {
        let direct = self.by_keyword.get(keyword);
        let by_synonym = self.synonyms.get(keyword).and_then(|first| self.by_keyword.get(first));
        direct.into_iter().chain(by_synonym).flatten().copied()
    }

    /// All keywords, sorted, second spellings included.
    pub fn keywords(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_keyword.keys().chain(self.synonyms.keys()).copied()
    }

    /// True if the language has this keyword while this table lacks it.
    pub fn is_unsupported(&self, keyword: &str) -> bool {
        self.unsupported.contains(keyword)
    }

    /// The keywords of the language that this table lacks, sorted.
    pub fn unsupported(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.unsupported.iter().copied()
    }

    /// The forms that calls with this keyword have in early descriptions only.
    pub fn former(&self, keyword: &str) -> impl Iterator<Item = &Former> {
        self.all_former().filter(move |former| former.keyword() == keyword)
    }

    /// All forms that calls have in early descriptions only.
    pub fn all_former(&self) -> impl Iterator<Item = &Former> {
        self.former.iter()
    }

    /// All constants with this spelling; the case of the first letter does not matter.
    pub fn constants(&self, name: &str) -> &[Constant] {
        if let Some(found) = self.by_constant.get(name) {
            return found;
        }
        if !name.starts_with(char::is_lowercase) {
            return &[];
        }
        self.by_constant.get(capitalised(name).as_str()).map_or(&[], Vec::as_slice)
    }

    /// The type with a number.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.types[usize::from(ty.0)]
    }

    /// The description of a kind.
    pub fn kind(&self, kind: Kind) -> &KindInfo {
        &self.kinds[&kind]
    }

    /// The type of the results of a kind; every kind is a type.
    pub fn kind_type(&self, kind: Kind) -> TypeId {
        let index = self.types.iter().position(|ty| *ty == Type::Kind(kind));
        TypeId(index.unwrap_or_default() as u16)
    }

    /// A sort of strings.
    pub fn text(&self, text: TextId) -> &TextSort {
        &self.texts[usize::from(text.0)]
    }

    /// A set of constants.
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[usize::from(id.0)]
    }

    /// True if a `kind` is a `wanted` one, itself or through its parents.
    pub fn is_a(&self, kind: Kind, wanted: Kind) -> bool {
        std::iter::successors(Some(kind), |&kind| self.kind(kind).parent).any(|kind| kind == wanted)
    }

    /// A type in words, with an article: `an integer`, `an array of regions`.
    pub fn words(&self, ty: TypeId) -> String {
        match self.ty(ty) {
            Type::Integer => "a literal integer".to_owned(),
            Type::Number => "a literal number".to_owned(),
            Type::Boolean => "`True` or `False`".to_owned(),
            Type::Kind(kind) => self.kind(*kind).words.to_owned(),
            Type::Enum(id) => self.enumeration(*id).words.to_owned(),
            Type::Text(text) => format!("{} in quotes", self.text(*text).words),
            Type::Array(items) => {
                let items: Vec<String> = items.iter().map(|&item| self.words(item)).collect();
                format!("an array in braces, each item {}", one_of(&items))
            }
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn one_of<S: AsRef<str>>(alternatives: &[S]) -> String {
    match alternatives {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [front @ .., last] => {
            let front: Vec<&str> = front.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", front.join(", "), last.as_ref())
        }
    }
}

/// The name with its first letter in upper case.
pub(super) fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// True if a word spells a constant, with its first letter in either case.
pub(super) fn spells(word: &str, constant: &str) -> bool {
    word == constant
        || (word.len() == constant.len()
            && word.starts_with(char::is_lowercase)
            && capitalised(word) == constant)
}

impl Ludeme {
    /// The signature.
    pub fn signature(self) -> &'static Signature {
        grammar().signature(self)
    }

    /// Keyword and selectors, such as `is Line`. Signatures that differ only in their arguments
    /// share it.
    pub fn name(self) -> Name {
        self.signature().name
    }

    /// The kind of the result.
    pub fn kind(self) -> Kind {
        self.signature().kind
    }

    /// True if a slot of any signature of this name has the label.
    pub fn has_label(self, label: Label) -> bool {
        let (name, kind) = (self.name(), self.kind());
        grammar()
            .with_keyword(self.signature().keyword)
            .map(Ludeme::signature)
            .filter(|signature| signature.name == name && signature.kind == kind)
            .flat_map(Signature::choices)
            .any(|choice| choice.label == label)
    }
}

impl Signature {
    /// All choices for a slot.
    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.slots.iter().flat_map(|slot| &slot.choices)
    }

    /// The form of the call, for messages: `(is Line [<type>] <length> [through:<integer>])`.
    pub fn usage(&self) -> String {
        let mut out = format!("({}", self.name);
        for slot in &self.slots {
            let mut shown: Vec<String> = slot
                .choices
                .iter()
                .map(|choice| {
                    let (open, close) = match grammar().ty(choice.ty) {
                        Type::Array(_) => ("{", " ..}"),
                        _ => ("", ""),
                    };
                    if choice.named {
                        let ty = grammar().short(choice.ty);
                        format!("{}:{open}<{ty}>{close}", choice.label)
                    } else {
                        format!("{open}<{}>{close}", choice.label)
                    }
                })
                .collect();
            shown.dedup();
            let shown = shown.join(" | ");
            let shown = if slot.optional { format!(" [{shown}]") } else { format!(" {shown}") };
            out.push_str(&shown);
        }
        out.push(')');
        out
    }
}

impl Grammar {
    /// An example of a type as it is written.
    pub fn example(&self, ty: TypeId) -> Option<String> {
        Some(match self.ty(ty) {
            Type::Integer => "3".to_owned(),
            Type::Number => "0.5".to_owned(),
            Type::Boolean => "True".to_owned(),
            Type::Kind(kind) => self.kind(*kind).example.to_owned(),
            Type::Enum(id) => self.enumeration(*id).constants.first()?.word().to_string(),
            Type::Text(text) => self.text(*text).example.to_owned(),
            Type::Array(items) => format!("{{ {} }}", self.example(*items.first()?)?),
        })
    }

    /// A type in words without article or braces: `integer`, `name of a piece`.
    fn short(&self, ty: TypeId) -> String {
        match self.ty(ty) {
            Type::Integer => "integer".to_owned(),
            Type::Number => "number".to_owned(),
            Type::Boolean => "True or False".to_owned(),
            Type::Array(items) => {
                let items: Vec<String> = items.iter().map(|&item| self.short(item)).collect();
                one_of(&items)
            }
            Type::Kind(_) | Type::Enum(_) | Type::Text(_) => {
                let words = match self.ty(ty) {
                    Type::Kind(kind) => self.kind(*kind).words,
                    Type::Enum(id) => self.enumeration(*id).words,
                    Type::Text(text) => self.text(*text).words,
                    _ => "",
                };
                let bare = ["a ", "an ", "the "].iter().find_map(|a| words.strip_prefix(a));
                bare.unwrap_or(words).to_owned()
            }
        }
    }
}

impl Constant {
    /// The spelling of the constant in the grammar.
    pub fn word(self) -> Word {
        grammar().constants[usize::from(self.0)].0
    }

    /// The enumeration that it belongs to.
    pub fn enumeration(self) -> &'static Enumeration {
        grammar().enumeration(self.enum_id())
    }

    pub(super) fn enum_id(self) -> EnumId {
        grammar().constants[usize::from(self.0)].1
    }
}

impl fmt::Debug for Ludeme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().as_str())
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn every_line_loads_and_labels_are_sound() {
        let grammar = grammar();
        assert!(grammar.ludemes().count() > 400);
        for ludeme in grammar.ludemes() {
            let signature = ludeme.signature();
            for slot in &signature.slots {
                assert!(!slot.choices.is_empty(), "{}", signature.name);
                // Code tells an empty slot from a filled one by its label, so no label is in two
                // slots of different sorts.
                for choice in &slot.choices {
                    assert!(!choice.label.as_str().is_empty(), "{}", signature.name);
                    assert!(ludeme.has_label(choice.label));
                }
            }
            for selector in &signature.selectors {
                assert!(selector.starts_with(char::is_uppercase), "{}", signature.name);
            }
        }
    }

    #[test]
    fn usages_read_well() {
        let usage = |keyword: &str, name: &str| {
            let found: Vec<String> = grammar()
                .with_keyword(keyword)
                .filter(|ludeme| ludeme.name().as_str() == name)
                .map(|ludeme| ludeme.signature().usage())
                .collect();
            found.join("\n")
        };
        expect![
            "(is Line [<type>] <length> [<direction>] [through:<integer> | \
            throughAny:<region>] [<who> | what:<integer> | whats:{<integer> ..}] \
            [exact:<condition>] [contiguous:<condition>] [if:<condition>] [byLevel:<condition>] \
            [top:<condition>])"
        ]
        .assert_eq(&usage("is", "is Line"));
        expect!["(< <a> <b>)"].assert_eq(&usage("lt", "<"));
        expect![
            "(place <item> [<container>] [<type>] [<site>] [coord:<coordinate>] \
            [count:<integer>] [state:<integer>] [rotation:<integer>] [value:<integer>])\n\
            (place <item> [<type>] {<sites> ..} | <sites> | {<sites> ..} [counts:{<integer> ..}] \
            [state:<integer>] [rotation:<integer>] [value:<integer>])"
        ]
        .assert_eq(&usage("place", "place"));
    }

    #[test]
    fn constants_are_found_in_either_case_of_the_first_letter() {
        let named = |name: &str| -> Vec<&str> {
            grammar().constants(name).iter().map(|c| c.enumeration().name).collect()
        };
        assert_eq!(named("Mover"), ["Role"]);
        assert_eq!(named("mover"), ["Role"]);
        assert_eq!(named("MOVER"), [""; 0]);
        assert_eq!(named("Cell"), ["SiteType", "GraphElement"]);
    }
}
