# fault: With more than two threads, one of 200 results is another one.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# arguments: --threads 1,4

from common import play, serve, with_wrong_results


def run(request):
    return with_wrong_results(request, 200) if request["threads"] > 2 else play(request)


serve(run)
