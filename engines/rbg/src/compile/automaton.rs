//! The automaton of an expression: actions that change something are edges, the parts between them
//! walks.

use super::{Compiler, TooLarge, formula};
use crate::description::Expr;
use crate::program::EdgeKind;

/// A transition out of a state.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transition {
    /// A walk to a state, or no step at all if there is none.
    Walk(Option<u32>, u32),
    /// An edge to a state.
    Edge(u32, u32),
}

/// An automaton under construction.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The transitions out of each state.
    pub(super) out: Vec<Vec<Transition>>,
}

impl Graph {
    fn state(&mut self) -> u32 {
        self.out.push(Vec::new());
        self.out.len() as u32 - 1
    }

    fn way(&mut self, from: u32, way: Transition) {
        self.out[from as usize].push(way);
    }
}

impl<const W: usize> Compiler<W> {
    /// Builds the automaton of an expression with all its layers; returns the first. The automaton
    /// of a pattern accepts at its end.
    pub(super) fn automaton(&mut self, expr: &Expr, accepts: bool) -> Result<u32, TooLarge> {
        let mut graph = Graph::default();
        let (start, end) = (graph.state(), graph.state());
        self.build(&mut graph, expr, start, end)?;
        if accepts {
            let last = graph.state();
            let accept = self.edge(EdgeKind::Accept);
            graph.way(end, Transition::Edge(accept, last));
        }
        self.layers_of(&graph, start)
    }

    fn build(
        &mut self,
        graph: &mut Graph,
        expr: &Expr,
        from: u32,
        to: u32,
    ) -> Result<(), TooLarge> {
        self.work += 1;
        // A state, with the list of its transitions.
        self.bytes += 192;
        self.check()?;
        if expr.is_plain() {
            return self.build_walk(graph, &[expr], from, to);
        }
        match expr {
            Expr::Concat(all) => self.build_all(graph, &mut all.iter(), from, to)?,
            Expr::Power(inner, copies) => {
                let mut all = (0..*copies).map(|_| &**inner);
                self.build_all(graph, &mut all, from, to)?;
            }
            Expr::Sum(all) => {
                let (plain, changing): (Vec<&Expr>, Vec<&Expr>) =
                    all.iter().partition(|e| e.is_plain());
                if !plain.is_empty() {
                    let walk = self.walk_any(&plain)?;
                    self.add_walk(graph, walk, from, to);
                }
                for alternative in changing {
                    self.build(graph, alternative, from, to)?;
                }
            }
            Expr::Star(inner) => {
                let hub = graph.state();
                graph.way(from, Transition::Walk(None, hub));
                self.build(graph, inner, hub, hub)?;
                graph.way(hub, Transition::Walk(None, to));
            }
            Expr::Off(piece) => self.build_edge(graph, EdgeKind::Off(*piece), from, to),
            Expr::Assign(var, value) => {
                self.build_edge(graph, EdgeKind::Assign(*var, formula(value)), from, to);
            }
            Expr::Switch(player) => {
                let mover = player.map_or(0, |p| p + 1);
                self.build_edge(graph, EdgeKind::Switch(mover), from, to);
            }
            // Plain expressions have been built above.
            Expr::Shift(_) | Expr::On(_) | Expr::Compare(..) | Expr::Pattern { .. } | Expr::Dot => {
            }
        }
        Ok(())
    }

    fn build_edge(&mut self, graph: &mut Graph, kind: EdgeKind, from: u32, to: u32) {
        let edge = self.edge(kind);
        graph.way(from, Transition::Edge(edge, to));
    }

    /// Builds expressions one after another; neighbours that change nothing become one walk.
    fn build_all(
        &mut self,
        graph: &mut Graph,
        all: &mut dyn Iterator<Item = &Expr>,
        from: u32,
        to: u32,
    ) -> Result<(), TooLarge> {
        let mut at = from;
        let mut plain: Vec<&Expr> = Vec::new();
        for expr in all {
            if expr.is_plain() {
                plain.push(expr);
                continue;
            }
            if !plain.is_empty() {
                let next = graph.state();
                self.build_walk(graph, &plain, at, next)?;
                plain.clear();
                at = next;
            }
            let next = graph.state();
            self.build(graph, expr, at, next)?;
            at = next;
        }
        self.build_walk(graph, &plain, at, to)
    }

    fn build_walk(
        &mut self,
        graph: &mut Graph,
        all: &[&Expr],
        from: u32,
        to: u32,
    ) -> Result<(), TooLarge> {
        let walk = self.walk_all(all)?;
        self.add_walk(graph, walk, from, to);
        Ok(())
    }

    fn add_walk(&mut self, graph: &mut Graph, walk: crate::program::Walk<W>, from: u32, to: u32) {
        if walk.is_empty() {
            graph.way(from, Transition::Walk(None, to));
            return;
        }
        self.walks.push(walk);
        graph.way(from, Transition::Walk(Some(self.walks.len() as u32 - 1), to));
    }
}
