//! Columns: pieces fall to the lowest free cell.

/// The columns of a board.
#[derive(Debug)]
pub(crate) struct Columns {
    /// The column of each cell that is the top of one.
    of: Vec<u16>,
    /// The cells of each column from the bottom, `tallest` of them.
    cells: Vec<u16>,
    tallest: usize,
    /// How many cells each column has.
    tall: Vec<u8>,
}

impl Columns {
    /// From the cells of each from the bottom; none where columns share cells, or are too tall.
    pub(crate) fn new(columns: &[Vec<u16>], cells: usize) -> Option<Columns> {
        let mut seen = vec![false; cells];
        let shared = |cell: &u16| std::mem::replace(&mut seen[usize::from(*cell)], true);
        if columns.iter().flatten().any(shared) {
            return None;
        }
        let tallest = columns.iter().map(Vec::len).max()?;
        let (mut of, mut all, mut tall) = (vec![0; cells], Vec::new(), Vec::new());
        for (i, column) in columns.iter().enumerate() {
            of[usize::from(*column.last()?)] = i as u16;
            all.extend(column);
            all.resize((i + 1) * tallest, 0);
            tall.push(u8::try_from(column.len()).ok()?);
        }
        Some(Columns { of, cells: all, tallest, tall })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.tall.len() as u64
    }

    /// How large they are, about.
    pub(crate) fn bytes(&self) -> u64 {
        (2 * (self.of.len() + self.cells.len()) + self.tall.len()) as u64
    }

    fn column(&self, i: usize) -> &[u16] {
        &self.cells[i * self.tallest..][..usize::from(self.tall[i])]
    }

    /// The cells above one in its column.
    pub(crate) fn above(&self, cell: u16) -> &[u16] {
        for i in 0..self.tall.len() {
            let column = self.column(i);
            if let Some(at) = column.iter().position(|&c| c == cell) {
                return &column[at + 1..];
            }
        }
        &[]
    }

    pub(crate) fn tops(&self) -> impl Iterator<Item = u16> {
        (0..self.tall.len()).map(|i| self.cells[i * self.tallest + usize::from(self.tall[i]) - 1])
    }

    /// How many cells of each hold a piece, if nothing hangs in the air.
    pub(crate) fn heights(&self, is_free: impl Fn(u16) -> bool) -> Option<Vec<u8>> {
        let height = |i| {
            let column = self.column(i);
            let height = column.iter().take_while(|&&cell| !is_free(cell)).count();
            column[height..].iter().all(|&cell| is_free(cell)).then_some(height as u8)
        };
        (0..self.tall.len()).map(height).collect()
    }

    /// Where a piece falls that is let in at the top of a column, and whether the column is full
    /// then.
    #[inline(always)]
    pub(crate) fn fall(&self, heights: &mut [u8], top: u16) -> (u16, bool) {
        let column = usize::from(self.of[usize::from(top)]);
        let height = heights[column];
        heights[column] = height + 1;
        let cell = self.cells[column * self.tallest + usize::from(height)];
        (cell, height + 1 == self.tall[column])
    }
}
