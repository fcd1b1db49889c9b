"""Thousands of positions that go on together."""

import threading
import time

import numpy as np
import pytest

import ggpbench
import ggpbench.pgx

#: One game of each kind of action: placements, drops, passes, moves, promotions, two kinds of ply.
CODED = [
    "tic-tac-toe-3x3",
    "connect-4-6x7",
    "reversi-8x8",
    "breakthrough-8x8",
    "english-draughts",
    "chess",
    "amazons-10x10",
    "yavalath",
]


#: The same on engines that have numbers for any game in GDL, and games of hidden information.
ENGINES = [
    ("tic-tac-toe-3x3", "prover"),
    ("connect-4-6x7", "prover"),
    ("connect-4-6x7", "propnet"),
    ("hanoi-3", "prover"),
    ("english-draughts", "rbg"),
    ("kuhn-poker", "bitboard"),
    ("kuhn-poker", "propnet"),
    ("kuhn-poker", "prover"),
    ("leduc-poker", "bitboard"),
    ("liars-dice", "propnet"),
    ("phantom-tic-tac-toe", "bitboard"),
    ("phantom-tic-tac-toe", "prover"),
    ("goofspiel-5", "propnet"),
]


def test_games_of_few_positions_are_looked_up():
    for name, engine in [
        ("kuhn-poker", "bitboard"),
        ("leduc-poker", "propnet"),
        ("tic-tac-toe-3x3", "bitboard"),
        ("tic-tac-toe-3x3", "ludeme"),
        ("tic-tac-toe-3x3", "rbg"),
    ]:
        assert ggpbench.load(name, engine=engine).batch(1).method == "tabled", (name, engine)
    assert ggpbench.load("connect-4-6x7").batch(1).method == "counted"
    assert ggpbench.load("chess").batch(1).method == "listed"


def test_shapes_and_dtypes():
    batch = ggpbench.load("breakthrough-8x8").batch(5)
    assert batch.mask.shape == (5, 4096) and batch.mask.dtype == np.bool_
    assert batch.planes.shape == (5, 2, 64) and batch.planes.dtype == np.uint8
    assert batch.turns.shape == (5,) and batch.turns.dtype == np.int8
    assert batch.scores.shape == (5, 2) and batch.scores.dtype == np.int32
    assert batch.progress.shape == (5,) and batch.progress.dtype == np.uint8
    assert batch.mask.sum() == 5 * 22 and batch.planes.sum() == 5 * 32
    assert len(batch) == 5


@pytest.mark.parametrize("name", CODED)
def test_a_batch_is_so_many_positions(name):
    game = ggpbench.load(name)
    batch = game.batch(3, seed=4)
    positions = [game.open() for _ in range(3)]
    names = game.actions
    for _ in range(60):
        for i, position in enumerate(positions):
            going = not position.is_over
            assert (batch.progress[i] == ggpbench.GOING) == going
            assert batch.turns[i] == (position.turn if going else -1)
            assert (batch.mask[i] == position.mask()).all()
            assert (batch.planes[i] == position.planes()).all()
            labels = {names[code] for code in np.flatnonzero(batch.mask[i])}
            assert labels == set(position.legal())
        actions = batch.random_actions().copy()
        batch.step(actions)
        for i, position in enumerate(positions):
            if position.is_over:
                assert actions[i] == -1
                assert (batch.scores[i] == 0).all()
            else:
                position.apply_code(int(actions[i]))
                if position.is_over:
                    assert list(batch.scores[i]) == position.scores()


def test_views_cannot_be_written():
    batch = ggpbench.load("tic-tac-toe-3x3").batch(2)
    for view in (batch.mask, batch.planes):
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1


@pytest.mark.parametrize("engine", ["bitboard", "ludeme", "rbg", "rg"])
def test_kinds_have_owners(engine):
    game = ggpbench.load("breakthrough-6x6", engine=engine)
    men = game.open().planes().sum(axis=1)
    of = lambda player: sum(n for n, owner in zip(men, game.owners) if owner == player)
    assert len(game.owners) == len(game.kinds) and (of(0), of(1)) == (12, 12)


def test_kinds_that_are_no_men_have_no_owners():
    assert ggpbench.load("breakthrough-6x6", engine="propnet").owners == []
    assert ggpbench.load("kuhn-poker").owners == []


def test_players_of_hidden_games_see_what_they_perceived():
    game = ggpbench.load("kuhn-poker")
    site = {name: i for i, name in enumerate(game.sites)}
    assert game.kinds == ["now", "before"] and {"jack", "bet", "did bet"} <= site.keys()
    cards = [site[card] for card in ("jack", "queen", "king")]
    batch = game.batch(500, seed=3)
    first = batch.planes.copy()
    assert (first[:, 0, cards].sum(axis=1) == 1).all() and first.sum() == 500, "a card, and nothing else"
    actions = game.actions
    batch.step(np.full(500, actions.index("bet"), np.int32))
    second = batch.planes
    assert (second[:, 0, cards].sum(axis=1) == 1).all() and (second[:, 0, site["bet"]] == 1).all()
    assert not (second[:, 0, cards] & first[:, 0, cards]).any(), "two players have two cards"
    assert not second[:, :, site["did bet"]].any(), "who did it knows that"
    position = game.open(seed=7)
    own = [position.percepts(player) for player in (0, 1)]
    position.apply("check")
    for player in (0, 1):
        seen = position.planes(player)
        now = {game.sites[i] for i in np.flatnonzero(seen[0])}
        before = {game.sites[i] for i in np.flatnonzero(seen[1])}
        if player == 0:
            assert now == {"did check", "check"} and before == set(own[0])
        else:
            assert now == {"check", *own[1]} and not before
    with pytest.raises(ValueError, match="player 2"):
        position.planes(2)


def test_engines_of_one_language_write_alike():
    one, other = (ggpbench.load("connect-4-6x7", engine=engine) for engine in ("propnet", "prover"))
    a, b = one.open(), other.open()
    draw = np.random.default_rng(5)
    while not a.is_over:
        label = draw.choice(sorted(a.legal()))
        a.apply(label), b.apply(label)
        facts = [
            {game.sites[i] for i in np.flatnonzero(position.planes()[0])}
            for game, position in ((one, a), (other, b))
        ]
        assert facts[0] <= facts[1], "a network leaves out what is always true or never"
        legal = [
            {game.actions[i] for i in np.flatnonzero(position.mask())}
            for game, position in ((one, a), (other, b))
        ]
        assert legal[0] == legal[1]


@pytest.mark.parametrize(("name", "engine"), [(name, None) for name in CODED] + ENGINES)
def test_random_batches_play_the_playouts_of_the_seed(name, engine):
    game = ggpbench.load(name, engine=engine)
    n = 64
    batch = game.batch(n, seed=9)
    plies, scores = np.zeros(n, int), np.zeros((n, game.players), int)
    while (going := batch.progress == ggpbench.GOING).any():
        plies += going
        batch.step(batch.random_actions())
        scores += batch.scores
    assert not batch.mask.any() and (batch.turns == -1).all()
    rollouts = game.rollouts(n, seed=9)
    ended = batch.progress == ggpbench.OVER
    assert plies.sum() == rollouts.plies
    assert (batch.progress == ggpbench.CAPPED).sum() == rollouts.capped
    assert list(scores[ended].mean(axis=0)) == pytest.approx(rollouts.mean_scores)


@pytest.mark.parametrize("name", ["skirmish-8x8", "nine-mens-morris"])
def test_random_batches_of_an_engine_that_draws_in_another_order(name):
    game = ggpbench.load(name, engine="ludeme")
    n, many = 512, 2000
    batch = game.batch(n, seed=9)
    plies, scores = np.zeros(n, int), np.zeros((n, 2), int)
    while (going := batch.progress == ggpbench.GOING).any():
        plies += going
        batch.step(batch.random_actions())
        scores += batch.scores
    rollouts = game.rollouts(many, seed=9)
    error = np.sqrt(1 / n + 1 / many)
    assert abs(scores[:, 0].mean() - rollouts.mean_scores[0]) < 5 * 50 * error
    assert abs(plies.mean() - rollouts.mean_plies) <= 5 * plies.std() * error


def test_threads_and_views_change_nothing():
    game = ggpbench.load("connect-4-6x7")
    one, four = game.batch(101, seed=2, auto_reset=True), game.batch(
        101, seed=2, auto_reset=True, threads=4
    )
    mask, planes = one.mask, one.planes
    for _ in range(100):
        for batch in (one, four):
            batch.step(batch.random_actions())
        assert (one.mask == four.mask).all() and (one.planes == four.planes).all()
        assert (one.scores == four.scores).all() and (one.progress == four.progress).all()
    assert np.shares_memory(mask, one.mask) and np.shares_memory(planes, one.planes)


def test_finished_positions_begin_anew_if_they_are_to():
    batch = ggpbench.load("tic-tac-toe-3x3").batch(32, seed=1, auto_reset=True)
    ends = 0
    for _ in range(100):
        batch.step(batch.random_actions())
        over = batch.progress == ggpbench.OVER
        ends += over.sum()
        assert (batch.mask.any(axis=1)).all(), "somebody is to choose everywhere"
        assert (batch.planes[over] == 0).all() and (batch.turns[over] == 0).all()
        assert (batch.scores[over].sum(axis=1) == 100).all()
        assert (batch.scores[~over] == 0).all()
    assert ends > 300


def test_a_step_that_is_wrong_plays_nothing():
    for threads in (1, 2):
        batch = ggpbench.load("tic-tac-toe-3x3").batch(4, threads=threads)
        batch.step(np.array([0, 1, 2, 3], np.int32))
        mask, planes = batch.mask.copy(), batch.planes.copy()
        with pytest.raises(ValueError, match="action 3 is not legal in position 3, where 8 others"):
            batch.step(np.array([1, 0, 0, 3], np.int64))
        for wrong in (9, -1, 2**31 - 1, 2**40, -(2**63)):
            with pytest.raises(ValueError, match="not legal in position 2"):
                batch.step(np.array([1, 0, wrong, 0], np.int64))
        for actions, words in [
            (np.zeros(3, np.int32), r"shape \(4,\)"),
            (np.zeros((4, 1), np.int32), r"shape \(4,\)"),
            (np.zeros(4, np.float32), "dtype int32 or int64, not float32"),
            (np.zeros(4, np.uint8), "dtype int32 or int64"),
            (np.zeros(4, bool), "dtype int32 or int64"),
            (np.array([None] * 4), "dtype int32 or int64"),
            ([0, 0, 0, 0], "NumPy array"),
            (None, "NumPy array"),
        ]:
            with pytest.raises(ValueError, match=words):
                batch.step(actions)
        assert (batch.mask == mask).all() and (batch.planes == planes).all()
        batch.step(np.array([1, 9, 0, 9, 0, 9, 0, 9], np.int32)[::2])
        assert batch.planes.sum() == 8, "pieces of other arrays will do"


def test_the_names_of_pgx():
    env = ggpbench.pgx.make("tic-tac-toe-3x3", batch_size=16)
    state = env.init(seed=3)
    assert state.observation.shape == (16, *env.observation_shape)
    assert state.legal_action_mask.shape == (16, env.num_actions)
    total = np.zeros((16, 2), np.float32)
    while not state.terminated.all():
        state = env.step(state, env.random_actions())
        total += state.rewards
    assert (total.sum(axis=1) == 0).all() and set(np.unique(total)) <= {-1.0, 0.0, 1.0}
    assert (env.step(state, env.random_actions()).rewards == 0).all()
    with pytest.raises(ValueError, match="only one"):
        other = ggpbench.pgx.make("tic-tac-toe-3x3", batch_size=16).init()
        env.step(other, env.random_actions())
    assert ggpbench.pgx.make("oware", batch_size=2).num_actions > 0


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        ("connect-4-6x7", None),
        ("chess", None),
        ("reversi-8x8", "propnet"),
        ("breakthrough-8x8", "propnet"),
        ("english-draughts", "rbg"),
    ],
)
def test_rollouts_are_those_of_each_position(name, engine):
    game = ggpbench.load(name, engine=engine, cap=300)
    count, n, plies_before = 5, 70, 9
    batch = game.batch(count, seed=3, threads=2)
    positions = [game.open() for _ in range(count)]
    for _ in range(plies_before):
        actions = batch.random_actions().copy()
        batch.step(actions)
        for position, action in zip(positions, actions):
            if not position.is_over:
                position.apply_code(int(action))
    mask = batch.mask.copy()
    scores, plies, progress = batch.rollouts(n, seed=8)
    assert scores.shape == (count, n, game.players) and scores.dtype == np.int32
    assert plies.shape == progress.shape == (count, n)
    assert plies.dtype == np.uint32 and progress.dtype == np.uint8
    assert (batch.mask == mask).all(), "the positions stay"
    for i, position in enumerate(positions):
        alone = position.rollouts(n, seed=8, first=i * n)
        assert plies[i].sum() == alone.plies
        assert (progress[i] == ggpbench.CAPPED).sum() == alone.capped
        ended = progress[i] == ggpbench.OVER
        assert list(scores[i][ended].mean(axis=0)) == pytest.approx(alone.mean_scores)
    again = batch.rollouts(n, seed=8)
    assert all((one == other).all() for one, other in zip((scores, plies, progress), again))
    assert (batch.rollouts(n, seed=9)[1] != plies).any()


def test_rollouts_of_games_that_are_looked_up():
    game = ggpbench.load("tic-tac-toe-3x3")
    batch = game.batch(3)
    assert batch.method == "tabled"
    for step in [(0, 0, 0), (1, 3, 1), (3, 1, 3), (4, 4, 4), (6, 8, 5)]:
        batch.step(np.array(step, np.int32))
    # Three in the first file; nobody has three; nobody has three.
    assert list(batch.progress == ggpbench.OVER) == [True, False, False]
    scores, plies, progress = batch.rollouts(4000, seed=1)
    assert (plies[0] == 0).all() and (progress[0] == ggpbench.OVER).all()
    assert (scores[0] == [100, 0]).all()
    assert (plies[1:] >= 1).all() and (plies[1:] <= 4).all()
    assert (scores.sum(axis=2) == 100).all()
    short = batch.rollouts(10, cap=0)
    assert (short[1] == 0).all() and (short[2][1:] == ggpbench.CAPPED).all()
    game = ggpbench.load("kuhn-poker")
    scores, plies, _ = game.batch(1).rollouts(20_000, seed=1)
    rollouts = game.rollouts(20_000, seed=2)
    assert plies.mean() == pytest.approx(rollouts.mean_plies, abs=0.05)


def test_rollouts_that_are_wrong():
    batch = ggpbench.load("connect-4-6x7").batch(4)
    for n, words in [(0, "0 playouts"), (2**40, "playouts from 4 positions")]:
        with pytest.raises(ValueError, match=words):
            batch.rollouts(n)
    with pytest.raises((OverflowError, ValueError)):
        batch.rollouts(-1)
    with pytest.raises((OverflowError, ValueError)):
        batch.rollouts(1, cap=-1)


def test_rollouts_of_a_batch_release_the_interpreter():
    batch = ggpbench.load("chess").batch(16)
    done = threading.Event()
    thread = threading.Thread(target=lambda: (batch.rollouts(2000, seed=1), done.set()))
    thread.start()
    ticks, refusals = 0, 0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
        try:
            batch.step(batch.random_actions())
        except RuntimeError:
            refusals += 1
    thread.join()
    assert ticks > 10, "the main thread stood still"
    assert refusals > 0, "nobody else uses the batch meanwhile"
