//! The order in which a graph can be evaluated.

use crate::graph::{Graph, Lit, Node};

/// Strongly connected components of the part of a graph that some literals depend on, each after
/// all that it depends on (Tarjan 1972).
#[derive(Clone, Debug, Default)]
pub struct Order {
    nodes: Vec<u32>,
    ends: Vec<u32>,
    /// The number of components after each stage.
    stages: Vec<u32>,
}

impl Order {
    /// Follows the literals in the given order, so that what belongs together stands together.
    pub fn new(graph: &Graph, roots: impl IntoIterator<Item = Lit>) -> Order {
        Order::staged(graph, [roots])
    }

    /// The same for several lots of literals: first all that the first lot needs, then what the
    /// second needs beyond that, and so on.
    pub fn staged<I: IntoIterator<Item = Lit>>(
        graph: &Graph,
        stages: impl IntoIterator<Item = I>,
    ) -> Order {
        let mut tarjan = Tarjan {
            graph,
            index: vec![0; graph.len()],
            low: vec![0; graph.len()],
            next: 1,
            open: Vec::new(),
            calls: Vec::new(),
            order: Order::default(),
        };
        for roots in stages {
            for root in roots {
                tarjan.visit(root.node());
            }
            tarjan.order.stages.push(tarjan.order.ends.len() as u32);
        }
        tarjan.order
    }

    /// The number of components of the stages up to each one.
    pub fn stages(&self) -> &[u32] {
        &self.stages
    }

    /// The components.
    pub fn components(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.nodes[start as usize..end as usize])
    }

    /// The components in which some node depends on itself.
    pub fn loops<'a>(&'a self, graph: &'a Graph) -> impl Iterator<Item = &'a [u32]> + 'a {
        self.components().filter(move |c| is_loop(graph, c))
    }
}

/// True if a component depends on itself.
pub fn is_loop(graph: &Graph, component: &[u32]) -> bool {
    component.len() > 1
        || match graph.node(component[0]) {
            Node::Feedback(feedback) => graph.definition(feedback).node() == component[0],
            _ => false,
        }
}

struct Tarjan<'a> {
    graph: &'a Graph,
    /// Order of discovery from 1; 0 for nodes not met.
    index: Vec<u32>,
    /// Smallest index reachable; `u32::MAX` once the component is complete.
    low: Vec<u32>,
    next: u32,
    open: Vec<u32>,
    /// Nodes being visited, with the number of the input to look at next.
    calls: Vec<(u32, u32)>,
    order: Order,
}

impl Tarjan<'_> {
    fn input(&self, node: u32, at: u32) -> Option<u32> {
        match self.graph.node(node) {
            Node::And(inputs) => inputs.get(at as usize).map(|l| l.node()),
            Node::Feedback(feedback) if at == 0 => Some(self.graph.definition(feedback).node()),
            _ => None,
        }
    }

    fn enter(&mut self, node: u32) {
        self.index[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.open.push(node);
        self.calls.push((node, 0));
    }

    fn visit(&mut self, root: u32) {
        if self.index[root as usize] != 0 {
            return;
        }
        self.enter(root);
        while let Some(call) = self.calls.last_mut() {
            let (node, at) = *call;
            call.1 += 1;
            if let Some(input) = self.input(node, at) {
                if self.index[input as usize] == 0 {
                    self.enter(input);
                } else if self.low[input as usize] != u32::MAX {
                    let index = self.index[input as usize];
                    self.low[node as usize] = self.low[node as usize].min(index);
                }
                continue;
            }
            self.calls.pop();
            let low = self.low[node as usize];
            if let Some(&(caller, _)) = self.calls.last() {
                self.low[caller as usize] = self.low[caller as usize].min(low);
            }
            if low == self.index[node as usize] {
                while let Some(member) = self.open.pop() {
                    self.low[member as usize] = u32::MAX;
                    self.order.nodes.push(member);
                    if member == node {
                        break;
                    }
                }
                self.order.ends.push(self.order.nodes.len() as u32);
            }
        }
    }
}
