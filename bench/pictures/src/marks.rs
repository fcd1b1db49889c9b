//! Marks on cells: the last action, and where legal actions begin and end.

use play::picture::Picture;

use crate::Options;

/// What is marked, by the place of the cell.
pub(crate) struct Marks {
    /// Cells of the last action.
    pub(crate) last: Vec<bool>,
    /// Cells where legal actions begin that name several.
    pub(crate) origins: Vec<bool>,
    /// Cells where legal actions end.
    pub(crate) targets: Vec<bool>,
}

impl Marks {
    pub(crate) fn new(picture: &Picture, options: &Options<'_>) -> Marks {
        let none = || vec![false; picture.cells.len()];
        let mut marks = Marks { last: none(), origins: none(), targets: none() };
        for place in options.last.map(|label| picture.named_in(label)).unwrap_or_default() {
            marks.last[place] = true;
        }
        for label in options.legal {
            match picture.named_in(label)[..] {
                [] => {}
                [only] => marks.targets[only] = true,
                [from, .., to] => (marks.origins[from], marks.targets[to]) = (true, true),
            }
        }
        marks
    }
}
