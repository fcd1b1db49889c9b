//! What descriptions may ask for, in one table: beyond these they are refused, or what they ask for
//! stops. Hostile descriptions meet them; the largest public ones stay far below. Thresholds from
//! which another way of doing the same is quicker stand where that is decided.

// Reading.
/// Macro calls nested deeper than this are taken for an endless recursion.
pub(crate) const MAX_MACRO_NESTING: u32 = 100;
/// Rounds of local and library macros; each needs the other to go on, so that honest descriptions
/// take three or four.
pub(crate) const MAX_MACRO_ROUNDS: usize = 100;
/// The longest range of integers.
pub(crate) const MAX_RANGE: i64 = 1000;
/// Diagnostics that one file brings forth at most.
pub(crate) const MAX_DIAGNOSTICS: usize = 100;
/// Declared names among which a near miss is looked for at most.
pub(crate) const MAX_NEAR_NAMES: usize = 500;
/// Steps that one diagnostic tells of at most.
pub(crate) const MAX_NOTES: usize = 4;
/// Games that a match can be made of.
pub(crate) const MAX_GAMES_OF_MATCH: usize = 64;

// Boards and equipment.
/// Boards with more vertices than this are refused; the largest published ones have under 2000.
pub const MAX_VERTICES: usize = 10_240;
/// Faces with more corners than this are not found.
pub(crate) const MAX_CORNERS: usize = 32;
/// Sites of all containers beyond which a game is refused.
pub(crate) const MAX_SITES: usize = 10_240;
/// Most components of a game.
pub(crate) const MAX_COMPONENTS: usize = 4096;
/// Numbers of a state that keep the order in which pieces were placed; more are kept in lists.
pub(crate) const MAX_ORDERED: usize = 1 << 14;
/// Sizes beyond this are refused before any arithmetic on them; boards stop far below.
pub(crate) const MAX_DIM: i64 = 1_000_000;
/// Ways and places beyond which pieces of several cells are refused.
pub(crate) const MAX_TILE_PLACES: usize = 1 << 21;
/// Ways to lie beyond which the cells of a piece cannot be asked for.
pub(crate) const MAX_TILE_STATES: usize = 400;
/// Sides of a tile, and slots on a side, beyond which a tile is refused.
pub(crate) const MAX_TILE_SIDES: usize = 64;
/// Sites of a track that is written as a start and directions.
pub(crate) const MAX_TRACK: usize = 100_000;
/// Faces of all dice together.
pub(crate) const MAX_FACES: i32 = 1000;

// Rules.
/// Distinct generators and effects of a game beyond which it is refused.
pub(crate) const MAX_LEAVES: usize = 20_000;
/// Phases of a game beyond which it is refused.
pub(crate) const MAX_PHASES: usize = 200;
/// End rules beyond which none is made for every track.
pub(crate) const MAX_END_RULES: usize = 200;
/// Distinct directions that a ludeme may be lowered for, one inside another.
pub(crate) const MAX_NESTED_CHOICES: usize = 4;
/// Ways in which directions can be drawn by lot beyond which they are not.
pub(crate) const MAX_DIRECTIONS_BY_LOT: usize = 150;
/// Kinds of pieces, for each owner, beyond which nobody can take control of any.
pub(crate) const MAX_HEIRS: usize = 4096;
/// The greatest value that a variable can have.
pub(crate) const MAX_VALUE: i32 = 255;
/// Constraints that those on every element may be written out to.
pub(crate) const MAX_CONSTRAINTS: usize = 50_000;

// Play.
/// Moves that one position has at most; [`MoveId`](crate::moves::MoveId) numbers them in 16 bits.
/// More come from nothing but rules made to be many.
pub(crate) const MAX_MOVES: usize = 65_535;
/// Moves of one turn that `max Moves` looks ahead: longer turns are taken to be endless.
pub(crate) const MAX_MOVES_AHEAD: u32 = 40;
/// Positions that one `max Moves` looks at in all, those inside of it included. Turns of honest
/// games branch little.
pub(crate) const MAX_POSITIONS_AHEAD: u32 = 20_000;
/// Dice of which one can be used for a move.
pub(crate) const MAX_DICE: usize = 30;
/// Additions of one move beyond which it adds no more.
pub(crate) const MAX_ADDITIONS: i32 = 10_000;
/// Rounds of a `while` after which it stops.
pub(crate) const MAX_WHILE_ROUNDS: usize = 1_000;
/// Sites skipped in a row after which sowing gives up.
pub(crate) const MAX_SKIPPED: i32 = 10_000;
/// Seeds sown by one move at most.
pub(crate) const MAX_SOWN: i32 = 100_000;
/// Rounds of forced moves after which there are no more.
pub(crate) const MAX_FORCED_ROUNDS: usize = 100;
/// Actions of forced moves after which there are no more.
pub(crate) const MAX_FORCED_ACTS: usize = 10_000;
/// Tiles that paths are followed over for one extent, after which they end.
pub(crate) const MAX_TILES_OF_PATHS: usize = 200_000;
/// Pieces of a component beyond which no more are shuffled.
pub(crate) const MAX_SHUFFLED: i32 = 10_000;
/// Pieces that a site holds at most, where they are counted.
pub(crate) const MAX_COUNT: i32 = u16::MAX as i32;
/// Moves after which a game is a draw, whatever its rules say.
pub(crate) const MOVE_LIMIT: u32 = 10_000;
/// Turns of a player after which a game is a draw.
pub(crate) const TURN_LIMIT: u32 = 1250;
/// Games that are played in one match before it is called a draw: a game that nobody can move in is
/// over without a ply, so that nothing else would end a match of such games.
pub(crate) const MAX_MATCH_GAMES: u32 = 1_000;
