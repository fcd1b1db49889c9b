//! Positions at which games begin, as people write them.

use std::iter::Peekable;
use std::str::CharIndices;

/// The labels of plies in a text: words between blanks or commas; one with a blank or a comma in it
/// stands in quotes, single or double. The error says what is wrong, and shows where.
pub fn labels(text: &str) -> Result<Vec<String>, String> {
    let mut labels = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, first)) = rest.next() {
        if is_between(first) {
            continue;
        }
        labels.push(if is_quote(first) {
            quoted(text, at, first, &mut rest)?
        } else {
            let mut word = String::from(first);
            while let Some((_, next)) = rest.next_if(|&(_, next)| !is_between(next)) {
                word.push(next);
            }
            word
        });
    }
    Ok(labels)
}

fn is_between(sign: char) -> bool {
    sign.is_whitespace() || sign == ','
}

fn is_quote(sign: char) -> bool {
    matches!(sign, '\'' | '"')
}

/// The text up to the other quote.
fn quoted(
    text: &str,
    at: usize,
    quote: char,
    rest: &mut Peekable<CharIndices<'_>>,
) -> Result<String, String> {
    let mut word = String::new();
    for (_, sign) in rest.by_ref() {
        if sign == quote {
            return Ok(word);
        }
        word.push(sign);
    }
    Err(games::setup::shown(text, at, &format!("there is no other {quote} for this one")))
}

#[cfg(test)]
mod tests {
    use super::labels;

    #[test]
    fn plies_are_words_or_stand_in_quotes() {
        for (text, expected) in [
            ("", &[][..]),
            (" e2e4  e7e5\ng1f3 ", &["e2e4", "e7e5", "g1f3"]),
            ("e2e4,e7e5, g1f3", &["e2e4", "e7e5", "g1f3"]),
            ("'shoot north' forward \"a, b\"", &["shoot north", "forward", "a, b"]),
            ("d2d4- bc'd'", &["d2d4-", "bc'd'"]),
        ] {
            assert_eq!(labels(text).unwrap(), expected, "{text}");
        }
        let error = labels("a1 'shoot north").unwrap_err();
        assert_eq!(error, "there is no other ' for this one\n  a1 'shoot north\n     ^");
    }
}
