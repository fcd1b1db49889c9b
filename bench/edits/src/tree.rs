//! Rule files as trees of brackets, whatever language they are in.

use play::Language;

use crate::piece::{Piece, pieces};

/// A piece of a rule file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A word, a number, a string or a mark.
    Leaf(String),
    /// The pieces between brackets, and the brackets; a directive of RBG has none behind it, nor
    /// has a line of RG, which begins with its end of line.
    Group(&'static str, Vec<Tree>, &'static str),
}

/// The path to a piece: the number among its parent's pieces, level by level.
pub type Path = Vec<usize>;

/// The pieces of a text. Comments are left out; what is not closed ends with the text.
pub fn read(text: &str, language: Language) -> Vec<Tree> {
    fn tree(piece: &Piece, text: &str) -> Tree {
        match piece.brackets {
            None => Tree::Leaf(text[piece.place.clone()].to_owned()),
            Some((begin, end)) => {
                Tree::Group(begin, piece.inner.iter().map(|it| tree(it, text)).collect(), end)
            }
        }
    }
    pieces(text, language).iter().map(|piece| tree(piece, text)).collect()
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
