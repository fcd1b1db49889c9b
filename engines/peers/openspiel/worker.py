#!/usr/bin/env python3
"""OpenSpiel as a worker: its games by their own states, its playouts by its own random bots.

`fast` is `pyspiel.evaluate_bots` with two uniform random bots: a whole game in C++ for each call. Each
playout has bots of its own, seeded by the seed of the job and the id of the playout.
`reference` lists the legal actions of every position in Python and draws one.
Searches are `pyspiel.MCTSBot` with one random rollout a simulation, in C++ too.
"""

import math
import random

import protocol
from protocol import Game, Refused, Tally, Worker, stream

VERSION = "2.0.2"

try:
    import pyspiel
except Exception as error:  # whatever hinders an import is the reason
    pyspiel = None
    BROKEN = protocol.broken_import("openspiel", error)
else:
    BROKEN = protocol.wrong_version("openspiel", protocol.version_of("open-spiel"), VERSION)


# ---- What the catalogue calls the actions. ----


def square(file, rank):
    """File and rank from 0, `a1` at the bottom left."""
    return "abcdefghijklmnopqrstuvwxyz"[file] + str(rank + 1)


def grid(columns, rows):
    """Actions are cells, row by row from the top."""
    return lambda _, action, _text: square(action % columns, rows - 1 - action // columns)


def dropped(state, column, _text):
    """The cell on which a stone comes to rest; the board is drawn from the top."""
    rows = [row for row in str(state).splitlines() if row]
    return square(column, sum(row[column] != "." for row in rows))


def turned(size):
    """`a5a4*` of a player who moves down: upside down, without the sign of a capture."""

    def label(_state, _action, text):
        text = text.rstrip("*")
        return text[0] + str(size + 1 - int(text[1])) + text[2] + str(size + 1 - int(text[3]))

    return label


def hexagon(size):
    """Here the first player joins top and bottom, in the catalogue the first file and the last."""
    return lambda _, action, _text: square(action // size, size - 1 - action % size)


def points(size):
    """Actions are points, row by row from the bottom, and the last one is a pass."""
    return lambda _, action, _text: "pass" if action == size * size else square(action % size, action // size)


def printed(_state, _action, text):
    """As OpenSpiel prints it."""
    return text


# ---- What players perceive in games of hidden information, as the catalogue says it. ----

RANKS = ("jack", "queen", "king")


class Kuhn:
    def start(self, state):
        return [[RANKS[card]] for card in state.history()[:2]]

    def after(self, before, action, _after):
        return [[self.name(before, action)]] * 2

    def name(self, state, action):
        raised = len(state.history()) > 2 and state.history()[-1] == 1
        return (("check", "bet"), ("fold", "call"))[raised][action]

    def label(self, state, action, _text):
        return self.name(state, action)


class Leduc:
    ACTIONS = ("fold", "call", "raise")

    def start(self, state):
        return [[RANKS[card // 2]] for card in state.history()[:2]]

    def after(self, before, action, after):
        seen = [self.ACTIONS[action]]
        if len(after.history()) > len(before.history()) + 1:
            seen.append("open " + RANKS[after.history()[-1] // 2])
        return [list(seen), list(seen)]

    def label(self, _state, action, _text):
        return self.ACTIONS[action]


class LiarsDice:
    def start(self, state):
        return [[f"die {face + 1}"] for face in state.history()[:2]]

    def after(self, before, action, _after):
        return [[self.label(before, action, before.action_to_string(action))]] * 2

    def label(self, _state, _action, text):
        return text.lower().replace("-", "x")


class Goofspiel:
    """The last cards, which OpenSpiel plays by itself, are plies of the catalogue: two more after the end."""

    CARDS = 5

    def start(self, _state):
        return [[], []]

    def after(self, before, action, after):
        if before.current_player() == 0:
            return [[], []]
        return self.compared(before.history()[-1], action)

    def compared(self, first, second):
        """What players see of a round."""
        if first == second:
            return [["tied"], ["tied"]]
        return [["won"], ["lost"]] if first > second else [["lost"], ["won"]]

    def label(self, _state, action, _text):
        return str(action + 1)

    def left(self, state, player):
        """The last card of a player."""
        played = state.history()[player::2]
        return next(card for card in range(self.CARDS) if card not in played)


class Phantom:
    def start(self, _state):
        return [[], []]

    def after(self, before, _action, after):
        mover = before.current_player()
        seen = [[], []]
        # Whoever runs into a mark of the other is to move again.
        if not after.is_terminal() and after.current_player() == mover:
            seen[mover] = ["taken"]
        else:
            seen[mover], seen[1 - mover] = ["placed"], ["moved"]
        if after.is_terminal():
            seen = [sorted([*texts, "over"]) for texts in seen]
        return seen

    def label(self, state, action, text):
        return grid(3, 3)(state, action, text)


# ---- The games. ----


def won_or_lost(returns):
    return tuple(50 + 50 * ((value > 0) - (value < 0)) for value in returns)


def payoffs(returns):
    return tuple(int(value) for value in returns)


def leads(returns):
    """OpenSpiel measures points from their mean."""
    return tuple(round(2 * value) for value in returns)


class Entry:
    """A game of the catalogue in OpenSpiel: its name there with parameters, and how to read it. `passing` is the
    action that passes, which players may choose if `free` and otherwise do only if they have to; `last` is the
    number of plies that OpenSpiel makes by itself at the end."""

    def __init__(
        self,
        name,
        label=printed,
        passing=None,
        free=False,
        hidden=None,
        scores=won_or_lost,
        last=0,
        variant="",
    ):
        self.name, self.label, self.passing, self.variant = name, label, passing, variant
        self.free, self.hidden, self.scores, self.last = free, hidden, scores, last
        if hidden:
            self.label = hidden.label


GAMES = {
    "tic-tac-toe-3x3": Entry("tic_tac_toe", grid(3, 3)),
    "tic-tac-toe-5x5": Entry("mnk(m=5,n=5,k=5)", grid(5, 5)),
    "gomoku-15x15": Entry("mnk(m=15,n=15,k=5)", grid(15, 15)),
    "connect-4-6x7": Entry("connect_four", dropped),
    "connect-4-12x9": Entry("connect_four(rows=9,columns=12)", dropped),
    "breakthrough-6x6": Entry("breakthrough(rows=6,columns=6)", turned(6)),
    "breakthrough-8x8": Entry("breakthrough", turned(8)),
    "hex-9x9": Entry("hex(board_size=9)", hexagon(9)),
    "hex-11x11": Entry("hex(board_size=11)", hexagon(11)),
    "reversi-8x8": Entry("othello", passing=64),
    "go-9x9": Entry(
        "go(board_size=9,komi=7.5,max_game_length=162)", points(9), passing=81, free=True
    ),
    "kuhn-poker": Entry("kuhn_poker", hidden=Kuhn(), scores=payoffs),
    "leduc-poker": Entry("leduc_poker", hidden=Leduc(), scores=payoffs),
    "liars-dice": Entry("liars_dice", hidden=LiarsDice(), scores=payoffs),
    "phantom-tic-tac-toe": Entry("phantom_ttt", hidden=Phantom()),
    "goofspiel-5": Entry(
        "turn_based_simultaneous_game(game=goofspiel(num_cards=5,points_order=descending,imp_info=true,"
        "returns_type=point_difference))",
        hidden=Goofspiel(),
        scores=leads,
        last=2,
    ),
    "chess": Entry("chess", variant="positions that repeat are a draw, too"),
    "english-draughts": Entry("checkers", variant="other draws: 40 moves without a capture"),
    "nine-mens-morris": Entry("nine_mens_morris", variant="other draws: at a limit of moves"),
    "oware": Entry("oware", variant="positions that repeat end the game, and other moves capture nothing"),
}


class OpenSpielGame(Game):
    def __init__(self, entry):
        self.entry = entry
        self.variant = entry.variant
        self.peer = pyspiel.load_game(entry.name)
        self.players = self.peer.num_players()
        # OpenSpiel numbers some players by their colour; here whoever begins is the first.
        start = self.peer.new_initial_state()
        self.chance = start.is_chance_node()
        self.first = 0 if self.chance else start.current_player()
        self.facts = {"distribution": "drawn by OpenSpiel's own random bots"}

    def seats(self, values):
        return values[self.first :] + values[: self.first]

    def settle(self, state):
        """What comes of a state of our own once chance and forced passes have had their say."""
        settled, open_ = [], [(1.0, state)]
        while open_:
            p, state = open_.pop()
            if state.is_chance_node():
                for action, q in state.chance_outcomes():
                    open_.append((p * q, state.child(action)))
            elif self.has_to_pass(state):
                state.apply_action(self.entry.passing)
                open_.append((p, state))
            else:
                settled.append((p, state))
        return settled[::-1]

    def has_to_pass(self, state):
        passing = self.entry.passing
        return passing is not None and not state.is_terminal() and state.legal_actions() == [passing]

    def starts(self):
        hidden = self.entry.hidden
        starts = self.settle(self.peer.new_initial_state())
        last = self.entry.last
        return [(p, (state, hidden.start(state) if hidden else [], last)) for p, state in starts]

    # A position is a state, what was perceived of the last ply, and the plies left after OpenSpiel's end.

    def turn(self, position):
        state, _, last = position
        if state.is_terminal():
            return self.players - last if last else None
        return (state.current_player() - self.first) % self.players

    def scores(self, position):
        return list(self.entry.scores(self.seats(position[0].returns())))

    def actions(self, position):
        state, _, last = position
        if state.is_terminal():
            return [self.entry.hidden.left(state, self.turn(position))] if last else []
        return state.legal_actions()

    def label(self, position, action):
        state = position[0]
        text = "" if state.is_terminal() else state.action_to_string(action)
        return self.entry.label(state, action, text)

    def outcomes(self, position, action):
        before, _, last = position
        hidden = self.entry.hidden
        if before.is_terminal():
            cards = [hidden.left(before, player) for player in range(self.players)]
            return [(1.0, (before, hidden.compared(*cards) if last == 1 else [[], []], last - 1))]
        return [
            (p, (after, hidden.after(before, action, after) if hidden else [], last))
            for p, after in self.settle(before.child(action))
        ]

    def percepts(self, position):
        return position[1]

    def draw(self, position):
        return str(position[0])

    def plies(self, state):
        """Moves of players; forced passes are none."""
        if self.chance:
            return sum(item.player >= 0 for item in state.full_history())
        if self.entry.passing is not None:
            return state.move_number() - self.forced_passes(state)
        return state.move_number() + self.entry.last

    def forced_passes(self, state):
        """Where passes may be chosen, the game is played again up to the last of them, to see what else was
        legal: OpenSpiel keeps no record of it."""
        passing, history = self.entry.passing, state.history()
        passes = [at for at, action in enumerate(history) if action == passing]
        if not self.entry.free:
            return len(passes)
        again, done, forced = self.peer.new_initial_state(), 0, 0
        for at in passes:
            for action in history[done:at]:
                again.apply_action(action)
            forced += self.has_to_pass(again)
            done = at
        return forced

    def play(self, seed, first, count, cap, via):
        tally = Tally()
        playout = self.by_list if via == "reference" else self.by_bots
        for identity in range(first, first + count):
            state = self.peer.new_initial_state()
            plies, returns = playout(state, stream(seed, identity), cap)
            scores = self.entry.scores(self.seats(returns)) if plies <= cap and returns else None
            tally.add(identity, min(plies, cap), scores)
        return tally

    def by_bots(self, state, bits, _cap):
        """OpenSpiel ends all its games, so one that is longer than the cap is played to its end first."""
        bots = [
            pyspiel.make_uniform_random_bot(player, bits >> 31 * player & 0x7FFFFFFF)
            for player in range(self.players)
        ]
        returns = pyspiel.evaluate_bots(state, bots, bits >> 33)
        return self.plies(state), returns

    searches = "OpenSpiel's own search, which does not tell how long simulations are"

    def record(self, games):
        """Takes recorded games, from whose positions searches begin. By other rules one may end before."""
        self.recorded = [states for states in map(self.follow, games) if states]

    def follow(self, labels):
        """The states before each ply of a recorded game."""
        states, position = [], self.starts()[0][1]
        for label in labels:
            actions = {self.label(position, action): action for action in self.actions(position)}
            if label not in actions:
                if self.variant:
                    break
                raise Refused("wrong", f"a recorded game: `{label}` is not legal as ply {len(states) + 1}")
            states.append(position[0])
            position = self.outcomes(position, actions[label])[0][1]
        return states

    def search(self, seed, first, count, _cap, _via, simulations):
        """Searches in the place of playouts, with the exploration that the harness asks for: rewards lie between
        -1 and 1 here."""
        if self.chance or self.entry.hidden:
            raise Refused("unsupported", "it searches games of full information without chance")
        tally = Tally()
        for identity in range(first, first + count):
            draws = random.Random(stream(seed, identity))
            state = self.root(draws)
            evaluator = pyspiel.RandomRolloutEvaluator(1, draws.randrange(1 << 31))
            bot = pyspiel.MCTSBot(
                self.peer, evaluator, 1.4, simulations, 1000, False, draws.randrange(1 << 31), False
            )
            root = bot.mcts_search(state)
            mover = (state.current_player() - self.first) % self.players
            paid = sum(child.total_reward for child in root.children)
            mean = 50 + 50 * paid / max(1, sum(child.explore_count for child in root.children))
            mean = math.floor(mean + draws.random())
            tally.add(identity, 0, (mean, 100 - mean) if mover == 0 else (100 - mean, mean))
        return tally

    def root(self, draws):
        """The start, or a position of a recorded or random game in which somebody has a choice, each being as
        likely."""
        state = self.peer.new_initial_state()
        root = state.clone()
        if draws.random() < 0.5:
            return root
        if self.recorded:
            return draws.choice(draws.choice(self.recorded)).clone()
        seen = 1
        while True:
            actions = state.legal_actions()
            state.apply_action(actions[draws.randrange(len(actions))])
            if state.is_terminal():
                return root
            if not self.has_to_pass(state):
                seen += 1
                if draws.randrange(seen) == 0:
                    root = state.clone()

    def by_list(self, state, bits, cap):
        draws, plies = random.Random(bits), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes())
                state.apply_action(draws.choices(actions, odds)[0])
                continue
            actions = state.legal_actions()
            if actions != [self.entry.passing]:
                if plies == cap:
                    return cap, None
                plies += 1
            state.apply_action(actions[draws.randrange(len(actions))])
        return plies + self.entry.last, state.returns()


def load(game):
    if game not in GAMES:
        raise Refused("unsupported", f"OpenSpiel {VERSION} has no {game}, or not by its rules")
    try:
        return OpenSpielGame(GAMES[game])
    except Exception as error:  # what pyspiel raises is not documented
        text = " ".join(str(error).split())[:200]
        raise Refused("unsupported", f"OpenSpiel does not load {GAMES[game].name}: {text}") from error


if __name__ == "__main__":
    protocol.serve(Worker("openspiel", VERSION, "std::mt19937 of each bot", load, BROKEN))
