//! The forms of actions, from which their labels and codes follow.

/// The sites of a board: its squares in the order in which planes have them, rank by rank from
/// `a1`.
pub(crate) trait Sites {
    /// The number of sites.
    const SITES: u32;

    /// The name of a square.
    fn name(square: u32) -> String;

    /// The place of a square among the sites.
    fn number(square: u32) -> u32;

    /// The names of all sites.
    fn names() -> Vec<String>;
}

/// A form of actions: what stands behind the squares in their labels, which all have a code.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// One square, such as `a1`.
    At(&'static str),
    /// A square and another one, such as `a1b2`.
    FromTo(&'static str),
    /// One square behind a word, such as `shoot a1`.
    ToAt(&'static str),
    /// No square, such as `pass`.
    Word(&'static str),
}

/// An action of a form.
#[derive(Clone, Copy)]
pub(crate) struct Formed {
    /// The place of its form among those of the game.
    form: usize,
    /// The squares; those that the form does not have are 0.
    squares: [u32; 2],
}

impl Formed {
    /// An action of the first form on a square.
    #[inline(always)]
    pub(crate) const fn at(square: u32) -> Formed {
        Formed { form: 0, squares: [square, 0] }
    }

    /// An action of the first form from a square to a square.
    #[inline(always)]
    pub(crate) const fn from_to(from: u32, to: u32) -> Formed {
        Formed { form: 0, squares: [from, to] }
    }

    /// The only action of a form.
    #[inline(always)]
    pub(crate) const fn word(form: usize) -> Formed {
        Formed { form, squares: [0; 2] }
    }

    /// The same squares in another form.
    #[inline(always)]
    pub(crate) const fn in_form(self, form: usize) -> Formed {
        Formed { form, ..self }
    }
}

impl Form {
    /// The number of actions of the form, with so many sites.
    const fn count(self, sites: u32) -> u32 {
        match self {
            Form::At(_) | Form::ToAt(_) => sites,
            Form::FromTo(_) => sites * sites,
            Form::Word(_) => 1,
        }
    }

    /// The labels of all actions of the form, in the order of their codes.
    fn labels<S: Sites>(self) -> Vec<String> {
        let names = S::names();
        let label = |from: &String, to: &str, word: &str| format!("{from}{to}{word}");
        match self {
            Form::At(word) => names.iter().map(|name| label(name, "", word)).collect(),
            Form::FromTo(word) => names
                .iter()
                .flat_map(|from| names.iter().map(move |to| label(from, to, word)))
                .collect(),
            Form::ToAt(word) => names.iter().map(|name| format!("{word}{name}")).collect(),
            Form::Word(word) => vec![word.to_owned()],
        }
    }
}

/// Numbers as kinds of content, and in labels.
pub(crate) const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// Actions that are called by a number.
pub(crate) const NUMBERS: [Form; 9] = {
    let (mut forms, mut i) = ([Form::Word(""); 9], 0);
    while i < forms.len() {
        forms[i] = Form::Word(DIGITS[i]);
        i += 1;
    }
    forms
};

/// Texts as they stand in encodings.
pub(crate) fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The label of an action.
pub(crate) fn label<S: Sites>(
    forms: &[Form],
    Formed { form, squares: [from, to] }: Formed,
) -> String {
    match forms[form] {
        Form::At(word) => S::name(from) + word,
        Form::FromTo(word) => S::name(from) + &S::name(to) + word,
        Form::ToAt(word) => word.to_owned() + &S::name(from),
        Form::Word(word) => word.to_owned(),
    }
}

/// The code of an action: the place of its label among those of all forms, one after another.
#[inline(always)]
pub(crate) fn code<S: Sites>(forms: &[Form], Formed { form, squares: [from, to] }: Formed) -> u32 {
    let before: u32 = forms[..form].iter().map(|form| form.count(S::SITES)).sum();
    let here = match forms[form] {
        Form::At(_) | Form::ToAt(_) => S::number(from),
        Form::FromTo(_) => S::number(from) * S::SITES + S::number(to),
        Form::Word(_) => 0,
    };
    before + here
}

/// The labels of the actions of all forms, in the order of their codes.
pub(crate) fn labels<S: Sites>(forms: &[Form]) -> Vec<String> {
    forms.iter().flat_map(|form| form.labels::<S>()).collect()
}

/// The board of games whose labels have no squares.
pub(crate) enum NoBoard {}

impl Sites for NoBoard {
    const SITES: u32 = 0;

    fn name(_: u32) -> String {
        String::new()
    }

    fn number(_: u32) -> u32 {
        0
    }

    fn names() -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, GuardedFiles};

    type Board = Grid<GuardedFiles, 1, 3, 2>;

    #[test]
    fn codes_are_the_places_of_labels() {
        let forms = [
            Form::At("="),
            Form::FromTo(""),
            Form::Word("pass"),
            Form::ToAt("shoot "),
            Form::FromTo("+"),
        ];
        let actions = labels::<Board>(&forms);
        assert_eq!(actions.len(), 6 + 36 + 1 + 6 + 36);
        let check = |formed: Formed, expected: &str| {
            let code = code::<Board>(&forms, formed);
            assert_eq!(label::<Board>(&forms, formed), expected);
            assert_eq!(actions[code as usize], expected);
        };
        check(Formed::at(Board::at(2, 1)), "c2=");
        let step = Formed::from_to(Board::at(0, 0), Board::at(1, 1)).in_form(1);
        check(step, "a1b2");
        check(step.in_form(4), "a1b2+");
        check(Formed::at(Board::at(2, 1)).in_form(3), "shoot c2");
        check(Formed::word(2), "pass");
    }
}
