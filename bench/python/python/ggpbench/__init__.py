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
looks like Pgx and needs nothing.
"""

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

#: Values of ``Batch.progress``: somebody is to choose; over by the rules; given up at the ply cap; the
#: rules leave it undefined; given up where an action is legal that has no code.
GOING, OVER, CAPPED, STUCK, UNCODED = range(5)
