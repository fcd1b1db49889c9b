#!/usr/bin/env python3
"""Ludax as a worker: the descriptions that it brings, side by side, a whole job in one compiled loop.

Where the catalogue's game is another size, or ends otherwise, words of the description are exchanged,
which is what a user of the language would do. `GAMES` says all of it.
"""

import protocol
from protocol import Worker, squares

VERSION = "1.0.0"

try:
    import ludax
    import ludax.games
    from lanes import LaneGame, Refused, Rules, jax, jnp, sign_scores
except Exception as error:  # whatever hinders an import is the reason
    ludax, Rules = None, object
    BROKEN = protocol.broken_import("ludax", error)
else:
    BROKEN = protocol.wrong_version("ludax", protocol.version_of("ludax"), VERSION)


class Environment(Rules):
    """A description, compiled by Ludax."""

    def __init__(self, text, lanes, refill, passing, labels):
        self.environment = ludax.LudaxEnvironment(game_str=text)
        self.begin = self.environment.init(jax.random.PRNGKey(0))
        self.lanes, self.refill, self.passing, self.labels = lanes, refill, passing, labels

    def start(self, key):
        return self.begin

    def step(self, state, action):
        return self.environment.step(state, action)

    def mask(self, state):
        return state.legal_action_mask.astype(bool)

    def over(self, state):
        return (state.terminated | state.truncated).reshape(())

    def turn(self, state):
        return state.current_player.astype(jnp.int32).reshape(())

    def scores(self, state):
        return sign_scores(state.rewards)

    def label(self, state, action):
        return self.labels(action)


# ---- What the catalogue calls the actions. ----


def cells(rows, columns):
    names = squares(rows, columns)
    return lambda action: names[action]


def from_the_top(action):
    """The first rank at the top."""
    return "abcdefgh"[action % 8] + str(action // 8 + 1)


def hexagon(size):
    """Here the first player joins top and bottom, in the catalogue the first file and the last."""
    return lambda action: "abcdefghijklm"[action // size] + str(size - action % size)


def hexagonal(side):
    """Rows are ranks; the first files of those in the upper half are cut off, the last ones below."""
    names = [
        "abcdefghijklm"[file] + str(rank + 1)
        for rank in range(2 * side - 1)
        for file in range(2 * side - 1)
        if abs(file - rank) < side
    ]
    return lambda action: names[action]


def stepped(action):
    """From a cell in one of eight directions, which are numbered row by row from the upper left."""
    cell, direction = divmod(action, 8)
    rows, columns = divmod(direction + (direction > 3), 3)
    return cells(8, 8)(cell) + cells(8, 8)(cell + 8 * (rows - 1) + columns - 1)


# ---- The games. ----


def drawn_when_full(last):
    """After the last condition of a description's end: a full board is a draw."""
    return (last, last + " (if (full_board) (draw))")


class Entry:
    """A game of the catalogue: the description that Ludax brings, what actions are called, and pairs of
    words that are exchanged in it, each of which stands there once."""

    def __init__(self, name, labels, edits=(), lanes=1024, refill=False, passing=None, variant=""):
        self.name, self.labels, self.edits = name, labels, edits
        self.lanes, self.refill, self.passing, self.variant = lanes, refill, passing, variant

    def text(self):
        text = getattr(ludax.games, self.name)
        for old, new in self.edits:
            if text.count(old) != 1:
                raise Refused(
                    "unavailable",
                    f"the description of {self.name} that Ludax brings has {old!r} {text.count(old)} times",
                )
            text = text.replace(old, new)
        return text


GAMES = {
    "tic-tac-toe-3x3": Entry("tic_tac_toe", cells(3, 3), lanes=4096),
    "tic-tac-toe-5x5": Entry(
        "tic_tac_toe", cells(5, 5), [("(square 3)", "(square 5)"), ('"token" 3', '"token" 5')]
    ),
    "connect-4-6x7": Entry("connect_four", cells(6, 7), lanes=256, refill=True),
    "connect-4-12x9": Entry(
        "connect_four",
        cells(9, 12),
        [("(rectangle 6 7)", "(rectangle 9 12)")],
        lanes=128,
        refill=True,
    ),
    "hex-9x9": Entry("hex", hexagon(9), [("(hex_rectangle 11 11)", "(hex_rectangle 9 9)")], lanes=256),
    "hex-11x11": Entry("hex", hexagon(11), lanes=256),
    "gomoku-15x15": Entry("gomoku", cells(15, 15), [(" exact:true", "")], lanes=64, refill=True),
    "reversi-8x8": Entry("reversi", from_the_top, lanes=64, passing=64),
    "yavalath": Entry(
        "yavalath",
        hexagonal(5),
        [drawn_when_full('(if (line "token" 3) (mover lose))')],
        lanes=256,
        refill=True,
    ),
    "wolf-and-sheep-8x8": Entry("wolf_and_sheep", stepped, lanes=256),
    "connect-6-19x19": Entry(
        "connect_six",
        cells(19, 19),
        [drawn_when_full('(if (line "token" 6) (mover win))')],
        lanes=64,
        refill=True,
    ),
    "english-draughts": Entry("english_draughts", str, lanes=32, variant="no draws"),
}


def load(game):
    if game not in GAMES:
        raise Refused("unsupported", f"Ludax {VERSION} has no {game}, or not by its rules")
    entry = GAMES[game]
    rules = Environment(entry.text(), entry.lanes, entry.refill, entry.passing, entry.labels)
    return LaneGame(rules, entry.variant)


if __name__ == "__main__":
    protocol.serve(Worker("ludax", VERSION, "MurmurHash3 of seed, id, ply and action", load, BROKEN))
