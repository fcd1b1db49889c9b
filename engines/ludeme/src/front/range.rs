use crate::limits::MAX_RANGE;
use text::Diagnostic;

use super::token::{Budget, Token, TokenKind};

/// Joins words that replacement put side by side without white space, such as the `1..` and `8` of
/// `1..#1`. A name is not joined with the argument that it names.
pub(super) fn join_words(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if let (Some(word), Some(last)) = (token.word(), out.last_mut())
            && token.glued
            && let Some(front) = last.word().filter(|front| !front.ends_with(':'))
        {
            last.kind = TokenKind::Word(format!("{front}{word}").into());
            continue;
        }
        out.push(token);
    }
    out
}

/// Replaces ranges of integers, `3..6`, and of coordinates, `"A1".."C4"`, by the words in them.
pub(super) fn expand_ranges(
    tokens: Vec<Token>,
    budget: &mut Budget,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let Some(word) = token.word().filter(|word| word.contains("..")) else {
            out.push(token);
            continue;
        };
        if word == ".." {
            let from = out.last().filter(|_| token.glued).and_then(coordinate);
            let to = tokens.peek().filter(|next| next.glued).and_then(coordinate);
            match (from, to) {
                (Some(from), Some(to)) => {
                    out.pop();
                    tokens.next();
                    for column in from.0..=to.0 {
                        for row in from.1..=to.1 {
                            if !budget.take(1) {
                                break;
                            }
                            let text = format!("{}{row}", char::from(column));
                            out.push(token.with(TokenKind::Text(text.into()), false));
                        }
                    }
                }
                _ => out.push(token),
            }
            continue;
        }
        let glued = token.glued;
        match integers(word) {
            Ok(words) => {
                for (index, word) in words.into_iter().enumerate() {
                    budget.take(1);
                    out.push(token.with(TokenKind::Word(word.into()), glued && index == 0));
                }
            }
            Err(length) => {
                diagnostics.push(
                    token
                        .place
                        .error("range-too-long", format!("the range {word} has {length} numbers"))
                        .label(format!("at most {} are allowed", MAX_RANGE + 1)),
                );
                // The first number replaces it, so that it causes no second error.
                let first: String = word.chars().take_while(|&c| c != '.').collect();
                out.push(token.with(TokenKind::Word(first.into()), glued));
            }
        }
    }
    out
}

/// The words of a word with ranges; the error is the length of a range that is too long. Two dots
/// without a digit on both sides are no range.
fn integers(word: &str) -> Result<Vec<String>, i64> {
    let mut words = vec![String::new()];
    let mut rest = word;
    while let Some(dots) = rest.find("..") {
        let front = &rest[..dots];
        let back = &rest[dots + 2..];
        let digits = front.len() - front.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let to_digits = back.len() - back.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let last = words.len() - 1;
        if digits == 0 || to_digits == 0 {
            words[last].push_str(&rest[..dots + 2]);
            rest = back;
            continue;
        }
        let (before, from) = front.split_at(front.len() - digits);
        let (to, after) = back.split_at(to_digits);
        let parse = |digits: &str| digits.parse::<i64>().unwrap_or(i64::from(u32::MAX));
        let (from, to) = (parse(from), parse(to));
        let length = (from - to).abs();
        if length > MAX_RANGE {
            return Err(length + 1);
        }
        words[last].push_str(before);
        words[last].push_str(&from.to_string());
        let step = if from <= to { 1 } else { -1 };
        words.extend((1..=length).map(|k| (from + k * step).to_string()));
        rest = after;
    }
    let last = words.len() - 1;
    words[last].push_str(rest);
    Ok(words)
}

/// Column and row of a coordinate such as `"C4"`.
fn coordinate(token: &Token) -> Option<(u8, u32)> {
    let text = token.text()?;
    let column = *text.as_bytes().first().filter(|c| c.is_ascii_uppercase())?;
    let row: u32 = text[1..].parse().ok().filter(|&row| row <= MAX_RANGE as u32)?;
    Some((column, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_integers() {
        let expanded = |word: &str| integers(word).map(|words| words.join(" "));
        assert_eq!(expanded("3..6").as_deref(), Ok("3 4 5 6"));
        assert_eq!(expanded("12..10").as_deref(), Ok("12 11 10"));
        assert_eq!(expanded("-3..2").as_deref(), Ok("-3 2"));
        assert_eq!(expanded("to:1..2").as_deref(), Ok("to:1 2"));
        assert_eq!(expanded("a..b").as_deref(), Ok("a..b"));
        assert_eq!(expanded("..5").as_deref(), Ok("..5"));
        assert_eq!(expanded("4..4").as_deref(), Ok("4"));
        assert_eq!(expanded("0..2000"), Err(2001));
        assert_eq!(expanded("0..99999999999999999999"), Err(4294967296));
    }
}
