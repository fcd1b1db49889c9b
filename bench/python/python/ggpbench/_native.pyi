"""The native part of ggpbench."""

import os
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Game", "Position", "Batch", "Rollouts", "load", "loads", "games", "engines", "verify", "measure",
    "Search", "RulesError", "UnsupportedError", "__version__",
]  # fmt: skip
__version__: str

class RulesError(ValueError):
    """Rules with faults. The text says what, where (``file:line:column``, with the line) and what to do."""

    problems: list[dict[str, Any]]
    """A dictionary for each fault, errors first, at most 100: ``file``, ``line`` and ``column`` (from 1),
    ``severity``, ``code``, ``message``, ``help`` (a list of sentences)."""

class UnsupportedError(ValueError):
    """Rules, or a request, that the engine does not support, or that are too large for its limits."""

    problems: list[dict[str, Any]]
    """As in :class:`RulesError`."""

def games() -> list[str]:
    """The ids of all games of the catalogue."""

def engines() -> list[str]:
    """The names of all engines."""

def load(
    target: str | os.PathLike[str],
    *,
    engine: str | None = None,
    options: list[str] = ...,
    size: int | None = None,
    position: str | None = None,
    cap: int | None = None,
    memory: int | None = None,
) -> Game:
    """Loads a game.

    Args:
        target: a game of the catalogue by its id (``"breakthrough-8x8"``), a family of games by its id
            together with ``size`` (``"hex"``), or the path of a rule file: ``.lud``, ``.kif`` (or
            ``.gdl``), ``.rbg``.
        engine: one of :func:`engines`; else the first that plays it: hand-coded where there is such a
            module. Batches and adapters are on the first engine that writes the game in numbers if none
            is named, see :meth:`Game.coded`.
        options: options of the rules, such as ``["Board Size/8x8"]``.
        size: size of a game of a family.
        position: where it begins: the labels of the plies that lead there (``"d1 d2"``), or in the
            notation that the game names (FEN for chess).
        cap: plies after which a playout is given up; else what the catalogue says, or 2,000.
        memory: bytes that compiling may take, about; 4 GiB if not given.

    Raises:
        RulesError: the rules have faults.
        UnsupportedError: no engine reads them in every part, or a limit was reached.
        ValueError: there is no such game, engine, option or size.
        OSError: the file cannot be read.
        KeyboardInterrupt: Ctrl-C was pressed.
    """

def loads(
    text: str,
    language: str,
    *,
    name: str = "rules",
    engine: str | None = None,
    options: list[str] = ...,
    position: str | None = None,
    cap: int | None = None,
    memory: int | None = None,
) -> Game:
    """Loads rules that are a text: ``language`` is ``lud``, ``kif`` or ``rbg``, and ``name`` is what
    messages call it. All else is as in :func:`load`."""

def verify(
    target: str | os.PathLike[str],
    *,
    engines: list[str] = ...,
    options: list[str] = ...,
    size: int | None = None,
    seconds: float = 0.5,
    seed: int = 1,
) -> list[dict[str, Any]]:
    """Verifies the engines of a game against its records and against each other.

    Args:
        engines: those that take part; all that read the game if empty.
        seconds: time for each kind of evidence and each pair of engines, roughly.

    Returns:
        A dictionary for each engine, which ``pandas.DataFrame`` takes as it is: ``game``, ``engine``,
        ``language``, ``verdict`` (``ok``, ``unchecked``, ``WRONG``, ``disputed``, or why there is no
        answer), ``reason``, ``perft`` (leaf counts at depth 1, 2, ...), ``playouts``, ``mean_plies``,
        ``depth`` (plies to which the whole tree was compared).

    The engines run in this process. On Ctrl-C the call ends at once, and a thread goes on until the part of
    the proof that it is at is done.
    """

def measure(
    target: str | os.PathLike[str],
    *,
    engines: list[str] = ...,
    options: list[str] = ...,
    size: int | None = None,
    seconds: float = 0.5,
    samples: int = 10,
    seed: int = 1,
) -> list[dict[str, Any]]:
    """Verifies the engines of a game, then measures their random playouts, sample by sample in turn.

    Args:
        seconds: time of all samples of each engine, and of each kind of evidence, roughly.
        samples: samples of each engine.

    Returns:
        A dictionary for each sample, which ``pandas.DataFrame`` takes as it is: ``game``, ``engine``,
        ``via`` (``fast``, ``batch``), ``verdict``, ``reason``, ``round``, ``playouts``, ``plies``,
        ``capped``, ``cpu_ns`` (of this process), ``wall_ns``, ``playouts_per_cpu_second``,
        ``warnings``. An engine without figures has one row, without playouts, with the reason.

    All samples come from one process; figures to publish need several, as ``ggpbench run`` takes them.
    """

@final
class Game:
    """A game on an engine. It never changes, may be used by several threads, and can be pickled."""

    @property
    def id(self) -> str:
        """Id in the catalogue, or name of the file without extension."""
    @property
    def title(self) -> str:
        """Name for people."""
    @property
    def engine(self) -> str:
        """Name of the engine."""
    @property
    def language(self) -> str:
        """``lud``, ``kif``, ``rbg`` or ``bitboard`` (hand-coded)."""
    @property
    def players(self) -> int:
        """Number of players, chance not counted."""
    @property
    def cap(self) -> int:
        """Plies after which a playout is given up."""
    @property
    def hidden(self) -> bool:
        """True if players do not see everything."""
    @property
    def chance(self) -> bool:
        """True if chance has a say."""
    @property
    def simultaneous(self) -> bool:
        """True if players may choose at the same time; here they choose in turn, and the last choice
        takes effect for all."""
    @property
    def method(self) -> str:
        """How :meth:`rollouts` gets from one position to the next: ``listed`` (all legal actions are listed,
        and one is drawn), ``counted`` (drawn by number), ``sampled`` (drawn by rejection) or ``tabled``
        (results are carried over from one playout to the next: such rates are to be compared with no
        other)."""
    @property
    def state_bytes(self) -> int:
        """Bytes of one position in the engine."""
    @property
    def warnings(self) -> list[dict[str, Any]]:
        """The doubtful points of the rules, as in :attr:`RulesError.problems`."""
    @property
    def build(self) -> dict[str, int]:
        """Sizes of what the engine made of the rules, by name."""
    @property
    def actions(self) -> list[str] | None:
        """The labels of all actions that there can be; an action's *code* is its place here. ``None``
        where the engine does not write this game in numbers; :meth:`coded` is the game on one that does."""
    @property
    def num_actions(self) -> int | None:
        """Length of :attr:`actions`."""
    @property
    def sites(self) -> list[str] | None:
        """The names of all sites, in the order of planes: squares rank by rank from ``a1``; in GDL all
        propositions; in games of hidden information all that players can perceive (``"bet"``), and what
        they can do themselves (``"did bet"``)."""
    @property
    def kinds(self) -> list[str] | None:
        """The kinds of content that can lie on a site, in the order of planes. In games of hidden
        information ``"now"``: the own last action and what was perceived since; and ``"before"``:
        what was done and perceived earlier."""
    @property
    def owners(self) -> list[int | None] | None:
        """The player whose men each of :attr:`kinds` is, from 0; ``None`` for kinds that are nobody's, such
        as walls and empty squares. Empty where kinds are no men: in GDL, whose only kind says that the
        proposition of a site is true, and in games of hidden information."""
    @property
    def grid(self) -> tuple[int, int] | None:
        """``(height, width)`` of the grid on which the sites lie, see :attr:`cells`; ``None`` where they
        lie on none, as propositions and percepts."""
    @property
    def cells(self) -> list[int | None] | None:
        """The cell of each site in the grid, ``rank * width + file`` from ``a1``; ``None`` for sites beside
        it, such as hands. ``None`` without a grid."""
    @property
    def can_turn(self) -> bool:
        """True if a board can be turned so that the second player sees it as the first does: if the sides
        are equal, and the engine knows it."""
    def coded(self) -> Game:
        """The game on an engine that writes it in numbers: itself if its engine does, else, if no engine
        was named when it was loaded, on the first that does. :class:`UnsupportedError` names that engine
        where another was named, and says where there is none."""
    def open(self, seed: int = 0) -> Position:
        """The initial position. The seed is for what chance does there and later."""
    def rollouts(self, n: int, seed: int = 0, threads: int = 1, first: int = 0) -> Rollouts:
        """Plays ``n`` random playouts, every choice uniform over the legal actions.

        The interpreter's lock is released, and Ctrl-C works. Playout ``i`` depends on ``seed`` and
        ``first + i`` alone, not on ``threads``.
        """
    def batch(
        self,
        n: int,
        seed: int = 0,
        threads: int = 1,
        auto_reset: bool = False,
        turned: bool = False,
        positions: list[str] | None = None,
    ) -> Batch:
        """``n`` positions of :meth:`coded` that go on together.

        Args:
            n: the number of positions.
            seed: what chance does, and what is drawn, depends on it.
            threads: how many share the work; they change no result.
            auto_reset: positions that end are begun anew in the same step.
            turned: the board is turned for the second player, and the kinds of men are exchanged, so that
                who chooses always sees his side as the first player does; actions are those of the turned
                board. :class:`UnsupportedError` unless :attr:`can_turn`.
            positions: ``n`` texts: where each position begins and is begun anew, as ``position`` of
                :func:`load`; ``""`` is the start. Plies go on from the game's own position.
        """
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: Any, /) -> Game: ...

@final
class Position:
    """A position of a game. Forced passes are played by themselves and are no plies."""

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def turn(self) -> int | None:
        """The player who chooses, from 0; ``None`` when the game is over."""
    @property
    def is_over(self) -> bool:
        """True if the game is over."""
    @property
    def plies(self) -> int:
        """Plies since the start."""
    @property
    def history(self) -> list[str]:
        """The labels of the actions that led here."""
    def legal(self) -> list[str]:
        """The labels of all legal actions (``a1``, ``a2a3``, ``pass``). Their numbers are their places
        here."""
    def codes(self, turned: bool = False) -> list[int]:
        """The codes of all legal actions, in the order of :meth:`legal`: places in
        :attr:`Game.actions`, the same in every position. Empty where an action is legal that has
        no code, which happens on ``ludeme`` and ``rbg`` only. With ``turned`` those of the board as whoever
        chooses sees it, see :meth:`Game.batch`."""
    def mask(self, turned: bool = False) -> NDArray[np.bool_]:
        """Shape ``(num_actions,)``: which actions are legal, by code. ``turned`` as in :meth:`codes`."""
    def planes(self, player: int | None = None, turned: bool = False) -> NDArray[np.uint8]:
        """Shape ``(kinds, sites)``: 1 where one of the kind lies, else 0. In games of hidden information
        what ``player`` sees, or if none is given, who chooses; in others the same for all. With ``turned``
        as whoever chooses sees the board, see :meth:`Game.batch`."""
    def boards(self, player: int | None = None, turned: bool = False) -> NDArray[np.uint8]:
        """Shape ``(kinds, height, width)``: :meth:`planes` on the grid of :attr:`Game.grid`, the first rank
        first. :class:`UnsupportedError` where there is none."""
    def apply(self, action: str | int) -> None:
        """Plays an action: its label, or its number in :meth:`legal`. ``ValueError`` if it is not
        legal, with what was expected."""
    def apply_code(self, code: int, turned: bool = False) -> None:
        """Plays an action by its code. ``turned`` as in :meth:`codes`."""
    def undo(self) -> None:
        """Takes the last action back; ``ValueError`` at the start."""
    def clone(self) -> Position:
        """An independent copy; ``copy.copy`` and ``copy.deepcopy`` give the same."""
    def scores(self) -> list[int] | None:
        """The scores of all players when the game is over: 100 for a win, 50 for a draw, 0 for a loss,
        or what the rules say."""
    def returns(self) -> list[float]:
        """``score / 50 - 1`` of each player: 1, 0, -1. All 0 while the game goes on."""
    def percepts(self, player: int | None = None) -> Any:
        """The percepts of a player in the last ply, in games of hidden information: a list of texts;
        of all players as a dictionary by player, if none is given."""
    def draw(self) -> str:
        """The position drawn in text, in several lines; ``str(position)`` gives the same."""
    def svg(self, viewer: int | None = None) -> str:
        """The position as a picture in SVG, as ``viewer`` sees it, or if none is given, as somebody does who
        sees what any player sees. Jupyter shows it for a position by itself."""
    def _repr_svg_(self) -> str: ...
    def pixels(self, width: int = 400, viewer: int | None = None) -> NDArray[np.uint8]:
        """Shape ``(height, width, 3)``: the same picture in pixels: red, green and blue, from the top."""
    def rollouts(self, n: int, seed: int = 0, first: int = 0) -> Rollouts:
        """Plays random playouts from here, as :meth:`Game.rollouts`; their plies count from here."""
    def search(
        self, seed: int = 0, exploration: float = 0.7, leaves: int = 1, megabytes: int = 256
    ) -> Search:
        """A search tree with this position at its root, which UCT grows over the engine's own states:
        ``exploration`` weighs UCB1, ``leaves`` playouts are made from each leaf, and the tree takes at most
        so many ``megabytes``. :class:`UnsupportedError` in games of chance or hidden information."""
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: Any, /) -> Position: ...

@final
class Search:
    """A search tree that UCT grows, see :meth:`Position.search`. It stays as it is when the position goes
    on; :meth:`advance` follows."""

    @property
    def visits(self) -> NDArray[np.uint64]:
        """How many playouts began with each legal action, in the order of :meth:`Position.legal`."""
    @property
    def means(self) -> NDArray[np.float64]:
        """The mean payoffs of these to the player who chooses; nan if there are none."""
    @property
    def nodes(self) -> int:
        """How many positions the tree has."""
    def simulate(self, n: int) -> None:
        """Makes ``n`` simulations more. The interpreter's lock is released, and Ctrl-C works. What they do
        depends on the seed and their number alone."""
    def advance(self, action: int) -> bool:
        """Makes the position after an action, by its number, the root. What was found below it is kept;
        true if anything was."""

@final
class Batch:
    """Positions of one game that go on together.

    Its arrays are made once and written by :meth:`reset` and :meth:`step`: copy what you want to keep, and
    do not write into them. JAX and PyTorch take them without a copy (``from_dlpack``), and then see what
    each step writes. A batch can be copied (:meth:`copy`) and pickled; where it is unpickled the game is
    loaded again, and positions that are not looked up play again the actions since they were begun.
    """

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def method(self) -> str:
        """How a step gets from one ply to the next: ``tabled`` where all positions of the game were found
        when its first batch was made, and are looked up, else ``listed`` or ``counted``."""
    @property
    def auto_reset(self) -> bool:
        """True if a position that ends is begun anew in the same step."""
    @property
    def turned(self) -> bool:
        """True if boards are turned to whoever chooses."""
    @property
    def mask(self) -> NDArray[np.bool_]:
        """Shape ``(n, num_actions)``, read-only: which actions are legal, by code."""
    @property
    def planes(self) -> NDArray[np.uint8]:
        """Shape ``(n, kinds, sites)``, read-only: 1 where one of the kind lies, else 0. In games of hidden
        information what whoever chooses sees, and nothing where nobody does."""
    @property
    def boards(self) -> NDArray[np.uint8]:
        """Shape ``(n, kinds, height, width)``, read-only: :attr:`planes` on the grid of :attr:`Game.grid`,
        the first rank first, 0 in cells without a site. :class:`UnsupportedError` where there is no grid.
        Where sites are the cells of the grid in their order it is the same memory, else a new array."""
    @property
    def turns(self) -> NDArray[np.int8]:
        """Shape ``(n,)``: the player who chooses, or -1."""
    @property
    def scores(self) -> NDArray[np.int32]:
        """Shape ``(n, players)``: the scores where the last step ended the game, else 0."""
    @property
    def progress(self) -> NDArray[np.uint8]:
        """Shape ``(n,)``: ``GOING`` (0), ``OVER`` (1), ``CAPPED`` (2), ``STUCK`` (3) or ``UNCODED`` (4)
        after the last step."""
    def reset(self) -> None:
        """Begins all positions anew."""
    def step(self, actions: NDArray[np.int32] | NDArray[np.int64]) -> None:
        """Plays one action, by code, in every position that goes on; in the others nothing happens.

        Args:
            actions: shape ``(n,)``, dtype int32 or int64.

        Raises:
            ValueError: another shape or dtype, or an action that is not legal; then nothing is played.

        With ``auto_reset``, ``scores`` and ``progress`` of a position that ended are those of its end,
        while ``mask``, ``planes`` and ``turns`` are those of the new start.
        """
    def random_actions(self) -> NDArray[np.int32]:
        """Shape ``(n,)``: a legal action for each position, drawn uniformly; -1 where it does not go on.
        The next call writes into the same array."""
    def rollouts(
        self, n: int, seed: int = 0, cap: int | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.uint32], NDArray[np.uint8]]:
        """Plays ``n`` random playouts from each position, which stays, as :meth:`Position.rollouts`:
        ``(scores, plies, progress)``, new arrays with a row for each position.

        Args:
            n: playouts from each position.
            seed: playout ``j`` of position ``i`` depends on it and on ``i * n + j`` alone.
            cap: plies, from the position on, after which a playout is given up; else the game's.

        Returns:
            scores: shape ``(len(batch), n, players)``, int32: of those that ended by the rules, else 0.
            plies: shape ``(len(batch), n)``, uint32: counted from the position.
            progress: shape ``(len(batch), n)``, uint8: ``OVER``, ``CAPPED`` or ``STUCK``.

        Where a position does not go on, no playout has a ply, and all end as it did. The interpreter's
        lock is released, the batch's threads are used, and Ctrl-C works.
        """
    def copy(self) -> Batch:
        """A batch that goes on as this one would, with arrays of its own; ``copy.copy`` and
        ``copy.deepcopy`` give the same."""
    def __copy__(self) -> Batch: ...
    def __deepcopy__(self, memo: Any, /) -> Batch: ...
    def __len__(self) -> int: ...

@final
class Rollouts:
    """The results of random playouts."""

    @property
    def playouts(self) -> int:
        """How many there were."""
    @property
    def plies(self) -> int:
        """Plies in all of them."""
    @property
    def mean_plies(self) -> float:
        """Plies of a playout."""
    @property
    def capped(self) -> int:
        """Playouts that the ply cap ended."""
    @property
    def stuck(self) -> int:
        """Playouts that ended where the rules leave the position undefined."""
    @property
    def outcomes(self) -> dict[tuple[int, ...], int]:
        """How many playouts ended with which scores of the players."""
    @property
    def mean_scores(self) -> list[float]:
        """Mean score of each player over the playouts that ended by the rules; nan if none did."""
    @property
    def digest(self) -> int:
        """64 bits that tell playouts apart: equal for equal ids, lengths and scores."""
    def __len__(self) -> int: ...
