"""Batches that are copied, pickled, turned to the mover, laid out on a grid and lent to others."""

import copy
import pickle

import numpy as np
import pytest

import ggpbench

#: Looked up, listed, with chance, hidden, and in words of its own.
GAMES = [
    ("tic-tac-toe-3x3", "bitboard"),
    ("connect-4-6x7", "bitboard"),
    ("chess", "bitboard"),
    ("backgammon", None),
    ("leduc-poker", "bitboard"),
    ("kuhn-poker", "rg"),
    ("reversi-8x8", "propnet"),
    ("english-draughts", "rbg"),
]

SHOWN = ("mask", "planes", "turns", "scores", "progress")


def same(one, other):
    return all((getattr(one, name) == getattr(other, name)).all() for name in SHOWN)


def went_on(batch, plies):
    for _ in range(plies):
        batch.step(batch.random_actions())
    return batch


@pytest.mark.parametrize(("name", "engine"), GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_and_pickles_go_on_alike(name, engine, threads):
    game = ggpbench.load(name, engine=engine)
    for auto_reset in (False, True):
        batch = went_on(game.batch(70, seed=5, threads=threads, auto_reset=auto_reset), 23)
        # A draw that is not played counts, too.
        batch.random_actions()
        others = [copy.copy(batch), copy.deepcopy(batch), batch.copy()]
        others.append(pickle.loads(pickle.dumps(batch)))
        others.append(pickle.loads(pickle.dumps(others[-1])))
        before = batch.copy()
        for other in others:
            assert same(batch, other) and not np.shares_memory(batch.mask, other.mask)
            assert (len(other), other.auto_reset, other.method) == (70, auto_reset, batch.method)
        for _ in range(40):
            went_on(batch, 1)
            for other in others:
                assert same(batch, went_on(other, 1))
        assert not auto_reset or not same(batch, before), "the copy stays where it was"
        batch.reset()
        for other in others:
            other.reset()
            assert same(batch, other)


def test_pickles_of_others_are_refused():
    batch = went_on(ggpbench.load("connect-4-6x7").batch(4), 3)
    start = batch.game.batch(4).mask
    _, _, (saved, scores, progress) = batch.__reduce__()
    for words in ([], saved * 2, [saved[0][:-1]], [saved[0] + 1], [saved[0] * 0 + 2**63]):
        with pytest.raises(ValueError, match="another game"):
            batch.__setstate__((words, scores, progress))
        assert (batch.mask == start).all(), "it has begun anew"
    with pytest.raises(TypeError):
        batch.__setstate__(([None], scores, progress))
    batch.__setstate__((saved, scores[:1], progress))
    assert (batch.mask == start).all()


@pytest.mark.parametrize("name", ["breakthrough-8x8", "connect-4-6x7", "gomoku-15x15"])
def test_boards_have_ranks_and_files(name):
    game = ggpbench.load(name)
    batch = went_on(game.batch(8, seed=1), 9)
    height, width = game.grid
    assert batch.boards.shape == (8, len(game.kinds), height, width)
    assert game.cells == list(range(height * width))
    assert np.shares_memory(batch.boards, batch.planes)
    site = game.sites.index("b3")
    assert (batch.boards[:, :, 2, 1] == batch.planes[:, :, site]).all()
    position = game.open()
    assert (position.boards().reshape(-1) == position.planes().reshape(-1)).all()
    with pytest.raises(ValueError):
        batch.boards[0] = 1


def test_boards_with_gaps_are_new_arrays():
    game = ggpbench.load("nine-mens-morris")
    batch = went_on(game.batch(4, seed=1), 9)
    height, width = game.grid
    seen = [cell for cell in game.cells if cell is not None]
    assert len(set(seen)) == len(seen) < height * width
    flat = batch.boards.reshape(4, -1, height * width)
    known = [site for site, cell in enumerate(game.cells) if cell is not None]
    assert (flat[:, :, seen] == batch.planes[:, :, known]).all()
    assert flat.sum() == batch.planes[:, :, known].sum()
    with pytest.raises(ggpbench.UnsupportedError, match="no grid"):
        ggpbench.load("kuhn-poker").batch(1).boards


@pytest.mark.parametrize("name", ["breakthrough-8x8", "connect-4-6x7", "tic-tac-toe-3x3"])
def test_turned_batches_show_the_side_of_the_mover(name):
    game = ggpbench.load(name)
    assert game.can_turn
    plain, turned = (game.batch(32, seed=2, turned=turned) for turned in (False, True))
    assert (plain.turned, turned.turned) == (False, True)
    positions = [game.open() for _ in range(32)]
    for _ in range(30):
        for i, position in enumerate(positions):
            if position.is_over:
                continue
            assert (turned.mask[i] == position.mask(turned=True)).all()
            assert (turned.planes[i] == position.planes(turned=True)).all()
            assert sorted(position.codes(turned=True)) == list(np.flatnonzero(turned.mask[i]))
        first = plain.turns != 1
        assert (plain.planes[first] == turned.planes[first]).all()
        assert (plain.mask.sum(axis=1) == turned.mask.sum(axis=1)).all()
        actions = plain.random_actions().copy()
        codes = turned.random_actions().copy()
        assert (actions[first] == codes[first]).all()
        for position, code in zip(positions, codes):
            if code >= 0:
                position.apply_code(int(code), turned=True)
        plain.step(actions)
        turned.step(codes)
        assert (plain.scores == turned.scores).all() and (plain.turns == turned.turns).all()
    again = pickle.loads(pickle.dumps(went_on(game.batch(3, seed=4, turned=True), 3)))
    assert again.turned and same(again, went_on(game.batch(3, seed=4, turned=True), 3))


def test_the_second_player_sees_what_the_first_saw():
    game = ggpbench.load("breakthrough-8x8")
    batch = game.batch(1, turned=True)
    start = batch.planes.copy(), batch.mask.copy()
    step = game.actions.index("a2a3")
    batch.step(np.array([step], np.int32))
    # The second player's men are where the first player's were; one man of the other has moved.
    assert (batch.planes[0, 0] == start[0][0, 0]).all()
    assert (batch.planes[0, 1] != start[0][0, 1]).sum() == 2
    assert (batch.mask == start[1]).all()
    for ask in (
        lambda: ggpbench.load("kuhn-poker").batch(1, turned=True),
        lambda: ggpbench.load("kuhn-poker").open().mask(turned=True),
    ):
        with pytest.raises(ggpbench.UnsupportedError, match="turned"):
            ask()
    with pytest.raises(ValueError, match="expected no player"):
        game.open().planes(1, turned=True)


def test_engines_without_numbers_are_passed_over():
    game = ggpbench.load("oware")
    batch = game.batch(4)
    assert batch.game.actions and batch.game.engine == game.coded().engine
    assert pickle.loads(pickle.dumps(batch)).game.engine == batch.game.engine
    assert batch.game.coded().engine == batch.game.engine


class Old:
    """What takes arrays by DLPack as programs did before its version 1.0."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_are_lent_by_dlpack():
    batch = ggpbench.load("connect-4-6x7").batch(4)
    for name in (*SHOWN, "boards"):
        array = getattr(batch, name)
        for lent in (np.from_dlpack(array), np.from_dlpack(Old(array))):
            assert np.shares_memory(lent, array) and lent.dtype == array.dtype
        assert np.shares_memory(np.from_dlpack(Old(array[1:3])), array)
    for array in (batch.mask, batch.planes, batch.boards):
        assert not array.flags.writeable and not array[1:].flags.writeable


def test_jax_takes_arrays_without_a_copy():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    batch = ggpbench.load("connect-4-6x7").batch(64)
    lent = {name: jax.dlpack.from_dlpack(getattr(batch, name)) for name in SHOWN}
    for name, array in lent.items():
        assert array.shape == getattr(batch, name).shape
        assert array.unsafe_buffer_pointer() == getattr(batch, name).ctypes.data, name


def test_torch_takes_arrays_without_a_copy():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    batch = ggpbench.load("connect-4-6x7").batch(64, seed=1, turned=True)
    for name in (*SHOWN, "boards"):
        array = getattr(batch, name)
        # PyTorch did not always have truth values by DLPack.
        array = array.view("u1") if array.dtype == bool else array
        assert torch.from_dlpack(array).data_ptr() == array.ctypes.data, name
    boards, mask = torch.from_dlpack(batch.boards), torch.from_dlpack(batch.mask.view("u1"))
    before = boards.clone()
    # What it was lent sees the step, and can be learned from.
    batch.step(batch.random_actions())
    assert not torch.equal(boards, before) and torch.equal(boards, torch.tensor(batch.boards))
    policy = torch.nn.Linear(boards[0].numel(), mask.shape[1])
    logits = policy(boards.flatten(1).float()).masked_fill(mask == 0, -torch.inf)
    chosen = torch.distributions.Categorical(logits=logits).sample().to(torch.int32)
    batch.step(np.from_dlpack(chosen))
    torch.nn.functional.cross_entropy(logits, chosen.long()).backward()
    assert policy.weight.grad.isfinite().all() and (batch.progress == ggpbench.GOING).all()


def test_positions_begin_where_they_are_said_to():
    game = ggpbench.load("tic-tac-toe-3x3")
    places = ["", "b2 a1", "x.o/.x./..o"]
    batch = game.batch(3, seed=1, auto_reset=True, positions=places)
    start = batch.mask.copy()
    assert [int(row.sum()) for row in start] == [9, 7, 5]
    ended = 0
    for _ in range(60):
        went_on(batch, 1)
        over = batch.progress == ggpbench.OVER
        assert (batch.mask[over] == start[over]).all()
        ended += int(over.sum())
    assert ended > 0
    again = pickle.loads(pickle.dumps(batch))
    for _ in range(20):
        assert same(went_on(batch, 1), went_on(again, 1))
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    chess = ggpbench.load("chess", position=fen).batch(2, positions=["", "e2e4"])
    assert list(chess.turns) == [0, 1]
    with pytest.raises(ValueError, match="2 positions for n=3"):
        game.batch(3, positions=places[:2])
    with pytest.raises(ValueError, match="position 1: action `b2` is not legal"):
        game.batch(2, positions=["", "b2 b2"])
