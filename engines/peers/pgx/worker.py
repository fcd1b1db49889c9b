#!/usr/bin/env python3
"""Pgx as a worker: its environments side by side, a whole job in one compiled loop."""

import protocol
from protocol import Worker, squares

VERSION = "2.6.0"

try:
    import pgx
    from lanes import LaneGame, Refused, Rules, jax, jnp, np, sign_scores
except Exception as error:  # whatever hinders an import is the reason
    pgx, Rules, LaneGame = None, object, object
    BROKEN = protocol.broken_import("pgx", error)
else:
    BROKEN = protocol.wrong_version("pgx", protocol.version_of("pgx"), VERSION)


class Environment(Rules):
    """A deterministic environment. Pgx draws which player begins; here it is whoever begins in `start`."""

    def __init__(self, environment, lanes, refill=False, passing=None, without=None, labels=None):
        self.environment, self.lanes, self.refill, self.passing = environment, lanes, refill, passing
        self.without, self.labels = without, labels
        self.players = environment.num_players
        self.begin = environment.init(jax.random.PRNGKey(0))
        first = int(self.begin.current_player)
        self.order = [(first + seat) % self.players for seat in range(self.players)]

    def start(self, key):
        return self.begin

    def step(self, state, action):
        # Nobody looks at the observation, and so it is not computed.
        return self.environment.step(state, action).replace(observation=state.observation)

    def mask(self, state):
        mask = state.legal_action_mask
        return mask if self.without is None else mask.at[self.without].set(False)

    def over(self, state):
        return state.terminated | state.truncated

    def turn(self, state):
        return (state.current_player - self.order[0]) % self.players

    def scores(self, state):
        return sign_scores(state.rewards[jnp.array(self.order)])

    def label(self, state, action):
        return self.labels(state, action) if self.labels else str(action)


def cells(rows, columns):
    names = squares(rows, columns)
    return lambda _, action: names[action]


def from_the_top(_, action):
    """Othello's board is written with the first rank at the top."""
    return "abcdefgh"[action % 8] + str(action // 8 + 1)


def dropped(state, column):
    """The cell on which a stone comes to rest."""
    stones = state._x.board.reshape(6, 7)[:, column]
    return "abcdefg"[column] + str(int((stones >= 0).sum()) + 1)


class Go(Environment):
    """Whoever brings back a position loses in Pgx; here the game is a draw then."""

    def scores(self, state):
        return jnp.where(state._x.is_psk, 50, super().scores(state))


def points(size):
    """Points row by row, and the last action is a pass."""
    names = [*squares(size, size), "pass"]
    return lambda _, action: names[action]


def hexagon(size):
    """Here the first player joins top and bottom, in the catalogue the first file and the last."""
    return lambda _, action: "abcdefghijklm"[action // size] + str(size - action % size)


class Poker(Rules):
    """Two players, cards dealt at the start. Pgx draws who begins, which is part of the state here."""

    lanes = 4096
    chance = True

    def __init__(self, environment):
        self.environment = environment

    def start(self, key):
        state = self.environment.init(key)
        return state.current_player, state

    def step(self, state, action):
        first, state = state
        return first, self.environment.step(state, action).replace(observation=state.observation)

    def mask(self, state):
        return state[1].legal_action_mask

    def over(self, state):
        return state[1].terminated

    def turn(self, state):
        return (state[1].current_player - state[0]) % 2

    def scores(self, state):
        first, rewards = state[0], state[1].rewards
        return jnp.stack([rewards[first], rewards[1 - first]]).astype(jnp.int32)


RANKS = ("jack", "queen", "king")


class PokerGame(LaneGame):
    """What chance deals is known to Pgx from the start; the tree needs it when it is seen."""

    # The trees are small, and chance is in them.
    fingerprint = prints = perft = None

    def __init__(self, rules, actions, deals):
        super().__init__(rules)
        self.names, self.deals = actions, deals

    def dealt(self, position, cards):
        """The position with other cards."""
        first, state = position[0]
        return ((first, state.replace(_cards=np.array([cards], np.int32))), *position[1:])

    def starts(self):
        state = jax.tree.map(np.asarray, self.begin(np.zeros((1, 2), np.uint32)))
        begin = (state, jax.tree.map(np.asarray, self.look(state)))
        first = int(state[0][0])
        starts = []
        for p, cards in self.deals:
            seats = cards if first == 0 else (cards[1], cards[0], *cards[2:])
            seen = [[RANKS[cards[0]]], [RANKS[cards[1]]]]
            starts.append((p, (*self.dealt(begin, seats), seen)))
        return starts

    def percepts(self, position):
        return position[2]

    def label(self, position, action):
        return self.names(position[0][1], action)

    def outcomes(self, position, action):
        said = self.label(position, action)
        states, view = self.after(position[0], np.zeros(1, int), np.array([action]))
        before, after = position[0][1], states[1]
        opens = "_round" in vars(after) and after._round[0] > before._round[0] and not view[2][0]
        if not opens:
            return [(1.0, (states, view, [[said]] * 2))]
        # The open card is one of the four that nobody has.
        hands = [int(card) for card in after._cards[0][:2]]
        left = [rank for rank in (0, 0, 1, 1, 2, 2)]
        for card in hands:
            left.remove(card)
        return [
            (0.25, (*self.dealt((states, view), (*hands, card)), [[said, "open " + RANKS[card]]] * 2))
            for card in left
        ]


def kuhn_action(state, action):
    """0 puts something in; the last action is the same number, -1 at the start."""
    return (("bet", "check"), ("call", "fold"))[int(state._last_action[0]) == 0][action]


def kuhn():
    deals = [(1 / 6, (a, b)) for a in range(3) for b in range(3) if a != b]
    return PokerGame(Poker(pgx.make("kuhn_poker")), kuhn_action, deals)


def leduc():
    cards = (0, 0, 1, 1, 2, 2)
    deals = [
        (1 / 30, (cards[a], cards[b], cards[a])) for a in range(6) for b in range(6) if a != b
    ]
    names = ("call", "raise", "fold")
    return PokerGame(Poker(pgx.make("leduc_holdem")), lambda _, action: names[action], deals)


def hex_11x11():
    # The last action swaps; the family's game has no swap. Pgx 2.6.0 fails to start at other sizes.
    return LaneGame(Environment(pgx.make("hex"), 1024, without=121, labels=hexagon(11)))


GAMES = {
    "tic-tac-toe-3x3": lambda: LaneGame(
        Environment(pgx.make("tic_tac_toe"), 4096, labels=cells(3, 3))
    ),
    "connect-4-6x7": lambda: LaneGame(
        Environment(pgx.make("connect_four"), 1024, refill=True, labels=dropped)
    ),
    "hex-11x11": hex_11x11,
    "reversi-8x8": lambda: LaneGame(
        Environment(pgx.make("othello"), 1024, passing=64, labels=from_the_top)
    ),
    "kuhn-poker": kuhn,
    "leduc-poker": leduc,
    "chess": lambda: LaneGame(
        Environment(pgx.make("chess"), 64, refill=True),
        variant="positions that repeat are a draw, too, and games end after a limit of plies",
    ),
}


def load(game):
    if game not in GAMES:
        raise Refused("unsupported", f"Pgx {VERSION} has no {game}, or not by its rules")
    return GAMES[game]()


if __name__ == "__main__":
    protocol.serve(Worker("pgx", VERSION, "MurmurHash3 of seed, id, ply and action", load, BROKEN))
