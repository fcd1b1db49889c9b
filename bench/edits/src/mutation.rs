//! Changes of rule files that leave most of their grammar as it is.

use play::{Language, Rng};

use crate::piece::LINE;
use crate::tree::{Path, Tree, get, paths, read, siblings, write};

/// Numbers at which something ends: words, bytes, boards, tables.
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "19",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "100",
    "127",
    "256",
    "1000",
    "4095",
    "65536",
    "2147483647",
    "-2147483648",
    "99999999999999999999",
];
/// Changes that a file gets at most.
const MOST_CHANGES: u32 = 4;
/// One file in so many gets noise in its bytes besides.
const NOISE: u32 = 16;
/// Files do not grow beyond this many bytes.
const LARGEST: usize = 200_000;

/// The files that new files are made from.
pub struct Originals {
    language: Language,
    files: Vec<Vec<Tree>>,
}

impl Originals {
    /// The files of these texts.
    pub fn new(language: Language, texts: &[String]) -> Originals {
        let files = texts.iter().map(|text| read(text, language)).collect();
        Originals { language, files }
    }

    /// The file with a number, and the same for the same seed and originals.
    pub fn file(&self, seed: u64, number: u64) -> String {
        let mut rng = Rng::stream(seed, number);
        let mut pieces = self.files[number as usize % self.files.len()].clone();
        // One change more often than several, which few files survive.
        for _ in 0..=rng.below(MOST_CHANGES).min(rng.below(MOST_CHANGES)) {
            let before = pieces.clone();
            self.change(&mut pieces, &mut rng);
            if write(&pieces).len() > LARGEST {
                pieces = before;
            }
        }
        let text = write(&pieces);
        if rng.below(NOISE) == 0 { noise(text, &mut rng) } else { text }
    }

    fn change(&self, pieces: &mut Vec<Tree>, rng: &mut Rng) {
        let all = paths(pieces);
        if all.is_empty() {
            return;
        }
        // Lines of RG are statements, which may stand elsewhere more often than their words.
        let lines: Vec<Path> = match self.language {
            Language::Rg => {
                all.iter().filter(|path| is_line(&get(pieces, path))).cloned().collect()
            }
            _ => Vec::new(),
        };
        let among = if !lines.is_empty() && rng.below(2) == 0 { &lines } else { &all };
        let draw = |rng: &mut Rng| among[rng.below(among.len() as u32) as usize].clone();
        let (at, other) = (draw(rng), draw(rng));
        let found = get(pieces, &other);
        let (beside, place) = siblings(pieces, &at);
        match rng.below(9) {
            0 => drop(beside.remove(place)),
            1 => beside.insert(place, beside[place].clone()),
            2 => {
                let with = rng.below(beside.len() as u32) as usize;
                beside.swap(place, with);
            }
            3 => beside[place] = found,
            4 => beside.insert(place, found),
            5 => {
                let numbers: Vec<Path> =
                    all.iter().filter(|path| is_number(&get(pieces, path))).cloned().collect();
                if let Some(at) = pick(&numbers, rng) {
                    let (beside, place) = siblings(pieces, at);
                    beside[place] = Tree::Leaf(NUMBERS[rng.below(24) as usize].to_owned());
                }
            }
            6 => {
                let is_word = |path: &Path| matches!(get(pieces, path), Tree::Leaf(_));
                let words: Vec<Path> = all.iter().filter(|path| is_word(path)).cloned().collect();
                if let (Some(from), Some(to)) = (pick(&words, rng), pick(&words, rng)) {
                    let (from, to) = (get(pieces, from), get(pieces, to));
                    // Here, or everywhere.
                    let most = if rng.below(2) == 0 { 1 } else { usize::MAX };
                    let same = words.iter().filter(|path| get(pieces, path) == from).take(most);
                    for path in same.cloned().collect::<Vec<_>>() {
                        let (beside, place) = siblings(pieces, &path);
                        beside[place] = to.clone();
                    }
                }
            }
            7 => {
                let donor = &self.files[rng.below(self.files.len() as u32) as usize];
                let lines = is_line(&beside[place]);
                let mut all = paths(donor);
                all.retain(|path| !lines || is_line(&get(donor, path)));
                if let Some(path) = pick(&all, rng) {
                    beside[place] = get(donor, path);
                }
            }
            _ => beside[place] = self.wrap(beside[place].clone(), rng),
        }
    }

    /// A piece inside of another one.
    fn wrap(&self, piece: Tree, rng: &mut Rng) -> Tree {
        let word = |text: &str| Tree::Leaf(text.to_owned());
        let twice = |head| Tree::Group("(", vec![word(head), piece.clone(), piece.clone()], ")");
        let once = |head| Tree::Group("(", vec![word(head), piece.clone()], ")");
        let choice = rng.below(4);
        match self.language {
            Language::Kif => match choice {
                0 => once("not"),
                1 => twice("or"),
                2 => once("true"),
                _ => once("f"),
            },
            Language::Lud => match choice {
                0 => once("not"),
                1 => twice("and"),
                2 => twice("or"),
                _ => Tree::Group("{", vec![piece.clone(), piece], "}"),
            },
            Language::Rg => match choice {
                0 => Tree::Group("not(", vec![piece], ")"),
                1 => Tree::Group("branch {", vec![piece], "} or { }"),
                2 => Tree::Group("repeat 2 {", vec![piece], "}"),
                _ => Tree::Group("(", vec![piece.clone(), word("&&"), piece], ")"),
            },
            _ => match choice {
                0 => Tree::Group("{", vec![word("?"), piece], "}"),
                1 => Tree::Group("{", vec![word("!"), piece], "}"),
                2 => {
                    let inner = vec![piece.clone(), word("+"), piece];
                    Tree::Group("(", inner, ")")
                }
                _ => {
                    let star = Tree::Group("(", vec![piece], ")");
                    Tree::Group("(", vec![star, word("*")], ")")
                }
            },
        }
    }
}

fn is_line(piece: &Tree) -> bool {
    matches!(piece, Tree::Group(begin, ..) if *begin == LINE.0)
}

fn is_number(piece: &Tree) -> bool {
    matches!(piece, Tree::Leaf(word) if word.parse::<i64>().is_ok())
}

fn pick<'p, T>(from: &'p [T], rng: &mut Rng) -> Option<&'p T> {
    if from.is_empty() { None } else { from.get(rng.below(from.len() as u32) as usize) }
}

/// Changes up to four bytes.
fn noise(text: String, rng: &mut Rng) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() as u32 + 1) as usize;
        let byte = rng.below(256) as u8;
        match rng.below(3) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 if at < bytes.len() => bytes[at] = byte,
            _ => bytes.insert(at, byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_differ_by_number_and_seed_and_come_again() {
        let texts = ["(a (b 1) {c 2})".to_owned(), "(x (y) (z 3))".to_owned()];
        let originals = Originals::new(Language::Lud, &texts);
        let some = |seed| (0..50).map(|n| originals.file(seed, n)).collect::<Vec<_>>();
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        let mut distinct = some(1);
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 40, "{}", distinct.len());
    }
}
