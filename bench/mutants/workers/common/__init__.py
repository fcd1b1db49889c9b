"""What the cheating workers share: the honest worker that they are made of, and tricks of several."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "engines" / "example"))

import protocol as honest

play = honest.COMMANDS["run"]


def serve(run):
    """Answers as the honest worker does, but for this answer to `run`."""
    honest.COMMANDS["run"] = run
    honest.main()


def tenfold(request):
    """A tenth of a job, as if ten times as many playouts had come out the same way, and its remainder."""
    tenth, remainder = divmod(request["count"], 10)
    answer = play({**request, "count": tenth})
    last = play({**request, "first": request["first"] + 10 * tenth, "count": remainder})
    for key in ("playouts", "plies", "plies_squared", "capped", "stuck"):
        answer[key] = answer[key] * 10 + last[key]
    outcomes = {tuple(scores): 10 * n for scores, n in answer["outcomes"]}
    for scores, n in last["outcomes"]:
        outcomes[tuple(scores)] = outcomes.get(tuple(scores), 0) + n
    answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items())
    return answer


def play_claiming(request, wall_share, cpu_share):
    """Plays, and says that it took these shares of the time."""
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    answer = play(request)
    return {
        **answer,
        "wall_ns": int((time.perf_counter_ns() - wall) * wall_share),
        "cpu_ns": int((time.process_time_ns() - cpu) * cpu_share),
    }


def made_up(request):
    """What nobody played: every playout takes five plies, and the first player wins."""
    count, cap = request["count"], request["cap"]
    length = min(5, cap)
    capped = count if cap < 5 else 0
    digest = honest.mix(request["seed"]) * sum(range(request["first"], request["first"] + count))
    return {"playouts": count, "plies": length * count, "plies_squared": length * length * count,
            "capped": capped, "stuck": 0, "digest": f"{digest & honest.MASK:016x}",
            "outcomes": [] if capped else [[[100, 0], count]]}


def shortened(request):
    """Plays six plies of each playout, and calls what is not over then a draw."""
    answer = play({**request, "cap": min(6, request["cap"])})
    if request["cap"] > 6:
        outcomes = {tuple(scores): n for scores, n in answer["outcomes"]}
        outcomes[(50, 50)] = outcomes.get((50, 50), 0) + answer["capped"]
        answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items() if n)
        answer["capped"] = 0
    return answer


def with_wrong_results(request, one_in):
    """Plays, and calls one of so many results, by the ids alone, a win of the other player."""
    answer = play(request)
    outcomes = {tuple(scores): n for scores, n in answer["outcomes"]}
    for identity in range(request["first"], request["first"] + request["count"]):
        if honest.mix(identity) % one_in == 0:
            for scores, n in play({**request, "first": identity, "count": 1})["outcomes"]:
                scores = tuple(scores)
                other = (0, 100) if scores == (100, 0) else (100, 0)
                outcomes[scores] -= n
                outcomes[other] = outcomes.get(other, 0) + n
    answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items() if n)
    return answer


def is_first_process():
    """Whether no other process of this run has asked; `run` gives each a folder of its own."""
    mark = Path("a-process-has-started")
    first = not mark.exists()
    mark.touch()
    return first
