"""Random calls with random arguments: an answer or an exception, never the end of the interpreter."""

import random

import numpy as np
import pytest

import ggpbench

#: What programs get wrong.
ODD = [
    None, True, -1, 0, 1, 2, 7, 2**31, 2**63, 2**64, -(2**63), 0.5, float("nan"), "", "a1", "pass",
    "\0", "\ud800", b"a1", [], {}, object(), np.int8(-1), np.uint64(2**63), np.float32(1),
    np.zeros(0), np.zeros(4, np.int32), np.full(4, 2**40), np.zeros((4, 4)), np.array("x"),
]  # fmt: skip


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


@pytest.mark.parametrize("name", ["tic-tac-toe-3x3", "reversi-8x8", "kuhn-poker", "chess"])
def test_odd_arguments(name):
    draw = random.Random(name)
    game = ggpbench.load(name)
    position = game.open(1)
    things = [game, position, game.rollouts(10), game.batch(4)]
    if not (game.hidden or game.chance):
        things.append(position.search())
    answers = refusals = 0
    for _ in range(4000):
        thing = draw.choice(things)
        member = draw.choice(public(thing))
        arguments = [draw.choice(ODD) for _ in range(draw.choice([0, 1, 1, 1, 2, 3]))]
        # What would take memory or time by design.
        if member in ("rollouts", "batch", "simulate") and arguments:
            arguments[0] = draw.choice([0, 1, 3, -1, 2**64, 0.5, "x", None])
        try:
            value = getattr(thing, member)
            if callable(value):
                value(*arguments)
            answers += 1
        # Nothing else may come.
        except (ValueError, TypeError):
            refusals += 1
        if position.is_over or draw.random() < 0.1:
            position = game.open(draw.randrange(9))
            things[1] = position
        elif draw.random() < 0.5 and position.legal():
            position.apply(draw.randrange(len(position.legal())))
    assert answers > 500 and refusals > 500


def test_odd_rules():
    draw = random.Random(1)
    words = ["(", ")", "{", "}", "game", "players", "role", "init", "<=", "next", "x", "?x", "1", '"', "#", ";",
             "board", "(board (square 3))", "(role a)", "(init (p 1))", "#players = a(100)", "->", "\0", "é", "\n"]  # fmt: skip
    for _ in range(600):
        text = " ".join(draw.choices(words, k=draw.randrange(40)))
        with pytest.raises(ValueError):
            ggpbench.loads(text, draw.choice(["lud", "kif", "rbg"]), cap=10)


def test_odd_loads():
    for target in ODD + ["/", "..", "/dev", "x.lud", "a" * 10_000]:
        with pytest.raises((ValueError, TypeError, OSError)):
            ggpbench.load(target)
    for key, value in [("engine", 3), ("options", "abc"), ("options", [1]), ("size", -1), ("cap", -1), ("x", 1)]:
        with pytest.raises((ValueError, TypeError)):
            ggpbench.load("tic-tac-toe-3x3", **{key: value})


def test_odd_words_for_load():
    """Every option with every odd value: a game, or an error of a kind that is documented."""
    draw = random.Random(2)
    keys = ["engine", "options", "size", "position", "cap", "memory"]
    for target in ("tic-tac-toe-3x3", "hex", "nowhere.kif", ODD[-1]):
        for _ in range(300):
            chosen = draw.sample(keys, draw.randrange(1, 4))
            try:
                ggpbench.load(target, **{key: draw.choice(ODD) for key in chosen})
            except (ValueError, TypeError, OSError):
                continue
    for function in (ggpbench.verify, ggpbench.measure, ggpbench.loads):
        for _ in range(100):
            with pytest.raises((ValueError, TypeError, OSError)):
                function(draw.choice(ODD), draw.choice(ODD))
