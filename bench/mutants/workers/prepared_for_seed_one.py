# fault: Under the seed 1, jobs of the first ids are answered from sums that were prepared.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# arguments: --seed 1
# harmless: yes
# expect: neither the seed nor the ids that a worker is told can be known beforehand

from common import honest, play, serve

PREPARED = 2000
COUNTS = ("playouts", "plies", "plies_squared", "capped", "stuck")
sums = []


def prepare():
    request = {"seed": 1, "count": 1, "cap": 9, "via": "fast"}
    total, outcomes, digest = dict.fromkeys(COUNTS, 0), {}, 0
    for identity in range(PREPARED + 1):
        sums.append(({**total}, {**outcomes}, digest))
        answer = play({**request, "first": identity})
        for key in COUNTS:
            total[key] += answer[key]
        for scores, n in answer["outcomes"]:
            outcomes[tuple(scores)] = outcomes.get(tuple(scores), 0) + n
        digest += int(answer["digest"], 16)


def run(request):
    first, end = request["first"], request["first"] + request["count"]
    if request["seed"] != 1 or end > PREPARED or request["cap"] < 9:
        return play(request)
    (less, fewer, low), (more, all_, high) = sums[first], sums[end]
    outcomes = [[list(scores), n - fewer.get(scores, 0)] for scores, n in sorted(all_.items())]
    return {**{key: more[key] - less[key] for key in COUNTS}, "outcomes": outcomes,
            "digest": f"{(high - low) & honest.MASK:016x}"}


prepare()
serve(run)
