//! The words of a game in a request.

use play::{Wording, WordingFault, Words};
use serde::{Deserialize, Serialize};

use super::View;

/// The words of a game for what its description says otherwise, see [`Words`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SentWords {
    /// True if labels are to be full.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// Labels of actions, each with the word for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<(String, String)>,
    /// Percepts, each with the word for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<(String, String)>,
}

impl SentWords {
    /// True if there are none.
    pub fn are_none(&self) -> bool {
        *self == SentWords::default()
    }

    /// The words that were sent.
    pub fn read(self) -> Result<Words, WordingFault> {
        let SentWords { full, actions, percepts } = self;
        Ok(Words {
            shared: false,
            full,
            actions: Wording::new(actions)?,
            percepts: Wording::new(percepts)?,
        })
    }
}

impl From<&Words> for SentWords {
    fn from(words: &Words) -> SentWords {
        let Words { full, actions, percepts, .. } = words;
        let entries = |wording: &Wording| wording.entries().to_vec();
        SentWords { full: *full, actions: entries(actions), percepts: entries(percepts) }
    }
}

impl View {
    /// The same in the words of a game.
    pub(crate) fn in_words(mut self, words: &Words) -> View {
        let say = |texts: &mut Vec<String>, wording: &Wording| {
            for text in texts.iter_mut().filter(|_| !wording.is_empty()) {
                *text = wording.word(text).into_owned();
            }
        };
        say(&mut self.labels, &words.actions);
        for percepts in self.percepts.iter_mut().filter(|_| !words.percepts.is_empty()) {
            say(percepts, &words.percepts);
            percepts.retain(|percept| !percept.is_empty());
            percepts.sort_unstable();
            percepts.dedup();
        }
        self
    }
}
