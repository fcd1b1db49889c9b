"""The interfaces of other libraries, by those libraries' own tests."""

import random

import numpy as np
import pytest

GAMES = ["tic-tac-toe-3x3", "connect-4-6x7", "breakthrough-6x6", "reversi-8x8", "english-draughts"]
#: Of hidden information, the first of them without chance.
HIDDEN = ["phantom-tic-tac-toe", "kuhn-poker", "leduc-poker"]
#: Games in GDL on engines that number what a sheet can say.
LOADED = [("connect-4-6x7", "propnet"), ("tic-tac-toe-3x3", "prover"), ("kuhn-poker", "prover")]


@pytest.mark.parametrize(("name", "engine"), [(name, None) for name in GAMES + HIDDEN] + LOADED)
def test_pettingzoo(name, engine):
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    from pettingzoo.test import api_test, seed_test

    from ggpbench.pettingzoo import env

    api_test(env(name, engine=engine), num_cycles=300, verbose_progress=False)
    seed_test(lambda: env(name, engine=engine), num_cycles=50)


def test_pettingzoo_rewards_whoever_won():
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    from ggpbench.pettingzoo import env

    game = env("tic-tac-toe-3x3", render_mode="ansi")
    game.reset(seed=1)
    for label in ("a1", "b1", "a2", "b2", "a3"):
        game.step(game.game.actions.index(label))
    assert game.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(game.terminations.values()) and not any(game.truncations.values())
    assert "x" in game.render()
    game.reset()
    with pytest.raises(ValueError, match="not legal"):
        game.step(9)
    with pytest.raises(ValueError, match="player_0 is not out"):
        game.step(None)


@pytest.mark.parametrize(("name", "engine"), [(name, None) for name in GAMES + HIDDEN] + LOADED)
@pytest.mark.filterwarnings("ignore")
def test_gymnasium(name, engine):
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    from gymnasium.utils.env_checker import check_env

    from ggpbench.gymnasium import GgpEnv

    for seat in (0, 1):
        check_env(GgpEnv(name, seat=seat, engine=engine), skip_render_check=True)


def test_gymnasium_makes_every_game_of_the_catalogue():
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    import ggpbench
    import ggpbench.gymnasium

    ours = [name for name in gymnasium.registry if name.startswith("ggpbench/")]
    assert ours == [f"ggpbench/{game}-v0" for game in ggpbench.games()]
    ggpbench.gymnasium.register()
    for name in ours:
        env = gymnasium.make(name)
        _, info = env.reset(seed=1)
        for _ in range(3):
            if not info["action_mask"].any():
                break
            info = env.step(int(info["action_mask"].argmax()))[-1]
    env = gymnasium.make("ggpbench/connect-4-6x7-v0", seat=1, engine="rbg", render_mode="ansi")
    env.reset(seed=1)
    assert env.unwrapped.game.engine == "rbg" and env.unwrapped.position.turn == 1
    assert env.render() == env.unwrapped.position.draw()
    with pytest.raises(ValueError, match="expected None or one of ansi, svg, rgb_array"):
        gymnasium.make("ggpbench/chess-v0", render_mode="html")
    for mode, looks in (
        ("svg", lambda picture: picture.startswith("<svg")),
        ("rgb_array", lambda pixels: pixels.shape[2] == 3 and pixels.std() > 1),
    ):
        env = gymnasium.make("ggpbench/chess-v0", render_mode=mode)
        env.reset(seed=1)
        assert looks(env.render())


def test_gymnasium_plays_whole_games():
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    from ggpbench.gymnasium import GgpEnv

    env = GgpEnv("connect-4-6x7", seat=1)
    draw = random.Random(1)
    rewards = []
    for seed in range(100):
        _, info = env.reset(seed=seed)
        while True:
            action = draw.choice(np.flatnonzero(info["action_mask"]))
            _, reward, over, cut, info = env.step(action)
            if over or cut:
                rewards.append(reward)
                break
    assert {-1.0, 1.0} <= set(rewards) <= {-1.0, 0.0, 1.0}
    env.reset(seed=1)
    _, reward, over, _, info = env.step(int(np.flatnonzero(~env.position.mask())[0]))
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ValueError, match="seat"):
        GgpEnv("connect-4-6x7", seat=2)


@pytest.mark.parametrize("name", GAMES + HIDDEN[:1])
def test_openspiel(name):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    import ggpbench.openspiel

    pyspiel.random_sim_test(ggpbench.openspiel.game(name), num_sims=5, serialize=False, verbose=False)


def test_openspiel_tells_players_what_they_know():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    import ggpbench.openspiel

    game = ggpbench.openspiel.game("phantom-tic-tac-toe")
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    state = game.new_initial_state()
    for label in ("a1", "b2"):
        state.apply_action(game.ggp.actions.index(label))
    first, second = (state.information_state_string(player) for player in (0, 1))
    assert "did a1" in first and "b2" not in first
    assert "did b2" in second and "a1" not in second
    assert "did b2" not in state.clone().observation_string(0)


def test_openspiel_runs_its_algorithms():
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python.algorithms import mcts

    import ggpbench.openspiel

    game = ggpbench.openspiel.game("tic-tac-toe-3x3")
    state = game.new_initial_state()
    for label in ("a1", "b1", "a2", "b2"):
        state.apply_action(game.ggp.actions.index(label))
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(5, rng)
    bot = mcts.MCTSBot(game, 2.0, 200, evaluator, random_state=rng)
    assert state.action_to_string(0, bot.step(state)) == "a3", "it wins at once"
    with pytest.raises(ValueError):
        ggpbench.openspiel.game("kuhn-poker")
