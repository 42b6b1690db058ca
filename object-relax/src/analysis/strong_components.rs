//! [`strong_components`]: the circles of a graph.

/// For each node the number of its strong component, and the members of each component. A component has a smaller number
/// than the components that lead to it, so callees come before callers. Members are in ascending order. Tarjan's
/// algorithm, with a stack on the heap.
pub(crate) fn strong_components(successors: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    const UNSEEN: usize = usize::MAX;
    let count = successors.len();
    let (mut number, mut low, mut group) = (vec![UNSEEN; count], vec![0; count], vec![UNSEEN; count]);
    let (mut path, mut next_number, mut groups) = (Vec::new(), 0, Vec::new());
    for root in 0..count {
        if number[root] != UNSEEN {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if *next == 0 && number[node] == UNSEEN {
                (number[node], low[node]) = (next_number, next_number);
                next_number += 1;
                path.push(node);
            }
            if let Some(&successor) = successors[node].get(*next) {
                *next += 1;
                if number[successor] == UNSEEN {
                    open.push((successor, 0));
                } else if group[successor] == UNSEEN {
                    low[node] = low[node].min(number[successor]);
                }
                continue;
            }
            if low[node] == number[node] {
                let start = path.iter().rposition(|it| *it == node).unwrap_or(0);
                let mut members = path.split_off(start);
                members.sort_unstable();
                members.iter().for_each(|member| group[*member] = groups.len());
                groups.push(members);
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    (group, groups)
}

#[cfg(test)]
mod tests {
    use super::strong_components;

    #[test]
    fn nodes_on_a_circle_are_one_component() {
        let (group, groups) = strong_components(&[vec![1], vec![2], vec![1, 3], vec![], vec![0]]);
        assert_eq!(groups, [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(group, [2, 1, 1, 0, 3]);
    }

    #[test]
    fn a_node_may_lead_to_itself() {
        assert_eq!(strong_components(&[vec![0]]), (vec![0], vec![vec![0]]));
        assert_eq!(strong_components(&[]), (vec![], vec![]));
    }

    #[test]
    fn long_circles_need_no_stack() {
        let count = 100_000;
        let circle: Vec<Vec<usize>> = (0..count).map(|node| vec![(node + 1) % count]).collect();
        assert_eq!(strong_components(&circle).1.len(), 1);
    }
}
