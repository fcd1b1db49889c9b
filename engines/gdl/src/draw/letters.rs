//! The signs for contents of squares: the contents themselves if they are short, else a letter
//! each.

use std::collections::BTreeSet;

/// More contents than this are written out instead.
const MAX_LETTERS: usize = 52;
/// Longest text that is written out, in characters.
const LONGEST: usize = 12;

/// A sign for each of some texts, given in the order in which the sheet names them. Signs are short
/// texts as they are, and otherwise letters: where the first so many texts are all of two words and
/// share two first ones between them, such as `white pawn`, the letters of the first side are upper
/// case.
pub(super) fn signs(texts: &[String], men: usize) -> Vec<String> {
    let is_short = |text: &String| {
        text.chars().count() <= 2 || text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit())
    };
    if texts.iter().all(is_short) {
        return texts.to_vec();
    }
    if texts.len() > MAX_LETTERS {
        return texts.iter().map(|text| text.chars().take(LONGEST).collect()).collect();
    }
    let mut sides: Vec<&str> = Vec::new();
    for text in &texts[..men.min(texts.len())] {
        let side = text.split_once(' ').filter(|(_, kind)| !kind.contains(' '));
        let side = side.map_or("", |(side, _)| side);
        if !sides.contains(&side) {
            sides.push(side);
        }
    }
    let two_sided = sides.len() == 2 && !sides.contains(&"");
    // Who has one character keeps it.
    let mut taken: BTreeSet<char> = texts
        .iter()
        .filter(|text| text.chars().count() == 1)
        .flat_map(|text| text.chars())
        .chain(['.'])
        .collect();
    let mut sign = |(at, text): (usize, &String)| {
        if text.chars().count() == 1 {
            return text.clone();
        }
        let is_man = two_sided && at < men;
        let upper = is_man && text.split(' ').next() == Some(sides[0]);
        let case = |c: char| if upper { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        let last = text.rsplit(' ').next().unwrap_or(text);
        // As chess writes it, where the king has the first letter.
        let usual = (last == "knight").then_some('n');
        let own = || {
            usual
                .into_iter()
                .chain(last.chars())
                .chain(text.chars())
                .filter(char::is_ascii_alphanumeric)
        };
        let found = own()
            .map(case)
            .chain(own().filter(|_| !is_man).map(|c| c.to_ascii_uppercase()))
            .chain(('a'..='z').map(case))
            .chain('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .find(|c| !taken.contains(c));
        match found {
            Some(c) => {
                taken.insert(c);
                c.to_string()
            }
            None => text.chars().take(LONGEST).collect(),
        }
    };
    texts.iter().enumerate().map(&mut sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> String {
        signs(&texts.iter().map(|&t| t.to_owned()).collect::<Vec<_>>(), 3).join(" ")
    }

    #[test]
    fn signs_are_short_and_tell_contents_apart() {
        assert_eq!(of(&["x", "o"]), "x o");
        assert_eq!(of(&["9", "10"]), "9 10");
        assert_eq!(of(&["a knight", "a king", "b king", "b knight"]), "N K k n");
        assert_eq!(of(&["white", "black", "w"]), "h b w");
        assert_eq!(of(&["white king", "white knight", "black king", "trail"]), "K N k t");
        assert_eq!(of(&["pit", "trap", "apt", "tap"]), "p t a T");
        let many: Vec<String> = (0..60).map(|n| format!("piece{n}")).collect();
        assert_eq!(signs(&many, 60), many, "too many for letters");
        let all = signs(&many[..52], 52);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 52, "{all:?}");
    }
}
