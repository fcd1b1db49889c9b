"""What is wrong is said, with place and cure, as an exception; nothing ends the interpreter."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import ggpbench


def test_names_that_there_are_not():
    with pytest.raises(ValueError, match="did you mean `hex-9x9`"):
        ggpbench.load("hex-9x8")
    with pytest.raises(ValueError, match="no engine `propnett`; did you mean `propnet`"):
        ggpbench.load("hex-9x9", engine="propnett")
    with pytest.raises(ValueError, match="no family of games"):
        ggpbench.load("chess", size=9)
    with pytest.raises(ValueError, match="no language"):
        ggpbench.loads("", "pdf")
    with pytest.raises(ValueError, match=r"`hex`.*family of games.*`size=`"):
        ggpbench.load("hex")
    with pytest.raises(ValueError, match="no prover reads"):
        ggpbench.load("yavalath", engine="prover")


def test_files_that_cannot_be_read_are_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        ggpbench.load("nowhere.lud")
    error = caught.value
    assert (error.errno, os.fspath(error.filename)) == (errno.ENOENT, "nowhere.lud")
    assert "nowhere.lud" in str(error)
    (tmp_path / "folder.kif").mkdir()
    with pytest.raises(OSError, match="folder.kif") as caught:
        ggpbench.load(tmp_path / "folder.kif")
    assert caught.value.errno == errno.EISDIR
    for call in (ggpbench.verify, ggpbench.measure):
        with pytest.raises(FileNotFoundError):
            call("nowhere.lud")


def test_faults_of_rules_have_their_place():
    with pytest.raises(ggpbench.RulesError) as caught:
        ggpbench.loads("(role red)\n(init (cell a)\n", "kif", name="broken.kif")
    error = caught.value
    assert isinstance(error, ValueError)
    problem = error.problems[0]
    assert problem["file"] == "broken.kif" and problem["line"] >= 1 and problem["column"] >= 1
    assert problem["severity"] == "error" and problem["message"]
    assert f"broken.kif:{problem['line']}:{problem['column']}" in str(error)
    assert "^" in str(error), "the line is shown with a caret"


def test_many_faults_in_one_long_line_are_not_all_shown():
    with pytest.raises(ggpbench.RulesError, match=" more$") as raised:
        ggpbench.loads("#a=(" * 20_000, "rbg")
    assert len(raised.value.problems) == 100 and len(str(raised.value)) < 100_000


def test_actions_that_are_not_legal():
    position = ggpbench.load("tic-tac-toe-3x3").open()
    position.apply("a1")
    with pytest.raises(ValueError, match="`a1` is not legal; expected one of 8: "):
        position.apply("a1")
    for number in (8, 99, -1, 2**70):
        with pytest.raises(ValueError, match="expected a number below 8"):
            position.apply(number)
    with pytest.raises(ValueError, match="code 0 is not legal"):
        position.apply_code(0)
    for code in (-1, 2**40, 9):
        with pytest.raises(ValueError, match="is not legal"):
            position.apply_code(code)
    for wrong in (None, 1.5, True, [1], b"a2"):
        with pytest.raises(TypeError, match="expected"):
            position.apply(wrong)
        with pytest.raises(TypeError, match="expected a code"):
            position.apply_code(wrong)
    assert position.history == ["a1"], "nothing of that was played"
    position.apply(np.int64(0))
    position.undo()
    position.undo()
    with pytest.raises(ValueError, match="nothing to undo"):
        position.undo()
    with pytest.raises(ValueError, match="expected a number below 2"):
        position.percepts(2)


def test_numbers_out_of_range():
    game = ggpbench.load("tic-tac-toe-3x3")
    with pytest.raises(ValueError, match="threads"):
        game.rollouts(1, threads=0)
    with pytest.raises(ValueError, match="64 bits"):
        game.rollouts(2**63, first=2**63)
    position = game.open()
    for number in (-1, 2**64, -(2**64), 10**5000):
        for call in (
            lambda: game.rollouts(number),
            lambda: game.rollouts(1, seed=number),
            lambda: game.rollouts(1, first=number),
            lambda: game.open(number),
            lambda: game.batch(number),
            lambda: game.batch(1, threads=number),
            lambda: game.batch(1).rollouts(number),
            lambda: game.batch(1).rollouts(1, cap=number),
            lambda: position.rollouts(1, seed=number),
            lambda: position.planes(number),
            lambda: position.percepts(number),
            lambda: position.search(seed=number),
            lambda: position.search(megabytes=number),
            lambda: position.search().simulate(number),
            lambda: position.search().advance(number),
            lambda: ggpbench.load("hex", size=number),
            lambda: ggpbench.load("hex-9x9", cap=number),
            lambda: ggpbench.load("hex-9x9", memory=number),
            lambda: ggpbench.verify("tic-tac-toe-3x3", seed=number),
            lambda: ggpbench.measure("tic-tac-toe-3x3", samples=number),
        ):
            with pytest.raises(ValueError, match="expected an integer from 0 to [0-9]+, not "):
                call()
    for call in (
        lambda: position.search(exploration=10**400),
        lambda: ggpbench.verify("tic-tac-toe-3x3", seconds=10**400),
    ):
        with pytest.raises(ValueError, match="expected a smaller number"):
            call()
    for n in (0, 2**40):
        with pytest.raises(ValueError, match="expected 1 to"):
            game.batch(n)
    with pytest.raises(ValueError, match="seconds"):
        ggpbench.verify("tic-tac-toe-3x3", seconds=float("nan"))
    with pytest.raises(ValueError, match="samples"):
        ggpbench.measure("tic-tac-toe-3x3", samples=0)


def words(bits: int) -> str:
    """Rules in GDL of a player who appends a bit to a word: each word of so many bits is a state."""
    names = [f"?x{bit}" for bit in range(bits)]
    word, rest = " ".join(names), " ".join(names[1:])
    return f"""
        (role p) (bit 0) (bit 1) (init (word {" ".join("0" * bits)}))
        (<= (legal p (say {word} ?x)) (true (word {word})) (bit ?x))
        (<= (next (word {rest} ?x)) (does p (say {word} ?x)))
        (<= terminal (true (word {" ".join("1" * bits)})))
        (goal p 100)"""


def test_rules_without_numbers_say_so():
    """Rules in GDL alone, too large for all engines with numbers."""
    game = ggpbench.loads(words(20), "kif", memory=1 << 26)
    assert game.actions is None and game.num_actions is None
    position = game.open()
    for ask in (
        position.codes,
        position.mask,
        position.planes,
        position.boards,
        lambda: position.apply_code(0),
        lambda: game.batch(2),
        game.coded,
    ):
        with pytest.raises(ggpbench.UnsupportedError, match="play by labels"):
            ask()


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
@pytest.mark.parametrize(
    "work",
    [
        "ggpbench.load('chess').rollouts(10**12)",
        "ggpbench.load('chess').rollouts(10**12, threads=2)",
        "ggpbench.load('chess').open().rollouts(10**12)",
        "ggpbench.verify('chess', seconds=1000)",
        "ggpbench.measure('tic-tac-toe-3x3', engines=['bitboard'], seconds=100)",
    ],
)
def test_ctrl_c_ends_long_work(work):
    program = textwrap.dedent(f"""
        import os, threading, ggpbench
        print("begun", flush=True)
        try:
            {work}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        os._exit(0)
    """)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begun\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out == "interrupted\n"
