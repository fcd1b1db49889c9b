# fault: Where many playouts are asked for, nine of ten are played and the rest is made up.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    count = request["count"]
    if count < 500:
        return play(request)
    answer = play({**request, "count": count - count // 10})
    rest = play({**request, "count": 100})
    for key in ("plies", "plies_squared"):
        answer[key] += rest[key] * (count // 10) // 100
    answer["playouts"] = count
    scores, n = answer["outcomes"][-1]
    answer["outcomes"][-1] = [scores, n + count // 10]
    return answer


serve(run)
