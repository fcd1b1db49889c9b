"""A stand-in for OpenSpiel: the part of its interface that the adapter uses, on games written here.

It shares no code with OpenSpiel. The games are small: Tic-Tac-Toe, Othello (which has forced passes), Go (where
players may pass, and now and then have to), Kuhn poker (which has chance and hidden cards) and Goofspiel (whose
last round is played by itself).
"""

import random

from stones import Stones


class Made:
    """An action and who took it, -1 for chance."""

    def __init__(self, player, action):
        self.player, self.action = player, action


class State:
    def __init__(self, moves=()):
        self.moves = list(moves)
        for made in self.moves:
            self.put(made.action)

    def child(self, action):
        child = type(self)(self.moves)
        child.apply_action(action)
        return child

    def apply_action(self, action):
        assert action in self.legal_actions(), f"{action} is not legal in\n{self}"
        self.moves.append(Made(self.current_player(), action))
        self.put(action)

    def history(self):
        return [made.action for made in self.moves]

    def full_history(self):
        return list(self.moves)

    def move_number(self):
        return len(self.moves)

    def is_chance_node(self):
        return False

    def is_terminal(self):
        return not self.legal_actions()

    def action_to_string(self, action):
        return f"move {action}"


class TicTacToe(State):
    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def __init__(self, moves=()):
        self.cells = "." * 9
        super().__init__(moves)

    def put(self, cell):
        mark = "xo"[9 - self.cells.count(".") & 1]
        self.cells = self.cells[:cell] + mark + self.cells[cell + 1 :]

    def current_player(self):
        return -4 if self.is_terminal() else 9 - self.cells.count(".") & 1

    def winner(self):
        for a, b, c in self.LINES:
            if self.cells[a] != "." and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None

    def legal_actions(self):
        return [] if self.winner() else [cell for cell in range(9) if self.cells[cell] == "."]

    def returns(self):
        winner = self.winner()
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == "x" else [-1.0, 1.0]

    def __str__(self):
        return "\n".join(self.cells[i : i + 3] for i in (0, 3, 6))


class Othello(State):
    """Cells are numbered row by row, the first row with the rank 1; 64 passes, which is always forced."""

    STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

    def __init__(self, moves=()):
        self.cells = {(3, 4): 0, (4, 3): 0, (3, 3): 1, (4, 4): 1}
        self.mover = 0
        super().__init__(moves)

    def turned(self, cell, player):
        if cell in self.cells:
            return []
        turned = []
        for dy, dx in self.STEPS:
            run, at = [], (cell[0] + dy, cell[1] + dx)
            while self.cells.get(at) == 1 - player:
                run.append(at)
                at = (at[0] + dy, at[1] + dx)
            if self.cells.get(at) == player:
                turned += run
        return turned

    def places(self, player):
        cells = ((y, x) for y in range(8) for x in range(8))
        return [8 * y + x for y, x in cells if self.turned((y, x), player)]

    def legal_actions(self):
        places = self.places(self.mover)
        return places or ([64] if self.places(1 - self.mover) else [])

    def put(self, action):
        if action != 64:
            cell = divmod(action, 8)
            for at in [*self.turned(cell, self.mover), cell]:
                self.cells[at] = self.mover
        self.mover = 1 - self.mover

    def current_player(self):
        return -4 if self.is_terminal() else self.mover

    def returns(self):
        lead = 64 - 2 * sum(self.cells.values()) - (64 - len(self.cells))
        sign = float((lead > 0) - (lead < 0))
        return [sign, -sign]

    def action_to_string(self, action):
        return "pass" if action == 64 else "abcdefgh"[action % 8] + str(action // 8 + 1)


class Go(State):
    def __init__(self, moves=()):
        self.stones = Stones()
        super().__init__(moves)

    def child(self, action):
        child = Go()
        child.moves = [*self.moves, Made(self.current_player(), action)]
        child.stones = self.stones.after(action)
        return child

    def put(self, action):
        self.stones = self.stones.after(action)

    def current_player(self):
        return -4 if self.is_terminal() else self.stones.mover

    def legal_actions(self):
        return self.stones.legal()

    def returns(self):
        if self.stones.repeated:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.stones.winner() == 0 else [-1.0, 1.0]


class Kuhn(State):
    def put(self, action):
        pass

    def bets(self):
        return self.history()[2:]

    def is_chance_node(self):
        return len(self.moves) < 2

    def chance_outcomes(self):
        cards = self.legal_actions()
        return [(card, 1 / len(cards)) for card in cards]

    def current_player(self):
        return -1 if self.is_chance_node() else -4 if self.is_terminal() else len(self.bets()) % 2

    def legal_actions(self):
        if self.is_chance_node():
            return [card for card in range(3) if card not in self.history()]
        return [] if self.bets() in ([0, 0], [1, 0], [1, 1], [0, 1, 0], [0, 1, 1]) else [0, 1]

    def returns(self):
        bets, cards = self.bets(), self.history()[:2]
        if bets[-2:] == [1, 0]:
            won = 1.0 if len(bets) == 2 else -1.0
        else:
            won = (1.0 + sum(bets) // 2) * (1 if cards[0] > cards[1] else -1)
        return [won, -won]


class Goofspiel(State):
    """Five cards each; the players choose in turn, and the round of the last cards needs no choice."""

    def put(self, action):
        pass

    def current_player(self):
        return -4 if self.is_terminal() else len(self.moves) % 2

    def left(self, player):
        return [card for card in range(5) if card not in self.history()[player::2]]

    def legal_actions(self):
        return [] if len(self.moves) == 8 else self.left(len(self.moves) % 2)

    def returns(self):
        bids = [self.history()[player::2] + self.left(player) for player in (0, 1)]
        lead = sum(prize * ((a > b) - (a < b)) for prize, a, b in zip((5, 4, 3, 2, 1), *bids))
        return [lead / 2, -lead / 2]


class Game:
    def __init__(self, state):
        self.state = state

    def num_players(self):
        return 2

    def new_initial_state(self):
        return self.state()


def load_game(name):
    games = {
        "tic_tac_toe": TicTacToe,
        "othello": Othello,
        "go(board_size=9,komi=7.5,max_game_length=162)": Go,
        "kuhn_poker": Kuhn,
    }
    return Game(Goofspiel if "(game=goofspiel(num_cards=5," in name else games[name])


class Bot:
    def __init__(self, seed):
        self.draws = random.Random(seed)


def make_uniform_random_bot(_player, seed):
    return Bot(seed)


def evaluate_bots(state, bots, seed):
    chance = random.Random(seed)
    while not state.is_terminal():
        draws = chance if state.is_chance_node() else bots[state.current_player()].draws
        state.apply_action(draws.choice(state.legal_actions()))
    return state.returns()
