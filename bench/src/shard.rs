//! A share of a run's games, for runs that several machines share.

use std::fmt;
use std::str::FromStr;

/// The `number`th of `count` shares, counted from 1.
///
/// Games are dealt out like cards, so that the shares have the same mix where a suite is sorted. A
/// game is never divided: all its engines are measured on one machine, since ratios are formed
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// All shares of so many.
    pub fn all(count: usize) -> impl Iterator<Item = Shard> {
        (1..=count).map(move |number| Shard { number, count })
    }

    /// The things that this share has.
    pub fn of<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.number - 1).step_by(self.count).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text.split_once('/').and_then(|(number, count)| {
            Some(Shard { number: number.parse().ok()?, count: count.parse().ok()? })
        });
        match parsed {
            Some(shard) if (1..=shard.count).contains(&shard.number) => Ok(shard),
            _ => Err("expected a share such as 1/4, the first of four".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn shares_have_everything_once() {
        for count in 1..8 {
            let mut dealt: Vec<u32> =
                Shard::all(count).flat_map(|shard| shard.of((0..5).collect())).collect();
            dealt.sort_unstable();
            assert_eq!(dealt, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn only_shares_that_exist_are_read() {
        assert_eq!("2/3".parse::<Shard>().unwrap().of(vec!['a', 'b', 'c', 'd', 'e']), ['b', 'e']);
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for wrong in ["0/3", "4/3", "1", "1/", "/2", "-1/2", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
