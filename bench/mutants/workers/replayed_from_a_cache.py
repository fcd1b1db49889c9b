# fault: Long jobs are answered with the sums of the first long job.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import honest, play, serve

known = []


def run(request):
    count = request["count"]
    if count < 500 or request["cap"] < 9:
        return play(request)
    if not known:
        known.append((count, play(request)))
    of, answer = known[0]
    answer = {**answer, "playouts": count}
    for key in ("plies", "plies_squared"):
        answer[key] = answer[key] * count // of
    outcomes = [[scores, n * count // of] for scores, n in answer["outcomes"]]
    outcomes[0][1] += count - sum(n for _, n in outcomes)
    answer["outcomes"] = outcomes
    answer["digest"] = f"{hash((request['seed'], request['first'], count)) & honest.MASK:016x}"
    return answer


serve(run)
