//! What hangs together: pieces of a kind in groups, by union and find (Galler and Fischer 1964)
//! with paths halved (van Leeuwen and van der Weide 1977). Of two groups the root with the lower
//! number goes on.

/// Which cells are neighbours, and which a test asks for.
#[derive(Debug)]
pub(crate) struct Links {
    /// Where the neighbours of each cell begin.
    starts: Vec<u32>,
    neighbours: Vec<u16>,
    /// For each piece, for each cell: the tests that hold if a group has it.
    goals: Vec<u8>,
    cells: usize,
}

impl Links {
    /// From the neighbours of each cell, and the goals of each piece.
    pub(crate) fn new(rows: &[Vec<u16>], goals: Vec<u8>) -> Links {
        let (mut starts, mut neighbours) = (vec![0], Vec::new());
        for row in rows {
            neighbours.extend(row);
            starts.push(neighbours.len() as u32);
        }
        Links { starts, neighbours, goals, cells: rows.len() }
    }

    /// How many neighbours all cells have together.
    pub(crate) fn count(&self) -> u64 {
        self.neighbours.len() as u64
    }

    /// How large they are, about.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.starts.len() + 2 * self.neighbours.len() + self.goals.len()) as u64
    }
}

/// The groups.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    /// The piece of each cell, counted from 1; 0 where it is free.
    owners: Vec<u8>,
    /// Another cell of the same group, or the same.
    parents: Vec<u16>,
    /// The goals of the group of each cell that is its own parent.
    goals: Vec<u8>,
}

impl Joined {
    /// No groups.
    pub(crate) fn new(links: Option<&Links>) -> Joined {
        let cells = links.map_or(0, |links| links.cells);
        Joined { owners: vec![0; cells], parents: vec![0; cells], goals: vec![0; cells] }
    }

    /// Becomes the same as others, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Joined) {
        // What is free has no parent and no goals yet that anybody looks at.
        self.owners.copy_from_slice(&other.owners);
        if other.owners.iter().any(|&owner| owner != 0) {
            self.parents.copy_from_slice(&other.parents);
            self.goals.copy_from_slice(&other.goals);
        }
    }

    #[inline(always)]
    fn find(&mut self, mut cell: u16) -> u16 {
        loop {
            let parent = self.parents[usize::from(cell)];
            if parent == cell {
                return cell;
            }
            let next = self.parents[usize::from(parent)];
            self.parents[usize::from(cell)] = next;
            cell = next;
        }
    }

    /// Puts a piece; returns the tests that hold of its group.
    #[inline(always)]
    pub(crate) fn put(&mut self, links: &Links, piece: usize, cell: u16) -> u8 {
        let at = usize::from(cell);
        let owner = piece as u8 + 1;
        let mut goals = links.goals[piece * links.cells + at];
        let mut root = cell;
        self.owners[at] = owner;
        self.parents[at] = cell;
        for &near in &links.neighbours[links.starts[at] as usize..links.starts[at + 1] as usize] {
            if self.owners[usize::from(near)] != owner {
                continue;
            }
            let other = self.find(near);
            if other != root {
                goals |= self.goals[usize::from(other)];
                let (low, high) = (root.min(other), root.max(other));
                self.parents[usize::from(high)] = low;
                root = low;
            }
        }
        self.goals[usize::from(root)] = goals;
        goals
    }
}
