//! The limits on descriptions, in one table: beyond them descriptions are refused, or a part of
//! them stops. Hostile descriptions meet them; the largest public ones stay far below. Thresholds
//! from which another method is faster stand at the place of that decision.

// Reading.
/// Depth of nested macro calls beyond which they count as an endless recursion.
pub(crate) const MAX_MACRO_NESTING: u32 = 100;
/// Rounds of local and library macros; each needs the other to go on, so that honest descriptions
/// take three or four.
pub(crate) const MAX_MACRO_ROUNDS: usize = 100;
/// The longest range of integers.
pub(crate) const MAX_RANGE: i64 = 1000;
/// Most diagnostics for one file.
pub(crate) const MAX_DIAGNOSTICS: usize = 100;
/// Most declared names that are compared for a near miss.
pub(crate) const MAX_NEAR_NAMES: usize = 500;
/// Most macro calls that one diagnostic shows.
pub(crate) const MAX_NOTES: usize = 4;
/// Most games of a match.
pub(crate) const MAX_GAMES_OF_MATCH: usize = 64;

// Boards and equipment.
/// Boards with more vertices than this are refused; the largest published ones have under 2000.
pub const MAX_VERTICES: usize = MAX_SITES;
/// Most corners of a face; faces with more are not found.
pub(crate) const MAX_CORNERS: usize = 32;
/// Most sites of all containers together, which are numbers of 16 bits in moves.
pub(crate) const MAX_SITES: usize = i16::MAX as usize;
/// Most components of a game.
pub(crate) const MAX_COMPONENTS: usize = 4096;
/// Most numbers of a state for the order in which pieces were placed; longer orders are kept in
/// lists.
pub(crate) const MAX_ORDERED: usize = 1 << 14;
/// Sizes beyond this are refused before any arithmetic on them; boards stop far below.
pub(crate) const MAX_DIM: i64 = 1_000_000;
/// Most ways to lay pieces of several cells, counted by sites and local states.
pub(crate) const MAX_TILE_PLACES: usize = 1 << 21;
/// Most local states of pieces whose cells the rules read.
pub(crate) const MAX_TILE_STATES: usize = 400;
/// Most sides of a tile, and most slots on a side.
pub(crate) const MAX_TILE_SIDES: usize = 64;
/// Most sites of a track that is written as a start and directions.
pub(crate) const MAX_TRACK: usize = 100_000;
/// Most faces of all dice together.
pub(crate) const MAX_FACES: i32 = 1000;

// Rules.
/// Most distinct generators and effects of a game.
pub(crate) const MAX_LEAVES: usize = 20_000;
/// Most phases of a game.
pub(crate) const MAX_PHASES: usize = 200;
/// Most end rules that are made for every track.
pub(crate) const MAX_END_RULES: usize = 200;
/// Most directions that depend on the state in one ludeme, one inside another.
pub(crate) const MAX_NESTED_CHOICES: usize = 4;
/// Most outcomes of directions drawn by lot.
pub(crate) const MAX_DIRECTIONS_BY_LOT: usize = 150;
/// Most kinds of pieces, counted for each owner, of which players can take control.
pub(crate) const MAX_HEIRS: usize = 4096;
/// The greatest value that a variable can have.
pub(crate) const MAX_VALUE: i32 = 255;
/// Most constraints that those on every element are written out to.
pub(crate) const MAX_CONSTRAINTS: usize = 50_000;

// Play.
/// Most moves of one position; [`MoveId`](crate::moves::MoveId) numbers them in 16 bits. Only rules
/// that are made for it have more.
pub(crate) const MAX_MOVES: usize = 65_535;
/// Most moves of one turn that `max Moves` looks ahead; longer turns count as endless.
pub(crate) const MAX_MOVES_AHEAD: u32 = 40;
/// Most positions that one `max Moves` visits, those of inner ones included. Turns of honest games
/// branch little.
pub(crate) const MAX_POSITIONS_AHEAD: u32 = 20_000;
/// Most dice of which one can be used for a move.
pub(crate) const MAX_DICE: usize = 30;
/// Most additions of one move.
pub(crate) const MAX_ADDITIONS: i32 = 10_000;
/// Most rounds of a `while`.
pub(crate) const MAX_WHILE_ROUNDS: usize = 1_000;
/// Most sites that sowing skips in a row.
pub(crate) const MAX_SKIPPED: i32 = 10_000;
/// Most seeds that one move sows.
pub(crate) const MAX_SOWN: i32 = 100_000;
/// Most rounds of forced moves.
pub(crate) const MAX_FORCED_ROUNDS: usize = 100;
/// Most actions of forced moves.
pub(crate) const MAX_FORCED_ACTS: usize = 10_000;
/// Most tiles that the paths of one extent are followed over.
pub(crate) const MAX_TILES_OF_PATHS: usize = 200_000;
/// Most pieces of a component that are shuffled.
pub(crate) const MAX_SHUFFLED: i32 = 10_000;
/// Most pieces of a site, if pieces are counted.
pub(crate) const MAX_COUNT: i32 = u16::MAX as i32;
/// Number of moves after which every game is a draw.
pub(crate) const MOVE_LIMIT: u32 = 10_000;
/// Number of turns of a player after which every game is a draw.
pub(crate) const TURN_LIMIT: u32 = 1250;
/// Most games of one match, which is a draw then. A game without moves is over without a ply, so no
/// other limit would end a match of such games.
pub(crate) const MAX_MATCH_GAMES: u32 = 1_000;
