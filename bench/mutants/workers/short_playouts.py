# fault: Playouts of long jobs end after six plies, with a draw.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    if request["count"] < 500:
        return play(request)
    answer = play({**request, "cap": min(6, request["cap"])})
    outcomes = {tuple(scores): n for scores, n in answer["outcomes"]}
    outcomes[(50, 50)] = outcomes.get((50, 50), 0) + answer["capped"]
    answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items())
    answer["capped"] = 0
    return answer


serve(run)
