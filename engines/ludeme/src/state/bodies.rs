//! The cells that pieces of several cells cover beside those where they stand.

/// By site the cells that a body covers beside that site.
type CellsBySite = Box<[Box<[u16]>]>;

/// The cells beside its first that a piece covers, by component, local state and site.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    /// A table for each form of a body.
    tables: Box<[CellsBySite]>,
    /// The numbers of the tables, by component and local state.
    of_component: Box<[Box<[usize]>]>,
}

impl Bodies {
    /// Bodies of some forms; each component has the number of one for each local state.
    pub(crate) fn new(
        tables: impl IntoIterator<Item = CellsBySite>,
        of_component: Box<[Box<[usize]>]>,
    ) -> Bodies {
        Bodies { tables: tables.into_iter().collect(), of_component }
    }

    /// The cells that a component covers beside a site.
    pub(super) fn of(&self, what: i32, state: i32, site: usize) -> &[u16] {
        let number = |number: i32| usize::try_from(number).ok();
        let states = number(what).and_then(|what| self.of_component.get(what));
        let table = states.zip(number(state)).and_then(|(states, state)| states.get(state));
        let cells = table.and_then(|&table| self.tables.get(table)?.get(site));
        cells.map_or(&[], |cells| cells)
    }
}
