//! The interface of search trees, see [`Position::search`](crate::Position::search).

/// The settings by which a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// Seed of all choices and playouts.
    pub seed: u64,
    /// Weight of exploration; UCB1's own is the square root of 2. [`f64::INFINITY`] has actions
    /// tried in turn, whatever they pay: simulations are shared out evenly.
    pub exploration: f64,
    /// Plies after which a simulation is given up, those of its descent and of its playout
    /// together.
    pub cap: u32,
    /// Playouts from each leaf, at least one.
    pub leaves: u32,
    /// Bytes that the tree may take; then playouts begin at its leaves. Where engines play those of
    /// guessed leaves ahead of time, nodes of guesses may take half as many more.
    pub bytes: usize,
}

impl Default for SearchSettings {
    fn default() -> SearchSettings {
        SearchSettings { seed: 1, exploration: 0.7, cap: 1000, leaves: 1, bytes: 256 << 20 }
    }
}

/// A search tree grown by UCT (Kocsis and Szepesvári 2006, *Bandit based Monte-Carlo planning*):
/// UCB1 at each node, one new node a simulation, and random playouts from there. Every player
/// maximises the own payoff (max^n, Luckhardt and Irani 1986, *An algorithmic solution of N-person
/// games*). Games without chance, where every player is taken to see everything.
pub trait Search: Send {
    /// Makes so many simulations more. What they do depends on the seed and their number alone.
    fn simulate(&mut self, count: u64);

    /// The statistics of each legal action of the root, in the order of the actions.
    fn values(&self) -> Vec<ActionValue>;

    /// The totals of all simulations of the search, also of those before the root moved on.
    fn simulated(&self) -> Simulated;

    /// Makes the position after an action of the root, and after forced passes, the new root. What
    /// was found below it is kept, all else is forgotten; true if there was anything to keep.
    fn advance(&mut self, action: usize) -> bool;

    /// The number of nodes.
    fn nodes(&self) -> usize;

    /// A hash of the whole tree: of each node its actions, how often each was tried, and what it
    /// came to. Equal trees have equal digests.
    fn digest(&self) -> u64;
}

/// The statistics that a search tree keeps of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActionValue {
    /// Playouts that began with it.
    pub visits: u64,
    /// Mean payoff of the player who chooses it, 0 without visits.
    pub mean: f64,
}

/// The totals of simulations of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulated {
    /// The number of simulations, each playout of a leaf counted.
    pub simulations: u64,
    /// Plies of all of them, from the root to the end of the playout; forced passes are none.
    pub plies: u64,
    /// The number of them that ended by the rules.
    pub ended: u64,
    /// Mean payoff of each player.
    pub payoffs: Vec<f64>,
}
