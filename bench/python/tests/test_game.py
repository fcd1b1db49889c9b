"""Games and positions: labels, numbers, copies, scores, percepts, playouts."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest

import ggpbench


def test_a_game_of_the_catalogue_says_what_it_is():
    game = ggpbench.load("connect-4-6x7")
    assert (game.engine, game.language, game.players, game.cap) == ("bitboard", "bitboard", 2, 42)
    assert not game.hidden and not game.chance
    assert game.method in ("listed", "counted", "sampled")
    assert ggpbench.load("tic-tac-toe-3x3", engine="prover").method == "tabled"
    assert "connect-4-6x7" in ggpbench.games() and "propnet" in ggpbench.engines()


def test_a_whole_game_by_label_number_and_code():
    position = ggpbench.load("tic-tac-toe-3x3").open()
    position.apply("a1")
    position.apply(position.legal().index("b1"))
    position.apply_code(position.game.actions.index("a2"))
    assert position.history == ["a1", "b1", "a2"] and position.turn == 1
    position.apply("b2")
    before = position.draw()
    position.apply("a3")
    assert position.is_over and position.turn is None and position.legal() == []
    assert position.scores() == [100, 0] and position.returns() == [1.0, -1.0]
    position.undo()
    assert position.draw() == before and position.turn == 0 and position.scores() is None
    assert position.returns() == [0.0, 0.0]


def test_copies_are_independent():
    position = ggpbench.load("breakthrough-8x8").open()
    position.apply(0)
    for other in (position.clone(), copy.copy(position), copy.deepcopy(position)):
        other.apply(0)
        assert (position.plies, other.plies) == (1, 2)
        other.undo()
        other.undo()
        assert position.plies == 1


def test_games_and_positions_are_pickled():
    position = ggpbench.load("hex", size=5, engine="propnet").open(3)
    position.apply("c3")
    again = pickle.loads(pickle.dumps(position))
    assert again.draw() == position.draw() and again.legal() == position.legal()
    assert again.game.engine == "propnet"
    hidden = ggpbench.load("kuhn-poker").open(5)
    assert pickle.loads(pickle.dumps(hidden)).draw() == hidden.draw()


def test_players_perceive_what_is_theirs():
    position = ggpbench.load("kuhn-poker").open(1)
    seen = position.percepts()
    assert set(seen) == {0, 1} and seen[0] != seen[1]
    assert position.percepts(0) == seen[0] and len(seen[0]) == 1
    assert ggpbench.load("chess").open().percepts() == {0: [], 1: []}


@pytest.mark.parametrize("engine", ["bitboard", "ludeme", "rbg", "propnet", "prover"])
def test_every_engine_plays_the_same_playouts_again(engine):
    game = ggpbench.load("tic-tac-toe-3x3", engine=engine)
    rollouts = game.rollouts(3000, seed=5)
    assert rollouts.playouts == len(rollouts) == 3000
    assert rollouts == game.rollouts(3000, seed=5, threads=3)
    assert rollouts != game.rollouts(3000, seed=6)
    assert sum(rollouts.outcomes.values()) == 3000
    assert set(rollouts.outcomes) == {(100, 0), (50, 50), (0, 100)}
    assert sum(rollouts.mean_scores) == pytest.approx(100)
    assert 7.4 < rollouts.mean_plies < 7.9


def test_playouts_add_up():
    game = ggpbench.load("reversi-8x8")
    whole = game.rollouts(5000, seed=1)
    parts = [game.rollouts(2000, seed=1), game.rollouts(3000, seed=1, first=2000)]
    assert whole.plies == sum(part.plies for part in parts)
    assert whole.digest == sum(part.digest for part in parts) % 2**64


def test_playouts_from_a_position_leave_it():
    position = ggpbench.load("tic-tac-toe-3x3").open()
    for label in ("a1", "b1", "a2", "b2"):
        position.apply(label)
    rollouts = position.rollouts(10_000, seed=1)
    assert position.plies == 4 and rollouts.playouts == 10_000

    def mean(position):
        if position.is_over:
            return position.scores()[0]
        total = 0.0
        for action in range(len(position.legal())):
            child = position.clone()
            child.apply(action)
            total += mean(child)
        return total / len(position.legal())

    # Four standard errors, of scores of at most 100.
    assert rollouts.mean_scores[0] == pytest.approx(mean(position), abs=4 * 50 / 10_000**0.5)


def test_a_search_tree_finds_the_winning_action_and_goes_on():
    position = ggpbench.load("tic-tac-toe-3x3").open()
    for label in ("a1", "b1", "a2", "b2"):
        position.apply(label)
    search = position.search(seed=3)
    assert search.visits.sum() == 0 and all(mean != mean for mean in search.means)
    search.simulate(500)
    assert search.visits.sum() == 500 and search.nodes > 10
    best = int(search.visits.argmax())
    assert position.legal()[best] == "a3" and search.means[best] == 100
    again = position.search(seed=3)
    again.simulate(200)
    again.simulate(300)
    assert (again.visits == search.visits).all()
    assert search.advance(int(search.visits.argsort()[-2])) and search.visits.sum() > 0
    with pytest.raises(ValueError, match="not legal"):
        search.advance(9)
    with pytest.raises(ValueError, match="exploration"):
        position.search(exploration=-1)
    with pytest.raises(ggpbench.UnsupportedError, match="chance or hidden"):
        ggpbench.load("kuhn-poker").open().search()


def test_rollouts_release_the_interpreter():
    game = ggpbench.load("chess")
    done = threading.Event()
    thread = threading.Thread(target=lambda: (game.rollouts(30_000, seed=1), done.set()))
    thread.start()
    ticks, last, longest = 0, time.monotonic(), 0.0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
        now = time.monotonic()
        last, longest = now, max(longest, now - last)
    thread.join()
    assert ticks > 10, "the main thread stood still"


def test_rules_of_ones_own_with_options(tmp_path):
    text = """
        (define "Line" (is Line 3))
        (game "Own"
            (players 2)
            (equipment { (board (square 3)) (piece "Disc" P1) (piece "Cross" P2) })
            (rules
                (play (move Add (to (sites Empty))))
                (end (if ("Line") (result Mover Win)))))
    """
    path = tmp_path / "own.lud"
    path.write_text(text)
    for game in (ggpbench.load(path), ggpbench.loads(text, "lud", name="own.lud")):
        assert game.engine == "ludeme"
        assert len(game.open().legal()) == 9
        assert game.rollouts(500, seed=1).playouts == 500


def test_positions_have_pictures():
    for name in ("chess", "hex-9x9", "leduc-poker", "hanoi-3"):
        position = ggpbench.load(name).open(1)
        assert position.svg().startswith("<svg") and position.svg() == position._repr_svg_()
        pixels = position.pixels(200)
        assert pixels.shape[1:] == (200, 3) and pixels.dtype == np.uint8 and pixels.std() > 1
    hidden = ggpbench.load("leduc-poker").open(1)
    assert hidden.svg(0) != hidden.svg(1)
    for wrong in (lambda: hidden.svg(2), lambda: hidden.pixels(0), lambda: hidden.pixels(2**20)):
        with pytest.raises(ValueError, match="expected"):
            wrong()
