"""Games as PettingZoo environments, whose agents act in turn.

>>> from ggpbench.pettingzoo import env
>>> game = env("tic-tac-toe-3x3")
>>> game.reset(seed=1)
>>> for agent in game.agent_iter():
...     observation, reward, termination, truncation, info = game.last()
...     over = termination or truncation
...     game.step(None if over else int(observation["action_mask"].argmax()))

An observation is a dictionary: ``observation``, shape ``(kinds, sites)`` uint8, and ``action_mask``, shape
``(num_actions,)`` int8, which is all 0 for agents that are not to act. In games of hidden information an
agent sees what it did and perceived, see :attr:`ggpbench.Game.sites`.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ggpbench import _native
from ggpbench._seats import RENDER_MODES, check_mode, coded, names, render

__all__ = ["GgpEnv", "env"]


def env(target: str | os.PathLike[str] | _native.Game, render_mode: str | None = None, **load) -> GgpEnv:
    """A game as an environment; arguments are those of :func:`ggpbench.load`."""
    return GgpEnv(coded(target, **load), render_mode)


class GgpEnv(AECEnv):
    """A game whose players act in turn. An action that is not legal is a ``ValueError``."""

    metadata: dict[str, Any] = {
        "name": "ggpbench",
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(self, game: _native.Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = game
        self.render_mode = check_mode(render_mode, self.metadata["render_modes"])
        self.possible_agents = [f"player_{player}" for player in range(game.players)]
        actions, kinds, sites = names(game)
        planes = spaces.Box(0, 1, (len(kinds), len(sites)), np.uint8)
        mask = spaces.Box(0, 1, (len(actions),), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": planes, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(len(actions)) for agent in self.possible_agents
        }
        self._seed = 0
        self.position = game.open(self._seed)

    def observation_space(self, agent: str) -> spaces.Space:
        """The space of observations of ``agent``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Codes of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts anew. The seed is for what chance does."""
        self._seed = self._seed + 1 if seed is None else seed
        self.position = self.game.open(self._seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.turn or 0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The observation of ``agent``: planes, and which of its actions are legal."""
        acts = self.position.turn is not None and agent == self.possible_agents[self.position.turn]
        mask = self.position.mask().astype(np.int8)
        planes = self.position.planes(self.possible_agents.index(agent))
        return {"observation": planes, "action_mask": mask if acts else mask * 0}

    def step(self, action: int | None) -> None:
        """Plays an action by its code; ``None`` for an agent that is out."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"None: {agent} is not out, and has to act")
        self._cumulative_rewards[agent] = 0.0
        self.position.apply_code(action)
        turn = self.position.turn
        over = turn is None
        cut = not over and (self.position.plies >= self.game.cap or not self.position.codes())
        self.rewards = dict(zip(self.possible_agents, self.position.returns()))
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        if turn is not None and not cut:
            self.agent_selection = self.possible_agents[turn]
        else:
            place = self.possible_agents.index(agent) + 1
            self.agent_selection = self.possible_agents[place % len(self.possible_agents)]
        self._accumulate_rewards()

    def render(self) -> str | np.ndarray | None:
        """The position as the render mode has it."""
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing has to be closed."""
