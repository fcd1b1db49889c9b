//! Rule files as trees of brackets, whatever language they are in.

use play::Language;

use crate::plain::comment_mark;

/// A piece of a rule file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A word, a number, a string or a mark.
    Leaf(String),
    /// The pieces between brackets, and the brackets; a directive of RBG has none behind it, nor has
    /// a line of RG, which begins with its end of line.
    Group(&'static str, Vec<Tree>, &'static str),
}

/// The path to a piece: the number among its parent's pieces, level by level.
pub type Path = Vec<usize>;

/// A line of RG.
pub const LINE: (&str, &str) = ("\n", "");
/// Brackets nested deeper stay words.
const DEEPEST: usize = 200;
/// Marks of RBG and RG of more than one character.
const MARKS: [&str; 11] = ["->>", "->", "+>", "==", "!=", "<=", ">=", "$$", "&&", "||", ".."];

/// The pieces of a text. Comments are left out; what is not closed ends with the text.
pub fn read(text: &str, language: Language) -> Vec<Tree> {
    let mut open: Vec<(&'static str, &'static str)> = Vec::new();
    let mut levels: Vec<Vec<Tree>> = vec![Vec::new()];
    let close = |open: &mut Vec<(&'static str, &'static str)>, levels: &mut Vec<Vec<Tree>>| {
        if let Some((begin, end)) = open.pop() {
            let inner = levels.pop().unwrap_or_default();
            levels.last_mut().expect("the top").push(Tree::Group(begin, inner, end));
        }
    };
    let is_line = |open: &[(&'static str, &'static str)]| open.last().is_some_and(|it| *it == LINE);
    let mut rest = text;
    loop {
        let before = rest;
        let Some(token) = next_token(&mut rest, language) else { break };
        let skipped = &before[..before.len() - rest.len() - token.len()];
        if language == Language::Rg && skipped.contains('\n') {
            if is_line(&open) {
                close(&mut open, &mut levels);
            }
            let closes = open.last().is_some_and(|(_, end)| *end == token);
            if !closes && open.len() < DEEPEST {
                open.push(LINE);
                levels.push(Vec::new());
            }
        }
        let outer = open.len().checked_sub(2).map(|outer| open[outer].1);
        if is_line(&open) && outer == Some(token) {
            close(&mut open, &mut levels);
        }
        let bracket = brackets(language).iter().find(|(begin, _)| *begin == token);
        match bracket {
            Some(&("#", end)) => {
                while !open.is_empty() {
                    close(&mut open, &mut levels);
                }
                open.push(("#", end));
                levels.push(Vec::new());
            }
            Some(&pair) if open.len() < DEEPEST => {
                open.push(pair);
                levels.push(Vec::new());
            }
            _ if open.last().is_some_and(|(_, end)| *end == token) => {
                close(&mut open, &mut levels);
            }
            _ => levels.last_mut().expect("the top").push(Tree::Leaf(token.to_owned())),
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut levels);
    }
    levels.pop().unwrap_or_default()
}

/// Brackets of a language. A directive of RBG goes on to the next.
fn brackets(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::Kif => &[("(", ")")],
        Language::Lud => &[("(", ")"), ("{", "}")],
        Language::Rg => &[("(", ")"), ("[", "]"), ("{", "}")],
        _ => &[("#", ""), ("(", ")"), ("[", "]"), ("{", "}")],
    }
}

/// The next token, taken from the front of the text.
fn next_token<'t>(rest: &mut &'t str, language: Language) -> Option<&'t str> {
    loop {
        *rest = rest.trim_start();
        if !rest.starts_with(comment_mark(language)) {
            break;
        }
        *rest = rest.find('\n').map_or("", |end| &rest[end..]);
    }
    let first = rest.chars().next()?;
    let is_rbg = !matches!(language, Language::Kif | Language::Lud);
    let is_in_name = |c: char| c.is_alphanumeric() || language == Language::Rg && c == '_';
    let ends_word = |c: char| c.is_whitespace() || "(){}\"".contains(c) || is_rbg && !is_in_name(c);
    let end = if language == Language::Rg && rest.starts_with("$_") {
        2
    } else if first == '"' && language == Language::Lud {
        rest[1..].find('"').map_or(rest.len(), |end| end + 2)
    } else if let Some(mark) = MARKS.iter().find(|mark| is_rbg && rest.starts_with(**mark)) {
        mark.len()
    } else if ends_word(first) {
        first.len_utf8()
    } else {
        rest.find(ends_word).unwrap_or(rest.len())
    };
    let token = &rest[..end];
    *rest = &rest[end..];
    Some(token)
}

/// The text of pieces.
pub fn write(pieces: &[Tree]) -> String {
    fn put(pieces: &[Tree], text: &mut String) {
        for piece in pieces {
            match piece {
                Tree::Leaf(word) => text.push_str(word),
                Tree::Group(begin, inner, end) => {
                    if *begin == "#" && !text.is_empty() {
                        text.push('\n');
                    }
                    text.push_str(begin);
                    put(inner, text);
                    text.push_str(end);
                }
            }
            text.push(' ');
        }
    }
    let mut text = String::new();
    put(pieces, &mut text);
    text
}

/// The paths of all pieces, each before those inside of it.
pub fn paths(pieces: &[Tree]) -> Vec<Path> {
    fn walk(pieces: &[Tree], at: &mut Path, all: &mut Vec<Path>) {
        for (number, piece) in pieces.iter().enumerate() {
            at.push(number);
            all.push(at.clone());
            if let Tree::Group(_, inner, _) = piece {
                walk(inner, at, all);
            }
            at.pop();
        }
    }
    let mut all = Vec::new();
    walk(pieces, &mut Vec::new(), &mut all);
    all
}

/// The pieces beside the one at a path, and its number among them.
pub fn siblings<'t>(pieces: &'t mut Vec<Tree>, path: &[usize]) -> (&'t mut Vec<Tree>, usize) {
    match path {
        [] => (pieces, 0),
        [last] => (pieces, *last),
        [first, deeper @ ..] => match &mut pieces[*first] {
            Tree::Group(_, inner, _) => siblings(inner, deeper),
            Tree::Leaf(_) => unreachable!("paths lead through groups"),
        },
    }
}

/// The piece at a path.
pub fn get(pieces: &[Tree], path: &[usize]) -> Tree {
    match (&pieces[path[0]], &path[1..]) {
        (piece, []) => piece.clone(),
        (Tree::Group(_, inner, _), deeper) => get(inner, deeper),
        (Tree::Leaf(_), _) => unreachable!("paths lead through groups"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        for (text, language) in [
            ("(<= (next ?x) ; (\n(true ?x))", Language::Kif),
            ("(game \"a (b\" {1 2} b:(c)) // (", Language::Lud),
            ("#players = a(1)\n#rules = ->a [x] {? $ n == 1} ->> (up*)", Language::Rbg),
            ("at: P__1\ngraph a() {\n\n $_x\n if a[b] {\n $$ c\n } else { d() } }", Language::Rg),
        ] {
            let pieces = read(text, language);
            let written = write(&pieces);
            assert_eq!(read(&written, language), pieces, "{written}");
        }
        assert_eq!(paths(&read("(a (b)) c", Language::Kif)).len(), 5);
        // Two lines of two words, of which the second has a line within brackets.
        assert_eq!(read("\na b\nc {\nd\n}", Language::Rg).len(), 2);
    }
}
