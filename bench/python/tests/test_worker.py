"""Engines and agents in Python by their answers; `ggpbench engine-check` looks at programs."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import pytest

from ggpbench import worker

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "engines" / "example"
SOURCE = pathlib.Path(worker.__file__).resolve().parents[1]
NATIVE = shutil.ignore_patterns("_native*.so", "__pycache__")


class Corridor(worker.Game):
    """One player throws a coin, passes where nothing else is left, and steps until the end."""

    players = 1
    chance = True

    def initial(self):
        return (0, "thrown")

    def outcomes(self, position):
        steps, state = position
        if state != "thrown" or steps == 2:
            return ()
        return [(0.25, (steps, "walks")), (0.75, (steps, "waits"))]

    def turn(self, position):
        return 0

    def scores(self, position):
        return [position[0]] if position[0] >= 2 else None

    def legal(self, position):
        return ["pass"] if position[1] == "waits" else ["step", "leap"]

    def play(self, position, action):
        steps, _ = position
        if action == "pass":
            return (steps, "walks")
        return (steps + 1, "thrown") if action == "step" else (2, "walks")


def load(language, text, options):
    if text == "nothing":
        raise worker.Refused("unsupported", "there is nothing")
    return {"corridor": Corridor, "endless": Endless, "stuck": Stuck}[text]()


class Endless(Corridor):
    """Nothing but passes."""

    def legal(self, position):
        return ["pass"]

    def play(self, position, action):
        return position

    def outcomes(self, position):
        return ()


class Stuck(Endless):
    """Nothing is legal, and it is not over."""

    def legal(self, position):
        return []


@pytest.fixture
def ask():
    session = worker.Session(load)

    def ask(cmd, **more):
        return session.answer({"cmd": cmd, **more})

    return ask


def begin(ask, game="corridor", **more):
    return ask("load", language="bitboard", text=game, **more)


def test_chance_and_passes_are_between_plies(ask):
    loaded = begin(ask)["ok"]
    assert loaded == {
        "players": 1, "method": "listed", "start": 0, "chance": True, "outcomes": True,
    }  # fmt: skip
    # Each step has two outcomes, after one of which a pass is forced; a leap has one.
    assert ask("perft", depth=2, budget=100)["ok"] == [3, 4]
    assert ask("perft", depth=2, budget=3)["ok"] is None
    seen = ask("walk", path=[0], chance=[0, 1], depth=1, budget=100)["ok"]
    assert (seen["labels"], seen["outcomes"], seen["odds"]) == (["step", "leap"], 2, 0.75)
    assert len(seen["prints"]) == 2 and "percepts" not in seen
    drawn = [ask("walk", path=[0], chance=[0, 99], depth=0, budget=9)["ok"] for _ in range(2)]
    assert drawn[0] == drawn[1] and drawn[0]["outcomes"] == 2
    over = ask("walk", path=[1], depth=0, budget=9)["ok"]
    assert (over["turn"], over["scores"], over["labels"]) == (None, [2], [])


def test_jobs_can_be_split_and_ends_are_told_apart(ask):
    begin(ask)

    def run(first, count, cap=9, via="fast"):
        return ask("run", seed=3, first=first, count=count, cap=cap, via=via)

    whole, parts = run(0, 50)["ok"], [run(0, 20)["ok"], run(20, 30)["ok"]]
    for key in ("playouts", "plies", "plies_squared", "capped", "stuck"):
        assert whole[key] == sum(part[key] for part in parts), key
    digests = sum(int(part["digest"], 16) for part in parts) % 2**64
    assert int(whole["digest"], 16) == digests
    assert run(0, 50, cap=1)["ok"]["capped"] > 0
    assert run(0, 1, via="batch")["error"]["kind"] == "unsupported"
    assert run(0, 1, via="sideways")["error"]["kind"] == "protocol"
    for game, end in (("endless", "capped"), ("stuck", "stuck")):
        begin(ask, game)
        answer = run(0, 5)["ok"]
        assert (answer[end], answer["plies"], answer["outcomes"]) == (5, 0, [])


def test_what_cannot_be_met_is_refused(ask):
    assert ask("juggle")["error"]["kind"] == "unknown"
    assert ask("perft", depth=1, budget=9)["error"]["kind"] == "protocol"
    assert begin(ask, "nothing")["error"] == {"kind": "unsupported", "message": "there is nothing"}
    assert begin(ask, start=["jump"])["error"]["kind"] == "invalid"
    assert begin(ask, start=["step"])["ok"]["start"] == 1
    assert ask("walk", path=[7], depth=0, budget=9)["error"]["kind"] == "protocol"
    assert "ok" in ask("walk", path=[0], depth=0, budget=9)
    begin(ask, "nothing")
    assert ask("walk", path=[], depth=0, budget=9)["error"]["kind"] == "protocol"


def said(program, lines, **environment):
    done = subprocess.run(
        [sys.executable, "-S", *program],
        input="\n".join(json.dumps(line) for line in lines),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_programs_need_no_native_part(tmp_path):
    """The source alone, without the packages of the environment (`-S`)."""
    shutil.copytree(SOURCE / "ggpbench", tmp_path / "ggpbench", ignore=NATIVE)
    for example in ("tic_tac_toe.py", "kuhn_poker.py"):
        program = [str(EXAMPLES / example)]
        answers, _ = said(program, [{"cmd": "hello"}], PYTHONPATH=str(tmp_path))
        assert answers[0]["ok"]["protocol"] == 1
    program = (
        "import json, ggpbench\n"
        "try: ggpbench.load\n"
        "except ImportError as error: print(json.dumps(str(error)))"
    )
    answers, _ = said(["-c", program], [], PYTHONPATH=str(tmp_path))
    assert "pip install" in answers[0]


def test_prints_of_a_program_are_no_answers():
    program = (
        "from ggpbench import worker\n"
        "def choose(request, rng):\n"
        "    print('thinking')\n"
        "    return {'move': rng.choice(request['legal']), 'simulations': len(request['game'])}\n"
        "worker.run_agent(choose)"
    )
    ask = {"cmd": "choose", "protocol": 1, "seed": 1, "player": 0, "legal": ["a", "b"], "past": []}
    lines = [{**ask, "game": "rules"}, {**ask, "legal": ["c"]}, {"cmd": "juggle"}]
    answers, errors = said(["-c", program], lines, PYTHONPATH=str(SOURCE))
    assert answers[0]["ok"] == {"move": random.Random("1/0/0").choice("ab"), "simulations": 5}
    assert answers[1]["ok"] == {"move": "c", "simulations": 5}, "the rules are kept"
    assert answers[2]["error"]["kind"] == "unknown"
    assert errors.splitlines() == ["thinking"] * 2
