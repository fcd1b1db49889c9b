//! A description as data, which the front end makes and the compiler reads.

/// Number of a piece, in the order of declaration.
pub(crate) type Piece = u8;
/// Number of a variable: the players' scores first, in the order of declaration, then the others.
pub(crate) type Var = u16;
/// Number of an edge label.
pub(crate) type Label = u16;
/// Number of a vertex of the board, in the order of appearance.
pub(crate) type Vertex = u16;

/// A whole game, checked.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    /// Names of the players; player 1 of the rules is number 0 here.
    pub(crate) players: Vec<String>,
    pub(crate) pieces: Vec<String>,
    /// Greatest values, in the order of [`Var`].
    pub(crate) bounds: Vec<i32>,
    /// Names, in the order of [`Var`].
    pub(crate) vars: Vec<String>,
    pub(crate) board: Board,
    pub(crate) rules: Expr,
    /// True if labels are to have the pieces and values that moves put, whatever else is legal.
    pub(crate) says_all: bool,
}

/// The graph that is played on.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The names of the vertices in messages and drawings, before they get coordinates.
    pub(crate) names: Vec<String>,
    pub(crate) start: Vec<Piece>,
    pub(crate) labels: Vec<String>,
    /// The vertex that each label leads to from each vertex: `next[label][vertex]`.
    pub(crate) next: Vec<Vec<Option<Vertex>>>,
    pub(crate) shape: Shape,
    /// Place of each vertex in the text of the board: column, row from the top, layer.
    pub(crate) places: Vec<(u16, u16, u16)>,
    /// The row of a hexagon up to which rows grow; 0 for other boards.
    pub(crate) peak: u16,
}

/// The form in which the board was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Rectangle,
    Hexagon,
    Cuboid,
    Graph,
}

/// A regular expression over actions.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Shift(Label),
    /// Passes if the piece is one of these, which are sorted.
    On(Vec<Piece>),
    Off(Piece),
    Assign(Var, Arith),
    Compare(Arith, Comparison, Arith),
    /// Hands the turn to a player, or to the keeper.
    Switch(Option<u8>),
    /// Passes if the expression can be walked from the cell (or, negated, if it cannot).
    Pattern {
        negated: bool,
        inner: Box<Expr>,
    },
    Dot,
    Concat(Vec<Expr>),
    Sum(Vec<Expr>),
    Star(Box<Expr>),
    /// A number of copies, at least one.
    Power(Box<Expr>, u32),
}

impl Expr {
    /// True if the expression leaves the state unchanged: there are no offs, assignments or
    /// switches outside patterns.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Expr::Off(_) | Expr::Assign(..) | Expr::Switch(_) => false,
            Expr::Concat(parts) | Expr::Sum(parts) => parts.iter().all(Expr::is_plain),
            Expr::Star(inner) | Expr::Power(inner, _) => inner.is_plain(),
            Expr::Shift(_) | Expr::On(_) | Expr::Compare(..) | Expr::Pattern { .. } | Expr::Dot => {
                true
            }
        }
    }
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Arithmetic.
#[derive(Clone, Debug)]
pub(crate) enum Arith {
    Number(i32),
    Var(Var),
    /// Number of vertices that hold this piece.
    Count(Piece),
    Binary(Operator, Box<Arith>, Box<Arith>),
}

/// Arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}
