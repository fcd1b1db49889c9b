"""A stand-in for Ludax: the part of its interface that the adapter uses. It shares no code with Ludax.

Descriptions are what this module plays: the side of the board and how many in a row win, in words that
the adapter exchanges.
"""

import re

from lanes import Array


class State:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class LudaxEnvironment:
    def __init__(self, game_str):
        self.side = int(re.search(r"\(square (\d)\)", game_str)[1])
        self.row = int(re.search(r'"token" (\d)', game_str)[1])

    def init(self, key):
        return self.state({}, 0)

    def step(self, state, action):
        return self.state({**state.board, int(action): int(state.current_player[0])}, len(state.board) + 1)

    def state(self, board, plies):
        size, rewards = self.side, [0.0, 0.0]
        for y in range(size):
            for x in range(size):
                for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(y + i * dy, x + i * dx) for i in range(self.row)]
                    if all(0 <= a < size and 0 <= b < size for a, b in cells):
                        marks = {board.get(a * size + b) for a, b in cells}
                        if len(marks) == 1 and marks != {None}:
                            (winner,) = marks
                            rewards[winner], rewards[1 - winner] = 1.0, -1.0
        return State(
            board=board,
            current_player=Array([plies % 2]),
            rewards=Array(rewards),
            terminated=Array([rewards[0] != 0 or plies == size * size]),
            truncated=Array([False]),
            legal_action_mask=Array(cell not in board for cell in range(size * size)),
        )
