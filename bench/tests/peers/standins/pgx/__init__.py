"""A stand-in for Pgx: the part of its interface that the adapter uses, on Tic-Tac-Toe and Go written here.

It shares no code with Pgx. As there, rewards belong to players, and which player begins is drawn: here
always the second. In Go whoever brings back a position loses.
"""

from types import SimpleNamespace

from lanes import Array
from stones import PASS, Stones

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class State:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def replace(self, **fields):
        return State(**{**self.__dict__, **fields})


class TicTacToe:
    num_players = 2

    def init(self, key):
        return self.state([None] * 9, 1)

    def step(self, state, action):
        board = list(state.board)
        board[action] = state.current_player
        return self.state(board, 1 - state.current_player)

    def state(self, board, mover):
        rewards = [0.0, 0.0]
        for a, b, c in LINES:
            if board[a] is not None and board[a] == board[b] == board[c]:
                rewards[board[a]], rewards[1 - board[a]] = 1.0, -1.0
        return State(
            board=board,
            current_player=mover,
            rewards=Array(rewards),
            terminated=rewards[0] != 0 or None not in board,
            truncated=False,
            legal_action_mask=Array(cell is None for cell in board),
            observation=None,
        )


class Go:
    num_players = 2

    def init(self, key):
        return self.state(Stones())

    def step(self, state, action):
        return self.state(state.stones.after(action))

    def state(self, stones):
        rewards = [0.0, 0.0]
        if stones.is_over():
            # Black is the second player. Whoever has put the last stone is not to move any more.
            winner = stones.mover if stones.repeated else stones.winner()
            rewards[1 - winner], rewards[winner] = 1.0, -1.0
        legal = set(stones.legal())
        return State(
            stones=stones,
            current_player=1 - stones.mover,
            rewards=Array(rewards),
            terminated=stones.is_over(),
            truncated=False,
            legal_action_mask=Array(action in legal for action in range(PASS + 1)),
            observation=None,
            _x=SimpleNamespace(is_psk=stones.repeated),
        )


def make(name):
    return {"tic_tac_toe": TicTacToe, "go_9x9": Go}[name]()
