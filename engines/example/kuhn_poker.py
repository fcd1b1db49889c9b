#!/usr/bin/env python3
"""A worked example with chance and hidden information: Kuhn poker as an engine of the harness.

A position is (cards of both players or nothing before the deal, what was done so far).
"""

import itertools
import sys
from pathlib import Path

# Where the package is not installed, its source in a checkout serves.
sys.path += [str(folder / "bench/python/python") for folder in Path(__file__).resolve().parents]
from ggpbench import worker

GAME = "kuhn-poker"
CARDS = ["jack", "queen", "king"]
RAISED = [("bet",), ("check", "bet")]


class KuhnPoker(worker.Game):
    chance = True

    def initial(self):
        return ((), ())

    def outcomes(self, position):
        cards, _ = position
        if cards:
            return ()
        return [(1 / 6, (deal, ())) for deal in itertools.permutations(range(3), 2)]

    def turn(self, position):
        return len(position[1]) % 2

    def scores(self, position):
        cards, done = position
        if done[-1:] == ("fold",):
            # The other has the turn now.
            return [1, -1] if self.turn(position) == 0 else [-1, 1]
        if done[-1:] != ("call",) and done != ("check", "check"):
            return None
        stake = 2 if done[-1] == "call" else 1
        return [stake, -stake] if cards[0] > cards[1] else [-stake, stake]

    def legal(self, position):
        return ["fold", "call"] if position[1] in RAISED else ["check", "bet"]

    def play(self, position, action):
        return (position[0], (*position[1], action))

    def percepts(self, position):
        cards, done = position
        return [done[-1:]] * 2 if done else [[CARDS[card]] for card in cards]


def load(language, text, options):
    if text.strip() != GAME:
        raise worker.Refused("unsupported", f"this example plays {GAME} only")
    return KuhnPoker()


if __name__ == "__main__":
    worker.run_engine(load, name="python-poker")
