"""Games written in ludemes, GDL, RBG or by hand: play them, verify their engines, measure them.

>>> import ggpbench
>>> game = ggpbench.load("connect-4-6x7")
>>> position = game.open()
>>> position.apply("d1")
>>> position.turn, "d2" in position.legal()
(1, True)
>>> game.rollouts(1000, seed=1).playouts
1000

Adapters for other libraries are modules of their own, since they import those libraries:
``ggpbench.pettingzoo``, ``ggpbench.gymnasium``, ``ggpbench.openspiel``, and ``ggpbench.pgx``, which
looks like Pgx and needs nothing. ``ggpbench.worker`` makes engines and agents of the harness in
Python; it needs no native part either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ggpbench._native import (
        Batch,
        Game,
        Position,
        Rollouts,
        RulesError,
        Search,
        UnsupportedError,
        __version__,
        engines,
        games,
        load,
        loads,
        measure,
        verify,
    )

__all__ = [
    "GOING",
    "OVER",
    "CAPPED",
    "STUCK",
    "UNCODED",
    "Batch",
    "Game",
    "Position",
    "Rollouts",
    "RulesError",
    "Search",
    "UnsupportedError",
    "__version__",
    "engines",
    "games",
    "load",
    "loads",
    "measure",
    "verify",
]

#: Values of ``Batch.progress``: somebody is to choose; over by the rules; given up at the ply cap;
#: the rules leave it undefined; given up where an action is legal that has no code.
GOING, OVER, CAPPED, STUCK, UNCODED = range(5)


def __getattr__(name: str) -> Any:
    # The native part is loaded once somebody asks for it, so that `ggpbench.worker` starts at once,
    # and also where that part was not built.
    if name not in __all__:
        raise AttributeError(f"module 'ggpbench' has no attribute {name!r}")
    try:
        native = import_module("ggpbench._native")
    except ModuleNotFoundError as error:
        if error.name != "ggpbench._native":
            raise
        raise ImportError(
            f"ggpbench.{name} is in the native part of the package, which was not built here: "
            "`pip install ./bench/python` builds it"
        ) from None
    value = getattr(native, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
