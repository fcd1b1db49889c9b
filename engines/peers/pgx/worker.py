#!/usr/bin/env python3
"""Pgx as a worker: its environments side by side, a whole job in one compiled loop.

Searches are those of `mctx`, also side by side.
"""

import protocol
from protocol import OverBudget, Worker, squares

VERSION = "2.6.0"

try:
    import pgx
    from lanes import LaneGame, Refused, Rules, jax, jnp, np, sign_scores
    from searches import SearchGame
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
        # Nobody looks at observations, and a tree would keep one a node.
        self.begin = environment.init(jax.random.PRNGKey(0)).replace(observation=None)
        first = int(self.begin.current_player)
        self.order = [(first + seat) % self.players for seat in range(self.players)]

    def start(self, key):
        return self.begin

    def step(self, state, action):
        return self.environment.step(state, action).replace(observation=None)

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


class Backgammon(Rules):
    """Pgx draws who begins, and rolls with the key of a step: both are part of the state here. All six
    actions without a checker are the same pass."""

    lanes, refill = 16, True
    chance = True
    passing = 0

    def __init__(self, environment):
        self.environment = environment

    def start(self, key):
        state = self.environment.init(key)
        return state.current_player, key, state

    def step(self, state, action):
        first, key, state = state
        after = self.environment.step(state, action, key).replace(observation=state.observation)
        # What is rolled is a hash of the key.
        return first, key.at[1].add(1), after

    def mask(self, state):
        return state[2].legal_action_mask.at[1:6].set(False)

    def over(self, state):
        return state[2].terminated

    def turn(self, state):
        return (state[2].current_player - state[0]) % 2

    def scores(self, state):
        first, _, state = state
        rewards = state.rewards.astype(jnp.int32)
        # In Pgx a checker on the bar does not count as one that is still in the winner's home.
        more = (jnp.abs(rewards) == 2) & (state._board[25] != 0)
        rewards = rewards + jnp.where(more, jnp.sign(rewards), 0)
        return jnp.stack([rewards[first], rewards[1 - first]])

    def label(self, state, action):
        if action == self.passing:
            return "pass"
        mover, place = int(self.turn(state)), action // 6 - 1

        def name(place):
            return "abcdefghijklmnopqrstuvwxyz"[25 - place if mover else place] + "1"

        target = place + action % 6 + 1
        if target < 25:
            return name(place) + name(target)
        # Both dice may bear off.
        others = range(action - (target - 25), action)
        again = "#2" if any(state[2].legal_action_mask[other] for other in others) else ""
        return name(place) + f"hand{mover + 1}" + again


class BackgammonGame(LaneGame):
    """Keys that roll each pair of dice stand for what chance may do."""

    # Chance is in the tree.
    fingerprint = prints = perft = None

    #: Pairs of dice, which order makes no other.
    PAIRS = 21
    #: Of one action, forced passes and their rolls included.
    MOST_OUTCOMES = 20_000

    def __init__(self, rules):
        super().__init__(rules)
        # What trees need is compiled here, too: proofs give them less time than that takes.
        numbers = np.arange(12 * self.PAIRS, dtype=np.uint32)
        keys = np.stack([np.zeros_like(numbers), numbers], axis=1)
        states = jax.jit(self.begin)(keys)
        view, firsts = self.look(states), self.one_of_each(states)
        self.openings = [self.one(states, view, at) for at in firsts.values()]
        # The second die ends the first turn, and the next player rolls.
        begin = self.openings[0]
        states, view = self.wide(begin[0], self.actions(begin)[0])
        action = int(np.asarray(view[0])[0].argmax())
        rolled = {}
        for part in np.split(keys, 12):
            states_after, _ = self.wide(jax.tree.map(lambda a: a[:1], states), action, part)
            for pair, at in self.one_of_each(states_after).items():
                rolled.setdefault(pair, part[at])
        assert (len(self.openings), len(rolled)) == (15, self.PAIRS), "keys of all pairs of dice"
        self.rolls = np.array(list(rolled.values()))
        self.odds = [(1 if low == high else 2) / 36 for low, high in rolled]

    @staticmethod
    def one_of_each(states):
        """By pair of dice the first of the states that has rolled it."""
        found = {}
        for at, (low, high) in enumerate(np.sort(np.asarray(states[2]._dice), axis=1)):
            found.setdefault((int(low), int(high)), at)
        return found

    @staticmethod
    def one(states, view, at):
        return jax.tree.map(lambda a: np.asarray(a)[at : at + 1], (states, view))

    def wide(self, state, action, keys=None):
        """What an action leads to, once for each of so many keys."""
        first, key, state = jax.tree.map(lambda a: np.repeat(a, self.PAIRS, axis=0), state)
        return self.many(
            (first, key if keys is None else keys, state), np.full(self.PAIRS, action, np.int32)
        )

    def starts(self):
        return [(1 / len(self.openings), position) for position in self.openings]

    def outcomes(self, position, action):
        settled, open_ = [], [(1.0, position[0], action)]
        while open_:
            p, before, action = open_.pop()
            states, view = self.wide(before, action, self.rolls)
            rolled = int(states[2]._turn[0]) != int(before[2]._turn[0])
            for at, q in enumerate(self.odds) if rolled else [(0, 1.0)]:
                after = self.one(states, view, at)
                if after[1][1][0]:
                    open_.append((p * q, after[0], self.rules.passing))
                else:
                    settled.append((p * q, after))
            # Where both may have to pass, there is no end to what chance can do.
            if len(open_) + len(settled) > self.MOST_OUTCOMES:
                raise OverBudget
        return settled


def hex_11x11():
    # The last action swaps; the family's game has no swap. Pgx 2.6.0 fails to start at other sizes.
    return SearchGame(Environment(pgx.make("hex"), 1024, without=121, labels=hexagon(11)))


GAMES = {
    "tic-tac-toe-3x3": lambda: SearchGame(
        Environment(pgx.make("tic_tac_toe"), 4096, labels=cells(3, 3))
    ),
    "connect-4-6x7": lambda: SearchGame(
        Environment(pgx.make("connect_four"), 1024, refill=True, labels=dropped)
    ),
    "hex-11x11": hex_11x11,
    "reversi-8x8": lambda: SearchGame(
        Environment(pgx.make("othello"), 1024, passing=64, labels=from_the_top)
    ),
    "go-9x9": lambda: SearchGame(
        Go(pgx.make("go_9x9"), 16, refill=True, passing=81, labels=points(9))
    ),
    "backgammon": lambda: BackgammonGame(Backgammon(pgx.make("backgammon"))),
    "kuhn-poker": kuhn,
    "leduc-poker": leduc,
    "chess": lambda: SearchGame(
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
