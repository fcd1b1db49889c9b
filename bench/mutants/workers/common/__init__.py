"""What the cheating workers share: the honest worker that they are made of, and tricks of several."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "engines" / "example"))

import tic_tac_toe as honest

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
