"""Functions that make pickled games and positions again."""

from ggpbench._native import Game, Position, load, loads


def game(target, engine, options, size, cap, memory, text) -> Game:
    """Loads a game as it was loaded before."""
    if text is None:
        return load(target, engine=engine, options=options, size=size, cap=cap, memory=memory)
    language, rules = text
    return loads(
        rules, language, name=target, engine=engine, options=options, cap=cap, memory=memory
    )


def position(game: Game, seed: int, history: list[str]) -> Position:
    """Plays the same actions again. Chance does the same as before, if nothing was undone."""
    again = game.open(seed)
    for label in history:
        again.apply(label)
    return again
