//! The labels of moves.

use rustc_hash::FxHashMap;

use crate::game::Game;
use crate::ir::{Int, Leaf, LeafKind, Moves};
use crate::moves::{MoveId, NO_LEAF, Sort};

impl Game {
    /// The labels of the legal moves of a position, each different from the others.
    pub(crate) fn labels(&self, legal: &[MoveId]) -> Vec<String> {
        // Different moves can have the same sites. In this case the later ones are numbered.
        let mut namesakes: FxHashMap<String, usize> = FxHashMap::default();
        let numbered = |id: &MoveId| {
            let label = self.plain_label(id);
            let count = namesakes.entry(label.clone()).or_default();
            *count += 1;
            if *count == 1 { label } else { format!("{label}#{count}") }
        };
        legal.iter().map(numbered).collect()
    }

    /// A key of the label of a move by itself; `None` in games of very many generators.
    pub(crate) fn label_key(&self, id: &MoveId) -> Option<u64> {
        // Beyond all numbers of generators: sorts of moves whose labels name none.
        const SORTS: u16 = 0xff00;
        if self.leaves.len() > usize::from(SORTS) {
            return None;
        }
        let MoveId { leaf, from, to, piece, sort, .. } = *id;
        let generator = match sort {
            Sort::Plain | Sort::Next if leaf == NO_LEAF => SORTS,
            Sort::Plain | Sort::Next => leaf,
            sort => SORTS + 1 + sort as u16,
        };
        let all = [generator, from as u16, to as u16, piece as u16];
        Some(all.into_iter().fold(0, |key, part| key << 16 | u64::from(part)))
    }

    /// The label of a move by itself, without regard to other legal moves.
    pub(crate) fn plain_label(&self, id: &MoveId) -> String {
        let site = |site: i16| match usize::try_from(site) {
            Ok(site) => self.world.site_label(site),
            Err(_) => String::new(),
        };
        let text = || self.names.texts.get(id.piece as usize).map_or("", String::as_str);
        match id.sort {
            Sort::Swap => return "swap".to_owned(),
            Sort::Pass => return "pass".to_owned(),
            Sort::Propose => return format!("propose:{}", text()),
            Sort::Bet => return format!("bet={}", id.piece),
            Sort::Trump => return format!("trump={}", id.piece),
            Sort::Vote => return format!("vote:{}", text()),
            Sort::Plain if self.simulation => return "auto".to_owned(),
            Sort::Plain | Sort::Next => {}
        }
        let two = || site(id.from) + &site(id.to);
        let Some(leaf) = self.leaf(id.leaf) else {
            return if id.from == id.to { site(id.from) } else { two() };
        };
        let label = match &leaf.kind {
            LeafKind::Pass => "pass".to_owned(),
            LeafKind::SetScore { .. } => "score".to_owned(),
            LeafKind::Add { pieces, .. } if pieces.len() > 1 => {
                format!("{}={}", site(id.to), self.piece_name(id.piece))
            }
            // If variables have several values, the label has the value.
            LeafKind::Add { .. }
                if self.puzzle.as_ref().is_some_and(|p| p.values.0 < p.values.1) =>
            {
                // A value of one digit needs no separator, because labels of squares end in known
                // digits.
                let digits = self.puzzle.as_ref().is_some_and(|p| p.values.1 <= 9);
                let between = if digits { "" } else { "=" };
                site(id.to) + between + &self.piece_name(id.piece)
            }
            LeafKind::Add { level: Some(Int::Const(level)), .. } => {
                format!("{}@{level}", site(id.to))
            }
            LeafKind::Promote { .. } => {
                format!("{}={}", site(id.to), self.piece_name(id.piece))
            }
            LeafKind::Turn { .. } => site(id.to) + if id.piece < 0 { "-" } else { "+" },
            LeafKind::SetNextPlayer(_) => format!("next{}", id.piece),
            _ if id.from == id.to => site(id.to),
            _ => two(),
        };
        match self.promotion(leaf) {
            Some(piece) => format!("{label}={piece}"),
            None => label,
        }
    }

    /// The name, without its owner, of the piece that the consequences of a move always make of the
    /// piece that moved, if there is one.
    fn promotion(&self, leaf: &Leaf) -> Option<String> {
        let mut names = leaf.then.iter().filter_map(|&effect| {
            let Moves::Leaf(effect) = self.effect(effect) else { return None };
            let LeafKind::Promote { site: Int::LastTo, .. } = &effect.kind else { return None };
            let promoted = effect.promoted()?;
            let names = promoted.iter().map(|&component| self.piece_name(component as i16));
            let mut names: Vec<String> = names.map(without_owner).collect();
            names.dedup();
            (names.len() == 1).then(|| names.swap_remove(0))
        });
        names.next().filter(|name| !name.is_empty())
    }

    fn piece_name(&self, component: i16) -> String {
        let component = usize::try_from(component).ok();
        let component = component.and_then(|c| self.world.components.get(c));
        component.map_or(String::new(), |c| c.name.to_lowercase())
    }
}

/// The name of a component without the number of its owner.
fn without_owner(name: String) -> String {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}
