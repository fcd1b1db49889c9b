//! Strongly connected components, for relations, rules and whatever else depends on each other.

/// The strongly connected components of a graph given as lists of successors, each after all that
/// it depends on: Tarjan's algorithm (1972) without recursion. Members are in order.
pub(crate) fn strong_components(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = graph.len();
    let (mut order, mut low) = (vec![UNSEEN; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let (mut stack, mut calls) = (Vec::new(), Vec::new());
    let mut out = Vec::new();
    let mut count = 0;
    for root in 0..n {
        if order[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                order[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            } else {
                // Back from the child that the previous edge leads to.
                let child = graph[node][edge - 1];
                if on_stack[child] {
                    low[node] = low[node].min(low[child]);
                }
            }
            if let Some(&next) = graph[node].get(edge) {
                calls.push((node, edge + 1));
                if order[next] == UNSEEN {
                    calls.push((next, 0));
                }
                continue;
            }
            if low[node] == order[node] {
                let start = stack.iter().rposition(|&m| m == node).unwrap_or(0);
                let mut members = stack.split_off(start);
                for &member in &members {
                    on_stack[member] = false;
                }
                members.sort_unstable();
                out.push(members);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_depend_on() {
        let graph = [vec![1], vec![2, 3], vec![0], vec![4], vec![], vec![5, 0]];
        let graph: Vec<Vec<usize>> = graph.into();
        assert_eq!(strong_components(&graph), [vec![4], vec![3], vec![0, 1, 2], vec![5]]);
    }

    #[test]
    fn long_chains_do_not_overflow_the_stack() {
        let n = 200_000;
        let graph: Vec<Vec<usize>> = (0..n).map(|i| vec![(i + 1) % n]).collect();
        assert_eq!(strong_components(&graph).len(), 1);
    }
}
