"""A stand-in for the module `lanes` of the adapters: one playout after another, in plain Python.

It takes the place of JAX in tests of the adapters: what they say about states is looked at, and no
array is compiled. `Array` is the little of arrays that the adapters ask for.
"""

import random

from protocol import Game, Refused, Tally, stream


class Array(list):
    def __getitem__(self, at):
        return Array(self[i] for i in at) if isinstance(at, list) else super().__getitem__(at)

    def __or__(self, other):
        return Array(a or b for a, b in zip(self, other))

    def astype(self, _):
        return self

    def reshape(self, shape):
        return self[0] if shape == () else self


class jax:
    class random:
        @staticmethod
        def PRNGKey(seed):
            return seed


class jnp:
    array = Array
    int32 = int

    @staticmethod
    def where(condition, yes, no):
        return Array([yes] * len(no)) if condition else no


np = None


class Rules:
    players = 2
    passing = None
    chance = False


def sign_scores(rewards):
    return [50 + 50 * ((value > 0) - (value < 0)) for value in rewards]


class LaneGame(Game):
    def __init__(self, rules, variant=""):
        self.rules, self.variant = rules, variant

    def settle(self, state):
        """What comes of a state once forced passes have been made."""
        passing = self.rules.passing
        while passing is not None and self.actions(state) == [passing]:
            state = self.rules.step(state, passing)
        return state

    def starts(self):
        return [(1.0, self.settle(self.rules.start(None)))]

    def turn(self, state):
        return None if self.rules.over(state) else self.rules.turn(state)

    def scores(self, state):
        return self.rules.scores(state)

    def actions(self, state):
        mask = self.rules.mask(state)
        return [] if self.rules.over(state) else [action for action, legal in enumerate(mask) if legal]

    def label(self, state, action):
        return self.rules.label(state, action)

    def outcomes(self, state, action):
        return [(1.0, self.settle(self.rules.step(state, action)))]

    def play(self, seed, first, count, cap, via):
        tally = Tally()
        for identity in range(first, first + count):
            draws, plies = random.Random(stream(seed, identity)), 0
            state = self.settle(self.rules.start(None))
            while plies < cap and not self.rules.over(state):
                state = self.settle(self.rules.step(state, draws.choice(self.actions(state))))
                plies += 1
            scores = tuple(self.rules.scores(state)) if self.rules.over(state) else None
            tally.add(identity, plies, scores)
        return tally


__all__ = ["Array", "LaneGame", "Refused", "Rules", "jax", "jnp", "np", "sign_scores"]
