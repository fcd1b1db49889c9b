"""Code that all adapters share."""

from __future__ import annotations

import os

from ggpbench import _native


def coded(target: str | os.PathLike[str] | _native.Game, **load) -> _native.Game:
    """The game, which has to be written in numbers."""
    if isinstance(target, _native.Game):
        if load:
            raise ValueError(f"the game is loaded already: {', '.join(load)} would mean nothing")
        game = target
    else:
        game = _native.load(target, **load)
    names(game)
    return game


def names(game: _native.Game) -> tuple[list[str], list[str], list[str]]:
    """The actions, kinds and sites of a game that is written in numbers."""
    if game.actions is None or game.kinds is None or game.sites is None:
        raise _native.UnsupportedError(
            f"{game.id} on {game.engine} has no numbers for actions and squares: "
            f"choose another engine of {', '.join(_native.engines())}"
        )
    return game.actions, game.kinds, game.sites
