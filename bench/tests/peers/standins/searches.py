"""A stand-in for the module `searches` of the adapters: random playouts of the start in plain Python.

It takes the place of `mctx` in tests of the adapters, as `lanes` here takes that of JAX.
"""

from lanes import LaneGame
from protocol import Tally


class SearchGame(LaneGame):
    searches = "the stand-in's own searches"

    def prepare(self, simulations):
        self.prepared = simulations

    def search(self, seed, first, count, cap, via, simulations):
        assert simulations == self.prepared, "they are compiled before they are made"
        tally = Tally()
        for identity in range(first, first + count):
            played = self.play(seed, identity * simulations, simulations, cap, via)
            paid = sum(scores[0] * n for scores, n in played.outcomes.items())
            tally.add(identity, 0, (paid // simulations, 100 - paid // simulations))
        return tally


__all__ = ["SearchGame"]
