# fault: Jobs that begin at a multiple of 64, as all that are asked for the first time do, have one of 50 results wrong.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve, with_wrong_results


def run(request):
    is_fresh = request["first"] % 64 == 0 and request["count"] > 1
    return with_wrong_results(request, 50) if is_fresh else play(request)


serve(run)
