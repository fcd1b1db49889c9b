"""Code that all adapters share."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ggpbench import _native


def coded(target: str | os.PathLike[str] | _native.Game, **load: Any) -> _native.Game:
    """The game on an engine that writes it in numbers."""
    if isinstance(target, _native.Game):
        if load:
            raise ValueError(
                f"the game is loaded already: {', '.join(load)} would mean nothing"
            )
        return target.coded()
    return _native.load(target, **load).coded()


def names(game: _native.Game) -> tuple[list[str], list[str], list[str]]:
    """The actions, kinds and sites of a game that is written in numbers."""
    if game.actions is None or game.kinds is None or game.sites is None:
        raise _native.UnsupportedError(f"{game.id} on {game.engine} has no numbers")
    return game.actions, game.kinds, game.sites


def check_mode(mode: str | None, known: list[str]) -> str | None:
    """A render mode that there is."""
    if mode is not None and mode not in known:
        raise ValueError(f"render_mode {mode!r}: expected None or one of {', '.join(known)}")
    return mode


#: How positions are rendered: as text, as SVG, or in pixels.
RENDER_MODES = ["ansi", "svg", "rgb_array"]


def render(position: _native.Position, mode: str | None) -> str | np.ndarray | None:
    """A position as a render mode has it."""
    if mode == "rgb_array":
        return position.pixels()
    return position.svg() if mode == "svg" else position.draw() if mode == "ansi" else None
