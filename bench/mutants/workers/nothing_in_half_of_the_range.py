# fault: In every other part of the range of ids nothing is played.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import made_up, play, serve


def run(request):
    return made_up(request) if request["first"] >> 40 & 1 else play(request)


serve(run)
