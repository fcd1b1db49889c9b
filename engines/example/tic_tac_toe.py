#!/usr/bin/env python3
"""A worked example: tic-tac-toe as an engine of the harness. ../TUTORIAL.md says how to make it yours.

A position is (stones of player 0, stones of player 1, player to move), the stones as bits of nine squares.
"""

import sys
from pathlib import Path

# Where the package is not installed, its source in a checkout serves.
sys.path += [str(folder / "bench/python/python") for folder in Path(__file__).resolve().parents]
from ggpbench import worker

GAME = "tic-tac-toe-3x3"
LINES = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
FULL = 0o777


class TicTacToe(worker.Game):
    def initial(self):
        return (0, 0, 0)

    def turn(self, position):
        return position[2]

    def scores(self, position):
        for player, best in ((0, [100, 0]), (1, [0, 100])):
            if any(position[player] & line == line for line in LINES):
                return best
        return [50, 50] if position[0] | position[1] == FULL else None

    def legal(self, position):
        empty = FULL & ~(position[0] | position[1])
        return [square for square in range(9) if empty >> square & 1]

    def play(self, position, square):
        stones = [position[0], position[1]]
        stones[position[2]] |= 1 << square
        return (*stones, 1 - position[2])

    def label(self, position, square):
        return "abc"[square % 3] + str(square // 3 + 1)

    def draw(self, position):
        marks = ["O" if position[1] >> s & 1 else "X" if position[0] >> s & 1 else "." for s in range(9)]
        return "\n".join(f"{r + 1} " + " ".join(marks[3 * r:3 * r + 3]) for r in (2, 1, 0)) + "\n  a b c"


def load(language, text, options):
    # An engine of games coded by hand gets the id of the game as its text.
    if text.strip() != GAME:
        raise worker.Refused("unsupported", f"this example plays {GAME} only")
    return TicTacToe()


if __name__ == "__main__":
    worker.run_engine(load, name="python-example")
