# fault: Playouts with ids below 2^40 are not played: five plies, and the first player wins.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes
# expect: proofs and samples have ids of one range, of which these are one of 256

from common import made_up, play, serve


def run(request):
    return made_up(request) if request["first"] < 1 << 40 else play(request)


serve(run)
