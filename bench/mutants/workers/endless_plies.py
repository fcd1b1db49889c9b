# fault: The number of plies is the largest of 64 bits.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    return {**play(request), "plies": (1 << 64) - 1}


serve(run)
