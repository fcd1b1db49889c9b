"""Functions that make pickled games and positions again."""

from ggpbench._native import Batch, Game, Position, load, loads


def game(target, engine, options, size, position, cap, memory, text) -> Game:
    """Loads a game as it was loaded before."""
    how = {"engine": engine, "options": options, "position": position, "cap": cap, "memory": memory}
    if text is None:
        return load(target, size=size, **how)
    language, rules = text
    return loads(rules, language, name=target, **how)


def position(game: Game, seed: int, history: list[str]) -> Position:
    """Plays the same actions again. Chance does the same as before, if nothing was undone."""
    again = game.open(seed)
    for label in history:
        again.apply(label)
    return again


def batch(
    game: Game,
    n: int,
    seed: int,
    threads: int,
    auto_reset: bool,
    turned: bool,
    positions: list[str] | None = None,
) -> Batch:
    """A batch like the one that was pickled, whose positions are set afterwards."""
    return game.batch(n, seed, threads, auto_reset, turned, positions)
