"""A stand-in for Pgx: the part of its interface that the adapter uses, on Tic-Tac-Toe written here.

It shares no code with Pgx. As there, rewards belong to players, and which player begins is drawn: here
always the second.
"""

from lanes import Array

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


def make(name):
    return {"tic_tac_toe": TicTacToe}[name]()
