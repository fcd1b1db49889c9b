//! The words of `(metadata ..)`. It says nothing about play, so nothing in it is an error; but a
//! word that is none of the language is likely to be a slip.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use text::{Bracket, Diagnostic, Node, near_miss};

use super::grammar::lines::lines;

/// The words that are possible in a list, by its name.
struct Words {
    /// Names of lists that can stand in it.
    lists: FxHashMap<&'static str, Vec<&'static str>>,
    /// Words that can come first in it.
    first: FxHashMap<&'static str, Vec<&'static str>>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words { lists: FxHashMap::default(), first: FxHashMap::default() };
    for line in lines(include_str!("grammar/metadata.txt")) {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.split_whitespace().collect();
        match name.strip_suffix(':') {
            Some(name) => words.lists.insert(name, rest),
            None => words.first.insert(name, rest),
        };
    }
    words
});

/// Warns of words that metadata does not have, each with the word that is nearest to it.
pub(super) fn check(metadata: &Node, found: &mut Vec<Diagnostic>) {
    check_list(metadata, "metadata", found);
}

/// Checks a list; `within` is the list around it whose words are known, which parts in braces and
/// those for some options only pass on.
fn check_list(node: &Node, within: &'static str, found: &mut Vec<Diagnostic>) {
    let Some(items) = node.list(Bracket::Round).or_else(|| node.list(Bracket::Curly)) else {
        return;
    };
    let mut inside = Some(within);
    if let Some((head, name)) = items.first().and_then(|head| Some((head, head.word()?)))
        && node.list(Bracket::Round).is_some()
        && name.starts_with(char::is_alphabetic)
    {
        let known = WORDS.lists.get(within).map_or(&[][..], Vec::as_slice);
        if name != within && !known.contains(&name) {
            found.push(unknown(head, name, within, known));
            return;
        }
        check_values(items, found);
        if let Some(words) = WORDS.first.get(name)
            && let Some((second, word)) = items.get(1).and_then(|word| Some((word, word.word()?)))
            && word.starts_with(char::is_uppercase)
            && !words.contains(&word)
        {
            found.push(unknown(second, word, name, words));
        }
        inside = match WORDS.lists.get_key_value(name) {
            Some((&name, _)) => Some(name),
            None => (name == "useFor").then_some(within),
        };
    }
    if let Some(inside) = inside {
        items.iter().for_each(|item| check_list(item, inside, found));
    }
}

/// Checks the values in a list whose words are known only in part: colours, and styles.
fn check_values(items: &[Node], found: &mut Vec<Diagnostic>) {
    for (at, item) in items.iter().enumerate() {
        if let Some(inner) = item.list(Bracket::Round).filter(|i| i.iter().any(is_colour)) {
            check_values(inner, found);
        }
        let known = match item.word() {
            Some("colour") if at == 0 => WORDS.first.get("colour?"),
            Some("Style") => WORDS.first.get("Style?"),
            _ => None,
        };
        let next = items.get(at + 1).and_then(|next| Some((next, next.word()?)));
        let (Some(known), Some((next, word))) = (known, next) else { continue };
        if word.starts_with(char::is_uppercase)
            && !known.contains(&word)
            && near_miss(word, known.iter().copied()).is_some()
        {
            found.push(unknown(next, word, item.word().unwrap_or_default(), known));
        }
    }
}

/// True for the word at the beginning of a colour.
fn is_colour(node: &Node) -> bool {
    node.word() == Some("colour")
}

fn unknown(node: &Node, word: &str, within: &str, known: &[&'static str]) -> Diagnostic {
    let message = format!("`{within}` of the metadata has no `{word}`");
    let warning = Diagnostic::warning("unknown-metadata", node.span, message);
    let warning = warning.label("this has no effect").suggest(word, known.iter().copied());
    if warning.help.is_empty() {
        warning.help(format!("it has {}", known.join(", ")))
    } else {
        warning
    }
}
