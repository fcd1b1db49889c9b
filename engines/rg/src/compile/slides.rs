//! Slides: walks along lines of cells that differ in where they end, as one set of cells.
//!
//! A rook goes on as long as cells are empty, and may stop at each of them. Written out, each place
//! where it stops is a move by itself. If all walks between two nodes look at cells at functions of
//! one place, and give one variable the last cell that they look at, the cells where they end are a
//! set that a few operations find, and its elements are gone on with at once.

use std::collections::BTreeMap;
use std::rc::Rc;

use kernel::ir::Local;

use super::lines::Area;
use super::patterns::{Found, MAX_PLACES, Walk};
use super::tables::set_var;
use super::terms::{Env, Said, SlideTags, Tag, Term};
use super::walk::{Compiler, Goal, Stop};
use super::writer::Writer;
use crate::automaton::{Label, NodeId, Slot};

/// The fewest edges that lead to the node where slides end, and the fewest walks.
const MIN_ENTRIES: u32 = 6;
const MIN_WALKS: usize = 6;

/// The most nodes that slides go through.
const MAX_NODES: usize = 700;

/// The most entries of the table of walks from one number to another.
const MAX_TABLE: usize = 1 << 16;

/// Slides behind which the same is known.
struct Class {
    /// The other variables that matter at the end.
    assigned: BTreeMap<Slot, Term>,
    said: Said,
    slides: Vec<Slide>,
}

/// A walk to a cell.
struct Slide {
    looks: Walk,
    /// Its tags, with [`END`] for the cell where it ends.
    tags: Vec<i32>,
}

/// The number that stands for the cell at which a slide ends.
pub(super) const END: i32 = -1;

impl Compiler<'_> {
    /// Writes all slides from a node on, with what follows; false if walks from it are none.
    pub(super) fn slide(
        &mut self,
        w: &mut Writer,
        node: NodeId,
        env: &Env,
        goal: &Goal,
    ) -> Result<bool, Stop> {
        if !goal.has_functions() {
            return Ok(false);
        }
        let Some(to) = self.slide_end(node) else { return Ok(false) };
        let before = w.clone();
        let depth = w.depth();
        let mut each = env.clone();
        self.go_through(w, &mut each);
        let inner = w.depth();
        let Some(slides) = self.slides(w, &each, node, to, goal) else {
            *w = before;
            self.slide_ends.insert(node, None);
            return Ok(false);
        };
        for env in slides {
            self.walk(w, to, env, goal)?;
            w.close_to(inner);
        }
        w.close_to(depth);
        Ok(true)
    }

    /// The node that all walks from a node come to, from many edges.
    fn slide_end(&mut self, node: NodeId) -> Option<NodeId> {
        if let Some(&end) = self.slide_ends.get(&node) {
            return end;
        }
        let end = self.find_slide_end(node);
        self.slide_ends.insert(node, end);
        end
    }

    fn find_slide_end(&self, node: NodeId) -> Option<NodeId> {
        let nodes = self.nodes_before(node, None)?;
        let mut ends = nodes.into_iter().filter(|&end| self.regions.entries(end) >= MIN_ENTRIES);
        ends.find(|&end| end != node && self.nodes_before(node, Some(end)).is_some())
    }

    /// The nodes that walks from one node come to before another; or, if there is no other, before
    /// they do what slides do not do. `None` if not all walks come to the other.
    fn nodes_before(&self, node: NodeId, end: Option<NodeId>) -> Option<Vec<NodeId>> {
        let mut nodes = vec![node];
        let mut at = 0;
        while at < nodes.len() {
            let is_end = Some(nodes[at]) == end;
            let is_over = nodes.len() > MAX_NODES || self.regions.loop_of(nodes[at]).is_some();
            let edges = &self.rules.automaton.nodes[nodes[at]].edges;
            at += 1;
            if is_end {
                continue;
            }
            let stops = edges
                .iter()
                .any(|edge| edge.label.ends_move() || matches!(edge.label, Label::Test { .. }));
            if is_over || stops {
                if end.is_some() {
                    return None;
                }
                continue;
            }
            for edge in edges {
                if !nodes.contains(&edge.to) {
                    nodes.push(edge.to);
                }
            }
        }
        Some(nodes)
    }

    /// The facts behind slides from a node to another, for each class of slides.
    fn slides(
        &mut self,
        w: &mut Writer,
        env: &Env,
        node: NodeId,
        to: NodeId,
        goal: &Goal,
    ) -> Option<Vec<Env>> {
        let numbers = self.map.symbols.len();
        if numbers > MAX_PLACES || numbers * numbers > MAX_TABLE {
            return None;
        }
        let found = self.walks_between(w, env, node, to)?;
        if found.len() < MIN_WALKS {
            return None;
        }
        let slot = self.slot_that_slides(&found, to)?;
        let (from, classes) = self.classes(found, slot, to)?;
        let walks = classes.iter().flat_map(|class| &class.slides);
        let (areas, others) =
            self.areas(w, env, walks.map(|slide| slide.looks.clone()).collect())?;
        if !others.is_empty() {
            return None;
        }
        let mut sets: Vec<(Local, Rc<[i32]>)> = Vec::new();
        for (number, class) in classes.iter().enumerate() {
            let in_class = |area: &&Area| area.sought.class == number;
            let areas = areas.iter().filter(in_class).cloned().collect();
            let found = self.found(w, env, areas)?;
            sets.push((set_var(w, found), self.domain(class)?));
        }
        let mut known = Vec::new();
        for (class, (set, domain)) in classes.into_iter().zip(sets) {
            let mut env = self.over(env, slot, set, &domain);
            let end = env.assigned.get(&slot)?.clone();
            env.assigned.extend(class.assigned.clone());
            if matches!(goal, Goal::Moves) {
                env.said = class.said;
                let from = from.map_or(Term::Constant(0), Term::Local);
                env.tags.push(Tag::Slide(self.slide_tags(&class)?, [from, end]));
            }
            known.push(env);
        }
        Some(known)
    }

    /// The one variable that matters at the end and differs from walk to walk as places do.
    fn slot_that_slides(&self, found: &[Found], to: NodeId) -> Option<Slot> {
        let first = found.first()?;
        let differs = |slot: &&Slot| {
            let term = first.env.assigned.get(slot);
            self.rules.liveness.is_live(to, **slot)
                && matches!(term, Some(Term::Entry(..)))
                && found.iter().any(|found| found.env.assigned.get(slot) != term)
        };
        let mut slots = first.env.assigned.keys().filter(differs);
        let slot = *slots.next()?;
        slots.next().is_none().then_some(slot)
    }

    /// The walks by what is known behind them, and the variable that their places are functions of.
    fn classes(
        &self,
        found: Vec<Found>,
        slot: Slot,
        to: NodeId,
    ) -> Option<(Option<Local>, Vec<Class>)> {
        let from = found.first()?.looks.last()?.from;
        let mut classes: Vec<Class> = Vec::new();
        for Found { mut looks, others, mut env } in found {
            if !others.is_empty() {
                return None;
            }
            let last = looks.last_mut()?;
            let is_last = match env.assigned.remove(&slot)? {
                Term::Entry(local, place, _) => Some(local) == last.from && place == last.place,
                _ => false,
            };
            if !is_last || last.from != from {
                return None;
            }
            env.assigned.retain(|&slot, _| self.rules.liveness.is_live(to, slot));
            let is_it = |class: &Class| class.assigned == env.assigned && class.said == env.said;
            let number = classes.iter().position(is_it).unwrap_or(classes.len());
            if number == classes.len() {
                let slides = Vec::new();
                classes.push(Class { assigned: env.assigned, said: env.said, slides });
            }
            last.sought.class = number;
            let tag = |tag: Tag| match tag {
                Tag::One(Term::Constant(number)) => Some(number),
                Tag::One(Term::Entry(_, place, _)) if place == last.place => Some(END),
                _ => None,
            };
            let tags: Vec<i32> = env.tags.into_iter().map(tag).collect::<Option<_>>()?;
            classes[number].slides.push(Slide { looks, tags });
        }
        Some((from, classes))
    }

    /// Calls `found` with each place, and the cell where a slide from there may end.
    fn each_end(&self, slide: &Slide, mut found: impl FnMut(usize, i32)) -> Option<()> {
        let last = slide.looks.last()?;
        for (row, &cell) in last.place.iter().enumerate() {
            if cell >= 0 && self.may_hold(&last.sought, cell)? {
                found(row, cell);
            }
        }
        Some(())
    }

    /// The cells where slides may end.
    fn domain(&self, class: &Class) -> Option<Rc<[i32]>> {
        let mut domain = Vec::new();
        for slide in &class.slides {
            self.each_end(slide, |_, cell| domain.push(cell))?;
        }
        domain.sort_unstable();
        domain.dedup();
        Some(domain.into())
    }

    /// The tags of slides, each of which is known by where it begins and ends.
    fn slide_tags(&mut self, class: &Class) -> Option<Rc<SlideTags>> {
        let width = self.map.symbols.len();
        let longest = class.slides.iter().map(|slide| slide.tags.len()).max()?;
        let rows = class.slides.first()?.looks.last()?.place.len();
        let mut walks: Vec<i32> = vec![-1; rows * width];
        for (number, slide) in class.slides.iter().enumerate() {
            let mut is_known = true;
            self.each_end(slide, |row, cell| {
                let walk = &mut walks[row * width + cell as usize];
                let others = usize::try_from(*walk).map(|other| &class.slides[other].tags);
                is_known &= others.is_ok_and(|tags| *tags == slide.tags) || *walk < 0;
                *walk = number as i32;
            })?;
            if !is_known {
                return None;
            }
        }
        let lengths: Vec<i32> = class.slides.iter().map(|slide| slide.tags.len() as i32).collect();
        let tags = |slide: &Slide| {
            let mut tags = slide.tags.clone();
            tags.resize(longest, 0);
            tags
        };
        let tags: Vec<i32> = class.slides.iter().flat_map(tags).collect();
        let [walks, lengths, tags] = [&walks, &lengths, &tags]
            .map(|entries: &Vec<i32>| self.tables.ints(&mut self.program, entries));
        self.slides += 1;
        let number = self.slides;
        Some(Rc::new(SlideTags { number, walks, width, lengths, tags, longest }))
    }
}
