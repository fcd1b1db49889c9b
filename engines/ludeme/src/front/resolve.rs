//! Resolution of calls: the signature of each call, and the slot of each argument.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use text::{Bracket, Diagnostic};

use super::call::{Arg, Call, Value};
use super::grammar::{
    Choice, Grammar, Kind, Label, Ludeme, Signature, Type, TypeId, capitalised, grammar, spells,
};
use super::place::Place;
use super::tree::{NodeId, NodeKind, Tree};
use crate::meter;

/// Fits arguments to types and remembers the results, so that every argument is tried once with
/// every type: the work grows with the size of the description, not with the number of ways to read
/// it.
pub(super) struct Resolver<'a> {
    pub(super) tree: &'a Tree,
    pub(super) grammar: &'static Grammar,
    /// The fit of a node to a type; `None` if it does not fit.
    memo: FxHashMap<(NodeId, TypeId), Option<Fit>>,
}

#[derive(Clone, Debug)]
enum Fit {
    /// A word or a string.
    Leaf,
    /// An array whose items all fit.
    Array,
    /// A call, with the slot and the choice of each argument behind the selectors.
    Call(Ludeme, Vec<(u8, u8)>),
}

/// A string in a description, with the sort of thing that it should name.
#[derive(Debug)]
pub(super) struct TextUse {
    /// The name of the sort of string in the grammar.
    pub(super) sort: &'static str,
    pub(super) text: String,
    pub(super) place: Place,
    /// The call that it is an argument of.
    pub(super) ludeme: Ludeme,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(tree: &'a Tree) -> Resolver<'a> {
        let grammar = grammar();
        Resolver { tree, grammar, memo: FxHashMap::default() }
    }

    /// True if a node is of a type.
    pub(super) fn fits(&mut self, id: NodeId, ty: TypeId) -> bool {
        if let Some(fit) = self.memo.get(&(id, ty)) {
            return fit.is_some();
        }
        let fit = if meter::work(4) { self.fit(id, ty) } else { None };
        let fits = fit.is_some();
        self.memo.insert((id, ty), fit);
        fits
    }

    fn fit(&mut self, id: NodeId, ty: TypeId) -> Option<Fit> {
        let tree = self.tree;
        let wanted = self.grammar.ty(ty);
        match &tree.node(id).kind {
            NodeKind::Bad => Some(Fit::Leaf),
            NodeKind::Word(word) => self.is_literal(word, wanted).then_some(Fit::Leaf),
            NodeKind::Text(text) => {
                let Type::Text(sort) = wanted else { return None };
                let fits = match self.grammar.text(*sort).name {
                    "Coordinate" => is_coordinate(text),
                    "RegionName" => !is_coordinate(text),
                    _ => true,
                };
                fits.then_some(Fit::Leaf)
            }
            NodeKind::List(Bracket::Curly, items) => {
                let Type::Array(types) = wanted else { return None };
                let fit = items.iter().all(|&item| {
                    tree.node(item).name.is_none() && types.iter().any(|&ty| self.fits(item, ty))
                });
                fit.then_some(Fit::Array)
            }
            NodeKind::List(Bracket::Round, items) => {
                let Type::Kind(kind) = wanted else { return None };
                let keyword = tree.keyword(id)?;
                let arguments = &items[1..];
                let mut ludemes = self.grammar.with_keyword(keyword).peekable();
                if ludemes.peek().is_none() && self.grammar.is_unsupported(keyword) {
                    return Some(Fit::Leaf);
                }
                ludemes.find_map(|ludeme| {
                    let signature = ludeme.signature();
                    if !self.grammar.is_a(signature.kind, *kind) {
                        return None;
                    }
                    let rest = self.selected(signature, arguments)?;
                    Some(Fit::Call(ludeme, self.place(signature, rest)?))
                })
            }
        }
    }

    /// True if a word is a literal or a constant of a type.
    fn is_literal(&self, word: &str, wanted: &Type) -> bool {
        match wanted {
            Type::Integer => integer(word).is_some(),
            Type::Number => number(word).is_some(),
            Type::Boolean => boolean(word).is_some(),
            Type::Kind(Kind::Int) => named_integer(word).is_some(),
            Type::Kind(Kind::Dim) => integer(word).is_some(),
            Type::Kind(Kind::Float) => number(word).is_some(),
            Type::Kind(Kind::Bool) => boolean(word).is_some(),
            Type::Kind(_) => false,
            Type::Enum(id) => self.grammar.constants(word).iter().any(|c| c.enum_id() == *id),
            Type::Text(_) | Type::Array(_) => false,
        }
    }

    /// The arguments behind the selectors, if the call begins with the selectors.
    pub(super) fn selected<'n>(
        &self,
        signature: &Signature,
        arguments: &'n [NodeId],
    ) -> Option<&'n [NodeId]> {
        let selectors = signature.selectors.len();
        let (front, rest) = arguments.split_at_checked(selectors)?;
        let selected = front.iter().zip(&signature.selectors).all(|(&id, selector)| {
            let node = self.tree.node(id);
            match &node.kind {
                NodeKind::Word(word) => node.name.is_none() && spells(word, selector),
                _ => false,
            }
        });
        selected.then_some(rest)
    }

    /// Assigns the arguments to slots, in order, each to the earliest slot with which the rest
    /// fits.
    fn place(&mut self, signature: &Signature, arguments: &[NodeId]) -> Option<Vec<(u8, u8)>> {
        let (slots, count) = (&signature.slots, arguments.len());
        let mandatory = slots.iter().filter(|slot| !slot.optional).count();
        if count > slots.len() || count < mandatory {
            return None;
        }
        // `rest[index(slot, argument)]` is true if the arguments from there on fit the slots from
        // there on.
        let index = |slot: usize, argument: usize| slot * (count + 1) + argument;
        let mut rest: SmallVec<[bool; 64]> = smallvec![false; index(slots.len() + 1, 0)];
        rest[index(slots.len(), count)] = true;
        for (s, slot) in slots.iter().enumerate().rev() {
            for a in (0..=count).rev() {
                let skipped = slot.optional && rest[index(s + 1, a)];
                rest[index(s, a)] = skipped
                    || (a < count
                        && rest[index(s + 1, a + 1)]
                        && slot.choices.iter().any(|choice| self.suits(arguments[a], choice)));
            }
        }
        if !rest[0] {
            return None;
        }
        let mut placed = Vec::with_capacity(count);
        let mut a = 0;
        for (s, slot) in slots.iter().enumerate() {
            if a == count || !rest[index(s + 1, a + 1)] {
                continue;
            }
            let choice = slot.choices.iter().position(|choice| self.suits(arguments[a], choice));
            if let Some(choice) = choice {
                placed.push((s as u8, choice as u8));
                a += 1;
            }
        }
        (a == count).then_some(placed)
    }

    /// True if an argument, with its name, may fill a slot by this choice.
    fn suits(&mut self, id: NodeId, choice: &Choice) -> bool {
        self.name_suits(id, choice) && self.fits(id, choice.ty)
    }

    /// True if a string of some sort is among the types.
    pub(super) fn fits_text_sort(&self, types: &[TypeId]) -> bool {
        types.iter().any(|&ty| matches!(self.grammar.ty(ty), Type::Text(_)))
    }

    pub(super) fn name_suits(&self, id: NodeId, choice: &Choice) -> bool {
        match &self.tree.node(id).name {
            None => !choice.named,
            Some(name) => choice.named && *name.text == *choice.label.as_str(),
        }
    }
}

/// Makes the typed tree of nodes that fit.
pub(super) struct Build<'r, 'a> {
    resolver: &'r mut Resolver<'a>,
    /// The strings found so far.
    pub(super) texts: Vec<TextUse>,
    /// Remarks on accepted parts.
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'r, 'a> Build<'r, 'a> {
    pub(super) fn new(resolver: &'r mut Resolver<'a>) -> Build<'r, 'a> {
        Build { resolver, texts: Vec::new(), warnings: Vec::new() }
    }

    /// The call that a node is, if it fits the kind; `None` if it does not, or if an error was
    /// already reported for it.
    pub(super) fn call(&mut self, id: NodeId, ty: TypeId) -> Option<Call> {
        if !self.resolver.fits(id, ty) {
            return None;
        }
        let Some(Some(Fit::Call(ludeme, placed))) = self.resolver.memo.get(&(id, ty)).cloned()
        else {
            return None;
        };
        let tree = self.resolver.tree;
        let NodeKind::List(_, items) = &tree.node(id).kind else { return None };
        let signature = ludeme.signature();
        let (selectors, arguments) = items[1..].split_at(signature.selectors.len());
        for &selector in selectors {
            self.check_case(selector);
        }
        let mut args = Vec::with_capacity(arguments.len());
        for (&argument, (slot, choice)) in arguments.iter().zip(placed) {
            let choice = &signature.slots[usize::from(slot)].choices[usize::from(choice)];
            args.push(self.arg(argument, choice.ty, choice.label, ludeme)?);
        }
        Some(Call { ludeme, place: tree.node(id).place.clone(), args })
    }

    fn arg(&mut self, id: NodeId, ty: TypeId, label: Label, of: Ludeme) -> Option<Arg> {
        let tree = self.resolver.tree;
        let grammar = self.resolver.grammar;
        let node = tree.node(id);
        let value = match (&node.kind, grammar.ty(ty)) {
            (NodeKind::Bad, _) => return None,
            (NodeKind::Word(word), Type::Enum(id)) => {
                let constants = grammar.constants(word);
                self.check_case_of(word, &node.place);
                Value::Constant(*constants.iter().find(|constant| constant.enum_id() == *id)?)
            }
            (NodeKind::Word(word), Type::Number | Type::Kind(Kind::Float)) => {
                Value::Float(number(word)?)
            }
            (NodeKind::Word(word), Type::Boolean | Type::Kind(Kind::Bool)) => {
                Value::Bool(boolean(word)?)
            }
            (NodeKind::Word(word), _) => Value::Int(named_integer(word)?),
            (NodeKind::Text(text), Type::Text(sort)) => {
                let sort = grammar.text(*sort).name;
                let text = text.to_string();
                let place = node.place.clone();
                self.texts.push(TextUse { sort, text: text.clone(), place, ludeme: of });
                Value::Text(text)
            }
            (NodeKind::Text(_), _) => return None,
            (NodeKind::List(Bracket::Curly, items), Type::Array(types)) => {
                let mut args = Vec::with_capacity(items.len());
                for &item in items {
                    let ty = *types.iter().find(|&&ty| self.resolver.fits(item, ty))?;
                    args.push(self.arg(item, ty, label, of)?);
                }
                Value::Array(args)
            }
            (NodeKind::List(..), _) => Value::Call(Box::new(self.call(id, ty)?)),
        };
        Some(Arg { label, place: node.place.clone(), value })
    }

    fn check_case(&mut self, id: NodeId) {
        if let NodeKind::Word(word) = &self.resolver.tree.node(id).kind {
            self.check_case_of(word, &self.resolver.tree.node(id).place);
        }
    }

    fn check_case_of(&mut self, word: &str, place: &Place) {
        if word.starts_with(char::is_lowercase) {
            let upper = capitalised(word);
            self.warnings.push(
                place
                    .warning(
                        "lower-case-constant",
                        format!("the constant `{upper}` is written `{word}`"),
                    )
                    .help(
                        "constants begin with an upper-case letter, ludemes with a lower-case one",
                    ),
            );
        }
    }
}

/// A word that is an integer.
pub(super) fn integer(word: &str) -> Option<i32> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| word.parse().ok())?
}

/// A word that is an integer, or the name of one.
pub(super) fn named_integer(word: &str) -> Option<i32> {
    match word {
        "Off" | "Undefined" => Some(-1),
        "End" => Some(-2),
        "Infinity" => Some(1_000_000_000),
        _ => integer(word),
    }
}

/// A word that is a finite number.
pub(super) fn number(word: &str) -> Option<f32> {
    // The parser of numbers also accepts words such as `inf`.
    let first = word.strip_prefix(['+', '-']).unwrap_or(word).chars().next()?;
    (first.is_ascii_digit() || first == '.')
        .then(|| word.parse().ok())?
        .filter(|number: &f32| number.is_finite())
}

/// A word that is a truth value.
pub(super) fn boolean(word: &str) -> Option<bool> {
    if word.eq_ignore_ascii_case("true") {
        Some(true)
    } else if word.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

/// True if a string looks like the label of a site: digits at the end, after at most two letters,
/// or three of which the first two are equal.
pub(super) fn is_coordinate(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    if letters.len() == text.len() || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return false;
    }
    match letters.as_bytes() {
        [] | [_] | [_, _] => true,
        [a, b, _] => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every signature by which a call that was resolved could be read, if there are several.
    fn ambiguities(resolver: &mut Resolver<'_>) -> Vec<String> {
        let grammar = resolver.grammar;
        let resolved: Vec<(NodeId, TypeId)> = resolver
            .memo
            .iter()
            .filter(|(_, fit)| matches!(fit, Some(Fit::Call(..))))
            .map(|(&key, _)| key)
            .collect();
        let mut found = Vec::new();
        for (id, ty) in resolved {
            let tree = resolver.tree;
            let (NodeKind::List(_, items), Type::Kind(kind)) =
                (&tree.node(id).kind, grammar.ty(ty))
            else {
                continue;
            };
            let readings: Vec<&str> = grammar
                .with_keyword(tree.keyword(id).unwrap_or_default())
                .map(Ludeme::signature)
                .filter(|signature| grammar.is_a(signature.kind, *kind))
                .filter(|signature| {
                    let rest = resolver.selected(signature, &items[1..]).map(<[NodeId]>::to_vec);
                    rest.is_some_and(|rest| resolver.place(signature, &rest).is_some())
                })
                .map(|signature| signature.name.as_str())
                .collect();
            if readings.len() > 1 {
                found.push(format!("{readings:?} {}", tree.line(id)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Measured on the reference: of a thousand public descriptions, only `(sites {})` and polygons
    /// with integer coordinates can be read by two signatures. More of them here would mean that a
    /// signature is too generous.
    #[test]
    fn no_other_call_has_two_readings() {
        let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/lud");
        let mut folders = vec![std::path::PathBuf::from(corpus)];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                eprintln!("skipped: {corpus} is absent");
                return;
            };
            for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        let mut found = Vec::new();
        for path in files {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let source = text::Source::new("t", text);
            let expanded = super::super::expand::expand(&source, &[]);
            let Some(root) = expanded.root(&source, &mut Vec::new()) else { continue };
            let mut resolver = Resolver::new(&expanded.tree);
            resolver.fits(root, grammar().kind_type(Kind::Game));
            found.extend(ambiguities(&mut resolver));
        }
        found.retain(|line| line != r#"["sites", "sites"] (sites {})"#);
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn coordinates_are_told_from_names() {
        for text in ["A1", "AA12", "7", "AAB3", "R2"] {
            assert!(is_coordinate(text), "{text}");
        }
        for text in ["", "A", "ABC3", "Goal", "A1b", "Side 3", "é1"] {
            assert!(!is_coordinate(text), "{text}");
        }
    }

    #[test]
    fn literals() {
        assert_eq!(integer("-12"), Some(-12));
        assert_eq!(integer("+3"), Some(3));
        assert_eq!(integer("99999999999"), None);
        assert_eq!(integer("-"), None);
        assert_eq!(named_integer("Off"), Some(-1));
        assert_eq!(number("-0.34"), Some(-0.34));
        assert_eq!(number("1e3"), Some(1000.0));
        assert_eq!(number("inf"), None);
        assert_eq!(number("-"), None);
        assert_eq!(boolean("TRUE"), Some(true));
        assert_eq!(boolean("Yes"), None);
    }
}
